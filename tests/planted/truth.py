"""What is true of the planted modules, and what the stress lab says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.findings import Findings
from probespiel.evaluation.stress.game_verdict import GUESSING, SIDED
from probespiel.evaluation.stress.run import run_stress
from probespiel.evaluation.stress.verdict import SURE

from ..known_worth import (
    drill_worth,
    feint_worth,
    kuhn_bound_worth,
    kuhn_worth,
    oath_worth,
    onslaught_worth,
    rampart_worth,
    stone_worth,
    underdog_worth,
    zeal_worth,
)

HERE = Path(__file__).parent
COSTS = HERE.parent / "planted_costs"
THREE = str(HERE / "three.json")  # a melee of three, each for itself
TRUCE = str(COSTS / "truce.json")  # a clash about power between equals
ROUND = {"max_rounds": 1, "contest_tie": "draw"}  # tests of ews_rps are single rounds
CARD = 0.3130  # EP: one card more in the even duel, 7 against 6 cards with one trump each (E4)
ACES = comb(28, 2) / comb(32, 6)  # six cards with all four aces
POOR = comb(21, 6) / comb(32, 6)  # six cards without one of the eight trumps and of the other three aces
ROUNDED = 1e-6  # margins are kept in single precision
STRONG = ("strong", "overpowered")
NEUTRAL = ("neutral",)


@dataclass(frozen=True)
class Plant:
    """A module with the words that are right for its holder and, if they can be known, for the game.

    `worth` is what having it is worth by other means, `within` how far a measured one may be from that: 0 where the lab
    solves the game. `paid` is what its holder itself is paid more (of a
    rule of the whole table: everybody), where that is not told by a lead. `best`: whether
    one way to play is best against every other if all have it; `decides`: whether there are games that it decides.
    """

    game: str
    holder: tuple[str, ...]
    table: tuple[str, ...] = ()
    worth: Callable[[], float] | None = None
    within: float = 0.0
    scenario: str | None = None
    config: dict[str, Any] = field(default_factory=dict)
    folder: Path = HERE
    paid: float | None = None
    best: bool | None = None
    decides: bool | None = None


BROKEN = ("broken",)
PLANTS = {
    # einBlatt
    "turncoat": Plant("einblatt-duel", ("overpowered",)),
    "burnt_offering": Plant("einblatt-duel", ("dead rule",)),
    "free_lunch": Plant("einblatt-duel", ("always-use",), worth=lambda: CARD, within=0.06),
    "echo": Plant("einblatt-duel", BROKEN, BROKEN),
    "early_bird": Plant("einblatt-duel", ("seat-favouring",)),
    "courtesy": Plant("einblatt-duel", NEUTRAL, worth=lambda: 0.0, within=0.03),
    "patrons": Plant("einblatt-duel", ("always-use",), (GUESSING,), worth=lambda: 0.8 / 2, within=0.05),
    "beggars": Plant("einblatt-duel", ("small",), worth=lambda: 4 * POOR / 2, within=0.03),
    "four_aces": Plant("einblatt-duel", NEUTRAL, ("changes little",), worth=lambda: 8 * ACES / 2, within=0.02),
    # one answer pays and the other does nothing: whoever answers declines it by that, and nobody should
    "purse": Plant("einblatt-duel", ("always-use",), worth=lambda: 0.3 / 2, within=0.03, paid=0.3),
    # both must have it to be asked, and who sits where makes no odds
    "pennies": Plant("einblatt-duel", NEUTRAL, (GUESSING,), worth=lambda: 0.0, within=0.02),
    "mute": Plant("einblatt-duel", BROKEN, BROKEN),
    "riddle": Plant(  # who counts its trumps is paid, who guesses is not
        "einblatt-duel",
        ("small",),
        ("changes the game", "more decisions matter"),
        worth=lambda: 0.3 / 2,
        within=0.03,
        paid=0.3,
    ),
    "comet": Plant(  # its die shifts all later ones: one game in a hundred is decided by it, many differ by luck
        "einblatt-duel",
        NEUTRAL,
        ("no change shown", "changes little"),
        worth=lambda: 10 / 100 / 2,
        within=0.03,
        decides=True,
    ),
    "penance": Plant(  # a trap for beginners, and no decision of anybody else
        "einblatt-melee",
        ("dead rule",),
        ("skill tells more", "no change shown", "changes little"),
        worth=lambda: 0.0,
        within=0.05,
        scenario=THREE,
    ),
    "pawnshop": Plant("einblatt-duel", ("always-use",), worth=lambda: (1.0 - 0.2) / 2, within=0.05, paid=1.0 - 0.2),
    "chronicle": Plant("einblatt-campaign", NEUTRAL, ("decoration", "changes little"), worth=lambda: 0.0, within=0.25),
    # ews_rps
    "granite": Plant("ews_rps", ("small", "strong"), worth=stone_worth, config=ROUND),
    "dowry": Plant("ews_rps", ("small", "strong"), worth=lambda: 0.05),
    # whoever shows what the other does wins, too: two of three symbols in tests of its own
    "ties_stand": Plant("ews_rps", STRONG, worth=lambda: (2 - 1) / 3 / 2, config=ROUND),
    "trinket": Plant("ews_rps", NEUTRAL, ("decoration",), worth=lambda: 0.0, config=ROUND),
    "short_straw": Plant("ews_rps", BROKEN, BROKEN),
    "alms": Plant("ews_rps", ("always-use",), worth=lambda: 0.03 / 2),
    "tribute": Plant("ews_rps", NEUTRAL, ("no change shown", "changes little"), worth=lambda: 0.0),
    "morra": Plant("ews_rps", NEUTRAL, (GUESSING,), worth=lambda: 0.0, config=ROUND),
    "lucky_star": Plant("ews_rps", ("small", "strong"), worth=lambda: 0.3 / 6 / 2 / 2, config=ROUND),
    "twin_keys": Plant(  # 0.3 of a test in every second one; who turns keys blindly loses by it
        "ews_rps",
        ("overpowered", "always-use"),
        ("skill tells more", "fewer draws", "changes the game", "no change shown"),
        worth=lambda: 0.3 / 2,
    ),
    "hot_hand": Plant(  # bets part what would be drawn: 14 points fewer draws, 8 points more for whoever bets better
        "ews_rps",
        ("small",),
        ("fewer draws", "skill tells more", "changes the game"),
        worth=lambda: 0.3 / 24,
    ),
    "underdog": Plant("ews_rps", ("small",), worth=underdog_worth),
    # of rock and paper the other side needs paper and scissors alone; where all have it paper beats rock and draws
    # with itself, so that whoever plays well draws every round: the lead, which changes without it, never does
    "palm": Plant(
        "ews_rps", STRONG, ("skill tells more", "changes the game"), worth=lambda: -1 / 3, config=ROUND, best=True
    ),
    "crystal": Plant("ews_rps", ("small",), worth=lambda: 0.2 / 2 / 2 / 2),
    # one stone in three is found, in every second test
    "seer": Plant("ews_rps", ("small",), worth=lambda: 0.3 / 3 / 2 / 2),
    # tickets bring 60 in a sixth of the cases and cost 4, in every second test; to buy one is always right
    "raffle": Plant("ews_rps", ("always-use",), worth=lambda: (0.6 / 6 - 0.04) / 2 / 2),
    # a dearer ticket; whoever leaves it alone plays as without it
    "swindle": Plant("ews_rps", ("dead rule",), worth=lambda: 0.0),
    # konfrontation
    "zeal": Plant("konfrontation-clash", STRONG, worth=zeal_worth, scenario=TRUCE),
    "oath": Plant("konfrontation-clash", STRONG, worth=lambda: oath_worth(10), scenario=TRUCE, folder=COSTS),
    "drill": Plant("konfrontation-clash", STRONG, worth=drill_worth, scenario=TRUCE),
    "kneel": Plant("konfrontation-clash", ("dead rule",), worth=lambda: 0.0, scenario=TRUCE, decides=False),
    "ropewalk": Plant(
        "konfrontation-clash",
        ("dead rule",),
        ("no change shown", "changes little", "skill tells more"),
        worth=lambda: 0.0,
        scenario=TRUCE,
    ),
    "onslaught": Plant("konfrontation-clash", ("small",), (SIDED,), worth=onslaught_worth, scenario=TRUCE),
    "rampart": Plant("konfrontation-clash", STRONG, (SIDED,), worth=rampart_worth, scenario=TRUCE),
    "motto": Plant("konfrontation-clash", NEUTRAL, worth=lambda: 0.0),
    "schools": Plant("konfrontation-clash", ("shared",), (GUESSING,)),
    "ambush": Plant("konfrontation-clash", ("shared",), (GUESSING,), scenario=TRUCE),
    "second_dawn": Plant(
        "konfrontation-campaign",
        ("seat-favouring",),
        ("sitting first is worse",),
        worth=lambda: 0.2 / 2 / 2,
        within=0.02,
        paid=0.2 / 2,
    ),
    "stipend": Plant("konfrontation-campaign", ("small",), worth=lambda: 0.1, within=0.01),
    "feint": Plant("konfrontation-clash", STRONG, (GUESSING,), worth=feint_worth, scenario=TRUCE),
    "feast": Plant("konfrontation-campaign", ("shared",), worth=lambda: 0.0, within=0.02, paid=0.2),
    "alms_box": Plant(
        "konfrontation-campaign", ("strong",), worth=lambda: -0.3 / 2, within=0.01, scenario="triad", paid=0.0
    ),
    "treadmill": Plant("konfrontation-clash", BROKEN, BROKEN),
    # Scorekeeper
    "keen_edge": Plant("scorekeeper-duel", STRONG),
    "ribbon": Plant("scorekeeper-duel", NEUTRAL, worth=lambda: 0.0, within=0.05),
    "flourish": Plant("scorekeeper-duel", ("dead rule",)),
    # equals win as often as they lose; what `quick` leaves open is no flaw
    "side_bet": Plant("scorekeeper-duel", ("neutral", "undecided"), worth=lambda: 0.0, within=0.05),
    "wooden_swords": Plant("scorekeeper-duel", STRONG, ("stalls the game",)),
    # half of the lead of a side of four, each of whom is paid two tenths: between skirmishes that differ by more
    "gauntlet": Plant("scorekeeper-skirmish", ("small",), worth=lambda: 0.2 / 2, within=0.01, paid=0.2),
    "coin_judge": Plant(
        "scorekeeper-duel",
        ("shared",),
        ("changes the game", "shorter games"),
        worth=lambda: 0.0,
        within=0.03,
    ),
    "war_dance": Plant("scorekeeper-skirmish", ("shared",), (GUESSING,)),
    "cracked_bell": Plant("scorekeeper-duel", BROKEN, BROKEN),
    "late_bell": Plant("scorekeeper-duel", BROKEN, BROKEN),
    # OneShot
    "iron_arm": Plant("oneshot-skirmish", STRONG),
    "pennant": Plant("oneshot-skirmish", NEUTRAL, worth=lambda: 0.0, within=0.05),
    "bulwark": Plant("oneshot-skirmish", ("overpowered",), ("stalls the game",)),
    "hum": Plant("oneshot-parley", NEUTRAL, ("decoration",), worth=lambda: 0.0, within=0.15),
    "two_purses": Plant("oneshot-parley", ("always-use", "small"), worth=lambda: 0.3 / 2, within=0.03),
    "old_coat": Plant("oneshot-parley", ("always-use",), worth=lambda: 0.3 / 2, within=0.03, paid=0.3),
    # n coins bring n(6-n)/50
    "tithe": Plant("oneshot-parley", ("always-use",), worth=lambda: 3 * (6 - 3) / 50 / 2, within=0.03, paid=0.18),
    # two of three answers are as good as each other: nothing is guessed; a talk has one side, so that no lead is halved
    "three_doors": Plant(
        "oneshot-parley",
        STRONG,
        ("more decisions matter", "skill tells less", "no change shown", "changes little"),
        worth=lambda: 0.2,
        within=0.03,
        scenario="market",
    ),
    # to burn one only costs; to have them is an advantage all the same
    "embers": Plant("oneshot-parley", ("dead rule",), worth=lambda: 0.04 * 5 / 2, within=0.01, paid=0.2),
    "amulet": Plant("oneshot-mission", ("small",), ("changes little",), worth=lambda: 0.05, within=ROUNDED),
    "heirloom": Plant("oneshot-build", ("dead rule",), worth=lambda: 0.0, within=0.02),
    "fog": Plant("oneshot-skirmish", ("shared",), ("longer games", "changes the game", "stalls the game")),
    "scholarship": Plant(  # little, but of two who build equally well it lets one win each game
        "oneshot-build", ("small", "strong", "overpowered", "always-use"), worth=lambda: 0.1 / 2, within=0.03
    ),
    "three_banners": Plant("oneshot-build", ("shared",), (GUESSING,)),
    "choked": Plant("oneshot-parley", BROKEN, BROKEN),
    "far_shelf": Plant("oneshot-skirmish", BROKEN, BROKEN),
    # Leduc and Kuhn poker
    "quiet_table": Plant("leduc", ("shared", "seat-favouring"), ("changes the game",)),
    "jacks": Plant("kuhn", STRONG, worth=lambda: kuhn_worth((3, 1, 2))),
    "proud_king": Plant("kuhn", NEUTRAL, worth=lambda: kuhn_bound_worth(({0, 1}, {0, 1}, {1}))),
    "honest_jack": Plant(  # without bluffs the first seat checks everything, and the deal decides
        "kuhn", NEUTRAL, ("changes the game",), worth=lambda: kuhn_bound_worth(({0}, {0, 1}, {0, 1}))
    ),
    # a king that is folded brings no lead with it, and two if it calls
    "pardon": Plant("kuhn", NEUTRAL, ("no change shown", "changes little"), worth=lambda: 0.0),
    "twin_queens": Plant("kuhn", ("small", "strong"), worth=lambda: kuhn_worth((0, 2, 2))),
}


def findings(name: str, folder: Path, budget: str, jobs: int = 2, seed: int = 1) -> Findings:
    """What the lab finds out about a planted module."""
    plant = PLANTS[name]
    path = str(plant.folder / f"{name}.py")
    settings = Settings(plant.game, path, scenario=plant.scenario, config=plant.config, budget=budget, seed=seed)
    return run_stress(settings, folder, jobs, overwrite=True)[0]


def wrong(name: str, found: Findings) -> list[str]:
    """What the lab says of a planted module that is not so, in words; [] if all is right."""
    plant = PLANTS[name]
    out = []
    for what, verdict, words in (("holder", found.verdict, plant.holder), ("game", found.game_verdict, plant.table)):
        if words and (verdict is None or verdict.word not in words):
            out.append(f"{what}: {verdict.word if verdict else 'nothing'}, not {' or '.join(words)}")
    if plant.worth is not None:
        out += _worth(plant.worth(), plant.within, found)
    if plant.paid is not None:
        own = (found.paid.own or found.paid.everybody) if found.paid else None
        if own is None or abs(own.value - plant.paid) > 0.05:
            out.append(f"paid: {own.value if own else 0.0:+.3f}, not {plant.paid:+.3f}")
    if plant.best is not None and found.dominance is not None:
        best = found.dominance.everybody.dominant
        if (best.share >= SURE) != plant.best:
            out.append(f"best against every other: {best.name} in {best.share:.0%}")
    if plant.decides is not None and found.sample is not None and found.sample.found != plant.decides:
        out.append(f"a game that it decides: {found.sample.moment or 'none'}")
    if plant.holder == BROKEN:
        own = [fault for fault in found.faults if fault.where != "nobody"]
        out += [f"no replay: {fault.text}" for fault in own if not fault.replay and not fault.length]
    return out


def _worth(true: float, within: float, found: Findings) -> list[str]:
    if found.worth is None:
        return [f"worth: not measured, but known to be {true:+.3f}"]
    overall, bounds = found.worth.overall, found.worth.bounds
    if not within:
        told = f"exact {overall.value:+.4f}" if found.worth.exact else f"measured {overall.value:+.4f}"
        return [] if found.worth.exact and abs(overall.value - true) < 1e-6 else [f"worth: {told}, not {true:+.4f}"]
    low, high = (bounds.overall.low, bounds.overall.high) if bounds else (overall.low, overall.high)
    out = [] if abs(overall.value - true) <= within else [f"worth: {overall.value:+.3f}, not {true:+.3f}"]
    held = low - ROUNDED <= true <= high + ROUNDED
    return out if held else [*out, f"worth: {low:+.3f} to {high:+.3f} misses {true:+.3f}"]


def line(name: str, found: Findings, faults: Sequence[str]) -> str:
    """A line of the table: module, game, verdicts, worth, the known worth, and what is wrong."""
    plant = PLANTS[name]
    worth = found.worth
    told = ""
    if worth is not None:
        ends = f"({worth.overall.low:+.3f} to {worth.overall.high:+.3f})"
        told = f"{worth.overall.value:+.3f} {'exact' if worth.exact else ends}"
    known = "" if plant.worth is None else f"{plant.worth():+.3f}"
    words = [verdict.word if verdict else "-" for verdict in (found.verdict, found.game_verdict)]
    return " | ".join([f"{name:15}", f"{plant.game:20}", f"{words[0]:14}", f"{words[1]:24}", f"{told:26}",
                       f"{known:7}", "; ".join(faults) or "right"])  # fmt: skip


__all__ = ["PLANTS", "Plant", "findings", "line", "wrong"]
