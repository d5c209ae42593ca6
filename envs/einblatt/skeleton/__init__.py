"""What `probespiel new-module NAME --system einblatt` writes: a rule module that works, and its tests."""
