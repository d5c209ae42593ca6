"""What a person starts: command line, terminal play and reports."""
