"""What a person reads of the build game: the own choices in words; English and German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.actions import ActionTable
from ...core.game import Position
from ...core.texts import OwnWords, number_in
from .. import state as st
from ..actions import splits, table
from ..character.kit import Kit
from ..text import QUESTIONS, FightTexts, called, pick
from .legal import perk_sets

PLANS = {
    "en": (
        "weapon skill only",
        "weapon skill to rank 3, then knowledge of races",
        "knowledge of races to rank 3, then weapon skill",
        "weapon skill to rank 3, then insight",
    ),
    "de": (
        "nur Waffe",
        "Waffe bis Rang 3, dann Wissen um Rasse",
        "Wissen um Rasse bis Rang 3, dann Waffe",
        "Waffe bis Rang 3, dann Menschenkenntnis",
    ),
}
ITEMS = {"en": ("no item", "heal draught", "fire flask"), "de": ("kein Gegenstand", "Heiltrank", "Feuerflasche")}
STAGES = {
    "en": (
        "perks", "attributes", "physical points", "combat points", "social points", "skills", "weapon", "armour",
        "item", "tactic",
    ),
    "de": (
        "Spezifika", "Attribute", "körperliche Punkte", "Kampfpunkte", "soziale Punkte", "Fertigkeiten", "Waffe",
        "Rüstung", "Gegenstand", "Taktik",
    ),
}  # fmt: skip
VALUES = {  # what the points of a stage go to
    st.Stage.ATTRIBUTES: (("body", "mind", "charisma"), ("Körper", "Geist", "Charisma")),
    st.Stage.PHYSICAL: (("strength", "stamina", "agility"), ("Stärke", "Kondition", "Geschick")),
    st.Stage.COMBAT: (
        ("base attack", "defence", "initiative"), ("Grundangriff", "Grundverteidigung", "Grundinitiative"),
    ),
    st.Stage.SOCIAL: (("aggressive", "cunning", "diplomatic"), ("aggressiv", "listig", "diplomatisch")),
}  # fmt: skip
SEATS = ("first", "second")
TACTICS = {"en": ("attack", "diplomat"), "de": ("angreifen", "Diplomat")}


class BuildTexts(OwnWords):
    """Texts of the build game."""

    def __init__(self, options: Mapping[str, Any], kit: Kit, actions: ActionTable) -> None:
        self.options = options
        self.actions = actions
        self.weapons = list(kit.weapons)
        self.armours = list(kit.armours)
        self.perks = perk_sets(3)
        self.fight = None  # texts of the skirmish that ends the game, if it does
        if options["pilot"] == "grid":
            self.fight = FightTexts(SEATS, self.weapons, table("skirmish"), options["hidden_stats"])

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now."""
        asked, stage = QUESTIONS[position.phase()][lang == "de"], int(position.record.stage_no)
        return f"{asked} ({', '.join(VALUES[st.Stage(stage)][lang == 'de'])})" if stage in VALUES else asked

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """An option of this stage."""
        if action >= st.OPTIONS_MAX or int(position.record.stage_no) >= st.STAGES:
            return ""
        return self.option(position, seat, int(position.record.stage_no), action, lang)

    def points_left(self, position: Position, seat: int) -> int | None:
        """The points that the stage under way distributes; None at one that distributes none."""
        s, p = position.record, position.game.params
        stage = int(s.stage_no)
        if not st.Stage.ATTRIBUTES < stage <= st.Stage.SOCIAL:
            return None
        perks = self.perks[int(s.choice[seat, 0])]
        values = p.triples[int("luck" in perks), int("special_gift" in perks)]
        return max(0, int(values[int(s.choice[seat, 1])][2 if stage == st.Stage.SOCIAL else 0]))

    def option(self, position: Position, seat: int, stage: int, option: int, lang: str) -> str:
        """An option of a stage in words."""
        s, p = position.record, position.game.params
        if stage == st.Stage.PERKS:
            return ", ".join(called(perk, lang) for perk in self.perks[option]) or pick(
                lang, "no perks", "keine Spezifika"
            )
        perks = self.perks[int(s.choice[seat, 0])]
        values = p.triples[int("luck" in perks), int("special_gift" in perks)]
        if stage == st.Stage.ATTRIBUTES:
            names = VALUES[st.Stage.ATTRIBUTES][lang == "de"]
            return ", ".join(f"{name} {int(v)}" for name, v in zip(names, values[option], strict=True))
        if stage <= st.Stage.SOCIAL:
            owner = 2 if stage == st.Stage.SOCIAL else 0
            points = max(0, int(values[int(s.choice[seat, 1])][owner]))
            names = VALUES[st.Stage(stage)][lang == "de"]
            return ", ".join(f"{name} {value}" for name, value in zip(names, splits(points)[option], strict=True))
        if stage == st.Stage.SKILLS:
            return PLANS[lang][option]
        if stage == st.Stage.WEAPON:
            return called(self.weapons[option], lang)
        if stage == st.Stage.ARMOUR:
            return called(self.armours[option], lang)
        return (ITEMS if stage == st.Stage.ITEM else TACTICS)[lang][option]

    def chosen(self, position: Position, seat: int, stage: int, lang: str) -> str:
        """What a seat has chosen at a stage, in a line."""
        chosen = self.option(position, seat, stage, int(position.record.choice[seat, stage]), lang)
        return f"  {STAGES[lang][stage]}: {chosen}"

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """The own choices; both characters at the end."""
        s = position.record
        seats = [0, 1] if position.over else []
        lines = []
        for i in seats:
            lines.append(position.game.seats[i].called(lang))
            for stage in range(st.STAGES):
                if s.choice[i, stage] >= 0:
                    lines.append(self.chosen(position, i, stage, lang))
        if position.over and self.fight is not None:
            lines += self.fight.fight(s, position.game.params, None, lang)
        elif position.over:
            word = pick(
                lang,
                "chance of the first seat to win minus that to lose",
                "Siegchance minus Verlustchance, erster Platz",
            )
            worth = f"{float(s.worth):+.4f}"
            lines.append(f"{word}: {number_in(worth, lang)}")
        elif seat is not None:
            at = min(int(s.stage_no), st.STAGES - 1)
            lines.append(f"{pick(lang, 'stage', 'Stufe')} {at + 1}/{st.STAGES}: {STAGES[lang][at]}")
            left = self.points_left(position, seat)
            if left is not None:
                lines.append(f"{pick(lang, 'points to spend', 'Punkte zu verteilen')}: {left}")
            for stage in range(int(s.stage_no)):
                lines.append(self.chosen(position, seat, stage, lang))
        return "\n".join(lines) or pick(lang, "both choose in secret", "beide wählen geheim")

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """What happens in the skirmish; all choices are secret."""
        return self.fight.event(event, seat, lang) if self.fight is not None else ""

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """Dice of the skirmish."""
        return self.fight.fell(position, outcome, lang) if self.fight is not None else ""
