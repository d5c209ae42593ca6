"""Exact analysis of einBlatt."""
