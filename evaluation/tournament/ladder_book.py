"""The file of a ladder: who took part, in which version, and every batch of games, in a DuckDB database.

A batch is entered in one transaction, which is on the disk before anybody is told of it: a process may be killed at any
moment, and what it has told is there. One file holds the ladders of many games; a ladder is a game with its rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from ...envs.core.disk import replacing, write_text
from ...envs.core.errors import ProbespielError
from ...envs.core.keys import SECRET_BITS
from . import ladder_text

FORMAT = "1"
PERSON = "a person"  # the version of a player who is one
_LONGEST = 2000  # letters of a text that is imported
_MOST = 10**9  # games of a batch
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
alter table players add column if not exists imported boolean default false;
"""


class LadderError(ProbespielError):
    """A ladder that cannot be used; the text says why and what to do."""


@dataclass(frozen=True)
class Player:
    """An agent in one version: the hash of the files that it is made of, or of the package's agents; or a person.

    `imported`: all that is known of it was imported, and nobody here has entered it.
    """

    id: int
    agent: str
    version: str
    added: str
    imported: bool = False

    @property
    def person(self) -> bool:
        """Whether it is a person, who plays with `probespiel play --rated`."""
        return self.version == PERSON


@dataclass(frozen=True)
class Batch:
    """Games of two players, won, drawn and lost by the first; the seed repeats them.

    `payoff` is its margin: half of what it earned a game more than the second, as in the matrix of a tournament. Where
    what one gains the other loses, that is its mean payoff. `forfeits` are games that the first and the second lost by
    what they did wrong, known when they are played and not kept: the seed shows them again.
    """

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
    forfeits: tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def points(self) -> float:
        """Points of the first: a win counts one, a draw half."""
        return self.wins + self.draws / 2


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"


class Book:
    """The open file of a ladder; to be used in a `with` statement."""

    def __init__(self, path: Path, ladder: str, game: str, scenario: str, ruleset: str) -> None:
        """Open or make a file. Raises LadderError if it is no ladder, or if another process has it open."""
        self.path, self.ladder, self.game, self.scenario, self.ruleset = path, ladder, game, scenario, ruleset
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and not _is_database(path):
            # DuckDB shows files of some endings (.json, .csv, .parquet) as tables, and keeps in memory what is added
            raise LadderError(f"{path} cannot be opened as a ladder: it holds something else; name another file")
        try:
            self._base = duckdb.connect(str(path.absolute()))  # a name such as :memory: is a file, too
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
            "select id, agent, version, added, coalesce(imported, false) from players where ladder = ? order by id",
            [self.ladder],
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

    def enter(self, agent: str, version: str, added: str, imported: bool = False) -> Player:
        """Add a player; one who was imported is entered from now on."""
        players = self.players()
        for known in players:
            if (known.agent, known.version) == (agent, version):
                self._base.execute(
                    "update players set imported = false, added = ? where ladder = ? and id = ?",
                    [added, self.ladder, known.id],
                )
                return Player(known.id, agent, version, added)
        player = Player(len(players), agent, version, added, imported)
        self._base.execute(
            "insert into players values (?, ?, ?, ?, ?, ?)", [self.ladder, player.id, agent, version, added, imported]
        )
        return player

    def record(self, batch: Batch) -> None:
        """Enter a batch; it is on the disk when this returns."""
        values = [
            self.ladder, batch.number, self.game, self.scenario, self.ruleset, batch.first, batch.second,
            str(batch.seed), batch.games, batch.wins, batch.draws, batch.losses, batch.payoff, batch.played,
        ]  # fmt: skip
        self._base.execute("insert into batches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def rows(self) -> pa.Table:
        """All batches of this ladder with names and versions, as they are exported."""
        columns = ", ".join(_COLUMNS)
        joined = (
            f"select {columns} from (select b.*, p.agent as first_agent, p.version as first_version, q.agent as "
            "second_agent, q.version as second_version from batches b "
            "join players p on p.ladder = b.ladder and p.id = b.first "
            "join players q on q.ladder = b.ladder and q.id = b.second where b.ladder = ?) order by number"
        )
        return self._base.sql(joined, params=[self.ladder]).to_arrow_table()

    def export(self, path: Path) -> int:
        """Write all batches, as Parquet if the file's name ends so, else as text; returns how many."""
        found = self.rows()
        if path.suffix == ".parquet":
            with replacing(path) as part:
                pq.write_table(found, part)
        else:
            write_text(path, ladder_text.write(found.to_pylist()))
        return found.num_rows

    def take_in(self, path: Path, now: str) -> tuple[int, int]:
        """Import what `export` wrote, all of it or nothing; returns (batches that are new, batches known already).

        Raises LadderError for a file that is damaged, of another ladder, or holds what no batch can be.
        """
        rows = [_checked(row, path, number) for number, row in enumerate(_read(path), 1)]
        for number, row in enumerate(rows, 1):
            if row["ladder"] != self.ladder:
                raise LadderError(
                    f"{path}: batch {number} is of {row['game']} {row['scenario']}, rules {row['ruleset'][:12]}, not "
                    f"of this ladder, {self.game} {self.scenario}, rules {self.ruleset[:12]} with its options"
                )
        known = {_key(row) for row in self.rows().to_pylist()}
        count = len(self.batches())
        new = 0
        self._base.execute("begin")
        try:
            ids = {(player.agent, player.version): player.id for player in self.players()}
            for row in rows:
                if _key(row) in known:
                    continue
                known.add(_key(row))
                who = [(row[f"{end}_agent"], row[f"{end}_version"]) for end in ("first", "second")]
                for one in who:
                    if one not in ids:
                        ids[one] = self.enter(*one, now, imported=True).id
                self.record(
                    Batch(count + new, ids[who[0]], ids[who[1]], int(row["seed"]), row["games"], row["wins"],
                          row["draws"], row["losses"], row["payoff"], row["played"])
                )  # fmt: skip
                new += 1
            self._base.execute("commit")
        except BaseException:
            self._base.execute("rollback")
            raise
        return new, len(rows) - new


_TEXTS = (
    "ladder", "game", "scenario", "ruleset", "played", "first_agent", "first_version", "second_agent",
    "second_version", "seed",
)  # fmt: skip
_NUMBERS = ("games", "wins", "draws", "losses")
_COLUMNS = (*_TEXTS, *_NUMBERS, "payoff")


def _read(path: Path) -> list[dict[str, Any]]:
    """The rows of an exported file, Parquet or text, as they stand there."""
    try:
        with path.open("rb") as file:
            parquet = file.read(4) == b"PAR1" or path.suffix == ".parquet"
        if parquet:
            return pq.read_table(path).to_pylist()
        return ladder_text.read(path.read_bytes().decode("utf-8"))
    except (pa.ArrowException, OSError, UnicodeDecodeError, ladder_text.TextError) as error:
        raise LadderError(f"{path} cannot be imported: {str(error).splitlines()[0]}") from None


def _checked(row: dict[str, Any], path: Path, number: int) -> dict[str, Any]:
    """A row that can be a batch. Raises LadderError."""
    where = f"{path}: batch {number}"
    if missing := [name for name in _COLUMNS if name not in row]:
        raise LadderError(f"{where} has no {', '.join(missing)}; it is not what `ladder export` writes")
    for name in _TEXTS:
        if not isinstance(row[name], str) or not 0 < len(row[name]) <= _LONGEST:
            raise LadderError(
                f"{where}: {name} is {str(row[name])[:60]!r}; it must be a text of 1 to {_LONGEST} letters"
            )
    for name in _NUMBERS:
        if not isinstance(row[name], int) or not 0 <= row[name] <= _MOST:
            raise LadderError(f"{where}: {name} is {str(row[name])[:60]}; it must be a number from 0 to {_MOST}")
    if row["games"] < 1 or row["wins"] + row["draws"] + row["losses"] != row["games"]:
        raise LadderError(
            f"{where}: {row['wins']} won, {row['draws']} drawn, {row['losses']} lost are not its {row['games']} games"
        )
    if not isinstance(row["payoff"], float) or not math.isfinite(row["payoff"]):
        raise LadderError(f"{where}: payoff is {str(row['payoff'])[:60]}; it must be a finite number")
    seed = row["seed"]
    if not (seed.isascii() and seed.isdecimal() and len(seed) < 60 and int(seed) < 1 << SECRET_BITS):
        raise LadderError(f"{where}: seed is {seed[:60]!r}; it must be a number from 0 to 2**{SECRET_BITS} - 1")
    if (row["first_agent"], row["first_version"]) == (row["second_agent"], row["second_version"]):
        raise LadderError(f"{where}: {row['first_agent'][:60]!r} plays itself")
    return row


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    """What makes a batch the same batch."""
    return tuple(row[name] for name in _COLUMNS)


__all__ = ["PERSON", "Batch", "Book", "LadderError", "Player"]
