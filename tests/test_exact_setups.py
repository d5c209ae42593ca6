"""What a scenario becomes for the rules, by hand: leaders, targets, decks, piles and what conflicts set at seats."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.registry import system_of
from probespiel.envs.core.system import SetupSystem
from probespiel.envs.einblatt import record
from probespiel.envs.einblatt import state as st
from probespiel.envs.einblatt.params import card_set

SEATS = [
    {"name": "a", "team": "x", "kind": "pc"}, {"name": "b", "team": "y", "kind": "npc", "cards": 20},
    {"name": "c", "team": "x", "kind": "pc"}, {"name": "d", "team": "y", "kind": "npc", "cards": 12},
]  # fmt: skip


def checked(**config: Any) -> dict[str, Any]:
    return {"seats": SEATS, "config": {"leaders": {}, "targets": None, "permission": "other", "deck": "own", **config}}


def refused(work: Any, *parts: str) -> None:
    """What is refused is told with these parts."""
    with pytest.raises(RulesetError) as told:
        work()
    assert all(part in str(told.value) for part in parts), str(told.value)


def test_teams_stand_in_the_order_of_their_first_seat() -> None:
    assert list(record.team_members(checked()).items()) == [("x", [0, 2]), ("y", [1, 3])]


def test_every_seat_knows_the_leader_of_its_team() -> None:
    assert record.leaders_of(checked()) == [-1] * 4
    assert record.leaders_of(checked(leaders={"y": "d"})) == [-1, 3, -1, 3]
    assert record.leaders_of(checked(leaders={"y": "b", "x": "c"})) == [2, 1, 2, 1]
    refused(lambda: record.leaders_of(checked(leaders=["y"])), "leaders", "mapping")
    refused(lambda: record.leaders_of(checked(leaders={"z": "d"})), "z", "x, y")
    refused(lambda: record.leaders_of(checked(leaders={"y": "a"})), "team y", "b, d")


def test_targets_are_the_other_team_or_everybody_else_or_those_named() -> None:
    """Bit sets: 0 and 2 may aim at 1 and 3; what is named goes for who is named alone."""
    assert record.targets_of(checked()) == [0b1010, 0b0101, 0b1010, 0b0101]
    assert record.targets_of(checked(permission="all")) == [0b1110, 0b1101, 0b1011, 0b0111]
    assert record.targets_of(checked(targets={"c": ["a", "d"], "b": ("c",)})) == [0, 0b0100, 0b1001, 0]
    assert record.targets_of(checked(targets={}, permission="all")) == [0] * 4
    refused(lambda: record.targets_of(checked(targets=["c"])), "targets")
    refused(lambda: record.targets_of(checked(targets={"e": ["a"]})), "e", "a, b, c, d")
    refused(lambda: record.targets_of(checked(targets={"a": "b"})), "seat a", "list")
    refused(lambda: record.targets_of(checked(targets={"a": ["a"]})), "seat a", "b, c, d")
    refused(lambda: record.targets_of(checked(targets={"a": ["e"]})), "seat a", "b, c, d")


def test_decks_are_shared_as_the_option_says() -> None:
    assert record.decks_of(checked(deck="shared_all")) == [0] * 4
    assert record.decks_of(checked(deck="own")) == [0, 1, 2, 3]
    assert record.decks_of(checked(deck="shared_npc")) == [0, 1, 2, 1], "32 cards together are just enough"
    more = checked(deck="shared_npc")
    more["seats"] = [*SEATS[:3], {**SEATS[3], "cards": 13}]
    refused(lambda: record.decks_of(more), "at most 32", "33")


def test_suits_are_bits() -> None:
    assert [record.suit_bits(suits) for suits in ("", *st.SUITS, st.SUITS)] == [0, 1, 2, 4, 8, 15]


def test_what_breaks_a_rule_of_creation_is_told() -> None:
    """An author's function tells texts in a list; whatever else it does is its module's error."""

    def module(creation: Any) -> Any:
        return SimpleNamespace(creation=creation, error=lambda text, place: RulesetError(f"it: {text}"))

    given = {"level": 3}
    assert record.broken_rules(module(lambda seat, params: [seat["name"], str(params["level"])]), SEATS[0], given) == [
        "a", "3"
    ]  # fmt: skip
    assert record.broken_rules(module(lambda seat, params: []), SEATS[0], given) == []
    for bad in ("text", ("a",), ["a", 3], None):
        refused(lambda bad=bad: record.broken_rules(module(lambda *_: bad), SEATS[0], given), "it:", "list of texts")
    refused(lambda: record.broken_rules(module(lambda seat, params: 1 // 0), SEATS[0], given), "ZeroDivisionError")


def test_only_characters_of_players_who_have_the_module_are_checked() -> None:
    asked: list[Any] = []

    class Modules(list[Any]):
        def has(self, module: str, name: str, number: int) -> bool:
            asked.append((module, name, number))
            return number == 2

    rule = SimpleNamespace(name="birth", creation=lambda seat, params: [f"{seat['name']} with {params}"])
    plain = SimpleNamespace(name="plain", creation=None)
    whole = {**checked(), "modules": {"birth": 7}}
    refused(lambda: record.check_characters(Modules([plain, rule]), whole), "module birth: seat c: c with 7")  # type: ignore[arg-type]
    assert asked == [("birth", "a", 0), ("birth", "c", 2)]


class Row(SimpleNamespace):
    """A record whose fields are found by name, too."""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def piles(n: int) -> Row:
    """A parameter record of so many seats, as far as their cards go."""
    whole = {name: np.zeros(n, np.int64) for name in (
        "pc", "team", "deck_of", "attributes", "npc_attribute", "restr", "perm", "xp", "xp_free", "hand", "sleeve",
        "conf", "aside", "aside_given")}  # fmt: skip
    table = {name: np.zeros((n, 2), np.int64) for name in ("attr", "suits", "forbid", "skills", "draw", "disc")}
    return Row(**whole, **table)


def entry(attribute: int, suits: str = "", forbidden: str | None = None, skills: Any = None) -> dict[str, Any]:
    return {"attribute": attribute, "suits": suits, "forbidden": forbidden, "skills": skills}


def test_seats_of_a_record_by_hand() -> None:
    """The first seat has two attributes; the second draws from the deck of the third, which lies in two piles."""
    several = {"body": entry(4, st.SUITS[0]), "mind": entry(-3, "", "black")}
    alone = {"all": entry(5, st.SUITS[2:], "red", ["one"])}
    first = {
        "entries": several, "restriction": 2, "permanent": 5, "xp": 9, "sleeve": "SA", "conf": ["HA"], "aside": ["H7"],
        "attribute": 8,
    }  # fmt: skip
    second = {
        "entries": alone, "cards": 9, "attribute": 6, "restriction": 3, "permanent": 1, "xp": 4, "xp_free": 2,
        "draw": ["C7", "C8"], "discard": ["C9"],
    }  # fmt: skip
    third = {"entries": {"all": entry(0)}, "cards": 9, "draw_b": ["D7"], "discard_b": ["D8", "D9"]}
    who = (("a", "x", "pc", first), ("b", "y", "npc", second), ("c", "y", "npc", third))
    seats = [{"name": name, "team": team, "kind": kind, **more} for name, team, kind, more in who]
    r, whole = piles(3), {"seats": seats, "config": {"deck": "shared_npc"}}
    record.fill_seats(r, whole)
    assert r.pc.tolist() == [1, 0, 0] and r.team.tolist() == [0, 1, 1] and r.deck_of.tolist() == [0, 1, 1]
    assert r.attributes.tolist() == [2, 1, 1] and r.attr.tolist() == [[4, 0], [5, 0], [0, 0]]
    assert r.suits.tolist() == [[1, 0], [12, 0], [0, 0]] and r.forbid.tolist() == [[0, 2], [1, 0], [0, 0]]
    assert r.skills.tolist() == [[4, 0], [1, 0], [0, 0]], "as many as the attribute where none are named"
    assert r.npc_attribute.tolist() == [-1, 6, -1]
    assert r.restr.tolist() == [2, 3, 0] and r.perm.tolist() == [2, 1, 0], "no more is permanent than there is"
    assert r.xp.tolist() == [9, 4, 0] and r.xp_free.tolist() == [9, 2, 0]
    assert (r.sleeve[0], r.conf[0], r.aside[0]) == tuple(card_set("", [card]) for card in ("SA", "HA", "H7"))
    assert r.aside_given.tolist() == [1, 0, 0]
    assert r.draw.tolist() == [[-1, -1], [card_set("", ["C7", "C8"]), card_set("", ["D7"])], [-1, -1]]
    assert r.disc.tolist() == [[0, 0], [card_set("", ["C9"]), card_set("", ["D8", "D9"])], [0, 0]]


@pytest.mark.parametrize(("first", "second", "deck", "told"), [
    ({"hand": ["C7"], "sleeve": "C7"}, {}, "own", "seat a: sleeve"),
    ({"hand": ["C7"], "conf": ["C7"]}, {}, "own", "seat a: conf"),
    ({"conf": ["C7"], "aside": ["C8", "C7"]}, {}, "own", "seat a: aside"),
    ({"draw": ["C7"]}, {"discard": ["C7"]}, "shared_all", "seat b: discard"),
    ({"draw": ["C7"]}, {"discard": ["C7"]}, "own", ""),
])  # fmt: skip
def test_a_card_lies_once_in_a_deck(first: dict[str, Any], second: dict[str, Any], deck: str, told: str) -> None:
    seats = [{"name": name, "team": name, "kind": "pc", "entries": {"all": entry(2)}, **more}
             for name, more in (("a", first), ("b", second))]  # fmt: skip
    seats.insert(1, {**seats[0], "name": "between", "hand": [], "sleeve": None, "conf": [], "aside": [], "draw": None})
    whole = {"seats": seats, "config": {"deck": deck}}
    if told:
        refused(lambda: record.fill_seats(piles(3), whole), told, "C7", "once per deck")
    else:
        record.fill_seats(piles(3), whole)


def test_cards_of_wrath_and_their_pile() -> None:
    """A pile can be given only to a deck of its own, which is the last; that of others stays as it is."""

    def filled(deck: int, wrath: Any) -> Any:
        r = Row(wrath_deck=deck, draw=np.full((3, 2), -1), wrath=0)
        record.fill_wrath(r, wrath)
        return r.wrath, r.draw.tolist()

    none, cards, pile = [-1, -1], card_set("", ["HA"]), card_set("", ["C7", "C8"])
    assert filled(2, None) == (0, [none] * 3)
    assert filled(2, {"cards": ["HA"], "draw": ["C7", "C8"]}) == (cards, [none, none, [pile, 0]])
    assert filled(1, {"cards": ["HA"], "draw": ["C7", "C8"]}) == (cards, [none] * 3)
    assert filled(2, {"cards": ["HA"]}) == (cards, [none] * 3) and filled(2, {"draw": []}) == (0, [none, none, [0, 0]])
    refused(lambda: filled(2, {"cards": ["HA"], "draw": ["HA"]}), "wrath: draw", "once per deck")
    refused(lambda: filled(2, {"pile": []}), "cards and draw")
    refused(lambda: filled(2, ["HA"]), "cards and draw")


def conflicted() -> Row:
    return Row(
        sleeve=np.array([1, 0]), conf=np.array([2, 0]), aside=np.array([4, 0]),
        **{f"c_{name}": np.full((2, 2), -1, np.int64) for name in (
            "hand", "tested", "cards", "attr", "suits", "forbid", "relation", "skills", "open", "risk")},
    )  # fmt: skip


def test_what_a_conflict_sets_at_a_seat() -> None:
    """Numbers of attributes are a pc's alone, cards an npc's; the hand of the first one lies in no other place."""
    pc = {"name": "a", "kind": "pc", "entries": {"body": entry(2), "mind": entry(3)}}
    npc = {"name": "b", "kind": "npc", "entries": {"all": entry(2)}}
    r = conflicted()
    fields = {"test": "mind", "attribute": 7, "suits": st.SUITS[1:3], "forbidden": "black", "relation": "other",
              "skills": ["one", "two"], "open": 5, "risk": True, "hand": [st.CARD_CODES[3]]}  # fmt: skip
    record.fill_seat_conflict(r, 1, 0, pc, fields)
    assert [int(r[f"c_{name}"][1, 0]) for name in ("tested", "attr", "suits", "forbid", "skills", "open", "risk")] == [
        1, 7, 6, 2, 2, 5, 1
    ]  # fmt: skip
    assert r.c_relation[1, 0] == st.Relation.OTHER and r.c_hand[1, 0] == 8 and r.c_cards[1, 0] == -1
    record.fill_seat_conflict(r, 0, 1, npc, {"cards": 9, "attribute": 4})
    assert (r.c_cards[0, 1], r.c_attr[0, 1]) == (9, -1)
    untouched = [
        name for name, value in vars(r).items() if name.startswith("c_") and (value[[0, 1], [0, 1]] != -1).any()
    ]
    assert untouched == [], "nothing is set at others"
    refused(lambda: record.fill_seat_conflict(r, 0, 0, pc, {"cards": 3}), "only an npc")
    refused(lambda: record.fill_seat_conflict(r, 0, 0, pc, {"test": "soul"}), "body, mind", "conflict 0")
    for place in range(3):
        hand = [st.CARD_CODES[place]]
        refused(lambda hand=hand: record.fill_seat_conflict(r, 0, 0, pc, {"hand": hand}), hand[0], "once per deck")
        record.fill_seat_conflict(r, 1, 0, pc, {"hand": hand})


@pytest.mark.parametrize(
    "game", ["konfrontation-clash", "einblatt-duel", "scorekeeper-duel", "oneshot-skirmish", "ews_rps"]
)
def test_what_is_wrong_in_a_scenario_file_is_told_with_its_name(tmp_path: Path, game: str) -> None:
    """Whatever is asked for on top of it; what is wrong on top of a right file is not laid to the file."""
    system, path = system_of(game), tmp_path / "mine.json"
    first = system.scenarios(game)[0]
    right = system.setup_of(game, first) if isinstance(system, SetupSystem) else {"preset": first}
    asked: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("nonsense", {"nonsense": 1}, {}),
        ("nonsense", {"nonsense": 1}, {"nowhere": {}}),
        ("nowhere", {"modules": {"nowhere": {}}}, {}),
    ]
    for word, wrong, more in asked:
        path.write_text(json.dumps({**right, **wrong}))
        refused(lambda m=more: system.spec(game, str(path), {}, m), f"scenario {str(path)!r}: ", word)
    path.write_text(json.dumps(right))
    assert system.spec(game, str(path), {}, {}).scenario == str(path)
    with pytest.raises(RulesetError, match=r"^module 'nowhere' is unknown"):
        system.spec(game, str(path), {}, {"nowhere": {}})
    with pytest.raises(RulesetError, match=r"^module 'nowhere' is unknown"):
        system.spec(game, first, {}, {"nowhere": {}})
