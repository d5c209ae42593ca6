"""Stress tests of modules of Kuhn poker: the report, the same seed, resuming, and rules that break in every way."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.app.cli import run
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Replay, load
from probespiel.evaluation.stress import breakage, context, forecast
from probespiel.evaluation.stress import store as stress_store
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.context import STEPS, Context, LabFailure, Unanswered
from probespiel.evaluation.stress.findings import Findings, Use
from probespiel.evaluation.stress.lab import Lab
from probespiel.evaluation.stress.progress import INTERPRETED, Quiet
from probespiel.evaluation.stress.report import read_report
from probespiel.evaluation.stress.run import Stress, StressInterrupted, run_stress
from probespiel.evaluation.stress.strategies import Strategy, once_each
from probespiel.evaluation.stress.workers import Failed, Job
from tests.whole_runs import held

from .known_kuhn import PLAIN, kuhn_value
from .schema_check import assert_valid

HEAD = '''"""A module for tests."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("{name}", "A module for tests.")
'''
HOOKS = {
    # the holder's jack beats everything
    "jacks": '''@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A jack counts as three."""
    return 3 if card == 0 else value
''',
    # changes nothing
    "silent": '''@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """As it is."""
    return value
''',
    # a holder who is on turn after a bet has no move
    "stuck": '''@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    """Nothing after a bet."""
    return 0 if s.turn == 1 and s.moves[0] == 1 else bits
''',
    # never returns after two passes
    "endless": '''@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Counts for ever."""
    while s.turn == 2 and s.moves[0] == 0 and s.moves[1] == 0:
        s.endless_count += 1
''',
    # takes a path that numba cannot compile, and fails there
    "raises": '''@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """A dict of Python objects, and a key that is not there."""
    table: Any = {"a": [1], 2: object()}
    if s.turn == 2:
        table["missing"]
''',
    # the turn goes back: the position before is there again
    "undo": '''@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """A second pass is taken back together with the first."""
    if s.turn == 2 and s.moves[0] == 0 and s.moves[1] == 0:
        s.turn = 0
''',
}
SHARED = '''"""A rule of the whole table, with a counter."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("shared", "A jack counts as three for everybody.", table=True)
module.counter("seen", 3, en="moves seen", per_seat=False)
@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Counts."""
    s.shared_seen += 1
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """A jack counts as three."""
    return 3 if card == 0 else value
'''
TINY = replace(
    BUDGETS["quick"], probe=300, learn_use=60, learn_free=60, learn_counter=60, prelude=40, choose=40, measure=400,
    matrix=40, rates=60, samples=60, course=60, replicates=2, ladder=(5, 10), rung=20, show=60, resamples=50,
    stakes=2_000, pace=0.0,
)  # fmt: skip


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget of seconds."""
    monkeypatch.setitem(BUDGETS, "quick", TINY)
    monkeypatch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))


def jack_worth() -> float:
    """What a jack that counts as three is worth to a side, by a matrix of all plans."""
    first, second, plain = (kuhn_value(*s) for s in (((3, 1, 2), PLAIN), (PLAIN, (3, 1, 2)), (PLAIN, PLAIN)))
    return ((first - plain) - (second - plain)) / 2


def module(folder: Path, name: str) -> str:
    path = folder / f"{name}.py"
    if name == "shared":
        path.write_text(SHARED)
        return str(path)
    field = 'module.state("count", per_seat=False, doc="a number")\n' if name == "endless" else ""
    path.write_text(HEAD.format(name=name) + field + HOOKS[name])
    return str(path)


def settings(path: str, **more: Any) -> Settings:
    return Settings("kuhn", path, budget="quick", **more)


@pytest.fixture(scope="module")
def jacks(tmp_path_factory: pytest.TempPathFactory) -> str:
    return module(tmp_path_factory.mktemp("modules"), "jacks")


@pytest.fixture(scope="module")
def undisturbed(jacks: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Findings, Path]:
    """The findings of a whole test by one process, and its folder: others are compared with it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BUDGETS, "quick", TINY)
        patch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))
        found, page = run_stress(settings(jacks), folder, jobs=1)
    held("stress kuhn jacks", folder / "report.json", page, hide=(folder, Path(jacks).parent), alike=False)
    return found, folder


def games_of(job: Job) -> int:
    """How many games a job plays, of those that play nothing else."""
    args = job.args
    if job.kind == "matrix":
        return (args["deals"][1] - args["deals"][0]) * len(args["rows"]) * len(args["columns"])
    return args["deals"][1] - args["deals"][0] if job.kind == "measure" else 0


class _Plan(Quiet):
    """Keeps what is said before the test."""

    text = ""

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """The time that it will take."""
        self.seconds, self.text = seconds, text

    def measure(self, text: str) -> None:
        """That there is none."""
        self.text = text


def test_a_report(
    jacks: str, undisturbed: tuple[Findings, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole test: the verdict, the page, the numbers, the replay; the same seed gives the same bytes.

    What is played is what was counted beforehand, and every step has its time.
    """
    played, counted, ask = Counter[str](), dict[str, Any](), Context.ask

    def counting(self: Context, step: str, jobs: Sequence[Job]) -> list[Any]:
        played[step] += sum(map(games_of, jobs))
        return ask(self, step, jobs)

    monkeypatch.setattr(Context, "ask", counting)
    work_of, plan = forecast.work_of, _Plan()
    monkeypatch.setattr(forecast, "work_of", lambda *args: counted.setdefault(args[0].budget.name, work_of(*args)))
    found, page = run_stress(settings(jacks), tmp_path / "one", jobs=2, watcher=plan)
    for step in ("choose", "measure", "dominance", "exploit", "levels"):
        games = sum(counted["quick"][step][kind] for kind in ("games", "mixed", "learned"))  # by whomever
        assert played[step] / 1.5 < games < 1.5 * played[step], step
    branched = sum(course.branched for course in found.learning or ())
    assert branched / 2 < counted["quick"]["learn"]["branches"] < 2 * branched
    steps = set(list(STEPS)[list(STEPS).index("learn") :]) - {"bounds"}  # of an exact worth none are asked for
    assert set(plan.seconds) == steps and min(plan.seconds.values()) > 0
    assert plan.text.startswith("This takes about ") and "standard" in plan.text
    assert found.verdict and found.worth and found.exploit
    assert found.verdict.word == "strong"
    assert found.worth.exact and found.worth.overall.value == pytest.approx(jack_worth(), abs=1e-9)
    assert found.use == Use(0)
    assert {e.side for e in found.exploit} == {"first", "second"}
    kept = read_report(tmp_path / "one" / "report.json")
    assert_valid(tmp_path / "one" / "report.json")
    assert kept.to_json() == found.to_json() and kept.exploit
    assert kept.exploit[0].game.lines == found.exploit[0].game.lines
    root = ET.fromstring(page.read_text(encoding="utf-8").replace("<!DOCTYPE html>", ""))
    assert not [e for e in root.iter() if e.tag.endswith(("script", "link", "iframe"))]
    told = json.loads((tmp_path / "one" / "report.json").read_text())
    assert len(told["answers"]) == 9 and all(lines for lines in told["answers"].values())
    assert all("games" in " ".join(lines) for name, lines in told["answers"].items() if name != "Is it used?")
    assert told["game_verdict"]["word"] and kept.effect and kept.levels and kept.game_verdict == found.game_verdict
    assert {f.name for f in kept.effect.figures} >= {"length", "luck", "skill", "draws", "first seat", "decisions"}
    length = kept.effect.of("length")
    assert length and 2 <= length.before.value <= 3 and not length.matters
    assert (
        [level.name for level in kept.levels][-1] in ("experts", "the strongest found")
        and found.levels
        and found.levels[-1].worth == found.worth.overall
    )
    shown = found.exploit[0].game
    assert shown.found and sum(line.decisive for line in shown.lines) == 1
    game = make_game("kuhn", modules={jacks: {"seats": [0]}})
    replay = load(tmp_path / "one" / "replays" / shown.replay, game)
    assert isinstance(replay, Replay) and replay.payoffs[0] == shown.margin
    sample = found.sample
    assert sample and sample.found and sample.passive and sample.margin > 0 > sample.margin_without
    assert [line.decisive for line in sample.lines] == [False] * (len(sample.lines) - 1) + [True]
    assert "the rule acts" in sample.lines[-1].comment and sample.parted == len(sample.lines)
    again = load(tmp_path / "one" / "replays" / sample.replay, game)
    assert again.payoffs[0] == sample.margin or again.payoffs[1] == sample.margin
    for name in ("report.json", "report.html"):
        assert (tmp_path / "one" / name).read_bytes() == (undisturbed[1] / name).read_bytes()


class _Stop(Quiet):
    """Interrupts when a step begins."""

    def __init__(self, step: str) -> None:
        self.wanted = step

    def begin(self, step: str) -> None:
        """Like Ctrl-C."""
        if step == self.wanted:
            raise KeyboardInterrupt


def test_a_rule_of_the_whole_table(tmp_path: Path) -> None:
    """Nobody and everybody have it, it gives nobody an edge, and its counter stands in the report."""
    found, page = run_stress(settings(module(tmp_path, "shared")), tmp_path / "out", jobs=1)
    assert found.verdict and found.worth and found.effect and found.whole_table
    assert found.verdict.word in ("shared", "seat-favouring") and found.mixtures is not None
    assert list(found.mixtures) == ["nobody", "everybody"]
    assert found.levels and all(level.worth is None for level in found.levels)
    first, second = (side.even.worth.value for side in found.worth.sides)
    assert first == pytest.approx(-second)
    assert found.sample and found.sample.side == ""
    assert found.counters and found.counters[0].name == "moves seen" and 1 < found.counters[0].mean <= 3
    text = page.read_text(encoding="utf-8")
    assert "nobody has it alone" in text and "moves seen" in text
    held("stress kuhn shared", tmp_path / "out" / "report.json", page, hide=(tmp_path,), alike=False)


def test_a_rule_that_changes_nothing(tmp_path: Path) -> None:
    """Learners, their choice and their games are the same with it as without: it makes no difference in any of them."""
    found, page = run_stress(settings(module(tmp_path, "silent")), tmp_path / "out", jobs=1)
    assert found.worth and found.learning and found.mixtures and found.exploit and found.sides
    by_role: dict[str, set[tuple[int, int, float]]] = {}
    for course in found.learning:
        by_role.setdefault(course.strategy[-3:], set()).add((course.branched, course.games, course.error))
    assert len(by_role) == 2 and all(len(same) == 1 for same in by_role.values())
    weights = {tuple(tuple(side.mixture.values()) for side in sides) for sides in found.mixtures.values()}
    assert len(weights) == 1 and len(found.mixtures) == 4
    counters: dict[str, set[bytes]] = {}
    for net in sorted((tmp_path / "out" / "nets").glob("counter-*-?.npz")):
        with np.load(net) as stored:
            counters.setdefault(net.stem[-1], set()).add(b"".join(stored[name].tobytes() for name in stored.files))
    assert {side: len(same) for side, same in counters.items()} == {"0": 1, "1": 1}
    rows = [row for side in found.worth.sides for row in side.by_amount]
    assert all(row.score_with == row.score_without and row.odds.value == 0 for row in rows)
    assert [exploit.gain.value for exploit in found.exploit] == [0.0] * len(found.exploit)
    assert all(exploit.gain.low < 0 < exploit.gain.high for exploit in found.exploit)
    held("stress kuhn silent", tmp_path / "out" / "report.json", page, hide=(tmp_path,), alike=False)


def test_interrupted_and_resumed(
    jacks: str, undisturbed: tuple[Findings, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is finished is reported and not done again; the end is that of a test without interruption."""
    done: list[str] = []
    put = stress_store.Store.put
    monkeypatch.setattr(
        stress_store.Store, "put", lambda self, path, answer: (done.append(path.name), put(self, path, answer))
    )
    with pytest.raises(StressInterrupted) as stop:
        run_stress(settings(jacks), tmp_path / "a", watcher=_Stop("use"), jobs=1)
    assert stop.value.findings.worth and stop.value.findings.worth.overall.value > 0
    page = stop.value.page.read_text(encoding="utf-8")
    assert "interrupted" in page and "This was not finished." in page and not stop.value.stays
    before = set(done)
    reports = [tmp_path / "a" / name for name in ("report.json", "report.html")]
    kept = [path.read_bytes() for path in reports]
    with pytest.raises(StressInterrupted) as again:
        run_stress(settings(jacks), tmp_path / "a", resume=True, watcher=_Stop("learn"), jobs=1)
    assert again.value.stays and again.value.findings.to_json() == stop.value.findings.to_json()
    assert [path.read_bytes() for path in reports] == kept
    reports[0].unlink()
    with pytest.raises(StressInterrupted) as less:
        run_stress(settings(jacks), tmp_path / "a", resume=True, watcher=_Stop("learn"), jobs=1)
    assert not less.value.stays and less.value.findings.worth is None and reports[0].is_file()
    with pytest.raises(StressInterrupted) as more:
        run_stress(settings(jacks), tmp_path / "a", resume=True, watcher=_Stop("choose"), jobs=1)
    assert not more.value.stays and more.value.findings.learning, "what tells more than the one before is written"
    done.clear()
    with pytest.raises(ProbespielError, match="--resume"):
        run_stress(settings(jacks), tmp_path / "a", jobs=1)
    with pytest.raises(ProbespielError, match="seed was 1, is now 4"):
        run_stress(settings(jacks, seed=4), tmp_path / "a", resume=True, jobs=1)
    damaged = next((tmp_path / "a" / "parts").glob("measure-*.npz"))
    damaged.write_bytes(b"damaged")
    resumed, _ = run_stress(settings(jacks), tmp_path / "a", resume=True, jobs=1)
    assert set(done) & before == {damaged.name}
    whole, folder = undisturbed
    assert (tmp_path / "a" / "report.json").read_bytes() == (folder / "report.json").read_bytes()
    assert resumed == whole
    with pytest.raises(StressInterrupted) as late:
        run_stress(settings(jacks), tmp_path / "a", resume=True, watcher=_Stop("build"), jobs=1)
    assert late.value.stays and late.value.findings.complete
    assert [path.read_bytes() for path in reports] == [(folder / path.name).read_bytes() for path in reports]
    assert json.loads((tmp_path / "a" / "stress.json").read_text())["finished"]


def test_no_legal_move(tmp_path: Path) -> None:
    """The shortest game is one decision long: after a bet the holder is stuck."""
    found, page = run_stress(settings(module(tmp_path, "stuck")), tmp_path / "out", jobs=1)
    assert found.verdict and found.verdict.word == "broken"
    faults = {f.where: f for f in found.faults}
    assert set(faults) == {"only second", "everybody"}
    # a module that another author wrote is stopped by its guard, which tells the hook
    assert faults["everybody"].kind == "wrong answer" and faults["everybody"].length == 1
    assert "hook 'moves' answered 0, allowed are 1..3" in faults["everybody"].text
    assert [m.what for m in faults["everybody"].moves] == ["bet"]
    assert (tmp_path / "out" / "replays" / str(faults["everybody"].replay)).is_file()
    held("stress kuhn stuck", tmp_path / "out" / "report.json", page, hide=(tmp_path,), alike=False)


def test_a_position_that_comes_back(tmp_path: Path) -> None:
    found, _ = run_stress(settings(module(tmp_path, "undo")), tmp_path / "out", jobs=1)
    assert found.verdict and found.verdict.word == "broken"
    fault = next(f for f in found.faults if f.where == "everybody")
    assert fault.kind == "repeated" and fault.length == 2 and fault.cycle == 0
    assert [m.what for m in fault.moves] == ["pass", "pass"]


def test_rules_that_never_return(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is given up, and the decision that does not return is told."""
    monkeypatch.setattr(breakage, "SECONDS", 1.5)
    found, page = run_stress(settings(module(tmp_path, "endless")), tmp_path / "out", jobs=1)
    assert found.verdict and found.verdict.word == "broken"
    fault = next(f for f in found.faults if f.where == "everybody")
    assert fault.kind == "hang" and fault.length == 2
    assert "endless.py" in fault.text and "it never ends" in fault.text
    assert [m.what for m in fault.moves] == ["pass"] and fault.final and fault.final.what == "pass"
    assert (tmp_path / "out" / "replays" / str(fault.replay)).is_file()
    assert page.is_file()


def test_rules_that_raise(tmp_path: Path) -> None:
    """They run interpreted, as is said at once; the error is told with its game, and the lab goes on to its report."""
    watcher = _Plan()
    found, _ = run_stress(settings(module(tmp_path, "raises")), tmp_path / "out", jobs=1, watcher=watcher)
    assert watcher.text == INTERPRETED
    assert found.verdict and found.verdict.word == "broken"
    assert any("KeyError" in f.text and "missing" in f.text for f in found.faults)
    assert all((tmp_path / "out" / "replays" / str(f.replay)).is_file() for f in found.faults)
    assert any("not compilable" in note for note in found.notes)


RAISING = {
    # the end of a game, which no decision leads past
    "kuhn": ("payoff(s: Any, p: Any, seat: int, value: float) -> float", "odd = {'a': [1]}\n    return odd['missing']"),
    # before the first decision: a whole session stands behind it, and no replay can begin
    "einblatt-duel": ("conflict_start(s: Any, p: Any, seat: int) -> None", "odd = {'a': [1]}\n    odd['missing']"),
}


@pytest.mark.parametrize("game", RAISING)
def test_rules_that_raise_where_nobody_decides(game: str, tmp_path: Path) -> None:
    """An error when all is counted has a replay up to the last decision, one of the set-up has none; both are told."""
    head, body = RAISING[game]
    path = tmp_path / "odd.py"
    imports = f"from typing import Any\nfrom probespiel.envs.{game.split('-')[0]}.module import Module"
    shift = ", payoff_shift=1.0" if game == "kuhn" else ""
    hook = f'@module.hook\ndef {head}:\n    """Raises."""\n    {body}\n'
    path.write_text(f'"""Odd."""\n{imports}\nmodule = Module("odd", "Odd."{shift})\n{hook}')
    lab = Lab(Bench(Settings(game, str(path)), compiled=False), tmp_path)
    condition = lab.bench.everybody()
    with pytest.raises(RulesetError, match="KeyError: 'missing'"):
        breakage.search(lab, condition, 3, 5)
    told = breakage.raised(lab, condition, 3, 5, "replays/odd.json")
    assert "odd.py:" in told["text"] and "KeyError: 'missing'" in told["text"]
    if game == "kuhn":
        replay = json.loads((tmp_path / "replays" / told["replay"]).read_text())
        assert told["length"] == len(told["moves"]) + 1 >= 2 and told["final"]["what"] and replay["steps"]
    else:
        assert (told["replay"], told["length"], told["moves"]) == (None, 0, [])


def test_rules_that_stop_a_later_step(jacks: str, tmp_path: Path) -> None:
    """They are broken if wilful play shows it, with a replay; else the lab has failed, and says so."""
    condition = Condition((0, 1))
    lost = Unanswered("learn", Job("train", {"conditions": [condition]}), Failed("died", "its process ended"))
    sound = Stress(settings(jacks), tmp_path / "sound", 1, False, False, Quiet(), "")
    with sound.context.workers, pytest.raises(LabFailure, match=r"while learning .* no game that breaks was found"):
        sound.broke(lost)
    assert not sound.found.faults
    stuck = Stress(settings(module(tmp_path, "stuck")), tmp_path / "stuck", 1, False, False, Quiet(), "")
    with stuck.context.workers:
        stuck.broke(lost)
    assert [fault.where for fault in stuck.found.faults] == ["everybody"]
    assert (tmp_path / "stuck" / "replays" / str(stuck.found.faults[0].replay)).is_file()


def test_conditions_are_one_rule_set(jacks: str) -> None:
    """Conditions differ in who has the module, and in nothing that is compiled."""
    bench = Bench(settings(jacks), compiled=False)
    conditions = bench.holder_conditions()
    assert list(conditions) == ["nobody", "only first", "only second", "everybody"]
    games = [bench.game(c) for c in conditions.values()]
    assert len({g.ruleset for g in games}) == 1
    assert [int(g.params.jacks_seats) for g in games] == [0, 1, 2, 3]
    with pytest.raises(ProbespielError, match="names no handicap"):
        bench.spec(Condition(amount=1))


def test_einblatt_conditions() -> None:
    """Cards, exchanged seats, and what a module needs to have anything to do."""
    bench = Bench(Settings("einblatt-duel", "marked_cards"), compiled=False)
    assert all(seat["prepared"] == 3 for seat in bench.options["seats"])
    more = bench.spec(Condition((1,), 1, 2))
    assert [s["attribute"] for s in more.options["seats"]] == [6, 8]
    mirrored = bench.spec(Condition((1,), mirrored=True))
    assert [s.name for s in mirrored.seats] == ["Bea", "Ada"]
    assert int(mirrored.params["marked_cards_seats"][0]) == 1
    assert bench.side_seats(Condition(mirrored=True), 0) == (1,)
    with pytest.raises(RulesetError, match="attribute"):
        bench.spec(Condition((), 0, 30))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["stress", "kuhn"], "--module"),
        (["stress", "kuhn", "--module", "nothing"], "nothing"),
        (["stress", "kuhn", "--module", "nowhere.py"], "does not exist"),
        (["stress", "chess", "--module", "x"], "chess"),
        (["stress", "einblatt-duel", "--module", "all_in", "--param", "x=1"], "'x'"),
        (["stress", "einblatt-duel", "--module", "all_in", "--param", "x"], "key=value"),
        (["stress", "einblatt-melee", "--module", "all_in"], "level"),
        (["stress", "einblatt-duel", "--module", "all_in", "--budget", "huge"], "huge"),
        (["stress", "einblatt-duel", "--module", "all_in", "--also", "all_in"], "under test"),
        (["stress", "einblatt-duel", "--module", "all_in", "--resume", "--overwrite"], "one of them"),
        (["stress", "einblatt-duel", "--module", "all_in", "--jobs", "0"], "jobs"),
    ],
)
def test_bad_input(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that names what is wrong, and no traceback."""
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert text in error and "Traceback" not in error


def test_a_foreign_folder_is_left_alone(jacks: str, tmp_path: Path) -> None:
    (tmp_path / "stress.json").write_text("{}")
    with pytest.raises(ProbespielError, match="another folder"):
        run_stress(settings(jacks), tmp_path, jobs=1)
    (tmp_path / "file").write_text("x")
    with pytest.raises(ProbespielError, match="no folder"):
        run_stress(settings(jacks), tmp_path / "file", jobs=1)


def test_strategies_of_one_name_are_not_mixed_up() -> None:
    """One name stands for one strategy, or two networks would be played for each other."""
    ours, theirs = Strategy("counter", net="ours.npz"), Strategy("counter", net="theirs.npz")
    other = Strategy("other")
    assert once_each([ours, other, ours]) == [ours, other]
    with pytest.raises(ValueError, match="'counter'"):
        once_each([ours, other, theirs])
