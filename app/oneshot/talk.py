"""The screen of a OneShot talk: what one has got, mood, chances of each method, and why the last attempt failed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...envs.oneshot.dicing import skill_value
from ...envs.oneshot.parley.talk import patience_of
from ...envs.oneshot.state import TRIPLES
from ..session.sight import Sight, hot, number
from ..web.screens import Drawn

METHODS = (("aggressive", "aggressiv"), ("cunning", "listig"), ("diplomatic", "diplomatisch"))
ATTRIBUTES = (("body", "Körper"), ("mind", "Geist"), ("charisma", "Charisma"))
OUTCOMES = (
    ("success", "Erfolg"),
    ("critical success", "besonderer Erfolg"),
    ("near miss", "knapp verfehlt"),
    ("failure", "Misserfolg"),
    ("critical failure", "kritischer Misserfolg"),
)
REASONS = {
    2: (
        "Near miss: without the bad mood it would have been enough. The other side knows that: the mood rises.",
        "Knapp verfehlt: ohne die schlechte Stimmung hätte es gereicht. Die andere Seite merkt das: die Stimmung "
        "steigt.",
    ),
    3: (
        "Failure: even without the mood the value was below what the other side's attribute asks for. The mood falls.",
        "Misserfolg: auch ohne die Stimmung lag der Wert unter dem, was die Eigenschaft der anderen Seite verlangt. "
        "Die Stimmung sinkt.",
    ),
    4: (
        "Critical failure: a 1, and at most a 2 after it. The mood falls.",
        "Kritischer Misserfolg: eine 1 und danach höchstens eine 2. Die Stimmung sinkt.",
    ),
}
_WORDS = {
    "recover": ("takes back a failure, if it works", "macht einen Misserfolg gut, wenn es gelingt"),
    "read": ("shows how the other side feels; no failure", "zeigt die Stimmung der Gegenseite; kein Misserfolg"),
    "leave": ("ends the talk", "beendet das Gespräch"),
}
_CLAIM = {
    "tell_truth": ("wins if the listener doubts", "gewinnt, wenn der Zuhörer zweifelt"),
    "tell_lie": ("wins if the listener believes it", "gewinnt, wenn der Zuhörer es glaubt"),
    "believe": ("wins if it is true", "gewinnt, wenn es wahr ist"),
    "doubt": ("wins if it is a lie", "gewinnt, wenn es gelogen ist"),
}
_SIGN = {
    "probe": ("your die and insight against theirs", "dein Würfel und Menschenkenntnis gegen die Gegenseite"),
    "decline": ("no roll of yours, the mind alone", "kein eigener Wurf, nur der Geist"),
}
CLAIM = 2  # of the piece `mode`
MOST_VALUE, SOCIAL, SUCCESSES, MOODS, MOST_WOUNDS = 3, 4, 5, 2, 8  # of an attribute; scales of the observation


def chance(total: int, need: int) -> Fraction:
    """The chance that d6 + `total` reaches `need`, a 1 and a 6 being confirmed: 1 then 1-2 fails, 6 then 5-6 wins."""
    found = Fraction(0)
    for face in range(1, 7):
        passes = face + total >= need
        if face == 1:
            found += Fraction(2, 3) * passes
        elif face == 6:
            found += 1 if passes else Fraction(1, 3)
        else:
            found += passes
    return found / 6


def threats_began(hurt: int, body: int) -> int:
    """R63, R74: where the mood for threats begins towards somebody with these wounds and that body."""
    if hurt == 0:
        return -2
    limit = 2 + body
    return 2 if hurt >= limit else 1 if 2 * hurt > limit else -1


@dataclass(frozen=True)
class Talk:
    """What a talker knows: its sheet, the mood as read or as it began (`known`), and the methods with their chances.

    `wounds` is the mood for threats; None where it began by a body that nobody knows.
    """

    values: tuple[int, ...]
    known: bool
    mood: int
    wounds: int | None
    methods: tuple[dict[str, Any], ...]


def talk_of(sight: Sight) -> Talk | None:
    """A talk as a seat knows it; None for claims, and before one's own character is chosen."""
    pieces, params = sight.pieces, sight.game.params
    sheet, talk = pieces["sheet"], pieces["talk"]
    values = [number(sheet[k], 6) - 1 for k in range(3)]
    social = [number(sheet[3 + k], SOCIAL) for k in range(3)]
    chosen = sum(values) > 0 and (sum(social) > 0 or values[2] == 0)
    if hot(pieces["mode"]) == CLAIM or not chosen or max(social) >= SOCIAL:  # beyond 3 points the sheet tells no more
        return None
    known = bool(talk[10] > 0.5)
    mood = number(talk[11 if known else 8], MOODS)
    hurt, read = number(talk[9], MOST_WOUNDS), number(talk[12], MOODS)
    bodies = [read if known else threats_began(hurt, body) for body in range(MOST_VALUE + 1)]
    methods = []
    for method in range(3):
        base = social[method] + int(params.request_difficulty) - round(float(sheet[15]))
        felt = bodies if method == 0 else [mood] * len(bodies)
        needs = [value + int(params.social_offset) + int(params.social_tie) for value in range(MOST_VALUE + 1)]
        tried = [round(float(n) * int(params.max_steps)) for n in pieces["counts"][method]]
        methods.append(
            {
                "name": sight.pick(*METHODS[method]),
                "against": sight.pick(*ATTRIBUTES[method]),
                "value": social[method],
                "chances": [round(100 * float(chance(base + f, n))) for f, n in zip(felt, needs, strict=True)],
                "tried": ", ".join(f"{n} × {sight.pick(*OUTCOMES[k])}" for k, n in enumerate(tried) if n),
            }
        )
    return Talk(tuple(values), known, mood, bodies[0] if len(set(bodies)) == 1 else None, tuple(methods))


def talk_notes(sight: Sight) -> dict[int, str]:
    """R71, R72, R78, R82: the chances of methods by what the other side may be, and what the other words do."""
    if chosen := sight.of_verb("triple"):
        return {choice.action: _character(sight, choice.action - sight.start("triple")) for choice in chosen}
    if hot(sight.pieces["mode"]) == CLAIM:
        return {} if sight.game.spec.sources.extensions else claim_notes(sight)
    talk = None if sight.game.spec.sources.extensions else talk_of(sight)
    if talk is None:
        return {}
    found = {}
    for choice in sight.of_verb("talk"):
        at = choice.action - sight.start("talk")
        if at < len(talk.methods):
            method = talk.methods[at]
            low, high = method["chances"][-1], method["chances"][0]
            found[choice.action] = sight.pick(
                f"works {low} to {high} %, depending on the other side's {method['against']} ({MOST_VALUE} to 0)",
                f"gelingt zu {low} bis {high}\N{NO-BREAK SPACE}%, je nach {method['against']} der Gegenseite "
                f"({MOST_VALUE} bis 0)",
            )
        elif choice.target in _WORDS:
            found[choice.action] = sight.pick(*_WORDS[choice.target])
    return found


def sign_of(sight: Sight, probed: bool, cunning: int) -> Fraction:
    """R88, A34: the chance that a lie of somebody so cunning shows, in the opposed roll or by the mere mind."""
    params, sheet = sight.game.params, sight.pieces["sheet"]
    mind, insight = number(sheet[1], 6) - 1, number(sheet[6], 14)
    liar = [face + cunning for face in range(1, 7)]
    if not probed:
        return Fraction(sum(total < mind for total in liar), 6)
    more = int(skill_value(params, insight, mind)) + int(params.lie_tie)
    return Fraction(sum(face + more > total for face in range(1, 7) for total in liar), 36)


def claim_notes(sight: Sight) -> dict[int, str]:
    """R88: what shows a lie and how often, and what wins a claim."""
    found = {}
    for choice in sight.choices:
        if choice.verb in _CLAIM:
            found[choice.action] = sight.pick(*_CLAIM[choice.verb])
        if choice.verb in _SIGN:
            shares = [round(100 * float(sign_of(sight, choice.verb == "probe", c))) for c in (MOST_VALUE, 0)]
            shown = sight.pick(f"{shares[0]} %", f"{shares[0]}\N{NO-BREAK SPACE}%")
            if shares[0] != shares[1]:
                shown = sight.pick(
                    f"{shares[0]} to {shares[1]} %, depending on the other side's cunning ({MOST_VALUE} to 0)",
                    f"{shares[0]} bis {shares[1]}\N{NO-BREAK SPACE}%, je nachdem, wie listig die Gegenseite ist "
                    f"({MOST_VALUE} bis 0)",
                )
            how, lie = sight.pick(*_SIGN[choice.verb]), sight.pick("a lie shows in", "eine Lüge zeigt sich zu")
            found[choice.action] = f"{how}: {lie} {shown}"
    return found


def _character(sight: Sight, triple: int) -> str:
    """R13, R71, R76: what the charisma of a talker gives and takes."""
    charisma = int(TRIPLES[triple][2])
    left = patience_of(charisma)
    points, punkte = f"point{'s' * (charisma != 1)}", f"Punkt{'e' * (charisma != 1)}"
    return sight.pick(
        f"{charisma} {points} for your words; you lose patience after {left} failure{'s' * (left > 1)} of the other",
        f"{charisma} {punkte} für deine Worte; deine Geduld reißt nach {left} Misserfolg{'en' * (left > 1)} "
        "des anderen",
    )


_PATIENCE = ("the other side breaks off", "die Gegenseite bricht")  # how the line of the position about it begins


def draw(sight: Sight) -> Drawn | None:
    """The values of the template; None for claims, and before one's own character is chosen."""
    known = talk_of(sight)
    if known is None:
        return None
    params, talk, last = sight.game.params, sight.pieces["talk"], sight.pieces["last"]
    outcome = hot(last[6:11])
    return Drawn.of(
        {
            "kind": "talk",
            "step": number(talk[0], int(params.max_steps)),
            "steps": int(params.max_steps),
            "sheet": [(sight.pick(*name), value) for name, value in zip(ATTRIBUTES, known.values)],
            "failures": [number(talk[1], SUCCESSES), number(talk[3], SUCCESSES)],
            "successes": [number(talk[2], SUCCESSES), number(talk[4], SUCCESSES)],
            "goal": int(params.goal_successes),
            "difficulty": int(params.request_difficulty),
            "against": int(params.social_offset) + int(params.social_tie),
            "breaks_off": next((line for line in sight.told.splitlines() if line.startswith(_PATIENCE)), ""),
            "known": known.known,
            "mood": known.mood,
            "wounds": known.wounds,
            "methods": known.methods,
            "attributes": list(range(MOST_VALUE + 1)),
            "last": _last(sight, last, outcome),
            "reason": sight.pick(*REASONS[outcome]) if outcome in REASONS else "",
        }
    )


def _last(sight: Sight, last: Any, outcome: int) -> str:
    """The own last attempt in words; empty if there was none."""
    method = hot(last[:3])
    if method < 0 or outcome < 0:
        return ""
    die, again = number(last[3], 6), number(last[4], 6)
    dice = sight.pick(f"rolled {die}", f"gewürfelt {die}")
    if again:
        dice += sight.pick(f", then {again}", f", dann {again}")
    return f"{sight.pick(*METHODS[method])}: {dice}: {sight.pick(*OUTCOMES[outcome])}"


def sheet_legend(sight: Sight) -> str:
    """R70, R71: what attributes and the points of charisma are for in a talk; empty for claims, which are no talk."""
    if hot(sight.pieces["mode"]) == CLAIM:
        return ""
    against = sight.pick(
        "aggressive words are tried against the other's body, cunning ones against its mind, diplomatic ones against "
        "its charisma",
        "aggressive Worte gehen gegen den Körper der Gegenseite, listige gegen ihren Geist, diplomatische gegen ihr "
        "Charisma",
    )
    if sight.of_verb("split"):
        return sight.pick(
            f"the points of a kind are added to the die whenever you use it; {against}",
            f"die Punkte einer Art zählen zum Würfel, wann immer du sie benutzt; {against}",
        )
    return sight.pick(
        f"{against}: each attribute protects you from one kind, and charisma gives your own words points",
        f"{against}: jedes Attribut schützt dich vor einer Art, und Charisma gibt deinen eigenen Worten Punkte",
    )


def talk_legend(sight: Sight) -> str:
    """Of chances that rest on a mood which nobody has read; empty otherwise."""
    talk = talk_of(sight) if talk_notes(sight) else None
    if talk is None or talk.known:
        return ""
    return sight.pick(
        "the chances are those of the mood as it began; whoever reads it knows them now",
        "die Chancen gelten für die Stimmung, wie sie begann; wer sie liest, kennt sie jetzt",
    )


__all__ = ["chance", "draw", "sheet_legend", "talk_legend", "talk_notes", "threats_began"]
