"""Kuhn poker: a three-card game whose solution is known, to check the machinery against."""
