"""How 1w6 EWS by rock-paper-scissors is judged."""

from __future__ import annotations

from ..declaration import Analysis, Command
from .commands import bench_rps, check_out, measured, odds

ANALYSIS = Analysis(
    pace={"ews_rps": 1.3},
    focus={"ews_rps": ("uniform",)},
    commands={
        "odds": Command(odds),
        "bench-rps": Command(
            bench_rps,
            out="CSV file with the mean return against every opponent",
            several=False,
            alone=True,
            check_out=check_out,
            agents=lambda values: measured(values["agents"], values["agent"]),
        ),
    },
)
