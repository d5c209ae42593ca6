"""What stands beside words of a talk: chances of the mood as it is, or as it began where nobody has read it."""

from __future__ import annotations

import pytest

from probespiel.app.oneshot.notes import legend, notes
from probespiel.app.oneshot.talk import chance, talk_of, threats_began
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.skirmish.numbers import wound_mood


def talking(scenario: str) -> Position:
    """A talk at the first question of what to say."""
    position = make_game("oneshot-parley", scenario, compiled=False).position(seed=5)
    position.roll()
    while position.phase() != "talk":
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[-1])
        position.roll()
    return position


def sight_of(position: Position, lang: str = "en") -> Sight:
    """What whoever is to speak sees."""
    seen = seen_of(position, position.to_act()[0], lang)
    return Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])


def test_the_mood_for_threats_begins_as_the_rules_say() -> None:
    """R74, of every number of wounds and every body."""
    for hurt in range(7):
        for body in range(4):
            assert threats_began(hurt, body) == wound_mood(hurt, 2 + body), (hurt, body)


@pytest.mark.parametrize("scenario", ["council", "market", "hostile_guard", "old_friend"])
@pytest.mark.parametrize("hurt", [0, 1, 3])
def test_the_chance_of_a_threat_is_that_of_its_own_mood(scenario: str, hurt: int) -> None:
    """R74: a threat to somebody unhurt begins at -2, whatever the relation is; it was told as if at 0."""
    position = talking(scenario)
    s, seat = position.record, position.to_act()[0]
    s.t_wounds[1 - seat] = hurt
    s.known[seat] = 0
    sight = sight_of(position)
    talk = talk_of(sight)
    assert talk is not None and not talk.known
    offset = int(position.game.params.social_offset) + int(position.game.params.social_tie)
    mod = int(s.t_social[seat, 0]) + int(position.game.params.request_difficulty) - int(s.t_malus[seat])
    wanted = [round(100 * float(chance(mod + wound_mood(hurt, 2 + body), body + offset))) for body in range(4)]
    assert talk.methods[0]["chances"] == wanted
    assert (talk.wounds == -2) == (hurt == 0)
    threat = next(choice for choice in sight.choices if choice.target == "aggressive")
    assert f"works {wanted[-1]} to {wanted[0]} %" in notes(sight)[threat.action]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_chances_of_a_mood_that_nobody_has_read_say_so(lang: str) -> None:
    position = talking("market")
    seat = position.to_act()[0]
    begun = {"en": "the mood as it began", "de": "die Stimmung, wie sie begann"}[lang]
    assert begun in legend(sight_of(position, lang))
    position.record.known[seat] = 1
    assert legend(sight_of(position, lang)) == ""
