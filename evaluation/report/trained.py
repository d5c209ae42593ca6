"""The report of a training: what its policy wins from agents, how it came to that, and games that show it.

`Trained` is kept as JSON; lines for the terminal and the page are made from that alone, in English or German.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from ...envs.core.disk import write_text
from .pages import render_page
from .phrases import Phrasebook
from .plots import lines_plot
from .records import kept
from .wording import clean_name, replay_line

NAME, VERSION = "training", 1
FILE, PAGE = "training.json", "report.html"
POINTS = 200  # of a course that are kept, about
SMOOTH = 10  # points of a course that are averaged


@dataclass(frozen=True)
class Update:
    """A moment of a training: decisions so far, entropy of the policy in nats, mean payoffs by kind of opponent."""

    decisions: int
    entropy: float | None
    payoffs: Mapping[str, float]


@dataclass(frozen=True)
class Seat:
    """What the policy gets in a seat: games, their mean payoff, its standard error (None: one game)."""

    name: str
    games: int
    mean: float
    error: float | None


@dataclass(frozen=True)
class Against:
    """What the policy earns against an agent: mean over sides with its 95 % interval; `replay` is a file beside it."""

    opponent: str
    games: int
    edge: float
    low: float
    high: float
    seats: tuple[Seat, ...]
    replay: str = ""


@dataclass(frozen=True)
class Trial:
    """One of several trainings: its seed, the file of its policy, what that earns on average, whether it was kept."""

    seed: int
    policy: str
    edge: float | None
    kept: bool


@dataclass(frozen=True)
class Round:
    """A policy of a training against best answers: its round (0: before the first), file, decisions so far.

    `met`: shares of the mixture against which it learned in the round; `least`: what it gets from `worst`, the one of
    all others from whom it gets least, in the games by which one policy was kept.
    """

    number: int
    policy: str
    decisions: int
    met: Mapping[str, float]
    worst: str
    least: float
    kept: bool


@dataclass(frozen=True)
class Trained:
    """A training: what it was, its course, and what its policy earns.

    `seconds` are those of learning, None where it was done by others; `settings` are those that are not the default;
    `complete` is false after an interrupt; `one_side`: all seats are on one side, and an edge is what the policy gets
    above an agent that plays by itself; `trials`: all trainings, where there were several; `rounds`: of a training
    against best answers, and what the policy gets in fresh games from its `worst` opponent of all; `trust`: replays
    name rule files; `german` are the German names of the seats.
    """

    game: str
    scenarios: tuple[str, ...]
    ruleset: str
    learner: str
    seed: int
    decisions: int
    seconds: float | None
    policy: str
    settings: Mapping[str, str]
    course: tuple[Update, ...]
    results: tuple[Against, ...]
    unit: str = ""
    one_side: bool = False
    complete: bool = True
    command: str = ""
    trials: tuple[Trial, ...] = ()
    rounds: tuple[Round, ...] = ()
    worst: Against | None = None
    trust: bool = False
    german: dict[str, str] = field(default_factory=dict)


def thinned(course: Sequence[Update]) -> tuple[Update, ...]:
    """A course as it is kept: about so many points, the last one among them."""
    step = max(1, -(-len(course) // POINTS))
    return tuple(course[::-1][::step][::-1])


def number(value: float) -> str:
    """A payoff with its sign."""
    return f"{round(value, 4) + 0.0:+.4f}".replace("-", "\N{MINUS SIGN}")


def span(found: Against) -> str:
    """The interval of a result, in words."""
    return f"{number(found.low)} to {number(found.high)}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def headline(found: Trained) -> str:
    """What the policy is worth, in a sentence or two."""
    if not found.results:
        return "The policy was not measured against anybody."
    ahead = [r.opponent for r in found.results if r.low > 0]
    behind = [r.opponent for r in found.results if r.high < 0]
    level = [r.opponent for r in found.results if r.low <= 0 <= r.high]
    told = []
    if ahead:
        told.append(f"The policy earns more than {_listed(ahead)}." if found.one_side
                    else f"The policy wins from {_listed(ahead)}.")  # fmt: skip
    if behind:
        told.append(f"It earns less than {_listed(behind)}." if found.one_side else f"It loses to {_listed(behind)}.")
    if level:
        told.append(f"It cannot be told apart from {_listed(level)}.")
    return " ".join(told)


def claim(found: Trained, result: Against) -> str:
    """A result in a sentence."""
    unit = f" {found.unit}" if found.unit else ""
    how = "more than that agent gets by itself" if found.one_side else "a game from it"
    told = f"{number(result.edge)}{unit} {how}, interval {span(result)}"
    return f"Against {result.opponent}: {told}, {result.games:,} games."


def kept_of(found: Trained) -> str:
    """Which of several trainings or rounds was kept; "" where there was one."""
    for one in found.rounds:
        if one.kept and found.worst is not None:
            unit = f" {found.unit}" if found.unit else ""
            told = f"{number(found.worst.edge)}{unit} a game, interval {span(found.worst)}"
            return (
                f"Of {len(found.rounds)} policies that of round {one.number} was kept. Of all that it met and that was "
                f"learned against it, {found.worst.opponent} is worst for it: {told}, "
                f"{found.worst.games:,} fresh games."
            )
    if not found.trials:
        return ""
    return f"Of {len(found.trials)} trainings the one that earns most on average was kept; it was lucky there."


def notes(found: Trained) -> list[str]:
    """What there is to know about the figures."""
    told = []
    if not found.complete:
        told.append(f"The training was interrupted after {found.decisions:,} decisions: --resume goes on.")
    if len(found.scenarios) > 1 and found.results:
        told.append(f"It was measured in the first of {len(found.scenarios)} scenarios.")
    return told


def lines_of(found: Trained, lang: str = "en", folder: Path | None = None) -> list[str]:
    """The result for the terminal, in `en` or `de`; with a `folder`, the commands that show its games."""
    t = words(lang)
    out = [t(headline(found))]
    for result in found.results:
        out.append(f"  {t(claim(found, result))}")
        if result.replay and folder is not None:
            out.append(f"    {replay_line(folder / result.replay, found.trust)}")
    return [*out, *t.all(filter(None, [kept_of(found)])), *t.all(notes(found))]


def course_plot(found: Trained, t: Phrasebook) -> str:
    """Mean payoffs by kind of opponent while it learned, as inline SVG; "" with fewer than two updates."""
    kinds = sorted({kind for update in found.course for kind in update.payoffs})
    kinds = [kind for kind in kinds if sum(kind in update.payoffs for update in found.course) > 1]
    if not kinds:
        return ""
    lines = []
    for kind in kinds:
        at = [(u.decisions, u.payoffs[kind]) for u in found.course if kind in u.payoffs]
        values = np.array([value for _, value in at])
        mean = np.array([values[max(0, i - SMOOTH + 1) : i + 1].mean() for i in range(len(values))])
        lines.append((t.word(kind), np.array([float(d) for d, _ in at]), mean))
    return lines_plot(lines, t("Mean payoff by opponent while it learned"), t("decisions"), "course", t)


def entropy_plot(found: Trained, t: Phrasebook) -> str:
    """The entropy of the policy while it learned, as inline SVG; "" with fewer than two updates."""
    at = [(u.decisions, u.entropy) for u in found.course if u.entropy is not None]
    if len(at) < 2:
        return ""
    line = (t("entropy"), np.array([float(d) for d, _ in at]), np.array([float(e) for _, e in at]))
    return lines_plot([line], t("Entropy of the policy while it learned"), t("decisions"), "entropy", t)


def render(found: Trained, lang: str = "en") -> str:
    """One HTML page, inline CSS and SVG, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang))


def render_in(found: Trained, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    filters: dict[str, Any] = dict(
        seat=lambda name: name if t.english else found.german.get(name, name),
        clean=clean_name,
        number=number,
        span=span,
        t=t,
        word=t.word,
        num=t.number,
        thousands=lambda v: f"{v:,}",
    )
    content = dict(
        f=found, lead=t(headline(found)), kept=t(kept_of(found)), told=t.all(notes(found)), lang=t.lang,
        claims=[(t(claim(found, result)), result.replay) for result in found.results],
        games=any(result.replay for result in found.results),
        shares=lambda met: ", ".join(f"{name} {100 * share:.0f} %" for name, share in met.items()),
        course=Markup(course_plot(found, t)), entropy=Markup(entropy_plot(found, t)),
    )  # fmt: skip
    return render_page("trained.html.j2", filters, content)


def write_reports(folder: Path, found: Trained, lang: str = "en") -> Path:
    """Write the record, and the page in `en` or `de`; returns the path of the page."""
    text, same = kept(NAME, VERSION, found)
    write_text(folder / FILE, text)
    write_text(folder / PAGE, render(same, lang))
    return folder / PAGE


SENTENCES = {
    "The policy was not measured against anybody.": "Die Strategie wurde gegen niemanden gemessen.",
    "The policy wins from {names:l}.": "Die Strategie gewinnt gegen {names}.",
    "The policy earns more than {names:l}.": "Die Strategie holt mehr als {names}.",
    "It loses to {names:l}.": "Sie verliert gegen {names}.",
    "It earns less than {names:l}.": "Sie holt weniger als {names}.",
    "It cannot be told apart from {names:l}.": "Von {names} ist sie nicht zu unterscheiden.",
    "Against {name}: {x:n}{unit:u} a game from it, interval {ends:i}, {n:n} games.": (
        "Gegen {name}: {x}{unit} je Spiel, Intervall {ends}, {n} Spiele."
    ),
    "Against {name}: {x:n}{unit:u} more than that agent gets by itself, interval {ends:i}, {n:n} games.": (
        "Neben {name}: {x}{unit} mehr, als dieser Spieler allein bekommt, Intervall {ends}, {n} Spiele."
    ),
    "The training was interrupted after {n:n} decisions: --resume goes on.": (
        "Das Training wurde nach {n} Entscheidungen unterbrochen: --resume macht weiter."
    ),
    "Of {n:n} trainings the one that earns most on average was kept; it was lucky there.": (
        "Von {n} Trainings wurde das behalten, das im Mittel am meisten holt; dabei hatte es Glück."
    ),
    "Of {k:n} policies that of round {i:n} was kept. Of all that it met and that was learned against it, {name} is "
    "worst for it: {x:n}{unit:u} a game, interval {ends:i}, {n:n} fresh games.": (
        "Von {k} Strategien wurde die der Runde {i} behalten. Von allem, was ihr begegnete und was gegen sie lernte, "
        "ist {name} am schlimmsten: {x}{unit} je Spiel, Intervall {ends}, {n} neue Spiele."
    ),
    "It was measured in the first of {n:n} scenarios.": "Gemessen wurde im ersten von {n} Szenarien.",
}
PAGE_TEXTS = {
    "training": "Training",
    "{game}: a training": "{game}: ein Training",
    "decisions": "Entscheidungen",
    "seconds": "Sekunden",
    "learner": "Lernverfahren",
    "seed": "Startwert",
    "scenarios": "Szenarien",
    "rules": "Regeln",
    "policy": "Strategie",
    "What it earns": "Was sie holt",
    "Games drawn from the chances of the average policy at its temperature of play; every interval holds at 95 % by "
    "itself.": (
        "Gespielt wird nach den Chancen der mittleren Strategie bei ihrer Spieltemperatur; jedes Intervall gilt für "
        "sich zu 95 %."
    ),
    "against": "gegen",
    "games": "Spiele",
    "edge": "Ertrag",
    "interval": "Intervall",
    "by seat": "nach Plätzen",
    "Games that show it": "Spiele, die es zeigen",
    "command, in the folder of this page": "Befehl, im Ordner dieser Seite",
    "Trainings side by side": "Trainings nebeneinander",
    "What the policies earn on average from the agents; they differ in their seeds alone.": (
        "Was die Strategien im Mittel bei den Gegnern holen; sie unterscheiden sich nur im Startwert."
    ),
    "on average": "im Mittel",
    "Rounds against best answers": "Runden gegen beste Antworten",
    "In every round best answers to the policy were learned, and it learned on against the mixture of all of them that "
    "is worst for what was learned; least is what it gets from the worst of all in the end.": (
        "In jeder Runde wurden beste Antworten auf die Strategie gelernt, und sie lernte gegen die Mischung aus allen "
        "weiter, die für das Gelernte am schlimmsten ist; am wenigsten holt sie am Ende von dem Genannten."
    ),
    "round": "Runde",
    "learned against": "gelernt gegen",
    "worst opponent": "schlimmster Gegner",
    "least": "am wenigsten",
    "kept": "behalten",
    "How it learned": "Wie sie lernte",
    "Mean payoffs of the policy as it was then, by chance as it then played; lines are means of ten points.": (
        "Mittlere Gewinne der Strategie, wie sie damals war, mit dem Zufall, mit dem sie da spielte; die Linien sind "
        "Mittel aus zehn Punkten."
    ),
    "Settings that are not the default": "Einstellungen, die vom Üblichen abweichen",
    "setting": "Einstellung",
    "value": "Wert",
    "Mean payoff by opponent while it learned": "Mittlerer Gewinn nach Gegnern während des Lernens",
    "Entropy of the policy while it learned": "Entropie der Strategie während des Lernens",
    "entropy": "Entropie",
    "past": "Frühere",
    "self": "sich selbst",
    "Made by probespiel. This page contains no scripts and loads nothing.": (
        "Mit probespiel erstellt. Diese Seite enthält keine Skripte und lädt nichts nach."
    ),
}
GERMAN = (SENTENCES, PAGE_TEXTS)
_ENGLISH = Phrasebook()


def words(lang: str) -> Phrasebook:
    """The texts of trainings in a language, `en` or `de`."""
    return _ENGLISH if lang == "en" else Phrasebook(lang, GERMAN)


__all__ = [
    "FILE", "GERMAN", "NAME", "PAGE", "VERSION", "Against", "Round", "Seat", "Trained", "Trial", "Update", "claim",
    "headline", "lines_of", "notes", "render", "render_in", "thinned", "words", "write_reports",
]  # fmt: skip
