"""`probespiel train GAME`: self-play with a progress bar and checkpoints; `probespiel evaluate-policy FILE`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..agents.registry import split_agents
from ..envs.core.disk import locked
from ..envs.core.errors import ProbespielError
from ..envs.core.texts import number_in
from .common import (
    MOST_JOBS,
    REPORT,
    EngineChoice,
    EngineName,
    GameName,
    Lang,
    Language,
    Modules,
    Options,
    Scenario,
    Scheduler,
    command_line,
    engine_of,
    game_of,
    modules_of,
    pairs,
    value_of,
)
from .notes import noted
from .preparing import telling
from .training import (
    EXAMPLE,
    LOG,
    POLICY,
    SETTINGS,
    interruptible,
    keeping,
    report_training,
    train_in_rounds,
    train_side_by_side,
)
from .trial import try_agents

if TYPE_CHECKING:
    from ..envs.core.game import Game
    from ..training.config import TrainConfig
    from ..training.selfplay import SelfPlay

CHECKPOINT = "checkpoint.safetensors"
WORTH_REHEARSING = 50  # updates of a training, from which on two are rehearsed to say how long it will take
_TEXT = {
    "en": {
        "start": "Training for {game}, seed {seed}, into {folder} (Ctrl-C keeps a checkpoint).",
        "resume": "Going on with {game} after {decisions:,} decisions.",
        "forecast": "Expect {rate:,.0f} decisions a second, {time} in all; most of it ({share:.0f} %) for {what}.",
        "by time": "Expect {rate:,.0f} decisions a second, {count:,.0f} in all; most time ({share:.0f} %) for {what}.",
        "learning": "learning",
        "advisers": "the advisers",
        "opponents": "the opponents",
        "playing": "playing",
        "interrupted": "Interrupted after {decisions:,} decisions; go on with --resume.",
        "lost": "Stopped at once; the last checkpoint is kept. Go on with --resume.",
        "measuring": "Measuring it in {games} games each against {agents}.",
        "unmeasured": "Stopped while it was measured. Policy: {path}; --resume measures it.",
        "policy": "Policy: {path}   (play against it: agent policy:file={path})",
        "result": "The average policy, drawn from its chances, {result}",
        "known": "{game} ({scenario}, {seats} seats), seed {seed}, {decisions} decisions, rules {rules}",
        "other_rules": "its rules were {was}, those played are {now}",
    },
    "de": {
        "start": "Training für {game}, Startwert {seed}, nach {folder} (Strg-C sichert den Stand).",
        "resume": "Weiter mit {game} nach {decisions:,} Entscheidungen.",
        "forecast": "Etwa {rate:,.0f} Entscheidungen je Sekunde, {time} insgesamt; meist ({share:.0f} %) für {what}.",
        "by time": "Etwa {rate:,.0f} Entscheidungen je Sekunde, {count:,.0f} insgesamt; die meiste Zeit ({share:.0f} "
        "%) für {what}.",
        "learning": "das Lernen",
        "advisers": "die Ratgeber",
        "opponents": "die Gegner",
        "playing": "das Spielen",
        "interrupted": "Abgebrochen nach {decisions:,} Entscheidungen; weiter geht es mit --resume.",
        "lost": "Sofort beendet; der letzte gesicherte Stand bleibt. Weiter geht es mit --resume.",
        "measuring": "Sie wird gemessen, in je {games} Spielen gegen {agents}.",
        "unmeasured": "Beim Messen beendet. Strategie: {path}; --resume misst sie.",
        "policy": "Strategie: {path}   (als Gegner: policy:file={path})",
        "result": "Die mittlere Strategie, nach ihren Chancen gezogen, {result}",
        "known": "{game} ({scenario}, {seats} Plätze), Startwert {seed}, {decisions} Entscheidungen, Regeln {rules}",
        "other_rules": "ihre Regeln waren {was}, gespielt wird nach {now}",
    },
}


def train(
    game: GameName,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="selfplay, or psro: then on in rounds, against best answers to what it has learned so far",
        ),
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="decisions of the learner in all")] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0.01, help="train that long instead")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, max=2**63 - 1, help="decides everything (0)")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of policy and checkpoint (default: results/train-GAME)")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the checkpoint in the folder")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="drop the training in the folder")] = False,
    opponents: Annotated[
        list[str] | None,
        typer.Option("--opponents", metavar="NAME=WEIGHT", help="self, past, or an agent: its share; repeatable"),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="agents to evaluate against in the end, between commas")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--setting", metavar="NAME=VALUE", help="any other setting (entropy=0.05, clip=0.1); repeatable"),
    ] = None,
    shipped: Annotated[
        bool, typer.Option("--shipped", help="the settings of the policy that ships for the game, or for --scenario")
    ] = False,
    checkpoint_minutes: Annotated[
        float, typer.Option("--checkpoint-minutes", min=0.0, help="time between two checkpoints")
    ] = 2.0,
    tensorboard: Annotated[Path | None, typer.Option("--tensorboard", help="folder for TensorBoard")] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda")] = "auto",
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            help="native (compiled, on the CPU, many times as fast), torch (also on cuda, and taken there), sb3",
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=1024, help="of the learner; the native one gives the same with any")
    ] = 1,
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, max=256, help="trainings side by side; the one that earns most is kept")
    ] = 1,
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, max=MOST_JOBS, help="trainings, and games at the end, at the same time")
    ] = 1,
    engine: EngineChoice = EngineName.local,
    scheduler: Scheduler = None,
    trust_files: Annotated[
        bool, typer.Option("--trust-files", help="let a checkpoint run the Python files that it names")
    ] = False,
    lang: Language = Lang.en,
) -> None:
    """Train a policy by self-play: against itself, its past and agents, until it can hardly be exploited.

    Writes a policy, which the agent `policy:file=PATH` plays, and a checkpoint, from which --resume goes on exactly.
    With --seeds, --jobs or --engine dask trainings are done side by side in legs of some seconds, with the same result
    whoever does them. With --method psro best answers to the policy are learned and join in rounds.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ProbespielError(f"device = {device!r} is not allowed: auto, cpu, cuda")
    text = _TEXT[lang.value]
    given = _given(opponents, against, setting, steps=steps, minutes=minutes, seed=seed, learner=learner, method=method)
    brought: dict[str, Any] = {}
    if shipped:
        if module or options:
            raise ProbespielError("--shipped brings its own rules: leave --module and --set out")
        from ..training.config import shipped_settings

        brought = shipped_settings(game, scenario)
    elif scenario is not None or module or options:
        one = {"scenario": scenario, "modules": modules_of(module or ()), "options": pairs(options or (), "option")}
        given["scenarios"] = (one,)
        game_of(game, scenario, module, options, lang=lang.value)  # wrong rules are told before learning is loaded
    folder = out if out is not None else Path("results") / f"train-{game}"
    command = _command(game, scenario, module, options, given, shipped, seeds)
    rounds = {**brought, **given}.get("method") == "psro"
    many = rounds or seeds > 1 or jobs > 1 or engine is not EngineName.local
    _try_agents(game, brought, given, resume and not many)
    if against is not None:
        _need_opponents(given["evaluate_against"], game_of(game, scenario, module, options, lang=lang.value))
    _use_threads(threads)
    if device == "cuda":
        _need_cuda()
    if rounds and seeds > 1:
        raise ProbespielError("--seeds goes with selfplay; psro has rounds, by --setting rounds=3")
    if many:
        if tensorboard is not None or device == "cuda":
            raise ProbespielError("--tensorboard and --device cuda go with one training, by this process alone")
        settings = {**brought, **given}
        with engine_of(engine, scheduler, jobs) as who, telling(game, lang.value):
            if rounds:
                done = train_in_rounds(game, settings, folder, who, resume, overwrite, lang.value, command)
            else:
                done = train_side_by_side(game, settings, seeds, folder, who, resume, overwrite, lang.value, command)
        if not done:
            raise typer.Exit(130)
        return
    with locked(folder), keeping(folder), telling(game, lang.value):
        training = _begin(game, folder, given, brought, resume, overwrite, device, tensorboard, trust_files)
        state = {"game": game, "seed": training.config.seed, "folder": folder, "decisions": training.decisions}
        begun = text["resume" if resume else "start"].format(**state)
        _note(number_in(begun, lang.value) if resume else begun)
        if not resume:
            _tell_forecast(training.config, device, lang.value)
        done = _run(training, folder, 60.0 * checkpoint_minutes, lang.value)
        page = report_training(training, folder, lang.value, command)
    for result in training.evaluations:
        if result.decisions == training.decisions:
            typer.echo(text["result"].format(result=result.told(lang.value)))
    typer.echo(text["policy"].format(path=folder / POLICY))
    typer.echo(REPORT[lang.value].format(path=page))
    if not done:
        raise typer.Exit(130)


def evaluate_policy(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a policy, as written by `probespiel train`")],
    against: Annotated[str, typer.Option("--against", help="agents between commas")] = "random",
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    games: Annotated[int, typer.Option("--games", min=2, max=10**8, help="against each agent")] = 4000,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="decides all games")] = 1,
    gap: Annotated[
        int,
        typer.Option(
            "--gap",
            min=0,
            max=10**8,
            help="also the distance to the value of the game where it is known, over so many deals",
        ),
    ] = 0,
    lang: Language = Lang.en,
) -> None:
    """Say what a trained policy is for, and play it against agents, at its temperature of play."""
    from ..agents.policy_file import load_policy
    from ..envs.core.behaviour import behaviour
    from ..training.declaration import training_of
    from ..training.evaluate import evaluate

    policy = load_policy(file)
    manifest = policy.manifest
    text = _TEXT[lang.value]
    decisions = number_in(f"{manifest.decisions:,}", lang.value)
    named = {"game": manifest.game, "scenario": manifest.scenario, "seats": manifest.seats, "seed": manifest.seed}
    typer.echo(text["known"].format(**named, decisions=decisions, rules=manifest.ruleset))
    where = scenario if scenario is not None else manifest.scenario
    made = game_of(manifest.game, where, module, options, lang=lang.value)
    manifest.check(made)
    same = made.spec.scenario != manifest.scenario or behaviour(made) == manifest.behaviour  # as far as is known
    if made.ruleset != manifest.ruleset and not same:
        _note(text["other_rules"].format(was=manifest.ruleset, now=made.ruleset))
    names = split_agents(against)
    try_agents(names)
    _need_opponents(names, made)
    measured = training_of(made.spec.system).gap if gap else None
    if gap and measured is None:
        raise ProbespielError(f"--gap: the value of {made.name} is not known")
    for name in names:
        found = evaluate(made, policy.net, name, games, seed, temperature=manifest.temperature)
        typer.echo(found.told(lang.value))
    if measured is not None:
        found_gap = measured(made, policy.net.probabilities, max(gap, 2), seed)
        typer.echo(found_gap.told([seat.called(lang.value) for seat in made.seats], lang.value))


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _given(
    opponents: list[str] | None, against: str | None, setting: list[str] | None, **numbers: int | float | str | None
) -> dict[str, Any]:
    """The settings that the command line names."""
    given: dict[str, Any] = {{"steps": "decisions"}.get(k, k): v for k, v in numbers.items() if v is not None}
    if opponents:
        given["opponents"] = _weights(opponents)
    if against is not None:
        given["evaluate_against"] = tuple(split_agents(against))
    for name, value in pairs(setting or (), "setting").items():
        if name in given:
            raise ProbespielError(f"setting {name!r} is given twice")
        given[name] = value
    return given


def _try_agents(game: str, brought: Mapping[str, Any], given: Mapping[str, Any], going_on: bool) -> None:
    """Try who is named, opponents, teachers and reviewers alike; where it goes on, what is given is but a part."""
    from ..training.config import train_config

    if going_on:
        try_agents((*given.get("opponents", ()), *given.get("evaluate_against", ())))
    else:
        try_agents(train_config(game, **{**brought, **given}).agents)


def _weights(texts: list[str]) -> dict[str, Any]:
    """Shares of opponents; the weight stands behind the last `=`, for names of agents may hold others."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, weight = text.rpartition("=")
        if not equals or not name.strip():
            raise ProbespielError(f"opponent {text!r} is not of the form NAME=WEIGHT")
        if name.strip() in found:
            raise ProbespielError(f"opponent {name.strip()!r} is given twice")
        found[name.strip()] = value_of(weight.strip())
    return found


def _use_threads(threads: int) -> None:
    from ..training.selfplay import limit_threads

    limit_threads(threads)


def _on_cuda(device: str) -> bool:
    """Whether a device as it was named is a graphics card."""
    import torch

    return device != "cpu" and torch.cuda.is_available()


def _need_cuda() -> None:
    if not _on_cuda("cuda"):
        raise ProbespielError("device = 'cuda' is not there: auto, cpu")


def _need_opponents(names: Sequence[str], game: Game) -> None:
    # They play when the training is over, or one after the other: who is none must be told before it begins.
    from ..training.evaluate import opponent_of

    for name in names:
        opponent_of(name, game)


def _begin(
    game: str,
    folder: Path,
    given: dict[str, Any],
    brought: Mapping[str, Any],
    resume: bool,
    overwrite: bool,
    device: str,
    tensorboard: Path | None,
    trust: bool,
) -> SelfPlay:
    """A new training, with what is `given` on top of what is `brought`, or the one in the folder."""
    from ..training.checkpoint import load_checkpoint, read_config
    from ..training.config import train_config
    from ..training.selfplay import SelfPlay

    checkpoint = folder / CHECKPOINT
    for leftover in folder.glob(".*.tmp"):  # of a process that was killed while it wrote; the folder is locked
        leftover.unlink(missing_ok=True)
    if resume:
        stored = read_config(checkpoint)
        _same(game, given, stored)
        if trust:  # else none of its files is run
            try_agents(stored.agents)
        return load_checkpoint(checkpoint, device, tensorboard, trust)
    if (checkpoint.exists() or (folder / SETTINGS).exists()) and not overwrite:  # one training, or many
        raise ProbespielError(f"{folder} already holds a training: --resume goes on with it, --overwrite drops it")
    settings = {**brought, **given}
    if "learner" not in settings and _on_cuda(device):
        settings = {**settings, "learner": "torch"}
    training = SelfPlay(train_config(game, **settings), device, tensorboard)
    folder.mkdir(parents=True, exist_ok=True)
    for name in (CHECKPOINT, SETTINGS, POLICY, LOG, "training.json", "report.html"):
        (folder / name).unlink(missing_ok=True)
    for old in folder.glob(EXAMPLE.format(number="*")):
        old.unlink()
    return training


def _tell_forecast(config: TrainConfig, device: str, lang: str) -> None:
    """Say how fast the training will be and how long or how far it goes, from a rehearsal of two updates.

    One of few decisions is not worth it. One by the clock always is: what is compiled must not take the time.
    """
    text = _TEXT[lang]
    from ..training.callbacks import duration
    from ..training.forecast import forecast

    if config.minutes is None and config.decisions < WORTH_REHEARSING * config.per_update:
        return
    found = forecast(config, device)
    told = {"rate": found.rate, "share": 100 * found.shares[found.dearest], "what": text[found.dearest]}
    if config.minutes is None:
        line = text["forecast"].format(time=duration(found.seconds(config.decisions)), **told)
    else:
        line = text["by time"].format(count=float(f"{60.0 * config.minutes * found.rate:.2g}"), **told)
    _note(number_in(line, lang))


def _same(game: str, given: Mapping[str, Any], stored: TrainConfig) -> None:
    """Raise if a setting was given that differs from the one that the checkpoint goes on with."""
    from ..training.config import checked

    if stored.game != game:
        raise ProbespielError(f"the checkpoint is of {stored.game}, not of {game}")
    wanted = checked({**stored.model_dump(mode="json"), **given})
    for name in given:
        if getattr(wanted, name) != getattr(stored, name):
            raise ProbespielError(
                f"--resume goes on with the settings of the checkpoint: {name} = {getattr(stored, name)!r} there, "
                f"{getattr(wanted, name)!r} now"
            )


def _command(
    game: str,
    scenario: str | None,
    module: list[str] | None,
    options: list[str] | None,
    given: Mapping[str, Any],
    shipped: bool,
    seeds: int,
) -> str:
    """The command line that repeats a training, on whatever engine."""
    flags = {
        "decisions": "--steps",
        "minutes": "--minutes",
        "seed": "--seed",
        "learner": "--learner",
        "method": "--method",
    }
    opponents, against = given.get("opponents", {}), given.get("evaluate_against", ())
    others = {n: v for n, v in given.items() if n not in (*flags, "opponents", "evaluate_against", "scenarios")}
    line = command_line("train", game, {
        "--scenario": [scenario], "--module": module, "--set": options,
        **{flag: [str(given[name])] for name, flag in flags.items() if name in given},
        "--opponents": [f"{name}={weight}" for name, weight in opponents.items()],
        "--against": [",".join(against) or None],
        "--setting": [f"{name}={json.dumps(value)}" for name, value in others.items()],
        "--seeds": [str(seeds) if seeds > 1 else None],
    })  # fmt: skip
    return f"{line} --shipped" if shipped else line


def _run(training: SelfPlay, folder: Path, every: float, lang: str) -> bool:
    """Train with progress and checkpoints; False if it was interrupted."""
    text = _TEXT[lang]
    from ..training.callbacks import Watch
    from ..training.checkpoint import save_checkpoint

    if not (folder / CHECKPOINT).exists():  # so that there is one, whatever happens
        save_checkpoint(training, folder / CHECKPOINT)
    saved = time.monotonic()
    try:
        with interruptible(noted(lang, "stopping")) as stop, Watch(training, log=folder / LOG, lang=lang) as watch:

            def after(trained: SelfPlay, measured: Mapping[str, float]) -> bool:
                nonlocal saved
                watch(trained, measured)
                if not stop and time.monotonic() - saved >= every:
                    save_checkpoint(trained, folder / CHECKPOINT)
                    saved = time.monotonic()
                return not stop

            training.run(after)
            save_checkpoint(training, folder / CHECKPOINT)
    except KeyboardInterrupt:
        _note(text["lost"])
        return False
    training.save_policy(folder / POLICY)  # before it is measured, which takes its time
    if not training.finished:
        _note(number_in(text["interrupted"].format(decisions=training.decisions), lang))
        return False
    if not any(e.decisions == training.decisions for e in training.evaluations):
        games, agents = training.config.evaluate_games, ", ".join(training.config.evaluate_against)
        _note(text["measuring"].format(games=number_in(f"{games:,}", lang), agents=agents))
        try:
            training.evaluate()
        except KeyboardInterrupt:
            _note(text["unmeasured"].format(path=folder / POLICY))
            return False
        save_checkpoint(training, folder / CHECKPOINT)
        training.save_policy(folder / POLICY)
    return True
