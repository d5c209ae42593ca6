"""OneShot's missions once more, slowly and in plain Python: a coroutine around the fights of `oneshot.py`.

Written from the rules alone (4.7). Decisions are tuples such as ("go", 1), ("fight",), ("assign", hero).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from tests.naive.oneshot import CAPABLE, METHODS, MIND_OF, Figure, Request, Skirmish, far, sheet_of
from tests.naive.oneshot_mission import COMPASS, half_of, roll_group, roll_map, roll_mission

TRIPLES = [(b, m, 5 - b - m) for b in range(4) for m in range(4) if 0 <= 5 - b - m <= 3]
ATTRIBUTES, PHYSICAL = ("body", "mind", "charisma"), ("strength", "stamina", "agility")
COMBAT = ("base_attack", "base_defence", "base_initiative")


class Ended(Exception):
    """The mission is over."""


class NoDie(Exception):
    """The dice that have fallen so far are not enough."""


class Fallen:
    """Dice that have fallen, one after the other."""

    def __init__(self, faces: list[int]) -> None:
        self.faces, self.at = faces, 0

    def __iter__(self) -> Fallen:
        return self

    def __next__(self) -> int:
        if self.at == len(self.faces):
            raise NoDie
        self.at += 1
        return self.faces[self.at - 1]


def spread(points: int, order: list[str], names: tuple[str, ...], cap: int) -> dict[str, int]:
    """Points one at a time along a repeating sequence, then along the names (4.2)."""
    out = dict.fromkeys(names, 0)
    points = max(0, points)
    while points and any(out[name] < cap for name in order):
        for name in order:
            if points and out[name] < cap:
                out[name] += 1
                points -= 1
    for name in names:
        while points and out[name] < cap:
            out[name] += 1
            points -= 1
    return out


def cost_of(rank: int, rule: str) -> int:
    """Rule 12."""
    above = max(0, rank - 3)
    return rank + (above if rule == "linear" else above * (above + 1) // 2)


def skills_of(order: list[str], points: int, rule: str) -> dict[str, int]:
    """Each to rank 3, the rest into the first."""
    out = dict.fromkeys(order, 0)
    for name, top in [*((name, 3) for name in order), (order[0], 99)]:
        while out[name] < top and cost_of(out[name] + 1, rule) - cost_of(out[name], rule) <= points:
            points -= cost_of(out[name] + 1, rule) - cost_of(out[name], rule)
            out[name] += 1
    return out


def absent(name: str, team: int) -> Figure:
    """A place that nobody has taken."""
    sheet: dict[str, Any] = {"perks": [], "limit": 0, "defence": 0, "base_initiative": 0, "initiative": 0}
    return Figure(name, team, sheet, (0, 0), status="absent")


class Hero(Figure):
    """A figure on which failed conditions weigh."""

    burden = 0

    @property
    def malus(self) -> int:
        return super().malus + self.burden


class Battle(Skirmish):
    """A fight on a mission: enemies that come one after the other, and an object to be saved."""

    def __init__(self, mission: Mission, heroes: list[Figure], ours: int, theirs: int, waves: bool) -> None:
        places = [absent(f"none{i}", 0) for i in range(4 - len(heroes))]
        foes = [absent(f"enemy{i}", 1) for i in range(4)]
        self.thing = absent("object", 2)
        super().__init__([*heroes, *places, *foes, self.thing], mission.o, mission.blocked, mission.cover)
        self.mission, self.heroes, self.waves = mission, heroes, waves
        self.height, self.width = mission.o["grid_height"], mission.o["grid_width"]
        for i, f in enumerate(heroes):
            f.pos = (0, (self.height - 2) * (i + 1) // (len(heroes) + 1))
            f.initiative_modifier = ours
            f.combat = None
        if waves:
            self.thing.status, self.thing.wounds = "up", 0
            self.thing.sheet |= {"limit": 5, "defence": 5, "body": 3, "mind": 0, "charisma": 0}
            self.thing.pos = ((self.width - 2) // 2, (self.height - 2) // 2)
        self.theirs = theirs
        self.lost = False
        self.joined: dict[int, int] = {}

    def sides(self, f: Figure) -> tuple[list[Figure], list[Figure]]:
        return self.figures[4:8], self.heroes

    def roll(self, f: Figure) -> Generator[Request, Any, int]:
        face = yield ("die", 6)
        hurt = int(not f.has("hardened") and 2 * f.wounds > f.sheet["limit"])  # conditions do not weigh on it
        return face + f.sheet["initiative"] + f.initiative_modifier + hurt or self.o["zero_initiative"]

    def bring(self, modifier: int) -> Figure | None:
        """The next unit takes the first free place."""
        queue = self.mission.units
        foes = self.figures[4:8]
        if not queue or sum(f.status == "up" for f in foes) >= self.o["wave_size"]:
            return None
        slot = next((i for i, f in enumerate(foes) if f.status in ("absent", "dead")), None)
        if slot is None:
            slot = next((i for i, f in enumerate(foes) if f.status == "unconscious"), None)
        if slot is None:
            return None
        full = set(self.blocked)
        for f in self.figures:
            if f is not foes[slot] and f.status in CAPABLE:
                full |= f.squares()
        for k in range(self.o["wave_size"]):
            pos = (self.width - 2, (self.height - 2) * (k + 1) // (self.o["wave_size"] + 1))
            if not {(pos[0] + i, pos[1] + j) for i in (0, 1) for j in (0, 1)} & full:
                break
        else:
            return None
        points, kind = queue.pop(0)
        char = self.mission.enemy(points, kind)
        f = Figure(f"enemy{slot}", 1, sheet_of(char, self.mission.kit, self.o), pos, items=dict(char["items"]))
        f.initiative_modifier = modifier
        self.figures[4 + slot] = f
        self.joined.pop(4 + slot, None)
        return f

    def run(self) -> Generator[Request, Any, None]:
        while self.bring(self.theirs) is not None:
            pass
        self.start = [(f.status == "up", f.wounds) for f in self.figures]
        yield from self.counts()

    def counts(self) -> Generator[Request, Any, None]:
        """As in a skirmish, with those who enter at the end of a count."""
        for f in [f for f in self.figures if f.status == "up" and f is not self.thing]:
            f.combat = yield from self.roll(f)
        self.surprise = 1
        done: tuple[int, int] | None = None
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
        for count in range(self.o["max_count"] + 1):
            self.count = count
            last = None
            while count or self.o["turn_at_zero"]:
                due = [f for f in self.figures if f.status == "up" and f.combat and count % f.combat == 0]
                due = [f for f in due if self.joined.get(self.index(f), -1) < count]
                due = [f for f in due if last is None or self.key(f) > last]
                if not due:
                    break
                last = min(self.key(f) for f in due)
                yield from self.group([f for f in due if self.key(f) == last])
                if self.over:
                    return
            yield from self.entries()
            if self.over:
                return
            if self.mission.rounds and count >= 6 * self.mission.rounds and self.waves:
                self.over = True
                return
        self.over = True

    def entries(self) -> Generator[Request, Any, None]:
        """The end of a count."""
        while True:
            gone = not any(f.status == "up" for f in self.figures[4:8])
            if self.waves and not self.mission.units and self.mission.waves_left and gone:
                yield from self.mission.roll_units("weak", False)
                self.mission.waves_left -= 1
            f = self.bring(0)
            if f is None:
                return
            f.combat = abs((yield from self.roll(f)))
            self.joined[self.index(f)] = self.count

    def resolve(self) -> Generator[Request, Any, None]:
        hit = sum(e[0] == "wound" and e[1] is self.thing for e in self.pending)
        self.pending = [e for e in self.pending if not (e[0] == "wound" and e[1] is self.thing)]
        if hit:
            self.thing.wounds += hit
            if self.thing.wounds > self.thing.sheet["limit"]:
                self.thing.status = "dead"
        yield from super().resolve()
        ours = any(f.status == "up" for f in self.heroes)
        theirs = any(f.status == "up" for f in self.figures[4:8]) or self.mission.units
        theirs = theirs or (self.waves and self.mission.waves_left)
        self.lost = self.waves and self.thing.status == "dead"
        self.over = bool(self.lost or not ours or not theirs)

    def turn(self, f: Figure) -> Generator[Request, Any, None]:
        if f.team == 0:
            yield from super().turn(f)
            return
        f.moved = f.acted = False
        while f.status == "up" and not (f.moved and f.acted) and not self.over:
            action = self.pursue(f)
            if action is None:
                return
            if action[0] == "move":
                f.pos, f.moved = action[1:], True
                continue
            f.acted = True
            if action[0] == "flask":
                f.items["fire_flask"] -= 1
                for victim in self.blast(action[1]):
                    face = yield ("die", 6)
                    if face + 1 - f.malus + self.surprise >= self.defence(victim):
                        yield from self.wound(victim)
            else:
                yield from self.attack(f, f.sheet["weapons"][action[1]], action[2])
            if self.pending and not self.deferred:
                yield from self.resolve()

    def pursue(self, f: Figure) -> tuple[Any, ...] | None:
        """The enemies' policy."""
        if not f.acted and f.items.get("fire_flask"):
            for hero in self.heroes:
                if hero.status == "up" and self.distance(f, hero) <= 6:
                    area = self.blast(hero)
                    fair = not any(self.barred(f, v) or v.team == 1 for v in area)
                    if fair and sum(v.team == 0 for v in area) >= 2:
                        return ("flask", hero)
        goals = [v for v in [*self.heroes, self.thing] if v.status == "up" and not self.barred(f, v)]
        if not goals:
            return None
        goal = min(goals, key=lambda v: self.distance(f, v))
        if not f.acted:
            found = []
            for w, weapon in enumerate(f.sheet["weapons"]):
                steps = self.range_steps(f, weapon, goal)
                if steps is not None:
                    found.append((-self.worth(f, weapon, goal, steps), w))
            if found:
                return ("attack", min(found)[1], goal)
        if f.moved or f.acted:
            return None
        here = self.distance(f, goal)
        ways = [
            (far(f.squares(to), goal.squares()), abs(to[0] - f.pos[0]) + abs(to[1] - f.pos[1]), to[1], to[0])
            for to in self.reachable(f)
        ]
        if not ways or min(ways)[0] >= here:
            return None
        best = min(ways)
        return ("move", best[3], best[2])

    def worth(self, f: Figure, weapon: dict[str, Any], goal: Figure, steps: int) -> float:
        """Expected wounds of an attack."""
        bonus = f.sheet["skills"].get(weapon["group"], 0) + goal.target_modifier - f.sheet["armour_malus"]
        bonus += self.surprise - f.malus - steps - self.weight("aggressive", f)
        if weapon["kind"] == "ranged" and goal.squares() & self.cover:
            bonus += self.o["cover_modifier"]
        power = f.sheet["strength"] if weapon["kind"] == "melee" else f.sheet["agility"]
        damage = weapon["damage_mod"] + power - f.malus - steps + self.surprise
        chances = [
            min(6, max(0, 7 - n)) / 6 for n in (f.sheet["attack"] - bonus, self.defence(goal) - damage)
        ]  # attack_automatics are not played with here
        return round(chances[0] * chances[1], 12)


class Mission:
    """A mission; `run` is the coroutine, the fields are its state."""

    def __init__(
        self, heroes: list[Hero], tools: list[list[str]], options: dict[str, Any], kit: dict[str, Any]
    ) -> None:
        self.heroes, self.tools, self.o, self.kit = heroes, [list(t) for t in tools], options, kit
        self.uses = [{name: kit["tools"][name]["durability"] for name in names} for names in tools]
        self.blocked: set[tuple[int, int]] = set()
        self.cover: set[tuple[int, int]] = set()
        self.units: list[list[Any]] = []
        self.waves_left = self.rounds = 0
        self.minutes = self.entered = self.room = 0
        self.alarm = self.carrying = False
        self.more = self.stronger = 0
        self.met: set[str] = set()
        self.failed: set[str] = set()
        self.events: dict[int, str] = {}
        self.groups: dict[int, list[list[Any]]] = {}
        self.cleared: set[int] = set()
        self.visited = {0}
        self.success = 0
        self.battle: Battle | None = None
        self.over = False

    # --- dice and the generator ---

    def generated(self, make: Callable[[Any], Any]) -> Generator[Request, Any, Any]:
        """What a function of the plain generator makes of dice that are asked for one by one."""
        taken: list[int] = []
        while True:
            try:
                return make(Fallen(taken))
            except NoDie:
                taken.append((yield ("die", 6)))

    def enemy(self, points: int, kind: str) -> dict[str, Any]:
        """Rule 172."""
        plan = next(a for a in self.kit["archetypes"] if a["name"] == kind)
        cap = self.o["enemy_attribute_cap"]
        char: dict[str, Any] = spread(points, plan["attributes"], ATTRIBUTES, cap)
        char |= spread(char["body"], plan["physical"], PHYSICAL, cap)
        char |= spread(char["body"], plan["combat"], COMBAT, cap)
        char |= spread(char["charisma"], plan["social"], METHODS, cap)
        skills = skills_of(plan["skills"], 5 + 5 * char["mind"], self.o["skill_surcharge"])
        return {**char, "skills": skills, "perks": [], **{k: plan[k] for k in ("weapons", "armour", "items")}}

    def roll_units(self, tier: str, boss: bool) -> Generator[Request, Any, None]:
        """Rules 170, 171, 155."""
        units = yield from self.generated(lambda dice: roll_group(dice, self.o["sg"], self.o, tier, boss, self.more))
        self.units = [[points + self.stronger, kind] for points, kind in units]

    # --- the party ---

    def up(self) -> list[int]:
        return [i for i, f in enumerate(self.heroes) if f.status == "up"]

    def leader(self) -> int:
        return self.up()[0]

    def end(self, success: int) -> None:
        self.success, self.over = success, True
        raise Ended

    def payoff(self) -> float:
        """Rules 120, 155 and 4.7.8: success, or saga points, those for side conditions whatever the result."""
        if self.o["utility"] == "success":
            return float(self.success)
        points = 1
        for condition in self.plan["conditions"]:
            kept = condition["kind"] not in self.failed
            if condition["kind"] == "combined":
                kept = kept and condition["scenario"] in self.met
            points += kept and condition["level"] == "optional"
        alive = sum(f.status != "dead" for f in self.heroes)
        return points * alive / len(self.heroes)

    def fail(self, kind: str) -> None:
        """Rule 155."""
        level = next((c["level"] for c in self.plan["conditions"] if c["kind"] == kind), None)
        if level is None or kind in self.failed:
            return
        self.failed.add(kind)
        if level == "necessary":
            self.end(0)
        elif level == "critical":
            penalty, effect = self.plan["penalty"], self.o["critical_effect"]
            if effect == "malus":
                for f in self.heroes:
                    f.burden += penalty
            elif effect == "more":
                self.more += penalty
            else:
                self.stronger += penalty

    def value(self, kind: str, name: str) -> int | None:
        return next((c[name] for c in self.plan["conditions"] if c["kind"] == kind and name in c), None)

    def spend(self, minutes: int) -> None:
        self.minutes += minutes
        limit = self.value("time_limit", "minutes")
        if limit is not None and self.minutes > limit:
            self.fail("time_limit")

    def sound_alarm(self) -> None:
        self.alarm = True
        self.fail("unseen")

    def skill(self, f: Figure, name: str) -> int:
        rank = f.sheet["skills"].get(name, 0)
        if rank < 1:
            return f.sheet["mind"] - 1
        return max(rank, f.sheet["mind"] - 1) if self.o["untrained_rule"] == "best" else rank

    def check(
        self, i: int, modifier: int, need: int, stake: bool, more: bool = False
    ) -> Generator[Request, Any, dict[str, Any]]:
        """A test outside fights, with everything that may be spent on it (rules 24 to 26, 128, 129, 136)."""
        f = self.heroes[i]
        die = yield ("die", 6)
        second = (yield ("die", 6)) if die in (1, 6) else None
        total = die + modifier
        plain = total >= need
        fate = 0
        if second is not None:
            fate = -1 if die == 1 and second <= 2 else (1 if die == 6 and second >= 5 else 0)
        win = fate > 0 or (fate == 0 and plain)
        critical = fate != 0 and (self.o["critical_means"] == "automatic" or win == plain)
        if win and f.saga and more and die == 6 and fate == 0:
            answer = yield ("ask", i, "react_six", {("saga",), ("decline",)})
            if answer[0] == "saga":
                f.saga -= 1
                critical, fate = True, 1
        while not win:
            options = {("decline",)}
            if f.saga and fate < 0 and (plain or (critical and stake)):
                options.add(("saga",))
            elif f.saga and fate == 0 and die == 6 and self.o["saga_confirm"] == "auto_success":
                options.add(("saga",))
            if f.luck:
                options.add(("luck",))
            if len(options) == 1:
                break
            answer = yield ("ask", i, "react_fail", options)
            if answer[0] == "saga":
                f.saga -= 1
                if fate < 0:
                    fate, critical, win = 0, False, plain
                else:
                    fate, win, critical = 1, True, False
            elif answer[0] == "luck":
                f.luck -= 1
                fate, win, critical = 1, True, False
            else:
                break
        return {"win": win, "critical": critical, "fate": fate, "total": total}

    # --- the map ---

    def run(self) -> Generator[Request, Any, None]:
        """The whole mission."""
        o = self.o
        self.plan = yield from self.generated(lambda dice: roll_mission(dice, o["sg"], o, o["scenario"]))
        self.map = yield from self.generated(lambda dice: roll_map(dice, o["sg"]))
        self.main = self.plan["scenarios"][0]
        if self.main == "protect":
            self.rounds = self.value("time_limit", "rounds") or 0
        self.links = {
            i: [next((j for j, way in self.ways(i) if way == d), None) for d in COMPASS]
            for i in range(len(self.map["rooms"]))
        }
        try:
            while True:
                yield from self.explore()
        except Ended:
            return

    def ways(self, i: int) -> list[tuple[int, tuple[int, int]]]:
        """Rooms linked with room i, and where they lie."""
        out = []
        for pair in self.map["links"]:
            if i in pair:
                j = pair[0] + pair[1] - i
                (x, y), (u, v) = self.map["rooms"][i][1], self.map["rooms"][j][1]
                out.append((j, (u - x, v - y)))
        return out

    def carrier(self, item: str) -> Hero | None:
        return next((self.heroes[i] for i in self.up() if self.heroes[i].items.get(item)), None)

    def explore(self) -> Generator[Request, Any, None]:
        """The leader decides on the map."""
        if not self.up():
            self.end(0)
        options: set[tuple[Any, ...]] = {("abort",)}
        options |= {("go", d) for d in range(4) if self.links[self.room][d] is not None}
        for k, f in enumerate(self.heroes):
            if f.status != "dead":
                if self.carrier("heal_draught") and f.wounds:
                    options.add(("heal", k))
                if self.carrier("smelling_salts") and f.status == "unconscious":
                    options.add(("salts", k))
        action = yield ("ask", self.leader(), "explore", options)
        if action[0] == "abort":
            self.end(0)
        elif action[0] == "go":
            room = self.links[self.room][action[1]]
            assert room is not None
            yield from self.enter(room)
        else:
            f = self.heroes[action[1]]
            giver = self.carrier("heal_draught" if action[0] == "heal" else "smelling_salts")
            assert giver is not None
            if action[0] == "heal":
                giver.items["heal_draught"] -= 1
                f.wounds = max(0, f.wounds - 2)
                if f.status == "unconscious" and f.wounds <= f.sheet["limit"]:
                    f.status = "up"
            else:
                giver.items["smelling_salts"] -= 1
                f.wounds, f.status = min(f.wounds, f.sheet["limit"]), "up"

    def enter(self, room: int) -> Generator[Request, Any, None]:
        """A room is entered."""
        self.room = room
        self.entered += 1
        self.spend(self.o["minutes_per_room"])
        kind = self.map["rooms"][room][0]
        first = room not in self.visited
        self.visited.add(room)
        if kind == "event_room" and first:
            face = yield ("die", 6)
            self.events[room] = self.kit["events"][face - 1]
            yield from self.event(room)
        elif kind == "event_room" and room not in self.cleared and self.events[room] == "confrontation":
            self.units = [list(u) for u in self.groups[room]]
            yield from self.confront(True)
        elif kind == "target_area" and room not in self.cleared:
            yield from self.target()
        self.arrived()

    def arrived(self) -> None:
        """Is the mission over?"""
        if not self.up():
            self.end(0)
        rooms = self.map["rooms"]
        places = {i for i, (kind, _) in enumerate(rooms) if kind in ("event_room", "target_area")}
        if "cleanse" in self.plan["scenarios"] and places <= self.cleared:
            self.met.add("cleanse")
        if self.carrying and self.room == 0:
            self.met.add("retrieve")
        if self.main in self.met:
            owed = [c for c in self.plan["conditions"] if c["kind"] == "combined" and c["level"] == "necessary"]
            if all(c["scenario"] is None or c["scenario"] in self.met for c in owed):
                self.end(1)
        if self.entered >= self.o["max_rooms"]:
            self.end(0)

    def event(self, room: int) -> Generator[Request, Any, None]:
        """What waits in an event room."""
        kind = self.events[room]
        if kind == "confrontation":
            yield from self.roll_units(self.o["tier_event"], False)
            self.groups[room] = [list(u) for u in self.units]
            yield from self.confront(True)
            return
        action = yield ("ask", self.leader(), "assign", {("assign", i) for i in self.up()})
        i = action[1]
        if kind == "talk":
            yield from self.talk(room, i)
        else:
            yield from self.puzzle(room, i, kind)

    def puzzle(self, room: int, i: int, kind: str) -> Generator[Request, Any, None]:
        """A trap or a puzzle."""
        f = self.heroes[i]
        tool = None
        if self.tools[i]:
            answer = yield ("ask", self.leader(), "tool", {("use_tool",), ("no_tool",)})
            if answer[0] == "use_tool":
                facts = self.kit["tools"]
                tool = max(self.tools[i], key=lambda n: (facts[n]["kind"] == "automatic", facts[n]["bonus"]))
        modifier = -half_of(self.o["sg"], self.o) - f.malus
        if kind == "trap":
            modifier += f.sheet["agility"] - f.sheet["armour_malus"] + self.skill(f, "mechanics")
        else:
            modifier += self.skill(f, "lore_architecture")
        result: dict[str, Any] = {"win": True, "critical": False}
        automatic = False
        if tool is not None:
            automatic = self.kit["tools"][tool]["kind"] == "automatic"
            modifier += self.kit["tools"][tool]["bonus"]
            if self.kit["tools"][tool]["kind"] != "plain":
                self.uses[i][tool] -= 1
                if self.uses[i][tool] == 0:
                    self.tools[i].remove(tool)
        if not automatic:
            result = yield from self.check(i, modifier, 4, kind == "trap" or tool is not None)
        disaster = not result["win"] and result["critical"]
        if disaster and tool in self.tools[i]:
            self.tools[i].remove(tool)
        self.cleared.add(room)
        if kind == "puzzle":
            if result["win"]:
                f.items["heal_draught"] = f.items.get("heal_draught", 0) + 1
            else:
                self.spend(3)
        elif not result["win"]:
            victims = [v for v in self.heroes if v.status != "dead"] if disaster else [f]
            trap = Skirmish(list(self.heroes), self.o, set(), set())
            for v in victims:
                face = yield ("die", 6)
                if face + 1 >= v.sheet["defence"]:
                    yield from trap.wound(v)
            if trap.pending:
                yield from trap.resolve()

    def talk(self, room: int, i: int) -> Generator[Request, Any, None]:
        """A stranger; rules 70 to 82."""
        o, f = self.o, self.heroes[i]
        values = dict(zip(ATTRIBUTES, TRIPLES[(yield ("die", 12)) - 1], strict=True))
        face = yield ("die", 6)
        mood = {"diplomatic": (face - 1) // 2 - 1}
        mood["aggressive"] = -2
        fails = successes = 0
        recoveries = o["recover_limit"]
        patience = max(1, 4 - values["charisma"])
        malus = f.malus
        result = "left"
        for _ in range(o["max_steps"]):
            options = {("talk", m) for m in METHODS} | {("read",), ("leave",)}
            if f.sheet["charisma"] >= 1 and fails and recoveries:
                options.add(("recover",))
            action = yield ("ask", i, "talk", options)
            if action[0] == "leave":
                break
            if action[0] == "talk":
                method = action[1]
                track = "aggressive" if method == "aggressive" else "diplomatic"
                need = values[MIND_OF[method]] + o["social_offset"] + (o["social_tie"] == "failure")
                modifier = f.sheet[method] + o["request_difficulty"] - malus + mood[track]
                more = o["goal_successes"] - successes >= 2
                check = yield from self.check(i, modifier, need, True, more)
                change = 0
                if check["win"]:
                    successes += 2 if check["critical"] else 1
                elif check["fate"] == 0 and check["total"] - mood[track] >= need:
                    change = 1
                else:
                    lost = check["fate"] < 0 and check["critical"]
                    fails += 2 if lost else 1
                    change = -2 if lost and o["critical_mood_double"] else -1
                for name in mood if o["mood_tracks"] == "linked" else [track]:
                    mood[name] = max(-2, min(2, mood[name] + change))
            elif action[0] == "recover":
                recoveries -= 1
                modifier = f.sheet["charisma"] + mood["diplomatic"] - malus
                modifier += f.sheet["mind"] - 1 if o["recover_adds_untrained"] else 0
                check = yield from self.check(i, modifier, 4, True)
                if check["win"]:
                    fails -= min(f.sheet["charisma"], fails)
                elif check["critical"]:
                    fails += 2
            else:
                yield from self.check(i, self.skill(f, "insight") + o["read_difficulty"] - malus, 4, False)
            if successes >= o["goal_successes"]:
                result = "success"
                break
            if fails >= patience:
                result = "broken"
                break
        if result == "broken":
            self.events[room] = "confrontation"
            yield from self.event(room)
            return
        self.cleared.add(room)
        if result == "success":
            f.items["heal_draught"] = f.items.get("heal_draught", 0) + 1

    # --- fights ---

    def confront(self, event_room: bool) -> Generator[Request, Any, None]:
        """FIGHT, AMBUSH or BYPASS."""
        answer = yield ("ask", self.leader(), "approach", {("fight",), ("ambush",), ("bypass",)})
        ours = theirs = 0
        quiet = False
        if answer[0] != "fight":
            facts = [
                self.heroes[i].sheet["agility"] + self.skill(self.heroes[i], "sneaking") + self.o["sneak_difficulty"]
                - self.heroes[i].sheet["armour_malus"] - self.heroes[i].malus
                for i in self.up()
            ]  # fmt: skip
            i = self.up()[facts.index(min(facts))]
            check = yield from self.check(i, min(facts), 4, False)
            if check["win"] and answer[0] == "bypass":
                if not event_room:
                    self.cleared.add(self.room)
                    self.met.add("traverse")
                return
            if check["win"]:
                quiet, ours = True, self.o["ambush_modifier"]
            else:
                self.sound_alarm()
                theirs = self.o["ambush_modifier"]
        yield from self.fight(ours, theirs, quiet, event_room)
        self.cleared.add(self.room)

    def fight(
        self, ours: int, theirs: int, quiet: bool, event_room: bool, waves: bool = False
    ) -> Generator[Request, Any, None]:
        """A fight and what it costs."""
        self.battle = battle = Battle(self, list(self.heroes), ours, theirs, waves)
        yield from battle.run()
        self.battle = None
        beaten = not any(f.status == "up" for f in battle.figures[4:8]) and not self.units and not self.waves_left
        in_time = waves and self.rounds > 0 and battle.count >= 6 * self.rounds
        self.units = []
        self.waves_left = 0  # an object that is lost calls for no further waves
        if not self.up():
            self.end(0)
        if battle.lost:
            if self.main == "protect":
                self.end(0)
            if any(c.get("scenario") == "protect" for c in self.plan["conditions"]):
                self.fail("combined")
        elif not beaten and not in_time:
            self.end(0)
        self.spend(-(-battle.count // self.o["counts_per_minute"]))
        if not (quiet and battle.count <= self.o["alarm_counts"]):
            self.sound_alarm()
        held = self.value("civilians", "hostages")
        if event_room and held and battle.count // self.o["counts_per_minute"]:
            self.fail("civilians")
        if waves and not battle.lost:
            self.met.add("protect")

    def target(self) -> Generator[Request, Any, None]:
        """The target area."""
        names = self.plan["scenarios"]
        if names != ["protect"]:
            boss = "destroy" in names
            tier = "weak" if names == ["traverse"] else self.o["tier_target"]
            yield from self.roll_units(tier, boss)
            if names == ["traverse"]:
                yield from self.confront(False)
                self.met.add("traverse")
                return
            yield from self.fight(0, 0, False, False)
            self.met |= {"destroy", "traverse"} & set(names)
            self.carrying = "retrieve" in names
        if "protect" in names:
            self.waves_left = self.o["sg"] + 1
            yield from self.roll_units("weak", False)
            self.waves_left -= 1
            yield from self.fight(0, 0, False, False, True)
        self.cleared.add(self.room)


__all__ = ["TRIPLES", "Battle", "Hero", "Mission"]
