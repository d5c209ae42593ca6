"""Tournaments: every pair of agents on the same deals, in blocks that are played in parallel and survive a kill.

The design of pairings, seatings and blocks is in `plan.py`; seeds, forfeits and time limits are described in
`probespiel.agents.match`. The same seed gives the same files, byte for byte, for any number of processes and however
often the tournament was interrupted, unless an agent's answers depend on the clock. Without a seed one is drawn that
nobody can guess. While bots from outside play it is nowhere on the disk; at the end, also of an interrupted tournament,
it is written to `tournament.json`, with which the games can be repeated.
"""

from __future__ import annotations

import dataclasses
import platform
import shlex
import warnings
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from probespiel import __version__

from ...agents.base import AgentError
from ...agents.declaration import lineup_of
from ...agents.entrants import Entrant, entrant_of
from ...agents.match import MOVE_SECONDS
from ...agents.outside import TERMS, BotTerms, fences
from ...agents.players import make_player
from ...agents.policy_card import bound_in
from ...agents.registry import german_lines, list_agents
from ...envs.core.contract import asking_hooks
from ...envs.core.disk import locked
from ...envs.core.engine import Engine, Local
from ...envs.core.game import Game
from ...envs.core.interrupts import ended_like_interrupted
from ...envs.core.keys import secret_seed
from ...envs.core.registry import make_game
from ..declaration import analysis_of, unit_of
from .analysis import analyse_tallies
from .apart import apart
from .examples import blocks_to_look_at, examples, wishes_of
from .files import (
    MOST_ROWS,
    Store,
    messages_of,
    open_store,
    read_all,
    read_tallies,
    save_settings,
    stored_seed,
)
from .loadouts import loadout_notes
from .plan import Plan, TournamentError
from .playing import Crew
from .progress import Reporter, Silent
from .report import RunInfo, write_report
from .results import column, concat, part_path, read_part, write_results
from .sequential import Race, Until
from .summary import Summary
from .tally import Tally

_CHOSEN = (
    "Bots from outside took part, and the seed was chosen. It decides all cards and dice: what it shows binds only if "
    "nobody who wrote a bot knew the seed, and no bot could read it (from the command line, for instance). Without "
    "--seed one is drawn that is kept from them."
)
_LOOKED = (
    "This tournament could stop when it knew, and pairs whose games told nothing more got no more. The sentence above "
    "holds however often one looked; all other intervals of this page are those of a tournament whose length is fixed "
    "beforehand, and hold less often here. Every opponent counts once, however many games there were."
)
_LONE = (
    "All seats are on one side: every strategy played each deal by itself, and who got more from a deal won it. What "
    "they got on average stands beside the ratings."
)
_SEATS = {False: "a process each", True: "one process for all, which may talk"}
RESAMPLES = 1000
MANY_GAMES, SOME_GAMES = 20_000, 2_000  # default games of a pairing: all agents compiled; some in Python or searching


class TournamentInterrupted(KeyboardInterrupt):
    """A tournament was interrupted at the keyboard; `summary` covers the `done` finished blocks, if there are any."""

    def __init__(self, summary: Summary | None, done: int, blocks: int) -> None:
        super().__init__(f"interrupted after {done} of {blocks} blocks")
        self.summary, self.done, self.blocks = summary, done, blocks


def default_field(game: Game) -> tuple[list[str], list[str]]:
    """The agents that play a game if nobody names others, and for those left out the reasons why."""
    names = lineup_of(game).field
    if not names:
        names = tuple(kind.name for kind in list_agents(game) if kind.source.startswith("baseline"))
        names = ("random", *(n for n in names if n != "random"), "search:sims=100")
    chosen: list[str] = []
    reasons: list[str] = []
    for name in names:
        try:
            make_player(name, game, 0, None).close()
        except AgentError as error:
            reasons.append(f"{name} is left out: {_line(error)}")
        else:
            chosen.append(name)
    return chosen, reasons


def default_games(game: Game, entrants: Sequence[Entrant]) -> int:
    """Games of a pairing if nobody says how many: fewer where an agent searches or runs in Python."""
    some = lineup_of(game).pairing or SOME_GAMES
    for agent in {entrant.agent.text: entrant.agent for entrant in entrants}.values():
        if agent.outside:
            return min(SOME_GAMES, some)
        player = make_player(agent, game, 0, None)
        player.close()
        if player.native is None:
            return some
    return MANY_GAMES


def run_tournament(
    game: Game | str,
    agents: Sequence[str | Entrant],
    games: int | None = None,
    seed: int | None = None,
    jobs: int = 1,
    out: str | Path = "results",
    resume: bool = False,
    move_seconds: float | None = MOVE_SECONDS,
    progress: Reporter | None = None,
    *,
    bots: BotTerms = TERMS,
    overwrite: bool = False,
    resamples: int = RESAMPLES,
    notes: Sequence[str] = (),
    command: str = "",
    until: Until | None = None,
    engine: Engine | None = None,
) -> Summary:
    """Play a tournament, write everything to the folder `out`, and return the analysis.

    `agents` are names as in `make_agent`; `games` of each pairing are rounded up to whole deals; `seed` is 0..2**128-1,
    None to draw one (with `resume`: that of the tournament in the folder); `jobs` processes, or those of an `engine`,
    which the caller closes; `resume` goes on where a
    killed run of the same settings ended; `progress` is told what happens; `bots` are the terms for bots from outside;
    `notes` go to the report, and so does `command`, which should play the same games again with the seed, which is
    added to it. With `until` it stops when that is known, after `games` of each pairing at the latest, and the summary
    tells the decision; the blocks that count are the same for any number of processes. Raises ProbespielError,
    ResultsError or OSError for what cannot be used, and TournamentInterrupted, with a partial report written, after
    Ctrl-C, SIGTERM and SIGHUP.
    """
    if jobs < 1:
        raise TournamentError(f"jobs = {jobs} is not allowed: at least 1")
    told: Reporter = Silent() if progress is None else progress
    made = make_game(game) if isinstance(game, str) else game
    entrants = [agent if isinstance(agent, Entrant) else entrant_of(agent, made) for agent in agents]
    if any(entrant.agent.name == "human" for entrant in entrants):
        raise TournamentError("a human cannot take part in a tournament; `probespiel play` is for people")
    count = default_games(made, entrants) if games is None else games
    folder = Path(out)
    chosen, drawn = (seed, False) if seed is not None else (stored_seed(folder) if resume else None) or (None, True)
    known = secret_seed() if chosen is None else chosen
    more = {} if until is None else {"until": until.settings}
    plan = Plan.of(made, entrants, count, known, move_seconds, bots, drawn, more)
    if plan.outside:
        notes = [*notes, *filter(None, ["" if plan.drawn else _CHOSEN, fences()])]
    # Bad agents show before anything in the folder is touched.
    with plan.match(made) as match, locked(folder), ended_like_interrupted():
        lone = len(made.sides) == 1
        race = None if until is None else Race(until, plan.agents, plan.earnings(match), plan.blocks, plan.deals, lone)
        store = open_store(folder, plan, resume, overwrite)
        for reason in store.damaged:
            told.say(f"{reason}; the block is played again")
        if store.done:
            told.say(f"{len(store.done)} of {plan.blocks} blocks are done already")
        told.start(plan.games, plan.blocks, sum(plan.games_of(block) for block in store.done), len(store.done))
        try:
            for played in _played(Crew(plan, match, made, engine or Local(jobs), folder, told), race, store):
                told.advance(played)
        except KeyboardInterrupt:
            summary, done = _break_off(plan, made, folder, resamples, notes, command)
            raise TournamentInterrupted(summary, done, plan.blocks) from None
        finally:
            told.stop()
            save_settings(folder, plan, finished=False)
        summary = _finish(plan, made, folder, resamples, notes, command, race)
        save_settings(folder, plan, finished=True)
    return summary


def _played(crew: Crew, race: Race | None, store: Store) -> Iterator[int]:
    """Play what is missing, all blocks or those of a race, and yield the games of each block that was played.

    Raises TournamentError if a finished block has other pairings than the race.
    """
    plan, folder = crew.plan, crew.folder

    def play(blocks: range, playing: tuple[int, ...] | None) -> Iterator[int]:
        if todo := [block for block in blocks if block not in store.done]:
            save_settings(folder, plan, finished=False, tell=False)
            yield from crew.play(blocks, todo, playing)

    if race is None:
        yield from play(range(plan.blocks), None)
        return
    while (found := race.round()) is not None:
        blocks, playing = found
        yield from play(blocks, playing)
        for block in blocks:
            table = read_part(folder, block, fingerprint=plan.fingerprint, n_agents=len(plan.agents))
            if sorted(np.unique(column(table, "pairing")).tolist()) != list(playing):
                raise TournamentError(
                    f"{part_path(folder, block)} has other pairings than belong there: somebody has changed the "
                    "folder. Begin anew with --overwrite, or choose another --out folder"
                )
            race.add(table)


def _break_off(
    plan: Plan, game: Game, folder: Path, resamples: int, notes: Sequence[str], command: str
) -> tuple[Summary | None, int]:
    """The report on the blocks that are finished, None without any, and their number."""
    done = len(read_tallies(folder, plan)[0])  # perhaps one more than we were told of
    if not done:
        return None, 0
    broken_off = f"Interrupted: {done} of {plan.blocks} blocks were finished."
    return _finish(plan, game, folder, resamples, [*notes, broken_off], command, None, whole=False), done


def _finish(
    plan: Plan,
    game: Game,
    folder: Path,
    resamples: int,
    notes: Sequence[str],
    command: str,
    race: Race | None,
    *,
    whole: bool = True,
) -> Summary:
    """Analyse all blocks by their tallies, and write `results.parquet`, `summary.json` and `report.html`.

    Raises TournamentError if the tournament is to be `whole` and blocks are missing.
    """
    tallies, rows = read_tallies(folder, plan)
    table = None
    if rows <= MOST_ROWS:
        parts = read_all(folder, plan)
        table, tallies = parts.table, {block: tally for block, tally in tallies.items() if block in parts.done}
    missing = sorted(set(range(plan.blocks if race is None else race.blocks)) - set(tallies))
    if whole and missing:
        raise TournamentError(
            f"{folder}: {len(missing)} of {plan.blocks} blocks are missing or damaged, the first is "
            f"{part_path(folder, missing[0]).name}; somebody has changed the folder. Play them with --resume"
        )
    everything = folder / "results.parquet"
    if table is not None:
        write_results(everything, table, metadata={"probespiel.fingerprint": plan.fingerprint})
    else:  # of a part of the blocks, before the tournament went on
        everything.unlink(missing_ok=True)
    summary = analyse_tallies(list(tallies.values()), plan.agents, plan.seed, resamples)
    if race is not None:
        decision = race.decision()
        summary = dataclasses.replace(summary, decision=decision)
        notes = [decision.text, _LOOKED, *notes]
    if len(game.sides) == 1:
        summary, notes = apart(summary), [_LONE, *notes]
    if unended := _unended(list(tallies.values()), game):
        warnings.warn(unended, RuntimeWarning, stacklevel=2)
        notes = [*notes, unended]
    notes = [*notes, *loadout_notes(summary)]
    info = run_info(plan, game, folder, tallies, notes, command)
    looked = blocks_to_look_at(tallies, len(plan.deals_of(0)) * len(plan.seating))
    rows = concat(
        [read_part(folder, block, fingerprint=plan.fingerprint, n_agents=len(plan.agents)) for block in looked]
    )
    shown = examples(rows, wishes_of(summary, info.focus))
    write_report(folder, summary, dataclasses.replace(info, examples=shown))
    return summary


def _unended(tallies: Sequence[Tally], game: Game) -> str:
    """A sentence about games that the limit of decisions stopped; empty if there are none."""
    if not game.spec.stops:
        return ""
    if not game.spec.sources.extensions:  # without modules the longest game may well be the limit
        return ""
    lengths = np.concatenate([tally.lengths for tally in tallies])
    long = int(lengths[lengths[:, 0] >= game.spec.max_decisions, 1].sum())
    if not long:
        return ""
    asking = [text for source in game.spec.sources.extensions for text in asking_hooks(source)]
    whose = f"; these hooks ask: {'; '.join(asking)}" if asking else ""
    limit = game.spec.max_decisions
    return f"{long} of {int(lengths[:, 1].sum())} games were stopped by the limit of {limit} decisions{whose}"


def run_info(
    plan: Plan, game: Game, folder: Path, blocks: Iterable[int], notes: Sequence[str] = (), command: str = ""
) -> RunInfo:
    """What the report says about a tournament, of which `blocks` are finished."""
    described = {kind.name: kind.doc for kind in list_agents(game)}
    german = german_lines(game.spec.system)
    options = dict(game.spec.options)
    config = options.get("config")
    return RunInfo(
        title=f"{game.name}: {game.spec.scenario}",
        game=game.name,
        command=f"{command} --seed {plan.seed}" if command else command_of(plan),
        ruleset_hash=game.ruleset,
        scenario=game.spec.scenario,
        parameters={
            f"games of each pairing{' at most' if 'until' in plan.settings else ''}": plan.games_a_pairing,
            "deals": plan.deals,
            "blocks": plan.blocks,
            "seed": plan.seed,
            "seconds for a move": "no limit" if plan.move_seconds is None else plan.move_seconds,
            "modules": options.get("modules") or "none",
            **(
                {"memory of a bot": f"{plan.bots.memory} MiB", "bots' seats": _SEATS[plan.bots.shared]}
                if plan.outside
                else {}
            ),
            **(config if isinstance(config, dict) else {}),
        },
        versions={
            "probespiel": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba", "scipy", "pyarrow")},
        },
        payoff_unit=unit_of(game.spec.system, game.spec.options),
        focus=analysis_of(game.spec.system).focus.get(game.name, ()),
        descriptions={entrant.text: described.get(entrant.agent.name, "") for entrant in plan.entrants},
        bounds={entrant.text: bound.text for entrant in plan.entrants if (bound := bound_in(game, entrant.agent))},
        forfeit_messages=messages_of(folder, blocks),
        seat_names=[seat.called("en") for seat in game.seats],
        german={
            **{seat.called("en"): seat.called("de") for seat in game.seats},
            **{described[name]: told for name, told in german.items() if name in described},
        },
        notes=list(notes),
        trust=bool(plan.files),
    )


def command_of(plan: Plan) -> str:
    """A command line for a tournament of a preset without further options."""
    parts = ["probespiel", "tournament", str(plan.recipe["game"]), "--scenario", str(plan.recipe["scenario"])]
    parts += ["--agents", ",".join(plan.agents), "--games", str(plan.asked), "--seed", str(plan.seed)]
    return shlex.join(parts)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


__all__ = [
    "Plan", "TournamentError", "TournamentInterrupted", "default_field", "default_games", "run_tournament",
]  # fmt: skip
