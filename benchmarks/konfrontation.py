"""Speed of Konfrontationen."""

from __future__ import annotations

from .measure import Row, alone, random_play


def rows(t: float) -> list[Row]:
    """Random play of campaigns of two and of five factions, and exact clashes with eight power on each side."""
    from probespiel.agents.konfrontation.equilibrium import ConfrontationSolver, forget_bid_games
    from probespiel.envs import make_game

    name = "konfrontation-campaign"
    out = [
        random_play(f"{name} batch, random play, {scenario}", "decisions", make_game(name, scenario), 512, 4, t)
        for scenario in ("duel", "council")
    ]
    setup = make_game("konfrontation-clash", "debate").spec.options["factions"]
    rich = {name: {**faction, "power": 8} for name, faction in setup.items()}
    clash = make_game("konfrontation-clash", "debate", factions=rich, max_ties=10)

    def solved() -> int:
        forget_bid_games()
        ConfrontationSolver(clash).value(clash.position())
        return 1

    out.append(alone("konfrontation-clash solved, 8 power each", "clashes", solved, t))
    return out


GROUPS = {"konfrontation": rows}
