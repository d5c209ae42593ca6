"""What only trainings for Scorekeeper need: fitting the outlook of a fight."""
