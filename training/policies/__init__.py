"""Trained policies that ship with the package (data files)."""
