"""One game of a match played once more, step by step, so that it can be watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..envs.core.errors import ProbespielError
from ..envs.core.replay import Recorder, Replay
from .base import Requests
from .entrants import AnyMatch, LoadoutMatch
from .faults import Fault, illegal
from .match import Match, Schedule


@dataclass(frozen=True)
class Recorded:
    """A game that was played again: the steps, decisions int32[seats] as in `Outcome`, and who forfeited, by seat.

    The replay of a game that somebody forfeits ends at that decision: its rules know no forfeits.
    """

    replay: Replay
    decisions: np.ndarray
    faults: Mapping[int, Fault] = field(default_factory=dict)


def recorded(match: AnyMatch, schedule: Schedule, names: Sequence[str], absent: Sequence[int] = ()) -> Recorded:
    """A game of a schedule of one row, as a match plays it; `names` are those of the agents, by index.

    Agents in `absent` (indexes) are not asked and forfeit. Raises ProbespielError for a schedule of other length.
    """
    if len(schedule) != 1:
        raise ProbespielError(f"a schedule of {len(schedule)} games: one is recorded at a time")
    table = [names[int(i)] for i in schedule.seating[0]]
    if isinstance(match, LoadoutMatch):
        match, schedule, absent = match.of_row(schedule, absent)
    return _recorded(match, schedule, table, absent)


def _recorded(match: Match, schedule: Schedule, names: Sequence[str], absent: Sequence[int]) -> Recorded:
    """The same without loadouts; `names` by seat."""
    game, seating = match.game, schedule.seating[0].tolist()
    players = [match.players[i] for i in seating]
    for index in dict.fromkeys(seating):
        player = match.players[index]
        player.restart(index in absent)
        player.clear()
        if player.alone:
            player.begin([seat for seat, i in enumerate(seating) if i == index], int(schedule.tables[0]))
    agents = {game.seats[seat].name: name for seat, name in enumerate(names)}
    recorder, dice = Recorder(game, agents=agents), schedule.dice[:1].copy()
    recorder.roll(dice)
    counts = np.zeros(game.n_seats, dtype=np.int32)
    faults: dict[int, Fault] = {}
    while not recorder.position.over:
        state = np.frombuffer(recorder.position.to_bytes(), dtype=np.uint8).reshape(1, -1)
        chosen: dict[int, int] = {}
        # All answer before any answer is entered: simultaneous choices stay unknown to the others.
        for seat in recorder.position.to_act():
            player = players[seat]
            asked = Requests.gather(game, state, [0], [seat], player.seed, schedule.tables[:1], [counts[seat]])
            answer = player.ask(asked, np.zeros(1, np.int64), schedule.tables[:1])
            chosen[seat] = int(answer.actions[0])
            if answer.faults:
                faults[seat] = answer.faults[0]
            elif chosen[seat] not in recorder.position.legal(seat):
                faults[seat] = illegal(game, chosen[seat])
        if faults:
            break
        for seat, action in chosen.items():
            recorder.apply(seat, action)
            counts[seat] += 1
        recorder.roll(dice)
    return Recorded(recorder.replay(), counts, faults)


__all__ = ["Recorded", "recorded"]
