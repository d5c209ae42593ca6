"""Event lines of OneShot: dice with what they come to, edges that end, the own die of a talk."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from probespiel.app.oneshot.screen import draw as draw_build
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.parley.text import told_die
from probespiel.envs.oneshot.skirmish.effects import drop_edges
from probespiel.envs.oneshot.state import Talk
from probespiel.envs.oneshot.text import told_roll
from tests.test_told_at_the_table import packed


def play(game: Game, seed: int, most: int, wanted: str = "", hurt: bool = False) -> list[tuple[Position, list[int]]]:
    """Positions with the events of the step that led there; `wanted`: the kind of action taken where it can be.

    `hurt`: one more wound fells any figure.
    """
    position, lot, seen = Position(game), random.Random(seed), list[tuple[Position, list[int]]]()
    if hurt:
        position.record.wounds[:] = position.record.limit
    for _ in range(most):
        while faces := position.die():
            position.fall(lot.randrange(faces))
            seen.append((position.clone(), list(position.events())))
        if position.over:
            break
        who = position.to_act()[0]
        legal = position.legal(who)
        best = [action for action in legal if game.actions.codes[action].partition(":")[0] == wanted]
        position.apply(who, lot.choice(best or legal))
        seen.append((position.clone(), list(position.events())))
    return seen


def kinds(events: list[int]) -> list[tuple[int, ...]]:
    return [st.EVENT.unpack(event) for event in events]


@pytest.mark.parametrize(("natural", "total", "needed", "won", "english", "german"), [
    (5, 8, 6, True, "die 5, total 8, needed 6", "Würfel 5, zusammen 8, nötig 6"),
    (2, 3, 6, False, "die 2, total 3, needed 6", "Würfel 2, zusammen 3, nötig 6"),
    (1, 7, 6, False, "die 1, confirmed", "Würfel 1, bestätigt"),
    (6, 5, 6, True, "die 6, confirmed", "Würfel 6, bestätigt"),
    (1, 2, 6, True, "die 1", "Würfel 1"),  # by luck, which has a line of its own
])  # fmt: skip
def test_a_roll_says_its_die_and_what_decided(
    natural: int, total: int, needed: int, won: bool, english: str, german: str
) -> None:
    """R24: numbers that would say the opposite of what happened are left out."""
    assert told_roll(natural, total, needed, won, "en") == english
    assert told_roll(natural, total, needed, won, "de") == german


def test_an_attack_and_a_survival_roll_say_their_die() -> None:
    """R42, R50: what the die showed, what it came to, what was needed; the same in the record."""
    game, met = make_game("oneshot-skirmish", "wounded_last_stand", {"diehard": {}}, compiled=False), Counter[str]()
    for seed in range(1, 9):
        for position, events in play(game, seed, 120, "attack", hurt=True):
            for event, (kind, _, _, _) in zip(events, kinds(events), strict=True):
                line, s = game.say(event, None, "de"), position.record
                if kind in (st.Event.HIT, st.Event.MISS):
                    die, total, needed = map(int, re.findall(r"-?\d+", line.split(": ")[1]))
                    assert (total >= needed) == (kind == st.Event.HIT) and 1 <= die <= 6
                    met["hit" if kind == st.Event.HIT else "miss"] += 1
                elif kind == st.Event.SURVIVAL:
                    numbers = re.search(r"Überlebenswurf: Würfel (\d), zusammen (-?\d+), nötig 4", line)
                    assert numbers and (int(numbers[2]) >= 4) == ("bewusstlos" in line) == bool(s.l_survival)
                    met["survival"] += 1
        if met["survival"] and met["hit"] and met["miss"]:
            return
    raise AssertionError(met)


def begun(name: str, scenario: str | None = None, **options: Any) -> Position:
    position = make_game(name, scenario, compiled=False, **options).position(3)
    position.roll()
    return position


def test_an_edge_that_ends_has_a_line() -> None:
    """R86: as many ends as edges that were on and are off, and each names both."""
    game, ended = make_game("oneshot-skirmish", "duel_mirror", compiled=False), 0
    for seed in range(1, 6):
        edges: set[tuple[int, int, int]] = set()
        for position, events in play(game, seed, 60, "edge"):
            s = position.record
            now = {(m, a, b) for m in range(3) for a in range(2) for b in range(2) if s.edge[m, a, b]}
            told = {(b, who, a) for kind, who, a, b in kinds(events) if kind == st.Event.EDGE_END}
            assert told == edges - now
            ended += len(told)
            edges = now
    assert ended > 3
    line = packed(st.EVENT, st.Event.EDGE_END, 0, 1, int(Talk.CUNNING))
    assert game.say(line, 0, "en") == "blue fighter is no longer feinted by red fighter"
    assert game.say(line, 0, "de") == "Kämpfer Blau ist nicht mehr getäuscht von Kämpfer Rot"


def test_a_figure_that_falls_ends_its_edges_with_a_line() -> None:
    """R87: those of it and those on it."""
    position = begun("oneshot-skirmish", "duel_mirror")
    s = position.record
    s.edge[Talk.AGGRESSIVE, 0, 1] = 2
    s.edge[Talk.DIPLOMATIC, 1, 0] = 1
    s.edges, s.n_events = 2, 0
    drop_edges(s, 0)
    told = {tuple(st.EVENT.unpack(int(event))) for event in s.events[: int(s.n_events)]}
    end = int(st.Event.EDGE_END)
    assert told == {(end, 0, 1, int(Talk.AGGRESSIVE)), (end, 1, 0, int(Talk.DIPLOMATIC))}


def test_the_own_die_of_a_talk_is_told_to_its_speaker_alone() -> None:
    """R70: the die and what is added to it, the mood apart; whoever listens knows neither."""
    game, met = make_game("oneshot-parley", "council", compiled=False), 0
    for seed in range(1, 5):
        for position, events in play(game, seed, 30, "aggressive"):
            for event, (kind, who, thrown, known) in zip(events, kinds(events), strict=True):
                if kind != st.Event.DIE:
                    continue
                s = position.record
                assert game.say(event, 1 - who, "de") == "" == game.say(event, None, "en")
                line = game.say(event, who, "de")
                assert f"Würfel {int(s.l_nat[who])}" in line and thrown % 10 == s.l_nat[who]
                if thrown < 100 and s.l_method[who] >= 0 and s.t_social[who].any():
                    assert f"zusammen {known} ohne Stimmung" in line
                    met += known == int(s.l_sum[who]) + int(position.game.params.request_difficulty)
    assert met > 3
    assert told_die(156, 3, "en") == "die 6, confirming die 5, total 3, needed 4"
    assert told_die(3, 5, "en") == "die 3, total 5 before the mood"


def test_the_die_of_a_talk_in_a_mission_is_told() -> None:
    game = make_game("oneshot-mission", compiled=False)
    line = packed(st.EVENT, st.Event.DIE, 0, 4, 6)
    assert game.say(line, 0, "de") == "Gespräch: Würfel 4, zusammen 6 ohne Stimmung"


def test_values_of_a_build_are_not_labelled_twice() -> None:
    """It was `Stärke/Kondition/Geschick: Stärke 0, Kondition 0, Geschick 0`, too long for a phone."""
    position = make_game("oneshot-build", compiled=False).position(1)
    while position.record.stage_no < 6:
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[-1])
    lines = position.told(0, "de").splitlines()
    labels = [line.partition(": ")[0].strip() for line in lines[1:7]]
    assert labels == ["Spezifika", "Attribute", "körperliche Punkte", "Kampfpunkte", "soziale Punkte", "Fertigkeiten"]
    assert lines[2].startswith("  Attribute: Körper ") and not any("/" in line for line in lines[1:])
    sight = sight_of(position)
    drawn = draw_build(sight)
    assert drawn is not None and all(
        row["chosen"] == [value]
        for row, value in zip(drawn.values["rows"][:6], (line.partition(": ")[2] for line in lines[1:7]))
    ), "the browser reads them there"


def sight_of(position: Position) -> Sight:
    seen = seen_of(position, 0, "de")
    return Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])


@pytest.mark.parametrize(("scenario", "line"), [
    ("interrogation", "nötig: die Eigenschaft der Gegenseite (Körper, Geist, Charisma); "
                      "Schwierigkeit −3 auf den Würfel"),
    ("stern_rules", "nötig: die Eigenschaft der Gegenseite + 3 (Körper, Geist, Charisma)"),
    ("council", "nötig: die Eigenschaft der Gegenseite + 3 (Körper, Geist, Charisma); "
                "Schwierigkeit −1 auf den Würfel"),
])  # fmt: skip
def test_a_talk_says_what_is_added_to_its_dice(scenario: str, line: str) -> None:
    """R70, R71: a 6 of nobody's value came to 3, and nothing said why."""
    position = begun("oneshot-parley", scenario)
    assert position.told(0, "de").splitlines()[:2] == ["Schritt 0/20", line]


@pytest.mark.parametrize(("scenario", "english", "german"), [
    ("duel_mirror", "a figure is 2 by 2 fields, its place the one on the lower left",
     "eine Figur ist 2 mal 2 Felder, ihr Platz das Feld links unten"),
    ("party_battle", "; : cover", "; : Deckung")])  # fmt: skip
def test_the_map_explains_its_signs(scenario: str, english: str, german: str) -> None:
    """Each letter stood there four times, and nobody said why, nor on which of the four fields a figure is."""
    game = make_game("oneshot-skirmish", scenario, compiled=False)
    position = Position(game)
    for lang, wanted in (("en", english), ("de", german)):
        (legend,) = (line for line in position.told(0, lang).splitlines() if wanted in line)
        assert ("obstacle" in legend or "Hindernis" in legend) == bool(game.params.obstacle_rows.any())
        assert len(legend) < 80 and not re.search(r"[+] (?:dead|tot)", legend)
    position.record.standing[1] = st.Status.DEAD
    assert "; + dead" in position.told(0, "en")
    position.record.span[:] = 1
    assert "figure" not in position.told(0, "en")
