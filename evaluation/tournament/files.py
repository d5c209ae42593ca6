"""The folder of a tournament: its settings, finished blocks, messages of forfeits; starting anew and resuming.

`tournament.json` holds the settings and whether all blocks are finished; while bots from outside play it does not hold
a seed that was drawn, since they could read it. `part-*.parquet` are the blocks
(`results.py`), `part-*.json` beside one lists its forfeits in words. `results.parquet` has all rows in one file,
`summary.json` and `report.html` the analysis. Every block has a tally in its header, which is all that the analysis
needs; of a tournament with more than MOST_ROWS rows there is no `results.parquet`: the blocks hold them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...envs.core.disk import write_text
from .plan import Plan, TournamentError
from .results import BadPart, Parts, ResultsError, each_part, part_bytes, part_path, read_parts, read_results, validate
from .tally import Tally, read_tally, tally_of, tally_text

SETTINGS = "tournament.json"
FORMAT = "probespiel-tournament/1"
MOST_ROWS = 2_000_000  # of results.parquet
_TALLY = "probespiel.tally"
_OURS = (SETTINGS, "results.parquet", "summary.json", "report.html")


@dataclass(frozen=True)
class BlockNotes:
    """What a block tells besides its rows: agents that were not asked any more, and forfeits (game, seat, message)."""

    stopped: tuple[int, ...] = ()
    messages: tuple[tuple[int, int, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not self.stopped and not self.messages


@dataclass
class Store:
    """The open folder of a tournament: what is finished, and what was damaged and is played again."""

    folder: Path
    done: set[int] = field(default_factory=set)
    damaged: tuple[str, ...] = ()


def drop_leftovers(folder: Path) -> None:
    """Remove what a worker that was killed in the middle of writing has left; nobody else may be writing now."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def open_store(folder: Path, plan: Plan, resume: bool, overwrite: bool) -> Store:
    """Make a folder ready for a tournament.

    A tournament in it gives way to the new one only with `overwrite`, finished or not, and with `resume` it is
    continued. Raises TournamentError (also if settings differ), ResultsError or OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = _read_settings(folder)
    if resume and found is not None:
        differences = plan.differences(found["settings"])
        if differences:
            raise TournamentError(
                f"{folder} holds a tournament with other settings: {'; '.join(differences[:3])}. Resume with the same "
                "settings, or choose another --out folder"
            )
        drop_leftovers(folder)
        store = Store(folder)
        for part in each_part(folder, fingerprint=plan.fingerprint, n_agents=len(plan.agents)):
            try:
                if isinstance(part, BadPart):
                    raise ResultsError(part.reason)
                read_notes(folder, part.part)
            except ResultsError as error:
                store.damaged += (str(error),)
            else:
                store.done.add(part.part)
        return store
    parts_there = sorted(folder.glob("part-*.parquet"))
    if found is None and parts_there:
        raise TournamentError(
            f"{folder} has {parts_there[0].name}, but no {SETTINGS} that says which tournament it belongs to; choose "
            "another --out folder"
        )
    if found is not None and parts_there and not overwrite:
        whole = found["finished"]
        raise TournamentError(
            f"{folder} holds {'a finished' if whole else 'an unfinished'} tournament ({len(parts_there)} blocks are "
            f"done): {'tell it again' if whole else 'continue it'} with --resume, drop it with --overwrite, or name "
            "another folder with --out"
        )
    drop_leftovers(folder)
    ours = [*folder.glob("part-*.json"), *folder.glob("replays/game-*.json"), *(folder / name for name in _OURS)]
    for path in [*parts_there, *ours]:
        path.unlink(missing_ok=True)
    save_settings(folder, plan, finished=False, tell=False)
    return Store(folder)


def save_settings(folder: Path, plan: Plan, *, finished: bool, tell: bool = True) -> None:
    """Write the settings, and whether all blocks are there; without `tell` a secret seed is left out."""
    settings = {k: v for k, v in plan.settings.items() if k != "seed" or tell or not plan.secret}
    content = {"format": FORMAT, "finished": finished, "drawn": plan.drawn, "settings": settings}
    write_text(folder / SETTINGS, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def stored_seed(folder: Path) -> tuple[int, bool] | None:
    """The seed of the tournament in a folder and whether it was drawn; None without a tournament.

    Raises TournamentError if the seed is lost.
    """
    found = _read_settings(folder)
    if found is None:
        return None
    seed = found["settings"].get("seed")
    if not isinstance(seed, int):
        raise TournamentError(
            f"{folder}: the seed of this tournament was drawn and kept from the bots, in memory alone; it was lost "
            "when the process was killed, so that nothing can be continued. Begin anew with --overwrite; "
            "with a secret --seed a kill loses nothing"
        )
    return seed, bool(found["drawn"])


def stored_settings(folder: Path) -> dict[str, Any]:
    """The settings of the tournament in a folder, its seed among them. Raises TournamentError without one."""
    found = _read_settings(folder)
    if found is None:
        raise TournamentError(f"{folder} holds no tournament: there is no {SETTINGS} in it")
    if not isinstance(found["settings"].get("seed"), int):
        raise TournamentError(f"{folder}: the seed of this tournament is kept from the bots until it is over")
    return found["settings"]


def free_folder(folder: Path) -> Path:
    """The folder, or while a finished tournament lies there FOLDER-2, FOLDER-3 and so on: it stays where it is."""
    number, free = 1, folder
    while (found := _read_settings(free)) is not None and found["finished"]:
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def _read_settings(folder: Path) -> dict[str, Any] | None:
    path = folder / SETTINGS
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, or an integer of too many digits
        raise TournamentError(f"{path} is damaged ({error}); choose another --out folder") from None
    if (
        not isinstance(content, dict)
        or content.get("format") != FORMAT
        or not isinstance(content.get("settings"), dict)
    ):
        raise TournamentError(f"{path} is not a {FORMAT} file; choose another --out folder")
    marks = {name: bool(content.get(name)) for name in ("finished", "drawn")}
    return {**marks, "settings": content["settings"]}


def _notes_path(folder: Path, block: int) -> Path:
    return part_path(folder, block).with_suffix(".json")


def write_notes(folder: Path, block: int, notes: BlockNotes) -> None:
    """Write the notes of a block if there are any; to be done before its part is written."""
    path = _notes_path(folder, block)
    if notes.empty:
        path.unlink(missing_ok=True)
    else:
        write_text(path, json.dumps({"stopped": notes.stopped, "messages": notes.messages}, ensure_ascii=False) + "\n")


def read_notes(folder: Path, block: int) -> BlockNotes:
    """The notes of a finished block. Raises ResultsError if they are damaged."""
    path = _notes_path(folder, block)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        stopped = tuple(int(i) for i in content["stopped"])
        return BlockNotes(stopped, tuple((int(g), int(s), str(m)) for g, s, m in content["messages"]))
    except FileNotFoundError:
        return BlockNotes()
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ResultsError(f"{path.name} is damaged: {type(error).__name__}: {error}") from None


def messages_of(folder: Path, blocks: Iterable[int]) -> dict[tuple[int, int], str]:
    """All messages of forfeits by (game, seat)."""
    return {(game, seat): text for block in sorted(blocks) for game, seat, text in read_notes(folder, block).messages}


def block_bytes(block: int, table: pa.Table, plan: Plan) -> bytes:
    """The content of the file of a finished block, with its tally."""
    rows = validate(table, len(plan.agents))
    more = {_TALLY: tally_text(tally_of(rows, len(plan.agents)))} if rows.num_rows else {}
    return part_bytes(block, rows, fingerprint=plan.fingerprint, more=more)


def read_tallies(folder: Path, plan: Plan) -> tuple[dict[int, Tally], int]:
    """The tallies of all finished blocks, in their order, and how many rows they have; rows are not read.

    Blocks that an earlier version wrote have no tally and are counted. Raises ResultsError.
    """
    n_agents, found, rows = len(plan.agents), {}, 0
    for part in each_part(folder, fingerprint=plan.fingerprint, n_agents=n_agents, rows=False):
        if isinstance(part, BadPart):
            continue
        text = part.header.get(_TALLY)
        found[part.part] = (
            tally_of(read_results(part_path(folder, part.part), n_agents), n_agents)
            if text is None
            else read_tally(text, n_agents)
        )
        rows += part.rows
    return found, rows


def read_all(folder: Path, plan: Plan) -> Parts:
    """All finished blocks. Raises ResultsError."""
    return read_parts(folder, fingerprint=plan.fingerprint, n_agents=len(plan.agents))


__all__: Sequence[str] = [
    "MOST_ROWS", "BlockNotes", "Store", "block_bytes", "drop_leftovers", "free_folder", "messages_of", "open_store",
    "read_all", "read_notes", "read_tallies", "save_settings", "stored_seed", "stored_settings", "write_notes",
]  # fmt: skip
