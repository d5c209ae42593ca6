"""Small cases of what a draw of lines met and no test noticed: reports, probes, tables, work on other machines."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.entrants import entrant_of
from probespiel.agents.policy_file import Manifest
from probespiel.agents.scorekeeper import ply
from probespiel.app import cli_exploit
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.rng import next_u64
from probespiel.envs.goofspiel import rules as goofspiel
from probespiel.envs.konfrontation.verify import PlayScript
from probespiel.envs.oneshot.build import rules
from probespiel.envs.oneshot.state import Status
from probespiel.envs.scorekeeper.state import Declared
from probespiel.envs.scorekeeper.text import result_lines
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.exploit.run import Plan as Exploit
from probespiel.evaluation.oneshot.odds import Table
from probespiel.evaluation.stress import away, watching
from probespiel.evaluation.stress.findings import HandicapRow
from probespiel.evaluation.tournament.plan import Plan
from probespiel.evaluation.tournament.run import run_info

# Reports


@pytest.mark.parametrize(("value", "told"), [(4.0, True), (3.999, False), (-2.0, True), (-1.999, False), (5.0, True)])
def test_a_worth_that_reaches_an_end_of_the_scale_stands_there(value: float, told: bool) -> None:
    """The scale has four units upwards and two downwards."""
    assert HandicapRow(value=value, low=value, high=value, games=10, amount=1, most=4.0, least=-2.0).at_an_end is told


def test_seats_are_named_by_themselves_in_a_report(tmp_path: Path) -> None:
    """Two fighters of a team are two seats, called as a person reads them, in both languages."""
    game = make_game("scorekeeper-skirmish", compiled=False)
    plan = Plan.of(game, [entrant_of(name, game) for name in ("random", "first")], 4, 1, None)
    info = run_info(plan, game, tmp_path, ())
    assert list(info.seat_names) == [seat.called("en") for seat in game.seats]
    assert len(set(info.seat_names)) == game.n_seats > 2
    assert "officer 1" in info.seat_names and info.german["officer 1"] == "Polizist 1"
    assert info.german["reads declarations: announced defence, parry or dodge by their worth"].startswith("liest")
    assert info.german[info.descriptions["random"]] == "Eine erlaubte Aktion, alle gleich oft."


def test_a_table_of_chances_begins_with_its_title_and_its_head() -> None:
    table = Table("name", "Title", ["dice", "no"], [["2", "1/216"], ["10", "1"]])
    assert table.lines() == ["Title", "dice     no", "   2  1/216", "  10      1", ""]


@pytest.mark.parametrize(("steps", "length"), [(0, "--seconds 12.5"), (400, "--steps 400 --games 1000")])
def test_an_exploit_is_repeated_by_what_counts_in_it(steps: int, length: str) -> None:
    """By numbers where they count, else by the clock."""
    plan = Exploit(seconds=12.5, seeds=3, seed=9, method="learned", steps=steps, games=1_000)
    told = cli_exploit._command(Target("kuhn", "first", "three"), plan, ["m:a=1"], None)
    assert told == (
        f"probespiel exploit kuhn --agent first --scenario three --module m:a=1 {length} --seeds 3 --seed 9 "
        "--method learned"
    )


@pytest.mark.parametrize(
    ("lang", "told", "scratch"), [("en", "no wounds", "scratches 2"), ("de", "keine Wunden", "Kratzer 2")]
)
def test_who_was_not_hurt_has_no_wounds(lang: str, told: str, scratch: str) -> None:
    position = make_game("scorekeeper-duel", compiled=False).position()
    assert [line.rpartition("; ")[2] for line in result_lines(position, lang)[:2]] == [told, told]
    position.record.kr[1] = 2
    lines = result_lines(position, lang)
    assert lines[0].endswith(told) and told not in lines[1] and lines[1].endswith(scratch)


# The lab


def test_observations_may_leave_their_range_by_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """By 1/100,000 of the larger end of each number, at least of one."""
    for name, made in {
        "position_bytes": lambda *_: np.zeros(1, np.uint8), "module_of": lambda _: SimpleNamespace(name="m"),
        "counting": lambda _: [], "fault_places": lambda _: (-1, -1),
    }.items():  # fmt: skip
        monkeypatch.setattr(watching, name, made)
    low, high = np.array([0.0, -5_000.0, 0.0, 1_000.0]), np.array([1.0, 200.0, 3_000.0, 2_000.0])
    game: Any = SimpleNamespace(
        state_dtype=SimpleNamespace(fields={"ask_phase": (None, 8)}),
        layout=SimpleNamespace(bounds=lambda: (low, high)),
        spec=SimpleNamespace(payoff_range=(-1.0, 2.0)), actions=SimpleNamespace(ids_to_words=lambda ids: np.zeros(1)),
    )  # fmt: skip
    lab: Any = SimpleNamespace(bench=None, marks=SimpleNamespace(actions=[]))
    watch = watching.watch_of(lab, game)
    slack = np.array([1e-5, 0.05, 0.03, 0.02])
    assert watch.low.dtype == watch.high.dtype == np.float32
    assert watch.low.tolist() == (low - slack).astype(np.float32).tolist()
    assert watch.high.tolist() == (high + slack).astype(np.float32).tolist()


def test_a_worker_with_other_rules_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = SimpleNamespace(everybody=lambda: "all", spec=lambda who: SimpleNamespace(sources=f"sources of {who}"))
    monkeypatch.setattr(away, "Bench", lambda settings: bench)
    monkeypatch.setattr(away, "Settings", lambda **settings: settings)
    monkeypatch.setattr(away, "ruleset_hash", lambda sources: {"sources of all": "abc"}[cast(str, sources)])
    settings = {"game": "kuhn", "module": "m", "modules": {}}
    assert away.LabWork(settings, "abc").probe() == "abc"
    with pytest.raises(RulesetError, match="the rules of kuhn are abc here, not abd"):
        away.LabWork(settings, "abd").probe()


# What agents reckon, and what a policy is for


@pytest.mark.parametrize(("what", "reached", "dying", "worth"), [
    (Declared.MELEE, True, False, 0.5), (Declared.MELEE, False, False, 0.0), (Declared.ADVANCE, True, False, 0.02),
    (Declared.AID, True, False, 0.25 * ply.AID_BLEEDING), (Declared.AID, True, True, 0.25 * ply.AID_DYING),
])  # fmt: skip
def test_what_a_fighter_gives_up_who_parries(
    what: int, reached: bool, dying: bool, worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two: an attack that reaches, first aid for who lies there, or a step; nothing once it is done."""
    monkeypatch.setattr(ply, "attack_worth", lambda s, p, f, t, mode, zone: {(1, 0, 4): 0.5}[f, t, zone])
    monkeypatch.setattr(ply, "reaches", lambda *_: reached)
    monkeypatch.setattr(ply, "aid_value_of", lambda s, p, f: f)
    monkeypatch.setattr(ply, "chance_below", lambda value: {1: 0.25}[value])
    done = ("acted", "full_defence", "forfeited", "action_lost")
    s = SimpleNamespace(
        declared=[-1, what], d_target=[-1, 0], d_zone=[-1, 4], struggle=[dying, not dying], **{n: [1, 0] for n in done}
    )
    assert ply.pending_worth(s, None, 1) == worth
    for name in done:
        setattr(s, name, [0, 1])
        assert ply.pending_worth(s, None, 1) == 0.0
        setattr(s, name, [1, 0])


def test_a_policy_tells_what_it_is_for() -> None:
    game = make_game("einblatt-duel", modules={"after_card": {}}, compiled=False)
    found = Manifest.of(game, cast(Any, "net"), seed=7)
    assert (found.game, found.system, found.scenario) == ("einblatt-duel", "einblatt", game.spec.scenario)
    assert (found.seats, found.ruleset, found.network, found.seed) == (game.n_seats, game.ruleset, "net", 7)
    assert found.modules == ("after_card",) and found.actions == tuple(game.actions.codes)
    assert [name for name, _ in found.pieces] == [piece.name for piece in game.layout.pieces]
    assert Manifest.of(make_game("kuhn", compiled=False), cast(Any, "net")).modules == ()


# Rules


def test_both_builds_begin_with_their_first_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[int, int]] = []
    hooks = SimpleNamespace(stage_begins=lambda s, p, seat, stage: begun.append((seat, stage)))
    monkeypatch.setattr(rules, "hooks", hooks)
    s = SimpleNamespace(sealed=np.ones(2, int), choice=np.ones((2, rules.STAGES), int))
    rules.setup(s, None)
    assert begun == [(0, 0), (1, 0)] and s.sealed.tolist() == [-1, -1] and (s.choice == -1).all()
    assert (s.ask_phase, s.observer) == (rules.N_BUILD, -1)


def test_a_lowest_card_that_is_known_needs_no_other() -> None:
    """One of two forgotten bids was dealt already, the lowest card; 3 is left, and wins the second turn against 1."""
    s = SimpleNamespace(unknown=0, turn=2, hand=[0b1000, 0], bids=np.array([[0, -1], [5, 1]]), won=[1, 0])
    assert goofspiel.fits(s, 1, 3) and not goofspiel.fits(s, 1, 2)
    s.bids[0, 0] = -1
    assert not goofspiel.fits(s, 1, 3), "no card is left for the first turn"


def test_figures_that_are_not_there_take_one_square_and_belong_to_nobody() -> None:
    record = make_game("oneshot-skirmish", "wounded_last_stand", compiled=False).spec.params[0]
    there = int(record["n"])
    assert there == 3
    assert record["f_standing"].tolist()[there:] == [Status.ABSENT] * (8 - there)
    assert record["f_team"].tolist()[there:] == [3] * (8 - there) and record["f_span"].tolist()[there:] == [1] * (
        8 - there
    )


def test_dice_of_a_script_are_thrown_where_they_are_due() -> None:
    """Each on its first side: at the script's own position, or at another one that is given."""

    class Due(list[int]):
        def die(self) -> int:
            return self[-1] if self else 0

        def fall(self, outcome: int) -> None:
            assert outcome == 0
            self.pop()

    own, other = Due([6, 6]), Due([6, 2])
    script: Any = SimpleNamespace(position=own)
    PlayScript.throw(script, cast(Any, other))
    assert (own, other) == ([6, 6], [])
    PlayScript.throw(script)
    assert own == []


def test_random_numbers_of_compiled_code_are_splitmix64() -> None:
    """The first three of the reference implementation for the seeds 0 and 1234567 (Vigna)."""
    for seed, wanted in (
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
        (1_234_567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ):
        rng = np.array([seed], np.uint64)
        assert [int(next_u64(rng)) for _ in wanted] == wanted
