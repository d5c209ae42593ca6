"""Scripted fights and talks of worked examples (section 9)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.game import Game
from ..core.script import Script, field_problems
from . import record as rec
from . import state as st
from .character.kit import ITEMS
from .character.kit_file import load_kit
from .character.sheet import normal
from .system import SYSTEM

Case = dict[str, Any]

STEP_FIELDS = ("actor", "decision", "dice", "legal", "illegal", "legal_exactly", "expect", "note")
REACTIONS = ("decline", "saga", "luck")
FIGHT_FIELDS: dict[str, tuple[str, ...]] = {  # fields of each type of decision; one that lacks or adds any is illegal
    "move": ("to",),
    "attack": ("weapon", "target"),
    "edge": ("method", "target"),
    "execute": ("target",),
    "item": ("item", "target"),
    **dict.fromkeys(("end_turn", "weak_spot", *REACTIONS), ()),
}
TALK_FIELDS: dict[str, tuple[str, ...]] = {
    "talk": ("method",),
    **dict.fromkeys(("recover", "read", "leave", *REACTIONS), ()),
}


def differences(have: Any, want: Any, where: str) -> list[str]:
    """What does not match: objects are partial, lists are compared fully, numbers within 1e-9."""
    if isinstance(want, Mapping) and isinstance(have, Mapping):
        out = []
        for key, value in want.items():
            if key not in have:
                place = f"{where}: " if where else ""
                out.append(f"{place}{key!r} is unknown: {', '.join(map(str, have)) or 'nothing'}")
            else:
                out.extend(differences(have[key], value, f"{where}.{key}" if where else key))
        return out
    if isinstance(want, Sequence) and not isinstance(want, str) and isinstance(have, (list, tuple)):
        if len(want) == len(have):
            return [
                d for i, (h, w) in enumerate(zip(have, want, strict=True)) for d in differences(h, w, f"{where}[{i}]")
            ]
        return [f"{where} is {have!r}, expected {want!r}"]
    numbers = [isinstance(v, (int, float)) and not isinstance(v, bool) for v in (have, want)]
    if all(numbers) and abs(have - want) <= 1e-9:
        return []
    if type(have) is type(want) and have == want:
        return []
    return [f"{where} is {have!r}, expected {want!r}"]


class SceneScript(Script):
    """A fight or a talk being played by a script."""

    fields: Mapping[str, tuple[str, ...]] = {}

    def throw(self, dice: Sequence[int], where: str) -> None:
        """Let exactly these dice fall until the next decision."""
        if not isinstance(dice, list):
            self.problems.append(f"{where}: dice = {dice!r} must be a list of faces")
            return
        left = deque(dice)
        while faces := self.position.die():
            if not left:
                self.problems.append(f"{where}: the dice {list(dice)} are too few, another one is due")
                return
            face = left.popleft()
            if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= faces:
                self.problems.append(f"{where}: die {face!r} is none of 1..{faces}")
                return
            self.position.fall(face - 1)
        if left:
            self.problems.append(f"{where}: the dice {list(left)} were not needed")

    def actor(self) -> str | None:
        """Name of the one that is to act."""
        raise NotImplementedError

    def slips(self, decision: Any) -> list[str]:
        """What a decision lacks, or has and does not take."""
        if not isinstance(decision, Mapping) or decision.get("type") not in self.fields:
            return [f"an object with a type is needed: {', '.join(self.fields)}"]
        return field_problems(decision, ("type", *self.fields[decision["type"]]))

    def action(self, decision: Any) -> int | None:
        """Id of a decision, None if it cannot even be expressed now: a field too few or too many, a wrong name."""
        return None if self.slips(decision) else self.meant(decision)

    def meant(self, decision: Mapping[str, Any]) -> int | None:
        """Id of a decision that has its fields."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """The fields of `expect`."""
        raise NotImplementedError

    def check(self, expect: Mapping[str, Any] | None, where: str) -> None:
        """Compare the state with an `expect`, which may leave out what does not matter."""
        if expect:
            self.problems.extend(f"{where}: {text}" for text in differences(self.state(), expect, ""))

    def start(self) -> None:
        """The dice of the set-up, and what is expected of it."""
        setup = self.case["setup"]
        self.throw(setup.get("dice", []), "setup")
        self.check(setup.get("expect"), "setup")

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """One step of the script."""
        wrong = field_problems(step, (), STEP_FIELDS)
        if wrong:
            self.problems.append(f"{where}: {'; '.join(wrong)}")
            return
        if "actor" in step and step["actor"] != self.actor():
            self.problems.append(f"{where}: {self.actor()} is to act, not {step['actor']}")
            return
        acting = self.position.to_act()
        legal = set(self.position.legal(acting[0])) if acting else set()
        for kind in ("legal", "illegal", "legal_exactly"):
            given = step.get(kind)
            if given is None:
                continue
            ids = [self.action(d) for d in given]
            for decision, action in zip(given, ids, strict=True):
                if (action in legal) != (kind != "illegal"):
                    self.problems.append(f"{where}: {dict(decision)} is {'' if action in legal else 'not '}legal")
            if kind == "legal_exactly" and set(ids) != legal:
                names = ", ".join(self.game.actions.codes[a] for a in sorted(legal))
                self.problems.append(f"{where}: legal are {names}")
        if "decision" in step and not self.problems:
            action = self.action(step["decision"])
            if action is None or not acting:
                why = self.slips(step["decision"]) or ["no such move, or a name that nothing has here"]
                self.problems.append(f"{where}: {step['decision']} is not possible now: {'; '.join(why)}")
                return
            self.position.apply(acting[0], action)
            self.throw(step.get("dice", []), where)
        if not self.problems:
            self.check(step.get("expect"), where)


def is_square(value: Any) -> bool:
    """Whether a value is a pair of whole numbers."""
    return isinstance(value, list) and len(value) == 2 and all(type(v) is int for v in value)


class FightScript(SceneScript):
    """Kind `fight`."""

    fields = FIGHT_FIELDS

    def __init__(self, case: Case, compiled: bool) -> None:
        setup = case["setup"]
        config = {"simultaneous_order": "seat", **(case.get("config") or {})}
        parts = {k: setup[k] for k in ("figures", "obstacles", "cover") if k in setup}
        spec = SYSTEM.spec_of_setup({"config": config, "no_saga": True, **parts}, "oneshot-skirmish")
        self.kit = load_kit(config.get("kit"))
        given = setup["figures"]
        super().__init__(case, Game(spec, compiled))
        self.names = [n for team in rec.TEAMS for n, f in given.items() if f["team"] == team]
        self.weapons = [normal(given[n].get("char", {}), self.kit)["weapons"] for n in self.names]

    def actor(self) -> str | None:
        """The figure that is asked."""
        return self.names[int(self.position.record.asked)] if self.position.to_act() else None

    def meant(self, decision: Mapping[str, Any]) -> int | None:
        """Id of a decision of the figure that is asked."""
        s, p = self.position.record, self.game.params
        kind = decision["type"]
        fixed = {
            "end_turn": st.Action.END_TURN,
            "decline": st.DECLINE,
            "saga": st.SAGA,
            "luck": st.LUCK,
            "weak_spot": st.Action.WEAK_SPOT,
        }
        if kind in fixed:
            return fixed[kind]
        me = int(s.asked)
        if kind == "move":
            if not is_square(decision["to"]):
                return None
            offset = (decision["to"][0] - int(s.x[me]), decision["to"][1] - int(s.y[me]))
            offsets = list(zip(st.OFFSET_X.tolist(), st.OFFSET_Y.tolist(), strict=True))
            return st.Action.MOVE + offsets.index(offset) if offset in offsets else None
        if decision["target"] not in self.names:
            return None
        team = int(s.team[me])
        target = self.names.index(decision["target"])
        foe = target - int(p.first[1 - team]) if int(s.team[target]) != team else None
        friend = target - int(p.first[team]) if int(s.team[target]) == team else None
        if kind == "attack":
            known = self.weapons[me]
            if decision["weapon"] not in known or foe is None:
                return None
            return st.Action.ATTACK + 4 * known.index(decision["weapon"]) + foe
        if kind == "edge":
            if foe is None or decision["method"] not in rec.SOCIAL:
                return None
            return st.Action.EDGE + 4 * rec.SOCIAL.index(decision["method"]) + foe
        if kind == "execute":
            return None if foe is None else st.Action.EXECUTE + foe
        if kind == "item":
            if decision["item"] == "fire_flask":
                return None if foe is None else st.Action.FLASK + foe
            starts = {"heal_draught": st.Action.HEAL, "smelling_salts": st.Action.SALTS}
            if friend is None or decision["item"] not in starts:
                return None
            return starts[decision["item"]] + friend
        return None

    def check(self, expect: Mapping[str, Any] | None, where: str) -> None:
        """Edges may be listed in any order."""
        if expect and "edges" in expect:
            expect = {**expect, "edges": sorted(expect["edges"])}
        super().check(expect, where)

    def state(self) -> dict[str, Any]:
        """The fields of a fight."""
        from .skirmish.numbers import defence_now, malus

        s, p = self.position.record, self.game.params
        n = len(self.names)
        over = self.position.over
        figures = {}
        for i, name in enumerate(self.names):
            figures[name] = {
                "wounds": int(s.wounds[i]),
                "status": st.STATUS[int(s.standing[i])],
                "pos": [int(s.x[i]), int(s.y[i])],
                "saga_points": int(s.saga[i]),
                "luck_left": int(s.luck[i]),
                "combat_initiative": int(s.c_init[i]) or None,
                "malus": int(malus(s, i)),
                "items": {item: int(s.items[i, k]) for k, item in enumerate(ITEMS)},
                "defence_now": int(defence_now(s, p, i)),
                "moved": bool(s.moved[i]),
                "acted": bool(s.acted[i]),
            }
        edges = sorted(
            [rec.SOCIAL[m], self.names[a], self.names[b], int(s.edge[m, a, b])]
            for m in range(3)
            for a in range(n)
            for b in range(n)
            if s.edge[m, a, b] > 0
        )
        winner = ("red", "blue", "draw")[int(s.winner)] if over else None
        return {
            "count": int(s.count),
            "to_act": self.actor(),
            "node": self.position.phase() or None,
            "over": over,
            "winner": winner,
            "pending": int(s.pending),
            "edges": edges,
            "figures": figures,
            "last": self.last(s),
        }

    def last(self, s: Any) -> dict[str, Any]:
        """What has happened since the last decision."""
        out: dict[str, Any] = {}
        for name, field in (
            ("attack_total", s.l_attack), ("need", s.l_need), ("damage_total", s.l_damage), ("defence", s.l_defence),
            ("rounds", s.l_rounds),
        ):  # fmt: skip
            out[name] = int(field) if field > -99 else None
        for name, field in (
            ("hit", s.l_hit), ("wound", s.l_wound), ("survival", s.l_survival), ("weak_spot", s.l_weak),
            ("success", s.l_success),
        ):  # fmt: skip
            out[name] = bool(field) if field > -99 else None
        out["hurt"] = [name for i, name in enumerate(self.names) if int(s.l_hurt) >> i & 1]
        return out


class TalkScript(SceneScript):
    """Kind `parley`."""

    fields = TALK_FIELDS

    def __init__(self, case: Case, compiled: bool) -> None:
        setup = case["setup"]
        self.mode = setup.get("mode", "solo")
        config = {"npc_prior": "given", "first_speaker": "first", **(case.get("config") or {})}
        if self.mode == "solo":
            config["npc_prior"] = "given"
        parts = {k: setup[k] for k in ("speaker", "counterpart", "companions") if k in setup}
        parts.setdefault("counterpart", {})
        self.companions = list(setup.get("companions", []))
        spec = SYSTEM.spec_of_setup({"config": config, "mode": self.mode, **parts}, "oneshot-parley")
        super().__init__(case, Game(spec, compiled))
        self.names = ["speaker", "counterpart"]

    def actor(self) -> str | None:
        """The talker that is asked."""
        return self.names[int(self.position.record.asked)] if self.position.to_act() else None

    def meant(self, decision: Mapping[str, Any]) -> int | None:
        """Id of a decision in a talk."""
        kind = decision["type"]
        if kind == "talk":
            return rec.SOCIAL.index(decision["method"]) if decision["method"] in rec.SOCIAL else None
        codes = {"recover": "talk:recover", "read": "talk:read", "leave": "talk:leave"}
        return self.game.actions.parse(codes.get(kind, str(kind)))

    def state(self) -> dict[str, Any]:
        """The fields of a talk."""
        s, p = self.position.record, self.game.params
        over = self.position.over
        talkers = {}
        for i, name in enumerate(self.names):
            talkers[name] = {
                "fails": int(s.fails[i]),
                "successes": int(s.successes[i]),
                "mood_relation": int(s.mood_relation[i]),
                "mood_wounds": int(s.mood_wounds[i]),
                "recover_left": int(s.recover_left[i]),
                "saga_points": int(s.t_saga[i]),
                "luck_left": int(s.t_luck[i]),
                "patience": max(1, 4 - int(s.t_value[1 - i, 2])),
            }
        result = st.RESULTS[int(s.result)] or None
        locked = []
        winner = None
        if over and int(s.talk_winner) >= 0:
            winner = self.names[int(s.talk_winner)]
        if result == "broken":
            loser = 1 - int(s.talk_winner)
            locked = [self.names[loser], *(self.companions if loser == 0 else [])]
        if over and result == "draw":
            winner = "draw"
        outcome = int(s.l_outcome[int(s.ck_who)])
        return {
            "over": over,
            "result": result,
            "step": int(s.step_no),
            "locked": locked,
            "to_act": self.actor(),
            "node": self.position.phase() or None,
            "talkers": talkers,
            "winner": winner,
            "last": {"outcome": st.OUTCOMES[outcome] if outcome >= 0 else None, "winner": winner},
            "relation": int(p.relation),
        }
