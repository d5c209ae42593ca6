"""Who plays OneShot: fighters, talkers, builders and parties."""
