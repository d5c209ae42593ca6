"""What `probespiel new-module NAME --system scorekeeper` writes: a rule module that works, and its tests."""
