"""What a stress test plans, hands to workers and shows, and how tournaments count games: small cases by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.entrants import entrant_of
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.replay import Recorder
from probespiel.evaluation.stress import effect, exploit, forecast, oversights, typical, words
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Bench, Condition, Settings
from probespiel.evaluation.stress.findings import Interval, Sample, SideWorth, Worth, WorthRow
from probespiel.evaluation.stress.guided import NO_MARKS
from probespiel.evaluation.stress.learning import COUNTER, FREE
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.strategies import Mixture, Prelude, Strategy
from probespiel.evaluation.stress.worth import payable
from probespiel.evaluation.tournament import ladder
from probespiel.evaluation.tournament import plan as plans
from probespiel.evaluation.tournament.plan import Plan
from probespiel.training.einblatt import duel_gap
from tests.lab_findings import findings
from tests.test_ladder import batch

JACKS = str(Path(__file__).parent / "planted" / "jacks.py")


def alone(name: str) -> Mixture:
    return Mixture((Strategy(name),), (1.0,))


# What is planned


def test_games_by_which_an_exploit_is_sought_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After two rounds five strategies without it and seven with it, and two answers to each: 7 + 5 + 2 * 2 = 16.

    Ten deals of every choice: both among 16 and the finalists, and one way of using nothing, or of four where it is
    used; four measurements of 400 and 50 games that are shown, for each of the two who may exploit.
    """
    plain = Stress(Settings("kuhn", JACKS, budget="quick"), tmp_path, 1, False, False, Quiet(), "").context
    budget = replace(plain.budget, choose=10, rounds=2, measure=400, show=50, seeds=2)
    monkeypatch.setattr(forecast, "_pools", lambda context, prelude, name: [3, 3] if name == NOBODY else [5, 5])
    monkeypatch.setattr(forecast, "deals_of", lambda context, prelude, agent: 0)
    prelude, pace = Prelude((Strategy("random", base="random"),), Strategy("random", base="random")), None
    pace = forecast.Pace({}, {FREE: 2.0, COUNTER: 2.0})
    answered, finalists = forecast.ANSWERED, forecast.FINALISTS
    for used, ways in ((False, 1), (True, 4)):
        context = replace(plain, budget=budget, marked=frozenset({1} if used else ()), offered=used)
        found = forecast.work_of(context, prelude, pace)["exploit"]
        each = 10 * (2 * (16 + answered * finalists) + ways * answered) + 4 * 400 + 50
        assert found[forecast.MIXED] == each * len(context.answered) > 0


def test_the_pace_is_taken_from_a_course_of_the_use_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who learns the use meets the anchor in half of the games, and everybody else is itself in half."""
    asked: list[Any] = []
    levels: list[tuple[str, int]] = []
    done: list[float] = []
    clock = [0.0]  # a course about the use takes a thousand seconds; the clock on the wall goes twice as fast

    def train(lab: Any, kind: str, file: str, conditions: Any, base: str, opponents: Any, sides: Any, together: float,
              games: int, share: float, *_: Any) -> dict[str, float]:  # fmt: skip
        asked.append((kind, [(s.name, part) for s, part in opponents], sides, together, games, share))
        clock[0] += 1000.0 if kind == forecast.USE else 0.0
        return {"branched": 6.0, "spent": 12.0}

    def timed(work: Any, size: int, enough: float) -> tuple[float, float]:
        done.append(work(3))
        return 0.5, 0.25

    for name, made in {
        "train": train, "timed": timed, "play": lambda *_: SimpleNamespace(lengths=np.ones(3)),
        "time": SimpleNamespace(process_time=lambda: clock[0], monotonic=lambda: 2 * clock[0]),
        "rung": lambda *_: None, "stakes": lambda *_: None,
        "ladder_of": lambda *_: [("strong", "weak")], "time_to_solve": lambda *_: (0.0, 0.125, 77),
        "games_of_level": lambda lab, where, agent, deals, *_: levels.append((agent, len(deals))),
    }.items():  # fmt: skip
        monkeypatch.setattr(forecast, name, made)
    bench = SimpleNamespace(everybody=lambda: Condition((0, 1)), compared=(0, 1))
    lab = cast(Any, SimpleNamespace(bench=bench, marks=SimpleNamespace(actions={1})))
    anchor, other = Strategy("anchor"), Strategy("other")
    shares = {FREE: 0.5, COUNTER: 0.25}
    found = forecast.pace(
        lab, anchor, [other, other], 2.5, shares, (8, 16), "", 1.0, 1.0, 99, 1, 0, {"five": "search:sims=9"}
    )
    free, counter, use = asked
    assert free == (FREE, [("anchor", 0.4), ("other", 0.15), ("other", 0.15)], [0, 1], 1.0, 3, 0.5)
    rest = pytest.approx(2 / 9)  # two thirds of a mixture are baselines, three of them here
    assert counter[1:] == ([("pace", 1 / 3), ("anchor", rest), ("other", rest), ("other", rest)], [1], 0.0, 3, 0.25)
    assert use == (forecast.USE, [("anchor", 0.5)], [0, 1], 0.5, forecast.USED, 1.0)
    # six of three games branched, of a half and of a fourth of the decisions; twelve decisions after six
    assert found["decisions"] == {FREE: 4.0, COUNTER: 8.0} and found["depths"] == {FREE: 2.0, COUNTER: 2.0}
    seconds = found["seconds"]
    assert seconds[forecast.BRANCHES] == seconds[forecast.ANSWERS] == 0.5 - 0.5 / 2  # less games of the course
    assert (seconds[forecast.STAKES], seconds[forecast.COURSES], found["positions"]) == (0.25, 0.25, 77)
    again = 1000.0 - 0.25 - forecast.USED * 0.5 - 6 * 0.25  # but for what begins it, its games and its branches
    assert seconds[forecast.AGAINS] == again / min(forecast.AGAIN, 6 * forecast.TURNS) > 0
    assert (found["slower"], found["plain"]) == (2.0, 1.0)
    assert 3 * 2.5 in done, "decisions of three games at which something is tried, four at most"
    assert levels == [("search:sims=9", 3)]
    assert (seconds[forecast.LEVEL + "five"], seconds[forecast.MATCHES + "five"]) == (0.5, 0.25)


# What is put together


def test_the_figures_of_a_game_of_two_sides_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of strategies come from what nobody's and everybody's game are, and from how they vary, in this order."""
    got = SimpleNamespace(
        courses=SimpleNamespace(nobody=SimpleNamespace(leads=False), everybody=SimpleNamespace(leads=False), own=0.25),
        dominance="dominance", variety="variety", seat="seat", worth=SimpleNamespace(exact=True, sure=0),
        dynamics=SimpleNamespace(nobody=SimpleNamespace(ladder=())),
    )  # fmt: skip

    def figure(name: str, before: float = 1.0, after: float = 2.0) -> Any:
        return SimpleNamespace(name=name, before=before, after=after)

    asked: list[Any] = []
    for name, made in {
        "decisions_that_matter": lambda context, chosen, courses: "matter",
        "of_courses": lambda courses, alone: [figure("length"), figure("comebacks")],
        "_of_skill": lambda got, paid: [figure("luck", np.nan)], "_of_matter": lambda matter: figure(matter),
        "of_variety": lambda *of: asked.append(of) or [figure("strategies"), figure("cycles", 1.0, np.nan)],
        "_of_seat": lambda seat, worth, moved: asked.append((seat, moved)) or figure("first seat"),
        "figures_of": lambda changes: [c.name for c in changes],
    }.items():  # fmt: skip
        monkeypatch.setattr(effect, name, made)
    context = cast(Any, SimpleNamespace(begin=lambda step: None, bench=SimpleNamespace(sides=("A", "B")), used=True))
    found = effect.tell_effect(context, cast(Any, None), cast(Any, got))
    assert asked == [("dominance", "variety"), ("seat", ())]
    assert found.figures == ["length", "matter", "strategies", "first seat"]
    assert found.left_out == {
        "cycles": effect.ONCE, "comebacks": "no lead shows before the end", "luck": "there was nothing to measure",
        "lead changes": "no lead shows before the end", "search": "no searches were played",
    }  # fmt: skip
    assert found.own == 0.25


def test_who_learned_whether_to_use_it_overlooks_it_once() -> None:
    """The player below never uses it and overlooks nothing; who decides overlooks a fourth and keeps the log."""
    bench = Bench(Settings("kuhn", JACKS))
    bench._values |= {"how": cast(Any, "values"), "if": cast(Any, "others")}
    strategy = Strategy("s", "random", net="how", scope="everywhere", whether="if", overlook=0.25, temperature=0.5)
    log = cast(Any, object())
    made = cast(Any, bench.player(replace(strategy, use="answer", answer=1), NO_MARKS, log))
    assert (made.tuning.tolist(), made.use, made.answer, made.values) == ([0.0, 0.0, 0.25], "answer", 1, "others")
    below = made.base
    assert (below.tuning.tolist(), below.use, below.answer, below.values) == ([0.5, 0.0, 0.0], "never", -1, "values")
    assert made.log is log and below.log is None and made.stream == below.stream == strategy.stream
    plain = cast(Any, bench.player(replace(strategy, whether="", use="answer", answer=1), NO_MARKS, log))
    assert (plain.tuning.tolist(), plain.use, plain.answer, plain.log is log) == ([0.5, 0.0, 0.25], "answer", 1, True)


@pytest.mark.parametrize(("bounds", "lead"), [
    ([(0.0, 4.0), (1.0, 2.0), (-1.0, 3.0)], 2.0),  # the first can have 4 where others have (1 - 1) / 2
    ([(0.0, 1.0), (1.0, 6.0), (-1.0, 4.0)], 2.5),  # others can have (6 + 4) / 2 where the first has 0
])  # fmt: skip
def test_a_worth_is_no_more_than_half_of_the_largest_lead(bounds: list[tuple[float, float]], lead: float) -> None:
    row = WorthRow(0, Sample(0, 0, 0, 9), Interval(0, 0, 0), 0.0, 0.0, 0.5, 0.5)
    sides = (SideWorth("A", (row,), (0.0,)), SideWorth("B", (row,), (0.0,)))
    worth = Worth(sides, Sample(0.5, -9.0, 9.0, 9), 1.0, Interval(0.0, 0.0, 0.0))
    bench = SimpleNamespace(
        sides=("A", "B"), everybody=lambda: "all", side_seats=lambda where, side: ((0,), (1, 2))[side],
        spec=lambda where: SimpleNamespace(bounds_of_seats=bounds),
    )  # fmt: skip
    context = SimpleNamespace(bench=bench, sides=(0, 1))
    assert payable(cast(Any, context), worth).overall == Sample(0.5, -lead, lead, 9)
    context.sides = (0,)
    assert payable(cast(Any, context), worth) is worth


@pytest.mark.parametrize(("sides", "told"), [
    (("A", "B"), "against the same opponents without it"), (("A",), "against the same tasks without it"),
])  # fmt: skip
def test_whom_the_worth_is_against(sides: tuple[str, ...], told: str) -> None:
    found = findings(worth=0.25, sides=sides)
    assert found.worth is not None
    assert told in words._worth(replace(found.worth, exact=True), found, " EP")[0]


# Games that are shown


def test_a_game_in_words_names_the_decision_that_decides() -> None:
    """Two draws, a bet, a call; what is told of the end belongs to the last decision."""
    game = make_game("kuhn", compiled=False)
    replay = Recorder.follow(game, [(0, 1), (1, 1)], seed=3).replay()
    for decision in (0, 1):
        lines, at = exploit.lines_of(replay, decision)
        assert at == decision and [line["decisive"] for line in lines] == [decision == 0, decision == 1]
        assert [line["who"] for line in lines] == [seat.name for seat in game.seats]
        assert lines[0]["step"] < lines[1]["step"] and lines[1]["then"]
    assert exploit.lines_of(replay, 5)[1] == 0


def test_what_a_rule_did_without_a_decision_is_the_lead_of_the_same_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody decides about it: the same dice and decisions pay 3 less without it, though both games drawn pay alike."""

    class Log(SimpleNamespace):
        def __len__(self) -> int:
            return 2

    def play(*_: Any, logged: bool) -> Any:
        return SimpleNamespace(log=Log(taken=np.array([False, False])), margins=np.array([2.0]), lengths=np.array([2]),
                               games_of_log=lambda: np.zeros(2, dtype=np.int64))  # fmt: skip

    best = {"swing": 1.0, "number": 0, "action": "x", "instead": "y", "own": False}
    game, payoffs = SimpleNamespace(name="plain"), (-1.0, 1.0)
    for name, made in {
        "play": play, "draw_pairs": lambda *_: [(0, 1)], "decisive": lambda *_: best,
        "record": lambda *_: SimpleNamespace(save=lambda file: None, agents={}), "lines_of": lambda *_: ([], 0),
        "decided": lambda replay, best: {"action": best["action"], "instead": best["instead"], "german": {}},
        "german_words": lambda replay: {},
        "without_it": lambda replay, rules, own, phases: SimpleNamespace(payoffs=payoffs) if rules is game else None,
        "margins": lambda bench, where, table: (table[:, 0] - table[:, 1]) / 2,
    }.items():  # fmt: skip
        monkeypatch.setattr(exploit, name, made)
    lab = cast(Any, SimpleNamespace(folder=tmp_path, bench=None, own_actions=(), game=lambda where: game,
                                    marks=SimpleNamespace(phases=frozenset())))  # fmt: skip
    found = exploit.show(lab, Condition(), Condition(), 0, Strategy("h"), alone("t"), Strategy("o"), 1, 1, 1, 1, "x")
    assert (found["margin"], found["margin_without"], found["turned"], found["used"]) == (2.0, -1.0, True, False)


def test_what_oversights_are_asked_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Either side has it alone and never thinks of it, overlooks it, or meets those who do not reckon with it."""
    conditions = {NOBODY: Condition(), EVERYBODY: Condition((0, 1)), "A": Condition((0,)), "B": Condition((1,))}
    bench = SimpleNamespace(
        whole_table=False, sides=("A", "B"), several=False, holder_conditions=lambda: conditions,
        alone=lambda side: "AB"[side],
    )  # fmt: skip
    cells_asked: list[Any] = []
    jobs_asked: list[Any] = []
    holder_asked = False  # what can be declined was offered, whatever was asked besides

    def names(pair: Any) -> tuple[str, ...]:
        return tuple(m.strategies[0].name.replace(", never uses it", "*") for m in pair)

    def cells(step: str, wanted: Any, deals: int, seed: str, side: int) -> list[str]:
        cells_asked.append(([(where, [names(p) for p in pairs]) for where, pairs in wanted], deals, side))
        return ["free", *(f"with {n}" for n in range(len(wanted) - 1))]

    def need(step: str, jobs: Any) -> list[Any]:
        jobs_asked.extend((job.args["condition"], names((job.args["mine"], job.args["others"])), job.args["hero"],
                           job.args["deals"]) for job in jobs)  # fmt: skip
        return [{"rate": 0.5, "error": 0.1, "asked": holder_asked}, *[None] * (len(jobs) - 1)]

    def of(where: str, seed: str = "") -> tuple[Mixture, Mixture]:
        return alone(f"a of {where}{seed}"), alone(f"b of {where}{seed}")

    context = cast(Any, SimpleNamespace(
        bench=bench, used=True, sides=(0, 1), budget=SimpleNamespace(measure=200, rates=400, seeds=1), cells=cells,
        need=need, seed=lambda _: 7,
    ))  # fmt: skip
    chosen = cast(Any, SimpleNamespace(of_all=of, of_seeds=lambda where: [of(where, "!")]))
    lost: list[Any] = []
    monkeypatch.setattr(oversights, "HELD", ("never",))
    monkeypatch.setattr(oversights, "less", lambda worth, pairs, seeds: lost.append(pairs) or worth)
    monkeypatch.setattr(oversights, "mean_rate", lambda rates: (sum(r for r, _ in rates), 0.0))
    use, worth = cast(Any, SimpleNamespace(opportunities=5, forced=0)), cast(Any, SimpleNamespace(played="worth"))
    found, casts = oversights.look_for_oversights(context, chosen, use, worth)
    assert jobs_asked == [
        (conditions["A"], ("a of A*", "b of A"), 0, 100), (conditions["A"], ("a of A", f"b of {NOBODY}"), 0, 100),
        (conditions["B"], ("b of B*", "a of B"), 1, 100), (conditions["B"], ("b of B", f"a of {NOBODY}"), 1, 100),
    ]  # fmt: skip
    asked = [("a of A!", "b of A!"), ("a of A!*", "b of A!"), ("a of A!", f"b of {NOBODY}!")]
    assert cells_asked[0] == (
        [(conditions["A"], asked[:1]), (conditions["A"], asked[1:2]), (conditions["A"], asked[2:])],
        50,
        0,
    )
    assert [row.use for row in found] == ["never", oversights.UNSEEN]
    assert [names((cast_.rows, cast_.columns)) for cast_ in casts] == [
        ("a of A*", "b of A"), ("a of A", f"b of {NOBODY}"),
    ]  # fmt: skip
    assert lost == [[("with 0", "free")] * 2, [("with 1", "free")] * 2]
    # where all answers are its own: nobody answers blindly who is not asked
    use = cast(Any, SimpleNamespace(opportunities=0, forced=5))
    for holds, ways in ((False, []), (True, ["random"])):
        holder_asked = holds
        found, casts = oversights.look_for_oversights(context, chosen, use, worth)
        assert [row.use for row in found] == [*ways, oversights.UNSEEN]
        told = [*(oversights.NAMES[way] for way in ways), oversights.NAMES[oversights.UNSEEN]]
        assert [cast_.name for cast_ in casts] == told


def test_typical_games_are_those_of_their_casts() -> None:
    """One of three was longer than its log and is left out."""
    asked: list[Any] = []

    def need(step: str, jobs: Any) -> Any:
        asked.extend((step, job.kind, job.args["paths"], job.args["deals"]) for job in jobs)
        return [[{"deal": 7, "result": 1.5}, None, {"deal": 7, "result": -2.0}]]

    context = cast(Any, SimpleNamespace(need=need, seed=lambda _: 1))
    casts = [typical.Cast(name, Condition(), alone("a"), alone("b")) for name in ("everybody", "nobody", "only A")]
    found = typical.typical_games(context, "sample", casts, "games")
    paths = ["games/typical-everybody.json", "games/typical-nobody.json", "games/typical-only-A.json"]
    assert [asked[0][:2], asked[0][3]] == [("sample", "typical"), typical.DEALS]
    assert [(game.name, game.deal, game.result) for game in found] == [("everybody", 7, 1.5), ("only A", 7, -2.0)]
    assert [game.replay for game in found] == [asked[0][2][0], asked[0][2][2]] and len(asked[0][2]) == len(paths)


# Tournaments and trees


def test_games_of_a_block_are_those_of_its_deals_seatings_and_pairings(monkeypatch: pytest.MonkeyPatch) -> None:
    """21 games of a pairing are eleven deals, in blocks of four: 24, 24 and 18 games of three pairings."""
    game = make_game("kuhn", compiled=False)
    plan = Plan.of(game, [entrant_of(name, game) for name in ("random", "honest", "bluffer")], 21, 1, None)
    monkeypatch.setattr(plans, "BLOCKS", 3)
    assert (plan.deals, plan.games_a_pairing, plan.games, plan.deals_a_block, plan.blocks) == (11, 22, 66, 4, 3)
    assert [plan.games_of(block) for block in range(plan.blocks)] == [24, 24, 18]
    assert [plan.games_of(2, (0, 2)), plan.games_of(1, (1,)), plan.games_of(0, ())] == [12, 8, 0]
    schedule, about = plan.block(2, (0, 2))
    assert len(schedule) == 12 and about["pairing"].tolist() == [0] * 6 + [2] * 6
    assert about["deal"].tolist() == [8, 8, 9, 9, 10, 10] * 2 and about["seating"].tolist() == [0, 1] * 6
    assert about["game"].tolist() == [*range(16, 22), *range(60, 66)]
    assert [plan.place_of(n) for n in (15, 16, 21, 60)] == [(1, 0), (2, 0), (2, 0), (2, 2)]


def test_seats_of_a_duel_choose_at_the_same_time_in_its_first_position_too(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = cast(Any, object.__new__(duel_gap.DuelTree))
    tree.game = SimpleNamespace(
        spec=SimpleNamespace(params={"rounds": [3]}), name="duel", address=0, params_address=0,
    )  # fmt: skip
    monkeypatch.setattr(duel_gap, "check_both", lambda k, p, states: 0)
    with pytest.raises(ProbespielError, match="do not choose at the same time"):
        tree.levels(np.zeros((1, 8), np.uint8))


def test_a_batch_is_shown_by_the_players_it_was_played_by(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    players = [SimpleNamespace(id=i, agent=name, version="") for i, name in enumerate("ab")]
    book = SimpleNamespace(batches=lambda: [replace(batch(0, 1, 4, 3), seed=5)], players=lambda: players)

    def planned(*given: Any) -> Any:
        asked.append(given)
        raise ProbespielError("planned")

    for name, made in {
        "is_current": lambda player: True, "entrant_of": lambda agent, game: (agent, game),
        "Plan": SimpleNamespace(of=planned),
    }.items():  # fmt: skip
        monkeypatch.setattr(ladder, name, made)
    with pytest.raises(ProbespielError, match="planned"):
        ladder.shown(cast(Any, book), cast(Any, "game"), 0, 2.5)
    assert asked == [("game", [("a", "game"), ("b", "game")], ladder.GAMES, 5, 2.5)]
