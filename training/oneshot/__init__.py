"""How OneShot is learnt, and the policies that ship."""
