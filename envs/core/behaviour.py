"""What a game does, as a hash: equal hashes mean that games play alike, however their rules are written.

The hash of a rule set's source (`Game.ruleset`) changes with every edit. What a trained policy depends on is what its
game shows, allows and pays.
"""

from __future__ import annotations

import hashlib

import numpy as np

from .game import Game

GAMES = 32
LONGEST = 400  # dice and decisions of one game that are looked at
DIGITS = 4  # of observations and payoffs, so that another machine's last bit makes no difference


class _Draws:
    """A linear congruential generator (Knuth's MMIX), written out because a library's streams may change."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def behaviour(game: Game) -> str:
    """A hash (24 hex digits) of `GAMES` random games: who is asked, what is seen, legal and paid, at every step.

    Games are cut after `LONGEST` dice and decisions. Raises what the rules raise.
    """
    h = hashlib.sha256()
    for number in range(GAMES):
        draws, position = _Draws(number), game.position()
        for _ in range(LONGEST):
            if faces := position.die():
                outcome = draws.below(faces)
                h.update(b"die %d %d" % (faces, outcome))
                position.fall(outcome)
                continue
            asked = position.to_act()
            if not asked:
                break
            choices = []
            for seat in asked:
                seen, legal = np.round(position.observe(seat).astype(np.float64), DIGITS) + 0.0, position.legal(seat)
                h.update(b"seat %d" % seat + seen.astype("<f4").tobytes() + np.array(legal, "<i4").tobytes())
                choices.append((seat, legal[draws.below(len(legal))]))
            for seat, action in choices:
                position.apply(seat, action)
        h.update(b"end %d" % position.status + (np.round(position.returns(), DIGITS) + 0.0).astype("<f4").tobytes())
    return h.hexdigest()[:24]


__all__ = ["behaviour"]
