"""Rule modules with a price whose balancing value is known exactly (see test_balance_known.py)."""
