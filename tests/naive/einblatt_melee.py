"""The melee of the einBlatt oracle: initiative, orders, attacks and reactions (R50-R63)."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from tests.naive.einblatt_cards import NO_CARD_CLASS, PASS_CLASS
from tests.naive.einblatt_state import Seat
from tests.naive.einblatt_table import Request, Script, Table


class Melee(Table):
    """What happens between the reveal of a melee's round cards and the end of the round."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        """Set the table and read who leads and who may attack whom (R54, R63)."""
        super().__init__(setup)
        self.leaders = {team: self._seat_index(seat) for team, seat in self.config["leaders"].items()}
        self.targets: dict[int, list[int]] | None = None
        if self.config["targets"] is not None:
            self.targets = {
                self._seat_index(seat): [self._seat_index(other) for other in others]
                for seat, others in self.config["targets"].items()
            }
        self.on_turn: list[int] = []
        self.attack: tuple[int, int] | None = None  # attacker and target of the attack being resolved

    def initiative_order(self) -> list[list[int]]:
        """All open cards, first to last; seats that tie stand in one group (R52)."""
        rest = [seat for seat in self.seats if seat.open]
        groups = []
        while rest:
            first = self._first_in_initiative(rest)
            groups.append([seat.index for seat in first])
            rest = [seat for seat in rest if seat not in first]
        return groups

    def _turns(self) -> Script:
        """Turns in initiative order until nobody with an open card is left who has not waited (R52, R57)."""
        while True:
            ready = [seat for seat in self.seats if seat.open and not seat.waited]
            if not ready:
                self.on_turn = []
                return
            first = self._first_in_initiative(ready)
            if len(first) > 1 and self.config["initiative_tie"] == "seat":
                first = first[:1]
            elif len(first) > 1 and self.config["initiative_tie"] == "random":
                self.phase = "initiative"
                number = yield "chance", {"kind": "initiative", "seats": [seat.index for seat in first]}
                first = [first[number]]
            self.on_turn = [seat.index for seat in first]
            yield from self._turn(first)

    def _first_in_initiative(self, seats: Sequence[Seat]) -> list[Seat]:
        """Highest class, then highest attribute; several seats if that does not decide (R52, A8, A9)."""
        best_class = max(self._class(seat, seat.round_card) for seat in seats)
        seats = [seat for seat in seats if self._class(seat, seat.round_card) == best_class]
        best_value = max(self._tie_value(seat) for seat in seats)
        return [seat for seat in seats if self._tie_value(seat) == best_value]

    def _tie_value(self, seat: Seat) -> int:
        """The attribute value that breaks initiative ties (R52, option `tie_attribute`)."""
        if self.config["tie_attribute"] == "base":
            return seat.base_value()
        return seat.current_value(self.config["npc_restrictions"])

    def _permitted(self, seat: Seat) -> list[int]:
        """Whom a seat may attack (R54)."""
        others = [other for other in self.seats if other is not seat]
        if self.targets is not None:
            listed = self.targets.get(seat.index, [])
            return [other.index for other in others if other.index in listed]
        if self.config["permission"] == "all":
            return [other.index for other in others]
        return [other.index for other in others if other.team != seat.team]

    def _turn(self, group: list[Seat]) -> Script:
        """One seat on turn, or a simultaneous group: orders, choices, attacks, and the price of disobedience."""
        orders: dict[int, str] = {}
        for seat in group:
            leader = self.leaders.get(seat.team)
            if leader is not None and leader != seat.index:
                legal = ["wait", *self._attack_texts(seat), "no"]
                answer = yield from self._ask("command", {leader: legal})
                orders[seat.index] = answer[leader]  # R63
        # R53; in a group all choose hidden from each other (R58)
        actions = yield from self._ask("act", {seat.index: ["wait", *self._attack_texts(seat)] for seat in group})
        yield from self._resolve(group, actions)
        for seat in group:
            order = orders.get(seat.index, "no")
            if order != "no" and actions[seat.index] != order:
                self._disobeyed(seat)

    def _attack_texts(self, seat: Seat) -> list[str]:
        """Action texts of the permitted attacks (4.6)."""
        return [f"attack:{target}" for target in self._permitted(seat)]

    def _resolve(self, group: list[Seat], actions: Mapping[int, str]) -> Script:
        """Carry out the choices of those on turn (R53, R57, R58)."""
        attacks: dict[int, int] = {}
        for seat in group:
            action = actions[seat.index]
            if action == "wait":
                seat.waited = True
            else:
                attacks[seat.index] = int(action.removeprefix("attack:"))
        if attacks and self.config["wait_mode"] == "hold":
            # Every action brings back all who waited, those of this very group included (R57, A5).
            for seat in self.seats:
                seat.waited = False
        for attacker in attacks:
            self._use_round_card(self.seats[attacker])  # committed to the attack, so no longer open (R58.1)
        mutual = [attacker for attacker in sorted(attacks) if attacks.get(attacks[attacker]) == attacker]
        for attacker in mutual:
            target = attacks[attacker]
            if attacker < target:  # one comparison for both, which is a tie (R58.2)
                one, two = self.seats[attacker], self.seats[target]
                self._compare(one, self._class(one, one.round_card), two, self._class(two, two.round_card))
                self._discard_from_area(one, one.round_card)
                self._discard_from_area(two, two.round_card)
        for attacker in sorted(attacks):
            if attacker not in mutual:
                yield from self._attack(self.seats[attacker], self.seats[attacks[attacker]])  # R58.3

    def _attack(self, attacker: Seat, target: Seat) -> Script:
        """One attack and the target's reaction (R55, R56)."""
        self.attack = (attacker.index, target.index)
        card: int | None = None
        if target.passed:  # (a) the pass defends, and is not used up
            target_class = PASS_CLASS
        elif target.open:  # (b) the open round card
            card = target.round_card
            target_class = self._class(target, card)
            self._use_round_card(target)
        elif self._playable(target):  # (c) a card from hand
            card, target_class = yield from self._react(target)
        else:  # (d) nothing left to play
            target_class = NO_CARD_CLASS
        self._compare(attacker, self._class(attacker, attacker.round_card), target, target_class)
        self._discard_from_area(attacker, attacker.round_card)
        self._discard_from_area(target, card)
        self.attack = None

    def _react(self, target: Seat) -> Generator[Request, Any, tuple[int | None, int]]:
        """A reaction from hand, which some tables allow to decline (R55c, A2)."""
        decline = self.config["reaction_decline"]
        legal = self._card_texts(self._playable(target))
        if decline != "forbidden":
            legal.append("pass")
        answers = yield from self._ask("react", {target.index: legal})
        card = self._play_from_hand(target, answers[target.index])
        if card is None:
            return None, NO_CARD_CLASS if decline == "lose" else PASS_CLASS
        return card, self._class(target, card)

    def _use_round_card(self, seat: Seat) -> None:
        """An open round card is used in an action (R51)."""
        seat.open = False
        seat.spent = True

    def _discard_from_area(self, seat: Seat, card: int | None) -> None:
        """In a melee the cards of an action are discarded at once (R25, R56)."""
        if card is not None:
            seat.area.remove(card)
            self._discard(seat, card)

    def _disobeyed(self, follower: Seat) -> None:
        """The leader (or follower, or nobody) loses the highest card of the hand (R63, A20)."""
        disobedience = self.config["disobedience"]
        if disobedience == "none":
            return
        payer = self.seats[self.leaders[follower.team]] if disobedience == "leader_best" else follower
        if payer.hand:
            # Among several cards of the highest class the lowest id goes.
            best = min(payer.hand, key=lambda card: (-self._class(payer, card), card))
            payer.hand.remove(best)
            self._discard(payer, best)

    def _end_melee_round(self) -> None:
        """Open round cards that nobody used are discarded, or return to hand by option (R25, A7)."""
        for seat in self.seats:
            if seat.open and seat.round_card is not None:
                if self.config["unused_round_card"] == "return":
                    seat.area.remove(seat.round_card)
                    seat.hand.append(seat.round_card)
                else:
                    self._discard_from_area(seat, seat.round_card)
