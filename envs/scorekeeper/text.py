"""What a person reads of Scorekeeper: the fighters, the combat log, what is asked; English and German."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.actions import ActionTable
from ..core.errors import UnparsableAction
from ..core.game import Position
from ..core.texts import drawn_before, payoff_lines
from . import state as st
from .actions import ZONE_NAMES, Names
from .armoury import WEAPONS
from .formulas import damage_class

PHASE_TEXTS = {
    "declare": ("declare what you will do", "erkläre deine Handlung"),
    "forgo": ("carry your declaration out?", "die erklärte Handlung ausführen?"),
    "react": ("you are hit: how do you defend yourself?", "du bist getroffen: wie verteidigst du dich?"),
    "counter": ("parried: strike back?", "pariert: kontern?"),
    "fate_reroll": ("repeat {roll} for a fate point?", "{roll} für einen Schicksalspunkt wiederholen?"),
    "fate_reduce": ("lower the wound with fate points?", "die Wunde mit Schicksalspunkten mildern?"),
}
PHASE_QUESTIONS = {  # without a position, which tells what is repeated
    **PHASE_TEXTS,
    "fate_reroll": ("repeat a roll for a fate point?", "einen Wurf für einen Schicksalspunkt wiederholen?"),
}
STATUS_TEXTS = {
    "en": ("able", "unconscious", "in trauma", "in death struggle", "stabilised", "dead"),
    "de": ("handlungsfähig", "ohnmächtig", "im Trauma", "im Todeskampf", "stabilisiert", "tot"),
}
_DECLARING = (
    "declaration phase, slowest first",
    "Erklärungsphase, Langsame zuerst",
)  # R5, R6: the order is turned over
_ACTING = ("action phase, quickest first", "Handlungsphase, Schnelle zuerst")
STAGE_TEXTS = {
    "en": ("events", "reaction", _DECLARING[0], _ACTING[0], "end of the round", "over"),
    "de": ("Ereignisse", "Reaktion", _DECLARING[1], _ACTING[1], "Rundenende", "vorbei"),
}
CLASS_TEXTS = {
    "en": ("no wound", "a scratch", "a light wound", "a severe wound", "a lethal wound"),
    "de": ("keine Wunde", "ein Kratzer", "eine leichte Wunde", "eine schwere Wunde", "eine tödliche Wunde"),
}
CLASSES: tuple[str, ...] = ("none", "KR", "LW", "SW", "TW")  # of damage, by their number
DAMAGE_TEXTS = {  # R44, R51: what so much damage is
    "en": (*CLASS_TEXTS["en"][:4], "a lethal wound (at an arm or leg a severe one)"),
    "de": (*CLASS_TEXTS["de"][:4], "eine tödliche Wunde (an Arm oder Bein eine schwere)"),
}
ROLL_TEXTS = {
    "en": (
        "reaction", "attack", "zone", "damage", "saving throw", "parry", "shock roll", "rounds unconscious",
        "death roll", "first aid",
    ),
    "de": (
        "Reaktion", "Angriff", "Trefferzone", "Schaden", "Rettungswurf", "Parade", "Schockwurf",
        "Runden ohnmächtig", "Todeskampfwurf", "Erste Hilfe",
    ),
}  # fmt: skip
REPEATED = {  # the same, as what one may repeat
    "en": (
        "the roll for the reaction", "the attack", "the roll for the zone", "the roll for the damage",
        "the saving throw", "the parry", "the shock roll", "the roll for the rounds unconscious", "the death roll",
        "the first aid",
    ),
    "de": (
        "den Wurf für die Reaktion", "den Angriff", "den Wurf für die Trefferzone", "den Wurf für den Schaden",
        "den Rettungswurf", "die Parade", "den Schockwurf", "den Wurf für die Runden ohnmächtig",
        "den Todeskampfwurf", "die Erste Hilfe",
    ),
}  # fmt: skip
PURPOSE_TEXTS = {
    "en": ("", "", "electric shock", "shock or fall", "ordeal", "trauma", "shaking off the trauma"),
    "de": ("", "", "Stromschlag", "Schlag oder Sturz", "Strapaze", "Trauma", "Trauma überwinden"),
}
DECLARED_TEXTS = {
    "en": (
        "", "no action possible", "pass", "full defence", "reload", "advance", "retreat", "first aid", "melee attack",
        "attack at full run", "shot", "a special action",
    ),
    "de": (
        "", "keine Handlung möglich", "Verzicht", "volle Verteidigung", "Nachladen", "Vorrücken", "Zurückweichen",
        "Erste Hilfe", "Nahkampfangriff", "Angriff aus vollem Lauf", "Schuss", "eine besondere Handlung",
    ),
}  # fmt: skip
FUMBLE_TEXTS = {
    "en": ("nothing comes of it", "the weapon jams", "the weapon breaks", "the shot goes astray"),
    "de": ("es bleibt ohne Folgen", "Ladehemmung", "die Waffe ist hin", "der Schuss verirrt sich"),
}
SCRIPT_TEXTS = {
    "en": ("is wounded", "falls", "gets an electric shock", "undergoes an ordeal", "suffers a trauma"),
    "de": ("wird verwundet", "stürzt", "bekommt einen Stromschlag", "macht eine Strapaze durch", "erleidet ein Trauma"),
}
RESULT_TEXTS = {
    "en": ("", "team a wins", "team b wins", "a draw"),
    "de": ("", "Gruppe a gewinnt", "Gruppe b gewinnt", "unentschieden"),
}
WEAPON_TEXTS = {
    "unarmed": ("unarmed", "waffenlos"),
    "club": ("club", "Knüppel"),
    "knife": ("knife", "Messer"),
    "sword": ("sword", "Schwert"),
    "stun_baton": ("stun baton", "Elektroschocker"),
    "shotgun": ("shotgun", "Schrotflinte"),
    "magnum": ("magnum", "Magnum"),
    "copkiller": ("copkiller", "Copkiller"),
    "bow": ("bow", "Bogen"),
    "throwing_knife": ("throwing knife", "Wurfmesser"),
    "arcane_bolt": ("arcane bolt", "Zaubergeschoss"),
}
ARMOUR_TEXTS = {
    "bristol_vest": ("Bristol vest", "Bristolweste"),
    "kevlar_clothing": ("Kevlar clothing", "Kevlarkleidung"),
    "leather_jacket": ("leather jacket", "Lederjacke"),
    "steel_helmet": ("steel helmet", "Stahlhelm"),
    "plate_armour": ("plate armour", "Plattenpanzer"),
}


def dice_of(pack: int) -> list[int]:
    """The dice of a roll, first thrown first; 5 bits each."""
    out: list[int] = []
    while pack:
        out.insert(0, pack & 31)
        pack >>= 5
    return out


def status_code(record: Any, fighter: int) -> int:
    """4.8: of several statuses the last."""
    if record.dead[fighter]:
        return st.Status.DEAD
    if record.struggle[fighter]:
        return st.Status.STABILISED if record.stable[fighter] else st.Status.STRUGGLE
    if record.trauma[fighter]:
        return st.Status.TRAUMA
    return st.Status.ABLE if record.ko_until[fighter] < record.round_no else st.Status.UNCONSCIOUS


def stage_code(record: Any) -> int:
    """The part of the round, see `state.STAGES`."""
    return len(st.STAGES) - 1 if record.status else st.STAGE_OF_PC[record.pc]


WOUND_WORDS = {  # by their number, in English and German
    "kr": ("scratches", "Kratzer"),
    "lw": ("light wounds", "leichte Wunden"),
    "sw": ("severe wounds", "schwere Wunden"),
    "tw": ("lethal wounds", "tödliche Wunden"),
}
TEAM_WORDS = {"a": ("team a", "Gruppe a"), "b": ("team b", "Gruppe b")}
REACTED: dict[int, tuple[str, str]] = {  # what somebody does who is hit, told of him
    st.Action.TAKE: ("takes the hit", "lässt den Treffer über sich ergehen"),
    st.Action.SAVE: ("tries a saving throw", "versucht einen Rettungswurf"),
    st.Action.PARRY: ("parries", "pariert"),
    st.Action.NO_COUNTER: ("does not strike back", "kontert nicht"),
}


class ScorekeeperTexts:
    """Texts of one game: it knows the fighters by name."""

    def __init__(
        self,
        fighters: Sequence[dict[str, Any]],
        names: Names,
        actions: ActionTable,
        phases: Sequence[str],
        weighed: bool = False,
    ) -> None:
        """`weighed`: a draw is paid by what is left of both teams."""
        self.weighed = weighed
        self.fighters = list(fighters)
        self.names = names
        self.actions = actions
        self.phases = tuple(phases)

    # --- actions with names -------------------------------------------------------------------------------------------

    def _decider(self, position: Position, seat: int) -> int:
        record, params = position.record, position.game.params
        asked = int(record.ask_fighter)
        if record.ask_phase >= 0 and params.seat_of[asked] == seat:
            return asked
        return next(f for f in range(len(self.fighters)) if params.seat_of[f] == seat)

    def action(self, position: Position, seat: int, action: int, lang: str) -> str:
        """An action of the seat in words, with the names of those whom it concerns."""
        return self.names.text(self._decider(position, seat), action, self.actions, lang)

    def code(self, position: Position, seat: int, action: int) -> str:
        """The code of an action of the seat, with names: `melee:bouncer:chest`."""
        return self.names.code(self._decider(position, seat), action, self.actions)

    def parse(self, position: Position, seat: int, text: str) -> int:
        """The id of an action that the seat names by code or in words; raises UnparsableAction."""
        who = self._decider(position, seat)
        folded = " ".join(text.split()).casefold()
        for action in range(st.ACTIONS):
            said = [self.names.code(who, action, self.actions)]
            said += [self.names.text(who, action, self.actions, lang) for lang in ("en", "de")]
            if folded in [" ".join(word.split()).casefold() for word in said]:
                return action
        found = self.names.find(who, text.strip(), self.actions)
        if found < 0:
            raise UnparsableAction(f"{text!r} names nobody whom {self.fighters[who]['name']} can mean")
        return found

    # --- the position -------------------------------------------------------------------------------------------------

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now, and of whom."""
        name = position.phase()
        texts = PHASE_TEXTS.get(name)
        asked = texts[lang == "de"] if texts else name.replace("_", " ")
        if name == "fate_reroll":
            asked = asked.format(roll=REPEATED[lang][int(position.record.roll_kind)])
        return f"{self.names.called(int(position.record.ask_fighter), lang)}, {asked}" if name else asked

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """R9: who of equals is first; a die of a roll of several; others are told by what comes of them."""
        s = position.record
        if int(s.die_kind) == st.Die.TIE:
            tied = [self.names_of(int(f), lang) for f in s.order[int(s.tie_at) : int(s.tie_end)]]
            return drawn_before(tied, outcome, lang)
        if int(s.die_kind) != st.Die.ROLL or s.roll_left < 2:
            return ""
        fallen = len(dice_of(int(s.roll_pack)))
        what, of = ROLL_TEXTS[lang][int(s.roll_kind)], "von" if lang == "de" else "of"
        die = f"{'Würfel' if lang == 'de' else 'die'} {fallen + 1} {of} {fallen + int(s.roll_left)}"
        return f"{self.names_of(int(s.roll_owner), lang)}: {what}, {die}: {outcome + 1}"

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Round, fighters team by team, and the exchange under way."""
        s, p = position.record, position.game.params
        de = lang == "de"
        head = f"{'Runde' if de else 'round'} {s.round_no}/{p.max_rounds}  {STAGE_TEXTS[lang][stage_code(s)]}"
        lines = [head]
        width = max(len(self.names.called(f, lang)) for f in range(len(self.fighters)))
        me = None if seat is None else self._decider(position, seat)
        for team in range(2):
            for f in range(len(self.fighters)):
                if p.team[f] == team:
                    hidden = bool(p.private_sheets) and me is not None and p.team[me] != team
                    mark = ">" if f == me else " "
                    name = f"{self.names.called(f, lang):<{width}}"
                    side = TEAM_WORDS["ab"[team]][de]
                    lines.append(f"{mark} {name} {side}  {self._fighter(s, p, f, lang, hidden)}")
        if s.status == 0 and s.x_on:
            told = self.names_of(int(s.x_attacker), lang), self.names_of(int(s.x_target), lang)
            verb = "greift an" if de else "attacks"
            lines.append(f"{told[0]} {verb}: {told[1]}{self._zone(int(s.x_zone), int(s.x_target), lang, ', ')}")
        return "\n".join(lines)

    def _fighter(self, s: Any, p: Any, f: int, lang: str, hidden: bool) -> str:
        de = lang == "de"
        parts = [f"{'Meter' if de else 'metre'} {int(s.pos[f])}"]
        status = status_code(s, f)
        word = STATUS_TEXTS[lang][status]
        if status == st.Status.UNCONSCIOUS:
            word += f" ({'bis Runde' if de else 'until round'} {int(s.ko_until[f])})"
        parts.append(word)
        wounds = []
        for name in ("kr", "lw", "sw"):
            limit = "" if hidden else f"/{int(p[f'cap_{name}'][f])}"
            wounds.append(f"{WOUND_WORDS[name][de]} {int(getattr(s, name)[f])}{limit}")
        if s.tw[f]:
            wounds.append(f"{WOUND_WORDS['tw'][de]} {int(s.tw[f])}")
        if s.bleeding[f]:
            wounds.append(f"{'blutet' if de else 'bleeding'} {int(s.bleeding[f])}")
        parts.append(", ".join(wounds))
        if not hidden:
            parts.append(f"{'Schicksal' if de else 'fate'} {int(s.fate[f])}")
        parts.append(self._arms(s, f, lang, hidden))
        if s.rolled[f]:
            parts.append(f"{'Reaktion' if de else 'reaction'} {int(s.reaction[f])}")
        declared = self.declaration(s, f, lang)
        if declared:
            parts.append(f"{'erklärt' if de else 'declares'}: {declared}")
        said = declared == DECLARED_TEXTS[lang][st.Declared.FULL_DEFENCE]
        flags = (
            (s.acted[f], "hat gehandelt" if de else "has acted"),
            (s.full_defence[f] and not said, "in voller Verteidigung" if de else "in full defence"),
            (s.saves_lost[f], "ohne Rettungswürfe" if de else "no saving throws"),
            (s.action_lost[f], "Handlung verloren" if de else "action lost"),
            (s.skip_next[f], "verliert die nächste Handlung" if de else "loses the next action"),
        )
        parts += [text for on, text in flags if on]
        return "  ".join(parts)

    def _arms(self, s: Any, f: int, lang: str, hidden: bool) -> str:
        de = lang == "de"
        fighter = self.fighters[f]
        arms = [f"{WEAPON_TEXTS[fighter['melee']][de]} {WEAPONS[fighter['melee']].told(lang)}"]
        if fighter["ranged"]:
            gun = fighter["ranged"]
            rest = "" if hidden else f", {'dabei' if de else 'spare'} {int(s.reserve[f])}"
            note = ""
            if s.broken[f]:
                note = ", kaputt" if de else ", broken"
            elif s.jammed[f]:
                note = ", Ladehemmung" if de else ", jammed"
            held = f"{'geladen' if de else 'loaded'} {int(s.loaded[f])}{rest}{note}"
            arms.append(f"{WEAPON_TEXTS[gun][de]} {WEAPONS[gun].told(lang)} ({held})")
        if not hidden:
            arms += [ARMOUR_TEXTS[piece][de] for piece in fighter["armour"]]
        return ", ".join(arms)

    def names_of(self, f: int, lang: str) -> str:
        """Name of a fighter."""
        return self.names.called(f, lang)

    def _zone(self, zone: int, target: int, lang: str, before: str) -> str:
        kind = self.fighters[target]["kind"] if 0 <= target < len(self.fighters) else "character"
        return f"{before}{ZONE_NAMES[lang][kind][zone]}" if zone else ""

    def declaration(self, s: Any, f: int, lang: str) -> str:
        """What a fighter has declared; empty as long as he has not."""
        what = int(s.declared[f])
        return self._declared(what, int(s.d_target[f]), int(s.d_zone[f]), lang)

    def _declared(self, what: int, target: int, zone: int, lang: str) -> str:
        text = DECLARED_TEXTS[lang][what]
        if what == st.Declared.OWN:
            return self.actions.describe(zone, lang)
        if target >= 0:
            on = {
                "en": " for " if what == st.Declared.AID else " on ",
                "de": " für " if what == st.Declared.AID else " auf ",
            }[lang]
            text += f"{on}{self.names_of(target, lang)}"
            text += self._zone(zone, target, lang, ", ")
        return text

    # --- the log ------------------------------------------------------------------------------------------------------

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line of the combat log; empty if there is nothing to say."""
        kind, who, a, b = st.EVENT.unpack(event)
        name = self.names_of(who, lang)
        de = lang == "de"
        if kind == st.Event.ROLL:
            return "  " + self._roll(name, a, b, lang)
        if kind == st.Event.ROUND:
            return f"--- {'Runde' if de else 'round'} {a}"
        if kind == st.Event.ORDER:
            order = ", ".join(self.names_of(b >> 3 * i & 7, lang) for i in range(a))
            return f"{'Reihenfolge' if de else 'acting order'}: {order}" if a else ""
        if kind == st.Event.DECLARE:
            return f"{name} {'erklärt' if de else 'declares'}: {self._declared(a, (b & 15) - 1, b >> 4, lang)}"
        if kind == st.Event.ATTACK:
            mode, zone = b & 3, b >> 2
            verb = {
                "en": ("attacks", "charges", "counters against", "shoots at"),
                "de": ("greift an:", "greift aus vollem Lauf an:", "kontert gegen", "schießt auf"),
            }[lang][mode]
            return f"{name} {verb} {self.names_of(a, lang)}{self._zone(zone, a, lang, ', ')}"
        if kind == st.Event.REACT:
            return f"  {name} {REACTED[a][de]}" if a in REACTED else f"  {name}: {self.actions.describe(a, lang)}"
        if kind == st.Event.WOUND:
            zone = self._zone(a, who, lang, ", ")
            return f"  {name}: {CLASS_TEXTS[lang][b]}{zone}"
        return self._short(kind, who, a, b, lang)

    def _roll(self, name: str, told: int, b: int, lang: str) -> str:
        de = lang == "de"
        dice, kind, ok, purpose = dice_of(b & 0x1FFFFFF), b >> 25 & 15, b >> 29 & 1, b >> 30
        what = ROLL_TEXTS[lang][kind]
        if kind == st.Roll.SHOCK and PURPOSE_TEXTS[lang][purpose]:
            what += f" ({PURPOSE_TEXTS[lang][purpose]})"
        thrown = " + ".join(map(str, dice))
        if kind == st.Roll.REACTION:
            return f"{name}: {what} {told} ({'Wurf' if de else 'die'} {thrown})"
        if kind == st.Roll.ZONE:
            return f"{name}: {what}, {'Wurf' if de else 'die'} {thrown}{self._zone(told & 7, told >> 3, lang, ': ')}"
        if kind == st.Roll.DAMAGE:  # what the dice show is neither all of it nor what is left of it
            left = "mit Boni und hinter der Rüstung" if de else "with bonuses and behind the armour"
            return f"{name}: {what} {thrown}, {left} {told}: {DAMAGE_TEXTS[lang][CLASSES.index(damage_class(told))]}"
        if kind == st.Roll.DURATION:
            return f"{name}: {what}, {'Wurf' if de else 'die'} {thrown}"
        won = {"en": ("failed", "success"), "de": ("misslungen", "gelungen")}[lang][ok]
        if kind == st.Roll.ATTACK:
            won = {"en": ("miss", "hit"), "de": ("daneben", "Treffer")}[lang][ok]
        most = max(told - 1, 0)  # a check falls below its value
        if de:
            return f"{name}: {what}, {most} oder weniger gebraucht, {thrown} gewürfelt: {won}"
        return f"{name}: {what}, needed {most} or less, rolled {thrown}: {won}"

    def _short(self, kind: int, who: int, a: int, b: int, lang: str) -> str:
        de = lang == "de"
        name, other = self.names_of(who, lang), self.names_of(a, lang)
        merged = CLASS_TEXTS[lang][a] if 0 <= a < 5 else ""
        texts: dict[int, tuple[str, str]] = {
            st.Event.VOID: (f"{name}: the action comes to nothing", f"{name}: die Handlung geht ins Leere"),
            st.Event.MOVE: (f"{name} moves to metre {a}", f"{name} geht auf Meter {a}"),
            st.Event.RELOAD: (f"{name} reloads: loaded {a}, spare {b}", f"{name} lädt nach: geladen {a}, dabei {b}"),
            st.Event.STRAY: (f"the shot of {name} hits {other}", f"der Schuss von {name} trifft {other}"),
            st.Event.COUNTER: (f"{name} strikes back", f"{name} schlägt zurück"),
            st.Event.NO_WOUND: (f"  {name}: no wound", f"  {name}: keine Wunde"),
            st.Event.MERGE: (f"  {name}: wounds merge into {merged}", f"  {name}: Wunden werden zusammen {merged}"),
            st.Event.REDUCE: (
                f"  {name} softens the wound for {a} fate point{'s' * (a != 1)}",
                f"  {name} mildert die Wunde für {a} Schicksalspunkt{'e' * (a != 1)}",
            ),
            st.Event.REROLL: (
                f"  {name} spends a fate point and repeats",
                f"  {name} gibt einen Schicksalspunkt aus und wiederholt",
            ),
            st.Event.FAINT: (
                f"  {name} faints for {a} round{'s' * (a != 1)}",
                f"  {name} ist {a} Runde{'n' * (a != 1)} ohnmächtig",
            ),
            st.Event.LOST_ACTION: (f"  {name} loses an action", f"  {name} verliert eine Handlung"),
            st.Event.STRUGGLE: (f"  {name} falls into the death struggle", f"  {name} liegt im Todeskampf"),
            st.Event.DEAD: (f"  {name} is dead", f"  {name} ist tot"),
            st.Event.AID: (f"{name} helps {other}", f"{name} hilft {other}"),
            st.Event.BLEED: (f"{name} is bleeding", f"{name} blutet"),
            st.Event.TRAUMA: (f"  {name} is in trauma", f"  {name} ist im Trauma"),
            st.Event.WAKE: (f"  {name} has got over the trauma", f"  {name} hat das Trauma überwunden"),
            st.Event.FORGO: (f"{name} forgoes the action", f"{name} verzichtet auf die Handlung"),
        }
        if kind in texts:
            return texts[kind][de]
        if kind == st.Event.FUMBLE:
            return f"  {name}: {'Patzer' if de else 'a fumble'}, {FUMBLE_TEXTS[lang][a]}"
        if kind == st.Event.SCRIPT:
            wound = f": {CLASS_TEXTS[lang][b]}" if b else ""
            return f"{name} {SCRIPT_TEXTS[lang][a]}{wound}"
        if kind == st.Event.END:
            if a == st.Result.DRAWN and self.weighed:  # the result tells who is better off, if somebody is
                return (
                    "Ende: keine Gruppe hat glatt gewonnen; es zählt, wer übrig ist"
                    if de
                    else "the end: neither team has won outright; who is left decides"
                )
            return f"{'Ende' if de else 'the end'}: {RESULT_TEXTS[lang][a]}"
        return ""


def result_lines(position: Position, lang: str) -> list[str]:
    """R75, R76: who has won, in what state everybody is left, and the payoffs."""
    s = position.record
    texts: Any = position.game.spec.texts
    lines = [f"{_verdict(position, lang)}:"] if s.result else []
    for number, fighter in enumerate(texts.fighters):
        status = STATUS_TEXTS[lang][status_code(s, number)]
        counts = {words[lang == "de"]: int(getattr(s, name)[number]) for name, words in WOUND_WORDS.items()}
        wounds = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
        wounds = wounds or ("keine Wunden" if lang == "de" else "no wounds")
        team = TEAM_WORDS[fighter["team"]][lang == "de"]
        lines.append(f"  {texts.names.called(number, lang)} ({team}): {status}; {wounds}")
    return lines + payoff_lines(position, lang)


def _verdict(position: Position, lang: str) -> str:
    """Who has won; of a draw that is not worth the same to both teams also who is better off."""
    s, p = position.record, position.game.params
    payoffs, result = position.returns(), RESULT_TEXTS[lang][int(s.result)]
    earned = {int(p.team[f]): float(payoffs[p.seat_of[f]]) for f in range(int(p.fighters))}
    lead = earned[0] - earned[1]
    able = {int(p.team[f]) for f in range(int(p.fighters)) if status_code(s, f) == st.Status.ABLE}
    late = ""
    if s.result == st.Result.DRAWN and len(able) == 2:  # R75: nobody has won until the last round
        late = f"nach {int(p.max_rounds)} Runden" if lang == "de" else f"after {int(p.max_rounds)} rounds"
    if s.result != st.Result.DRAWN or lead == 0:
        return f"{result} {late}".strip()
    winner = RESULT_TEXTS[lang][1 if lead > 0 else 2]
    left = "gezählt nach denen, die übrig sind" if lang == "de" else "by who is left"
    return ", ".join(part for part in (late, winner, left) if part)
