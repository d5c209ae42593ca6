"""What a person reads who has not read the rules: seats, opponents, hints and ends in words of both languages."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.declaration import agents_of
from probespiel.agents.human import Speech
from probespiel.agents.registry import list_agents, make_agent
from probespiel.app.einblatt import solo as einblatt_solo
from probespiel.app.naming import agent_called, agent_with_code, seconds_called
from probespiel.app.oneshot.recruit import Menu
from probespiel.app.reasons import reason_of
from probespiel.app.session.advice import Advice
from probespiel.app.session.groups import Group, grouped, shared_words
from probespiel.app.session.seen import Option
from probespiel.app.session.solo import Score, run_of
from probespiel.app.session.table import Table
from probespiel.app.terminal.play import Session
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, system_of, systems
from probespiel.envs.core.texts import ending_lines
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit_file import load_kit
from probespiel.envs.oneshot.text import called, draw_map
from probespiel.envs.scorekeeper.actions import fighter_words

# names of parts in a game, which nobody who reads German can be asked to know
RAW = {
    "player", "gm", "first", "second", "attacker", "defender", "speaker", "listener", "liar", "counterpart",
    "red", "blue", "party", "a", "b", "fighter", "archer", "skirmisher", "scholar", "bulwark", "red fighter",
    "bouncer", "medic", "thug 1", "officer 1", "Tree", "Rock", "Hero", "GM", "Boy1", "village", "PC",
}  # fmt: skip


def interpreted(name: str, scenario: str | None = None) -> Game:
    return Game(system_of(name).spec(name, scenario, {}, {}), compiled=False)


@pytest.mark.parametrize("name", game_names())
def test_seats_that_are_called_by_their_part_have_german_names(name: str) -> None:
    for scenario in system_of(name).scenarios(name):
        for seat in system_of(name).spec(name, scenario, {}, {}).seats:
            assert seat.called("de") not in RAW and seat.side_called("de") not in RAW, (scenario, seat)
            assert seat.called("en") and seat.side_called("en")
            assert not any("_" in seat.called(lang) for lang in ("en", "de"))


def test_figures_are_named_in_words_and_understood_by_any_of_their_names() -> None:
    assert [called(name, "de") for name in ("blue_guard_2", "red_stranger", "throwing_knife", "Ada")] == [
        "Wache Blau 2", "stranger Rot", "Wurfmesser", "Ada"
    ]  # fmt: skip
    assert called("blue_guard_2", "en") == "blue guard 2" and fighter_words("thug_1") == ("thug 1", "Schläger 1")
    game = interpreted("oneshot-skirmish")
    position = game.position(5)
    (seat,) = position.to_act()
    speech = Speech(game, position, seat)
    edge = next(a for a in position.legal(seat) if game.actions.codes[a].startswith("edge:"))
    foe = ("blue" if "blue" in speech.text(edge, "en") else "red") + "_fighter"
    assert speech.code(edge) == f"edge:{foe}:aggressive"
    said = (f"intimidate {foe.replace('_', ' ')}", speech.text(edge, "de"), f"edge:{foe}:aggressive")
    assert {speech.parse(text) for text in said} == {edge} and "_" not in speech.text(edge, "de")


def test_heroes_know_of_things_in_words() -> None:
    """`lore race 4` stood among the skills of a hero, and `knowledge of races` in the rules."""
    host: Any = SimpleNamespace(lang="en")
    menu = Menu(host, {}, load_kit(None))
    for name, told in (("lore_race", "knowledge of races"), ("lore_science", "knowledge of science"), ("axe", "axe")):
        assert menu.word(name) == told
    assert menu.word("throwing_knife") == "throwing knife"


def test_a_share_of_seconds_is_told_with_two_places_at_most() -> None:
    told = {"1.33333": "1.33", "2": "2", "0.5": "0.5", "120": "120", "0.019": "0.02", "0.001": "0.001", "soon": "soon"}
    assert {text: seconds_called(text) for text in told} == told
    assert "höchstens 1,33 s" in agent_called("casual:sims=8,seconds=1.33333", "kuhn", "de")


def test_a_german_name_of_a_faction_is_read_and_understood() -> None:
    game = interpreted("konfrontation-clash")
    told = game.position(1).told(0, "de")
    assert "Angreifer" in told and "attacker" not in told
    assert "attacker" in game.position(1).told(0, "en")


@pytest.mark.parametrize(
    ("agent", "game", "english", "german"),
    [
        (
            "search:sims=4000", "kuhn",
            "search, 4,000 simulations a decision", "Suche, 4.000 Simulationen je Entscheidung",
        ),
        (
            "search:sims=1000,seconds=0.5", "kuhn", "level 7 of 8: search, 1,000 simulations a decision, at most 0.5 s",
            "Stufe 7 von 8: Suche, 1.000 Simulationen je Entscheidung, höchstens 0,5 s",
        ),
        ("card_only", "kuhn", "heuristic card only (bets a king and nothing else)",
         "Heuristik card only (setzt nur mit dem König)"),
        ("learned where everybody has it (2)", "kuhn", "learned where everybody has it (2)",
         "gelernt, wo alle es haben (2)"),
        ("card_only, always uses it", "kuhn", "card_only, always uses it", "card_only, nutzt es immer"),
        ("policy", "kuhn", "the trained policy", "die trainierte Spielweise"),
        ("no name, no:colon", "kuhn", "no name, no:colon", "no name, no:colon"),
        ("random", "no_such_game", "random", "random"),
    ],
)  # fmt: skip
def test_an_agent_in_words(agent: str, game: str, english: str, german: str) -> None:
    assert agent_called(agent, game, "en") == english
    assert agent_called(agent, game, "de") == german


def test_what_an_agent_does_is_told_without_numbers_of_rules() -> None:
    """`minimax in the base duel (E1)` stood in the head of an analysis; nobody there knows what E1 is."""
    kinds = [agents_of(owner.name) for owner in systems()]
    told = [one.doc for kind in kinds for one in kind.baselines.values()]
    told += [line for kind in kinds for line in kind.german.values()]
    assert len(told) > 40 and not [line for line in told if re.search(r"\b[AER]\d+\b", line)]


def test_beside_the_words_stands_what_repeats_the_game() -> None:
    assert agent_with_code("search:sims=8", "kuhn", "de") == "Suche, 8 Simulationen je Entscheidung [search:sims=8]"
    assert agent_with_code("human", "kuhn", "en") == "a person"
    assert agent_with_code("card_only", "kuhn", "en").endswith(" [card_only]")
    assert agent_with_code("learned where nobody has it", "kuhn", "de") == "gelernt, wo niemand es hat"


@pytest.mark.parametrize("name", game_names())
def test_every_agent_of_a_system_has_a_german_line(name: str) -> None:
    declared = agents_of(system_of(name).name)
    assert set(declared.german) == {*declared.baselines, *declared.own}


def test_a_wrong_opponent_is_told_those_who_play_this_game() -> None:
    game = interpreted("kuhn")
    with pytest.raises(AgentError) as refused:
        make_agent("nobody", "kuhn")
    named = set(re.split(r", ", str(refused.value).split("one of ")[1]))
    assert named == {kind.name for kind in list_agents(game)} and "brute" not in named
    with pytest.raises(AgentError, match="brute"):
        make_agent("nobody")  # without a game all of them


TEXTS = {0: "pass", 1: "bet"}
ENDS = (-2.0, 2.0)


@pytest.mark.parametrize(
    ("first", "second", "english", "german"),
    [
        (Advice(0, 1.0, 0.1, 0.9), Advice(1, 0.5, 0.1, 0.1), "would lose 0.50 ± 0.15 against it, 12 % ",
         "verlöre dagegen 0,50 ± 0,15, das sind 12 % "),
        (Advice(0, 1.0, 0.001, 0.9), Advice(1, 0.99, 0.001, 0.1), "0.010 ± 0.002 against it, less than 1 % ",
         "das sind weniger als 1 % dessen"),
        (Advice(0, 1.0, 0.3, 0.9), Advice(1, 0.9, 0.4, 0.1), "difference of 0.10 lies within its error of 0.50",
         "Unterschied von 0,10 liegt innerhalb seines Fehlers von 0,50"),
        (Advice(0, 0.5, 0.0, 0.6), Advice(1, 1.0, 0.0, 0.4), "in 60 % of all cases; “bet” has the better mean, by 0.50",
         "in 60 % der Fälle; „bet“ hat den besseren Mittelwert, um 0,50"),
    ],
)  # fmt: skip
def test_why_a_hint_names_it_first(first: Advice, second: Advice, english: str, german: str) -> None:
    assert english in reason_of([first, second], TEXTS, ENDS, "en", mixed=True)
    assert german in reason_of([first, second], TEXTS, ENDS, "de", mixed=True)
    told = reason_of([first, second], TEXTS, ENDS, "de")  # one that draws nothing had another reason
    assert ("aber nicht so sicher" in told) == (first.value < second.value)


def test_why_where_there_is_nothing_to_compare() -> None:
    assert "tried nothing else" in reason_of([Advice(0, 1.0, 0.1, 1.0)], TEXTS, ENDS, "en")
    assert reason_of([], TEXTS, ENDS, "de") == ""


@pytest.mark.parametrize(
    ("believed", "true", "german"),
    [
        (1, 1, "Der Zuhörer hat recht und gewinnt: es war wahr, und der Zuhörer hat es geglaubt."),
        (1, 0, "Der Zuhörer hat unrecht und verliert: es war gelogen, und der Zuhörer hat es geglaubt."),
        (0, 0, "Der Zuhörer hat recht und gewinnt: es war gelogen, und der Zuhörer hat es bezweifelt."),
    ],
)
def test_the_end_of_a_claim_says_who_won_and_why(believed: int, true: int, german: str) -> None:
    position = interpreted("oneshot-parley", "claim").position(1)
    position.record.judged, position.record.truth, position.record.status_of_game = believed, true, 1
    lines = position.game.spec.result(position, "de")
    assert lines[0].strip() == german
    assert len(lines) == 3 and lines[1].endswith("\N{MINUS SIGN}1" if believed == true else "+1")


def test_the_end_of_a_talk_of_two_says_who_won_and_why() -> None:
    position = interpreted("oneshot-parley", "council").position(1)
    s = position.record
    s.status_of_game, s.result, s.talk_winner, s.successes[0] = 1, st.Result.SUCCESS, 0, 3
    assert position.game.spec.result(position, "de")[0].startswith("  Erster: das Gespräch ist gewonnen, 3 Erfolge")
    s.successes[0] = 1  # counted twice or not: it read `1 Erfolge`
    assert position.game.spec.result(position, "de")[0].endswith(
        ": das Gespräch ist gewonnen, 1 Erfolg, 2 waren nötig."
    )
    assert position.game.spec.result(position, "en")[0].endswith("wins the talk: 1 success, 2 were needed.")
    one = interpreted("oneshot-parley", "market").position(1)
    r = one.record
    r.status_of_game, r.result, r.talk_winner, r.successes[0] = 1, st.Result.SUCCESS, 0, 2
    assert one.game.spec.result(one, "de")[0].endswith("2 Erfolge, 1 war nötig.")
    assert one.game.spec.result(one, "en")[0].endswith("2 successes, 1 was needed.")
    s.result, s.fails[1] = st.Result.BROKEN, 2
    assert "second loses the talk: after 2 failures" in position.game.spec.result(position, "en")[0]
    s.result, s.talk_winner = st.Result.DRAW, -1
    assert "Niemand gewinnt" in position.game.spec.result(position, "de")[0]


def test_the_numbers_below_a_wide_map_stand_below_their_columns() -> None:
    position = interpreted("oneshot-skirmish").position(1)
    width = int(position.game.params.grid_width)
    assert width > 10
    *_, tens, ones = draw_map(position.record, position.game.params, [s.name for s in position.game.seats], "en")
    assert len(ones) == 3 + 2 * width - 1
    numbers = [int((tens.ljust(len(ones))[at] + ones[at]).strip()) for at in range(3, len(ones), 2)]
    assert numbers == list(range(width))


def test_payoffs_have_a_german_comma() -> None:
    game = Game(system_of("kuhn").spec("kuhn", None, {"ante": 0.5, "bet": 1.5}, {}), compiled=False)
    position = game.position(1)
    while not position.over:
        position.apply(position.to_act()[0], position.legal(position.to_act()[0])[0])
    german = position.game.spec.result(position, "de")
    assert sorted(line.split()[0] for line in german[1:]) == ["Erster:", "Zweiter:"]
    assert sorted(line.split()[-1] for line in german[1:]) == ["+0,5", "\N{MINUS SIGN}0,5"]


@pytest.mark.parametrize(
    ("lang", "payoff", "wanted"),
    [
        ("en", -10.0, "The campaign is over: payoff -10."),
        ("de", -10.0, "Die Kampagne ist zu Ende: Auszahlung \N{MINUS SIGN}10."),
        ("de", 0.5, "Die Kampagne ist zu Ende: Auszahlung +0,5."),
    ],
)
def test_a_campaign_ends_with_the_payoff_that_its_game_told(lang: str, payoff: float, wanted: str) -> None:
    """The game had told "payoff -10", the run "payoff -10.00"."""
    host = SimpleNamespace(
        lang=lang,
        seed=1,
        tell=lambda line: None,
        text=lambda en, de: de if lang == "de" else en,
        game=lambda *given: {"payoff": payoff, "lines": []},
    )
    assert einblatt_solo.course(cast("Any", host)) == Score(payoff, wanted)


def test_a_run_tells_what_it_is_about() -> None:
    guide = run_of("einblatt").guide_in("de")
    assert [term for term, _ in guide] == [
        "Das Ziel", "Deine Entscheidung", "Was bleibt", "Die Konflikte", "Die Leiste über dem Tisch"
    ]  # fmt: skip
    conflicts = dict(guide)["Die Konflikte"]
    assert conflicts.startswith("1. eine Mauer: Geschick, du ziehst 8 Karten (Trumpf Pik), die Spielleitung 4; 2. eine")
    assert "6. im Ballkleid fliehen: Geschick, du ziehst 6 Karten (" in conflicts and conflicts.count(";") == 6
    english = run_of("einblatt").guide_in("en")
    assert len(english) == len(guide) and not {text for _, text in guide} & {text for _, text in english}


def test_wounds_are_counted_in_words() -> None:
    position = interpreted("scorekeeper-duel").position(1)
    for lang, word in (("en", "scratches 0/"), ("de", "schwere Wunden 0/")):
        told = position.told(0, lang)
        assert word in told and not re.search(r"\b(KR|LW|SW) \d", told)


def words(*texts: str) -> list[Option]:
    return [Option(number, f"option:{number}", text, "option", str(number), "") for number, text in enumerate(texts)]


def test_options_whose_codes_tell_nothing_are_grouped_by_what_they_list() -> None:
    options = words("none", "hardy", "lucky", "hardy, lucky", "hardy, calm", "hardy, lucky, calm")
    labels = [getattr(entry, "label", getattr(entry, "text", "")) for entry in grouped(options, most=2)]
    assert labels == ["none", "hardy", "lucky"]
    (hardy,) = [entry for entry in grouped(options, most=2) if isinstance(entry, Group)]
    inside = grouped(hardy.options, most=2)
    assert [len(entry.options) if isinstance(entry, Group) else entry.text for entry in inside] == [
        "hardy", 2, "hardy, calm"
    ]  # fmt: skip
    assert grouped(words("a", "b", "c"), most=2) == words("a", "b", "c")  # nothing to group by


def test_a_group_is_called_by_what_all_of_it_share() -> None:
    assert shared_words(["einen frechen Boten anwerben", "einen stillen Boten anwerben"]) == "einen … Boten anwerben"
    assert shared_words(["go 1 east", "go 2 west"]) == "go" and shared_words(["a b", "c d"]) == ""
    assert shared_words(["a b c", "a b"]) == "" and shared_words(["alone"]) == ""
    game = interpreted("konfrontation-campaign")
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 1)
    labels = {entry.label for entry in grouped(table.seen(0, "de").choices) if isinstance(entry, Group)}
    assert {"einen Charakter anwerben", "eine Unterstützung beginnen"} <= labels
    kept = [Option(n, f"edge:{n}", f"{word} foe", "edge", str(n), "", "gain an edge") for n, word in enumerate("abc")]
    entry = grouped([*words("x", "y"), *kept], most=2)[-1]
    assert isinstance(entry, Group) and entry.label == "gain an edge"
    hired = [Option(n, f"hire:{n}", f"einen {word} Boten anwerben", "hire", "", "") for n, word in enumerate("abc")]
    entry = grouped([*words("x", "y"), *hired], most=2)[-1]
    assert isinstance(entry, Group) and entry.label == "einen … Boten anwerben", "not by its article alone"


def test_friend_and_foe_of_a_melee_and_names_in_codes() -> None:
    game = interpreted("einblatt-melee")
    position = game.position(1)
    rows = position.told(0, "de").splitlines()
    sides = {name: row for name in ("Kyle", "Junge1") for row in rows if f" {name} " in row}
    assert "Helden" in sides["Kyle"] and "Dorf" in sides["Junge1"]
    assert game.seats[1].side == "PC" and game.seats[1].side_called("en") == "heroes"
    shown = position.told(0, "en")
    assert " heroes " in shown and "PC" not in shown, "an abbreviation as a name of a side tells nothing"
    assert "Dorf" not in interpreted("einblatt-duel").position(1).told(0, "de")
    attack = game.actions.parse("attack:3")
    for seed in range(1, 40):
        position = game.position(seed)
        while not position.over and attack not in position.legal(0):
            for seat in position.to_act():
                position.apply(seat, position.legal(seat)[0])
            position.roll()
        if not position.over:
            break
    speech = Speech(game, position, 0)
    assert speech.code(attack) == "attack:Boy1" and speech.text(attack, "de") == "greife Junge1 an"
    assert {speech.parse(text) for text in ("attack:Boy1", "Boy1", "Junge1", "greife junge1 an", "attack:3")} == {
        attack
    }


def test_a_draw_is_said_once() -> None:
    game = interpreted("konfrontation-clash")
    lines = ending_lines(game.position(1), "en", "a draw")
    assert lines[0] == "  a draw"


def test_a_build_is_asked_in_groups_without_codes_and_names_stage_and_points() -> None:
    """Special gift, then body -1, mind 4, charisma 1: what the body distributes is forced, what the mind does is 4."""
    lines: list[str] = []
    typed = iter(["special_gift", "2"])
    game = interpreted("oneshot-build")
    table = Table(game, {0: "human", 1: "first"}, 1)

    def read(prompt: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    Session(table, read=read, write=lines.append).run()
    told = "\n".join(lines)
    assert "stage 1/10: perks" in told and "hardy" not in told.split("Now:")[0]
    assert "option:" not in told and "(16)" in told
    asked = told.split("Now: ")[1]  # what the perks are stands above the list, in parentheses
    assert len(re.sub(r"^\(.*?\)$\n", "", asked, flags=re.MULTILINE | re.DOTALL).splitlines()) < 14
    assert "strength" in re.findall(r"Only one thing is possible \((.*?)\): ", told.replace("\n", " "))[0]
    assert "points to spend: " in told
