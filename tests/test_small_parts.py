"""Small cases, worked out by hand, of what is told, asked and started, and of what the lab and missions do."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents import keeper, playouts
from probespiel.agents.base import AgentError
from probespiel.agents.outside import BotTerms
from probespiel.agents.policy_net import Blueprint, PolicyError
from probespiel.app import cli_tournament, start
from probespiel.app.cli import run
from probespiel.app.common import Lang
from probespiel.app.konfrontation import notes
from probespiel.app.konfrontation.notes import CHARACTERS, TARGET_KINDS, points_of
from probespiel.app.konfrontation.screen import _aimed
from probespiel.app.session import afterwards
from probespiel.app.session.afterwards import Afterwards
from probespiel.app.web.lobby import Refused, offer
from probespiel.envs import make_game
from probespiel.envs.core import interrupts
from probespiel.envs.core.registry import system_of
from probespiel.envs.oneshot.mission import pursuer
from probespiel.envs.oneshot.state import ALIVE, Item, Status
from probespiel.evaluation.oneshot import odds
from probespiel.evaluation.report import wording
from probespiel.evaluation.stress.conditions import Bench, Condition
from probespiel.evaluation.stress.context import Context, LabFailure, Unanswered
from probespiel.evaluation.stress.workers import Failed
from probespiel.evaluation.tournament import terminal
from probespiel.evaluation.tournament.sequential import Until
from probespiel.evaluation.tournament.summary import Interval

# What is told


@pytest.mark.parametrize(("value", "told"), [(1.0, "1"), (0.0, "0"), (0.5, "1/2"), (1 / 1296, "1/1296"), (1 / 3, "1/3"),
                                             (1295 / 1296, "1295/1296"), (2 / 3, "2/3")])  # fmt: skip
def test_a_chance_is_told_as_a_fraction(value: float, told: str) -> None:
    assert odds.fraction(value) == told


@pytest.mark.parametrize("german", [False, True])
@pytest.mark.parametrize("attacker", [0, 1])
def test_who_has_a_unit_or_a_resource_afterwards(attacker: int, german: bool) -> None:
    """Seen by row 0, who attacks or defends: its own is nobody's prey but the other one's, and the other way round."""
    rows = np.zeros((3, 400))
    rows[:2, notes._UNITS : notes._UNITS + 7 * CHARACTERS : 7] = 1.0  # both have all the characters that they may
    rows[:2, notes._UNITS] = 0.0  # but one
    rows[0, notes._RESOURCES + 2 * 3 + 1] = 1.0
    pick = lambda en, de: de if german else en  # noqa: E731
    table: Any = SimpleNamespace(
        rows=rows, attacker=attacker, defender=1 - attacker, target=TARGET_KINDS.index("unit"),
        sight=SimpleNamespace(phase="fate", lang="de" if german else "en", pick=pick),
        name=lambda row: "abc"[row], size=lambda row, slot: 2 if (row, slot) == (0, 3) else 9,
        params=SimpleNamespace(destroyed_resource_pays=0),
    )  # fmt: skip
    assert notes._unit(table, -1, True) == notes._unit(table, -1, False) == ""
    for row in (0, 1):
        name = "abc"[row]
        assert notes._unit(table, row, False) == pick("lost to both", "für beide verloren")
        assert notes._unit(table, row, True) == pick(f"won by: {name}", f"gewonnen von: {name}")
        rows[row, notes._UNITS] = 1.0
        assert notes._unit(table, row, True) == pick(
            f"{name}: 8 characters already, one more leaves the game",
            f"{name}: schon 8 Charaktere, einer mehr geht aus dem Spiel",
        )
        rows[row, notes._UNITS] = 0.0
    assert notes._fate(table, True) == pick("won by: b", "gewonnen von: b")
    table.target = TARGET_KINDS.index("resource")
    two, none = points_of(2, table.sight.lang), points_of(0, table.sight.lang)
    assert (notes._fate(table, True), notes._fate(table, False)) == (f"b: {two}", f"b: {none}")
    table.params.destroyed_resource_pays = 1
    assert notes._fate(table, False) == f"b: {two}"
    table.sight.phase = "spoils"
    assert notes._fate(table, True) == pick("won by: b", "gewonnen von: b")


def test_what_a_system_cannot_tell_after_a_game_is_told_and_kept(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A line for whoever reads, with the reason; the log says of what system, and keeps the error."""
    position: Any = SimpleNamespace(over=False, game=SimpleNamespace(name="a game", spec=SimpleNamespace(system="own")))

    def fail(*_: object) -> Any:
        raise ValueError("no such rule")

    told = Afterwards(fail)
    monkeypatch.setattr(afterwards, "_afterwards_of", lambda system: told if system == "own" else None)
    assert afterwards.insights_on(position, 0, "en", {}) == () and afterwards.tells_after("own")
    position.over = True
    for lang, part in (("en", "(ValueError: no such rule)"), ("de", "(ValueError: no such rule)")):
        (found,) = afterwards.insights_on(position, 0, lang, {})
        assert part in found.about and found.rows == found.heads == ()
    assert [record.getMessage() for record in caplog.records] == [
        "what own tells after a game cannot be told of this one"
    ] * 2 and all(record.exc_info for record in caplog.records)  # fmt: skip
    told = Afterwards(lambda *given: [given])  # type: ignore[arg-type, return-value]
    assert afterwards.insights_on(position, None, "de", {1: "x"}) == ((position, None, "de", {1: "x"}),)
    position.game.spec.system = "other"
    assert afterwards.insights_on(position, 0, "en", {}) == () and not afterwards.tells_after("other")


def test_what_a_command_line_asks_of_a_tournament(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every option has its place; games are those of each pair, at the most where it stops by itself."""
    got: list[Any] = []

    def keep(game: Any, asked: cli_tournament.Asked, *further: Any) -> None:
        got.append((game.spec.scenario, asked, further))

    monkeypatch.setattr(cli_tournament, "play_and_show", keep)
    out = str(tmp_path / "out")
    line = ["tournament", "kuhn", "--agents", "random,first", "--scenario", "standard", "--seed", "7", "--jobs", "1",
            "--out", out, "--resume", "--lang", "de", "--move-seconds", "2.5", "--bot-memory", "900"]  # fmt: skip
    assert run([*line, "--games", "12"]) == run([*line, "--max-games", "40", "--until", "best", "--within", "0.5"]) == 0
    (scenario, asked, (beginning, who, length, flags)), (_, until, (_, _, most, _)) = got
    assert scenario == "standard" and (beginning, who) == (["tournament", "kuhn"], ["--agents", "random,first"])
    assert asked == cli_tournament.Asked(
        names=["random", "first"], games=12, seed=7, scenario="standard", modules=(), options=(), jobs=1,
        out=tmp_path / "out", resume=True, overwrite=False, until=None, lang=Lang.de, move_seconds=2.5,
        bots=BotTerms(900, False), notes=asked.notes,
    )  # fmt: skip
    assert (length, most, until.games, until.until) == ("--games", "--max-games", 40, Until("best", 0.5))
    assert dict(flags)["--move-seconds"] == ["2.5"] and dict(flags)["--bot-memory"] == ["900"]
    assert dict(flags)["--until"] == dict(flags)["--within"] == dict(flags)["--joint"] == []


def test_the_first_scenario_is_offered_where_none_is_asked_for() -> None:
    known = system_of("einblatt-duel").scenarios("einblatt-duel")
    assert len(known) > 2
    for asked, scenario in ((None, known[0]), (known[0], known[0]), (known[-1], known[-1])):
        found = offer("einblatt-duel", asked)
        assert (found.game, found.scenarios, found.scenario) == ("einblatt-duel", known, scenario)
        assert found.seats == make_game("einblatt-duel", scenario, compiled=False).seats
    for game, wrong, status in (("einblatt-duel", "none", 400), ("none", None, 404)):
        with pytest.raises(Refused) as caught:
            offer(game, wrong)
        assert caught.value.status == status


@pytest.mark.parametrize(("seconds", "bound"), [("0", "greater than or equal to 0.05"), ("3601", "less than or equal")])
def test_how_long_is_thought_has_bounds(seconds: str, bound: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "kuhn", "--think", seconds]) == 2
    assert f"'--think': '{seconds}' should be {bound}" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["characters", "supports", "resources"])
@pytest.mark.parametrize("board", [0, 1])
def test_a_target_is_called_by_its_name(kind: str, board: int) -> None:
    """Whatever it is and whoever has it; others of the same board keep quiet."""

    def thing(name: str) -> dict[str, Any]:
        return {"name": name, "targeted": False, "words": f"words of {name}", "about": f"size of {name}"}

    boards: list[dict[str, Any]] = [
        {kind: [thing(f"{kind[0]}{n}{i}") for i in range(2)] for kind in ("characters", "supports", "resources")}
        for n in range(2)
    ]
    clash: dict[str, Any] = {"target": "a thing"}
    _aimed(clash, boards)
    assert clash == {"target": "a thing"}
    boards[board][kind][1]["targeted"] = True
    _aimed(None, boards)
    _aimed(none := {"target": ""}, boards)
    _aimed(clash, boards)
    name = f"{kind[0]}{board}1"
    assert none == {"target": ""}
    assert clash == {"target": f"{name} ({'size' if kind == 'resources' else 'words'} of {name})"}


def test_who_beats_a_strategy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as it is shown; with the worst that happened to it, its interval and its unit."""
    monkeypatch.setattr(wording, "payoff_digits", lambda summary: 2)
    monkeypatch.setattr(wording, "_hardest", lambda v, summary: v.beaten_by)
    v = SimpleNamespace(
        worst_opponent=1, worst_payoff=-0.25, worst_interval=Interval(-0.5, 0.125), unbeaten=False, beaten_by=(1,),
        beats=(2,), most_exploitability=0.3,
    )  # fmt: skip
    summary: Any = SimpleNamespace(names=["a", "b", "c"], metagame=SimpleNamespace(verdicts=[v]))

    def told(unit: str = "", **given: Any) -> str:
        changed = SimpleNamespace(**vars(v) | given)
        summary.metagame.verdicts = [changed]
        return wording.unbeaten_sentence(summary, 0, str.upper, unit)

    worst = f"did worst against B: −0.25 a game, interval {wording.span(v.worst_interval, 2)}"
    assert told() == f"A is not unbeaten: B beats it. It {worst}."
    assert told(beaten_by=(2, 1)) == f"A is not unbeaten: C and B beat it. It {worst}."
    assert told(beaten_by=(), beats=(1, 2)) == f"A beats every other strategy. It {worst}."
    shown = "No strategy is shown to beat A"
    assert told(beaten_by=(), unbeaten=True) == f"{shown}, and none takes more than 0.30 a game. It {worst}."
    assert told(beaten_by=(), most_exploitability=None) == f"{shown}. It {worst}."
    assert told(worst_interval=None, worst_opponent=None) == (
        "A is not unbeaten: B beats it. It did worst against nobody: −0.25 a game."
    )
    assert told("EP", unbeaten=None) == (
        "A did worst against B: −0.25 EP a game (too few seed blocks to show anything)."
    )
    summary.names = ["a"]
    assert told() == ""
    summary.names, summary.metagame = ["a", "b"], None
    assert wording.unbeaten_sentence(summary, 0) == ""


def test_a_leaderboard_has_the_columns_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the unit of what is paid, if there is one; forfeits only where somebody has forfeited."""
    monkeypatch.setattr(terminal, "payoff_digits", lambda summary: 2)
    monkeypatch.setattr(terminal, "_by_wins", lambda row, t: f"w{row.rank}")
    rows = [
        SimpleNamespace(
            rank=n, name="ab"[n - 1], payoff=0.25 * n, payoff_interval=None, rating=-1.0 * n,
            rating_interval=Interval(-1.5 * n, -0.5 * n), rank_interval=(n, 2), wins=0.5, draws=0.25, losses=0.25,
            forfeits=(0, 0),
        ) for n in (1, 2)
    ]  # fmt: skip
    summary: Any = SimpleNamespace(names=["a", "b"], leaderboard=rows, lone=False)

    def shown(**given: Any) -> dict[str, list[str]]:
        table = terminal.leaderboard_table(summary, **given)
        return {str(column.header): [str(cell) for cell in column.cells] for column in table.columns}

    narrow = {"#": ["1", "2"], "strategy": ["a", "b"], "payoff (EP)": ["−1.00 ±0.50", "−2.00 ±1.00"]}
    middle = narrow | {"rank": ["1–2", "2"], "by wins": ["w1", "w2"]}
    wide = middle | {"win/draw/loss %": ["50/25/25", "50/25/25"]}
    for width, found in ((40, narrow), (59, narrow), (60, middle), (79, middle), (80, wide)):
        assert shown(unit="EP", width=width) == found
    assert [*shown(width=50)] == ["#", "strategy", "payoff"]
    rows[1].forfeits, rows[0].rank_interval, summary.lone = (1, 2), None, True
    assert shown(width=60) == {
        "#": ["1", "2"], "strategy": ["a", "b"], "payoff": ["+0.25", "+0.50"], "rank": ["–", "2"],
        "by wins": ["w1", "w2"], "forfeits": ["–", "3"],
    }  # fmt: skip


# Processes


def test_a_signal_whose_exception_was_dropped_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the main thread, a moment later, if there is a handler for it; everything else is told as ever."""
    timers: list[Any] = []
    told: list[Any] = []
    forgotten: list[int] = []

    class Timer:
        def __init__(self, *given: Any) -> None:
            self.given, self.daemon = given, False

        def start(self) -> None:
            timers.append((*self.given, self.daemon))

    def dropped(error: BaseException) -> Any:
        return SimpleNamespace(exc_type=type(error), exc_value=error)

    monkeypatch.setattr(start.threading, "Timer", Timer)
    monkeypatch.setattr(sys, "__unraisablehook__", told.append)
    monkeypatch.setattr(interrupts, "forget", forgotten.append)
    handled = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: lambda *_: None}
    monkeypatch.setattr(start.signal, "getsignal", lambda number: handled.get(number, signal.SIG_DFL))
    ended = KeyboardInterrupt()
    ended.number = int(signal.SIGTERM)  # type: ignore[attr-defined]
    for error, number in (
        (KeyboardInterrupt(), signal.SIGINT), (ended, signal.SIGTERM), (SystemExit(128 + 15), signal.SIGTERM),
    ):  # fmt: skip
        start._lose_no_signal(dropped(error))
        assert timers.pop() == (start._AGAIN, signal.pthread_kill, [threading.main_thread().ident, number], True)
    assert forgotten == [signal.SIGTERM] * 2 and not told
    others = [ValueError("no"), SystemExit("no"), SystemExit(1), SystemExit(128), SystemExit(128 + int(signal.SIGHUP))]
    for error in others:
        start._lose_no_signal(dropped(error))
        assert told.pop().exc_value is error and not timers


@pytest.mark.parametrize(
    ("version", "watched", "size", "scoped"),
    [(1, 0x1FF2, 8, 0), (2, 0x3FF2, 8, 0), (4, 0x7FF2, 8, 0), (5, 0xFFF2, 8, 0), (6, 0xFFF2, 24, 3)],
)
@pytest.mark.parametrize("bad", [None, "create", "add", "restrict"])
def test_writing_is_forbidden_or_it_is_an_error(
    version: int, watched: int, size: int, scoped: int, bad: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the kernel's numbers of what writes: write, remove, make, then move, truncate, and what devices are told."""
    asked: list[Any] = []

    class Libc:
        def prctl(self, *given: int) -> int:
            asked.append(given)
            return 0

        def syscall(self, number: int, *given: Any) -> int:
            if number == 444:
                rules = given[0]._obj
                asked.append((number, rules.files, rules.network, rules.scoped, given[1]))
                return -1 if bad == "create" else os.open(os.devnull, os.O_RDONLY)
            if number == 445:
                asked.append((number, given[2]._obj.allowed))
                return -1 if bad == "add" else 0
            asked.append((number,))
            return -1 if bad == "restrict" else 0

    monkeypatch.setattr(keeper, "landlock_version", lambda: version)
    monkeypatch.setattr(keeper.ctypes, "CDLL", lambda *_, **__: Libc())
    with pytest.raises(OSError, match="Landlock does not take its rules") if bad else nullcontext():
        assert keeper.forbid_writing()
    null = 0x2 | watched & 0xC000  # to write, truncate and control /dev/null stays allowed
    steps = [(444, watched, 0, scoped, size), (38, 1, 0, 0, 0), (445, null), (446,)]
    assert asked == steps[: {"create": 2, "add": 3}.get(bad or "", 4)]
    monkeypatch.setattr(keeper, "landlock_version", lambda: 0)
    assert keeper.forbid_writing() is False


# Agents and what they are made of


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"groups": [{"name": "x", "items": 1, "action": float("inf")}]}, "OverflowError: cannot convert float"),
        ({"groups": [{"name": "x", "items": 1, "action": float("nan")}]}, "ValueError: cannot convert float"),
        ({"groups": [{"items": 1}]}, "KeyError: 'name'"), ({}, "KeyError: 'groups'"),
        ({"groups": 3}, "TypeError: 'int' object is not iterable"), (None, "TypeError: "),
        ([], "TypeError: list indices"),
    ],
)  # fmt: skip
def test_a_damaged_description_of_a_network_is_told(data: Any, told: str) -> None:
    with pytest.raises(PolicyError, match=f"^the description of the network is damaged: {told}"):
        Blueprint.from_dict(data)


@pytest.mark.parametrize(("asked", "name"), [(None, "a"), (" c ", "c")])
def test_games_are_played_on_by_the_first_of_a_rollout(
    asked: str | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playouts, "lineup_of", lambda game: SimpleNamespace(rollout_in=lambda _: " a +b+c"))
    made: list[str] = []
    monkeypatch.setattr(
        playouts,
        "make_agent",
        lambda name: SimpleNamespace(native=lambda game: made.append(name)),  # gives None
    )
    with pytest.raises(AgentError, match=rf"^agent '{name}' is no compiled baseline: games cannot be played on by it$"):
        playouts.Playouts(cast(Any, "game"), asked)
    assert made == [name]


# Enemies of a mission


def flask(monkeypatch: pytest.MonkeyPatch, far: dict[tuple[int, int], int], **more: Any) -> int:
    """Whom enemy 3 of three heroes (0 to 2) and two enemies throws at; whoever is not in `far` is 9 away."""
    given: dict[str, Any] = {"standing": [Status.UP] * 5, "flasks": 1, "barred": ()} | more
    s: Any = SimpleNamespace(
        items=np.zeros((5, 8), int), standing=given["standing"], team=[0, 0, 0, 1, 1], x=[0] * 5,
    )  # fmt: skip
    s.items[3, Item.FLASK] = given["flasks"]
    p: Any = SimpleNamespace(first=[0, 3], members=[3, 2], flask_reach=4, flask_area=1)
    known = far | {(j, i): d for (i, j), d in far.items()} | {(i, i): 0 for i in range(5)}
    monkeypatch.setattr(pursuer, "distance", lambda s, i, j: known.get((i, j), 9))
    monkeypatch.setattr(pursuer, "barred", lambda s, a, i: (a, i) in given["barred"])
    return pursuer.flask_target(s, p, 3)


def test_at_whom_a_flask_is_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first hero within reach around whom there are two at least, and nobody whom it must not hit."""
    two = {(3, 0): 9, (3, 1): 4, (3, 2): 3, (1, 2): 1}
    assert flask(monkeypatch, two) == 1, "as far as can be, and as near to each other as need be"
    assert flask(monkeypatch, two, flasks=0) == -1
    assert flask(monkeypatch, two | {(3, 1): 5}) == 2 and flask(monkeypatch, two | {(3, 1): 5, (3, 2): 5}) == -1
    assert flask(monkeypatch, two | {(1, 2): 2}) == -1, "each is alone"
    up, out, dead = Status.UP, Status.UNCONSCIOUS, next(x for x in Status if x not in ALIVE)
    assert flask(monkeypatch, two, standing=[up, out, up, up, up]) == 2, "who lies there is hit, too"
    assert flask(monkeypatch, two, standing=[up, dead, up, up, up]) == -1
    assert flask(monkeypatch, two | {(4, 1): 1}) == 2 and flask(monkeypatch, two | {(4, 1): 1, (4, 2): 1}) == -1
    assert flask(monkeypatch, two | {(4, 1): 1}, standing=[up, up, up, up, dead]) == 1
    assert flask(monkeypatch, two, barred=[(3, 2)]) == -1 and flask(monkeypatch, two, barred=[(3, 0), (4, 1)]) == 1
    assert flask(monkeypatch, {(3, 0): 2, (0, 1): 1, (0, 2): 1, (3, 1): 9, (3, 2): 9}) == 0


# The lab


def test_what_a_condition_changes_in_a_game() -> None:
    """A handicap for one side, the module with values of its own for its holders, exchanged seats, a last decision."""
    bench: Any = object.__new__(Bench)
    bench.options, bench.module = {"modules": {"m": {"a": 1, "b": 1}, "n": None}, "x": [0]}, "m"
    bench.mirror, bench.declare = lambda o: {"turned": o}, lambda o: o
    seats = [SimpleNamespace(name=name, side=side) for name, side in (("A", "x"), ("B", "y"), ("C", "x"))]
    bench._plain = SimpleNamespace(seats=seats)
    bench.system = SimpleNamespace(
        handicap=lambda o, names, amount: {**o, "more": (names, amount)}, limited=lambda o, n: {**o, "longest": n}
    )
    held = {"m": {"a": 1, "b": 5, "seats": [1]}, "n": None}
    assert bench.spec(Condition((1,), params=(("b", 5),))) == {"modules": held, "x": [0]}
    both = {"modules": {"m": {"a": 1, "b": 1, "seats": [0, 2, 1]}, "n": None}, "x": [0], "more": (["A", "C"], 3)}
    assert bench.spec(Condition((0, 1), 0, 3)) == both
    assert bench.spec(Condition((0, 1), 0, 3, mirrored=True), 9) == {"turned": both, "longest": 9}
    assert bench.spec(Condition((0, 1), 1, 3))["more"] == (["B"], 3)
    assert bench.options == {"modules": {"m": {"a": 1, "b": 1}, "n": None}, "x": [0]}, "nothing of it is changed"
    bench.options["modules"]["m"] = None
    assert bench.spec(Condition())["modules"]["m"] == {"seats": []}


def test_jobs_are_answered_in_their_order_and_once() -> None:
    """Of five one is known, one is the same again, and three are done, in whatever order; what is kept is told."""
    kept: dict[str, Any] = {"a.file": "kept a"}
    advanced: list[Any] = []
    answers = [(2, "d"), (0, "b"), (1, Failed("raised", "in words"))]
    ran: list[Any] = []

    def run(jobs: Any, tick: Any) -> Any:
        ran.append(([job.kind for job in jobs], tick))
        yield from answers

    context: Any = SimpleNamespace(folder=Path("f"), ask=lambda *given: Context.ask(context, *given))
    context.store = SimpleNamespace(
        kind=SimpleNamespace(file="report"),
        path_of=lambda job, facts: f"{job.kind}.{facts}", get=kept.get,
        put=lambda path, answer: kept.update({path: f"kept {answer}"}),
    )  # fmt: skip
    context.watcher = SimpleNamespace(advance=lambda *given, **more: advanced.append((*given, more)), tick="tick")
    context.workers, context.facts, context.asks = SimpleNamespace(run=run, facts=None), "file", {"build": 2}
    jobs: Any = [SimpleNamespace(kind=kind) for kind in "abacd"]
    failed = answers[2][1]
    assert context.ask("build", jobs) == ["kept a", "kept b", "kept a", failed, "kept d"]
    assert ran == [(["b", "c", "d"], "tick")] and context.workers.facts == "file" and "c.file" not in kept
    assert advanced == [("build", 0.1, {"played": False}), *[("build", 0.1, {})] * 3]
    with pytest.raises(Unanswered) as caught:
        answers[:] = [(0, failed)]
        Context.need(context, "use", jobs)
    assert caught.value.args and advanced[-1] == ("use", 0.2, {})
    answers[:] = [(0, Failed("failed", "in words"))]
    with pytest.raises(LabFailure, match="c: in words"):
        context.ask("build", jobs)
