"""The stress lab: what a rule module does to its game."""
