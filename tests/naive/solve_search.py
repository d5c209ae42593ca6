"""PCFR+ as one reads it in the paper, over positions in plain Python: recursion, dictionaries, no tree in memory."""

from __future__ import annotations

from collections import defaultdict

from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import mix

Name = tuple[int, int]  # an information state: the seat, and what the record calls what it knows
NOBODY = -1


class Naive:
    """Learns by whole passes over the game for one seat after the other; all passes weigh the same in the average."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.regrets: dict[Name, dict[int, float]] = {}
        self.now: dict[Name, dict[int, float]] = {}
        self.average: dict[Name, dict[int, float]] = {}
        self.gains: dict[Name, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self.own: dict[Name, float] = {}

    def iterate(self) -> None:
        """A pass for each seat: seat 1 learns against what seat 0 has just learnt."""
        for learner in (0, 1):
            self.gains.clear()
            self.own.clear()
            self._value(self.game.position(), learner, 1.0, 1.0)
            for name, gains in self.gains.items():
                now, regrets = self.now[name], self.regrets[name]
                expected = sum(now[a] * gains[a] for a in now)
                wish = {}
                for a in now:
                    self.average[name][a] += self.own[name] * now[a]
                    regrets[a] = max(regrets[a] + gains[a] - expected, 0.0)
                    wish[a] = max(regrets[a] + gains[a] - expected, 0.0)
                total = sum(wish.values())
                self.now[name] = {a: wish[a] / total if total > 0 else 1 / len(wish) for a in wish}

    def strategy(self, name: Name) -> dict[int, float]:
        """The average strategy; that of now where the seat itself never comes."""
        sums = self.average[name]
        total = sum(sums.values())
        return {a: x / total for a, x in sums.items()} if total > 0 else self.now[name]

    def _value(self, at: Position, learner: int, own: float, others: float) -> float:
        """What a position is worth to the learner; `own` and `others` are chances of coming here."""
        faces = at.die()
        if faces:
            total = 0.0
            for outcome in range(faces):
                after = at.clone()
                after.fall(outcome)
                total += self._value(after, learner, own, others / faces) / faces
            return total
        seats = at.to_act()
        if not seats:
            return float(at.returns()[learner])
        seat, legal = seats[0], at.legal(seats[0])
        name = (seat, mix(at.key(seat), seat))
        if name not in self.now:
            self.now[name] = dict.fromkeys(legal, 1 / len(legal))
            self.regrets[name] = dict.fromkeys(legal, 0.0)
            self.average[name] = dict.fromkeys(legal, 0.0)
        now, total = self.now[name], 0.0
        if seat == learner:
            self.own[name] = own
        for action in legal:
            after = at.clone()
            after.apply(seat, action)
            if seat == learner:
                worth = self._value(after, learner, own * now[action], others)
                self.gains[name][action] += others * worth
            else:
                worth = self._value(after, learner, own, others * now[action])
            total += now[action] * worth
        return total
