"""The file of a ladder: who took part, in which version, and every batch of games, in a DuckDB database.

A batch is entered in one transaction, which is on the disk before anybody is told of it: a process may be killed at any
moment, and what it has told is there. One file holds the ladders of many games; a ladder is a game with its rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from ...envs.core.errors import ProbespielError

FORMAT = "1"
_TABLES = """
create table if not exists about (format text);
create table if not exists players (
    ladder text, id integer, agent text, version text, added text,
    primary key (ladder, id), unique (ladder, agent, version)
);
create table if not exists batches (
    ladder text, number integer, game text, scenario text, ruleset text, first integer, second integer, seed text,
    games integer, wins integer, draws integer, losses integer, payoff double, played text, primary key (ladder, number)
);
"""


class LadderError(ProbespielError):
    """A ladder that cannot be used; the text says why and what to do."""


@dataclass(frozen=True)
class Player:
    """An agent in one version: the hash of the files that it is made of, or of the package's agents."""

    id: int
    agent: str
    version: str
    added: str


@dataclass(frozen=True)
class Batch:
    """Games of two players, won, drawn and lost by the first, and its mean payoff; the seed repeats them."""

    number: int
    first: int
    second: int
    seed: int
    games: int
    wins: int
    draws: int
    losses: int
    payoff: float
    played: str

    @property
    def points(self) -> float:
        """Points of the first: a win counts one, a draw half."""
        return self.wins + self.draws / 2


class Book:
    """The open file of a ladder; to be used in a `with` statement."""

    def __init__(self, path: Path, ladder: str, game: str, scenario: str, ruleset: str) -> None:
        """Open or make a file. Raises LadderError if it is no ladder, or if another process has it open."""
        self.path, self.ladder, self.game, self.scenario, self.ruleset = path, ladder, game, scenario, ruleset
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._base = duckdb.connect(str(path))
            self._base.execute(_TABLES)
            found = self._base.execute("select format from about").fetchall()
            if not found:
                self._base.execute("insert into about values (?)", [FORMAT])
        except duckdb.Error as error:
            raise LadderError(f"{path} cannot be opened as a ladder: {str(error).splitlines()[0]}") from None
        if found and found[0][0] != FORMAT:
            raise LadderError(f"{path} has ladder format {found[0][0]!r}, this program reads {FORMAT!r}")

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def players(self) -> list[Player]:
        """Everybody who ever took part, in the order of entering."""
        rows = self._base.execute(
            "select id, agent, version, added from players where ladder = ? order by id", [self.ladder]
        ).fetchall()
        return [Player(*row) for row in rows]

    def batches(self) -> list[Batch]:
        """All batches, in the order in which they were played."""
        rows = self._base.execute(
            "select number, first, second, seed, games, wins, draws, losses, payoff, played from batches "
            "where ladder = ? order by number",
            [self.ladder],
        ).fetchall()
        return [Batch(row[0], row[1], row[2], int(row[3]), *row[4:]) for row in rows]

    def enter(self, agent: str, version: str, added: str) -> Player:
        """Add a player."""
        player = Player(len(self.players()), agent, version, added)
        self._base.execute(
            "insert into players values (?, ?, ?, ?, ?)", [self.ladder, player.id, agent, version, added]
        )
        return player

    def record(self, batch: Batch) -> None:
        """Enter a batch; it is on the disk when this returns."""
        values = [
            self.ladder, batch.number, self.game, self.scenario, self.ruleset, batch.first, batch.second,
            str(batch.seed), batch.games, batch.wins, batch.draws, batch.losses, batch.payoff, batch.played,
        ]  # fmt: skip
        self._base.execute("insert into batches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def export(self, path: Path) -> int:
        """Write all batches of this ladder with names and versions as Parquet; returns how many."""
        joined = (
            "select b.*, p.agent as first_agent, p.version as first_version, q.agent as second_agent, "
            "q.version as second_version from batches b join players p on p.ladder = b.ladder and p.id = b.first "
            "join players q on q.ladder = b.ladder and q.id = b.second where b.ladder = ? order by number"
        )
        found = self._base.sql(joined, params=[self.ladder]).to_arrow_table()
        pq.write_table(found, path)
        return found.num_rows


__all__ = ["Batch", "Book", "LadderError", "Player"]
