"""konfrontation on the screen: the boards of the factions, the confrontation, and the bid."""
