"""Tournaments: who is best, and how sure that is."""
