"""What the engine offers to rule modules of Goofspiel."""

from ..core.modules.hooks import has

__all__ = ["has"]
