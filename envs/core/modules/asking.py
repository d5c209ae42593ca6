"""What modules ask, throw and put off in any system: a stack beside the rules, which wait until it is empty.

A hook cannot wait for an answer. What it asks for here is kept in the record and dealt with when the rules come to
their next halt (`entry.settle`): the frame put last comes first. A question goes to one seat or to several, whose
answers stay sealed until all are in; dice are chance of the game like any other. The fields `mq_...` stand at the end
of the state record, and only in rule sets with a module that needs them (`bind.asks`).
"""

from __future__ import annotations

from typing import Any

from ..events import EventLayout
from ..jit import kernel
from ..legal import allow
from ..rng import mix
from . import hooks

ASKING = False  # whether the rule set has the fields; bound when it is built
STACK = 16  # frames
LOG = 16  # entries for the reader, of one step
MOST_ANSWERS = 2000  # answers to questions of modules after which a game is stopped
QUESTION, LOT, DIE, TASK = 1, 2, 3, 4  # kinds of frames
ANSWERED, THROWN = 1, 2  # kinds of entries for the reader
ENTRY = EventLayout(kind=(8, 0), who=(8, -1), what=(16, 0), value=(31, 0))
AT, LOW = ENTRY.at, ENTRY.low

_FRAME = ("mq_kind", "mq_owner", "mq_what", "mq_who", "mq_faces", "mq_owing", "mq_asked")


def fields(seats: int) -> list[tuple]:
    """The fields for the state record; `seats` is the capacity in seats (or figures) that can be asked."""
    single = ("mq_depth", "mq_stopped", "mq_taken", "mq_redeal", "mq_shown", "mq_core", "mq_public", "mq_logs")
    return [
        *[(name, "i8") for name in single],
        *[(name, "i8", (STACK,)) for name in _FRAME],
        ("mq_sealed", "i8", (seats,)),
        ("mq_told", "i8", (seats,)),
        ("mq_log", "i8", (LOG,)),
    ]


# --- what hooks call --------------------------------------------------------------------------------------------------


@kernel
def ask(s: Any, owner: int, phase: int, seat: int) -> None:
    """Module `owner` (write ME) asks a seat in one of its phases; everybody sees the answer."""
    push(s, QUESTION, owner, phase, seat, 0, 1 << seat)


@kernel
def ask_all(s: Any, owner: int, phase: int, seats: int) -> None:
    """Module `owner` (write ME) asks some seats (bits; -1 all) at once; sealed until all have answered."""
    if seats:
        push(s, QUESTION, owner, phase, -1, 0, seats)


@kernel
def answer_of(s: Any, seat: int) -> int:
    """What a seat answered to the question that was revealed last: an action, -1 if it was not asked."""
    return s.mq_told[seat] - 1


@kernel
def task(s: Any, owner: int, what: int, seat: int) -> None:
    """Module `owner` (write ME) goes on in its hook `task` when all that it asks for from now on is done."""
    push(s, TASK, owner, what, seat, 0, 0)


@kernel
def lot(s: Any, owner: int, what: int, seat: int, faces: int) -> None:
    """Module `owner` (write ME) wants a fair die without a name; its hook `fell` gets the outcome, 0 .. faces - 1."""
    push(s, LOT, owner, what, seat, faces, 0)


@kernel
def throw_die(s: Any, owner: int, die: int, seat: int) -> None:
    """Module `owner` (write ME) throws one of its named dice for a seat; its hook `fell` gets `die` and the outcome."""
    push(s, DIE, owner, die, seat, hooks.sides_of(die), 0)


@kernel
def allow_for(words: Any, action: int, targets: int, most: int) -> None:
    """Add an action for every target in a set (bits) and every amount up to `most`; see `target_of`, `amount_of`."""
    for choice in range(action, action + hooks.choices_of(action)):
        target = hooks.target_of(choice)
        if (target < 0 or targets >> target & 1) and hooks.amount_of(choice) <= most:
            allow(words, choice)


# --- the stack --------------------------------------------------------------------------------------------------------


@kernel
def held(s: Any) -> bool:
    """Whether the rules wait for something that a module has asked for."""
    if ASKING:
        return s.mq_depth > 0
    return False


@kernel
def push(s: Any, kind: int, owner: int, what: int, who: int, faces: int, asked: int) -> None:
    """A frame on top; too many stop the game (`mq_stopped`)."""
    f = s.mq_depth
    if f >= STACK:
        s.mq_stopped = 1
        return
    s.mq_kind[f], s.mq_owner[f], s.mq_what[f], s.mq_who[f] = kind, owner, what, who
    s.mq_faces[f], s.mq_owing[f], s.mq_asked[f] = faces, asked, asked
    s.mq_depth = f + 1


@kernel
def pop(s: Any) -> None:
    """The top frame is done."""
    s.mq_depth -= 1
    f = s.mq_depth
    s.mq_kind[f] = s.mq_owner[f] = s.mq_what[f] = s.mq_who[f] = s.mq_faces[f] = s.mq_owing[f] = s.mq_asked[f] = 0


@kernel
def kind_on_top(s: Any) -> int:
    """Kind of the top frame, 0 none."""
    return s.mq_kind[s.mq_depth - 1] if s.mq_depth else 0


@kernel
def faces_on_top(s: Any) -> int:
    """Faces of the die that is on top, 0 none."""
    return s.mq_faces[s.mq_depth - 1] if s.mq_depth else 0


@kernel
def owing(s: Any) -> int:
    """Those who owe an answer to the question on top, bit set."""
    return s.mq_owing[s.mq_depth - 1] if s.mq_depth else 0


@kernel
def name_all(s: Any, p: Any) -> None:
    """Where the question on top goes to all (-1, as `p.NAME_seats` may be), those are all who can have a module."""
    f = s.mq_depth - 1
    if s.mq_asked[f] < 0:
        s.mq_asked[f] = s.mq_owing[f] = p.mq_holders


@kernel
def present(s: Any) -> None:
    """The phase of the question on top is the one that is asked; that of the rules is kept for later."""
    if kind_on_top(s) == QUESTION:
        if s.mq_shown == 0:
            s.mq_core = s.ask_phase
            s.mq_shown = 1
        s.ask_phase = s.mq_what[s.mq_depth - 1]


@kernel
def hide(s: Any) -> None:
    """The phase of the rules is the one that is asked again."""
    if s.mq_shown:
        s.ask_phase = s.mq_core
        s.mq_core = 0
        s.mq_shown = 0


@kernel
def clear_log(s: Any) -> None:
    """Nothing has happened since the last step."""
    for i in range(s.mq_logs):
        s.mq_log[i] = 0
    s.mq_logs = 0


@kernel
def log(s: Any, kind: int, who: int, what: int, value: int) -> None:
    """An entry of `ENTRY` for the reader."""
    if s.mq_logs < LOG:
        s.mq_log[s.mq_logs] = kind | (who - LOW[1]) << AT[1] | (what - LOW[2]) << AT[2] | (value - LOW[3]) << AT[3]
        s.mq_logs += 1


# --- what happens to the frame on top ---------------------------------------------------------------------------------


@kernel
def legal_answers(s: Any, p: Any, who: int, words: Any) -> None:
    """What one of those asked may answer."""
    f = s.mq_depth - 1
    hooks.legal_of(s, p, s.mq_owner[f], s.mq_what[f], who, words)


@kernel
def answer(s: Any, p: Any, who: int, action: int) -> None:
    """One of those asked answers; when all have, the answers are revealed and the module is told, one by one."""
    f = s.mq_depth - 1
    s.mq_taken += 1
    if s.mq_taken >= MOST_ANSWERS:
        s.mq_stopped = 1
    s.mq_sealed[who] = action + 1
    s.mq_owing[f] &= ~(1 << who)
    if s.mq_owing[f]:
        return
    owner, phase, asked = s.mq_owner[f], s.mq_what[f], s.mq_asked[f]
    hide(s)
    pop(s)
    for i in range(len(s.mq_sealed)):
        s.mq_told[i] = s.mq_sealed[i]
        s.mq_sealed[i] = 0
        if asked >> i & 1:
            s.mq_public = mix(s.mq_public, s.mq_told[i])
            log(s, ANSWERED, i, phase, s.mq_told[i] - 1)
    for i in range(len(s.mq_told)):
        if asked >> i & 1:
            hooks.answered(s, p, owner, phase, i, s.mq_told[i] - 1)


@kernel
def fell(s: Any, p: Any, outcome: int) -> None:
    """The die on top falls."""
    f = s.mq_depth - 1
    kind, owner, what, who = s.mq_kind[f], s.mq_owner[f], s.mq_what[f], s.mq_who[f]
    pop(s)
    s.mq_public = mix(s.mq_public, outcome + 1)
    if kind == DIE:
        log(s, THROWN, who, what, outcome)
    hooks.fell(s, p, owner, what, who, outcome)


@kernel
def run_task(s: Any, p: Any) -> None:
    """The task on top comes up."""
    f = s.mq_depth - 1
    owner, what, who = s.mq_owner[f], s.mq_what[f], s.mq_who[f]
    pop(s)
    hooks.task(s, p, owner, what, who)
