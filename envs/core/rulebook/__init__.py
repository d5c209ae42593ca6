"""The rules in own words: pages that fill themselves with a game's parameters, a glossary, tutorials.

The texts lie in the rooms of the systems, in the folder `rulebook`: `en.md` and `de.md`, the page of the system;
`modules.toml`, a text for each built-in module; `scenarios.toml`, what scenarios are called;
`glossary.toml`, its terms; `tutorial.toml`, a game played by a script.
Nothing here compiles or plays rules but a tutorial.
"""

from .glossary import Entry, Found, explain, glossary_of, terms_in
from .pages import aim_of, anchored, modules_of, modules_offered, modules_told, passages_of, rules_of
from .scenarios import Scene, scene_of
from .tutorial import Step, Tutorial, tutorial_of

__all__ = [
    "Entry",
    "Found",
    "Scene",
    "Step",
    "Tutorial",
    "aim_of",
    "anchored",
    "explain",
    "glossary_of",
    "modules_of",
    "modules_offered",
    "modules_told",
    "passages_of",
    "rules_of",
    "scene_of",
    "terms_in",
    "tutorial_of",
]
