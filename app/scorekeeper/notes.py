"""What stands beside actions of Scorekeeper: what the die must show, the chance of it, and what a hit does."""

from __future__ import annotations

from ...envs.scorekeeper.state import ZONE_CODES, Declared, Roll
from ...envs.scorekeeper.text import CLASS_TEXTS
from ..session.notes import Notes, chance_in, meddling
from ..session.sight import Sight, hot, number
from .aim import CLASSES, ROLL_HOOKS, attacks, extra_of, likely, price_of, wounds_of
from .fight import Fight

SHOT = 3  # of the piece `mode`: melee, run, counter, shoot


def _needed(fight: Fight, highest: int, works: bool = True) -> str:
    """What the die of a check may show at most, as it is told afterwards, and the chance of that."""
    if highest < 1:
        return fight.sight.pick(
            *(("cannot work", "kann nicht gelingen") if works else ("cannot hit", "kann nicht treffen"))
        )
    verb = ("works on", "gelingt mit") if works else ("hits on", "trifft mit")
    told = f"{fight.sight.pick(*verb)} {highest} {fight.sight.pick('or less', 'oder weniger')}"
    return f"{told}: {chance_in(highest / 20, fight.sight.lang)}"


def _attacks(fight: Fight) -> dict[int, str]:
    """R20, R22, R44: what an attack needs and costs, and what a hit that is not defended against does most often."""
    sight, notes = fight.sight, {}
    for choice, block, zone in attacks(fight):
        highest = fight.highest(fight.attack_value(choice.verb, block, zone))
        told = _needed(fight, highest, False)
        if highest and not fight.params.private_sheets and fight.cards[fight.at[block]]["kind"] == "character":
            extra = extra_of(sight, choice.verb)
            wounds = wounds_of(sight, fight.me, fight.at[block], choice.verb == "shoot", choice.detail, extra)
            told += f", {sight.pick('then', 'dann')} {likely(wounds, sight.lang)}"
        if price := price_of(sight, choice.verb):
            told += f"; {price}"
        notes[choice.action] = told
    return notes


def _defences(fight: Fight) -> dict[int, str]:
    """R25, R32, R34, R39: what a saving throw, a parry or a blow in answer to one needs."""
    sight, params, notes = fight.sight, fight.params, {}
    attacker = hot(sight.pieces["attacker"])
    values = fight.piece(0, "values")
    for choice in sight.of_verb("save"):
        under = number(values[1], 20)
        if hot(sight.pieces["mode"]) == SHOT:
            magic = attacker >= 0 and fight.piece(attacker, "ranged_weapon")[9] == 1.0
            under = number(fight.piece(0, "care")[1], 30) if magic else number(values[0], 20)
        notes[choice.action] = _needed(fight, fight.highest(fight.less_penalty(under, Roll.SAVE), attack=False))
    for choice in sight.of_verb("parry"):
        announced = hot(fight.piece(0, "declared")) == Declared.FULL_DEFENCE
        value = fight.melee_value() + (int(params.declared_defence_bonus) if announced else 0)
        told = _needed(fight, fight.highest(fight.less_penalty(value, Roll.PARRY), attack=False))
        if not announced and fight.piece(0, "flags")[0] != 1.0:
            told += sight.pick("; your own action is gone then", "; die eigene Handlung entfällt dann")
        notes[choice.action] = told
    for choice in sight.of_verb("take"):
        notes[choice.action] = sight.pick("no roll: the hit counts", "kein Wurf: der Treffer zählt")
    for choice in sight.of_verb("counter"):
        if attacker >= 0 and choice.target in ZONE_CODES:
            value = fight.attack_value("counter", attacker, ZONE_CODES.index(choice.target))
            notes[choice.action] = _needed(fight, fight.highest(value), False)
    return notes


def _softened(fight: Fight) -> dict[int, str]:
    """R53, R70: which wound is entered for so many fate points."""
    sight, wound = fight.sight, hot(fight.sight.pieces["wound"])
    lethal, notes = fight.piece(0, "lethal"), dict[int, str]()
    for choice in sight.of_verb("reduce"):
        left = wound - int(choice.target)
        told = CLASS_TEXTS[sight.lang][left]
        if left == len(CLASSES) - 1 and number(lethal[0], 5) + 1 >= number(lethal[1], 5):
            told += sight.pick(": death", ": der Tod")
        notes[choice.action] = sight.pick(f"then it is {told}", f"dann ist es {told}")
    return notes


_CHECKS = (Roll.ATTACK, Roll.SAVE, Roll.PARRY, Roll.SHOCK, Roll.DEATH, Roll.FIRST_AID)


def _repeated(fight: Fight) -> dict[int, str]:
    """R69: what a roll that may be repeated needs once more; none where it is no check."""
    sight, kind = fight.sight, hot(fight.sight.pieces["roll"])
    if kind not in _CHECKS:
        return {}
    value = number(sight.pieces["dice"][1], 30)
    told = _needed(fight, fight.highest(value, attack=kind == Roll.ATTACK), kind != Roll.ATTACK)
    return {choice.action: told for choice in sight.of_verb("reroll")}


def _others(fight: Fight) -> dict[int, str]:
    """R17, R30, R35, R64: full defence, moves, first aid."""
    sight, notes = fight.sight, {}
    bonus = int(fight.params.declared_defence_bonus)
    for choice in sight.of_verb("full_defence"):
        better = sight.pick(f" at {sight.signed(bonus)}", f" mit {sight.signed(bonus)}") if bonus else ""
        told = sight.pick(
            f"no attack of yours, you may parry{better}", f"kein eigener Angriff, du darfst parieren{better}"
        )
        if any(fight.piece(block, "ranged_weapon")[0] == 1.0 for block in fight.at if block >= 4):
            told += sight.pick("; no help against shots", "; gegen Schüsse hilft es nicht")
        notes[choice.action] = told
    far = int(fight.params.run_distance[fight.me])
    for choice in sight.of_verb("advance"):
        notes[choice.action] = sight.pick(
            f"up to {far} m towards the nearest enemy", f"bis zu {far} m auf den nächsten Gegner zu"
        )
    for choice in sight.of_verb("retreat"):
        notes[choice.action] = sight.pick(
            f"{far} m away from the nearest enemy, or to the edge",
            f"{far} m vom nächsten Gegner weg oder bis zum Rand",
        )
    for choice in sight.of_verb("aid"):
        value = fight.less_penalty(number(fight.piece(0, "care")[0], 30), Roll.FIRST_AID)
        notes[choice.action] = _needed(fight, fight.highest(value, attack=False))
    return notes


def notes(sight: Sight) -> dict[int, str]:
    """By action; none where a rule module may change what a roll needs."""
    if meddling(sight, ROLL_HOOKS):
        return {}
    fight = Fight(sight)
    return {**_attacks(fight), **_defences(fight), **_softened(fight), **_repeated(fight), **_others(fight)}


def missing(sight: Sight) -> str:
    """Which rule modules keep the chances of rolls from being told."""
    titles = meddling(sight, ROLL_HOOKS)
    if not titles:
        return ""
    names = ", ".join(titles)
    return sight.pick(
        f"no chances are told beside actions, for a rule module can change them: {names}",
        f"neben den Aktionen stehen keine Chancen, denn ein Regelmodul kann sie ändern: {names}",
    )


NOTES = Notes(notes, missing=missing)
