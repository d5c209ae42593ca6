"""How Scorekeeper is learnt, the policies that ship, and how the outlook of a fight is fitted."""
