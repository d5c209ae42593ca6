"""Scenarios of ews_rps on the test bench: an advantage for a seat, and the seats exchanged."""

from __future__ import annotations

import random

import pytest

from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings


def of(options: dict) -> Position:
    rest = {k: v for k, v in options.items() if k != "modules"}
    return Game(SYSTEM.spec("ews_rps", None, rest, options.get("modules", {}))).position()


def test_handicap() -> None:
    """A unit is a round's worth of points, for the acting side as for the other, in tests of both kinds."""
    options = dict(SYSTEM.spec("ews_rps", "table_simple", {}, {}).options)
    plain, better, worse = (
        of(SYSTEM.handicap(options, [seat], n)) for seat, n in (("gm", 0), ("player", 1), ("gm", 1))
    )
    assert int(plain.record.need) - 1 == int(better.record.need) == int(worse.record.need) - 2
    contest = dict(SYSTEM.spec("ews_rps", "even_contest", {}, {}).options)
    tests = SYSTEM.handicap(contest, ["player"], 2)["tests"]
    assert [t["attacker_value"] for t in tests[:2]] == [18, 12] and [t["defender_value"] for t in tests[:2]] == [12, 18]
    assert contest["tests"][0]["attacker_value"] == 12
    with pytest.raises(RulesetError, match=r"attacker_value 102: -99\.\.99"):
        SYSTEM.handicap(contest, ["player"], 30)
    with pytest.raises(RulesetError, match="draws its tests"):
        SYSTEM.handicap(dict(SYSTEM.spec("ews_rps", "evening", {}, {}).options), ["gm"], 1)


@pytest.mark.parametrize("scenario", ["table_simple", "table_contest", "even_contest"])
def test_mirrored_games_are_the_same_with_seats_exchanged(scenario: str) -> None:
    options = dict(SYSTEM.spec("ews_rps", scenario, {}, {}).options)
    one, two = of(options), of(SYSTEM.mirrored(options))
    rng = random.Random(1)
    while not one.over:
        symbols = [rng.randrange(3), rng.randrange(3)]
        for seat in (0, 1):
            one.apply(seat, symbols[seat])
            two.apply(seat, symbols[1 - seat])
        assert one.returns().tolist() == two.returns()[::-1].tolist()
    assert two.over
    with pytest.raises(RulesetError, match="nobody sits"):
        SYSTEM.mirrored({**options, "gm_policy": "uniform"})


@pytest.mark.parametrize("scenario", [None, "evening"])
def test_the_bench_finds_them(scenario: str | None) -> None:
    bench = Bench(Settings("ews_rps", "double_stakes", scenario=scenario))
    assert bench.can_handicap and bench.can_mirror and len(bench.options["tests"]) == 20
    for n in (-4, 8):
        spec = bench.spec(Condition((0,), 1, n, mirrored=True))
        assert spec.options["modules"]["double_stakes"]["seats"] == [1]
        assert [t["acting_seat"] for t in spec.options["tests"]] != [
            t.get("acting_seat") for t in bench.options["tests"]
        ]


def test_nothing_has_no_minus() -> None:
    """A score of nothing is +0.000 for both sides."""
    position = of(dict(SYSTEM.spec("ews_rps", "even_contest", {}, {}).options))
    for lang in ("en", "de"):
        for seat in (0, 1, None):
            text = position.game.spec.texts.state(position, seat, lang)
            nothing = {"en": "0.000", "de": "0,000"}[lang]
            assert text.count(nothing) == 2 == text.count(f"+{nothing}")
