"""The rule modules of Scorekeeper, one file each."""
