"""What a person reads of ews_rps: state, events, questions; English and German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.abi import STOPPED
from ..core.actions import ActionTable
from ..core.game import Position
from ..core.texts import ending_lines, number_in, reader, signed, won_by
from . import state as st
from .odds import die_success, success_from

SEATS = {"en": ("player", "game master"), "de": ("Spieler", "Spielleitung")}
SEAT_WORDS = tuple(zip(SEATS["en"], SEATS["de"], strict=True))
SIDES = {"en": ("attacker", "defender"), "de": ("Angreifer", "Verteidiger")}
TESTS = {"en": ("simple test", "contest"), "de": ("einfache Probe", "Wettstreit")}
VERDICTS = {
    "en": ("passed", "failed", "the attacker wins", "the defender wins", "a draw", "declined"),
    "de": ("bestanden", "misslungen", "der Angreifer gewinnt", "der Verteidiger gewinnt", "unentschieden", "abgelehnt"),
}
ENDINGS = {
    "en": ("a draw ends the test", "the luck has turned", "the last round", "it is decided", "rolled", "refused"),
    "de": ("ein Unentschieden beendet die Probe", "das Glück hat sich gewendet", "die letzte Runde",
           "sie ist entschieden", "gewürfelt", "verweigert"),
}  # fmt: skip
OUTCOMES = {"en": ("lost", "drawn", "won"), "de": ("verloren", "unentschieden", "gewonnen")}
DRAWN = {"en": "the round is drawn", "de": "die Runde endet unentschieden"}
WINS = {  # the round: the player, the game master, the reader
    "en": ("the player wins the round", "the game master wins the round", "you win the round"),
    "de": ("der Spieler gewinnt die Runde", "die Spielleitung gewinnt die Runde", "du gewinnst die Runde"),
}
CHANCES = {  # of success: of the player, the game master, the reader
    "en": ("chance of the player", "chance of the game master", "your chance"),
    "de": ("Erfolgschance des Spielers", "Erfolgschance der Spielleitung", "deine Erfolgschance"),
}
PHASES = {
    "choice": ("take the test?", "die Probe angehen?"),
    "round": ("your symbol", "dein Symbol"),
}
YOU = {"en": "you", "de": "du"}
SETTLED = {  # A5: what the rounds are worth that are played on, by whether the margin is paid
    "en": ("decided: nothing changes it any more", "decided: only the margin still counts"),
    "de": ("entschieden: daran ändert sich nichts mehr", "entschieden: nur der Abstand zählt noch"),
}


def needed(need: int, lang: str) -> str:
    """What a test is won with, in words: how many rounds more won than lost, from the wins that are needed."""
    n, de = abs(need), lang == "de"
    if need == 0:
        return "mindestens so viel gewonnen wie verloren" if de else "at least as many won as lost"
    if need > 0:
        return f"mindestens {n} mehr gewonnen als verloren" if de else f"at least {n} more won than lost"
    return f"bis zu {n} mehr verloren als gewonnen" if de else f"at most {n} more lost than won"


def lead(gap: int, lang: str) -> str:
    """How much more or less the acting side has than it needs, in words; empty where it is the same."""
    if gap == 0:
        return ""
    more, less = ("mehr", "weniger") if lang == "de" else ("more", "less")
    return f"{abs(gap)} {less if gap > 0 else more}"


def _signed(points: float, lang: str) -> str:
    """Points with three places; nothing has no sign but the plus."""
    return number_in(f"{round(points, 3) + 0.0:+.3f}", lang)


class Texts:
    """Texts of one game; it knows the modules' actions."""

    def __init__(self, actions: ActionTable) -> None:
        self.actions = actions

    def symbol(self, symbol: int, lang: str) -> str:
        """A symbol in words."""
        return self.actions.describe(symbol if symbol < 3 else symbol + st.SYMBOL_SHIFT, lang)

    @staticmethod
    def seat(index: int, lang: str, seat: int | None) -> str:
        """A seat in words; `seat` is the reader."""
        return YOU[lang] if index == reader(seat) else SEATS[lang][index]

    def facts(self, position: Position, seat: int) -> Mapping[str, Any]:
        """`test`: both values as the seat reads them, the difference and the streak needed; None without a test.

        The observation cuts the same numbers off; everybody knows them (R2, R3).
        """
        s, p = position.record, position.game.params
        if s.ask_phase == st.Phase.OVER or s.drawn < p.n_tests:  # as in the observation
            return {"test": None}
        values = (int(s.mine), int(s.other))
        mine, other = values if s.acting == seat else values[::-1]
        return {"test": {"mine": mine, "other": other, "gap": int(s.gap), "need": int(s.need)}}

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now."""
        name = position.phase()
        return PHASES[name][lang == "de"] if name in PHASES else name.replace("_", " ")

    def idle(self, position: Position) -> bool:
        """A5: rounds of a test that is decided, where its margin is not paid and no rule module may look at them."""
        s, spec = position.record, position.game.spec
        decided = bool(s.decided) and position.phase() == "round" and position.game.params.payoff != st.Payoff.MARGIN
        return decided and not spec.options.get("modules")

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """Which test was drawn, what an absent game master shows, or the face of a die."""
        s, p, de = position.record, position.game.params, lang == "de"
        if s.ask_phase == st.Phase.DRAW:
            kind = TESTS[lang][int(p.pool_kind[outcome])]
            gap = number_in(signed(int(p.pool_other[outcome]) - int(p.pool_mine[outcome])), lang)
            words = ("Probe", "ausgelost", "Differenz") if de else ("test", "drawn", "difference")
            return f"{words[0]} {int(s.drawn) + 1} {words[1]}: {kind}, {words[2]} {gap}"
        if s.ask_phase == st.Phase.ROLL:
            return f"{'Würfel' if de else 'die'}: {outcome + 1}"
        return ""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """The running test, the streak, and the score."""
        s, p = position.record, position.game.params
        de = lang == "de"
        lines = []
        if s.status == 0 and s.drawn == p.n_tests:
            lines.append(self._test(s, p, seat, lang))
            lines.append(f"{self.seat(int(s.acting), lang, seat)}: {self._streak(s, p, lang)}")
            if not position.game.spec.sources.extensions:  # a module may end a test otherwise
                lines += [] if p.die or seat is None or reader(seat) is None else [self._next(s, p, seat, lang)]
                lines.append(self._chance(position, seat, lang))
        score = "  ".join(
            f"{self.seat(i, lang, seat)} {_signed((1 - 2 * i) * float(s.score) / int(p.n_tests), lang)}" for i in (0, 1)
        )
        leader = self._beyond_reach(position)
        if leader is not None:
            name = self.seat(leader, lang, seat)
            score += f"  {'entschieden' if de else 'decided'}, {won_by(name, lang)}"
        lines.append(f"{'Stand' if de else 'score so far'}: {score}")
        return "\n".join(lines)

    @staticmethod
    def _beyond_reach(position: Position) -> int | None:
        """The side that has more than all tests that are left can take from it; None as long as none has."""
        s, p = position.record, position.game.params
        if s.status or position.game.spec.sources.extensions:  # a module may give points of its own
            return None
        most = float(max(p.pool_win.max(), p.pool_loss.max())) if p.payoff == st.Payoff.STAKES else 1.0  # of a test
        if abs(float(s.score)) <= most * (int(p.n_tests) - int(s.test)):
            return None
        return 0 if s.score > 0 else 1

    def _test(self, s: Any, p: Any, seat: int | None, lang: str) -> str:
        de = lang == "de"
        acting, other = self.seat(int(s.acting), lang, seat), self.seat(1 - int(s.acting), lang, seat)
        head = f"{'Probe' if de else 'test'} {int(s.test) + 1}/{p.n_tests}: "
        if s.kind == st.Kind.SIMPLE:
            what = f"einfache Probe, {acting}: Wert {s.mine} gegen Mindestwurf {s.other}"
            head += what if de else f"simple test, {acting}: value {s.mine} against target {s.other}"
        else:
            sides = SIDES[lang]
            head += (
                f"{'Wettstreit' if de else 'contest'}, {sides[0]} {acting} ({s.mine}), {sides[1]} {other} ({s.other})"
            )
        if p.payoff == st.Payoff.STAKES:
            won, lost = (number_in(f"{float(points):g}", lang) for points in (s.win_points, s.loss_points))
            head += f"; Erfolg +{won}, Misserfolg \N{MINUS SIGN}{lost}" if de else f"; success +{won}, failure -{lost}"
        return head

    @staticmethod
    def _streak(s: Any, p: Any, lang: str) -> str:
        de = lang == "de"
        if p.die:
            return f"{'Differenz' if de else 'difference'} {s.gap}"
        need, net = int(s.need), int(s.net)
        settled = f" ({SETTLED[lang][p.payoff == st.Payoff.MARGIN]})" if s.decided else ""
        if de:
            told = f"Differenz {s.gap}, nötige Siege {signed(need)} ({needed(need, lang)})"
            return f"{told}, Siege bisher {signed(net)}{settled}"
        told = f"difference {s.gap}, wins needed {signed(need)} ({needed(need, lang)})"
        return f"{told}, wins so far {signed(net)}{settled}"

    @staticmethod
    def _next(s: Any, p: Any, seat: int, lang: str) -> str:
        """R5 to R8, A5: what each result of the round does, as the reader sees it: the test goes on, or ends."""
        words: dict[str, list[str]] = {}
        for own in (1, 0, -1):
            result = own if seat == s.acting else -own
            net = int(s.net) + result
            streak = result != 0 and net * result > 0
            net = net if streak else int(s.net)
            contest = s.kind == st.Kind.CONTEST
            margin = net * int(p.bonus_step) * (2 if contest and p.malus else 1) - int(s.gap)
            success, equal = net >= s.need, bool(contest and p.tie == st.Tie.DRAW and margin == 0)  # R9, R13, A1, A3
            settled = success if net > 0 else not success and not equal
            if streak and s.rounds + 1 < p.max_rounds and not (p.early and settled):
                goes_on = "es geht weiter, Siege bisher" if lang == "de" else "it goes on, wins so far"
                told = f"{goes_on} {signed(net)}"
            else:
                verdict = st.Verdict.SUCCESS if success else st.Verdict.EQUAL if equal else st.Verdict.FAILURE
                name = VERDICTS[lang][st.VERDICTS.index(st.verdict_name(int(s.kind), verdict))]
                told = f"{'Schluss' if lang == 'de' else 'the end'}, {name}"
            words.setdefault(told, []).append(OUTCOMES[lang][own + 1])
        either = " oder " if lang == "de" else " or "
        told = "; ".join(f"{either.join(results)}: {what}" for what, results in words.items())
        return f"{'diese Runde' if lang == 'de' else 'this round'} {told}"

    @staticmethod
    def _chance(position: Position, seat: int | None, lang: str) -> str:
        """Section 7: the chance that the acting side succeeds, by the die or if one of both plays all symbols alike."""
        s, options = position.record, position.game.spec.options
        kind, die = st.KINDS[int(s.kind)], bool(position.game.params.die)
        if die:
            share = die_success(kind, int(s.gap), options)
        else:
            share = success_from(kind, int(s.gap), options, int(s.net))
        told = number_in(f"{100 * float(share):.1f} %", lang)
        whose = CHANCES[lang][2 if s.acting == reader(seat) else int(s.acting)]
        if die:
            return f"{whose}: {told}"
        if lang == "de":
            return f"{whose}, wenn eine Seite gleichmäßig mischt: {told}"
        return f"{whose} if either side plays all symbols alike: {told}"

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event."""
        kind, a, b, c, acting = st.EVENT.unpack(event)
        de = lang == "de"
        if kind == st.Event.TEST:
            turn = f"{SIDES[lang][0]}:" if b == st.Kind.CONTEST else "handelnde Seite:" if de else "acting side:"
            return f"--- {'Probe' if de else 'test'} {a + 1}: {TESTS[lang][b]}, {turn} {self.seat(c, lang, seat)}"
        if kind == st.Event.CHOICE:
            return f"{self.seat(a, lang, seat)}: {self.actions.describe(b, lang)}"
        if kind == st.Event.REVEAL:
            shown = f"{self.seat(0, lang, seat)}: {self.symbol(a, lang)}, "
            shown += f"{self.seat(1, lang, seat)}: {self.symbol(b, lang)}"
            winner = acting if c > 0 else 1 - acting
            return f"{shown}; {DRAWN[lang] if c == 0 else WINS[lang][2 if winner == reader(seat) else winner]}"
        if kind == st.Event.ROLL:
            mine = a == reader(seat)
            rolls = ("würfelst" if mine else "würfelt") if de else ("roll" if mine else "rolls")
            return f"{self.seat(a, lang, seat)} {rolls} {b:+d}"
        if kind == st.Event.RESULT:
            told = self.result(a, b, c, lang)
            who = f"{'Angreifer' if de else 'attacker'}: {self.seat(acting, lang, seat)}"
            return f"{'Ergebnis' if de else 'result'}: {told}" + (f"; {who}" if c == st.Kind.CONTEST else "")
        return ""

    @staticmethod
    def result(verdict: int, ending: int, kind: int, lang: str) -> str:
        """The verdict and how the test ended."""
        name = VERDICTS[lang][st.VERDICTS.index(st.verdict_name(kind, verdict))]
        return name if ending == st.Ending.DECLINED else f"{name} ({ENDINGS[lang][ending]})"


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, by the verdict of the one test or by the score after all, and the payoffs."""
    s, tests, reason = position.record, int(position.game.params.n_tests), ""
    if position.status != STOPPED and s.test:
        reason = Texts.result(int(s.last_verdict), int(s.last_ending), int(s.last_kind), lang)
        if tests > 1:
            lead = number_in(f"{abs(float(s.score)) / tests:.3f}", lang)
            words = ("Stand", "nach", "Proben") if lang == "de" else ("score", "after", "tests")
            reason = f"{words[0]} {lead} {words[1]} {int(s.test)} {words[2]}"
    return ending_lines(position, lang, reason)
