"""How Goofspiel is learnt."""
