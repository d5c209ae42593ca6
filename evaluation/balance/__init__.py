"""Balance: parameter values of a rule module that meet what its designer wants."""
