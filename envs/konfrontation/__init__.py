"""konfrontation: factions confront each other; strength of those who take part, and hidden bids of power."""
