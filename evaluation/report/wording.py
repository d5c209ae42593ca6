"""The findings in plain words: one answer for a reader in a hurry, one sentence for every verdict.

All sentences are formulated from the numbers of a `Summary`. A name passes through `namer`, which an HTML page uses to
escape and mark it; everything else is fixed text and numbers.
"""

import unicodedata
from collections.abc import Callable, Sequence

from ..tournament.metagame import mixture_text
from ..tournament.summary import Interval, Summary, Verdict

Namer = Callable[[str], str]

_LONGEST_NAME = 60
# A claim is "shown" from this share of resamples on; the same level as the intervals' default.
SHOWN = 0.95


def clean_name(name: str, longest: int = _LONGEST_NAME) -> str:
    """A name fit for one line: control and direction characters become "�", long names end in "…"."""
    shown = "".join("�" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else c for c in name)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def signed(value: float | None, digits: int) -> str:
    """A number with its sign, a real minus sign, and no negative zero; "–" for None."""
    if value is None:
        return "–"
    text = f"{value:+.{digits}f}"
    if float(text) == 0:
        text = f"{0:.{digits}f}"
    return text.replace("-", "−")


def payoff_digits(summary: Summary) -> int:
    """Decimals that suit the payoffs of a summary: 3 below 10, 2 below 100, else 1."""
    values = [abs(v) for row in summary.matrix for v in row if v is not None]
    values += [abs(s.payoff) for s in summary.seats if s.payoff is not None]
    largest = max(values, default=0.0)
    return 3 if largest < 10 else 2 if largest < 100 else 1


def span(interval: Interval | None, digits: int) -> str:
    """An interval as "low to high", both signed; empty for None."""
    return "" if interval is None else f"{signed(interval.low, digits)} to {signed(interval.high, digits)}"


def share_text(share: float, resamples: int) -> str:
    """A share of resamples: "all 1,000 resamples", "97.3% of 1,000 resamples", "none of 1,000 resamples"."""
    if share >= 1:
        return f"all {resamples:,} resamples"
    if share <= 0:
        return f"none of {resamples:,} resamples"
    return f"{min(max(share * 100, 0.1), 99.9):.1f}% of {resamples:,} resamples"


def listing(items: Sequence[str], most: int = 5) -> str:
    """ "a", "a and b", "a, b and c"; beyond `most` items the rest is counted."""
    shown = list(items[:most])
    if len(items) > most:
        shown = [*items[: most - 1], f"{len(items) - most + 1} others"]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1] if shown else ""


def dominance_sentence(summary: Summary, agent: int, namer: Namer = clean_name) -> str:
    """Whether anything in the tournament dominates strategy `agent` (index), and how sure that is."""
    name = namer(summary.names[agent])
    if summary.metagame is None:
        return f"Whether a strategy dominates {name} is open, because some pair of strategies never met."
    if len(summary.names) == 1:
        return f"{name} met no other strategy that could dominate it."
    v = summary.metagame.verdicts[agent]
    share = v.dominated_share
    if v.dominated and (share is None or share >= SHOWN):
        if v.dominator is not None:
            kind = "is better against every strategy" if v.strict else "is never worse, and sometimes better"
            sure = "" if v.dominator_share is None else f", in {share_text(v.dominator_share, summary.resamples)}"
            return f"{namer(summary.names[v.dominator])} dominates {name}: it {kind} in this tournament{sure}."
        mix = mixture_text(v.mixture or (), [namer(n) for n in summary.names])
        sure = "" if share is None else f", in {share_text(share, summary.resamples)}"
        return f"No single strategy dominates {name}, but the mixture {mix} does{sure}."
    if share is None:
        return f"No strategy dominates {name} in this tournament, by the mean payoffs alone."
    if 1 - share >= SHOWN:
        return (
            f"No strategy dominates {name} in this tournament, nor does any mixture of them: "
            f"this holds in {share_text(1 - share, summary.resamples)}."
        )
    return (
        f"No strategy can be shown to dominate {name} in this tournament: "
        f"one that does appears in only {share_text(share, summary.resamples)}."
    )


def unbeaten_sentence(summary: Summary, agent: int, namer: Namer = clean_name, unit: str = "") -> str:
    """Whether any opponent beats strategy `agent` (index) on average; an empty string if it had none."""
    if summary.metagame is None or len(summary.names) == 1:
        return ""
    v = summary.metagame.verdicts[agent]
    name, digits = namer(summary.names[agent]), payoff_digits(summary)
    unit = f" {unit}" if unit else ""
    opponent = "nobody" if v.worst_opponent is None else namer(summary.names[v.worst_opponent])
    result = f"{signed(v.worst_payoff, digits)}{unit}"
    if v.unbeaten is None:
        return f"Its hardest opponent is {opponent}, with a mean payoff of {result} (no interval: too few seed blocks)."
    within = f"{result} a game, interval {span(v.worst_interval, digits)}"
    if v.beaten_by:
        beaters = listing([namer(summary.names[j]) for j in _hardest(v, summary)])
        verb = "beats" if len(v.beaten_by) == 1 else "beat"
        return f"{name} is not unbeaten: {beaters} {verb} it. Its hardest opponent is {opponent}: {within}."
    if len(v.beats) == len(summary.names) - 1:
        return f"{name} beats every other strategy. Its hardest opponent is {opponent}: {within}."
    return (
        f"{name} is unbeaten: no opponent gains against it beyond chance. Its hardest opponent is {opponent}: {within}."
    )


def _hardest(v: Verdict, summary: Summary) -> list[int]:
    row = summary.matrix[v.agent]
    return sorted(v.beaten_by, key=lambda j: (row[j] if row[j] is not None else 0.0, j))


def best_sentence(summary: Summary, namer: Namer = clean_name) -> str:
    """Which strategy is first, by how much, and which others cannot be told apart from it."""
    best = summary.best
    if len(summary.names) == 1:
        return f"Only {namer(best.name)} took part, so there is nothing to compare."
    others = [row for row in summary.leaderboard if row.rank == 1 and row.agent != best.agent]
    if others:
        names = listing([namer(row.name) for row in (best, *others)])
        return f"{names} share the first place with a rating of {best.rating:.0f}."
    text = f"{namer(best.name)} comes first, with a rating of {best.rating:.0f}"
    if not best.bounded:
        return text + " or more: nobody took a point from it."
    if best.rating_interval is None or best.best_share is None:
        return text + "; how sure this is cannot be said, because there are too few seed blocks."
    low, high = best.rating_interval.low, best.rating_interval.high
    text += f" ({summary.level * 100:g}% interval {low:.0f} to {high:.0f})"
    if not summary.tied_with_best:
        return text + f", and is ahead of all others in {share_text(best.best_share, summary.resamples)}."
    tied = listing([namer(summary.names[i]) for i in summary.tied_with_best])
    return (
        text
        + f", but {tied} cannot be told apart from it; it leads in {share_text(best.best_share, summary.resamples)}."
    )


def nash_sentence(summary: Summary, namer: Namer = clean_name) -> str:
    """Which mixture nobody in the pool can exploit; an empty string if there is none to give."""
    game = summary.metagame
    if game is None or len(summary.names) == 1:
        return ""
    used = sorted((i for i, w in enumerate(game.nash) if w >= 0.005), key=lambda i: (-game.nash[i], summary.names[i]))
    heaviest = namer(summary.names[used[0]])
    mean = ""
    if game.nash_mean is not None:
        mean = f" Over the resamples the mean weight of {heaviest} is {game.nash_mean[used[0]]:.0%}."
    if len(used) == 1:
        return f"The equilibrium of this pool is {heaviest} alone: on average nobody gains against it.{mean}"
    if len(used) > 4:
        return (
            f"The equilibrium of this pool is a mixture of {len(used)} strategies, none heavier than {heaviest} with "
            f"{game.nash[used[0]]:.2f}: on average nobody gains against it."
        )
    mix = mixture_text(game.nash, [namer(n) for n in summary.names])
    return f"The equilibrium of this pool is the mixture {mix}: on average nobody gains against it."


def answer(summary: Summary, focus: Sequence[str] = (), namer: Namer = clean_name, unit: str = "") -> list[str]:
    """The findings as a list of sentences, the most important first.

    `focus` names strategies that the answer must speak about besides the best one (unknown names are skipped); `unit`
    is that of the payoffs.
    """
    best = summary.best.agent
    about = [best] + [summary.names.index(n) for n in dict.fromkeys(focus) if n in summary.names]
    sentences = [best_sentence(summary, namer)]
    for agent in dict.fromkeys(about):
        sentences.append(unbeaten_sentence(summary, agent, namer, unit))
        if len(summary.names) > 1:
            sentences.append(dominance_sentence(summary, agent, namer))
    sentences.append(nash_sentence(summary, namer))
    return [s for s in sentences if s]
