"""Modules that only some seats have: without any holder the game is the old one; others are never offered anything."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents import native
from probespiel.agents.base import Requests
from probespiel.agents.declaration import Baseline
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.modules import load_modules
from probespiel.envs.core.registry import system, system_names
from probespiel.envs.core.rng import rand_below, rng_array
from probespiel.envs.einblatt.module import INTERFACE
from probespiel.envs.einblatt.system import SYSTEM
from probespiel.envs.oneshot.presets import _team
from probespiel.evaluation.stress.conditions import Bench, Settings

from . import play

NAMES = [name for name in play.VARIANTS if name not in ("point_buy", "specialist_buy")]


def random_game(game: Game, seed: int) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Decisions and payoffs of a random game whose dice and choices depend on the seed alone."""
    position, rng = game.position(seed), rng_array(seed, "choices")
    taken = []
    while not position.over:
        for seat in position.to_act():
            legal = position.legal(seat)
            action = legal[rand_below(rng, len(legal))]
            position.apply(seat, action)
            taken.append((seat, action))
        position.roll()
    return taken, position.returns()


@pytest.mark.parametrize("name", NAMES)
def test_a_module_that_nobody_has_changes_nothing(name: str) -> None:
    """Same decisions, same payoffs, for the same dice."""
    level = "campaign" if name in ("sleeve", "full_hand", "confidence", "experience", "incentive") else "duel"
    setup = play.LEVELS[level]({name: {"seats": []}})
    with_it = play.make(setup)
    for seat in setup["seats"]:
        if name == "confidence":
            seat.pop("conf", None)
    without = play.make({**setup, "modules": {}})
    for seed in range(4):
        a, b = random_game(with_it, seed), random_game(without, seed)
        assert a[0] == b[0]
        assert np.array_equal(a[1], b[1])


@pytest.mark.parametrize("name", ["table_redraw", "open_look", "swap_card", "mercy"])
def test_only_holders_are_offered_its_actions(name: str) -> None:
    """The other seat never sees an action of the module; the holder does."""
    setup = play.duel({name: {"seats": ["Foe"], **({"who": "all"} if name in ("swap_card", "mercy") else {})}})
    game = play.make(setup)
    own = SYSTEM.spec_of_setup(setup).options  # the options keep who has it
    assert own["modules"][name]["seats"] == ["Foe"]
    actions, _ = load_modules(INTERFACE, setup["modules"]).parts_of(name)
    takers: set[int] = set()
    for seed in range(30):
        takers |= {seat for seat, action in random_game(game, seed)[0] if action in actions}
    assert takers == {1}


@pytest.mark.parametrize("value", [["Nobody"], [0, 0], "Ada", [7], [True], 3, {"Ada": 1}])
def test_bad_holders_are_refused(value: Any) -> None:
    """The error names the module, the parameter, and what is allowed."""
    with pytest.raises(RulesetError, match="module table_redraw: seats"):
        make_game("einblatt-duel", modules={"table_redraw": {"seats": value}}, compiled=False)


# --- hooks without a seat, the service `has`, rules of the whole table

SOURCES = {
    "kuhn": ("moved", "seat: int, move: int", "seat"),
    "ews_rps": ("round_end", "", "0"),
    "einblatt": ("conflict_start", "seat: int", "seat"),
    "konfrontation": ("turn_start", "seat: int", "seat"),
    "scorekeeper": ("round_start", "seat: int", "seat"),
    "oneshot": ("turn_begins", "who: int", "who"),
    "leduc": ("moved", "seat: int, move: int", "seat"),
    "goofspiel": ("bid_shown", "seat: int, card: int", "seat"),
    "liars_dice": ("bid_made", "seat: int, quantity: int, face: int", "seat"),
}
GAMES = {
    "kuhn": "kuhn", "ews_rps": "ews_rps", "einblatt": "einblatt-duel", "konfrontation": "konfrontation-campaign",
    "scorekeeper": "scorekeeper-duel", "oneshot": "oneshot-skirmish", "leduc": "leduc", "goofspiel": "goofspiel",
    "liars_dice": "liars_dice",
}  # fmt: skip
WATCH = '''"""Notes who has it whenever it is told of anything."""
from typing import Any
from probespiel.envs.{system}.module import Module
from probespiel.envs.{system}.services import has
module = Module("watch", "Notes who has it."{more})
module.state("told", per_seat=False, scope={scope!r}, bits=True)
module.state("own", per_seat=False, scope={scope!r}, bits=True)
@module.hook
def {hook}(s: Any, p: Any{arguments}) -> None:
    """Bits of the seats that have it, and of those that it is about."""
    s.watch_own |= (1 if has(s, p, 0) else 0) | (2 if has(s, p, 1) else 0)
    s.watch_told |= 1 << {seat}
'''


def watcher(folder: Path, name: str, more: str = "") -> str:
    """A module file of a system that notes who has it."""
    hook, arguments, seat = SOURCES[name]
    path = folder / "watch.py"
    scope = system(name).interface.scopes[-1]
    given = f", {arguments}" if arguments else ""
    path.write_text(WATCH.format(system=name, hook=hook, arguments=given, seat=seat, scope=scope, more=more))
    return str(path)


def watched(name: str, path: str, seats: Any, compiled: bool = False) -> tuple[int, int]:
    """Who has the module, and whom it was told of, after 30 decisions."""
    position = make_game(GAMES[name], modules={path: {"seats": seats}}, compiled=compiled).position(1)
    for _ in range(30):
        if position.over:
            break
        seat = position.to_act()[0]
        position.apply(seat, position.legal(seat)[0])
        position.roll()
    return int(position.record.watch_own), int(position.record.watch_told)


@pytest.mark.parametrize("name", SOURCES)
def test_every_system_tells_a_hook_who_has_its_module(name: str, tmp_path: Path) -> None:
    """The service `has`; hooks are told of holders alone."""
    path = watcher(tmp_path, name)
    assert set(SOURCES) == set(system_names())
    for seats, bits in ((None, 3), ([0], 1), ([1], 2)):
        own, told = watched(name, path, seats)
        assert own == bits
        assert name == "ews_rps" or told & 3 == bits
    assert watched(name, path, []) == (0, 0)


@pytest.mark.parametrize(
    ("game", "module"),
    [
        ("ews_rps", "well"), ("konfrontation-campaign", "all_pay"), ("scorekeeper-duel", "free_parry"),
        ("oneshot-skirmish", "berserker"),
    ],
)  # fmt: skip
def test_seats_are_named_as_people_read_them_too(game: str, module: str) -> None:
    """In English and German; what is refused is told all names that are allowed."""

    def filled(who: Any) -> bytes:
        return make_game(game, modules={module: {"seats": [who]}}, compiled=False).spec.params.tobytes()

    seats = make_game(game, compiled=False).seats
    assert any(seat.called("en") != seat.name for seat in seats), "else it shows nothing"
    assert len({filled(number) for number in range(len(seats))}) == len(seats)
    for number, seat in enumerate(seats):
        assert filled(seat.name) == filled(seat.called("en")) == filled(seat.called("de")) == filled(number)
    with pytest.raises(RulesetError, match=rf"seats = 'nobody' is not allowed: one of .*{seats[-1].called('de')}"):
        filled("nobody")


@pytest.mark.parametrize("compiled", [False, True])
def test_two_modules_have_each_their_own_seats(tmp_path: Path, compiled: bool) -> None:
    """`has` is that of the module whose hook runs, compiled or not."""
    first = watcher(tmp_path, "kuhn")
    second = tmp_path / "second.py"
    second.write_text(Path(first).read_text().replace("watch", "second"))
    modules = {first: {"seats": ["first"]}, str(second): {"seats": ["second"]}}
    position = make_game("kuhn", modules=modules, compiled=compiled).position(1)
    position.apply(0, 1)
    position.apply(1, 1)
    assert (position.record.watch_own, position.record.second_own) == (1, 2)


@pytest.mark.parametrize("name", SOURCES)
def test_rules_of_the_whole_table(name: str, tmp_path: Path) -> None:
    """All have it or nobody; a hook named in `table` is called for every seat while any has the module."""
    whole = watcher(tmp_path, name, ", table=True")
    seats = [seat.name for seat in make_game(GAMES[name], compiled=False).seats]
    if name == "oneshot":
        seats = [0, 1]
    assert watched(name, whole, None) == watched(name, whole, seats)
    assert watched(name, whole, []) == (0, 0)
    with pytest.raises(RulesetError, match=r"module watch: seats = .* None \(all seats\) or \[\] \(none\)"):
        make_game(GAMES[name], modules={whole: {"seats": [1]}}, compiled=False)
    hook = SOURCES[name][0]
    own, told = watched(name, watcher(tmp_path, name, f", table=({hook!r},)"), [1])
    assert own == 2
    assert told & 3 == (1 if name == "ews_rps" else 3)


def test_a_hook_of_the_table_must_exist(tmp_path: Path) -> None:
    path = watcher(tmp_path, "kuhn", ", table=('movd',)")
    with pytest.raises(RulesetError, match=r"hook in table 'movd' is none of .* did you mean moved"):
        make_game("kuhn", modules={path: {}}, compiled=False)


RULES = {
    "outcome": ("mine: int, theirs: int, result: int", "1 if result == 0 else result"),
    "points": ("result: int, value: int", "value + 6"),
    "goes_on": ("result: int, on: int", "0"),
    "verdict": ("value: int", "0"),
    "utility": ("value: float", "value + 0.5"),
}


@pytest.mark.parametrize("hook", RULES)
def test_hooks_of_a_contest_are_about_the_acting_seat(hook: str, tmp_path: Path) -> None:
    """Whatever seat has the module alone, its rule acts in that seat's own tests and in no others."""
    arguments, answer = RULES[hook]
    number = "float" if hook == "utility" else "int"
    path = tmp_path / "rule.py"
    path.write_text(
        '"""A rule."""\nfrom typing import Any\nfrom probespiel.envs.ews_rps.module import Module\n'
        f'module = Module("rule", "A rule.")\n@module.hook\ndef {hook}(s: Any, p: Any, {arguments}) -> {number}:\n'
        f'    """Always."""\n    return {answer}\n'
    )
    # both tests are drawn rounds but for `points` and `goes_on`, where the acting side wins its round
    test = {"kind": "contest", "attacker_value": 0, "defender_value": 1}
    tests = [{**test, "acting_seat": seat} for seat in (0, 1)]

    def results(seats: Any) -> list[tuple[float, int, int]]:
        """Utility, net and bonus of the acting side of both tests."""
        config = {"tests": tests, "max_rounds": 1 if hook == "points" else 2}
        modules = {} if seats == [] else {str(path): {"seats": seats}}
        position = make_game("ews_rps", modules=modules, compiled=False, **config).position(1)
        out = []
        for index in range(2):
            while not position.over and position.record.test == index:
                wins = hook in ("points", "goes_on")
                shown = (1, 0) if index == 0 else (0, 1)
                for seat in (0, 1):
                    position.apply(seat, shown[seat] if wins else 0)
            s = position.record
            out.append((float(s.last_utility), int(s.last_net), int(s.last_bonus[0])))
        return out

    plain, all_of_them = results([]), results(None)
    assert plain[0] != all_of_them[0] and plain[1] != all_of_them[1]
    assert results([0]) == results(["player"]) == [all_of_them[0], plain[1]]
    assert results([1]) == results(["gm"]) == [plain[0], all_of_them[1]]


def test_points_are_about_whoever_wins_the_round(tmp_path: Path) -> None:
    """In a contest the defender's own rounds are the defender's."""
    path = tmp_path / "rule.py"
    path.write_text(
        '"""A rule."""\nfrom typing import Any\nfrom probespiel.envs.ews_rps.module import Module\n'
        'module = Module("rule", "A rule.")\n@module.hook\n'
        'def points(s: Any, p: Any, result: int, value: int) -> int:\n    """Always."""\n    return value + 6\n'
    )
    tests = [{"kind": "contest", "attacker_value": 0, "defender_value": 1, "acting_seat": 0}]
    for seats, bonus in (([0], 3), ([1], 9), (None, 9), ([], 3)):
        config = {"tests": tests, "max_rounds": 1}
        position = make_game("ews_rps", modules={str(path): {"seats": seats}}, compiled=False, **config).position()
        position.apply(0, 0)
        position.apply(1, 1)
        assert list(position.record.last_bonus) == [0, bonus]


def test_a_symbol_of_one_side_beats_the_other_sides(tmp_path: Path) -> None:
    """The well of the seat that does not act beats scissors all the same."""
    tests = [{"kind": "contest", "attacker_value": 0, "defender_value": 1, "acting_seat": 0}]
    game = make_game("ews_rps", tests=tests, modules={"well": {"seats": ["gm"]}}, compiled=False)
    position = game.position()
    well = game.actions.parse("well")
    assert well not in position.legal(0) and well in position.legal(1)
    position.apply(0, 2)
    position.apply(1, well)
    assert position.record.outcome == -1


# --- names that other names begin with


NAMES_OF_OTHERS = '''"""A field for everything."""
from typing import Any
from probespiel.envs.{system}.module import Module
module = Module("{name}", "For tests.")
module.param("{param}", 3, 0, 5)
'''


@pytest.mark.parametrize(
    ("name", "param"), [("c_plus", "cost"), ("c", "plus"), ("draw", "more"), ("f", "plus"), ("pool", "more")]
)
@pytest.mark.parametrize("which", SOURCES)
def test_a_parameter_may_begin_like_those_of_the_rules(which: str, name: str, param: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(NAMES_OF_OTHERS.format(system=which, name=name, param=param))
    game = make_game(GAMES[which], modules={str(path): {}}, compiled=False)
    assert int(game.params[f"{name}_{param}"]) == 3
    position = game.position(1)
    position.roll()
    assert position.legal(position.to_act()[0])


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (("fault", "value"), None, "'fault_value' is a name of the rules"),
        (("a", "b_seats"), ("a_b", "x"), "parameter 'a_b_seats' is claimed by module"),
    ],
)
def test_names_that_would_be_the_same_are_refused(first: Any, second: Any, said: str, tmp_path: Path) -> None:
    modules = {}
    for name, param in filter(None, (first, second)):
        path = tmp_path / f"{name}.py"
        path.write_text(NAMES_OF_OTHERS.format(system="kuhn", name=name, param=param))
        modules[str(path)] = {}
    with pytest.raises(RulesetError, match=said):
        make_game("kuhn", modules=modules, compiled=False)


def test_heroes_of_a_team_are_numbered_by_their_whole_name() -> None:
    """A hero whose name begins like another's is not its second."""
    assert list(_team("red", "guard", "guard_captain", "guard")) == ["red_guard", "red_guard_captain", "red_guard_2"]


def test_the_stress_lab_does_not_ask_for_one_side_of_a_rule_of_the_whole_table(tmp_path: Path) -> None:
    """Nobody and everybody have it, and nothing in between."""
    for more, names in (("", ["nobody", "only first", "only second", "everybody"]), (", table=True", None)):
        bench = Bench(Settings("kuhn", watcher(tmp_path, "kuhn", more)), compiled=False)
        conditions = bench.holder_conditions()
        assert list(conditions) == (names or ["nobody", "everybody"])
        assert bench.alone(1) == ("only second" if names else "everybody")
        for condition in conditions.values():
            assert bench.possible(condition)


RECKONED = """
{imports}
from probespiel.envs.{system}.module import Module
module = Module("reckoned", "Whoever wins is paid.", payoff_shift={shift}, table={table})
@module.hook
def {hook}(s, p, {arguments}):
    return {body}
@module.hook
def observe(s, p, seat, out):
    out[0] = 0.0
module.piece("nothing", 1, 0.0, 1.0, "nothing")
"""


@pytest.mark.parametrize(
    ("system", "game", "hook", "arguments", "table", "imports", "body", "together"),
    [
        ("kuhn", "kuhn", "payoff", "seat, value", '("payoff",)', "", "value + 0.1", True),
        ("kuhn", "kuhn", "payoff", "seat, value", "()", "", "value + 0.1", False),
        ("kuhn", "kuhn", "payoff", "seat, value", '("payoff",)', "", "value + p.reckoned_seats", False),
        *(
            ("konfrontation", "konfrontation-clash", "payoff", "seat, value", '("payoff",)', imports, body, False)
            for imports, body in (
                ("from probespiel.envs.konfrontation.services import has", "value + has(s, p, seat)"),
                ("from probespiel.envs.konfrontation.services import has as who", "value + who(s, p, seat)"),
                ("from probespiel.envs.konfrontation import services", "value + services.has(s, p, seat)"),
            )
        ),
        ("ews_rps", "ews_rps", "round_end", "", "()", "", "None", True),  # about nobody
        ("ews_rps", "ews_rps", "outcome", "mine, theirs, result", "()", "", "result", False),  # about who shows
    ],
)  # fmt: skip
def test_a_rule_whose_hooks_all_concern_the_table_belongs_to_nobody_alone(
    system: str, game: str, hook: str, arguments: str, table: str, imports: str, body: str, together: bool,
    tmp_path: Path,
) -> None:  # fmt: skip
    """Unless it asks who has it; what it shows to a seat decides nothing."""
    path = tmp_path / "reckoned.py"
    path.write_text(
        RECKONED.format(
            system=system,
            hook=hook,
            arguments=arguments,
            table=table,
            imports=imports,
            body=body,
            shift=0.5 * (hook == "payoff"),
        )
    )
    bench = Bench(Settings(game, str(path)), compiled=False)
    assert bench.whole_table is together
    assert (list(bench.holder_conditions()) == ["nobody", "everybody"]) is together


def test_what_answers_other_hooks_belongs_to_whomever_they_concern() -> None:
    """A coin of the table is the table's, whichever seat throws it; a die that holders throw is theirs."""
    planted = Path(__file__).parents[1] / "planted"
    coin = Bench(Settings("scorekeeper-duel", str(planted / "coin_judge.py")), compiled=False)
    assert coin.whole_table and not Bench(Settings("ews_rps", str(planted / "lucky_star.py")), compiled=False).for_all


# --- compiled players of two rooms whose files and functions go by the same names


def test_baselines_of_files_with_one_name_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rooms may have a file and a function of the same names; each baseline is its own function."""
    table = {}
    for answer, room in enumerate(("passes", "bets")):
        path = tmp_path / room / "bots.py"
        path.parent.mkdir()
        path.write_text(
            "from typing import Any\nfrom probespiel.envs.core.jit import kernel\n@kernel\n"
            f"def pick(s: Any, p: Any, seat: int, rng: Any) -> int:\n    return {answer}\n"
        )
        spec = importlib.util.spec_from_file_location(f"{room}.bots", path)
        assert spec and spec.loader
        made = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, made)
        spec.loader.exec_module(made)
        table[room] = Baseline(made.pick, room)
    monkeypatch.setattr(native, "_tables_of", lambda system: ({}, table))
    monkeypatch.setattr(native, "_BUILT", {})
    game = make_game("kuhn", compiled=False)
    for answer, room in enumerate(table):
        agent = native.BaselineAgent(room)
        states = np.frombuffer(game.position(1).to_bytes(), dtype=np.uint8).reshape(1, -1)
        requests = Requests.gather(game, states, [0], [0], 1, 1, 0)
        assert list(agent.act_batch(requests)) == [answer]
