"""Where the numbers of a stress report stand that a sentence rests on, and the games that show what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...agents.intervals import NORMAL
from ..report.wording import reach, signed
from .conditions import EVERYBODY, NOBODY
from .findings import Findings, Interval, Use
from .game_verdict import GUESSING
from .game_words import DIGITS
from .oversights import NAMES
from .solved_use import restrained

_OF_VERDICT = {  # the reasons of a verdict in their order; the last section is that of all that follow
    "broken": ("breakage",), "seat-favouring": ("dynamics",), "always-use": ("use", "worth"),
    "dead rule": ("use", "worth"), "shared": ("worth", "effect"), "open": (),
    GUESSING: ("use",), "decoration": ("use",),
}  # fmt: skip
_OF_REMARK = {  # how remarks begin, and next steps that tell a number
    "It makes one strategy best": "dominance", "It makes one way to play best": "dominance",
    "Its use is always right": "use",
    "The strongest strategies found use it": "use", "It is used in ": "use", "It is worth ": "worth",
    "Its holder loses ": "worth", "Apart from that": "worth", "As far as it can be played": "worth",
    "That it is an advantage": "worth", "It is rare: ": "use", "What hangs on its answers": "sample",
}  # fmt: skip
SCOPE = "scope"  # the head of a report: what was played at all
_OF_NOTE = {"The rules broke": "breakage"}  # how notes begin that rest on another section than the head
NEVER_COSTS, ALWAYS_COSTS = "never using it costs", "always using it costs"
_OTHERS = "typical-"  # of games in a condition or by a level


def section_of_reason(word: str, index: int, usual: str) -> str:
    """The section on which reason number `index` of a verdict rests; `usual` for words that name none."""
    sections = _OF_VERDICT.get(word, (usual,))
    return sections[min(index, len(sections) - 1)] if sections else ""


def section_of_remark(line: str, usual: str = "") -> str:
    """The section on which a remark or a next step rests; `usual` for one that is not known."""
    return next((section for begin, section in _OF_REMARK.items() if line.startswith(begin)), usual)


def section_of_note(line: str) -> str:
    """The section on which a note on the whole test rests: what was played, if it is no other."""
    return next((section for begin, section in _OF_NOTE.items() if line.startswith(begin)), SCOPE)


def scope(found: Findings) -> list[tuple[str, str]]:
    """How much was played, beside the number of games: the share of the budget, and how many of all heuristics."""
    sizes = found.sizes
    if sizes is None:
        return []
    share = sizes.share(found.budget)
    out = [("played of the budget", f"{share:.0%}")] if share < 1.0 else []
    if sizes.heuristics < sizes.known_heuristics:
        out.append(("heuristics", f"{sizes.heuristics} / {sizes.known_heuristics}"))
    return out


def games_of(found: Findings, section: str, index: int = 0) -> list[str]:
    """Anchors of the games that show sentence `index` of a section.

    The game of the section itself where it has one; else games as they are played, with the module and without.
    """
    if section == SCOPE:
        return []  # how much was played is seen in no game
    if section == "levels":
        return _of_level(found, index)
    if section == "breakage":
        faults = [f"fault-{k}" for k, fault in enumerate(found.faults) if fault.replay]
        return faults if len(faults) < len(found.faults) or index >= len(faults) else [f"fault-{index}"]
    own: list[str] = []
    if section in ("worth", "use", "sample") and found.sample is not None and found.sample.found:
        own.append("sample")
    if section in ("use", "exploit"):
        own += [f"exploit-{k}" for k, exploit in enumerate(found.exploit or ()) if exploit.game.found]
    both = (NOBODY, *_alone(found))
    wanted = both if section in ("worth", "exploit") else (NOBODY, EVERYBODY)
    return own or [_OTHERS + str(k) for k, game in enumerate(found.games) if game.name in wanted]


def shown_game(found: Findings) -> str:
    """The file of a game that shows what the verdict says, in the folder of the report; "" where there is none."""
    told = [f"replays/{fault.replay}" for fault in found.faults if fault.replay]
    if found.sample is not None and found.sample.found:
        told.append(f"replays/{found.sample.replay}")
    told += [game.replay for game in found.games if game.name != NOBODY]
    return told[0] if told else ""


def _alone(found: Findings) -> Sequence[str]:
    """The conditions in which one side alone has the module; with one side that is everybody."""
    return [EVERYBODY] if len(found.sides) == 1 else [f"only {side}" for side in found.sides]


def _of_level(found: Findings, index: int) -> list[str]:
    levels, oversights = found.levels or (), found.oversights or ()
    if index >= len(levels) + len(oversights):
        return []
    if index >= len(levels):
        wanted = [NAMES[oversights[index - len(levels)].use]]
    elif index < len(levels) - 1:
        wanted = [levels[index].name]
    else:  # the last ones are those who play what was found
        wanted = [EVERYBODY] if found.whole_table else _alone(found)
    return [_OTHERS + str(k) for k, game in enumerate(found.games) if game.name in wanted][:1]


def numbers(found: Findings) -> Mapping[str, list[tuple[str, str]]]:
    """Numbers of the sections that have no table of their own: what each is, and its value."""
    out: dict[str, list[tuple[str, str]]] = {}
    solved = found.worth is not None and found.worth.exact
    if found.breakage is not None:
        b = found.breakage
        out["breakage"] = [("games", f"{b.games:,}"), ("decisions", f"{b.decisions:,}"), ("faults", f"{len(b.faults)}")]
    if found.use is not None and found.use.actions:
        out["use"] = _used(found.use, found)
    for level in found.levels or ():
        told = "–" if level.worth is None else f"{_ends(level.worth, solved)} ({level.worth.games:,})"
        used = "" if level.rate is None else f"; {level.rate:.0%}"
        out.setdefault("levels", []).append((level.name, told + used))
    for row in found.oversights or ():
        used = "" if row.rate is None else f"; {row.rate:.0%}"
        told = f"{_ends(row.worth)} ({row.worth.games:,}){used}"
        out.setdefault("levels", []).append((NAMES[row.use], told))
    if found.dynamics is not None:
        both = (found.dynamics.nobody, found.dynamics.everybody)
        rows = {
            "games": [f"{play.games:,}" for play in both],
            "decisions of a game": ["–" if p.lengths.mean is None else f"{p.lengths.mean:.1f}" for p in both],
            "decided by the deal": [f"{play.luck.share:.0%}" for play in both],
            "drawn": [f"{play.draws:.0%}" for play in both],
            "without an end": [f"{play.unresolved:.0%}" for play in both],
        }
        out["dynamics"] = [(what, " → ".join(values)) for what, values in rows.items()]
        if found.seat is not None:
            out["dynamics"].append(("first seat", _ends(found.seat.change, solved)))
    for exploit in found.exploit or ():
        told = f"{_ends(exploit.gain)} ({exploit.gain.games:,})"
        out.setdefault("exploit", []).append((exploit.side, told))
    if found.sample is not None and found.sample.deals:
        s = found.sample
        out["sample"] = [("deals", f"{s.deals:,}"), ("with another winner", f"{s.flips:,}")]
        if s.found:
            out["sample"] += [("result without it", signed(s.margin_without, DIGITS)),
                              ("result with it", signed(s.margin, DIGITS))]  # fmt: skip
    return out


def _used(use: Use, found: Findings) -> list[tuple[str, str]]:
    """Games, chances, how often it is used and what that gains, and the counters of the module."""
    out = [("games", f"{use.games:,}")]
    if use.forced and not use.opportunities:  # nobody can leave it alone
        out.append(("questions", f"{use.forced:,}"))
    else:
        out.append(("opportunities", f"{use.opportunities:,}"))
    if use.rate is not None and use.opportunities:
        out.append(("used", f"{use.rate:.0%}"))
    worth = use.worth
    if worth is not None and worth.gain is not None and worth.error is not None:
        half = NORMAL * worth.error
        ends = _ends(Interval(worth.gain, worth.gain - half, worth.gain + half))
        out.append(("a use gains", ends if half else signed(worth.gain, DIGITS)))
    if use.opportunities:  # what cannot be declined is never left
        for name, row in restrained(use).items():
            out += [(f"{NEVER_COSTS} {name}", _ends(row.never)), (f"{ALWAYS_COSTS} {name}", _ends(row.always))]
        for name, one in use.solved.items():
            pairs = ((NEVER_COSTS, one.never), (ALWAYS_COSTS, one.always))
            out += [(f"{what} {name}", f"{signed(lost, 3)} (exact)") for what, lost in pairs]
    out += [(choice.action, f"{choice.share:.0%}") for choice in use.choices]
    return [*out, *((counter.name, f"{counter.mean:.1f}") for counter in found.counters or ())]


def _ends(sample: Interval, solved: bool = False) -> str:
    """A value and its interval; where games were `solved`, one without width is exact."""
    ends = "exact" if solved and sample.low == sample.high else reach(sample.low, sample.high, DIGITS)
    return f"{signed(sample.value, DIGITS)} ({ends})"


__all__ = [
    "SCOPE", "games_of", "numbers", "scope", "section_of_note", "section_of_reason", "section_of_remark", "shown_game",
]  # fmt: skip
