"""The screen of ews_rps: three large symbols, a streak bar with needed and current wins, and the history."""

from __future__ import annotations

from typing import Any

from ...envs.ews_rps.state import Payoff
from ...envs.ews_rps.text import SETTLED, lead, needed
from ..session.sight import Sight, hot, number
from ..web.screens import Drawn, Screen

_SHOWN = 12  # rounds in the table
_LONGEST = 6  # streak that the bar shows on both sides of nothing; a longer one on its own side, or in words alone
_AHEAD = (
    "this round ",
    "diese Runde ",
    "chance of ",
    "your chance ",
    "Erfolgschance ",
    "deine Erfolgschance",
)  # lines of the position about what may come
_DRAWN = ("rock", "paper", "scissors")  # symbols that the template draws


def _test(sight: Sight) -> dict[str, Any] | None:
    """The running test, from the piece `test`; None if there is none."""
    test = sight.pieces["test"]
    kind = hot(test[:2])
    if kind < 0:
        return None
    rounds = int(sight.game.params.max_rounds)
    told = sight.facts["test"]
    need, net = told["need"], int(test[7]) * number(test[8], rounds)
    span = max(abs(need), abs(net), 3)
    low, high = (-span, span) if span <= _LONGEST else (min(0, need, net) - 1, max(0, need, net) + 1)
    return {
        "simple": kind == 0,
        "acting": bool(test[2] > 0.5),
        "mine": told["mine"],
        "other": told["other"],
        "gap": told["gap"],
        "lead": lead(told["gap"], sight.lang),
        "need": need,
        "needed": needed(need, sight.lang),
        "net": net,
        "round": number(test[9], rounds) + 1,
        "rounds": rounds,
        "decided": SETTLED[sight.lang][sight.game.params.payoff == Payoff.MARGIN] if test[10] > 0.5 else "",
        "steps": [{"value": v, "now": v == net, "goal": v == need, "reached": v >= need} for v in range(low, high + 1)]
        if high - low <= 2 * _LONGEST
        else [],
        "number": number(sight.pieces["match"][0], int(sight.game.params.n_tests)) + 1,
        "tests": int(sight.game.params.n_tests),
        "die": bool(sight.game.params.die),
    }


def _symbols(sight: Sight) -> list[str]:
    """Names of the symbols as the history counts them."""
    table = sight.game.actions
    count = (sight.pieces["history"].shape[1] - 5) // 2
    base = next(block for block in table.blocks if block.name == "symbol")
    start = table.starts["symbol"]
    names = [table.describe(start + i, sight.lang) for i in range(len(base.codes))]
    for block in table.blocks[4:]:  # those of modules
        names += block.texts.get(sight.lang, block.codes)
    return names[:count]


def _sign(code: str) -> str:
    """What the template draws for a symbol, or the letter that it writes."""
    word = code.rpartition(".")[2].rpartition(":")[2]
    return word if word in _DRAWN else word[:1].upper()


def draw(sight: Sight) -> Drawn | None:
    """The values of the template."""
    names = _symbols(sight)
    k = len(names)
    rows = []
    for row in sight.pieces["history"][:_SHOWN]:
        mine, other, result = hot(row[:k]), hot(row[k : 2 * k]), hot(row[2 * k : 2 * k + 3])
        if mine < 0 or other < 0:
            break
        rows.append({"mine": names[mine], "other": names[other], "result": result, "first": bool(row[2 * k + 3] > 0.5)})
    test = _test(sight)
    if test is None and not rows:  # nothing has been drawn or played, as at the start of a recording
        return None
    counts = sight.pieces["counts"]
    shares = [
        {"name": name, "other": round(100 * float(counts[i])), "mine": round(100 * float(counts[k + i]))}
        for i, name in enumerate(names)
    ]
    after = counts[2 * k : 2 * k + k * k].reshape(k, k)
    matrix = [
        {"name": names[i], "cells": [round(100 * float(x)) if after[i].sum() > 0 else None for x in after[i]]}
        for i in range(k)
    ]
    listed = {"attempt", "decline", "wait"}
    symbols = [{"choice": choice, "sign": _sign(choice.code)} for choice in sight.choices if choice.verb not in listed]
    values = {
        "test": test,
        "ahead": [line for line in sight.told.splitlines() if line.startswith(_AHEAD)] if sight.choices else [],
        "symbols": symbols,
        "rounds": rows,
        "shares": shares if rows else [],
        "matrix": matrix if len(rows) > 1 else [],
        "names": names,
        "standing": sight.told.splitlines()[-1].replace("  ", " · ") if int(sight.game.params.n_tests) > 1 else "",
    }
    return Drawn.of(values, [symbol["choice"] for symbol in symbols])


SCREEN = Screen(draw)
