"""The contract of a skirmish: two teams on a grid, one seat a figure or one a team (4.3)."""

from __future__ import annotations

from typing import Any

from ...core.abi import ENDED, STOPPED
from ...core.jit import kernel
from ...core.legal import allow
from ...core.modules.asking import held
from .. import hooks
from ..character.figures import place_figure
from ..choices import Utility
from ..dicing import answer_reaction, check_fell, legal_reaction, remember
from ..state import DECLINE, LUCK, NOBODY, SAGA, Action, Die, FightStage, Phase, Status
from .arms import weak_spot_chosen, wound_answered
from .clock import begin_fight, finish, initiative_step
from .fight import act, allow_turn, fight_fell, fight_step
from .observe import ROWS, self_of, write_fight


@kernel
def pump(s: Any, p: Any) -> None:
    """Go on until a die is due, somebody is asked, or the game is over."""
    while s.status_of_game == 0 and s.die_faces == 0 and s.node == NOBODY and not held(s):
        if s.stage == FightStage.OVER:
            s.status_of_game = ENDED
        else:
            fight_step(s, p)


@kernel
def setup(s: Any, p: Any) -> None:
    """Figures take their places; the first initiative die is due."""
    s.node = NOBODY
    for i in range(len(s.x)):
        place_figure(s, p, i)
    begin_fight(s, p)
    initiative_step(s)  # not `pump`: every function that contains that takes seconds to compile
    if s.die_faces == 0:  # R41: nobody is up
        finish(s, -1)
        s.status_of_game = ENDED


@kernel
def go_on(s: Any, p: Any) -> None:
    """What modules had asked for is done."""
    pump(s, p)


@kernel
def seat_for(s: Any, p: Any, who: int) -> int:
    """The seat that decides for a figure."""
    return p.seat_of[who]


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall."""
    return s.die_faces


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A die of a check, of damage, of initiative, or of the order of a group."""
    s.n_events = 0
    remember(s, outcome + 1000)
    if s.die_kind == Die.CHECK or s.die_kind == Die.CONFIRM:
        who = s.die_at
        check_fell(s, p, s.saga[who], s.luck[who], outcome + 1)
    else:
        fight_fell(s, p, outcome)
    pump(s, p)


@kernel
def to_act(s: Any, p: Any) -> int:
    """The seat of the figure that is asked."""
    return 0 if s.node == NOBODY or s.status_of_game else 1 << p.seat_of[s.asked]


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Options of the node (4.1, 4.3)."""
    node = s.node
    if node == Phase.TURN:
        allow_turn(s, p, words)
    elif node == Phase.REACT_WOUND:
        allow(words, DECLINE)
        allow(words, SAGA)
    elif node == Phase.REACT_WEAK_SPOT:
        allow(words, DECLINE)
        allow(words, Action.WEAK_SPOT)
    else:
        legal_reaction(s, words)


@kernel
def decide(s: Any, p: Any, action: int) -> None:
    """The figure that is asked takes a legal action; then go on."""
    remember(s, action + 1)
    node = s.node
    if node == Phase.TURN:
        act(s, p, action)
    elif node == Phase.REACT_WOUND:
        wound_answered(s, p, action)
    elif node == Phase.REACT_WEAK_SPOT:
        weak_spot_chosen(s, p, action)
    else:
        who = s.ck_who
        if action == SAGA:
            s.saga[who] -= 1
        elif action == LUCK:
            s.luck[who] -= 1
        answer_reaction(s, p, action, s.saga[who], s.luck[who])
    pump(s, p)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action and go on."""
    s.n_events = 0
    s.decisions += 1
    decide(s, p, action)
    if s.decisions >= p.max_decisions and s.status_of_game == 0:
        s.status_of_game = STOPPED
        s.node = NOBODY
        s.die_faces = 0


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by the limit of decisions."""
    return s.status_of_game


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """+1, -1, 0 for all seats of a team, or the margin (4.3); 0 while the fight goes on."""
    worth = 0.0
    if s.status_of_game:
        if p.utility == Utility.WIN:
            if s.winner >= 0:
                worth = 1.0 if s.winner == 0 else -1.0
        else:
            up = 0
            hurts = 0
            for i in range(len(s.x)):
                if i < p.n:
                    sign = 1 if s.team[i] == 0 else -1
                    up += sign if s.standing[i] == Status.UP else 0
                    hurts -= sign * s.wounds[i]
            worth = up / max(p.members[0], p.members[1]) + hurts / 100.0
    for i in range(p.n):
        out[p.seat_of[i]] = worth if s.team[i] == 0 else -worth
    if s.status_of_game:
        for i in range(p.n):
            out[p.seat_of[i]] = hooks.payoff(s, p, i, out[p.seat_of[i]])


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """See `fight_pieces` in observe.py."""
    offset = write_fight(s, p, self_of(s, p, seat), p.hidden_stats, ROWS, out)
    return hooks.observe_modules(s, p, seat, out, offset)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Everything that chance has dealt is public."""
    s.n_events = 0
    hooks.forget_fields(s, seat)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """All dice and decisions, and who looks."""
    from_seat = seat + 1
    return s.public ^ (from_seat * 0x9E3779B97F4A7C1)
