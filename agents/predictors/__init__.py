"""Predicting an opponent's next symbol from a long history of simultaneous choices."""
