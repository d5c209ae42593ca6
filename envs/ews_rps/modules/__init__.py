"""Built-in rule modules of ews_rps, one file each."""
