"""OneShot on the screen: the ground with reach and cover, the figures, and whose turn comes when."""
