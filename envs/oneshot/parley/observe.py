"""What a talker sees of a talk or a claim, as numbers (4.4)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.observe import Piece, parts
from ..state import Parley, Phase

TALK_PIECES = (
    ("sheet", (16,), "own attributes, methods, insight, perks, wound malus"),
    ("mode", (3,), "solo, versus, claim"),
    (
        "talk",
        (13,),
        "steps, own failures / 5, own successes / 5, other failures / 5, other successes / 5, recovery / 10, "
        "saga / 10, luck / 5, relation / 2, wounds of the other / 8, mood is read, mood of the relation / 2, "
        "mood of the wounds / 2",
    ),
    ("last", (11,), "own last attempt: method, natural, confirm, total, outcome"),
    ("counts", (3, 5), "own outcomes by method"),
    ("node", (8,), "talk, react_fail, react_six, triple, split, claim_probe, claim_judge, claim_tell"),
    ("claim", (6,), "probed, sign, own statement; dice of the check one may react to; own character chosen"),
)
TALK_SIZE = 72


def talk_pieces() -> list[Piece]:
    """The observation of a parley."""
    return [
        Piece(name, shape, -1, 1, doc, parts(doc) if name in ("mode", "talk", "node") else ())
        for name, shape, doc in TALK_PIECES
    ]


@kernel
def write_talk(s: Any, p: Any, me: int, out: Any, at: int) -> int:
    """What talker `me` sees."""
    other = 1 - me
    for k in range(3):
        out[at + k] = (s.t_value[me, k] + 1) / 6.0
        out[at + 3 + k] = min(1.0, s.t_social[me, k] / 4.0)
    out[at + 6] = min(1.0, s.t_insight[me] / 14.0)
    for k in range(8):
        out[at + 7 + k] = s.t_perks[me] >> k & 1
    out[at + 15] = s.t_malus[me]
    at += 16
    out[at + min(p.mode, 2)] = 1.0
    at += 3
    out[at] = min(1.0, s.step_no / p.max_steps)
    out[at + 1] = min(1.0, s.fails[me] / 5.0)
    out[at + 2] = min(1.0, s.successes[me] / 5.0)
    out[at + 3] = min(1.0, s.fails[other] / 5.0)
    out[at + 4] = min(1.0, s.successes[other] / 5.0)
    out[at + 5] = min(1.0, s.recover_left[me] / 10.0)
    out[at + 6] = min(1.0, s.t_saga[me] / 10.0)
    out[at + 7] = min(1.0, s.t_luck[me] / 5.0)
    out[at + 8] = p.relation / 2.0
    out[at + 9] = min(1.0, s.t_wounds[other] / 8.0)
    out[at + 10] = s.known[me]
    if s.known[me]:
        out[at + 11] = s.mood_relation[me] / 2.0
        out[at + 12] = s.mood_wounds[me] / 2.0
    at += 13
    if s.l_method[me] >= 0:
        out[at + s.l_method[me]] = 1.0
    out[at + 3] = s.l_nat[me] / 6.0
    out[at + 4] = s.l_conf[me] / 6.0
    out[at + 5] = max(-1.0, min(1.0, s.l_sum[me] / 12.0))
    if 0 <= s.l_outcome[me] < 5:
        out[at + 6 + s.l_outcome[me]] = 1.0
    at += 11
    for m in range(3):
        for o in range(5):
            out[at + 5 * m + o] = min(1.0, s.tally[me, m, o] / p.max_steps)
    at += 15
    node = s.node
    if node == Phase.TALK:
        out[at] = 1.0
    elif node == Phase.REACT_FAIL:
        out[at + 1] = 1.0
    elif node == Phase.REACT_SIX:
        out[at + 2] = 1.0
    elif node == Phase.TRIPLE:
        out[at + 3] = 1.0
    elif node == Phase.SPLIT:
        out[at + 4] = 1.0
    elif node == Phase.CLAIM_PROBE:
        out[at + 5] = 1.0
    elif node == Phase.CLAIM_JUDGE:
        out[at + 6] = 1.0
    elif node == Phase.CLAIM_TELL:
        out[at + 7] = 1.0
    at += 8
    if me == 1:
        out[at] = s.probed
        out[at + 1] = s.sign
    elif p.mode == Parley.CLAIM:
        out[at + 2] = s.truth
    if s.node in (Phase.REACT_FAIL, Phase.REACT_SIX):
        if s.ck_who == me:
            out[at + 3] = s.ck_natural / 6.0
            out[at + 4] = s.ck_confirm / 6.0
    if s.sealed[me] >= 0 or s.triple[me] >= 0:
        out[at + 5] = 1.0
    return at + 6
