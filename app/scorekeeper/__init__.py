"""Scorekeeper on the screen: the metre line, declarations, wounds in words, and chances to hit."""
