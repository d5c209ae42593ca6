"""Speed of 1w6 EWS by rock-paper-scissors, beside PettingZoo's."""

from __future__ import annotations

import numpy as np

from .measure import Row, aec_work, alone, parallel_work, versus


def rows(t: float) -> list[Row]:
    """Tests by rock-paper-scissors: random play, the plain game beside PettingZoo's, and the strongest predictor."""
    from pettingzoo.classic import rps_v2

    from probespiel.agents.match import Match, Schedule
    from probespiel.envs import make_game
    from probespiel.envs.core.aec import ProbespielAEC
    from probespiel.envs.core.batch import Batch
    from probespiel.envs.core.parallel import ProbespielParallel

    batch = Batch(make_game("ews_rps"), 512)

    def rounds() -> int:
        return batch.play_random(8).decisions // 2  # both sides choose in every round

    # the same game as rps_v2: fifteen rounds, each scored by itself; every symbol is legal, so that both draw unmasked
    plain = make_game(
        "ews_rps", "plain_rps", tests=[{"kind": "contest", "attacker_value": 0, "defender_value": 0}] * 15
    )
    out = [
        alone("ews_rps batch, random play", "rounds", rounds, t),
        versus(
            "ews_rps AEC, plain game", "agent steps", aec_work(ProbespielAEC(plain), False), "rps_v2",
            aec_work(rps_v2.env(), False), t,
        ),
        versus(
            "ews_rps Parallel, plain game", "agent steps", parallel_work(ProbespielParallel(plain), False),
            "rps_v2 parallel", parallel_work(rps_v2.parallel_env(), False), t,
        ),
    ]  # fmt: skip
    with Match(make_game("ews_rps", "plain_rps"), ["mixture", "uniform"], 1, None) as match:
        seating = np.array([[0, 1]] * 4)

        def throws() -> int:
            match.play(Schedule.of(1, np.arange(4), seating))
            return 4000

        out.append(alone("ews_rps mixture against uniform, 1000 throws", "throws", throws, t))
    return out


GROUPS = {"ews_rps": rows}
