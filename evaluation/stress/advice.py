"""The next step in words, under each verdict: what the findings suggest, never more than they carry."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from itertools import pairwise

from ...envs.core.modules.declare import PAYOFF
from ..report.wording import clean_name, listing, replay_line, signed
from .basis import DIRECTION, FOUND, LEVELS, basis_of
from .budget import BUDGETS
from .deciding import NEUTRAL, beyond, deciding_of, figures_told
from .findings import Findings, Place, UseWorth, Worth
from .game_verdict import GUESSING, SIDED, used_in_vain
from .naming import PLACE
from .paid_words import keeps_its_own, pays_out
from .setting import trust_of
from .tunable import FAR, HUNDREDTHS, as_parameter
from .verdict import RARELY, UNSEEN, always_right, level_of, settled, unchanged, use_of

ROOM = 1.5  # times what would be neutral, up to which a parameter goes that is proposed
FEW = 20  # chances from which on a rate of use tells something
SETTLED_USE = (
    "Using it is always right, so that nothing is decided: let it cost something in some situations, or let it work by "
    "itself."
)
RIGHT_BUT_IDLE = (
    "The question can be left out without loss; to make a choice of it, let its answers differ by more, and each of "
    "them be right at times."
)
PAID_TOGETHER = (
    "It decides no lead, but what the sides are paid together: if only who wins counts, it can be left out; to let it "
    "decide something, pay one side more by it than the other."
)
UNFELT = (
    "If it is meant to do something here, look whether what it waits for comes up in this scenario and whether "
    "anything goes by what it changes; else test it in a scenario or a game where that is so (`probespiel games` lists "
    "them)."
)
NEVER_OFFERED = (
    "None of its actions was ever to be had, in random play either: look whether the hook that offers them, or asks, "
    "is called in this game and scenario (`probespiel hooks SYSTEM` tells when), and whether its condition comes true."
)
WINS_ALONE = (
    "It shows in wins alone, so that no price in payoffs is known for it: look at the share of draws and at the games "
    "that it turns, and whether they should be settled like that."
)
NO_DECISION = (
    "Whether to use it is no decision: let its use cost something, so that it pays in some situations alone; then test "
    "again."
)
FLAWED = ("overpowered", "strong", "small", "always-use")  # what a cost can mend, if having it is an advantage


def next_for_holder(found: Findings, word: str) -> tuple[str, ...]:
    """What to do next about the edge; `word` is the verdict's."""
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    if word == "broken":
        return _broken(found)
    if word == "open":
        return ("Go on with the test: the same command with --resume.",)
    worth, use = found.worth, found.use
    assert worth is not None
    out: list[str] = []
    if word == "undecided":
        out.append(_decide(found))
    if word in FLAWED:
        out.append(_price(found, worth, unit, word))
    if word == "dead rule":
        out.append("Make its use cheaper or its effect larger until some use gains, or leave it out.")
    kind = use_of(found, worth)
    if kind == "gamble":
        out.append("To make its use a decision, let it pay in situations that can be seen, and cost in others.")
    if found.unseen and (word == "dead rule" or kind == "gamble"):
        out.append(f"{UNSEEN} If its use should, declare one, write it in `observe`, and test again.")
    if word == "seat-favouring":
        out.append(
            "Give the other seat something for it, or let the seats have it in turn; then look at the seat again."
        )
    if word == "neutral":
        out += _neutral(found, worth, unit)
        if _unfelt(found):
            out.append(UNFELT)
    if word == "shared":
        out.append("Read the verdict on the game; to give it to one side alone, declare it without `table=`.")
    if word in ("neutral", "shared") and _never_offered(found):
        out.append(NEVER_OFFERED)
    if use is not None and use.rate is not None and use.opportunities >= FEW:
        out += _rate(use.rate, use.worth, unit)
    return tuple(out)


def _decide(found: Findings) -> str:
    """How to find out what is open."""
    what = deciding_of(found)
    if found.worth is not None and beyond(found.worth.overall):
        if what is None or what.budget:
            budget = what.budget if what else "standard"
            return f"Whether that counts is not known yet: test again with `--budget {budget}`."
        return "Whether that counts no larger --budget need decide: go by what it does to the game, and how it is used."
    if what is None or what.budget:
        return f"Nothing is known yet: test again with `--budget {what.budget if what else 'standard'}`."
    return (
        "Nothing is known yet, and a larger --budget need not decide it: go by what it does to the game and by how it "
        "is used, or make its effect larger and test again."
    )


def _broken(found: Findings) -> tuple[str, ...]:
    replay = next((f.replay for f in found.faults if f.replay), None)
    if replay is None:
        return ("Mend the rule: it cannot set a game up.",)
    return (f"Look at the game that shows it, mend the rule there, and test again: {replay_command(found, replay)}.",)


def replay_command(found: Findings, name: str) -> str:
    """The command that shows a game of the report's folder."""
    return f"`{replay_line('replays/' + clean_name(name, 200), trust_of(found))}`"


def _never_offered(found: Findings) -> bool:
    """Whether a rule has actions, and nobody ever had one of them to choose."""
    return found.offered is False and found.use is not None and found.use.actions > 0


def _unfelt(found: Findings) -> bool:
    """Whether a rule that nobody chooses to use was not seen to make any game go otherwise.

    Where all have it, a rule may cancel out that makes games go otherwise where one side has it alone.
    """
    if found.use is None or found.use.actions:
        return False
    acts_alone = found.sample is not None and found.sample.flips > 0
    if acts_alone or pays_out(found) or any(row.gain.low > 0 for row in found.exploit or ()):
        return False
    effect = found.effect
    compared = effect is not None and any(figure.direct for figure in effect.figures)
    return effect.untouched if effect is not None and compared else bool(found.inert)


def _neutral(found: Findings, worth: Worth, unit: str) -> list[str]:
    """Why a neutral rule needs no balance, and that payments change where they need not add up to nothing."""
    if not pays_out(found):
        return [_too_little(found, worth, unit)]
    if _has_room(found, worth):
        return [_too_little(found, worth, unit), "What the sides are paid changes by it: decide whether it should."]
    return ["Nothing has to be balanced between the sides; but what they are paid changes: decide whether it should."]


def _has_room(found: Findings, worth: Worth) -> bool:
    """Whether it is neutral among the strategies found alone, and the best answers to them leave room for more."""
    return worth.bounds is not None and basis_of(found, "neutral") == FOUND


def _too_little(found: Findings, worth: Worth, unit: str) -> str:
    """Why a neutral rule needs no balance: it is worth nothing, or what it is shown to be worth does not count.

    What the best answers leave room for is told where it would count, as nothing is known of better strategies then.
    """
    overall = worth.overall
    if unchanged(found):
        return "Nothing has to be balanced as far as was seen: it changed nothing."
    if worth.bounds is not None and _has_room(found, worth):
        room = worth.bounds.overall
        more = "" if found.budget == list(BUDGETS)[-1] else ", which a larger --budget may narrow"
        return (
            "Among the strategies found nothing has to be balanced; the best answers to them leave room for what "
            f"counts, from {signed(room.low, 2)} to {signed(room.high, 2)}{unit}{more}."
        )
    if beyond(overall) and (worth.exact or abs(overall.value) >= 0.005):
        return (
            f"Nothing has to be balanced: what its holder {'gains' if overall.value > 0 else 'loses'} does not count."
        )
    return "Nothing has to be balanced: whoever has it is neither better nor worse off."


def _price(found: Findings, worth: Worth, unit: str, word: str) -> str:
    """What its worth suggests: a cost, or something in return."""
    if word in LEVELS and not beyond(worth.overall):
        return WINS_ALONE
    if word == "always-use" and (found.whole_table or not beyond(worth.overall)):
        return NO_DECISION  # nobody gains or loses by having it that a price could make up for
    value, many = worth.overall.value, found.unit[1]
    ask = ("use",) if word == "always-use" else ()
    size = f"{signed(abs(value), 3 if worth.exact else found.digits).lstrip('+')}{unit}"
    rows = [row for side in found.handicap or () for row in side.by_amount if row.amount == 0]
    more = "more" if value > 0 else "fewer"
    # what the start gives is no price: in some games a payment counts in the result, what one begins with does not
    about, units = "", sum(row.value for row in rows) * (1 if value > 0 else -1) / max(len(rows), 1)
    shown = any(row.low > 0.0 or row.high < 0.0 for row in rows)
    if many and units >= 0.05 and shown:  # neither what is written as nothing, nor what is worth a start the other way
        told = "at least" if any(row.at_an_end for row in rows) else "about"
        about = f", as much as {told} {units:.1f} {many} {more} at the start"
    if value > 0:
        known = "Among the strategies found it" if basis_of(found, level_of(worth)) in (DIRECTION, FOUND) else "It"
        return (
            f"{known} is worth {size} to its holder, beyond what it costs{about}: a cost that is worth as much "
            f"makes it neutral. {_paid_alone(found, worth, unit)}{_balance(found, *ask)}"
        )
    if keeps_its_own(found):
        return (
            f"Its holder falls behind by {size}{about}, but is paid no less: the others gain by it. Give its holder as "
            f"much, or the others less. {_balance(found)}"
        )
    return (
        f"Its holder loses {size} by it{about}: give something that is worth as much for it, or make it milder. "
        f"{_balance(found)}"
    )


def paid_alone(found: Findings, worth: Worth) -> float:
    """What its holder would have to pay of its own result: of that a lead over others gains half, see `paid`."""
    return abs(worth.overall.value) * (2 if len(found.sides) > 1 else 1)


def _paid_alone(found: Findings, worth: Worth, unit: str) -> str:
    if len(found.sides) < 2:
        return ""
    size = signed(paid_alone(found, worth), 3 if worth.exact else found.digits).lstrip("+")
    return f"Paid by its holder alone, of its own result, that is {size}{unit}: of a payment a lead loses half. "


def _balance(found: Findings, *more: str) -> str:
    """The command that looks for the value of a parameter by which the module is neutral; `more` targets.

    Neutral is what the verdict calls so in this game. Without a parameter it names the number that could be one.
    """
    name, *others = found.ranges or ("",)
    if name:
        low, high = found.ranges[name]
        turn = f"`{_command(found, f'{name}={low}..{high}', more)}` looks for the value"
        rest = f"; others that might do: {', '.join(others)}; none was tried here" if others else ""
        return f"{turn}{rest}."
    if not found.numbers:
        where = f" in its hook `{found.hooks[0]}`" if found.hooks else " in a hook `payoff` (it needs `payoff_shift=`)"
        assert found.worth is not None
        down, size = found.worth.overall.value < 0, paid_alone(found, found.worth)
        own = bool(found.hooks) and found.hooks[0] in found.whole  # points of damage, say: no part of a result
        parts = 1 if own or size >= 2 else HUNDREDTHS
        most = FAR if own else max(5, math.ceil(ROOM * size * parts))
        name = ("gain" if down else "cost") if parts == 1 else "hundredths"
        much = "so much" if parts == 1 else "so many hundredths"
        command = _command(found, f"{name}=0..{most}", more)
        return (
            f"No number was found in it that tells how much it does: declare one "
            f'(`module.param("{name}", 1, 0, {most})`), let it '
            f"{'bring' if down else 'cost'} {much}{where}, and `{command}` looks for it."
        )
    # what is paid can be turned by hundredths, a strength or a number of cards by whole ones alone
    number = min(found.numbers, key=lambda x: x.hook != PAYOFF)
    assert found.worth is not None
    declared, turned, read = as_parameter(number, number.less == (found.worth.overall.value > 0))
    where, place = f"line {number.line}", "its place"
    if number.also:  # what one gets another one pays: turned alone either would be another rule
        where, place = f"lines {listing([str(line) for line in sorted({number.line, *number.also})])}", "all of them"
    sizes = {x.value for x in found.numbers if x.hook == number.hook}
    has, make = "one,", "If its worth goes by that, make it one"
    if len(sizes) > 1:  # which one is meant to be turned only its author knows
        has, make = f"{len(sizes)} of different size, first", "Make the one that is to be turned a parameter; the first"
    return (
        f"It declares no number to turn: its hook `{number.hook}` has {has} {number.value:g} in {where}. "
        f"{make} (`{declared}`, and `{read}` in {place}), and `{_command(found, turned, more)}` looks for it."
    )


def _command(found: Findings, param: str, more: Sequence[str]) -> str:
    assert found.worth is not None
    counts, value = NEUTRAL * found.worth.deviation, abs(found.worth.overall.value)
    if 0 < value < counts:  # it is for the wins that it counts: a target that it meets as it is would change nothing
        counts = value / 2
    digits = max(0, 1 - math.floor(math.log10(counts)))  # two figures
    size = f"{counts:.{digits}f}"
    targets = " ".join(f"--target {target}" for target in (f"worth=-{size}..{size}", *more))
    module = clean_name(found.module, 200)
    return f"probespiel balance {found.game} --module {module} --param {param} {targets}{_same_game(found, param)}"


def _same_game(found: Findings, param: str) -> str:
    """The options by which the test was told which game is played; another value of the number turned is none."""
    given, out = shlex.split(found.command), list[str]()
    for option, value in pairwise(given):
        turned = option == "--param" and value.partition("=")[0] == param.partition("=")[0]
        if option in ("--scenario", "--set", "--also", "--param") and not turned:
            out += [option, value]
    return f" {shlex.join(out)}" if out else ""


def _rate(rate: float, worth: UseWorth | None, unit: str) -> list[str]:
    """Where a use pays, if it is used seldom; where it does not, if it is used nearly always."""
    leaves = [leaf for leaf in (worth.leaves if worth else ()) if leaf.error is not None]
    if rate < RARELY:
        pays = _clear(leaves, 1.0)
        none = "no situation was found in which it clearly pays"
        where = f"it clearly pays where {_places(pays, unit)}" if pays else none
        return [f"It is used in {rate:.0%} of the chances: {where}."]
    if rate > 1 - RARELY:
        costs = _clear(leaves, -1.0)
        none = "no situation was found that clearly speaks against it"
        where = f"it does not pay where {_places(costs, unit)}" if costs else none
        return [f"It is used in {rate:.0%} of the chances: {where}."]
    return []


def _clear(leaves: Sequence[Place], sign: float) -> list[Place]:
    """Situations whose gain clearly has a sign; stricter the more were looked at."""
    z = 2.6 + 0.15 * len(leaves)
    return [leaf for leaf in leaves if leaf.error is not None and sign * leaf.gain - z * leaf.error > 0]


def _places(leaves: Sequence[Place], unit: str) -> str:
    return listing([f"{clean_name(x.where, PLACE)} ({signed(x.gain, 2)}{unit})" for x in leaves], 3)


GAME_STEPS = {
    "stalls the game": "Limit how often it can be had in a game, or let what it protects wear off; then test again.",
    SIDED: "If the sides should fare as before, give the other one something for it, or let it act for either in turn.",
    GUESSING: "To make it a choice, let what the answers bring go by the situation, or something be seen before it is "
    "made; other prices alone shift the shares in which they are mixed.",
    "decoration": "Its actions can be left out without loss; to keep them, give them an effect.",
    "changes little": "Nothing has to be done for the game as a whole.",
}
PASSIVE_STEPS = {  # of a module that acts by itself: nobody chooses when to use it
    "stalls the game": "It acts by itself, so that no player can end it: let it act only for some time or so many "
    "times, or leave a way to win that it does not touch; then test again.",
    "length": "If games should not last longer, end them sooner by as much, or let it act less often.",
}
FIGURE_STEPS = {
    ("length", 1): "If games should not last longer, end them sooner by as much, or let it be used less often.",
    ("length", -1): "If games should not be shorter, weaken what ends them.",
    ("draws", 1): "If fewer games should be drawn, settle ties by a rule of their own.",
    ("luck", 1): "If choices should decide more, let it depend on them instead of on the deal.",
    ("skill", -1): "Better players gain less than before: look at which decisions it takes from them.",
    ("first seat", 1): "Give the last seat something for it.",
    ("first seat", -1): "Give the first seat something for it.",
    ("decisions", -1): "Fewer decisions matter: look at which ones it settles beforehand.",
    ("strategies", -1): "Fewer strategies are left: look in the table of strategies at what dominates them.",
}


def next_for_game(found: Findings, word: str) -> tuple[str, ...]:
    """What to do next about the game as a whole; `word` is the verdict's."""
    if word == "broken" or found.effect is None:
        return ()
    if _never_offered(found):
        return (NEVER_OFFERED,)
    if used_in_vain(found):  # its figures are those of uses that nobody makes who knows better
        return (GAME_STEPS["changes little"],)
    if word == "decoration" and found.use is not None and always_right(found.use) is not None:
        return (RIGHT_BUT_IDLE,)
    if word == "decoration" and pays_out(found):
        return (PAID_TOGETHER,)
    return (*_about_game(found, word), *_settled(found))


def _settled(found: Findings) -> tuple[str, ...]:
    """What to do about a question that has one right answer: all others cost."""
    use = found.use
    if use is None or found.worth is None:
        return ()
    best = always_right(use)
    if best is None:
        return (SETTLED_USE,) if use_of(found, found.worth) == "mixed" and settled(use) else ()
    return (
        f"Asked {found.asked(best.phase)}, “{clean_name(best.action)}” is always right, so that nothing is decided: "
        "let the other answers gain something, or leave the question out.",
    )


def _about_game(found: Findings, word: str) -> tuple[str, ...]:
    assert found.effect is not None
    passive = found.use is not None and not found.use.actions
    if passive and word in PASSIVE_STEPS:
        return (PASSIVE_STEPS[word],)
    if word == "no change shown":
        return figures_told(found)
    if word in GAME_STEPS:
        return (GAME_STEPS[word],)
    out = []
    for figure in found.effect.figures:
        if figure.matters:
            rises = figure.change.value > 0
            known = FIGURE_STEPS.get((figure.name, 1 if rises else -1))
            if passive and rises:
                known = PASSIVE_STEPS.get(figure.name, known)
            if known:
                out.append(known)
    return tuple(out) or ("If that is what it is meant for, nothing has to be done.",)


__all__ = ["NEVER_OFFERED", "WINS_ALONE", "next_for_game", "next_for_holder", "replay_command"]
