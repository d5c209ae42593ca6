"""How 1w6 EWS by rock-paper-scissors is learnt, and the policies that ship."""
