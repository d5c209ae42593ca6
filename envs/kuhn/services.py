"""What the engine offers to rule modules of Kuhn poker."""

from ..core.modules.hooks import has

__all__ = ["has"]
