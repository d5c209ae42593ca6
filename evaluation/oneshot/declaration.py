"""How OneShot is judged."""

from __future__ import annotations

from ..declaration import Analysis, Command
from .commands import builds, odds

ANALYSIS = Analysis(
    pace={"oneshot-skirmish": 2.3, "oneshot-build": 3.4, "oneshot-mission": 5.3},
    commands={
        "odds": Command(odds),
        "builds": Command(builds, out="folder for the text, the matrix and a plot", several=False, folder=True),
    },
)
