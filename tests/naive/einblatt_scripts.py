"""Drivers of the einBlatt oracle for tests: golden scripts, given moves, random play, the tug of war."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.naive.einblatt import NaiveEinblatt
from tests.naive.einblatt_cards import card_code, card_id

# The tug of war of the presets (4.8): name, attribute or card count, relation of the skill
TUG_PCS = (("Francis", 7, "none"), ("Kyle", 6, "own"), ("Mortimer", 7, "other"))
TUG_VILLAGE = (4, 3, 3, 2, 2, 5)


def tug_of_war(leader: str | None = None, **config: Any) -> dict[str, Any]:
    """Setup of the preset with dealt hands; a leader of the pcs is optional."""
    seats: list[dict[str, Any]] = [
        {"name": name, "kind": "pc", "attribute": value, "relation": relation, "suits": "C", "team": "PC"}
        for name, value, relation in TUG_PCS
    ]
    seats += [
        {"name": f"Village{number}", "kind": "npc", "cards": cards, "suits": "C", "team": "village"}
        for number, cards in enumerate(TUG_VILLAGE)
    ]
    if leader is not None:
        config["leaders"] = {"PC": leader}
    return {"level": "melee", "config": config, "seats": seats}


def move(game: NaiveEinblatt, *moves: str) -> None:
    """Take moves like `0 card:CA`, in order."""
    for text in moves:
        seat, action = text.split()
        game.act(int(seat), action)


def draw(game: NaiveEinblatt, codes: str) -> None:
    """Let the named cards be drawn, in order."""
    for code in codes.split():
        kind, event = game.pending()
        assert kind == "chance" and event["kind"] == "draw", (kind, event, code)
        game.fall(event["cards"].index(card_id(code)))


def owing(game: NaiveEinblatt) -> dict[int, list[str]]:
    """The decisions that are asked for."""
    kind, legal = game.pending()
    assert kind == "decide", kind
    return legal


def cards(codes: str) -> list[int]:
    """Card ids of a list like `CA H7`, sorted."""
    return sorted(card_id(code) for code in codes.split())


Watcher = Callable[[NaiveEinblatt], None]
Policy = Callable[[NaiveEinblatt, int, list[str]], str]


def play_out(
    game: NaiveEinblatt, rng: random.Random, watch: Watcher | None = None, policy: Policy | None = None
) -> NaiveEinblatt:
    """Play to the end with uniform chance and, without a policy, uniform decisions; seats answer in random order."""
    while True:
        if watch is not None:
            watch(game)
        kind, request = game.pending()
        if kind == "over":
            return game
        if kind == "chance":
            faces = request["cards"] if request["kind"] == "draw" else request["seats"]
            game.fall(rng.randrange(len(faces)))
        else:
            seat = rng.choice(list(request))
            legal = request[seat]
            game.act(seat, policy(game, seat, legal) if policy is not None else rng.choice(legal))


class GoldenCase:
    """A case of kind play, run on the oracle step by step (section 9)."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        """Set the case up."""
        self.case = case
        self.auto: Mapping[str, str] = case.get("auto", {})
        self.game = NaiveEinblatt(case["setup"])
        self.names: list[str] = [seat.name for seat in self.game.seats]

    def run(self) -> None:
        """Take all steps, check what each expects, and what the case expects in the end."""
        for step in self.case["steps"]:
            self.step(step)
        while self.game.pending()[0] != "over":
            self.answer_unaddressed()
        self.check(self.case["expect"])

    def step(self, step: Mapping[str, Any]) -> None:
        """One decision of the script; decisions that it leaves out are answered first."""
        seat = self.names.index(step["seat"])
        action = self.to_engine(step["action"])
        while not self.addressed(seat, step["phase"]):
            self.answer_unaddressed()
        if step.get("illegal", False):
            before = self.game.snapshot()
            try:
                self.game.act(seat, action)
            except ValueError:
                assert self.game.snapshot() == before
            else:
                raise AssertionError(f"{step} was taken")
            return
        if step.get("forced", False):
            assert owing(self.game)[seat] == [action], step
        self.game.act(seat, action)
        if "expect" in step:
            self.check(step["expect"])

    def addressed(self, seat: int, phase: str) -> bool:
        """Whether the game waits for this seat in this phase."""
        return self.game.phase == phase and seat in owing(self.game)

    def answer_unaddressed(self) -> None:
        """Answer a decision that the script leaves out: forced, by `auto`, or `done`."""
        for seat, legal in owing(self.game).items():
            self.game.act(seat, legal[0] if len(legal) == 1 else self.auto.get(self.game.phase, "done"))

    def to_engine(self, action: str) -> str:
        """Scripts attack names, the oracle seat indexes."""
        verb, _, name = action.partition(":")
        return f"attack:{self.names.index(name)}" if verb == "attack" else action

    def by_name(self, values: Iterable[Any]) -> dict[str, Any]:
        """A value for each seat's name."""
        return dict(zip(self.names, values))

    def check(self, expect: Mapping[str, Any]) -> None:
        """Compare every key of an `expect`, which names only some of the seats."""
        for key, wanted in expect.items():
            found = self.find(key)
            if isinstance(wanted, dict):
                found = {name: found[name] for name in wanted}
            if key in ("hand", "discard"):
                wanted = {name: sorted(card_id(code) for code in codes) for name, codes in wanted.items()}
            if key == "legal":
                wanted = sorted(self.to_engine(action) for action in wanted)
            assert found == wanted, (key, found, wanted)

    def find(self, key: str) -> Any:
        """The value that a key of `expect` speaks of."""
        game, state = self.game, self.game.snapshot()
        if key in ("ep", "hand", "discard", "restriction", "attribute", "outcome"):
            return self.by_name(state[key])
        if key == "payoff":
            return self.by_name(state["payoffs"])
        if key == "order":
            return [[self.names[seat] for seat in group] for group in game.initiative_order()]
        if key == "phase":
            return game.phase
        if key == "next":
            return self.names[min(owing(game))]
        if key == "legal":
            return sorted(owing(game)[min(owing(game))])
        if key == "conflict_ep":
            return [self.by_name(entry) for entry in state["conflict_ep"]]
        if key in ("team_sum", "team_max"):
            by_team: dict[str, list[int]] = {}
            for seat in game.seats:
                by_team.setdefault(seat.team, []).append(seat.ep)
            return {team: sum(ep) if key == "team_sum" else max(ep) for team, ep in by_team.items()}
        raise KeyError(f"expect key {key}")


def check_invariants(game: NaiveEinblatt, decks: Mapping[int, frozenset[int]]) -> None:
    """E7: EP sum to zero, and every deck keeps its cards, each of them once."""
    state = game.snapshot()
    assert sum(state["ep"]) == 0
    for owner, whole in decks.items():
        users = [seat.index for seat in game.seats if game.decks[seat.index].owner == owner]
        there = state["draw"][owner] + state["discard"][owner]
        for user in users:
            there = there + state["hand"][user] + state["area"][user]
        assert sorted(there) == sorted(whole), (owner, [card_code(card) for card in sorted(there)])
    for seat in game.seats:
        assert not (seat.open and seat.spent)
        assert not (seat.passed and (seat.open or seat.spent))
        if seat.open:
            assert seat.round_card in seat.area
    if state["phase"] == "over":
        assert all(not hand for hand in state["hand"]) or state["truncated"]
        assert all(not area for area in state["area"]) or state["truncated"]


def whole_decks(game: NaiveEinblatt) -> dict[int, frozenset[int]]:
    """The cards of each deck, by its owner."""
    whole: dict[int, set[int]] = {}
    for seat in game.seats:
        deck = game.decks[seat.index]
        whole.setdefault(deck.owner, set()).update(deck.draw | deck.discard | set(seat.hand) | set(seat.area))
    return {owner: frozenset(there) for owner, there in whole.items()}
