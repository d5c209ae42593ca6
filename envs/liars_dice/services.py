"""What the engine offers to rule modules of Liar's dice."""

from ..core.modules.hooks import has

__all__ = ["has"]
