"""ews_rps, tests and contests by rock-paper-scissors: rules, actions, observations, texts and exact odds."""
