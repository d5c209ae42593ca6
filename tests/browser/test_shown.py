"""What pages show: nothing that a seat cannot know, every possible action once, in both languages."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from probespiel.agents.human import NotUnderstood, Speech
from probespiel.app.session.groups import Group
from probespiel.app.session.numbers import entry_of, numbers_of, own_numbers
from probespiel.app.session.seen import Option
from probespiel.app.session.table import Table
from probespiel.app.web.groups import grouped
from probespiel.app.web.hall import Hall
from probespiel.app.web.pages import Pages
from probespiel.app.web.render import Renderer
from probespiel.app.web.room import Room
from probespiel.app.web.screens import Choice, Keys, screen_of
from probespiel.app.web.words import WORDS
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game, systems
from probespiel.envs.core.rng import rng_array
from probespiel.envs.core.rooms import declared
from tests.page_values import page_values

from .wire import act, client_of, new, room_of, token_of

# --- leaks


def redealt(position: Position, seat: int, seed: int) -> Position:
    """A position that a seat cannot tell from the other, with all that it does not know dealt anew."""
    twin = position.forget(seat)
    twin.roll(rng_array(seed, "redealt"))
    return twin


GAMES = [game for found in systems() for game in found.games]


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_the_same_whatever_others_hold(hall: Hall, game: str) -> None:
    made = make_game(game)
    table = Table(made, dict.fromkeys(range(made.n_seats), "human"), seed=5)
    room = Room("0" * 16, game, "x", tuple(s.name for s in made.seats), table.cast, {0: "x" * 64}, table=table)
    pages, chance, compared = Pages(hall), random.Random(4), 0
    shared = page_values(room)
    for step in range(12 if made.n_seats < 5 else 4):
        if table.over:
            break
        real = table._recorder.position
        for seat in range(made.n_seats):
            lang = ("en", "de")[step % 2]
            values = shared | {"lang": lang, "t": lambda key, **_: WORDS[key][0]}
            table._recorder.position = real
            page = pages.renderer.render("game.html", values | pages.seat_values(room, "x" * 64, seat, lang))
            table._recorder.position = redealt(real, seat, step)
            other = pages.renderer.render("game.html", values | pages.seat_values(room, "x" * 64, seat, lang))
            assert page == other, f"seat {seat} is shown what it cannot know"
            compared += real.to_bytes() != table._recorder.position.to_bytes()
        table._recorder.position = real
        seat = chance.choice(table.waiting())
        table.choose(seat, chance.choice(table.legal(seat)))
    assert compared > 0 or game in ("konfrontation-campaign", "oneshot-skirmish", "konfrontation-clash")


def test_no_byte_of_anothers_hand_reaches_a_browser(hall: Hall) -> None:
    one, two = client_of(hall), client_of(hall)
    path = new(one, "einblatt-duel", opponent="human")
    room = room_of(hall, path)
    assert "<button>Address for" in one.get(path).text, "a name alone would not say what the button does"
    secret = room.invite(1)
    assert two.post(f"/join/{secret}", data={"token": token_of(two)}).status_code == 303
    assert two.get(f"/join/{secret}").status_code == 404, "an invitation is used up"
    table = room.table
    assert table is not None
    names, checked = [table.game.actions.describe(card) for card in range(32)], 0
    for _ in range(20):
        if table.over:
            break
        pages = [one.get(path).text, two.get(path).text]
        hands = [{names[c] for c in range(32) if int(table.position.record.hand[seat]) >> c & 1} for seat in (0, 1)]
        logs = ["\n".join(table.lines(seat, "en")) for seat in (0, 1)]
        for seat in (0, 1):
            hidden = {name for name in hands[1 - seat] - hands[seat] if name not in logs[seat]}
            checked += len(hidden)
            assert [name for name in hidden if name in pages[seat]] == []
        for seat, client in enumerate((one, two)):
            if seat in table.waiting():
                assert act(client, path)[0] == 200
    assert checked > 5


def test_who_plays_several_seats_is_told_once(hall: Hall) -> None:
    """`level 1 of 8: search that overlooks moves, ...` stood at each of seven seats, longer than all else there."""
    client = client_of(hall)
    path = new(client, "einblatt-melee", scenario="free_for_all")
    page = re.sub(r"<[^>]+>", " ", client.get(path).text.partition('id="seats"')[2].partition("</section>")[0])
    room, told = room_of(hall, path), " ".join(page.split())
    others = [room.called(seat, "en") for seat in range(1, len(room.seats))]
    assert len(others) > 1 and f"{', '.join(others)}: any move by chance random" in told
    assert told.count("any move by chance") == 1
    room.cast[1] = "first"
    assert room.players_of_several() == ({"random": [*range(2, len(room.seats))]} if len(others) > 2 else {})
    alone = client.get(new(client, "kuhn")).text.partition('id="seats"')[2].partition("</section>")[0]
    assert "any move by chance" in alone.partition("</ul>")[0], "who plays one seat is told beside it"


@pytest.mark.parametrize(("lang", "companions", "opponent"), [
    ("en", "Your companions", "Opponent"), ("de", "Deine Gefährten", "Gegner")])  # fmt: skip
def test_who_plays_together_chooses_no_opponent(hall: Hall, lang: str, companions: str, opponent: str) -> None:
    """The form of a mission asked for an opponent, who was a companion, and whether others are `as the opponent`."""
    client = client_of(hall)
    client.get(f"/language?to={lang}&back=/")
    together = client.get("/new/oneshot-mission").text
    assert f"<span>{companions}</span>" in together and 'name="partner"' not in together
    against = client.get("/new/oneshot-skirmish?scenario=party_battle").text
    assert f"<span>{opponent}</span>" in against and 'name="partner"' in against


# --- keys


def test_number_keys_follow_the_page() -> None:
    """Those of the targets of an attack stood in the order of the rules: 4, 1, 3 from the top."""
    keys = Keys()
    shown = [Choice(number, "v", "", "", str(number), keys) for number in (30, 10, 20)]
    assert [one.key for one in shown] == [1, 2, 3], "in the order in which they are asked for"
    assert [one.key for one in reversed(shown)] == [3, 2, 1], "each keeps its own"
    assert [Choice(number, "v", "", "", "", keys).key for number in range(40, 48)] == list(range(4, 12))
    assert choice(1, "none").key is None
    many = Keys()
    assert [many.of(number) for number in range(100)][-2:] == [99, None], "no number has three digits"


@pytest.mark.parametrize(("said", "numbers"), [
    ({"bid:0": "bid 0", "bid:1": "bid 1", "bid:2": "bid 2"}, [0, 1, 2]),
    ({"bid:0": "0 setzen", "bid:1": "1 setzen", "bid:2": "2 setzen"}, [0, 1, 2]),
    ({"bid:0": "0 setzen", "bid:1": "1 bieten"}, None),  # two words
    ({"2": "card 2", "11": "card 11"}, [2, 11]),
    ({"character:1": "Charakter 1 (zwielichtig)", "character:4": "Charakter 4 (sozial)", "done": "fertig"}, [1, 4, 0]),
    ({"pass": "pass", "bid:0": "bid 0", "bid:1": "bid 1"}, None),  # 0 is taken
    ({"done": "done", "pass": "pass", "bid:1": "bid 1", "bid:2": "bid 2"}, None),  # two of another kind
    ({"2": "card 2"}, None),
    ({"take:a:1": "resource 1 of A", "take:b:1": "resource 1 of B"}, None),
    ({"character:1": "character 1", "resource:2": "resource 2"}, None),
    ({"split:0": "split 1 and 2", "split:1": "split 2 and 1"}, None),  # the number of a code is another
    ({"card:D8": "diamonds 8", "card:D9": "diamonds 9"}, None),  # other hands have more than one suit
    ({"bid:99": "bid 99", "bid:100": "bid 100", "bid:101": "bid 101"}, None),  # no number has three digits
])  # fmt: skip
def test_choices_that_name_numbers_have_those(said: dict[str, str], numbers: list[int] | None) -> None:
    """A bid of 2 was the third of the list, and the card 11 the sixth."""
    options = [
        Option(10 + at, code, text, *[*code.split(":"), "", ""][:3]) for at, (code, text) in enumerate(said.items())
    ]
    assert own_numbers(options) == numbers
    places = list(range(1, len(said) + 1))
    assert numbers_of(options) == (numbers or places)
    keys = Keys(options)
    assert [keys.of(option.id) for option in options] == (numbers or places)
    assert numbers_of([*options, Group("more", ())]) == [*places, len(said) + 1], "a list with groups is one of places"


def test_a_number_that_no_choice_has_is_told() -> None:
    options = [Option(number, "", f"card {number}", str(number), "", "") for number in (2, 11)]
    assert entry_of("011", options, Speech(make_game("goofspiel", compiled=False)), "en") is options[1]
    with pytest.raises(NotUnderstood, match=r"^1 ist keine Nummer der Liste: 2, 11\.$"):
        entry_of("1", options, Speech(make_game("goofspiel", compiled=False)), "de")


@pytest.mark.parametrize(("game", "scenario"), [
    ("konfrontation-campaign", "duel"), ("konfrontation-clash", "tavern_takeover"), ("einblatt-campaign", ""),
    ("oneshot-mission", ""), ("oneshot-skirmish", ""), ("scorekeeper-skirmish", ""), ("ews_rps", "")])  # fmt: skip
def test_number_keys_are_in_order_on_every_screen(hall: Hall, game: str, scenario: str) -> None:
    made = make_game(game, scenario or None)
    table = Table(made, dict.fromkeys(range(made.n_seats), "human"), seed=5)
    room = Room("0" * 16, game, "x", tuple(s.name for s in made.seats), table.cast, {0: "x" * 64}, table=table)
    pages, chance, numbered = Pages(hall), random.Random(7), 0
    shared = page_values(room)
    for _ in range(25):
        if table.over:
            break
        seat = table.waiting()[0]
        values = shared | {"lang": "en", "t": lambda key, **_: WORDS[key][0]}
        page = pages.renderer.render("game.html", values | pages.seat_values(room, "x" * 64, seat, "en"))
        keys = list(dict.fromkeys(re.findall(r'data-key="(\d+)"', page)))
        own = own_numbers(table.seen(seat, "en").choices)
        assert own_numbers(table.seen(seat, "de").choices) == own, "the same key in both languages"
        if own is None:
            assert keys == [str(key) for key in range(1, len(keys) + 1)]
        else:
            assert set(keys) <= set(map(str, own)), "a slider has none"
        numbered = max(numbered, len(keys))
        options = table.seen(seat, "en").choices
        table.choose(seat, chance.choice([one for one in options if one.verb != "abort"]).id)
    assert numbered > 2


# --- screens and groups


def choice(number: int, text: str, verb: str = "v", target: str = "", detail: str = "") -> Choice:
    return Choice(number, verb, target, detail, text)


def test_choices_are_grouped_by_verb_and_target() -> None:
    hits = [choice(i, f"hit {who}: {zone}", "hit", who, zone) for i, (who, zone) in enumerate(
        [(w, z) for w in ("Ann", "Bob") for z in ("head", "arms", "legs", "chest", "belly")])]  # fmt: skip
    groups = grouped([*hits, choice(20, "pass", "pass"), choice(21, "wait", "wait")])
    assert [group.title for group in groups] == ["", "hit Ann", "hit Bob"]
    assert [item.label for item in groups[0].items] == ["pass", "wait"]
    assert [item.label for item in groups[1].items] == ["head", "arms", "legs", "chest", "belly"]
    assert sorted(item.choice.action for group in groups for item in group.items) == [*range(10), 20, 21]
    assert [group.title for group in grouped([choice(1, "bet", "bet"), choice(2, "pass", "pass")])] == [""]
    middle = grouped([choice(i, f"einen {kind} Charakter anwerben", "recruit", kind) for i, kind in enumerate(
        ("zwielichtigen", "kämpferischen"))])  # fmt: skip
    assert middle[0].title == "einen … Charakter anwerben"
    assert middle[0].items[1].label == "einen kämpferischen Charakter anwerben"
    numbered = grouped([choice(i, f"bid {i}", "bid", str(i)) for i in range(4)])
    assert [item.label for item in numbered[0].items] == ["bid 0", "bid 1", "bid 2", "bid 3"]
    spread = grouped([choice(i, f"bold {i}, calm {2 - i}", "spread") for i in range(3)])
    assert [spread[0].title, spread[0].items[1].label] == ["", "bold 1, calm 1"]
    many = grouped([choice(i, f"bold {i}, calm {9 - i}", "spread", str(i)) for i in range(9)]
                   + [choice(9, "bold 0, calm 0", "spread", "9")])  # fmt: skip
    assert [(group.title, len(group.items)) for group in many] == [("", 10)]
    extra = grouped([choice(i, f"help: social, {i} turn{'s' * (i > 1)}", "help", "social", str(i)) for i in (1, 2)])
    assert [extra[0].title, extra[0].items[1].label] == ["help: social", "2 turns"]
    whom = grouped([choice(i, f"{verb} blue fighter", "edge", str(i)) for i, verb in enumerate(("feint", "appease"))])
    assert [whom[0].title, whom[0].items[0].label] == ["blue fighter", "feint blue fighter"]


def test_groups_of_one_verb_say_to_whom() -> None:
    """`gain an edge` stood three times above the same words, once for every enemy."""
    foes, verbs = ("red", "grey", "old"), ("intimidate", "feint", "appease")
    edges = [Choice(3 * i + n, "edge", str(i), str(n), f"{verb} {foe} archer", kind="gain an edge")
             for i, foe in enumerate(foes) for n, verb in enumerate(verbs)]  # fmt: skip
    assert [group.title for group in grouped(edges)] == [f"gain an edge: {foe} archer" for foe in foes]
    assert [group.title for group in grouped(edges[:3])] == ["gain an edge"], "there is only one"


def test_many_choices_without_targets_are_grouped_by_what_they_list_first() -> None:
    texts = ["none", "hardy", "lucky", *(f"hardy, {more}" for more in ("calm", "lucky", "quick", "calm, lucky")),
             *(f"lucky, {more}" for more in ("calm", "quick"))]  # fmt: skip
    groups = grouped([choice(i, text, "option", str(i)) for i, text in enumerate(texts)])
    assert [group.title for group in groups] == ["", "hardy", "lucky"]
    assert [item.label for item in groups[1].items] == ["hardy", "calm", "lucky", "quick", "calm, lucky"]
    assert sorted(item.choice.action for group in groups for item in group.items) == list(range(len(texts)))
    few = grouped([choice(i, text, "option", str(i)) for i, text in enumerate(texts[:8])])
    assert [group.title for group in few] == [""], "eight are listed one by one"


def test_what_all_of_a_group_share_is_said_once() -> None:
    (group,) = grouped([choice(i, f"hire {who}", "hire", who) for i, who in enumerate(("Ann", "Bob"))])
    assert group.shared_note({0: "costs 1", 1: "costs 1"}) == "costs 1"
    assert group.shared_note({0: "costs 1", 1: "costs 2"}) == "" and group.shared_note({0: "costs 1"}) == ""


def test_supports_of_konfrontation_stand_in_a_row_for_each_nature(hall: Hall) -> None:
    """What turns come to is said once for all natures; each of the twelve is a button once."""
    client = client_of(hall)
    path = new(client, "konfrontation-campaign", opponent="first")
    for lang, title, cost in (
        ("en", "start support", "2 extra turns: 4 turns of work"),
        ("de", "eine … Unterstützung beginnen", "2 Zusatzzüge: 4 Züge Arbeit"),
    ):
        client.get(f"/language?to={lang}&back=/")
        page = client.get(path).text
        assert f"<h3>{title}</h3>" in page and page.count(cost) == 1
        assert page.count('class="support-row"') == 4
        rows = re.findall(r'class="support-row".*?</div>', page, re.DOTALL)
        assert [len(re.findall(r'name="action"', row)) for row in rows] == [3] * 4


def test_every_system_but_reference_games_has_a_screen() -> None:
    assert all((screen_of(found.name) is None) == found.reference for found in systems())


@pytest.mark.parametrize("game", GAMES)
def test_every_possible_action_is_a_button_once(hall: Hall, game: str) -> None:
    made = make_game(game)
    table = Table(made, dict.fromkeys(range(made.n_seats), "human"), seed=7)
    room = Room("0" * 16, game, "x", tuple(s.name for s in made.seats), table.cast, {0: "x" * 64}, table=table)
    pages, chance = Pages(hall), random.Random(5)
    shared = page_values(room) | {"lang": "en", "t": lambda key, **_: WORDS[key][0]}
    for _ in range(25):
        if table.over:
            break
        seat = chance.choice(table.waiting())
        page = pages.renderer.render("game.html", shared | pages.seat_values(room, "x" * 64, seat, "en"))
        offered = [int(value) for value in re.findall(r'name="action" value="(\d+)"', page)]
        offered += [int(value) for row in re.findall(r'name="of" value="([\d,]+)"', page) for value in row.split(",")]
        assert sorted(offered) == table.legal(seat)
        table.choose(seat, chance.choice(table.legal(seat)))


def test_texts_are_there_in_both_languages() -> None:
    places = re.compile(r"{(\w+)}")
    for english, german in WORDS.values():
        assert english.strip() and german.strip() and set(places.findall(english)) == set(places.findall(german))


def test_a_system_from_outside_may_have_a_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "some_package" / "app"
    room.mkdir(parents=True)
    for folder in (room, room.parent):
        (folder / "__init__.py").write_text("")
    (room / "screen.py").write_text(
        "from probespiel.app.web.screens import Drawn, Screen\nSCREEN = Screen(lambda sight: Drawn.of({'a': sight}))\n"
    )
    (room / "screen.html").write_text("<p>{{ screen.a }}</p>")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("probespiel.envs.core.rooms._outside", lambda path: {"some_system": "some_package"})
    found = screen_of("some_system")
    assert found is not None
    page = Renderer().render("some_system/screen.html", {"screen": {"a": "<b>"}})
    assert page == "<p>&lt;b&gt;</p>"
    (room / "screen.py").write_text("SCREEN = 3\n")
    sys.modules.pop("some_package.app.screen")
    declared.cache_clear()
    with pytest.raises(RulesetError, match="must be a Screen"):
        screen_of("some_system")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_of_a_round_says_what_may_come_of_it(hall: Hall, lang: str) -> None:
    made = make_game("ews_rps", compiled=False)
    table = Table(made, dict.fromkeys(range(made.n_seats), "human"), seed=7)
    room = Room("0" * 16, "ews_rps", "x", tuple(s.name for s in made.seats), table.cast, {0: "x" * 64}, table=table)
    values = Pages(hall).seat_values(room, "x" * 64, 0, lang)
    told = values["seen"].told.splitlines()
    assert len(values["screen"]["ahead"]) == 2 and set(values["screen"]["ahead"]) < set(told)
