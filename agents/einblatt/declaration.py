"""Who plays einBlatt, and how its games are searched."""

from __future__ import annotations

from ...envs.core.game import Game
from ...envs.einblatt.state import Payoff
from ..declaration import LEVELS, NEWCOMER, Agents, Lineup, Outlook, Plans
from . import abstraction, outlook
from .baselines import BASELINES


def campaign_outlook(game: Game) -> Outlook | None:
    """How campaigns of two are valued between conflicts, where EP are what is paid and nothing else is carried over."""
    params = game.params
    paid = int(params.payoff) in (Payoff.EP, Payoff.EP_CLIPPED) and not game.spec.options.get("modules")
    return Outlook(outlook.clock, outlook.outlook, 1, c=1.0, margin=1.5) if paid and int(params.seats) == 2 else None


def best_three_solve(game: Game) -> float:
    """Who shuffles the best cards, one for each round, guarantees the value of a duel without modules (E1)."""
    return 0.0 if game.spec.options.get("modules") else 0.15


GERMAN = {
    "highest_first": "die beste Karte zuerst; greift an, wenn seine Karte gewinnen kann",
    "best3_shuffled": "die drei besten Karten in zufälliger Folge",
    "lowest_first": "die drei besten Karten, die niedrigste zuerst",
    "hunter": "greift an, wo kein Risiko ist",
    "turtle": "wartet hinter niedrigen Karten und antwortet mit hohen",
    "greedy_rescore": "die besten drei Karten, und die Wahl mit dem höchsten erwarteten Nutzen",
}


def melee_plans(game: Game) -> Plans:
    """The usual way beside which no other heuristic is shown to be better: another one in teams."""
    return Plans("lowest_first", every=True) if len(game.sides) < game.n_seats else Plans("highest_first")


AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    abstraction=abstraction,
    seat_values=(("focus", 32, 0), ("focus", 32, 1)),  # who attacks, and who is the ordered target
    lineups={
        "einblatt-duel": Lineup(
            rollout="best3_shuffled+greedy_rescore",
            solved=best_three_solve,
            policy_margin=1.0,  # in the duel with tricks
            policy_plays=True,
            policy_solves=True,
            field=(
                "random", "highest_first", "best3_shuffled", "lowest_first", "greedy_rescore", "search:sims=500",
                "policy", "cfr",
            ),
            # Evenly spread from a beginner to the search that keeps to the solution: none beyond it gains anything.
            levels=(
                LEVELS[0],
                "casual:sims=12,temperature=0.6,overlook=0.45",
                "casual:sims=20,temperature=0.45,overlook=0.37",
                LEVELS[2],
                "casual:sims=48,temperature=0.26,overlook=0.24",
                *LEVELS[3:6],
            ),
            ratings=(0, 21, 56, 84, 105, 119, 140, 154),
            remark=(
                "Each level takes 52 to 55 % from the one below: a duel leaves no room for more between eight.",
                "Jede Stufe nimmt der vorigen 52 bis 55 % ab: Mehr Platz lässt ein Duell zwischen acht Stufen nicht.",
            ),
        ),
        "einblatt-melee": Lineup(
            # Evenly spread from a beginner to the search that keeps to the policy: none beyond it gains anything.
            levels=(
                LEVELS[0],
                "casual:sims=13,temperature=0.58,overlook=0.43",
                "casual:sims=20,temperature=0.45,overlook=0.37",
                LEVELS[2],
                "casual:sims=48,temperature=0.26,overlook=0.25",
                "casual:sims=80,temperature=0.17,overlook=0.17",
                *LEVELS[4:6],
            ),
            ratings=(0, 28, 56, 84, 111, 146, 174, 209),
            remark=(
                "Each level takes 54 to 55 % from the one below: melees leave no room for more between eight.",
                "Jede Stufe nimmt der vorigen 54 bis 55 % ab: mehr Raum lassen Getümmel nicht für acht.",
            ),
            # A mixture, so that the search prepares for different opponents: measured in `tug_of_war`, each of the
            # three alone loses to another baseline, together to none.
            rollout="highest_first+lowest_first+best3_shuffled",
            policy_margin=1.0,
            plans=melee_plans,
            field=(
                "random", "highest_first", "best3_shuffled", "lowest_first", "hunter", "turtle", "greedy_rescore",
                "search:sims=200", "policy",
            ),
            pairing=200,
        ),
        "einblatt-campaign": Lineup(
            rollout="best3_shuffled+greedy_rescore",
            policy_margin=1.0,
            outlook=campaign_outlook,
            levels=(
                NEWCOMER,
                LEVELS[0],
                "casual:sims=14,temperature=0.56,overlook=0.425",
                "casual:sims=23,temperature=0.425,overlook=0.35",
                "casual:sims=33,temperature=0.337,overlook=0.297",
                "casual:sims=53,temperature=0.245,overlook=0.24",
                "casual:sims=94,temperature=0.155,overlook=0.155",
                LEVELS[5],
            ),
            ratings=(0, 92, 177, 262, 332, 417, 495, 573),
        ),
    },
)  # fmt: skip
