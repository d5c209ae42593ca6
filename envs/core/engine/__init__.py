"""One way to have jobs done by others: on this machine or on a cluster, with results as they finish.

`Work` says what is done to a job, an `Engine` has it done: `Local` by this process or some beside it, `Cluster` by the
workers of a Dask scheduler. Results are the same whoever makes them.
"""

from __future__ import annotations

from .local import Local
from .work import Deviation, Done, Engine, EngineError, Work, WorkersLost

__all__ = ["Deviation", "Done", "Engine", "EngineError", "Local", "Work", "WorkersLost"]
