"""Who plays liar's dice."""
