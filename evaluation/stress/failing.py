"""Games that their rules do not survive, kept as replays that show where they broke."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game, GameSpec
from ...envs.core.replay import Choice, Die, Recorder
from .conditions import Bench, Condition
from .lab import Lab
from .probe_kernel import COUNT, DOING, GAME

LAST = 12  # decisions that a report tells of the way to a fault


def told(spec: GameSpec, decision: Sequence[int]) -> dict[str, str]:
    """A decision (seat, action) in words."""
    seat, action = decision
    return {"who": spec.seats[int(seat)].called("en"), "what": spec.actions.describe(int(action))}


def kept_game(
    lab: Lab,
    condition: Condition,
    rng: np.ndarray,
    decisions: Sequence[Sequence[int]],
    path: str,
    final: Sequence[int] = (),
) -> dict[str, Any]:
    """Keep the game of some decisions (seat, action) under a path in the lab's folder, and tell of it.

    `rng` uint64[1] throws its dice. `final` is the decision after them by which the rules fail: the replay holds it
    apart, for no position comes of it.
    """
    made = lab.bench.game(condition)
    pairs = [(int(seat), int(action)) for seat, action in decisions]
    replay = Recorder.follow(made, pairs, rng=rng).replay()
    if final:
        plain = Bench(lab.bench.settings, compiled=False).game(condition)
        replay = replace(replay, fails=failing_steps(plain, rng, [*pairs, (int(final[0]), int(final[1]))]))
    target = lab.folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    replay.save(target)
    moves = [told(made.spec, decision) for decision in decisions[-LAST:]]
    out = {"replay": target.name, "moves": moves, "length": len(decisions)}
    return {**out, "final": told(made.spec, final)} if final else out


def as_far_as_kept(
    keep: Callable[[Sequence[Sequence[int]], Sequence[int]], dict[str, Any]], decisions: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """What `keep` tells of some decisions, or of the most of them that can be kept and the `final` one after them.

    `keep` raises ProbespielError where the rules fail. That need not be by the last decision: what is paid so far may
    be wrong long before it is asked for.
    """

    def kept(count: int) -> dict[str, Any] | None:
        try:
            return keep(decisions[:count], decisions[count] if count < len(decisions) else ())
        except ProbespielError:
            return None

    good, most = -1, len(decisions)
    for count in (most, most - 1):
        out = kept(count) if count >= 0 else None
        if out is not None:
            return {**out, "length": min(count + 1, len(decisions))}
    best: dict[str, Any] = {"replay": None, "moves": [], "length": 0}  # the rules fail while the game is set up
    while most - good > 1:  # so many decisions can be kept, and `most` cannot
        middle = (good + most) // 2
        out = kept(middle)
        if out is None:
            most = middle
        else:
            good, best = middle, {**out, "length": middle + 1}
    return best


def failing_steps(game: Game, rng: np.ndarray, decisions: Sequence[tuple[int, int]]) -> tuple[Die | Choice, ...]:
    """The last of some decisions with the dice after it, if the rules of an interpreted game fail by it alone.

    Nothing if they survive it, or do not come as far: compiled rules may fail where interpreted ones do not.
    """
    try:
        recorder = Recorder.follow(game, decisions[:-1], rng=rng)
    except ProbespielError:
        return ()
    return recorder.failing(*decisions[-1])


def last_of(path: Path) -> dict[str, Any] | None:
    """The game that was running when its process was lost, from the file that `search` kept; None if there is none."""
    if not path.is_file() or path.stat().st_size < 24:
        return None
    data = np.fromfile(path, dtype=np.int64)
    now = data[:3]
    course = data[3 : 3 + 2 * int(now[COUNT])].reshape(-1, 2)
    if now[DOING] == 0:
        return None
    return {"game": int(now[GAME]), "decisions": course.tolist(), "doing": int(now[DOING])}


__all__ = ["as_far_as_kept", "failing_steps", "kept_game", "last_of", "told"]
