"""Who plays Leduc poker."""
