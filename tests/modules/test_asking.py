"""What modules ask and throw: questions of their own, targets and amounts, sealed questions, dice with names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.app.session.table import Table
from probespiel.envs import make_game
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.contract import leak_of
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.modules import load_modules
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.registry import system
from probespiel.envs.core.replay import Die, Recorder, loads
from probespiel.envs.core.rng import rand_below, rng_array
from probespiel.envs.core.soundness import check_game
from probespiel.envs.oneshot.state import Action

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "examples" / "modules"


def interpreted(name: str, module: Path, scenario: str | None = None, **config: Any) -> Game:
    return make_game(name, scenario, modules={str(module): {}}, compiled=False, **config)


def walk(position: Position, seed: int, phase: str = "") -> Position:
    """The position after random play, up to the first question in a phase (else the end); missions are not given up."""
    rng = rng_array(seed, "choices")
    position.roll()
    while not position.over and (not phase or position.phase() != phase):
        seat = position.to_act()[0]
        legal = [a for a in position.legal(seat) if position.game.actions.codes[a] != "abort"]
        position.apply(seat, legal[rand_below(rng, len(legal))])
        position.roll()
    return position


# --- questions of its own: OneShot


def test_a_skirmish_is_asked_a_question_of_a_module() -> None:
    """Before anything else on the first turn, once a figure; the answer is public and counts."""
    game = interpreted("oneshot-skirmish", SAMPLES / "battle_cry.py", "duel_mirror")
    position = game.position(1)
    assert position.phase() == "battle_cry" and position.question("de") == "was rufst du?"
    (seat,) = position.to_act()
    assert [game.actions.codes[a] for a in position.legal(seat)] == ["battle_cry.charge", "battle_cry.hold"]
    who = int(position.record.actor)
    position.apply(seat, position.legal(seat)[0])
    assert position.phase() == "turn" and position.to_act() == [seat]
    assert position.record.battle_cry_cried[who] == 1
    assert [game.say(e, None, "en") for e in position.events()] == [f"{game.seats[seat].called('en')}: cry: charge!"]
    end = walk(position, 2)
    assert end.status == 1 and list(end.record.battle_cry_cried[:2]) != [0, 0]


HALT = '''"""Before and after its turn a figure is asked whether it stays where it is."""
from typing import Any
from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow, ask
module = Module("halt", "Figures may stay.", levels=("skirmish",))
BEFORE = module.phase("halt_before")
AFTER = module.phase("halt_after")
STAY = module.action("stay", "stay (halt)")
GO = module.action("go", "go (halt)", decline=True)
@module.hook
def turn_begins(s: Any, p: Any, who: int) -> None:
    ask(s, ME, BEFORE, who)
@module.hook
def turn_ends(s: Any, p: Any, who: int) -> None:
    ask(s, ME, AFTER, who)
@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow(words, STAY)
    allow(words, GO)
@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    s.moved[seat] = action == STAY
'''


def waits(game: Game, seed: int) -> None:
    """What is answered before a turn holds in it, and the next turn begins when what follows this one is answered."""
    for answer, moves in (("halt.stay", False), ("halt.go", True)):
        position = walk(game.position(seed), seed, "halt_before")
        (seat,) = position.to_act()
        position.apply(seat, game.actions.id(answer))
        assert position.phase() == "turn" and any(0 < a < Action.ATTACK for a in position.legal(seat)) == moves
        position.apply(seat, Action.END_TURN)
        actor, count = int(position.record.actor), int(position.record.count)
        assert position.phase() == "halt_after" and position.to_act() == [seat] == [actor]
        position.apply(seat, game.actions.id("halt.go"))
        assert (int(position.record.actor), int(position.record.count)) != (actor, count)


def test_a_skirmish_waits_for_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "halt.py"
    path.write_text(HALT)
    waits(interpreted("oneshot-skirmish", path, "duel_mirror"), 1)


def test_a_mission_waits_for_an_answer(tmp_path: Path) -> None:
    """In its fights, of which the others' turns are fixed."""
    path = tmp_path / "halt.py"
    path.write_text(HALT.replace('"skirmish"', '"mission"'))
    game = interpreted("oneshot-mission", path)
    for seed in range(3):
        waits(game, seed)
        position = walk(game.position(seed), seed, "halt_before")
        (seat,) = position.to_act()
        again, dice = position.forget(seat), rng_array(seed, "unseen")
        while faces := again.die():  # rooms that nobody has seen are dealt while the question is open
            again.fall(int(rand_below(dice, faces)))
        assert (again.phase(), again.to_act(), again.die()) == ("halt_before", [seat], 0)
        assert again.legal(seat) == position.legal(seat)


def test_a_talk_is_asked_a_question_of_a_module() -> None:
    """The purse is paid to whoever takes it, before the first move of the talk."""
    game = interpreted("oneshot-parley", Path(__file__).with_name("purse.py"), "council")
    position = walk(game.position(1), 1, "purse_offered")
    paid = []
    for _ in range(2):
        assert position.phase() == "purse_offered" and position.question("en") == "take the purse?"
        (seat,) = position.to_act()
        paid.append(seat)
        position.apply(seat, game.actions.id("purse.take" if seat == 0 else "purse.leave"))
    assert sorted(paid) == [0, 1]
    assert walk(position, 1).returns().sum() == 0.25


BUILD = '''"""Asks whoever builds."""
from typing import Any
from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow, ask, lot
from probespiel.envs.oneshot.state import D_DEFENCE, Stage
module = Module("patron", "A patron helps.", levels=("build",))
OFFER = module.phase("patron_offer")
SHIELD = module.action("shield", "take a shield (patron)", "einen Schild nehmen (patron)")
NOTHING = module.action("nothing", "take nothing (patron)", "nichts nehmen (patron)", decline=True)
module.state("shield", scope="game", doc="the seat has it")
@module.hook
def stage_begins(s: Any, p: Any, who: int, stage: int) -> None:
    if stage == Stage.WEAPON:
        ask(s, ME, OFFER, who)
@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow(words, SHIELD)
    allow(words, NOTHING)
@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    s.patron_shield[seat] = action == SHIELD
@module.hook
def built(s: Any, p: Any, who: int) -> None:
    if s.patron_shield[who]:
        s.figure[who, D_DEFENCE] += 3
        lot(s, ME, 0, who, 2)
@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    s.patron_shield[seat] += outcome
'''


@pytest.mark.parametrize("pilot", ["exact", "grid"])
def test_a_build_is_asked_a_question_of_a_module(pilot: str, tmp_path: Path) -> None:
    """Between the stages, by the seats themselves; the duel waits for what is thrown when both are complete."""
    path = tmp_path / "patron.py"
    path.write_text(BUILD)
    game = interpreted("oneshot-build", path, pilot=pilot)
    worth = []
    for wish in ("patron.shield", "patron.nothing"):
        position, asked = game.position(1), 0
        while not position.over:
            seat = position.to_act()[0]
            legal = position.legal(seat)
            if position.phase() == "patron_offer":
                asked += 1
                assert [game.actions.codes[a] for a in legal] == ["patron.shield", "patron.nothing"]
                position.apply(seat, game.actions.id(wish if seat == 0 else "patron.nothing"))
            else:
                position.apply(seat, legal[0])
            if position.record.stage_no == 10 and wish == "patron.shield" and not position.over and asked == 2:
                assert position.die() in (2, 6)
            position.roll()
        assert asked == 2
        worth.append(float(position.returns()[0]))
    assert pilot == "grid" or worth[0] > worth[1]
    assert not check_game(game, 1).problems


ASKED_AT_THE_END = (
    BUILD[: BUILD.index("@module.hook\ndef built")]
    .replace(
        "def stage_begins(s: Any, p: Any, who: int, stage: int) -> None:\n    if stage == Stage.WEAPON:\n        ask",
        "def built(s: Any, p: Any, who: int) -> None:\n    ask",
    )
    .replace("s.patron_shield[seat] = action == SHIELD", "s.figure[seat, D_DEFENCE] += 3 * (action == SHIELD)")
)


@pytest.mark.parametrize("pilot", ["exact", "grid"])
def test_what_decides_between_builds_waits_for_an_answer(pilot: str, tmp_path: Path) -> None:
    """When both are complete each is asked; no die is thrown and nothing is judged before both have answered."""
    path = tmp_path / "patron.py"
    path.write_text(ASKED_AT_THE_END)
    game = interpreted("oneshot-build", path, pilot=pilot)
    worth = []
    for shields in ((), (0,)):
        position = game.position(1)
        while int(position.record.stage_no) < 10:
            seat = position.to_act()[0]
            position.apply(seat, position.legal(seat)[0])
        for seat in (1, 0):
            assert (position.phase(), position.to_act(), position.die()) == ("patron_offer", [seat], 0)
            position.apply(seat, game.actions.id("patron.shield" if seat in shields else "patron.nothing"))
        assert position.die() == (6 if pilot == "grid" else 0)
        position.roll()
        assert position.over
        worth.append(float(position.returns()[0]))
    assert pilot == "grid" or worth[1] > worth[0]


# --- targets and amounts


def test_an_action_stands_for_targets_and_amounts() -> None:
    """One declaration, labels with the names of the seats, and what hooks read of it."""
    game = interpreted("konfrontation-campaign", SAMPLES / "gifts.py", "duel")
    own = [code for code in game.actions.codes if code.startswith("gifts.")]
    names = ["_".join(seat.name.split()) for seat in game.seats]
    assert own == [f"gifts.give:{name}:{n}" for name in names for n in (1, 2, 3)]
    assert game.actions.describe(game.actions.id(own[1])) == f"give 2 power to {game.seats[0].called('en')}"
    assert game.actions.describe(game.actions.id(own[5]), "de") == f"{game.seats[1].called('de')} 3 Power schenken"
    position = game.position(1)
    while position.phase() != "action":
        position.roll()
    (seat,) = position.to_act()
    position.record.power[seat], position.record.power[1 - seat] = 2, 1
    offered = [game.actions.codes[a] for a in position.legal(seat) if "gifts" in game.actions.codes[a]]
    assert offered == [f"gifts.give:{names[1 - seat]}:{n}" for n in (1, 2)]
    position.apply(seat, game.actions.parse(f"give 2 power to {game.seats[1 - seat].called('en')}"))
    assert list(position.record.gifts_given[:2]) == ([2, 0] if seat == 0 else [0, 2])
    assert (int(position.record.power[seat]), int(position.record.power[1 - seat])) == (0, 3)


def test_seats_of_one_word_are_called_by_their_names() -> None:
    """`old_man` and `old man` would be one label for two actions."""
    modules = load_modules(system("konfrontation").interface, {str(SAMPLES / "gifts.py"): {}})
    for words, told in (
        ([("old man", "Alter"), ("boy", "Junge")], ["give 1 power to old man", "give 1 power to boy"]),
        ([("old man", "Alter"), ("old man", "Greis")], ["give 1 power to old_man", "give 1 power to b"]),
        ([("old man", "Alter"), None], ["give 1 power to old man", "give 1 power to b"]),
    ):
        actions = modules.among(["old_man", "b"], words).actions()
        assert [own.text("en") for own in actions[::3]] == told


# --- sealed questions


def facing() -> Position:
    """Both seats are asked at once, before the first test."""
    position = interpreted("ews_rps", SAMPLES / "standoff.py").position(3)
    assert position.phase() == "standoff" and position.to_act() == [0, 1]
    return position


def test_sealed_answers_are_known_to_nobody_else() -> None:
    """What one has answered, and that it has, changes nothing for the other; then both are revealed and paid."""
    stare, blink = facing().legal(0)
    fresh = facing()
    for action in (stare, blink):
        position = facing()
        position.apply(0, action)
        assert position.to_act() == [1] and position.events() == []
        assert position.key(1) == fresh.key(1) and position.legal(1) == fresh.legal(1)
        assert np.array_equal(position.observe(1), fresh.observe(1))
        assert position.forget(1).to_bytes() == fresh.forget(1).to_bytes()
        assert position.told(1) == fresh.told(1) and position.told(None) == fresh.told(None)
        assert position.key(0) != fresh.key(0) and leak_of(position, 1) is None and leak_of(position, 0) is None
        assert position.forget(0).to_act() == [1]
    position.apply(1, stare)
    game = position.game
    assert [game.say(e, 0, "en") for e in position.events() if e < 0] == [
        "player: blink", "game master: stare"
    ]  # fmt: skip
    assert list(position.record.standoff_sum) == [0, 1] and position.phase() != "standoff"


def test_the_order_of_sealed_answers_makes_no_difference() -> None:
    ends = []
    for first in (0, 1):
        position = facing()
        answers = position.legal(0)
        for seat in (first, 1 - first):
            position.apply(seat, answers[seat])
        ends.append(position.to_bytes())
    assert ends[0] == ends[1]


def test_sealed_questions_in_the_forms_of_pettingzoo() -> None:
    game = facing().game
    stare, blink = facing().legal(0)
    together = ProbespielParallel(game)
    _, infos = together.reset(seed=1)
    assert [infos[name]["to_act"] for name in together.agents] == [1, 1]
    together.step({"player": blink, "gm": stare})
    assert list(together.position.record.standoff_sum) == [0, 1]
    turns = ProbespielAEC(game)
    turns.reset(seed=1)
    for action in (blink, stare):
        seen = turns.observe(turns.agent_selection)
        assert set(np.flatnonzero(seen["action_mask"])) == {stare, blink}
        turns.step(action)
    assert list(turns.position.record.standoff_sum) == [0, 1]


def test_sealed_questions_at_a_table_and_in_its_replay() -> None:
    game = facing().game
    table = Table(game, {0: "human", 1: "human"}, 5)
    stare, blink = table.legal(0)
    before = table.seen(1)
    assert before.phase == "stare, or blink?" and table.seen(1, "de").phase == "starren oder blinzeln?"
    table.choose(0, blink)
    after = table.seen(1)
    assert (after.told, after.events, after.choices) == (before.told, before.events, before.choices)
    table.choose(1, stare)
    told = table.seen(1).events
    at = told.index("player: blink")
    assert told[at + 1] == "game master: stare"
    again = loads(table.replay().to_json(), game)
    assert again.final().to_bytes() == table.position.to_bytes()


# --- dice with names


def test_a_named_die_is_chance_of_the_game() -> None:
    """It is due like any other, told by its name in both languages, and replayed exactly."""
    game = interpreted("scorekeeper-duel", SAMPLES / "omen.py", "even_duel")
    position = game.position()
    assert position.die() == 6
    position.fall(5)
    assert [game.say(e, None, "de") for e in position.events() if e < 0] == [f"Omen ({game.seats[0].called('de')}): 6"]
    recorder = Recorder(game, 4)
    recorder.roll()
    steps = [step for step in recorder.steps if isinstance(step, Die)]
    assert [step.faces for step in steps[:2]] == [6, 6]
    signs = sorted(int(x) for x in recorder.position.record.omen_sign[:2])
    assert signs == sorted((s.fell == 5) - (s.fell == 0) for s in steps[:2])
    again = loads(recorder.replay().to_json(), game)
    assert again.final().to_bytes() == recorder.position.to_bytes()


# --- every system

VOTE = '''"""Asks both at once, and throws."""
from typing import Any
from probespiel.envs.{system}.module import ME, Module
from probespiel.envs.{system}.services import allow_for, amount_of, ask_all, kind_of, target_of, throw_die
module = Module("vote", "Both vote at once.", levels={levels})
ASKED = module.phase("vote_asked", sealed=True)
FOR = module.action("vote", "give {{amount}} votes to {{target}}", targets="seats", amounts=range(2, 5, 2))
DIE = module.die("omen", sides=5)
module.state("got", scope={scope!r})
module.state("sum", per_seat=False, scope={scope!r})
module.state("times", per_seat=False, scope={scope!r})
module.piece("got", 3, 0, 5000, "votes of two, dice")
{moments}
@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow_for(words, FOR, 3, 4)
@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    if kind_of(action) == FOR:
        s.vote_got[target_of(action)] += amount_of(action)
    if seat == 0:
        throw_die(s, ME, DIE, seat)
@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    if what == DIE:
        s.vote_sum += outcome + 1
@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0], out[1], out[2] = s.vote_got[0], s.vote_got[1], s.vote_sum
'''
MOMENT = """@module.hook
def {head} -> None:
    if s.vote_times < 6 and {when}:
        s.vote_times += 1
        ask_all(s, ME, ASKED, 3)
"""
MOMENTS = {
    "ews_rps": [("test_start(s: Any, p: Any)", "True"), ("round_end(s: Any, p: Any)", "True")],
    "einblatt": [
        ("conflict_start(s: Any, p: Any, seat: int)", "seat == 0"),
        ("take(s: Any, p: Any, seat: int, play: int, zone: int)", "True"),
        ("round_end(s: Any, p: Any, seat: int)", "seat == 1"),
    ],
    "konfrontation": [
        ("declared(s: Any, p: Any, seat: int)", "True"), ("revealed(s: Any, p: Any, seat: int)", "seat == s.attacker"),
    ],
    "scorekeeper": [
        ("round_start(s: Any, p: Any, seat: int)", "seat == 0 and s.round_no == 1"),
        ("parried(s: Any, p: Any, seat: int, attacker: int)", "s.dead[0] + s.dead[1] == 0"),
    ],
    "oneshot": [
        ("stage_begins(s: Any, p: Any, who: int, stage: int)", "who == 0"),
        ("built(s: Any, p: Any, who: int)", "who == 1"),
        ("turn_begins(s: Any, p: Any, who: int)", "True"),
        ("dealt(s: Any, p: Any, who: int, target: int)", "True"),
        ("talk_begins(s: Any, p: Any, who: int)", "who == 0"),
        ("talked(s: Any, p: Any, who: int, method: int, outcome: int)", "True"),
    ],
}  # fmt: skip
GAMES = [
    ("ews_rps", {"n_tests": 3}), ("einblatt-duel", {}), ("konfrontation-clash", {}), ("scorekeeper-duel", {}),
    ("oneshot-parley", {}), ("oneshot-build", {}), ("oneshot-skirmish", {}),
]  # fmt: skip
MORE = [
    ("einblatt-melee", {}),
    ("konfrontation-campaign", {}),
    ("oneshot-build", {"pilot": "grid"}),
    ("oneshot-mission", {}),
]


def voting(folder: Path, game: str) -> Path:
    """A module that asks and throws at several moments of a system."""
    name = game.partition("-")[0]
    moments = "".join(MOMENT.format(head=head, when=when) for head, when in MOMENTS[name])
    scope = system(name).interface.scopes[-1]
    levels = ("skirmish", "parley", "build", "mission") if name == "oneshot" else None
    path = folder / "vote.py"
    path.write_text(VOTE.format(system=name, levels=levels, scope=scope, moments=moments))
    return path


@pytest.mark.parametrize(
    ("game", "config"),
    [*GAMES[:3], *[pytest.param(*known, marks=pytest.mark.slow) for known in [*GAMES[3:], *MORE]]],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_system_asks_and_throws(game: str, config: dict[str, Any], tmp_path: Path) -> None:
    """No leak, no dead end, all in range; and the votes that were asked for were given."""
    made = interpreted(game, voting(tmp_path, game), **config)
    found = check_game(made, 1, seed=3)
    assert not found.problems, found
    asked = next(p for p in (walk(made.position(seed), seed, "vote_asked") for seed in range(20)) if not p.over)
    for seat in asked.to_act():
        assert leak_of(asked, seat) is None
    end = walk(asked, 3)
    s = end.record
    assert s.vote_times and 4 <= int(s.vote_got[:2].sum()) <= 8 * int(s.vote_times) and s.vote_sum
    assert s.mq_depth == 0 and made.spec.simultaneous


@pytest.mark.slow
@pytest.mark.parametrize("game", [name for name, _ in GAMES])
def test_compiled_and_interpreted_agree(game: str, tmp_path: Path) -> None:
    """Bit by bit; and baselines answer what they do not know."""
    path = voting(tmp_path, game)
    slow, fast = (make_game(game, modules={str(path): {}}, compiled=compiled) for compiled in (False, True))
    assert fast.kernel.compiled
    a, b, rng = slow.position(2), fast.position(2), np.random.default_rng(1)
    while not b.over:
        assert a.to_bytes() == b.to_bytes()
        seat = b.to_act()[-1]
        action = int(rng.choice(b.legal(seat)))
        for position in (a, b):
            position.apply(seat, action)
            position.roll()
    done = Batch(fast, 20, seed=1).play_random(20)
    assert done.stuck == 0 and done.stopped == 0


def test_games_without_such_modules_are_as_they_were() -> None:
    """Not a field more, and no question."""
    for name, _ in GAMES[:3]:
        game = make_game(name, compiled=False)
        assert not any(field.startswith("mq_") for field in game.state_dtype.names or ())
    swap = make_game("einblatt-duel", modules={"swap_card": {}}, compiled=False)
    assert "mq_depth" not in (swap.state_dtype.names or ())


# --- what is refused

WRONG = [
    ('targets="seats", ', "", "its text 'give {amount} votes to {target}' says {target}"),
    ("amounts=range(2, 5, 2)", "amounts=(2, 4)", "amounts = (2, 4) is not allowed: a range from 0 up"),
    ('targets="seats"', 'targets="chairs"', "targets = 'chairs' is not allowed: 'seats'"),
    ("{{amount}} votes", "votes", "does not say {amount}"),
    ("range(2, 5, 2)", "range(2, 99)", "actions of their own, at most 26: vote.vote (for 194 targets and amounts)"),
    (", sealed=True", "", "calls 'ask_all', so the file needs a phase: module.phase(..., sealed=True)"),
    ("sides=5", "sides=1", "sides = 1 is not allowed: a whole number 2..1000"),
    ("DIE = module.die", "module.die", "die 'omen' must be kept under a global name: OMEN = module.die(...)"),
    ("def fell(", "def helper(", "no hook is called 'helper'"),
]


@pytest.mark.parametrize(("old", "new", "text"), WRONG)
def test_wrong_declarations_are_refused(old: str, new: str, text: str, tmp_path: Path) -> None:
    path = voting(tmp_path, "ews_rps")
    source = path.read_text()
    old, new = old.replace("{{", "{").replace("}}", "}"), new.replace("{{", "{").replace("}}", "}")
    assert old in source
    path.write_text(source.replace(old, new))
    with pytest.raises(RulesetError, match=re.escape(text)):
        interpreted("ews_rps", path)


def test_questions_without_end_stop_the_game(tmp_path: Path) -> None:
    path = voting(tmp_path, "ews_rps")
    path.write_text(
        path.read_text().replace("    if kind_of(action) == FOR:", "    ask_all(s, ME, ASKED, 3)\n    if True:")
    )
    with pytest.raises(RulesetError, match="pile up unfinished"):
        walk(interpreted("ews_rps", path).position(1), 1)
