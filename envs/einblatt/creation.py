"""einBlatt's arithmetic outside play: cards and classes, hand sizes, character creation, costs (R1-R17, R31, R213).

Plain functions without state, shared by the parameters, the texts and the executor of worked examples. Nothing here is
compiled; the kernel keeps its own tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from ..core.brief import brief
from ..core.codes import names_of
from .state import Relation

SUITS = "CSDH"
"""Suit letters in the order of the card ids: clubs, spades, diamonds, hearts."""
RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
"""Ranks from low to high, in the order of the card ids (R1)."""
CARDS = tuple(suit + rank for suit in SUITS for rank in RANKS)
"""The 32 card codes by card id."""
PASS_CLASS = 0
NO_CARD_CLASS = -1
RELATIONS = names_of(Relation)
BREADTH: Mapping[str, int] = MappingProxyType({"blades": -2, "melee_weapons": -3, "close_combat": -4, "fighting": -5})
"""Base malus of a broad skill by its breadth (R16)."""
MIN_MALUS = -2
"""The smallest malus that improving a broad skill can reach (R16)."""
POINT_BUDGETS: Mapping[str, int] = MappingProxyType(
    {"genetic_accident": 17, "ordinary": 21, "specialist": 24, "hero": 27}
)
"""Budgets of the standard purchase (R14)."""
ATTRIBUTE_RANGE = (2, 10)
FLAT_BUDGET = 23
SPECIALIST_BUDGET = 61
STRONG_COST, OTHER_COST = 2, 3
"""Price of a point in the strong attribute and in any other one (R13)."""

Relation = Literal["own", "other", "none"]
Handler = Callable[[Mapping[str, Any], Mapping[str, Any]], list[str]]


# --- checked input ---------------------------------------------------------------------------------------------------


def check_int(name: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number in low..high (a bool is none), else raise ValueError naming it."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} = {brief(value)}: allowed are whole numbers in {low}..{high}")
    return value


def check_bool(name: str, value: object) -> bool:
    """Return `value` if it is a bool, else raise ValueError naming it (1 is not True)."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} = {brief(value)}: allowed are true and false")
    return value


def check_choice(name: str, value: object, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of `allowed`, else raise ValueError naming the parameter and the choices."""
    choices = tuple(allowed)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} = {brief(value)}: allowed are {', '.join(choices)}")
    return value


def check_mapping(name: str, value: object) -> Mapping[str, Any]:
    """Return `value` if it is a mapping, else raise ValueError naming it."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} = {brief(value)}: allowed is a mapping (a JSON object)")
    return value


def check_list(name: str, value: object) -> Sequence[Any]:
    """Return `value` if it is a list or tuple, else raise ValueError naming it."""
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} = {brief(value)}: allowed is a list")
    return value


def check_suits(name: str, value: object) -> str:
    """Return trump suits as a text of suit letters; `value` is such a text, a list of letters, or None (R2).

    Raises ValueError naming the parameter on an unknown or repeated letter.
    """
    letters = "" if value is None else value
    if isinstance(letters, list | tuple | set | frozenset):
        letters = "".join(str(letter) for letter in letters)
    if not isinstance(letters, str) or len(set(letters)) < len(letters) or not set(letters) <= set(SUITS):
        raise ValueError(f"{name} = {brief(value)}: allowed are letters of {SUITS}, each at most once")
    return letters


def check_card(name: str, value: object) -> str:
    """Return `value` if it is a card code such as "C10" or "HA", else raise ValueError naming the parameter."""
    if not isinstance(value, str) or value not in CARDS:
        raise ValueError(
            f"{name} = {brief(value)}: allowed is a suit of {SUITS} with a rank of {' '.join(RANKS)}, as C10"
        )
    return value


# --- cards (R1-R6) ---------------------------------------------------------------------------------------------------


def card_class(card: str, suits: str | Iterable[str] | None = "", colours_count: bool = True) -> int:
    """Strength class of a play: 0..7 plain, 8..15 trump, 0 for "pass", -1 for "none" (R3-R5).

    `suits` are the owner's trump suits; with `colours_count=False` rank alone counts. ValueError names a bad card
    or suit.
    """
    trumps = check_suits("suits", suits if suits is None or isinstance(suits, str) else list(suits))
    if card == "pass":
        return PASS_CLASS
    if card == "none":
        return NO_CARD_CLASS
    check_card("card", card)
    return RANKS.index(card[1:]) + (8 if colours_count and card[0] in trumps else 0)


def rank_plays(
    plays: Sequence[Mapping[str, Any]], colours_count: bool = True
) -> tuple[dict[str, int], list[list[str]]]:
    """Compare several plays `{seat, card, suits?}` at once: the class per seat, and the seats in groups, best first.

    Ties stay ties and keep the order of the plays (R6). ValueError names the play and the field at fault.
    """
    classes: dict[str, int] = {}
    for index, play in enumerate(plays):
        where = f"plays[{index}]"
        fields = check_mapping(where, play)
        check_keys(where, fields, ("seat", "card", "suits"), required=("seat", "card"))
        seat = fields["seat"]
        if not isinstance(seat, str) or seat in classes:
            raise ValueError(f"{where}.seat = {seat!r}: allowed are texts, each seat once")
        card = fields["card"]
        if card not in ("pass", "none"):
            check_card(f"{where}.card of {seat}", card)
        classes[seat] = card_class(card, check_suits(f"{where}.suits of {seat}", fields.get("suits")), colours_count)
    levels = sorted(set(classes.values()), reverse=True)
    return classes, [[seat for seat, own in classes.items() if own == level] for level in levels]


# --- hands (R31, R32) ------------------------------------------------------------------------------------------------


def hand_size(attribute: int, relation: str = "own", malus: int = 0) -> int:
    """Cards that a pc draws with a current attribute value (R31, R32) in 0..32; below 0 counts as 0: no cards.

    `relation` is own, other or none; `malus` of a broad skill 0..5 (R16). ValueError names what is out of range.
    """
    below = isinstance(attribute, int) and attribute < 0
    check_int("attribute", 0 if below else attribute, 0, 32)
    check_choice("relation", relation, RELATIONS)
    check_int("malus", malus, 0, 5)
    if attribute <= 0:
        return 0
    base = {"own": attribute, "other": attribute - 2, "none": attribute // 2}[relation]
    return max(1, base - malus)


# --- creation (R10-R16) ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Creation:
    """Verdict on a character: points `spent`, points `left` (negative: overspent), and one text per violated rule."""

    spent: int
    left: int
    errors: tuple[str, ...]

    @property
    def valid(self) -> bool:
        """True if no rule is violated; points left over are allowed (R12)."""
        return not self.errors


def skill_slots(skill: str | Mapping[str, Any]) -> int:
    """Skill slots of one skill: a text takes 1, a broad skill {breadth, malus?} 1 plus its improvements (R16).

    ValueError for an unknown breadth, or a malus outside base..-2 (the malus is negative; missing = base).
    """
    if isinstance(skill, str):
        return 1
    fields = check_mapping("skill", skill)
    check_keys("skill", fields, ("breadth", "malus", "name"), required=("breadth",))
    breadth = check_choice("breadth", fields["breadth"], BREADTH)
    base = BREADTH[breadth]
    return 1 + check_int(f"malus of {breadth}", fields.get("malus", base), base, MIN_MALUS) - base


def _check(
    budget: int, attributes: Mapping[str, int], skills: Mapping[str, Sequence[Any]] | None, price: Mapping[str, int]
) -> Creation:
    """Price the attributes and list the violations: range and skill slots of each attribute, then the budget."""
    check_int("budget", budget, 0, 1000)
    errors: list[str] = []
    low, high = ATTRIBUTE_RANGE
    for name, value in attributes.items():
        if not low <= check_int(f"attributes.{name}", value, -1000, 1000) <= high:
            errors.append(f"{name} = {value}: allowed are {low}..{high}")
    for name, listed in (skills or {}).items():
        if name not in attributes:
            raise ValueError(f"skills.{name}: allowed are the attributes {', '.join(attributes)}")
        slots = sum(skill_slots(skill) for skill in check_list(f"skills.{name}", listed))
        if slots != attributes[name]:
            errors.append(f"skills of {name} take {slots} slots: exactly {attributes[name]} are due")
    spent = sum(value * price[name] for name, value in attributes.items())
    if spent > budget:
        errors.append(f"spent = {spent}: the budget is {budget}")
    return Creation(spent, budget - spent, tuple(errors))


def check_points(
    budget: int, attributes: Mapping[str, int], skills: Mapping[str, Sequence[Any]] | None = None
) -> Creation:
    """Check a purchase at one point per attribute point (R10, R12, R14).

    `attributes` maps names to values; `skills` maps some of them to their skills (an attribute missing there is not
    checked for skills). Every attribute out of 2..10 or with a wrong number of skill slots is one error, overspending
    another. Malformed input is a ValueError.
    """
    return _check(budget, attributes, skills, dict.fromkeys(attributes, 1))


def check_specialist(
    budget: int, strong: str, attributes: Mapping[str, int], skills: Mapping[str, Sequence[Any]] | None = None
) -> Creation:
    """Check a specialist purchase: a point costs 2 in the attribute `strong`, 3 in any other (R13).

    Otherwise as check_points; `strong` must be one of the attributes.
    """
    check_choice("strong", strong, attributes)
    return _check(
        budget, attributes, skills, {name: STRONG_COST if name == strong else OTHER_COST for name in attributes}
    )


# --- experience costs (R213) -----------------------------------------------------------------------------------------


def raise_cost(value: int) -> int:
    """Experience points that raising an attribute from `value` (0..9) to the next number costs (R213)."""
    return check_int("raise", value, 0, 9) ** 2


def skill_cost(attribute: int, skills: int) -> int:
    """Experience points for a new skill under an attribute (0..32) that has `skills` (0..100) already (R213)."""
    check_int("attribute", attribute, 0, 32)
    check_int("skills", skills, 0, 100)
    return attribute if attribute > skills else 3 * attribute


# --- executor of worked examples -------------------------------------------------------------------------------------


def check_keys(where: str, fields: Mapping[str, Any], allowed: Iterable[str], required: Iterable[str] = ()) -> None:
    """Raise ValueError naming `where` if a field is unknown or a required one is missing."""
    known = tuple(allowed)
    for key in fields:
        if key not in known:
            raise ValueError(f"{where} has the unknown field {key!r}: allowed are {', '.join(known)}")
    for key in required:
        if key not in fields:
            raise ValueError(f"{where} lacks the field {key!r}: allowed are {', '.join(known)}")


def run_kinds(case: Mapping[str, Any], kinds: Mapping[str, Handler]) -> list[str]:
    """Run a case with the handler of its kind; return the mismatches, empty if it passes.

    With `expect.error` (a list of text parts) the handler must raise a ValueError whose text has them all. Unknown
    kinds and malformed cases raise ValueError.
    """
    kind = check_choice("kind", check_mapping("case", case).get("kind"), kinds)
    setup = check_mapping("setup", case.get("setup"))
    expect = check_mapping("expect", case.get("expect"))
    parts = expect.get("error")
    if parts is None:
        return kinds[kind](setup, expect)
    wanted = [parts] if isinstance(parts, str) else [str(part) for part in check_list("expect.error", parts)]
    try:
        kinds[kind](setup, {key: value for key, value in expect.items() if key != "error"})
    except ValueError as error:
        text = str(error)
        return [f"expect.error: {part!r} is not in {text!r}" for part in wanted if part not in text]
    return ["expect.error: the setup was accepted"]


def mismatches(expect: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    """Compare the keys of `expect` (some of those of `got`) for equality; an unknown key is a ValueError."""
    check_keys("expect", expect, got)
    wrong = {key: wanted for key, wanted in expect.items() if wanted != got[key]}
    return [f"expect.{key}: expected {wanted!r}, got {got[key]!r}" for key, wanted in wrong.items()]


def _hand_size_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    check_keys("setup", setup, ("queries",), required=("queries",))
    cards: list[int] = []
    for index, query in enumerate(check_list("setup.queries", setup["queries"])):
        where = f"setup.queries[{index}]"
        if isinstance(query, Mapping):
            check_keys(where, query, ("attribute", "relation", "malus"), required=("attribute",))
            cards.append(hand_size(**query))
        else:
            if not 1 <= len(check_list(where, query)) <= 3:
                raise ValueError(f"{where} = {query!r}: allowed is [attribute, relation, malus?]")
            cards.append(hand_size(*query))
    return mismatches(expect, {"cards": cards})


def _creation_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    known = ("method", "budget", "strong", "attributes", "skills")
    check_keys("setup", setup, known, required=("method", "attributes"))
    method = check_choice("method", setup["method"], ("points", "specialist"))
    attributes = check_mapping("attributes", setup["attributes"])
    skills = check_mapping("skills", setup.get("skills") or {})
    if method == "specialist":
        budget = setup.get("budget", SPECIALIST_BUDGET)
        result = check_specialist(budget, setup.get("strong", ""), attributes, skills)
    else:
        if setup.get("strong") is not None:
            raise ValueError(f"strong = {setup['strong']!r}: allowed only with method specialist")
        result = check_points(setup.get("budget", FLAT_BUDGET), attributes, skills)
    got: dict[str, Any] = {
        "valid": result.valid,
        "spent": result.spent,
        "left": result.left,
        "errors": len(result.errors),
    }
    found = mismatches(expect, got)
    # The texts tell a person which rules the count stands for.
    return [f"{text} {list(result.errors)}" if text.startswith("expect.errors") else text for text in found]


def _compare_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    check_keys("setup", setup, ("plays", "colours_count"), required=("plays",))
    colours = check_bool("colours_count", setup.get("colours_count", True))
    classes, ranking = rank_plays(check_list("setup.plays", setup["plays"]), colours)
    check_keys("expect", expect, ("class", "ranking"))
    found: list[str] = []
    for seat, wanted in check_mapping("expect.class", expect.get("class", {})).items():
        if seat not in classes:
            raise ValueError(f"expect.class names the unknown seat {seat!r}: allowed are {', '.join(classes)}")
        if classes[seat] != wanted:
            found.append(f"expect.class.{seat}: expected {wanted!r}, got {classes[seat]}")
    if "ranking" in expect:
        wanted_groups = check_list("expect.ranking", expect["ranking"])
        # The seats of a group are tied: their order says nothing.
        if [sorted(check_list("expect.ranking", group)) for group in wanted_groups] != [sorted(g) for g in ranking]:
            found.append(f"expect.ranking: expected {wanted_groups!r}, got {ranking!r}")
    return found


def _cost_case(setup: Mapping[str, Any], expect: Mapping[str, Any]) -> list[str]:
    check_keys("setup", setup, ("raise", "skill"))
    got: dict[str, Any] = {"raise": [raise_cost(value) for value in check_list("setup.raise", setup.get("raise", []))]}
    costs: list[int] = []
    for index, pair in enumerate(check_list("setup.skill", setup.get("skill", []))):
        where = f"setup.skill[{index}]"
        if len(check_list(where, pair)) != 2:
            raise ValueError(f"{where} = {pair!r}: allowed is [attribute, skills]")
        costs.append(skill_cost(*pair))
    return mismatches(expect, got | {"skill": costs})


KINDS: Mapping[str, Handler] = MappingProxyType(
    {"hand_size": _hand_size_case, "creation": _creation_case, "compare": _compare_case, "cost": _cost_case}
)
"""Executors of the kinds of worked examples that are plain arithmetic."""


def run_case(case: Mapping[str, Any]) -> list[str]:
    """Run one worked example of a kind in KINDS; return the mismatches (empty = pass). Malformed: ValueError."""
    return run_kinds(case, KINDS)
