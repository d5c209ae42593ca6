"""Who plays: the agent protocol, the registry and the match loop; importing it registers all games with gymnasium."""

from .registration import register_all

register_all()
