"""What a person reads of a mission: the map of rooms, conditions, fights and talks; English and German."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.actions import ActionTable
from ...core.game import Position
from .. import state as st
from ..choices import Scenario
from ..params import SCENARIOS
from ..parley.text import TalkTexts, told_relation
from ..text import FightTexts, called, pick
from .trying import NEEDED, trial_line, trial_of

SCENARIOS_DE = ("Zerstören", "Säubern", "Beschaffung", "Durchqueren", "Beschützen")
COMES_TO = ("the party comes to: ", "die Gruppe kommt in: ")  # before the kind of a room
CONDITIONS_DE = ("ungesehen", "Zeitlimit", "Zivilisten", "kombiniert")
# what each scenario asks of the party, in English and German
GOALS = {
    Scenario.DESTROY: ("Bring down the leader in the target area.", "Schaltet den Anführer im Zielgebiet aus."),
    Scenario.CLEANSE: (
        "Leave no enemy: every event room and the target area must be cleared.",
        "Lasst keinen Gegner zurück: jeder Ereignisraum und das Zielgebiet müssen geräumt sein.",
    ),
    Scenario.RETRIEVE: (
        "Take what lies in the target area and carry it back to the entrance.",
        "Holt, was im Zielgebiet liegt, und tragt es zum Eingang zurück.",
    ),
    Scenario.TRAVERSE: ("Get through to the target area.", "Schlagt euch bis zum Zielgebiet durch."),
    Scenario.PROTECT: (
        "Keep the object in the target area from being destroyed.",
        "Bewahrt den Gegenstand im Zielgebiet vor der Zerstörung.",
    ),
}
LEVELS_DE = ("optional", "kritisch", "notwendig")
ROOMS = (
    ("entrance", "Eingang"), ("dead end", "Sackgasse"), ("corridor", "Gang"), ("T junction", "T-Kreuzung"),
    ("crossing", "Kreuzung"), ("event room", "Ereignisraum"), ("target area", "Zielgebiet"),
)  # fmt: skip
EVENTS = (
    ("nothing", "nichts"), ("enemies", "Gegner"), ("a trap", "eine Falle"), ("a puzzle", "ein Rätsel"),
    ("somebody to talk to", "jemand zum Reden"), ("the target area", "das Zielgebiet"),
)  # fmt: skip
ENEMIES = 1  # in that list
LETTERS = "E-|TXR!"


class MissionTexts(FightTexts):
    """Texts of a mission."""

    def __init__(
        self,
        heroes: Sequence[str],
        weapons: Sequence[str],
        archetypes: Sequence[str],
        actions: ActionTable,
        hidden: bool,
        tools: Sequence[str] = (),
        against: int = 0,
    ) -> None:
        """`against` is what the one who is spoken to adds to its attribute (R71)."""
        super().__init__(heroes, weapons, actions, hidden)
        self.against = against
        self.heroes = list(heroes)
        self.archetypes, self.tools = list(archetypes), tuple(tools)
        self.names = [*self.heroes, *["-"] * (st.HEROES - len(self.heroes))]
        self.names += [f"enemy {k + 1}" for k in range(st.HEROES)] + ["object"]

    def name(self, i: int, lang: str = "en") -> str:
        """Name of a hero, an enemy, or the object."""
        if lang == "de" and i >= st.HEROES:
            return "Gegenstand" if i == st.OBJECT else f"Gegner {i - st.HEROES + 1}"
        return super().name(i, lang)

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """Whom an action concerns, by name."""
        kind, _, rest = self.actions.codes[action].partition(":")
        if kind == "assign":
            return f"{self.name(int(rest), lang)} {pick(lang, 'does it', 'übernimmt')}"
        return super().words_of(position, seat, action, lang)

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now; of whom, where it is about another hero than the one who decides."""
        asked = super().phase(position, lang)
        return f"{self.name(int(position.record.hero), lang)}: {asked}" if position.phase() == "tool" else asked

    def rooms(self, s: Any, lang: str) -> list[str]:
        """The rooms seen so far, north above; @ the party, ? an exit to somewhere unknown."""
        cells: dict[tuple[int, int], str] = {}
        for i in range(int(s.n_rooms)):
            if not s.visited[i]:
                continue
            for way in range(4):
                other = int(s.room_links[i, way])
                if other >= 0 and not s.visited[other]:
                    cells.setdefault((2 * int(s.room_x[other]), 2 * int(s.room_y[other])), "?")
                if other >= 0:
                    x = 2 * int(s.room_x[i]) + int(st.STEP_X[way])
                    cells[x, 2 * int(s.room_y[i]) + int(st.STEP_Y[way])] = "|" if way % 2 == 0 else "-"
        for i in range(int(s.n_rooms)):
            if s.visited[i]:
                sign = "@" if i == int(s.room) else "E.cTXR!"[int(s.room_type[i])]
                cells[2 * int(s.room_x[i]), 2 * int(s.room_y[i])] = sign
        if not cells:  # the map is being rolled
            return []
        xs, ys = [c[0] for c in cells], [c[1] for c in cells]
        lines = []
        for y in range(max(ys), min(ys) - 1, -1):
            lines.append("   " + "".join(cells.get((x, y), " ") for x in range(min(xs), max(xs) + 1)).rstrip())
        legend = pick(
            lang,
            "@ party, E entrance, . dead end, c corridor, T X crossings, R event room, ! target, ? unknown",
            "@ Gruppe, E Eingang, . Sackgasse, c Gang, T X Kreuzungen, R Ereignisraum, ! Ziel, ? unbekannt",
        )
        return [*lines, legend]

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Mission, map or fight or talk, and the party."""
        s, p = position.record, position.game.params
        de = lang == "de"
        names = SCENARIOS_DE if de else SCENARIOS
        lines = [
            f"{pick(lang, 'mission', 'Mission')}: "
            + ", ".join(
                f"{names[int(s.scenarios[i])]}{' (+)' if s.met[int(s.scenarios[i])] else ''}"
                for i in range(int(s.n_scenarios))
            )
            + f"   {pick(lang, 'degree of difficulty', 'Schwierigkeitsgrad')} {int(p.sg)}   {int(s.minutes)} min"
        ]
        if int(s.mode) != st.Mode.FIGHT:  # a fight has lines enough of its own
            lines += [f"  {pick(lang, *GOALS[Scenario(int(s.scenarios[i]))])}" for i in range(int(s.n_scenarios))]
        for i in range(int(s.n_cond)):
            kind, level = int(s.cond_kind[i]), int(s.cond_level[i])
            words = (
                f"{CONDITIONS_DE[kind]} ({LEVELS_DE[level]})"
                if de
                else f"{st.CONDITIONS[kind].replace('_', ' ')} ({st.LEVELS[level]})"
            )
            if kind == st.Condition.TIME_LIMIT:
                words += f" {int(s.cond_value[i, 0])} {pick(lang, 'rounds', 'Runden') if s.defensive else 'min'}"
            elif kind == st.Condition.CIVILIANS:
                held = pick(lang, "hostages", "Geiseln")
                words += f" {int(s.cond_value[i, 0])}, {held} {int(s.cond_value[i, 1])}"
            elif kind == st.Condition.COMBINED and s.cond_scenario[i] >= 0:  # which of the tasks that is
                words += f": {names[int(s.cond_scenario[i])]}"
            failed = pick(lang, "failed", "gescheitert") if s.cond_failed[i] else ""
            lines.append(f"  {words} {failed}".rstrip())
        if int(s.mode) == st.Mode.FIGHT:
            lines += self.fight(s, p, seat, lang)
        else:
            if int(s.n_rooms):
                lines += self.rooms(s, lang)
            for i in range(len(self.heroes)):
                lines.append(" " + self.figure_line(s, p, i, False, lang, on_map=False))
                lines.append(trial_line(s, p, i, self.tools, lang))
        if int(s.mode) == st.Mode.TALK:
            steps = pick(lang, "failures", "Misserfolge"), pick(lang, "successes", "Erfolge")
            lines.append(
                f"{self.name(int(s.hero), lang)}: {steps[0]} {int(s.fails[0])}, {steps[1]} {int(s.successes[0])}"
            )
            lines.append(TalkTexts.terms(p, lang))
        return "\n".join(lines)

    def facts(self, position: Position, seat: int) -> Mapping[str, Any]:
        """`trials`: what each hero brings to tests (`Trial`), which all of the party know; empty in a fight.

        `success`: whether the mission has been fulfilled; False before its end.
        """
        s, p = position.record, position.game.params
        fight = int(s.mode) == st.Mode.FIGHT
        return {
            "trials": () if fight else tuple(trial_of(s, p, i, self.tools) for i in range(len(self.heroes))),
            "success": bool(s.success),
        }

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event."""
        kind, who, a, b = st.EVENT.unpack(event)
        de = lang == "de"
        if kind == st.Event.ROOM:
            return f"{COMES_TO[de]}{ROOMS[a][de]}"
        if kind == st.Event.EVENT:
            plural = a == ENEMIES
            return (
                f"{pick(lang, *(('there are', 'hier sind') if plural else ('there is', 'hier ist')))} {EVENTS[a][de]}"
            )
        if kind == st.Event.ENTER:
            worth = f"{pick(lang, 'points', 'Punkte')} {b}"
            enters = pick(lang, "comes into the fight", "kommt in den Kampf")  # places of the fallen are given again
            return f"{self.name(who, lang)} {enters}: {called(self.archetypes[a], lang)} ({worth})"
        if kind == st.Event.CHECK:
            good = pick(lang, "succeeds", "schafft es") if a else pick(lang, "fails", "scheitert")
            rolled = f" ({pick(lang, 'needed', 'gebraucht')} {NEEDED}, {pick(lang, 'roll', 'zusammen')} {b})"
            return f"{self.name(who, lang)} {good}" + (
                rolled if bool(a) == (b >= NEEDED) else ""
            )  # R24: a one or a six, or a tool
        if kind == st.Event.ALARM:
            return pick(lang, "!! alarm", "!! Alarm")
        if kind == st.Event.CONDITION:
            name = CONDITIONS_DE[a] if de else st.CONDITIONS[a].replace("_", " ")
            return f"!! {name} {pick(lang, 'has failed', 'ist gescheitert')}"
        if kind == st.Event.END and a in (0, 1):  # nobody has told of red and blue here
            party = pick(lang, "the party wins the fight", "die Gruppe gewinnt den Kampf")
            enemies = pick(lang, "the enemies win the fight", "die Gegner gewinnen den Kampf")
            return f"=== {enemies if a else party}"
        if kind == st.Event.MISSION:
            good = pick(lang, "the mission is a success", "die Mission ist ein Erfolg")
            return f"=== {good if a else pick(lang, 'the mission has failed', 'die Mission ist gescheitert')}"
        if kind in (st.Event.DIE, st.Event.TALK, st.Event.RECOVER, st.Event.READ, st.Event.LEAVE):
            return self._talk(lang).event(event, 0, lang)
        return super().event(event, seat, lang)

    def _talk(self, lang: str) -> TalkTexts:
        return TalkTexts([pick(lang, "talk", "Gespräch")], "solo", self.actions, self.against)

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """What is rolled of a mission, its enemies and its strangers, and what fights and talks tell of their dice."""
        s = position.record
        kind, mode, die = int(s.die_kind), int(s.mode), pick(lang, "die", "Würfel")
        if kind == st.Die.TAPE and mode in (st.Mode.GENERATE, st.Mode.GROUP):
            enemies = pick(lang, "for the enemies", "für die Gegner")
            mission = pick(lang, "for the mission", "für die Mission")
            return f"{die} {enemies if mode == st.Mode.GROUP else mission}: {outcome + 1}"
        if kind == st.Die.RELATION:
            after = position.clone()
            after.fall(outcome)
            relation = told_relation(int(after.record.m_relation), lang)
            return f"{pick(lang, 'relation', 'Beziehung')} {relation}, {die} {outcome + 1}"
        if kind == st.Die.TRIPLE or mode == st.Mode.TALK:
            return self._talk(lang).fell(position, outcome, lang)
        return super().fell(position, outcome, lang)
