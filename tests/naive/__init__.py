"""Slow, readable second implementations of the rules, against which the compiled kernels are compared."""
