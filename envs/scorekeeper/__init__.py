"""Scorekeeper: a fight in rounds, declared from slow to fast and carried out from fast to slow."""
