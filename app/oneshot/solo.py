"""A run of OneShot: a party, then missions of growing difficulty with saga points spent between them, until it falls.

R61, R120 to R126, R129b, R137: wounds heal after a mission (but for `will_to_live`), everybody alive gets a saga point
and one more for each optional condition that was kept, and nobody dead comes back. Ours: items that are used are gone,
what was found is kept, tools are mended; two missions of each degree of difficulty, up to the sixth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...envs.core.game import Game, Position
from ...envs.core.rng import derive_seed
from ...envs.oneshot import state as st
from ...envs.oneshot.character.kit import COMBAT, ITEMS, PHYSICAL, Kit
from ...envs.oneshot.character.kit_file import load_kit
from ...envs.oneshot.character.sheet import advance, carried_wounds, derive
from ...envs.oneshot.params import check_options
from ...envs.oneshot.system import SYSTEM
from ...envs.oneshot.text import called
from ..session.solo import Host, Score, Setting, SoloRun
from .recruit import Char, Menu, hired, named, raised_to, spent_on_skills

CONFIG: dict[str, Any] = {"social_offset": 3, "max_count": 400, "strict_builds": False, "allow_will_to_live": True}
MOST = 4  # heroes of a party
A_DEGREE = 2  # missions of each degree of difficulty
HIGHEST = 6
COMPANION = "cleaver"  # who plays the others where they play themselves
SETTINGS = {
    "companions": Setting(
        ("who plays the other heroes", "wer die anderen Helden spielt"),
        {"mine": ("you", "du"), "machine": ("the machine", "die Maschine")},
    ),
    "wounds": Setting(
        ("what becomes of wounds between missions", "was zwischen den Missionen aus Wunden wird"),
        {
            "healed": ("they heal, as the rules say", "sie heilen, wie die Regeln sagen"),
            "carried": ("they stay, which is harder", "sie bleiben, was schwerer ist"),
        },
    ),
}


def setup_of(heroes: list[dict[str, Any]], degree: int) -> dict[str, Any]:
    """The set-up of a mission for heroes with `char`, `saga` and `wounds`."""
    party = [{"char": h["char"], "saga_points": min(20, h["saga"]), "wounds": h["wounds"]} for h in heroes]
    return {"config": {**CONFIG, "party_size": len(heroes), "sg": degree}, "heroes": party}


def outcome(position: Position) -> dict[str, Any]:
    """How a mission has ended: success, optional conditions that were kept, and each hero's state."""
    s, party = position.record, int(position.game.params.party)
    kept = 0
    for i in range(int(s.n_cond)):
        met = not s.cond_failed[i]
        if int(s.cond_kind[i]) == st.Condition.COMBINED:
            met = met and int(s.cond_scenario[i]) >= 0 and bool(s.met[int(s.cond_scenario[i])])
        kept += bool(met) and s.cond_level[i] == st.ConditionLevel.OPTIONAL
    heroes = [
        {
            "alive": int(s.standing[i]) in (st.Status.UP, st.Status.UNCONSCIOUS),
            "wounds": int(s.wounds[i]),
            "saga": int(s.saga[i]),
            "items": [int(n) for n in s.items[i]],
            "tools": [int(n) != 0 for n in s.tools[i]],
        }
        for i in range(party)
    ]
    return {"success": bool(s.success), "kept": int(kept), "heroes": heroes}


def course(host: Host) -> Score:
    """The whole run."""
    options, kit = check_options(CONFIG, "mission"), load_kit(None)
    menu = Menu(host, options, kit)
    host.tell(
        host.text(
            "A run: missions of growing difficulty, until the party falls or retires. Each mission that is "
            "accomplished counts as much as its difficulty.",
            "Ein Lauf: Missionen wachsender Schwierigkeit, bis die Gruppe fällt oder sich zur Ruhe setzt. Jede "
            "erfüllte Mission zählt so viel wie ihre Schwierigkeit.",
        )
    )
    sizes = [
        host.text("1 hero" if n == 1 else f"{n} heroes", "1 Held" if n == 1 else f"{n} Helden")
        for n in range(1, MOST + 1)
    ]
    size = 1 + host.pick(host.text("How many heroes?", "Wie viele Helden?"), sizes)
    heroes: list[dict[str, Any]] = []
    for k in range(size):
        char = named(hired(menu, k + 1), [hero["char"] for hero in heroes])
        heroes.append({"char": char, "saga": 1, "wounds": 0})
    points, number, won = 0, 0, 0
    while True:
        degree = min(HIGHEST, 1 + number // A_DEGREE)
        number += 1
        hard = host.text("difficulty", "Schwierigkeit")
        host.tell(f"\nMission {number}, {hard} {degree}")
        found = host.game(
            lambda party=list(heroes), sg=degree: SYSTEM.spec_of_setup(setup_of(party, sg), "oneshot-mission"),
            lambda game: _cast(host, game),
            derive_seed(host.seed, "mission", number),
            outcome,
        )
        if found["success"]:
            points, won = points + degree, won + 1
        heroes = survivors(host, heroes, found, options, kit)
        if not heroes:
            break
        if _retires(host, points):
            break
        for hero in heroes:
            _improve(menu, hero)
    end = host.text("The party has retired", "Die Gruppe setzt sich zur Ruhe")
    if not heroes:
        end = host.text("The party has fallen", "Die Gruppe ist gefallen")
    words = host.text(
        f"{end}. Missions: {number}, accomplished: {won}, points: {points}.",
        f"{end}. Missionen: {number}, erfüllt: {won}, Punkte: {points}.",
    )
    return Score(float(points), words)


def _cast(host: Host, game: Game) -> dict[int, str]:
    """Who plays whom."""
    others = "human" if host.settings["companions"] == "mine" else COMPANION
    return {seat: others if seat else "human" for seat in range(game.n_seats)}


def _retires(host: Host, points: int) -> bool:
    """Whether the person lets it be."""
    question = host.text(f"Points so far: {points}. What now?", f"Punkte bisher: {points}. Was nun?")
    return host.pick(question, host.text("go on|retire", "weiter|zur Ruhe setzen").split("|")) == 1


def survivors(
    host: Host, heroes: list[dict[str, Any]], found: Mapping[str, Any], options: Mapping[str, Any], kit: Kit
) -> list[dict[str, Any]]:
    """The survivors with their pay, healed as the rules or the setting say."""
    result = host.text("accomplished", "erfüllt") if found["success"] else host.text("failed", "gescheitert")
    kept_conditions = int(found["kept"])
    pay = 1 + kept_conditions
    host.tell(host.text(f"The mission is over: {result}.", f"Die Mission ist vorbei: {result}."))
    anybody = any(state["alive"] for state in found["heroes"])
    if anybody and kept_conditions:  # R120: else a failure that pays two looks like a mistake
        host.tell(
            host.text(
                f"Whoever is alive gets 1 saga point for taking part, and {kept_conditions} for optional conditions "
                "kept; the rules pay both after a failure, too.",
                f"Wer lebt, bekommt 1 Sagenpunkt fürs Dabeisein und {kept_conditions} für eingehaltene optionale "
                "Bedingungen; beides zahlen die Regeln auch nach einem Misserfolg.",
            )
        )
    left = []
    for hero, state in zip(heroes, found["heroes"], strict=True):
        char: Char = {**hero["char"]}
        name = called(char["name"], host.lang)
        if not state["alive"]:
            host.tell(host.text(f"  {name} is dead.", f"  {name} ist tot."))
            continue
        limit = derive(char, options, kit)["wound_limit"]
        kept = carried_wounds(char, int(state["wounds"]), options)
        if host.settings["wounds"] == "carried":
            kept = min(limit, int(state["wounds"]))
        char["items"] = {item: n for item, n in zip(ITEMS, state["items"], strict=True) if n}
        char["tools"] = [tool for tool, whole in zip(kit.tools, state["tools"]) if whole]
        saga = int(state["saga"]) + pay
        host.tell(
            host.text(
                f"  {name}: saga points +{pay}, now {saga}; wounds {kept}/{limit}",
                f"  {name}: Sagenpunkte +{pay}, jetzt {saga}; Wunden {kept}/{limit}",
            )
        )
        left.append({"char": char, "saga": saga, "wounds": min(kept, limit)})
    return left


def _improve(menu: Menu, hero: dict[str, Any]) -> None:
    """R121 to R126: spend saga points on values; whoever keeps some may avert wounds with them (R127)."""
    host, options = menu.host, menu.options
    while True:
        offers = []
        for name in menu.raisable(hero["char"]):
            tried = _copy(hero["char"])
            answer = advance(tried, name, hero["saga"], options)
            if "cost" in answer:
                offers.append((name, answer["cost"], menu.value(tried, name)))
        if not offers:
            return
        name = called(hero["char"]["name"], host.lang)
        host.tell(f"{name}: {menu.told(hero['char'])}")
        question = host.text(
            f"Saga points of {name}: {hero['saga']}; each may also avert a wound. Raise what?",
            f"Sagenpunkte von {name}: {hero['saga']}; jeder kann auch eine Wunde abwenden. Was steigern?",
        )
        keep = host.text("keep the rest", "den Rest behalten")
        taken = host.pick(question, [keep, *(raised_to(menu, n, value, cost) for n, cost, value in offers)])
        if taken == 0:
            return
        raised = offers[taken - 1][0]
        char = _copy(hero["char"])
        answer = advance(char, raised, hero["saga"], options)
        hero["saga"] = answer["left"]
        for budget, points in answer["grants"].items():  # R123
            _granted(menu, char, budget, points)
        hero["char"] = char


def _granted(menu: Menu, char: Char, budget: str, points: int) -> None:
    """R123: points that an attribute brings are distributed at once."""
    if budget == "skill":
        spent_on_skills(menu, char, points)
        return
    fields = {"physical": PHYSICAL, "combat": COMBAT}.get(budget, menu.social)
    for _ in range(points):
        question = menu.host.text("The attribute brings a point for:", "Die Eigenschaft bringt einen Punkt für:")
        char[fields[menu.host.pick(question, [menu.word(field) for field in fields])]] += 1


def _copy(char: Mapping[str, Any]) -> Char:
    """A character that can be changed."""
    return {**char, "skills": dict(char["skills"])}


GUIDE = (
    (
        ("The aim", "Das Ziel"),
        (
            "Points: each mission that is accomplished counts as much as its difficulty, which rises after every "
            "second one. The run ends when nobody is left, or when you retire.",
            "Punkte: jede erfüllte Mission zählt so viel wie ihre Schwierigkeit, die nach jeder zweiten steigt. Der "
            "Lauf endet, wenn niemand mehr übrig ist, oder wenn du dich zur Ruhe setzt.",
        ),
    ),
    (
        ("A mission", "Eine Mission"),
        (
            "Rooms behind doors, and in them fights, traps, talks and things to find. The goal stands at the top: not "
            "every mission asks for a fight, and each has a clock.",
            "Räume hinter Türen, darin Kämpfe, Fallen, Gespräche und Dinge zu finden. Das Ziel steht oben: nicht jede "
            "Mission verlangt einen Kampf, und jede hat eine Uhr.",
        ),
    ),
    (
        ("A hero in one line", "Ein Held in einer Zeile"),
        (
            "Attack is what a roll must come to in order to hit, initiative how often a turn comes: of both less is "
            "better. Defence is what damage must come to, wounds are how many a hero bears: of both more is better.",
            "Angriff ist, was ein Wurf zum Treffen ergeben muss, Initiative, wie oft man drankommt: von beidem ist "
            "weniger besser. Verteidigung ist, was der Schaden ergeben muss, Wunden, wie viele ein Held erträgt: von "
            "beidem ist mehr besser.",
        ),
    ),
    (
        ("What stays", "Was bleibt"),
        (
            "Heroes, what they have found, and saga points: they raise values between missions, or avert a wound in "
            "one. Things that are used are gone, and nobody dead comes back.",
            "Helden, was sie gefunden haben, und Sagenpunkte: sie steigern Werte zwischen den Missionen oder wenden in "
            "einer eine Wunde ab. Was gebraucht wurde, ist weg, und wer tot ist, kommt nicht wieder.",
        ),
    ),
)
RUN = SoloRun(
    (
        "A party, then missions of growing difficulty, until it falls.",
        "Eine Gruppe, dann Missionen wachsender Schwierigkeit, bis sie fällt.",
    ),
    course,
    SETTINGS,
    GUIDE,
)

__all__ = ["RUN", "course", "outcome", "setup_of", "survivors"]
