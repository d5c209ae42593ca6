"""Ladders: a rating list that lasts, in which a newcomer plays until its place is known.

Ratings by wins are those of Bradley and Terry (`ratings.py`) over all batches of games. A batch is the unit of the
intervals, because games of a deal have the same cards. With s points of g games, where p were expected, a batch pulls
at the two ratings by s - g p; the covariance of the ratings is that of these pulls between two inverses of the
information (the sandwich of Huber 1967 and White 1982), or the inverse itself, as if all games were independent, where
that is more. Where somebody seldom lost, neither says enough: a half width reaches the farther end of the likelihood's
interval at least (`rating_ends`). Intervals need at least LEAST_BATCHES batches of a player.

Where payoffs tell more than who won (`graded`), who is paid more stands higher: ratings by payoff are the least-squares
fit of r[i] - r[j] to the mean payoffs of all batches, each counting by its games, on the scale of `payoff_ratings`.
Their covariance is the sandwich, or that of equal variances of all games, where that is more.

The next opponent is the one whose batch would shorten the newcomer's interval most, going by the ratings so far.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy  # its parts are loaded when they are called

from ...agents.entrants import entrant_of
from ...agents.intervals import ALIKE, NORMAL
from ...agents.match import MOVE_SECONDS, Schedule
from ...agents.players import make_player
from ...agents.recording import Recorded, recorded
from ...envs.core.engine import Engine, Local
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.jit import digest
from ...envs.core.keys import secret_seed
from .ladder_book import PERSON, Batch, Book, LadderError, Player
from .lone import leads
from .plan import Plan, version_of
from .playing import BlockWork, Order, shown_by
from .rating_ends import likelihood_ends
from .ratings import ELO_SCALE, PRIOR_DRAWS, bradley_terry, comparable, elo, laplacian_inverse
from .results import concat, table_of, validate
from .tally import tally_of

Floats = npt.NDArray[np.float64]

GAMES = 100  # of a batch
PORTIONS = 10  # in which a batch is shared out
ALONE = Local(1)
LEAST_BATCHES = 6


@dataclass(frozen=True)
class Line:
    """One line of a ladder: a player, its rating with an interval (None: too few batches), and its record.

    `current` says whether it can still play: its file is the one that it was entered with. A person always can, an
    imported player never. `paid` is the rating by payoff with its interval, None where payoffs tell no more than wins.
    """

    rank: int
    player: Player
    rating: float
    half_width: float | None
    games: int
    points: float
    current: bool
    paid: float | None = None
    paid_half: float | None = None


def book_of(path: Path, game: Game) -> Book:
    """The ladder of a game and its rules in a file. Raises LadderError."""
    rules = [game.name, str(game.spec.scenario), game.ruleset, repr(sorted(game.spec.options.items()))]
    opposed = game.spec.zero_sum and len(game.sides) == 2
    ladder = digest(rules if opposed else [*rules, "margins"])  # before, batches kept payoffs there
    return Book(path, ladder, game.name, str(game.spec.scenario), game.ruleset)


def rate(players: int, batches: Sequence[Batch], of: Sequence[int] | None = None) -> tuple[Floats, Floats]:
    """Ratings float64[players], mean 1500, and half widths of their 95 % intervals (infinite with few batches).

    Half widths of the players `of` alone, if that is given; the others' are infinite, too.
    """
    wins = np.zeros((players, players))
    for batch in batches:
        wins[batch.first, batch.second] += batch.points
        wins[batch.second, batch.first] += batch.games - batch.points
    theta = bradley_terry(wins, PRIOR_DRAWS)
    inverse = _inverse(theta, wins + wins.T)
    pulls = np.zeros((players, players))
    counts = np.zeros(players)
    for batch in batches:
        i, j = batch.first, batch.second
        missed = batch.points - batch.games / (1 + np.exp(theta[j] - theta[i]))
        pulls[[i, j], [i, j]] += missed**2
        pulls[[i, j], [j, i]] -= missed**2
        counts[[i, j]] += 1
    small = counts / np.maximum(counts - 1, 1)  # few batches spread less than many
    alone = np.diag(inverse)  # the variance as if all games were independent
    variance = np.maximum(np.diag(inverse @ pulls @ inverse) * small, alone)
    known = np.flatnonzero(counts >= LEAST_BATCHES)
    if of is not None:
        known = np.intersect1d(known, np.asarray(of, dtype=np.int64))
    low, high = likelihood_ends(wins, theta, known, variance[known] / alone[known])
    half = np.full(players, np.inf)
    half[known] = np.maximum(NORMAL * np.sqrt(variance[known]), np.maximum(high - theta[known], theta[known] - low))
    return elo(theta), ELO_SCALE * half


def graded(batches: Sequence[Batch]) -> bool:
    """Whether payoffs say more than who won: they are not the wins less the losses, by the same factor everywhere."""
    edges = np.array([(batch.wins - batch.losses) / batch.games for batch in batches])
    paid = np.array([batch.payoff for batch in batches])
    if not len(paid) or not edges.any():
        return bool(paid.any())
    widest = int(np.abs(edges).argmax())
    factor = paid[widest] / edges[widest]
    return bool(factor < 0 or (np.abs(paid - factor * edges) > 1e-9 * max(1.0, np.abs(paid).max())).any())


def rate_by_payoff(players: int, batches: Sequence[Batch]) -> tuple[Floats, Floats]:
    """Ratings by payoff float64[players], mean 0 among all who met, and half widths of their 95 % intervals.

    A half width is infinite with few batches, and where all that was paid is told without any error: nothing is known
    of a spread then. A rating is 0 without any batch.
    """
    games, sums = np.zeros((players, players)), np.zeros(players)
    for batch in batches:
        i, j = batch.first, batch.second
        games[[i, j], [j, i]] += batch.games
        sums[[i, j]] += [batch.games * batch.payoff, -batch.games * batch.payoff]
    inverse = laplacian_inverse(games)
    fit = inverse @ sums
    pulls, counts, missed = np.zeros((players, players)), np.zeros(players), 0.0
    for batch in batches:
        i, j = batch.first, batch.second
        away = batch.payoff - (fit[i] - fit[j])
        pulls[[i, j], [i, j]] += (batch.games * away) ** 2
        pulls[[i, j], [j, i]] -= (batch.games * away) ** 2
        counts[[i, j]] += 1
        missed += batch.games * away**2
    together = comparable(games > 0).sum(axis=1)  # how many can be compared with each
    free = len(batches) - round(float((1 - 1 / together).sum()))  # a group of n has n - 1 differences
    small = counts / np.maximum(counts - 1, 1)
    variance = np.maximum(np.diag(inverse @ pulls @ inverse) * small, missed / max(free, 1) * np.diag(inverse))
    scale = together / np.maximum(together - 1, 1)
    quantile = scipy.special.stdtrit(np.maximum(counts - 1, 1), 0.975)  # of Student's t: the spread is estimated too
    spread = missed > ALIKE**2 * sum(batch.games * batch.payoff**2 for batch in batches)
    known = (counts >= LEAST_BATCHES) & spread
    return fit * scale, np.where(known, quantile * scale * np.sqrt(variance), np.inf)


def _inverse(theta: Floats, games: Floats) -> Floats:
    """The inverse of the information of so many games of each pair about differences of strengths."""
    n = len(theta)
    prior = PRIOR_DRAWS * (1 - np.eye(n))
    p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    return laplacian_inverse((games + prior) * p * (1 - p))


def best_opponent(newcomer: int, others: Sequence[int], players: int, batches: Sequence[Batch]) -> int:
    """Of `others`, the one with whom another batch would shorten the newcomer's interval most; the first of equals."""
    wins = np.zeros((players, players))
    for batch in batches:
        wins[batch.first, batch.second] += batch.points
        wins[batch.second, batch.first] += batch.games - batch.points
    theta = bradley_terry(wins, PRIOR_DRAWS)
    inverse = _inverse(theta, wins + wins.T)

    def gain(other: int) -> float:
        p = 1 / (1 + np.exp(theta[other] - theta[newcomer]))
        tells = GAMES * p * (1 - p)
        apart = inverse[:, newcomer] - inverse[:, other]
        return float(tells * apart[newcomer] ** 2 / (1 + tells * (apart[newcomer] - apart[other])))

    return max(others, key=gain)


def lines(book: Book) -> list[Line]:
    """The ladder, best first, by payoff where that tells more than wins, and last who has not played."""
    players, batches = book.players(), book.batches()
    if not players:
        return []
    ratings, half = rate(len(players), batches)
    games, points = np.zeros(len(players), dtype=np.int64), np.zeros(len(players))
    for batch in batches:
        games[[batch.first, batch.second]] += batch.games
        points[[batch.first, batch.second]] += [batch.points, batch.games - batch.points]
    paid, paid_half = rate_by_payoff(len(players), batches) if graded(batches) else (None, None)
    by = ratings if paid is None else paid
    order = sorted(range(len(players)), key=lambda i: (games[i] == 0, -by[i], i))
    return [
        Line(
            rank + 1,
            players[i],
            float(ratings[i]),
            float(half[i]) if np.isfinite(half[i]) else None,
            int(games[i]),
            float(points[i]),
            players[i].person or is_current(players[i]),
            None if paid is None else float(paid[i]),
            float(paid_half[i]) if paid_half is not None and np.isfinite(paid_half[i]) else None,
        )
        for rank, i in enumerate(order)
    ]


def is_current(player: Player) -> bool:
    """Whether a player is an agent that was entered here, and still what it was then.

    Names that were imported are never looked up: they may mean something else here.
    """
    if player.person or player.imported:
        return False
    try:
        return version_of(player.agent) == player.version
    except ProbespielError:  # an agent of a package or a file that is gone
        return False


def enter(book: Book, game: Game, agents: Sequence[str]) -> list[Player]:
    """Enter agents, and those whose file has changed as new versions; returns who is new. Raises AgentError."""
    known = {(player.agent, player.version) for player in book.players() if not player.imported}
    new = []
    for agent in dict.fromkeys(agents):
        entrant = entrant_of(agent, game)
        if entrant.loadout:
            raise LadderError(
                f"agent {agent!r}: a ladder has no loadouts; they are compared by `probespiel tournament`"
            )
        text = entrant.text
        if entrant.agent.name == "human":
            raise LadderError("a human cannot be entered in a ladder; `probespiel play` is for people")
        version = version_of(text)
        if (text, version) not in known:
            new.append((text, version))
    if not new:
        return []
    for text, _ in new:  # bad agents show before anybody is entered
        make_player(text, game, 0, None).close()
    return [book.enter(agent, version, _now()) for agent, version in new]


@dataclass(frozen=True)
class PersonsGame:
    """A rated game of a person: against which agent, the score (1, 0.5 or 0), the margin, and when it ended."""

    opponent: str
    score: float
    payoff: float
    ended: str


def enter_games(book: Book, person: str, games: Sequence[PersonsGame]) -> tuple[int, list[str]]:
    """Enter rated games of a person that are not in the book yet, each a batch of its own.

    Returns how many are new, and opponents that are not in the ladder as they are now: games with them can be entered
    when they are. The seed of such a batch is 0: nobody can play it again.
    """
    known = {player.agent: player.id for player in book.players() if is_current(player)}
    present = {player.agent: player.id for player in book.players() if player.person}
    done = {batch.played for batch in book.batches() if batch.first == present.get(person)}
    entered, missing = 0, dict[str, None]()
    for game in games:
        if game.ended in done:
            continue
        if game.opponent not in known:
            missing[game.opponent] = None
            continue
        if person not in present:
            present[person] = book.enter(person, PERSON, game.ended).id
        won, drawn = int(game.score == 1), int(game.score == 0.5)
        result = (1, won, drawn, 1 - won - drawn, game.payoff, game.ended)
        book.record(Batch(len(book.batches()), present[person], known[game.opponent], 0, *result))
        done.add(game.ended)
        entered += 1
    return entered, list(missing)


def place(
    book: Book,
    game: Game,
    newcomer: Player,
    within: float,
    most: int,
    move_seconds: float | None = MOVE_SECONDS,
    engine: Engine = ALONE,
) -> Iterator[Batch]:
    """Play a newcomer until its interval is `within` points to either side, or it has `most` games in the ladder.

    Yields every batch when it is in the book. The games of a batch are shared out by the `engine`. The interval is that
    of the rating by wins, whose unit is the same in every game; nothing is played where nobody else `is_current`.
    """
    while True:
        players, batches = book.players(), book.batches()
        others = [player.id for player in players if player.id != newcomer.id and is_current(player)]
        played = sum(batch.games for batch in batches if newcomer.id in (batch.first, batch.second))
        if not others or played >= most or _half(len(players), batches, newcomer) <= within:
            return
        other = best_opponent(newcomer.id, others, len(players), batches)
        batch = play(book, game, newcomer, players[other], len(batches), move_seconds, engine)
        book.record(batch)
        yield batch


def _half(players: int, batches: Sequence[Batch], player: Player) -> float:
    return float(rate(players, batches, [player.id])[1][player.id])


@dataclass(frozen=True)
class BatchWork(BlockWork):
    """Some blocks of a batch; a job is a tuple of their numbers, its result the content of their files."""

    def do(self, job: Any) -> Any:
        """Play some blocks."""
        return [super(BatchWork, self).do(Order(block)).part for block in job]


def play(
    book: Book,
    game: Game,
    first: Player,
    second: Player,
    number: int,
    move_seconds: float | None = MOVE_SECONDS,
    engine: Engine = ALONE,
    seed: int | None = None,
) -> Batch:
    """Play a batch of two players with a seed of its own, which is drawn unless it is given."""
    seed = secret_seed() if seed is None else seed
    entrants = [entrant_of(player.agent, game) for player in (first, second)]
    plan = Plan.of(game, entrants, GAMES, seed, move_seconds)
    if engine is ALONE:
        with plan.match(game) as match:
            tables = []
            for block in range(plan.blocks):
                schedule, about = plan.block(block)
                tables.append(plan.table(block, schedule, about, plan.play(match, schedule)))
    else:
        work = BatchWork(plan, shown_by(plan))
        parts = np.array_split(np.arange(plan.blocks), min(PORTIONS, plan.blocks))
        found = sorted(engine.map(work, [tuple(part.tolist()) for part in parts]))
        tables = [table_of(data) for done in found for data in done.answer]
        work.dismiss()
    counts, payoff, forfeits = _counted(tables)
    return Batch(number, first.id, second.id, seed, *counts, payoff, _now(), forfeits)


def shown(book: Book, game: Game, number: int, move_seconds: float | None = MOVE_SECONDS) -> Recorded:
    """A game of a batch step by step: the one of middle result among those that its better player wins.

    The whole batch is played again from its seed. Raises LadderError if there is none of that number, if a person took
    part, if a player is not what it was then, or if the batch comes out otherwise now.
    """
    batches, players = book.batches(), book.players()
    if not 0 <= number < len(batches):
        raise LadderError(f"batch {number} is not in the ladder: there are {len(batches)}, numbered from 0 on")
    batch = batches[number]
    both = [players[batch.first], players[batch.second]]
    if not batch.seed:
        raise LadderError(f"batch {number} is a game of {both[0].agent}, a person: it has no seed")
    for player in both:
        if not is_current(player):
            raise LadderError(_absent(number, player))
    plan = Plan.of(game, [entrant_of(player.agent, game) for player in both], GAMES, batch.seed, move_seconds)
    with plan.match(game) as match:
        schedules, ahead, tables = [], [], []
        for block in range(plan.blocks):
            schedule, about = plan.block(block)
            outcome = plan.play(match, schedule)
            tables.append(plan.table(block, schedule, about, outcome))
            schedules.append(schedule)
            ahead.append(leads(schedule, outcome))
        found, *_ = _counted(tables)
        if found != (batch.games, batch.wins, batch.draws, batch.losses):
            raise LadderError(
                f"batch {number} cannot be shown: played again it ends {'-'.join(map(str, found[1:]))} instead of "
                f"{batch.wins}-{batch.draws}-{batch.losses}; its result stands"
            )
        gaps, where = np.concatenate(ahead), np.repeat(np.arange(plan.blocks), [len(one) for one in schedules])
        better = 0 if batch.wins >= batch.losses else 1
        takes_part = np.concatenate([(schedule.seating == better).any(axis=1) for schedule in schedules])
        told = takes_part & (np.sign(gaps) == np.sign(batch.wins - batch.losses))
        rows = np.flatnonzero(told if told.any() else takes_part)
        row = int(rows[np.lexsort((rows, gaps[rows]))][(len(rows) - 1) // 2])
        one, at = schedules[where[row]], row - int(np.flatnonzero(where == where[row])[0])
        game_of = Schedule(one.seating[[at]], one.dice[[at]], one.tables[[at]])
        return recorded(match, game_of, [player.agent for player in both])


def _absent(number: int, player: Player) -> str:
    """Why a batch cannot be played again."""
    if player.imported:
        return (
            f"batch {number} was imported: {player.agent} was entered elsewhere, in version {player.version}; if it is "
            f"the same here, `ladder GAME add {player.agent}` enters it"
        )
    return f"batch {number}: {player.agent} is not here as it was entered, version {player.version}"


def _counted(tables: Sequence[pa.Table]) -> tuple[tuple[int, int, int, int], float, tuple[int, int]]:
    """Games of two players, won, drawn and lost by the first, its margin (`Batch.payoff`), and forfeits of both."""
    tally = tally_of(validate(concat(tables), 2), 2)
    pairs = tally.pairs
    games, points, payoff, draws = pairs[:, 0, 1]
    won = points - draws / 2
    margin = (payoff - pairs[2, 1, 0]) / 2 / games
    first, second = (len({game for game, _, agent, _ in tally.forfeits.tolist() if agent == who}) for who in (0, 1))
    return (round(games), round(won), round(draws), round(games - won - draws)), float(margin), (first, second)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


__all__ = [
    "GAMES",
    "Line",
    "PersonsGame",
    "best_opponent",
    "book_of",
    "enter",
    "enter_games",
    "graded",
    "is_current",
    "lines",
    "place",
    "play",
    "rate",
    "rate_by_payoff",
    "shown",
]
