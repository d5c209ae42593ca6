"""Optional rules of OneShot, one file each."""
