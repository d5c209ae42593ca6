"""Exact results by enumeration (section 7): tests, attacks, turns, duels, talks, claims, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from ..core.checks import fail
from ..core.script import answer
from .build.legal import count_build_game, count_builds, count_loadouts, perk_sets, triples
from .character.kit import ATTRIBUTES, Kit
from .character.kit_file import built_in_kit
from .character.sheet import derive, normal, rank_cost
from .params import check_options
from .record import sheet_row

FACES = range(1, 7)


def at_least(n: int) -> float:
    """P(d6 >= n)."""
    return min(6, max(0, 7 - n)) / 6


def check_outcomes(modifier: int, need: int, confirmed: bool = True) -> list[tuple[float, int, bool, int, bool]]:
    """R20-R26: (probability, natural, success, automatic -1 0 1, critical) of a check by die and confirmation."""
    out = []
    for face in FACES:
        plain = face + modifier >= need
        if confirmed and face == 1:
            out.append((2 / 36, face, False, -1, not plain))
            out.append((4 / 36, face, plain, 0, False))
        elif confirmed and face == 6:
            out.append((2 / 36, face, True, 1, plain))
            out.append((4 / 36, face, plain, 0, False))
        else:
            out.append((6 / 36, face, plain, 0, False))
    return out


def test_table(modifier: int) -> dict[str, float]:
    """7.1: chances of a skill test with this total modifier."""
    rows = check_outcomes(modifier, 4)
    return {
        "success": sum(r[0] for r in rows if r[2]),
        "critical_success": sum(r[0] for r in rows if r[2] and r[4]),
        "critical_failure": sum(r[0] for r in rows if not r[2] and r[4]),
    }


def hit_chance(attack: int, modifiers: int, automatics: bool = False) -> float:
    """7.2: chance that an attack roll hits."""
    return sum(r[0] for r in check_outcomes(modifiers, attack, automatics) if r[2])


def turns_within(initiative: int, counts: int) -> int:
    """7.3: turns of a combat initiative in counts 1..counts."""
    return counts // initiative


def expected_turns(initiative: int, counts: int) -> float:
    """7.3: mean number of turns over the initiative die."""
    return sum(counts // abs(initiative + face or 1) for face in FACES) / 6


def edge_table(method: int, value: int, tie: int = 0) -> tuple[float, dict[int, float]]:
    """7.4: chance of an edge, and the distribution of its rounds."""
    rounds: dict[int, float] = {}
    for chance, face, success, _, _ in check_outcomes(method, value + tie):
        if success:
            n = max(1, face + method - value)
            rounds[n] = rounds.get(n, 0.0) + chance
    return sum(rounds.values()), rounds


def lie_unnoticed(cunning: int, insight: int, tie: str = "liar") -> float:
    """7.4: chance that a lie is not noticed in the opposed roll."""
    bonus = 1 if tie == "listener" else 0
    return sum(b + insight + bonus <= a + cunning for a in FACES for b in FACES) / 36


def claim(cunning: int, insight: int, mind: int, tie: str = "liar") -> dict[str, float]:
    """7.7: equilibrium of the claim of two."""
    by_mind = sum(a + cunning < mind for a in FACES) / 6
    q = max(1 - lie_unnoticed(cunning, insight, tie), by_mind)
    return {"detected": q, "value": q / (2 - q), "lie": 1 / (2 - q), "believe": 1 / (2 - q)}


# --- side conditions --------------------------------------------------------------------------------------------------


def condition_odds(sg: int, defensive: bool) -> dict[str, Fraction]:
    """Of the condition dice alone: mean number of distinct conditions, chances of a critical and a necessary one."""
    allowed = [f for f in (1, 2, 3, 4, 5) if not (f == 1 and defensive)]

    def base(place: int) -> int:
        return max(0, 2 - place) if sg >= 5 else (1 if sg >= 3 and place == 0 else 0)

    @cache
    def go(
        left: int, levels: tuple[tuple[int, int], ...], five: bool, before: int, waiting: bool
    ) -> tuple[Fraction, ...]:
        if left == 0:
            have = [level for _, level in levels]
            return Fraction(len(have)), Fraction(1 in have), Fraction(2 in have)
        faces = [f for f in allowed if not (f == 5 and five)]
        total = [Fraction(0)] * 3
        for face in faces:
            table = dict(levels)
            nxt, wait, had = before, waiting, five
            if face == 5:
                had = True
                if before:
                    table[before] = min(2, table[before] + 1)
                else:
                    wait = True
            else:
                if face in table:
                    table[face] = min(2, table[face] + 1)
                else:
                    table[face] = base(len(table))
                if wait:
                    table[face] = min(2, table[face] + 1)
                    wait = False
                nxt = face
            part = go(left - 1, tuple(table.items()), had, nxt, wait)
            total = [t + v / len(faces) for t, v in zip(total, part, strict=True)]
        return tuple(total)

    mean, critical, necessary = go(sg, (), False, 0, False)
    return {"distinct_conditions": mean, "any_critical": critical, "any_necessary": necessary}


# --- stationary duels -------------------------------------------------------------------------------------------------


class Duellist:
    """What a stationary duel needs of a figure (7.5)."""

    def __init__(self, char: Mapping[str, Any], options: Mapping[str, Any], kit: Kit) -> None:
        row = sheet_row(char, options, kit)
        self.row = row
        self.initiative, self.limit = row["initiative"], row["limit"]
        self.hardened = row["hardened"]
        self.key = row["initiative"] if options["tie_break"] == "initiative_low" else row["combat"][2]
        self.weak = "weak_spot" in char["perks"]
        rank, mind = row["rank"][0], row["value"][1]
        self.lore = (max(rank, mind - 1) if options["untrained_rule"] == "best" else rank) if rank >= 1 else mind - 1

    def malus(self, wounds: int) -> int:
        """R62."""
        return int(not self.hardened and 2 * wounds > self.limit)


def wound_chance(
    a: Duellist, b: Duellist, wounds: int, surprise: int, options: Mapping[str, Any], finesse: bool
) -> float:
    """R42-R44, R135: chance that an attack of `a`, who has so many wounds, wounds `b`."""
    row = a.row
    malus = a.malus(wounds)
    hit = hit_chance(
        row["attack"], row["w_rank"][0] - row["armour_malus"] - malus + surprise, options["attack_automatics"]
    )
    power = row["physical"][0] if row["w_kind"][0] == 1 and not finesse else row["physical"][2]
    bonus = row["w_damage"][0] + power - malus + surprise
    need = b.row["defence"] - bonus
    plain = at_least(need)
    if a.weak:
        good = sum(r[0] for r in check_outcomes(a.lore - malus, 4) if r[2])
        plain = max(plain, good * at_least(need - 1) + (1 - good) * at_least(need + 1))
    return hit * plain


State = tuple[int, int, int, int]  # wounds of both, rounds left of both diplomatic edges


def duel(
    chars: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
    tactics: Sequence[str],
    limit: int | None,
    kit: Kit | None = None,
    patience: int = 20000,
) -> dict[str, float]:
    """7.5: exact result of a stationary duel: chances of a, b, a draw, and of being open after `patience` counts."""
    kit = kit or built_in_kit()
    for tactic in tactics:
        if tactic not in ("attack", "diplomat"):
            raise fail("tactic", tactic, "attack, diplomat")
    two = [Duellist(c, options, kit) for c in chars]
    total = {"a": 0.0, "b": 0.0, "draw": 0.0, "open": 0.0}
    runner = _Duel(two, chars, options, tactics)
    dice: dict[tuple[int, int], int] = {}
    for da, db in product(FACES, FACES):
        inits = tuple(d + f.initiative or options["zero_initiative"] for d, f in zip((da, db), two, strict=True))
        dice[inits] = dice.get(inits, 0) + 1
    for inits, weight in dice.items():
        for name, chance in runner.run(inits, limit, patience).items():
            total[name] += chance * weight / 36
    return total


class _Duel:
    def __init__(
        self,
        two: list[Duellist],
        chars: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
        tactics: Sequence[str],
    ) -> None:
        self.two, self.options, self.tactics = two, options, tactics
        self.finesse = ["finesse" in c["perks"] for c in chars]
        self.turn_cache: dict[tuple[int, State, int], list[tuple[float, int, int, bool]]] = {}
        tie = 1 if options["social_tie"] == "failure" else 0
        self.edges = []
        for i in (0, 1):
            mine, other = two[i].row, two[1 - i].row
            mood = -2 if options["edge_uses_mood"] else 0
            value = other["value"][2] + options["social_offset"]
            self.edges.append([edge_table(mine["social"][2] + mood - malus, value, tie)[1] for malus in (0, 1)])

    def turn(self, i: int, state: State, surprise: int) -> list[tuple[float, int, int, bool]]:
        """Outcomes of a turn of figure i: (chance, wounds dealt, rounds gained, has attacked)."""
        key = (i, state, surprise)
        if key not in self.turn_cache:
            mine, theirs = state[2 + i], state[3 - i]
            barred = theirs > 0
            if self.tactics[i] == "diplomat" and (mine <= 1 or barred):
                rounds = self.edges[i][self.two[i].malus(state[i])]
                out = [(chance, 0, n, False) for n, chance in rounds.items()]
                rest = 1.0 - sum(rounds.values())
                self.turn_cache[key] = [*out, (rest, 0, 0, False)] if rest > 0 else out
            elif barred:
                self.turn_cache[key] = [(1.0, 0, 0, False)]
            else:
                q = wound_chance(self.two[i], self.two[1 - i], state[i], surprise, self.options, self.finesse[i])
                self.turn_cache[key] = [(w, n, 0, True) for w, n in ((q, 1), (1 - q, 0)) if w > 0]
        return self.turn_cache[key]

    def after(self, state: State, group: Sequence[int], done: Sequence[tuple[float, int, int, bool]]) -> State:
        """R40, R86: the state when the group is done."""
        wounds, edges = list(state[:2]), list(state[2:])
        fresh = [False, False]
        for i, (_, dealt, rounds, attacked) in zip(group, done, strict=True):
            wounds[1 - i] += dealt
            if attacked and self.options["diplomatic_breaks_on_attack"]:
                edges[i] = 0
            if rounds:
                edges[i] = max(edges[i], rounds)
                fresh[i] = True
        for i in (0, 1):
            clock = i if self.options["edge_clock"] == "performer" else 1 - i
            if clock in group and edges[i] > 0 and not fresh[i]:
                edges[i] -= 1
        return wounds[0], wounds[1], edges[0], edges[1]

    def play(
        self, open_: dict[State, float], group: Sequence[int], surprise: int, out: dict[str, float]
    ) -> dict[State, float]:
        """All states after a group has had its turns; decided ones go to `out`."""
        found: dict[State, float] = {}
        for state, chance in open_.items():
            for done in product(*[self.turn(i, state, surprise) for i in group]):
                weight = chance
                for part in done:
                    weight *= part[0]
                nxt = self.after(state, group, done)
                down = [nxt[i] > self.two[i].limit for i in (0, 1)]
                if any(down):
                    out["draw" if all(down) else ("b" if down[0] else "a")] += weight
                else:
                    found[nxt] = found.get(nxt, 0.0) + weight
        return found

    def run(self, inits: tuple[int, ...], limit: int | None, patience: int) -> dict[str, float]:
        """The duel for one pair of combat initiatives."""
        out = {"a": 0.0, "b": 0.0, "draw": 0.0, "open": 0.0}
        open_: dict[State, float] = {(0, 0, 0, 0): 1.0}
        keys = [f.key for f in self.two]

        def groups(members: list[int], order: Sequence[Any]) -> list[list[int]]:
            if len(members) < 2:
                return [members] if members else []
            a, b = members
            if order[a] == order[b]:
                return [[a, b]]
            return [[a], [b]] if order[a] < order[b] else [[b], [a]]

        for group in groups([i for i in (0, 1) if inits[i] < 0], [(inits[i], keys[i]) for i in (0, 1)]):
            open_ = self.play(open_, group, 1, out)
        absolute = [abs(c) for c in inits]
        count = 0 if self.options["turn_at_zero"] else min(absolute)
        last = patience if limit is None else limit
        while open_ and count <= last:
            for group in groups([i for i in (0, 1) if count % absolute[i] == 0], keys):
                open_ = self.play(open_, group, 0, out)
            if limit is None and sum(open_.values()) < 1e-14:
                return out
            count = min((count // c + 1) * c for c in absolute)
        for state, chance in open_.items():
            if limit is None:
                out["open"] += chance
            elif state[0] == state[1] or self.options["limit_result"] == "draw":
                out["draw"] += chance
            else:
                out["a" if state[0] < state[1] else "b"] += chance
        return out


# --- talks ------------------------------------------------------------------------------------------------------------


def best_talk(
    speaker: Mapping[str, Any],
    counterpart: Mapping[str, Any],
    options: Mapping[str, Any],
    wounds: int = 0,
    kit: Kit | None = None,
) -> tuple[float, float]:
    """7.6: optimal payoff of a solo talk with known values, and the larger chance of success that goes with it."""
    kit = kit or built_in_kit()
    limit = derive(counterpart, options, kit)["wound_limit"]
    values = [counterpart[a] + options["social_offset"] + (options["social_tie"] == "failure") for a in ATTRIBUTES]
    methods = [speaker["aggressive"], speaker["cunning"], speaker["diplomatic"]]
    patience = max(1, 4 - counterpart["charisma"])
    by_wounds = -2 if wounds == 0 else 2 if wounds >= limit else 1 if 2 * wounds > limit else -1
    goal, steps, win = options["goal_successes"], options["max_steps"], options["payoffs"]
    linked = options["mood_tracks"] == "linked"
    always_critical = options["critical_means"] == "automatic"
    charisma = speaker["charisma"]
    extra = speaker["mind"] - 1 if options["recover_adds_untrained"] else 0

    def shift(mood: int, by: int) -> int:
        return max(-2, min(2, mood + by))

    @cache
    def value(step: int, successes: int, fails: int, relation: int, hurt: int, left: int) -> tuple[float, float]:
        if successes >= goal:
            return float(win[0]), 1.0
        if fails >= patience:
            return float(win[2]), 0.0
        if step >= steps:
            return float(win[1]), 0.0
        best = (float(win[1]), 0.0)
        for method in range(3):
            mood = hurt if method == 0 else relation
            raw = methods[method] + options["request_difficulty"]
            total = [0.0, 0.0]
            for chance, face, success, auto, critical in check_outcomes(raw + mood, values[method]):
                critical = critical or (always_critical and auto != 0)
                moods = 0
                gained = failed = 0
                if success:
                    gained = 2 if auto > 0 and critical else 1
                elif auto < 0:
                    failed = 2 if critical else 1
                    moods = -2 if critical and options["critical_mood_double"] else -1
                elif face + raw >= values[method]:
                    moods = 1
                else:
                    failed, moods = 1, -1
                part = value(
                    step + 1,
                    min(goal, successes + gained),
                    fails + failed,
                    shift(relation, moods) if linked or method else relation,
                    shift(hurt, moods) if linked or not method else hurt,
                    left,
                )
                total = [t + chance * x for t, x in zip(total, part, strict=True)]
            best = better(best, total)
        if charisma >= 1 and fails >= 1 and left >= 1:
            total = [0.0, 0.0]
            for chance, _, success, auto, critical in check_outcomes(charisma + relation + extra, 4):
                critical = critical or (always_critical and auto != 0)
                now = fails - min(charisma, fails) if success else fails + 2 * (auto < 0 and critical)
                part = value(step + 1, successes, now, relation, hurt, left - 1)
                total = [t + chance * x for t, x in zip(total, part, strict=True)]
            best = better(best, total)
        return best

    def better(best: tuple[float, float], total: Sequence[float]) -> tuple[float, float]:
        if total[0] > best[0] + 1e-12 or (abs(total[0] - best[0]) <= 1e-12 and total[1] > best[1]):
            return total[0], total[1]
        return best

    return value(0, 0, 0, options["relation"], by_wounds, options["recover_limit"])


# --- by name ----------------------------------------------------------------------------------------------------------


def formula(name: str, args: Sequence[Any], config: Mapping[str, Any] | None = None) -> Any:
    """A value of section 9 by name; raises RulesetError for an unknown one."""
    kit = built_in_kit()
    options = check_options(config or {})
    simple = {
        "skill_test_success": lambda m: test_table(m)["success"],
        "skill_test_critical_success": lambda m: test_table(m)["critical_success"],
        "skill_test_critical_failure": lambda m: test_table(m)["critical_failure"],
        "hit": lambda attack, m: hit_chance(attack, m),
        "wound_per_attack": lambda attack, m, defence, d: hit_chance(attack, m) * at_least(defence - d),
        "turns": turns_within,
        "expected_turns": expected_turns,
        "edge_success": lambda method, value: edge_table(method, value)[0],
        "edge_rounds": lambda method, value: _mean(edge_table(method, value)),
        "lie_undetected": lambda cunning, insight: lie_unnoticed(cunning, insight, options["lie_tie"]),
        "survival": lambda stamina, malus: at_least(4 - stamina + int(malus)),
        "claim": lambda cunning, insight, mind: claim(cunning, insight, mind, options["lie_tie"]),
        "count_triples": lambda points, cap: len(triples(points, cap)),
        "count_builds": lambda points, gift: count_builds(points, bool(gift)),
        "count_loadouts": lambda budget: count_loadouts(budget, kit),
        "count_build_game": lambda budget, most, live: count_build_game(budget, most, bool(live), kit),
        "skill_cost": lambda rank, rule="linear": rank_cost(rank, rule),
        "diamond": lambda r: 2 * r * (r + 1),
    }
    if name in simple:
        return answer(name, simple, args)
    if name in ("distinct_conditions", "any_critical", "any_necessary"):
        return float(condition_odds(args[0], bool(args[1]))[name])
    if name == "duel":
        a, b, given, tactics, limit = args
        chosen = check_options({**(config or {}), **(given or {})})
        return duel([normal(a, kit), normal(b, kit)], chosen, tactics, limit)
    if name == "parley":
        a, b, given, wounds = args
        chosen = check_options({**(config or {}), **(given or {})})
        return list(best_talk(normal(a, kit), normal(b, kit), chosen, wounds))
    raise fail(
        "formula", name, ", ".join((*simple, "distinct_conditions", "any_critical", "any_necessary", "duel", "parley"))
    )


def _mean(table: tuple[float, dict[int, float]]) -> float:
    chance, rounds = table
    return sum(n * w for n, w in rounds.items()) / chance


__all__ = ["best_talk", "claim", "condition_odds", "count_builds", "duel", "formula", "perk_sets"]
