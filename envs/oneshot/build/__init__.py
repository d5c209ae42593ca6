"""The build game."""
