"""Goofspiel: both seats bid for point cards at the same moment; hidden or open bids."""
