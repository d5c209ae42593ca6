"""Who does it, on a mission: the exact chance of each hero at a trap, a puzzle or in sneaking, and what hangs on it."""

from __future__ import annotations

from fractions import Fraction

from ...envs.oneshot.actions import TALKS
from ...envs.oneshot.choices import SagaConfirm
from ...envs.oneshot.exact import at_least
from ...envs.oneshot.mission.trying import NEEDED, PUZZLE, SNEAK, TRAP, Trial
from ...envs.oneshot.state import RoomEvent
from ...envs.oneshot.text import called
from ..session.notes import chance_in
from ..session.sight import Sight, hot
from .ground import figures_by_row, figures_of
from .talk import chance

_TESTS = {int(RoomEvent.TRAP): TRAP, int(RoomEvent.PUZZLE): PUZZLE}
_STAKES = {
    "assign-trap": (
        "if it fails, the hero may get a wound; after a critical failure all of you may, and the tool is gone",
        "misslingt es, kann es eine Wunde geben; nach einem kritischen Misserfolg für euch alle, und das Werkzeug ist "
        "fort",
    ),
    "assign-puzzle": (
        "a success is worth a heal draught, a failure costs 3 min; a critical failure costs the tool",
        "ein Erfolg ist einen Heiltrank wert, ein Misserfolg kostet 3 min; ein kritischer Misserfolg kostet das "
        "Werkzeug",
    ),
    "assign-talk": (
        "a success is worth a heal draught; if the other side breaks the talk off there is a fight",
        "ein Erfolg ist einen Heiltrank wert; bricht die Gegenseite das Gespräch ab, gibt es einen Kampf",
    ),
    "approach": (
        "the hero with the lowest sneaking sneaks for all; if it fails there is an alarm, and the enemies are first",
        "für alle schleicht der Held mit dem kleinsten Wert; misslingt es, gibt es Alarm, und die Gegner sind zuerst "
        "dran",
    ),
}
_THEN = {
    "ambush": ("then the first turn is for you", "dann der erste Zug für euch"),
    "bypass": ("then there is no fight", "dann kommt ihr ohne Kampf vorbei"),
}


def with_saga(total: int, always: bool) -> Fraction:
    """R128: the chance with a saga point, which takes back a failure by the 1 alone, or (`always`) confirms a 6."""
    passes = [face + total >= NEEDED for face in range(1, 7)]
    six = Fraction(1) if passes[5] or always else Fraction(1, 3)
    return (sum(passes[:5], Fraction(0)) + six) / 6


def _words(sight: Sight, modifier: int, saga: bool, luck: bool) -> str:
    """A chance, and what it is if luck or a saga point is spent where that helps."""
    share = chance(modifier, NEEDED)
    told = chance_in(float(share), sight.lang)
    if luck and share < 1:
        return f"{told} ({sight.pick('always with luck', 'mit Glück immer')})"
    paid = with_saga(modifier, int(sight.game.params.saga_confirm) == SagaConfirm.AUTO_SUCCESS)
    if saga and paid > share:
        beside = sight.pick("with a saga point", "mit einem Sagenpunkt")
        return f"{told} ({beside} {chance_in(float(paid), sight.lang)})"
    return told


def _heroes(sight: Sight) -> dict[int, tuple[Trial, dict]]:
    """The heroes who are up: what they bring to a test, and the figure."""
    figures = {one["index"]: one for one in figures_of(sight, figures_by_row(sight))}
    return {k: (trial, figures[k]) for k, trial in enumerate(sight.facts["trials"]) if figures[k]["status"] == 0}


def _told(sight: Sight, test: int, one: tuple[Trial, dict], tool: int = 0) -> str:
    trial, who = one
    return _words(sight, trial.modifiers[test] + tool, who["saga"] > 0, who["luck"])


def _by_tool(sight: Sight, test: int, one: tuple[Trial, dict]) -> str:
    """The chance with the best tool of a hero; empty without any."""
    if one[0].best is None:
        return ""
    bonus = one[0].best[1]
    return sight.pick("always", "immer") if bonus is None else _told(sight, test, one, bonus)


def trying_notes(sight: Sight) -> dict[int, str]:
    """R20-R24, R107: beside who does it, beside tools, and beside ways to meet enemies; by action."""
    heroes, works = _heroes(sight), sight.pick("works", "gelingt")
    test = _TESTS.get(hot(sight.pieces["room_event"]))
    found = {}
    for choice in sight.of_verb("assign"):
        one = heroes[int(choice.action - sight.start("assign"))]
        if test is None:
            kinds = zip(TALKS["de" if sight.lang == "de" else "en"][:3], one[1]["social"], strict=True)
            found[choice.action] = ", ".join(f"{kind} {value}" for kind, value in kinds)
            continue
        found[choice.action] = f"{works} {_told(sight, test, one)}"
        if test == TRAP:  # R168: its damage is a die and one
            hurt = chance_in(at_least(one[1]["defence"] - 1), sight.lang)
            found[choice.action] += sight.pick(f", else a wound with {hurt}", f", sonst eine Wunde mit {hurt}")
        if with_tool := _by_tool(sight, test, one):
            tool = called(one[0].best[0], sight.lang)  # type: ignore[index]
            found[choice.action] += f"; {sight.pick(f'with {tool}', f'mit Werkzeug ({tool})')} {with_tool}"
    for choice in sight.of_verb("use_tool", "no_tool"):
        one = next(one for k, one in heroes.items() if sight.asked.startswith(f"{one[1]['name']}: "))
        if test is not None:
            share = _told(sight, test, one) if choice.verb == "no_tool" else _by_tool(sight, test, one)
            found[choice.action] = f"{works} {share}"
    for choice in sight.of_verb("abort"):
        found[choice.action] = sight.pick("the mission has failed then", "dann ist die Mission gescheitert")
    worst = min(heroes.values(), key=lambda one: one[0].modifiers[SNEAK], default=None)
    for choice in sight.of_verb("ambush", "bypass"):
        if worst is not None:
            then = sight.pick(*_THEN[choice.verb])
            found[choice.action] = f"{worst[1]['name']}: {works} {_told(sight, SNEAK, worst)}, {then}"
    return found


def trying_legend(sight: Sight) -> str:
    """What hangs on the test that is asked about; empty where none is."""
    if sight.of_verb("ambush"):
        return sight.pick(*_STAKES["approach"])
    event = hot(sight.pieces["room_event"])
    if sight.of_verb("assign", "use_tool") and event > 0:
        return sight.pick(*_STAKES[f"assign-{RoomEvent(event).name.lower()}"])
    return ""


__all__ = ["trying_legend", "trying_notes", "with_saga"]
