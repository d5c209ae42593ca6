"""What commands around trainings share: Ctrl-C, the course from a log, the report, trainings side by side."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from tqdm import tqdm

from ..agents.base import AgentError
from ..envs.core.disk import locked, write_text
from ..envs.core.errors import ProbespielError
from ..envs.core.interrupts import OTHERS, Ended, ended_like_interrupted, told_again
from ..envs.core.replay import runs_files
from ..envs.core.texts import number_in
from .common import REPORT, note
from .results import opened

if TYPE_CHECKING:
    from ..agents.policy_file import Policy
    from ..envs.core.engine import Engine
    from ..envs.core.game import Game
    from ..evaluation.report.trained import Against, Round, Trial, Update
    from ..training.config import TrainConfig
    from ..training.evaluate import Evaluation
    from ..training.population import Member, Population
    from ..training.psro import Learned, Responses
    from ..training.selfplay import SelfPlay

POLICY, LOG, SETTINGS = "policy.safetensors", "progress.jsonl", "settings.json"
EXAMPLE = "replay-{number}.json"  # of the games that show what the policy does against each agent
_PLAYED = "play/against_"
_KEPT = ("checkpoint*", "policy*.safetensors", "exploiter-*.safetensors")  # what trainings go on from
_TEXT = {
    "en": {
        "play": "{count} trainings for {game}, {decisions} decisions each, {jobs} at a time (Ctrl-C keeps them).",
        "stopping": "Ending after the legs under way; once more to stop at once.",
        "interrupted": "Interrupted after {decisions} decisions in all; go on with --resume.",
        "measuring": "Measuring {count} policies in {games} games each against {agents}.",
        "train": "training",
        "measure": "measuring",
        "member": "Training {number}, seed {seed}: {edge} on average. {file}",
        "rounds": "Training for {game}, {rounds} rounds against best answers, {decisions} decisions (Ctrl-C keeps it).",
        "policy": "policy, round {number}",
        "answers": "answers to round {number}",
        "matrix": "games, round {number}",
        "made": "Policy: {path}   (play against it: agent policy:file={path})",
    },
    "de": {
        "play": "{count} Trainings für {game}, je {decisions} Entscheidungen, {jobs} zugleich (Strg-C sichert sie).",
        "stopping": "Ende nach den laufenden Abschnitten; noch einmal für sofort.",
        "interrupted": "Abgebrochen nach {decisions} Entscheidungen insgesamt; weiter geht es mit --resume.",
        "measuring": "{count} Strategien werden gemessen, in je {games} Spielen gegen {agents}.",
        "train": "Training",
        "measure": "Messung",
        "member": "Training {number}, Startwert {seed}: im Mittel {edge}. {file}",
        "rounds": "Training für {game}, {rounds} Runden gegen beste Antworten, {decisions} Entscheidungen "
        "(Strg-C sichert es).",
        "policy": "Strategie, Runde {number}",
        "answers": "Antworten auf Runde {number}",
        "matrix": "Spiele, Runde {number}",
        "made": "Strategie: {path}   (als Gegner: policy:file={path})",
    },
}


@contextmanager
def interruptible(message: str) -> Iterator[list[bool]]:
    """Ctrl-C, SIGTERM or SIGHUP once: the list becomes true; twice: KeyboardInterrupt."""
    stop: list[bool] = []

    def handle(number: int, frame: Any) -> None:
        if number in OTHERS and told_again(number):
            return
        if stop:
            raise Ended(number) if number in OTHERS else KeyboardInterrupt
        stop.append(True)
        note(message)

    with ended_like_interrupted():
        others = [number for number in OTHERS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, handle) for number in (signal.SIGINT, *others)}
        try:
            yield stop
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def course_of(log: Path) -> list[Update]:
    """The course of a training from its log; what an update that was taken back had written is left out.

    A line that a process broke off while it was killed is none.
    """
    from ..evaluation.report.trained import Update

    entries: list[dict[str, Any]] = []
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if "train/entropy" in entry or any(name.startswith(_PLAYED) for name in entry):
            while entries and entries[-1]["decisions"] >= entry["decisions"]:
                entries.pop()
            entries.append(entry)
    return [
        Update(
            entry["decisions"],
            entry.get("train/entropy"),
            {name.removeprefix(_PLAYED): value for name, value in entry.items() if name.startswith(_PLAYED)},
        )
        for entry in entries
    ]


@contextmanager
def keeping(folder: Path) -> Iterator[None]:
    """Where an agent fails, say that what was learned is kept in the folder, if something is; raises AgentError."""
    try:
        yield
    except AgentError as error:
        if not any(True for pattern in _KEPT for _ in folder.rglob(pattern)):
            raise
        raise AgentError(f"{error}; what was learned is kept in {folder}: --resume goes on with it") from None


def report_training(training: SelfPlay, folder: Path, lang: str, command: str) -> Path:
    """Write what a training of this process has come to, its page, and games that show it; the path of the page."""
    measured = [e for e in training.evaluations if e.decisions == training.decisions]
    return _report(
        training.config, training.games, training.policy(), measured, course_of(folder / LOG), training.decisions,
        training.seconds, training.finished and bool(measured), folder, lang, command,
    )  # fmt: skip


def _report(
    config: TrainConfig, games: Sequence[Game], policy: Policy, measured: Sequence[Evaluation],
    course: Sequence[Update], decisions: int, seconds: float | None, complete: bool, folder: Path, lang: str,
    command: str, trials: tuple[Trial, ...] = (), rounds: tuple[Round, ...] = (), worst: Against | None = None,
) -> Path:  # fmt: skip
    from ..evaluation.declaration import unit_of
    from ..evaluation.report import trained
    from ..training.config import TrainConfig
    from ..training.showing import example

    game, results = games[0], []
    called = {seat.name: seat.called("en") for seat in game.seats}
    german = {seat.called("en"): seat.called("de") for seat in game.seats}
    for number, found in enumerate(measured, start=1):
        replay, name = example(game, policy, found.opponent, found.edge, config.seed), ""
        if replay is not None:
            name = EXAMPLE.format(number=number)
            replay.save(folder / name)
        seats = tuple(trained.Seat(called[s], n, mean, error if n > 1 else None) for s, n, mean, error in found.seats)
        results.append(trained.Against(found.opponent, found.games, found.edge, found.low, found.high, seats, name))
    usual = TrainConfig.model_validate({"game": config.game}).model_dump(mode="json")
    settings = {
        name: json.dumps(value, ensure_ascii=False)
        for name, value in config.model_dump(mode="json").items()
        if value != usual[name] and name not in ("seed", "decisions")
    }
    return trained.write_reports(folder, trained.Trained(
        game.name, tuple(str(g.spec.scenario) for g in games), game.ruleset, config.learner, config.seed, decisions,
        seconds, POLICY, settings, trained.thinned(course), tuple(results),
        unit_of(game.spec.system, game.spec.options), len(game.sides) == 1, complete, command, trials, rounds, worst,
        runs_files(game), german,
    ), lang)  # fmt: skip


def train_side_by_side(
    game: str, settings: Mapping[str, Any], seeds: int, folder: Path, engine: Engine, resume: bool, overwrite: bool,
    lang: str, command: str,
) -> bool:  # fmt: skip
    """Train several policies by an engine, measure them, keep the best, and report; whether it came to its end.

    Raises ProbespielError for settings whose result is a matter of the clock, and where the folder holds another one.
    """
    from ..training.config import train_config
    from ..training.population import Population, best_of

    config = train_config(game, **settings)
    text = _TEXT[lang]

    def whole(n: int) -> str:
        return number_in(f"{n:,}", lang)

    with locked(folder), keeping(folder):
        people = Population.of_seeds(config, seeds, folder)
        _begin(folder, {"settings": config.model_dump(mode="json"), "seeds": seeds}, resume, overwrite)
        note(text["play"].format(count=seeds, game=game, decisions=whole(config.decisions), jobs=engine.count))
        total = seeds * config.decisions
        begun = sum(member.decisions for member in people.members() if member is not None)
        with (
            interruptible(text["stopping"]) as stop,
            tqdm(total=total, initial=begun, unit="", desc=text["train"]) as bar,
        ):
            done = people.learn(engine, bar.update, lambda: bool(stop))
        if len(done) < seeds:
            reached = sum(member.decisions for member in people.members() if member is not None)
            note(text["interrupted"].format(decisions=whole(reached)))
            return False
        agents = ", ".join(config.evaluate_against)
        note(text["measuring"].format(count=seeds, games=whole(config.evaluate_games), agents=agents))
        with tqdm(total=seeds * len(config.evaluate_against), unit="", desc=text["measure"]) as bar:
            members = people.measure(engine, done, bar.update)
        best = best_of(members)
        shutil.copyfile(folder / best.file, folder / POLICY)
        page = _population_report(people, members, best, folder, lang, command)
        for number, member in enumerate(members, start=1):
            edge = number_in(f"{member.edge:+.4f}", lang) if member.evaluations else "?"
            typer.echo(text["member"].format(number=number, seed=member.seed, edge=edge, file=folder / member.file))
    typer.echo(text["made"].format(path=folder / POLICY))
    typer.echo(REPORT[lang].format(path=page))
    return True


def _population_report(
    people: Population, members: Sequence[Member], best: Member, folder: Path, lang: str, command: str
) -> Path:
    from ..agents.policy_file import load_policy
    from ..envs.core.registry import make_game
    from ..evaluation.report.trained import Trial, Update

    config = people.configs[members.index(best)]
    games = [make_game(config.game, s.scenario, s.modules, **s.options) for s in config.scenarios]
    course = [Update(m.decisions, m.entropy, m.payoffs) for m in best.course]
    trials = tuple(Trial(m.seed, m.file, m.edge if m.evaluations else None, m is best) for m in members)
    return _report(
        config, games, load_policy(folder / best.file), best.evaluations, course, best.decisions, None, True, folder,
        lang, command, trials if len(trials) > 1 else (),
    )  # fmt: skip


def train_in_rounds(
    game: str, settings: Mapping[str, Any], folder: Path, engine: Engine, resume: bool, overwrite: bool, lang: str,
    command: str,
) -> bool:  # fmt: skip
    """Train a policy against best answers to it (`training/psro.py`), measure it, report; whether it came to its end.

    Raises ProbespielError for settings or a game that the method has nothing to do with, and as `train_side_by_side`.
    """
    from ..agents.policy_file import save_policy
    from ..training.config import train_config
    from ..training.population import measured
    from ..training.psro import Doing, Responses

    config = train_config(game, **settings)
    text = _TEXT[lang]

    def whole(n: int) -> str:
        return number_in(f"{n:,}", lang)

    with locked(folder), keeping(folder):
        responses = Responses(config, folder)
        _begin(folder, {"settings": config.model_dump(mode="json")}, resume, overwrite)
        note(text["rounds"].format(game=game, rounds=config.rounds, decisions=whole(responses.total)))
        learned = 0
        with (
            interruptible(text["stopping"]) as stop,
            tqdm(total=responses.total, unit="", desc=text["train"]) as bar,
        ):

            def tell(decisions: int) -> None:
                nonlocal learned
                learned += decisions
                bar.update(decisions)

            def say(what: str, number: int) -> None:
                bar.set_description(text[what].format(number=number))

            found = responses.run(Doing(engine, tell, lambda: bool(stop), say))
        if found is None:
            note(text["interrupted"].format(decisions=whole(learned)))
            return False
        policy = responses.policy(found)
        save_policy(folder / POLICY, policy.manifest, policy.net.weights)
        agents = ", ".join(config.evaluate_against)
        note(text["measuring"].format(count=1, games=whole(config.evaluate_games), agents=agents))
        with tqdm(total=len(config.evaluate_against), unit="", desc=text["measure"]) as bar:
            (evaluations,) = measured(config, [folder / POLICY], [config.seed], engine, bar.update)
        page = _rounds_report(responses, found, policy, evaluations, folder, lang, command)
    typer.echo(opened(folder).lines(lang), nl=False)
    typer.echo(text["made"].format(path=folder / POLICY))
    typer.echo(REPORT[lang].format(path=page))
    return True


def _rounds_report(
    responses: Responses, found: Learned, policy: Policy, evaluations: Sequence[Evaluation], folder: Path, lang: str,
    command: str,
) -> Path:  # fmt: skip
    from ..agents.intervals import NORMAL
    from ..evaluation.report.trained import Against, Round, Update

    kept, named, before = found.stages[found.kept], responses.named, 0
    course: list[Update] = []
    for stage in found.stages[: found.kept + 1]:
        course += [
            Update(before + m.decisions, m.entropy, {named(name): value for name, value in m.payoffs.items()})
            for m in stage.course
        ]
        before = stage.decisions
    rounds = tuple(
        Round(
            stage.round, str(Path(stage.file).relative_to(folder)), stage.decisions,
            {named(name): share for name, share in stage.met.items()}, named(worst), least.payoff, stage is kept,
        )
        for stage, worst, least in zip(found.stages, found.worst, found.least)
    )  # fmt: skip
    fresh, half = found.afresh, NORMAL * found.afresh.error
    worst = Against(
        named(found.worst[found.kept]), fresh.games, fresh.payoff, fresh.payoff - half, fresh.payoff + half, ()
    )
    page = _report(
        responses.config, responses.games, policy, evaluations, course, kept.decisions, None, True, folder, lang,
        command, rounds=rounds, worst=worst,
    )  # fmt: skip
    return page


def _begin(folder: Path, asked: Mapping[str, Any], resume: bool, overwrite: bool) -> None:
    """Write down what is asked, or see that it is what the folder holds; raises ProbespielError."""
    path = folder / SETTINGS
    wanted = json.loads(json.dumps(asked))
    if resume:
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ProbespielError(f"--resume: {path} cannot be read: {error}") from None
        if stored != wanted:
            raise ProbespielError(f"--resume: {folder} holds trainings with other settings, or another number of them")
        return
    if not overwrite and any((folder / name).exists() for name in (SETTINGS, "checkpoint.safetensors")):
        raise ProbespielError(f"{folder} already holds a training: --resume goes on with it, --overwrite drops it")
    for old in (*folder.glob("policy-*/"), *folder.glob("answers-*/")):
        if (old / "policy-1.json").exists() or (old / "checkpoint-1.part").exists():  # of rounds
            shutil.rmtree(old)
    kept = ("policy*.safetensors", "policy-*.json", "checkpoint*", EXAMPLE.format(number="*"), LOG)
    for pattern in (*kept, "report.html", "training.json"):
        for old in folder.glob(pattern):
            old.unlink()
    write_text(path, json.dumps(wanted, indent=1) + "\n")


__all__ = [
    "EXAMPLE",
    "LOG",
    "POLICY",
    "SETTINGS",
    "course_of",
    "interruptible",
    "keeping",
    "report_training",
    "train_in_rounds",
    "train_side_by_side",
]
