"""What is kept of games and told of them: statistics, journals, replays and what a seat sees, case by case."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.app.session import reply
from probespiel.app.session.journal import Head, Journal, Kept, read_journal
from probespiel.app.session.record import level_of, outcome_of, rated
from probespiel.app.session.reply import DEALS, reply_to
from probespiel.app.session.seen import seen_of
from probespiel.envs.core.errors import ReplayError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Choice, Die, Recorder, loads
from probespiel.envs.core.rng import derive_seed, next_u64, rand_below, rng_array
from tests.test_ews_rps import a_test


def share(lead: float) -> float:
    return 1 / (1 + 10 ** (-lead / 400))


def test_the_assumed_draw_is_against_the_mean_of_all_games() -> None:
    """Three games against 0 and one against 300: their mean is 75, and the points are those that are expected."""
    met = [(0.0, 1.0), (0.0, 1.0), (0.0, 0.0), (300.0, 0.0)]
    found, _, _ = rated(met)
    assert pytest.approx(3 * share(found) + share(found - 300) + share(found - 75), abs=1e-6) == 2.0 + 0.5


def test_who_has_drawn_once_has_a_highest_rating() -> None:
    assert math.isfinite(rated([(0.0, 1.0), (0.0, 1.0), (0.0, 0.5)])[2])
    assert math.isfinite(rated([(0.0, 0.0), (0.0, 0.0), (0.0, 0.5)])[1])


def test_a_level_is_what_it_is_but_for_its_time() -> None:
    first = "casual:temperature=0.8,sims=8,overlook=0.5"
    assert level_of("kuhn", f"{first},seconds=5") == 1 and level_of("kuhn", first) == 1
    assert level_of("kuhn", first.replace("sims=8", "sims=9")) == 0


def test_a_game_is_noted_for_the_seat_of_the_person() -> None:
    game = make_game("kuhn", compiled=False)
    played = outcome_of(game, {0: "random", 1: "human"}, (-1.0, 1.0), False, "f")
    assert played is not None
    assert (played.seat, played.payoff, played.score, played.opponent) == ("second", 1.0, 1.0, "random")


# Journals


def test_a_journal_counts_decisions_and_keeps_what_it_was_begun_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finished game of the same second has that name already."""
    game = make_game("kuhn", compiled=False)
    monkeypatch.setattr(time, "strftime", lambda form: "then")
    (tmp_path / "kuhn-then.json").write_text("{}")
    for number, is_rated in ((2, True), (3, False)):
        head = Head.of(game, 7, {"first": "human"}, "de", is_rated)
        journal = Journal.create(tmp_path, head, game, [Die(3, 2), Die(2, 0), Choice(0, 1)])
        journal.close()
        assert journal.path == tmp_path / f"kuhn-then-{number}.journal"
        kept = read_journal(journal.path)
        assert isinstance(kept, Kept) and kept.head == head and kept.head.rated is is_rated
        assert (len(kept.entries), kept.decisions) == (3, 1)


# What a seat sees


def test_who_owes_nothing_is_asked_nothing() -> None:
    position = make_game("kuhn", compiled=False).position(seed=1)
    asked, waiting = seen_of(position, 0, "en"), seen_of(position, 1, "en")
    assert asked.phase_name == position.phase() and asked.phase and len(asked.choices) == 2
    assert (waiting.phase_name, waiting.phase, waiting.choices) == ("", "", ())


def test_what_texts_know_is_as_the_seat_reads_it() -> None:
    """A test in which one side has 3 more than the other: either seat has its own value first."""
    game = make_game("ews_rps", tests=[{**a_test("contest", 3), "acting_seat": 0}], compiled=False)
    position = game.position(seed=1)
    first, second = (seen_of(position, seat, "en").facts["test"] for seat in range(2))
    assert (first["mine"], first["other"]) == (second["other"], second["mine"]) and first["gap"] == second["gap"]
    assert abs(first["mine"] - first["other"]) == 3


def test_deals_of_an_expected_reply_have_dice_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[tuple[object, ...]] = []

    def dice(*parts: object) -> np.ndarray:
        seeds.append(parts)
        return rng_array(*parts)

    monkeypatch.setattr(reply, "rng_array", dice)
    game = make_game("kuhn", compiled=False)
    position = game.position(seed=1)

    class First:
        name = "first"

        def act(self, view: View) -> int:
            return view.legal[0]

    agent: Any = First()
    assert reply_to(game, View.of(position, 0, 7), position.legal(0)[0], agent) is not None
    assert len(seeds) == len(set(seeds)) == DEALS


# Replays


def test_payoffs_of_a_replay_name_its_seats_in_their_order() -> None:
    game = make_game("kuhn", compiled=False)
    recorder = Recorder(game, 3)
    content = json.loads(recorder.replay().to_json())
    assert loads(json.dumps(content), compiled=False).status == "running"
    payoffs = content["result"]["payoffs"]
    for wrong in ({"first": 0.0, "third": 0.0}, dict(reversed(payoffs.items()))):
        content["result"]["payoffs"] = wrong
        with pytest.raises(ReplayError, match="are not those of first, second"):
            loads(json.dumps(content), compiled=False)


def test_a_generator_that_is_followed_is_left_as_it_was() -> None:
    game = make_game("kuhn", compiled=False)
    rng = rng_array(5, "dice")
    before = rng.copy()
    first = Recorder.follow(game, [(0, 1)], rng=rng).replay()
    assert rng.tolist() == before.tolist()
    assert Recorder.follow(game, [(0, 1)], rng=rng).replay().steps == first.steps


# Chance


def test_seeds_tell_their_parts_apart() -> None:
    assert len({derive_seed("a", "bc"), derive_seed("ab", "c"), derive_seed("abc"), derive_seed("a", "b", "c")}) == 4
    assert derive_seed(1, 23) != derive_seed(12, 3)


@pytest.mark.parametrize("k", [3 << 29, (1 << 30) + 1, 6])
def test_numbers_below_a_large_one_are_drawn_again_where_they_are_too_many(k: int) -> None:
    """Lemire's method on 31 bits, with whole numbers: where the rest is below 2^31 mod k, the next number counts."""
    ours, theirs = rng_array(3, "below"), rng_array(3, "below")
    again = 0
    for _ in range(200):
        while True:
            product = (int(next_u64(theirs)) >> 33) * k
            if product % 2**31 >= 2**31 % k:
                break
            again += 1
        assert rand_below(ours, k) == product >> 31
    assert (again > 20) == (k > 6)
