"""What `probespiel new-module NAME --system kuhn` writes: a rule module that works, and its tests."""
