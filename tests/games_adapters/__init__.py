"""Tiny games that the adapters are tested with, besides the real ones."""
