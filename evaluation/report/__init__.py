"""What all reports share: words, plots, templates."""
