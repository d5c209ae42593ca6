"""Cards of policies: what is measured is written beside the policy's file, and speaks of those very bytes."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from probespiel.agents.policy import shipped_policies
from probespiel.agents.policy_card import Bound, add_bound, bound_in, card_path, lines_of, read_card
from probespiel.agents.policy_file import load_policy
from probespiel.agents.policy_net import PolicyError
from probespiel.agents.registry import parse_agent
from probespiel.app.cli import command_line
from probespiel.app.cli_exploit import _policy_of
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.exploit.learned import Courses
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.tournament.run import run_tournament
from probespiel.evaluation.tournament.texts import words

FOUND = Bound("one", "learned", 0.25, 0.125, 0.5, 1000, 60.0, "probespiel exploit ...")


def test_a_bound_is_in_place_of_the_one_of_its_scenario(tmp_path: Path) -> None:
    policy = tmp_path / "mine.safetensors"
    policy.write_bytes(b"weights")
    assert read_card(policy).bounds == ()
    assert add_bound(policy, FOUND) == card_path(policy) == tmp_path / "mine.card.json"
    other, better = Bound(**{**vars(FOUND), "scenario": "a"}), Bound(**{**vars(FOUND), "value": 0.375})
    add_bound(policy, other)
    add_bound(policy, better)
    assert read_card(policy).bounds == (other, better)
    policy.write_bytes(b"other weights")
    assert read_card(policy).bounds == (), "they spoke of other weights"
    add_bound(policy, FOUND)
    assert read_card(policy).bounds == (FOUND,)


def test_what_was_found_is_not_forgotten(tmp_path: Path) -> None:
    """A later search that finds less takes nothing away; what is exact gives way to another exact one alone."""
    policy = tmp_path / "mine.safetensors"
    policy.write_bytes(b"weights")
    less, exact = Bound(**{**vars(FOUND), "low": 0.1}), Bound(**{**vars(FOUND), "method": "exact", "low": 0.05})
    more = Bound(**{**vars(FOUND), "low": 0.2})
    for bound, kept in ((FOUND, FOUND), (less, FOUND), (more, more), (exact, exact), (more, exact)):
        add_bound(policy, bound)
        assert read_card(policy).bounds == (kept,)
    again = Bound(**{**vars(exact), "low": 0.01})
    add_bound(policy, again)
    assert read_card(policy).bounds == (again,)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "probespiel-card/2"}', "[" * 100_000,
             json.dumps({"format": "probespiel-card/1", "policy": "", "bounds": [{"scenario": "x"}]}),
             json.dumps({"format": "probespiel-card/1", "policy": "", "bounds": [{**vars(FOUND), "low": "nan"}]})]
)  # fmt: skip
def test_a_damaged_card_is_refused(tmp_path: Path, text: str) -> None:
    policy = tmp_path / "mine.safetensors"
    policy.write_bytes(b"weights")
    card_path(policy).write_text(text)
    with pytest.raises(PolicyError, match="no card of a policy"):
        read_card(policy)


def test_what_a_bound_says() -> None:
    assert FOUND.told() == ("one: exploitable by at least 0.2500 a game, 0.1250 to 0.5000 (1,000 games a side, 60 s)")
    none = Bound(**{**vars(FOUND), "value": 0.01, "low": 0.0, "high": 0.03})
    assert none.told().startswith("one: no way to exploit it was found: 0.0100 a game, 0.0000 to 0.0300 (1,000")
    exact = Bound(**{**vars(FOUND), "method": "exact", "low": 0.25, "high": 0.25})
    assert exact.told() == "one: exploitable by 0.2500 a game (exact)"


def test_a_card_tells_the_evaluation_of_the_policy_that_is_kept(tmp_path: Path) -> None:
    """What was measured on the way, of a policy that is no more, is left out; bounds stand below."""
    policy = tmp_path / "mine.safetensors"
    policy.write_bytes(b"weights")
    row = {"opponent": "honest", "edge": 0.25, "low": 0.125, "high": 0.5, "games": 1000, "decisions": 2000}
    manifest: Any = SimpleNamespace(
        scenarios=[{"scenario": "a"}, {"scenario": None}], scenario="a", decisions=2000, seed=3, temperature=0,
        settings={"learner": "native"}, evaluation=[{**row, "edge": -1.0, "decisions": 1000}, row, {"opponent": "x"}],
    )  # fmt: skip
    told = [
        "mine  (mine.safetensors)",
        "  trained in a and 1 of its own",
        "  2,000 decisions, seed 3, native learner; plays its likeliest actions",
        "  against honest: +0.2500 (+0.1250 to +0.5000, 1,000 games)",
    ]
    assert lines_of("mine", policy, manifest)[:-1] == told
    add_bound(policy, FOUND)
    assert lines_of("mine", policy, manifest) == [*told, f"  {FOUND.told()}"]
    manifest.scenarios = [{"scenario": "a"}, {"scenario": "a", "most": 3}, {"scenario": None}, {"scenario": "b"}]
    assert lines_of("mine", policy, manifest)[1] == "  trained in a, b and 1 of its own", "two of them are the preset a"


def test_an_exploit_writes_the_card_of_its_policy(tmp_path: Path) -> None:
    made = Courses(Target("kuhn", "honest"), make_game("kuhn"), tmp_path, seed=1, count=1)
    made.learn(0.5, lambda share, what: None, lambda: True)
    policy = tmp_path / "exploiter-1.safetensors"
    line = ["exploit", "kuhn", "--agent", f"policy:file={policy}", "--card", "--seconds", "1"]
    done = CliRunner().invoke(command_line(["exploit"]), [*line, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0 and f"Card: {card_path(policy)}" in done.output, done.output
    (bound,) = read_card(policy).bounds
    numbers = json.loads((tmp_path / "out" / "exploit.json").read_text())
    assert bound.method == "exact" and bound.value == bound.low == numbers["bound"]["value"] > 0
    assert bound.scenario == numbers["scenario"] and bound.command == numbers["command"]


def test_a_tournament_says_how_exploitable_a_policy_is(tmp_path: Path) -> None:
    """Beside the rating of the policy, in the scenario of the card and in no other, in both languages."""
    made = Courses(Target("kuhn", "honest"), make_game("kuhn"), tmp_path, seed=1, count=1)
    made.learn(0.5, lambda share, what: None, lambda: True)
    policy = tmp_path / "exploiter-1.safetensors"
    add_bound(policy, Bound(**{**vars(FOUND), "scenario": "standard"}))
    game, agent = make_game("kuhn"), parse_agent(f"policy:file={policy}")
    bound = bound_in(game, agent)
    assert bound is not None and bound.text == "exploitable by at least 0.2500 a game, 0.1250 to 0.5000"
    assert bound_in(make_game("kuhn", ante=2), agent) is None, "other rules"
    assert bound_in(game, parse_agent(f"{agent.text},temperature=0")) is None, "it plays in another way"
    assert bound_in(game, parse_agent("honest")) is None and bound_in(game, parse_agent("policy")) is None
    run_tournament(game, [agent.text, "honest"], games=20, seed=1, out=tmp_path / "results", jobs=1)
    page = (tmp_path / "results" / "report.html").read_text()
    assert page.count(f'<small class="bound">{bound.text}</small>') == 1
    told = json.loads((tmp_path / "results" / "summary.json").read_text())["tournament"]
    assert told["bounds"] == {agent.text: bound.text}
    assert words("de")(bound.text) == "um mindestens 0,2500 je Spiel ausnutzbar, 0,1250 bis 0,5000"
    card_path(policy).write_text("{}")
    with pytest.warns(RuntimeWarning, match="no card of a policy"):
        assert bound_in(game, agent) is None


def test_a_bound_is_that_of_the_scenario(tmp_path: Path) -> None:
    """What is known of another one, which stands before it on the card, says nothing here."""
    policy = tmp_path / "mine.safetensors"
    policy.write_bytes(b"weights")
    game, agent = make_game("kuhn", compiled=False), parse_agent(f"policy:file={policy}")
    add_bound(policy, Bound(**{**vars(FOUND), "scenario": "another"}))
    assert bound_in(game, agent) is None
    add_bound(policy, Bound(**{**vars(FOUND), "scenario": "standard", "value": 0.3}))
    bound = bound_in(game, agent)
    assert bound is not None and (bound.scenario, bound.value) == ("standard", 0.3)


@pytest.mark.parametrize(
    ("agent", "more", "why"),
    [("honest", [], "no policy as it plays by itself"), ("policy:temperature=0", [], "no policy as it plays by itself"),
     ("policy", [], "no policy ships for kuhn"), ("policy:file=none.safetensors", [], "there is no file none"),
     ("policy", ["--set", "ante=2"], "without --module and --set")],
)  # fmt: skip
def test_what_has_no_card(agent: str, more: list[str], why: str, tmp_path: Path) -> None:
    line = ["exploit", "kuhn", "--agent", agent, "--card", "--out", str(tmp_path / "out"), *more]
    done = CliRunner().invoke(command_line(["exploit"]), line)
    assert done.exit_code != 0 and why in str(done.exception) and not (tmp_path / "out").exists()


def test_a_card_is_written_beside_the_policy_that_plays_the_scenario() -> None:
    found = shipped_policies()
    assert _policy_of("einblatt-duel", "duel_tricks", "policy", False) == found["einblatt-duel--duel_tricks"]
    assert _policy_of("einblatt-duel", None, "policy", False) == found["einblatt-duel"]


def test_cards_of_shipped_policies_speak_of_them() -> None:
    """No card is left over from a policy that was trained anew, and each is shown."""
    for name, path in shipped_policies().items():
        if card_path(path).exists():
            assert json.loads(card_path(path).read_text())["policy"] == read_card(path).policy, name
    done = CliRunner().invoke(command_line(["agents"]), ["agents", "--cards"])
    assert done.exit_code == 0
    for name, path in shipped_policies().items():
        manifest = load_policy(path).manifest
        assert f"{name}  ({path.name})" in done.output and f"{manifest.decisions:,} decisions" in done.output
        assert all(bound.told() in done.output for bound in read_card(path).bounds)
    done = CliRunner().invoke(command_line(["agents"]), ["agents", "kuhn", "--cards"])
    assert "No policy ships for kuhn" in done.output
