"""Sets of things that are one action each: which lists are such sets, and what naming some of the things takes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from probespiel.agents.human import Speech
from probespiel.app.session.seen import Option
from probespiel.app.session.sets import sets_of
from probespiel.envs import make_game
from probespiel.envs.oneshot.build.legal import perk_sets


def options(texts: Sequence[str], verb: str = "take") -> list[Option]:
    return [Option(10 + n, f"{verb}:{n}", text, verb, str(n), "") for n, text in enumerate(texts)]


PAIRS = ["none", "a", "b", "c", "d", "a, b", "a, c", "a, d", "b, c", "b, d"]


def test_sets_by_hand() -> None:
    found = sets_of(options(PAIRS))
    assert found is not None and found.things == ("a", "b", "c", "d") and found.most == 2
    named = {places: found.option(places) for places in [(), (1,), (3, 0), (2, 3), (0, 1, 2)]}
    assert {places: option.text if option else None for places, option in named.items()} == {
        (): "none", (1,): "b", (3, 0): "a, d", (2, 3): None, (0, 1, 2): None,
    }  # fmt: skip


@pytest.mark.parametrize(
    "texts",
    [
        PAIRS[:9],  # few
        [text.replace("a", "a 1") for text in PAIRS],  # numbers
        [f"thing {letter}" for letter in "abcdefghijkl"],  # single things
        ["none", "a", "b", "c", "d", "a, b", "a, c", "a, d", "b, c", "b, a"],  # a set twice
    ],
)
def test_other_lists_are_no_sets(texts: list[str]) -> None:
    assert sets_of(options(texts)) is None


def test_what_stands_alone_is_the_empty_set_only_as_the_first() -> None:
    found = sets_of(options([*PAIRS, "e", "a, e", "x"]))
    assert found is not None and found.things == ("a", "b", "c", "d", "e", "x")
    assert [option.text for place in (4, 5) if (option := found.option([place]))] == ["e", "x"]


def test_two_verbs_are_no_set() -> None:
    assert sets_of([*options(PAIRS), *options(["e"], "leave")]) is None


@pytest.mark.parametrize("lang", ["en", "de"])
def test_perks_are_named_one_by_one(lang: str) -> None:
    """Every legal set of perks is reached, in the order of the rules (4.6), and nothing else."""
    position = make_game("oneshot-build", compiled=False).position()
    speech = Speech(position.game, position, 0)
    legal = position.legal(0)
    found = sets_of([Option.of(speech, action, lang) for action in legal])
    assert found is not None and found.most == 3
    perks = [perk_sets(3)[action] for action in legal]
    order = list(dict.fromkeys(perk for names in perks for perk in names))
    assert len(found.things) == len(order) >= 7
    for action, names in zip(legal, perks, strict=True):
        option = found.option([order.index(name) for name in names])
        assert option is not None and option.id == action
    assert len(found.options) == len(legal)
    other = position.clone()
    other.apply(0, legal[0])
    other.apply(1, other.legal(1)[0])
    assert sets_of([Option.of(Speech(other.game, other, 0), action, lang) for action in other.legal(0)]) is None
