"""konfrontation in plain Python, written from the specification alone: slow, obvious, the yardstick of the kernel."""

from __future__ import annotations

import copy
from typing import Any

NATURES = ("combative", "social", "shady", "intellectual")
PHASES = (
    "ACTION", "DECL_FACTION", "DECL_TARGET", "DECL_TYPE", "DECL_COMMIT", "EVADE", "DEFEND", "BID", "VOTE", "VICTIM",
    "FATE", "SPOILS", "SPOILS_UNIT", "RESPONSE", "OVER",
)  # fmt: skip
DEFAULTS: dict[str, Any] = {
    "mode": "clash", "stage": "bid", "max_ties": 10, "draw_votes": True, "run_home_cost": 1,
    "run_home_targets": "units", "undefended_target": "target", "nature_multiplier": 2, "support_doubling": "whole",
    "support_bonus_counts": "extra", "support_nonmatching": "handover", "destroyed_resource_pays": False,
    "min_loot": 1, "power_spoils": 2, "demand_scope": "involved", "spoils_chooser": "winner", "power_cap": 20,
    "hidden_power": False, "other_points": 2, "other_cost": 0, "w_power": 1, "w_cp": 2, "w_unit": 3, "w_other": 1,
    "n_factions": 2, "turns": 8, "actions_per_turn": 1, "first_seat": "random", "rotate_first": True,
    "start_power": 3, "start_characters": list(NATURES), "random_natures": False, "start_resources": [1],
    "gather_amount": 2, "recruit_cost": 0, "resource_max_turns": 3, "project_interrupt": "pause",
    "victory": "control_points", "cp_goal": None, "utility": "win_loss",
    "allowed_actions": ["gather", "recruit", "resource", "support", "attack"], "allowed_targets": None,
    "allowed_types": list(NATURES),
}  # fmt: skip

PASS, GATHER, CONTINUE, RECRUIT, RESOURCE, SUPPORT, ATTACK, FACTION = 0, 1, 2, 3, 7, 10, 22, 23
CHARACTER_UNIT, SUPPORT_UNIT, RESOURCE_UNIT, TARGET_POWER, TARGET_OTHER, TYPE, DONE = 27, 35, 39, 47, 48, 49, 53
RUN_HOME, STAND, BID, VOTE_DRAW, VOTE_FIGHT, REMOVE, HANDOVER = 54, 55, 56, 77, 78, 79, 80
SPOILS_REMOVE, SPOILS_POWER, SPOILS_DEMAND = 81, 82, 83

Unit = tuple[str, int]  # ("character", slot) or ("support", slot)


class Faction:
    """What a faction holds; slots are None when free."""

    def __init__(self, power: int) -> None:
        self.power, self.special, self.bonus = power, 0, 0
        self.character: list[str | None] = [None] * 8
        self.support: list[tuple[str, int] | None] = [None] * 4  # nature, value
        self.resource: list[int | None] = [None] * 8
        self.project: dict[str, Any] | None = None

    def cp(self) -> int:
        return sum(r for r in self.resource if r) + self.bonus

    def points(self) -> int:
        return sum(1 for c in self.character if c) + sum(s[1] for s in self.support if s)

    def units(self) -> list[Unit]:
        found: list[Unit] = [("character", i) for i, c in enumerate(self.character) if c]
        return found + [("support", i) for i, s in enumerate(self.support) if s]

    def holdings(self) -> dict[str, Any]:
        return copy.deepcopy(vars(self))


class NaiveKonfrontation:
    """One game; `setup` has `options`, `factions` (list, in seat order), `attacker` (seat) and `attack`.

    A faction is {power, characters: [nature], supports: [(nature, extra)], resources: [size]}. `attack` is {faction:
    seat, target: (kind, slot), type, commit: [unit], defence: [unit]} in slots.
    """

    def __init__(self, setup: dict[str, Any]) -> None:
        self.o = {**DEFAULTS, **setup.get("options", {})}
        o = self.o
        self.clash = o["mode"] == "clash"
        if o["allowed_targets"] is None:
            o["allowed_targets"] = ["unit", "resource", "power", *(["other"] if self.clash else [])]
        self.n = o["n_factions"]
        self.factions: list[Faction] = []
        given = setup.get("factions")
        self.natures_due: list[tuple[int, int]] = []
        for seat in range(self.n):
            start = given[seat] if given else {}
            faction = Faction(start.get("power", o["start_power"]))
            characters = start.get("characters", []) if given else o["start_characters"]
            for i, nature in enumerate(characters):
                faction.character[i] = nature
                if o["random_natures"] and not self.clash:
                    self.natures_due.append((seat, i))
            for i, (nature, extra) in enumerate(start.get("supports", [])):
                faction.support[i] = (nature, self.value(extra))
            for i, size in enumerate(start.get("resources", []) if given else o["start_resources"]):
                faction.resource[i] = size
            self.factions.append(faction)
        self.turn, self.place, self.first = 0, 0, 0
        self.actions_left, self.attacked, self.worked = 0, False, False
        self.attacker = setup.get("attacker", 0)
        self.conf: dict[str, Any] | None = None
        self.last: dict[str, Any] | None = None  # the confrontation before
        self.history: list[tuple[Any, ...]] = []
        self.start_worth = [self.worth(f) for f in self.factions]
        self.due: list[str] = []
        if self.clash:
            self.begin_confrontation(self.attacker)
            if o["stage"] != "full":
                self.given_attack(setup["attack"])
            return
        if o["first_seat"] == "random":
            self.due.append("first")
        else:
            self.first = o["first_seat"]
        self.due += ["nature"] * len(self.natures_due)
        self.phase = "ACTION"
        if not self.due:
            self.begin_turn()

    def value(self, extra: int) -> int:
        """R24, A12."""
        return 1 + extra + (2 if self.o["support_bonus_counts"] == "all_turns" else 0)

    # --- chance -------------------------------------------------------------------------------------------------------

    def die(self) -> int:
        if not self.due:
            return 0
        return self.n if self.due[0] == "first" else 4

    def fall(self, outcome: int) -> None:
        what = self.due.pop(0)
        if what == "first":
            self.first = outcome
        else:
            seat, slot = self.natures_due.pop(0)
            self.factions[seat].character[slot] = NATURES[outcome]
        if not self.due:
            self.begin_turn()

    # --- campaign frame -----------------------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        self.turn += 1
        self.place = 0
        self.begin_seat()

    def begin_seat(self) -> None:
        self.phase = "ACTION"
        self.actions_left, self.attacked, self.worked = self.o["actions_per_turn"], False, False

    def start_of_turn(self) -> int:
        return (self.first + (self.turn - 1 if self.o["rotate_first"] else 0)) % self.n

    def actor(self) -> int:
        return (self.start_of_turn() + self.place) % self.n

    def end_action(self) -> None:
        goal = self.o["cp_goal"]
        if goal is not None and any(f.cp() >= goal for f in self.factions):
            self.phase = "OVER"
            return
        self.actions_left -= 1
        self.phase = "ACTION"
        if self.actions_left:
            return
        owner = self.factions[self.actor()]
        if self.o["project_interrupt"] == "lost" and owner.project and not self.worked:
            owner.project = None
        self.place += 1
        if self.place < self.n:
            self.begin_seat()
        elif self.turn == self.o["turns"]:
            self.place = self.n - 1
            self.phase = "OVER"
        else:
            self.begin_turn()

    def gain(self, faction: Faction, amount: int) -> None:
        faction.power = min(self.o["power_cap"], faction.power + amount)

    def work(self, faction: Faction) -> None:
        project = faction.project
        assert project
        self.worked = True
        project["left"] -= 1
        if project["left"]:
            return
        faction.project = None
        slots: list[Any] = faction.resource if project["kind"] == "resource" else faction.support
        item = project["size"] if project["kind"] == "resource" else (project["nature"], self.value(project["size"]))
        if None in slots:
            slots[slots.index(None)] = item

    def action(self, action: int) -> None:
        me = self.factions[self.actor()]
        if action == ATTACK:
            self.attacked = True
            self.begin_confrontation(self.actor())
            return
        if action == GATHER:
            self.gain(me, self.o["gather_amount"])
        elif action == CONTINUE:
            self.work(me)
        elif RECRUIT <= action < RESOURCE:
            me.power -= self.o["recruit_cost"]
            me.character[me.character.index(None)] = NATURES[action - RECRUIT]
        elif RESOURCE <= action < SUPPORT:
            size = action - RESOURCE + 1
            me.project = {"kind": "resource", "nature": None, "size": size, "left": size}
            self.work(me)
        elif SUPPORT <= action < ATTACK:
            nature, extra = divmod(action - SUPPORT, 3)
            me.project = {"kind": "support", "nature": NATURES[nature], "size": extra + 1, "left": 3 + extra}
            self.work(me)
        self.end_action()

    # --- confrontation ------------------------------------------------------------------------------------------------

    def begin_confrontation(self, attacker: int) -> None:
        self.conf = {
            "attacker": attacker, "defender": None, "target": None, "type": None, "commit": [[], []], "ties": 0,
            "bids": None, "votes": None, "sealed": [None, None], "result": None, "question": None, "taker": None,
        }  # fmt: skip
        self.phase = "DECL_FACTION"

    def given_attack(self, attack: dict[str, Any]) -> None:
        c = self.conf
        assert c
        c.update(defender=attack["faction"], target=attack["target"], type=attack["type"])
        c["commit"][0] = list(attack["commit"])
        if self.o["stage"] == "bid":
            c["commit"][1] = list(attack["defence"])
            self.phase = "BID"
        else:
            self.declared()

    def side(self, which: int) -> Faction:
        assert self.conf
        return self.factions[self.conf["attacker" if which == 0 else "defender"]]

    def nature_of(self, faction: Faction, unit: Unit) -> str:
        kind, slot = unit
        if kind == "character":
            nature = faction.character[slot]
            assert nature
            return nature
        support = faction.support[slot]
        assert support
        return support[0]

    def unit_strength(self, faction: Faction, unit: Unit, type_: str) -> int:
        """R3, R5, R24, R25, A10."""
        multiplier = self.o["nature_multiplier"] if self.nature_of(faction, unit) == type_ else 1
        if unit[0] == "character":
            return multiplier
        support = faction.support[unit[1]]
        assert support
        if self.o["support_doubling"] == "base":
            return support[1] - 1 + multiplier
        return support[1] * multiplier

    def strength(self, which: int) -> int:
        assert self.conf
        if self.conf["type"] is None:
            return 0
        side = self.side(which)
        return sum(self.unit_strength(side, u, self.conf["type"]) for u in self.conf["commit"][which])

    def declared(self) -> None:
        """EVADE or DEFEND follows the declaration."""
        c = self.conf
        assert c
        kind = c["target"][0]
        may_run = kind == "character" or (kind == "support" and self.o["run_home_targets"] == "units")
        self.phase = "EVADE" if may_run and self.side(1).power >= self.o["run_home_cost"] else "DEFEND"

    def fixed_by_nature(self, faction: Faction, unit: Unit) -> bool:
        """A9: whether a support is protected in the present type."""
        assert self.conf
        return (
            self.o["support_nonmatching"] == "protected"
            and unit[0] == "support"
            and self.nature_of(faction, unit) != self.conf["type"]
        )

    def removable(self, faction: Faction, unit: Unit) -> bool:
        """R27."""
        assert self.conf
        return unit[0] == "character" or self.nature_of(faction, unit) == self.conf["type"]

    def end_confrontation(self, result: str) -> None:
        assert self.conf
        self.conf["result"] = result
        self.last, self.conf = self.conf, None
        if self.clash:
            self.phase = "OVER"
        else:
            self.end_action()

    def reveal_bids(self) -> None:
        c = self.conf
        assert c
        c["bids"], c["sealed"] = tuple(c["sealed"]), [None, None]
        c["votes"] = None
        bids = c["bids"]
        strengths = (self.strength(0), self.strength(1))
        c["strengths"] = strengths
        totals = (strengths[0] + bids[0], strengths[1] + bids[1])
        c["totals"] = totals
        if totals[0] == totals[1]:
            c["ties"] += 1
            empty = self.side(0).power == 0 and self.side(1).power == 0
            drawn = c["ties"] == self.o["max_ties"] or empty
            self.note("draw" if drawn else "tie")
            if drawn:
                self.end_confrontation("draw")
            else:
                self.phase = "VOTE" if self.o["draw_votes"] else "BID"
            return
        winner = 0 if totals[0] > totals[1] else 1
        c["winner"] = winner
        self.note("attacker" if winner == 0 else "defender")
        for which in (0, 1):  # R12
            self.side(which).power -= bids[which]
        self.gain(self.side(winner), max(self.o["min_loot"], bids[1 - winner]))  # R13
        if winner == 1:
            self.phase = "SPOILS"
            return
        kind = c["target"][0]
        if kind == "power":
            self.take_power(0)
            self.end_confrontation("attacker")
        elif kind == "other":
            self.side(0).special += self.o["other_points"]
            self.side(1).special -= self.o["other_cost"]
            self.end_confrontation("attacker")
        elif kind == "resource":
            c["question"] = c["target"]
            self.phase = "FATE"
        elif c["target"] in c["commit"][1]:
            c["question"] = c["target"]
            self.phase = "FATE"
        elif c["commit"][1]:
            self.phase = "VICTIM"
        elif self.o["undefended_target"] == "target":
            c["question"] = c["target"]
            self.phase = "FATE"
        else:
            self.end_confrontation("attacker")

    def note(self, result: str) -> None:
        c = self.conf
        assert c
        self.history.append((c["attacker"], c["defender"], *c["strengths"], *c["bids"], result))

    def take_power(self, winner: int) -> None:
        """R18, R20b."""
        loser = self.side(1 - winner)
        loser.power -= min(self.o["power_spoils"], loser.power)
        self.gain(self.side(winner), self.o["power_spoils"])

    def settle(self, loser: int, handed: bool) -> None:
        """The item in question leaves the loser's side: removed (destroyed), or handed over if there is room (R33)."""
        c = self.conf
        assert c
        kind, slot = c["question"]
        mine: list[Any] = getattr(self.side(loser), kind)
        theirs: list[Any] = getattr(self.side(1 - loser), kind)
        item, mine[slot] = mine[slot], None
        if handed and None in theirs:
            theirs[theirs.index(None)] = item
        elif kind == "resource" and self.o["destroyed_resource_pays"]:
            self.side(1 - loser).bonus += item

    # --- legality -----------------------------------------------------------------------------------------------------

    def targets(self, seat: int) -> list[tuple[str, int]]:
        """DECL_TARGET: legal targets among what a faction has."""
        allowed, faction = self.o["allowed_targets"], self.factions[seat]
        found: list[tuple[str, int]] = []
        if "unit" in allowed:
            for unit in faction.units():
                if unit[0] == "support" and self.o["support_nonmatching"] == "protected":
                    if self.nature_of(faction, unit) not in self.o["allowed_types"]:
                        continue
                found.append(unit)
        if "resource" in allowed:
            found += [("resource", i) for i, r in enumerate(faction.resource) if r]
        found += [(kind, 0) for kind in ("power", "other") if kind in allowed]
        return found

    def to_act(self) -> list[int]:
        if self.phase == "OVER" or self.due:
            return []
        c = self.conf
        if self.phase == "ACTION":
            return [self.actor()]
        assert c
        if self.phase in ("BID", "VOTE"):
            seats = [c["attacker"], c["defender"]]
            return sorted(seat for which, seat in enumerate(seats) if c["sealed"][which] is None)
        if self.phase.startswith("DECL") or self.phase == "RESPONSE":
            return [c["attacker"]]
        if self.phase == "SPOILS_UNIT" and c["taker"] == "remove" and self.o["spoils_chooser"] == "loser":
            return [c["attacker"]]
        return [c["defender"]]

    def legal(self, seat: int) -> list[int]:
        if seat not in self.to_act():
            return []
        return sorted(getattr(self, f"legal_{self.phase.lower()}")(seat))

    def legal_action(self, seat: int) -> list[int]:
        o, me = self.o, self.factions[seat]
        if o["project_interrupt"] == "locked" and me.project and not self.worked:
            return [CONTINUE]
        found, allowed = [PASS], o["allowed_actions"]
        if "gather" in allowed:
            found.append(GATHER)
        if me.project and not self.worked:
            found.append(CONTINUE)
        if "recruit" in allowed and None in me.character and me.power >= o["recruit_cost"]:
            found += range(RECRUIT, RECRUIT + 4)
        if me.project is None and not self.worked:
            if "resource" in allowed and None in me.resource:
                found += range(RESOURCE, RESOURCE + o["resource_max_turns"])
            if "support" in allowed and None in me.support:
                found += range(SUPPORT, SUPPORT + 12)
        if "attack" in allowed and not self.attacked and any(me.character):
            if any(self.targets(other) for other in range(self.n) if other != seat):
                found.append(ATTACK)
        return found

    def legal_decl_faction(self, seat: int) -> list[int]:
        return [FACTION + d - 1 for d in range(1, self.n) if self.targets((seat + d) % self.n)]

    @staticmethod
    def item_id(item: tuple[str, int]) -> int:
        starts = {"character": 27, "support": 35, "resource": 39, "power": 47, "other": 48}
        return starts[item[0]] + item[1]

    @staticmethod
    def item_of(action: int) -> tuple[str, int]:
        for kind, start in (("other", 48), ("power", 47), ("resource", 39), ("support", 35), ("character", 27)):
            if action >= start:
                return kind, action - start
        raise AssertionError(action)

    def legal_decl_target(self, seat: int) -> list[int]:
        assert self.conf
        return [self.item_id(t) for t in self.targets(self.conf["defender"])]

    def legal_decl_type(self, seat: int) -> list[int]:
        assert self.conf
        target = self.conf["target"]
        if target[0] == "support" and self.o["support_nonmatching"] == "protected":
            return [TYPE + NATURES.index(self.nature_of(self.side(1), target))]
        return [TYPE + i for i, nature in enumerate(NATURES) if nature in self.o["allowed_types"]]

    def legal_commit(self, which: int) -> list[int]:
        assert self.conf
        chosen = self.conf["commit"][which]
        led = any(u[0] == "character" for u in chosen)
        last = max((self.item_id(u) for u in chosen), default=0)
        units = [u for u in self.side(which).units() if self.item_id(u) > last and (u[0] == "character" or led)]
        return [self.item_id(u) for u in units] + ([DONE] if led or which == 1 else [])

    def legal_decl_commit(self, seat: int) -> list[int]:
        return self.legal_commit(0)

    def legal_defend(self, seat: int) -> list[int]:
        return self.legal_commit(1)

    def legal_evade(self, seat: int) -> list[int]:
        return [RUN_HOME, STAND]

    def legal_bid(self, seat: int) -> list[int]:
        return [BID + b for b in range(self.factions[seat].power + 1)]

    def legal_vote(self, seat: int) -> list[int]:
        return [VOTE_DRAW, VOTE_FIGHT]

    def legal_victim(self, seat: int) -> list[int]:
        assert self.conf
        return [self.item_id(u) for u in self.conf["commit"][1] if not self.fixed_by_nature(self.side(1), u)]

    def legal_fate(self, seat: int) -> list[int]:
        assert self.conf
        item = self.conf["question"]
        loser = self.side(0 if self.phase == "RESPONSE" else 1)
        ok = item[0] == "resource" or self.removable(loser, item)
        return [REMOVE, HANDOVER] if ok else [HANDOVER]

    legal_response = legal_fate

    def legal_spoils(self, seat: int) -> list[int]:
        found = [SPOILS_POWER]
        if self.spoils_units("remove"):
            found.append(SPOILS_REMOVE)
        if self.spoils_units("demand"):
            found.append(SPOILS_DEMAND)
        return found

    def spoils_units(self, what: str) -> list[Unit]:
        assert self.conf
        side, units = self.side(0), self.conf["commit"][0]
        if what == "remove":
            return [u for u in units if self.removable(side, u)]
        pool = side.units() if self.o["demand_scope"] == "any" else units
        return [u for u in pool if not self.fixed_by_nature(side, u)]

    def legal_spoils_unit(self, seat: int) -> list[int]:
        assert self.conf
        return [self.item_id(u) for u in self.spoils_units(self.conf["taker"])]

    # --- play ---------------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: int) -> None:
        if action not in self.legal(seat):
            raise ValueError(f"{self.phase}: action {action} of seat {seat} is not legal: {self.legal(seat)}")
        c = self.conf
        if self.phase == "ACTION":
            self.action(action)
            return
        assert c
        if self.phase == "DECL_FACTION":
            c["defender"] = (seat + action - FACTION + 1) % self.n
            self.phase = "DECL_TARGET"
        elif self.phase == "DECL_TARGET":
            c["target"] = self.item_of(action)
            self.phase = "DECL_TYPE"
        elif self.phase == "DECL_TYPE":
            c["type"] = NATURES[action - TYPE]
            self.phase = "DECL_COMMIT"
        elif self.phase == "DECL_COMMIT":
            if action == DONE:
                self.declared()
            else:
                c["commit"][0].append(self.item_of(action))
        elif self.phase == "EVADE":
            if action == RUN_HOME:
                self.side(1).power -= self.o["run_home_cost"]
                self.end_confrontation("evaded")
            else:
                self.phase = "DEFEND"
        elif self.phase == "DEFEND":
            if action == DONE:
                self.phase = "BID"
            else:
                c["commit"][1].append(self.item_of(action))
        elif self.phase in ("BID", "VOTE"):
            c["sealed"][0 if seat == c["attacker"] else 1] = action - BID if self.phase == "BID" else action
            if None in c["sealed"]:
                return
            if self.phase == "BID":
                self.reveal_bids()
                return
            c["votes"], c["sealed"] = tuple(c["sealed"]), [None, None]
            if c["votes"] == (VOTE_DRAW, VOTE_DRAW):
                self.history[-1] = (*self.history[-1][:-1], "draw")
                self.end_confrontation("draw")
            else:
                self.phase = "BID"
        elif self.phase == "VICTIM":
            c["question"] = self.item_of(action)
            self.phase = "FATE"
        elif self.phase == "FATE":
            self.settle(1, action == HANDOVER)
            self.end_confrontation("attacker")
        elif self.phase == "SPOILS":
            c["taker"] = {SPOILS_REMOVE: "remove", SPOILS_POWER: "power", SPOILS_DEMAND: "demand"}[action]
            if action == SPOILS_POWER:
                self.take_power(1)
                self.end_confrontation("defender")
            else:
                self.phase = "SPOILS_UNIT"
        elif self.phase == "SPOILS_UNIT":
            c["question"] = self.item_of(action)
            if c["taker"] == "remove":
                self.settle(0, False)
                self.end_confrontation("defender")
            else:
                self.phase = "RESPONSE"
        elif self.phase == "RESPONSE":
            self.settle(0, action == HANDOVER)
            self.end_confrontation("defender")

    # --- payoffs ------------------------------------------------------------------------------------------------------

    def worth(self, f: Faction) -> float:
        o = self.o
        return o["w_power"] * f.power + o["w_cp"] * f.cp() + o["w_unit"] * f.points() + o["w_other"] * f.special

    def ranking(self, f: Faction) -> tuple[float, ...]:
        return {
            "control_points": (f.cp(), f.power, f.points()),
            "power": (f.power, f.cp(), f.points()),
            "net_worth": (self.worth(f), f.cp(), f.power),
        }[self.o["victory"]]

    def returns(self) -> list[float]:
        if self.phase != "OVER":
            return [0.0] * self.n
        n = self.n
        if self.clash:
            change = [self.worth(f) - start for f, start in zip(self.factions, self.start_worth)]
            return [change[seat] - change[1 - seat] for seat in range(2)]
        ranks = [self.ranking(f) for f in self.factions]
        if self.o["utility"] == "margin":
            firsts = [r[0] for r in ranks]
            return [x - (sum(firsts) - x) / (n - 1) for x in firsts]
        best = [r == max(ranks) for r in ranks]
        m = sum(best)
        if m == n:
            return [0.0] * n
        return [(n / m - 1) / (n - 1) if b else -1 / (n - 1) for b in best]

    # --- observation --------------------------------------------------------------------------------------------------

    def observe(self, me: int) -> list[float]:
        """The 931 numbers of section 4."""
        o, n, c = self.o, self.n, self.conf
        actor = None if self.clash or self.due or self.phase == "OVER" else self.actor()
        place = 0.0
        if not self.clash and self.turn:
            place = (me - self.start_of_turn()) % n / 5
        out = [
            self.turn / 30, 0.0 if self.clash else o["turns"] / 30, self.actions_left / 3 if actor is not None else 0.0,
            float(self.attacked and actor is not None), float(self.worked and actor is not None), float(self.clash),
            float(not self.clash), n / 5, place, (o["cp_goal"] or 0) / 50,
        ]  # fmt: skip
        out += [float(self.phase == p and not self.due) for p in PHASES]
        roles = [0.0] * 4
        roles[0] = float(actor == me)
        if c:
            roles[1], roles[2] = float(c["attacker"] == me), float(c["defender"] == me)
        roles[3] = float(not any(roles))
        out += roles
        for d in range(5):
            out += self.observe_faction((me + d) % n, d) if d < n else [0.0] * 117
        out += self.observe_clash(me)
        for entry in [*reversed(self.history), *[None] * 16][:16]:
            if entry is None:
                out += [0.0] * 18
                continue
            attacker, defender, sa, sd, ba, bd, result = entry
            out += [float((attacker - me) % n == d) for d in range(5)]
            out += [float((defender - me) % n == d) for d in range(5)]
            out += [sa / 40, sd / 40, ba / 20, bd / 20]
            out += [float(result == r) for r in ("attacker", "defender", "tie", "draw")]
        return [max(-1.0, min(1.0, x)) for x in out]

    def observe_faction(self, seat: int, distance: int) -> list[float]:
        f, c = self.factions[seat], self.conf
        hidden = self.o["hidden_power"] and distance > 0
        out = [1.0, -1.0 if hidden else f.power / 20, f.cp() / 48, f.special / 20, f.points() / 32]
        committed: list[Unit] = []
        marked: list[tuple[str, int]] = []
        if c:
            for which, role in enumerate(("attacker", "defender")):
                if c[role] == seat:
                    committed = c["commit"][which]
            if c["defender"] == seat and c["target"]:
                marked.append(c["target"])
            if c["question"] and seat == c["attacker" if self.phase == "RESPONSE" else "defender"]:
                marked.append(c["question"])
        kinds: list[tuple[str, list[Any]]] = [("character", f.character), ("support", f.support)]
        for kind, slots in kinds:
            for i, unit in enumerate(slots):
                nature = None if unit is None else (unit if kind == "character" else unit[0])
                out += [float(unit is not None), *[float(nature == x) for x in NATURES]]
                if kind == "support":
                    out.append(unit[1] / 6 if unit else 0.0)
                out += [float((kind, i) in committed), float((kind, i) in marked)]
        for i, size in enumerate(f.resource):
            out += [(size or 0) / 3, float(("resource", i) in marked)]
        p = f.project
        if not p:
            return out + [0.0] * 8
        out += [float(p["kind"] == "resource"), float(p["kind"] == "support")]
        return [*out, *[float(p["nature"] == x) for x in NATURES], p["size"] / 3, p["left"] / 5]

    def observe_clash(self, me: int) -> list[float]:
        c, n = self.conf, self.n
        if not c:
            return [0.0] * 29
        out = [1.0]
        for role in ("attacker", "defender"):
            out += [float(c[role] is not None and (c[role] - me) % n == d) for d in range(5)]
        kinds = {"character": 0, "support": 0, "resource": 1, "power": 2, "other": 3}
        out += [float(c["target"] is not None and kinds[c["target"][0]] == k) for k in range(4)]
        out += [float(c["type"] == x) for x in NATURES]
        mine = 1 if c["defender"] == me else 0  # bystanders see it as the attacker does
        strengths = (self.strength(0), self.strength(1) if c["defender"] is not None else 0)
        out += [strengths[mine] / 40, strengths[1 - mine] / 40, (strengths[mine] - strengths[1 - mine]) / 40]
        out.append(c["ties"] / self.o["max_ties"])
        bids = c["bids"] or (0, 0)
        out += [bids[mine] / 20, bids[1 - mine] / 20]
        for which in (mine, 1 - mine):
            vote = c["votes"][which] if c["votes"] else None
            out.append({None: 0.0, VOTE_DRAW: 1.0, VOTE_FIGHT: -1.0}[vote])
        winner = c.get("winner")
        return [*out, float(winner == mine), float(winner == 1 - mine)]
