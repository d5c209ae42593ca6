"""Generated missions of a party."""
