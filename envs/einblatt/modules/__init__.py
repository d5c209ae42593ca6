"""Built-in rule modules, one file each."""
