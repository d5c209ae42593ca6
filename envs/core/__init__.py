"""What every game stands on: contract, build, chance, actions, observations and adapters."""
