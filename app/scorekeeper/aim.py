"""Where to aim: a silhouette of each target for each way to attack, with the chance to hit and the wound to expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...envs.scorekeeper.actions import ATTACKS, ZONE_NAMES
from ...envs.scorekeeper.state import HARD_BONUS, ZONE_CODES
from ...envs.scorekeeper.text import CLASS_TEXTS, CLASSES, WEAPON_TEXTS
from ...evaluation.scorekeeper.chances import LIMBS, ZONE_CHANCES, class_chances
from ..session.notes import chance_in, meddling
from ..session.sight import Choice, Sight
from .fight import Fight

# Of the drawing, by zone: left, top, width, height. One looks at the target, whose right arm is at the left.
BOXES = {
    "head": (43, 2, 34, 34),
    "right_arm": (11, 40, 22, 74),
    "chest": (36, 39, 48, 40),
    "left_arm": (87, 40, 22, 74),
    "abdomen": (36, 82, 48, 30),
    "right_leg": (34, 115, 24, 74),
    "left_leg": (62, 115, 24, 74),
}
# the hooks by which a rule module changes what a roll needs, or what comes of it
ROLL_HOOKS = frozenset(
    {"attack_value", "save_value", "parry_value", "parry_cost", "check", "damage", "wound_class", "shock_value"}
)
HEAT = (0.02, 0.12, 0.3)  # chances of a severe wound or worse from which a zone is drawn in the next shade


def wounds_of(sight: Sight, me: int, target: int, ranged: bool, zone: str, extra: int = 0) -> dict[str, float]:
    """R42, R44 to R47, R51: chances of the classes of a blow of fighter `me` that gets through at a zone of another.

    Shares of all blows, by `CLASSES`; a lethal wound of a limb is severe. `any`: the zone is thrown. `extra`: damage
    that the way to attack adds.
    """
    params = sight.game.params
    if zone == "any":
        out = dict.fromkeys(CLASSES, 0.0)
        for name, share in ZONE_CHANCES.items():
            for kind, chance in wounds_of(sight, me, target, ranged, name, extra).items():
                out[kind] += float(share) * chance
        return out
    card, z = sight.game.spec.texts.fighters[me], ZONE_CODES.index(zone)  # type: ignore[attr-defined]
    found = class_chances(
        card["ranged"] if ranged else card["melee"],
        int(params.hard[target, z]),
        int(params.soft[target, z]),
        int(card["damage_bonus"]),
        HARD_BONUS[int(params.hard_vs_bonus)],
        extra,
    )
    out = {kind: float(found[kind]) for kind in CLASSES}
    if zone in LIMBS:
        out["SW"], out["TW"] = out["SW"] + out["TW"], 0.0
    return out


def likely(wounds: Mapping[str, float], lang: str) -> str:
    """The class that a blow reaches most often, the worst of several, with its share; and the share of lethal ones."""
    most = max(wounds.values())
    kind = next(kind for kind in reversed(CLASSES) if wounds[kind] >= most - 1e-9)
    told = f"{CLASS_TEXTS[lang][CLASSES.index(kind)]} ({chance_in(wounds[kind], lang)})"
    if wounds[kind] < 1 - 1e-9:
        told = f"{'am ehesten' if lang == 'de' else 'most likely'} {told}"
    if kind != "TW" and wounds["TW"] > 0:
        told += f", {'tödlich' if lang == 'de' else 'lethal'} {chance_in(wounds['TW'], lang)}"
    return told


def extra_of(sight: Sight, verb: str) -> int:
    """R20: damage that the way to attack adds."""
    return int(sight.game.params.full_run_damage_bonus) if verb == "run" else 0


def price_of(sight: Sight, verb: str) -> str:
    """R20: what a way to attack costs in any case; empty where it costs nothing."""
    if verb != "run" or not sight.game.params.full_run_forfeits_saves:
        return ""
    return sight.pick("no saving throws after it this round", "danach diese Runde keine Rettungswürfe")


def attacks(fight: Fight) -> list[tuple[Choice, int, int]]:
    """The attacks that are possible, with the block of the target and the zone; none where modules may change them."""
    sight = fight.sight
    if meddling(sight, ROLL_HOOKS):
        return []
    blocks = {fight.cards[fighter]["name"]: block for block, fighter in fight.at.items() if block >= 4}
    return [
        (choice, blocks[choice.target], ZONE_CODES.index(choice.detail))
        for choice in sight.of_verb("melee", "run", "shoot")
        if choice.target in blocks and choice.detail in ZONE_CODES
    ]


def aims(fight: Fight) -> list[dict[str, Any]]:
    """A silhouette for every target and every way to attack it.

    None where a rule module may change what an attack needs, and for targets that are no people.
    """
    sight, me, at, cards = fight.sight, fight.me, fight.at, fight.cards
    names = sight.game.spec.texts.names  # type: ignore[attr-defined]
    hidden = bool(sight.game.params.private_sheets)
    found: dict[tuple[str, int], list[tuple[Choice, int]]] = {}
    for choice, block, zone in attacks(fight):
        if cards[at[block]]["kind"] == "character":
            found.setdefault((choice.verb, block), []).append((choice, zone))
    drawn = []
    for (verb, block), choices in found.items():
        weapon = cards[me]["ranged" if verb == "shoot" else "melee"]
        title = f"{ATTACKS[sight.lang][verb]} → {names.called(at[block], sight.lang)}"
        zones = []
        for choice, z in choices:
            code = ZONE_CODES[z]
            zone = ZONE_NAMES[sight.lang]["character"][z] or sight.pick("not aimed", "ungezielt")
            hit = fight.highest(fight.attack_value(verb, block, z)) / 20
            wounds = None if hidden else wounds_of(sight, me, at[block], verb == "shoot", code, extra_of(sight, verb))
            grave = 0.0 if wounds is None else hit * (wounds["SW"] + wounds["TW"])
            zones.append(
                {
                    "code": code,
                    "name": zone,
                    "choice": choice,
                    "box": BOXES.get(code),
                    "hit": round(100 * hit),
                    "heat": sum(grave >= edge for edge in HEAT),
                    "likely": "" if wounds is None or not hit else likely(wounds, sight.lang),
                    "classes": [] if wounds is None else [round(100 * wounds[kind]) for kind in CLASSES],
                }
            )
        price = price_of(sight, verb)
        drawn.append(
            {"title": title, "weapon": WEAPON_TEXTS[weapon][sight.lang == "de"], "price": price, "zones": zones}
        )
    return drawn


__all__ = ["CLASSES", "ROLL_HOOKS", "aims", "attacks", "extra_of", "likely", "price_of", "wounds_of"]
