"""The six answers of a stress report in plain words, each with its interval and its number of games."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ...envs.core.registry import system_of
from ..declaration import unit_of as payoff_unit
from ..report.wording import clean_name, listing, signed

QUESTIONS = {
    "worth": "What is having it worth?",
    "use": "Is it used?",
    "dominance": "Does it create a dominant strategy?",
    "dynamics": "Does it change who wins?",
    "breakage": "Does it break?",
    "exploit": "The exploit",
}
MISSING = "This was not finished."
BROKEN = "This was not measured: the rules break."
DIGITS = 2
SURE = 0.95  # share of resamples from which a statement counts as shown


def span(found: Mapping[str, Any], digits: int = DIGITS) -> str:
    """An interval as "-0.12 to 0.34"."""
    return f"{signed(found['low'], digits)} to {signed(found['high'], digits)}"


def unit_of(findings: Mapping[str, Any]) -> str:
    """The unit of payoffs with a space before it, or an empty text."""
    name = payoff_unit(system_of(str(findings["game"])).name, findings)
    return f" {name}" if name else ""


def of_games(n: float) -> str:
    """ "12,000 games"."""
    return f"{n:,.0f} games"


def percent(x: float | None) -> str:
    """A share as a whole percentage; "–" for None."""
    return "–" if x is None else f"{x * 100:.0f}%"


def answers(findings: Mapping[str, Any], unit: str) -> dict[str, list[str]]:
    """Sentences for every question, in the order of QUESTIONS."""
    makers: dict[str, Callable[[Mapping[str, Any], str], list[str]]] = {
        "worth": _worth, "use": _use, "dominance": _dominance, "dynamics": _dynamics, "breakage": _breakage,
        "exploit": _exploit,
    }  # fmt: skip
    broken = bool((findings.get("breakage") or {}).get("faults"))
    instead = [BROKEN if broken else MISSING]
    return {name: make(findings, unit) if name in findings else instead for name, make in makers.items()}


def _worth(f: Mapping[str, Any], unit: str) -> list[str]:
    worth, odds = f["worth"]["overall"], f["worth"]["odds"]
    out = [
        f"Whoever has it alone gains {signed(worth['value'], DIGITS)}{unit} a game against the same opponents without "
        f"it ({span(worth)}; {of_games(worth['games'])} on the same deals both times, both sides trained anew)."
    ]
    rows = [r for side in f["worth"]["sides"] for r in side["by_cards"] if r["cards"] == 0]
    if rows:
        a = sum(r["score_with"] for r in rows) / len(rows)
        b = sum(r["score_without"] for r in rows) / len(rows)
        times, low, high = (math.exp(odds[key]) for key in ("value", "low", "high"))
        out.append(
            f"Its share of wins (draws count half) goes from {b:.1%} to {a:.1%}; the odds of winning are multiplied by "
            f"{times:.2f} ({low:.2f} to {high:.2f})."
        )
    one, many = f["unit"]
    for entry in f.get("cards") or ():
        here = next((r for r in entry["by_cards"] if r["cards"] == 0), None)
        if here:
            out.append(f"For {clean_name(entry['side'])} it is worth {cards_text(here, one, many)}.")
    for side in f["worth"]["sides"]:
        if "answer" in side:
            out.append(
                f"Against an opponent who has it too, it is worth {signed(side['answer']['value'], DIGITS)}{unit} to "
                f"{clean_name(side['side'])} ({span(side['answer'])})."
            )
    return out


def cards_text(row: Mapping[str, Any], one: str, many: str) -> str:
    """A worth in cards: "1.3 cards (1.1 to 1.5)", "more than 6 cards", "less than 0.1 cards"."""
    value, low, high = row["value"], row["low"], row["high"]
    if value >= row["most"] - 1e-9:
        return f"more than {row['most']} {many}"
    if value <= row["least"] + 1e-9:
        return f"less than {row['least']} {many}"
    word = one if abs(value - 1) < 0.05 else many
    ends = [
        "beyond the scale" if x >= row["most"] - 1e-9 or x <= row["least"] + 1e-9 else signed(x, 1) for x in (low, high)
    ]
    return f"{signed(value, 1)} {word} ({ends[0]} to {ends[1]}; {of_games(row['games'])})"


def _use(f: Mapping[str, Any], unit: str) -> list[str]:
    use = f["use"]
    if not use.get("actions"):
        return ["It has no actions: it works by itself, and nobody decides about its use."]
    if not use.get("opportunities"):
        return [f"It was never offered in {of_games(use.get('games', 0))} of the strongest play."]
    worth = use["worth"]
    error = use.get("error")
    around = f" (± {196 * error:.0f} points)" if error is not None else ""
    out = [
        f"The strongest strategies use it in {percent(use['rate'])} of {use['opportunities']:,} opportunities{around}, "
        f"and in {use['games_with_use']:,} of the {use['games_with_offer']:,} games (of {use['games']:,}) in which it "
        "was offered."
    ]
    if worth.get("gain") is not None and worth.get("error") is not None:
        half = 1.96 * worth["error"]
        ends = {"low": worth["gain"] - half, "high": worth["gain"] + half}
        out.append(
            f"Tried both ways at {worth['count']:,} opportunities of {of_games(worth['games'])}, a use gained "
            f"{signed(worth['gain'], DIGITS)}{unit} on the average ({span(ends)}); it was the better choice in "
            f"{percent(worth['better'])}, the worse in {percent(worth['worse'])} of them, made no difference in "
            "the others."
        )
        if worth.get("effect") == 0.0:
            out.append("A use never led to another position than not using it.")
    kind = f.get("verdict", {}).get("use")
    if kind == "always-use":
        out.append("Flag: using it is always right; there is nothing to decide.")
    elif kind == "dead rule":
        out.append("Flag: using it is never right; nobody should.")
    elif kind == "mixed":
        real = "Whether to use it is a real decision: it pays in some situations and costs in others."
        out.append(real if _both_ways(worth) else "No situation was found that speaks clearly against it.")
    words = {
        "never": "never using it costs", "always": "always using it costs", "coin": "tossing a coin costs",
        "random": "using it blindly costs",
    }  # fmt: skip
    for name, row in use.get("restricted", {}).items():
        parts = [f"{told} {signed(row[key]['value'], DIGITS)} ({span(row[key])})" for key, told in words.items()]
        out.append(f"For {clean_name(name)}, against an opponent without it: " + "; ".join(parts) + ".")
    return out


def _both_ways(worth: Mapping[str, Any]) -> bool:
    leaves = [x for x in worth.get("leaves", []) if x["error"] is not None]
    costs = any(x["gain"] + 2.6 * x["error"] < 0 for x in leaves)
    return costs and any(x["gain"] - 2.6 * x["error"] > 0 for x in leaves)


def _dominance(f: Mapping[str, Any], unit: str) -> list[str]:
    out = []
    for name, word in (("everybody", "With it"), ("nobody", "Without it")):
        d = f["dominance"][name]
        best, n = d["dominant"], len(d["strategies"])
        share = percent(best["share"])
        if best["share"] >= SURE:
            lead = f"one of {n} strategies is best against every other: {clean_name(best['name'])} ({share}"
        else:
            lead = f"none of {n} strategies is best against every other (the nearest in {share}"
        out.append(f"{word}, {lead} of the resamples; {of_games(d['games'])}).")
        sure = [clean_name(s["name"]) for s in d["strategies"] if s["dominated_share"] >= SURE]
        told = f": {listing(sure)}" if sure else ""
        number, cycles = d["effective"], d["cyclic"]
        out.append(
            f"{len(sure)} are dominated by others or by a mixture of them{told}. The equilibrium amounts to "
            f"{number['value']:.1f} strategies ({number['low']:.1f} to {number['high']:.1f}); "
            f"{percent(cycles['value'])} of the differences are cyclic ({percent(cycles['low'])} to "
            f"{percent(cycles['high'])})."
        )
    mass = f["dominance"]["everybody"].get("module_mass")
    if mass:
        ends = f"{percent(mass['low'])} to {percent(mass['high'])}"
        out.append(f"In equilibrium {percent(mass['value'])} of its opportunities are taken ({ends}).")
    return out


def _pm(found: Mapping[str, Any], scale: float, digits: int, suffix: str = "") -> str:
    error = found.get("error")
    more = f" ± {1.96 * error * scale:.{digits}f}" if error is not None else ""
    return f"{found['mean'] * scale:.{digits}f}{more}{suffix}" if found.get("mean") is not None else "–"


def _dynamics(f: Mapping[str, Any], unit: str) -> list[str]:
    a, b = f["dynamics"]["nobody"], f["dynamics"]["everybody"]
    out = []
    seat = f.get("seat")
    if seat:
        change = seat["change"]
        more = "" if seat["mirrored"] else " The roles of the seats could not be exchanged."
        out.append(
            f"Sitting first is worth {signed(seat['nobody']['value'], DIGITS)}{unit} without it and "
            f"{signed(seat['everybody']['value'], DIGITS)}{unit} with it; the change is "
            f"{signed(change['value'], DIGITS)} ({span(change)}; {of_games(change['games'])}).{more}"
        )
    luck = [f"{x['luck']['share']:.0%} (± {1.96 * x['luck']['error']:.0%})" for x in (a, b)]
    out.append(
        f"The deal decides {luck[0]} of the results' variance without it and {luck[1]} with it; the rest is decided by "
        f"choices and later draws. {of_games(a['games'] + b['games'])}."
    )
    out.append(
        f"A game lasts {_pm(a['lengths'], 1, 1)} decisions without it, {_pm(b['lengths'], 1, 1)} with it. The winner "
        f"was behind at some time in {_pm(a['comeback'], 100, 0, '%')} and {_pm(b['comeback'], 100, 0, '%')} of the "
        f"decided games; drama is {_pm(a['drama'], 1, 2)} and {_pm(b['drama'], 1, 2)}, the lead changes "
        f"{_pm(a['changes'], 1, 2)} and {_pm(b['changes'], 1, 2)} times; {a['draws']:.0%} and {b['draws']:.0%} are "
        "drawn."
    )
    for name, word in (("nobody", "Without it"), ("everybody", "With it")):
        steps = f["dynamics"][name]["ladder"]
        if steps:
            pays = [x for x in steps if x["error"] is not None and x["score"] - 2 * x["error"] > 0.5]
            told = ", ".join(percent(x["score"]) for x in steps)
            out.append(
                f"{word}, twice the search scores {told} up the ladder of {len(steps)} doublings; it still pays at "
                f"{len(pays)} of them ({of_games(sum(x['games'] for x in steps))})."
            )
    return out


def _breakage(f: Mapping[str, Any], unit: str) -> list[str]:
    found = f["breakage"]
    if not found.get("faults"):
        return [
            f"Nothing broke in {of_games(found.get('games', 0))} ({found.get('decisions', 0):,} decisions) of wilful "
            "random play: no state without a legal move, no loop, no unresolved game, no number without bound, and no "
            "crash."
        ]
    out = []
    for fault in found["faults"]:
        who = {"nobody": "nobody has it", "everybody": "everybody has it"}.get(fault["where"], fault["where"])
        often = f", in {fault['count']:,} of {fault['games']:,} games" if fault.get("games") else ""
        out.append(f"When {who}{often}: {fault['text']}.")
    return out


def _exploit(f: Mapping[str, Any], unit: str) -> list[str]:
    out = []
    for e in f["exploit"]:
        gain = e["gain"]
        target = listing([clean_name(n) for n in e["target"]], 3)
        out.append(
            f"{clean_name(e['side'])} with it, playing {clean_name(e['strategy'])}, gets "
            f"{signed(e['value'], DIGITS)}{unit} from the strongest play that does not know it ({target}); without it, "
            f"{signed(e['without'], DIGITS)}. The gain is {signed(gain['value'], DIGITS)} ({span(gain)}; "
            f"{of_games(gain['games'])}, chosen on other games)."
        )
        game = e["game"]
        if gain["low"] <= 0:
            out.append(f"For {clean_name(e['side'])} there is no exploit: the best answer found gains nothing.")
        if game.get("found"):
            what = "turns a loss into a win" if game["turned"] else "shows it"
            out.append(
                f"A game that {what}: the decisive move is “{game['action']}” (instead of “{game['instead']}”), worth "
                f"{signed(game['swing'], DIGITS)}{unit} there."
            )
    return out or ["No side could use it."]


def summary_lines(findings: Mapping[str, Any]) -> list[str]:
    """What a terminal shows of a report: the verdict with its reasons, and the first sentence of every answer."""
    verdict = findings["verdict"]
    out = [f"Verdict: {verdict['word']}"]
    out += [f"  {line}" for line in (*verdict["why"], *verdict["remarks"])]
    for name, lines in answers(findings, unit_of(findings)).items():
        out.append(f"{QUESTIONS[name]} {lines[0]}")
    return out


__all__ = ["QUESTIONS", "answers", "cards_text", "percent", "span", "summary_lines", "unit_of"]
