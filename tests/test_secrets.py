"""What bots from outside may not find out: the seed of a match, dice, cards of others, deals that they have seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import decision_seed
from probespiel.agents.entrants import entrant_of
from probespiel.agents.match import EXCEPTION, Match, Schedule
from probespiel.agents.outside import BotTerms
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.keys import key_of, keyed_seed, keyed_words, secret_seed
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament.plan import Plan
from probespiel.evaluation.tournament.progress import Silent
from probespiel.evaluation.tournament.run import TournamentError, run_tournament

BOTS = Path(__file__).parent / "bots.py"
TELLS, GOOD = f"{BOTS}:Tells", f"{BOTS}:Good"
SMALL, DEALS = 50_000, 4  # match seeds that an attacker tries, and deals
_ALL = (1 << 64) - 1


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def seen_by_bot(game: Game, seed: int) -> list[tuple[int, int]]:
    """What the bot `Tells` was given in seat 0 of some deals: the seed of its first decision, the seed of its game."""
    schedule = Schedule.of(seed, np.arange(DEALS), np.tile([0, 1], (DEALS, 1)))
    with Match(game, [TELLS, "first"], seed) as match:
        played = match.play(schedule)
    assert (played.offences[:, 0] == EXCEPTION).all()
    found = [json.loads(played.messages[row, 0].partition(": ")[2].rpartition(" (")[0]) for row in range(DEALS)]
    return [(told["view"], told["reset"]) for told in found]


def guess(seed: int, deal: int) -> int:
    """The seed of that decision if the match had this seed: all that this project does is public."""
    agent = keyed_seed(key_of(seed, "agent", TELLS))
    table = keyed_words(key_of(seed, "table"), np.array([deal]))[0]
    return keyed_seed(key_of(agent, "bot"), int(decision_seed(np.uint64(agent), table, 0, 0)))


def test_a_bot_that_tries_all_small_seeds_finds_one_that_was_chosen_and_none_that_was_drawn(kuhn: Game) -> None:
    chosen = seen_by_bot(kuhn, 31_337)
    views = {view for view, _ in chosen}
    assert [seed for seed in range(31_000, 32_000) if guess(seed, 0) in views] == [31_337], "the attack works"
    drawn = {view for view, _ in seen_by_bot(kuhn, secret_seed())}
    assert not any(guess(seed, 0) in drawn for seed in range(SMALL))


def unmixed(hashed: int, rolled: int | None, before: int | None) -> int:
    """Undo `rng.mix`: the hash before `rolled` was rolled into it, or what was rolled into the hash `before`."""
    z = hashed & _ALL
    z ^= z >> 32
    z = (z - 0x9E3779B97F4A7C15) * pow(0xD6E8FEB86659FD93, -1, 1 << 64) & _ALL
    if rolled is not None:
        return z ^ rolled * 0xC2B2AE3D27D4EB4F & _ALL
    assert before is not None
    return (z ^ before) * pow(0xC2B2AE3D27D4EB4F, -1, 1 << 64) & _ALL


def tables_behind(view: int, reset: int) -> set[int]:
    """Seeds of tables that a bot computes from its two seeds, if they were what the inner hash gave."""
    before = unmixed(unmixed(view, 0, None), 0, None)  # without the number of the decision and the seat
    found = set()
    for agent in (reset, reset << 1, reset << 1 | 1):
        first = 0x64656369 & _ALL ^ agent * 0xC2B2AE3D27D4EB4F & _ALL
        first = (first * 0xD6E8FEB86659FD93 + 0x9E3779B97F4A7C15) & _ALL
        found.add(unmixed(before, None, first ^ first >> 32))
    return found


def test_seeds_that_a_bot_sees_cannot_be_turned_back(kuhn: Game) -> None:
    inner = int(decision_seed(np.uint64(77), np.uint64(1234), 0, 0))
    assert 1234 in tables_behind(inner, 77), "the hash inside can be turned back, so that no bot may see it"
    seed = 31_337
    schedule = Schedule.of(seed, np.arange(DEALS), np.tile([0, 1], (DEALS, 1)))
    secrets = {int(x) for x in np.concatenate([schedule.tables, schedule.dice])}
    agent = keyed_seed(key_of(seed, "agent", TELLS))
    hidden = {int(decision_seed(np.uint64(agent), table, 0, 0)) for table in schedule.tables}
    for view, reset in seen_by_bot(kuhn, seed):
        assert not {view, reset} & (hidden | {agent})
        assert not tables_behind(view, reset) & secrets
        assert not {view, reset, view >> 1, reset << 1} & secrets


def test_dice_tables_and_agents_have_keys_of_their_own(kuhn: Game) -> None:
    schedule = Schedule.of(9, np.arange(100), np.tile([0, 1], (100, 1)))
    with Match(kuhn, ["first", "random"], 9) as match:
        agents = [int(player.seed) for player in match.players]
    assert len({*schedule.dice.tolist(), *schedule.tables.tolist(), *agents}) == 202
    assert schedule.tables.tolist() == keyed_words(key_of(9, "table"), np.arange(100)).tolist()


def test_keys_are_apart_and_words_depend_on_their_number_alone() -> None:
    numbers = np.array([17, 3, 8, 3, 10**12])
    words = keyed_words(key_of(5, "dice"), numbers)
    assert words.dtype == np.uint64 and words[1] == words[3]
    assert [int(keyed_words(key_of(5, "dice"), numbers[[i]])[0]) for i in range(5)] == words.tolist()
    others = [keyed_words(key, numbers) for key in (key_of(5, "table"), key_of(6, "dice"), key_of(5, "dice", "x"))]
    assert not set(words.tolist()) & {int(word) for other in others for word in other}
    assert len(keyed_words(key_of(5, "dice"), np.zeros(0, dtype=np.int64))) == 0
    many = keyed_words(key_of(1, "dice"), np.arange(20_000))
    assert len(np.unique(many)) == 20_000
    assert abs(float(np.mean(many / 2.0**64)) - 0.5) < 0.01
    assert keyed_seed(key_of(2**128 - 1, "x"), 2**64 - 1) < 2**63
    assert key_of(5, "dice") != key_of(5 + 2**64, "dice") != key_of(5 + 2**127, "dice")


def test_seeds_have_128_bits(kuhn: Game) -> None:
    for seed in (-1, 2**128):
        with pytest.raises(RulesetError, match=r"seed = .* is not allowed: an integer 0\.\.2\*\*128-1"):
            Match(kuhn, ["first", "random"], seed)
        with pytest.raises(RulesetError, match="seed = "):
            Schedule.of(seed, [0], [[0, 1]])
    drawn = {secret_seed() for _ in range(50)}
    assert len(drawn) == 50 and 2**120 < max(drawn) < 2**128


def test_a_bot_from_outside_meets_no_deal_twice(kuhn: Game) -> None:
    entrants = [entrant_of(name, kuhn) for name in ("first", "random", GOOD)]
    schedule, about = Plan.of(kuhn, entrants, 40, 7, None).block(2)
    dice = [set(schedule.dice[about["pairing"] == pair].tolist()) for pair in range(3)]
    assert [len(d) for d in dice] == [1, 1, 1], "both seatings of a deal have the same dice"
    assert len(set.union(*dice)) == 3
    inside, _ = Plan.of(kuhn, entrants[:2], 40, 7, None).block(2)
    assert set(inside.dice.tolist()) == dice[0], "a further bot changes no game of the others"


@pytest.mark.parametrize("shared", [False, True])
def test_seats_of_a_bot_talk_only_where_they_may(kuhn: Game, shared: bool) -> None:
    with Match(kuhn, [f"{BOTS}:Talks", "first"], 3, bots=BotTerms(shared=shared)) as match:
        played = match.play(Schedule.of(3, [0, 1], [[0, 0], [0, 0]]))
    assert played.offences.tolist() == [[0, EXCEPTION]] * 2
    for row in range(2):
        heard = "[0, 1]" if shared else "[1]"
        assert f"RuntimeError: seats {heard}" in played.messages[row, 1]


class Looks(Silent):
    """Reads the settings in a folder whenever a block is finished."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.found = folder, []

    def advance(self, games: int) -> None:
        self.found.append(settings(self.folder))


def settings(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "tournament.json").read_text())


def test_a_drawn_seed_is_told_at_the_end_and_repeats_the_tournament(kuhn: Game, tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    looks = Looks(first)
    run_tournament(kuhn, (GOOD, "random"), 8, None, out=first, resamples=0, progress=looks)
    assert len(looks.found) == 4 and all("seed" not in found["settings"] for found in looks.found)
    told = settings(first)
    seed = told["settings"]["seed"]
    assert told["finished"] and told["drawn"] and 2**100 < seed < 2**128
    assert not any(str(seed) in path.read_text(errors="replace") for path in first.glob("part-*"))
    page = (first / "report.html").read_text()
    assert f"--seed {seed}" in page and "the seed was chosen" not in page

    run_tournament(kuhn, (GOOD, "random"), 8, seed, out=again, resamples=0)
    assert (again / "results.parquet").read_bytes() == (first / "results.parquet").read_bytes()
    assert "the seed was chosen. It decides all cards and dice" in (again / "report.html").read_text()


def test_a_drawn_seed_is_at_hand_where_nobody_must_not_see_it(kuhn: Game, tmp_path: Path) -> None:
    looks = Looks(tmp_path)
    run_tournament(kuhn, ("first", "random"), 8, None, out=tmp_path, resamples=0, progress=looks)
    assert all(found["settings"]["seed"] == settings(tmp_path)["settings"]["seed"] for found in looks.found)
    kept = (tmp_path / "results.parquet").read_bytes()
    (tmp_path / "part-00000002.parquet").unlink()
    run_tournament(kuhn, ("first", "random"), 8, None, out=tmp_path, resamples=0, resume=True)
    assert (tmp_path / "results.parquet").read_bytes() == kept


def test_a_seed_that_was_lost_is_said_to_be(kuhn: Game, tmp_path: Path) -> None:
    class Stops(Silent):
        def advance(self, games: int) -> None:
            content = settings(tmp_path)
            raise MemoryError(json.dumps(content))  # as if killed: see below

    with pytest.raises(MemoryError) as error:
        run_tournament(kuhn, (GOOD, "random"), 8, None, out=tmp_path, resamples=0, progress=Stops())
    assert "seed" in settings(tmp_path)["settings"], "any end but a kill tells the seed"
    (tmp_path / "tournament.json").write_text(str(error.value))
    with pytest.raises(TournamentError, match=r"was lost when the process was killed.*--overwrite"):
        run_tournament(kuhn, (GOOD, "random"), 8, None, out=tmp_path, resamples=0, resume=True)
