"""Abstractions: coarser views of a game, in which the solver finds strategies for games too large to solve as they are.

`agents/abstractions/<system>.py` holds three functions marked `@kernel`: `abstract_key(s, p, seat)` (information
states with equal keys are one), `abstract_legal(s, p, seat, words)` (abstract actions that are open) and
`abstract_action(s, p, seat, slot)` (the action that an abstract one stands for). They read only what their seat may
see.
"""
