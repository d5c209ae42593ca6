"""Who plays 1w6 EWS by rock-paper-scissors, and how it is searched."""

from __future__ import annotations

from ..declaration import LEVELS, Agents, Lineup
from .baselines import BASELINES

GERMAN = {
    "uniform": "jedes Symbol gleich oft: das Gleichgewicht",
    "constant": "immer dasselbe Symbol",
    "cycle": "Stein, Papier, Schere der Reihe nach",
    "biased": "zieht nach festen Gewichten",
    "winstay_loseshift": "bleibt nach einem Sieg, wechselt nach einer Niederlage",
    "frequency": "sagt nach dem voraus, was bisher am häufigsten kam",
    "markov": "sagt voraus, was den letzten Runden sonst folgte",
    "longest_match": "sagt voraus, was der längsten Wiederholung folgte",
    "context": "sagt nach dem voraus, was in gleicher Lage gezeigt wurde",
    "meta": "der beste von 90 Vorhersagern; gleichverteilt, wenn keiner deutlich gut ist",
    "regret": "mischt die Vorhersager nach ihrem Erfolg",
    "safe_exploit": "gleichverteilt; wagt nur, was es schon gewonnen hat",
    "feint": "gleichverteilt, solange es um etwas geht; sonst ein sichtbares Muster",
    "decliner": "lehnt Proben ab, die weniger als nichts wert sind; sonst gleichverteilt",
    "mixture": "wägt 384 Modelle ab; gleichverteilt, wenn das zuletzt nicht gewann",
    "counter": "liest den Gegner und antwortet, so weit sein Gewonnenes reicht",
}

AGENTS = Agents(
    german=GERMAN,
    baselines=BASELINES,
    lineups={
        "ews_rps": Lineup(
            remark=(
                "A level is how often your opponent falls back into a habit: at the first always, then in 96, 92, 86, "
                "79, 70 and 58 of 100 rounds, at the eighth never. In all other rounds it reads yours; a single test "
                "is over before there is anything to read.",
                "Eine Stufe sagt hier, wie oft dein Gegner in eine Gewohnheit verfällt: auf der ersten immer, dann in "
                "96, 92, 86, 79, 70 und 58 von 100 Runden, auf der achten nie. In allen anderen liest er deine; eine "
                "einzelne Probe ist vorbei, ehe es etwas zu lesen gibt.",
            ),
            rollout="uniform",
            field=(
                "uniform", "constant", "cycle", "biased", "winstay_loseshift", "frequency", "markov", "longest_match",
                "context", "meta", "regret", "safe_exploit", "feint", "mixture", "counter", "search:sims=50", "policy",
            ),
            pairing=1000,
            # a search finds nothing better than uniform play; whoever learns the opponent does
            opponent="counter",
            levels=(*(f"counter:habit={share:g}" for share in (1, 0.96, 0.92, 0.86, 0.79, 0.7, 0.58)), "counter"),
            ratings=(0, 108, 186, 271, 356, 434, 519, 604),
            # habits know nothing of a module, so that the lab asks searches for what somebody would do with it
            lab_levels=(*LEVELS[:5], "meta", "mixture", "counter"),
        )
    },
)  # fmt: skip
