"""Reference games against OpenSpiel's own: legal actions, information states one to one, and returns, move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from probespiel.agents.native import baselines_of, native_policy
from probespiel.envs import make_game
from probespiel.envs.core import abi
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.core.soundness import check_game
from probespiel.envs.core.verify import verify_file

pyspiel: Any = pytest.importorskip("pyspiel")

# Our game and options, OpenSpiel's game, whether all histories are compared, and random games otherwise.
GAMES: dict[str, tuple[str, dict[str, Any], str, int]] = {
    "leduc": ("leduc", {}, "leduc_poker", 0),
    "goofspiel-4": ("goofspiel", {"cards": 4}, "goofspiel(num_cards=4,imp_info=True)", 0),
    "goofspiel-3-open": (
        "goofspiel", {"cards": 3, "hidden": False, "scoring": "total_points"},
        "goofspiel(num_cards=3,returns_type=total_points)", 0,
    ),
    "goofspiel-4-descending": (
        "goofspiel", {"cards": 4, "points_order": "descending", "scoring": "point_difference"},
        "goofspiel(num_cards=4,imp_info=True,points_order=descending,returns_type=point_difference)", 0,
    ),
    "goofspiel-4-ascending": (
        "goofspiel", {"cards": 4, "points_order": "ascending"},
        "goofspiel(num_cards=4,imp_info=True,points_order=ascending)", 0,
    ),
    "goofspiel-13": ("goofspiel", {"cards": 13}, "goofspiel(num_cards=13,imp_info=True)", 10_000),
    "liars_dice-3-faces": ("liars_dice", {"faces": 3}, "liars_dice(dice_sides=3)", 0),
    "liars_dice": ("liars_dice", {}, "liars_dice", 10_000),
    "liars_dice-2-dice": (
        "liars_dice", {"dice": 2, "bidding": "reset_quantity"},
        "liars_dice(numdice=2,bidding_rule=reset-quantity)", 10_000,
    ),
}  # fmt: skip
QUICK = 300  # random games where 10,000 take too long for every day


@dataclass
class Pairs:
    """Information states of both sides that have met; each may have one partner alone."""

    theirs: dict[tuple[int, int], str] = field(default_factory=dict)
    ours: dict[tuple[int, str], int] = field(default_factory=dict)

    def meet(self, seat: int, key: int, text: str) -> None:
        """Both name the same information state of a seat."""
        assert self.theirs.setdefault((seat, key), text) == text
        assert self.ours.setdefault((seat, text), key) == key


def known(state: Any, seat: int) -> str:
    """What a seat knows by OpenSpiel; where bids are open its text forgets their order, which we remember."""
    text = state.information_state_string(seat)
    return f"{text} {state.history_str()}" if "P1 hand" in text and "P0 hand" in text else text


def agree(position: Position, state: Any, pairs: Pairs) -> None:
    """Compare two positions."""
    assert position.over == state.is_terminal()
    if position.over:
        assert list(position.returns()) == state.returns()
    elif state.is_chance_node():
        assert not position.to_act() and [chance for _, chance in state.chance_outcomes()] == pytest.approx(
            [1 / position.die()] * position.die()
        )
    else:
        seats = position.to_act()
        assert seats == ([0, 1] if state.is_simultaneous_node() else [state.current_player()])
        for seat in seats:
            assert position.legal(seat) == state.legal_actions(seat)
            pairs.meet(seat, position.key(seat), known(state, seat))


def steps_of(position: Position, state: Any) -> Iterator[tuple[int, ...]]:
    """What can happen next: an outcome, an action, or one of each seat."""
    if state.is_chance_node():
        yield from ((k,) for k in range(position.die()))
    elif state.is_simultaneous_node():
        yield from ((a, b) for a in position.legal(0) for b in position.legal(1))
    else:
        yield from ((a,) for a in state.legal_actions())


def take(position: Position, state: Any, step: tuple[int, ...]) -> None:
    """Go on in both games."""
    if state.is_chance_node():
        position.fall(step[0])
        state.apply_action(state.chance_outcomes()[step[0]][0])
    elif len(step) == 2:
        for seat, action in enumerate(step):
            position.apply(seat, action)
        state.apply_actions(list(step))
    else:
        position.apply(position.to_act()[0], step[0])
        state.apply_action(step[0])


def all_histories(position: Position, state: Any, pairs: Pairs) -> int:
    """Compare a position and all that can follow; how many positions."""
    agree(position, state, pairs)
    if position.over:
        return 1
    total = 1
    for step in list(steps_of(position, state)):
        next_position, next_state = position.clone(), state.clone()
        take(next_position, next_state, step)
        total += all_histories(next_position, next_state, pairs)
    return total


def random_games(game: Game, theirs: Any, games: int, pairs: Pairs) -> None:
    """Compare random games."""
    rng = random.Random(4)
    for _ in range(games):
        position, state = game.position(), theirs.new_initial_state()
        agree(position, state, pairs)
        while not position.over:
            take(position, state, rng.choice(list(steps_of(position, state))))
            agree(position, state, pairs)


def compare(name: str, most: int) -> Pairs:
    """Compare a game with OpenSpiel's."""
    game, options, theirs, games = GAMES[name]
    ours, pairs = make_game(game, **options), Pairs()
    other = pyspiel.load_game(theirs)
    if games:
        random_games(ours, other, min(games, most), pairs)
    else:
        all_histories(ours.position(), other.new_initial_state(), pairs)
    return pairs


@pytest.mark.parametrize("name", GAMES)
def test_same_game_as_openspiel(name: str) -> None:
    assert len(compare(name, QUICK).ours) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, given in GAMES.items() if given[3]])
def test_same_game_as_openspiel_at_length(name: str) -> None:
    assert len(compare(name, 10_000).ours) > 3000


SYSTEMS = ("leduc", "goofspiel", "liars_dice")


@pytest.mark.parametrize("name", SYSTEMS)
def test_random_play_keeps_what_rules_promise(name: str) -> None:
    """Nothing hidden is seen or kept, values are in their ranges; with hidden and open bids, one die and two."""
    other: dict[str, dict[str, Any]] = {"leduc": {}, "goofspiel": {"hidden": False}, "liars_dice": {"dice": 2}}
    for options in ({}, other[name]):
        played = check_game(make_game(name, compiled=False, **options), 12)
        assert played.decisions and not played.problems


@pytest.mark.parametrize("name", SYSTEMS)
def test_baselines_are_legal_and_blind(name: str) -> None:
    """They answer legally, and the same in all worlds that their seat cannot tell apart."""
    game = make_game(name, compiled=False)
    own = [n for n in baselines_of(name) if n not in ("random", "first")]
    assert len(own) >= 3
    policies = [native_policy(game, n) for n in own]
    for seed in range(12):
        position, rng = game.position(seed), random.Random(seed)
        while not position.over:
            seat = position.to_act()[0]
            worlds = [position, *(position.forget(seat) for _ in range(2))]
            for i, world in enumerate(worlds[1:]):
                world.roll(rng_array(seed, i))
            for policy in policies:
                answers = {
                    abi.call_from_python(
                        policy.address, policy.which, w.address, game.params_address, seat, game.address,
                        rng_array(seed, "dice").ctypes.data,
                    )
                    for w in worlds
                }  # fmt: skip
                assert len(answers) == 1 and answers <= set(position.legal(seat))
            position.apply(seat, rng.choice(position.legal(seat)))
            position.roll()


def test_forgotten_bids_of_goofspiel_fit_what_is_known() -> None:
    """After 2 against 4 and 3 against 1: the first bid of the other was a 3 or 4, its second one a 1 or 2."""
    game = make_game("goofspiel", compiled=False, points_order="ascending", cards=4)
    position = game.position()
    for first, second in ((1, 3), (2, 0)):
        position.apply(0, first)
        position.apply(1, second)
    found = set()
    for outcome in range(2):
        for last in range(2):
            world = position.forget(0)
            assert world.die() == 2
            world.fall(outcome)
            assert world.die() == 2
            world.fall(last)
            assert world.die() == 0 and world.to_act() == [0, 1]
            found.add(tuple(int(bid) for bid in world.record.bids[1][:2]))
            assert {int(bid) for bid in world.record.bids[1][:2]} | set(world.legal(1)) == {0, 1, 2, 3}
    assert found == {(2, 0), (2, 1), (3, 0), (3, 1)}


def test_a_forgotten_bid_leaves_cards_for_the_others() -> None:
    """3 beat a card and 2 beat a card: the first was a 1 or 2, the second the 1; so it was the 2, then the 1."""
    position = make_game("goofspiel", compiled=False, points_order="ascending", cards=4).position()
    for first, second in ((2, 1), (1, 0)):
        position.apply(0, first)
        position.apply(1, second)
    world = position.forget(0)
    assert world.die() == 1
    world.fall(0)
    assert world.die() == 1
    world.fall(0)
    assert world.record.bids[1][:2].tolist() == [1, 0] and world.legal(1) == [2, 3]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("leduc", {"ante": 0}, "ante = 0 is out of range: more than 0, at most 100"),
        ("leduc", {"pot": 1}, "option 'pot' = 1 is unknown: one of ante, first_bet, second_bet"),
        ("leduc", {"scenario": "long"}, "scenario 'long' is unknown"),
        ("goofspiel", {"cards": 14}, r"cards = 14 is not allowed: a whole number 2\.\.13"),
        ("goofspiel", {"hidden": 1}, "hidden = 1 is not allowed: True or False"),
        (
            "goofspiel",
            {"points_order": "up"},
            "points_order = 'up' is not allowed: one of random, descending, ascending",
        ),
        ("goofspiel", {"scenario": "nine"}, "scenario 'nine' is unknown"),
        ("liars_dice", {"dice": 6}, r"dice = 6 is not allowed: a whole number 1\.\.5"),
        ("liars_dice", {"bidding": "x"}, "bidding = 'x' is not allowed: one of reset_face, reset_quantity"),
        ("liars_dice", {"scenario": "x"}, "scenario 'x' is unknown"),
    ],
)
def test_what_is_wrong_is_said(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        make_game(name, compiled=False, **options)


@pytest.mark.parametrize("name", SYSTEMS)
def test_worked_examples(name: str) -> None:
    results = verify_file(Path(__file__).parent / "golden" / f"{name}.json")
    assert len(results) == 3 and not any(result.problems for result in results)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_position_and_event_has_words(name: str, lang: str) -> None:
    game = make_game(name, compiled=False)
    for seed in range(4):
        position, rng = game.position(seed), random.Random(seed)
        while not position.over:
            seat = position.to_act()[0]
            assert game.spec.texts.phase(position, lang) and "\n\n" not in position.told(seat, lang)
            position.apply(seat, rng.choice(position.legal(seat)))
            said = [game.spec.texts.event(event, None, lang) for event in position.events()]
            assert all(said) and (said or name == "goofspiel")  # a sealed bid tells nothing
            position.roll()
        assert position.told(None, lang)


def test_words_of_events() -> None:
    """By hand, in both languages."""
    leduc, dice = (make_game(name, compiled=False) for name in ("leduc", "liars_dice"))
    goofspiel = make_game("goofspiel", compiled=False, cards=2, points_order="descending", hidden=False)
    position = leduc.position()
    for card in (0, 4):
        position.fall(card)
    position.apply(0, 2)
    assert leduc.spec.texts.event(position.events()[0], None, "de") == "Erster: erhöhen"
    assert position.told(0, "de").startswith("Karte: Pik Bube   offene Karte: ?   eingesetzt: 3 : 1")
    position = dice.position()
    for face in (2, 2):
        position.fall(face)
    position.apply(0, 8)
    assert dice.spec.texts.event(position.events()[0], None, "en") == "first: 2 dice showing 3"
    position.apply(1, 12)
    assert [dice.spec.texts.event(e, None, "de") for e in position.events()] == [
        "Zweiter: gelogen", "Erster hatte 3", "Zweiter hatte 3",
    ]  # fmt: skip
    position = goofspiel.position()
    position.apply(0, 1)
    position.apply(1, 0)
    assert [goofspiel.spec.texts.event(e, None, "en") for e in position.events()][:3] == [
        "first bids 2", "second bids 1", "first wins the turn",
    ]  # fmt: skip


def test_cards_of_goofspiel_are_no_bare_numbers() -> None:
    """Where card 2 was gone, `2` stood in the list beside card 3, and a hint told of `1. 3`."""
    game = make_game("goofspiel", "four", compiled=False)
    for lang, word in (("en", "card"), ("de", "Karte")):
        assert [game.actions.describe(action, lang) for action in range(4)] == [f"{word} {n}" for n in (1, 2, 3, 4)]
        assert game.actions.parse(f"{word} 3") == 2
    assert game.actions.parse("3") == 2, "as recordings have it"
