"""What the scenarios of a system are called, and a line about each, in English and German.

They lie in `scenarios.toml` of its rulebook: a table for each scenario, by its name, with `en` and `de`, each a name
and a line. Scenario files, and scenarios of systems without such a table, go by their own name; a set-up of one's own
has none.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import RulesetError
from .data import check_language, data_file, table_of

FILE = "scenarios.toml"
OWN = "custom"  # what a set-up is labelled that is neither a preset nor a file, as those of missions in runs
OWN_NAME = {"en": "own set-up", "de": "eigener Aufbau"}


@dataclass(frozen=True)
class Scene:
    """A scenario in words: what it is called, and a line about it (empty where there is none).

    `seat` is the one that a single person plays unless it is said otherwise; empty for the first one.
    """

    name: str
    about: str = ""
    seat: str = ""


def scene_of(system: str, scenario: str, lang: str = "en") -> Scene:
    """A scenario of a system in a language; raises RulesetError for a table that is wrong."""
    check_language(lang)
    given = table_of(system, FILE).get(scenario)
    if given is None and scenario == OWN:
        return Scene(OWN_NAME[lang])
    if given is None:
        return Scene(scenario if scenario.endswith(".json") else scenario.replace("_", " "))
    texts = given.get(lang) if isinstance(given, dict) else None
    if not isinstance(texts, list) or len(texts) != 2 or not all(isinstance(text, str) and text for text in texts):
        raise RulesetError(f"{data_file(system, FILE)}: {scenario}: {lang} must be a name and a line about it")
    return Scene(texts[0], texts[1], given.get("seat", ""))


__all__ = ["FILE", "Scene", "scene_of"]
