"""The table of a script of einBlatt: its piles and dice, as the script wants them, and what it may expect to see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import ProbespielError
from ..core.game import Game
from ..core.script import Script
from . import state as st
from .system import SYSTEM
from .text import outcome_class

REFUSALS = ("reward", "mercy_assign", "answer", "gain_confidence", "stash")  # phases in which `no` may be all there is


def codes(cards: int) -> set[str]:
    """Codes of a card set."""
    return {st.CARD_CODES[c] for c in range(32) if cards >> c & 1}


def listed(texts: Any) -> list[str]:
    """A list of texts as it is; raises ProbespielError for anything else."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ProbespielError(f"{texts!r} is not allowed: a list of texts")
    return texts


def omissible(step: Mapping[str, Any]) -> bool:
    """Whether a game may leave the question of a step out: it has one answer, or is one whose `no` may be alone."""
    alone = step.get("action") == "no" and step.get("phase") in REFUSALS
    return "chance" not in step and (bool(step.get("forced")) or alone)


class TableScript(Script):
    """The table of a `play` case: the position, the order of every pile, results of conflicts, the place in the script.

    The order of a pile may be said after what uses it up; its step is then looked up when it is needed.
    """

    def __init__(self, case: Mapping[str, Any], compiled: bool) -> None:
        self.setup = case["setup"]
        super().__init__(case, Game(SYSTEM.spec_of_setup(self.setup), compiled))
        self.steps = list(case.get("steps") or [])
        self.auto = dict(case.get("auto") or {})
        self.cursor = 0
        self.results: list[dict[str, int]] = []
        self.waiting: list[Mapping[str, Any]] = []  # chance steps whose event is still to come
        self.due: list[Mapping[str, Any]] = []  # chance steps with an expectation that is due at the next decision
        self.orders: dict[tuple[int, int], list[int]] = {}
        self.epochs: dict[tuple[int, int], int] = {}
        self._initial_orders()
        self._note()

    # --- piles ---

    def _initial_orders(self) -> None:
        for i, seat in enumerate(self.setup["seats"]):
            deck = int(self.game.params.deck_of[i])
            for pile, field in ((0, "draw"), (1, "draw_b")):
                if seat.get(field) is not None:
                    order = self.orders.setdefault((deck, pile), [])
                    order.extend(st.CARD_CODES.index(c) for c in seat[field])
        wrath = self.setup.get("wrath")
        if wrath and wrath.get("draw") is not None:
            pile = int(self.game.params.wrath_deck), 0
            top = [st.CARD_CODES.index(c) for c in wrath["draw"]]  # on the npc's own cards, where its deck is used
            self.orders[pile] = top + [c for c in self.orders.get(pile, []) if c not in top]

    def pile(self, deck: int, pile: int) -> list[int]:
        """The cards of a draw pile, top first, as the script has ordered them."""
        s = self.position.record
        key = (deck, pile)
        epoch = int(s.epoch[deck, pile])
        while self.epochs.get(key, 0) < epoch:
            self.epochs[key] = self.epochs.get(key, 0) + 1
            self.orders[key] = self._scripted_order(deck, pile)
        cards = int(s.draw[deck, pile])
        known = [int(s.top[deck, pile, i]) for i in range(int(s.top_n[deck, pile]))]
        order = [c for c in self.orders.get(key, []) if cards >> c & 1 and c not in known]
        rest = [c for c in range(32) if cards >> c & 1 and c not in order and c not in known]
        return known + order + rest

    def _scripted_order(self, deck: int, pile: int) -> list[int]:
        step = self._chance_step(
            lambda step: (
                step["chance"] in ("reshuffle", "wrath")
                and self._deck_of(step) == deck
                and {"A": 0, "B": 1}[step.get("pile", "A")] == pile
            )
        )
        return [] if step is None else [st.CARD_CODES.index(c) for c in step["order"]]

    def _chance_step(self, fits: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any] | None:
        """The next chance step for an event, out of the script; questions that need no answer may stand before it."""
        for at, step in enumerate(self.waiting):
            if fits(step):
                return self._happened(self.waiting.pop(at))
        at = self.cursor
        while at < len(self.steps) and ("chance" in self.steps[at] or omissible(self.steps[at])):
            if "chance" in self.steps[at] and fits(self.steps[at]):
                return self._happened(self.steps.pop(at))
            at += 1
        return None

    def _happened(self, step: Mapping[str, Any]) -> Mapping[str, Any]:
        if step.get("expect"):
            self.due.append(step)
        return step

    def _deck_of(self, step: Mapping[str, Any]) -> int:
        name = step.get("deck", "wrath")
        if name == "wrath":
            return int(self.game.params.wrath_deck)
        return int(self.game.params.deck_of[self.seat(name)])

    # --- chance ---

    def throw(self) -> None:
        """Let all dice fall that are due, as the script wants."""
        while self.position.die():
            s = self.position.record
            kind = int(s.die_kind)
            outcome = 0
            if kind == st.Die.CARD:
                deck, pile = int(s.die_deck), int(s.die_pile)
                order = self.pile(deck, pile)
                cards = int(s.draw[deck, pile])
                known = int(s.top_n[deck, pile])
                if s.f_phase[int(s.depth) - 1] == st.Frame.PEEK:
                    for card in order[:known]:
                        cards &= ~(1 << card)
                    card = order[known]
                else:
                    card = order[0]
                outcome = (cards & ((1 << card) - 1)).bit_count()
            elif kind == st.Die.INITIATIVE:
                tied = [i for i in range(self.game.n_seats) if int(s.die_pile) >> i & 1]
                outcome = self._initiative(tied)
            self.position.fall(outcome)
            self._note()

    def _initiative(self, tied: list[int]) -> int:
        step = self._chance_step(lambda step: step["chance"] == "initiative")
        if step is None:
            return 0
        first = self.seat(step["order"][0])
        if first not in tied:
            raise ProbespielError(f"initiative: {self.names[first]} is not among {[self.names[i] for i in tied]}")
        return tied.index(first)

    def _note(self) -> None:
        for event in (event for event in self.position.events() if event >= 0):
            kind, seat, a, _, _ = st.EVENT.unpack(event)
            if kind == st.Event.RESULT:
                if seat == 0:  # the results of a conflict come in seat order
                    self.results.append({})
                self.results[-1][self.names[seat]] = a

    def parse(self, text: str) -> int:
        """Action id of a text of the script; seats by name."""
        return self.game.actions.parse(text, self.game.spec.aliases)

    # --- expectations ---

    def normal(self, key: str, want: Any) -> Any:
        """Sets of cards and of names are sorted."""
        if key in ("hand", "discard", "discard_b", "conf", "aside"):
            return {name: sorted(listed(cards)) for name, cards in want.items()}
        if key in ("wrath", "legal"):
            return sorted(listed(want))
        if key in ("look", "dead") and isinstance(want, list):
            return sorted(listed(want))
        return want

    def see_ep(self, want: Any) -> Any:
        """EP of the running (or last) conflict."""
        return self.per_seat(want, lambda i: int(self.position.record.ep[i]))

    def _hand(self, i: int) -> int:
        s = self.position.record
        cards = int(s.hand[i])
        if self.position.phase() == "commit" and 0 <= s.sealed[i] < 32:
            cards &= ~(1 << int(s.sealed[i]))  # a sealed card has left the hand of its owner
        return cards

    def see_hand(self, want: Any) -> Any:
        """Hand cards."""
        return self.per_seat(want, lambda i: sorted(codes(self._hand(i))))

    def _discard(self, i: int, pile: int) -> list[str]:
        s = self.position.record
        return sorted(codes(int(s.disc[int(s.deck_of[i]), pile])))

    def see_discard(self, want: Any) -> Any:
        """Discard pile A."""
        return self.per_seat(want, lambda i: self._discard(i, 0))

    def see_discard_b(self, want: Any) -> Any:
        """Discard pile B."""
        return self.per_seat(want, lambda i: self._discard(i, 1))

    def _draw(self, i: int, pile: int) -> list[str]:
        return [st.CARD_CODES[c] for c in self.pile(int(self.position.record.deck_of[i]), pile)]

    def see_draw(self, want: Any) -> Any:
        """Draw pile A, top first."""
        return self.per_seat(want, lambda i: self._draw(i, 0))

    def see_draw_b(self, want: Any) -> Any:
        """Draw pile B, top first."""
        return self.per_seat(want, lambda i: self._draw(i, 1))

    def see_draw_count(self, want: Any) -> Any:
        """Cards in the draw piles."""
        return self.per_seat(want, lambda i: len(self._draw(i, 0)) + len(self._draw(i, 1)))

    def see_conf(self, want: Any) -> Any:
        """Confidence hand."""
        return self.per_seat(want, lambda i: sorted(codes(int(self.position.record.conf[i]))))

    def see_aside(self, want: Any) -> Any:
        """Set-aside cards."""
        return self.per_seat(want, lambda i: sorted(codes(int(self.position.record.aside[i]))))

    def see_sleeve(self, want: Any) -> Any:
        """Sleeve card or null."""
        return self.per_seat(want, lambda i: next(iter(codes(int(self.position.record.sleeve[i]))), None))

    def see_restriction(self, want: Any) -> Any:
        """Restriction of the attribute tested last."""
        s = self.position.record
        return self.per_seat(want, lambda i: int(s.restr[i, s.tested[i]]))

    def see_attribute(self, want: Any) -> Any:
        """Current value of the attribute tested last (npc: card count); ignored injuries do not lower it (R212)."""
        s, p = self.position.record, self.game.params
        ignored = None if self.position.over else getattr(s, "experience_ignore", None)

        def value(i: int) -> int:
            t = int(s.tested[i])
            if p.pc[i]:
                hurt = 0 if ignored is not None and ignored[i] else int(s.restr[i, t])
                return max(0, int(s.attr[i, t]) - hurt)
            base = int(p.npc_attribute[i]) if p.npc_attribute[i] >= 0 else int(s.npc_cards[i])
            return max(0, base - int(s.restr[i, t])) if p.npc_restrictions else base

        return self.per_seat(want, value)

    def see_xp(self, want: Any) -> Any:
        """Experience points."""
        return self.per_seat(want, lambda i: int(self.position.record.xp[i]))

    def see_xp_free(self, want: Any) -> Any:
        """Experience points not used so far."""
        return self.per_seat(want, lambda i: int(self.position.record.xp_free[i]))

    def see_king(self, want: Any) -> Any:
        """Short draw flag (R170)."""
        return self.per_seat(want, lambda i: bool(self.position.record.king[i]))

    def see_order(self, want: Any) -> Any:
        """Initiative groups of the open cards, first to act first (R52)."""
        s, p = self.position.record, self.game.params
        values = self.see_attribute(dict.fromkeys(self.names))
        if p.tie_base:
            values = {name: self._base(i) for i, name in enumerate(self.names)}
        r = int(s.round_no)
        groups: dict[tuple[int, int], list[str]] = {}
        for i, name in enumerate(self.names):
            if s.is_open[i]:
                groups.setdefault((-int(s.slot_class[i, r]), -values[name]), []).append(name)
        return [groups[key] for key in sorted(groups)]

    def _base(self, i: int) -> int:
        s, p = self.position.record, self.game.params
        if p.pc[i]:
            return int(s.attr[i, s.tested[i]])
        return int(p.npc_attribute[i]) if p.npc_attribute[i] >= 0 else int(s.npc_cards[i])

    def see_revealed(self, want: Any) -> Any:
        """Card turned over last."""
        focus = int(self.position.record.focus)
        return st.CARD_CODES[focus] if focus >= 0 else None

    def see_look(self, want: Any) -> Any:
        """Cards that the seat to act (or the seats named) has looked at."""
        s = self.position.record
        if isinstance(want, Mapping):
            return self.per_seat(want, lambda i: sorted(codes(int(s.looked[i]))))
        return sorted(card for i in self.position.to_act()[:1] for card in codes(int(s.looked[i])))

    def see_wrath(self, want: Any) -> Any:
        """Wrath cards."""
        return sorted(codes(int(self.position.record.wrath)))

    def see_wrath_count(self, want: Any) -> Any:
        """Number of wrath cards."""
        return int(self.position.record.wrath).bit_count()

    def see_wrath_hits(self, want: Any) -> Any:
        """Matches of the last request for mercy (R202)."""
        return int(getattr(self.position.record, "mercy_hits", 0))

    def see_next(self, want: Any) -> Any:
        """Seat asked next; of several at once the one that is wanted."""
        seats = [self.names[i] for i in self.position.to_act()]
        return want if want in seats else (seats[0] if seats else None)

    def see_phase(self, want: Any) -> Any:
        """Phase asked next."""
        return self.position.phase() or None

    def see_legal(self, want: Any) -> Any:
        """Legal actions of the seat asked next; targets by name."""
        asked = [set(self.position.legal(seat)) for seat in self.position.to_act()]
        if {self.parse(text) for text in listed(want)} in asked:
            return sorted(want)
        return sorted(self._named(a) for a in asked[0]) if asked else []

    def _named(self, action: int) -> str:
        target = action - st.Action.ATTACK
        return f"attack:{self.names[target]}" if 0 <= target < st.MAXS else self.game.actions.codes[action]

    def see_outcome(self, want: Any) -> Any:
        """Result class (R70)."""
        return self.per_seat(want, lambda i: outcome_class(int(self.position.record.ep[i])))

    def see_payoff(self, want: Any) -> Any:
        """Payoff."""
        returns = self.position.returns()
        return self.per_seat(want, lambda i: float(returns[i]))

    def see_total(self, want: Any) -> Any:
        """Payoff of the whole campaign."""
        return self.see_payoff(want)

    def _teams(self) -> dict[str, list[int]]:
        out: dict[str, list[int]] = {}
        for i, seat in enumerate(self.game.seats):
            out.setdefault(seat.side, []).append(int(self.position.record.ep[i]))
        return out

    def see_team_sum(self, want: Any) -> Any:
        """Sum of the EP of each team named."""
        teams = self._teams()
        return {team: sum(teams[team]) for team in want}

    def see_team_max(self, want: Any) -> Any:
        """Best EP of each team named."""
        teams = self._teams()
        return {team: max(teams[team]) for team in want}

    def see_tests(self, want: Any) -> Any:
        """Tests of the last conflict."""
        return int(self.position.record.tests_played)

    def see_conflict_ep(self, want: Any) -> Any:
        """Final EP of every conflict."""
        have = self.results
        return [{n: r[n] for n in w} for w, r in zip(want, have, strict=False)] if len(have) == len(want) else have

    def see_dead(self, want: Any) -> Any:
        """Seats that died (R93)."""
        s = self.position.record
        if isinstance(want, Mapping):
            return self.per_seat(want, lambda i: bool(s.dead[i]))
        return sorted(n for i, n in enumerate(self.names) if s.dead[i])
