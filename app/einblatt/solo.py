"""einBlatt alone: its campaign is the run, one game from the first conflict to the last, whose payoff is the score."""

from __future__ import annotations

from typing import Any

from ...envs.core.game import Game, Position
from ...envs.core.registry import system_of
from ..opponents import opponent_for
from ..session.solo import Host, Score, SoloRun
from ..session.table import cast
from ..terminal.play import THINK

GAME = "einblatt-campaign"


def outcome(position: Position) -> dict[str, Any]:
    """What the hero has reached."""
    return {"payoff": float(position.returns()[0]), "lines": list(position.game.spec.result(position, "en"))}


def course(host: Host) -> Score:
    """The campaign."""
    host.tell(
        host.text(
            "For einBlatt the run is the campaign: one conflict after the other, and what is spent stays spent.",
            "Für einBlatt ist der Lauf die Kampagne: ein Konflikt nach dem anderen, und was weg ist, bleibt weg.",
        )
    )

    def seats(game: Game) -> dict[int, str]:
        return cast(game, 0, opponent_for(game, THINK))

    found = host.game(lambda: system_of(GAME).spec(GAME, None, {}, {}), seats, host.seed, outcome)
    points = float(found["payoff"])
    words = host.text("The campaign is over: payoff", "Die Kampagne ist zu Ende: Auszahlung")
    return Score(points, f"{words} {points:+.2f}.")


RUN = SoloRun(
    ("The campaign, from the first conflict to the last.", "Die Kampagne, vom ersten Konflikt bis zum letzten."), course
)
