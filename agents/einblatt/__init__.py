"""Who plays einBlatt: heuristics and the abstraction of its cards."""
