"""Who plays OneShot, and how its games are searched."""

from __future__ import annotations

from ...envs.core.game import Game
from ..declaration import LEVELS, NEWCOMER, Agents, Lineup, Outlook, Plans, Sight
from ..policy import ships_for
from . import outlook, sight, stretch
from .baselines import BASELINES
from .foreseen import foreseen
from .replies import replies


def skirmish_opponent(game: Game) -> str:
    """Of more than two fighters a search sees too little: whole ways to fight are compared."""
    return "search" if int(game.params.n) == 2 else "switch:sims=4000"


def duel_outlook(game: Game) -> Outlook | None:
    """How fights of two are valued; there is none for larger ones."""
    return Outlook(outlook.clock, outlook.outlook, 1) if int(game.params.n) == 2 else None


def build_opponent(game: Game) -> str:
    """A search builds badly: who sits there is what was taught what the equilibrium builds, and answers at once."""
    return "policy" if ships_for(game) else "build_equilibrium"


def counted(game: Game) -> bool:
    """Everything in a skirmish is public, unless stats are hidden or a module hides something."""
    return not game.params.hidden_stats and not game.spec.options.get("modules")


GERMAN = {
    "brute": "greift den nächsten Gegner an, wie es am meisten Wunden verspricht",
    "focus": "greift an, wer am wenigsten aushält; heilt unter dem Wundmalus",
    "kiter": "schlägt aus größter Entfernung zu und weicht zurück",
    "diplomat": "erneuert den diplomatischen Vorteil, sonst greift es an",
    "spoiler": "eine Finte vor jeder ersten Wunde; schüchtert den Stärksten ein",
    "best_odds": "der Weg mit der höchsten Chance im Augenblick",
    "warm_up": "hebt erst eine schlechte Stimmung",
    "cautious": "erholt sich oder geht, wenn der nächste Fehler alles verdürbe",
    "dp": "rechnet das Gespräch bis zum Ende durch",
    "uniform": "jede fertige Figur ist gleich wahrscheinlich",
    "compared": "die beste von einigen Figuren aus einer Liste, die von zufälligen bis zum Gleichgewicht reicht",
    "greedy": "die beste gefundene Antwort auf zufällige Figuren",
    "build_equilibrium": "ein Gleichgewicht zwischen vielen Figuren",
    "cleaver": "kämpft gegen alles",
    "ghost": "schleicht an allen vorbei, die nicht sterben müssen",
    "ambusher": "versucht jede Gruppe zu überraschen",
    "vanguard": "kämpft gegen alles, wer am meisten aushält, steht den Gegnern am nächsten",
    "infiltrator": "schleicht wie ghost, kämpft wie vanguard",
    "expedition": "wie infiltrator, wenn nur das Durchqueren verlangt ist, sonst wie vanguard",
    "stalker": "kämpft aus größter Entfernung, gegen den Nächsten zuerst",
    "prowler": "schleicht wie ghost, kämpft wie stalker",
    "sniper": "kämpft aus größter Entfernung, gegen den Schwächsten zuerst",
}

_MISSION = "casual:sims=20,temperature=0.5,overlook=0.3"

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "oneshot-skirmish": Lineup(
            rollout="brute+kiter",
            policy_margin=1.0,
            bulky=("move",),
            outlook=duel_outlook,
            plans=Plans("focus"),
            opponent=skirmish_opponent,
            counted=counted,
            field=("random", "brute", "focus", "kiter", "diplomat", "spoiler", "search:sims=200", "policy"),
            pairing=400,
            levels=(
                NEWCOMER,
                "casual:sims=11,temperature=0.68,overlook=0.46",
                "casual:sims=20,temperature=0.45,overlook=0.37",
                "casual:sims=34,temperature=0.33,overlook=0.29",
                "casual:sims=54,temperature=0.24,overlook=0.23",
                "casual:sims=88,temperature=0.165,overlook=0.165",
                "casual:sims=180,temperature=0.08,overlook=0.08",
                "search:sims=1000",
            ),
            ratings=(0, 93, 178, 278, 363, 440, 525, 604),
        ),
        "oneshot-parley": Lineup(
            rollout="best_odds",
            field=("random", "best_odds", "warm_up", "cautious", "dp", "search:sims=200"),
            levels=(
                LEVELS[0],
                "casual:sims=13,temperature=0.58,overlook=0.43",
                "casual:sims=24,temperature=0.39,overlook=0.34",
                "casual:sims=40,temperature=0.3,overlook=0.25",
                LEVELS[3],
                "casual:sims=110,temperature=0.13,overlook=0.12",
                "casual:sims=180,temperature=0.08,overlook=0.09",
                LEVELS[7],
            ),
            ratings=(0, 53, 80, 138, 207, 255, 300, 338),
            remark=(
                "Each level takes 55 to 62 % from the one below: talks leave no room for more between eight.",
                "Jede Stufe nimmt der vorigen 55 bis 62 % ab: mehr Raum lassen Gespräche nicht für acht.",
            ),
        ),
        "oneshot-build": Lineup(
            rollout="uniform",
            field=("random", "uniform", "greedy", "build_equilibrium", "policy"),
            opponent=build_opponent,
            replies=replies,
            foreseen=foreseen,
            levels=(*(f"compared:tried={n}" for n in (1, 2, 4, 8, 16, 36, 80)), "build_equilibrium"),
            ratings=(0, 115, 215, 307, 400, 500, 615, 797),
            remark=(
                "A level is how many builds your opponent compares before it takes the best of them: 1, 2, 4, 8, 16, "
                "36, 80; the eighth plays what the equilibrium builds.",
                "Eine Stufe sagt hier, wie viele Figuren dein Gegner vergleicht, ehe er die beste nimmt: 1, 2, 4, 8, "
                "16, 36, 80; die achte baut nach dem Gleichgewicht.",
            ),
        ),
        "oneshot-mission": Lineup(
            # no party completes more missions than `expedition`, so that levels below are how often one goes wrong
            levels=(
                *(f"{_MISSION},lapse={share:g}" for share in (1.0, 0.5, 0.33, 0.22, 0.14, 0.07)),
                "expedition",
                "switch:sims=4000",
            ),
            # the eighth thinks about every choice: too long for the many missions of a stress test
            lab_levels=(
                *(f"{_MISSION},lapse={share:g}" for share in (1.0, 0.5, 0.33, 0.22, 0.14, 0.08, 0.035)),
                "expedition",
            ),
            remark=(
                "A level is how well your companions play here; the enemies always follow the same rules. The first "
                "goes wrong at every turn, the sixth in one decision of fourteen, the seventh knows its trade, and the "
                "eighth thinks its choices through as well. As the best complete six easy missions in ten, no level "
                "can be far above the one below.",
                "Eine Stufe sagt hier, wie gut deine Gefährten spielen; die Gegner folgen immer denselben Regeln. "
                "Die erste irrt in jeder Entscheidung, die sechste in einer von vierzehn, die siebte versteht ihr "
                "Handwerk, und die achte überlegt dazu. Da auch die Besten nur sechs leichte Missionen von zehn "
                "schaffen, liegt keine Stufe weit über der vorigen.",
            ),
            # one alone: of two, the better by chance would be followed now and then
            rollout="expedition",
            advisers=("stalker",),
            bulky=("move", "go"),
            plans=Plans(
                "expedition",
                ("vanguard", "stalker", "sniper", "cleaver", "prowler", "infiltrator", "ghost", "ambusher"),
                stretch.stretch,
                every=True,
                begun="ways",
                margin=1.5,
                ahead=True,
            ),
            opponent="switch:sims=4000",
            sight=Sight(sight.clock, sight.features, sight.SIZE, 1, margin=2.0, shared=True),
            field=("random", "cleaver", "ghost", "ambusher"),
        ),
    },
)
