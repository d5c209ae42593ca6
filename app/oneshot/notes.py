"""What stands beside actions of OneShot: chances of attacks, edges and words; what an option of a build is worth."""

from __future__ import annotations

from dataclasses import replace

from ...envs.core.observe import Layout
from ...envs.oneshot.parley.observe import TALK_SIZE, talk_pieces
from ..session.notes import Notes, meddling
from ..session.sight import Sight
from .build import worth_of
from .ground import ATTACK_HOOKS, attack_odds, edge_notes, figures_by_row, figures_of
from .talk import talk_legend, talk_notes
from .trying import trying_legend, trying_notes


def _fight(sight: Sight) -> dict[int, str]:
    """Of attacks and edges."""
    if not sight.of_verb("attack", "edge"):
        return {}
    figures = figures_of(sight, figures_by_row(sight))
    odds = {action: found.text(sight) for action, found in attack_odds(sight, figures).items()}
    return odds | edge_notes(sight, figures)


def _build(sight: Sight) -> dict[int, str]:
    """Of the options of a stage: what the build with each of them would earn from plain rivals."""
    verb = ("of the points", "der Punkte")
    return {action: f"{share} {sight.pick(*verb)}" for action, share in worth_of(sight)[1].items()}


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
    """What the shares beside options of a build are, the chances of words, and what hangs on a test."""
    if sight.of_verb("talk"):
        return talk_legend(_talk(sight) if sight.game.name == "oneshot-mission" else sight)
    if sight.game.name != "oneshot-build":
        return trying_legend(sight) if sight.game.name == "oneshot-mission" else ""
    return sight.pick(
        "beside each: the exact share of the points of a duel, a draw counting half, on average against a plain "
        "fighter and a plain talker, if you buy the rest as a plain fighter would",
        "daneben: der exakte Anteil der Punkte eines Zweikampfs, Unentschieden halb, im Mittel gegen einen einfachen "
        "Kämpfer und einen einfachen Redner, wenn du den Rest wie ein einfacher Kämpfer kaufst",
    )


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
