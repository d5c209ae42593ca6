"""Odds and builds of OneShot."""
