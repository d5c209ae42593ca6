"""The page of a system, filled with the options and modules of a game; rule numbers in brackets are its anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from ..game import Game, GameSpec
from ..modules import Module, ModuleSet, load_modules
from ..modules.declare import HOLDERS, Param
from ..registry import system, system_of
from ..system import System
from ..texts import minus_signs
from .data import check_language, data_file, table_of
from .scenarios import scene_of
from .template import ANY, Case, Setting, fill, setting_text, shown

_RULE = r"R\d+[a-z]?(?:-R\d+)?"
RULES = re.compile(rf"\[({_RULE}(?:, {_RULE})*)\]")  # rule numbers as pages write them: [R3], [R3, R7], [R3-R7]
# the aim of a game, in a section or a paragraph of its own, and what in it is no text
_AIM = re.compile(r"^(?:## (?:Aim|Ziel)\s*\n+|\*\*(?:Aim|Ziel)\.\*\*\s*)(.+?)(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
_MARKS = re.compile(r"<[^>]*>|\s*\[R[^\]]*\](?:\([^)]*\))?|[*`]")
_MANY = 12  # actions of a kind that are named
_SAY = {
    "en": {
        "played": "The rules of {game} as played in the scenario “{scenario}”.",
        "none": "This system brings no page of rules. What it says of itself:",
        "possible": "What can be done",
        "options": "Options",
        "modules": "Rule modules",
        "params": "Parameters:",
        "actions": "Actions that it adds: {actions}.",
        "seats": "Only for: {seats}.",
    },
    "de": {
        "played": "Die Regeln von {game}, wie sie im Szenario „{scenario}“ gelten.",
        "none": "Dieses System bringt keine Seite mit Regeln mit. Was es von sich sagt:",
        "possible": "Was man tun kann",
        "options": "Optionen",
        "modules": "Regelmodule",
        "params": "Parameter:",
        "actions": "Neue Aktionen: {actions}.",
        "seats": "Nur für: {seats}.",
    },
}


def spec_of(game: Game | GameSpec | str) -> GameSpec:
    """The declaration of a game; a name means its default scenario. Raises RulesetError."""
    if isinstance(game, str):
        return system_of(game).spec(game, None, {}, {})
    return game.spec if isinstance(game, Game) else game


def rules_of(game: Game | GameSpec | str, lang: str = "en") -> str:
    """The rules of a game as it is played, in Markdown: its options, and its modules. Nothing is compiled.

    A name of a game means its default scenario. Raises RulesetError.
    """
    spec = spec_of(game)
    owner = system(spec.system)
    modules = load_modules(owner.interface, spec.options.get("modules"))
    case = _case_of(spec, [module.name for module in modules], lang)
    played = _SAY[lang]["played"].format(
        game=owner.title(spec.name, lang), scenario=scene_of(owner.name, spec.scenario, lang).name
    )
    return _page(owner, case, modules, f"*{played}*")


def modules_of(game: Game | GameSpec | str, lang: str = "en") -> list[str]:
    """What the rule modules of a game are called, each with its name or file where that is another, without folders.

    Raises RulesetError.
    """
    check_language(lang)
    spec = spec_of(game)
    owner, asked = system(spec.system), spec.options.get("modules") or {}
    titles = [_title(owner.name, module, lang) for module in load_modules(owner.interface, asked)]
    files = [Path(name).name if name.endswith(".py") else name for name in asked]
    return [
        title if title == file.removesuffix(".py") else f"{title} ({file})"
        for file, title in zip(files, titles, strict=True)
    ]


def modules_told(game: Game | GameSpec | str, lang: str = "en") -> list[tuple[str, str]]:
    """What the rule modules of a game are called, and what each does in plain words, as it is set there.

    Raises RulesetError.
    """
    spec = spec_of(game)
    loaded = load_modules(system(spec.system).interface, spec.options.get("modules"))
    case = replace(_case_of(spec, [module.name for module in loaded], lang), at_table=True)
    return [
        (_title(spec.system, module, lang), _told(_does(spec.system, module, loaded.values[module.name], case), lang))
        for module in loaded
    ]


def modules_offered(name: str, lang: str = "en") -> dict[str, tuple[str, str]]:
    """What the built-in modules of a system are called and do in plain words, by name; raises RulesetError."""
    owner, found = system(name), {}
    for key in owner.modules():  # some exclude others
        loaded = load_modules(owner.interface, {key: {}})
        case = replace(_case_of(spec_of(owner.games[0]), [key], lang), at_table=True)
        (module,) = loaded
        found[key] = (_title(name, module, lang), _told(_does(name, module, loaded.values[key], case), lang))
    return found


def _case_of(spec: GameSpec, modules: Sequence[str], lang: str) -> Case:
    check_language(lang)
    owner = system(spec.system)
    declared, values = owner.declared(spec.name), owner.values(spec)
    said = _said_of(table_of(owner.name, "options.toml"), lang)
    settings = {
        n: Setting(values.get(n, o.default), o.default, o.allowed, said.get(n, {})) for n, o in declared.items()
    }
    return Case(settings, lang, spec.name, modules, mode=spec.options.get("mode"))


def _said_of(table: Mapping[str, Mapping[str, Sequence[str]]], lang: str) -> dict[str, dict[str, str]]:
    """What people call values of options or parameters, by the option and the value."""
    return {key: {value: words[lang == "de"] for value, words in texts.items()} for key, texts in table.items()}


def _does(name: str, module: Module, values: Mapping[str, Any], case: Case) -> str:
    """What a module does: the system's text about a built-in one, else its own line."""
    own = table_of(name, "modules.toml").get(module.name)
    if not own:
        return module.doc
    said = _said_of(own.get("said", {}), case.lang)
    parameters = {
        key: Setting(values[key], param.default, _range(param), said.get(key, {}))
        for key, param in module.params.items()
    }
    filled = replace(case, parameters=parameters)
    return fill(own[case.lang], filled, f"modules.toml, {module.name}").strip()


def _told(text: str, lang: str) -> str:
    return minus_signs(_plain(text), lang)


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split())


def aim_of(game: Game | GameSpec | str, lang: str = "en") -> str:
    """What a game as it is played is about, in plain words: the aim that its page names, else how the page begins.

    Raises RulesetError.
    """
    page = rules_of(game, lang)
    if found := _AIM.search(page):
        text = found[1]
    else:
        parts = [part.strip() for part in page.partition("\n## ")[0].split("\n\n")]
        remark = "*" + _SAY[lang]["played"].partition("{")[0]
        own = [part for part in parts if part and not part.startswith(("#", remark))]
        text = own[-1] if own else ""
    return _told(text, lang)


def page_of(name: str, lang: str = "en") -> str:
    """The rules of a whole system in Markdown: all its games, options at their defaults, all built-in modules.

    Raises RulesetError.
    """
    check_language(lang)
    owner = system(name)
    options = {key: option for game in owner.games for key, option in owner.declared(game).items()}
    said = _said_of(table_of(name, "options.toml"), lang)
    settings = {n: Setting(o.default, o.default, o.allowed, said.get(n, {})) for n, o in options.items()}
    every = [load_modules(owner.interface, {module: {}}) for module in owner.modules()]  # some exclude others
    found = ModuleSet(
        owner.interface,
        tuple(m for one in every for m in one),
        tuple(source for one in every for source in one.sources),
        {name: values for one in every for name, values in one.values.items()},
    )
    return _page(owner, Case(settings, lang, ANY, ANY), found, "")


def _page(owner: System, case: Case, modules: ModuleSet, remark: str) -> str:
    path = data_file(owner.name, f"{case.lang}.md")
    if path is None:
        text = _declared(owner, case)
    else:
        text = fill(path.read_text(encoding="utf-8"), case, str(path))
    head, _, rest = text.partition("\n")
    parts = [head, remark, rest.strip()]
    if len(modules):
        parts.append(f"## {_SAY[case.lang]['modules']}")
        parts += [
            module_text(owner.name, module, source, modules.values[module.name], case)
            for module, source in zip(modules.modules, modules.sources, strict=True)
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _declared(owner: System, case: Case) -> str:
    """The page of a system that brings none: the actions and options that it declares, with what it says of them."""
    say, game = _SAY[case.lang], owner.games[0] if case.game in (ANY, None) else case.game
    declared = owner.declared(game)
    lines = []
    for block in owner.spec(game, None, {}, {}).actions.blocks:
        texts = block.texts.get(case.lang, block.codes)
        told = ", ".join(texts[:_MANY]) + (" ..." if len(texts) > _MANY else "")
        lines.append(f"- {told}" + (f": {block.doc}" if block.doc else ""))
    parts = [f"# {owner.title(game, case.lang)}", f"## {say['possible']}", say["none"], "\n".join(lines)]
    if case.settings:
        told = [(setting_text(name, s, case.lang), declared[name].doc) for name, s in case.settings.items()]
        parts += [f"## {say['options']}", "\n".join(f"- {': '.join(part for part in one if part)}" for one in told)]
    return "\n\n".join(parts) + "\n"


def module_text(name: str, module: Module, source: ModuleType, values: Mapping[str, Any], case: Case) -> str:
    """The section about a module: the system's text about a built-in one, else what the module says of itself."""
    lang, say = case.lang, _SAY[case.lang]
    parameters = {key: Setting(values[key], param.default, _range(param)) for key, param in module.params.items()}
    own = table_of(name, "modules.toml").get(module.name)
    parts = [f"### {_title(name, module, lang)} (`{module.name}`)"]
    if own:
        parts.append(_does(name, module, values, case))
    else:
        more = (source.__doc__ or "").strip()
        parts += [module.doc, *([more] if more and module.doc not in more else [])]
        lines = [f"- {setting_text(key, s, lang)}: {module.params[key].doc}" for key, s in parameters.items()]
        if lines:
            parts.append("\n".join([say["params"], "", *lines]))
        actions = "; ".join(texts[lang] for texts in module.actions.values())
        if actions:
            parts.append(say["actions"].format(actions=actions))
    holders = values.get(HOLDERS)
    if holders is not None:
        parts.append(say["seats"].format(seats=shown(list(holders), lang)))
    return "\n\n".join(parts)


def _title(name: str, module: Module, lang: str) -> str:
    own = table_of(name, "modules.toml").get(module.name)
    return own["title_" + lang] if own else module.title.get(lang) or module.title.get("en") or module.name


def _range(param: Param) -> str:
    if param.choices:
        return ", ".join(param.choices)
    if isinstance(param.default, bool):
        return "True, False"
    return ", ".join(param.default) if isinstance(param.default, Mapping) else f"{param.low}..{param.high}"


def numbers(reference: str) -> Iterator[str]:
    """The rule numbers that stand between brackets: `R3-R5, R9` are four."""
    for part in reference.split(", "):
        first, dash, last = part.partition("-")
        if dash:
            yield from (f"R{n}" for n in range(int(first[1:]), int(last[1:]) + 1))
        else:
            yield first


def anchors(text: str) -> list[str]:
    """The rule numbers of a page in the order in which they come first."""
    return list(dict.fromkeys(n for found in RULES.finditer(text) for n in numbers(found[1])))


def anchored(text: str) -> str:
    """A page with an HTML anchor where each rule number stands first, for links such as `page.md#R31`."""
    seen: set[str] = set()

    def anchor(found: re.Match[str]) -> str:
        fresh = [n for n in numbers(found[1]) if n not in seen]
        seen.update(fresh)
        return "".join(f'<a id="{n}"></a>' for n in fresh) + found[0]

    return RULES.sub(anchor, text)


def linked(text: str, page: str, known: list[str]) -> str:
    """A text in which the rule numbers that a page has are links to it."""

    def link(found: re.Match[str]) -> str:
        return f"[{found[0]}]({page}#{found[0]})" if found[0] in known else found[0]

    return re.sub(r"\bR\d+[a-z]?\b", link, text)


def passages_of(rule: str, page: str) -> list[str]:
    """The paragraphs, items and rows of a page (as of `rules_of`) that a rule number such as `R31` stands in."""
    blocks = re.split(r"\n\s*\n|\n(?=[-*] |\d+\. |\|)", page)
    return [block.strip() for block in blocks if rule in anchors(block)]


def passage_about(name: str, page: str) -> str:
    """What a page says of an option or a rule module of that name; an empty text if nothing."""
    if section := re.search(rf"^### [^\n]*\(`{re.escape(name)}`\)\n.*?(?=\n###? |\Z)", page, re.MULTILINE | re.DOTALL):
        return section[0].strip()
    items = re.findall(r"^- (?:.*\n)(?:  .*\n)*", page, re.MULTILINE)
    return "\n".join(item.strip() for item in items if f"`{name}` =" in item)


__all__ = [
    "RULES",
    "aim_of",
    "anchored",
    "anchors",
    "linked",
    "modules_of",
    "modules_offered",
    "modules_told",
    "numbers",
    "page_of",
    "passage_about",
    "passages_of",
    "rules_of",
    "spec_of",
]
