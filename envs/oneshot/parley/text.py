"""What a person reads of a talk: values, moods, dice and what came of words; English and German."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.actions import ActionTable
from ...core.game import Position
from ...core.texts import OwnWords, number_in, reader, signed
from .. import state as st
from ..actions import TALKS, splits
from ..text import QUESTIONS, SEAT_WORDS, pick, told_check

RELATIONS = {  # R73
    -2: ("hostile", "feindlich"), -1: ("rather hostile", "eher feindlich"), 0: ("neutral", "neutral"),
    1: ("rather friendly", "eher freundlich"), 2: ("friendly", "freundlich"),
}  # fmt: skip
OUTCOMES_DE = (
    "Erfolg", "besonderer Erfolg", "knapp verfehlt", "Misserfolg", "kritischer Misserfolg", "Geduld zurückgewonnen",
    "keine Geduld zurückgewonnen", "Stimmung erkannt", "Stimmung nicht erkannt",
)  # fmt: skip
OUTCOMES_EN: dict[int, str] = {  # where the name of the outcome is none
    st.Outcome.READ: "has read the mood", st.Outcome.UNREAD: "cannot read the mood",
    st.Outcome.RECOVERED: "has won patience back", st.Outcome.NOT_RECOVERED: "has won no patience back",
}  # fmt: skip
CLAIMS = (st.PARLEY_MODES[st.Parley.CLAIM], st.PARLEY_MODES[st.Parley.CLAIM_SOLO])


def told_relation(relation: int, lang: str) -> str:
    """R73: how somebody feels about the party, with the number that it adds."""
    return f"{number_in(signed(relation), lang)} ({pick(lang, *RELATIONS[relation])})"


def told_die(thrown: int, total: int, lang: str) -> str:
    """The own die of a talk with what is added to it, the mood apart, which the speaker need not know (R70, R72)."""
    reading, confirm, natural = thrown // 100, thrown // 10 % 10, thrown % 10
    told = f"{pick(lang, 'die', 'Würfel')} {natural}"
    if confirm:
        told += f", {pick(lang, 'confirming die', 'Bestätigungswürfel')} {confirm}"
    if reading:  # R82: no mood is added
        return f"{told}, {pick(lang, f'total {total}, needed 4', f'zusammen {total}, nötig 4')}"
    return f"{told}, {pick(lang, f'total {total} before the mood', f'zusammen {total} ohne Stimmung')}"


# what sets itself against a method (R71): of the other, of the reader
RESISTS = {
    "en": ("body", "mind", "charisma"),
    "de": ("der Körper der Gegenseite", "der Geist der Gegenseite", "das Charisma der Gegenseite"),
}
YOURS = {"en": RESISTS["en"], "de": ("dein Körper", "dein Geist", "dein Charisma")}


def needed_in_talk(method: int, against: int, mine: bool, lang: str) -> str:
    """R71: what words of a method must reach: an attribute of the other side, or of the reader, and what is added."""
    more = f" + {against}" if against else ""
    if lang == "de":
        return f"nötig: {(YOURS if mine else RESISTS)['de'][method]}{more}"
    whose = "your" if mine else "the other side's"
    return f"needed: {whose} {RESISTS['en'][method]}{more}"


def told_attributes(values: Sequence[int], lang: str) -> list[str]:
    """Body, mind and charisma of somebody."""
    names = ("Körper", "Geist", "Charisma") if lang == "de" else ("body", "mind", "charisma")
    return [f"{name} {int(value)}" for name, value in zip(names, values, strict=True)]


class TalkTexts(OwnWords):
    """Texts of a parley."""

    def __init__(self, names: Sequence[str], mode: str, actions: ActionTable, against: int = 0) -> None:
        """`against` is what the one who is spoken to adds to its attribute (R71)."""
        self.names = list(names)
        self.mode = mode
        self.against = against
        self.actions = actions

    def called(self, lang: str) -> list[str]:
        """The talkers as a person reads them."""
        return [SEAT_WORDS[name][lang == "de"] if name in SEAT_WORDS else name for name in self.names]

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """Social values, which depend on the charisma chosen."""
        if position.phase() != "split" or not st.ParleyAction.SPLIT <= action < st.ParleyAction.PROBE:
            return ""
        values = splits(int(position.record.t_value[seat, 2]))[action - st.ParleyAction.SPLIT]
        return ", ".join(f"{m} {v}" for m, v in zip(TALKS[lang], values))

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now."""
        return QUESTIONS[position.phase()][lang == "de"]

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """The talk as a seat may see it."""
        s, p = position.record, position.game.params
        me = 1 if self.mode == "claim_solo" else seat
        claim = self.mode in CLAIMS  # two or three choices: no steps are counted
        lines = (
            []
            if claim
            else [f"{pick(lang, 'step', 'Schritt')} {int(s.step_no)}/{int(p.max_steps)}", self.terms(p, lang)]
        )
        for i, name in enumerate(self.called(lang)):
            if self.mode == "solo" and i == 1:
                lines.append(f"  {name}: {pick(lang, 'relation', 'Beziehung')} {told_relation(int(p.relation), lang)}")
                continue
            words = [f"{'>' if i == me else ' '} {name}"]
            if claim and i == me:  # R88: of all values these alone count
                if i:
                    words.append(f"{pick(lang, 'mind', 'Geist')} {int(s.t_value[i, 1])}")
                    words.append(f"{pick(lang, 'insight', 'Menschenkenntnis')} {int(s.t_insight[i])}")
                else:
                    words.append(f"{TALKS[lang][1]} {int(s.t_social[i, 1])}")
            elif i == me and s.t_value[i].any():  # before one's character is chosen it has no values
                words += told_attributes(s.t_value[i], lang)
                if s.t_social[i].any():
                    words += [f"{m} {int(s.t_social[i, k])}" for k, m in enumerate(TALKS[lang][:3])]
            if self.mode not in CLAIMS:
                words.append(f"{pick(lang, 'failures', 'Misserfolge')} {int(s.fails[i])}")
                words.append(f"{pick(lang, 'successes', 'Erfolge')} {int(s.successes[i])}/{int(p.goal_successes)}")
                if i == me and s.known[i]:
                    words.append(self.moods(s, i, lang))
            lines.append("  ".join(words))
        if me is not None and self.mode not in CLAIMS and not position.game.spec.sources.extensions:  # R76, R79
            told = pick(
                lang,
                "the other side breaks off after 1 to 4 failures: 4 less its charisma",
                "die Gegenseite bricht nach 1 bis 4 Misserfolgen ab: 4 weniger ihr Charisma",
            )
            lines.append(told)
        if me == 1 and s.sign >= 0:
            sign = pick(lang, "a sign of a lie", "ein Zeichen einer Lüge")
            lines.append(sign if s.sign else pick(lang, "no sign of a lie", "kein Zeichen einer Lüge"))
        return "\n".join(lines)

    @staticmethod
    def terms(p: Any, lang: str) -> str:
        """R70, R71: what words must reach, and what is added to every die of theirs."""
        against = int(p.social_offset) + int(p.social_tie)
        more = f" + {against}" if against else ""
        told = pick(
            lang,
            f"needed: the attribute of the other side{more} (body, mind, charisma)",
            f"nötig: die Eigenschaft der Gegenseite{more} (Körper, Geist, Charisma)",
        )
        if p.request_difficulty:
            every = number_in(signed(int(p.request_difficulty)), lang)
            told += f"; {pick(lang, f'difficulty {every} on the die', f'Schwierigkeit {every} auf den Würfel')}"
        return told

    @staticmethod
    def moods(s: Any, who: int, lang: str) -> str:
        """R73, R74: what is added to friendly and cunning words, and what to threats."""
        friendly, threats = f"{int(s.mood_relation[who]):+d}", f"{int(s.mood_wounds[who]):+d}"
        return pick(lang, f"mood {friendly}, for threats {threats}", f"Stimmung {friendly}, für Drohungen {threats}")

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """What was drawn, and dice of which nothing else is told."""
        s, p = position.record, position.game.params
        kind, names = int(s.die_kind), self.called(lang)
        if kind == st.Die.COIN:
            return f"{pick(lang, 'drawn to speak first', 'ausgelost, wer zuerst spricht')}: {names[outcome]}"
        if kind == st.Die.TRUTH:
            true = pick(lang, "a true statement", "eine wahre Aussage"), pick(lang, "a lie", "eine Lüge")
            return f"{pick(lang, 'drawn', 'ausgelost')}: {true[outcome >= int(p.claim_truth)]}"
        if kind in (st.Die.LIAR, st.Die.LISTENER):
            return f"{names[int(s.die_at)]}: {pick(lang, 'die', 'Würfel')} {outcome + 1}"
        if kind == st.Die.TRIPLE:
            other = names[1] if len(names) > 1 else pick(lang, "the other side", "die Gegenseite")
            return f"{other}: {', '.join(told_attributes(st.TRIPLES[outcome], lang))}"
        return told_check(position, outcome, names[int(s.die_at)], lang)

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event that the seat may see."""
        kind, who, a, b = st.EVENT.unpack(event)
        me = 1 if self.mode == "claim_solo" else seat
        name = self.called(lang)[who] if 0 <= who < len(self.names) else "-"
        outcome = (
            OUTCOMES_DE[b] if lang == "de" and 0 <= b < 9 else (st.OUTCOMES[b].replace("_", " ") if 0 <= b < 9 else "")
        )
        if kind == st.Event.DIE:
            return f"{name}: {told_die(a, b, lang)}" if me == who else ""
        if kind == st.Event.TALK:
            mine = me == 1 - who and reader(seat) == seat  # a recording calls nobody you
            return f"{name} ({TALKS[lang][a]}, {needed_in_talk(a, self.against, mine, lang)}): {outcome}"
        if kind in (st.Event.RECOVER, st.Event.READ):
            told = OUTCOMES_EN.get(b, outcome) if lang == "en" else outcome
            return f"{name}: {told}" if me == who or kind == st.Event.RECOVER else ""
        if kind == st.Event.LEAVE:
            return f"{name} {pick(lang, 'leaves', 'geht')}"
        if kind == st.Event.SIGN and me == 1:
            sign = pick(lang, "a sign of a lie", "ein Zeichen einer Lüge")
            return sign if a else pick(lang, "no sign of a lie", "kein Zeichen einer Lüge")
        if kind == st.Event.JUDGE:
            words = pick(lang, "believes", "glaubt es") if a else pick(lang, "doubts", "zweifelt")
            truth = pick(lang, "it was true", "es war wahr") if b else pick(lang, "it was a lie", "es war gelogen")
            return f"{name} {words}; {truth}"
        if kind in (st.Event.LUCK, st.Event.SAGA) and me == who:
            return f"{name}: " + (
                pick(lang, "luck", "Glück") if kind == st.Event.LUCK else pick(lang, "saga point", "Sagenpunkt")
            )
        return ""
