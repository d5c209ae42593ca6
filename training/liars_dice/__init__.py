"""How liar's dice is learnt."""
