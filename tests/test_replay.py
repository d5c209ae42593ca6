"""Replay files: exact replays, refusals with reasons, and hostile files."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probespiel.envs import make_game
from probespiel.envs.core import replay as replay_module
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.errors import IllegalAction, ReplayError, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.recipes import recipe_of
from probespiel.envs.core.replay import Choice, Die, Recorder, Replay, compare_rules, load, loads
from probespiel.envs.core.setups import at_hand, whole_name, whole_names
from probespiel.evaluation.stress.conditions import Settings
from tests.games_adapters.clash import clash

GAMES: dict[str, Callable[[], Game]] = {
    "kuhn": lambda: make_game("kuhn", ante=2),
    "clash": lambda: clash(3, rounds=3, rock=1.25),
    "clash-stopped": lambda: clash(2, rounds=50, limit=9),
    "einblatt-duel": lambda: make_game("einblatt-duel", max_tests=2),
    "einblatt-melee": lambda: make_game("einblatt-melee"),
    "ews_rps": lambda: make_game("ews_rps", n_tests=4, may_decline=True),
    "ews_rps-die": lambda: make_game("ews_rps", n_tests=4, procedure="pm_d6", gm_policy="uniform"),
    "scorekeeper-duel": lambda: make_game("scorekeeper-duel"),
    "scorekeeper-skirmish": lambda: make_game("scorekeeper-skirmish"),
    "konfrontation-clash": lambda: make_game("konfrontation-clash", "debate", stage="full", max_ties=3),
    "konfrontation-campaign": lambda: make_game("konfrontation-campaign", "triad", turns=2),
    "oneshot-skirmish": lambda: make_game("oneshot-skirmish", max_count=40),
    "oneshot-parley": lambda: make_game("oneshot-parley", "claim"),
}
EVERY = pytest.mark.parametrize("name", GAMES)


def record(game: Game, seed: int = 1, decisions: int = 10**9) -> Recorder:
    """A recorded game of random play."""
    rng = random.Random(seed)
    recorder = Recorder(game, seed, {game.seats[0].name: "random", game.seats[1].name: "zufällig"})
    for _ in range(decisions):
        seats = recorder.position.to_act()
        if not seats:
            break
        recorder.apply(seats[0], rng.choice(recorder.position.legal(seats[0])))
        recorder.roll()
    return recorder


@EVERY
@pytest.mark.parametrize("decisions", [0, 3, 10**9])
def test_exact_replay(name: str, decisions: int, tmp_path: Path) -> None:
    game = GAMES[name]()
    recorder = record(game, decisions=decisions)
    path = tmp_path / "game.json"
    recorder.save(path)
    by_name = None if not name.startswith("clash") else game
    loaded = load(path, by_name)
    assert loaded.game.name == game.name and loaded.game.ruleset == game.ruleset
    assert loaded.steps == tuple(recorder.steps) and loaded.seed == 1
    assert loaded.agents == {game.seats[0].name: "random", game.seats[1].name: "zufällig"}
    assert loaded.final().to_bytes() == recorder.position.to_bytes()
    assert list(loaded.payoffs) == recorder.position.returns().tolist()
    assert loaded.status == ("running", "ended", "stopped")[recorder.position.status]
    assert loaded.to_json() == path.read_text(encoding="utf-8") == load(path, game).to_json()
    steps = [step for step, _ in loaded.positions()]
    assert steps == [None, *recorder.steps]
    without_dice = ("clash", "clash-stopped", "konfrontation-clash")
    assert any(isinstance(step, Die) for step in steps) or decisions == 0 or name in without_dice


def test_a_file_is_readable() -> None:
    recorder = Recorder(make_game("kuhn"))
    recorder.fall(2)
    recorder.fall(0)
    recorder.apply(0, 1)
    recorder.apply(1, 0)
    content = json.loads(recorder.replay().to_json())
    assert content["steps"] == [
        {"die": 3, "fell": 2},
        {"die": 2, "fell": 0},
        {"seat": "first", "action": "bet"},
        {"seat": "second", "action": "pass"},
    ]
    assert content["result"] == {"status": "ended", "payoffs": {"first": 1.0, "second": -1.0}}
    assert content["seed"] is None and content["modules"] == {} and content["options"] == {"ante": 1.0, "bet": 1.0}
    assert recorder.replay().to_json().count("\n") == len(content) + len(content["steps"]) + 3


@EVERY
def test_follow_a_compiled_driver(name: str) -> None:
    game = GAMES[name]()
    env = ProbespielAEC(game)
    env.reset(seed=11)
    for _ in range(2):  # the second game goes on with the dice of the first
        begin = env._rng.copy()
        if env.agents:
            begin = None
        else:
            env.reset()
        rng = random.Random(2)
        decisions: list[tuple[int, int]] = []
        while not (any(env.terminations.values()) or any(env.truncations.values())):
            observation = env.last()[0]
            assert observation is not None
            action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
            decisions.append((game.seat_index(env.agent_selection), action))
            env.step(action)
        recorder = Recorder.follow(game, decisions, seed=11 if begin is None else None, rng=begin)
        assert recorder.position.to_bytes() == env.position.to_bytes()
        assert [s for s in recorder.steps if isinstance(s, Choice)] == decisions
        assert loads(recorder.replay().to_json(), game).status != "running"
        while env.agents:
            env.step(None)


def test_errors_leave_the_record_unchanged() -> None:
    recorder = Recorder(clash(2), seed=1)
    with pytest.raises(IllegalAction):
        recorder.apply(0, 4)
    with pytest.raises(IllegalAction):
        recorder.fall(0)
    assert recorder.steps == []


def test_saving_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    recorder = record(make_game("kuhn"))
    recorder.save(path)
    before = path.read_bytes()
    with monkeypatch.context() as patch, pytest.raises(OSError, match="disk"):
        patch.setattr(os, "fsync", lambda fd: (_ for _ in ()).throw(OSError("disk full")))
        record(make_game("kuhn"), 2).save(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError):
        recorder.save(tmp_path / "nowhere" / "game.json")
    with pytest.raises(ReplayError, match="name cannot be written"):
        Recorder(make_game("kuhn"), agents={"first": "\ud800"}).save(path)
    assert path.read_bytes() == before


def content_of(name: str = "kuhn") -> dict[str, Any]:
    """The content of a valid file; in kuhn: two dice, then decisions."""
    return json.loads(record(GAMES[name](), 3).replay().to_json())


def refused(content: Any, game: Game | None = None) -> str:
    """Why it is refused."""
    with pytest.raises(ReplayError) as caught:
        loads(json.dumps(content) if not isinstance(content, (bytes, str)) else content, game)
    assert len(str(caught.value)) < 1500
    return str(caught.value)


def changed(path: str, value: Any) -> dict[str, Any]:
    """A valid content with one value replaced, or removed by `...`."""
    content: Any = content_of()
    *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    inner = content
    for part in way:
        inner = inner[part]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return content


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("format", "chess", "no replay file"),
        ("version", 2, "version 2"),
        ("version", True, "version True"),
        ("ruleset", "0" * 24, "ruleset '000000000000000000000000': the rules of kuhn are now"),
        ("ruleset", 7, "ruleset: 7 is no str"),
        ("ruleset", ..., "field 'ruleset' is missing"),
        ("surprise", 1, "field 'surprise' is unknown"),
        ("game", "chess", "game 'chess' is unknown"),
        ("game", "einblatt-duel", "its game cannot be built"),
        ("scenario", "huge", "scenario 'huge' is unknown"),
        ("options/ante", -1, "ante = -1 is out of range"),
        ("options/ante", 7, "result: the file says"),
        ("options/game", "kuhn", "option 'game' is unknown"),
        ("modules", {"evil.py": {}}, "'evil.py' is not built in"),
        ("seed", 1.5, "seed: 1.5 is no int"),
        ("seed", True, "seed: True is no int"),
        ("agents", {"third": "x"}, "the seats are first, second"),
        ("agents", {"first": 3}, "agents: 'first': 3"),
        (
            "steps/0",
            {"die": 2, "fell": 0},
            "step 1, {'die': 2, 'fell': 0}: this die is not due; a die with 3 faces is due",
        ),
        ("steps/0", {"die": 3, "fell": 3}, "it falls on 0..2"),
        ("steps/0", {"die": 3, "fell": True}, "it falls on 0..2"),
        ("steps/0", {"die": 3}, "a step is"),
        ("steps/0", None, "a step is"),
        ("steps/0", {"seat": "first", "action": "bet"}, "it is not legal; a die with 3 faces is due"),
        ("steps/2", {"die": 2, "fell": 0}, "phase move, to act and legal: first (pass, bet)"),
        ("steps/2", {"seat": "second", "action": "bet"}, "it is not legal; phase move, to act and legal: first"),
        ("steps/2", {"seat": "third", "action": "bet"}, "the seats are first, second"),
        ("steps/2", {"seat": [], "action": "bet"}, "the seats are first, second"),
        ("steps/2", {"seat": "first", "action": "raise"}, "no action is called 'raise'"),
        ("steps/2", {"seat": "first", "action": 1}, "an action is a text"),
        ("steps/2", {"seat": "first", "action": "x" * 10**6}, "an action is a text"),
        ("game", "x" * 10**6, "longer than 1000 characters"),
        ("result", {}, "no status"),
        ("result/status", "won", "no status"),
        ("result/status", [], "no status"),
        ("result/status", "running", "its steps lead to ended"),
        ("result/payoffs/first", 17, "result: the file says ended, [17,"),
        ("result/payoffs/first", "17", "no number"),
        ("result/payoffs", {"first": 1}, "are not those of first, second"),
    ],
)
def test_refusals(path: str, value: Any, reason: str) -> None:
    assert reason in refused(changed(path, value))


def test_steps_after_the_end_and_missing_steps() -> None:
    content = content_of()
    content["steps"].append({"seat": "first", "action": "bet"})
    assert f"step {len(content['steps'])}" in (why := refused(content)) and "the game is over" in why
    content = content_of()
    content["steps"].pop()
    assert "its steps lead to running" in refused(content)


def test_other_rules_or_options_are_refused() -> None:
    game = clash(3, rounds=3)
    text = record(game).replay().to_json()
    assert loads(text, game)
    assert "unknown" in refused(text)  # a game of no system must be given
    assert "options: " in refused(text, clash(3, rounds=4))
    assert "a replay of 'clash', not of kuhn" in refused(text, make_game("kuhn"))
    assert "played by other rules" in refused({**json.loads(text), "ruleset": "x"}, game)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no valid JSON"),
        (b"\xff\xfe{}", "no valid JSON"),
        (b"[]", "no JSON object"),
        (b"1", "no JSON object"),
        (b'{"format": NaN}', "NaN is no finite number"),
        (b'{"format": -Infinity}', "-Infinity is no finite number"),
        (b'{"format": 1e999}', "'1e999' is no finite number"),
        (b'{"format": 1, "format": 2}', "given twice"),
        (b'{"format": ' + b"9" * 5000 + b"}", "no valid JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b'{"format": "probespiel-replay", "version": 1}', "missing"),
    ],
)
def test_hostile_texts(data: bytes, reason: str, tmp_path: Path) -> None:
    assert reason in refused(data)
    path = tmp_path / "hostile.json"
    path.write_bytes(data)
    with pytest.raises(ReplayError, match=r"hostile\.json: "):
        load(path)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, why in ((tmp_path, ": Is a directory$"), (tmp_path / "missing.json", ": No such file or directory$")):
        with pytest.raises(ReplayError, match=f"cannot be read{why}"):
            load(path)
    with pytest.raises(ReplayError, match="cannot be read"):
        load(Path("nul\0name"))
    path = tmp_path / "large.json"
    path.write_text(" " * 1000, encoding="utf-8")
    monkeypatch.setattr(replay_module, "MAX_BYTES", 999)
    with pytest.raises(ReplayError, match="larger than 999 bytes"):
        load(path)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**62, max_value=2**200)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["kuhn", "first", "bet", "einblatt-duel", "running", "ended", "standard", "../x.py"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)
NAMES = ("kuhn", "einblatt-duel")
QUICK = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@cache
def text_of(name: str) -> str:
    """The text of a valid file."""
    return json.dumps(content_of(name))


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *[place for key, item in inner for place in places(item, (*way, key))]]


def survives(data: str) -> None:
    """Loaded as a replay that saves itself alike, or refused with a ReplayError."""
    try:
        loaded = loads(data)
    except ReplayError as error:
        assert str(error) and len(str(error)) < 1000
        return
    assert isinstance(loaded, Replay)
    assert loads(loaded.to_json()).steps == loaded.steps


@QUICK
@given(st.data())
def test_hostile_values(data: st.DataObject) -> None:
    content: Any = json.loads(text_of(data.draw(st.sampled_from(NAMES))))
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(places(content)))
        inner = content
        for part in way[:-1]:
            inner = inner[part]
        what = data.draw(st.sampled_from(["replace", "remove", "add"]))
        if not way:
            content = data.draw(VALUES)
            break
        if what == "replace":
            inner[way[-1]] = data.draw(VALUES)
        elif what == "remove":
            del inner[way[-1]]
        elif isinstance(inner, list):
            inner.insert(way[-1], data.draw(VALUES))
        else:
            inner[data.draw(st.text(max_size=6))] = data.draw(VALUES)
    survives(json.dumps(content))


@QUICK
@given(st.sampled_from(NAMES), st.integers(0, 10**6), st.integers(0, 40), st.text(max_size=6))
def test_hostile_edits(name: str, at: int, length: int, text: str) -> None:
    whole = text_of(name)
    at %= len(whole)
    survives(whole[:at] + text + whole[at + length :])


@QUICK
@given(VALUES)
def test_hostile_documents(value: Any) -> None:
    with pytest.raises(ReplayError):
        loads(json.dumps(value))


@QUICK
@given(st.binary(max_size=200))
def test_hostile_bytes(data: bytes) -> None:
    with pytest.raises(ReplayError):
        loads(data)


def test_rule_files_may_lie_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the record, or where one is; another file of that name is refused, and so are other parameters."""
    there, record_of, here = (tmp_path / name for name in ("there", "record", "here"))
    for folder in (there, record_of, here):
        folder.mkdir()
    rule, file = there / "edge.py", record_of / "game.json"
    rule.write_bytes((Path(__file__).parent / "planted_costs" / "edge.py").read_bytes())
    played = record(make_game("kuhn", modules={str(rule): {"fee": 7}}, compiled=False)).replay()
    played.save(file)
    monkeypatch.chdir(here)
    rule.rename(record_of / "edge.py")
    found = load(file, compiled=False, trust=True)
    assert (found.steps, found.payoffs) == (played.steps, played.payoffs)
    assert recipe_of(found.game)["modules"] == {str(record_of / "edge.py"): {"fee": 7}}
    assert load(file, found.game).payoffs == played.payoffs, "a game whose file lies elsewhere is the same"
    (record_of / "edge.py").rename(here / "edge.py")
    assert load(file, compiled=False, trust=True).payoffs == played.payoffs
    other = make_game("kuhn", modules={str(here / "edge.py"): {"fee": 8}}, compiled=False)
    with pytest.raises(ReplayError, match="modules: "):
        compare_rules(json.loads(file.read_text()), other)
    text = (here / "edge.py").read_text()
    (here / "edge.py").write_text(text.replace("3 if card", "4 if card"))
    with pytest.raises(ReplayError, match="the rules of kuhn are now"):
        load(file, compiled=False, trust=True)
    (here / "edge.py").unlink()
    with pytest.raises(ReplayError, match=r"'.*there.edge.py' does not exist here: put edge.py into '.*record', or"):
        load(file, compiled=False, trust=True)
    with pytest.raises(ReplayError, match="is not built in"):
        load(file, compiled=False)
    (here / "x.py").write_text("")
    assert at_hand({"C:\\rules\\x.py": 1, "plain": 3}, record_of) == {str(here / "x.py"): 1, "plain": 3}


def test_rule_files_named_from_here_are_found_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and rule tests that Python makes keep the whole path of a rule file, as commands do."""
    there, here = tmp_path / "there", tmp_path / "here"
    for folder in (there, here):
        folder.mkdir()
    (there / "edge.py").write_bytes((Path(__file__).parent / "planted_costs" / "edge.py").read_bytes())
    whole = os.path.realpath(there / "edge.py")
    monkeypatch.chdir(there)
    game = make_game("kuhn", modules={"edge.py": {"fee": 7}}, compiled=False)
    test = Settings("kuhn", "./edge.py", modules={"../there/edge.py": {}})
    played = record(game).replay()
    played.save(here / "game.json")
    monkeypatch.chdir(here)
    assert recipe_of(game)["modules"] == {whole: {"fee": 7}}
    assert load(here / "game.json", compiled=False, trust=True).payoffs == played.payoffs
    assert (test.module, test.modules) == (whole, {whole: {}})
    assert Settings("kuhn", "edge", modules={"other": {}}).module == "edge"
    assert whole_name("\0.py") == "\0.py" and whole_names({"edge": 1, "~/x.py": 2}) == {
        "edge": 1, os.path.realpath(os.path.expanduser("~/x.py")): 2,
    }  # fmt: skip
    with pytest.raises(RulesetError, match="is given twice"):
        whole_names({whole: {}, "../there/edge.py": {}})
    with pytest.raises(RulesetError, match="modules"):
        make_game("kuhn", modules=["edge.py"], compiled=False)  # type: ignore[arg-type]
