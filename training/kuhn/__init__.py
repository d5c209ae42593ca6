"""How Kuhn poker is learnt."""
