"""What agents and scenarios are called where a person meets them: in words, beside the text that makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ..agents.declaration import Lineup, agents_of, lineup_of
from ..agents.registry import AgentText, german_lines, list_agents, parse_agent
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, GameSpec
from ..envs.core.registry import game_names, system, system_of
from ..envs.core.rulebook import Scene, scene_of
from ..envs.core.texts import german_number
from ..evaluation.stress.texts import words as words_of_strategies

_WORDS = {
    "human": ("a person", "ein Mensch"),
    "random": ("any move by chance", "irgendein Zug per Zufall"),
    "first": ("always the first move of the list", "immer der erste Zug der Liste"),
    "policy": ("the trained policy", "die trainierte Spielweise"),
    "cfr": ("a solver's strategy", "die Strategie eines Lösers"),
    "solve_search": ("search that solves the game ahead", "Suche, die das Spiel voraus löst"),
    "search": ("search", "Suche"),
    "switch": ("search among whole ways to play", "Suche unter ganzen Spielweisen"),
    "casual": ("search that overlooks moves", "Suche, die Züge übersieht"),
}
_LEVEL = ("level {n} of {most}", "Stufe {n} von {most}")
_SIMS = (", {n} simulations a decision", ", {n} Simulationen je Entscheidung")
_LAPSE = (", in {n} % of its decisions", ", in {n} % seiner Entscheidungen")
_SECONDS = (", at most {n} s", ", höchstens {n} s")
_HEURISTIC = ("heuristic {name}", "Heuristik {name}")
_NOBODY = ("nobody on another side", "niemand auf einer anderen Seite")
_OUTSIDE = ("a bot of the file {name}", "ein Bot aus der Datei {name}")


def agent_called(text: str, game: str, lang: str, brief: bool = False) -> str:
    """An agent of a game in words; a text that names none, or none of a game that is known here, stays as it is.

    `brief`: without its level, its limits, and the line about what it does. Strategies that a stress test has learned
    are no agents that can be asked for; they have the names of its report.
    """
    try:
        parsed = parse_agent(text)
    except ProbespielError:
        return words_of_strategies(lang)(text)
    try:
        if not brief and _learned(parsed, game):
            return words_of_strategies(lang)(text)
        return _called(parsed, game, lang == "de", brief)
    except ProbespielError:
        return text


def _called(parsed: AgentText, game: str, de: bool, brief: bool) -> str:
    if parsed.path is not None:
        return _OUTSIDE[de].format(name=parsed.path.name)
    if brief and parsed.name in _WORDS:
        return _WORDS[parsed.name][de]
    if brief:
        return _HEURISTIC[de].format(name=parsed.name.replace("_", " "))
    level, most = _level(parsed, game)
    before = f"{_LEVEL[de].format(n=level, most=most)}: " if level else ""
    if parsed.name in _WORDS:
        return before + _WORDS[parsed.name][de] + _lapse(parsed, de) + _effort(parsed, de)
    about = _docs(game).get(parsed.name)
    name = before + _HEURISTIC[de].format(name=parsed.name.replace("_", " "))
    return name if about is None or not about[de] else f"{name} ({about[de]})"


def agent_with_code(text: str, game: str, lang: str) -> str:
    """An agent in words, and in brackets the text by which it is asked for where the words do not say as much."""
    words, beside = agent_called(text, game, lang), code_beside(text, game)
    return f"{words} [{text}]" if beside not in ("", words) else words


def code_beside(text: str, game: str) -> str:
    """The text by which an agent is asked for; empty for a person, for a level, whose number says as much, and for what
    cannot be asked for.
    """
    try:
        parsed = parse_agent(text)
        return "" if text == "human" or _learned(parsed, game) or _level(parsed, game)[0] else text
    except ProbespielError:
        return text


def opponents_called(text: str, game: str, lang: str) -> str:
    """The opponents of a record, joined by ` + `, in words; behind `game` may stand the modules of its rules."""
    if not text:
        return _NOBODY[lang == "de"]
    return " + ".join(agent_called(one, game.split(" ")[0], lang) for one in text.split(" + "))


def _learned(parsed: AgentText, game: str) -> bool:
    """Whether it is no agent of a game that is known here, as what a stress test has learned."""
    return parsed.path is None and parsed.name not in _WORDS and parsed.name not in _docs(game)


def _lapse(parsed: AgentText, de: bool) -> str:
    """In how many of its decisions somebody overlooks moves, where not in all."""
    try:
        share = 100 * float(parsed.values.get("lapse", "1"))
    except ValueError:
        return ""
    shown = f"{share:g}"
    return _LAPSE[de].format(n=german_number(shown) if de else shown) if share < 100 else ""


def _effort(parsed: AgentText, de: bool) -> str:
    """How much a search may do."""
    told = ""
    sims, seconds = parsed.values.get("sims", ""), parsed.values.get("seconds", "")
    if sims.isdecimal():
        number = f"{int(sims):,}"
        told += _SIMS[de].format(n=german_number(number) if de else number)
    if seconds:
        shown = seconds_called(seconds)
        told += _SECONDS[de].format(n=german_number(shown) if de else shown)
    return told


def seconds_called(text: str) -> str:
    """A number of seconds with two places at most; smaller ones, and what is no number, as they are written."""
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:.2f}".rstrip("0").rstrip(".") if 0.01 <= number < 1e9 else text


_PLAIN_GAME = ("This holds without rule modules.", "Das gilt ohne Regelmodule.")


def level_remark(agents: Iterable[str], spec: GameSpec, lang: str) -> str:
    """What should be known of the levels of a game; empty where none of the agents is one, or nothing is to be said.

    Nothing of it was found out with rule modules, which can make it wrong.
    """
    if not any(agent != "human" and _level(parse_agent(agent), spec.name)[0] for agent in agents):
        return ""
    remark = levels_remark(spec.name, lang)
    return f"{remark} {_PLAIN_GAME[lang == 'de']}" if remark and spec.options.get("modules") else remark


def levels_remark(game: str, lang: str) -> str:
    """What whoever chooses a level of a game should know of them; empty where nothing is to be said."""
    return _lineup(game).remark[lang == "de"]


def _level(parsed: AgentText, game: str) -> tuple[int, int]:
    """Which level of the game the agent is (0: none), whatever its time, and how many there are."""
    levels = [parse_agent(level) for level in _levels(game)]
    own = {key: value for key, value in parsed.values.items() if key != "seconds"}
    for number, level in enumerate(levels, 1):
        values = {key: value for key, value in level.values.items() if key != "seconds"}
        if (parsed.name, own) == (level.name, values):
            return number, len(levels)
    return 0, len(levels)


@lru_cache(maxsize=64)
def _lineup(game: str) -> Lineup:
    return lineup_of(Game(system_of(game).spec(game, None, {}, {}), compiled=False))  # interpreted: nothing is played


def _levels(game: str) -> tuple[str, ...]:
    return _lineup(game).levels


@lru_cache(maxsize=64)
def _docs(game: str) -> dict[str, tuple[str, str]]:
    """A line on each agent that belongs to the game's system, in English and German (empty: none in that language)."""
    owner = system_of(game)
    made = Game(owner.spec(game, None, {}, {}), compiled=False)
    declared = agents_of(owner.name)
    found = {kind.name: (kind.doc, "") for kind in list_agents(made)}
    found |= {name: (baseline.doc, "") for name, baseline in declared.baselines.items()}
    german = german_lines(owner.name)
    return {name: (doc, german.get(name, "")) for name, (doc, _) in found.items()}


def scene_in(game: str, scenario: str, lang: str) -> Scene:
    """A scenario of a game in words; by its own name where the game is not known here (any more)."""
    try:
        owner = system_of(game)
    except ProbespielError:
        return Scene(scenario)
    return scene_of(owner.name, scenario, lang)


def title_of(name: str, lang: str) -> str:
    """What people call a game or a system; by its own name where it is not known here (any more)."""
    try:
        return system_of(name).title(name, lang) if name in game_names() else system(name).title(name, lang)
    except ProbespielError:
        return name


def names_in(lang: str) -> dict[str, Callable[..., Any]]:
    """What the templates of pages call to name things in a language."""
    return {
        "who": lambda agent, game: agent_called(agent, game, lang),
        "opponents": lambda agents, game: opponents_called(agents, game, lang),
        "code_beside": code_beside,
        "game_title": lambda name: title_of(name, lang),
        "scene": lambda game, scenario: scene_in(game, scenario, lang),
        "levels_remark": lambda game: levels_remark(game, lang),
    }


__all__ = [
    "agent_called", "agent_with_code", "code_beside", "level_remark", "levels_remark", "names_in", "opponents_called",
    "scene_in", "title_of",
]  # fmt: skip
