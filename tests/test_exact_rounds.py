"""Rounds of best answers by hand: who is learned against, what joins, who meets whom, what is kept."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.training import population, psro
from probespiel.training.psro import Doing, Met, Responses, Stage


def meeting(tmp_path: Path) -> Responses:
    """Two policies (P, Q) and an answer (A) that were never learned, and the agent `x`."""
    made = Responses.__new__(Responses)
    scenario = SimpleNamespace(scenario="short", modules={}, options={}, weight=2.0)
    made.config = cast(Any, SimpleNamespace(
        seed=5, game="chess", scenarios=[scenario], evaluate_games=30, opponents={"self": 1.0, "past": 1.0, "x": 2.0},
        temperature=0.5,
    ))  # fmt: skip
    made.folder = tmp_path
    for name in "PQA":
        (tmp_path / name).write_bytes(name.encode())
    made.stages = [Stage(k, str(tmp_path / name), 10, {}) for k, name in enumerate("PQ")]
    made.answers, made.met = [f"policy:file={tmp_path / 'A'},temperature=1.0"], {}
    return made


def test_games_of_two_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row meets everybody, in jobs by number; afresh, by another seed, all are played again."""
    made = meeting(tmp_path)
    given: list[Any] = []
    monkeypatch.setattr(psro, "derive_seed", lambda seed, what, afresh: 1000 * seed + 10 * afresh)

    def play(work: Any, jobs: Any) -> Any:
        given.append((work, jobs))
        for index in reversed(range(len(jobs))):
            hero, other, seed = jobs[index]
            yield SimpleNamespace(index=index, answer=Met(100.0 * hero + other, 0.1, seed))

    doing = Doing(cast(Any, SimpleNamespace(map=play)))
    own = [made._text(stage) for stage in made.stages]
    assert own[0] == f"policy:file={tmp_path / 'P'},temperature=0.5"
    assert made._columns == ["x", *own, *made.answers]
    found = made._meet(doing, own)
    # rows come first: P 0, Q 1, x 2, A 3
    assert [[one.payoff for one in row] for row in found] == [[2, 0, 1, 3], [102, 100, 101, 103]]
    assert found[0, 0].games == 2500 and len(given[0][1]) == 8
    work = given[0][0]
    assert work.players == (*own, "x", *made.answers) and work.names[0] == "policy:file=P,temperature=0.5"
    assert (work.game, work.weights, work.games) == ("chess", (2.0,), 30)
    assert work.scenarios == ({"scenario": "short", "modules": {}, "options": {}},)
    made._meet(doing, own[1:])
    assert len(given) == 1, "all these games are known"
    assert made._meet(doing, own[1:], afresh=True)[0, 0].games == 2505 and len(given[1][1]) == 4
    made.stages.append(Stage(2, str(tmp_path / "A"), 10, {}))
    made._meet(doing, own)
    assert len(given[2][1]) == 2, "each meets only whom it has not met"


def people_of(monkeypatch: pytest.MonkeyPatch, known: list[Any], done: int) -> list[Any]:
    """Populations that are learned at once, `done` of their trainings to the end; what they were made of."""
    made: list[Any] = []

    class People:
        def __init__(self, configs: Any, folder: Path, own: Any, newest: bool = False) -> None:
            made.append((configs, folder, own, newest))
            self.configs, self.folder = configs, folder

        def members(self) -> list[Any]:
            return known

        def learn(self, engine: Any, tell: Any, stopped: Any) -> list[Any]:
            return [SimpleNamespace(file=f"policy-{k + 1}", decisions=40 + k, course=(k,)) for k in range(done)]

    monkeypatch.setattr(psro, "Population", People)
    return made


def test_a_policy_goes_on_from_the_decisions_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After 10 decisions of the last one 40 more; what it learned before a break is told once."""
    made = meeting(tmp_path)
    told: list[Any] = []
    doing = Doing(cast(Any, "engine"), told.append, say=lambda what, number: told.append((what, number)))
    people = people_of(monkeypatch, [None, SimpleNamespace(decisions=7)], 1)
    found = made._policy(3, cast(Any, "config"), "her", {"x": 1.0}, doing)
    assert found == Stage(3, str(tmp_path / "policy-3" / "policy-1"), 50, {"x": 1.0}, cast(Any, (0,)))
    assert made.stages[2] is found and (tmp_path / "policy-3").is_dir()
    assert people == [(["config"], tmp_path / "policy-3", ["her"], False)] and told == [("policy", 3), 0, 7]
    made.stages = []
    first = made._policy(0, cast(Any, "config"), "", {}, doing)
    assert first is not None and first.decisions == 40 and people[1][2] == []
    people_of(monkeypatch, [], 0)
    assert made._policy(1, cast(Any, "config"), "", {}, doing) is None and len(made.stages) == 1


def test_answers_join_drawn_and_at_their_likeliest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = meeting(tmp_path)
    made.config.answers, made.config.answer_decisions = 2, 99
    made.games, made.answers = cast(Any, ["game"]), []
    asked: list[Any] = []
    monkeypatch.setattr(psro, "derive_seed", lambda *given: given)
    monkeypatch.setattr(
        psro, "answer_to", lambda *given, **more: asked.append((given, more)) or (f"config {given[3]}", given[3] == 0)
    )
    people = people_of(monkeypatch, [], 2)
    assert made._answered(4, made.stages[1], Doing(cast(Any, "engine")))
    own = f"policy:file={tmp_path / 'Q'},temperature=0.5"
    scenarios = [{"scenario": "short", "modules": {}, "options": {}}]
    assert asked == [
        ((own, "game", scenarios, k, (5, "answers", 4, k)), {"decisions": 99}) for k in range(2)
    ]  # fmt: skip
    folder = tmp_path / "answers-4"
    assert people == [(["config 0", "config 1"], folder, [own, ""], True)]
    assert made.answers == [
        f"policy:file={folder}/policy-{k},temperature={t}" for k in (1, 2) for t in ("1.0", "0.0")
    ]  # fmt: skip
    people_of(monkeypatch, [], 1)
    assert not made._answered(5, made.stages[1], Doing(cast(Any, "engine"))) and len(made.answers) == 4


@pytest.mark.parametrize("breaks", [None, "first", "answers 1", "next 2"])
def test_rounds_come_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks: str | None) -> None:
    """Of two rounds: a policy, answers, a mixture; twice more a policy and answers, and then it is chosen."""
    made = meeting(tmp_path)
    made.config.rounds, made.met = 2, cast(Any, {"old": 1})
    log: list[str] = []

    def logged(what: str, found: Any) -> Any:
        log.append(what)
        return None if what == breaks else found

    monkeypatch.setattr(made, "_first", lambda doing: logged("first", "s0"))
    monkeypatch.setattr(made, "_answered", lambda number, stage, doing: logged(f"answers {number}", stage))
    monkeypatch.setattr(made, "_mixture", lambda doing: "mixed")
    monkeypatch.setattr(
        made, "_next", lambda number, stage, mixture, doing: logged(f"next {number}", f"{stage} {mixture} s{number}")
    )
    monkeypatch.setattr(made, "_chosen", lambda doing: "chosen")
    whole = ["first", "answers 0", "matrix 0", "next 1", "answers 1", "matrix 1", "next 2", "answers 2", "matrix 2"]
    found = made.run(Doing(cast(Any, None), say=lambda what, number: log.append(f"{what} {number}")))
    assert cast(Any, found) == (None if breaks else "chosen")
    assert log == (whole[: whole.index(breaks) + 1] if breaks else whole)
    assert made.stages == made.answers == [] and made.met == {}, "what was before is forgotten"


def test_a_start_is_the_first_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = meeting(tmp_path)
    made.stages, made.games, made.config.start = [], cast(Any, ["game", "other"]), None
    given: list[Any] = []
    monkeypatch.setattr(made, "_selfplay", lambda **changed: changed)
    monkeypatch.setattr(made, "_policy", lambda *args: given.append(args))
    made._first(cast(Any, "doing"))
    assert given == [(0, {"review": 0}, "", {}, "doing")]
    made.config.start = "her"
    own = SimpleNamespace(manifest=SimpleNamespace(decisions=33), net=SimpleNamespace(weights="weights"))
    monkeypatch.setattr(psro, "own_policy", lambda agent, game: own if (agent, game) == ("her", "game") else None)
    monkeypatch.setattr(psro, "save_policy", lambda *args: given.append(args))
    path = tmp_path / "policy-0.safetensors"
    assert made._first(cast(Any, "doing")) == Stage(0, str(path), 33, {})
    assert given[1] == (path, own.manifest, "weights")


def test_the_network_of_a_start_is_that_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And it takes two sides, and a folder without a comma."""
    scenarios = [SimpleNamespace(scenario=name, modules={}, options={"n": 2}) for name in "ab"]
    config: Any = SimpleNamespace(
        method="psro", game="chess", scenarios=scenarios, start=None, hidden=4, groups=True, advisers=()
    )
    sides = [2]
    monkeypatch.setattr(
        psro, "make_game",
        lambda name, scenario, modules, **options: SimpleNamespace(sides=(0,) * sides[0], of=(scenario, options)),
    )  # fmt: skip
    monkeypatch.setattr(psro, "blueprint_of", lambda game, *rest: (game.of, *rest))
    nets: dict[str, Any] = {"good": (("a", {"n": 2}), 4, True, ()), "bad": "another"}
    monkeypatch.setattr(
        psro, "own_policy",
        lambda agent, game: SimpleNamespace(net=SimpleNamespace(blueprint=nets[agent])) if agent in nets else None,
    )  # fmt: skip
    made = Responses(config, tmp_path)
    assert [cast(Any, game).of for game in made.games] == [("a", {"n": 2}), ("b", {"n": 2})]
    assert made.met == {} and made.stages == made.answers == []
    config.start = "good"
    Responses(config, tmp_path)
    for start in ("bad", "nobody"):
        config.start = start
        with pytest.raises(ProbespielError, match=f"start = '{start}' is no policy with the network"):
            Responses(config, tmp_path)
    sides[0] = 1
    with pytest.raises(ProbespielError, match="chess has one side, so that nobody answers"):
        Responses(config, tmp_path)
    with pytest.raises(ProbespielError, match="cannot have a comma"):
        Responses(config, tmp_path / "a,b")
    config.method = "selfplay"
    with pytest.raises(ProbespielError, match="rounds of best answers are those of psro"):
        Responses(config, tmp_path)


def test_what_is_kept_bears_the_settings_of_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = meeting(tmp_path)
    cast(Any, made.config).model_dump = lambda mode: "settings"
    loaded = SimpleNamespace(manifest="its own", net="net")
    monkeypatch.setattr(psro, "load_policy", lambda file, kind: loaded if file == made.stages[1].file else None)
    monkeypatch.setattr(psro, "replace", lambda manifest, **named: (manifest, named))
    found = made.policy(cast(Any, SimpleNamespace(stages=made.stages, kept=1)))
    assert cast(Any, found.manifest) == (
        "its own", {"settings": "settings", "decisions": 10, "seed": 5, "evaluation": ()},
    )  # fmt: skip
    assert cast(Any, found.net) == "net"


def test_games_are_played_on_both_sides_of_all_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 16 games two scenarios and two sides have four each; sides of several seats are paid their mean.

    The hero gets 1 and 2 as the first side, and 5 as the second: 1.5 and 5, which weigh the same; scenarios weigh 3 to
    1, and the second pays twice as much.
    """
    seatings: list[Any] = []
    bounds: list[Any] = []
    seeds: list[int] = []

    class Match(SimpleNamespace):
        def __init__(self, game: Any, who: list[Any], seed: int, limit: None, bots: Any) -> None:
            super().__init__(game=game, names=[one.name for one in who])
            seeds.append(seed)

        def __enter__(self) -> Match:
            return self

        def __exit__(self, *error: Any) -> None:
            pass

        def play(self, schedule: Any) -> Any:
            seatings.append((self.names, schedule.seating[0].tolist(), len(schedule.seating)))
            factor = 1.0 if self.game.of == "a" else 2.0
            return SimpleNamespace(payoffs=factor * np.tile([1.0, 5.0, 2.0], (len(schedule.seating), 1)), messages={})

    monkeypatch.setattr(psro, "Match", Match)
    monkeypatch.setattr(psro, "quick", lambda agent: agent)
    monkeypatch.setattr(psro, "make_agent", lambda text, name: SimpleNamespace())
    monkeypatch.setattr(
        psro,
        "parse_agent",
        lambda name: SimpleNamespace(moved=lambda places: SimpleNamespace(text=name, outside=False)),
    )
    monkeypatch.setattr(psro, "moved_modules", lambda modules, places: modules)
    monkeypatch.setattr(psro, "error_of", lambda found, widest: bounds.append(widest) or 0.5)
    spec = SimpleNamespace(bounds_of_seats=[(-9.0, 5.0), (-8.0, 9.0), (0.0, 1.0)])
    monkeypatch.setattr(
        psro, "make_game",
        lambda name, scenario, modules: SimpleNamespace(
            name=name, of=scenario, n_seats=3, sides=(("x", (0, 2)), ("y", (1,))), spec=spec
        ),
    )  # fmt: skip
    scenarios = tuple({"scenario": name, "modules": {}, "options": {}} for name in "ab")
    work = psro.Meetings("chess", scenarios, (3.0, 1.0), ("her", "him"), ("A", "B"), "", 16)
    found = work.do((1, 0, 7))
    assert seatings == [(["B", "A"], seats, 4) for _ in "ab" for seats in ([0, 1, 0], [1, 0, 1])]
    assert found.payoff == pytest.approx((0.75 + 0.25 * 2) * (1.5 + 5) / 2)
    assert found.error == pytest.approx((2 * (0.375 * 0.5) ** 2 + 2 * (0.125 * 0.5) ** 2) ** 0.5)
    assert found.games == 16 and seeds == [7, 7] and bounds == [(-9.0, 9.0)] * 4
    seatings.clear()
    assert work.do((0, 0, 7)).games == 16 and seatings[0] == (["A"], [0, 0, 0], 4), "one who meets itself"
    seatings.clear()
    assert work.probe().games == psro.PROBED and seatings[0][:2] == (["A", "B"], [0, 1, 0])


# Several trainings side by side


def test_trainings_go_on_where_their_checkpoints_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four one is done, one has a checkpoint, one has lost it, one has not begun."""
    people = population.Population.__new__(population.Population)
    people.configs, people.folder = cast(Any, [SimpleNamespace(seed=k) for k in range(4)]), tmp_path
    gone: list[Any] = []
    people.work = cast(Any, SimpleNamespace(dismiss=lambda: gone.append("dismissed")))
    people.__dict__["each"] = 50
    member = population.Member
    for number, (decisions, done) in enumerate(((90, True), (40, False), (30, False))):
        people._note(number, member(number, f"policy-{number + 1}.safetensors", decisions, done, ()))
    people.files(1)[2].write_bytes(b"checkpoint")
    reached = [
        (1, SimpleNamespace(policy=b"p1", checkpoint=b"c1", decisions=70, finished=False, course=())),
        (3, SimpleNamespace(policy=b"p3", checkpoint=b"c3", decisions=25, finished=False, course=())),
        (1, SimpleNamespace(policy=b"p2", checkpoint=b"c2", decisions=90, finished=True, course=())),
    ]

    def walk(work: Any, engine: Any, at: Any, each: int, stopped: Any) -> Any:
        assert (work, engine, each) == (people.work, "engine", 50)
        gone.append(dict(at))
        yield from reached

    monkeypatch.setattr(population, "walk", walk)
    told: list[int] = []
    found = people.learn(cast(Any, "engine"), told.append, lambda: False)
    assert gone == [{1: (b"checkpoint", 40), 2: (None, 0), 3: (None, 0)}, "dismissed"]
    assert told == [30, 25, 20] and [one.seed for one in found] == [0, 1]
    assert people.files(1)[0].read_bytes() == b"p2" and not people.files(1)[2].exists()
    assert people.files(3)[2].read_bytes() == b"c3" and people.members()[3] == member(
        3, "policy-4.safetensors", 25, False, ()
    )


def test_a_leg_lasts_some_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But no less than an update."""
    people = population.Population.__new__(population.Population)
    people.configs = cast(Any, [SimpleNamespace(per_update=100), SimpleNamespace(per_update=5)])
    monkeypatch.setattr(population, "forecast", lambda config, device: SimpleNamespace(rate=30.0))
    assert people.each == int(population.LEG_SECONDS * 30)
    del people.__dict__["each"]
    monkeypatch.setattr(population, "forecast", lambda config, device: SimpleNamespace(rate=1.0))
    assert people.each == 100


def test_who_earns_most_is_kept() -> None:
    """On average over all; without games nobody earns anything, and of equals the first is kept."""

    def member(*edges: float) -> population.Member:
        found = tuple(population.Evaluation("x", 2, edge, 0.0, 1.0, ()) for edge in edges)
        return population.Member(len(edges), "", 1, True, (), found)

    some = [member(), member(0.5, 0.0), member(-1.0, 2.0, 0.5), member(0.5)]
    assert [one.edge for one in some] == [-np.inf, 0.25, 0.5, 0.5]
    assert population.best_of(some) is some[2]
