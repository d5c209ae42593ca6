"""How Leduc poker is learnt."""
