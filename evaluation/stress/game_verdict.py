"""The second verdict: what the module does to the game when everybody has it, by thresholds that the report states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..report.wording import SAME, WIDTH, clean_name, signed
from .answering import counting
from .findings import Choice, Effect, Figure, Findings, Interval, Stake, Verdict
from .paid_words import pays_out
from .solved_use import NEVER, solved_way
from .verdict import (
    INERT,
    MOSTLY,
    NEUTRAL,
    SEAT,
    always_right,
    broken_texts,
    little,
    seen_to_act,
    shown_to_count,
    without_effect,
)

STALLED, DRAWN, LONGER, DOUBLED = 0.05, 0.2, 0.1, 1.0  # rises: unresolved, drawn; length: with draws, by itself
# of a module that decides nothing that counts, and games all the same
LEVEL_GAMES = (
    "What hangs on its answers is too little to count, but settles who wins where a game is as good as level: see the "
    "game that it decides."
)
OWN_DICE = (
    "It throws dice of its own, after which all others of a game fall otherwise: where choices decide whether they are "
    "thrown, the deal decides less although luck need not decide less."
)
NO_WINNER = 0.9  # of all games are drawn

BETTER = 0.15  # share of what depends on a question by which an answer must beat the mixture to be the best one
USED = 0.2  # share of the chances in which it must be used, if it need not be, so that its ways are a question

# figure -> what it is called when it rises and when it falls
DIRECTIONS = {
    "length": ("longer games", "shorter games"),
    "draws": ("more draws", "fewer draws"),
    "unresolved": ("more games without an end", "fewer games without an end"),
    "luck": ("the deal decides more", "the deal decides less"),
    "skill": ("skill tells more", "skill tells less"),
    "search": ("thinking ahead tells more", "thinking ahead tells less"),
    "comebacks": ("more comebacks", "fewer comebacks"),
    "lead changes": ("the lead changes more often", "the lead changes less often"),
    "first seat": ("sitting first is better", "sitting first is worse"),
    "strategies": ("more ways to play", "fewer ways to play"),
    "cycles": ("more a guessing game", "less of a guessing game"),
    "decisions": ("more decisions matter", "fewer decisions matter"),
}
GUESSING = "no best choice: a guessing game"
SIDED = "favours a side"
GAME_VERDICTS = {
    "broken": "the rules fail",
    "stalls the game": f"{STALLED:.0%} more of the games have no end, or {DRAWN:.0%} more are drawn and they last "
    f"{LONGER:.0%} longer (or are not shown to be shorter, if {NO_WINNER:.0%} are drawn), or they last twice as long "
    "(without its own decisions)",
    GUESSING: "a question of it has several answers, or it can be used in several ways; none is better than the "
    "mixture, and much depends on which one it is",
    SIDED: f"the games were solved, and where all have it one side gains {SEAT:g} standard deviations",
    "decoration": "it has actions, and no use and no answer of them decides anything",
    "changes the game": "a figure is shown to change by what counts (a single one is named)",
    "changes little": "all figures are shown to change by less than what counts",
    "no change shown": "no figure is shown to change by what counts, but some could",
}


def game_verdict_of(found: Findings) -> Verdict:
    """What it does to the game: the word, and the reasons; without enough findings the word is "open"."""
    if found.faults:
        return Verdict("broken", broken_texts(found))
    if found.effect is None:
        return Verdict("open", ("the test was interrupted before that was measured",))
    effect = found.effect
    verdict = _of_effect(found, effect)
    drawn = all_draw(effect)
    remarks = () if drawn is None else (drawn_by_play(drawn),)
    if decides_nothing(found) and turns_games(found):
        remarks += (LEVEL_GAMES,)
    if dice_move_luck(found):
        remarks += (OWN_DICE,)
    remarks += tuple(filter(None, [used_in_vain(found)]))
    return replace(verdict, remarks=(*verdict.remarks, *remarks))


def used_in_vain(found: Findings) -> str:
    """That changes come from uses that solved games call never right, made all the same; "" else."""
    use, effect, worth = found.use, found.effect, found.worth
    if use is None or effect is None or worth is None or not found.idle or not use.uses:
        return ""
    if solved_way(use, little(worth)) != NEVER or not any(figure.matters for figure in effect.figures):
        return ""
    return (
        f"Those are games of strategies that use it in {use.rate or 0.0:.0%} of the opportunities, although that is "
        "never right: between players who know that, all stays as without it."
    )


def dice_move_luck(found: Findings) -> bool:
    """Whether less is decided by the deal with a rule that throws dice, which moves all that falls after them."""
    luck = found.effect.of("luck") if found.effect is not None else None
    return found.dice and luck is not None and luck.shown and luck.change.value < 0


def _of_effect(found: Findings, effect: Effect) -> Verdict:
    unread = {"luck"} if dice_move_luck(found) else set[str]()  # what its own dice do to that figure tells nothing
    figures = [figure for figure in effect.figures if figure.name not in unread]
    changed = [figure for figure in figures if figure.matters]
    told = tuple(sentence(figure) for figure in changed)
    stalled = stalls(effect)
    guessed = guessing(found)
    if stalled:
        return Verdict("stalls the game", tuple(sentence(figure) for figure in stalled), _others(told, stalled))
    if guessed:
        return Verdict(GUESSING, tuple(_guess(one, found) for one in guessed), told)
    if decides_nothing(found) and not turns_games(found) and all(figure.name == "length" for figure in changed):
        return Verdict("decoration", (_nothing(found),), told)  # its own decisions make games longer
    acts = shown_to_count(found) or seen_to_act(found)
    if found.inert and not acts and not changed and effect.figures:
        return Verdict("changes little", (INERT.format(found.inert),))
    sided = favoured(found)
    if sided:
        return Verdict(SIDED, (sided,), told)
    if changed:
        word = direction(changed[0]) if len(changed) == 1 else "changes the game"
        return Verdict(word, told)
    if figures and all(map(effect.stays, figures)):
        return Verdict("changes little", (f"all {len(figures)} figures stay as they are, within what counts",))
    still = [figure.name for figure in figures if effect.stays(figure)]
    unsure = [figure.name for figure in figures if not effect.stays(figure)]
    why = f"of {len(figures)} figures none is shown to change by what counts"
    shown = "one is" if len(still) == 1 else f"{len(still)} are"
    rest = f"{shown} shown not to, " if still else ""
    return Verdict("no change shown", (why, f"{rest}not sure are: {', '.join(unsure)}"))


def favoured(found: Findings) -> str:
    """Which side gains where all have the module, in words; "" if the games were not solved, or it does not count."""
    side = found.seat.side if found.seat else None
    if side is None or found.worth is None or not found.worth.exact:
        return ""
    if abs(side.value) < SEAT * found.worth.deviation:
        return ""
    return f"{gains_where_all_have_it(found, side)} (exact)"


def gains_where_all_have_it(found: Findings, side: Interval) -> str:
    """Which of two sides gains how much where all have the module, in words."""
    names = [clean_name(name) for name in found.sides[:2]]
    winner, loser = names if side.value >= 0 else reversed(names)
    digits = 3 if found.worth is not None and found.worth.exact else found.digits
    size = signed(abs(side.value), digits)
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    return f"where all have it “{winner}” gains {size}{unit} by it, and “{loser}” loses as much, whoever sits first"


def all_draw(effect: Effect) -> Figure | None:
    """The draws, where nearly all games are drawn by those who know the rule, but not by those who do not.

    With the same strategies no change is shown then: not the rule draws the games, but how one has to play with it.
    """
    draws = effect.of("draws")
    if draws is None or not draws.strays or effect.stays(draws) or draws.after.low < NO_WINNER:
        return None
    unlearned = draws.before.value + draws.direct[0].value  # with it, by the strategies found without it
    return draws if unlearned < NO_WINNER else None


def drawn_by_play(figure: Figure) -> str:
    """What is said of that."""
    return f"{sentence(figure)}: whoever has learned to play with it draws, whoever plays as without it does not"


def direction(figure: Figure) -> str:
    """What the change of a figure is called."""
    rises, falls = DIRECTIONS[figure.name]
    return rises if figure.change.value > 0 else falls


def stalls(effect: Effect) -> list[Figure]:
    """The figures by which the module stalls the game; none if it does not."""
    length, draws, unresolved = (effect.of(name) for name in ("length", "draws", "unresolved"))

    def rises(figure: Figure | None, least: float) -> bool:
        return figure is not None and figure.shown and figure.change.value >= least

    base = abs(length.before.value) if length else 0.0
    if rises(unresolved, STALLED):
        return [f for f in (unresolved, length) if f is not None and f.shown]
    if rises(draws, DRAWN) and rises(length, LONGER * base):
        return [f for f in (draws, length) if f is not None]
    shorter = length is not None and length.shown and length.change.value < 0
    if rises(draws, DRAWN) and draws is not None and draws.after.low >= NO_WINNER and not shorter:
        return [draws]
    return [length] if length and rises(length, DOUBLED * base) else []


class Asked(NamedTuple):
    """A question of the module with its answers, or the `ways` to use it where it need not be used."""

    stake: Stake
    answers: Sequence[Choice]
    ways: bool


def guessing(found: Findings) -> list[Asked]:
    """Questions with several answers of which none is best on the average, though much depends on them.

    Nor may the situation tell which is right. Ways of using the module where it need not be used are such answers, too.
    """
    if found.use is None or found.worth is None:
        return []
    use, least = found.use, NEUTRAL * found.worth.deviation
    asked = [Asked(stake, [c for c in use.choices if c.phase == stake.phase], False) for stake in use.stakes]
    asked += [Asked(ways.stake, ways.answers, True) for ways in use.ways if ways.used >= USED]
    return [one for one in asked if _guessed(one.stake, one.answers, least)]


def _guessed(stake: Stake, answers: Sequence[Choice], least: float) -> bool:
    tried = [c for c in answers if c.gain is not None and c.error is not None]
    spread, error = stake.rivals
    depends = error is not None and spread - 2 * error > least
    if len(tried) < 2 or len(tried) < len(answers) or not depends or max(c.share for c in answers) >= MOSTLY:
        return False
    if any(_better(c, len(tried), spread) for c in tried):
        return False
    if stake.played is None or stake.played_error is None:
        return True
    return stake.played - 2.0 * stake.played_error <= BETTER * spread


def _better(choice: Choice, answers: int, spread: float) -> bool:
    """Whether an answer is better than the mixture by what counts; stricter the more answers there are.

    A mixture that was learned is never quite an equilibrium: some answer beats it by a small part of the `spread`.
    """
    assert choice.gain is not None and choice.error is not None
    return choice.gain - (2.0 + 0.2 * answers) * choice.error > BETTER * spread


def decides_nothing(found: Findings) -> bool:
    """Whether no use and no answer of the module's actions decides anything."""
    use, worth = found.use, found.worth
    if use is None or worth is None or not use.actions or found.offered is False:
        return False
    least = NEUTRAL * worth.deviation
    if use.forced and not use.opportunities:
        summed = counting(found, use.forced)  # a little in each of many answers adds up
        sure = [
            s.error is not None and abs(s.spread) + 2 * s.error < least and abs(s.spread) < summed for s in use.stakes
        ]
        return bool(sure) and all(sure)
    return bool(use.opportunities) and not use.forced and use.worth is not None and without_effect(use.worth)


def turns_games(found: Findings) -> bool:
    """Whether a game is shown that another side wins by the module alone, all other dice and decisions being the same.

    What is too small to count as a payoff settles who wins where games are level.
    """
    return found.sample is not None and found.sample.found and found.sample.pure


def _nothing(found: Findings) -> str:
    assert found.use is not None
    if found.use.opportunities:
        return "a use never led to another position than not using it"
    best, worth = always_right(found.use), found.worth
    if best is None or worth is None:
        paid = " to a lead" if pays_out(found) else ""
        return f"none of its answers makes a difference that counts{paid}"
    spread = max(stake.spread for stake in found.use.stakes)
    return (
        f"asked {found.asked(best.phase)}, “{clean_name(best.action)}” is always right, but beats the other answers by "
        f"{spread:.{found.digits}f} at most, which is no difference that counts"
    )


def _guess(asked: Asked, found: Findings) -> str:
    stake, answers, question = asked.stake, asked.answers, found.asked(asked.stake.phase)
    spread = f"{stake.rivals[0]:.{found.digits}f}"
    if asked.ways:
        return (
            f"of {len(answers)} ways to use it when asked {question} none is better than all of them mixed, but "
            f"the best one of the moment beats the worst by {spread}"
        )
    return (
        f"asked {question}, none of {len(answers)} answers is better than the mixture of all, but the best one "
        f"of the moment beats the worst by {spread}"
    )


def _others(told: tuple[str, ...], stalled: list[Figure]) -> tuple[str, ...]:
    known = {sentence(figure) for figure in stalled}
    return tuple(line for line in told if line not in known)


UNITS = {"length": ("", " decisions", 1), "lead changes": ("", " times", 2), "first seat": ("", "", 2),
         "strategies": ("", " strategies", 1), "decisions": ("", " decisions", 1)}  # fmt: skip


LEAST = {"strategies": 1.0, "length": 0.0, "lead changes": 0.0, "decisions": 0.0}


def cut_off(figure: Figure) -> bool:
    """Whether an estimate is less than there can be, so that the least is shown, and the change seems to be another."""
    least = LEAST.get(figure.name)
    shown = [figure.before.value, figure.after.value]
    if least is None or min(shown) >= least:
        return False
    one, other = (max(value, least) for value in shown)
    return number(figure.name, other - one, sign=True) != number(figure.name, figure.change.value, sign=True)


def number(figure: str, value: float, sign: bool = False, more: int = 0) -> str:
    """A value of a figure in its unit: a share in percent (differences in points), else a number; `more` digits."""
    before, after, digits = UNITS.get(figure, ("", "", -1))
    if (
        not sign and figure in LEAST
    ):  # what counts decisions takes off what luck alone would make matter, now and then all
        value = max(value, LEAST[figure])
    if digits < 0:
        places = 0 if round(abs(value) * 100) >= 10 or abs(value) < 5e-4 else 1
        text = _signed(value * 100, places + more, sign) + (" points" if sign else "%")
    else:
        text = before + _signed(value, digits + more, sign) + ("" if sign else after)
    return text


def ends(figure: str, change: Interval, sign: bool = False) -> str:
    """The ends of an interval of a figure, "2.7 to 2.8": its unit stands beside them already, but for percent.

    Those of a share itself, no `sign`, go no further than from nothing to all, there is one strategy at least, and what
    is counted is not less than none.
    """
    after = UNITS.get(figure, ("", " points" if sign else "", -1))[1]
    found = change_ends(figure, change) if sign else (change.low, change.high)
    if not sign and figure not in UNITS:
        found = min(max(change.low, 0.0), 1.0), min(max(change.high, 0.0), 1.0)
    if not sign and figure in LEAST:
        found = max(change.low, LEAST[figure]), max(change.high, LEAST[figure])
    if sign and found[1] - found[0] < WIDTH:
        return SAME
    low, high = (number(figure, end, sign).removesuffix(after) for end in found)
    return f"{low} to {high}"


def change_ends(figure: str, change: Interval) -> tuple[float, float]:
    """The ends of the interval of a change: a share changes by no more than all of it."""
    if figure in UNITS:
        return change.low, change.high
    return max(change.low, min(change.value, -1.0)), min(change.high, max(change.value, 1.0))


def _signed(value: float, digits: int, sign: bool) -> str:
    """A number, with a plus if `sign`; no sign at zero."""
    return signed(value, digits) if sign or value < 0 else f"{value:.{digits}f}"


SUBJECTS = {
    "length": "a game lasts {a} instead of {b}",
    "draws": "{a} of the games are drawn instead of {b}",
    "unresolved": "{a} of the games are stopped by the limit of decisions instead of {b}",
    "luck": "the deal decides {a} of the results' variance instead of {b}",
    "skill": "a stronger level scores {a} against the one below it instead of {b}",
    "search": "twice the search scores {a} instead of {b}",
    "comebacks": "the winner was behind at some time in {a} of the games instead of {b}",
    "lead changes": "the lead changes {a} a game instead of {b}",
    "first seat": "sitting first is worth {a} instead of {b}",
    "strategies": "the equilibrium amounts to {a} that differ instead of {b}",
    "cycles": "{a} of the differences of strategies are cyclic instead of {b}",
    "decisions": "{a} a game matter instead of {b}",
}


def sentence(figure: Figure) -> str:
    """A figure's change in words, with its interval."""
    a, b = number(figure.name, figure.after.value), number(figure.name, figure.before.value)
    if a == b and figure.shown:  # a small change, but one that is shown
        a, b = (number(figure.name, x.value, more=1) for x in (figure.after, figure.before))
    low, high = (number(figure.name, end, sign=True) for end in change_ends(figure.name, figure.change))
    told = SUBJECTS[figure.name].format(a=a, b=b)
    if figure.change.high - figure.change.low < WIDTH:
        return f"{told} ({SAME})"
    return f"{told} ({low.removesuffix(' points')} to {high})"


__all__ = [
    "DIRECTIONS", "GAME_VERDICTS", "GUESSING", "OWN_DICE", "SIDED", "all_draw", "cut_off", "decides_nothing",
    "dice_move_luck", "direction", "drawn_by_play", "ends", "favoured", "gains_where_all_have_it", "game_verdict_of",
    "guessing", "number", "sentence", "stalls",
]  # fmt: skip
