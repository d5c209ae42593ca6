"""Baseline agents: random, heuristic and search players."""
