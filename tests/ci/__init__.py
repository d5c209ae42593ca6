"""What `.ci/run` asks beyond tests, style and types."""
