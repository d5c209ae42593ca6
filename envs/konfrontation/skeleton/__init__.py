"""What `probespiel new-module NAME --system konfrontation` writes: a rule module that works, and its tests."""
