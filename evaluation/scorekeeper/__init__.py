"""Odds and exact analysis of Scorekeeper."""
