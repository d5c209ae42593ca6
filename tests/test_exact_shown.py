"""Which game is shown as a sample, by hand: the players, their games and what the rule did in them are stubs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.game import Seat
from probespiel.evaluation.stress import sample
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.strategies import Mixture, Strategy

WITH, PLAIN = Condition((0,)), Condition()
LINES = [{"who": "white", "what": f"move {i}", "step": i} for i in range(4)]


class Kept:
    """A replay: its name, and where it was saved."""

    def __init__(self, name: str, payoffs: float = 0.0) -> None:
        self.name, self.payoffs, self.saved, self.agents = name, np.array([payoffs, -payoffs]), "", {"white": name}
        self.game = SimpleNamespace(seats=[Seat("white", "white", "", ("White", "Weiß"))])

    def save(self, path: Path) -> None:
        self.saved = path.name


class Log:
    """A log of so many decisions, with uses alone at its beginning."""

    def __init__(self, length: int, uses: int) -> None:
        self.length, self.taken = length, np.ones(uses, dtype=bool)

    def __len__(self) -> int:
        return self.length


class Stand:
    """Stubs for all that a sample is made of; what a case changes is an attribute."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.own: set[int] = {7}
        self.with_it, self.without = [1.0, 1.0, -1.0, 1.0], [1.0, -1.0, 1.0, -1.0]
        self.lengths, self.plain_lengths = [10, 6, 5, 4], [10, 6, 5, 4]
        self.used = [1, 2, 3]  # of which game each logged use is
        self.luck: dict[str, bool] = {}
        self.same: dict[str, Kept | None] = {}
        self.acts: list[Any] = []
        self.acts_in = "with"  # all games
        self.best: dict[str, Any] | None = {"number": 2, "instead": "a rest", "weight": 1.0, "swing": 0.5}
        self.decided: list[Any] = []
        self.parted: int | None = 1
        self.forbids = False
        self.first: int | None = None
        self.saved: list[Kept] = []
        self.folder, self.log_end = folder, 10**6
        stubs = (
            "joined", "draw_pairs", "play", "record", "shifted", "without_it", "margins", "lines_of", "acting",
            "decisive", "parting", "used_first", "barred", "decided_alike", "Shadow", "position_bytes",
            "decided", "german_words",
        )  # fmt: skip
        for name in stubs:
            monkeypatch.setattr(sample, name, getattr(self, f"_{name}"))

    def _joined(self, rows: Mixture, columns: Mixture) -> Any:
        return [*rows.strategies, *columns.strategies], "first", "second"

    def _draw_pairs(self, first: str, second: str, numbers: np.ndarray, seed: int) -> Any:
        assert (first, second, seed) == ("first", "second", 5)
        return [(int(n), "pair") for n in numbers]

    def _play(
        self, lab: Any, condition: Condition, players: Any, pairs: Any, numbers: Any, seed: int, logged: bool
    ) -> Any:
        assert logged and seed == 5 and [p.name for p in players] == ["row", "column"]
        return SimpleNamespace(
            margins=np.array(self.with_it if condition == WITH else self.without),
            lengths=np.array(self.lengths if condition == WITH else self.plain_lengths),
            games_of_log=lambda: np.array(self.used, dtype=np.int64), log=Log(self.log_end, len(self.used)),
            name=condition,
        )  # fmt: skip

    def _decided_alike(self, with_it: Any, without: Any, own: frozenset[int], phases: Any) -> np.ndarray:
        assert (with_it.name, without.name, own, phases) == (WITH, PLAIN, frozenset(self.own), {3})
        return np.array([False, True, False, False])

    def _record(
        self, lab: Any, condition: Condition, played: Any, game: int, deal: int, seed: int, pair: Any, names: Any
    ) -> Kept:
        assert played.name == condition and (deal, seed, pair, names) == (game, 5, (game, "pair"), ["row", "column"])
        return Kept(f"{'with' if condition == WITH else 'plain'} {game}")

    def _shifted(self, there: Kept, here: Kept, own: Any) -> bool:
        assert there.name.startswith("with") and here.name.startswith("plain") and own == self.own
        return self.luck.get(there.name, False)

    def _without_it(self, there: Kept, game: Any, own: Any, phases: Any) -> Kept | None:
        assert (game, own, phases) == (("game", PLAIN), self.own, {3})
        return self.same.get(there.name)

    def _margins(self, bench: Any, condition: Condition, payoffs: Any) -> np.ndarray:
        assert condition == PLAIN
        return np.array([payoffs[0][0]])

    def _lines_of(self, replay: Kept, seat: int) -> Any:
        what = "a pause" if replay.name.startswith("plain") else "a stop"
        return [LINES if replay.name.startswith("with") else [{**line, "what": what} for line in LINES]]

    def _decided(self, replay: Kept, best: dict[str, Any]) -> dict[str, Any]:
        return {key: best[key] for key in ("action", "instead") if key in best} | {"german": {}}

    def _german_words(self, replay: Kept) -> dict[str, str]:
        return {}

    def _position_bytes(self, lab: Any, game: Any, own: bool, control: bool) -> Any:
        assert game == ("game", WITH) and not own
        return control

    def _Shadow(self, game: Any, keep: Any) -> Any:
        assert game == ("game", PLAIN)
        return keep

    def _acting(self, there: Kept, shadow: Any, own: Any, phases: Any) -> Any:
        assert (own, phases) == (self.own, {3})
        return self.acts if shadow == (not self.own) and there.name.startswith(self.acts_in) else []

    def _decisive(
        self, lab: Any, condition: Any, side: int, players: Any, pair: Any, deal: int, replicates: int, seed: int
    ) -> Any:
        assert (condition, pair, replicates, seed) == (WITH, (deal, "pair"), 9, 5)
        self.decided.append((side, deal))
        return self.best

    def _parting(self, there: Kept, here: Kept) -> int | None:
        assert there.name.startswith("with") and here.name.startswith(("plain", "same"))
        return self.parted

    def _used_first(self, there: Kept, parted: int | None, lab: Any) -> int | None:
        assert there.name.startswith("with") and parted == self.parted
        return self.first

    def _barred(self, there: Kept, here: Kept, at: int) -> bool:
        assert at == self.parted and there.name.startswith("with") and here.name.startswith(("plain", "same"))
        return self.forbids

    def show(self, side: int = 0, gains: bool = True) -> dict[str, Any]:
        """What is shown of four deals."""
        lab = SimpleNamespace(
            own_actions=self.own, marks=SimpleNamespace(phases={3}), game=lambda condition: ("game", condition),
            bench="bench", folder=self.folder,
        )  # fmt: skip
        row, column = (Mixture((Strategy(name),), (1.0,)) for name in ("row", "column"))
        return sample.show(
            cast(Any, lab), WITH, PLAIN, side, row, column, gains, deals=4, candidates=2, replicates=9, least=0.5,
            seed=5, folder="replays",
        )  # fmt: skip


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stand:
    return Stand(monkeypatch, tmp_path)


def test_the_use_that_gained_enough_is_shown(stand: Stand) -> None:
    """Games 1 and 3 are turned for side 0, and 2 against it; in 1 all else is decided alike, so that it comes first."""
    found = stand.show()
    assert (found["found"], found["deals"], found["flips"], found["alike"], found["idle"]) == (True, 4, 3, 1, False)
    assert (found["deal"], found["margin"], found["margin_without"], found["pure"]) == (1, 1.0, -1.0, False)
    assert (found["gained"], found["passive"], found["reckoned"], found["shifted"]) == (True, False, False, False)
    assert found["moment"] == "white uses it: move 2 (instead of: a rest)" and found["parted"] == 1
    assert found["players"] == {"White": "with 1"} and [line["decisive"] for line in found["lines"]] == [0, 0, 1, 0]
    assert [line["what"] for line in found["lines_without"]] == ["a pause"] * 4
    assert stand.decided == [(0, 1)]
    assert (found["replay"], found["replay_without"]) == ("sample-with.json", "sample-without.json")
    assert sorted(path.name for path in stand.folder.iterdir()) == ["replays"]


def test_margins_are_those_of_the_side(stand: Stand) -> None:
    """Side 1 gains in game 2 alone, and loses in 1 and 3."""
    found = stand.show(side=1)
    assert (found["deal"], found["margin"], found["margin_without"]) == (2, 1.0, -1.0) and stand.decided == [(1, 2)]
    assert stand.show(side=1, gains=False)["deal"] == 1


@pytest.mark.parametrize("best", [None, {"weight": 0.0, "swing": 9.0}, {"weight": 1.0, "swing": 0.49}])
def test_a_use_that_gained_too_little_is_not_decisive(stand: Stand, best: dict[str, Any] | None) -> None:
    """Nothing is shown then, where the games do not part by a use; else that use is."""
    stand.best = best and {"number": 2, "instead": "a rest", **best}
    found = stand.show()
    assert found == {"found": False, "deals": 4, "flips": 3, "alike": 1, "idle": False, "shifted": False}
    stand.first = 3
    found = stand.show()
    assert found["moment"] == "white uses it: move 3" and not found["gained"] and not found["passive"]
    stand.best = {"number": 2, "instead": "a rest", "weight": 0.1, "swing": 0.5}
    assert stand.show()["gained"], "just enough"


def test_what_changes_nothing_by_itself_is_not_shown(stand: Stand) -> None:
    """The same decisions by the rules without it: who wins is the same in game 1, and another one in game 3."""
    stand.same = {"with 1": Kept("same 1", 2.0), "with 3": Kept("same 3", -4.0), "with 2": Kept("same 2", -1.0)}
    found = stand.show()
    assert (found["deal"], found["pure"], found["margin_without"]) == (3, True, -4.0)
    assert found["lines_without"][0]["what"] == "a stop", "the same game by the rules without it"
    stand.same["with 2"] = Kept("same 2", 5.0)
    assert stand.show(side=1)["margin_without"] == -5.0, "as side 1 has it"
    stand.same["with 3"] = None
    assert not stand.show()["pure"] and stand.show()["deal"] == 3
    stand.luck = {"with 3": True}
    found = stand.show()
    assert found == {"found": False, "deals": 4, "flips": 3, "alike": 1, "idle": False, "shifted": True}


def test_a_rule_without_actions_is_shown_where_it_acts(stand: Stand) -> None:
    """Nobody uses it: it acts after step 3. Other moves that were drawn in a game that it does not change are luck."""
    stand.own, stand.used, stand.acts = set(), [], [(3, 1.0, ["a gain"])]
    found = stand.show()
    assert (found["deal"], found["moment"], found["passive"]) == (1, "the rule acts after white: move 3", True)
    assert stand.decided == [] and not found["idle"] and not found["gained"]
    stand.same = {"with 1": Kept("same 1", 2.0)}
    assert stand.show()["deal"] == 1, "the games part by decisions, not by luck"
    stand.luck = {"with 1": True}
    found = stand.show()
    assert found["deal"] == 3 and found["shifted"], "of a game that is not shown, too"


def test_a_rule_that_never_acts_may_be_reckoned_with(stand: Stand) -> None:
    """The first other decision is shown, of the first such game; where the rule forbids what was done else, it acts."""
    stand.own, stand.used = set(), []
    found = stand.show()
    assert found["moment"] == "white decides on move 1 (instead of: a pause)" and found["deal"] == 1
    assert (found["reckoned"], found["passive"]) == (True, False)
    stand.acts, stand.acts_in = [(3, 1.0, ["a gain"])], "with 3"
    assert stand.show()["deal"] == 3, "a game in which it acts is shown rather"
    stand.acts, stand.forbids = [], True
    found = stand.show()
    assert found["moment"] == "white decides on move 1: the rule forbids a pause"
    assert (found["reckoned"], found["passive"]) == (False, True)
    stand.parted, stand.forbids = None, False
    assert not stand.show()["found"]


def test_with_actions_nothing_is_reckoned_with(stand: Stand) -> None:
    """No use in the turned games: that is told, and no other decision is shown."""
    stand.used, stand.best = [0], None
    found = stand.show()
    assert not found["found"] and found["idle"] and stand.decided == []


def test_games_of_which_the_log_has_not_all_are_not_looked_at(stand: Stand) -> None:
    """10 + 6 + 5 decisions: the log ends within game 2, or just at its end."""
    stand.log_end = 20
    assert stand.show(side=1)["deal"] == 1
    stand.log_end = 21
    assert stand.show(side=1)["deal"] == 2


def test_both_games_of_a_deal_make_it_long(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games 1 and 3 are alike but for their lengths: 5 + 9 decisions against 6 + 7."""
    stand.lengths[1], stand.lengths[3], stand.plain_lengths[1], stand.plain_lengths[3] = 5, 6, 9, 7
    monkeypatch.setattr(sample, "decided_alike", lambda *_: np.zeros(4, dtype=bool))
    assert stand.show()["deal"] == 3
