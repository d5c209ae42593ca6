"""What the engine offers to rule modules of ews_rps."""

from ..core.legal import allow
from ..core.modules.hooks import has

__all__ = ["allow", "has"]
