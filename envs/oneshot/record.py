"""Scenarios: checked setups, and the parameter records made of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ..core.checks import choice, fail, integer, near
from ..core.errors import RulesetError
from . import state as st
from .build.legal import perk_sets, triples
from .character.kit import ATTRIBUTES, COMBAT, EVENTS, ITEMS, PERKS, PHYSICAL, SOCIAL, Kit
from .character.kit_file import load_kit
from .character.sheet import derive, generate, normal, require_legal
from .params import PER_FIGURE, check_options, fill_options

FIGURE_FIELDS = (
    "team",
    "char",
    "pos",
    "wounds",
    "status",
    "saga_points",
    "size",
    "initiative_modifier",
    "target_modifier",
)
TEAMS = ("red", "blue")


def as_record(params: np.ndarray) -> Any:
    """The one record of a parameter array, by attributes."""
    return params.view(np.recarray)[0]


def only_fields(label: str, given: Any, known: tuple[str, ...]) -> dict[str, Any]:
    """A mapping with known fields alone; raises RulesetError."""
    if not isinstance(given, Mapping):
        raise fail(label, given, "an object with the fields " + ", ".join(known))
    for key in given:
        if key not in known:
            raise RulesetError(f"{label}: field {key!r} is unknown: {', '.join(known)}{near(str(key), known)}")
    return dict(given)


def char_of(given: Any, options: Mapping[str, Any], kit: Kit, label: str) -> dict[str, Any]:
    """A sheet, or an enemy generated from `{"archetype", "points"}`; legal where the options demand it."""
    if isinstance(given, Mapping) and "archetype" in given:
        fields = only_fields(label, given, ("archetype", "points"))
        names = [a["name"] for a in kit.archetypes]
        name = choice(*names)(f"{label}: archetype", fields["archetype"])
        points = integer(0, st.MAX_POINTS)(f"{label}: points", fields.get("points", 1))
        return generate(points, kit.archetypes[names.index(name)], options, kit)
    char = normal(given, kit, label)
    if options["strict_builds"]:
        require_legal(char, options, kit, label)
    return char


def sheet_row(char: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> dict[str, Any]:
    """The numbers of `state.SHEET` for a character."""
    derived = derive(char, options, kit)
    weapons = [kit.weapons[w] for w in char["weapons"]]
    names = list(kit.weapons)

    def pair(values: list[int]) -> list[int]:
        return (values + [0, 0])[:2]

    return {
        "value": [char[a] for a in ATTRIBUTES],
        "physical": [char[a] for a in PHYSICAL],
        "combat": [char[a] for a in COMBAT],
        "social": [char[a] for a in SOCIAL],
        "attack": derived["attack"],
        "defence": derived["defence"],
        "initiative": derived["initiative"],
        "limit": derived["wound_limit"],
        "hardened": int("hardened" in char["perks"]),
        "armour_malus": derived["armour_malus"],
        "move_range": derived["move_range"],
        "rank": [char["skills"].get(name, 0) for name in st.RANKS],
        "w_kind": pair([st.MELEE if w["kind"] == "melee" else st.RANGED for w in weapons]),
        "w_damage": pair([w["damage_mod"] for w in weapons]),
        "w_range": pair([w["range"] for w in weapons]),
        "w_rank": pair([char["skills"].get(w["group"], 0) for w in weapons]),
        "w_number": pair([names.index(w) for w in char["weapons"]]),
        "perks": sum(1 << PERKS.index(perk) for perk in set(char["perks"])),
        "items": [char["items"].get(item, 0) for item in ITEMS],
    }


def default_place(team: int, k: int, n: int, size: int, width: int, height: int) -> tuple[int, int]:
    """4.3: default position of the k-th of n figures of a team."""
    return (0 if team == 0 else width - size), (height - size) * (k + 1) // (n + 1)


def squares(label: str, given: Any, width: int, height: int) -> list[tuple[int, int]]:
    """A list of squares on the grid."""
    if not isinstance(given, (list, tuple)):
        raise fail(label, given, "a list of squares [x, y]")
    out = []
    for item in given:
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            raise fail(label, item, "a square [x, y]")
        x = integer(0, width - 1)(f"{label}: x", item[0])
        out.append((x, integer(0, height - 1)(f"{label}: y", item[1])))
    return out


def free_rows(size: int, width: int, height: int, blocked: set[tuple[int, int]]) -> np.ndarray:
    """R140, R143: legal positions of a footprint, int64[GRID_MAX], bit x + 6."""
    rows = np.zeros(st.GRID_MAX, dtype=np.int64)
    for y in range(height - size + 1):
        for x in range(width - size + 1):
            if not any((x + i, y + j) in blocked for i in range(size) for j in range(size)):
                rows[y] |= 1 << (x + 6)
    return rows


def overlap(a: tuple[int, int], size_a: int, b: tuple[int, int], size_b: int) -> bool:
    """Whether two footprints share a square."""
    return all(a[i] < b[i] + size_b and b[i] < a[i] + size_a for i in (0, 1))


def check_figures(setup: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> list[dict[str, Any]]:
    """The figures of a skirmish in seat order, checked (names, teams, sheets, places); raises RulesetError."""
    given = setup.get("figures")
    if not isinstance(given, Mapping) or not given:
        raise fail("figures", given, "an object name -> figure, at least one of each team")
    width, height = options["grid_width"], options["grid_height"]
    obstacles = set(squares("obstacles", setup.get("obstacles", []), width, height))
    figures = []
    for name, fields in given.items():
        if not isinstance(name, str) or not name.strip():
            raise fail("figures: name", name, "a text")
        label = f"figure {name!r}"
        fields = only_fields(label, fields, FIGURE_FIELDS)
        team = TEAMS.index(choice(*TEAMS)(f"{label}: team", fields.get("team")))
        numbers = {
            key: option.check(f"{label}: {key}", fields.get(key, 1 if key == "saga_points" else option.default))
            for key, option in PER_FIGURE.items()
        }
        if "saga_points" not in fields and setup.get("no_saga"):
            numbers["saga_points"] = 0
        status = choice("up", "unconscious", "dead")(f"{label}: status", fields.get("status", "up"))
        char = char_of(fields.get("char", {}), options, kit, f"{label}: char")
        row = sheet_row(char, options, kit)
        if status == "up" and numbers["wounds"] > row["limit"]:
            raise fail(
                f"{label}: wounds", numbers["wounds"], f"0..{row['limit']} (its wound limit) for a figure that is up"
            )
        figures.append(
            {"name": name, "team": team, "status": st.STATUS.index(status), "char": char, "row": row, "given": fields}
            | numbers
        )
    figures.sort(key=lambda f: f["team"])
    for team in (0, 1):
        members = [f for f in figures if f["team"] == team]
        if not 1 <= len(members) <= 4:
            raise fail(f"figures of team {TEAMS[team]}", len(members), "1..4")
        for k, figure in enumerate(members):
            label, size = f"figure {figure['name']!r}", figure["size"]
            pos = figure["given"].get("pos")
            if pos is None:
                place = default_place(team, k, len(members), size, width, height)
            else:
                if not isinstance(pos, (list, tuple)) or len(pos) != 2:
                    raise fail(f"{label}: pos", pos, "[x, y]")
                x = integer(0, width - size)(f"{label}: pos: x", pos[0])
                place = (x, integer(0, height - size)(f"{label}: pos: y", pos[1]))
            figure["pos"] = place
            for i in range(size):
                for j in range(size):
                    if (place[0] + i, place[1] + j) in obstacles:
                        raise fail(f"{label}: pos", list(place), f"off the obstacle at {[place[0] + i, place[1] + j]}")
    for i, a in enumerate(figures):
        for b in figures[:i]:
            if (
                a["status"] != st.Status.DEAD
                and b["status"] != st.Status.DEAD
                and overlap(a["pos"], a["size"], b["pos"], b["size"])
            ):
                raise RulesetError(
                    f"figure {a['name']!r}: pos = {list(a['pos'])} overlaps figure {b['name']!r}; give another pos"
                )
    return figures


def fill_ground(record: Any, setup: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> None:
    """Obstacles, cover and consumables."""
    width, height = options["grid_width"], options["grid_height"]
    obstacles = set(squares("obstacles", setup.get("obstacles", []), width, height))
    for size in range(1, 5):
        record.free_rows[size - 1] = free_rows(size, width, height, obstacles)
    for x, y in obstacles:
        record.obstacle_rows[y] |= 1 << x
    for x, y in squares("cover", setup.get("cover", []), width, height):
        record.cover_rows[y] |= 1 << x
    record.heal_amount = kit.items["heal_draught"]["amount"]
    record.heal_reach = kit.items["heal_draught"]["reach"]
    record.salts_reach = kit.items["smelling_salts"]["reach"]
    record.flask_damage = kit.items["fire_flask"]["damage_mod"]
    record.flask_reach = kit.items["fire_flask"]["reach"]
    record.flask_area = kit.items["fire_flask"]["area"]
    record.object_at = -1


def fill_sheet(record: Any, i: int, row: Mapping[str, Any]) -> None:
    """A figure's sheet."""
    for name in (number.name for number in st.SHEET):
        record[f"f_{name}"][i] = row[name]


SKIRMISH_FIELDS = ("config", "figures", "obstacles", "cover", "no_saga")


def skirmish(
    setup: Mapping[str, Any], extra: list[tuple]
) -> tuple[dict[str, Any], list[dict[str, Any]], np.ndarray, Kit]:
    """A checked skirmish: options, figures in seat order, parameter record, kit."""
    only_fields("scenario", setup, SKIRMISH_FIELDS)
    options = check_options(setup.get("config", {}), "skirmish")
    kit = load_kit(options["kit"])
    figures = check_figures(setup, options, kit)
    n = len(figures)
    capacity = 2 if n == 2 else 8
    params = np.zeros(1, dtype=st.skirmish_params(capacity, extra))
    record = as_record(params)
    fill_options(record, options)
    fill_ground(record, setup, options, kit)
    record.n = n
    by_team = options["control"] == "team"
    record.seats = 2 if by_team else n
    record.members = [sum(f["team"] == t for f in figures) for t in (0, 1)]
    record.first = [0, int(record.members[0])]
    record.max_decisions = n * (options["max_count"] + 2) * 24
    for i, figure in enumerate(figures):
        fill_sheet(record, i, figure["row"])
        record.seat_of[i] = figure["team"] if by_team else i
        record.f_team[i] = figure["team"]
        record.f_span[i] = figure["size"]
        record.f_x[i], record.f_y[i] = figure["pos"]
        record.f_wounds[i] = figure["wounds"]
        record.f_standing[i] = figure["status"]
        record.f_saga[i] = figure["saga_points"]
        record.f_init_mod[i] = figure["initiative_modifier"]
        record.f_target_mod[i] = figure["target_modifier"]
    for i in range(n, capacity):
        record.f_standing[i] = st.Status.ABSENT
        record.f_team[i] = 3
        record.f_span[i] = 1
    return options, figures, params, kit


MODES = st.PARLEY_MODES
TALKER_FIELDS = ("char", "wounds", "saga_points")
PARLEY_FIELDS = ("config", "mode", "speaker", "counterpart", "companions")


def talker_of(given: Any, options: Mapping[str, Any], kit: Kit, label: str, saga: int) -> dict[str, Any]:
    """A talker: sheet, wounds, saga points."""
    fields = only_fields(label, {} if given is None else given, TALKER_FIELDS)
    char = char_of(fields.get("char", {}), options, kit, f"{label}: char")
    wounds = PER_FIGURE["wounds"].check(f"{label}: wounds", fields.get("wounds", 0))
    limit = derive(char, options, kit)["wound_limit"]
    if wounds > limit:
        raise fail(f"{label}: wounds", wounds, f"0..{limit} (the wound limit)")
    saga = PER_FIGURE["saga_points"].check(f"{label}: saga_points", fields.get("saga_points", saga))
    return {"char": char, "wounds": wounds, "saga_points": saga}


def fill_talker(record: Any, i: int, talker: Mapping[str, Any]) -> None:
    """Write a talker into a parley's parameters."""
    char, perks = talker["char"], talker["char"]["perks"]
    record.c_value[i] = [char[a] for a in ATTRIBUTES]
    record.c_social[i] = [char[a] for a in SOCIAL]
    record.c_insight[i] = char["skills"].get("insight", 0)
    record.c_perks[i] = sum(1 << PERKS.index(perk) for perk in set(perks))
    record.c_saga[i] = talker["saga_points"]
    record.c_wounds[i] = talker["wounds"]
    record.c_limit_mod[i] = ("will_to_live" in perks) - ("hardened" in perks)
    record.c_hardened[i] = int("hardened" in perks)


def parley(setup: Mapping[str, Any], extra: list[tuple]) -> tuple[dict[str, Any], list[dict[str, Any]], np.ndarray]:
    """A checked parley: options, the two talkers, parameter record."""
    only_fields("scenario", setup, PARLEY_FIELDS)
    mode = choice(*MODES)("mode", setup.get("mode", "solo"))
    options = check_options(setup.get("config", {}), "parley")
    if options["build_choice"] == "choose" and mode != "versus":
        raise fail("build_choice", "choose", f"given, in mode {mode} (choose: in mode versus)")
    given_counterpart = setup.get("counterpart") is not None
    if mode == "solo" and options["npc_prior"] == "given" and not given_counterpart:
        raise fail("npc_prior", "given", "uniform, or give a counterpart")
    kit = load_kit(options["kit"])
    talkers = [talker_of(setup.get(name), options, kit, name, 0) for name in ("speaker", "counterpart")]
    companions = setup.get("companions", [])
    if not isinstance(companions, (list, tuple)) or not all(isinstance(c, str) and c.strip() for c in companions):
        raise fail("companions", companions, "a list of names")
    params = np.zeros(1, dtype=st.parley_params(extra))
    record = as_record(params)
    fill_options(record, options)
    record.mode = MODES.index(mode)
    record.given = int(options["npc_prior"] == "given" or mode != "solo")
    record.max_decisions = options["max_steps"] * 4 + 8
    for i, talker in enumerate(talkers):
        fill_talker(record, i, talker)
    return options, talkers, params


MISSION_SETUP = ("config", "heroes")
HERO_FIELDS = ("char", "wounds", "saga_points", "initiative_modifier")


def own_name(label: str, fields: Mapping[str, Any]) -> str | None:
    """What a hero is called by its fields: its own name, or that of the ready-made hero it comes from."""
    name = fields.get("name", fields.get("hero"))
    if name is not None and not (isinstance(name, str) and 1 <= len(name) <= 40 and name.isidentifier()):
        raise fail(f"{label}: name", name, "1..40 letters, digits and _, no digit first")
    return name


def mission(
    setup: Mapping[str, Any], extra: list[tuple]
) -> tuple[dict[str, Any], list[dict[str, Any]], np.ndarray, Kit]:
    """A checked mission: options, heroes, parameter record, kit."""
    only_fields("scenario", setup, MISSION_SETUP)
    options = check_options(setup.get("config", {}), "mission")
    kit = load_kit(options["kit"])
    given = setup.get("heroes")
    if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= 4:
        raise fail("heroes", given, "a list of 1..4 heroes")
    if len(given) != options["party_size"]:
        raise fail("party_size", options["party_size"], f"{len(given)}, the number of heroes given")
    width, height = options["grid_width"], options["grid_height"]
    places = [default_place(0, k, len(given), 2, width, height) for k in range(len(given))]
    if any(b[1] - a[1] < 2 for a, b in pairwise(places)):
        raise fail("grid_height", height, f"more: {len(given)} heroes do not fit beside each other")
    params = np.zeros(1, dtype=st.mission_params(extra))
    record = as_record(params)
    fill_options(record, options)
    fill_ground(record, {}, options, kit)
    heroes: list[dict[str, Any]] = []
    for i in range(st.PARTY_FIGURES):
        record.f_standing[i] = st.Status.ABSENT
        record.f_span[i] = 2
        record.f_team[i] = 0 if i < st.HEROES else 1
        record.seat_of[i] = i if i < len(given) else -1
    for i, fields in enumerate(given):
        label = f"hero {i + 1}"
        fields = only_fields(label, fields, HERO_FIELDS)
        char = char_of(fields.get("char", {}), options, kit, f"{label}: char")
        named = fields.get("char")
        name = named if isinstance(named, str) else own_name(label, named or {}) or f"hero{i + 1}"
        name = name if all(h["name"] != name for h in heroes) else f"{name}_{i + 1}"
        row = sheet_row(char, options, kit)
        numbers = {
            key: PER_FIGURE[key].check(f"{label}: {key}", fields.get(key, PER_FIGURE[key].default))
            for key in ("wounds", "saga_points", "initiative_modifier")
        }
        if numbers["wounds"] > row["limit"]:
            raise fail(f"{label}: wounds", numbers["wounds"], f"0..{row['limit']} (the wound limit)")
        fill_sheet(record, i, row)
        record.f_standing[i] = st.Status.UP
        record.f_x[i], record.f_y[i] = places[i]
        record.f_wounds[i] = numbers["wounds"]
        record.f_saga[i] = numbers["saga_points"]
        record.f_init_mod[i] = numbers["initiative_modifier"]
        for k, (tool, entry) in enumerate(kit.tools.items()):
            if tool in char["tools"]:
                record.f_tools[i, k] = -1 if entry["kind"] == "plain" else entry["durability"]
        heroes.append({"name": name, "char": char})
    for k, entry in enumerate(kit.tools.values()):
        record.tool_bonus[k] = entry["bonus"]
        record.tool_kind[k] = ("plain", "limited", "automatic").index(entry["kind"])
    record.events_of = [1 + EVENTS.index(event) for event in kit.events]
    for a, archetype in enumerate(kit.archetypes):
        for points in range(st.MAX_POINTS + 1):
            row = sheet_row(generate(points, archetype, options, kit), options, kit)
            flat = np.concatenate([np.ravel(row[number.name]) for number in st.SHEET])
            record.archetype[a * (st.MAX_POINTS + 1) + points] = flat
    record.n = st.PARTY_FIGURES
    record.party = len(given)
    record.seats = len(given)
    record.members = [len(given), st.HEROES]
    record.first = [0, st.HEROES]
    record.object_at = st.OBJECT
    record.f_team[st.OBJECT] = 2
    record.f_value[st.OBJECT] = [3, 0, 0]
    record.f_defence[st.OBJECT] = 5
    record.f_limit[st.OBJECT] = 5
    record.f_x[st.OBJECT], record.f_y[st.OBJECT] = (width - 2) // 2, (height - 2) // 2
    record.max_decisions = 200_000
    return options, heroes, params, kit


def fill_arena(record: Any, options: Mapping[str, Any], kit: Kit) -> None:
    """The ground on which two built characters meet, at their default places and without saga points."""
    fill_ground(record, {}, options, kit)
    record.n = record.seats = 2
    record.members = [1, 1]
    record.first = [0, 1]
    for i in (0, 1):
        record.seat_of[i] = record.f_team[i] = i
        record.f_span[i] = 2
        record.f_x[i], record.f_y[i] = default_place(i, 0, 1, 2, options["grid_width"], options["grid_height"])


def build(setup: Mapping[str, Any], extra: list[tuple]) -> tuple[dict[str, Any], np.ndarray, Kit]:
    """A checked build game: options, parameter record, kit."""
    only_fields("scenario", setup, ("config",))
    options = check_options(setup.get("config", {}), "build")
    kit = load_kit(options["kit"])
    on_grid = options["pilot"] == "grid"
    params = np.zeros(1, dtype=st.build_params(on_grid, extra))
    record = as_record(params)
    fill_options(record, options)
    record.max_decisions = 2 * st.STAGES
    if on_grid:
        fill_arena(record, options, kit)
    cap, points = options["attribute_cap"], options["attribute_points"]
    for luck in (0, 1):
        found = triples(max(0, points - luck), cap)
        if not 1 <= len(found) <= st.TRIPLES_MAX:
            raise fail(
                "attribute_points", points, f"a sum that 1..{st.TRIPLES_MAX} triples with attribute_cap {cap} have"
            )
        record.n_triples[luck] = len(found)
        for i, triple in enumerate(found):
            for gift in (0, 1):
                value = list(triple)
                if gift and 3 in triple:
                    k = triple.index(3)
                    value = [v + 1 if j == k else v - 1 for j, v in enumerate(triple)]
                record.triples[luck, gift, i] = value
                record.triple_open[luck, gift, i] = int(not gift or 3 in triple)
    for i, perks in enumerate(perk_sets(3)):
        record.perk_bits[i] = sum(1 << PERKS.index(perk) for perk in perks)
        luck, gift = int("luck" in perks), int("special_gift" in perks)
        cost = 3 * ("armour_training" in perks) + 3 * ("finesse" in perks)
        can = any(
            record.triple_open[luck, gift, k] and 5 + 5 * int(record.triples[luck, gift, k, 1]) >= cost
            for k in range(int(record.n_triples[luck]))
        )
        allowed = options["allow_will_to_live"] or "will_to_live" not in perks
        record.perk_open[i] = int(can and allowed and len(perks) <= options["max_perks"])
    record.n_weapons, record.n_armours = len(kit.weapons), len(kit.armours)
    for i, w in enumerate(kit.weapons.values()):
        kind = st.MELEE if w["kind"] == "melee" else st.RANGED
        record.weapons[i] = [kind, w["damage_mod"], w["price"], w["range"]]
    for i, a in enumerate(kit.armours.values()):
        record.armours[i] = [a["bonus"], a["malus"], a["price"]]
    record.item_price = [0, kit.items["heal_draught"]["price"], kit.items["fire_flask"]["price"]]
    budget = options["gear_budget"]
    cheapest = min(w["price"] for w in kit.weapons.values()) + min(a["price"] for a in kit.armours.values())
    if budget is not None and cheapest > budget:
        raise fail(
            "gear_budget", budget, f"at least {cheapest}, the price of the cheapest weapon and armour of the kit"
        )
    return options, params, kit
