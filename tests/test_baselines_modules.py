"""einBlatt's baselines with rule modules: an answer to every question, options by their expected utility."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from probespiel.agents.native import native_policy
from probespiel.envs.core.game import Position
from tests.modules.play import LEVELS, NO_MELEE, VARIANTS
from tests.test_baselines import DUEL, answer, build, check_blind, code, duel, play, players, walk


def module_sets(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Levels with sets of modules: each variant of each module once, together with random others."""
    rng = random.Random(seed)
    todo = [(name, variant) for name, variants in VARIANTS.items() for variant in variants]
    for name, variant in todo:
        level = rng.choice([x for x in LEVELS if not (x == "melee" and name in NO_MELEE)])
        if name == "sleeve":
            level = "campaign"
        chosen = {name: variant}
        for other, others in rng.sample(sorted(VARIANTS.items()), 3):
            if not other.endswith("_buy") and not (level == "melee" and other in NO_MELEE):
                chosen.setdefault(other, rng.choice(others))
        yield level, chosen


def test_modules() -> None:
    """With rule modules (interpreted): a legal answer to every question, and the same one in all deals."""
    asked = set()
    for n, (level, modules) in enumerate(module_sets(10)):
        game = build(LEVELS[level](modules), compiled=False)
        for position in walk(game, n, every=5):
            asked.add(position.phase())
            check_blind(position, players(game)[1:], n)
    assert len(asked) > 20, sorted(asked)


def outcomes(position: Position, seat: int, action: str) -> float:
    """Mean EP of a seat right after an option that turns over one card and puts it in the best place (by the rules)."""
    asked = position.clone()
    asked.apply(seat, asked.game.actions.parse(action))
    faces, total = asked.die(), 0
    for card in range(faces):
        turned = asked.clone()
        turned.fall(card)
        best = -99
        for place in turned.legal(seat):
            done = turned.clone()
            done.apply(seat, place)
            best = max(best, int(done.record.ep[seat]))
        total += best
    return total / faces


@pytest.mark.parametrize(("option", "module"), [("swap", {"swap_card": {"who": "all"}}), ("all_in", {"all_in": {}})])
def test_turning_a_card_over(option: str, module: dict[str, Any]) -> None:
    """Taken exactly if the mean over all cards, each in its best place, is better than -1; then it goes there."""
    rng, cards = random.Random(2), [suit + rank for suit in "CSDH" for rank in ("7", "9", "10", "J", "Q", "A")]
    taken = 0
    for _ in range(40):
        position = duel(rng.sample(cards, 3), rng.sample(cards, 3), module)
        while position.phase() == "commit":
            seats = position.to_act()
            for seat in seats:
                position.apply(seat, position.legal(seat)[0])
        if position.phase() != "after_test":
            continue
        seat = position.to_act()[0]
        mean = outcomes(position, seat, option)
        assert (code("greedy_rescore", position) == option) == (mean > -1), (mean, position.game.spec.options)
        assert code("best3_shuffled", position) == "done"
        taken += mean > -1
        position.apply(seat, position.game.actions.parse(option))
        position.fall(0)
        results = {}
        for place in position.legal(seat):
            done = position.clone()
            done.apply(seat, place)
            results[place] = int(done.record.ep[seat])
        chosen = answer(native_policy(position.game, "greedy_rescore"), position, seat)
        assert results[chosen] == max(results.values())
    assert taken > 5


def mercy_gain(position: Position, seat: int, wrath: int) -> float:
    """Mean EP with three mercy cards less that without, independently of the baselines (E8)."""
    s = position.record
    trumps = int(s.suits[seat, s.tested[seat]])
    pairs = []  # classes (own, theirs) of the comparisons
    for i in range(int(s.n_entries)):
        a, b = int(s.e_class_a[i]), int(s.e_class_b[i])
        pairs.append((a, b) if s.e_a[i] == seat else (b, a))
    pile = [c for c in range(32) if int(s.draw[s.deck_of[seat], 0]) >> c & 1]
    classes = [(c & 7) + 8 * (trumps >> (c >> 3) & 1) for c in pile]
    total, n = 0, 0
    for triple in itertools.combinations(classes, 3):
        best = -9
        for mine in itertools.product([None, *range(3)], repeat=len(pairs)):  # which mercy card lies in which place
            used = [m for m in mine if m is not None]
            if len(used) == len(set(used)):
                values = [(own if m is None else triple[m], theirs) for m, (own, theirs) in zip(mine, pairs)]
                best = max(best, sum((x > y) - (x < y) for x, y in values))
        total, n = total + best, n + 1
    none = (32 - wrath) * (31 - wrath) * (30 - wrath) / (32 * 31 * 30)
    return none * total / n + (1 - none) * -3 - int(s.ep[seat])


@pytest.mark.parametrize("start", [2, 6, 12])
def test_mercy(start: int) -> None:
    """Asked for exactly if the exact gain covers the risk of E8."""
    rng, cards = random.Random(start), [suit + rank for suit in "CSDH" for rank in ("7", "8", "9", "10", "Q", "A")]
    answers = []
    for _ in range(12):
        position = duel(rng.sample(cards, 3), rng.sample(cards, 3), {"mercy": {"start": start}})
        s = position.record
        s.draw[0, 0] = sum(1 << c for c in rng.sample([c for c in range(32) if int(s.draw[0, 0]) >> c & 1], 7))
        while position.phase() == "commit":
            for seat in position.to_act():
                position.apply(seat, position.legal(seat)[0])
        if position.phase() != "after_test" or position.to_act() != [0]:
            continue
        gain = mercy_gain(position, 0, start)
        assert (code("greedy_rescore", position) == "mercy") == (gain > 0), gain
        answers.append(gain > 0)
    assert answers


def test_other_options() -> None:
    """Hopeless hands are exchanged, good ones kept; a trump ace challenges."""
    low, high = ["S7", "D7", "H7", "H8"], ["CA", "CK", "CQ", "CJ"]
    for modules, phase, option in (
        ({"table_redraw": {}}, "after_draw", "table_redraw"),
        ({"open_look": {}}, "before_commit", "open_play"),
    ):
        for hand, wanted in ((low, option), (high, "done")):
            position = duel(hand, ["SK", "SQ", "DJ"], modules)
            assert position.phase() == phase
            assert code("greedy_rescore", position) == wanted
            assert {code(name, position) for name in DUEL if name != "greedy_rescore"} == {"done"}
    position = duel(["S8", "CA"], ["H8", "DA"], {"after_card": {}}, rounds=1)
    play(position, "card:S8", "card:H8")
    for name, wanted in (("greedy_rescore", "after_card"), ("highest_first", "after_card"), ("lowest_first", "done")):
        assert code(name, position) == wanted
    play(position, "after_card")
    assert code("lowest_first", position) == "card:CA"
    play(position, "card:CA")
    assert position.phase() == "answer" and {code(name, position) for name in DUEL} == {"no"}


def test_sleeve() -> None:
    """What the hand can spare and a later conflict can use goes into the sleeve, if there is a later conflict."""
    setup = LEVELS["campaign"]({"sleeve": {}}, conflicts=2)
    hand = {"seats": {"Ada": {"hand": ["CA", "CK", "CQ", "CJ", "S9"]}}}
    setup["conflicts"] = [hand, {}]
    position = build(setup, compiled=False).position(1)
    assert position.phase() == "after_draw" and code("greedy_rescore", position, 0) == "sleeve_stash"
    play(position, "sleeve_stash")
    assert code("greedy_rescore", position) == "card:CA"  # trumps enough are left
    setup["conflicts"] = [hand]
    assert code("greedy_rescore", build(setup, compiled=False).position(1), 0) == "done"
