"""Who plays Konfrontationen, and how its games are searched."""

from __future__ import annotations

from ...envs.core.game import Game
from ...envs.core.registry import system_of
from ..declaration import LEVELS, Agents, Lineup
from ..policy import ships_for
from ..rollouts import follows_policy
from .baselines import BASELINES

NEVER_LEFT = 1e9  # standard deviations by which nothing is better
RAID = "raid_lab"  # the campaign that can be solved


def campaign_opponent(game: Game) -> str:
    """Whom a person meets in a campaign: a search that follows the trained policy, where that has met the rules.

    Where it fits, but has not met them, the policy; else the strongest heuristic: a search without a policy has too few
    simulations in the time of a person, some 20 a second with four factions.
    """
    if follows_policy(game):
        return "search"
    return "policy" if ships_for(game) else "lookahead"


def matrix_solves(game: Game) -> float:
    """Of a clash without modules that begins with the defence or the bids `matrix` plays an equilibrium.

    Its bids are those of the matrix game, ties included, and the defence is worth what its bids are. A search never
    leaves that: in its tree what follows a choice of the defence is played by somebody who still tries everything, for
    many thousands of simulations, so that it ran home where it ought to stand.
    """
    options = game.spec.options
    known = not options.get("modules") and options["stage"] in ("bid", "defence")
    return NEVER_LEFT if known else 0.0


def raid_policy_solves(game: Game) -> float:
    """The policy of `raid_lab` loses 0.0046 a game to a best answer, exactly; searches gave away more than that."""
    system = system_of(game.name)
    alike = game.spec.scenario == RAID and game.spec.options == system.spec(game.name, RAID, {}, {}).options
    return NEVER_LEFT if alike else 0.0


GERMAN = {
    "builder": "baut das ganze Spiel Ressourcen; setzt nur, um eine zu retten",
    "rush": "wirbt seine häufigste Art an und überfällt damit Ressourcen",
    "zero_bid": "setzt nie; greift an, wo die Stärke allein reicht",
    "all_in": "greift jeden Zug das teuerste Ziel an und setzt immer alles",
    "matrix": "setzt nach dem Gleichgewicht; tut sonst, was am meisten wert ist",
    "raider": "greift an, wer keine Power hat, sonst sammelt es",
    "support_rush": "die größte Unterstützung, dann Angriffe in ihrer Art",
    "staller": "setzt, was zum Gleichstand reicht, oder nichts; baut",
    "lookahead": "plant die eigenen Aktionen voraus",
    "equilibrium": "setzt nach dem berechneten Gleichgewicht",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    own={"equilibrium": "equilibrium:EquilibriumAgent"},
    lineups={
        "konfrontation-clash": Lineup(
            rollout="matrix",
            solved=matrix_solves,
            field=(
                "random", "builder", "zero_bid", "all_in", "matrix", "staller", "lookahead", "equilibrium",
                "search:sims=200", "policy",
            ),
            # Who keeps to the equilibrium wins no less than it is worth, but fewer games than the seventh level.
            levels=(
                LEVELS[0],
                "casual:sims=24,temperature=0.42,overlook=0.35",
                "casual:sims=38,temperature=0.31,overlook=0.28",
                "casual:sims=50,temperature=0.25,overlook=0.24",
                LEVELS[3],
                "casual:sims=90,temperature=0.16,overlook=0.15",
                "casual:sims=150,temperature=0.08,overlook=0.08",
                "search:sims=1000,indifferent=0",
            ),
            ratings=(0, 28, 49, 58, 77, 105, 133, 133),
            remark=(
                "Up to the seventh each level takes 51 to 56 % from the one below: sealed bids leave no room for more. "
                "From the eighth less can be won; more games it does not win.",
                "Bis zur siebten nimmt jede Stufe der vorigen 51 bis 56 % ab: mehr Raum lassen verdeckte Gebote nicht. "
                "Von der achten ist weniger zu gewinnen; mehr Spiele gewinnt sie nicht.",
            ),
        ),
        "konfrontation-campaign": Lineup(
            ratings=(0, 93, 200, 308, 415, 515, 600, 720),
            rollout="lookahead",
            policy_margin=1.0,
            policy_plays=True,
            policy_solved=raid_policy_solves,
            field=(
                "random", "builder", "rush", "zero_bid", "all_in", "matrix", "raider", "support_rush", "staller",
                "lookahead", "search:sims=50", "policy",
            ),
            pairing=100,
            opponent=campaign_opponent,
            levels=(
                LEVELS[0],
                "casual:sims=24,temperature=0.405,overlook=0.35",
                "casual:sims=45,temperature=0.275,overlook=0.25",
                "casual:sims=73,temperature=0.187,overlook=0.183",
                "casual:sims=102,temperature=0.131,overlook=0.131",
                "casual:sims=141,temperature=0.092,overlook=0.092",
                "casual:sims=190,temperature=0.04,overlook=0.04",
                "search:sims=200",  # where no policy has met the modules of a game it is still above the seventh
            ),
            lab_levels=(
                LEVELS[0],
                "casual:sims=22,temperature=0.42,overlook=0.36",
                "casual:sims=40,temperature=0.3,overlook=0.27",
                "casual:sims=52,temperature=0.25,overlook=0.23",
                "casual:sims=90,temperature=0.15,overlook=0.15",
                "casual:sims=120,temperature=0.11,overlook=0.11",
                "casual:sims=170,temperature=0.07,overlook=0.07",
                "search:sims=100,prior=rollout",
            ),
            remark=("Each level takes 62 to 67 % from the one below.", "Jede Stufe nimmt der vorigen 62 bis 67 % ab."),
        ),
    },
)  # fmt: skip
