"""How einBlatt is learnt, the policies that ship, and how far they are from the known value of the duel."""
