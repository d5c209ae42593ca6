"""What modules can change beyond single values: payoffs, victory, comparisons, many actions, counters with names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from probespiel.app import cli
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import system, system_names, system_of_module
from probespiel.envs.core.replay import Recorder
from probespiel.envs.core.rng import rand_below, rng_array
from probespiel.envs.core.soundness import check_modules

from . import play

SAMPLES = Path(__file__).parents[2] / "examples" / "modules"
GAMES = {
    "kuhn": "kuhn", "ews_rps": "ews_rps", "einblatt": "einblatt-duel", "konfrontation": "konfrontation-campaign",
    "scorekeeper": "scorekeeper-duel", "oneshot": "oneshot-skirmish", "leduc": "leduc", "goofspiel": "goofspiel",
    "liars_dice": "liars_dice",
}  # fmt: skip


def ended(game: Game, seed: int, wish: str = "") -> Position:
    """A random game at its end; actions whose codes begin with `wish` are taken before all others."""
    position, rng = game.position(seed), rng_array(seed, "choices")
    while not position.over:
        position.roll()
        for seat in position.to_act():
            legal = position.legal(seat)
            wanted = [action for action in legal if wish and game.actions.codes[action].startswith(wish)] or legal
            position.apply(seat, wanted[rand_below(rng, len(wanted))])
    return position


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_samples_are_short_and_sound(path: Path) -> None:
    """Under 40 lines each, and random play keeps what the rules promise."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40
    found = check_modules(system_of_module(str(path)), {str(path): {}}, games=1, compiled=False)
    assert found and not any(played.problems for played in found), found


# --- what a game pays

PAYS = '''"""Pays one seat more."""
from typing import Any
from probespiel.envs.{system}.module import Module
module = Module("pays", "Pays one seat more.", payoff_shift={shift})
module.param("tenths", 5, 0, 20)
@module.hook
def payoff(s: Any, p: Any, {who}: int, value: float) -> float:
    """More."""
    return value + p.pays_tenths / 10.0
'''

ENDLESS = '''
"""The fourth test is worth too much."""
import math
from typing import Any
from probespiel.envs.ews_rps.module import Module

module = Module("endless", "The fourth test is worth too much.", payoff_factor=2.0)


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """Without bound."""
    return ANSWER if s.test == 3 else value
'''


def payer(folder: Path, name: str, shift: float = 1.0) -> str:
    """A module that adds half a point to whoever has it."""
    path = folder / "pays.py"
    path.write_text(PAYS.format(system=name, shift=shift, who="who" if name == "oneshot" else "seat"))
    return str(path)


@pytest.mark.parametrize("name", system_names())
def test_every_system_has_a_filter_of_payoffs(name: str, tmp_path: Path) -> None:
    """The seat that has it gets what it adds; ranges follow, and the game is no longer taken for zero-sum."""
    path = payer(tmp_path, name)
    plain = make_game(GAMES[name], compiled=False)
    game = make_game(GAMES[name], modules={path: {"seats": [1]}}, compiled=False)
    for seed in range(2):
        before, after = ended(plain, seed), ended(game, seed)
        assert list(after.returns() - before.returns()) == [0, 0.5, *[0] * (plain.n_seats - 2)]
    low, high = plain.spec.payoff_range
    if name == "einblatt":  # with any module its bounds are wider
        low, high = make_game(GAMES[name], modules={"swap_card": {}}, compiled=False).spec.payoff_range
    assert game.spec.payoff_range == (low - 1, high + 1) and not game.spec.zero_sum
    assert plain.spec.zero_sum or name == "oneshot"


def test_a_payoff_moves_by_no_more_than_is_declared(tmp_path: Path) -> None:
    game = make_game("kuhn", modules={payer(tmp_path, "kuhn"): {"tenths": 11}}, compiled=False)
    with pytest.raises(RulesetError, match=r"hook 'payoff' moved a payoff by 1\.1, payoff_shift is 1\.0"):
        ended(game, 1).returns()
    with pytest.raises(RulesetError, match=r"payoff_shift = 0\.0: a module with the hook 'payoff'"):
        make_game("kuhn", modules={payer(tmp_path, "kuhn", 0.0): {}}, compiled=False)


@pytest.mark.parametrize("answer", ["math.inf", "-math.inf", "math.nan"])
def test_what_is_no_finite_number_is_refused(answer: str, tmp_path: Path) -> None:
    """Of a hook that answers a number without a range; nothing could be measured with it."""
    path = tmp_path / "endless.py"
    path.write_text(ENDLESS.replace("ANSWER", answer))
    game = make_game("ews_rps", modules={str(path): {}}, compiled=False)
    told = r"hook 'utility' answered (-?inf|nan), which is no finite number"
    with pytest.raises(RulesetError, match=told):
        ended(game, 1)


def test_glory_pays_the_unhurt() -> None:
    path = str(SAMPLES / "glory.py")
    game = make_game("scorekeeper-duel", "even_duel", modules={path: {}}, compiled=False)
    plain = make_game("scorekeeper-duel", "even_duel", compiled=False)
    for seed in range(3):
        position = ended(game, seed)
        s = position.record
        unhurt = [float(s.kr[f] + s.lw[f] + s.sw[f] + s.tw[f] == 0) for f in range(2)]
        assert list(position.returns() - ended(plain, seed).returns()) == [0.25 * u for u in unhurt]


# --- who wins


def test_treasury_counts_power() -> None:
    path = str(SAMPLES / "treasury.py")
    game = make_game("konfrontation-campaign", "duel", modules={path: {"each": 4, "seats": [1]}}, compiled=False)
    position = game.position(1)
    s = position.record
    s.status, s.power[0], s.power[1] = 1, 0, 20
    s.units[0] = s.units[1] = s.resources[0] = s.resources[1] = s.bonus[0] = 0
    s.bonus[1], s.bonus[0] = 0, 4
    assert list(position.returns()) == [-1, 1]
    s.power[1] = 15
    assert list(position.returns()) == [1, -1]
    plain = make_game("konfrontation-campaign", "duel", compiled=False).position(1)
    plain.record.status = 1
    for name in ("power", "units", "resources", "bonus"):
        setattr(plain.record, name, getattr(s, name))
    plain.record.power[1] = 20
    assert list(plain.returns()) == [1, -1]


def test_whoever_is_badly_hurt_does_not_stand() -> None:
    path = str(SAMPLES / "faint_heart.py")
    game = make_game("oneshot-skirmish", "duel_mirror", modules={path: {}}, compiled=False)
    seen = 0
    for seed in range(4):
        position = ended(game, seed, "attack")
        s = position.record
        hurt = [2 * s.wounds[i] > s.limit[i] for i in range(2)]
        if s.count < game.params.max_count:
            seen += 1
            assert any(hurt) and s.winner == (-1 if all(hurt) else hurt.index(False))
    assert seen


def test_a_fighter_may_count_as_beaten(tmp_path: Path) -> None:
    """Scorekeeper asks the same of fighters: here a scratch is enough."""
    path = tmp_path / "squeamish.py"
    path.write_text(
        '"""A scratch is enough."""\nfrom typing import Any\nfrom probespiel.envs.scorekeeper.module import Module\n'
        'module = Module("squeamish", "A scratch is enough.")\n@module.hook\n'
        'def stands(s: Any, p: Any, seat: int, ok: int) -> int:\n    """Unhurt."""\n'
        "    return 1 if s.kr[seat] + s.lw[seat] + s.sw[seat] + s.tw[seat] == 0 else 0\n"
    )
    game = make_game("scorekeeper-duel", "even_duel", modules={str(path): {}}, compiled=False)
    for seed in range(3):
        s = ended(game, seed).record
        hurt = [bool(s.kr[f] + s.lw[f] + s.sw[f] + s.tw[f]) for f in range(2)]
        if s.round_no < game.params.max_rounds:
            assert any(hurt) and s.result == (3 if all(hurt) else (2 if hurt[0] else 1))


# --- comparisons


def compared(seats: Any, cards: tuple[str, str], **params: Any) -> tuple[int, list[int]]:
    """EP of the first seat and the outcome of the first comparison of a duel of two given cards."""
    setup = play.duel({str(SAMPLES / "giant_killer.py"): {"seats": seats, **params}})
    for seat, card in zip(setup["seats"], cards):
        seat["hand"] = [card]
    setup["config"] = {**setup.get("config", {}), "rounds": 1}
    game = play.make(setup)
    position = game.position(1)
    for _ in range(20):
        if position.over or position.record.n_entries:
            break
        for seat in position.to_act():
            legal, own = position.legal(seat), game.actions.parse(f"card:{cards[seat]}")
            position.apply(seat, own if own in legal else legal[-1])
        position.roll()
    s = position.record
    return int(s.ep[0]), [int(s.e_won[0]), int(s.e_class_a[0] - s.e_class_b[0])]


def test_a_seven_beats_an_ace_of_whoever_has_the_rule() -> None:
    """The record, the EP and what is seen follow the comparison, not the classes."""
    assert compared([], ("D7", "DA"))[0] == -1
    for seats, ep in ((None, 1), ([0], 1), ([1], -1)):
        got, (won, difference) = compared(seats, ("D7", "DA"))
        assert got == won == ep and difference < 0
    for seats, ep in ((None, -1), ([0], 1), ([1], -1)):
        assert compared(seats, ("DA", "D7"))[0] == ep
    assert compared(None, ("D8", "DA"))[0] == -1


def test_the_rule_may_spare_trumps() -> None:
    setup = play.duel({})
    trump = str(setup["seats"][1]["suits"])[:1]
    assert compared(None, ("D7", f"{trump}A"), trumps=True)[0] == 1
    assert compared(None, ("D7", f"{trump}A"), trumps=False)[0] == -1


# --- many actions

MANY = '''"""Offers many actions."""
from typing import Any
from probespiel.envs.{system}.module import Module
from probespiel.envs.{system}.services import allow
module = Module("many", "Offers many actions.")
module.state("mask", per_seat=False, scope={scope!r}, bits=True)
{actions}
@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """All that are left."""
    for i in range({n}):
        if not s.many_mask >> i & 1:
            allow(words, A0 + i)
@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Once each."""
    s.many_mask |= 1 << action - A0
'''


def offering(folder: Path, name: str, n: int) -> str:
    """A module that offers n actions of its own."""
    path = folder / "many.py"
    actions = "\n".join(f'A{i} = module.action("a{i}", "number {i} (many)", "Nummer {i} (many)")' for i in range(n))
    scope = system(name).interface.scopes[-1]
    path.write_text(MANY.format(system=name, n=n, actions=actions, scope=scope))
    return str(path)


@pytest.mark.parametrize("name", ["einblatt", "ews_rps", "konfrontation", "scorekeeper"])
def test_modules_may_have_many_actions(name: str, tmp_path: Path) -> None:
    """As many as the system takes are offered, taken and told; one more is refused."""
    most = system(name).interface.max_actions
    assert most >= 24
    path = offering(tmp_path, name, most)
    game = make_game(GAMES[name], modules={path: {}}, compiled=False)
    offered = [a for a in range(len(game.actions)) if "(many)" in game.actions.describe(a)]
    assert len(offered) == most
    assert all(game.actions.parse(game.actions.describe(action)) == action for action in offered)
    position, taken = game.position(1), set()
    for _ in range(400):
        position.roll()
        if position.over or len(taken) == most:
            break
        for seat in position.to_act():
            legal = position.legal(seat)
            own = [a for a in legal if a in offered]
            position.apply(seat, own[-1] if own else legal[0])
            taken |= set(own[-1:])
    assert len(taken) >= min(most, 5)
    with pytest.raises(RulesetError, match=f"{most + 1} actions of their own, at most {most}"):
        make_game(GAMES[name], modules={offering(tmp_path, name, most + 1): {}}, compiled=False)


def test_a_game_without_modules_is_as_large_as_before() -> None:
    """Room for many actions costs nothing where there are none."""
    for name, words in (("einblatt", 3), ("ews_rps", 1), ("konfrontation", 3), ("scorekeeper", 4)):
        assert make_game(GAMES[name], compiled=False).words == words
    game = make_game("einblatt-duel", compiled=False)
    assert game.actions.codes[-1] == "custom:7" and len(game.actions) == 80


def test_stances_are_actions_of_their_own() -> None:
    path = str(SAMPLES / "stances.py")
    game = make_game("scorekeeper-duel", "even_duel", modules={path: {}}, compiled=False)
    position = game.position(1)
    while position.phase() != "stances_taken":
        position.roll()
        seat = position.to_act()[0]
        position.apply(seat, position.legal(seat)[-1])
    assert game.words == 5
    seat = position.to_act()[0]
    assert [game.actions.codes[a] for a in position.legal(seat)] == [
        f"stances.{name}" for name in ("steady", "bold", "guarded")
    ]
    assert "press on" in game.actions.describe(position.legal(seat)[1])
    position.apply(seat, position.legal(seat)[1])
    assert position.record.stances_now[seat] == 1


# --- counters

COUNTS = '''"""Counts who has bet, in the open and in secret."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("counts", "Counts bets.")
module.counter("bets", {high}, en="bets", de="Einsätze")
module.counter("secret", 3, en="own moves", private=True)
module.counter("pot", 9, en="pot", de="Topf", low=-1, per_seat=False)
@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Counted."""
    s.counts_bets[seat] += move
    s.counts_secret[seat] += 1
    s.counts_pot += 2 * move
'''


def counting(folder: Path, high: int = 3) -> str:
    """A module with counters."""
    path = folder / "counts.py"
    path.write_text(COUNTS.format(high=high))
    return str(path)


def test_counters_are_told_by_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In positions, at the terminal and in replays; what is private by its seat alone; in German too."""
    game = make_game("kuhn", modules={counting(tmp_path): {}}, compiled=False)
    position = game.position(1)
    position.apply(0, 1)
    public = {"bets (first)": 1, "bets (second)": 0, "pot": 2}
    assert position.tallies(None) == public
    assert position.tallies(0) == {**public, "own moves (first)": 1}
    assert position.tallies(1, "de") == {
        "Einsätze (Erster)": 1,
        "Einsätze (Zweiter)": 0,
        "own moves (Zweiter)": 0,
        "Topf": 2,
    }
    assert position.told(None).splitlines()[-1] == "pot: 2"
    assert position.told(1) != game.spec.texts.state(position, 1, "en")
    recorder = Recorder(game, 1)
    recorder.apply(0, 1)
    recorder.apply(1, 1)
    recorder.save(tmp_path / "game.json")
    assert cli.run(["replay", str(tmp_path / "game.json"), "--trust-files"]) == 0
    shown = capsys.readouterr().out
    assert "bets (first): 0 → 1" in shown and "pot: 2 → 4" in shown and "own moves" not in shown
    assert cli.run(["replay", str(tmp_path / "game.json"), "--trust-files", "--seat", "second", "--lang", "de"]) == 0
    shown = capsys.readouterr().out
    assert "Topf: 2 → 4" in shown and "own moves (Zweiter): 0 → 1" in shown
    assert "own moves (Erster)" not in shown and "4 Schritte, zu Ende gespielt" in shown


def test_a_counter_keeps_to_its_range(tmp_path: Path) -> None:
    """Random play finds what the rule lets through."""
    (played,) = check_modules("kuhn", {counting(tmp_path, high=1): {}}, games=30, compiled=False)
    assert not played.problems  # nobody bets twice
    path = Path(counting(tmp_path))
    path.write_text(path.read_text().replace('"pot", 9', '"pot", 3'))
    (played,) = check_modules("kuhn", {str(path): {}}, games=30, compiled=False)
    assert any("counter 'pot' is 4: -1..3" in problem for problem in played.problems)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"pot", 9, en="pot"', '"pot", 9, en=""', "counter 'pot' needs a name that people read"),
        ('"pot", 9', '"pot", "9"', "counter 'pot': range -1..'9' is not allowed"),
        ("low=-1", "low=1", "counter 'pot': range 1..9 is not allowed: whole numbers, 0 among them"),
    ],
)
def test_wrong_counters_are_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = Path(counting(tmp_path))
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(RulesetError, match=re.escape(said)):
        make_game("kuhn", modules={str(path): {}}, compiled=False)


@pytest.mark.parametrize("name", [name for name in system_names() if name != "kuhn"])
def test_every_system_shows_counters(name: str, tmp_path: Path) -> None:
    """By the names of those who can have a module: seats, fighters, figures."""
    path = tmp_path / "tokens.py"
    path.write_text(
        f'"""Tokens."""\nfrom probespiel.envs.{name}.module import Module\n'
        'module = Module("tokens", "Tokens.")\nmodule.counter("own", 5, en="tokens")\n'
    )
    game = make_game(GAMES[name], modules={str(path): {}}, compiled=False)
    position = game.position(1)
    position.record.tokens_own[1] = 4
    told = position.tallies(None)
    assert list(told.values())[:2] == [0, 4] and len(told) == len(game.spec.tallies[0].names) >= game.n_seats
    assert f"tokens ({game.seats[1].called('en')}): 4" in position.told(0)
    assert f"tokens ({game.seats[1].called('de')}): 4" in position.told(0, "de")


def test_focus_is_gained_and_spent() -> None:
    path = str(SAMPLES / "focus.py")
    game = make_game("einblatt-duel", "even_duel", modules={path: {}}, compiled=False)
    gained = spent = 0
    for seed in range(10):
        position, rng = game.position(seed), rng_array(seed, "choices")
        while not position.over:
            for seat in position.to_act():
                legal, before = position.legal(seat), position.record.focus_points.copy()
                wish = [a for a in legal if "focus point" in game.actions.describe(a)]
                assert bool(wish) <= (before[seat] > 0)
                position.apply(seat, wish[0] if wish else legal[rand_below(rng, len(legal))])
                change = position.record.focus_points - before
                spent += int(change[seat] == -1 and bool(wish))
                gained += int((change > 0).any())
            position.roll()
    assert gained and spent
