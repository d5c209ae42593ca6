"""What stands beside words of a talk: chances of the mood as it is, or as it began where nobody has read it."""

from __future__ import annotations

import random

import pytest

from probespiel.app.oneshot.notes import legend, notes
from probespiel.app.oneshot.talk import chance, talk_of, threats_began
from probespiel.app.session.notes import legends_on, notes_on
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.parley.ending import ending_lines
from probespiel.envs.oneshot.parley.rules import lie_chance
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


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_attributes_and_points_of_a_talk_are_for_is_told_where_they_are_chosen(lang: str) -> None:
    """R70, R71: nothing said against what words are tried; claims have no such words."""
    kinds = {"en": "cunning ones against its mind", "de": "listige gegen ihren Geist"}[lang]
    position, told = make_game("oneshot-parley", "council", compiled=False).position(seed=5), list[str]()
    for phase in ("triple", "split"):
        position.roll()
        assert position.phase() == phase
        seen = seen_of(position, 0, lang)
        lines = legends_on(sight_of(position, lang), seen.choices)
        assert len(lines) == 1 and kinds in lines[0]
        told += lines
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[0])
    assert told[0] != told[1]
    claim = make_game("oneshot-parley", "claim", compiled=False).position(seed=5)
    claim.roll()
    assert legend(sight_of(claim, lang)) == ""


@pytest.mark.parametrize("scenario", ["lone_claim", "claim"])
def test_how_often_a_lie_shows_is_that_of_the_rules(scenario: str) -> None:
    """R88: `nachhaken` and `verzichten` looked alike, and nothing said that one never finds anything."""
    position = make_game("oneshot-parley", scenario, compiled=False).position(seed=5)
    position.roll()
    while position.phase() != "claim_probe":
        position.apply(position.to_act()[0], position.legal(position.to_act()[0])[0])
        position.roll()
    s, p = position.record, position.game.params
    for mind, insight in ((0, 0), (3, 0), (2, 3)):
        s.t_value[1, 1], s.t_insight[1] = mind, insight
        seen = seen_of(position, position.to_act()[0], "de")
        sight = Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])
        told = {choice.verb: notes_on(sight)[choice.action] for choice in sight.choices}
        assert f"Geist {mind}  Menschenkenntnis {insight}" in seen.told and "Schritt" not in seen.told
        for verb, probed in (("probe", 1), ("decline", 0)):
            shares = []
            for cunning in (3, 0):
                s.t_social[0, 1] = cunning
                shares.append(round(100 * int(lie_chance(s, p, probed)) / 36))
            wanted = f"{shares[0]} bis {shares[1]}" if shares[0] != shares[1] else f"{shares[0]}"
            assert f": eine Lüge zeigt sich zu {wanted}\N{NO-BREAK SPACE}%" in told[verb]


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "relation -2 (hostile)"), ("de", "Beziehung −2 (feindlich)")])  # fmt: skip
def test_a_relation_is_told_in_words(lang: str, wanted: str) -> None:
    """R73: `Beziehung +0` was a number without a meaning."""
    position = make_game("oneshot-parley", "interrogation", compiled=False).position(seed=5)
    position.roll()
    assert wanted in position.told(0, lang)


@pytest.mark.parametrize(("lang", "wanted"), [("en", "anybody had 1 success."), ("de", "jemand 1 Erfolg hatte.")])
def test_one_success_is_no_plural(lang: str, wanted: str) -> None:
    position = make_game("oneshot-parley", "market", compiled=False).position(seed=5)
    position.roll()
    position.apply(0, position.game.actions.id("leave"))
    assert wanted in "\n".join(ending_lines(position, lang))


@pytest.mark.parametrize(("lang", "heals", "burns"), [
    ("en", "takes 2 wounds away", "everybody within 1 of the target, friends too: d6 +1 against the defence"),
    ("de", "heilt 2 Wunden", "alle bis 1 neben dem Ziel, auch Freunde: W6 +1 gegen die Verteidigung"),
])  # fmt: skip
def test_items_say_what_they_do(lang: str, heals: str, burns: str) -> None:
    """R113, R115: a draught and a flask stood in the list without a word, among attacks with theirs."""
    position, found = make_game("oneshot-skirmish", "party_battle", compiled=False).position(seed=2), dict[str, str]()
    lot = random.Random(3)
    for _ in range(300):
        position.roll()
        if position.over or len(found) == 2:
            break
        position.record.wounds[:8] = 1
        sight = sight_of(position, lang)
        beside = notes_on(sight)
        found |= {c.verb: beside[c.action] for c in sight.choices if c.verb in ("heal", "flask")}
        position.apply(position.to_act()[0], lot.choice(position.legal(position.to_act()[0])))
    assert found == {"heal": heals, "flask": burns}
