"""Styles of screens: all are loaded on every page, so none may reach what another system draws."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from probespiel.app.web.screens import screen_folders

FOLDERS = screen_folders()
CLASS = re.compile(r"\.([a-z][\w-]*)")


def selectors(style: str) -> Iterator[str]:
    """Every single selector of a style sheet, those within media queries too."""
    style = re.sub(r"@media[^{]*\{", "", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))
    for rule in re.findall(r"([^{}]+)\{", style):
        yield from (one.strip() for one in rule.split(",") if one.strip())


def drawn(folder: Path) -> set[str]:
    """The classes that the templates of a folder use: in `class="..."`, and what macros are given as `class`."""
    found: set[str] = set()
    for template in folder.glob("*.html"):
        text = template.read_text(encoding="utf-8")
        for words in [*re.findall(r'class="([^"]*)"', text), *re.findall(r"class='([^']*)'", text)]:
            found.update(re.findall(r"[a-z][\w-]*", re.sub(r"\{[{%].*?[}%]\}", " ", words)))
    return found


def reaching(style: str, own: str, classes: set[str]) -> list[str]:
    """Selectors that are not within the screen of a system and that match one of the classes."""
    return [
        one for one in selectors(style)
        if (found := CLASS.findall(one.split()[0])) and own not in CLASS.findall(one) and set(found) <= classes
    ]  # fmt: skip


@pytest.mark.parametrize("system", sorted(FOLDERS))
def test_styles_of_a_screen_reach_no_other_one(system: str) -> None:
    """Dashed ellipses, rings around figures of oneshot, stood around the attacks of einBlatt's melees."""
    style = FOLDERS[system] / "screen.css"
    for other, folder in FOLDERS.items():
        if other != system and style.exists():
            assert reaching(style.read_text(encoding="utf-8"), system, drawn(folder)) == [], other


def test_a_style_that_reaches_another_screen_is_found() -> None:
    assert "target" in drawn(FOLDERS["einblatt"]) & drawn(FOLDERS["oneshot"])
    assert reaching(".target:hover { color: red }", "oneshot", {"target"}) == [".target:hover"]
    assert reaching(".oneshot .target { color: red } .a, .ground .target {}", "oneshot", {"target"}) == []
    assert reaching("@media (max-width: 3rem) { .target.hit {} }", "oneshot", {"target", "hit"}) == [".target.hit"]
