"""What the options of a build are for, in words: a sentence for the stage, and one beside things and tactics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...envs.oneshot.character.kit import Kit
from ...envs.oneshot.character.kit_file import load_kit
from ...envs.oneshot.state import Stage
from ..session.sight import Sight, hot, number

BUDGET = 20  # scale of the piece `budgets`
_STAGES: dict[Stage, tuple[str, str]] = {
    Stage.PERKS: (  # R14
        "perks are special gifts, each with its price; you need not take any",
        "Spezifika sind Besonderheiten, jede mit ihrem Preis; du musst keines nehmen",
    ),
    Stage.ATTRIBUTES: (  # R5, R6, R11, R13, R63
        "body gives points for strength, stamina, agility, as many again for attack, defence, initiative, and lets you "
        "bear more wounds; mind gives skill points; charisma gives points for words",
        "Körper gibt Punkte für Stärke, Kondition, Geschick, noch einmal so viele für Angriff, Verteidigung, "
        "Initiative, und lässt mehr Wunden ertragen; Geist gibt Fertigkeitspunkte; Charisma gibt Punkte für Worte",
    ),
    Stage.PHYSICAL: (  # R43, R50
        "strength adds to the damage of blows, agility to that of missiles; stamina helps to survive when you fall",
        "Stärke zählt zum Schaden von Hieben, Geschick zu dem von Geschossen; Kondition hilft zu überleben, wenn du "
        "fällst",
    ),
    Stage.COMBAT: (  # R7 to R9, R33
        "base attack: you hit from a lower throw; defence: more damage is needed to wound you; initiative: you act "
        "more often",
        "Grundangriff: du triffst mit kleineren Würfen; Grundverteidigung: dich zu verwunden braucht mehr Schaden; "
        "Grundinitiative: du handelst öfter",
    ),
    Stage.SOCIAL: (  # R85
        "aggressive words weaken the other's attack, cunning ones its defence, diplomatic ones keep it from attacking "
        "you; in this fight only the tactic diplomat uses words, and those are diplomatic",
        "aggressive Worte schwächen den Angriff der anderen Seite, listige ihre Verteidigung, diplomatische halten sie "
        "vom Angriff ab; in diesem Kampf redet nur die Taktik Diplomat, und zwar diplomatisch",
    ),
    Stage.SKILLS: (  # R42, R82, R135
        "the rank in the weapon's skill is added to every attack; knowledge of races serves the perk weak spot; "
        "insight reads people in talks",
        "der Rang in der Waffenfertigkeit zählt zu jedem Angriff; Wissen um Rasse dient dem Spezifikum Schwachstelle "
        "finden; Menschenkenntnis durchschaut andere in Gesprächen",
    ),
}
_TACTICS = (
    ("attacks whenever it can", "greift an, wenn es geht"),
    (
        "appeases the other side whenever that has run out, else attacks",
        "beschwichtigt die andere Seite, wenn sie angreifen kann; sonst Angriff",
    ),
)
_BREAKS = ("; its own attack ends that", "; der eigene Angriff beendet das")


def stage_of(sight: Sight) -> Stage | None:
    """The stage under way; None when all is chosen."""
    stage = hot(sight.pieces["stage"])
    return Stage(stage) if stage >= 0 and not sight.over else None


def gear_left(sight: Sight) -> int | None:
    """What may still be spent on things; None where they cost nothing."""
    return number(sight.pieces["budgets"][0], BUDGET) if int(sight.game.params.gear_budget) >= 0 else None


def stage_words(sight: Sight) -> str:
    """What the options of the stage under way are for; empty where they say it themselves."""
    stage = stage_of(sight)
    if stage in (Stage.WEAPON, Stage.ARMOUR, Stage.ITEM):
        left = gear_left(sight)
        return "" if left is None else sight.pick(f"left to spend on things: {left}", f"übrig für Dinge: {left}")
    return "" if stage is None else sight.pick(*_STAGES.get(stage, ("", "")))


def option_words(sight: Sight) -> dict[int, str]:
    """What a weapon, an armour or a tactic does, by action."""
    stage, params = stage_of(sight), sight.game.params
    actions = [choice.action for choice in sight.choices]
    if stage == Stage.TACTIC:
        told = [sight.pick(*words) for words in _TACTICS]
        told[1] += sight.pick(*_BREAKS) if params.diplomatic_breaks_on_attack else ""
        return {action: told[action] for action in actions if action < len(told)}
    if stage not in (Stage.WEAPON, Stage.ARMOUR):
        return {}
    kit: Kit = load_kit(sight.game.spec.texts.options["kit"])  # type: ignore[attr-defined]
    things = list((kit.weapons if stage == Stage.WEAPON else kit.armours).values())
    tell = _weapon if stage == Stage.WEAPON else _armour
    price = sight.pick("price", "Preis") if gear_left(sight) is not None else ""
    return {
        action: tell(sight, things[action]) + (f", {price} {things[action]['price']}" if price else "")
        for action in actions
        if action < len(things)
    }


def _weapon(sight: Sight, weapon: Mapping[str, Any]) -> str:
    """R43, R101: damage and reach."""
    damage = sight.pick("damage", "Schaden") + f" {sight.signed(weapon['damage_mod'])}"
    if weapon["kind"] == "melee":
        return f"{damage}, {sight.pick('melee', 'Nahkampf')}"
    return f"{damage}, {sight.pick('reach', 'Reichweite')} {weapon['range']}"


def _armour(sight: Sight, armour: Mapping[str, Any]) -> str:
    """R105, R106: what it gives and takes."""
    defence, malus = sight.signed(armour["bonus"]), armour["malus"]
    return sight.pick(f"defence {defence}, armour malus {malus}", f"Verteidigung {defence}, Rüstungsmalus {malus}")


__all__ = ["gear_left", "option_words", "stage_of", "stage_words"]
