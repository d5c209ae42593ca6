"""Texts with places for parameters, and with passages that only some games need.

`{NAME}` is the value of an option, in words where there are; `{option:NAME}` and `{param:NAME}` are the option, or the
parameter of a module, with its value and what is allowed, at the table the parameter's value alone, in words where
there are; `{count:NAME=time|times}` is the value with a word, the first one if it is 1. On lines of their own stand
`{if:CONDITION}`, `{else}` and `{end}`. A condition is `NAME` (it is switched on), `NAME=VALUE` or `NAME=VALUE|VALUE`,
or one of these behind `not`; `game`, `module` and `mode` (the kind of a set-up, where a system has several) are names
that every text knows. What no game is named for holds for all games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import RulesetError

ANY = None  # a game, module or mode that is not named: every passage about one is kept
_PLACE = re.compile(r"\{(?:(option|param):)?([a-z]\w*)\}")
_COUNT = re.compile(r"\{count:([a-z]\w*)=([^{}|]+)\|([^{}|]+)\}")
_MARK = re.compile(r"\s*\{(?:(if):([^{}]+)|(else|end))\}\s*")
_WORDS = {
    "en": {True: "yes", False: "no", None: "none", "": "nothing"},
    "de": {True: "ja", False: "nein", None: "keine", "": "nichts"},
}
_DEFAULT = {"en": "usually", "de": "sonst"}
_ALLOWED = (  # what checks call allowed, as people read it
    ("seat -> list of seats", "for each seat a list of seats", "je Platz eine Liste von Plätzen"),
    ("team -> member seat", "for each team the seat of a member", "je Gruppe der Platz eines Mitglieds"),
    ("seven non-decreasing numbers", "seven numbers that never fall", "sieben Zahlen, die nie fallen"),
    ("a list of 1..1000 tests", "a list of 1..1000 tests", "eine Liste von 1..1000 Proben"),
    ("random, or a seat 0..n_factions - 1", "random, or a seat from 0 on", "random, oder ein Platz ab 0"),
    ("at most 8 natures", "at most 8 natures", "höchstens 8 Naturelle"),
    ("at most 8 sizes 1..3", "at most 8 sizes 1..3", "höchstens 8 Größen 1..3"),
    ("more than 0, at most ", "more than 0, at most ", "mehr als 0, höchstens "),
    ("three numbers, each ", "three numbers, each ", "drei Zahlen, jede "),
    ("the path of a JSON file", "the path of a JSON file", "der Pfad einer JSON-Datei"),
    ("or an object", "or an object", "oder ein Objekt"),
    ("one or more of ", "one or more of ", "mindestens eines von "),
    ("a subset of ", "some of ", "einige von "),
    ("some of ", "some of ", "einige von "),
    ("['", "", ""),
    ("', '", ", ", ", "),
    ("']", "", ""),
    (" | ", ", ", ", "),
    ("True, False", "yes, no", "ja, nein"),
    ("true or false", "yes, no", "ja, nein"),
    (" or None", " or none", " oder keine"),
    ("None, or ", "none, or ", "keine, oder "),
    ("None, ", "none, ", "keine, "),
)


@dataclass(frozen=True)
class Setting:
    """An option or parameter as a game has it: its value, the default, and what is allowed in words.

    `said`: values (of a mapping: keys, of a list: members) as people say them, by how Python writes them.
    """

    value: Any
    default: Any
    allowed: str
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """What a text is filled with: settings by name, the game, active modules, the mode (None: all), a language.

    `at_table`: for whoever plays, and not for whoever sets the rules.
    """

    settings: Mapping[str, Setting]
    lang: str
    game: str | None = ANY
    modules: Sequence[str] | None = ANY
    parameters: Mapping[str, Setting] = field(default_factory=dict)
    mode: str | None = ANY
    at_table: bool = False


def shown(value: Any, lang: str) -> str:
    """A value as people read it."""
    if value is None or isinstance(value, bool):
        return _WORDS[lang][value]
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(one, lang)}" for key, one in value.items()) or _WORDS[lang][""]
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(one, lang) for one in value) or _WORDS[lang][""]
    return str(value)


def told_value(setting: Setting, lang: str) -> str:
    """The value of a setting as people say it who play with it."""
    value = setting.value
    if isinstance(value, Mapping):
        value = {setting.said.get(str(key), key): one for key, one in value.items()}
    elif isinstance(value, (list, tuple)):
        value = [setting.said.get(str(one), one) for one in value]
    elif str(value) in setting.said:
        return setting.said[str(value)]
    text = shown(value, lang)
    return text.replace(".", ",") if lang == "de" else text


def setting_text(name: str, setting: Setting, lang: str) -> str:
    """A setting with its value, what is allowed, and the default where that is another value; what is said of it."""
    if not isinstance(setting.value, Mapping) and (words := setting.said.get(str(setting.value))):
        return f"{words} ({setting_text(name, replace(setting, said={}), lang)})"
    rest = setting.allowed
    for plain, *said in _ALLOWED:
        rest = rest.replace(plain, said[lang == "de"])
    parts = [rest] if rest else []
    if setting.value != setting.default:
        parts.append(f"{_DEFAULT[lang]} {shown(setting.default, lang)}")
    return f"`{name}` = {shown(setting.value, lang)}" + (f" ({'; '.join(parts)})" if parts else "")


def fill(text: str, case: Case, where: str) -> str:
    """The text with its passages chosen and its places filled; raises RulesetError naming file, line and place."""
    kept: list[str] = []
    stack: list[tuple[bool, bool]] = []  # for each open condition: whether it holds, and all around it
    for number, line in enumerate(text.splitlines(), 1):
        here = f"{where}, line {number}"
        mark = _MARK.fullmatch(line)
        on = all(holds for holds, _ in stack)
        if mark is None:
            if on:
                kept.append(_filled(line, case, here))
        elif mark[1]:
            stack.append((_holds(mark[2].strip(), case, here), on))
        elif not stack:
            raise RulesetError(f"{here}: {{{mark[3]}}} without {{if:...}}")
        elif mark[3] == "else":
            stack[-1] = (not stack[-1][0], stack[-1][1])
        else:
            stack.pop()
    if stack:
        raise RulesetError(f"{where}: an {{if:...}} has no {{end}}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


def _filled(line: str, case: Case, here: str) -> str:
    def place(found: re.Match[str]) -> str:
        kind, name = found[1], found[2]
        table = case.parameters if kind == "param" else case.settings
        if name not in table:
            raise RulesetError(f"{here}: {found[0]} is no {kind or 'option'}: one of {', '.join(table) or 'nothing'}")
        if kind == "param" and case.at_table:
            return told_value(table[name], case.lang)
        if kind:  # of options what is said stands in the sentence, and names and values in the list of them
            one = table[name] if kind == "param" else replace(table[name], said={})
            return setting_text(name, one, case.lang)
        return told_value(table[name], case.lang) if table[name].said else shown(table[name].value, case.lang)

    def counted(found: re.Match[str]) -> str:
        if found[1] not in case.settings:
            raise RulesetError(f"{here}: {found[0]} is no option: one of {', '.join(case.settings) or 'nothing'}")
        value = case.settings[found[1]].value
        return f"{shown(value, case.lang)} {found[2 if value == 1 else 3]}"

    return _PLACE.sub(place, _COUNT.sub(counted, line))


def _holds(condition: str, case: Case, here: str) -> bool:
    wanted = True
    if condition.startswith("not "):
        wanted, condition = False, condition[4:].strip()
    name, equals, values = condition.partition("=")
    choices = values.split("|")
    if name in ("game", "mode"):
        named = case.game if name == "game" else case.mode
        return named is ANY or (named in choices) == wanted
    if name == "module":
        return case.modules is None or any(module in choices for module in case.modules) == wanted
    if name not in case.settings:
        raise RulesetError(f"{here}: {{if:{condition}}} names no option: one of {', '.join(case.settings)}")
    value = case.settings[name].value
    truth = str(value) in choices if equals else bool(value)
    return truth == wanted


__all__ = ["ANY", "Case", "Setting", "fill", "setting_text", "shown", "told_value"]
