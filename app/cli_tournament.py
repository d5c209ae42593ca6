"""`probespiel tournament GAME`: all agents against each other, a leaderboard and a report."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..agents.outside import LEAST_MEMORY, MEMORY, TERMS, BotTerms
from ..agents.registry import split_agents
from ..envs.core.disk import write_text
from ..envs.core.errors import ProbespielError
from ..envs.core.registry import system_of
from ..envs.core.texts import german_number, number_in
from .common import (
    REPORT,
    EngineChoice,
    EngineName,
    GameName,
    Jobs,
    Lang,
    Language,
    Modules,
    Options,
    Scenario,
    Scheduler,
    cores,
    engine_of,
    game_of,
    pairs,
)
from .completion import complete_agents

if TYPE_CHECKING:
    from ..envs.core.game import Game
    from ..evaluation.tournament.report import RunInfo
    from ..evaluation.tournament.sequential import Until
    from ..evaluation.tournament.summary import JointRatings, Summary


class Goal(StrEnum):
    """What a tournament that stops by itself finds out."""

    ranking = "ranking"
    best = "best"
    dominance = "dominance"


_JOINT_GAME = "joint-game.json"  # in the folder: a table that shows the ratings of whole tables

_TEXT = {
    "en": {
        "play": "{agents} agents, {games} games of each pair{whole}, {seed}, {jobs} at a time: {names}",
        "until": "{agents} agents, {games} games of each pair at the most{whole}, {seed}, {jobs} at a time: {names}",
        "whole": " ({games} in all)",
        "seed": "seed {seed}",
        "drawn": "seed by chance",
        "interrupted": "Interrupted after {done} of {blocks} blocks; go on with --resume.",
        "partial": "The table covers the finished blocks.",
        "joint": "{count} joint strategies, {deals} deals of each; all agents at all sides, by deviation ratings:",
        "rated": "  {name}: {rating} ({low} to {high}), alpha-rank {share} ({least} to {most})",
    },
    "de": {
        "play": "{agents} Spieler, {games} Spiele je Paar{whole}, {seed}, {jobs} gleichzeitig: {names}",
        "until": "{agents} Spieler, höchstens {games} Spiele je Paar{whole}, {seed}, {jobs} gleichzeitig: {names}",
        "whole": " ({games} zusammen)",
        "seed": "Startwert {seed}",
        "drawn": "zufälliger Startwert",
        "interrupted": "Abgebrochen nach {done} von {blocks} Blöcken; weiter geht es mit --resume.",
        "partial": "Die Tabelle umfasst die fertigen Blöcke.",
        "joint": "{count} gemeinsame Strategien, je {deals} Gaben; alle auf allen Seiten, nach Abweichungswertung:",
        "rated": "  {name}: {rating} ({low} bis {high}), Alpha-Rank {share} ({least} bis {most})",
    },
}


def tournament(
    game: GameName,
    agents: Annotated[
        str | None,
        typer.Option(
            "--agents",
            help="names between commas: search:sims=500,random,bot.py:Bot",
            autocompletion=complete_agents,
        ),
    ] = None,
    agent: Annotated[list[str] | None, typer.Option("--agent", help="one more agent; repeatable")] = None,
    loadout: Annotated[
        list[str] | None,
        typer.Option("--loadout", help="every agent plays with it, as AGENT@sword+steel_helmet does; repeatable"),
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", min=0, help="every agent plays with every loadout that this buys")
    ] = None,
    prices: Annotated[
        list[str] | None, typer.Option("--price", metavar="PART=POINTS", help="another price; repeatable")
    ] = None,
    characters: Annotated[
        list[str] | None, typer.Option("--character", help="with --budget: characters to choose from; repeatable")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="games of each pair (default: by what they cost)")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, max=2**128 - 1, help="decides all games (default: by chance, told at the end)"),
    ] = None,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of results and report (default: a free one, results/GAME)")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the tournament in the folder")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="drop what is in the folder and begin anew")] = False,
    move_seconds: Annotated[
        float, typer.Option("--move-seconds", min=0.001, help="time limit of a move; who overruns it forfeits")
    ] = 10.0,
    bot_memory: Annotated[
        int, typer.Option("--bot-memory", min=LEAST_MEMORY, help="MiB for a process of a bot from outside")
    ] = MEMORY,
    shared_bots: Annotated[
        bool, typer.Option("--shared-bots", help="the seats of a bot from outside share a process and may talk")
    ] = False,
    until: Annotated[
        Goal | None,
        typer.Option(
            "--until", help="stop when it is known who earns more than whom, who earns most, or who beats whom"
        ),
    ] = None,
    within: Annotated[
        float | None, typer.Option("--within", min=0.0, help="with --until: agents so close to each other are equal")
    ] = None,
    max_games: Annotated[
        int | None, typer.Option("--max-games", min=1, help="with --until: games of each pair at the most")
    ] = None,
    joint: Annotated[
        int | None,
        typer.Option("--joint", min=2, help="play so many deals of every joint strategy of the agents, too"),
    ] = None,
    engine: EngineChoice = EngineName.local,
    scheduler: Scheduler = None,
    lang: Language = Lang.en,
) -> None:
    """Let agents play each other on the same deals, and tell which strategy is best.

    Every pair plays every deal with sides swapped; where all seats are on one side (missions), each plays it by itself,
    and who gets more from it wins. An agent that raises, hangs or answers an illegal action forfeits
    the game, and the tournament goes on. The same seed gives the same results for any number of processes. Without
    --seed one is drawn, kept from the bots, and written to tournament.json at the end. With --until it is as long as
    it must be; what it then says holds with 95 % certainty, however often one looked. With --joint, which is for a few
    agents and more than two sides, tables of three and more different agents are played and rated as well.
    """
    if until is None and (within is not None or max_games is not None):
        raise ProbespielError("--within and --max-games go with --until, which says what is to be known")
    if until is not None and games is not None:
        raise ProbespielError("--games is for tournaments of fixed length: with --until, give --max-games")
    made = game_of(game, scenario, module, options, lang=lang.value)
    # Libraries for statistics take a second or two to load: not before wrong rules are told.
    from ..evaluation.tournament.run import default_field
    from ..evaluation.tournament.sequential import Until

    names = [*(split_agents(agents) if agents is not None else []), *(agent or [])]
    left_out: list[str] = []
    if not names:
        names, left_out = default_field(made)
        for reason in left_out:
            _note(reason)
    if loadout or budget is not None or prices or characters:
        bought = loadouts_of(made, budget, prices or (), characters or ())
        names = [f"{name}@{parts}" for name in names for parts in [*(loadout or []), *bought]]
    flags = [
        ("--move-seconds", [f"{move_seconds:g}"] if move_seconds != 10.0 else []),
        ("--bot-memory", [str(bot_memory)] if bot_memory != MEMORY else []),
        ("--until", [until.value] if until else []),
        ("--within", [f"{within:g}"] if within is not None else []),
        ("--joint", [str(joint)] if joint is not None else []),
    ]
    asked = Asked(
        names=names,
        games=games if until is None else max_games,
        seed=seed,
        scenario=scenario,
        modules=module or (),
        options=options or (),
        jobs=jobs,
        out=out,
        resume=resume,
        overwrite=overwrite,
        until=None if until is None else Until(until.value, within or 0.0),
        lang=lang,
        move_seconds=move_seconds,
        bots=BotTerms(bot_memory, shared_bots),
        notes=left_out,
        engine=engine,
        scheduler=scheduler,
        joint=joint,
    )
    length = "--games" if until is None else "--max-games"
    play_and_show(made, asked, ["tournament", game], ["--agents", ",".join(names)], length, flags)


@dataclass(frozen=True)
class Asked:
    """What the command line asks of a tournament."""

    names: Sequence[str]
    games: int | None
    seed: int | None
    scenario: str | None
    modules: Sequence[str]
    options: Sequence[str]
    jobs: int | None
    out: Path | None
    resume: bool
    overwrite: bool
    until: Until | None
    lang: Lang
    move_seconds: float = 10.0
    bots: BotTerms = TERMS
    notes: Sequence[str] = ()
    engine: EngineName = EngineName.local
    scheduler: str | None = None
    joint: int | None = None

    def folder(self, usual: str) -> Path:
        """Where results go: where it is said, else to the usual folder, or a free one beside a finished tournament."""
        from ..evaluation.tournament.files import free_folder

        if self.out is not None:
            return self.out
        kept = Path("results") / usual
        return kept if self.resume or self.overwrite else free_folder(kept)


def play_and_show(
    game: Game,
    asked: Asked,
    beginning: Sequence[str],
    who: Sequence[str],
    length: str,
    flags: Sequence[tuple[str, Sequence[str]]],
    usual: str | None = None,
) -> None:
    """Play a tournament and print what it tells.

    The command that repeats it is made of its `beginning`, the rules, `who` plays, the number of games as the option
    `length`, and further `flags`. `usual` is the name of its folder if none is asked for. Raises ProbespielError.
    """
    from ..agents.entrants import entrant_of
    from ..evaluation.tournament.joint import check_joint
    from ..evaluation.tournament.plan import check_field
    from ..evaluation.tournament.progress import reporter
    from ..evaluation.tournament.results import ResultsError
    from ..evaluation.tournament.run import TournamentInterrupted, default_games, run_tournament

    text = _TEXT[asked.lang.value]
    entrants = [entrant_of(name, game) for name in asked.names]
    check_field([entrant.text for entrant in entrants], asked.games or 1)  # before it is said what will be played
    if asked.joint is not None:
        outside = [e.agent.text for e in entrants if e.agent.outside]
        check_joint(asked.names, [side for side, _ in game.sides], asked.joint, outside)
    count = default_games(game, entrants) if asked.games is None else asked.games
    named = game.name if asked.scenario is None else _folder(game.name, asked.scenario)
    folder = asked.folder(usual or named)
    processes = cores() if asked.jobs is None else asked.jobs
    begun = text["drawn"] if asked.seed is None else text["seed"].format(seed=asked.seed)
    key = "play" if asked.until is None else "until"
    shown = ", ".join(asked.names)
    pairs, games = len(asked.names) * (len(asked.names) - 1) // 2, number_in(f"{count:,}", asked.lang.value)
    whole = text["whole"].format(games=number_in(f"{count * pairs:,}", asked.lang.value)) if pairs > 1 else ""
    told = {"agents": len(asked.names), "games": games, "whole": whole, "seed": begun, "jobs": processes}
    _note(text[key].format(**told, names=shown))
    command = ["probespiel", *beginning]
    for flag, values in [
        ("--scenario", [asked.scenario] if asked.scenario else []),
        ("--module", asked.modules),
        ("--set", asked.options),
    ]:
        for value in values:
            command += [flag, value]
    command += [*who, length, str(count)]
    for flag, values in flags:
        for value in values:
            command += [flag, value]
    if asked.bots.shared:
        command.append("--shared-bots")
    try:
        with engine_of(asked.engine, asked.scheduler, processes) as engine:
            summary = run_tournament(
                game,
                entrants,
                count,
                asked.seed,
                processes,
                folder,
                asked.resume,
                asked.move_seconds,
                reporter(lang=asked.lang.value),
                bots=asked.bots,
                overwrite=asked.overwrite,
                notes=asked.notes,
                command=shlex.join(command),
                until=asked.until,
                engine=engine,
            )
    except TournamentInterrupted as stop:
        _note(text["interrupted"].format(done=stop.done, blocks=stop.blocks))
        if stop.summary is not None:
            _note(text["partial"])
            _show(stop.summary, folder, asked.lang)
        raise typer.Exit(130) from None
    except ResultsError as error:
        raise ProbespielError(str(error)) from None
    if asked.joint is None and asked.resume:
        _keep_joint(folder, summary.names)
    _show(summary, folder, asked.lang)
    if asked.joint is not None:
        _play_joint(folder, asked.joint, asked.lang)


def _report_joint(folder: Path, rated: JointRatings) -> tuple[Summary, RunInfo]:
    """Write the report of a tournament with the ratings of whole tables."""
    from ..evaluation.report.records import content_of
    from ..evaluation.tournament.report import read_summary, write_report

    summary, info = read_summary(content_of(folder / "summary.json"))
    info = replace(info, joint=rated)
    write_report(folder, summary, info)
    return summary, info


def _keep_joint(folder: Path, names: Sequence[str]) -> None:
    """Tell again of whole tables that were played before a tournament went on, if they are of its agents."""
    from ..evaluation.tournament.joint import kept_joint

    found = kept_joint(folder / "joint.json")
    if found is not None and sorted(row.name for row in found.rows) == sorted(names):
        _report_joint(folder, found)


def _play_joint(folder: Path, deals: int, lang: Lang) -> None:
    """Play the joint strategies of a finished tournament's agents, keep the table and what the report says of it."""
    from ..evaluation.report.wording import payoff_digits, signed
    from ..evaluation.tournament.files import stored_settings
    from ..evaluation.tournament.joint import play_joint, shown_table
    from ..evaluation.tournament.joint_words import joint_sentences
    from ..evaluation.tournament.plan import Plan
    from ..evaluation.tournament.texts import words
    from .results import opened

    plan = Plan.restored(stored_settings(folder))
    with plan.match(plan.game()) as match:
        found = play_joint(match, plan.agents, deals, plan.seed)
        replay = shown_table(match, found, plan.seed)
    if replay is not None:
        replay.save(folder / _JOINT_GAME)
        found = replace(found, replay=_JOINT_GAME)
    write_text(folder / "joint.json", json.dumps(found.record()) + "\n")
    rated = found.ratings
    summary, info = _report_joint(folder, rated)
    if lang is not Lang.en:
        write_text(folder / "report.html", opened(folder).page(lang.value))
    text, digits = _TEXT[lang.value], payoff_digits(summary)
    written = german_number if lang is Lang.de else str
    typer.echo(text["joint"].format(count=written(f"{rated.tables:,}"), deals=written(f"{deals:,}")))
    for row in rated.rows:
        of, by = row.deviation_interval, row.alpha_interval
        values = {"rating": row.deviation, "low": of.low, "high": of.high}
        shares = {"share": row.alpha, "least": by.low, "most": by.high}
        numbers = {name: written(signed(value, digits)) for name, value in values.items()}
        numbers |= {name: written(f"{value:.1%}") for name, value in shares.items()}
        typer.echo(text["rated"].format(name=row.name, **numbers))
    unit = words(lang.value).word(f" {info.payoff_unit}") if info.payoff_unit else ""
    for sentence in joint_sentences(summary, rated, lang.value, unit=unit):
        typer.echo(sentence)


def loadouts_of(game: Game, budget: int | None, prices: Sequence[str], characters: Sequence[str]) -> list[str]:
    """All loadouts that a budget buys; none without a budget. Raises ProbespielError."""
    offers = system_of(game.name)
    if not offers.can_equip:
        raise ProbespielError(f"{game.name} has no loadouts: leave --loadout, --budget, --price and --character out")
    changes = pairs(prices, "price")
    if budget is None:
        if prices or characters:
            raise ProbespielError("--price and --character go with --budget, which says how much may be spent")
        return []
    return offers.loadouts(budget, changes, characters)


def _show(summary: Summary, folder: Path, lang: Lang) -> None:
    """Print the leaderboard and the answer; a page in another language than English is written anew."""
    from rich.console import Console

    from ..evaluation.report.records import content_of
    from ..evaluation.tournament.report import decision_games, read_summary
    from ..evaluation.tournament.terminal import leaderboard_text
    from ..evaluation.tournament.texts import words
    from .results import opened

    console = Console()
    width = max(40, min(console.width, 120)) if console.is_terminal else 100
    _, info = read_summary(content_of(folder / "summary.json"))
    shown = leaderboard_text(
        summary,
        focus=info.focus,
        unit=info.payoff_unit,
        width=width,
        color=console.is_terminal and not console.no_color,
        lang=lang.value,
        info=info,
        folder=folder,
    )
    typer.echo(shown, nl=False)
    if summary.decision is not None:
        told = words(lang.value)
        games = "".join(" " + told(f"[game {number}]") for number in decision_games(summary, info))
        typer.echo(told(summary.decision.text) + games)
    page = folder / "report.html"
    if lang is not Lang.en:
        write_text(page, opened(folder).page(lang.value))
    typer.echo(REPORT[lang.value].format(path=page))


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _folder(game: str, scenario: str) -> str:
    return f"{game}-{Path(scenario).stem}"
