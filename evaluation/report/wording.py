"""The findings in plain words: one answer for a reader in a hurry, one sentence for every verdict.

All sentences are formulated from the numbers of a `Summary`. A name passes through `namer`, which an HTML page uses to
escape and mark it; everything else is fixed text and numbers.

A sentence says either what is shown, which rests on simultaneous bounds and is right together with all other such
sentences at the summary's level, or what these games came to ("earned", "did worst", "by the mean payoffs"), which is a
fact about them. docs/metrics.md lists them all.
"""

import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ..tournament.metagame import mixture_text
from ..tournament.simultaneous import least_blocks
from ..tournament.summary import AgentRow, Interval, Summary, Verdict, Wish
from .showing import best_wishes, dominance_wishes, nash_wishes, unbeaten_wishes, wins_wishes

Namer = Callable[[str], str]

_LONGEST_NAME = 60
_KEPT = 9  # digits of numbers that are told: files keep ten figures, and a page made from one must say the same
_ALONE = 1 - 1e-6  # a weight from here on is all of a mixture
SAME = "the same every time"
WIDTH = 1e-6  # of an interval that has none: payoffs are kept in single precision


def clean_name(name: str, longest: int = _LONGEST_NAME) -> str:
    """A name fit for one line: control and direction characters become "�", long names end in "…"."""
    shown = "".join("�" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else c for c in name)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def replay_line(file: str | PathLike[str], trust: bool, lang: str = "en") -> str:
    """The command line that shows a replay, with the `trust` without which one that names rule files is refused."""
    told = "" if lang == "en" else f" --lang {lang}"
    return f"probespiel replay{told}{' --trust-files' if trust else ''} {shlex.quote(str(file))}"


def from_here(line: str, folder: Path) -> str:
    """A line in which commands name replays by their place in a report's folder, as they are given from elsewhere."""

    def placed(command: re.Match[str]) -> str:
        return f"{command[1]}{shlex.quote(str(folder / command[2]))}`"

    return re.sub(r"(`probespiel replay (?:[^`]* )?)(replays/[^`]*)`", placed, line)


def signed(value: float | None, digits: int) -> str:
    """A number with its sign, a real minus sign, and no negative zero; "–" for None."""
    if value is None:
        return "–"
    text = f"{round(value, _KEPT):+.{digits}f}"
    if float(text) == 0:
        text = f"{0:.{digits}f}"
    return text.replace("-", "−")


def gained(gain: float, digits: int, gains: str = "gains", loses: str = "loses") -> str:
    """ "gains +0.12", "loses 0.12"."""
    told = signed(gain, digits)
    return f"{loses} {told.lstrip('−')}" if told.startswith("−") else f"{gains} {told}"


def points(error: float) -> str:
    """A standard error of a share as an interval of 95 %: "± 1 point", "± 3 points"."""
    half = f"{196 * error:.0f}"
    return f"± {half} point" if half == "1" else f"± {half} points"


def payoff_digits(summary: Summary) -> int:
    """Decimals that suit the payoffs of a summary."""
    values = [v for row in summary.matrix for v in row if v is not None]
    return digits_of(values + [s.payoff for s in summary.seats if s.payoff is not None])


def digits_of(values: Iterable[float]) -> int:
    """Decimals that suit payoffs: 3 below 10, 2 below 100, else 1."""
    largest = max(map(abs, values), default=0.0)
    return 3 if largest < 10 else 2 if largest < 100 else 1


def reach(low: float, high: float, digits: int) -> str:
    """The ends of what was measured, "low to high", both signed; without any width it was the same in every game.

    That is no interval: of what no game has shown nothing is known but that it is rare.
    """
    return SAME if high - low < WIDTH else f"{signed(low, digits)} to {signed(high, digits)}"


def span(interval: Interval | None, digits: int) -> str:
    """An interval as "low to high", both signed; empty for None."""
    return "" if interval is None else f"{signed(interval.low, digits)} to {signed(interval.high, digits)}"


def listing(items: Sequence[str], most: int = 5) -> str:
    """ "a", "a and b", "a, b and c"; beyond `most` items the rest is counted."""
    shown = list(items[:most])
    if len(items) > most:
        shown = [*items[: most - 1], f"{len(items) - most + 1} others"]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1] if shown else ""


def dominance_sentence(summary: Summary, agent: int, namer: Namer = clean_name, unit: str = "") -> str:
    """Whether anything in the tournament dominates strategy `agent` (index), as far as that is shown."""
    name = namer(summary.names[agent])
    if summary.metagame is None:
        return f"Whether a strategy dominates {name} is open, because some pair of strategies never met."
    if len(summary.names) == 1:
        return f"{name} met no other strategy that could dominate it."
    v, names = summary.metagame.verdicts[agent], [namer(n) for n in summary.names]
    if v.dominated:
        by = names[v.dominator] if v.dominator is not None else f"The mixture {mixture_text(v.mixture or (), names)}"
        least = signed(v.margin, payoff_digits(summary))
        return f"{by} dominates {name}: against every strategy it earns more, by {least}{_of(unit)} a game at least."
    if v.dominated is False:
        weights = v.best_answer_to or ()
        alone = [i for i, w in enumerate(weights) if w >= _ALONE]
        against = mixture_text(weights, names)
        if alone:
            against = "itself" if alone[0] == agent else names[alone[0]]
        return f"Nothing dominates {name} in this tournament: against {against} it is the best of all strategies."
    if not v.seems_dominated:
        return f"By the mean payoffs no strategy or mixture dominates {name}, but that is not shown."
    if v.seems_dominator is None:
        return f"By the mean payoffs a mixture of strategies dominates {name}, but that is not shown."
    kind = "is better against every strategy" if v.strict else "is never worse, and sometimes better"
    seems = names[v.seems_dominator]
    return f"By the mean payoffs {seems} dominates {name}, because it {kind}, but that is not shown."


def unbeaten_sentence(summary: Summary, agent: int, namer: Namer = clean_name, unit: str = "") -> str:
    """Which opponents beat strategy `agent` (index) on average, as far as shown; an empty string if it had none."""
    if summary.metagame is None or len(summary.names) == 1:
        return ""
    v = summary.metagame.verdicts[agent]
    name, digits = namer(summary.names[agent]), payoff_digits(summary)
    opponent = "nobody" if v.worst_opponent is None else namer(summary.names[v.worst_opponent])
    result = f"{signed(v.worst_payoff, digits)}{_of(unit)} a game"
    if v.unbeaten is None:
        return f"{name} did worst against {opponent}: {result} (too few seed blocks to show anything)."
    within = "" if v.worst_interval is None else f", interval {span(v.worst_interval, digits)}"
    worst = f"did worst against {opponent}: {result}{within}"
    if v.beaten_by:
        beaters = listing([namer(summary.names[j]) for j in _hardest(v, summary)])
        verb = "beats" if len(v.beaten_by) == 1 else "beat"
        return f"{name} is not unbeaten: {beaters} {verb} it. It {worst}."
    if len(v.beats) == len(summary.names) - 1:
        return f"{name} beats every other strategy. It {worst}."
    most = (
        "" if v.most_exploitability is None else f", and none takes more than {v.most_exploitability:.{digits}f} a game"
    )
    return f"No strategy is shown to beat {name}{most}. It {worst}."


def ahead_sentence(summary: Summary, agent: int, namer: Namer = clean_name, unit: str = "") -> str:
    """What strategy `agent` (index) of games of one side got, and how far it is from the next, or behind the first."""
    row, other = _beside(summary, agent)
    name, digits = namer(row.name), payoff_digits(summary)
    got = f"{name} got {signed(row.payoff, digits)}{_of(unit)} a game"
    if row.payoff_interval is not None:
        got += f" ({span(row.payoff_interval, digits)})"
    lead = None if other is None else summary.matrix[agent][other.agent]
    if other is None or lead is None:
        return f"{got}."
    low, high = (None if m is None else m[agent][other.agent] for m in (summary.joint_low, summary.joint_high))
    within = "" if low is None or high is None else f", interval {span(Interval(low, high), digits)}"
    amount = signed(abs(lead), digits).lstrip("+")
    if float(amount) == 0:
        return f"{got}, on the same deals as much as {namer(other.name)}{within}."
    more = f"{amount}{_of(unit)} {'less' if lead < 0 else 'more'}"
    return f"{got}, on the same deals {more} than {namer(other.name)}{within}."


def _beside(summary: Summary, agent: int) -> tuple[AgentRow, AgentRow | None]:
    """The line of a strategy, and that of the first, or for the first of the second; None if there is no other."""
    row = next(row for row in summary.leaderboard if row.agent == agent)
    others = [other for other in summary.leaderboard if other.agent != agent]
    return row, others[0] if others else None


def _of(unit: str) -> str:
    return f" {unit}" if unit else ""


def _hardest(v: Verdict, summary: Summary) -> list[int]:
    row = summary.matrix[v.agent]
    return sorted(v.beaten_by, key=lambda j: (row[j] if row[j] is not None else 0.0, j))


def best_sentence(summary: Summary, namer: Namer = clean_name, unit: str = "") -> str:
    """Which strategy earned most, how much, and which others cannot be told apart from it."""
    best = summary.best
    if len(summary.names) == 1:
        return f"Only {namer(best.name)} took part, so there is nothing to compare."
    digits = payoff_digits(summary)
    earned = f"{signed(best.rating, digits)}{_of(unit)} a game"
    others = [row for row in summary.leaderboard if row.rank == 1 and row.agent != best.agent]
    from_whom = "more than the others" if summary.lone else "from the others"
    if others:
        names = listing([namer(row.name) for row in (best, *others)])
        return f"{names} share the first place: each earned {earned} {from_whom}."
    text = f"{namer(best.name)} comes first: it earned {earned} {from_whom} on average"
    if best.rank_interval is None:
        return (
            f"{text}; how sure this is cannot be said, because that takes {least_blocks(summary.level)} seed blocks "
            "at least."
        )
    if best.rating_interval is not None:
        text += f" ({summary.level * 100:g}% interval {span(best.rating_interval, digits)})"
    if not summary.tied_with_best:
        return text + ", and is better than every other strategy."
    tied = listing([namer(summary.names[i]) for i in summary.tied_with_best])
    rest = len(summary.names) - 1 - len(summary.tied_with_best)
    worse = "" if not rest else "; the other one is worse" if rest == 1 else f"; the other {rest} are worse"
    return f"{text}, but {tied} cannot be told apart from it{worse}."


def wins_sentence(summary: Summary, namer: Namer = clean_name, unit: str = "") -> str:
    """Why the rating by wins names another strategy than the payoff does; an empty string where both agree."""
    firsts = [row for row in summary.leaderboard if row.wins_rank == 1]
    best = summary.best
    if not summary.graded or any(row.rank == 1 for row in firsts):
        return ""
    digits = payoff_digits(summary)

    def sizes(row: AgentRow) -> str:
        won = None if row.win_payoff is None else f"{signed(row.win_payoff, digits)}{_of(unit)} when it won"
        lost = None if row.loss_payoff is None else f"{signed(row.loss_payoff, digits)}{_of(unit)} when it lost"
        return " and ".join(part for part in (won, lost) if part is not None) or "nothing but draws"

    other = firsts[0]
    return (
        f"Counted by wins {namer(other.name)} comes first in these games, with {other.score:.0%} of the points against "
        f"{best.score:.0%} of {namer(best.name)}, but wins differ in size: {namer(best.name)} got {sizes(best)}, "
        f"{namer(other.name)} got {sizes(other)}."
    )


def record_text(row: AgentRow) -> str:
    """The rating by wins as a whole number, or the record that leaves it without one."""
    if row.wins_rating is not None:
        return f"{row.wins_rating:.0f}"
    return "never lost" if row.never_lost else "never won" if row.never_won else "no number"


def nash_sentence(summary: Summary, namer: Namer = clean_name, unit: str = "") -> str:
    """Which mixture nobody in the pool can exploit; an empty string if there is none to give."""
    game = summary.metagame
    if game is None or len(summary.names) == 1:
        return ""
    names, digits = [namer(n) for n in summary.names], payoff_digits(summary)
    used = sorted((i for i, w in enumerate(game.nash) if w >= 0.005), key=lambda i: (-round(game.nash[i], 6), i))
    if len(used) == 1 and game.nash_low is not None and game.nash_low[used[0]] >= _ALONE:
        text = f"The equilibrium of this pool is {names[used[0]]} alone: no strategy gains against it."
    else:
        if len(used) == 1:
            mix = f"{'' if game.nash[used[0]] >= _ALONE else 'nearly '}{names[used[0]]} alone"
        elif len(used) <= 4:
            mix = f"the mixture {mixture_text(game.nash, names)}"
        else:
            mix = f"a mixture of {len(used)} strategies, the heaviest {names[used[0]]} with {game.nash[used[0]]:.2f}"
        most = ""
        if game.most_gained is not None:
            most = f"; against it no strategy gains more than {game.most_gained:.{digits}f}{_of(unit)} a game"
        text = f"By the mean payoffs the equilibrium of this pool is {mix}{most}."
    return text + _left_out(summary, names, unit)


def _left_out(summary: Summary, names: Sequence[str], unit: str) -> str:
    """Why strategies that come first, by payoff or by wins, have no weight in the equilibrium, or hardly any."""
    game, best = summary.metagame, summary.best
    if game is None:
        return ""
    winner = min(summary.leaderboard, key=lambda row: row.wins_rank)
    first = {best.agent: ("which earned most on average", "an equilibrium asks for the hardest opponent")}
    if summary.graded and winner.wins_rank == 1 and winner.rank != 1:
        why = "an equilibrium asks for payoffs from the hardest opponent"
        first.setdefault(winner.agent, ("which comes first by wins", why))
    told = ""
    for agent, (what, why) in first.items():
        v = game.verdicts[agent]
        if game.nash[agent] >= 0.005:
            continue
        much = "no" if game.nash[agent] <= 1 - _ALONE else "hardly any"
        told += f" {names[agent]}, {what}, has {much} weight in it"
        if v.worst_opponent is not None and v.worst_payoff < 0:
            lost = signed(v.worst_payoff, payoff_digits(summary))
            told += f", because {why}: it got {lost}{_of(unit)} a game from {names[v.worst_opponent]}"
        told += "."
    return told


@dataclass(frozen=True)
class Claim:
    """A sentence of the answer, the anchor of the numbers on the page that it rests on, and games that show it."""

    text: str
    anchor: str
    wishes: tuple[Wish, ...] = ()


def answer(summary: Summary, focus: Sequence[str] = (), namer: Namer = clean_name, unit: str = "") -> list[str]:
    """The findings as a list of sentences, as `claims` makes them."""
    return [claim.text for claim in claims(summary, focus, namer, unit)]


def claims(summary: Summary, focus: Sequence[str] = (), namer: Namer = clean_name, unit: str = "") -> list[Claim]:
    """The findings, the most important first.

    `focus` names strategies that the answer must speak about besides the best one (unknown names are skipped); `unit`
    is that of the payoffs.
    """
    best = summary.best.agent
    about = [best] + [summary.names.index(n) for n in dict.fromkeys(focus) if n in summary.names]
    place = f"place-{best}"
    told = [
        Claim(best_sentence(summary, namer, unit), place, best_wishes(summary)),
        Claim(wins_sentence(summary, namer, unit), place, wins_wishes(summary)),
    ]
    for agent in dict.fromkeys(about):
        if summary.lone:
            other = _beside(summary, agent)[1]
            wishes = () if other is None else (Wish("level", agent, other.agent),)
            told.append(Claim(ahead_sentence(summary, agent, namer, unit), f"pair-{agent}", wishes))
            continue
        told.append(
            Claim(unbeaten_sentence(summary, agent, namer, unit), f"pair-{agent}", unbeaten_wishes(summary, agent))
        )
        if len(summary.names) > 1:
            shown = "place" if summary.metagame is None else "verdict"
            wishes = dominance_wishes(summary, agent)
            told.append(Claim(dominance_sentence(summary, agent, namer, unit), f"{shown}-{agent}", wishes))
    told.append(Claim(nash_sentence(summary, namer, unit), "equilibrium", nash_wishes(summary)))
    return [claim for claim in told if claim.text]
