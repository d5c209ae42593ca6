"""Running worked examples of OneShot (section 9): all kinds, from single checks to scripted fights and talks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..core.checks import Check, boolean, choice, fail, integer
from ..core.errors import ProbespielError, RulesetError
from ..core.fields import record_of
from ..core.script import field_problems
from . import exact
from . import record as rec
from . import state as st
from .character.kit import PHYSICAL, SKILLS, Kit
from .character.kit_file import load_kit
from .character.sheet import advance, derive, generate, modifier_of, normal
from .mission import generator
from .params import SCENARIOS, check_options, fill_options
from .scripts import Case, FightScript, TalkScript, differences, is_square
from .skirmish import ground

# --- what a setup may hold --------------------------------------------------------------------------------------------

SETUPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # fields of `setup` by kind: needed, and allowed
    "derive": (("char",), ()),
    "check": (("die",), ("confirm", "modifier", "threshold")),
    "test_modifier": (("char",), ("physical", "skill", "marked", "difficulty", "wounds")),
    "schedule": (("initiatives", "until"), ("base_initiative",)),
    "fight": (("figures",), ("obstacles", "cover", "dice", "expect")),
    "parley": ((), ("speaker", "counterpart", "mode", "companions", "dice", "expect")),
    "distance": (("a", "b"), ("size_a", "size_b")),
    "reach": (("from",), ("size", "steps", "blocked", "figures")),
    "tool": (("tool",), ("steps",)),
    "advance": (("char",), ("saga_points",)),
    "lie": (("liar_die",), ("listener_die", "cunning", "listener")),
    "mission": (("dice",), ("scenario",)),
    "layout": (("dice",), ()),
    "group": (("dice",), ("tier", "boss")),
    "value": (("formula",), ("args",)),
    "config": ((), ()),
}
FACE, MODIFIER, SIZE = integer(1, 6), integer(-99, 99), integer(1, 4)


def square(name: str, value: Any) -> list[int]:
    """A square or a position [x, y]."""
    if not is_square(value):
        raise fail(name, value, "[x, y], two whole numbers")
    return value


def listed(check: Check, what: str) -> Check:
    """A list of such values."""

    def check_all(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise fail(name, value, f"a list of {what}")
        return [check(name, item) for item in value]

    return check_all


def numbered(name: str, value: Any) -> dict[str, int]:
    """An object name -> whole number."""
    if not isinstance(value, Mapping):
        raise fail(name, value, "an object name -> whole number")
    return {key: MODIFIER(f"{name}: {key}", number) for key, number in value.items()}


VALUES: dict[str, Check] = {  # fields whose values nobody else checks; None stands for a field that is left out
    **dict.fromkeys(("die", "confirm", "liar_die", "listener_die"), FACE),
    **dict.fromkeys(("modifier", "threshold", "difficulty", "cunning"), MODIFIER),
    **dict.fromkeys(("marked", "boss"), boolean),
    **dict.fromkeys(("size", "size_a", "size_b"), SIZE),
    **dict.fromkeys(("a", "b", "from"), square),
    **dict.fromkeys(("initiatives", "base_initiative"), numbered),
    "dice": listed(FACE, "faces 1..6"),
    "blocked": listed(square, "squares [x, y]"),
    "physical": choice(*PHYSICAL),
    "skill": choice(*SKILLS),
    "wounds": integer(0, 99),
    "until": integer(0, 100_000),
    "saga_points": integer(0, 100_000),
    "tier": choice(*st.TIERS),
    "scenario": choice(*SCENARIOS),
}
REACH: dict[str, Check] = {"steps": integer(0, 6), "figures": listed(square, "positions [x, y]")}
STEPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tool": ((), ("die", "confirm", "modifier", "note")),
    "advance": (("raise",), ("note",)),
}


def check_setup(kind: str, case: Case) -> None:
    """Refuse a setup that lacks a field, has one that its kind does not take, or a value of the wrong sort."""
    setup, config = case.get("setup") or {}, case.get("config") or {}
    if not isinstance(config, Mapping):
        raise fail("config", config, "an object option -> value")
    checks = {**VALUES, **REACH} if kind == "reach" else VALUES
    needed, optional = SETUPS[kind]
    parts: list[tuple[str, Any, Sequence[str], Sequence[str]]] = [("setup", setup, needed, (*optional, "note"))]
    if kind in STEPS:
        for number, step in enumerate(case.get("steps") or [], start=1):
            parts.append((f"step {number}", step, *STEPS[kind]))
    for where, given, must, may in parts:
        if not isinstance(given, Mapping):
            raise fail(where, given, "an object with the fields " + ", ".join((*must, *may)))
        wrong = field_problems(given, must, may)
        if wrong:
            raise RulesetError(f"{where}: {'; '.join(wrong)}")
        for name, value in given.items():
            if name in checks and value is not None:
                checks[name](f"{where}: {name}", value)


def wrapped(kind: str, runner: Callable[[Case], Any]) -> Callable[[Case], list[str]]:
    """Compare what a runner answers with `expect`, or the error that it raises."""

    def answer(case: Case) -> Any:
        check_setup(kind, case)
        return runner(case)

    def run(case: Case) -> list[str]:
        want = case.get("expect") or {}
        if "error" in want:
            if not isinstance(want["error"], list):
                return [f"expect: error = {want['error']!r} must be a list of texts"]
            try:
                have = answer(case)
            except ValueError as error:
                return [
                    f"error {str(error)!r} does not name {part!r}"
                    for part in want["error"]
                    if str(part) not in str(error)
                ]
            return [f"no error, but {have!r}"]
        have = answer(case)
        if isinstance(have, list):
            return have
        return differences(have, want, "")

    return run


def context(case: Case) -> tuple[dict[str, Any], Kit, dict[str, Any]]:
    """Options, kit and setup of a case."""
    options = check_options(case.get("config") or {})
    return options, load_kit(options["kit"]), case.get("setup") or {}


# --- characters and checks --------------------------------------------------------------------------------------------


def run_derive(case: Case) -> dict[str, Any]:
    """Kind `derive`."""
    options, kit, setup = context(case)
    return derive(normal(setup["char"], kit, "char", perks=False), options, kit)


def check(die: int, confirm: int | None, modifier: int, threshold: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """R20-R26 for given dice."""
    total = die + modifier
    plain = total >= threshold
    automatic = None
    if confirm is not None and die == 1 and confirm <= 2:
        automatic = "failure"
    elif confirm is not None and die == 6 and confirm >= 5:
        automatic = "success"
    success = plain if automatic is None else automatic == "success"
    critical = automatic is not None and (options["critical_means"] == "automatic" or success == plain)
    return {"total": total, "plain": plain, "success": success, "automatic": automatic, "critical": critical}


def run_check(case: Case) -> dict[str, Any]:
    """Kind `check`."""
    options, _, setup = context(case)
    return check(setup["die"], setup.get("confirm"), setup.get("modifier", 0), setup.get("threshold", 4), options)


def run_modifier(case: Case) -> dict[str, Any]:
    """Kind `test_modifier`."""
    options, kit, setup = context(case)
    fields = {k: v for k, v in setup.items() if k != "char"}
    return {"modifier": modifier_of(normal(setup["char"], kit), options, kit, **fields)}


def run_tool(case: Case) -> dict[str, Any]:
    """Kind `tool` (R107-R111)."""
    options, kit, setup = context(case)
    tool = kit.tools[choice(*kit.tools)("setup: tool", setup["tool"])]
    durability = tool["durability"] if tool["kind"] != "plain" else None
    broken = False
    uses: list[Any] = []
    for number, step in enumerate(case.get("steps") or setup.get("steps") or [], start=1):
        if broken:
            uses.append("rejected")
            continue
        if tool["kind"] == "automatic":
            result = {"success": True, "critical": False}
        elif "die" not in step:
            raise RulesetError(f"step {number}: field 'die' is missing: {setup['tool']} is used with a roll")
        else:
            modifier = step.get("modifier", 0) + tool["bonus"]
            full = check(step["die"], step.get("confirm"), modifier, 4, options)
            result = {"success": full["success"], "critical": full["critical"]}
        if durability is not None:
            durability -= 1
        broken = durability == 0 or (result["critical"] and not result["success"])
        uses.append({**result, "durability": durability, "broken": broken})
    return {"uses": uses}


def run_advance(case: Case) -> dict[str, Any]:
    """Kind `advance`."""
    options, kit, setup = context(case)
    char = normal(setup["char"], kit)
    left = setup.get("saga_points", 0)
    results = []
    for step in case.get("steps") or []:
        result = advance(char, step["raise"], left, options)
        left = result.get("left", left)
        results.append(result)
    limit = derive(char, options, kit)["wound_limit"]
    shown = {k: v for k, v in char.items() if k not in ("weapons", "armour")}
    return {"results": results, "wound_limit": limit, "left": left, "char": shown}


def run_lie(case: Case) -> dict[str, Any]:
    """Kind `lie` (R88)."""
    options, kit, setup = context(case)
    listener = normal(setup.get("listener", {}), kit)
    total = setup["liar_die"] + setup.get("cunning", 0)
    if setup.get("listener_die") is None:
        return {"detected": total < listener["mind"]}
    rank = listener["skills"].get("insight", 0)
    skill = rank if rank >= 1 else listener["mind"] - 1
    if rank >= 1 and options["untrained_rule"] == "best":
        skill = max(rank, listener["mind"] - 1)
    mine = setup["listener_die"] + skill
    return {"detected": mine > total or (mine == total and options["lie_tie"] == "listener")}


def run_value(case: Case) -> dict[str, Any]:
    """Kind `value`."""
    setup = case["setup"]
    return {"value": exact.formula(setup["formula"], setup.get("args", []), case.get("config"))}


def run_config(case: Case) -> dict[str, Any]:
    """Kind `config`."""
    games = ("skirmish", "mission")
    config = case.get("config") or {}
    utility = config.get("utility")
    game = games[utility in ("success", "saga")]
    check_options(config, game)
    return {"accepted": True}


# --- ground and turns -------------------------------------------------------------------------------------------------


def run_distance(case: Case) -> dict[str, Any]:
    """Kind `distance`."""
    setup = case["setup"]
    a, b = setup["a"], setup["b"]
    far = ground.gap(a[0], a[1], setup.get("size_a", 2), b[0], b[1], setup.get("size_b", 2))
    return {"distance": far, "adjacent": far == 1}


def run_reach(case: Case) -> dict[str, Any]:
    """Kind `reach`."""
    options, _, setup = context(case)
    width, height = options["grid_width"], options["grid_height"]
    size, (x, y) = setup.get("size", 2), setup["from"]
    blocked = {(bx, by) for bx, by in setup.get("blocked", [])}
    others = setup.get("figures", [])
    p: Any = SimpleNamespace(free_rows=np.stack([rec.free_rows(k, width, height, blocked) for k in range(1, 5)]))
    s: Any = SimpleNamespace(
        x=[x, *[o[0] for o in others]],
        y=[y, *[o[1] for o in others]],
        span=[size, *[2] * len(others)],
        standing=[st.Status.UP] * (1 + len(others)),
        reach=np.zeros(16, dtype=np.int64),
        free=np.zeros(16, dtype=np.int64),
    )
    found: dict[tuple[int, int], int] = {}
    for steps in range(1, setup.get("steps", 6) + 1):
        ground.flood(s, p, 0, steps)
        for r in range(1, 14):
            for column in range(30):
                place = (column - 6, y + r - 7)
                if int(s.reach[r]) >> column & 1 and place != (x, y):
                    found.setdefault(place, steps)
    asked = {}
    for key in case["expect"].get("steps_to") or {}:
        column, _, row = key.partition(",")
        asked[key] = found.get((int(column), int(row)))
    return {"number": len(found), "steps_to": asked}


def run_schedule(case: Case) -> dict[str, Any]:
    """Kind `schedule` (R31-R34); surprise turns are listed on count 0."""
    options, _, setup = context(case)
    names = list(setup["initiatives"])
    inits = {n: setup["initiatives"][n] or options["zero_initiative"] for n in names}
    base = {n: setup.get("base_initiative", {}).get(n, 0) for n in names}
    low = options["tie_break"] == "initiative_low"
    key = {n: -base[n] if low else base[n] for n in names}
    turns: list[Any] = []

    def groups(members: list[str], order: Mapping[str, Any]) -> list[list[str]]:
        out = [[n for n in members if order[n] == value] for value in sorted({order[n] for n in members})]
        return out

    early = [n for n in names if inits[n] < 0]
    if early:
        turns.append([0, groups(early, {n: (inits[n], key[n]) for n in early})])
    for count in range(0 if options["turn_at_zero"] else 1, setup["until"] + 1):
        due = [n for n in names if count % abs(inits[n]) == 0]
        if due:
            turns.append([count, groups(due, key)])
    return {"turns": turns}


# --- generator --------------------------------------------------------------------------------------------------------


def generator_record(options: Mapping[str, Any], dice: Sequence[int]) -> tuple[Any, Any]:
    """State and parameters for the generator with these dice."""
    s = np.zeros(1, dtype=record_of(st.GENERATOR)).view(np.recarray)[0]
    p = np.zeros(1, dtype=record_of(st.OPTION_FIELDS)).view(np.recarray)[0]
    fill_options(p, options)
    if len(dice) > st.TAPE:
        raise ProbespielError(f"dice: {len(dice)} are too many: at most {st.TAPE}")
    s.tape[: len(dice)] = dice
    s.tape_n = len(dice)
    return s, p


def finished(s: Any) -> int:
    """Dice left over; raises ProbespielError if there were too few."""
    if s.starved:
        raise ProbespielError(f"dice: the {int(s.tape_n)} given are too few")
    return int(s.tape_n) - int(s.tape_at)


def run_mission(case: Case) -> dict[str, Any]:
    """Kind `mission`."""
    options, _, setup = context(case)
    s, p = generator_record(options, setup["dice"])
    scenario = setup.get("scenario", options["scenario"])
    generator.generate_mission(s, p, -1 if scenario is None else SCENARIOS.index(scenario))
    left = finished(s)
    conditions = []
    for i in range(int(s.n_cond)):
        kind = int(s.cond_kind[i])
        entry: dict[str, Any] = {"kind": st.CONDITIONS[kind], "level": st.LEVELS[int(s.cond_level[i])]}
        value = [int(v) for v in s.cond_value[i]]
        if kind == st.Condition.TIME_LIMIT:
            entry["rounds" if s.defensive else "minutes"] = value[0]
        elif kind == st.Condition.CIVILIANS:
            entry.update(civilians=value[0], hostages=value[1])
        elif kind == st.Condition.COMBINED:
            extra = int(s.cond_scenario[i])
            entry["scenario"] = SCENARIOS[extra] if extra >= 0 else None
        conditions.append(entry)
    found = [SCENARIOS[int(s.scenarios[i])] for i in range(int(s.n_scenarios))]
    extra = int(s.n_extra)
    wants_list = isinstance((case.get("expect") or {}).get("extra"), list)
    combined = [c.get("scenario") for c in conditions]
    added = [name for name in found[1:] if name not in combined]
    return {
        "scenarios": found,
        "conditions": conditions,
        "extra": added if wants_list else extra,
        "penalty": int(s.penalty),
        "defensive": bool(s.defensive),
        "dice_left": left,
    }


def run_layout(case: Case) -> dict[str, Any]:
    """Kind `layout`."""
    options, _, setup = context(case)
    s, p = generator_record(options, setup["dice"])
    generator.generate_map(s, p)
    left = finished(s)
    n = int(s.n_rooms)
    rooms = [[st.ROOM_TYPES[int(s.room_type[i])], [int(s.room_x[i]), int(s.room_y[i])]] for i in range(n)]
    links = {tuple(sorted((i, int(s.room_links[i, w])))) for i in range(n) for w in range(4) if s.room_links[i, w] >= 0}
    return {"rooms": rooms, "links": sorted(list(pair) for pair in links), "dice_left": left}


def run_group(case: Case) -> dict[str, Any]:
    """Kind `group`."""
    options, kit, setup = context(case)
    s, p = generator_record(options, setup["dice"])
    tier = st.TIERS.index(setup.get("tier", "normal"))
    generator.generate_group(s, p, tier, int(bool(setup.get("boss", False))), 0, 0)
    left = finished(s)
    units = [(int(s.unit_points[i]), kit.archetypes[int(s.unit_type[i])]) for i in range(int(s.n_units))]
    chars = [generate(points, archetype, options, kit) for points, archetype in units]
    return {
        "units": [[points, archetype["name"]] for points, archetype in units],
        "chars": chars,
        "derived": [derive(char, options, kit) for char in chars],
        "dice_left": left,
    }


def case_runners(compiled: bool) -> dict[str, Callable[[Case], list[str]]]:
    """Runners of all kinds of section 9."""
    kinds: dict[str, Callable[[Case], Any]] = {
        "derive": run_derive,
        "check": run_check,
        "test_modifier": run_modifier,
        "schedule": run_schedule,
        "fight": lambda case: FightScript(case, compiled).run(),
        "parley": lambda case: TalkScript(case, compiled).run(),
        "distance": run_distance,
        "reach": run_reach,
        "tool": run_tool,
        "advance": run_advance,
        "lie": run_lie,
        "mission": run_mission,
        "layout": run_layout,
        "group": run_group,
        "value": run_value,
        "config": run_config,
    }
    return {name: wrapped(name, runner) for name, runner in kinds.items()}
