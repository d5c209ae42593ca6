"""Tournaments, ratings, metagame, exploitability and stress reports."""
