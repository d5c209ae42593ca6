"""einBlatt on the screen: the hand as cards, the table, and who stands how."""
