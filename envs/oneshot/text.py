"""What a person reads of OneShot: state with a map, events, questions; English and German."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.actions import ActionTable
from ..core.game import Position
from ..core.texts import OwnWords, drawn_before, number_in, signed
from . import state as st
from .actions import METHODS
from .skirmish.numbers import malus

QUESTIONS = {
    "turn": ("your turn: one action and one move", "dein Zug: eine Aktion und eine Bewegung"),
    "turn_moved": ("your turn: one action is left", "dein Zug: noch eine Aktion"),
    "turn_acted": ("your turn: one move is left", "dein Zug: noch eine Bewegung"),
    "react_fail": ("the roll has failed: do anything?", "der Wurf ist misslungen: etwas tun?"),
    "react_six": ("confirm the six with a saga point?", "die Sechs mit einem Sagenpunkt bestätigen?"),
    "react_wound": ("avert the wound with a saga point?", "die Wunde mit einem Sagenpunkt abwenden?"),
    "react_weak_spot": ("look for a weak spot?", "eine Schwachstelle suchen?"),
    "talk": ("what do you say?", "was sagst du?"),
    "explore": ("where does the party go?", "wohin geht die Gruppe?"),
    "approach": ("how do you meet the enemies?", "wie begegnet ihr den Gegnern?"),
    "assign": ("who does it?", "wer übernimmt das?"),
    "tool": ("use a tool?", "ein Werkzeug benutzen?"),
    "triple": ("choose your attributes", "wähle deine Attribute"),
    "split": ("distribute your charisma", "verteile dein Charisma"),
    "claim_tell": ("tell the truth or a lie", "sag die Wahrheit oder lüge"),
    "claim_probe": ("probe the statement?", "bei der Aussage nachhaken?"),
    "claim_judge": ("believe it?", "glaubst du es?"),
    "build_perks": ("choose perks", "wähle Spezifika"),
    "build_attributes": ("choose attributes", "wähle Attribute"),
    "build_physical": ("distribute physical points", "verteile körperliche Punkte"),
    "build_combat": ("distribute combat points", "verteile Kampfpunkte"),
    "build_social": ("distribute social points", "verteile soziale Punkte"),
    "build_skills": ("choose a skill plan", "wähle einen Fertigkeitsplan"),
    "build_weapon": ("choose a weapon", "wähle eine Waffe"),
    "build_armour": ("choose armour", "wähle eine Rüstung"),
    "build_item": ("choose an item", "wähle einen Gegenstand"),
    "build_tactic": ("choose a tactic", "wähle eine Taktik"),
}
# what a German reader calls the things of the built-in kit; those of another kit keep their names
GERMAN = {
    "fists": "Fäuste", "dagger": "Dolch", "club": "Keule", "sword": "Schwert", "axe": "Axt",
    "throwing_knife": "Wurfmesser", "sling": "Schleuder", "bow": "Bogen", "crossbow": "Armbrust",
    "cloth": "Stoff", "leather": "Leder", "mail": "Kettenhemd", "plate": "Plattenrüstung",
    "hardened": "Abgehärtet", "special_gift": "Besondere Begabung", "armour_training": "Rüstungsgewöhnung",
    "finesse": "Finess", "weak_spot": "Schwachstelle finden", "luck": "Glück", "will_to_live": "Lebenswille",
    "patient": "Geduld", "brawler": "Schläger", "guard": "Wache", "archer": "Schütze", "scout": "Späher",
    "rope": "Seil", "lockpicks": "Dietriche", "toolbox": "Werkzeugkasten", "precision_kit": "Präzisionswerkzeug",
    "skeleton_key": "Generalschlüssel",
    "ringleader": "Rädelsführer", "alchemist": "Alchemist", "fighter": "Kämpfer", "diplomat": "Diplomat",
    "skirmisher": "Plänkler", "scholar": "Gelehrter", "bulwark": "Bollwerk", "hero": "Held",
}  # fmt: skip
ITEMS = (("heal draught", "Heiltrank"), ("smelling salts", "Riechsalz"), ("fire flask", "Feuerflasche"))
COLOURS = {"red": "Rot", "blue": "Blau"}  # in the names of figures: red_fighter
STATUS_DE = ("steht", "bewusstlos", "tot", "fort")
EDGE_WON = 500  # numbers of the event of an edge's die above it mean success
EDGES = {"en": ("intimidated", "feinted", "appeased"), "de": ("eingeschüchtert", "getäuscht", "beschwichtigt")}


def pick(lang: str, english: str, german: str) -> str:
    """The text of a language."""
    return german if lang == "de" else english


def rounds(count: int, lang: str) -> str:
    """How long an edge still lasts (R86)."""
    return f"{count} {pick(lang, 'round' if count == 1 else 'rounds', 'Runde' if count == 1 else 'Runden')}"


# seats that are no figures, and sides: English, German
SEAT_WORDS = {
    "red": ("red", "Rot"),
    "blue": ("blue", "Blau"),
    "party": ("party", "Gruppe"),
    "first": ("first", "Erster"),
    "second": ("second", "Zweiter"),
    "speaker": ("speaker", "Sprecher"),
    "counterpart": ("counterpart", "Gegenüber"),
    "liar": ("liar", "Lügner"),
    "listener": ("listener", "Zuhörer"),
}


def called(name: str, lang: str) -> str:
    """The name of a weapon, an armour, a perk, an archetype or a figure, as a reader of the language calls it."""
    if lang == "de" and name in GERMAN:
        return GERMAN[name]
    kind, _, number = name.rpartition("_")
    if lang == "de" and number.isdecimal() and kind in GERMAN:  # the second of a kind
        return f"{GERMAN[kind]} {number}"
    colour, _, rest = name.partition("_")
    if lang == "de" and colour in COLOURS:
        kind, _, number = rest.partition("_")
        return " ".join(part for part in (GERMAN.get(kind, kind), COLOURS[colour], number) if part)
    return name.replace("_", " ")


def seat_words(name: str) -> tuple[str, str]:
    """The name of a figure's seat in English and German."""
    return called(name, "en"), called(name, "de")


def draw_map(s: Any, p: Any, names: Sequence[str], lang: str) -> list[str]:
    """The ground, north above: a..d red, A..D blue, + dead, # obstacle, : cover; see `map_legend`."""
    width, height = int(p.grid_width), int(p.grid_height)
    grounds = zip(p.obstacle_rows[:height].tolist(), p.cover_rows[:height].tolist(), strict=True)
    rows = [["#" if wall >> x & 1 else ":" if cover >> x & 1 else "." for x in range(width)] for wall, cover in grounds]
    order = sorted(range(len(names)), key=lambda i: -int(s.standing[i]))
    for i in order:
        if s.standing[i] == st.Status.ABSENT:
            continue
        letter = "+" if s.standing[i] == st.Status.DEAD else letter_of(s, p, i)
        for dy in range(int(s.span[i])):
            for dx in range(int(s.span[i])):
                rows[int(s.y[i]) + dy][int(s.x[i]) + dx] = letter
    lines = [f"{y:>2} " + " ".join(rows[y]) for y in reversed(range(height))]
    if width > 10:  # two digits stand one above the other, so that the columns stay narrow
        lines.append("   " + " ".join(str(x // 10) if x > 9 else " " for x in range(width)))
    lines.append("   " + " ".join(str(x % 10) for x in range(width)))
    return lines


def map_legend(s: Any, p: Any, names: Sequence[str], lang: str) -> str:
    """What fills several squares of the map, by which of them it is called (R140), and which signs stand there."""
    there = [i for i in range(len(names)) if s.standing[i] != st.Status.ABSENT]
    height = int(p.grid_height)
    signs = [
        ("#", pick(lang, "obstacle", "Hindernis"), p.obstacle_rows[:height].any()),
        (":", pick(lang, "cover", "Deckung"), p.cover_rows[:height].any()),
        ("+", pick(lang, "dead", "tot"), any(s.standing[i] == st.Status.DEAD for i in there)),
    ]
    told = [f"{sign} {word}" for sign, word, shown in signs if shown]
    if (most := max(int(s.span[i]) for i in there)) > 1:
        one = pick(lang, f"a figure is {most} by {most} fields", f"eine Figur ist {most} mal {most} Felder")
        told.insert(0, f"{one}, {pick(lang, 'its place the one on the lower left', 'ihr Platz das Feld links unten')}")
    return "; ".join(told)


def letter_of(s: Any, p: Any, i: int) -> str:
    """The letter of a figure on the map."""
    team = int(s.team[i])
    if team > 1:
        return "*"
    letter = "abcd"[min(3, i - int(p.first[team]))]
    return letter if team == 0 else letter.upper()


def told_roll(natural: int, total: int, needed: int | None, won: bool, lang: str) -> str:
    """The die, what it comes to, and what was needed; where a one or a six decided by itself, that (R24).

    `needed` is None where it is somebody's hidden value.
    """
    die = f"{pick(lang, 'die', 'Würfel')} {natural}"
    if needed is None:
        return f"{die}, {pick(lang, 'total', 'zusammen')} {total}"
    if won != (total >= needed):
        return die + (pick(lang, ", confirmed", ", bestätigt") if natural == (6 if won else 1) else "")
    return f"{die}, {pick(lang, f'total {total}, needed {needed}', f'zusammen {total}, nötig {needed}')}"


def told_check(position: Position, outcome: int, name: str, lang: str) -> str:
    """R24: a die of a test of `name` where no event tells of it: it is thrown again, or something is done about it."""
    s, die = position.record, f"{pick(lang, 'die', 'Würfel')} {outcome + 1}"
    if int(s.die_kind) == st.Die.CHECK and s.ck_conf and outcome in (0, 5):
        return f"{name}: {die}, {pick(lang, 'thrown again to confirm it', 'zur Bestätigung noch einmal geworfen')}"
    if int(s.die_kind) not in (st.Die.CHECK, st.Die.CONFIRM):
        return ""
    after = position.clone()
    after.fall(outcome)
    if after.events():
        return ""
    confirming = f"{pick(lang, 'confirming die', 'Bestätigungswürfel')} {outcome + 1}"
    return f"{name}: {confirming if int(s.die_kind) == st.Die.CONFIRM else die}"


class FightTexts(OwnWords):
    """Texts of a skirmish."""

    kinds = {"edge": ("gain an edge", "einen Vorteil gewinnen"), "attack": ("attack", "angreifen")}

    def __init__(
        self, names: Sequence[str], weapons: Sequence[str], actions: ActionTable, hidden: bool = False
    ) -> None:
        self.names = list(names)
        self.weapons = list(weapons)
        self.actions = actions
        self.hidden = hidden

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now."""
        name, s = position.phase(), position.record
        if name == "turn" and s.moved[s.asked] != s.acted[s.asked]:
            name = "turn_moved" if s.moved[s.asked] else "turn_acted"
        return QUESTIONS[name][lang == "de"] if name in QUESTIONS else name.replace("_", " ")

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """Whom an action concerns, by name, and with which weapon."""
        s, p = position.record, position.game.params
        kind, _, rest = self.actions.codes[action].partition(":")
        if kind not in ("attack", "edge", "execute", "heal", "salts", "flask"):
            return ""
        me = int(s.asked)
        team = int(s.team[me])
        first, _, last = rest.rpartition(":")
        name = self.name(int(p.first[team if kind in ("heal", "salts") else 1 - team]) + int(last), lang)
        if kind == "attack":
            weapon = called(self.weapons[int(s.w_number[me, int(first)])], lang)
            return f"Angriff auf {name} mit {weapon}" if lang == "de" else f"attack {name} with {weapon}"
        if kind == "edge":
            method = METHODS[lang][METHODS["code"].index(first)]
            return f"{name} {method}" if lang == "de" else f"{method} {name}"
        if kind == "execute":
            return f"{name} exekutieren" if lang == "de" else f"execute {name}"
        item = {"heal": ("heal draught for", "Heiltrank für"), "salts": ("smelling salts for", "Riechsalz für")}
        item["flask"] = ("fire flask at", "Feuerflasche auf")
        return f"{item[kind][lang == 'de']} {name}"

    def code_of(self, position: Position, seat: int, action: int) -> str:
        """Kind, name of whom it concerns, and weapon or method: `attack:bandit:axe`."""
        s, p = position.record, position.game.params
        kind, _, rest = self.actions.codes[action].partition(":")
        if kind not in ("attack", "edge", "execute", "heal", "salts", "flask"):
            return ""
        me = int(s.asked)
        first, _, last = rest.rpartition(":")
        team = int(s.team[me]) if kind in ("heal", "salts") else 1 - int(s.team[me])
        how = self.weapons[int(s.w_number[me, int(first)])] if kind == "attack" else first
        name = self.name(int(p.first[team]) + int(last), "en")
        return ":".join(part.replace(" ", "_") for part in (kind, name, how) if part)

    def figure_line(self, s: Any, p: Any, i: int, secret: bool, lang: str, on_map: bool = True) -> str:
        """One figure in words; where it stands only on a map."""
        shown = [o for o in range(len(self.names)) if s.standing[o] != st.Status.ABSENT]
        width = max(len(self.name(o, lang)) for o in {i, *shown})
        status = STATUS_DE[int(s.standing[i])] if lang == "de" else st.STATUS[int(s.standing[i])]
        limit = "?" if secret else int(s.limit[i])
        words = [
            f"{letter_of(s, p, i)} {self.name(i, lang):<{width}}  {status}",
            f"{pick(lang, 'wounds', 'Wunden')} {int(s.wounds[i])}/{limit}",
        ]
        if on_map:
            words.append(f"{pick(lang, 'on field', 'auf Feld')} {int(s.x[i])},{int(s.y[i])}")
        if not secret:
            words.append(f"{pick(lang, 'attack', 'Angriff')} {int(s.attack[i])}")
            words.append(f"{pick(lang, 'defence', 'Verteidigung')} {int(s.defence[i])}")
        if on_map:
            words.append(f"{pick(lang, 'initiative', 'Initiative')} {int(s.c_init[i])}")
        arms = [called(self.weapons[int(s.w_number[i, w])], lang) for w in range(2) if s.w_kind[i, w]]
        words.append("/".join(arms))
        if not secret and s.standing[i] in st.ALIVE and (off := int(malus(s, i))):  # the dead roll no dice
            words.append(f"{pick(lang, 'every die', 'jeder Würfel')} {number_in(signed(-off), lang)}")
        if not secret and s.saga[i]:
            words.append(f"{pick(lang, 'saga points', 'Sagenpunkte')} {int(s.saga[i])}")
        return "  ".join(words)

    def fight(self, s: Any, p: Any, me: int | None, lang: str) -> list[str]:
        """Count, map, figures, edges."""
        lines = [
            f"{pick(lang, 'count', 'Zähler')} {int(s.count)}/{int(p.max_count)}",
            *draw_map(s, p, self.names, lang),
        ]
        lines += [legend] if (legend := map_legend(s, p, self.names, lang)) else []
        for i in range(len(self.names)):
            if s.standing[i] != st.Status.ABSENT:
                secret = self.hidden and me is not None and s.team[i] != s.team[me]
                reader = int(s.actor) if me is None else me  # everybody else is told who has the turn
                mark = ">" if i == reader and position_runs(s) else " "
                lines.append(mark + self.figure_line(s, p, i, secret, lang))
        n = len(self.names)
        for m, a, b in zip(*(at.tolist() for at in np.nonzero(s.edge[:, :n, :n] > 0)), strict=True):
            by = f"{EDGES[lang][m]} {pick(lang, 'by', 'von')} {self.name(a, lang)}"
            lines.append(f"  {self.name(b, lang)}: {by} ({rounds(int(s.edge[m, a, b]), lang)})")
        return lines

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """The whole fight."""
        s, p = position.record, position.game.params
        me = None if seat is None else next(i for i in range(int(p.n)) if p.seat_of[i] == seat)
        return "\n".join(self.fight(s, p, me, lang))

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """R34: who of equals is next, and dice of tests that decide nothing yet; what comes of others tells them."""
        s = position.record
        if int(s.die_kind) != st.Die.ORDER:
            return told_check(position, outcome, self.name(int(s.die_at), lang), lang)
        tied = [self.name(i, lang) for i in range(len(self.names)) if int(s.waiting) >> i & 1]
        return drawn_before(tied, outcome, lang)

    def shown(self, needed: int) -> int | None:
        """What a roll had to reach, which is a value of a figure; None where those of enemies are hidden."""
        return None if self.hidden else needed

    def name(self, i: int, lang: str = "en") -> str:
        """Name of a figure."""
        return called(self.names[i], lang) if 0 <= i < len(self.names) else "-"

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event."""
        kind, who, a, b = st.EVENT.unpack(event)
        me, other = self.name(who, lang), self.name(a, lang)
        de = lang == "de"
        if kind == st.Event.INITIATIVE:
            return f"{me}: {pick(lang, 'initiative', 'Initiative')} {a} ({pick(lang, 'die', 'Würfel')} {b})"
        if kind == st.Event.TURN:
            return f"-- {me} {pick(lang, 'has its turn, count', 'ist am Zug, Zähler')} {b}"
        if kind == st.Event.MOVE:
            return f"{me} {pick(lang, 'moves to field', 'geht auf Feld')} {a},{b}"
        if kind == st.Event.ATTACK:
            weapon = called(self.weapons[b], lang)
            return f"{me} greift {other} an ({weapon})" if de else f"{me} attacks {other} ({weapon})"
        if kind in (st.Event.HIT, st.Event.MISS):
            hit = ("trifft", "verfehlt") if de else ("hits", "misses")
            rolled = told_roll(b % 10, a, self.shown(b // 10), kind == st.Event.HIT, lang)
            return f"{me} {hit[kind == st.Event.MISS]}: {rolled}"
        if kind == st.Event.DAMAGE:
            defence = "" if self.hidden else pick(lang, f" against defence {b}", f" gegen Verteidigung {b}")
            held = pick(lang, ", no wound", ", keine Wunde") if a < b else ""  # R44
            return f"{pick(lang, 'damage to', 'Schaden an')} {me}: {a}{defence}{held}"
        if kind == st.Event.WOUND:
            return f"{me}: {pick(lang, 'wounds', 'Wunden')} {a}/{b}"
        if kind == st.Event.AVERTED:
            return f"{me} {pick(lang, 'averts the wound', 'wendet die Wunde ab')}"
        if kind == st.Event.SURVIVAL:
            alive = pick(lang, "is unconscious", "ist bewusstlos") if a else pick(lang, "is dead", "ist tot")
            rolled = told_roll(b % 10, b // 10, 4, bool(a), lang)
            return f"{me} {alive} ({pick(lang, 'survival roll', 'Überlebenswurf')}: {rolled})"
        if kind == st.Event.EDGE_DIE:
            won, thrown = b > EDGE_WON, b - 1000 * (b > EDGE_WON)  # what was needed may be below 0
            return f"{me}: {told_roll(thrown % 10, a, self.shown(thrown // 10), won, lang)}"
        if kind == st.Event.EDGE:
            word = EDGES[lang][b // 100]
            return f"{other} {pick(lang, 'is', 'ist')} {word} {pick(lang, 'by', 'von')} {me} ({rounds(b % 100, lang)})"
        if kind == st.Event.EDGE_END:
            gone = (f"{EDGES[lang][b]} von {me}" if de else f"{EDGES[lang][b]} by {me}", other)
            return f"{gone[1]} {pick(lang, 'is no longer', 'ist nicht mehr')} {gone[0]}"
        if kind == st.Event.NO_EDGE:
            return f"{me}: {METHODS[lang][b]} {pick(lang, 'fails against', 'misslingt gegen')} {other}"
        if kind == st.Event.EXECUTE:
            return f"{me} {pick(lang, 'executes', 'exekutiert')} {other}"
        if kind == st.Event.HEAL:
            return f"{me} {pick(lang, 'gives a heal draught to', 'gibt einen Heiltrank an')} {other}"
        if kind == st.Event.WAKE:
            return f"{me} {pick(lang, 'wakes', 'weckt')} {other}"
        if kind == st.Event.HEALED:
            return f"{me} {pick(lang, 'is up again', 'steht wieder auf')}"
        if kind == st.Event.FLASK:
            return f"{me} {pick(lang, 'throws a fire flask at', 'wirft eine Feuerflasche auf')} {other}"
        if kind == st.Event.LUCK:
            return f"{me} {pick(lang, 'has luck', 'hat Glück')}"
        if kind == st.Event.SAGA:
            return f"{me} {pick(lang, 'spends a saga point', 'gibt einen Sagenpunkt aus')}"
        if kind == st.Event.WEAK_SPOT:
            good = pick(lang, "finds a weak spot", "findet eine Schwachstelle")
            return f"{me} " + (good if a > 0 else pick(lang, "finds no weak spot", "findet keine Schwachstelle"))
        if kind == st.Event.END:
            winner = {0: pick(lang, "red wins", "Rot gewinnt"), 1: pick(lang, "blue wins", "Blau gewinnt")}
            return f"=== {winner.get(a, pick(lang, 'a draw', 'unentschieden'))}"
        return ""


def position_runs(s: Any) -> bool:
    """Whether the game goes on."""
    return int(s.status_of_game) == 0
