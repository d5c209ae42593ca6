"""Sample rule module: who is badly hurt no longer counts (when a fight is over)."""

from typing import Any

from probespiel.envs.oneshot.module import Module
from probespiel.envs.oneshot.services import badly_hurt

module = Module("faint_heart", "A figure that is badly hurt fights on, but its team cannot win by it alone.")


@module.hook
def stands(s: Any, p: Any, who: int, ok: int) -> int:
    """A team whose figures are all badly hurt has lost."""
    return 0 if badly_hurt(s, who) else ok
