"""The einBlatt oracle: the base rules once more, as one long generator that asks for every card and every choice."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from tests.naive.einblatt_cards import card_id, clipped, outcome, payoffs
from tests.naive.einblatt_melee import Melee
from tests.naive.einblatt_state import Seat
from tests.naive.einblatt_table import Request, Script


class NaiveEinblatt(Melee):
    """One game without rule modules: levels duel, melee and campaign (R1-R7, R20-R75, R90-R93).

    The rules run in a generator. It yields ("chance", ...) and is sent the outcome's number, or ("decide", {seat: legal
    actions}) and is sent one (seat, action); after each answer of a simultaneous decision it yields those still owing.
    """

    def __init__(self, setup: Mapping[str, Any]) -> None:
        """Set the table (section 9) and run to the first request."""
        super().__init__(setup)
        self.level: str = setup["level"]
        self.conflicts: list[Mapping[str, Any]] = list(setup.get("conflicts") or [{}])
        if self.level != "campaign" and len(self.conflicts) > 1:
            raise ValueError("conflicts: only a campaign has several")
        if self.level == "melee" and self.config["layout"] == "slots":
            raise ValueError("layout: slots is for duels only")
        self.conflict = 0
        self.test = 0
        self.in_conflict = False
        self.conflict_ep: list[list[int]] = []
        self.conflict_payoffs: list[list[float]] = []
        self.unplayed: list[float] = [0] * len(self.seats)
        self.decisions = 0
        self.truncated = False

        self._script: Script = self._play()
        self._request: Request = ("over", None)
        self._run(None)

    # --- what a driver does ---------------------------------------------------------------------------------------

    def pending(self) -> Request:
        """What the game waits for: ("chance", ...), ("decide", ...) or ("over", None)."""
        return self._request

    def fall(self, outcome_number: int) -> None:
        """Let a chance event come out: the number of a card in the list, or of a tied seat (4.3)."""
        kind, event = self._request
        if kind != "chance":
            raise ValueError(f"no chance event is pending, but {kind}")
        faces = event["cards"] if event["kind"] == "draw" else event["seats"]
        if not 0 <= outcome_number < len(faces):
            raise ValueError(f"outcome {outcome_number} of {len(faces)}")
        self._run(outcome_number)

    def act(self, seat: int, action: str) -> None:
        """Take a decision of a seat; an illegal one changes nothing (4.6)."""
        kind, owing = self._request
        if kind != "decide":
            raise ValueError(f"no decision is pending, but {kind}")
        if seat not in owing:
            raise ValueError(f"seat {seat} owes no decision in {self.phase}; {sorted(owing)} do")
        if action not in owing[seat]:
            raise ValueError(f"seat {seat}, phase {self.phase}: {action!r} is illegal; legal: {owing[seat]}")
        self.decisions += 1
        self._run((seat, action))
        if self._request[0] != "over" and self.decisions >= self.config["max_decisions"]:
            self._truncate()

    def snapshot(self) -> dict[str, Any]:
        """The state as plain lists, one entry a seat; `round_card` stays after its use until the round ends."""
        over = self._request[0] == "over"
        npc_restrictions = self.config["npc_restrictions"]
        ep = [seat.ep for seat in self.seats]
        return {
            "phase": self.phase,
            "conflict": self.conflict,
            "test": self.test,
            "round": self.round,
            "on_turn": list(self.on_turn),
            "attack": self.attack,
            "ep": ep,
            "hand": [sorted(seat.hand) for seat in self.seats],
            "draw": [sorted(self.decks[seat.index].draw) for seat in self.seats],
            "discard": [sorted(self.decks[seat.index].discard) for seat in self.seats],
            "area": [sorted(seat.area) for seat in self.seats],
            "round_card": [seat.round_card for seat in self.seats],
            "open": [seat.open for seat in self.seats],
            "spent": [seat.spent for seat in self.seats],
            "passed": [seat.passed for seat in self.seats],
            "waited": [seat.waited for seat in self.seats],
            "restriction": [seat.attribute.restriction for seat in self.seats],
            "permanent": [seat.attribute.permanent for seat in self.seats],
            "attribute": [seat.current_value(npc_restrictions) for seat in self.seats],
            "dead": [seat.dead for seat in self.seats],
            "conflict_ep": [list(entry) for entry in self.conflict_ep],
            "truncated": self.truncated,
            "outcome": [outcome(own) for own in ep] if over else None,
            "payoffs": self._total_payoffs() if over else None,
        }

    # --- the machine under the generator --------------------------------------------------------------------------

    def _run(self, answer: Any) -> None:
        """Run the rules to the next request."""
        try:
            self._request = self._script.send(answer)
        except StopIteration:
            self._finish()

    def _finish(self) -> None:
        """Close the game."""
        self._script.close()
        self.phase = "over"
        self._request = ("over", None)

    def _truncate(self) -> None:
        """Stop at `max_decisions`; the conflict under way counts as it stands (4.5)."""
        self.truncated = True
        if self.in_conflict:
            self._score_conflict()
        self._finish()

    # --- campaign (2.8) -------------------------------------------------------------------------------------------

    def _play(self) -> Script:
        """All conflicts, one after the other (R90); a duel or a melee is a single one without a session start."""
        for index, conflict in enumerate(self.conflicts):
            self.conflict = index
            self._change_seats(conflict)
            if self.level == "campaign" and (index == 0 or conflict.get("new_session", False)):
                self._start_session(first=index == 0)
            if conflict.get("events_only", False):
                continue
            yield from self._play_conflict(conflict)
            if self.level == "campaign" and any(seat.dead for seat in self.seats):
                self._leave_unplayed(self.conflicts[index + 1 :])
                return

    def _change_seats(self, conflict: Mapping[str, Any]) -> None:
        """Take over what is fixed anew for this conflict (R30); it holds from the session start on (R90)."""
        for name, fields in conflict.get("seats", {}).items():
            seat = self.seats[self._seat_index(name)]
            seat.change(fields)
            if "hand" in fields:
                seat.next_hand = [card_id(code) for code in fields["hand"]]

    def _start_session(self, first: bool) -> None:
        """Heal, shuffle if the deck policy says so; neither at the first session (R24, R75, R90)."""
        if first:
            return
        self._heal(self.config["heal_per_session"])
        if self.config["reshuffle"] == "on_session":
            for deck in self.decks.values():
                deck.shuffle_all()

    def _heal(self, points: int) -> None:
        """Heal every attribute of every seat (R75)."""
        for seat in self.seats:
            for attribute in seat.attributes:
                attribute.heal(points)

    def _leave_unplayed(self, rest: Sequence[Mapping[str, Any]]) -> None:
        """The dead are paid for the conflicts that their death leaves unplayed (option `unplayed`)."""
        weight = sum(conflict.get("weight", 1) for conflict in rest if not conflict.get("events_only", False))
        for seat in self.seats:
            if seat.dead:
                self.unplayed[seat.index] = self.config["unplayed"] * weight

    def _total_payoffs(self) -> list[float]:
        """Sum over the conflicts, already weighted, and what a death left unplayed (R92)."""
        return [
            sum(payoff[seat] for payoff in self.conflict_payoffs) + self.unplayed[seat]
            for seat in range(len(self.seats))
        ]

    # --- conflict (2.7) -------------------------------------------------------------------------------------------

    def _play_conflict(self, conflict: Mapping[str, Any]) -> Script:
        """Tests until a perfect result, `max_tests` or a failed vote, then what a conflict leaves behind (R72-R75)."""
        level = conflict.get("conflict_level", "duel") if self.level == "campaign" else self.level
        if level == "duel" and len(self.seats) != 2:
            raise ValueError(f"seats: a duel has 2, not {len(self.seats)}")
        self.in_conflict = True
        for seat in self.seats:
            seat.ep = 0
            seat.carried = 0
        for test in range(self.config["max_tests"]):
            self.test = test
            for seat in self.seats:
                seat.carried = seat.ep if self.config["continuation_ep"] == "cumulative" else 0
                seat.ep = seat.carried
            yield from self._deal(first=test == 0)
            yield from self._play_test(level)
            if self.config["penalty_timing"] == "test":
                self._restrict(conflict, [seat.ep - seat.carried for seat in self.seats])
            self._clear_area()
            if any(abs(seat.ep) >= 3 for seat in self.seats) or test + 1 == self.config["max_tests"]:
                break  # R73
            goes_on = yield from self._vote()
            if not goes_on:
                break
        self._end_conflict(conflict)

    def _vote(self) -> Generator[Request, Any, bool]:
        """Whether the conflict is continued (R72, option `continue_by`)."""
        continue_by = self.config["continue_by"]
        if continue_by == "always":
            return True
        asked = [seat.index for seat in self.seats if continue_by != "loser" or seat.ep < 0]
        if not asked:
            return False  # nobody lost, so nobody may insist
        answers = yield from self._ask("continue", {seat: ["yes", "no"] for seat in asked})
        votes = [answer == "yes" for answer in answers.values()]
        return all(votes) if continue_by == "all" else any(votes)

    def _end_conflict(self, conflict: Mapping[str, Any]) -> None:
        """Healing, new restrictions, deaths, and the hands that are left go to the discard piles (4.2)."""
        self._heal(self.config["heal_per_conflict"])
        if self.config["penalty_timing"] == "conflict":
            self._restrict(conflict, [seat.ep for seat in self.seats])
        if conflict.get("lethal", False):
            for seat in self.seats:
                seat.dead = seat.dead or (seat.kind == "pc" and seat.ep <= -3)  # R93
        self._score_conflict()
        for seat in self.seats:
            self._discard_hand(seat)
        self.in_conflict = False

    def _restrict(self, conflict: Mapping[str, Any], ep: Sequence[int]) -> None:
        """Enter the restrictions that these results cost, unless they are waived (R70, R71, R74)."""
        if not conflict.get("restrict", True):
            return
        for seat in self.seats:
            if seat.kind == "npc" and not self.config["npc_restrictions"]:
                continue
            result = clipped(ep[seat.index])
            if result == -3:
                seat.attribute.suffer(self.config["restriction_perfect"], self.config["restriction_permanent"])
            elif result == -2:
                seat.attribute.suffer(self.config["restriction_clear"], 0)
            elif result == -1:
                seat.attribute.suffer(self.config["restriction_narrow"], 0)

    def _score_conflict(self) -> None:
        """Note the result and its weighted payoff (R62, R92)."""
        ep = [seat.ep for seat in self.seats]
        weight = self.conflicts[self.conflict].get("weight", 1)
        worth = payoffs(self.config["payoff"], ep, [seat.team for seat in self.seats], self.config["class_weights"])
        self.conflict_ep.append(ep)
        self.conflict_payoffs.append([weight * own for own in worth])

    # --- test -----------------------------------------------------------------------------------------------------

    def _play_test(self, level: str) -> Script:
        """The rounds of one test (R40, R43, R50)."""
        if level == "duel" and self.config["layout"] == "slots":
            self.round = 0
            yield from self._slots()
            return
        for number in range(self.config["rounds"]):
            self.round = number
            yield from self._commit()
            if level == "duel":
                one, two = self.seats
                self._compare(one, self._class(one, one.round_card), two, self._class(two, two.round_card))
            else:
                yield from self._turns()
                self._end_melee_round()
            for seat in self.seats:
                seat.clear_round()

    def _commit_texts(self, seat: Seat) -> list[str]:
        """What may be chosen as a round card: a playable card or a pass (R40, R42, R50)."""
        return [*self._card_texts(self._playable(seat)), "pass"]

    def _commit(self) -> Script:
        """All seats choose at the same time, then all is revealed (R40, R50, R51)."""
        answers = yield from self._ask("commit", {seat.index: self._commit_texts(seat) for seat in self.seats})
        for seat in self.seats:
            seat.round_card = self._play_from_hand(seat, answers[seat.index])
            seat.passed = seat.round_card is None
            seat.open = not seat.passed

    def _slots(self) -> Script:
        """Each seat lays its plays for all rounds, one after the other and hidden; then they are compared (R43)."""
        rounds = self.config["rounds"]
        laid: dict[int, list[int | None]] = {seat.index: [] for seat in self.seats}
        while any(len(plays) < rounds for plays in laid.values()):
            self.phase = "commit"
            seat, action = yield (
                "decide",
                {seat.index: self._commit_texts(seat) for seat in self.seats if len(laid[seat.index]) < rounds},
            )
            laid[seat].append(self._play_from_hand(self.seats[seat], action))
        one, two = self.seats
        for own, other in zip(laid[one.index], laid[two.index]):
            self._compare(one, self._class(one, own), two, self._class(two, other))
