"""Who plays Goofspiel."""
