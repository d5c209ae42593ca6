"""Places in a row of the piece `seat` of an observation of einBlatt, as `envs/einblatt/observe.py` writes them."""

from __future__ import annotations

ME, ALLY, LEADER, HAND, DRAW, DISCARD, ATTRIBUTE, RESTRICTION, EP = 0, 1, 3, 4, 5, 6, 7, 8, 9
PASSED, OPEN, SPENT, WAITED, NO_CARD, CLASS, TRUMPS, SLEEVE, ALIVE = 11, 12, 13, 14, 15, 16, 17, 21, 25
