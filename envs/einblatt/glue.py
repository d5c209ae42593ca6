"""Writing the source that binds the modules of a rule set to the hook points."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from ..core.build import hook_chain
from ..core.errors import RulesetError
from . import hooks
from .module import SCOPES, Handle, Module
from .state import CUSTOM, PH_CUSTOM, PHASES

EVENTS = ("session_start", "between", "conflict_start", "pre_commit", "round_end", "conflict_end")
SIGNATURES = {
    "options": ("s", "p", "seat", "window", "words"),
    "choose": ("s", "p", "seat", "window", "action"),
    "legal_of": ("s", "p", "phase", "seat", "words"),
    "answered": ("s", "p", "phase", "seat", "action"),
    "task": ("s", "p", "what", "seat"),
    "fell": ("s", "p", "what", "seat", "outcome"),
    "observe": ("s", "p", "seat", "out"),
    **dict.fromkeys(EVENTS, ("s", "p", "seat")),
}
CUSTOM_ACTIONS = 8


def hook_arguments(name: str) -> tuple[str, ...]:
    """Argument names of a hook, in order."""
    if name in SIGNATURES:
        return SIGNATURES[name]
    return tuple(inspect.signature(getattr(hooks, name)).parameters)


def check_hooks(modules: Sequence[Module]) -> None:
    """Refuse modules that exclude each other or claim the same, and hooks with wrong arguments, by file and line."""
    names = [module.name for module in modules]
    actions: dict[int, str] = {}
    phases: dict[str, str] = {}
    for module in modules:
        for other in module.conflicts:
            if other in names:
                raise RulesetError(f"modules {module.name} and {other} cannot be active together")
        for action in module.base_actions:
            if action in actions:
                raise RulesetError(f"modules {actions[action]} and {module.name} both claim action {action}")
            actions[action] = module.name
        for phase in module.phases:
            if phase in phases:
                raise RulesetError(f"modules {phases[phase]} and {module.name} both declare the phase {phase!r}")
            phases[phase] = module.name
        for name, function in module.hooks.items():
            want = hook_arguments(name)
            have = tuple(inspect.signature(function).parameters)
            if len(want) != len(have):
                code = function.__code__
                raise RulesetError(
                    f"{code.co_filename}:{code.co_firstlineno}: module {module.name}: hook {name!r} takes "
                    f"({', '.join(want)}), not ({', '.join(have)})"
                )


def check_characters(modules: Sequence[Module], checked: Mapping[str, Any]) -> None:
    """Refuse pcs that break a rule of creation (R10..R16) of a module, naming module, seat and rule."""
    for module in modules:
        for seat in checked["seats"]:
            if module.creation and seat["kind"] == "pc":
                for text in module.creation(seat, checked["modules"][module.name]):
                    raise RulesetError(f"module {module.name}: seat {seat['name']}: {text}")


def custom_actions(modules: Sequence[Module]) -> list[tuple[Module, str]]:
    """Actions of the modules in the order of their ids (custom:0..7)."""
    out = [(module, name) for module in modules for name in module.actions]
    if len(out) > CUSTOM_ACTIONS:
        names = ", ".join(f"{m.name}.{n}" for m, n in out)
        raise RulesetError(f"modules declare {len(out)} actions of their own, at most {CUSTOM_ACTIONS}: {names}")
    return out


def custom_phases(modules: Sequence[Module]) -> list[tuple[Module, str]]:
    """Phases of the modules in the order of their numbers, from PH_CUSTOM on."""
    return [(module, name) for module in modules for name in module.phases]


def handles(modules: Sequence[Module], sources: Sequence[ModuleType]) -> list[dict[str, int]]:
    """Per module source: the numbers of its global names for actions, phases and ME."""
    actions = {(m.name, n): CUSTOM + i for i, (m, n) in enumerate(custom_actions(modules))}
    phases = {(m.name, n): PH_CUSTOM + i for i, (m, n) in enumerate(custom_phases(modules))}
    out = []
    for index, source in enumerate(sources):
        values: dict[str, int] = {"ME": index}
        for name, value in source.__dict__.items():
            if isinstance(value, Handle):
                table = actions if value.kind == "action" else phases
                values[name] = table[value.owner.name, value.name]
        out.append(values)
    return out


def _dispatch(head: str, variable: str, calls: Sequence[tuple[int, str]], tail: str = "") -> str:
    lines = [f"@kernel\ndef {head}:\n"]
    lines += [f"    if {variable} == {value}:\n        {call}\n" for value, call in calls]
    return "".join(lines) + (tail or "    return\n")


def write_glue(modules: Sequence[Module]) -> str:
    """Source text of all hook points that some module uses."""
    if not modules:
        return ""
    out = ["from probespiel.envs.core.jit import kernel\nfrom probespiel.envs.einblatt.state import MAXS\n"]
    owners = {
        name: sorted(
            (i for i, m in enumerate(modules) if name in m.hooks), key=lambda i, h=name: modules[i].rank.get(h, 0)
        )
        for name in hooks.HOOKS
    }
    for name, (kind, _) in hooks.HOOKS.items():
        if kind in ("filter", "event", "override") and name not in SIGNATURES and owners[name]:
            out.append(hook_chain(name, hook_arguments(name), kind, owners[name], str(hooks.PASS_ON)))
    counts = "".join(
        f"    if event == {e}:\n        return {len(owners[name])}\n" for e, name in enumerate(EVENTS) if owners[name]
    )
    out.append(f"@kernel\ndef event_modules(event):\n{counts}    return 0\n")
    calls = [
        f"    if event == {e} and module == {n}:\n        _ext{i}_{name}(s, p, seat)\n        return\n"
        for e, name in enumerate(EVENTS)
        for n, i in enumerate(owners[name])
    ]
    out.append("@kernel\ndef event_call(s, p, event, module, seat):\n" + "".join(calls) + "    return\n")
    windows = sorted({PHASES.index(w) for i in owners["options"] for w in modules[i].windows})
    test = " or ".join(f"window == {w}" for w in windows) or "False"
    out.append(f"@kernel\ndef has_window(window):\n    return {test}\n")
    out.append(f"@kernel\ndef discards_change():\n    return {bool(owners['discard'])}\n")
    asked = []
    for i in owners["options"]:
        test = " or ".join(f"window == {PHASES.index(w)}" for w in modules[i].windows) or "False"
        asked.append(f"    if {test}:\n        _ext{i}_options(s, p, seat, window, words)\n")
    out.append("@kernel\ndef options(s, p, seat, window, words):\n" + "".join(asked) + "    return\n")
    own = {CUSTOM + n: modules.index(m) for n, (m, _) in enumerate(custom_actions(modules))}
    own.update({a: i for i, m in enumerate(modules) for a in m.base_actions})
    chosen = [
        (a, f"_ext{i}_choose(s, p, seat, window, action)") for a, i in own.items() if "choose" in modules[i].hooks
    ]
    out.append(_dispatch("choose(s, p, seat, window, action)", "action", chosen))
    for point, hook, args in (
        ("legal_of", "legal_of", "phase, seat, words"),
        ("answered", "answered", "phase, seat, action"),
        ("run_task", "task", "what, seat"),
        ("run_lot", "fell", "what, seat, outcome"),
    ):
        table = [(i, f"_ext{i}_{hook}(s, p, {args})") for i in owners[hook]]
        out.append(_dispatch(f"{point}(s, p, owner, {args})", "owner", table))
    resets = []
    for m in modules:
        for f in m.fields.values():
            target = f"s.{m.name}_{f.name}"
            body = f"for i in range(len({target})):\n            {target}[i] = 0" if f.per_seat else f"{target} = 0"
            if SCOPES[f.scope] < 3:
                resets.append(f"    if scope == {SCOPES[f.scope]}:\n        {body}\n")
    out.append("@kernel\ndef reset_fields(s, p, scope):\n" + "".join(resets) + "    return\n")
    private = [f"            s.{m.name}_{f.name}[o] = 0\n" for m in modules for f in m.fields.values() if f.private]
    loop = f"    for o in range(MAXS):\n        if o != seat:\n{''.join(private)}" if private else ""
    out.append(f"@kernel\ndef forget_fields(s, seat):\n{loop}    return\n")
    writes = []
    for i, m in enumerate(modules):
        size = sum(piece.size for piece in m.pieces)
        if size and i in owners["observe"]:
            writes.append(f"    _ext{i}_observe(s, p, seat, out[offset:offset + {size}])\n")
        if size:
            writes.append(f"    offset += {size}\n")
    out.append("@kernel\ndef observe_modules(s, p, seat, out, offset):\n" + "".join(writes) + "    return offset\n")
    return "\n\n".join(out)
