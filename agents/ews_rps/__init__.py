"""Who plays 1w6 EWS by rock-paper-scissors: predictors and mixtures of them."""
