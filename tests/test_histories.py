"""Histories by a book of what each seat saw and did: equal lives have equal keys, others have others."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.ews_rps.system import SYSTEM as EWS_RPS
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION
from probespiel.envs.oneshot.system import SYSTEM as ONESHOT


class Book:
    """Everybody sees dice and decisions, but those of one moment when all are made; a seat knows its own at once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.seen: list[Any] = []
        self.sealed: dict[int, int] = {}

    def die(self, outcome: int) -> None:
        """A die has fallen."""
        self.seen.append(("die", outcome))

    def decides(self, seat: int, action: int) -> None:
        """A seat is about to act."""
        self.sealed[seat] = action
        if self.position.to_act() == [seat]:
            self.seen.append(sorted(self.sealed.items()))
            self.sealed = {}

    def life(self, seat: int) -> str:
        """All that the seat saw and did."""
        return f"{seat} {self.seen} {self.sealed.get(seat)}"


def lives_of(game: Game, rng: random.Random, games: int) -> dict[str, int]:
    """Keys of all seats by their lives, in random games; two keys of one life are an error."""
    found: dict[str, int] = {}
    for _ in range(games):
        position = game.position()
        book = Book(position)
        while not position.over:
            if faces := position.die():
                outcome = rng.randrange(faces)
                book.die(outcome)
                position.fall(outcome)
                continue
            for seat in range(game.n_seats):
                life = book.life(seat)
                assert found.setdefault(life, position.key(seat)) == position.key(seat), life
            seat = rng.choice(position.to_act())
            action = rng.choice(position.legal(seat))
            book.decides(seat, action)
            position.apply(seat, action)
    return found


def ews_rps() -> Game:
    tests = [
        {"kind": "contest", "attacker_value": 12, "defender_value": 12 + d, "acting_seat": d % 2} for d in (0, 1, 3)
    ]
    return Game(EWS_RPS.declare({"tests": tests, "options": {"may_decline": True, "max_rounds": 2}}), compiled=False)


def dice() -> Game:
    tests = [{"kind": "contest", "attacker_value": 12, "defender_value": 12} for _ in range(2)]
    return Game(EWS_RPS.declare({"tests": tests, "options": {"procedure": "pm_d6"}}), compiled=False)


def clash() -> Game:
    setup = {
        "stage": "bid",
        "factions": {name: {"power": 2, "units": {f"{name}1": ["character", "shady"]}} for name in "AB"},
        "attack": {"target": "power", "type": "shady", "commit": ["A1"], "defence": ["B1"]},
    }
    return Game(KONFRONTATION.spec_of_setup(setup), compiled=False)


def campaign() -> Game:
    setup = {"mode": "campaign", "n_factions": 3, "turns": 2, "random_natures": True, "start_characters": ["shady"]}
    return Game(KONFRONTATION.spec_of_setup(setup), compiled=False)


@pytest.mark.parametrize("make", [ews_rps, dice, clash, campaign])
def test_equal_lives_have_equal_keys_and_others_others(make: Callable[[], Game]) -> None:
    found = lives_of(make(), random.Random(3), 40)
    assert len(set(found.values())) == len(found) > 60


def seen_of_a_talk(position: Position, me: int) -> tuple[Any, ...]:
    """4.4: of both methods, outcome classes and counts; of itself alone dice, moods that were read, and reactions."""
    s, other = position.record, 1 - me
    moods = (int(s.mood_relation[me]), int(s.mood_wounds[me])) if s.known[me] else None
    counts = [int(getattr(s, name)[who]) for name in ("fails", "successes", "recover_left") for who in (me, other)]
    outcomes = (int(s.l_outcome[me]), min(5, int(s.l_outcome[other])), s.tally.tolist())
    asked = position.phase() if position.to_act() == [me] else None
    return (*counts, *outcomes, moods, asked, int(s.speaker), int(s.step_no), position.over)


def test_talkers_remember_what_they_saw_and_no_more() -> None:
    """Twins that differ in what the other chose in secret are one to the seat until they look otherwise (4.4)."""
    game = Game(ONESHOT.spec("oneshot-parley", "council", {"goal_successes": 3}, {}), compiled=False)
    rng = random.Random(8)
    parted = 0
    for number in range(8):
        me, other = number % 2, 1 - number % 2
        twins = []
        mine = None
        for _ in range(8):
            position = game.position()
            triples = position.legal(me)
            mine = mine or rng.choice(triples)
            position.apply(me, mine)
            position.apply(other, rng.choice(position.legal(other)))
            position.apply(me, position.legal(me)[0])
            position.apply(other, rng.choice(position.legal(other)))
            position.fall(0)
            twins.append(position)
        true = twins[0]
        assert len({twin.key(me) for twin in twins}) == 1
        while not true.over:
            seat = true.to_act()[0]
            action = rng.choice(true.legal(seat))
            for twin in twins:
                twin.apply(seat, action)
            while faces := true.die():
                outcome = rng.randrange(faces)
                for twin in twins:
                    if twin.die():
                        twin.fall(outcome)
            if true.over:
                break
            same = [twin for twin in twins if seen_of_a_talk(twin, me) == seen_of_a_talk(true, me)]
            # whoever asks the other for a reaction is not told: such twins go other ways and are left out
            going = [twin for twin in twins if not twin.over and twin.to_act() == true.to_act()]
            assert all(twin.key(me) == true.key(me) for twin in same if twin in going)
            for twin in going:
                if twin not in same:
                    parted += 1
                    assert twin.key(me) != true.key(me)
            twins = [twin for twin in same if twin in going and twin.legal(seat) == true.legal(seat)]
            possible = int(true.record.possible[me])
            assert all(possible >> int(twin.record.triple[other]) & 1 for twin in twins)
            twins = [t for t in twins if t.legal(true.to_act()[0]) == true.legal(true.to_act()[0])]
    assert parted > 5
