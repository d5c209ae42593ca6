"""Talks and claims."""
