"""The verdict on a module, by thresholds that the report states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# in standard deviations of a game's result without the module
NEUTRAL, STRONG, OVERPOWERED = 0.05, 0.25, 0.67
# changes of the log odds of winning that mean the same: 50% to 51%, 60%, 75%
NEUTRAL_ODDS, STRONG_ODDS, OVERPOWERED_ODDS = 0.04, 0.405, 1.099
SEAT = 0.08  # change of the first seat's advantage, in standard deviations
SEAT_SHARE = 0.5  # of the worth of having the module, which a favoured seat must reach
RARELY, MOSTLY = 0.05, 0.9  # rates of use that count as never and always
COUNTERED = 0.05  # share of opportunities that a situation against the rule must have

VERDICTS = {
    "broken": "the rules fail: a state without legal moves, a loop, a crash, or a number without bound",
    "overpowered": f"the holder's result rises by {OVERPOWERED:g} standard deviations or its chances from 50% to 75%",
    "seat-favouring": f"sitting first gains {SEAT:g} standard deviations by it, and half as much as having it",
    "always-use": "never using it costs, always using it costs nothing, and no situation speaks against it",
    "dead rule": "it has actions that do something, but nobody gains by them in any situation",
    "strong": f"having it is worth {STRONG:g} standard deviations, or chances from 50% to 60%",
    "small": f"having it is worth more than {NEUTRAL:g} standard deviations, or more than a change from 50% to 51%",
    "neutral": "having it changes nothing that could be measured",
}


def verdict_of(findings: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict: its word, the reasons in sentences, and remarks that do not decide it.

    Without enough findings (an interrupted test) the word is "open".
    """
    faults = (findings.get("breakage") or {}).get("faults") or []
    own = [f for f in faults if f.get("where") != "nobody"]
    if own:
        return {"word": "broken", "why": sorted({f["text"] for f in own}, key=len)[:3], "remarks": _remarks(findings)}
    if any(f.get("where") == "nobody" for f in faults):
        why = ["the game breaks without the module, too: " + faults[0]["text"]]
        return {"word": "broken", "why": why, "remarks": []}
    if "worth" not in findings:
        return {"word": "open", "why": ["the test was interrupted before its worth was measured"], "remarks": []}
    return _judged(findings)


def _judged(findings: Mapping[str, Any]) -> dict[str, Any]:
    worth, odds = findings["worth"]["overall"], findings["worth"]["odds"]
    sd = findings["worth"]["deviation"]
    level = level_of(worth, odds, sd)
    remarks = _remarks(findings)
    seat = _favours_seat(findings, worth, sd)
    use = use_of(findings)
    sign = "an advantage" if worth["value"] > 0 else "a handicap"
    size = f"having it is {sign} of {abs(worth['value']):.2f} ({worth['low']:+.2f} to {worth['high']:+.2f})"
    chances = _chances(findings)
    if level == "overpowered":
        word, why = level, [f"{size}; {chances}"]
        if use == "always-use":
            remarks.append("Its use is always right.")
    elif seat:
        word, why = "seat-favouring", [seat]
        if level != "neutral":
            remarks.append(f"Apart from that, {size}.")
    elif use == "always-use":
        word, why = use, ["whoever does not use it loses by that, and using it whenever possible costs nothing", size]
        rate = findings["use"].get("rate")
        if rate is not None and rate < MOSTLY:
            remarks.append(
                f"The strongest strategies found use it in {rate:.0%} of the opportunities: "
                "in the others it makes no difference that could be measured."
            )
    elif use == "dead rule" and worth["value"] < STRONG * sd:
        word, why = use, ["no strategy gained by its actions, in no situation that was found", size]
    else:
        word = level
        why = [f"{size}; {chances}"] if level != "neutral" else [f"{size}, which is no difference that counts"]
    return {"word": word, "why": why, "remarks": remarks, "level": level, "use": use}


def level_of(worth: Mapping[str, float], odds: Mapping[str, float], sd: float) -> str:
    """How much having it is worth, either way: by the end of the interval that is nearer to nothing."""

    def beyond(found: Mapping[str, float], unit: float) -> float:
        low, high = found["low"] / unit, found["high"] / unit
        return low if low > 0 else -high if high < 0 else 0.0

    by_payoff, by_odds = beyond(worth, sd), beyond(odds, 1.0)
    mean, mean_odds = abs(worth["value"]) / sd, abs(odds["value"])
    if (by_payoff > 0 and mean >= OVERPOWERED) or (by_odds > 0 and mean_odds >= OVERPOWERED_ODDS):
        return "overpowered" if worth["value"] > 0 else "strong"
    if (by_payoff > 0 and mean >= STRONG) or (by_odds > 0 and mean_odds >= STRONG_ODDS):
        return "strong"
    if (by_payoff > 0 and mean >= NEUTRAL) or (by_odds > 0 and mean_odds >= NEUTRAL_ODDS and mean >= NEUTRAL / 2):
        return "small"
    return "neutral"


def _favours_seat(findings: Mapping[str, Any], worth: Mapping[str, float], sd: float) -> str:
    seat = findings.get("seat")
    if not seat:
        return ""
    change = seat["change"]
    sure = change["low"] > 0 or change["high"] < 0
    if not sure or abs(change["value"]) < SEAT * sd or abs(change["value"]) < SEAT_SHARE * abs(worth["value"]):
        return ""
    word = "first" if change["value"] > 0 else "last"
    return (
        f"with it, whoever sits {word} is better off by {abs(change['value']):.2f} "
        f"({change['low']:+.2f} to {change['high']:+.2f} for the first seat)"
    )


def use_of(findings: Mapping[str, Any]) -> str:
    """`always-use`, `dead rule`, `no effect`, `mixed` or `none` (it has no actions, or none was ever offered)."""
    use = findings.get("use") or {}
    if not use.get("actions") or not use.get("restricted") or not findings.get("offered", True):
        return "none"
    worth = use["worth"]
    sd = findings["worth"]["deviation"]
    tiny = NEUTRAL * sd / 2
    held = list(use["restricted"].values())
    never, always = _mean(held, "never"), _mean(held, "always")
    gain, error = worth.get("gain"), worth.get("error")
    leaves = [leaf for leaf in worth.get("leaves", []) if leaf["error"] is not None]
    z = 2.6 + 0.15 * len(leaves)  # stricter the more situations are looked at
    against = [x for x in leaves if x["gain"] + z * x["error"] < 0 and x["share"] >= COUNTERED and x["gain"] < -tiny]
    in_favour = [x for x in leaves if x["gain"] - z * x["error"] > 0 and x["gain"] > tiny]
    if gain is not None and worth.get("effect") == 0.0:
        return "no effect"
    costs_never = never["low"] > 0 and never["value"] > tiny
    free_always = always["value"] < max(tiny, 0.1 * never["value"]) or always["low"] <= 0 < tiny > always["value"]
    pays_now = gain is not None and error is not None and gain + 2 * error > 0
    if costs_never and free_always and not against and pays_now:
        return "always-use"
    pays = never["low"] > 0 and never["value"] > tiny
    if not pays and not in_favour and (gain is None or error is None or gain - 2 * error <= tiny):
        return "dead rule"
    return "mixed"


def _mean(rows: list[Mapping[str, Any]], use: str) -> dict[str, float]:
    """Loss by a way of using it, over the sides, with an interval that is at least as wide as any side's."""
    parts = [row[use] for row in rows]
    n = len(parts)
    value = sum(p["value"] for p in parts) / n
    half = max((p["high"] - p["low"]) / 2 for p in parts) / n**0.5
    return {"value": value, "low": value - half, "high": value + half}


def _chances(findings: Mapping[str, Any]) -> str:
    rows = [r for side in findings["worth"]["sides"] for r in side["by_cards"] if r["cards"] == 0]
    a = sum(r["score_with"] for r in rows) / len(rows)
    b = sum(r["score_without"] for r in rows) / len(rows)
    return f"the holder's share of wins goes from {b:.0%} to {a:.0%}"


def _remarks(findings: Mapping[str, Any]) -> list[str]:
    out = []
    if (findings.get("breakage") or {}).get("faults") and "worth" in findings:
        level = level_of(findings["worth"]["overall"], findings["worth"]["odds"], findings["worth"]["deviation"])
        out.append(f"As far as it can be played, what having it is worth would be called {level}.")
    both = findings.get("dominance") or {}
    if "everybody" in both and "nobody" in both:
        now, before = both["everybody"]["dominant"], both["nobody"]["dominant"]
        if now["share"] >= 0.95 and before["share"] < 0.95:
            out.append(f"It makes one strategy best against every other one found: {now['name']}.")
    return out


__all__ = ["VERDICTS", "level_of", "use_of", "verdict_of"]
