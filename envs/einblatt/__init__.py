"""einBlatt: rules, actions, observations and texts."""
