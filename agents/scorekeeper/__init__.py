"""Who plays Scorekeeper: heuristics and the outlook of a fight."""
