"""Numbers and words that people read beside a game and after it, each against a case worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.declaration import lineup_of
from probespiel.app.konfrontation import screen as power_screen
from probespiel.app.konfrontation.notes import _action, _Table
from probespiel.app.naming import agent_with_code, code_beside, seconds_called
from probespiel.app.oneshot import mission
from probespiel.app.oneshot.mission import Place, _diary
from probespiel.app.oneshot.talk import MOST_WOUNDS, threats_began
from probespiel.app.reasons import reason_of
from probespiel.app.scorekeeper.aim import CLASSES, likely
from probespiel.app.session import advice
from probespiel.app.session.advice import Advice, Counsel
from probespiel.app.session.groups import shared_start, shared_words
from probespiel.app.session.record import Played, standings
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight, number
from probespiel.app.session.solo import Host, RunError
from probespiel.app.terminal.hint import lines_of
from probespiel.app.web.graph import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, graph_of
from probespiel.envs.core.registry import make_game
from probespiel.envs.konfrontation.state import UNITS

# Hints


def test_a_hint_says_of_what_is_hardly_played_that_it_is() -> None:
    """0.5 % of a share would be rounded to nothing."""

    def told(share: float) -> str:
        best = (Advice(0, 1.0, 0.1, 1 - share), Advice(1, 0.5, 0.1, share))
        return lines_of(Counsel(1000, best), {0: "bet", 1: "pass"}, "en", (-2.0, 2.0))[3]

    for share, said in ((0.0, "0 %"), (0.001, "< 1 %"), (0.005, "< 1 %"), (0.0051, "1 %"), (0.25, "25 %")):
        assert f" {said}" in told(share).replace("(", " "), told(share)


def test_a_reason_tells_the_error_of_the_difference_and_its_share_of_all() -> None:
    """0.9 of 1; 0.3 and 0.1 make sqrt(0.1) = 0.32."""
    said = reason_of((Advice(0, 1.0, 0.3, 0.7), Advice(1, 0.1, 0.1, 0.3)), {0: "bet", 1: "pass"}, (0.0, 1.0), "en")
    assert "lose 0.90 ± 0.32 against it, 90 % of all" in said


def test_who_answers_for_others_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    asked: list[Any] = []

    def make_agent(name: str) -> Any:
        made.append(SimpleNamespace(name=name, prepare=lambda game: None, close=lambda: None))
        return made[-1]

    monkeypatch.setattr(advice, "make_agent", make_agent)
    monkeypatch.setattr(advice, "reply_to", lambda game, view, action, agent: asked.append((action, agent)))
    adviser = advice.Adviser()
    for action in (3, 4):
        adviser.reply(cast(Any, None), cast(Any, None), action)
    assert [one.name for one in made] == [advice.AGENT] and asked == [(3, made[0]), (4, made[0])]


# Words


def test_words_that_texts_share() -> None:
    assert shared_start(["go to the left", "go to the right"]) == "go to the" and shared_start(["go home"]) == ""
    assert shared_start(["attack: Anna", "attack: Berta"]) == "attack"
    assert shared_words(["hire a red one", "hire a blue one"]) == "hire a … one"
    assert shared_words(["hire a red one", "hire one"]) == "" and shared_words(["hire"]) == ""
    assert shared_words(["hire a red", "hire a blue"]) == "hire a"


@pytest.mark.parametrize(
    ("text", "told"),
    [("0.5", "0.5"), ("2.50", "2.5"), ("10", "10"), ("3.14159", "3.14"), ("0.01", "0.01"), ("0.001", "0.001"),
     ("1e10", "1e10"), ("soon", "soon")],
)  # fmt: skip
def test_seconds_have_two_places_at_most(text: str, told: str) -> None:
    assert seconds_called(text) == told


def test_of_a_level_the_code_is_not_told() -> None:
    name = "einblatt-duel"
    level = lineup_of(make_game(name, compiled=False)).levels[1]
    assert code_beside(level, name) == code_beside("human", name) == "" and "[" not in agent_with_code(
        level, name, "en"
    )
    assert code_beside("lowest_first", name) == "lowest_first"
    assert agent_with_code("search:sims=7", name, "en").endswith(" [search:sims=7]")


def test_levels_come_in_their_order_and_others_by_how_often_they_were_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """Level 1 was met once and level 2 twice; of two others the one that was met more often comes first."""
    numbers = {"easy": 1, "hard": 2}
    monkeypatch.setattr("probespiel.app.session.record.level_of", lambda game, opponent: numbers.get(opponent, 0))
    games = [
        Played(0.0, "kuhn", "", (), "", "", opponent, 1.0, 1.0, False, "")
        for opponent in ("rare", "often", "often", "hard", "hard", "easy")
    ]
    assert [one.opponent for one in standings(games)] == ["easy", "hard", "often", "rare"]


# The graph of an analysis


def graph(values: list[float], errors: list[float], number: int = 0) -> Any:
    """Of points at the steps 0, 2, 4, ...; the second decision surely lost something, and the value turned there."""
    points = [
        SimpleNamespace(
            number=2 * i,
            value=value,
            low=value - error,
            high=value + error,
            title=f"t{i}",
            text=f"was {i}",
            chance=i == 1,
        )
        for i, (value, error) in enumerate(zip(values, errors, strict=True))
    ]
    losses = [SimpleNamespace(number=2, sure=False), SimpleNamespace(number=4, sure=True)]
    return graph_of(cast(Any, SimpleNamespace(points=points, losses=losses, turning=4, lang="en")), number)


def test_a_value_that_never_moves_is_drawn_in_the_middle() -> None:
    """2 throughout: from 1 at the bottom to 3 at the top."""
    found = graph([2.0, 2.0, 2.0], [0.0] * 3)
    top, bottom = float(TOP), float(HEIGHT - BOTTOM)
    assert {dot.y for dot in found.dots} == {(top + bottom) / 2}
    assert found.ticks == ((bottom, "+1.0"), (top, "+3.0"))


def test_a_graph_goes_from_its_lowest_to_its_highest_interval() -> None:
    """From -1 to 3 with a tick at 0, which is left out where it lies near an end."""
    found = graph([0.0, 2.5, -0.5], [0.0, 0.5, 0.5], number=3)
    top, bottom = float(TOP), float(HEIGHT - BOTTOM)
    each = (bottom - top) / 4
    assert [label for _, label in found.ticks] == ["-1.0", "+0.0", "+3.0"]
    assert [y for y, _ in found.ticks] == pytest.approx([bottom, bottom - each, top])
    assert [dot.y for dot in found.dots] == pytest.approx([bottom - each, top + each / 2, bottom - each / 2], abs=0.06)
    assert [dot.x for dot in found.dots] == [LEFT, LEFT + (WIDTH - LEFT - RIGHT) / 2, WIDTH - RIGHT]
    assert found.steps == ((LEFT, 0), (LEFT + (WIDTH - LEFT - RIGHT) / 2, 2), (WIDTH - RIGHT, 4))
    assert [(dot.chance, dot.lost, dot.turning) for dot in found.dots] == [
        (False, False, False), (True, False, False), (False, True, True)]  # fmt: skip
    assert found.here == pytest.approx(LEFT + (WIDTH - LEFT - RIGHT) * 0.75, abs=0.06)
    band = [pair.split(",") for pair in found.band.split(" ")]
    assert float(band[1][1]) == top and float(band[3][1]) == bottom, "over the second point, under the last one"
    assert [label for _, label in graph([-0.1, 3.0], [0.0, 0.0], 3).ticks] == ["-0.1", "+3.0"]
    assert [label for _, label in graph([1.0, 3.0], [0.0, 0.0]).ticks] == ["+1.0", "+3.0"]
    assert graph([1.0, 3.0], [0.0, 0.0], 3).here == WIDTH - RIGHT, "a forced end"


# konfrontation


@pytest.mark.parametrize(("double_base", "factor", "own"), [(False, 2, 2), (True, 3, 3), (False, 3, 3)])
def test_a_recruit_counts_as_one_in_its_own_type_does(double_base: bool, factor: int, own: int) -> None:
    params = SimpleNamespace(recruit_cost=1, nature_multiplier=factor, double_base=double_base)
    table = table_of(params)
    recruit = cast(Any, SimpleNamespace(verb="recruit"))
    assert _action(table, recruit) == f"strength 1, {own} in confrontations of its own type; costs 1 power"


def table_of(params: Any) -> Any:
    """What notes of an action look at."""
    table = object.__new__(_Table)
    for name, value in {"params": params, "sight": SimpleNamespace(pick=lambda en, de: en)}.items():
        object.__setattr__(table, name, value)
    return table


def test_the_screen_shows_the_strength_of_every_faction() -> None:
    """Three characters less and a support of 4 more for one of two, and what they have already won."""
    position = make_game("konfrontation-campaign", compiled=False).position(seed=5)
    position.roll()
    s = position.record
    seat = position.to_act()[0]
    s.units[1 - seat] |= 1 << (UNITS - 1)
    s.value[1 - seat, UNITS - 1], s.power[seat] = 4, 7
    strengths = [sum(int(s.value[f, u]) for u in range(UNITS) if s.units[f] >> u & 1) for f in (0, 1)]
    assert strengths[0] != strengths[1]
    seen = seen_of(position, seat, "en")
    drawn = power_screen.draw(Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices]))
    assert drawn is not None
    boards = drawn.values["boards"]
    assert [board["strength"] for board in boards] == [strengths[seat], strengths[1 - seat]]
    assert boards[0]["power"] == 7 and boards[0]["me"] and not boards[1]["me"]


@pytest.mark.parametrize("defends", [False, True])
def test_the_screen_of_a_confrontation_shows_both_sides(defends: bool) -> None:
    """The seat that looks has strength 5 and has bid 2 of its power, the other one 7 and 3."""
    clash = np.zeros(25)
    clash[0] = 1.0
    clash[1 + defends], clash[6 + (not defends)], clash[11], clash[17] = 1.0, 1.0, 1.0, 1.0
    clash[[19, 20]], clash[22], clash[[23, 24]] = np.array([5, 7]) / 40, 1 / 3, np.array([2, 3]) / 20
    game = SimpleNamespace(n_seats=2, params=SimpleNamespace(max_ties=3))
    sight = SimpleNamespace(pieces={"clash": clash}, game=game, seat=1, names=("Anna", "Berta"), lang="en",
                            pick=lambda en, de: en)  # fmt: skip
    found = power_screen._clash(cast(Any, sight))
    assert found is not None and found["own"] == 5 and (found["ties"], found["max_ties"]) == (1, 3)
    assert (found["attacker"], found["defender"]) == (("Anna", "Berta") if defends else ("Berta", "Anna"))
    assert found["strengths"] == ((7, 5) if defends else (5, 7)) and found["bids"] == ((3, 2) if defends else (2, 3))


# scorekeeper and oneshot


def test_what_a_blow_does_most_often_is_told_with_its_lethal_share() -> None:
    def told(*shares: float) -> str:
        return likely(dict(zip(CLASSES, shares, strict=True)), "en")

    assert told(0.1, 0.2, 0.4, 0.2, 0.1) == "most likely a light wound (40 %), lethal 10 %"
    assert told(0.4, 0.1, 0.1, 0.4, 0.0) == "most likely a severe wound (40 %)", "the worst of equal ones"
    assert (
        told(0.0, 0.0, 0.0, 0.3, 0.7) == "most likely a lethal wound (70 %)"
        and told(1, 0, 0, 0, 0) == "no wound (100 %)"
    )


def test_a_diary_adds_what_happens_to_the_room_in_which_it_does() -> None:
    """The newest room stands first."""
    events = ("the party comes to: hall", "there are two guards", "the party comes to: cellar", "!! a trap", "a sound")
    sight = SimpleNamespace(events=events, pick=lambda en, de: en)
    assert _diary(cast(Any, sight)) == ["cellar, a trap", "hall: two guards"]


def test_a_map_begins_at_its_westernmost_and_northernmost_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The party stands east of one room and south of another, to which its room has a way."""
    places = {(0, 0): Place(0, ways=(0,)), (-1, 0): Place(0), (0, 1): Place(None)}
    monkeypatch.setattr(mission, "known", lambda sight: places)
    sight = SimpleNamespace(lang="en", of_verb=lambda verb: (), pick=lambda en, de: en)
    found = mission._map(cast(Any, sight))
    step, gap = mission.ROOM + mission.GAP, mission.GAP
    assert [(room["x"], room["y"], room["here"]) for room in found["rooms"]] == [
        (gap, step + gap, False), (step + gap, step + gap, True), (step + gap, gap, False)]  # fmt: skip
    assert (found["width"], found["height"]) == (2 * step + gap, 2 * step + gap) and found["placed"] == []


@pytest.mark.parametrize("german", [False, True])
def test_all_of_a_map_is_drawn_where_it_lies(german: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms of 40 with 22 between them: the party's, a door north of it, the target to its east, and a room south."""
    places = {
        (0, 0): Place(0, ways=(0, 1)), (0, 1): Place(None), (1, 0): Place(6, ways=(3, 2)), (0, -1): Place(5, True),
    }  # fmt: skip
    monkeypatch.setattr(mission, "known", lambda sight: places)
    north, out = SimpleNamespace(target="north"), SimpleNamespace(target="out")
    sight = SimpleNamespace(lang="de" if german else "en", of_verb=lambda verb: [out, north] if verb == "go" else [],
                            pick=lambda en, de: de if german else en)  # fmt: skip
    found = mission._map(cast(Any, sight))
    kinds = [words[german] for words in mission.ROOMS]
    assert german or (kinds[0], kinds[5], kinds[6]) == ("entrance", "event room", "target area")
    unknown, you = ("unbekannt", "ihr") if german else ("unknown", "you")
    drawn = [
        (22, 146, 42, 166, False, 5, "◆", False, kinds[5], None, False),
        (22, 84, 42, 104, True, 0, "E", False, kinds[0], None, False),
        (22, 22, 42, 42, False, None, "?", False, unknown, north, False),
        (84, 84, 104, 104, False, 6, "★", True, kinds[6], None, True),
    ]
    names = ("x", "y", "cx", "cy", "here", "kind", "sign", "todo", "name", "go", "target")
    assert [tuple(room[name] for name in names) for room in found["rooms"]] == drawn
    assert found["links"] == [(42, 104, 42, 42), (42, 104, 104, 104), (104, 104, 42, 104)]
    assert (found["width"], found["height"], found["size"], found["placed"]) == (146, 208, 40, [north])
    assert found["words"] == f"{kinds[5]}; {kinds[0]} ({you}); {unknown}; {kinds[6]}"
    assert found["legend"] == [("E", kinds[0]), ("◆", kinds[5]), ("★", kinds[6])]


@pytest.mark.parametrize(("wounds", "mood"), [(0, -2), (1, -1), (2, 1), (3, 2), (6, 2), (8, 2)])
def test_wounds_of_the_other_are_read_as_they_are(wounds: int, mood: int) -> None:
    """With a body of 1 the limit is 3: more than half of it frightens, and all of it quite."""
    assert number(wounds / 8, MOST_WOUNDS) == wounds and threats_began(wounds, 1) == mood


# Runs of a single person


def test_a_person_is_asked_where_there_is_a_choice_and_answers_of_before_count() -> None:
    kept: list[Any] = [1, 2, True]
    notes = SimpleNamespace(lang="en", seed=1, settings={}, path="run.json", known=False,
                            take=lambda what: kept.pop(0) if kept else None,
                            add=lambda what, found: added.append((what, found)))  # fmt: skip
    added: list[tuple[str, int]] = []
    shown: list[str] = []

    class Face(Host):
        def show(self, text: str) -> None:
            shown.append(text)

        def ask(self, question: str, options: Any) -> int:
            return len(options) - 1

    host = Face(cast(Any, notes))
    assert host.pick("which?", ["one"]) == 0 and kept == [1, 2, True]
    assert host.pick("which?", ["one", "two"]) == 1 and not added
    for _ in range(2):
        with pytest.raises(RunError, match=r"0\.\.1 are possible"):
            host.pick("which?", ["one", "two"])
    assert host.pick("which?", ["one", "two", "three"]) == 2 and added == [("pick", 2)]
    host.tell("once")
    notes.known = True
    host.tell("again")
    assert shown == ["once"]
