"""Writing the source that binds the modules of a rule set to the hook points of its system.

Hooks of built-in modules are called as they stand. A hook of another author is called through a wrapper that keeps its
errors from harming the game: an exception, an answer out of range, an option that is not its own, a question without
an answer or an endless chain of tasks becomes a *fault*, a number in the parameter record (`fault`), after which the
module is silent and every game on that record is over; whoever runs the games raises it as an error (`Kernel`).
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ..errors import RulesetError
from .declare import HOLDERS, PAYOFF, Dice, Handle, Hook, Interface, Module, Shape, place_of
from .hooks import PASS_ON

CHAIN = 10_000  # calls of hooks between two decisions or rolls after which a module is taken to go round in circles
OWNER_HOOKS = frozenset(("legal_of", "answered", "task", "fell"))
FIRST_DIE = 1000  # number of the first named die
FAULT_FIELDS: list[tuple] = [("fault", "i8"), ("fault_value", "f8"), ("chain", "i8")]  # of the parameter record
OUTSIDE = 1  # fault: an exception in none of the hooks
CRASH, HANG, WRONG_ANSWER, NO_MOVE, FOREIGN, BAD_VIEW = (
    "crash", "hang", "wrong answer", "no legal move", "foreign action", "bad observation",
)  # fmt: skip


class Slip(NamedTuple):
    """What can go wrong in a hook: its kind and its text; `{value}` in it stands for the number that came with it."""

    kind: str
    text: str


class Own(NamedTuple):
    """An action of a module: the name under which it is declared, the target and the amount that it names."""

    module: Module
    name: str
    target: int = -1  # place among those who can have a module, -1 none
    amount: int = 0
    whom: str = ""  # the target's name
    words: tuple[str, str] | None = None  # how a person reads it in English and German, None: as it is

    @property
    def code(self) -> str:
        """Its text in scripts."""
        parts = [f"{self.module.name}.{self.name}"]
        shape = self.module.shapes.get(self.name)
        if shape is not None:
            parts += ["_".join(self.whom.split())] if shape.targets else []
            parts += [str(self.amount)] if shape.amounts else []
        return ":".join(parts)

    def text(self, lang: str) -> str:
        """What a person reads."""
        said = self.module.actions[self.name][lang]
        whom = self.whom if self.words is None else self.words[lang == "de"]
        return said.replace("{target}", whom).replace("{amount}", str(self.amount))


def custom_actions(
    interface: Interface,
    modules: Sequence[Module],
    who: Sequence[str] = (),
    words: Sequence[tuple[str, str] | None] = (),
) -> list[Own]:
    """Actions of the modules in the order of their ids; `who`: the names of those whom actions can name.

    `words` are these names in English and German; none, or None: as they are.
    """
    called = [*words, *[None] * (len(who) - len(words))]
    out: list[Own] = []
    for module in modules:
        for name in module.actions:
            shape = module.shapes.get(name, Shape())
            targets = list(zip(range(len(who)), who, called, strict=True)) if shape.targets else [(-1, "", None)]
            out += [
                Own(module=module, name=name, target=t, amount=n, whom=whom, words=told)
                for t, whom, told in targets
                for n in shape.amounts or (0,)
            ]
    if len(out) > interface.max_actions:
        many = Counter(f"{own.module.name}.{own.name}" for own in out)
        names = ", ".join(f"{name} (for {n} targets and amounts)" if n > 1 else name for name, n in many.items())
        raise RulesetError(f"modules declare {len(out)} actions of their own, at most {interface.max_actions}: {names}")
    return out


def asks(interface: Interface, modules: Sequence[Module]) -> bool:
    """Whether modules ask or throw beside the rules, so that records need the fields of `asking`."""
    return any(
        m.dice or m.sealed or (not interface.stack and (m.phases or not OWNER_HOOKS.isdisjoint(m.hooks)))
        for m in modules
    )


def custom_phases(modules: Sequence[Module]) -> list[tuple[Module, str]]:
    """Phases of the modules in the order of their numbers."""
    return [(module, name) for module in modules for name in module.phases]


def custom_dice(modules: Sequence[Module]) -> list[Dice]:
    """Named dice of the modules; the first one has the number FIRST_DIE."""
    return [die for module in modules for die in module.dice.values()]


def handles(
    interface: Interface, modules: Sequence[Module], sources: Sequence[ModuleType], who: Sequence[str] = ()
) -> list[dict[str, int]]:
    """Per module source: the numbers of its global names for actions, phases, dice and ME."""
    tables: dict[str, dict[tuple[str, str], int]] = {"action": {}}
    for i, own in enumerate(custom_actions(interface, modules, who)):
        tables["action"].setdefault((own.module.name, own.name), interface.first_action + i)
    tables["phase"] = {(m.name, n): interface.first_phase + i for i, (m, n) in enumerate(custom_phases(modules))}
    dice = [(module.name, name) for module in modules for name in module.dice]
    tables["die"] = {known: FIRST_DIE + i for i, known in enumerate(dice)}
    out = []
    for index, source in enumerate(sources):
        values: dict[str, int] = {"ME": index}
        for name, value in source.__dict__.items():
            if isinstance(value, Handle):
                values[name] = tables[value.kind][value.owner.name, value.name]
        out.append(values)
    return out


def has_name(index: int) -> str:
    """The function that stands for the service `has` in the index-th module of a rule set."""
    return f"_has{index}"


def hook_chain(hook: Hook, calls: Sequence[tuple[str, str]]) -> str:
    """Source text of one hook bound to some functions, called in their order, each under its condition.

    `calls` are pairs (function, condition). Kind `filter`: the last argument is the value, each function returns a new
    one; `event`: all are called; `override`: the first answer other than PASS_ON stands.
    """
    arguments = ", ".join(hook.arguments)
    text = f"@kernel\ndef {hook.name}({arguments}):\n"
    for function, condition in calls:
        call = f"{function}({arguments})"
        text += f"    if {condition}:\n"
        if hook.kind == "filter":
            text += f"        {hook.arguments[-1]} = {call}\n"
        elif hook.kind == "event":
            text += f"        {call}\n"
        else:
            text += f"        answer = {call}\n        if answer != {PASS_ON}:\n            return answer\n"
    if hook.kind == "filter":
        return text + f"    return {hook.arguments[-1]}\n"
    return text + (f"    return {PASS_ON}\n" if hook.kind == "override" else "")


class Glue:
    """The functions of a system's `hooks.py` that depend on the modules, as source text, and what can go wrong.

    `guarded`: indexes of the modules whose hooks are called through wrappers. `faults[i]` is told by fault i + 1.
    """

    def __init__(
        self, interface: Interface, modules: Sequence[Module], guarded: Sequence[int] = (), who: Sequence[str] = ()
    ) -> None:
        self.interface, self.modules, self.guarded = interface, modules, frozenset(guarded)
        self.own = custom_actions(interface, modules, who)
        stops = [interface.stopped, "s.mq_stopped != 0" if asks(interface, modules) else ""]
        self.stopped = " or ".join(stop for stop in stops if stop)
        self.owners = {
            name: sorted(
                (i for i, m in enumerate(modules) if name in m.hooks), key=lambda i, h=name: modules[i].rank.get(h, 0)
            )
            for name in interface.table
        }
        self.words = interface.words_of(len(self.own))
        self.faults: list[Slip] = []
        self.out: list[str] = []
        if self.guarded:
            names = ", ".join(modules[i].name for i in sorted(self.guarded))
            self.faults.append(Slip(CRASH, f"modules {names}: what their hooks did made the rules fail"))
        self.wrappers = {(i, name): self.wrapper(i, name) for name, owners in self.owners.items() for i in owners}
        self.text = self.write() if modules else ""

    def write(self) -> str:
        """All functions."""
        body = self.out
        self.out = ["from probespiel.envs.core.jit import kernel\n"]
        if self.guarded:
            self.out.append(_FAULT)
        self.out += body
        self.possession()
        self.chains()
        self.steps()
        self.windows()
        self.owner_calls()
        self.choices()
        self.fields()
        self.observations()
        return "\n\n".join(self.out)

    def function(self, head: str, body: str, tail: str = "    return\n") -> None:
        """Add a function."""
        self.out.append(f"@kernel\ndef {head}:\n{body}{tail}")

    def held(self, i: int, name: str) -> str:
        """The condition under which module i has a say at a hook point: the seat that it is about has the module."""
        mask = f"p.{self.modules[i].name}_{HOLDERS}"
        hook = self.interface.table[name]
        if self.modules[i].for_table(name):
            return f"{mask} != 0"
        if "seat" in hook.arguments:
            return f"{mask} >> seat & 1"
        whose = self.interface.concerns.get(name)
        if whose is not None:
            known = len(inspect.signature(getattr(self.interface.hooks, whose)).parameters)
            return f"{mask} & {whose}({', '.join(hook.arguments[:known])})"
        return f"{mask} != 0"

    def possession(self) -> None:
        """The service `has` of every module; the name under which a module's own is found is `has_name`."""
        for i, module in enumerate(self.modules):
            self.function(
                f"{has_name(i)}(s, p, seat)", "", f"    return (p.{module.name}_{HOLDERS} >> seat & 1) != 0\n"
            )

    # --- wrappers -----------------------------------------------------------------------------------------------------

    def fault(self, index: int, name: str, kind: str, text: str) -> int:
        """The number of a new fault of a hook."""
        module = self.modules[index]
        place = place_of(module.hooks[name])
        self.faults.append(Slip(kind, f"{place}: module {module.name}: hook {name!r} {text}"))
        return len(self.faults)

    def wrapper(self, i: int, name: str) -> str:
        """The name by which a hook of a module is called; for guarded modules that of a wrapper, which is added."""
        if i not in self.guarded:
            return f"_ext{i}_{name}"
        hook = self.interface.table[name]
        arguments = ", ".join(hook.arguments)
        raised = self.fault(
            i, name, CRASH, f"raised an error (probespiel verify --module {self.modules[i].file} plays it step by step)"
        )
        call = f"_ext{i}_{name}({arguments})"
        lines = []
        if hook.answering:
            value = hook.arguments[-1] if hook.kind == "filter" else PASS_ON
            lines += [f"if p.fault:\n        return {value}", f"answer = {hook.number}({value})"]
            lines += [
                f"try:\n        answer = {hook.number}({call})\n    except Exception:\n        _fault(p, {raised}, 0.0)"
            ]
            if hook.answers:
                low, high = hook.answers
                wrong = self.fault(i, name, WRONG_ANSWER, f"answered {{value}}, allowed are {low}..{high}")
                lines += [
                    f"if answer < {low} or answer > {high}:\n        _fault(p, {wrong}, float(answer))\n"
                    f"        answer = {value}"
                ]
            elif hook.number == "float" and name != PAYOFF:
                wrong = self.fault(i, name, WRONG_ANSWER, "answered {value}, which is no finite number")
                lines += [
                    f"if not abs(answer) <= {sys.float_info.max!r}:\n        _fault(p, {wrong}, answer)\n"
                    f"        answer = {value}"
                ]
            if name == PAYOFF:
                most = float(self.modules[i].payoff_shift)
                wrong = self.fault(i, name, WRONG_ANSWER, f"moved a payoff by {{value}}, payoff_shift is {most}")
                lines += [
                    f"if not abs(answer - {value}) <= {most!r} + 1e-9:\n        _fault(p, {wrong}, answer - {value})\n"
                    f"        answer = {value}"
                ]
            lines += ["return answer"]
        else:
            lines += ["if p.fault:\n        return"]
            if hook.kind in ("event", "step", "owner"):
                chain = self.fault(
                    i, name, HANG, f"was called {CHAIN} times without a decision in between: it never ends"
                )
                lines += [f"p.chain += 1\n    if p.chain > {CHAIN}:\n        _fault(p, {chain}, 0.0)\n        return"]
            words = range(self.words)
            if hook.kind == "options":
                lines += [f"before{w} = words[{w}]" for w in words]
            lines += [f"try:\n        {call}\n    except Exception:\n        _fault(p, {raised}, 0.0)\n        return"]
            if hook.kind == "options":
                own = self.own_words(i)
                test = " or ".join(f"words[{w}] & ~(before{w} | {own[w]})" for w in words)
                wrong = self.fault(i, name, FOREIGN, "allows an action that is not one of its module's")
                keep = "".join(f"\n        words[{w}] &= before{w} | {own[w]}" for w in words)
                lines += [f"if {test}:\n        _fault(p, {wrong}, 0.0){keep}"]
            if name == "legal_of":
                test = " | ".join(f"words[{w}]" for w in words)
                wrong = self.fault(i, name, NO_MOVE, "allows nothing: the seat that is asked could not answer")
                lines += [f"if ({test}) == 0:\n        _fault(p, {wrong}, 0.0)"]
            if hook.kind == "observe":
                at = 0
                for piece in self.modules[i].pieces:
                    low, high = float(np.float32(piece.low)), float(np.float32(piece.high))
                    wrong = self.fault(
                        i,
                        name,
                        BAD_VIEW,
                        f"wrote {{value}} into the piece {piece.name!r}, whose range is {piece.low}..{piece.high}",
                    )
                    lines += [
                        f"for at in range({at}, {at + piece.size}):\n"
                        f"        if not ({low!r} <= out[at] <= {high!r}):\n"
                        f"            _fault(p, {wrong}, float(out[at]))"
                    ]
                    at += piece.size
            if self.stopped and hook.kind in ("event", "step", "owner", "choice"):
                full = self.fault(i, name, HANG, "asks, draws or sets tasks without end: they pile up unfinished")
                lines += [f"if {self.stopped}:\n        _fault(p, {full}, 0.0)"]
        self.function(f"_call{i}_{name}({arguments})", "".join(f"    {line}\n" for line in lines), "")
        return f"_call{i}_{name}"

    def own_words(self, i: int) -> list[int]:
        """The legal-action set of the actions that belong to a module."""
        own = [0] * self.words
        first = self.interface.first_action
        ids = [first + n for n, own_action in enumerate(self.own) if own_action.module is self.modules[i]]
        for action in (*ids, *self.modules[i].base_actions):
            own[action >> 5] |= 1 << (action & 31)
        return own

    # --- functions of hooks.py ----------------------------------------------------------------------------------------

    def chains(self) -> None:
        """Filters, events and overrides: the modules one after the other."""
        for name, hook in self.interface.table.items():
            if hook.kind in ("filter", "event", "override") and self.owners[name]:
                calls = [(self.wrappers[i, name], self.held(i, name)) for i in self.owners[name]]
                self.out.append(hook_chain(hook, calls))

    def steps(self) -> None:
        """Events that the flow steps through modules and seats."""
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
            f"            {self.wrappers[i, name]}(s, p, seat)\n        return\n"
            for e, name in enumerate(events)
            for n, i in enumerate(self.owners[name])
        ]
        self.function("event_call(s, p, event, module, seat)", "".join(calls))

    def windows(self) -> None:
        """Options in windows, and switches."""
        numbers = self.interface.windows

        def test(names: Sequence[str]) -> str:
            return " or ".join(f"window == {w}" for w in sorted({numbers[n] for n in names})) or "False"

        for name in self.interface.of_kind("options"):
            owners = self.owners[name]
            every = [w for i in owners for w in self.modules[i].windows or ()]
            self.function("has_window(window)", "", f"    return {test(every)}\n")
            asked = [
                f"    if ({test(self.modules[i].windows or ())}) and {self.held(i, name)}:\n"
                f"        {self.wrappers[i, name]}(s, p, seat, window, words)\n"
                for i in owners
            ]
            self.function(f"{name}(s, p, seat, window, words)", "".join(asked))
        for switch, hook in self.interface.switches.items():
            self.function(f"{switch}()", "", f"    return {bool(self.owners[hook])}\n")

    def owner_calls(self) -> None:
        """What one module alone is told."""
        own = {self.interface.first_action + n: self.modules.index(a.module) for n, a in enumerate(self.own)}
        own.update({a: i for i, m in enumerate(self.modules) for a in m.base_actions})
        for name in self.interface.of_kind("choice"):
            calls = [
                f"    if action == {a}:\n        {self.wrappers[i, name]}(s, p, seat, window, action)\n"
                for a, i in own.items()
                if name in self.modules[i].hooks
            ]
            self.function(f"{name}(s, p, seat, window, action)", "".join(calls))
        for name in self.interface.of_kind("owner"):
            hook = self.interface.table[name]
            arguments = ", ".join(hook.arguments)
            calls = [
                f"    if owner == {i}:\n        {self.wrappers[i, name]}({arguments})\n" for i in self.owners[name]
            ]
            head = ", ".join([*hook.arguments[:2], "owner", *hook.arguments[2:]])
            self.function(f"{name}({head})", "".join(calls))

    def choices(self) -> None:
        """What actions name, and the sides of dice."""
        kinds, targets, amounts, counts = "", "", "", ""
        at = self.interface.first_action
        for (module, name), group in groupby(self.own, key=lambda own: (own.module, own.name)):
            n, shape = len(list(group)), module.shapes.get(name)
            if shape is not None:
                inside = f"    if {at} <= action < {at + n}:\n        return "
                each = len(shape.amounts) or 1
                kinds += f"{inside}{at}\n"
                counts += f"    if action == {at}:\n        return {n}\n"
                targets += f"{inside}(action - {at}) // {each}\n" if shape.targets else ""
                if shape.amounts:
                    start, step = shape.amounts[0], shape.amounts.step
                    amounts += f"{inside}{start} + (action - {at}) % {each} * {step}\n"
            at += n
        if counts:
            self.function("kind_of(action)", kinds, "    return action\n")
            self.function("choices_of(action)", counts, "    return 1\n")
            self.function("target_of(action)", targets, "    return -1\n")
            self.function("amount_of(action)", amounts, "    return 0\n")
        sides = [
            f"    if die == {FIRST_DIE + i}:\n        return {die.sides}\n"
            for i, die in enumerate(custom_dice(self.modules))
        ]
        if sides:
            self.function("sides_of(die)", "".join(sides), "    return 0\n")

    def fields(self) -> None:
        """Zeroing state fields when their scope begins, and what others may not know."""
        resets, private = [], []
        for m in self.modules:
            for f in m.fields.values():
                target = f"s.{m.name}_{f.name}"
                scope = self.interface.scopes.index(f.scope)
                if scope < len(self.interface.scopes) - 1:
                    body = f"for i in range(len({target})):\n            {target}[i] = 0"
                    body = body if f.per_seat else f"{target} = 0"
                    resets.append(f"    if scope == {scope}:\n        {body}\n")
                if f.private:
                    loop = f"for o in range(len({target})):\n        if o != seat:\n            {target}[o] = 0"
                    private.append(f"    {loop}\n")
        self.function("reset_fields(s, p, scope)", "".join(resets))
        self.function("forget_fields(s, seat)", "".join(private))

    def observations(self) -> None:
        """Observation pieces, module after module."""
        writes = []
        for i, m in enumerate(self.modules):
            size = sum(piece.size for piece in m.pieces)
            for name in self.interface.of_kind("observe"):
                if size and i in self.owners[name]:
                    writes.append(f"    {self.wrappers[i, name]}(s, p, seat, out[offset:offset + {size}])\n")
            if size:
                writes.append(f"    offset += {size}\n")
        self.function("observe_modules(s, p, seat, out, offset)", "".join(writes), "    return offset\n")


_FAULT = """@kernel
def _fault(p, code, value):
    if p.fault == 0:
        p.fault = code
        p.fault_value = value
"""
