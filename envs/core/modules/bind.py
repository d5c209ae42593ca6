"""Writing the source that binds the modules of a rule set to the hook points of its system."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from ..errors import RulesetError
from .declare import HOLDERS, Handle, Interface, Module


def custom_actions(interface: Interface, modules: Sequence[Module]) -> list[tuple[Module, str]]:
    """Actions of the modules in the order of their ids."""
    out = [(module, name) for module in modules for name in module.actions]
    if len(out) > interface.max_actions:
        names = ", ".join(f"{m.name}.{n}" for m, n in out)
        raise RulesetError(f"modules declare {len(out)} actions of their own, at most {interface.max_actions}: {names}")
    return out


def custom_phases(modules: Sequence[Module]) -> list[tuple[Module, str]]:
    """Phases of the modules in the order of their numbers."""
    return [(module, name) for module in modules for name in module.phases]


def handles(interface: Interface, modules: Sequence[Module], sources: Sequence[ModuleType]) -> list[dict[str, int]]:
    """Per module source: the numbers of its global names for actions, phases and ME."""
    actions = {(m.name, n): interface.first_action + i for i, (m, n) in enumerate(custom_actions(interface, modules))}
    phases = {(m.name, n): interface.first_phase + i for i, (m, n) in enumerate(custom_phases(modules))}
    out = []
    for index, source in enumerate(sources):
        values: dict[str, int] = {"ME": index}
        for name, value in source.__dict__.items():
            if isinstance(value, Handle):
                table = actions if value.kind == "action" else phases
                values[name] = table[value.owner.name, value.name]
        out.append(values)
    return out


def write_glue(interface: Interface, modules: Sequence[Module]) -> str:
    """Source text of all functions of the system's `hooks.py` that depend on the modules."""
    return _Glue(interface, modules).write() if modules else ""


class _Glue:
    def __init__(self, interface: Interface, modules: Sequence[Module]) -> None:
        self.interface, self.modules = interface, modules
        self.owners = {
            name: sorted(
                (i for i, m in enumerate(modules) if name in m.hooks), key=lambda i, h=name: modules[i].rank.get(h, 0)
            )
            for name in interface.table
        }
        self.out = ["from probespiel.envs.core.jit import kernel\n"]

    def write(self) -> str:
        self.chains()
        self.steps()
        self.windows()
        self.owner_calls()
        self.fields()
        self.observations()
        return "\n\n".join(self.out)

    def defines(self, name: str) -> bool:
        return hasattr(self.interface.hooks, name)

    def function(self, head: str, body: str, tail: str = "    return\n") -> None:
        self.out.append(f"@kernel\ndef {head}:\n{body}{tail}")

    def held(self, i: int, name: str) -> str:
        """The condition under which module i has a say at a hook point: the seat that it is about has the module."""
        mask = f"p.{self.modules[i].name}_{HOLDERS}"
        hook = self.interface.table[name]
        if hook.kind == "step" and self.modules[i].for_table(name):
            return f"{mask} != 0"
        if "seat" in hook.arguments:
            return f"{mask} >> seat & 1"
        whose = self.interface.concerns.get(name)
        if whose is not None:
            return f"{mask} & {whose}({', '.join(hook.arguments[:3])})"
        return f"{mask} != 0"

    def chains(self) -> None:
        pass_on = str(getattr(self.interface.hooks, "PASS_ON", -1))
        for name, hook in self.interface.table.items():
            if hook.kind in ("filter", "event", "override") and self.owners[name]:
                calls = [(f"_ext{i}_{name}", self.held(i, name)) for i in self.owners[name]]
                self.out.append(hook_chain(name, hook.arguments, hook.kind, calls, pass_on))

    def steps(self) -> None:
        events = self.interface.of_kind("step")
        if not events:
            return
        counts = "".join(
            f"    if event == {e}:\n        return {len(self.owners[name])}\n"
            for e, name in enumerate(events)
            if self.owners[name]
        )
        self.function("event_modules(event)", counts, "    return 0\n")
        calls = [
            f"    if event == {e} and module == {n}:\n        if {self.held(i, name)}:\n"
            f"            _ext{i}_{name}(s, p, seat)\n        return\n"
            for e, name in enumerate(events)
            for n, i in enumerate(self.owners[name])
        ]
        self.function("event_call(s, p, event, module, seat)", "".join(calls))

    def windows(self) -> None:
        numbers = self.interface.windows

        def test(names: Sequence[str]) -> str:
            return " or ".join(f"window == {w}" for w in sorted({numbers[n] for n in names})) or "False"

        for name in self.interface.of_kind("options"):
            owners = self.owners[name]
            if self.defines("has_window"):
                every = [w for i in owners for w in self.modules[i].windows or ()]
                self.function("has_window(window)", "", f"    return {test(every)}\n")
            asked = [
                f"    if ({test(self.modules[i].windows or ())}) and {self.held(i, name)}:\n"
                f"        _ext{i}_{name}(s, p, seat, window, words)\n"
                for i in owners
            ]
            self.function(f"{name}(s, p, seat, window, words)", "".join(asked))
        for switch, hook in self.interface.switches.items():
            self.function(f"{switch}()", "", f"    return {bool(self.owners[hook])}\n")

    def owner_calls(self) -> None:
        own = {
            self.interface.first_action + n: self.modules.index(m)
            for n, (m, _) in enumerate(custom_actions(self.interface, self.modules))
        }
        own.update({a: i for i, m in enumerate(self.modules) for a in m.base_actions})
        for name in self.interface.of_kind("choice"):
            calls = [
                f"    if action == {a}:\n        _ext{i}_{name}(s, p, seat, window, action)\n"
                for a, i in own.items()
                if name in self.modules[i].hooks
            ]
            self.function(f"{name}(s, p, seat, window, action)", "".join(calls))
        for name in self.interface.of_kind("owner"):
            hook = self.interface.table[name]
            arguments = ", ".join(hook.arguments)
            calls = [f"    if owner == {i}:\n        _ext{i}_{name}({arguments})\n" for i in self.owners[name]]
            head = ", ".join([*hook.arguments[:2], "owner", *hook.arguments[2:]])
            self.function(f"{hook.function}({head})", "".join(calls))

    def fields(self) -> None:
        if self.defines("reset_fields"):
            resets = []
            for m in self.modules:
                for f in m.fields.values():
                    target = f"s.{m.name}_{f.name}"
                    scope = self.interface.scopes.index(f.scope)
                    body = f"for i in range(len({target})):\n            {target}[i] = 0"
                    if scope < len(self.interface.scopes) - 1:
                        body = body if f.per_seat else f"{target} = 0"
                        resets.append(f"    if scope == {scope}:\n        {body}\n")
            self.function("reset_fields(s, p, scope)", "".join(resets))
        if self.defines("forget_fields"):
            private = [
                f"    for o in range(len(s.{m.name}_{f.name})):\n        if o != seat:\n            "
                f"s.{m.name}_{f.name}[o] = 0\n"
                for m in self.modules
                for f in m.fields.values()
                if f.private
            ]
            self.function("forget_fields(s, seat)", "".join(private))

    def observations(self) -> None:
        if not self.defines("observe_modules"):
            return
        writes = []
        for i, m in enumerate(self.modules):
            size = sum(piece.size for piece in m.pieces)
            for name in self.interface.of_kind("observe"):
                if size and i in self.owners[name]:
                    writes.append(f"    _ext{i}_{name}(s, p, seat, out[offset:offset + {size}])\n")
            if size:
                writes.append(f"    offset += {size}\n")
        self.function("observe_modules(s, p, seat, out, offset)", "".join(writes), "    return offset\n")


def hook_chain(name: str, args: Sequence[str], kind: str, calls: Sequence[tuple[str, str]], default: str) -> str:
    """Source text of one hook bound to some functions, called in their order, each under its condition.

    `calls` are pairs (function, condition). Kind `filter`: the last argument is the value, each function returns a new
    one; `event`: all are called; `override`: the first answer other than `default` stands.
    """
    text = f"@kernel\ndef {name}({', '.join(args)}):\n"
    for function, condition in calls:
        call = f"{function}({', '.join(args)})"
        text += f"    if {condition}:\n"
        if kind == "filter":
            text += f"        {args[-1]} = {call}\n"
        elif kind == "event":
            text += f"        {call}\n"
        else:
            text += f"        answer = {call}\n        if answer != {default}:\n            return answer\n"
    if kind == "filter":
        return text + f"    return {args[-1]}\n"
    return text + (f"    return {default}\n" if kind == "override" else "")
