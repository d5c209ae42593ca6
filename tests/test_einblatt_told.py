"""Event lines of einBlatt's campaigns: sessions, healing, prices, experience, confidence, motives, wrath."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from probespiel.app.einblatt.notes import notes
from probespiel.app.einblatt.screen import draw
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.einblatt import state as st
from probespiel.envs.einblatt.frames import event_code
from probespiel.envs.einblatt.system import SYSTEM

LANGS = ("en", "de")


def told(game: Game, seed: int, lang: str, seat: int | None, steps: int = 200, first: str = "") -> list[str]:
    """The event lines of random play as a seat reads them; `first`: the code of an action taken wherever it can be."""
    position, lot, lines = Position(game), random.Random(seed), list[str]()

    def take(step: Callable[[], object]) -> None:
        step()
        lines.extend(line for event in position.events() if (line := game.say(event, seat, lang)))

    lines.extend(line for event in position.events() if (line := game.say(event, seat, lang)))
    for _ in range(steps):
        while faces := position.die():
            take(lambda: position.fall(lot.randrange(faces)))
        if position.over:
            break
        who = position.to_act()[0]
        legal = position.legal(who)
        wanted = [action for action in legal if game.actions.codes[action] == first]
        action = lot.choice(wanted or legal)
        take(lambda: position.apply(who, action))  # noqa: B023
    return lines


def campaign(modules: dict[str, Any], hero: dict[str, Any] | None = None, **conflict: Any) -> Game:
    """Two conflicts of a hero of four cards against twelve cards, the second in a second session."""
    seats = [
        {"name": "Hero", "kind": "pc", "attributes": {"dexterity": {"attribute": 4, "suits": "S"}}, **(hero or {})},
        {"name": "GM", "kind": "npc", "cards": 12, "suits": "D"},
    ]
    one = {"seats": {"Hero": {"test": "dexterity"}}, **conflict}
    setup = {
        "level": "campaign", "config": {"heal_per_conflict": 1, "reshuffle": "on_session"}, "modules": modules,
        "seats": seats, "conflicts": [one, {**one, "new_session": True}],
    }  # fmt: skip
    return Game(SYSTEM.spec_of_setup(setup), compiled=False)


def places(lines: Iterable[str], *starts: str) -> list[int]:
    """Where the first line stands that begins so, of each; raises StopIteration where there is none."""
    every = list(lines)
    return [next(n for n, line in enumerate(every) if line.startswith(start)) for start in starts]


def test_a_session_is_told_before_its_first_conflict() -> None:
    lines = told(campaign({}), 3, "de", 0)
    assert lines[:2] == ["--- Sitzung 1", "--- Konflikt 1: Probe auf Geschick"]
    assert lines.index("--- Sitzung 2, Stapel neu gemischt") + 1 <= lines.index("--- Konflikt 2: Probe auf Geschick")
    assert "--- session 2, piles shuffled" in told(campaign({}), 3, "en", None)


def test_a_loss_says_its_result_then_what_it_costs_and_what_heals() -> None:
    """R74, R75: the attribute stands beside the points; what heals at a session and after a conflict is told."""
    seed = next(n for n in range(1, 60) if any("heilt um" in line for line in told(campaign({}), n, "de", 0)))
    lines = told(campaign({}), seed, "de", 0)
    result, cost = places(lines, "Held: EP −", "Held: Einschränkung von Geschick +")
    assert result < cost, lines
    assert "Held: Einschränkung von Geschick heilt um 1" in lines[lines.index("--- Sitzung 2, Stapel neu gemischt") :]
    assert "Hero: restriction of dexterity heals by 1" in told(campaign({}), seed, "en", 0)


def test_a_swapped_card_says_its_price_when_it_is_taken_and_when_it_is_paid() -> None:
    """R101: what comes of the card changes nothing about it."""
    game = campaign({"swap_card": {}})
    seed = next(n for n in range(1, 60) if any("der Preis" in line for line in told(game, n, "de", 0, first="swap")))
    lines = told(game, seed, "de", 0, first="swap")
    due, paid = places(
        lines,
        "Held: der Preis ist Einschränkung von Geschick +2 nach dem Konflikt",
        "Held zahlt den Preis: Einschränkung von Geschick +2 (um so viel weniger Karten bei Proben)",
    )
    assert due < paid
    english = told(game, seed, "en", 0, first="swap")
    assert "Hero: the price is restriction of dexterity +2 after the conflict" in english
    assert "Hero pays the price: restriction of dexterity +2 (so many cards fewer in such tests)" in english


def test_experience_is_told_when_it_is_gained_and_when_it_comes_back() -> None:
    """R211, R212: the sum is what can be spent, as in the position."""
    game = campaign({"experience": {}}, {"xp": 3})
    seen = {line for n in range(1, 12) for line in told(game, n, "de", 0, first="xp_extra")}
    assert "Held gewinnt keine Erfahrung" in seen
    gained = [line for line in seen if line.startswith("Held: Erfahrung +")]
    assert gained and all(", zusammen " in line for line in gained)
    assert any(line.startswith("Held: benutzte Erfahrung kommt zurück, zusammen ") for line in seen)
    position, before = play_to_experience(game)
    ((points, line),) = [
        (st.EVENT.unpack(event)[2], text)
        for event in position.events()
        if "experience +" in (text := game.say(event, 0, "en"))
    ]
    assert line == f"Hero: experience +{points}, {before + points} in all"


def play_to_experience(game: Game) -> tuple[Position, int]:
    """A position whose last step gave experience, and how much the hero could spend before."""
    for seed in range(1, 40):
        position, lot = Position(game), random.Random(seed)
        while not position.over:
            while faces := position.die():
                position.fall(lot.randrange(faces))
            if position.over:
                break
            who, before = position.to_act()[0], int(position.record.xp_free[0])
            position.apply(who, lot.choice(position.legal(who)))
            kinds = [st.EVENT.unpack(event) for event in position.events()]
            if any(kind[0] == st.Event.EXPERIENCE and kind[2] > 0 for kind in kinds):
                return position, before
    raise AssertionError("no experience in 40 games")


def test_a_card_of_the_confidence_hand_says_why_it_goes_to_its_owner_alone() -> None:
    """R221: the highest and the lowest; R224: the old hand at the next session; nobody else sees which."""
    conf = campaign({"confidence": {}}, {"conf_value": 4})
    mine, theirs = told(conf, 5, "de", 0), told(conf, 5, "de", 1)
    start = mine.index("--- Sitzung 2, Stapel neu gemischt")
    thrown = [line.rpartition("(")[2] for line in mine if "wirft aus dem Selbstbewusstsein ab" in line]
    assert thrown[:2] == ["die höchste)", "die niedrigste)"] and thrown[2:] == [
        "der letzten Sitzung)", "der letzten Sitzung)", "die höchste)", "die niedrigste)"
    ], thrown  # fmt: skip
    assert not any("wirft aus" in line for line in theirs)
    assert any("throws off a confidence card" in line for line in told(conf, 5, "en", 0)[: start + 1])


def test_a_card_from_the_confidence_hand_is_told_as_one() -> None:
    """R222, R223: everybody sees that it comes from there, or that one was kept."""
    game = make_game("einblatt-campaign", "table32_tricks", compiled=False)
    seen = {line for n in range(1, 9) for line in told(game, n, "de", 1)}
    assert {"Held spielt aus dem Selbstbewusstsein", "Held behält eine Karte als Selbstbewusstsein"} <= seen
    english = {line for n in range(1, 9) for line in told(game, n, "en", None)}
    assert {"Hero plays a confidence card", "Hero keeps a card as confidence"} <= english


def test_a_plea_for_mercy_says_whether_it_met_the_wrath() -> None:
    """R202, R203."""
    game = campaign({"mercy": {"start": 9}})
    seen = {line for n in range(1, 25) for line in told(game, n, "de", 1, first="mercy")}
    assert "Held: keine Zornkarte getroffen" in seen and "Held: Zornkarten getroffen 1" in seen
    assert "Hero: no wrath card met" in {line for n in range(1, 25) for line in told(game, n, "en", 0, first="mercy")}


@pytest.mark.parametrize(("event", "suit", "line"), [
    ("against", None, "Held handelt gegen die eigenen Motive"),
    ("against_severe", None, "Held handelt schwer gegen die eigenen Motive"),
    ("accord", "H", "Held handelt nach den eigenen Motiven (Herz)"),
    ("accord_sacrifice", "C", "Held handelt nach den eigenen Motiven, mit einem Opfer (Kreuz)"),
])  # fmt: skip
def test_what_a_figure_did_by_its_motives_is_told(event: str, suit: str | None, line: str) -> None:
    """R232."""
    given = {"seat": "Hero", "event": event} | ({"suit": suit} if suit else {})
    game = campaign({"incentive": {}}, events=[given])
    assert line in told(game, 2, "de", 0, steps=3)


def test_what_was_kept_is_told_and_what_was_not_is_passed_over() -> None:
    """R223: the line of a kept card says that it was kept, and there is none for a refusal."""
    game = campaign({"confidence": {}}, {"conf_value": 4})
    kept, declined = (
        int(event_code(st.Event.CONFIDENCE, 0, 0, how)) | st.SEEN << st.EVENT.at[4]
        for how in (st.Confidence.KEPT, st.Confidence.DECLINED)
    )
    assert game.say(kept, 1, "en") == "Hero keeps a card as confidence" and game.say(declined, 1, "en") == ""
    assert game.say(kept, 1, "de") == "Held behält eine Karte als Selbstbewusstsein"


def test_attacks_of_a_melee_say_in_the_browser_what_they_meet() -> None:
    """R55, R63: what stands beside them at the terminal."""
    game = make_game("einblatt-melee", "tug_of_war", compiled=False)
    position, lot, met = Position(game), random.Random(4), 0
    while met < 3 and not position.over:
        while faces := position.die():
            position.fall(lot.randrange(faces))
        who = position.to_act()[0]
        if position.phase() == "act":
            seen = seen_of(position, who, "de")
            sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
            drawn, beside = draw(sight), notes(sight)
            assert drawn is not None
            told = {seat["attack"].action: seat["note"] for seat in drawn.values["seats"] if seat["attack"]}
            assert told and all(note and note == beside[action] for action, note in told.items())
            met += 1
        position.apply(who, lot.choice(position.legal(who)))
    assert met == 3


def test_the_page_says_what_the_card_is_that_a_question_is_about() -> None:
    """It was `in question: spades 9`. R55: the attack's; R132: a card that was played openly."""
    game, told = make_game("einblatt-melee", "tug_of_war", compiled=False), set[str]()
    position, lot = Position(game), random.Random(4)
    while not position.over:
        while faces := position.die():
            position.fall(lot.randrange(faces))
        if not position.over and position.phase() == "react":
            who, attacker = position.to_act()[0], int(position.record.attacker)
            name = game.seats[attacker].called("en")
            card = game.actions.describe(int(position.record.focus), "en")
            assert focus_of(position, who, "en") == (f"{name} attacks with", card)
            assert focus_of(position, attacker, "de")[0] == "du greifst an mit"
            told.add(name)
        if not position.over:
            who = position.to_act()[0]
            position.apply(who, lot.choice(position.legal(who)))
    assert len(told) > 1, told
    game = make_game("einblatt-duel", modules={"after_card": {}}, compiled=False)
    position, lot = Position(game), random.Random(0)
    while position.die() or position.phase() != "answer":
        assert not position.over
        if faces := position.die():
            position.fall(lot.randrange(faces))
            continue
        who = position.to_act()[0]
        position.apply(who, lot.choice(position.legal(who)))
    assert focus_of(position, position.to_act()[0], "de")[0] == "die offene Karte"


def focus_of(position: Position, seat: int, lang: str) -> tuple[str, str]:
    """What stands on a seat's page before the card that a question is about, and the card."""
    drawn = draw(Sight.of(position.game, seen_of(position, seat, lang)))
    assert drawn is not None
    return drawn.values["focus"]["about"], drawn.values["focus"]["name"]


@pytest.mark.parametrize(("game", "options", "counted"), [
    ("einblatt-duel", {}, []),
    ("einblatt-duel", {"max_tests": 3, "continue_by": "always"}, ["-- Probe 1"]),
    ("einblatt-campaign", {}, ["--- Sitzung 1", "--- Konflikt 1: eine Mauer, Probe auf Geschick"]),
])  # fmt: skip
def test_what_there_is_but_one_of_is_not_counted(game: str, options: dict[str, Any], counted: list[str]) -> None:
    """A duel began with `Konflikt 1` and `Probe 1`, which its position does not speak of either."""
    lines = told(make_game(game, compiled=False, **options), 3, "de", 0, steps=1)
    assert [line for line in lines if line.startswith("--")] == counted


def test_a_confidence_hand_says_how_much_of_it_may_still_be_played() -> None:
    """R222: as many as traits, or one in a risk taken freely; why no card could be played was not shown."""
    game = make_game("einblatt-campaign", "table32_tricks", compiled=False)
    position, lot, met = Position(game), random.Random(2), set[int]()
    while not position.over:
        while faces := position.die():
            position.fall(lot.randrange(faces))
        if position.over:
            break
        who, s = position.to_act()[0], position.record
        if position.phase() == "commit" and who == 0 and s.conf[0]:
            codes = game.actions.codes
            legal = {codes[action] for action in position.legal(0)}
            cards = [st.CARD_CODES[card] for card in range(32) if s.conf[0] >> card & 1]
            quota = int(s.traits[0]) or int(s.voluntary[0] and s.risk[0])
            left = max(0, quota - int(s.confidence_spent[0]))
            assert any(f"card:{card}" in legal or card in legal for card in cards) == (left > 0)
            end = f"(noch {left} im Konflikt)" if left else "(keine mehr im Konflikt)"
            line = next(line for line in position.told(0, "de").splitlines() if line.startswith("Selbstbewusstsein: "))
            assert line.endswith(end)
            seen = seen_of(position, 0, "de")
            drawn = draw(Sight.of(game, seen, [Choice.of(option) for option in seen.choices]))
            assert drawn is not None and f"Selbstbewusstsein {end}" in {p["name"] for p in drawn.values["piles"]}
            met.add(left)
        position.apply(who, lot.choice(position.legal(who)))
    assert 0 in met and met - {0}, met


def test_nothing_has_no_sign() -> None:
    """`EP +0, draw` stood in the log and at the end, `EP 0` on the seat beside it."""
    game = make_game("einblatt-duel", compiled=False)
    drawn, won = (int(event_code(st.Event.RESULT, 0, ep, 0)) | st.SEEN << st.EVENT.at[4] for ep in (0, 2))
    assert game.say(drawn, 0, "en").endswith(": EP 0, draw")
    assert game.say(drawn, 0, "de").endswith(": EP 0, Unentschieden")
    assert ": EP +2, " in game.say(won, 0, "en")
