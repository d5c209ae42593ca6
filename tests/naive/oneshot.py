"""OneShot's fights once more, slowly and in plain Python: a coroutine that asks for dice and decisions.

Written from the rules alone. Decisions are tuples such as ("move", x, y) or ("attack", weapon slot, target).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

Request = tuple[Any, ...]
METHODS = ("aggressive", "cunning", "diplomatic")
MIND_OF = {"aggressive": "body", "cunning": "mind", "diplomatic": "charisma"}
CAPABLE = ("up", "unconscious")


@dataclass
class Figure:
    """A figure as it stands on the ground."""

    name: str
    team: int
    sheet: dict[str, Any]  # attributes, values, skills, perks, weapons (dicts), attack, defence, initiative, limit ...
    pos: tuple[int, int]
    size: int = 2
    wounds: int = 0
    status: str = "up"
    saga: int = 0
    luck: int = 0
    initiative_modifier: int = 0
    target_modifier: int = 0
    items: dict[str, int] = field(default_factory=dict)
    combat: int | None = None
    moved: bool = False
    acted: bool = False

    def has(self, perk: str) -> bool:
        """Whether the figure has a perk."""
        return perk in self.sheet["perks"]

    @property
    def malus(self) -> int:
        """Rule 62."""
        return int(not self.has("hardened") and self.wounds * 2 > self.sheet["limit"])

    def squares(self, pos: tuple[int, int] | None = None) -> set[tuple[int, int]]:
        """Squares under the footprint."""
        x, y = pos or self.pos
        return {(x + i, y + j) for i in range(self.size) for j in range(self.size)}


def far(a: set[tuple[int, int]], b: set[tuple[int, int]]) -> int:
    """Distance of two footprints: the shortest staircase between any two of their squares."""
    return min(abs(x - u) + abs(y - v) for x, y in a for u, v in b)


class Skirmish:
    """A fight; `run` is the coroutine, the fields are its state."""

    def __init__(
        self, figures: list[Figure], options: dict[str, Any], blocked: set[tuple[int, int]], cover: set[tuple[int, int]]
    ) -> None:
        self.figures, self.o, self.blocked, self.cover = figures, options, blocked, cover
        self.edges: dict[tuple[str, int, int], int] = {}
        self.fresh: set[tuple[str, int, int]] = set()
        self.count = 0
        self.surprise = 0
        self.winner: int | None = None
        self.pending: list[tuple[Any, ...]] = []
        self.deferred = False
        self.over = False
        self.start = [(f.status == "up", f.wounds) for f in figures]

    # --- numbers ---

    def distance(self, a: Figure, b: Figure) -> int:
        return 0 if a is b else far(a.squares(), b.squares())

    def index(self, f: Figure) -> int:
        return next(i for i, other in enumerate(self.figures) if other is f)

    def weight(self, method: str, target: Figure) -> int:
        n = sum(1 for (m, _, t), left in self.edges.items() if m == method and t == self.index(target) and left > 0)
        return n if self.o["edge_stacking"] else min(1, n)

    def barred(self, attacker: Figure, target: Figure) -> bool:
        return self.edges.get(("diplomatic", self.index(target), self.index(attacker)), 0) > 0

    def defence(self, f: Figure) -> int:
        return f.sheet["defence"] - self.weight("cunning", f)

    def range_steps(self, f: Figure, weapon: dict[str, Any], target: Figure) -> int | None:
        d = self.distance(f, target)
        if weapon["kind"] == "melee":
            return 0 if d <= 1 else None
        steps = max(0, -(-d // weapon["range"]) - 1)
        if steps >= 1 and weapon["damage_mod"] - steps <= 0:
            return None
        return steps

    def key(self, f: Figure) -> int:
        return f.sheet["initiative"] if self.o["tie_break"] == "initiative_low" else f.sheet["base_initiative"]

    def skill(self, f: Figure, name: str) -> int:
        rank = f.sheet["skills"].get(name, 0)
        if rank < 1:
            return f.sheet["mind"] - 1
        return max(rank, f.sheet["mind"] - 1) if self.o["untrained_rule"] == "best" else rank

    # --- checks ---

    def check(self, f: Figure, kind: str, modifier: int, need: int, confirmed: bool) -> Generator[Request, Any, tuple]:
        """(success, total); kind is test, attack or survival."""
        die = yield ("die", 6)
        second = (yield ("die", 6)) if confirmed and die in (1, 6) else None
        total = die + modifier
        plain = total >= need
        failed_by_fate = second is not None and die == 1 and second <= 2
        success = (plain or (second is not None and die == 6 and second >= 5)) and not failed_by_fate
        while not success:
            options = ["decline"]
            lone_six = die == 6 and confirmed and self.o["saga_confirm"] == "auto_success"
            if f.saga and ((failed_by_fate and plain) or lone_six):
                options.append("saga")
            tests_only = self.o["luck_scope"] == "tests"
            in_scope = not tests_only or kind == "test" or (kind == "survival" and self.o["survival_is_test"])
            if f.luck and in_scope:
                options.append("luck")
            if len(options) == 1:
                break
            answer = yield ("ask", self.index(f), "react_fail", {(o,) for o in options})
            if answer[0] == "saga":
                f.saga -= 1
                if failed_by_fate:
                    failed_by_fate, success = False, plain
                else:
                    success = True
            elif answer[0] == "luck":
                f.luck -= 1
                success = True
            else:
                break
        return success, total

    # --- turns ---

    def run(self) -> Generator[Request, Any, None]:
        """The whole fight."""
        if not any(f.status == "up" for f in self.figures):  # rule 41: a draw
            self.over = True
            return
        for f in self.figures:
            if f.status == "up":
                f.combat = yield from self.roll(f)
        done: tuple[int, int] | None = None
        self.joined: dict[int, int] = {}
        self.surprise = 1
        while not self.over:
            early = [f for f in self.figures if f.status == "up" and f.combat is not None and f.combat < 0]
            early = [f for f in early if done is None or (f.combat, self.key(f)) > done]
            if not early:
                break
            done = min((f.combat, self.key(f)) for f in early)  # type: ignore[type-var, assignment]
            yield from self.group([f for f in early if (f.combat, self.key(f)) == done])
        if self.over:
            return
        self.surprise = 0
        for f in self.figures:
            if f.combat is not None:
                f.combat = abs(f.combat)
        for count in range(0 if self.o["turn_at_zero"] else 1, self.o["max_count"] + 1):
            self.count = count
            last = None
            while True:
                due = [f for f in self.figures if f.status == "up" and f.combat and count % f.combat == 0]
                due = [f for f in due if self.joined.get(self.index(f), -1) < count]
                due = [f for f in due if last is None or self.key(f) > last]
                if not due:
                    break
                last = min(self.key(f) for f in due)
                yield from self.group([f for f in due if self.key(f) == last])
                if self.over:
                    return
        self.limit()

    def roll(self, f: Figure) -> Generator[Request, Any, int]:
        face = yield ("die", 6)
        value = face + f.sheet["initiative"] + f.initiative_modifier + f.malus
        return value or self.o["zero_initiative"]

    def limit(self) -> None:
        """A15b."""
        self.over = True
        rule = self.o["limit_result"]
        scores = []
        for team in (0, 1):
            members = [(f, s) for f, s in zip(self.figures, self.start, strict=True) if f.team == team]
            up = sum(f.status == "up" for f, _ in members)
            hurts = sum(f.wounds for f, _ in members)
            if rule == "losses":
                up -= sum(s[0] for _, s in members)
                hurts -= sum(s[1] for _, s in members)
            scores.append((up, -hurts))
        if rule == "draw" or scores[0] == scores[1]:
            self.winner = None
        else:
            self.winner = 0 if scores[0] > scores[1] else 1

    def group(self, members: list[Figure]) -> Generator[Request, Any, None]:
        """Rule 39."""
        self.deferred = len(members) > 1
        if self.deferred and self.o["simultaneous_order"] == "random":
            rest, members = list(members), []
            while len(rest) > 1:
                face = yield ("die", len(rest))
                members.append(rest.pop(face - 1))
            members += rest
        for f in members:
            yield from self.turn(f)
            if self.over:
                return
        if self.pending:
            yield from self.resolve()
            if self.over:
                return
        numbers = {self.index(f) for f in members}
        for edge in list(self.edges):
            clock = edge[1] if self.o["edge_clock"] == "performer" else edge[2]
            if clock in numbers and edge not in self.fresh:
                self.edges[edge] -= 1
                if self.edges[edge] == 0:
                    del self.edges[edge]
        self.fresh.clear()

    def turn(self, f: Figure) -> Generator[Request, Any, None]:
        """Rules 35 to 38."""
        f.moved = f.acted = False
        while f.status == "up" and not (f.moved and f.acted) and not self.over:
            action = yield ("ask", self.index(f), "turn", self.options(f))
            if action[0] == "end_turn":
                return
            if action[0] == "move":
                f.pos, f.moved = (action[1], action[2]), True
                continue
            f.acted = True
            yield from self.act(f, action)
            if self.pending and not self.deferred:
                yield from self.resolve()

    def options(self, f: Figure) -> set[tuple[Any, ...]]:
        """Everything that is legal in a turn."""
        out: set[tuple[Any, ...]] = {("end_turn",)}
        if not f.moved:
            out |= {("move", x, y) for x, y in self.reachable(f)}
        if f.acted:
            return out
        enemies, friends = self.sides(f)
        for t, enemy in enumerate(enemies):
            if enemy.status == "up":
                for w, weapon in enumerate(f.sheet["weapons"]):
                    if self.range_steps(f, weapon, enemy) is not None and not self.barred(f, enemy):
                        out.add(("attack", w, t))
                if self.o["edge_range"] is None or self.distance(f, enemy) <= self.o["edge_range"]:
                    out |= {("edge", m, t) for m in METHODS}
                if f.items.get("fire_flask") and self.distance(f, enemy) <= 6:
                    if not any(self.barred(f, v) for v in self.blast(enemy)):
                        out.add(("flask", t))
            elif enemy.status == "unconscious" and self.distance(f, enemy) <= 1:
                out.add(("execute", t))
        for k, friend in enumerate(friends):
            if friend.status != "dead" and self.distance(f, friend) <= 1:
                if f.items.get("heal_draught") and friend.wounds:
                    out.add(("heal", k))
                if f.items.get("smelling_salts") and friend.status == "unconscious":
                    out.add(("salts", k))
        return out

    def reachable(self, f: Figure) -> set[tuple[int, int]]:
        """Breadth first over positions of the whole footprint."""
        full = set(self.blocked)
        for other in self.figures:
            if other is not f and other.status in CAPABLE:
                full |= other.squares()
        seen, edge = {f.pos}, [f.pos]
        for _ in range(f.sheet["move_range"]):
            nxt = []
            for x, y in edge:
                for step in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    inside = all(
                        0 <= u < self.o["grid_width"] and 0 <= v < self.o["grid_height"] for u, v in f.squares(step)
                    )
                    if step not in seen and inside and not f.squares(step) & full:
                        seen.add(step)
                        nxt.append(step)
            edge = nxt
        return seen - {f.pos}

    def blast(self, target: Figure) -> list[Figure]:
        """Rule 115: everybody in the area."""
        return [f for f in self.figures if f.status in CAPABLE and (f is target or self.distance(f, target) <= 1)]

    def sides(self, f: Figure) -> tuple[list[Figure], list[Figure]]:
        """Enemies and own team, in seat order."""
        return [e for e in self.figures if e.team != f.team], [e for e in self.figures if e.team == f.team]

    def act(self, f: Figure, action: tuple[Any, ...]) -> Generator[Request, Any, None]:
        """One action."""
        enemies, friends = self.sides(f)
        kind = action[0]
        if kind == "attack":
            yield from self.attack(f, f.sheet["weapons"][action[1]], enemies[action[2]])
        elif kind == "edge":
            yield from self.edge(f, action[1], enemies[action[2]])
        elif kind == "execute":
            self.pending.append(("kill", enemies[action[1]]))
        elif kind == "heal":
            f.items["heal_draught"] -= 1
            self.pending.append(("heal", friends[action[1]]))
        elif kind == "salts":
            f.items["smelling_salts"] -= 1
            self.pending.append(("wake", friends[action[1]]))
        else:
            f.items["fire_flask"] -= 1
            for victim in self.blast(enemies[action[1]]):
                face = yield ("die", 6)
                if face + 1 - f.malus + self.surprise >= self.defence(victim):
                    yield from self.wound(victim)

    def attack(self, f: Figure, weapon: dict[str, Any], target: Figure) -> Generator[Request, Any, None]:
        """Rules 42 to 44."""
        steps = self.range_steps(f, weapon, target)
        assert steps is not None
        me, you = self.index(f), self.index(target)
        if self.o["diplomatic_breaks_on_attack"] and self.edges.get(("diplomatic", me, you)):
            self.pending.append(("break", f, target))
        bonus = f.sheet["skills"].get(weapon["group"], 0) + target.target_modifier - f.sheet["armour_malus"]
        bonus += self.surprise - f.malus - steps - self.weight("aggressive", f)
        if weapon["kind"] == "ranged" and target.squares() & self.cover:
            bonus += self.o["cover_modifier"]
        hit, _ = yield from self.check(f, "attack", bonus, f.sheet["attack"], self.o["attack_automatics"])
        if not hit:
            return
        power = f.sheet["strength"] if weapon["kind"] == "melee" and not f.has("finesse") else f.sheet["agility"]
        damage = weapon["damage_mod"] + power - f.malus - steps + self.surprise
        if f.has("weak_spot"):
            answer = yield ("ask", me, "react_weak_spot", {("weak_spot",), ("decline",)})
            if answer[0] == "weak_spot":
                good, _ = yield from self.check(f, "test", self.skill(f, "lore_race") - f.malus, 4, True)
                damage += 1 if good else -1
        face = yield ("die", 6)
        if face + damage >= self.defence(target):
            yield from self.wound(target)

    def wound(self, target: Figure) -> Generator[Request, Any, None]:
        """Rule 127."""
        if target.saga:
            answer = yield ("ask", self.index(target), "react_wound", {("saga",), ("decline",)})
            if answer[0] == "saga":
                target.saga -= 1
                return
        self.pending.append(("wound", target))

    def edge(self, f: Figure, method: str, target: Figure) -> Generator[Request, Any, None]:
        """Rule 84."""
        value = target.sheet[MIND_OF[method]] + self.o["social_offset"]
        bonus = f.sheet[method] - f.malus
        if self.o["edge_uses_mood"]:
            mood = -2
            if method == "aggressive" and target.wounds:
                limit = target.sheet["limit"]
                mood = 2 if target.wounds >= limit else (1 if 2 * target.wounds > limit else -1)
            bonus += mood
        need = value + (self.o["social_tie"] == "failure")
        good, total = yield from self.check(f, "test", bonus, need, True)
        if good:
            self.pending.append(("edge", method, f, target, max(1, total - value)))

    # --- effects ---

    def resolve(self) -> Generator[Request, Any, None]:
        """Rule 40."""
        effects, self.pending = self.pending, []
        wakers: list[Figure] = []
        for f in self.figures:
            drops = sum(e[0] == "heal" and e[1] is f for e in effects)
            if drops and f.status in CAPABLE:
                f.wounds = max(0, f.wounds - 2 * drops)
                if f.status == "unconscious" and f.wounds <= f.sheet["limit"]:
                    f.status = "up"
                    wakers.append(f)
        yield from self.wake(wakers)
        wakers = []
        for f in self.figures:
            if any(e[0] == "wake" and e[1] is f for e in effects) and f.status == "unconscious":
                f.wounds = min(f.wounds, f.sheet["limit"])
                f.status = "up"
                wakers.append(f)
        yield from self.wake(wakers)
        for e in effects:
            if e[0] == "kill":
                e[1].status = "dead"
                self.release(e[1])
        for e in effects:
            if e[0] == "break":
                self.edges.pop(("diplomatic", self.index(e[1]), self.index(e[2])), None)
        for e in effects:
            if e[0] == "edge" and e[2].status == "up" and e[3].status == "up":
                edge = (e[1], self.index(e[2]), self.index(e[3]))
                self.edges[edge] = max(self.edges.get(edge, 0), e[4])
                self.fresh.add(edge)
        hurt = []
        for f in self.figures:
            n = sum(e[0] == "wound" and e[1] is f for e in effects)
            if n and f.status in CAPABLE:
                f.wounds += n
                if f.wounds > f.sheet["limit"]:
                    hurt.append(f)
        for f in hurt:
            bonus = f.sheet["stamina"] - f.malus
            if self.o["survival_is_test"]:
                bonus -= f.sheet["armour_malus"]
            alive, _ = yield from self.check(f, "survival", bonus, 4, self.o["survival_is_test"])
            f.status = "unconscious" if alive else "dead"
            self.release(f)
        standing = {f.team for f in self.figures if f.status == "up"}
        if len(standing) < 2:
            self.over = True
            self.winner = standing.pop() if standing else None

    def wake(self, wakers: list[Figure]) -> Generator[Request, Any, None]:
        """Rule 64."""
        for f in wakers:
            if f.combat is None:
                f.combat = abs((yield from self.roll(f)))
                if not self.surprise:
                    self.joined[self.index(f)] = self.count

    def release(self, f: Figure) -> None:
        """Rule 87."""
        i = self.index(f)
        self.edges = {e: n for e, n in self.edges.items() if i not in e[1:]}
        self.fresh = {e for e in self.fresh if i not in e[1:]}


def sheet_of(char: dict[str, Any], kit: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Derived values by the formulas of the rules."""
    perks = char["perks"]
    armour = kit["armours"][char["armour"]]
    patient = "patient" in perks
    malus = max(0, armour["malus"] - ("armour_training" in perks))
    better = 1 if options["patient_attack"] == "improves" else -1
    return {
        **char,
        "attack": 6 - char["base_attack"] - better * patient,
        "defence": 3 + char["base_defence"] + armour["bonus"] + patient,
        "initiative": (10 if patient else 6) - char["base_initiative"],
        "limit": 2 + char["body"] - ("hardened" in perks) + ("will_to_live" in perks),
        "armour_malus": malus,
        "move_range": max(1, 6 - malus),
        "weapons": [kit["weapons"][name] for name in char["weapons"]],
    }
