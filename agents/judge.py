"""What a decision is worth for certain, where so little is left of a game that it can be solved.

Where both seats choose at once, the matrix game of what follows is solved; a small game in which something is hidden is
solved whole. What has no exact answer has none. (Dice of games of turns are counted out: see `perfect_information`.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from ..envs.core.game import Game, Position
from ..envs.core.registry import system_of
from ..envs.core.replay import Choice, Die
from ..envs.core.rng import mix
from .base import AgentError, View
from .declaration import lineup_of
from .exact import surely_too_large
from .matrix_game import solve_zero_sum
from .own_counters import own_counters
from .public_game import BOOKKEEPING, Memory, NotSolved, Remembers, TooMany, public_leads, public_worth
from .sequence_form import SequenceForm, best_plan

POSITIONS = 50_000  # behind a decision of which all is public
KEPT = 4  # times as many are remembered from one decision to the next
TREE = 30_000  # nodes of a whole game in which something is hidden
SLOWER = 25  # times fewer of both where the rules run interpreted, so that a person need not wait
UNREACHED = 1e-7  # a smaller chance to come to a decision is none
DOUBT = 1e-6  # how likely a seat takes the other to play by chance, where play without error never leads
SAME = 1e-6  # values that differ by less are equal, as far as programs are exact


@dataclass(frozen=True)
class Verdict:
    """What each legal action pays a seat's side, if both sides play without error from there on.

    `shares`: how often somebody who plays so takes each; empty where any best action will do.
    """

    values: Mapping[int, float]
    shares: Mapping[int, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def mixed(self) -> bool:
        """Whether somebody who plays so draws between several actions."""
        return any(SAME < share < 1.0 - SAME for share in self.shares.values())


@dataclass(frozen=True)
class Worths:
    """What seat 0 gets from each position of a recorded game if nobody errs from there on, float64[positions].

    Dice before the first choice may bring more than can be counted: the values before the position `first` are nan.
    `hidden`: seats do not know all of it, so that the value of a position is known to nobody at the table.
    """

    worth: np.ndarray
    hidden: bool
    first: int = 0


class Judge:
    """Exact verdicts on decisions of one game; a small hidden game is solved at the first question.

    `too_much` tells whether the last question found nothing because too much is left of the game.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.too_much = False
        sides = {seat.side for seat in game.seats}
        counted = lineup_of(game).counted
        self._in_turns = counted is not None and counted(game)  # counted out by others, where it is little enough
        self._opposed = game.n_seats == 2 and len(sides) == 2 and game.spec.zero_sum
        system = system_of(game.name)
        self._past = {*BOOKKEEPING, *system.bookkeeping}
        self._paid = {*system.counted, *own_counters(game)}
        slower = 1 if game.kernel.compiled else SLOWER
        self._positions, self._nodes = POSITIONS // slower, TREE // slower
        self._memory, self._strict = Memory(KEPT * self._positions), Memory(KEPT * self._positions)
        self._plans: tuple[SequenceForm, tuple[np.ndarray, np.ndarray]] | None = None
        self._whole = self._opposed  # whether the whole game may be solved

    def of(self, view: View) -> Verdict | None:
        """What the actions of a decision are worth; None where this house cannot tell, or there is but one."""
        self.too_much = self._in_turns and len(view.legal) > 1
        if self._in_turns or len(view.legal) < 2:
            return None
        if not self._opposed:
            return None
        return self._at_once(view) or self._hidden(view)

    def _at_once(self, view: View) -> Verdict | None:
        """By induction over positions; None where something is hidden."""
        here = view.world()
        if here.die() or view.seat not in here.to_act():
            return None
        try:
            leads = self._leads(here)
        except TooMany:
            self.too_much = True
            return None
        except NotSolved:
            return None
        played = solve_zero_sum(leads)
        values, shares = (
            (leads @ played.column, played.row) if view.seat == 0 else (-(played.row @ leads), played.column)
        )
        return Verdict(*(dict(zip(view.legal, map(float, x), strict=True)) for x in (values, shares)))

    def _leads(self, here: Position) -> np.ndarray:
        try:
            return public_leads(here, self._past | self._paid, self._positions, self._memory)
        except Remembers:
            return public_leads(here, self._past, self._positions, self._strict)

    def _hidden(self, view: View) -> Verdict | None:
        """By best plans of both seats; None where play without error by the other never leads to the decision."""
        solved = self._solved_whole()
        if solved is None:
            return None
        form, plans = solved
        tree, seat = form.tree, view.seat
        states = form.states[seat]
        at = np.flatnonzero(tree.keys[states] == mix(np.int64(view.key), np.int64(seat)))
        if len(at) != 1:
            return None
        info, side = int(at[0]), form.sides[seat]
        gains, reached = form.answers(seat, plans[1 - seat])
        if reached[info] < UNREACHED:
            return None
        begin, end = int(side.starts[info]), int(side.starts[info + 1])
        before, own = float(plans[seat][side.parent[info]]), plans[seat][begin:end]
        values = gains[begin:end]
        # a plan that avoids this decision says nothing about it: then one of the best actions will do
        shares = own / own.sum() if before > UNREACHED else np.arange(end - begin) == int(values.argmax())
        return Verdict(*(dict(zip(view.legal, map(float, x), strict=True)) for x in (values, shares)))

    def _solved_whole(self) -> tuple[SequenceForm, tuple[np.ndarray, np.ndarray]] | None:
        """The whole game with best plans of both seats; None where it is too large or no such game."""
        if self._plans is None and self._whole:
            self._whole = not surely_too_large(self.game, self._nodes)
            if self._whole:
                try:
                    form = SequenceForm(self.game, self._nodes)
                    self._plans = form, (best_plan(form, 0).plan, best_plan(form, 1).plan)
                except (AgentError, NotSolved):
                    self._whole = False
        return self._plans

    def worths(self, positions: Sequence[Position], steps: Sequence[Die | Choice]) -> Worths | None:
        """What every position of a recorded game is worth; step n leads from position n to position n + 1.

        None where one of them is not known for certain: values of two kinds do not make one course.
        """
        if not self._opposed or self._in_turns:
            return None
        found = self._in_public(positions, steps)
        if found is not None:
            return found
        worth = self._beside_hidden(positions, steps)
        return None if worth is None else Worths(worth, hidden=True)

    def _in_public(self, positions: Sequence[Position], steps: Sequence[Die | Choice]) -> Worths | None:
        """By induction over positions, the last one first; None where something is hidden, or too much is left."""
        found = np.full(len(positions), np.nan)
        for at in reversed(range(len(positions))):
            here, before = positions[at], positions[max(at - 1, 0)]
            try:
                if at > 0 and len(here.to_act()) == 1 and len(before.to_act()) == 2:
                    step = steps[at - 1]  # the other chooses without knowing this choice
                    assert isinstance(step, Choice)
                    leads, place = self._leads(before), before.legal(step.seat).index(step.action)
                    played = solve_zero_sum(leads)
                    found[at] = (leads @ played.column)[place] if step.seat == 0 else (played.row @ leads)[place]
                else:
                    found[at] = here.returns()[0] if here.over else self._worth(here)
            except NotSolved:
                chosen = any(isinstance(step, Choice) for step in steps[: at + 1])
                return None if chosen or at == len(steps) else Worths(found, hidden=False, first=at + 1)
        return Worths(found, hidden=False)

    def _worth(self, here: Position) -> float:
        try:
            return public_worth(here, self._past | self._paid, self._positions, self._memory)
        except Remembers:
            return public_worth(here, self._past, self._positions, self._strict)

    def _beside_hidden(self, positions: Sequence[Position], steps: Sequence[Die | Choice]) -> np.ndarray | None:
        """By best plans of both seats, each of which knows what it may know."""
        solved = self._solved_whole()
        if solved is None:
            return None
        form, plans = solved
        tree = form.tree
        worth = tree.values_of_nodes(_profile(form, plans), 0)
        found, node = [worth[0]], 0
        for here, step in zip(positions, steps, strict=False):
            if isinstance(step, Choice) and tree.chooser(node) != step.seat:
                return None  # who chose at once was asked in another order
            node = tree.child(node, step.fell if isinstance(step, Die) else here.legal(step.seat).index(step.action))
            found.append(worth[node])
        return np.array(found)


def _profile(form: SequenceForm, plans: Sequence[np.ndarray]) -> np.ndarray:
    """What both seats do at each of their information states (see `GameTree`), by their plans.

    Where these never lead it is what is best against the plan of the other, who with chance `DOUBT` plays anything.
    """
    profile = form.tree.uniform()
    full = [(1.0 - DOUBT) * plans[seat] + DOUBT * form.plan(seat, form.chances(seat, profile)) for seat in (0, 1)]
    for seat in (0, 1):
        side, (gains, _) = form.sides[seat], form.answers(seat, full[1 - seat])
        chances = np.empty(form.sizes[seat])
        for info, parent in enumerate(side.parent):
            begin, end = int(side.starts[info]), int(side.starts[info + 1])
            own = plans[seat][begin:end]
            best = np.arange(end - begin) == int(gains[begin:end].argmax())
            chances[begin:end] = own / own.sum() if plans[seat][parent] > UNREACHED else best
        profile[form.entries[seat]] = chances[1:]
    return profile


__all__ = ["SAME", "Judge", "Verdict", "Worths"]
