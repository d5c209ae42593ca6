"""Liar's dice: ever higher bids on all dice, of which a seat sees only its own."""
