"""What `probespiel new-module NAME --system oneshot` writes: a rule module that works, and its tests."""
