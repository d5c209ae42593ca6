"""Exact analysis of Konfrontationen."""
