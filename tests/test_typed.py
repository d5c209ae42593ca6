"""What may be typed at the terminal: labels, codes, names, sets and groups of actions."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast

import pytest

from probespiel.app.session.advice import Advice, Adviser, Counsel
from probespiel.app.session.groups import Group, grouped
from probespiel.app.session.picks import choose_set, picks_of
from probespiel.app.session.sight import Choice
from probespiel.app.session.table import Table
from probespiel.app.terminal.play import Session
from probespiel.app.web.advised import advised
from probespiel.app.web.room import Hint
from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names, system_of
from probespiel.envs.core.rng import rand_below, rng_array
from tests.terminals import everybody
from tests.test_play import Script


@pytest.mark.parametrize("name", game_names())
def test_labels_and_codes_agree(name: str) -> None:
    """A number in the words of an action is that of its code, in every position met; and both can be typed."""
    system = system_of(name)
    for scenario in system.scenarios(name)[:2]:
        game = make_game(name, scenario, compiled=False)
        table, rng = everybody(game), rng_array(4)
        for _ in range(20):
            waiting = table.waiting()
            if not waiting:
                break
            for option in (o for lang in ("en", "de") for o in table.seen(waiting[0], lang).choices):
                words = re.findall(r"(?<![\w.,-])\d+(?![\w.,])", option.text)
                codes = re.findall(r"(?<=:)\d+(?=:|$)", option.code)
                # options and splits of a build are numbers in a list, whose words tell what they are
                if len(words) == len(codes) == 1 and option.verb not in ("option", "split"):
                    assert words == codes, option
            legal = table.legal(waiting[0])
            table.choose(waiting[0], legal[int(rand_below(rng, len(legal)))])


def attack(game: Game) -> tuple[Table, int]:
    """A campaign in which the first to act is asked who takes part in an attack."""
    table = everybody(game)
    seat = table.waiting()[0]
    table.choose(seat, game.actions.id("attack"))
    while table.position.phase() != "decl_commit":
        table.choose(seat, table.legal(seat)[0])
    return table, seat


def test_factions_go_by_their_names() -> None:
    game = make_game("konfrontation-campaign", "council", compiled=False)
    table = everybody(game)
    seat = table.waiting()[0]
    table.choose(seat, game.actions.id("attack"))
    others = [info for number, info in enumerate(game.seats) if number != seat]
    options = table.seen(seat, "de").choices
    assert sorted(option.text for option in options) == sorted(info.called("de") for info in others)
    assert {option.code for option in options} == {f"faction:{info.name}" for info in others}
    name, letter = others[1].called("de"), others[1].name
    for typed in (name, name.upper(), letter, letter.lower(), f"faction:{letter}"):
        script = Script("", typed)
        session = Session(table, read=script.read, write=script.write)
        assert session._ask(seat) == [next(option.id for option in options if option.text == name)]


def test_participants_in_any_order_and_taken_back() -> None:
    """Named in any order, taken back, and entered as the rules want them: the same as one by one in ascending order."""
    game = make_game("konfrontation-campaign", compiled=False)
    table, seat = attack(game)
    picks = picks_of(table, seat, "en")
    assert picks is not None and picks.close.code == "done"
    one, two, three = picks.options[:3]
    script = Script("", "3", one.code, "2", "two", "character 2", "log", "done")
    session = Session(table, read=script.read, write=script.write)
    chosen = session._ask(seat)
    assert chosen == [one.id, three.id, picks.close.id]
    assert f"Named so far: {one.text}, {two.text}, {three.text}" in script.text
    assert f"[x] {one.text}" in script.text and "] done" not in script.text  # what ends it is no thing to name
    session._take(chosen, seat)
    other, _ = attack(game)
    for option in (one, three, picks.close):
        other.choose(seat, option.id)
    assert other.replay().steps == table.replay().steps
    assert table.undo(seat) and picks_of(table, seat, "en") == picks  # all of them are one decision
    script = Script("", "3 1", "done")
    assert Session(table, read=script.read, write=script.write)._ask(seat) == chosen


@pytest.mark.parametrize(("lang", "said"), [("en", "naming this one first"), ("de", "diese zuerst zu nennen")])
def test_a_hint_says_what_it_values_where_several_are_named(lang: str, said: str) -> None:
    """The value of "character 3" was that of sets without the first two, and nobody said so."""
    table, seat = attack(make_game("konfrontation-campaign", compiled=False))
    picks = picks_of(table, seat, lang)
    assert picks is not None
    best = tuple(Advice(option.id, 0.5, 0.1, 0.3) for option in picks.options[:2])
    for simulations in (900, 0):
        script = Script("", "1", "hint", "done")
        session = Session(table, lang=lang, read=script.read, write=script.write)
        session.adviser = cast(Adviser, SimpleNamespace(
            name_in=lambda game: "search", best=lambda game, view, n=simulations: Counsel(n, best[: 2 if n else 1]),
            reply=lambda game, view, action: None,
        ))  # fmt: skip
        session._ask(seat)
        assert (said in " ".join(script.text.split())) == (simulations > 0), "one that is forced is worth nothing else"
    choices = [Choice.of(option) for option in picks.options]
    hint = Hint(0, "", 900, best)
    assert said in advised(hint, choices, table.game, lang, several=True).reason
    assert said not in advised(hint, choices, table.game, lang).reason


def test_a_set_that_is_not_allowed_changes_nothing() -> None:
    game = make_game("konfrontation-campaign", compiled=False)
    table, seat = attack(game)
    steps = table.replay().steps
    with pytest.raises(IllegalAction):
        choose_set(table, seat, [])
    assert table.replay().steps == steps
    script = Script("", "done", "1", "done")
    assert len(Session(table, read=script.read, write=script.write)._ask(seat)) == 2
    assert "At least one must be named before done." in script.text.splitlines()
    assert "decl_commit" not in script.text and "character:" not in script.text, "names of the inside"
    with pytest.raises(IllegalAction, match="not asked for several"):
        choose_set(everybody(game), 0, [1])


def test_many_actions_come_in_groups() -> None:
    """By verb, then by target; every action is in one group, and a group opens by its number."""
    game = make_game("scorekeeper-duel", compiled=False)
    table = everybody(game)
    options = table.seen(table.waiting()[0], "en").choices
    assert len(options) > 12
    groups = grouped(options)
    assert len(groups) <= 12 and grouped(options[:12]) == list(options[:12])
    assert sorted(o.id for g in groups for o in (g.options if isinstance(g, Group) else [g])) == table.legal(
        table.waiting()[0]
    )
    number = next(n for n, group in enumerate(groups, 1) if isinstance(group, Group))
    script = Script("", str(number), "", str(number), "2")
    chosen = Session(table, read=script.read, write=script.write)._ask(table.waiting()[0])
    group = groups[number - 1]
    assert isinstance(group, Group) and chosen == [group.options[1].id]


def test_words_find_what_they_are_in() -> None:
    """Part of the words is enough where it means one action; where it means several, these are listed."""
    game = make_game("scorekeeper-duel", compiled=False)
    table = everybody(game)
    seat = table.waiting()[0]
    script = Script("", "melee attack", "2")
    chosen = Session(table, read=script.read, write=script.write)._ask(seat)
    assert game.actions.codes[chosen[0]].startswith("melee:")
    script = Script("", "volle verteidigung")
    assert Session(table, read=script.read, write=script.write)._ask(seat) == [game.actions.id("full_defence")]
