"""What only trainings for einBlatt need: the distance of a policy to the known value of the duel."""
