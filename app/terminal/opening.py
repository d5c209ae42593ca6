"""What is told before a game: the scene, and who plays; people one by one, an agent once for all its seats."""

from __future__ import annotations

from ...envs.core.game import GameSpec
from ...envs.core.registry import system
from ...envs.core.rulebook import modules_of, modules_told, scene_of
from ...envs.core.rulebook.template import shown
from ..naming import agent_with_code, level_remark
from ..session.table import Table
from .messages import say


def cast_lines(table: Table, lang: str, together: bool = False) -> list[str]:
    """A line for every person and for every agent of a side; seats of one agent stand side by side.

    `together`: one person, or all of them as one, plays all seats of people.
    """
    lines: list[str] = []
    mine: dict[str, list[str]] = {}
    seats: dict[tuple[str, str], list[str]] = {}  # of an agent on a side
    for seat, info in enumerate(table.game.seats):
        side = f" ({info.side_called(lang)})" if info.side != info.name else ""
        if seat in table.people:
            if len(table.people) == 1 or not together:
                key = "you" if len(table.people) == 1 else "person"
                lines.append(say(lang, key, seat=f"{info.called(lang)}{side}"))
            else:
                mine.setdefault(side, []).append(info.called(lang))
        else:
            seats.setdefault((side, table.cast[seat]), []).append(info.called(lang))
    lines += [say(lang, "you", seat=f"{', '.join(names)}{side}") for side, names in mine.items()]
    for (side, agent), names in seats.items():
        called = agent_with_code(agent, table.game.name, lang)
        lines.append(say(lang, "player", seat=f"{', '.join(names)}{side}", agent=called))
    if remark := level_remark(table.cast.values(), table.game.spec, lang):
        lines.append(f"  ({remark})")
    return lines


def scene_lines(spec: GameSpec, lang: str) -> list[str]:
    """What the scenario is about, what is set otherwise, and what its rule modules do; raises RulesetError."""
    scene, lines = scene_of(spec.system, spec.scenario, lang), list[str]()
    if scene.about:
        lines.append(say(lang, "scene", name=scene.name, about=scene.about))
    if told := changed_options(spec, lang):
        lines.append(say(lang, "changed", options="; ".join(told)))
    if added := modules_of(spec, lang):
        lines.append(say(lang, "modules", names=", ".join(added)))
        lines += [say(lang, "module", name=title, does=does) for title, does in modules_told(spec, lang)]
    return lines


def last_lines(table: Table, lang: str) -> list[str]:
    """What a person should know before the first question: whether the game counts for no rating, and what to type."""
    counted = table.decisions or not table.practice or len(table.game.sides) < 2
    return [say(lang, key) for key in ("known", "commands")[bool(counted) :]] if table.people else []


def changed_options(spec: GameSpec, lang: str) -> list[str]:
    """The options of the rules that are not as the scenario sets them, with their values."""
    owner = system(spec.system)
    if spec.scenario not in owner.scenarios(spec.name):
        return []
    before, now = owner.values(owner.spec(spec.name, spec.scenario, {}, {})), owner.values(spec)
    return [f"{name} = {shown(now[name], lang)}" for name in now if name != "modules" and now[name] != before[name]]


__all__ = ["cast_lines", "changed_options", "last_lines", "scene_lines"]
