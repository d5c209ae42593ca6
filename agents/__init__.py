"""Who plays: the agent protocol, the registry and the match loop."""
