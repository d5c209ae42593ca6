"""The answers of a stress report in plain words, each with its interval and its number of games."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...agents.intervals import NORMAL
from ..report.wording import clean_name, gained, listing, points, reach, signed
from .amounts import agreeing, costs, handicap_text, of_games, percent, span
from .answering import counting, equally_good, seats_told, told_by_situation
from .basis import missed_told
from .deciding import beyond
from .findings import (
    Breakage,
    Choice,
    Dominance,
    Dynamics,
    Exploit,
    Findings,
    Interval,
    Mean,
    Rung,
    Stake,
    Use,
    Worth,
)
from .game_verdict import OWN_DICE, dice_move_luck, guessing
from .game_words import (
    action_lines,
    against_it,
    counter_lines,
    effect_lines,
    level_lines,
    sample_lines,
    seat_ends,
    sides_told,
)
from .naming import who_has_it
from .paid_words import leads_told, right_by_lead
from .solved_use import MIXED, NEVER, both_ways, equally_right, restrained, solved_way, told_solved
from .texts import words
from .verdict import alike_within, always_right, by_luck, headline, little, settled

QUESTIONS = {
    "worth": "What is having it worth?",
    "effect": "What does it do to the game?",
    "levels": "Who is it for?",
    "use": "Is it used?",
    "dominance": "Does it create a dominant strategy?",
    "dynamics": "Does it change who wins?",
    "breakage": "Does it break?",
    "exploit": "The exploit",
    "sample": "A game that it decides",
}
MISSING = "This was not finished."
BROKEN = "This was not measured: the rules break."
ALIKE = (
    "With more than two sides a game has no value of its own. So the others stay as they are, with it and "
    "without: as they play where nobody has it, and as they play where this side has it. The interval reaches "
    "from what the best answer found without it gains by having it to what the best answer found with it loses by "
    "not having it. It assumes that there are no better answers than those found, and that the others do not "
    "change."
)
AMONG = (
    "That interval is one among the strategies found: it counts the luck of the deals and how far the learners' few "
    "seeds are apart, not what all of them miss."
)
SETTLED = "Flag: there is nothing to decide: nearly every use was the better choice, and none the worse."
LONGEST = 120  # characters of a strategy's name, which says how it came about
MOSTLY = 0.9  # share from which an answer counts as the usual one
SURE = 0.95  # share of resamples from which a statement counts as shown


def unit_of(found: Findings) -> str:
    """The unit of payoffs with a space before it, or an empty text."""
    return f" {found.payoff_unit}" if found.payoff_unit else ""


def answers(found: Findings) -> dict[str, list[str]]:
    """Sentences for every question, in the order of QUESTIONS."""
    told: dict[str, Callable[[], list[str]]] = {}
    unit = unit_of(found)
    if found.worth is not None:
        worth = found.worth
        told["worth"] = lambda: _worth(worth, found, unit)
    if found.use is not None:
        use = found.use
        told["use"] = lambda: _use(use, found, unit) + counter_lines(found.counters or ())
    if found.dominance is not None:
        dominance = found.dominance
        told["dominance"] = lambda: _dominance(dominance, found)
    if found.dynamics is not None:
        dynamics = found.dynamics
        told["dynamics"] = lambda: _dynamics(dynamics, found, unit)
    if found.breakage is not None:
        breakage = found.breakage
        told["breakage"] = lambda: _breakage(breakage)
    if found.exploit is not None:
        exploits = found.exploit
        told["exploit"] = lambda: _exploit(exploits, found, unit)
    if found.effect is not None:
        effect = found.effect
        told["effect"] = lambda: [
            *effect_lines(effect, found.use, len(guessing(found))), *([OWN_DICE] if dice_move_luck(found) else ()),
        ]  # fmt: skip
    if found.levels is not None:
        levels = found.levels
        told["levels"] = lambda: level_lines(levels, found)
    if found.sample is not None:
        sample = found.sample
        told["sample"] = lambda: sample_lines(sample, found)
    instead = [BROKEN if found.faults else MISSING]
    return {name: told[name]() if name in told else instead for name in QUESTIONS}


def _worth(worth: Worth, found: Findings, unit: str) -> list[str]:
    d, overall, odds = found.digits, worth.overall, worth.odds
    rivals = "the same opponents without it" if len(found.sides) > 1 else "the same tasks without it"
    both = "both sides trained anew" if len(found.sides) > 1 else "trained anew"
    both = "the same strategies" if worth.sure else "answers to them sought anew" if worth.alike else both
    leads = "".join(f" {text}" for text in (*leads_told(found), by_luck(found)) if text)
    if found.whole_table:
        sides = [
            f"{clean_name(side.side)} {signed(side.even.worth.value, d)}{unit} "
            f"({'exact' if worth.exact else reach(side.even.worth.low, side.even.worth.high, d)})"
            for side in worth.sides
        ]
        how = "the games were solved" if worth.exact else f"{of_games(overall.games)} on the same deals both times"
        held = all(side.even.worth.low <= 0.0 <= side.even.worth.high for side in worth.sides)
        still = worth.exact and all(abs(side.even.worth.value) < 1e-6 for side in worth.sides)
        change = "do not change" if still else "are not shown to change" if held and not worth.exact else "change"
        return [
            "It concerns the whole table, so that nobody has it alone and nobody gains by having it. "
            f"By its being there results {change}: {listing(sides)}, a game ({how}).{leads}"
        ]
    if worth.exact:
        out = [
            f"Whoever has it alone {gained(overall.value, 3)}{unit} a game against {rivals} (exact: the games "
            "were solved, both sides play best). Shares of wins are those of the strategies that were found."
        ]
        if missed := missed_told(worth, unit, d):
            out.append(missed)
    else:
        change = gained(overall.value, d)
        if overall.low <= 0.0 <= overall.high:
            change = f"is not shown to gain or to lose: {signed(overall.value, d)}"
        out = [
            f"Whoever has it alone {change}{unit} a game against {rivals} "
            f"({span(overall, d)}; {of_games(overall.games)} on the same deals both times, {both})."
        ]
    if found.voluntary and not worth.exact:
        out.append(
            f"It cannot be a handicap: nobody has to use it, and in {of_games(found.voluntary)} of random play in "
            "which nobody did, all stood and was seen as without it. What was measured below nothing is the luck of "
            "learning, and counts as nothing."
        )
    out[0] += leads
    if worth.alike:
        out.append(ALIKE)
    elif worth.bounds is not None:
        out[0] += f" {AMONG}"
        out.append(
            f"The interval that holds is between {signed(worth.bounds.overall.low, d)} and "
            f"{signed(worth.bounds.overall.high, d)}{unit} ({of_games(worth.bounds.games)} for each end): what "
            "each side keeps against the best answers to it, and gains by the best answers to the other. It assumes "
            "that there are no better answers than those found, and nothing about how well both play."
        )
    elif not worth.exact and not worth.sure and len(found.sides) == 1:
        out.append(
            "It assumes that the strategies found with it and without are equally close to the best there are: where "
            "nobody answers them, no bounds are known."
        )
    rows = [side.even for side in worth.sides]
    a = sum(r.score_with for r in rows) / len(rows)
    b = sum(r.score_without for r in rows) / len(rows)
    times, low, high = (math.exp(x) for x in (odds.value, odds.low, odds.high))
    wins = "wins (draws count half)" if len(found.sides) > 1 else "results above the middle of the range"
    out.append(
        f"Its share of {wins} goes from {b:.1%} to {a:.1%}; the odds of winning are multiplied by "
        f"{times:.2f} ({low:.2f} to {high:.2f})."
    )
    one, many = found.unit
    for entry in found.handicap or ():
        here = next((row for row in entry.by_amount if row.amount == 0), None)
        if here:
            out.append(f"For “{clean_name(entry.side)}” it is worth {handicap_text(here, one, many)}.")
    return out + against_it(worth, unit, d)


def _use(use: Use, found: Findings, unit: str) -> list[str]:
    d = found.digits
    if not use.actions:
        return ["It has no actions: it works by itself, and nobody decides about its use."]
    if use.forced and not use.opportunities:
        return _forced(use, found, unit)
    if not use.opportunities:
        return [f"It was never offered in {of_games(use.games)} of the strongest play."]
    around = f" ({points(use.error)})" if use.error is not None else ""
    offered = f"{use.games_with_use:,} of the {use.games_with_offer:,} games (of {use.games:,}) in which it was offered"
    if use.games_with_offer == use.games:
        offered = f"{use.games_with_use:,} of the {use.games:,} games, in all of which it was offered"
    out = [
        f"The strongest strategies use it in {percent(use.rate)} of {use.opportunities:,} opportunities{around}, "
        f"and in {offered}."
    ]
    worth, lost = use.worth, False
    if worth is not None and worth.gain is not None and worth.error is not None:
        lost = worth.gain < -2 * worth.error
        half = NORMAL * worth.error
        ends = span(Interval(worth.gain, worth.gain - half, worth.gain + half), d)
        out.append(
            f"Tried both ways at {worth.count:,} opportunities of {of_games(worth.games)}, a use "
            f"{gained(worth.gain, d, 'gained', 'lost')}{unit} on the average ({ends}); it was the better "
            f"choice in {percent(worth.better)}, the worse in {percent(worth.worse)} of them, made no difference in "
            "the others."
        )
        if worth.effect == 0.0:
            out.append("A use never led to another position than not using it.")
    out += told_solved(use)
    kind = found.verdict.use if found.verdict else None
    solved = solved_way(use, little(found.worth)) if found.worth else ""
    if kind == "always-use":
        left = "what is left to decide is how" if use.ways else "there is nothing to decide"
        out.append(f"Flag: using it is always right; {left}.")
    elif kind == "dead rule":
        if lost or solved == NEVER:
            out.append("Flag: using it is never right; nobody should.")
        else:
            out.append("Flag: no use of it gains by what counts, in no situation that was found.")
    elif kind == "gamble":
        out.append("It is a gamble: what its uses win and lose evens out.")
    elif kind == "mixed":
        real = "Whether to use it is a real decision: it pays in some situations and costs in others."
        none = SETTLED if settled(use) else "No situation was found that speaks clearly against it."
        out.append(real if solved == MIXED or (worth is not None and both_ways(worth)) else none)
    out += action_lines(use.lines, unit, d)
    guessed = [one.stake for one in guessing(found)]
    counts = counting(found, use.opportunities)
    for ways in use.ways:
        out.append(f"Asked {found.asked(ways.stake.phase)}, it can be used in {len(ways.answers)} ways.")
        equal = equally_right(use, [choice.action for choice in ways.answers])
        out.append(_answers_of(ways.answers, unit, ways.stake, ways.stake in guessed, d, counts, equal=equal))
    for name, row in restrained(use).items():
        losses = [("never using it", row.never), ("always using it", row.always), ("tossing a coin", row.coin),
                  ("using it blindly", row.random)]  # fmt: skip
        parts = [f"{told} {costs(loss, d)}" for told, loss in losses]
        against = ", against an opponent without it" if len(found.sides) > 1 else ""
        out.append(f"For “{clean_name(name)}”{against}: " + "; ".join(parts) + ".")
    return out


def _answers_of(
    choices: Sequence[Choice], unit: str, stake: Stake | None, guessed: bool, digits: int, least: float,
    right: str = "", equal: Sequence[str] = (),
) -> str:  # fmt: skip
    """What the answers to a question gain against the mixture of all; `least` would count, `right` is always right.

    `equal`: answers that are as good as each other by solved games, whatever strategies that were found make of them.
    """
    z = 2.0 + 0.2 * len(choices)  # stricter the more answers there are
    tried = [(c, c.gain, c.error) for c in choices if c.gain is not None and c.error is not None]
    # what is written as nothing is no gain
    better = [c for c, gain, error in tried if gain - z * error > 0 and gain >= 0.5 * 0.1**digits]
    told = [
        f"{c.action} {signed(gain, digits)}{unit}" + (f" (± {NORMAL * error:.{digits}f})" if error else "")
        for c, gain, error in tried
    ]
    if not tried:
        return "What each answer gains could not be tried."
    usual = max(choices, key=lambda c: c.share)
    if guessed:
        last = "None is better than the mixture by what counts: no best choice, a guessing game."
    elif equal and all(c.action in equal for c in better):
        last = f"Equally right by solved games are {listing(equal, 8)}."
    elif usual.action == right:
        last = f"It is always {usual.action} that is right: every other answer costs."
    elif not better and usual.share >= MOSTLY:
        last = f"Nearly always it is {usual.action}, and no other answer is better."
    elif not better and stake is not None and equally_good(stake, least):
        last = "Which one is taken of those that are given makes no difference that counts."
    elif len(better) == 1 and stake is not None and told_by_situation(stake, better[0].gain):
        last = "The situation tells which one is right."
    elif not better and stake is not None and told_by_situation(stake):
        last = "None is shown to be better than the mixture on the average: the situation tells which one is right."
    elif not better:
        last = "None is shown to be better than the mixture."
    elif len(better) == 1:
        last = f"On the average {better[0].action} is the best answer."
    else:
        last = f"Better than the mixture are {listing([c.action for c in better], 8)}: it depends on the situation."
    return f"Against what is usually answered there, each gains or loses: {listing(told, 12)}. {last}"


def _forced(use: Use, found: Findings, unit: str) -> list[str]:
    """What is said of a module that has all the answers wherever it asks."""
    d = found.digits
    out = [
        f"Nobody can decline it: in all {use.forced:,} decisions of {of_games(use.games)} in which one of its actions "
        "was legal, every legal action was one of its own. It is neither used nor left out; what counts is which one."
    ]
    guessed = [one.stake for one in guessing(found)]
    counts = counting(found, use.forced)
    stakes = {stake.phase: stake for stake in use.stakes}
    right = always_right(use)
    for phase in dict.fromkeys(choice.phase for choice in use.choices):
        given = [c for c in use.choices if c.phase == phase]
        shares = [f"{c.action} {percent(c.share)}" for c in given]
        told = [
            f"Asked {found.asked(phase)}, the strongest strategies answer: {listing(shares, 8)}.",
            *seats_told(given),
        ]
        out.append(" ".join(told))
        stake = stakes.get(phase)
        out.append(_answers_of(given, unit, stake, stake in guessed, d, counts, right.action if right else ""))
    out += action_lines(use.lines, unit, d)
    for name, row in use.restricted.items():
        out.append(f"For “{clean_name(name)}” answering blindly {costs(row.random, d)}.")
    return out + right_by_lead(found, right)


def _dominance(dominance: Dominance, found: Findings) -> list[str]:
    out = []
    for d, word in ((dominance.everybody, "With it"), (dominance.nobody, "Without it")):
        best, n, share = d.dominant, len(d.strategies), percent(d.dominant.share)
        if best.share >= SURE:
            many, name = best.alike, clean_name(best.name, LONGEST)
            lead = f"one of {n} strategies is best against all that are worth playing: “{name}” ({share}"
            if many > 1:
                apart = alike_within(best, found)
                lead = (
                    f"{many} of {n} strategies {apart} and are best against all worth playing, like “{name}” ({share}"
                )
        else:
            lead = f"none of {n} strategies is best against all that are worth playing (the nearest in {share}"
        out.append(f"{word}, {lead} of the resamples; {of_games(d.games)}).")
        sure = [f"“{clean_name(s.name, LONGEST)}”" for s in d.strategies if s.dominated_share >= SURE]
        told = f": {listing(sure)}" if sure else ""
        many = f"{len(sure)} are" if len(sure) > 1 else "One is" if sure else "None is"
        both = best.alike + len(sure) - n if best.share >= SURE and best.alike > 1 else 0  # so many at least
        some = f"{both} or more of them " * (len(sure) > 1)
        told = f" ({some}by little, as they fare alike){told}" if both > 0 else told
        number, cycles = d.effective, d.cyclic
        whose = " between those held to no way of using it" if d.module_mass and d.learned is not None else ""
        out.append(
            f"{many} dominated by others or by a mixture of them{told}. The equilibrium amounts to "
            f"{number.value:.1f} strategies ({number.low:.1f} to {number.high:.1f}), each of those that fare alike "
            "counted; "
            f"{percent(cycles.value)} of the differences{whose} are cyclic ({percent(cycles.low)} to "
            f"{percent(cycles.high)})."
        )
    out.append("Worth playing is what is left when strategies that are dominated drop out again and again.")
    mass = dominance.everybody.module_mass
    if mass:
        ends = f"{percent(mass.low)} to {percent(mass.high)}"
        out.append(f"In equilibrium {percent(mass.value)} of its opportunities are taken ({ends}).")
    learned = (dominance.nobody.learned, dominance.everybody.learned)
    if None not in learned:
        least = min(n for n in learned if n is not None)
        known = f"as far as {learned[0]} learned strategies without it and {learned[1]} with it tell it"
        why = "which too few learned strategies tell of"
        out.append(
            f"Intervals of the equilibrium and of cycles hold the luck of learning, {known}."
            if least > 1
            else f"Intervals of the equilibrium and of cycles leave out the luck of learning, {why}."
        )
    return out


def _pm(found: Mean, scale: float, digits: int, suffix: str = "") -> str:
    more = f" ± {NORMAL * found.error * scale:.{digits}f}" if found.error else ""  # equal lengths of games have none
    return f"{found.mean * scale:.{digits}f}{more}{suffix}" if found.mean is not None else "–"


def _dynamics(dynamics: Dynamics, found: Findings, unit: str) -> list[str]:
    d = found.digits
    a, b = dynamics.nobody, dynamics.everybody
    seat, left_out = found.seat, found.effect.left_out if found.effect else {}
    out = []
    if seat is not None:
        d = agreeing(seat.nobody.value, seat.everybody.value, seat.change.value, d)
        more = "" if seat.mirrored else " The roles of the seats could not be exchanged."
        out.append(
            f"Sitting first is worth {signed(seat.nobody.value, d)}{unit} without it and "
            f"{signed(seat.everybody.value, d)}{unit} with it; the change is "
            f"{signed(seat.change.value, d)} ({seat_ends(seat.change, found)}).{more}"
            f"{seat_by_luck(found)}"
        )
        out += sides_told(seat.side, found)
    luck = [f"{x.luck.share:.0%} (± {NORMAL * x.luck.error:.0%})" for x in (a, b)]
    out.append(
        f"The deal decides {luck[0]} of the results' variance without it and {luck[1]} with it; the rest is decided by "
        f"choices and later chance. {of_games(a.games + b.games)}."
    )
    lasts = f"A game lasts {_pm(a.lengths, 1, 1)} decisions without it, {_pm(b.lengths, 1, 1)} with it."
    stopped = f"{a.unresolved:.0%} and {b.unresolved:.0%} were stopped by the limit of decisions"
    ends = f"{a.draws:.0%} and {b.draws:.0%} are drawn; {stopped}"
    if "comebacks" in left_out:  # no lead to tell of
        out.append(f"{lasts} Of the games {stopped if 'draws' in left_out else ends}.")
    else:
        out.append(
            f"{lasts} The winner was behind at some time in {_pm(a.comeback, 100, 0, '%')} and "
            f"{_pm(b.comeback, 100, 0, '%')} of the decided games; drama is {_pm(a.drama, 1, 2)} and "
            f"{_pm(b.drama, 1, 2)}, the lead changes {_pm(a.changes, 1, 2)} and {_pm(b.changes, 1, 2)} times; {ends}."
        )
    for play, word in ((a, "Without it"), (b, "With it")):
        steps = play.ladder
        if steps:
            told, games = ", ".join(percent(x.score) for x in steps), of_games(sum(x.games for x in steps))
            lead = f"{word}, whoever searches twice as long scores {told} against whoever does not,"
            if len(steps) == 1:
                pays = "pays for sure" if _pays(steps[0]) else "is not shown to pay"
                out.append(f"{lead} which {pays} ({games}; games are too long for further doublings).")
                continue
            sure = sum(map(_pays, steps))
            out.append(f"{lead} from one doubling to the next; at {sure} of {len(steps)} that pays for sure ({games}).")
    return out


def seat_by_luck(found: Findings) -> str:
    """What is to be said of a change of the first seat that only other strategies show."""
    figure = found.effect.of("first seat") if found.effect else None
    if figure is None or figure.shown or not beyond(figure.change):
        return ""
    return " The same strategies with it and without show no such change: it may be the luck of what was learned."


def _pays(rung: Rung) -> bool:
    return rung.error is not None and rung.score - 2 * rung.error > 0.5


def _breakage(found: Breakage) -> list[str]:
    if not found.faults:
        return [
            f"Nothing broke in {of_games(found.games)} ({found.decisions:,} decisions) of wilful "
            "random play: no state without a legal move, no loop, no unresolved game, no number without bound, and no "
            "crash."
        ]
    out = []
    for fault in found.faults:
        who = who_has_it(fault.where)
        often = f", in {fault.count:,} of {fault.games:,} games" if fault.games else ""
        out.append(f"When {who}{often}: {fault.text}.")
    return out


def _exploit(exploits: tuple[Exploit, ...], found: Findings, unit: str) -> list[str]:
    d = found.digits
    out = []
    for e in exploits:
        target = listing([clean_name(n, LONGEST) for n in e.target], 3)
        out.append(
            f"“{clean_name(e.side)}” with it, playing “{clean_name(e.strategy, LONGEST)}”, gets "
            f"{signed(e.value, d)}{unit} from the strongest play that does not know it ({target}); the best "
            f"answer without it gets {signed(e.without, d)}. The gain is {signed(e.gain.value, d)} "
            f"({span(e.gain, d)}; {of_games(e.gain.games)}, chosen on other games)."
        )
        if e.gain.low <= 0:
            nothing = "is shown to gain nothing" if e.gain.high <= 0 else "is not shown to gain anything"
            out.append(f"For “{clean_name(e.side)}” there is no exploit: the best answer found {nothing}.")
        if e.game.found:
            what = "turns a loss into a win" if e.game.turned else "shows it"
            move, size = f"“{e.game.action}” (instead of “{e.game.instead}”)", f"{signed(e.game.swing, d)}{unit}"
            asks = found.use is not None and found.use.actions > 0
            passed = f"of all moves {move}, which is none of its own, counted most, {size}."
            out.append(
                f"A game that {what}: the decisive move is {move}, worth {size} there."
                if e.game.own
                else f"A game that {what}: {passed}"
                if asks
                else f"A game that {what}: there it acts by itself, and of all moves {move} counted most, {size}."
            )
    if len(found.sides) == 1:
        return ["There is one side, and nobody to be exploited."]
    return out or ["No side could use it."]


def summary_lines(found: Findings, lang: str = "en") -> list[str]:
    """What a terminal shows of a report: the verdict with its reasons, and the first sentence of every answer.

    `lang`: `en` or `de`.
    """
    assert found.verdict is not None and found.game_verdict is not None
    out, t = [], words(lang, found.german)
    for title, verdict in (("For its holder", found.verdict), ("For the game", found.game_verdict)):
        out.append(f"{t(title)}: {t(headline(verdict))}")
        out += [f"  {line}" for line in t.all((*verdict.why, *verdict.remarks))]
        out += [f"  {t('Next')}: {line}" for line in t.all(verdict.next)]
    out += t.all(found.notes)
    for name, lines in answers(found).items():
        title = t(QUESTIONS[name])
        out.append(f"{title}{'' if title.endswith('?') else ':'} {t(lines[0])}")
    return out


__all__ = [
    "AMONG", "QUESTIONS", "answers", "seat_by_luck", "summary_lines", "unit_of",
]  # fmt: skip
