"""Who plays Konfrontationen: heuristics, and the equilibrium of a single confrontation."""
