"""Games that their rules do not survive, kept as replays that show where they broke."""

from __future__ import annotations

from collections.abc import Sequence
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
    return {"who": spec.seats[int(seat)].name, "what": spec.actions.describe(int(action))}


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


__all__ = ["failing_steps", "kept_game", "last_of", "told"]
