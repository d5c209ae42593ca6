"""What became of the games of a user: one line a finished game in a file beside the journals, counts, and ratings.

A game counts for the rating if one person played it against agents of one kind, nobody took anything back or asked for
a hint, and it neither went on from the middle of another nor was thrown by a seed that was known before. A rating is
told against each opponent: the difference that a player has who takes that share of the points, on the scale of the
tournaments (100 points more mean 64 % of them). On the scale of a game's levels count those against levels by the rules
in which they were measured (its first scenario).
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...agents.declaration import Lineup, agents_of
from ...agents.intervals import LEVEL, NORMAL, share_ends
from ...agents.registry import parse_agent
from ...envs.core.build import ruleset_hash
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.registry import system_of

NAME = "played.jsonl"
MAX_BYTES = 1 << 26
POINTS = 400.0 / math.log(10.0)  # Elo points for each natural logarithm of odds
_FAR = 10_000.0  # rating points beyond which nothing is looked for
# what is told below ratings, in English and German
ABOUT_RATINGS = (
    "A rating of +100 means 64 % of the points. Games count in which nothing was taken back, no hint or value bar was "
    "asked for, and which did not begin in the middle of another or by a seed of your own; the interval is one of "
    "95 %. On the scale of the levels count games against levels in a game's first scenario as it is: there they were "
    "measured.",
    "Eine Wertung von +100 bedeutet 64 % der Punkte. Es zählen Spiele, in denen nichts zurückgenommen, kein Tipp und "
    "kein Wertbalken erbeten wurde und die weder mitten in einem anderen noch mit eigenem Startwert begannen; das "
    "Intervall ist eines von 95 %. Auf der Skala der Stufen zählen Spiele gegen Stufen im ersten Szenario des Spiels, "
    "wie es ist: dort sind sie gemessen.",
)
TOGETHER = (
    "Where all win or lose together nobody is rated.",
    "Wo alle zusammen gewinnen oder verlieren, wird niemand gewertet.",
)


@dataclass(frozen=True)
class Played:
    """A finished game: when (seconds since the epoch), what, who, and how it ended for the person.

    `opponent` is the text of the agents in the other seats (those of different ones joined by ` + `), `score` 1, 0.5 or
    0 (None: no other side), `payoff` that of the person's seat, `practice` whether it does not count for the rating.
    `file` is the name of its replay; `rated` says that it was begun as a rated game. `margin` is half of what the
    person's side earned more than the other sides on average (None: no other side, or a line from before it was kept).
    `usual` says that the rules were those in which the game's levels were measured (None: from before it was kept).
    """

    when: float
    game: str
    scenario: str
    modules: tuple[str, ...]
    ruleset: str
    seat: str
    opponent: str
    score: float | None
    payoff: float
    practice: bool
    file: str
    rated: bool = False
    margin: float | None = None
    usual: bool | None = None


def outcome_of(
    game: Game, cast: Mapping[int, str], payoffs: Sequence[float], practice: bool, file: str, rated: bool = False
) -> Played | None:
    """The line of a finished game; None unless one person played, who may have played several seats of a side."""
    people = sorted(seat for seat, name in cast.items() if name.partition(":")[0] == "human")
    if len({(cast[seat], game.seats[seat].side) for seat in people}) != 1:
        return None
    seat = people[0]
    means = {name: sum(payoffs[s] for s in seats) / len(seats) for name, seats in game.sides}
    own = means.pop(game.seats[seat].side)
    best = max(means.values(), default=None)
    score = None if best is None else 1.0 if own > best else 0.5 if own == best else 0.0
    others = dict.fromkeys(name for at, name in sorted(cast.items()) if at not in people)
    return Played(
        when=round(time.time(), 1),
        game=game.name,
        scenario=game.spec.scenario,
        modules=tuple(game.spec.options.get("modules") or ()),
        ruleset=game.ruleset,
        seat=game.seats[seat].name,
        opponent=" + ".join(others),
        score=score,
        payoff=float(sum(payoffs[at] for at in people) / len(people)),
        practice=practice,
        file=file,
        rated=rated,
        margin=(own - sum(means.values()) / len(means)) / 2 if means else None,
        usual=_is_usual(game),
    )


def _is_usual(game: Game) -> bool:
    """Whether a game is its first scenario with no option changed and no module, in which its levels are measured."""
    first = system_of(game.name).spec(game.name, None, {}, {})
    same_rules = ruleset_hash(first.sources) == game.ruleset
    return same_rules and first.scenario == game.spec.scenario and first.params.tobytes() == game.spec.params.tobytes()


def note(folder: Path, played: Played) -> None:
    """Append a game to the user's record; it is on the disk when this returns. Raises OSError."""
    line = json.dumps(asdict(played), ensure_ascii=False) + "\n"
    with (folder / NAME).open("ab") as file:
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def record(folder: Path) -> list[Played]:
    """All games of a record, the first one first; lines that are damaged are left out. Raises OSError."""
    path = folder / NAME
    if not path.exists():
        return []
    with path.open("rb") as file:
        data = file.read(MAX_BYTES)
    found = (_read(line) for line in data.splitlines())
    return [played for played in found if played is not None]


def _read(line: bytes) -> Played | None:
    try:
        content: dict[str, Any] = json.loads(line)
        played = Played(**{**content, "modules": tuple(content["modules"])})
    except (ValueError, TypeError, KeyError):  # half a line of a computer that went off, or somebody's own
        return None
    texts = (played.game, played.scenario, played.ruleset, played.seat, played.opponent, played.file, *played.modules)
    numbers = (played.when, played.payoff, *(n for n in (played.score, played.margin) if n is not None))
    flags = (played.practice, played.rated, *([] if played.usual is None else [played.usual]))
    whole = all(isinstance(text, str) for text in texts) and all(flag in (True, False) for flag in flags)
    return played if whole and all(isinstance(n, int | float) and math.isfinite(n) for n in numbers) else None


@dataclass(frozen=True)
class Standing:
    """What a person has reached in a game against one opponent.

    `games` are all, `rated` those that count: of them `won`, `drawn`, `lost`; `payoff` is the mean payoff of all games.
    `level` is that of the opponent, 0 if it is none. `rating` is the difference to the opponent and `low`, `high` its
    95 % interval; all three are None without a rated game.
    `together`: there is no other side, all win or lose together.
    """

    game: str
    opponent: str
    level: int
    games: int
    rated: int
    won: int
    drawn: int
    lost: int
    payoff: float
    rating: float | None
    low: float | None
    high: float | None
    together: bool = False


def standings(games: Iterable[Played]) -> list[Standing]:
    """What was reached, by game and opponent: a level before other opponents, those met most often first."""
    groups: dict[tuple[str, str], list[Played]] = {}
    for played in games:
        rules = "".join(f" +{module}" for module in sorted(played.modules))
        groups.setdefault((f"{played.game}{rules}", played.opponent), []).append(played)
    found = [_standing(game, opponent, group) for (game, opponent), group in groups.items()]
    return sorted(found, key=lambda one: (one.game, one.level == 0, one.level, -one.games, one.opponent))


def _standing(game: str, opponent: str, group: list[Played]) -> Standing:
    rated = [played.score for played in group if not played.practice and played.score is not None]
    rating, low, high = difference(sum(rated), len(rated)) if rated else (None, None, None)
    return Standing(
        game=game,
        opponent=opponent,
        level=level_of(group[0].game, opponent),
        games=len(group),
        rated=len(rated),
        won=rated.count(1.0),
        drawn=rated.count(0.5),
        lost=rated.count(0.0),
        payoff=sum(played.payoff for played in group) / len(group),
        rating=rating,
        low=low,
        high=high,
        together=all(played.score is None for played in group),
    )


def difference(points: float, games: int) -> tuple[float, float, float]:
    """(difference of ratings, its 95 % interval from, to) of who took so many points in so many games (at least one).

    The interval is that of the shares which so many points do not refute (Clopper and Pearson), which holds where few
    games were lost, too; the difference is that of the share with one drawn game more, so that it is finite.
    """
    low, high = share_ends(points, games)
    return _points((points + 0.5) / (games + 1)), _points(low), _points(high)


def _points(share: float) -> float:
    """The difference of ratings with which that share of the points is expected; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    return math.inf if share >= 1.0 else POINTS * math.log(share / (1.0 - share))


def points(value: float) -> str:
    """A difference of ratings as a text: whole, signed, infinite where the games set no bound."""
    return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "-∞")


@dataclass(frozen=True)
class Rating:
    """A person's rating in a game on the scale of its levels, of which the first is at 0, from so many rated games.

    `low` and `high` are the ends of the 95 % interval, infinite where all games were won or lost; `level` is the
    highest one whose rating it reaches, 0 if none.
    """

    game: str
    games: int
    rating: float
    low: float
    high: float
    level: int


def ratings(games: Iterable[Played]) -> list[Rating]:
    """One rating a game, from the rated games against levels by the rules in which the levels' ratings are known."""
    against: dict[str, list[tuple[float, float]]] = {}
    for played in games:
        known = _lineup(played.game).ratings
        level = level_of(played.game, played.opponent) if not played.practice and _by_known_rules(played) else 0
        if played.score is not None and 1 <= level <= len(known):
            against.setdefault(played.game, []).append((known[level - 1], played.score))
    found = []
    for game, met in sorted(against.items()):
        rating, low, high = rated(met)
        reached = sum(known <= rating for known in _lineup(game).ratings)
        found.append(Rating(game, len(met), rating, low, high, reached))
    return found


def _by_known_rules(played: Played) -> bool:
    """Whether the levels' ratings hold for a game; of lines that do not say it the first scenario counts."""
    if played.modules:
        return False
    if played.usual is not None:
        return played.usual
    try:
        return played.scenario == system_of(played.game).scenarios(played.game)[0]
    except ProbespielError:  # a game that is not installed any more
        return False


def rated(met: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """(rating, low, high) of whoever took these points (1, 0.5, 0) from opponents of these ratings.

    The likeliest rating by the model of Bradley and Terry, with one drawn game more against an opponent of the mean
    rating, so that it is finite; the interval is where the likelihood ratio test does not refuse at 5 %. Who won all
    games is as strong at least as somebody who does so with a chance of 2.5 %: there the test is too sure.
    """
    mean = sum(opponent for opponent, _ in met) / len(met)
    points = sum(score for _, score in met)
    groups: dict[float, tuple[int, float]] = {}  # games and points by the opponent's rating
    for opponent, score in met:
        games, won = groups.get(opponent, (0, 0.0))
        groups[opponent] = games + 1, won + score

    def surplus(rating: float, more: float = 0.0) -> float:  # falls as the rating grows; 0 at the likeliest one
        expected = sum(games * _share(rating - opponent) for opponent, (games, _) in groups.items())
        return points + more / 2 - expected - more * _share(rating - mean)

    def fit(rating: float) -> float:
        return sum(
            won * _log_share(rating - opponent) + (games - won) * _log_share(opponent - rating)
            for opponent, (games, won) in groups.items()
        )

    found = _where(lambda rating: surplus(rating, 1.0), -_FAR, _FAR)
    all_won, all_lost = points == len(met), points == 0
    best = 0.0 if all_won or all_lost else fit(_where(surplus, -_FAR, _FAR))
    least = math.log((1 - LEVEL) / 2) if all_won or all_lost else best - NORMAL**2 / 2
    low = -math.inf if all_lost else _where(lambda rating: least - fit(rating), -_FAR, found)
    high = math.inf if all_won else _where(lambda rating: fit(rating) - least, found, _FAR)
    return found, low, high


def _where(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls crosses 0."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def _share(difference: float) -> float:
    return math.exp(_log_share(difference))


def _log_share(difference: float) -> float:
    """The logarithm of the share of the points that a lead stands for."""
    x = difference / POINTS
    return -math.log1p(math.exp(-x)) if x > 0 else x - math.log1p(math.exp(x))


def _lineup(game: str) -> Lineup:
    """Who plays a game; nobody special in one that is not installed any more."""
    try:
        return agents_of(system_of(game).name).lineups.get(game, Lineup())
    except ProbespielError:
        return Lineup()


def level_of(game: str, opponent: str) -> int:
    """Which level of a game an opponent is, whatever its time limit; 0 if it is none."""
    try:
        levels = _lineup(game).levels
        asked = _timeless(opponent)
    except ProbespielError:  # a game that is not installed any more, several opponents
        return 0
    return next((number for number, name in enumerate(levels, 1) if _timeless(name) == asked), 0)


def _timeless(agent: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    parsed = parse_agent(agent)
    return parsed.name, tuple(sorted((k, str(v)) for k, v in parsed.values.items() if k != "seconds"))


__all__ = [
    "ABOUT_RATINGS", "TOGETHER", "Played", "Rating", "Standing", "difference", "level_of", "note", "outcome_of",
    "points", "rated", "ratings", "record", "standings",
]  # fmt: skip
