"""Exact analysis of einBlatt, gathered, and the executor of the worked examples that are analysis.

The solvers stand beside this file: `einblatt_matrix` (matrix games), `einblatt_duel` (known hands), `einblatt_stats`
(random deals). Kinds: `value`, `slots_value`, `module_value` and `stat`.

Setup of the first three: `a` and `b` are the hands, lists of card codes; `suits_a`, `suits_b` the trump suits;
optional `rounds`, `forbidden_a`, `forbidden_b`, `colours_count`, `class_weights`, `utility`; `module_value` adds
`module` and `args`. Instead, `a` and `b` may be {hand, suits, forbidden}, or `seats` a list of two of them. `stat`
has `stat` (or `name`, `quantity`) and its arguments, plain or as `args`, or a list `queries` of such.

Expected numbers: a text such as "1/3" is exact; a decimal number holds to the digits printed (at worst to 0.0005); with
`tolerance` every number holds within it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from ...agents.rational_matrix import MatrixSolution, solve_matrix
from ...envs.einblatt.creation import (
    Handler,
    card_class,
    check_bool,
    check_card,
    check_choice,
    check_int,
    check_keys,
    check_list,
    check_mapping,
    check_suits,
    run_kinds,
)
from . import stats as stats
from .duel import (
    UTILITIES,
    DuelSolver,
    Hand,
    Weights,
    after_card_value,
    best_plays,
    challenge_result,
    check_weights,
    closed_value,
    open_cards_value,
    sleeve_value,
    slots_value,
)

__all__ = [
    "KINDS",
    "UTILITIES",
    "DuelSolver",
    "MatrixSolution",
    "after_card_value",
    "best_plays",
    "challenge_result",
    "closed_value",
    "open_cards_value",
    "run_case",
    "sleeve_value",
    "slots_value",
    "solve_matrix",
    "stats",
]

FORBIDDEN: Mapping[str, str] = MappingProxyType({"red": "DH", "black": "CS"})
"""Suits that may not be played, by the attribute feature (R15)."""
MODULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"open_cards": ("n", "open"), "sleeve": ("card", "sleeve"), "after_card": ()}
)
"""Modules of `module_value` and the names of their one argument."""
LOOSEST, TIGHTEST = Fraction(1, 2000), Fraction(1, 10**9)
"""Bounds of the tolerance that the printed digits of a decimal number imply."""


# --- numbers ---------------------------------------------------------------------------------------------------------


def compare_number(where: str, wanted: object, got: Fraction, tolerance: float | None = None) -> list[str]:
    """Compare a result with an expected number (see the module's text); return a mismatch or nothing.

    Raises ValueError if `wanted` is no number.
    """
    slack = Fraction(0)
    try:
        if isinstance(wanted, bool) or not isinstance(wanted, str | int | float):
            raise ValueError(wanted)
        text = str(wanted).strip()
        value = Fraction(text)
        if "/" not in text:
            exponent = Decimal(text).as_tuple().exponent
            # Whole numbers are meant exactly, whether they stand as text or not.
            if isinstance(exponent, int) and exponent < 0:
                slack = min(LOOSEST, max(TIGHTEST, Fraction(10) ** exponent / 2)) + Fraction(1, 10**12)
    except (ValueError, ZeroDivisionError, InvalidOperation):
        allowed = "a number or a text such as 1/3"
        raise ValueError(f"{where} = {wanted!r}: allowed is {allowed}") from None
    if tolerance is not None:
        slack = Fraction(tolerance)
    if abs(value - got) <= slack:
        return []
    return [f"{where}: expected {wanted}, got {got} = {float(got):.9g}"]


def _tolerance(*places: Mapping[str, Any]) -> float | None:
    """The field `tolerance` of the first mapping that has one."""
    for place in places:
        value = place.get("tolerance")
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
                raise ValueError(f"tolerance = {value!r}: allowed are numbers of 0 and more")
            return value
    return None


# --- known hands -----------------------------------------------------------------------------------------------------

_OPTIONS = ("rounds", "colours_count", "class_weights")
_HANDS = ("a", "b", "hand_a", "hand_b", "hands", "seats", "suits_a", "suits_b", "suits", "forbidden_a", "forbidden_b")
_COMMON = (*_HANDS, *_OPTIONS, "config", "utility", "tolerance")


@dataclass(frozen=True, slots=True)
class _Deal:
    """Two known hands as classes, and the terms of the test."""

    a: Hand
    b: Hand
    suits_a: str
    rounds: int
    colours: bool
    utilities: Mapping[str, Weights]
    codes_a: tuple[str, ...]


def _pick(container: object, index: int, side: str) -> Any:
    """Entry of seat a or b in a mapping by seat or a list of two; None if there is none."""
    if isinstance(container, Mapping):
        return container.get(side)
    return container[index] if isinstance(container, list | tuple) and len(container) == 2 else None


def _side(setup: Mapping[str, Any], index: int, colours: bool) -> tuple[tuple[str, ...], str, Hand]:
    """Card codes, trump suits and playable classes of seat a (0) or b (1)."""
    side = "ab"[index]
    given = next((setup[key] for key in (side, f"hand_{side}") if setup.get(key) is not None), None)
    for key in ("hands", "seats"):
        given = _pick(setup.get(key), index, side) if given is None else given
    if given is None:
        raise ValueError(f"setup lacks the field {side!r}: allowed is a list of card codes")
    seat: Mapping[str, Any] = {}
    if isinstance(given, Mapping):
        seat = given
        check_keys(side, seat, ("name", "kind", "hand", "cards", "suits", "forbidden"))
        given = seat.get("hand", seat.get("cards"))
    codes = tuple(given.replace(",", " ").split() if isinstance(given, str) else check_list(side, given))
    for place, code in enumerate(codes):
        check_card(f"{side}[{place}]", code)
        if code in codes[:place]:
            raise ValueError(f"{side}[{place}] = {code!r}: allowed is every card at most once per deck")
    suits = setup.get(f"suits_{side}")
    if suits is None:
        both = setup.get("suits")
        suits = both if isinstance(both, str) else _pick(both, index, side)
    trumps = check_suits(f"suits_{side}", seat.get("suits") if suits is None else suits)
    ban = setup.get(f"forbidden_{side}", seat.get("forbidden"))
    banned = "" if ban is None else FORBIDDEN[check_choice(f"forbidden_{side}", ban, FORBIDDEN)]
    playable = (card_class(code, trumps, colours) for code in codes if code[0] not in banned)
    return codes, trumps, tuple(sorted(playable, reverse=True))


def _deal(setup: Mapping[str, Any], extra: Sequence[str] = ()) -> _Deal:
    check_keys("setup", setup, (*_COMMON, *extra))
    config = check_mapping("config", setup.get("config") or {})
    check_keys("config", config, _OPTIONS)
    options = {key: setup[key] for key in _OPTIONS if key in setup} | dict(config)
    rounds = check_int("rounds", options.get("rounds", 3), 1, 3)
    colours = check_bool("colours_count", options.get("colours_count", True))
    utilities = dict(UTILITIES)
    if "class_weights" in options:
        weights = check_list("class_weights", options["class_weights"])
        utilities["class"] = check_weights("class_weights", weights)
    codes, trumps, ours = _side(setup, 0, colours)
    return _Deal(ours, _side(setup, 1, colours)[2], trumps, rounds, colours, utilities, codes)


def _match_values(
    setup: Mapping[str, Any], expect: Mapping[str, Any], deal: _Deal, solve: Callable[[Weights], Fraction]
) -> list[str]:
    """Compare expected values: keys ep, win, class, or `value` as a mapping of these or one number."""
    check_keys("expect", expect, ("value", "tolerance", *UTILITIES))
    default = check_choice("utility", setup.get("utility", "ep"), UTILITIES)
    wanted = {f"expect.{name}": (name, expect[name]) for name in UTILITIES if name in expect}
    value = expect.get("value")
    if isinstance(value, Mapping):
        check_keys("expect.value", value, UTILITIES)
        wanted |= {f"expect.value.{name}": (name, value[name]) for name in value}
    elif value is not None:
        wanted["expect.value"] = (default, value)
    tolerance = _tolerance(expect, setup)
    found: list[str] = []
    for where, (utility, number) in wanted.items():
        found += compare_number(where, number, solve(deal.utilities[utility]), tolerance)
    return found


def _value_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    deal = _deal(setup)
    return _match_values(setup, expect, deal, lambda w: DuelSolver(w).value(deal.a, deal.b, deal.rounds))


def _slots_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    deal = _deal(setup)
    return _match_values(setup, expect, deal, lambda w: slots_value(deal.a, deal.b, w, deal.rounds))


def _module(setup: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """Name and arguments of the module: `module` with `args`, or `modules` with one entry."""
    module, args = setup.get("module"), setup.get("args")
    if module is None and len(check_mapping("modules", setup.get("modules") or {})) == 1:
        module, args = next(iter(setup["modules"].items()))
    if isinstance(module, Mapping):
        check_keys("module", module, ("name", "args"), required=("name",))
        module, args = module["name"], module.get("args", args)
    name = check_choice("module", module, MODULES)
    names = MODULES[name]
    if isinstance(args, Mapping):
        check_keys("args", args, names)
        args = list(args.values())
    elif args is None or args == []:
        args = [setup[key] for key in names if key in setup]
    elif not isinstance(args, list | tuple):
        args = [args]
    due = 1 if names else 0
    if len(args) != due:
        raise ValueError(f"args = {args!r} of {name}: allowed is {f'[{names[0]}]' if due else '[]'}")
    return name, list(args)


def _module_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    deal = _deal(setup, ("module", "modules", "args", "n", "open", "card", "sleeve"))
    name, args = _module(setup)
    if name == "after_card":
        return _match_values(setup, expect, deal, lambda w: after_card_value(deal.a, deal.b, w, deal.rounds))
    if name == "open_cards":
        n = check_int("n of open_cards", args[0], 0, 3)
        return _match_values(setup, expect, deal, lambda w: open_cards_value(deal.a, deal.b, n, w, deal.rounds))
    card = check_card("card of sleeve", args[0])
    if card in deal.codes_a:
        raise ValueError(f"card of sleeve = {card!r}: allowed are cards that are not in the hand of a")
    hidden = card_class(card, deal.suits_a, deal.colours)
    return _match_values(setup, expect, deal, lambda w: sleeve_value(deal.a, deal.b, hidden, w, deal.rounds))


# --- random deals ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Stat:
    """A quantity of kind `stat`: its function, required and optional arguments, labels of its numbers with aliases."""

    solve: Callable[..., Sequence[Fraction]]
    required: tuple[str, ...]
    labels: tuple[str, ...]
    optional: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)


_DUEL = ("a", "b", "ka", "kb")
_EP = tuple(str(ep) for ep in range(-3, 4))
_PLUS = {f"+{ep}": str(ep) for ep in range(1, 4)}
STATS: Mapping[str, _Stat] = MappingProxyType(
    {
        "single_card": _Stat(
            stats.single_card,
            ("ka", "kb"),
            ("win", "tie", "loss"),
            aliases={"draw": "tie", "lose": "loss"},
        ),
        "duel_value": _Stat(lambda **args: (stats.duel_value(**args),), _DUEL, ("value",), ("rounds",)),
        "ep_random_order": _Stat(stats.ep_random_order, _DUEL, _EP, aliases=_PLUS),
        "ep_descending": _Stat(stats.ep_descending, _DUEL, _EP, aliases=_PLUS),
        "ep_uniform_legal": _Stat(stats.ep_uniform_legal, _DUEL, _EP, aliases=_PLUS),
        "chain": _Stat(
            stats.chain,
            _DUEL,
            ("up", "down", "tests"),
            aliases={"expected_tests": "tests", "mean_tests": "tests", "expected tests": "tests"},
        ),
        "session": _Stat(lambda **args: (stats.session(**args),), (), ("value",), ("restrict",)),
        "wrath": _Stat(
            stats.wrath,
            ("w",),
            ("0", "1", "2"),
            aliases={"2+": "2", "none": "0", "one": "1", "more": "2", "2_or_more": "2"},
        ),
    }
)
"""The quantities of kind `stat` by name."""
_NAMES = ("stat", "name", "quantity", "fn", "function", "formula", "query", "what", "type")
_ANSWERS = ("p", "value", "values", "results", "answers")


def _query(where: str, query: object) -> tuple[_Stat, list[Fraction]]:
    """Compute one query: {stat, arguments}, {stat, args}, {name of the quantity: arguments} or [name, arguments...]."""
    if isinstance(query, str):
        fields: dict[str, Any] = {"stat": query}
    elif isinstance(query, Mapping):
        fields = dict(query)
    else:
        listed = check_list(where, query)
        rest = list(listed[1:])
        single = len(rest) == 1 and isinstance(rest[0], Mapping)
        fields = {"stat": listed[0] if listed else None, "args": rest[0] if single else rest}
    for key in STATS:
        if key in fields and not any(name in fields for name in _NAMES):
            fields |= {"stat": key, "args": fields.pop(key)}
    named = [key for key in _NAMES if key in fields]
    if len(named) != 1:
        raise ValueError(f"{where} names {len(named)} quantities: allowed is one field 'stat', of {', '.join(STATS)}")
    name = check_choice(f"{where}.{named[0]}", fields.pop(named[0]), STATS)
    stat = STATS[name]
    known = (*stat.required, *stat.optional)
    args = fields.pop("args", None) or {}
    if not isinstance(args, Mapping):
        if len(check_list(f"{where}.args", args)) > len(known):
            raise ValueError(f"{where}.args = {args!r}: allowed are {', '.join(known) or 'none'}")
        args = dict(zip(known, args))
    fields |= args
    check_keys(f"{where} ({name})", fields, known, required=stat.required)
    for key in ("ka", "kb"):
        if key in fields:
            check_int(f"{where}.{key}", fields[key], 0, 4)
    for key in ("a", "b", "w"):
        if key in fields:
            check_int(f"{where}.{key}", fields[key], 0, 32)
    if "restrict" in fields:
        check_bool(f"{where}.restrict", fields["restrict"])
    return stat, list(stat.solve(**fields))


def _match_stat(where: str, wanted: object, stat: _Stat, got: Sequence[Fraction], tolerance: float | None) -> list[str]:
    """Compare a number, a list (its first numbers, in the order of the labels) or a mapping by label."""
    if isinstance(wanted, Mapping):
        pairs = []
        for key, number in wanted.items():
            label = stat.aliases.get(str(key), str(key))
            pairs.append((key, stat.labels.index(check_choice(where, label, stat.labels)), number))
    elif isinstance(wanted, list | tuple):
        if not 1 <= len(wanted) <= len(got):
            raise ValueError(f"{where} has {len(wanted)} numbers: allowed are 1..{len(got)} ({', '.join(stat.labels)})")
        pairs = [(stat.labels[i], i, number) for i, number in enumerate(wanted)]
    elif len(got) == 1:
        return compare_number(where, wanted, got[0], tolerance)
    else:
        raise ValueError(f"{where} = {wanted!r}: allowed is a list of the numbers {', '.join(stat.labels)}")
    found: list[str] = []
    for label, i, number in pairs:
        found += compare_number(f"{where}.{label}", number, got[i], tolerance)
    return found


def _stat_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    fields = {key: value for key, value in setup.items() if key != "tolerance"}
    tolerance = _tolerance(expect, setup)
    wanted = {key: value for key, value in expect.items() if key != "tolerance"}
    found: list[str] = []
    if "queries" in fields:
        common = {key: value for key, value in fields.items() if key != "queries"}
        check_keys("expect", wanted, _ANSWERS)
        queries = check_list("setup.queries", fields["queries"])
        results = []
        for index, query in enumerate(queries):
            where = f"setup.queries[{index}]"
            results.append(_query(where, common | dict(query) if isinstance(query, Mapping) else query))
        for key, listed in wanted.items():
            if len(check_list(f"expect.{key}", listed)) != len(queries):
                raise ValueError(f"expect.{key} has {len(listed)} entries: allowed are {len(queries)}, one a query")
            for index, (number, (stat, got)) in enumerate(zip(listed, results)):
                found += _match_stat(f"expect.{key}[{index}]", number, stat, got, tolerance)
        return found
    stat, got = _query("setup", fields)
    labelled: dict[str, Any] = {}
    for key, value in wanted.items():
        if key in _ANSWERS:
            found += _match_stat(f"expect.{key}", value, stat, got, tolerance)
        else:
            labelled[key] = value
    return found + (_match_stat("expect", labelled, stat, got, tolerance) if labelled else [])


KINDS: Mapping[str, Handler] = MappingProxyType(
    {"value": _value_case, "slots_value": _slots_case, "module_value": _module_case, "stat": _stat_case}
)
"""Executors of the kinds of worked examples that are analysis."""


def run_case(case: Mapping[str, Any]) -> list[str]:
    """Run one worked example of a kind in KINDS; return the mismatches (empty = pass). Malformed: ValueError.

    A `tolerance` of the case itself counts like one in its `expect`.
    """
    if case.get("tolerance") is not None:
        case = {**case, "setup": {"tolerance": case["tolerance"], **check_mapping("setup", case.get("setup"))}}
    return run_kinds(case, KINDS)
