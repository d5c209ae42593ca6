"""What stands beside actions of Konfrontationen: what they cost and bring, won or lost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...envs.konfrontation.params import TARGET_KINDS
from ...envs.konfrontation.state import CHARACTERS, NATURES, RESOURCES, UNITS
from ...envs.konfrontation.text import counts, points_of
from ..session.notes import Notes
from ..session.sight import Choice, Sight, hot, number

_UNITS, _SUPPORTS = 5, 5 + 7 * CHARACTERS  # places in a row of the piece `faction`
_RESOURCES = _SUPPORTS + 8 * (UNITS - CHARACTERS)
_PROJECT = _RESOURCES + 2 * RESOURCES

# the hooks by which a module changes what an action of a verb costs and brings; of other verbs, what the end does
_AT_THE_END = frozenset({"revealed", "tied", "spoils", "loot", "confrontation_end", "task", "fell"})
_HOOKS = {
    "bid": _AT_THE_END | {"total", "bid_paid"},
    "gather": frozenset({"gathered"}),
    "recruit": frozenset({"recruit_price", "unit_strength"}),
    "start_support": frozenset({"unit_strength"}),
    "start_resource": frozenset[str](),
    "continue": frozenset[str](),
    "type": frozenset({"unit_strength"}),
    "character": frozenset({"unit_strength"}),
    "support": frozenset({"unit_strength"}),
    "stand": frozenset[str](),
    "run_home": frozenset({"run_cost"}),
    "attack": frozenset[str](),
}


class _Table:
    """What a seat knows of the factions; seats are counted from its own."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.params = sight, sight.game.params
        self.rows: np.ndarray = sight.pieces["faction"]
        clash = sight.pieces["clash"]
        self.attacker, self.defender = hot(clash[1:6]), hot(clash[6:11])
        self.target, self.kind = hot(clash[11:15]), hot(clash[15:19])  # of the target: `TARGET_KINDS`
        self.strength = number(clash[19], 40)

    def power(self, who: int) -> int:
        """The stock of a faction, -1 where it is hidden."""
        return number(self.rows[who][1], 20)

    def name(self, who: int) -> str:
        """The name of a faction."""
        return self.sight.names[(self.sight.seat + who) % self.sight.game.n_seats]

    def units(self, who: int) -> list[tuple[int, int]]:
        """Nature and value of all units of a faction."""
        row, found = self.rows[who], list[tuple[int, int]]()
        for item in range(UNITS):
            at = _UNITS + 7 * item if item < CHARACTERS else _SUPPORTS + 8 * (item - CHARACTERS)
            if row[at] == 1.0:
                found.append((hot(row[at + 1 : at + 5]), 1 if item < CHARACTERS else number(row[at + 5], 6)))
        return found

    def strength_of(self, item: int) -> int:
        """R3, R5, R25: what a unit of one's own adds in the confrontation that is declared."""
        row = self.rows[0]
        at = _UNITS + 7 * item if item < CHARACTERS else _SUPPORTS + 8 * (item - CHARACTERS)
        value = 1 if item < CHARACTERS else number(row[at + 5], 6)
        return counts(self.params, hot(row[at + 1 : at + 5]), value, self.kind)

    def all_of(self, who: int, kind: int) -> int:
        """R3, R5, R25: the strength of a faction in a type of confrontation if all its units take part."""
        return sum(counts(self.params, nature, value, kind) for nature, value in self.units(who))

    def fitting(self, value: int) -> int:
        """R5, R25, A10: what a unit counts where its nature is that of the confrontation."""
        return counts(self.params, 0, value, 0)

    def size(self, who: int, slot: int) -> int:
        """The size of a resource."""
        return number(self.rows[who][_RESOURCES + 2 * slot], 3)


def _bid(table: _Table, bid: int) -> str:
    """R11 to R13, R18, R20, R33: the total of a bid, and the stock after the confrontation is lost or won."""
    params, left, attacks = table.params, table.power(0) - bid, table.attacker == 0
    spoils, cap = int(params.power_spoils), int(params.power_cap)
    won, less = min(cap, left + int(params.min_loot)), max(0, left - spoils)
    lost, taken = str(left), ""
    if table.target == TARGET_KINDS.index("power"):
        won = min(cap, won + spoils) if attacks else won
        lost = lost if attacks else str(less)
    if attacks and less < left:  # the winner may choose power
        taken = table.sight.pick(f" ({less} if the winner takes power)", f" ({less}, wenn der Sieger Power nimmt)")
    return table.sight.pick(
        f"total {table.strength + bid}; if lost, power {lost} is left{taken}; if won, at least {won}",
        f"zusammen {table.strength + bid}; wenn verloren, dann Power {lost}{taken}; wenn gewonnen, mindestens {won}",
    )


def bidding(sight: Sight) -> str:
    """R11 to R14: what bids decide and what becomes of them; empty where a rule module has a say in that."""
    said = {name for module in sight.game.spec.sources.extensions for name in vars(module)}
    if said & _HOOKS["bid"] or len(sight.of_verb("bid")) < 2:
        return ""
    return sight.pick(
        "Strength plus bid decides: the higher total wins. Both bids are gone then; if equal, both come back.",
        "Stärke plus Gebot entscheidet: wer mehr hat, gewinnt. Danach sind beide Gebote weg; bei Gleichstand kommen "
        "beide zurück.",
    )


def _spoils(table: _Table, other: int, at_once: bool) -> str:
    """R18, R20: what is got in any case, and what the other one loses of what it has; `at_once`: of what it has now."""
    amount, name, stock = int(table.params.power_spoils), table.name(other), table.power(other)
    loss = min(amount, stock) if at_once and stock >= 0 else -1
    if loss < 0:
        return table.sight.pick(
            f"power +{amount} for you; {name} loses as much, or what is left",
            f"Power +{amount} für dich; {name} verliert ebenso viel oder den Rest",
        )
    lost = table.sight.pick(f"{name} loses {loss}", f"{name} verliert {loss}")
    return table.sight.pick(f"power +{amount} for you; {lost}", f"Power +{amount} für dich; {lost}")


def _target(table: _Table, choice: Choice) -> str:
    """R16 to R18: what winning against a target brings."""
    pick = table.sight.pick
    if choice.verb == "target":
        return (
            f"{pick('if won:', 'wenn gewonnen:')} {_spoils(table, table.defender, False)}"
            if choice.target == "power"
            else _special(table)
        )
    if choice.verb == "resource":
        size = table.size(table.defender, int(choice.target) - 1)
        points = pick("control points", "Kontrollpunkte") if size > 1 else pick("control point", "Kontrollpunkt")
        sure = bool(table.params.destroyed_resource_pays)  # A5
        gain = pick("you gain" if sure else "you may gain", "du gewinnst" if sure else "du gewinnst vielleicht")
        return pick(
            f"if won: {table.name(table.defender)} loses {size} {points}, and {gain} as much",
            f"wenn gewonnen: {table.name(table.defender)} verliert {size} {points}, {gain} ebenso viel",
        )
    return pick(
        "if won: it, or one that defends in its place, leaves the game or comes to you",
        "wenn gewonnen: die Einheit, oder eine, die an ihrer Stelle antritt, geht aus dem Spiel oder kommt zu dir",
    )


def _special(table: _Table) -> str:
    """A20: what the target `other` brings."""
    points = int(table.params.other_points)
    return table.sight.pick(f"if won: special points +{points}", f"wenn gewonnen: Sonderpunkte +{points}")


def _action(table: _Table, choice: Choice) -> str:
    """R8, R20, R29 to R31: what an action of a turn, of a defence or of a victory costs and brings."""
    params, pick = table.params, table.sight.pick
    if choice.verb == "gather":
        amount = int(params.gather_amount)
        return pick(f"power +{amount}, for bids in confrontations", f"Power +{amount}, für Gebote in Konfrontationen")
    if choice.verb == "attack":
        return pick(
            "a confrontation for something of another; next you say against whom, for what, and who takes part",
            "eine Konfrontation um etwas, was eine andere Seite hat; dann sagst du, gegen wen und um was",
        )
    if choice.verb == "recruit":
        cost = int(params.recruit_cost)
        own = table.fitting(1)
        told = pick(
            f"strength 1, {own} in confrontations of its own type",
            f"Stärke 1, in Konfrontationen der eigenen Art {own}",
        )
        return told + (pick(f"; costs {cost} power", f"; kostet {cost} Power") if cost else "")
    if choice.verb == "continue":
        left = number(table.rows[0][_PROJECT + 7], 5)
        return pick("done by that", "damit fertig") if left == 1 else pick(f"{left} turns left", f"noch {left} Züge")
    if choice.verb == "start_resource":
        size = int(choice.target)
        return pick(
            f"{_turns(size, 'en')} of work, then {size} control point{'s' * (size > 1)}",
            f"{_turns(size, 'de')} Arbeit, dann {size} Kontrollpunkt{'e' * (size > 1)}",
        )
    if choice.verb == "start_support":
        return _support(table, choice)
    if choice.verb == "run_home":
        cost = int(params.run_home_cost)
        return pick(
            f"costs {cost} power, and nothing else happens", f"kostet {cost} Power, und weiter geschieht nichts"
        )
    if choice.verb in ("character", "support") and table.sight.phase in ("decl_commit", "defend"):
        unit = table.strength_of(choice.action - table.sight.start("character"))
        return f"{pick('strength', 'Stärke')} {unit}"
    if choice.verb == "stand":
        return pick("then you say who defends", "dann sagst du, wer verteidigt")
    if choice.verb == "type":
        kind = NATURES.index(choice.target)
        mine, other = table.all_of(0, kind), table.all_of(table.defender, kind)
        return pick(
            f"strength if all take part: yours {mine}, theirs {other}",
            f"Stärke, wenn alle antreten: du {mine}, Gegenseite {other}",
        )
    if choice.verb == "vote_draw":
        return pick("if both do, it ends and nobody loses anything", "tun es beide, endet es ohne Verlust")
    if choice.verb in ("remove", "handover"):
        return _fate(table, choice.verb == "handover")
    if choice.verb == "spoils_power":
        return _spoils(table, table.attacker, True)
    if choice.verb == "spoils_remove":
        return pick("one that attacked leaves the game", "eine, die angriff, geht aus dem Spiel")
    if choice.verb == "spoils_demand":
        return pick(
            f"{table.name(table.attacker)} hands it over or takes it out of the game",
            f"{table.name(table.attacker)} gibt sie heraus oder nimmt sie aus dem Spiel",
        )
    return ""


def _fate(table: _Table, handed: bool) -> str:
    """R16, R17, A5: what the winner gets of what is destroyed, removed or handed over."""
    winner = table.attacker if table.defender == 0 else table.defender
    if table.sight.phase != "fate" or table.target != TARGET_KINDS.index("resource") or winner < 0:
        return _unit(table, winner, handed)
    size = next(table.size(0, slot) for slot in range(RESOURCES) if table.rows[0][_RESOURCES + 2 * slot + 1] == 1.0)
    points = points_of(size if handed or table.params.destroyed_resource_pays else 0, table.sight.lang)
    return f"{table.name(winner)}: {points}"


def _unit(table: _Table, winner: int, handed: bool) -> str:
    """R16, R20, R33: who has the unit afterwards; a winner who has no room for another character gets none."""
    if winner < 0:
        return ""
    if not handed:
        return table.sight.pick("lost to both", "für beide verloren")
    name = table.name(winner)
    if sum(table.rows[winner][_UNITS + 7 * u] == 1.0 for u in range(CHARACTERS)) < CHARACTERS:
        return table.sight.pick(f"won by: {name}", f"gewonnen von: {name}")
    return table.sight.pick(
        f"{name}: {CHARACTERS} characters already, one more leaves the game",
        f"{name}: schon {CHARACTERS} Charaktere, einer mehr geht aus dem Spiel",
    )


def _support(table: _Table, choice: Choice) -> str:
    """R23 to R25."""
    extra = int(choice.detail)
    value = 1 + extra + int(table.params.support_bonus)
    own = table.fitting(value)
    return table.sight.pick(
        f"{_turns(2 + extra, 'en')} of work, then strength {value}, {own} in confrontations of its own type",
        f"{_turns(2 + extra, 'de')} Arbeit, dann Stärke {value}, in Konfrontationen der eigenen Art {own}",
    )


def _turns(count: int, lang: str) -> str:
    words = ("Zug", "Züge") if lang == "de" else ("turn", "turns")
    return f"{count} {words[count > 1]}"


def notes(sight: Sight) -> dict[int, str]:
    """By action; none of what a rule module has a say in: of a bid that it does not add to, the total alone."""
    said = {name for module in sight.game.spec.sources.extensions for name in vars(module)}
    table = _Table(sight)
    tell: Callable[[_Table, Choice], str] = _target if sight.phase == "decl_target" else _action
    sure = [choice for choice in sight.choices if not said & _HOOKS.get(choice.verb, _AT_THE_END)]
    found = {c.action: _bid(table, int(c.target)) if c.verb == "bid" else tell(table, c) for c in sure}
    if "total" not in said:
        totals = [(c.action, table.strength + int(c.target)) for c in sight.choices if c.verb == "bid"]
        found |= {a: sight.pick(f"total {t}", f"zusammen {t}") for a, t in totals if a not in found}
    return {action: told for action, told in found.items() if told}


NOTES = Notes(notes, legend=bidding)
