"""Odds of 1w6 EWS by rock-paper-scissors, and its benchmark of predictors."""
