"""The verdict on a module, by thresholds that the report states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..report.wording import SAME, clean_name, reach, signed
from .basis import BASES, NOTHING, OVERPOWERED, STRONG, basis_of, rests_on
from .conditions import NOBODY
from .deciding import NEUTRAL, NEUTRAL_ODDS, TINY, beyond, deciding_of, told
from .findings import Choice, Dominant, Findings, Interval, Use, UseWorth, Verdict, Worth
from .paid_words import paid_told, paid_use, pays_user
from .solved_use import ALWAYS, MIXED, NEVER, leaving_costs, solved_way, why_solved

# changes of the log odds of winning that mean the same: 50% to 60%, 75%
STRONG_ODDS, OVERPOWERED_ODDS = 0.405, 1.099
SEAT = 0.08  # change of the first seat's advantage, in standard deviations
SEAT_SHARE = 0.5  # of the worth of having the module, which a favoured seat must reach
SHOWN = 2.6  # standard errors by which the gain of a use is shown to be one
RARELY, MOSTLY = 0.05, 0.9  # rates of use that count as never and always
SURE = 0.95  # share of resamples in which a strategy must be best
COUNTERED = 0.05  # share of opportunities that a situation against the rule must have
GAMBLED = 0.1  # share of the uses that a gamble wins at least, and loses
LEAST = 1e-6  # of a gain that is one: payoffs are kept in single precision
RARE = 0.02  # share of the games in which it is offered at least, else that is told
UNSEEN = "It declares no piece of the observation: what it remembers or throws, learners cannot go by."
MANY = 100  # uses and chances of which none is enough to speak of never: at most 3 % of all others are such ones

INERT = "it changed nothing: in {:,} games of random play all stood as without it, whatever was chosen"
LUCK = (
    "As it changed nothing in {:,} games of random play, and no use of it did in games of strong play, that is the "
    "luck of learning, and counts as nothing."
)
BY_ITSELF = "What having it is worth comes by itself, and not by its actions."
BROKEN_WITHOUT = "the game breaks without the module, too: "
VERDICTS = {
    "broken": "the rules fail: a state without legal moves, a loop, a crash, or a number without bound",
    "overpowered": f"the holder's result rises by {OVERPOWERED:g} standard deviations or its chances from 50% to 75%",
    "seat-favouring": f"sitting first gains or loses {SEAT:g} standard deviations by it, and half as much as having it",
    "always-use": "never using it costs, always using it costs nothing, and no situation speaks against it",
    "dead rule": "it has actions that do something, but nobody gains by them in any situation",
    "shared": "the rule concerns the whole table: nobody has it alone, so that it gives nobody an edge",
    "strong": f"having it is worth {STRONG:g} standard deviations, or chances from 50% to 60%",
    "undecided": "the interval of its worth reaches from nothing to what would count",
    "small": f"having it is worth more than {NEUTRAL:g} standard deviations, or more than a change from 50% to 51%",
    "neutral": f"the whole interval of its worth lies within {NEUTRAL:g} standard deviations",
}


def verdict_of(found: Findings) -> Verdict:
    """The verdict: its word, the reasons in sentences, and remarks that do not decide it.

    Without enough findings (an interrupted test) the word is "open".
    """
    if found.faults:
        own = any(fault.where != NOBODY for fault in found.faults)
        return Verdict("broken", broken_texts(found), remarks_of(found) if own else ())
    if found.worth is None:
        return Verdict("open", ("the test was interrupted before its worth was measured",))
    judged = _judged(found, found.worth)
    if judged.word == "undecided":
        return replace(judged, deciding=deciding_of(found))
    return judged if judged.basis else replace(judged, basis=basis_of(found, judged.word))


def broken_texts(found: Findings) -> tuple[str, ...]:
    """What is broken in short; of rules that break without the module, too, the first fault.

    Numbers without bound come last: they may be what a loop or a crash left behind.
    """
    own = [fault for fault in found.faults if fault.where != NOBODY]
    if own:
        last = {fault.text for fault in own if fault.kind == "unbounded"}
        return tuple(sorted({fault.text for fault in own}, key=lambda text: (text in last, len(text)))[:3])
    return (BROKEN_WITHOUT + found.faults[0].text,)


def _judged(found: Findings, worth: Worth) -> Verdict:
    overall = worth.overall
    level = level_of(worth)
    remarks = list(remarks_of(found))
    seat = _favours_seat(found, worth)
    use = use_of(found, worth)
    solved = solved_way(found.use, little(worth))
    size = _size(worth)
    if use == "gamble":
        remarks.append(
            "Its use is a gamble: what it wins and what it loses even out on average, so that nobody gains by it."
        )
    if found.whole_table:
        size = "the rule concerns the whole table: nobody has it alone"
    chances = _chances(worth)
    if unchanged(found):
        return Verdict("neutral", (INERT.format(found.inert),), (), "neutral", use, basis=NOTHING)
    if level == "overpowered" and not found.whole_table:
        word, why = level, [f"{size}; {chances}"]
        if use == "always-use":
            remarks.append("Its use is always right.")
    elif seat:
        word, why = "seat-favouring", [seat]
        if level != "neutral" and not found.whole_table:
            remarks.append(f"Apart from that, {size}.")
    elif use == "always-use":
        reason = "whoever does not use it loses by that, and using it whenever possible costs nothing"
        word, why = use, [why_solved(found.use, use) if found.use and solved == ALWAYS else reason, size]
        rate = found.use.rate if found.use else None
        if rate is not None and rate < MOSTLY and solved == ALWAYS:
            remarks.append(
                f"The strongest strategies found use it in {rate:.0%} of the opportunities: too seldom, unless it can "
                "be used only so many times in all."
            )
        elif rate is not None and rate < MOSTLY:
            remarks.append(
                f"The strongest strategies found use it in {rate:.0%} of the opportunities: "
                "in the others it makes no difference that could be measured."
            )
    elif use == "dead rule" and overall.value < STRONG * worth.deviation:
        reason = "no strategy gained by its actions, in no situation that was found"
        word, why = use, [why_solved(found.use, use) if found.use and solved == NEVER else reason, size]
        if level not in ("neutral", "undecided") and not found.whole_table:
            remarks.append(BY_ITSELF)
    elif found.whole_table:
        level = word = "shared"
        why = [size, "what it does to the game is the other verdict"]
    else:
        word = level
        if level == "undecided":
            counts = f"{NEUTRAL * worth.deviation:.2f}"
            may = f"it may be less than the {counts} from which on it counts, or more"
            may = may if beyond(overall) else f"it may change nothing, or more than {counts}"
            why = [f"{size}: {may}", told(deciding_of(found))]
        else:
            why = [f"{size}; {chances}"] if level != "neutral" else [f"{size}, which is no difference that counts"]
    if word == level and not found.whole_table:
        why += filter(None, [rests_on(worth, basis_of(found, word))])
    return Verdict(word, tuple(why), tuple(remarks), level, use)


def unchanged(found: Findings) -> bool:
    """Whether it changed nothing in random play, and nothing else speaks for that it ever does."""
    return bool(found.inert) and not (found.whole_table or shown_to_count(found) or seen_to_act(found))


def shown_to_count(found: Findings) -> bool:
    """Whether having it is shown to be worth something: random play may never meet what a rule changes.

    A rule with actions is learned with them and without by courses of their own, which differ by their luck: whatever
    was learned, the best answers must carry it, or, where nobody answers, leaving it alone must cost.
    """
    worth, use = found.worth, found.use
    if worth is None or not beyond(worth.overall):
        return False
    if worth.exact or use is None or not use.actions:
        return True
    if worth.bounds is not None:
        return beyond(worth.bounds.overall)
    return bool(use.restricted) and _mean([row.never for row in use.restricted.values()]).low > 0


def by_luck(found: Findings) -> str:
    """That what a rule is measured to be worth is luck, where nothing else was changed by it; "" else."""
    worth = found.worth
    if worth is None or not found.inert or not beyond(worth.overall) or shown_to_count(found) or seen_to_act(found):
        return ""
    return LUCK.format(found.inert)


def seen_to_act(found: Findings) -> bool:
    """Whether it was seen to do something after all: by a use, or without actions by other games of the same players.

    What is rare may be met by those who play well alone, or in many games only.
    """
    use, effect = found.use, found.effect
    if use is not None and use.actions:
        return use.worth is not None and bool(use.worth.effect)
    return effect is not None and any(figure.direct and not figure.untouched for figure in effect.figures)


def _size(worth: Worth) -> str:
    """What having it is worth, in words; what would be written as 0.00 is neither an advantage nor a handicap.

    Nor is it called either where the interval holds both. A level that the odds of winning alone carry is told so, and
    what counts although it is small is written with as many digits as that takes.
    """
    overall, counts = worth.overall, level_of(worth) not in ("neutral", "undecided")
    small = abs(overall.value) < (TINY if worth.exact else 0.005)
    digits = 4 if counts and small else 2
    around = "exact" if worth.exact else reach(overall.low, overall.high, digits)
    if counts and not beyond(overall):
        return f"having it shows in wins alone, not in payoffs: {signed(overall.value, digits)} ({around})"
    if not counts and small:
        if worth.exact or beyond(overall) or max(-overall.low, overall.high) <= NEUTRAL * worth.deviation:
            return f"having it is neither an advantage nor a handicap ({around})"
    if not beyond(overall):
        value = f"{0:.2f}" if small else signed(overall.value, 2)
        return f"that having it is an advantage or a handicap is not shown: {value} ({around})"
    sign = "an advantage" if overall.value > 0 else "a handicap"
    size = signed(abs(overall.value), 3 if worth.exact else digits).lstrip("+")
    return f"having it is {sign} of {size} ({around})"


def level_of(worth: Worth) -> str:
    """How much having it is worth, either way.

    A worth counts as something if its interval leaves out nothing, and then goes by its value; as nothing if its whole
    interval is too small to count; of a sure payment that is something its value says so (payments that were never
    seen make its interval). All others are undecided. Of an exact worth the chances of winning say no more.
    """
    overall, odds, sd = worth.overall, worth.odds, worth.deviation
    by_payoff, by_odds = beyond(overall), beyond(odds) and not worth.exact
    mean, mean_odds = abs(overall.value) / sd, abs(odds.value)
    if (by_payoff and mean >= OVERPOWERED) or (by_odds and mean_odds >= OVERPOWERED_ODDS):
        return "overpowered" if overall.value > 0 else "strong"
    if (by_payoff and mean >= STRONG) or (by_odds and mean_odds >= STRONG_ODDS):
        return "strong"
    if (by_payoff and mean >= NEUTRAL) or (by_odds and mean_odds >= NEUTRAL_ODDS and mean >= NEUTRAL / 2):
        return "small"
    if worth.sure and by_payoff and mean < NEUTRAL:
        return "neutral"
    return "neutral" if max(-overall.low, overall.high) <= NEUTRAL * sd else "undecided"


def _favours_seat(found: Findings, worth: Worth) -> str:
    """Which seat it favours in words, if it does so with the same strategies, too, as far as that was measured."""
    seat = found.seat
    figure = found.effect.of("first seat") if found.effect else None
    if seat is None or (figure is not None and not figure.shown):
        return ""
    change = seat.change
    least = max(SEAT * worth.deviation, SEAT_SHARE * abs(worth.overall.value))
    if not beyond(change) or abs(change.value) < least:
        return ""
    word = "first" if change.value > 0 else "last"
    ends = "exact" if worth.exact else reach(change.low, change.high, 2)
    ends += "" if ends in ("exact", SAME) else " for the first seat"
    return f"with it, whoever sits {word} is better off by {abs(change.value):.2f} ({ends})"


def use_of(found: Findings, worth: Worth) -> str:
    """`always-use`, `dead rule`, `gamble`, `no effect`, `mixed`, `forced` or `none` (no actions, or none was offered).

    A dead rule has been seen to gain less than what counts, in all the chances that a game gives to a side: what is
    little may come often. A gain that is not known is no reason to call it dead, nor is one that was not found where
    solved games have it. Or its uses cost, none of those that were tried both ways led to more, and the strongest
    strategies never use it; or solved games say that leaving it alone costs nothing, and using it does. That it is
    always right, or depends on the situation, solved games say whatever was seen of strategies.
    `forced`: the module has all the answers wherever it asks, so that nobody can decline its use.
    """
    use = found.use
    if use is None or not use.actions or not use.restricted or use.worth is None or found.offered is False:
        return "none"
    if use.forced and not use.opportunities:
        return "forced"
    seen = use.worth
    tiny = little(worth)
    solved = solved_way(use, tiny)
    if solved in (ALWAYS, MIXED):
        return solved
    held = list(use.restricted.values())
    never, always = _mean([row.never for row in held]), _mean([row.always for row in held])
    gain, error = seen.gain, seen.error
    leaves = [(x.gain, x.error, x.share) for x in seen.leaves if x.error is not None]
    z = 2.6 + 0.15 * len(leaves)  # stricter the more situations are looked at
    against = [x for x, e, share in leaves if x + z * e < 0 and share >= COUNTERED and x < -tiny]
    chances = chances_of(use, len(worth.sides))
    in_favour = [x for x, e, share in leaves if x - z * e > 0 and x * max(1.0, chances * share) > tiny]
    if without_effect(seen):
        return "no effect"
    pays = leaving_costs(use) if use.solved else never.low > 0 and never.value > tiny
    free_always = always.value < max(tiny, 0.1 * never.value) or always.low <= 0 < tiny > always.value
    pays_now = gain is not None and error is not None and gain + 2 * error > 0
    if pays and free_always and not against and pays_now and not use.solved:
        return "always-use"
    # shown to gain less than what counts, not merely not shown to gain: too few uses must not accuse a rule
    # what is little, but shown to be gained, is no reason to call it dead: it is right to use it
    gained = gain is not None and error is not None and gain - SHOWN * error > LEAST
    useless = gain is not None and error is not None and (gain + 2 * error) * chances <= 2 * tiny and not gained
    useless = useless and all(  # one situation that is all of them is known better by the uses of both halves
        (x + 2 * e) * max(1.0, chances * share) <= 2 * tiny for x, e, share in leaves if COUNTERED <= share < 1.0
    )
    if (
        not pays
        and not in_favour
        and (useless or never_wanted(use) or solved == NEVER)
        and not (pays_user(found) or pays_solved(found, worth))
    ):
        return "gamble" if solved != NEVER and gambles(use, always, never) else "dead rule"
    return "mixed"


def little(worth: Worth) -> float:
    """What never using it must cost at least to count, by how far the results of games lie apart."""
    return NEUTRAL * worth.deviation / 2


def settled(use: Use) -> bool:
    """Whether using it is always right, however little that brings: nearly all uses were the better choice, none the
    worse, and nearly all chances are taken."""
    seen = use.worth
    if seen is None or seen.gain is None or seen.error is None or seen.better is None or use.rate is None:
        return False
    clear = seen.count >= MANY and seen.gain - SHOWN * seen.error > LEAST
    return clear and seen.better >= SURE and not seen.worse and use.rate >= SURE


def always_right(use: Use) -> Choice | None:
    """Which answer is always right where all must be answered, because every other one costs; None if there is none.

    Answers that are never given belong to a question that nobody knows: of more questions nothing is said.
    """
    if not use.forced or use.opportunities or len({choice.phase for choice in use.choices}) != 1:
        return None
    best = max(use.choices, key=lambda choice: choice.share)
    others = [line for line in use.lines if line.action != best.action and line.chances]
    cost = [line.gain is not None and line.error is not None and line.gain + SHOWN * line.error < 0 for line in others]
    return best if best.share >= SURE and cost and all(cost) else None


def gambles(use: Use, always: Interval, never: Interval) -> bool:
    """Whether uses win about as often as they lose and even out: the strongest do not leave it, nor does it cost.

    What costs is what `always` using it loses beyond what `never` using it does: whoever plays otherwise than the
    strongest at all may lose by that, whichever way.
    """
    seen = use.worth
    if seen is None or seen.better is None or seen.worse is None or seen.gain is None or seen.error is None:
        return False
    both = min(seen.better, seen.worse) >= GAMBLED
    used = use.rate is not None and use.rate > RARELY
    return both and used and abs(seen.gain) <= SHOWN * seen.error and always.low <= max(never.value, 0.0)


def pays_solved(found: Findings, worth: Worth) -> bool:
    """Whether solved games say that some use pays by what counts: without one nothing changes."""
    return worth.exact and found.idle > 0 and worth.overall.value > NEUTRAL * worth.deviation


def never_wanted(use: Use) -> bool:
    """Whether uses cost, no use of many led to more than leaving it, and the strongest strategies never use it."""
    seen = use.worth
    if seen is None or seen.gain is None or seen.error is None or seen.count < MANY or use.opportunities < MANY:
        return False
    return seen.better == 0 and use.uses == 0 and seen.gain + SHOWN * seen.error < 0


def chances_of(use: Use, sides: int) -> float:
    """How often a game offers the use to a side that is offered it at all, at least 1."""
    return max(1.0, use.opportunities / max(use.games_with_offer, 1) / max(sides, 1)) if use.games_with_offer else 1.0


def without_effect(seen: UseWorth) -> bool:
    """Whether no use led to another position, nor to another result later on.

    What a use leaves in the module's own fields is no position; a rule that reads them later shows in the gain alone.
    """
    if seen.gain is None or seen.effect != 0.0:
        return False
    return seen.error is None or abs(seen.gain) <= SHOWN * seen.error


def _mean(parts: Sequence[Interval]) -> Interval:
    """The mean over the sides, which were measured on games of their own, each as exactly as the worst of them."""
    n = len(parts)
    value = sum(p.value for p in parts) / n
    half = max((p.high - p.low) / 2 for p in parts) / n**0.5
    return Interval(value, value - half, value + half)


def _chances(worth: Worth) -> str:
    """What becomes of the share of wins; the strategies found may show none where solved games tell the worth."""
    whose = "among the strategies found " if worth.exact else ""
    if not beyond(worth.odds):
        return f"{whose}the holder's share of wins is not shown to change"
    rows = [side.even for side in worth.sides]
    a = sum(row.score_with for row in rows) / len(rows)
    b = sum(row.score_without for row in rows) / len(rows)
    return f"{whose}the holder's share of wins goes from {b:.0%} to {a:.0%}"


def remarks_of(found: Findings) -> tuple[str, ...]:
    """What is worth telling although it does not decide the verdict."""
    out = [text for text in (_sides_apart(found), paid_told(found), paid_use(found), missed_use(found)) if text]
    use = found.use
    if use is not None and 0 < use.games_with_offer < RARE * use.games:
        out.append(
            f"It is rare: offered in {use.games_with_offer:,} of {use.games:,} games of the strongest play, so that "
            "what is told of its use rests on few chances."
        )
    if found.faults and found.worth is not None:
        level = level_of(found.worth)
        out.append(f"As far as it can be played, what having it is worth would be called {level}.")
    if found.dominance is not None:
        now, before = found.dominance.everybody.dominant, found.dominance.nobody.dominant
        if now.share >= SURE and before.share <= 0.5:  # not merely less sure before
            n = len(found.dominance.everybody.strategies)
            told = f"It makes one strategy best against all found that are worth playing: “{now.name}”."
            if now.alike > 1:  # nobody else has to play that very one
                told = (
                    f"It makes one way to play best against all found that are worth playing: {now.alike} of {n} "
                    f"strategies {alike_within(now, found)} and are best, such as “{now.name}”."
                )
            out.append(told)
    return tuple(out)


def alike_within(best: Dominant, found: Findings) -> str:
    """That several strategies fare alike, and by how much they may differ all the same, where that was kept."""
    if not best.within:
        return "fare alike"
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    return f"fare alike (they differ by less than {best.within:.{found.digits}f}{unit} on average)"


def _sides_apart(found: Findings) -> str:
    """That having it is worth more to one of two sides by what counts, if that is no luck of learning; "" else.

    It is none where games were solved or a payment is sure, nor where what the best answers leave room for is apart.
    """
    worth = found.worth
    if worth is None or found.whole_table or len(worth.sides) != 2:
        return ""
    ends = worth.bounds.sides if worth.bounds is not None else ()
    apart = len(ends) == 2 and (ends[0].high < ends[1].low or ends[1].high < ends[0].low)
    sure = worth.exact or bool(worth.sure)
    if not sure and not apart:
        return ""
    first, second = (side.even.worth.value for side in worth.sides)
    if abs(first - second) < NEUTRAL * worth.deviation:
        return ""
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    d = 3 if worth.exact else found.digits
    told = [f"“{clean_name(s.side)}” {signed(s.even.worth.value, d)}{unit}" for s in worth.sides]
    basis = "exact" if sure else "carried by the best answers found"
    return f"It is worth more to one side than to the other: {told[0]}, {told[1]} ({basis})."


def missed_use(found: Findings) -> str:
    """That the strategies found do not know when to use it, although solved games say that it pays; "" else."""
    seen, worth = (found.use.worth if found.use else None), found.worth
    if worth is None or seen is None or seen.gain is None or seen.error is None or not pays_solved(found, worth):
        return ""
    if solved_way(found.use, little(worth)) == ALWAYS:
        return ""  # the verdict says when
    counts = NEUTRAL * worth.deviation
    never = _mean([row.never for row in found.use.restricted.values()]) if found.use and found.use.restricted else None
    if never is not None and never.low > 0 and never.value > counts / 2:
        return ""
    why = f" {UNSEEN}" if found.unseen else ""
    return f"Solved games say that its use pays; the strategies found do not show when.{why}"


def headline(verdict: Verdict) -> str:
    """The verdict's word, with what it rests on."""
    return f"{verdict.word} ({BASES[verdict.basis]})" if verdict.basis in BASES else verdict.word


__all__ = [
    "NEUTRAL", "VERDICTS", "alike_within", "always_right", "broken_texts", "by_luck", "headline", "level_of",
    "little", "seen_to_act", "settled", "shown_to_count", "unchanged", "use_of", "verdict_of", "without_effect",
]  # fmt: skip
