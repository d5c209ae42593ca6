"""How Konfrontationen is learnt, and the policies that ship."""
