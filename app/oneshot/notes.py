"""What stands beside actions of OneShot: chances of attacks, edges and words; what an option of a build is worth."""

from __future__ import annotations

from dataclasses import replace

from ...envs.core.observe import Layout
from ...envs.oneshot.parley.observe import TALK_SIZE, talk_pieces
from ..session.notes import Notes, meddling
from ..session.sight import Sight
from .build import worth_of
from .build_words import option_words, stage_words
from .ground import ATTACK_HOOKS, attack_odds, edge_notes, figures_by_row, figures_of
from .talk import sheet_legend, talk_legend, talk_notes
from .trying import trying_legend, trying_notes


def _fight(sight: Sight) -> dict[int, str]:
    """Of attacks and edges."""
    found = _items(sight)
    if not sight.of_verb("attack", "edge"):
        return found
    figures = figures_of(sight, figures_by_row(sight))
    odds = {action: found.text(sight) for action, found in attack_odds(sight, figures).items()}
    return found | odds | edge_notes(sight, figures)


def _items(sight: Sight) -> dict[int, str]:
    """R52, R113 to R115: what an item does, and an execution."""
    p = sight.game.params
    heals, area, more = int(p.heal_amount), int(p.flask_area), sight.signed(int(p.flask_damage))
    told = {
        "heal": sight.pick(f"takes {heals} wounds away", f"heilt {heals} Wunden"),
        "salts": sight.pick(
            "it wakes, with no more wounds than its limit",
            "sie wacht auf, mit nicht mehr Wunden als ihr Limit",
        ),
        "flask": sight.pick(
            f"everybody within {area} of the target, friends too: d6 {more} against the defence",
            f"alle bis {area} neben dem Ziel, auch Freunde: W6 {more} gegen die Verteidigung",
        ),
        "execute": sight.pick("dead, without a roll", "tot, ohne Wurf"),
    }
    if heals == 1:
        told["heal"] = sight.pick("takes 1 wound away", "heilt 1 Wunde")
    return {choice.action: told[choice.verb] for choice in sight.of_verb(*told)}


def _build(sight: Sight) -> dict[int, str]:
    """Of the options of a stage: what the build with each of them would earn from plain rivals."""
    verb, found = ("of the points", "der Punkte"), dict[int, str]()
    unused = sight.pick("; items are not used", "; Gegenstände werden nicht benutzt")
    idle = unused if sight.phase == "build_item" and sight.game.spec.options.get("pilot") != "grid" else ""
    for action, share in worth_of(sight)[1].items():
        found[action] = f"{share} {sight.pick(*verb)}{idle}"
    for action, words in option_words(sight).items():
        found[action] = "; ".join(part for part in (words, found.get(action, "")) if part)
    return found


def _mission(sight: Sight) -> dict[int, str]:
    """Of fights, of talks and of tests within a mission."""
    return talk_notes(_talk(sight)) if sight.of_verb("talk") else trying_notes(sight) or _fight(sight)


def _talk(sight: Sight) -> Sight:
    """A talk within a mission as one that stands for itself."""
    return replace(sight, pieces=Layout(talk_pieces()).view(sight.pieces["parley"][:TALK_SIZE]))


_OF = {
    "oneshot-skirmish": _fight,
    "oneshot-parley": talk_notes,
    "oneshot-build": _build,
    "oneshot-mission": _mission,
}


def notes(sight: Sight) -> dict[int, str]:
    """By action."""
    return _OF[sight.game.name](sight)


def legend(sight: Sight) -> str:
    """What choices of a character are for, what shares of builds are, the chances of words, what hangs on a test."""
    if sight.of_verb("triple", "split"):
        return sheet_legend(sight)
    if sight.of_verb("talk"):
        return talk_legend(_talk(sight) if sight.game.name == "oneshot-mission" else sight)
    if sight.game.name != "oneshot-build":
        return trying_legend(sight) if sight.game.name == "oneshot-mission" else ""
    share = sight.pick(
        "beside each: the exact share of the points of a duel, a draw counting half, on average against a plain "
        "fighter and a plain talker, if you buy the rest as a plain fighter would; a hint buys the rest as well as "
        "it can, and takes the other to do so, too",
        "daneben: der exakte Anteil der Punkte eines Zweikampfs, Unentschieden halb, im Mittel gegen einen einfachen "
        "Kämpfer und einen einfachen Redner, wenn du den Rest wie ein einfacher Kämpfer kaufst; "
        "ein Tipp kauft den Rest so gut wie möglich und nimmt das auch vom Gegner an",
    )
    return "\n".join(line for line in (stage_words(sight), share if worth_of(sight)[1] else "") if line)


def missing(sight: Sight) -> str:
    """Which rule modules keep the chances of attacks from being told."""
    titles = meddling(sight, ATTACK_HOOKS) if sight.of_verb("attack") else []
    if not titles:
        return ""
    names = ", ".join(titles)
    return sight.pick(
        f"no chances beside attacks, for a rule module can change them: {names}",
        f"keine Chancen neben Angriffen, denn ein Regelmodul kann sie ändern: {names}",
    )


NOTES = Notes(notes, legend, missing)
