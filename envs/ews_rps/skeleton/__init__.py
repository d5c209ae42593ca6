"""What `probespiel new-module NAME --system ews_rps` writes: a rule module that works, and its tests."""
