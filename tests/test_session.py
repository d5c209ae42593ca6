"""A game under way: choices, seals, what is seen, taking back, journals that survive anything."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from probespiel.app.session.casting import cast
from probespiel.app.session.journal import InUse, games_folder, journals, read_journal
from probespiel.app.session.seen import seen_of
from probespiel.app.session.table import Gone, Table, answer
from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, ProbespielError, ReplayError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import game_names
from probespiel.envs.core.replay import Choice, Die, load
from probespiel.envs.core.rng import rand_below, rng_array
from probespiel.envs.core.texts import won
from tests.games_adapters.clash import clash

BOTS = Path(__file__).parent / "bots.py"


def interpreted(name: str) -> Game:
    return make_game(name, compiled=False)


@pytest.fixture(scope="module")
def rps() -> Game:
    return interpreted("ews_rps")


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return interpreted("kuhn")


def play_on(table: Table, rng: np.ndarray, most: int = 10**6) -> int:
    """Everybody decides by chance; the number of decisions."""
    for n in range(most):
        owing = [*table.waiting(), *table.thinking()]
        if not owing:
            return n
        seat = owing[int(rand_below(rng, len(owing)))]
        legal = table.legal(seat)
        table.choose(seat, legal[int(rand_below(rng, len(legal)))])
    return most


# --- choosing -------------------------------------------------------------------------------------------------------


def test_choices_are_sealed_until_all_are_in(rps: Game) -> None:
    """In either order the same game: nobody finds what the other has chosen, dice fall when both have."""
    steps = []
    for order in ((0, 1), (1, 0)):
        table = Table(rps, {0: "human", 1: "human"}, 5)
        assert table.waiting() == [0, 1] and table.thinking() == []
        first, second = order
        before = table.seen(second)
        table.choose(first, table.legal(first)[first])
        assert table.waiting() == [second]
        after, own = table.seen(second), table.seen(first)
        assert (after.told, after.events, after.choices) == (before.told, before.events, before.choices)
        assert all(np.array_equal(after.pieces[name], piece) for name, piece in before.pieces.items())
        assert own.choices == () and own.chosen is not None and own.chosen.id == before.choices[first].id
        with pytest.raises(IllegalAction, match="has chosen"):
            table.choose(first, 0)
        table.choose(second, table.legal(second)[second])
        steps.append(table.replay().steps)
    assert steps[0] == steps[1]


def test_a_wrong_choice_changes_nothing(kuhn: Game, tmp_path: Path) -> None:
    table = Table(kuhn, cast(kuhn, None, "honest"), 3, keep=tmp_path)
    assert table.path is not None
    before, version = table.path.read_bytes(), table.version
    for seat, action in ((0, 99), (1, 0), (0, -1)):
        with pytest.raises(IllegalAction):
            table.choose(seat, action)
    assert table.path.read_bytes() == before and table.version == version and table.waiting() == [0]
    table.close()


def test_agents_decide(rps: Game) -> None:
    """`advance` stops where a person owes a decision; an agent that fails is told with its seat."""
    table = Table(rps, {0: "human", 1: "random"}, 5)
    table.advance()
    assert table.waiting() == [0] and table.thinking() == []
    assert Table(rps, {0: "random", 1: "random"}, 5).waiting() == []
    for how in ("raise", "illegal"):
        table = Table(rps, {0: "human", 1: f"{BOTS}:Bad:how={how}"}, 5)
        with pytest.raises(Gone) as caught:
            table.advance()
        assert caught.value.seat == 1


def test_an_agent_answers_elsewhere(rps: Game) -> None:
    """A question can be pickled; the answer is that of the table itself, also of agents that remember."""
    for name in ("random", f"{BOTS}:Counting"):
        table = Table(rps, {0: "human", 1: name}, 5)
        for _ in range(4):
            question = pickle.loads(pickle.dumps(table.question(1)))
            action = table.decide(1)
            assert answer(question) == action
            table.choose(1, action)
            table.choose(0, table.legal(0)[0])


# --- what is seen ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_nothing_secret_is_seen(name: str) -> None:
    """A position in which all that a seat cannot know was dealt anew looks the same to it, in every part."""
    game = interpreted(name)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 11)
    rng, dealt = rng_array(1), rng_array(2)
    for _ in range(12):
        if table.over:
            break
        for seat in table.waiting():
            for lang in ("en", "de"):
                seen = table.seen(seat, lang)
                world = table.position.forget(seat)
                world.roll(dealt)
                other = seen_of(world, seat, lang, table.lines(seat, lang))
                for part in ("told", "phase", "phase_name", "choices", "over", "result", "events"):
                    assert getattr(seen, part) == getattr(other, part), (name, seat, part)
                assert all(np.array_equal(other.pieces[key], piece) for key, piece in seen.pieces.items())
        play_on(table, rng, 1)


def test_events_are_told_to_whom_they_concern(kuhn: Game) -> None:
    """The same game with another card in the opponent's hand: every line is the same."""
    seen = []
    for seed in range(40):
        table = Table(kuhn, {0: "human", 1: "human"}, seed)
        table.choose(0, 0)
        seen.append((table.seen(0), table.seen(1)))
    by_hand: dict[str, set] = {}
    for mine, _ in seen:
        by_hand.setdefault(mine.told, set()).add(mine.events)
    assert len(by_hand) == 3 and all(len(events) == 1 for events in by_hand.values())


def test_seen_counts_lines(kuhn: Game) -> None:
    table = Table(kuhn, {0: "human", 1: "human"}, 3)
    table.choose(0, 0)
    first = table.seen(0)
    table.choose(1, 0)
    end = table.seen(0, since=first.heard)
    assert end.over and end.result and end.phase == "" and end.choices == ()
    assert table.seen(0).events == (*first.events, *end.events)
    assert first.events and len(end.events) == end.heard - first.heard
    assert table.seen(0, "de").events != table.seen(0, "en").events


@pytest.mark.parametrize("name", ["kuhn", "einblatt-melee", "oneshot-parley", "oneshot-mission"])
def test_a_seat_hears_what_the_end_is_to_it(name: str) -> None:
    """By the mean payoff of its side against those of the others; nothing where there is but one side."""
    game, said = interpreted(name), set[str]()
    for seed in range(12 if name == "oneshot-parley" else 2):
        table = Table(game, dict.fromkeys(range(game.n_seats), "human"), seed=seed)
        assert {table.seen(seat).verdict for seat in range(game.n_seats)} == {""}
        play_on(table, rng_array(seed, "end"))
        payoffs = table.position.returns()
        worth = {side: round(float(np.mean(payoffs[list(seats)])), 9) for side, seats in game.sides}
        for seat, info in enumerate(game.seats):
            others = [value for side, value in worth.items() if side != info.side]
            mine, verdict = worth[info.side], table.seen(seat).verdict
            said.add(verdict)
            if not others:
                assert verdict == ""
            elif len(set(worth.values())) == 1:
                assert verdict == "drawn"
            else:
                assert verdict == ("won" if mine > max(others) else "shared" if mine == max(others) else "lost")
    assert len(said) > (name != "oneshot-mission")


@pytest.mark.parametrize(
    "throws, verdicts, told",
    [
        ("rrs", ["shared", "shared", "lost"], "side_0 and side_1 share the first place"),
        ("ppps", ["lost", "lost", "lost", "won"], "winner: side_3"),
        ("rrrs", ["shared", "shared", "shared", "lost"], "side_0, side_1 and side_2 share the first place"),
        ("rps", ["won", "lost", "lost"], "winner: side_0"),
        ("ppp", ["drawn", "drawn", "drawn"], "a draw"),
    ],
)
def test_a_first_place_that_sides_share_is_no_win(throws: str, verdicts: list[str], told: str) -> None:
    """By hand: a rock that wins earns 2 of each loser, other throws 1."""
    game = clash(len(throws), rounds=1, bows=False, compiled=False)
    position = game.position()
    for seat, throw in enumerate(throws):
        position.apply(seat, "rps".index(throw))
    assert [seen_of(position, seat, "en").verdict for seat in range(len(throws))] == verdicts
    assert won(position, "en") == told


def test_options_have_parts() -> None:
    game = interpreted("scorekeeper-duel")
    table = Table(game, {0: "human", 1: "human"}, 4)
    options = [option for seat in table.waiting() for option in table.seen(seat).choices]
    assert {option.verb for option in options} > {"melee"}
    melee = next(option for option in options if option.verb == "melee")
    assert melee.target and melee.detail and melee.text
    assert game.actions.codes[melee.id] == f"melee:0:{melee.detail}" and melee.target == "bouncer"


def test_what_is_seen_cannot_be_written(kuhn: Game) -> None:
    """A face shows it; nobody changes it for the others."""
    pieces = Table(kuhn, {0: "human", 1: "human"}, 3).seen(0).pieces
    assert pieces and not any(piece.flags.writeable for piece in pieces.values())


# --- taking back ----------------------------------------------------------------------------------------------------


def test_undo(tmp_path: Path) -> None:
    """Taken back is as if it had never been; the same decision meets the same dice."""
    game = interpreted("scorekeeper-duel")
    table = Table(game, {0: "human", 1: "random"}, 4, keep=tmp_path)
    marks = []
    table.advance()
    while len(marks) < 4 and not table.over:
        legal = table.legal(0)
        if len(legal) > 1:
            marks.append((table.seen(0), len(table.replay().steps), legal[-1]))
        table.choose(0, legal[-1])
        table.advance()
    whole = table.replay()
    for seen, steps, _ in reversed(marks):
        assert table.can_undo(0) and table.undo(0)
        table.advance()
        assert table.seen(0).told == seen.told and table.seen(0).events == seen.events
        assert len(table.replay().steps) == steps
    assert not table.undo(0) and not table.can_undo(0)
    path = table.path
    assert path is not None
    table.close()
    table = Table.resume(path, game=game)
    table.advance()
    assert table.seen(0).told == marks[0][0].told
    while len(table.replay().steps) < len(whole.steps):
        legal = table.legal(0)
        table.choose(0, legal[-1])
        table.advance()
    assert table.replay().steps == whole.steps
    table.close()


def test_undo_of_a_sealed_choice_and_of_an_agent_that_remembers(rps: Game) -> None:
    """The agent goes by how many decisions it has taken, in turns of three: those before what is undone count on."""

    def play(table: Table, rounds: int) -> Table:
        for _ in range(rounds):
            table.choose(0, table.legal(0)[1])
            table.advance()
        return table

    seats = {0: "human", 1: f"{BOTS}:Counting"}
    whole, table = play(Table(rps, seats, 5), 6), play(Table(rps, seats, 5), 4)
    steps = table.replay().steps
    table.choose(0, 0)
    assert table.undo(0) and table.waiting() == [0] and table.replay().steps == steps
    assert table.undo(0)
    play(table, 1)
    assert table.replay().steps == steps
    assert play(table, 2).replay().steps == whole.replay().steps


def test_no_undo_in_rated_games(kuhn: Game) -> None:
    table = Table(kuhn, {0: "human", 1: "human"}, 3, rated=True)
    table.choose(0, 0)
    with pytest.raises(ProbespielError, match="rated"):
        table.undo(0)
    table = Table(kuhn, {0: "human", 1: "human"}, 3)
    table.choose(0, 0)
    table.choose(1, 0)
    with pytest.raises(ProbespielError, match="over"):
        table.undo(0)


# --- journals -------------------------------------------------------------------------------------------------------


def test_a_journal_goes_on(tmp_path: Path) -> None:
    """After every decision the file alone gives the same table; in the end it is a replay file."""
    game = interpreted("konfrontation-clash")
    agents = {0: "human", 1: f"{BOTS}:Counting"}
    whole = Table(game, agents, 8)
    rng = rng_array(3)
    table = Table(game, agents, 8, keep=tmp_path)
    for _ in range(25):
        seat = [*table.waiting(), *table.thinking()][-1]
        action = table.decide(seat) if seat in table.thinking() else table.legal(seat)[-1]
        whole.choose(seat, action)
        table.choose(seat, action)
        assert table.path is not None
        if table.over:
            break
        copy = tmp_path / "copy" / "x.journal"
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(table.path.read_bytes())
        again = Table.resume(copy, game=game, trust=True)
        assert again.replay() == table.replay() == whole.replay()
        assert again.waiting() == table.waiting() and again.decisions == table.decisions
        again.close()
    play_on(table, rng)
    assert table.path is not None and table.path.suffix == ".json"
    assert load(table.path, game).steps == table.replay().steps and table.over
    assert journals(tmp_path) == []


def test_every_die_has_a_number_of_its_own() -> None:
    """In Kuhn poker all six deals come: a number that were used for both dice would make four of them."""
    game = interpreted("kuhn")
    deals = set()
    for seed in range(60):
        steps = Table(game, {0: "human", 1: "human"}, seed).replay().steps
        deals.add(tuple(step.fell for step in steps if isinstance(step, Die)))
    assert deals == {(first, second) for first in range(3) for second in range(2)}


def test_a_torn_line_does_not_count(rps: Game, tmp_path: Path) -> None:
    table = Table(rps, {0: "human", 1: "human"}, 5, keep=tmp_path)
    table.choose(0, 0)
    path = table.path
    assert path is not None
    table.close()
    whole = path.read_bytes()
    table = Table.resume(path, game=rps)
    table.choose(1, 1)
    table.close()
    longer = path.read_bytes()
    expected = table.replay().steps
    for end in range(len(whole), len(longer)):
        path.write_bytes(longer[:end])
        table = Table.resume(path, game=rps)
        if table.waiting() == [1]:
            table.choose(1, 1)
        assert table.replay().steps == expected
        table.close()
        assert path.read_bytes() == longer


def test_wrong_journals(kuhn: Game, tmp_path: Path) -> None:
    table = Table(kuhn, {0: "human", 1: "honest"}, 3, keep=tmp_path)
    path = table.path
    assert path is not None
    table.choose(0, 0)
    with pytest.raises(InUse, match="another window"):
        Table.resume(path, game=kuhn)
    table.close()
    good = path.read_text()
    head, *rest = good.splitlines(keepends=True)
    with Table.resume(path, game=kuhn) as table:
        assert table.decisions == 1
    for text, reason in (
        ("", "not one whole line"),
        ("{}\n", "no journal"),
        (head.replace('"version": 1', '"version": 9'), "version 9"),
        (head.replace('"honest"', '"evil.py:Bot"'), "names a bot's file"),
        (head.replace('"second": "honest"', '"second": 4'), "the values are texts"),
        (head.replace('"ruleset": "', '"ruleset": "0'), "ruleset"),
        (head.replace('"kuhn"', '"chess"', 1), "chess"),
        (head + '{"back": 1}\n', "0..0 entries can be kept"),
        (head + '{"seat": "first", "action": "fold"}\n', "step 1"),
        ("".join([head, *rest, "\n"]), "no valid JSON"),
        ("".join([head, *rest]) + '{"die": 6, "fell": 2}\n', "this die is not due"),
    ):
        path.write_text(text)
        with pytest.raises(ReplayError, match=reason):
            Table.resume(path)
    path.write_text("{}\n")
    assert journals(tmp_path) == [] and path.exists()


def test_code_of_others_runs_only_if_trusted(kuhn: Game, tmp_path: Path) -> None:
    table = Table(kuhn, {0: "human", 1: f"{BOTS}:Counting"}, 3, keep=tmp_path)
    table.close()
    assert table.path is not None
    with pytest.raises(ProbespielError, match="names a bot's file"):
        Table.resume(table.path, game=kuhn)
    Table.resume(table.path, game=kuhn, cast={0: "human", 1: "honest"}).close()
    Table.resume(table.path, game=kuhn, trust=True).close()


def test_a_full_disk(kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision that cannot be kept does not count; without a journal the game can go on."""
    table = Table(kuhn, {0: "human", 1: "human"}, 3, keep=tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            table.choose(0, 0)
    assert table.waiting() == [0] and table.path is not None
    assert not any("action" in entry for entry in read_journal(table.path).entries)
    table.choose(0, 0)
    table.stop_keeping()
    table.choose(1, 0)
    assert table.over and table.path is None


def test_where_games_are_kept(kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path / "mine"))
    assert games_folder() == tmp_path / "mine" / "games" and journals() == []
    first = Table(kuhn, {0: "human", 1: "honest"}, 3, keep=games_folder())
    second = Table(kuhn, {0: "human", 1: "honest"}, 4, keep=games_folder())
    assert first.path is not None and second.path is not None and first.path != second.path
    os.utime(first.path, (2e9, 2e9))
    assert [kept.path for kept in journals()] == [first.path, second.path]
    assert journals()[1].head.seed == 4
    first.close()
    second.close()


KILLED = """
import sys
from pathlib import Path
from probespiel.app.session.table import Table
from probespiel.envs import make_game
table = Table(make_game("ews_rps", compiled=False), {0: "human", 1: "random"}, 5, keep=Path(sys.argv[1]))
while True:
    table.advance()
    table.choose(0, table.legal(0)[0])
    print(table.decisions, flush=True)
    if table.over:
        raise SystemExit("over too early")
"""


def test_a_killed_process_loses_nothing(rps: Game, tmp_path: Path) -> None:
    """kill -9 in the middle: every decision that was reported is there."""
    for reported in (1, 2, 3):
        folder = tmp_path / str(reported)
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert process.stdout is not None
        seen = 0
        for _ in range(reported):
            seen = int(process.stdout.readline() or seen)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        kept = journals(folder)
        finished = list(folder.glob("*.json"))
        if kept:
            assert kept[0].decisions >= seen
            table = Table.resume(kept[0].path, game=rps)
            assert table.replay().seed == 5 and table.decisions >= seen
            table.close()
        else:
            assert sum(isinstance(step, Choice) for step in load(finished[0], rps).steps) >= seen
        for path in finished:
            assert json.loads(path.read_text())["seed"] == 5
