"""The screen of the game of builds: a form that fills, what the points buy and are worth, and both builds at last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...envs.core.game import Game, Position
from ...envs.core.texts import number_in
from ...envs.oneshot import exact
from ...envs.oneshot.actions import splits
from ...envs.oneshot.build.ending import SIDES
from ...envs.oneshot.build.legal import perk_sets
from ...envs.oneshot.build.text import STAGES
from ...envs.oneshot.character.kit import ATTRIBUTES, COMBAT, PHYSICAL, SOCIAL, Kit
from ...envs.oneshot.character.kit_file import load_kit
from ...envs.oneshot.character.sheet import derive, greedy_skills, normal, skill_budget
from ...envs.oneshot.state import STAGES as STAGES_OF_ALL
from ...envs.oneshot.state import Stage
from ..session.notes import chance_in
from ..session.sight import Sight, hot
from ..web.screens import Drawn
from .build_words import gear_left, stage_words

COUNTS = 60  # counts in which turns are told
_PLANS = (None, ("lore_race", None), ("lore_race", "first"), ("insight", None))  # of skill points, besides the weapon
# what is not bought yet
_MODEL = {
    "strength": 2,
    "stamina": 1,
    "base_attack": 1,
    "base_defence": 1,
    "base_initiative": 1,
}
# who the build is compared with: its name, and whether it talks
_RIVALS = ((("plain fighter", "einfachen Kämpfer"), False), (("plain talker", "einfachen Redner"), True))
Char = dict[str, Any]


def draw(sight: Sight) -> Drawn | None:
    """The values of the template, read from the position in words: the own build, at the end both."""
    names = STAGES["de" if sight.lang == "de" else "en"]
    seats: dict[str, dict[str, str]] = {}
    rest: list[str] = []
    whose = sight.names[sight.seat]
    for line in sight.told.splitlines():
        stage, colon, chosen = line.strip().partition(": ")
        if line in sight.names:
            whose = line
        elif line.startswith("  ") and colon and stage in names:
            seats.setdefault(whose, {})[stage] = chosen
        else:
            rest.append(line.strip())
    stage = hot(sight.pieces["stage"])
    over = len(seats) > 1 or stage < 0
    columns = [name for name in sight.names if name in seats] if over else [sight.names[sight.seat]]
    rows = [
        {
            "name": name.replace("/-", "/\u2011").replace("/", "/\u200b"),  # a narrow screen may break it there
            "chosen": [seats.get(column, {}).get(name, "") for column in columns],
            "now": not over and number_of == stage,
        }
        for number_of, name in enumerate(names)
    ]
    options = sight.game.spec.texts.options  # type: ignore[attr-defined]
    kit = load_kit(options["kit"])
    made = [hot(row) for row in sight.pieces["choices"]]
    char = character(sight.game.params, completed(sight.game, made, Model(sight.game, kit)), kit)
    rivals, notes = worth_of(sight)
    return Drawn.of(
        {
            "kind": "build",
            "columns": columns,
            "rows": rows,
            "rest": rest if over else [],
            "values": _values(sight, char, options, kit),
            "rivals": rivals,
            "noted": bool(notes),
            "whole": over,
            "stage": 0 if over else stage + 1,
            "words": "" if sight.named else stage_words(sight),
        },
        result=[line for line in sight.result if SIDES not in line] if over else None,  # the table shows both builds
    )


class Model:
    """Somebody who buys as a plain hero of a kind would: a fighter, or a talker who keeps enemies from striking."""

    def __init__(self, game: Game, kit: Kit, talker: bool = False) -> None:
        self.params, self.kit, self.talker = game.params, kit, talker

    def choose(self, stage: int, legal: Sequence[int], chosen: Sequence[int]) -> int:
        """The option that this model takes among the legal ones, after the choices of the stages before."""
        if stage == Stage.ATTRIBUTES:
            triples, order = triples_of(self.params, chosen), (2, 0) if self.talker else (0, 2)
            return max(legal, key=lambda option: [int(triples[option][k]) for k in order])
        if stage in (Stage.PHYSICAL, Stage.COMBAT):
            ways, fields = splits_of(self.params, stage, chosen), PHYSICAL if stage == Stage.PHYSICAL else COMBAT
            return min(legal, key=lambda option: _unlike(ways[option], fields))
        if stage == Stage.SOCIAL:
            return max(legal, key=lambda option: splits_of(self.params, stage, chosen)[option][2])
        if stage == Stage.WEAPON:
            names, wanted = list(self.kit.weapons), "sword" if self.talker else "axe"
            return next((option for option in legal if names[option] == wanted), legal[0])
        if stage == Stage.ARMOUR:
            armours = list(self.kit.armours.values())
            return max(legal, key=lambda option: armours[option]["bonus"])
        return legal[-1] if stage == Stage.TACTIC and self.talker else legal[0]


def triples_of(params: Any, chosen: Sequence[int]) -> Any:
    """The attribute triples from which those who took these perks may choose."""
    perks = perk_sets(3)[chosen[Stage.PERKS]]
    return params.triples[int("luck" in perks), int("special_gift" in perks)]


def splits_of(params: Any, stage: int, chosen: Sequence[int]) -> list[tuple[int, int, int]]:
    """The ways to split the points of a stage after the choices of those before."""
    values = triples_of(params, chosen)[chosen[Stage.ATTRIBUTES]]
    return splits(max(0, int(values[2 if stage == Stage.SOCIAL else 0])))


def completed(game: Game, mine: Sequence[int], model: Model) -> list[int]:
    """The choices made so far (-1 or left out where there are none), and those of the model for the rest."""
    return _bought(game, (mine, model), ((), model))[0]


def duel_of(game: Game, mine: Sequence[int], model: Model, rival: Model) -> float | None:
    """What a build, completed by a model, earns from a rival: the share of the points, a draw counting half.

    None where the duel is not computed but fought out.
    """
    own, other, position = _bought(game, (mine, model), ((), rival))
    position.apply(0, own[-1])
    position.apply(1, other[-1])
    return (1 + float(position.returns()[0])) / 2 if position.over else None


def _bought(game: Game, *buyers: tuple[Sequence[int], Model]) -> tuple[list[int], list[int], Position]:
    """All choices of both, and the position before the last one: with that the duel is computed."""
    position, chosen = game.position(), ([], [])
    for stage in range(STAGES_OF_ALL):
        for seat, (made, model) in enumerate(buyers):
            given, legal = made[stage] if stage < len(made) else -1, position.legal(seat)
            chosen[seat].append(given if given in legal else model.choose(stage, legal, chosen[seat]))
        if stage < STAGES_OF_ALL - 1:
            for seat in (0, 1):
                position.apply(seat, chosen[seat][-1])
    return (*chosen, position)


def character(params: Any, choices: Sequence[int], kit: Kit) -> Char:
    """The character of all choices."""
    perks = perk_sets(3)[choices[Stage.PERKS]]
    values = [int(value) for value in triples_of(params, choices)[choices[Stage.ATTRIBUTES]]]
    weapon = list(kit.weapons)[choices[Stage.WEAPON]]
    char: Char = {"perks": list(perks), **dict(zip(ATTRIBUTES, values, strict=True))}
    if "special_gift" in perks:
        char["gift"] = ATTRIBUTES[values.index(max(values))]
    for fields, stage in ((PHYSICAL, Stage.PHYSICAL), (COMBAT, Stage.COMBAT), (SOCIAL, Stage.SOCIAL)):
        char |= dict(zip(fields, splits_of(params, stage, choices)[choices[stage]], strict=True))
    char |= {"weapons": [weapon], "armour": list(kit.armours)[choices[Stage.ARMOUR]], "skills": {}}
    char = normal(char, kit)
    char["skills"] = _skills(kit.weapons[weapon]["group"], choices[Stage.SKILLS], skill_budget(char), params)
    return char


def _unlike(way: Sequence[int], fields: Sequence[str]) -> int:
    """How far a split is from that of a plain fighter."""
    return sum((value - _MODEL.get(name, 0)) ** 2 for value, name in zip(way, fields, strict=True))


def _skills(group: str, plan: int, points: int, params: Any) -> dict[str, int]:
    """Skill points by the plan: the weapon alone if none is chosen yet (4.6)."""
    surcharge = "linear" if int(params.skill_surcharge) == 0 else "progressive"
    other = _PLANS[max(0, plan)]
    if other is None:
        return greedy_skills([group], points, surcharge)
    name, first = other
    if first:  # that skill to rank 3, then the weapon
        return greedy_skills([name], min(points, 3), surcharge) | greedy_skills([group], max(0, points - 3), surcharge)
    return greedy_skills([group], points, surcharge, rest=name)


def hits_from(least: int, automatics: bool, lang: str) -> str:
    """From which throw of a die on an attack hits, in words where every throw or none does; see `hit_chance`.

    With `automatics` two of 36 throws miss whatever the values are, and two others hit.
    """
    if 2 <= least <= 6:
        return str(least)
    words = (("never", "nie"), ("always", "immer"))[least < 2]
    if automatics:
        words = (("hardly ever", "fast nie"), ("nearly always", "fast immer"))[least < 2]
    return words[lang == "de"]


def _values(sight: Sight, char: Char, options: Mapping[str, Any], kit: Kit) -> list[tuple[str, str]]:
    """What the choices so far come to."""
    sheet = derive(char, options, kit)
    weapon = kit.weapons[char["weapons"][0]]
    rank = char["skills"].get(weapon["group"], 0)
    power = "agility" if weapon["kind"] == "ranged" or "finesse" in char["perks"] else "strength"
    turns = number_in(f"{exact.expected_turns(sheet['initiative'], COUNTS):.1f}", sight.lang)
    found = [
        (sight.pick("attack (hits from a throw of)", "Angriff (trifft mit einem Wurf ab)"),
         hits_from(sheet["attack"] - rank + sheet["armour_malus"], bool(options["attack_automatics"]), sight.lang)),
        (sight.pick("damage added", "Schaden dazu"), number_in(f"{weapon['damage_mod'] + char[power]:+d}", sight.lang)),
        (sight.pick("defence", "Verteidigung"), str(sheet["defence"])),
        (sight.pick("wound limit", "Wundgrenze"), str(sheet["wound_limit"])),
        (sight.pick("initiative", "Initiative"),
         f"{sheet['initiative']} ({turns} {sight.pick(f'turns in {COUNTS} counts', f'Züge in {COUNTS} Zählern')})"),
        (sight.pick("move", "Bewegung"), str(sheet["move_range"])),
        (sight.pick("skill points", "Fertigkeitspunkte"), f"{sheet['skill_cost']}/{sheet['skill_budget']}"),
    ]  # fmt: skip
    left = gear_left(sight)
    if left is not None and not sight.over:
        found.append((sight.pick("budget left for gear", "übriges Geld für Ausrüstung"), str(left)))
    return found


def worth_of(sight: Sight) -> tuple[list[dict[str, Any]], dict[int, str]]:
    """What the build earns from each rival; and for each option of this stage what it would earn on average."""
    made = tuple(hot(row) for row in sight.pieces["choices"])
    now, later = _earned(sight.game, made, tuple(choice.action for choice in sight.choices))
    told = [{"name": sight.pick(*name), "points": round(100 * value)} for (name, _), value in zip(_RIVALS, now)]
    return told, {action: chance_in(share, sight.lang) for action, share in later.items()}


@lru_cache(maxsize=32)
def _earned(game: Game, made: tuple[int, ...], options: tuple[int, ...]) -> tuple[list[float], dict[int, float]]:
    """Shares of the points from each rival, and the mean of them by option of the stage under way; empty if unknown."""
    if not game.kernel.compiled:  # interpreted rules take half a second for each duel
        return [], {}
    kit = load_kit(game.spec.texts.options["kit"])  # type: ignore[attr-defined]
    model = Model(game, kit)

    def points(choices: Sequence[int]) -> list[float]:
        found = [duel_of(game, choices, model, Model(game, kit, talker=talker)) for _, talker in _RIVALS]
        return [value for value in found if value is not None]

    now, stage = points(made), sum(choice >= 0 for choice in made)
    if len(now) < len(_RIVALS):
        return [], {}
    earned = {option: points([*made[:stage], option]) for option in options}
    return now, {option: sum(values) / len(_RIVALS) for option, values in earned.items()}


__all__ = ["Model", "character", "completed", "draw", "duel_of", "worth_of"]
