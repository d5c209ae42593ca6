"""What the engine offers to rule modules of ews_rps."""

from ..core.legal import allow
from ..core.modules.asking import allow_for, answer_of, ask, ask_all, lot, task, throw_die
from ..core.modules.hooks import amount_of, has, kind_of, target_of

__all__ = [
    "allow", "allow_for", "amount_of", "answer_of", "ask", "ask_all", "has", "kind_of", "lot", "target_of", "task",
    "throw_die",
]  # fmt: skip
