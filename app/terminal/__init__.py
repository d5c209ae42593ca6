"""Playing at the terminal: a face of `app/session` in lines of text, plain or coloured."""
