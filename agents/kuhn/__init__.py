"""Who plays Kuhn poker."""
