"""What screens and notes show, by hand: made-up observations, and every number that must stand on the page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.app.einblatt import notes as einblatt
from probespiel.app.einblatt.rows import ALLY, CLASS, HAND, LEADER, OPEN, PASSED, TRUMPS
from probespiel.app.ews_rps import screen as ews
from probespiel.app.konfrontation import screen as konfrontation
from probespiel.app.oneshot import build
from probespiel.app.session.casting import cast_of, seats_of_people
from probespiel.app.session.sight import Choice
from probespiel.app.web import viewing
from probespiel.app.web.guard import Refused
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.einblatt.state import Action, Disobedience
from probespiel.envs.ews_rps.state import Payoff
from probespiel.envs.konfrontation.state import PHASES
from probespiel.envs.oneshot.state import Stage


def sight(pieces: dict[str, Any], **more: Any) -> Any:
    """What a seat sees, in English."""
    return SimpleNamespace(pieces=pieces, lang="en", pick=lambda english, german: english, **more)


def flags(size: int, *at: int) -> np.ndarray:
    row = np.zeros(size)
    row[list(at)] = 1
    return row


# einBlatt


def melee(**params: Any) -> Any:
    """Three seats; the one that looks is seat 1."""
    pieces = {"seat": np.zeros((3, 26)), "table": np.zeros((3, 33)), "focus": np.zeros(32 + 3 + 4), "my_class": []}
    game = SimpleNamespace(n_seats=3, params=SimpleNamespace(**params))
    return sight(pieces, game=game, seat=1, names=["Ann", "Bob", "Cid"], start=lambda block: 34, phase="act")


@pytest.mark.parametrize(
    ("row", "card", "text"),
    [
        ({PASSED: 1}, None, "has passed: strength 0, yours 9"),
        ({OPEN: 1, CLASS: 7 / 15}, 7, "strength 7, yours 9"),
        ({OPEN: 1, CLASS: 7 / 15, TRUMPS + 1: 0.5}, 7, "strength 7, yours 9"),
        ({OPEN: 1, CLASS: 7 / 15, TRUMPS: 0.5}, 7, "defends with the open card, yours 9"),
        ({HAND: 3 / 32}, None, "spent: answers from 3 in hand, yours 9"),
        ({HAND: 1 / 32}, 7, "spent: answers from 1 in hand, yours 9"),
        ({}, None, "spent, and no card in hand: it loses to anything, yours 9"),
    ],
)
def test_what_a_target_defends_with(row: dict[int, float], card: int | None, text: str) -> None:
    """R55, A18: a card of a suit that may be trump or not has no strength that is known."""
    seen = melee()
    seen.pieces["seat"][1, CLASS], seen.pieces["table"][1] = 9 / 15, flags(33, 9)
    for place, value in row.items():
        seen.pieces["seat"][2, place] = value
    if card is not None:
        seen.pieces["table"][2] = flags(33, card)
    assert einblatt._defence(seen, 2) == text
    seen.pieces["table"][1] = 0
    assert einblatt._defence(seen, 2) == text.removesuffix(", yours 9")
    seen.pieces["table"][1] = flags(33, 32)  # a pass has no suit
    seen.pieces["seat"][1, [CLASS, TRUMPS + 3]] = 0, 0.5
    assert einblatt._strength(seen, 1) == 0


def test_an_order_stands_beside_what_was_ordered() -> None:
    """R63: to attack Cid, or to wait; the leader is an ally or the seat itself, not the leader of others."""
    seen = melee(disobedience=Disobedience.LEADER_BEST, forfeit=0)
    seen.pieces["seat"][[0, 2], LEADER], seen.pieces["seat"][2, ALLY] = 1, 1
    told = "this is the order, else Cid discards the best card in hand"
    later = "others act first; after an attack you may act again"
    attack, wait = Choice(36, "attack", "Cid", "", "attack Cid"), Choice(33, "wait", "", "", "wait")
    seen.pieces["focus"][32 + 3 + 2] = 1
    assert (
        einblatt._turn(seen, attack) == f"spent, and no card in hand: it loses to anything; {told}"
        and einblatt._turn(seen, wait) == later
    )
    seen.pieces["focus"][:] = flags(39, 32 + 3 + 3)
    assert einblatt._turn(seen, attack) == "spent, and no card in hand: it loses to anything"
    assert einblatt._turn(seen, wait) == f"{later}; {told}"
    seen.pieces["seat"][1, LEADER], seen.pieces["seat"][2, LEADER] = 1, 0
    assert "Bob discards" in einblatt._turn(seen, wait)


def test_what_a_reaction_meets() -> None:
    """The strength of the attacker's card, whoever else has one."""
    seen = melee()
    seen.pieces["seat"][:, CLASS] = np.array([3, 9, 12]) / 15
    seen.pieces["table"][:] = [flags(33, 3), flags(33, 9), flags(33, 12)]
    assert einblatt._attack(seen) == ""
    seen.pieces["focus"][32 + 2] = 1
    assert einblatt._attack(seen) == ", against 12"


@pytest.mark.parametrize(
    ("action", "costs", "text"),
    [
        (Action.XP_IGNORE, [0] * 80, "costs 2 experience"),
        (Action.XP_EXTRA, [0] * 80, "costs 1 experience"),
        (Action.XP_REDRAW, [0] * 80, "costs 3 experience"),
        (Action.XP_STRIKE, [0] * 80, "costs 4 experience"),
        (Action.XP_SURVIVE, [0] * 80, "costs 3 experience"),
        (Action.MERCY, [2] * 80, "costs 2 experience"),
        (Action.XP_EXTRA, [2] * 80, "costs 3 experience"),
        (Action.MERCY, [0] * 80, ""),
        (Action.XP_EXTRA, None, ""),
        (Action.MERCY, [2] * int(Action.MERCY), ""),
    ],
)
def test_what_an_option_costs(action: Action, costs: list[int] | None, text: str) -> None:
    """R212, R214, R215: the price of the rule and that of the scenario."""
    params = {} if costs is None else {"experience_costs": costs}
    assert einblatt._price(melee(**params), int(action)) == text


# konfrontation


def clash(n: int = 3, ties: int = 4) -> Any:
    pieces = {"clash": np.zeros(29), "history": np.zeros((6, 18)), "faction": np.zeros((5, 120))}
    game = SimpleNamespace(n_seats=n, params=SimpleNamespace(max_ties=ties))
    return sight(pieces, game=game, seat=2, names=["A", "B", "C"], choices=[], of_verb=lambda verb: [])


def test_a_confrontation_is_shown_from_the_side_of_the_attacker() -> None:
    """Seat 2 looks: it is attacked by seat 1 (two places on); or it attacks seat 0 (one place on)."""
    seen = clash()
    assert konfrontation._clash(seen) is None
    row = seen.pieces["clash"]
    row[:] = flags(29, 0, 1 + 2, 6 + 0, 11, 15 + 3)
    row[[19, 20, 22, 23, 24]] = 10 / 40, 12 / 40, 3 / 4, 5 / 20, 7 / 20
    found = konfrontation._clash(seen)
    assert found is not None
    assert (found["attacker"], found["defender"], found["strengths"], found["bids"]) == ("B", "C", (12, 10), (7, 5))
    assert (found["ties"], found["max_ties"], found["own"]) == (3, 4, 10)
    assert (found["target"], found["kind"]) == (
        konfrontation.TARGETS[0][0], konfrontation.NATURE_NAMES["en"][3],
    )  # fmt: skip
    row[1:11] = flags(10, 0, 5 + 1)
    found = konfrontation._clash(seen)
    assert found is not None
    assert (found["attacker"], found["defender"], found["strengths"], found["bids"]) == ("C", "A", (10, 12), (5, 7))
    row[6:19] = 0
    found = konfrontation._clash(seen)
    assert found is not None and (found["defender"], found["target"], found["kind"]) == ("", "", "")


@pytest.mark.parametrize(
    ("module", "base", "told"), [(False, 0, [2, 1, 6]), (False, 1, [2, 1, 4]), (True, 0, [None] * 3)]
)
def test_what_each_unit_adds_is_told(module: bool, base: int, told: list[int | None]) -> None:
    """In a social clash: a social character, a shady one, a social support of value 3; by module nobody knows.

    The first has named two, the second can still name somebody.
    """
    params = SimpleNamespace(nature_multiplier=2, double_base=base)
    extensions = [SimpleNamespace(unit_strength=None)] if module else []
    game = SimpleNamespace(params=params, spec=SimpleNamespace(sources=SimpleNamespace(extensions=extensions)))
    unit = {"committed": False, "counts": None, "value": 1}
    boards = [
        {"characters": [unit | {"nature": 1}, unit | {"nature": 2, "committed": True}],
         "supports": [unit | {"nature": 1, "value": 3}]},
        {"characters": [unit | {"nature": 1}], "supports": []},
    ]  # fmt: skip
    phases = {name: flags(15, PHASES.index(name)) for name in ("defend", "bid")}
    seen = sight({"clash": flags(29, 0, 1, 6 + 1, 15 + 1), "phase": phases["defend"]}, game=game)
    fight: dict[str, Any] = {"strengths": (1, 0)}
    konfrontation._sides(seen, fight, boards)
    assert [u["counts"] for part in ("characters", "supports") for u in boards[0][part]] == told
    assert boards[1]["characters"][0]["counts"] == told[0]
    assert fight["strengths"] == (1, "nobody so far")
    seen.pieces["phase"], fight["strengths"] = phases["bid"], (1, 0)
    for board in boards:
        board["characters"] = [one | {"counts": None} for one in board["characters"]]
    konfrontation._sides(seen, fight, boards)  # now nobody can join any more
    assert fight["strengths"] == (1, 0)
    assert [u["counts"] for board in boards for u in board["characters"]] == [None, told[1], None]
    konfrontation._sides(seen, None, boards)


def test_what_was_revealed_newest_first() -> None:
    """Six are remembered, five are shown, up to the first that is none."""
    seen = clash()
    for i in range(6):
        seen.pieces["history"][i] = flags(18, 1, 5 + 2, 14 + min(i, 3))
        seen.pieces["history"][i, 10:14] = 8 / 40, 9 / 40, i / 20, 3 / 20
    rows = konfrontation._reveals(seen)
    assert [row["result"] for row in rows] == ["the attacker wins", "the defender wins", "a tie", "a draw", "a draw"]
    assert rows[1] == {"names": ["A", "B"], "sides": ["8 + 1", "9 + 3"], "result": "the defender wins"}
    seen.pieces["history"][2, 14:18] = 0
    assert len(konfrontation._reveals(seen)) == 2


def test_bids_are_a_slider_where_there_is_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    bids = [Choice(40 + i, "bid", "", str(i), f"bid {i}", hinted=i == 1) for i in range(3)]
    monkeypatch.setattr(konfrontation, "notes", lambda sight: {41: "even"})
    rules = SimpleNamespace(spec=SimpleNamespace(sources=SimpleNamespace(extensions=[])))
    seen: Any = SimpleNamespace(of_verb=lambda verb: bids, game=rules, pick=lambda en, de: de)
    found = konfrontation._bids(seen, {})
    assert found is not None and found["rule"].startswith("Stärke plus Gebot entscheidet")
    assert (found["texts"], found["at"], found["hinted"], found["told"]) == (
        ["bid 0", "bid 1: even", "bid 2"], 1, True, True,
    )  # fmt: skip
    assert konfrontation._bids(seen, None) is None
    bids[1] = Choice(41, "bid", "", "1", "bid 1")
    found = konfrontation._bids(seen, {})
    assert found is not None and (found["at"], found["hinted"]) == (0, False)
    bids.pop()
    assert konfrontation._bids(seen, {}) is not None
    bids.pop()
    assert konfrontation._bids(seen, {}) is None


def test_a_faction_is_shown_with_all_that_it_has() -> None:
    """The next faction: power unknown, two characters of which one is the target, a resource, a support being built."""
    seen = clash()
    row = seen.pieces["faction"][1]
    row[:5] = 1, -1, 13 / 48, 2 / 20, 11 / 32
    row[5:12], row[5 + 7 * 7 : 12 + 7 * 7] = flags(7, 0, 2, 5), flags(7, 0, 4, 6)
    at = 5 + 7 * konfrontation.CHARACTERS
    row[at + 8 : at + 16] = flags(8, 0, 1, 7)
    row[at + 8 + 5] = 4 / 6
    at += 8 * konfrontation.SUPPORTS
    row[at + 2 : at + 4] = 2 / 3, 1
    at += 2 * konfrontation.RESOURCES
    row[at : at + 8] = flags(8, 1, 2 + 3)
    row[at + 7] = 2 / 5
    board = konfrontation._board(seen, 1)
    assert (board["name"], board["me"], board["power"], board["points"]) == ("A", False, "?", 13)
    assert (board["special"], board["strength"]) == (2, 11)
    first, last = board["characters"]
    assert (first["short"], first["nature"], first["committed"], first["targeted"]) == ("1", 1, True, False)
    assert (last["short"], last["nature"], last["committed"], last["targeted"]) == ("8", 3, False, True)
    (support,) = board["supports"]
    assert (support["short"], support["committed"], support["targeted"]) == ("2", False, True)
    assert support["words"] == f"{konfrontation.NATURE_NAMES['en'][0]}, strength 4"
    assert [(one["size"], one["targeted"]) for one in board["resources"]] == [(2, True)]
    assert board["project"].startswith(f"support ({konfrontation.NATURE_NAMES['en'][3]}), ") and "2" in board["project"]
    row[1] = 6 / 20
    assert konfrontation._board(seen, 1)["power"] == 6 and konfrontation._board(seen, 0)["me"]


# ews_rps


@pytest.mark.parametrize(
    ("need", "net", "rounds", "low", "high"),
    [(1, 0, 9, -3, 3), (-4, 1, 9, -4, 4), (2, -6, 9, -6, 6), (7, 0, 9, -1, 8), (-7, 2, 9, -8, 3),
     (15, 0, 20, None, None)],
)  # fmt: skip
def test_a_streak_stands_on_a_bar_that_holds_it(
    need: int, net: int, rounds: int, low: int | None, high: int | None
) -> None:
    """Three to either side at least, six at most; longer ones on their own side, and none beyond twelve places."""
    params = SimpleNamespace(max_rounds=rounds, payoff=Payoff.MARGIN, n_tests=5, die=0)
    row = flags(16, 1, 2)
    row[7:11] = np.sign(net), abs(net) / rounds, 4 / rounds, 1
    facts = {"test": {"need": need, "mine": 3, "other": 8, "gap": 5}}
    seen = sight({"test": row, "match": np.array([2 / 5, 0])}, game=SimpleNamespace(params=params), facts=facts)
    found = ews._test(seen)
    assert found is not None
    steps = found["steps"]
    assert [step["value"] for step in steps] == ([] if low is None or high is None else list(range(low, high + 1)))
    assert [step["value"] for step in steps if step["now"]] == [net] * bool(steps)
    assert [step["value"] for step in steps if step["goal"]] == [need] * bool(steps)
    assert all(step["reached"] == (step["value"] >= need) for step in steps)
    assert (found["simple"], found["acting"], found["round"], found["rounds"]) == (False, True, 5, rounds)
    assert (found["number"], found["tests"], found["net"]) == (3, 5, net)
    assert found["decided"] == "decided: only the margin still counts"
    row[10], row[:2] = 0, [1, 0]
    found = ews._test(seen)
    assert found is not None and found["decided"] == "" and found["simple"]
    row[0] = 0
    assert ews._test(seen) is None


# oneshot


@pytest.mark.parametrize(
    ("least", "plain", "automatic"),
    [(1, "always", "nearly always"), (2, "2", "2"), (6, "6", "6"), (7, "never", "hardly ever")],
)
def test_from_which_throw_an_attack_hits(least: int, plain: str, automatic: str) -> None:
    assert (build.hits_from(least, False, "en"), build.hits_from(least, True, "en")) == (plain, automatic)
    assert build.hits_from(0, False, "de") == "immer" and build.hits_from(9, True, "de") == "fast nie"


def test_what_a_plain_fighter_and_a_plain_talker_buy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Body before charisma, and the other way round; splits nearest to the plain one; the sword for who talks."""
    kit: Any = SimpleNamespace(
        weapons={"knife": {}, "sword": {}, "axe": {}},
        armours={"none": {"bonus": 0}, "mail": {"bonus": 2}, "leather": {"bonus": 1}},
    )  # fmt: skip
    triples = [(3, 1, 2), (3, 9, 1), (1, 2, 3), (2, 1, 3)]
    ways = [(0, 3, 0), (1, 1, 1), (3, 0, 0), (2, 1, 0)]
    monkeypatch.setattr(build, "triples_of", lambda params, chosen: triples)
    monkeypatch.setattr(build, "splits_of", lambda params, stage, chosen: ways)
    game: Any = SimpleNamespace(params=None)
    fighter, talker = build.Model(game, kit), build.Model(game, kit, talker=True)
    everything = [0, 1, 2, 3]
    assert [one.choose(Stage.ATTRIBUTES, everything, ()) for one in (fighter, talker)] == [0, 3]
    assert fighter.choose(Stage.ATTRIBUTES, [1, 2], ()) == 1 and talker.choose(Stage.ATTRIBUTES, [0, 1, 2], ()) == 2
    fields = build.PHYSICAL
    plain = [build._MODEL.get(name, 0) for name in fields]
    nearest = min(range(4), key=lambda i: sum((a - b) ** 2 for a, b in zip(ways[i], plain, strict=True)))
    assert (plain, nearest) == ([2, 1, 0], 3)
    assert fighter.choose(Stage.PHYSICAL, everything, ()) == 3 and fighter.choose(Stage.PHYSICAL, [0, 1], ()) == 1
    assert fighter.choose(Stage.COMBAT, everything, ()) == 1  # one of each
    assert fighter.choose(Stage.SOCIAL, everything, ()) == 1  # the most of the last
    assert [one.choose(Stage.WEAPON, [0, 1, 2], ()) for one in (fighter, talker)] == [2, 1]
    assert [one.choose(Stage.WEAPON, [0], ()) for one in (fighter, talker)] == [0, 0]
    assert fighter.choose(Stage.ARMOUR, [0, 1, 2], ()) == 1 and fighter.choose(Stage.ARMOUR, [0, 2], ()) == 2
    assert [one.choose(Stage.TACTIC, [4, 5], ()) for one in (fighter, talker)] == [4, 5]


# Tables and recordings


def test_who_is_a_person_and_who_may_be_named_by_a_file() -> None:
    """Seats in their order; a bot's file is taken from those alone who are trusted."""
    assert seats_of_people({2: "human:Ann", 0: "human", 1: "humanoid", 3: "level:3"}) == [0, 2]
    game: Any = SimpleNamespace(seats=[SimpleNamespace(name="a"), SimpleNamespace(name="b")])
    assert cast_of(game, {"b": "random", "a": "human"}) == {0: "human", 1: "random"}
    with pytest.raises(ProbespielError, match="does not say who plays b: give"):
        cast_of(game, {"a": "human"})
    with pytest.raises(ProbespielError, match="names a bot's file for b"):
        cast_of(game, {"a": "human", "b": "bot.py:Bot"})
    assert cast_of(game, {"a": "human", "b": "bot.py:Bot"}, trust=True)[1] == "bot.py:Bot"


class Course(SimpleNamespace):
    """A recording of some steps."""

    def __len__(self) -> int:
        return self.steps


@pytest.mark.parametrize("text", ["13", "-1", "", "1.0", "00000012", "\u0663", "x"])
def test_steps_that_there_are_not(text: str) -> None:
    course: Any = Course(steps=12)
    assert viewing._number("12", course) == 12 and viewing._number("0", course) == 0
    assert viewing._number("0000012", course) == 12
    with pytest.raises(Refused):
        viewing._number(text, course)


def test_who_plays_on() -> None:
    """The eye that looks, else the first person, else who is to decide, else the first seat."""
    page: Any = object.__new__(viewing.Viewing)
    course: Any = Course(steps=2, people=(3, 1), positions=[SimpleNamespace(to_act=lambda: [2, 4])] * 2)
    assert page._sits(course, 1, 0) == 0 and page._sits(course, 1, None) == 3
    course.people = ()
    assert page._sits(course, 1, None) == 2
    course.positions[1].to_act = lambda: []
    assert page._sits(course, 1, None) == 0


def test_lines_about_the_end_that_a_screen_shows_are_told_once() -> None:
    assert viewing._told_at_end(["a", "b"], []) == ["a", "b"]
    assert viewing._told_at_end(["a", "b"], [{"result": None}, {"result": ["b"]}]) == ["b"]
    assert viewing._told_at_end(["a", "b"], [{"result": []}]) == []


@pytest.mark.parametrize(
    ("steps", "number", "eye", "listed", "seats", "ends"),
    [(1000, 500, 1, (100, 900), [1], False), (1000, 0, None, (1, 400), [0, 1], False), (20, 20, 0, (1, 20), [0], True)],
)
def test_a_step_of_a_recording_is_shown_among_its_neighbours(
    steps: int, number: int, eye: int | None, listed: tuple[int, int], seats: list[int], ends: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Four hundred to either side; two screens without an eye; what the end was is told at the end alone."""
    asked: list[Any] = []
    page: Any = object.__new__(viewing.Viewing)
    screens: list[int] = []
    monkeypatch.setattr(
        viewing.Viewing, "_screen", lambda self, course, number, seat, lang: screens.append(seat) or {"result": None}
    )
    who = [SimpleNamespace(name=name, called=lambda lang, name=name: name.lower()) for name in ("Ann", "Bob")]
    course: Any = Course(
        steps=steps, game=SimpleNamespace(seats=who), players=lambda: [([0], ""), ([1], "random")], eyes=[None, 1],
        title=lambda *what: "title", lines=lambda *what: ["line"], told=lambda *what: "told", insights=lambda *what: [],
        listed=lambda eye, lang, steps: asked.append((steps[0], steps[-1])) or [(7, "--- dawn")],
            result=lambda lang, eye: ["won"],
        decision_after=lambda number, forward=True: number + 1 if forward else number - 1, over=True, people=(),
        positions=[SimpleNamespace(to_act=lambda: [1], over=i == steps) for i in range(steps + 1)],
    )  # fmt: skip
    found = page.values(course, number, eye, "en")
    assert asked == [listed] and screens == seats and found["result"] == (["won"] if ends else [])
    assert (found["decision"], found["decision_back"]) == (number + 1, number - 1)
    assert found["players"] == [("ann", ""), ("bob", "random")] and found["eyes"] == ["", "Bob"]
    assert (found["title"], found["lines"]) == (("title", ["line"]) if number else ("", []))
    assert found["may_branch"] == (not ends) and found["eye"] == ("" if eye is None else who[eye].name)
    assert found["sits"] == ["Ann", "Bob"][1 if eye is None else eye]
    assert found["steps"] == [(7, "dawn")]
