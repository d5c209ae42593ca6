"""What the engine offers to rule modules of Leduc poker."""

from ..core.modules.hooks import has

__all__ = ["has"]
