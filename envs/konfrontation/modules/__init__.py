"""Built-in rule modules of konfrontation, one file each."""
