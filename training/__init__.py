"""Learners: self-play, leagues, best responses and their checkpoints."""
