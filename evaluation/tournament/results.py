"""The results of a tournament on disk and in memory: one row for each seat of each finished game.

A tournament writes one Parquet *part* for each finished unit of work (normally a seed block). A part appears under its
name only when it is complete, so a killed tournament loses nothing that was finished: `read_parts` says which parts are
good, which are damaged and must be played again, and gives the rows of the good ones. Any other tool can read the same
files, for instance DuckDB: ``SELECT * FROM 'out/part-*.parquet'``.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ...envs.core.disk import replacing
from .counting import Rows, Shared, in_order

SCHEMA_VERSION = "1"

SCHEMA: pa.Schema = pa.schema(
    [
        pa.field("pairing", pa.int32(), nullable=False),  # index of the pairing or seating design
        pa.field("block", pa.int32(), nullable=False),  # seed block; all seatings of one deal share a block
        pa.field("deal", pa.int32(), nullable=False),  # the deal; the same one in every seating of it
        pa.field("seating", pa.int32(), nullable=False),  # which way round the agents sat
        pa.field("game", pa.int64(), nullable=False),  # number of the game, unique in the tournament
        pa.field("seat", pa.int16(), nullable=False),
        pa.field("team", pa.int16(), nullable=False),  # seats with the same team win and lose together
        pa.field("agent", pa.int16(), nullable=False),  # index into the list of agents
        pa.field("payoff", pa.float64(), nullable=False),
        pa.field("result", pa.int8(), nullable=False),  # of the seat's side: +1 win, 0 draw, -1 loss
        pa.field("decisions", pa.int32(), nullable=False),  # decisions this seat took
        pa.field("forfeit", pa.int8(), nullable=False),  # index into FORFEITS: why this seat lost by forfeit
        pa.field("length", pa.int32(), nullable=False),  # length of the game, the same in all its rows
    ]
)

FORFEITS: tuple[str, ...] = ("none", "illegal action", "exception", "out of time")

_PART_NAME = re.compile(r"part-(\d{8})\.parquet\Z")
_RANGES: dict[str, tuple[int, int | None]] = {
    "pairing": (0, None),
    "block": (0, None),
    "deal": (0, None),
    "seating": (0, None),
    "game": (0, None),
    "seat": (0, None),
    "team": (0, None),
    "agent": (0, None),
    "result": (-1, 1),
    "decisions": (0, None),
    "forfeit": (0, len(FORFEITS) - 1),
    "length": (0, None),
}


class ResultsError(ValueError):
    """A results table or results folder that cannot be used; the message names what, where and what to do."""


class ForeignPart(ResultsError):
    """A part that another tournament has written."""


@dataclass(frozen=True, slots=True)
class BadPart:
    """One part file that must be played again: its path and, in words, what is wrong with it."""

    path: Path
    part: int
    reason: str


@dataclass(frozen=True, slots=True)
class GoodPart:
    """One finished part: its number, the texts of its header, how many rows it has, and the rows if they were read."""

    part: int
    header: Mapping[str, str]
    rows: int
    table: pa.Table | None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a results folder holds: the rows of all good parts, their numbers, and the damaged parts."""

    table: pa.Table
    done: frozenset[int]
    bad: tuple[BadPart, ...]


def make_table(columns: Mapping[str, npt.ArrayLike]) -> pa.Table:
    """Build a results table from one array a column (all of the same length), cast to `SCHEMA`.

    Raises `ResultsError` if a column is missing, unknown, too long or short, or holds a value its type cannot.
    """
    unknown = sorted(set(columns) - set(SCHEMA.names))
    if unknown:
        raise ResultsError(f"results have no column {unknown[0]!r}; the columns are {', '.join(SCHEMA.names)}")
    arrays: list[pa.Array] = []
    for field in SCHEMA:
        if field.name not in columns:
            raise ResultsError(f"column {field.name!r} is missing; give one value a row of type {field.type}")
        try:
            arrays.append(pa.array(np.ravel(np.asarray(columns[field.name]))).cast(field.type))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
            raise ResultsError(f"column {field.name!r} does not fit its type {field.type}: {error}") from error
    lengths = {field.name: len(array) for field, array in zip(SCHEMA, arrays, strict=True)}
    if len(set(lengths.values())) > 1:
        raise ResultsError(f"columns differ in length: {lengths}; give one value a row in every column")
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def column(table: pa.Table, name: str) -> npt.NDArray[Any]:
    """One column of a results table as a numpy array of its own type, shape (rows,)."""
    return np.asarray(table.column(name).to_numpy())


def rows_of(table: pa.Table) -> Rows:
    """The columns of a results table that rows of a game have of their own."""
    return Rows(*(column(table, name) for name in Rows._fields))


def shared_of(table: pa.Table) -> Shared:
    """The columns of a results table that the rows of a game share."""
    return Shared(*(column(table, name) for name in Shared._fields))


def validate(table: pa.Table, n_agents: int | None = None) -> pa.Table:
    """Check a results table and return it cast to `SCHEMA` and sorted by game and seat.

    `n_agents`, if given, bounds the agent index. Raises `ResultsError` for a missing column, a null, a value out of
    range, a seat listed twice, a side whose seats disagree on the result, or a game spread over several blocks.
    """
    missing = [name for name in SCHEMA.names if name not in table.column_names]
    if missing:
        raise ResultsError(f"column {missing[0]!r} is missing; the columns are {', '.join(SCHEMA.names)}")
    chosen = table.select(SCHEMA.names)
    for name in SCHEMA.names:
        if chosen.column(name).null_count:
            raise ResultsError(f"column {name!r} holds {chosen.column(name).null_count} nulls; every row needs a value")
    try:
        chosen = chosen.cast(SCHEMA)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise ResultsError(f"results do not fit the schema: {error}") from error
    for name, (low, high) in _RANGES.items():
        _check_range(name, column(chosen, name), low, high)
    if n_agents is not None:
        _check_range("agent", column(chosen, "agent"), 0, n_agents - 1)
    payoff = column(chosen, "payoff")
    if not np.isfinite(payoff).all():
        row = int(np.flatnonzero(~np.isfinite(payoff))[0])
        raise ResultsError(f"payoff is {payoff[row]} in row {row}; payoffs must be finite numbers")
    return _check_games(chosen)


def _check_range(name: str, values: npt.NDArray[Any], low: int, high: int | None) -> None:
    wrong = values < low if high is None else (values < low) | (values > high)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        allowed = f"at least {low}" if high is None else f"between {low} and {high}"
        raise ResultsError(f"{name} is {values[row]} in row {row}; it must be {allowed}")


def _check_games(table: pa.Table) -> pa.Table:
    game, seat, team = (column(table, name) for name in ("game", "seat", "team"))
    if in_order(rows_of(table), shared_of(table)):
        return table
    order = np.lexsort((seat, game))
    if not np.array_equal(order, np.arange(len(order))):
        table = table.take(pa.array(order))
        game, seat, team = (column(table, name) for name in ("game", "seat", "team"))
    same_game = game[1:] == game[:-1]
    twice = same_game & (seat[1:] == seat[:-1])
    if twice.any():
        row = int(np.flatnonzero(twice)[0])
        raise ResultsError(
            f"seat {seat[row]} of game {game[row]} is listed twice; number the games of a tournament once"
        )
    for name in Shared._fields:
        values = column(table, name)
        differs = same_game & (values[1:] != values[:-1])
        if differs.any():
            row = int(np.flatnonzero(differs)[0])
            raise ResultsError(f"game {game[row]} has several values of {name!r}; all rows of a game share it")
    result = column(table, "result")
    by_side = np.lexsort((team, game))
    g, t, r = game[by_side], team[by_side], result[by_side]
    differs = (g[1:] == g[:-1]) & (t[1:] == t[:-1]) & (r[1:] != r[:-1])
    if differs.any():
        row = int(np.flatnonzero(differs)[0])
        raise ResultsError(f"team {t[row]} of game {g[row]} both won and did not; a side has one result")
    return table


def concat(tables: Sequence[pa.Table]) -> pa.Table:
    """Join results tables into one (an empty list gives an empty table of the right schema)."""
    return pa.concat_tables([t.cast(SCHEMA) for t in tables]) if tables else SCHEMA.empty_table()


def write_results(path: Path, table: pa.Table, *, metadata: Mapping[str, str] | None = None) -> Path:
    """Write a results table to one Parquet file, atomically: readers see the old file or the whole new one.

    `metadata` is kept in the file's header. Creates the folder. Raises `OSError` if the disk refuses.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        _dump(table, file, metadata or {})
    return path


def _dump(table: pa.Table, file: IO[bytes], metadata: Mapping[str, str]) -> None:
    header = {"probespiel.schema": SCHEMA_VERSION, **metadata}
    # Page checksums let a reader notice flipped bits, which a Parquet footer alone does not. Numbers of games and deals
    # differ by little from row to row: written as differences they take much less space, and less time.
    pq.write_table(
        table.cast(SCHEMA).replace_schema_metadata(header),
        file,
        compression="zstd",
        use_dictionary=["payoff"],  # type: ignore[arg-type]  # names, as its documentation has it
        column_encoding={name: "DELTA_BINARY_PACKED" for name in SCHEMA.names if name != "payoff"},
        write_page_checksum=True,
    )


def read_results(path: Path, n_agents: int | None = None) -> pa.Table:
    """Read and check one results file. Raises `ResultsError` if it is missing, damaged or breaks the schema."""
    table, _, _ = _read(Path(path), n_agents)
    assert table is not None, "rows were asked for"
    return table


def _read(path: Path, n_agents: int | None, rows: bool = True) -> tuple[pa.Table | None, dict[str, str], int]:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            header = {k.decode(): v.decode() for k, v in (file.schema_arrow.metadata or {}).items()}
            count = file.metadata.num_rows
            table = file.read() if rows else None
    except FileNotFoundError as error:
        raise ResultsError(f"no results file {path}") from error
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ResultsError(f"{path.name} is truncated or damaged: {reason}") from error
    version = header.get("probespiel.schema")
    if version != SCHEMA_VERSION:
        raise ResultsError(f"{path.name} has results schema {version!r}, this program reads {SCHEMA_VERSION!r}")
    return None if table is None else validate(table, n_agents), header, count


def part_path(folder: Path, part: int) -> Path:
    """The path of part number `part` (0 to 99,999,999) in a results folder."""
    if not 0 <= part <= 99_999_999:
        raise ResultsError(f"part is {part}; it must be between 0 and 99999999")
    return Path(folder) / f"part-{part:08d}.parquet"


def write_part(
    folder: Path, part: int, table: pa.Table, *, fingerprint: str, more: Mapping[str, str] | None = None
) -> Path:
    """Write one finished unit of work as `part_bytes` makes it, and return its path. Raises `ResultsError`."""
    return keep_part(folder, part, part_bytes(part, table, fingerprint=fingerprint, more=more))


def keep_part(folder: Path, part: int, data: bytes) -> Path:
    """Write the content of a part atomically and return its path; an older file of that number is replaced."""
    path = part_path(folder, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(data)
    return path


def part_bytes(part: int, table: pa.Table, *, fingerprint: str, more: Mapping[str, str] | None = None) -> bytes:
    """The content of the file of one finished unit of work, wherever it was done.

    `part` numbers the unit (a block, or a block of one pairing); `fingerprint` names the tournament, normally a hash of
    everything that decides its games, so that parts of two tournaments are never mixed; `more` goes into the file's
    header too. Raises `ResultsError`.
    """
    if table.num_rows == 0:
        raise ResultsError(f"part {part} has no rows; write a part only when its games are finished")
    file = io.BytesIO()
    _dump(validate(table), file, {"probespiel.part": str(part), "probespiel.fingerprint": fingerprint, **(more or {})})
    return file.getvalue()


def table_of(data: bytes) -> pa.Table:
    """The rows of the content of a part."""
    return validate(pq.read_table(io.BytesIO(data)))


def read_part(folder: Path, part: int, *, fingerprint: str, n_agents: int | None = None) -> pa.Table:
    """Read and check one part of a tournament.

    Raises `ResultsError` if it is missing, damaged, renamed, or of another tournament (`fingerprint` differs).
    """
    path = part_path(folder, part)
    table, header, _ = _read(path, n_agents, True)
    _check_header(path, part, header, fingerprint)
    assert table is not None
    return table


def _check_header(path: Path, part: int, header: Mapping[str, str], fingerprint: str) -> None:
    found = header.get("probespiel.fingerprint")
    if found != fingerprint:
        raise ForeignPart(
            f"{path} belongs to another tournament (fingerprint {found!r}, expected {fingerprint!r}); "
            "use the same settings as before or another --out folder"
        )
    if header.get("probespiel.part") != str(part):
        raise ResultsError(f"{path.name} holds part {header.get('probespiel.part')}: it was renamed")


def read_parts(folder: Path, *, fingerprint: str, n_agents: int | None = None) -> Parts:
    """Read every finished part of a tournament; damaged parts are listed in `bad`, not raised, and count as not done.

    A missing folder is an empty tournament. Raises `ResultsError` if a part belongs to another tournament
    (`fingerprint` differs), or if two parts hold the same game.
    """
    found = list(each_part(folder, fingerprint=fingerprint, n_agents=n_agents))
    joined = concat([part.table for part in found if isinstance(part, GoodPart) and part.table is not None])
    return Parts(
        validate(joined, n_agents),
        frozenset(part.part for part in found if isinstance(part, GoodPart)),
        tuple(part for part in found if isinstance(part, BadPart)),
    )


def each_part(
    folder: Path, *, fingerprint: str, n_agents: int | None = None, rows: bool = True
) -> Iterator[GoodPart | BadPart]:
    """Every finished part of a tournament in order, one at a time, good or damaged; without `rows` by headers alone.

    A damaged row shows only with `rows`. Raises `ResultsError` if a part belongs to another tournament.
    """
    folder = Path(folder)
    for path in sorted(folder.glob("part-*.parquet")) if folder.is_dir() else []:
        match = _PART_NAME.match(path.name)
        if match is None:
            continue
        part = int(match.group(1))
        try:
            table, header, count = _read(path, n_agents, rows)
            _check_header(path, part, header, fingerprint)
        except ForeignPart:
            raise
        except ResultsError as error:
            yield BadPart(path, part, str(error))
            continue
        yield GoodPart(part, header, count, table)
