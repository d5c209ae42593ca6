"""The search for dominant builds of OneShot: which legal characters of a weapon class a player should choose.

All legal builds of a class are listed: attributes, the three secondary splits, perks, weapon and armour within the
budget, tactic; skill points go into the weapon's group. Builds that a stationary duel cannot tell apart (7.5) are
counted as one. The equilibrium of choosing a build is found by double oracle (McMahan, Gordon and Blum 2003): a small
matrix is solved, every legal build is measured against its mixture, and the best are added until none gains anything.
Every legal build is measured against some of all kinds too, so that more can be said of it than that it is not best.
All numbers are exact; a duel on the grid is sampled instead (`sample`).

Over 500 lines because the search goes one way, from the list of builds to the equilibrium of the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.intervals import error_of
from ...agents.match import Match, Schedule
from ...agents.matrix_game import solve_zero_sum
from ...agents.oneshot.duels import Duels
from ...envs import make_game
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.oneshot import state as st
from ...envs.oneshot.actions import splits
from ...envs.oneshot.build.legal import perk_sets, triples
from ...envs.oneshot.character.kit import ATTRIBUTES, COMBAT, PHYSICAL, SOCIAL, Kit
from ...envs.oneshot.character.kit_file import load_kit
from ...envs.oneshot.character.sheet import advance, greedy_skills, normal, price_of, rank_cost
from ...envs.oneshot.params import check_options
from ...envs.oneshot.record import sheet_row
from ...envs.oneshot.system import SYSTEM

TACTICS = ("attack", "diplomat")
STARTS = 12  # builds of all kinds that everybody is measured against, whatever they are worth
SCOUTS = 200  # builds among which replies are looked for first
ADDED = 4  # builds added in a round
GAIN = 1e-9  # what no build gains in the end
BASES = 30  # best builds that are raised by saga points, besides the best of every kind
CHUNK = 500  # duels between two reports of progress
MOST_SAGA = 20
Char = dict[str, Any]
Progress = Callable[[str, int, int], None]  # what is being done, done, of how many


def quiet(what: str, done: int, total: int) -> None:
    """Progress that nobody sees."""


def figure_of(char: Mapping[str, Any], tactic: str, options: Mapping[str, Any], kit: Kit) -> tuple[int, ...]:
    """What a stationary duel needs of a character, as `state.D_*`; what makes no difference is 0."""
    row = sheet_row(char, options, kit)
    power = (
        row["physical"][0] if row["w_kind"][0] == st.MELEE and "finesse" not in char["perks"] else row["physical"][2]
    )
    lore = st.NO_LORE
    if "weak_spot" in char["perks"]:
        rank, mind = row["rank"][st.Skill.LORE_RACE], char["mind"]
        lore = mind - 1 if rank < 1 else (max(rank, mind - 1) if options["untrained_rule"] == "best" else rank)
    out = [0] * st.DUELLIST
    out[st.D_ATTACK] = row["attack"]
    out[st.D_BONUS] = row["w_rank"][0] - row["armour_malus"]
    out[st.D_DEFENCE] = row["defence"]
    out[st.D_DAMAGE] = row["w_damage"][0] + power
    out[st.D_INITIATIVE] = row["initiative"]
    out[st.D_LIMIT] = row["limit"]
    out[st.D_HARDENED] = row["hardened"]
    out[st.D_KEY] = row["initiative"] if options["tie_break"] == "initiative_low" else row["combat"][2]
    out[st.D_LORE] = lore
    out[st.D_TALK] = char["diplomatic"] if tactic == "diplomat" else 0
    out[st.D_CHARM] = char["charisma"]
    out[st.D_TACTIC] = TACTICS.index(tactic)
    return tuple(out)


def describe(char: Mapping[str, Any], tactic: str) -> str:
    """A build in one line: attributes; physical; combat; social; skills; gear; perks; tactic."""
    numbers = "; ".join("/".join(str(char[v]) for v in names) for names in (ATTRIBUTES, PHYSICAL, COMBAT, SOCIAL))
    skills = " ".join(f"{name} {rank}" for name, rank in char["skills"].items() if rank) or "-"
    gear = f"{char['weapons'][0]}, {char['armour']}"
    perks = ", ".join(char["perks"]) or "no perks"
    return f"{numbers}; {skills}; {gear}; {perks}; {tactic}"


def weapons_of(kit: Kit, weapon: str) -> list[str]:
    """Weapons of a class: a group of the kit, or one weapon; raises ProbespielError."""
    found = [name for name, entry in kit.weapons.items() if weapon in (name, entry["group"])]
    if not found:
        groups = sorted({str(entry["group"]) for entry in kit.weapons.values()})
        raise ProbespielError(
            f"weapon = {weapon!r} is not allowed: a group ({', '.join(groups)}) or a weapon ({', '.join(kit.weapons)})"
        )
    return found


def attribute_choices(perks: Sequence[str], options: Mapping[str, Any]) -> Iterator[tuple[dict[str, int], str | None]]:
    """Attributes that perks allow, with the gift (R3, R4, R131, R136)."""
    points = max(0, options["attribute_points"] - ("luck" in perks))
    for triple in triples(points, options["attribute_cap"]):
        if "special_gift" not in perks:
            yield dict(zip(ATTRIBUTES, triple, strict=True)), None
            continue
        for k in range(3):
            if triple[k] == 3:
                raised = [v + 1 if j == k else v - 1 for j, v in enumerate(triple)]
                yield dict(zip(ATTRIBUTES, raised, strict=True)), ATTRIBUTES[k]


def legal_builds(
    options: Mapping[str, Any], kit: Kit, weapon: str, perks: Sequence[Sequence[str]], tactics: Sequence[str]
) -> Iterator[tuple[Char, str]]:
    """All legal builds of a weapon class with one of these sets of perks, and their tactic."""
    names = weapons_of(kit, weapon)
    for chosen in perks:
        cost = 3 * ("armour_training" in chosen) + 3 * ("finesse" in chosen)
        for attributes, gift in attribute_choices(chosen, options):
            points = 5 + 5 * attributes["mind"] - cost
            if points < 0:
                continue
            body, charisma = max(0, attributes["body"]), max(0, attributes["charisma"])
            for name in names:
                skills = greedy_skills([kit.weapons[name]["group"]], points, options["skill_surcharge"])
                for armour in kit.armours:
                    base = normal(
                        {
                            **attributes, "perks": list(chosen), "gift": gift, "skills": skills, "weapons": [name],
                            "armour": armour,
                        },
                        kit,
                    )  # fmt: skip
                    if options["gear_budget"] is not None and price_of(base, kit) > options["gear_budget"]:
                        continue
                    for physical in splits(body):
                        for combat in splits(body):
                            for social in splits(charisma):
                                char = dict(base)
                                char.update(zip(PHYSICAL, physical, strict=True))
                                char.update(zip(COMBAT, combat, strict=True))
                                char.update(zip(SOCIAL, social, strict=True))
                                for tactic in tactics:
                                    yield char, tactic


def combat_values(char: Mapping[str, Any], group: str) -> list[str]:
    """Values whose raising can matter to a duel."""
    return [*ATTRIBUTES, "strength", "agility", *COMBAT, "diplomatic", group]


def raised(char: Char, points: int, options: Mapping[str, Any], kit: Kit) -> Iterator[Char]:
    """The character with all ways to spend saga points (R121-R126) that can matter to a duel, spending none included.

    What body grants goes to the value that the weapon uses and to any of the three combat values; what mind grants into
    the weapon's group; what charisma grants to diplomatic.
    """
    entry = kit.weapons[char["weapons"][0]]
    group = entry["group"]
    power = "strength" if entry["kind"] == "melee" and "finesse" not in char["perks"] else "agility"
    names = [n for n in combat_values(char, group) if n not in ("strength", "agility") or n == power]

    def spend(now: Char, left: int, first: int) -> Iterator[Char]:
        yield now
        for at in range(first, len(names)):
            fresh = {**now, "skills": dict(now["skills"])}
            done = advance(fresh, names[at], left, options)
            if "rejected" in done:
                continue
            if names[at] == "body" and done["grants"]:
                fresh[power] += 1
                for value in COMBAT:
                    yield from spend({**fresh, value: fresh[value] + 1}, done["left"], at)
                continue
            if names[at] == "charisma" and done["grants"]:
                fresh["diplomatic"] += 1
            if names[at] == "mind" and done["grants"]:
                rank, more = fresh["skills"].get(group, 0), 5
                step = rank_cost(rank + 1, options["skill_surcharge"]) - rank_cost(rank, options["skill_surcharge"])
                while step <= more:
                    rank, more = rank + 1, more - step
                    step = rank_cost(rank + 1, options["skill_surcharge"]) - rank_cost(rank, options["skill_surcharge"])
                fresh["skills"][group] = rank
            yield from spend(fresh, done["left"], at)

    yield from spend(char, points, 0)


@dataclass
class Field:
    """Builds that a duel can tell apart: a character and tactic for each, its numbers, and how many builds it stands
    for."""

    chars: list[Char]
    tactics: list[str]
    figures: np.ndarray  # int64[n, DUELLIST]
    counts: np.ndarray  # int64[n]

    @classmethod
    def of(cls, builds: Iterator[tuple[Char, str]], options: Mapping[str, Any], kit: Kit) -> Field:
        """Merge what a duel cannot tell apart."""
        known: dict[tuple[int, ...], int] = {}
        chars: list[Char] = []
        tactics: list[str] = []
        counts: list[int] = []
        for char, tactic in builds:
            figure = figure_of(char, tactic, options, kit)
            at = known.setdefault(figure, len(known))
            if at == len(chars):
                chars.append(char)
                tactics.append(tactic)
                counts.append(0)
            counts[at] += 1
        if not chars:
            raise ProbespielError("builds: the rules and the weapon class leave no legal build")
        return cls(chars, tactics, np.array(list(known), dtype=np.int64), np.array(counts, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.chars)

    def name(self, i: int) -> str:
        """A build in one line."""
        return describe(self.chars[i], self.tactics[i])


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium over all builds of a field.

    `columns`: the builds examined as opponents, int64[c]; `payoffs`: P(win) - P(loss) of every build against them,
    float64[n, c]; `weights`: chances of the columns, float64[c]; `values`: of every build against the mixture,
    float64[n], none above 0 but for rounding.
    """

    columns: np.ndarray
    payoffs: np.ndarray
    weights: np.ndarray
    values: np.ndarray

    def support(self) -> list[tuple[int, float]]:
        """Builds of the mixture with their chances, the likeliest first."""
        order = np.argsort(-self.weights, kind="stable")
        return [(int(self.columns[k]), float(self.weights[k])) for k in order if self.weights[k] > 1e-6]

    def dominated(self) -> np.ndarray:
        """Builds for which an examined build is never worse and somewhere better, bool[n]: by one of `columns`."""
        out = np.zeros(len(self.payoffs), dtype=bool)
        for k in self.columns:
            lead = self.payoffs[k] - self.payoffs
            out |= (lead >= -1e-12).all(axis=1) & (lead > 1e-9).any(axis=1)
        return out


def payoffs_of(
    duels: Duels, figures: np.ndarray, rows: np.ndarray, columns: np.ndarray, jobs: int, progress: Progress, what: str
) -> np.ndarray:
    """P(win) - P(loss), float64[r, c], of some figures against some, by their numbers, in so many threads."""
    pairs = np.stack([np.repeat(rows, len(columns)), np.tile(columns, len(rows))], axis=1)
    parts = [pairs[k : k + CHUNK] for k in range(0, len(pairs), CHUNK)]
    found = [np.zeros(0)]
    with ThreadPoolExecutor(jobs) as pool:
        for k, part in enumerate(pool.map(lambda some: duels.play(figures, some), parts)):
            found.append(part[:, 0] - part[:, 1])
            progress(what, min(len(pairs), (k + 1) * CHUNK), len(pairs))
    return np.concatenate(found).reshape(len(rows), len(columns))


class DoubleOracle:
    """The search for an equilibrium over a field: few builds against each other, all of them only against a mixture.

    `known`: builds that may be played, of which the equilibrium is a mixture; `scouts`: a sample of the field, among
    which replies are looked for first, for they cost less than a look at everybody.
    """

    def __init__(self, duels: Duels, field: Field, jobs: int, progress: Progress, start: Sequence[int]) -> None:
        self._duels, self._field, self._jobs, self._progress = duels, field, jobs, progress
        n = len(field)

        def spread(k: int) -> list[int]:
            return [int(i) for i in np.linspace(0, n - 1, min(k, n))]

        self.scouts = np.array(sorted({*spread(SCOUTS), *start}), dtype=np.int64)
        self.known = np.array(sorted({*spread(STARTS), *start}), dtype=np.int64)
        self.small = self._play(self.scouts, self.known, "a sample of the builds")  # scouts against known
        self.inner = self._play(self.known, self.known, "the first builds")
        self.columns = np.array(spread(STARTS), dtype=np.int64)  # opponents of the whole field
        self.payoffs = self._play(np.arange(n), self.columns, f"{n} builds against {len(self.columns)} of all kinds")

    def _play(self, rows: np.ndarray, columns: np.ndarray, what: str) -> np.ndarray:
        return payoffs_of(self._duels, self._field.figures, rows, columns, self._jobs, self._progress, what)

    def add(self, fresh: Sequence[int]) -> None:
        """Further builds that may be played."""
        more = np.array(fresh, dtype=np.int64)
        what = f"{len(self.known) + len(more)} builds against each other"
        self.small = np.hstack([self.small, self._play(self.scouts, more, what)])
        cross = self._play(self.known, more, what)
        own = self._play(more, more, what)
        self.inner = np.block([[self.inner, cross], [-cross.T, own]])
        self.known = np.concatenate([self.known, more])

    def mixture(self) -> np.ndarray:
        """Chances of the known builds in the equilibrium among them."""
        return solve_zero_sum((self.inner - self.inner.T) / 2).row

    def better(self, values: np.ndarray, builds: np.ndarray) -> list[int]:
        """The builds that gain most, if any gains."""
        order = np.argsort(-values, kind="stable")
        known = set(self.known.tolist())
        return [int(builds[k]) for k in order[: 4 * ADDED] if values[k] > GAIN and int(builds[k]) not in known][:ADDED]

    def look_at_all(self, weights: np.ndarray) -> np.ndarray:
        """What every build of the field earns against a mixture of the known ones, float64[n]."""
        used = self.known[weights > 0.0]
        fresh = np.array([k for k in used if k not in self.columns], dtype=np.int64)
        if len(fresh):
            what = f"{len(self._field)} builds against {len(fresh)} good ones"
            self.payoffs = np.hstack([self.payoffs, self._play(np.arange(len(self._field)), fresh, what)])
            self.columns = np.concatenate([self.columns, fresh])
        return self.payoffs @ self.over_columns(weights)

    def over_columns(self, weights: np.ndarray) -> np.ndarray:
        """Chances of the known builds as chances of the columns."""
        chance = dict(zip(self.known.tolist(), weights.tolist(), strict=True))
        return np.array([chance.get(int(k), 0.0) for k in self.columns])

    def solve(self) -> Equilibrium:
        """Add replies until no build of the field gains anything."""
        while True:
            weights = self.mixture()
            fresh = self.better(self.small @ weights, self.scouts)
            if fresh:
                self.add(fresh)
                continue
            values = self.look_at_all(weights)
            fresh = self.better(values, np.arange(len(self._field)))
            if not fresh:
                return Equilibrium(self.columns, self.payoffs, self.over_columns(weights), values)
            self.add(fresh)


def solve_field(
    duels: Duels, field: Field, jobs: int = 1, progress: Progress = quiet, start: Sequence[int] = ()
) -> Equilibrium:
    """The equilibrium over all builds of a field; `start`: builds that are known to be good."""
    return DoubleOracle(duels, field, jobs, progress, start).solve()


@dataclass(frozen=True)
class Sample:
    """Skirmishes between builds: means float64[k, k] of the row's payoff, their standard errors, games of a pair."""

    builds: list[int]
    means: np.ndarray
    errors: np.ndarray
    games: int

    def dominated(self, z: float = 2.0) -> list[tuple[int, int, float]]:
        """(worse, better, least lead in standard errors) of pairs in which one is better everywhere by z of them."""
        out = []
        k = len(self.builds)
        for worse in range(k):
            for better in range(k):
                if worse == better:
                    continue
                spread = np.sqrt(self.errors[better] ** 2 + self.errors[worse] ** 2)
                lead = (self.means[better] - self.means[worse]) / np.maximum(spread, 1e-9)
                if lead.min() >= z:
                    out.append((self.builds[worse], self.builds[better], float(lead.min())))
        return out


def sample(
    field: Field, builds: Sequence[int], config: Mapping[str, Any], games: int, seed: int, progress: Progress = quiet
) -> Sample:
    """Skirmishes of one against one between builds, by `brute`, or `diplomat` where that is the tactic."""
    k = len(builds)
    means, errors = np.zeros((k, k)), np.zeros((k, k))
    agent_of = {"attack": "brute", "diplomat": "diplomat"}
    pairs = [(a, b) for a in range(k) for b in range(a + 1, k)]
    known = {key: value for key, value in config.items() if key != "pilot"}
    for number, (a, b) in enumerate(pairs):
        figures = {
            "first": {"team": "red", "char": field.chars[builds[a]], "saga_points": 0},
            "second": {"team": "blue", "char": field.chars[builds[b]], "saga_points": 0},
        }
        game = make_game("oneshot-skirmish", figures=figures, **known)
        wanted = [agent_of[field.tactics[builds[i]]] for i in (a, b)]
        names = sorted(set(wanted))
        seating = np.tile([names.index(name) for name in wanted], (games, 1))
        with Match(game, names, seed) as match:
            outcome = match.play(Schedule.of(seed, np.arange(games), seating))
        payoff = outcome.payoffs[:, 0]
        means[a, b], errors[a, b] = payoff.mean(), error_of(payoff, game.spec.bounds_of_seats[0])
        means[b, a], errors[b, a] = -means[a, b], errors[a, b]
        progress("skirmishes", number + 1, len(pairs))
    return Sample(list(builds), means, errors, games)


@dataclass(frozen=True)
class Advanced:
    """The equilibrium among builds that were raised by so many saga points each."""

    points: int
    field: Field
    equilibrium: Equilibrium


@dataclass(frozen=True)
class BuildSearch:
    """What was found: the field, its equilibrium, what saga points change, and skirmishes if asked for."""

    weapon: str
    options: dict[str, Any]
    legal: int  # builds before those that duels cannot tell apart were merged
    field: Field
    equilibrium: Equilibrium
    advanced: list[Advanced]
    sampled: Sample | None

    def top(self, n: int) -> list[int]:
        """The builds of the mixture, then the best others against it."""
        first = [i for i, _ in self.equilibrium.support()]
        rest = [int(i) for i in np.argsort(-self.equilibrium.values, kind="stable") if i not in first]
        return [*first, *rest][: max(n, len(first))]

    def bases(self) -> list[int]:
        """Builds that saga points are spent on: the best, and the best with every tactic of all attributes."""
        found = self.top(BASES)
        best: dict[tuple[Any, ...], int] = {}
        for i in np.argsort(-self.equilibrium.values, kind="stable"):
            char = self.field.chars[int(i)]
            best.setdefault((*(char[a] for a in ATTRIBUTES), self.field.tactics[int(i)]), int(i))
        return [*found, *(i for i in best.values() if i not in found)]

    def best_by(self, key: Callable[[Char, str], str]) -> dict[str, float]:
        """The best value against the mixture among the builds with the same key, the best first."""
        out: dict[str, float] = {}
        for i, value in enumerate(self.equilibrium.values):
            name = key(self.field.chars[i], self.field.tactics[i])
            out[name] = max(out.get(name, -2.0), float(value))
        return dict(sorted(out.items(), key=lambda item: -item[1]))


def perks_of_text(text: str, options: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """`none`, `all`, or perks joined by + (several sets with commas between); raises ProbespielError."""
    known = [tuple(s) for s in perk_sets(min(3, options["max_perks"]), options["allow_will_to_live"])]
    if text == "none":
        return [()]
    if text == "all":
        return known
    out = []
    for part in text.split(","):
        names = {name.strip() for name in part.split("+")} - {"", "none"}
        found = [s for s in known if set(s) == names]
        if not found:
            allowed = ", ".join(s[0] for s in known if len(s) == 1)
            raise ProbespielError(
                f"perks = {text!r} is not allowed: none, all, or up to {options['max_perks']} of {allowed} joined by +"
            )
        out.append(found[0])
    return out


def search_builds(
    weapon: str,
    scenario: str | None = None,
    config: Mapping[str, Any] | None = None,
    perks: str = "none",
    tactics: Sequence[str] = TACTICS,
    saga: Sequence[int] = (),
    grid_games: int = 0,
    jobs: int = 1,
    seed: int = 0,
    progress: Progress = quiet,
) -> BuildSearch:
    """Search the legal builds of a weapon class; raises RulesetError or ProbespielError naming what is wrong.

    `scenario` is a preset of the build game, `config` options on top of it; `saga`: points to be spent on each build;
    `grid_games`: skirmishes between each two of the best builds, 0 for none.
    """
    for tactic in tactics:
        if tactic not in TACTICS:
            raise ProbespielError(f"tactics: {tactic!r} is not allowed: {', '.join(TACTICS)}")
    for points in saga:
        if isinstance(points, bool) or not isinstance(points, int) or not 1 <= points <= MOST_SAGA:
            raise ProbespielError(f"saga = {points!r} is not allowed: whole numbers 1..{MOST_SAGA}")
    if jobs < 1 or grid_games < 0 or grid_games == 1:
        raise ProbespielError(f"jobs = {jobs}, games = {grid_games}: at least 1 job, and 0 or at least 2 games")
    spec = SYSTEM.spec("oneshot-build", scenario, config or {}, {})
    given = dict(spec.options["config"])
    options = check_options(given, "build")
    if options["pilot"] == "grid":
        raise ProbespielError("pilot = 'grid' is not allowed here: exact (skirmishes between the best builds: --grid)")
    kit = load_kit(options["kit"])
    field = Field.of(legal_builds(options, kit, weapon, perks_of_text(perks, options), tactics), options, kit)
    duels = Duels(Game(spec))  # compiled once it is known that there is something to do
    equilibrium = solve_field(duels, field, jobs, progress)
    found = BuildSearch(weapon, given, int(field.counts.sum()), field, equilibrium, [], None)
    bases = found.bases()
    advanced = []
    for points in saga:
        more = Field.of(
            (
                (char, field.tactics[i])
                for i in bases
                for char in raised(field.chars[i], points, options, kit)
            ),
            options,
            kit,
        )  # fmt: skip
        advanced.append(Advanced(points, more, solve_field(duels, more, jobs, progress)))
    sampled = None
    if grid_games:
        sampled = sample(field, found.top(8), given, grid_games, seed, progress)
    return BuildSearch(weapon, given, found.legal, field, equilibrium, advanced, sampled)


__all__ = ["BuildSearch", "Equilibrium", "Field", "Sample", "describe", "figure_of", "search_builds"]
