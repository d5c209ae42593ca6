"""The page on rule modules: its generated tables are those of the code, and it speaks of every system."""

from __future__ import annotations

import re

from probespiel.envs.core.registry import system, system_names

from . import write_docs


def test_tables_are_current() -> None:
    """`make docs` rewrites them."""
    text = write_docs.PAGE.read_text(encoding="utf-8")
    assert write_docs.current(text) == text


def test_every_system_is_there() -> None:
    text = write_docs.PAGE.read_text(encoding="utf-8")
    blocks = {(b["what"], b["name"]) for b in write_docs.BLOCK.finditer(text)}
    for name in system_names():
        assert ("hooks", name) in blocks
        assert all(f"`{hook}(" in text for hook in system(name).interface.table)
        if system(name).interface.services:
            assert ("services", name) in blocks


def test_every_service_is_named_once() -> None:
    for name in system_names():
        services = " ".join(system(name).interface.services.values()).split()
        assert len(services) == len(set(services))


def test_kinds_are_explained() -> None:
    kinds = {hook.kind for name in system_names() for hook in system(name).interface.table.values()}
    text = write_docs.PAGE.read_text(encoding="utf-8")
    assert all(re.search(rf"^\| {kind} \|", text, re.MULTILINE) for kind in kinds)
