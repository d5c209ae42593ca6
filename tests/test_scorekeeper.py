"""Scorekeeper: worked examples, invariants (7.10), observation, hidden sheets, wrong input, texts, modules."""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, ProbespielError, RulesetError, UnparsableAction
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.verify import load_cases, verify_file
from probespiel.envs.scorekeeper import state as st
from probespiel.envs.scorekeeper.armoury import ARMOUR, WEAPONS
from probespiel.envs.scorekeeper.params import ENVIRONMENT, FIGHTER, OPTIONS, check_setup
from probespiel.envs.scorekeeper.presets import presets
from probespiel.envs.scorekeeper.system import SYSTEM
from probespiel.envs.scorekeeper.verify import run_calc, run_config_error, run_script
from tests.naive.scorekeeper_random import random_setup

GOLDEN = Path(__file__).parent / "golden" / "scorekeeper.json"
DATA = json.loads(GOLDEN.read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in load_cases(GOLDEN)[1]}
GAMES = ("scorekeeper-duel", "scorekeeper-skirmish")


@pytest.fixture(scope="module")
def duel() -> Game:
    return make_game("scorekeeper-duel", "drug_flat")


@pytest.fixture(scope="module")
def raid() -> Game:
    return make_game("scorekeeper-skirmish", "street_raid")


# --- worked examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_golden_case(name: str) -> None:
    assert verify_file(GOLDEN, only=name)[0].problems == ()


@pytest.mark.parametrize("name", ["reaction_example", "shock_rolls", "first_aid_stabilises"])
def test_golden_case_compiled(name: str) -> None:
    assert verify_file(GOLDEN, compiled=True, only=name)[0].problems == ()


def test_tables_are_those_of_the_case_file() -> None:
    """Presets, armoury and defaults stand in the case file, too."""
    for name, setup in DATA["presets"].items():
        assert check_setup(presets()[name]) == check_setup(setup), name
    assert set(presets()) == set(DATA["presets"])
    assert set(WEAPONS) == set(DATA["weapons"]) and set(ARMOUR) == set(DATA["armour"])
    for name, given in DATA["weapons"].items():
        weapon = WEAPONS[name]
        assert [weapon.dice, weapon.sides] == given["dice"] and weapon.bonus == given["bonus"]
        assert weapon.electric == given.get("electric", False) and weapon.magic == given.get("magic", False)
        assert weapon.ranged == ("range" in given)
        assert (weapon.reach, weapon.capacity, weapon.reserve) == tuple(
            given.get(key, 0) for key in ("range", "capacity", "reserve")
        )
    for name, given in DATA["armour"].items():
        armour = ARMOUR[name]
        assert (armour.hard, armour.soft, set(armour.zones)) == (given["hard"], given["soft"], set(given["zones"]))
    assert {name: option.default for name, option in OPTIONS.items()} == DATA["config_defaults"]
    for name, value in DATA["fighter_defaults"].items():
        if name in FIGHTER:
            assert FIGHTER[name].default == value


def test_a_wrong_expectation_fails() -> None:
    """The runner notices every kind of mismatch."""

    def spoiled(change: Any) -> list[str]:
        case = copy.deepcopy(CASES["reaction_example"])
        change(case)
        return run_script(case)

    changes: list[tuple[str, Any]] = [
        ("penalty of bouncer is 1", lambda c: c["steps"][11]["check"]["fighters"]["bouncer"].update(penalty=2)),
        ("the rules ask for", lambda c: c["steps"][6].update(target=11)),
        ("the rules ask for", lambda c: c["steps"][0].update(who="bouncer")),
        ("is none of 1..10", lambda c: c["steps"][0].update(dice=[11])),
        ("the rules ask for 1d10", lambda c: c["steps"][0].update(dice=[3, 4])),
        ("legal is", lambda c: c["steps"][3]["legal"].remove("advance")),
        ("should not be legal", lambda c: c["steps"][3].update(legal_not=["pass"])),
        ("should be legal", lambda c: c["steps"][3].update(legal_has=["reload"])),
        ("20 actions are legal", lambda c: c["steps"][3].update(count=21)),
        ("is not legal", lambda c: c["steps"][3].update(action="reload")),
        ("can mean nobody", lambda c: c["steps"][3].update(action="melee:bouncer:any")),
        ("was accepted", lambda c: c["steps"][3].update(reject=c["steps"][3].pop("action"))),
        ("exclude each other", lambda c: c["steps"][3].update(reject="pass")),
        ("order is", lambda c: c["steps"][2]["check"].update(order=["bouncer", "derman"])),
        ("phase is", lambda c: c["steps"][2]["check"].update(phase="act")),
        ("next who", lambda c: c["expect"]["next"].update(who="bouncer")),
        ("next is", lambda c: c["expect"].update(next=None)),
        ("payoff of derman", lambda c: c["expect"].update(payoff={"derman": "1/2"})),
        ("winner is", lambda c: c["expect"].update(winner="a")),
        ("is unknown", lambda c: c["expect"].update(nonsense=1)),
        ("field 'mood' is unknown", lambda c: c["expect"]["fighters"]["derman"].update(mood=1)),
        ("fighter 'nobody' is unknown", lambda c: c["expect"]["fighters"].update(nobody={})),
        ("no step of a known kind", lambda c: c["steps"].insert(0, {"dance": 1})),
        ("is not allowed", lambda c: c["setup"]["config"].update(field_length=0)),
    ]
    for text, change in changes:
        problems = []
        try:
            problems = spoiled(change)
        except RulesetError as error:
            problems = [str(error)]
        assert any(text in problem for problem in problems), (text, problems)
    calc = {"steps": [{"fn": "hit_zone", "args": {"d20": 1}, "expect": "head"}]}
    assert "right_leg" in run_calc(calc)[0]
    error = {"steps": [{"setup": CASES["reaction_example"]["setup"], "mentions": []}]}
    assert "was accepted" in run_config_error(error)[0]
    error["steps"][0] = {"setup": {"fighters": []}, "mentions": ["moon"]}
    assert "does not mention 'moon'" in run_config_error(error)[0]


# --- invariants -------------------------------------------------------------------------------------------------------


class Watch:
    """What must hold at every step of a fight (7.10)."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.shots = np.zeros(self.game.capacity, dtype=int)
        self.fate = position.record.fate.copy()
        self.ammunition = self.total(position)
        self.dead = position.record.dead.copy()
        self.sheets: dict[int, tuple[int, ...]] = {}

    @staticmethod
    def total(position: Position) -> Any:
        """Rounds of every fighter."""
        return position.record.loaded + position.record.reserve

    def check(self, position: Position, before: int | None) -> None:
        """`before`: number of shots under way before the step (mode shoot and a first attack roll pending)."""
        s, p = position.record, self.game.params
        n = int(p.fighters)
        assert (s.fate <= self.fate).all()
        self.fate = s.fate.copy()
        now = self.total(position)
        assert (now <= self.ammunition).all() and (self.ammunition - now).sum() in (0, 1)
        self.ammunition = now
        assert (s.bleeding[:n] <= s.sw[:n]).all()
        assert ((s.kr < p.cap_kr) & (s.lw < p.cap_lw) & (s.sw < p.cap_sw))[:n].all()
        assert ((s.pos >= 0) & (s.pos <= p.field_length))[:n].all()
        assert ((s.acted == 0) | (s.forfeited == 0)).all()
        assert (self.dead <= s.dead).all()
        for f in range(n):
            sheet = tuple(
                int(getattr(s, name)[f]) for name in ("kr", "lw", "sw", "tw", "fate", "pos", "loaded", "bleeding")
            )
            if self.dead[f]:
                assert self.sheets.setdefault(f, sheet) == sheet, "the dead do not change"
        self.dead = s.dead.copy()
        if position.to_act():
            asked = int(s.ask_fighter)
            assert not s.dead[asked]
            if position.phase() in ("declare", "react", "counter", "forgo"):
                assert s.ko_until[asked] < s.round_no and not (s.struggle[asked] or s.trauma[asked])
            if position.phase() == "declare":
                later = [f for f in range(n) if s.declared[f] == st.Declared.NOT_YET and s.rolled[f]]
                assert all(s.reaction[asked] <= s.reaction[f] for f in later)
            seat = position.to_act()[0]
            assert len(position.legal(seat)) >= 2
            self.game.layout.check(position.observe(seat))


def play_watched(game: Game, seed: int) -> Position:
    """One random fight, checked at every step."""
    rng = random.Random(seed)
    position = game.position()
    watch = Watch(position)
    watch.check(position, None)
    while not position.over:
        if faces := position.die():
            position.fall(rng.randrange(faces))
        else:
            seat = position.to_act()[0]
            position.apply(seat, rng.choice(position.legal(seat)))
        watch.check(position, None)
    assert position.status == 1
    if game.spec.zero_sum:
        assert abs(position.returns().sum()) < 1e-12
    low, high = game.spec.payoff_range
    assert (position.returns() >= low).all() and (position.returns() <= high).all()
    return position


@pytest.mark.parametrize("name", presets())
def test_invariants(name: str) -> None:
    game = make_game("scorekeeper-skirmish", name)
    for seed in range(2 if game.n_seats > 2 else 6):
        play_watched(game, seed)


def test_invariants_of_any_setup() -> None:
    for seed in range(20):
        setup = random_setup(random.Random(seed + 5000))
        play_watched(Game(SYSTEM.spec_of_setup(setup)), seed)


def test_team_labels_do_not_matter(duel: Game) -> None:
    """Swapped teams and seats: the same dice give the mirrored fight."""
    setup = presets()["drug_flat"]
    a, b = setup["fighters"]
    swapped = {**setup, "fighters": [{**a, "team": "b"}, {**b, "team": "a"}]}
    other = Game(SYSTEM.spec_of_setup(swapped))
    for seed in range(20):
        rng = random.Random(seed)
        one, two = duel.position(), other.position()
        while not one.over:
            if faces := one.die():
                fell = rng.randrange(faces)
                assert two.die() == faces
                one.fall(fell)
                two.fall(fell)
            else:
                assert one.to_act() == two.to_act()
                seat = one.to_act()[0]
                assert one.legal(seat) == two.legal(seat)
                action = rng.choice(one.legal(seat))
                one.apply(seat, action)
                two.apply(seat, action)
                assert np.array_equal(one.observe(seat), two.observe(seat))
        assert two.over and (one.returns() == two.returns()).all()


def test_control_by_team(raid: Game) -> None:
    """The same decisions in the same order, asked of two seats."""
    teams = make_game("scorekeeper-skirmish", "street_raid", control="team")
    assert [seat.name for seat in teams.seats] == ["team_a", "team_b"]
    rng = random.Random(3)
    one, two = raid.position(), teams.position()
    while not one.over:
        if faces := one.die():
            fell = rng.randrange(faces)
            one.fall(fell)
            two.fall(fell)
        else:
            seat, team = one.to_act()[0], two.to_act()[0]
            assert raid.seats[seat].side == "ab"[team]
            assert one.legal(seat) == two.legal(team) and one.phase() == two.phase()
            assert np.array_equal(one.observe(seat), two.observe(team))
            action = rng.choice(one.legal(seat))
            one.apply(seat, action)
            two.apply(team, action)
    assert two.over and two.returns().tolist() == [one.returns()[0], one.returns()[4]]
    waiting = next(seat for seat in range(2) if two.game.seats[seat].side == "b")
    assert two.observe(waiting)[:104].any()


# --- what is seen -----------------------------------------------------------------------------------------------------


def test_observation_has_the_promised_size(duel: Game, raid: Game) -> None:
    assert duel.layout.size == raid.layout.size == 902
    assert duel.n_actions == raid.n_actions == 126
    view = duel.layout.view(duel.position(1).observe(0))
    assert view["self.who"].tolist() == [1, 1, 0, 0] and view["enemy1.who"].tolist() == [1, 0, 0, 1]
    assert not view["mate1.who"].any() and not view["enemy2.who"].any()
    assert view["self.values"] == pytest.approx(np.array([8, 6, 7, 6, 6, 6]) / 20)
    assert view["enemy1.place"] == pytest.approx([8 / 12, 6 / 12])
    assert view["self.armour"] == pytest.approx([0, 0, 0.3, 0.3, 0, 0, 0] + [0] * 7)


def test_private_sheets_hide_the_other_team() -> None:
    """What is hidden may change without a trace in the observation; everything else is seen as before."""
    setup = presets()["drug_flat"]
    other = copy.deepcopy(setup)
    other["fighters"][1].update(wah=5, agl=8, res=8, wil=5, first_aid=3, damage_bonus=2, fate=3, armour=[])
    other["fighters"][1]["melee_skill"] = other["fighters"][1]["ranged_skill"] = 9
    seen = []
    for given, private in ((setup, True), (other, True), (setup, False), (other, False)):
        given = {**given, "config": {**given["config"], "private_sheets": private}}
        position = Game(SYSTEM.spec_of_setup(given)).position()
        for fell in (4, 6):
            position.fall(fell)
        seen.append([position.observe(seat).copy() for seat in range(2)])
    layout = make_game("scorekeeper-duel").layout
    reaction = layout.offsets["enemy1.reaction"]
    differ = np.flatnonzero(seen[0][0] != seen[1][0])
    assert set(differ) <= {reaction}, "reaction values are public, and nothing else may differ"
    assert len(np.flatnonzero(seen[2][0] != seen[3][0])) > 12
    assert (seen[0][1] != seen[2][1]).sum() > 5, "the other side sees less of derman, too"
    own = slice(0, 104)
    assert np.array_equal(seen[0][0][own], seen[2][0][own]), "one's own sheet is seen"
    text = Game(SYSTEM.spec_of_setup({**setup, "config": {**setup["config"], "private_sheets": True}}))
    shown = text.spec.texts.state(text.position(1), 0, "en")
    mine, theirs = shown.splitlines()[1:3]
    assert "fate 1" in mine and "fate" not in theirs and "scratches 0/4" in mine and "scratches 0," in theirs


def test_nothing_else_is_hidden(raid: Game) -> None:
    """Perfect information (4.1): forgetting changes nothing but the log of the last step."""
    position = raid.position(seed=4)
    rng = random.Random(1)
    while not position.over:
        seat = position.to_act()[0]
        twin = position.forget(seat)
        twin.record.n_events = position.record.n_events
        assert twin.to_bytes() == position.to_bytes()
        position.apply(seat, rng.choice(position.legal(seat)))
        position.roll()


def test_equal_keys_have_equal_futures() -> None:
    """Positions that meet by different ways (other dice, the same consequences) offer the same for ever after."""
    game = make_game("scorekeeper-duel", "blade_mirror")
    known: dict[int, Position] = {}
    met = 0
    for seed in range(400):
        rng = random.Random(seed)
        position = game.position(seed)
        while not position.over:
            seat = position.to_act()[0]
            twin = known.setdefault(position.key(seat), position.clone())
            if twin.to_bytes() != position.to_bytes():
                met += 1
                one, two = position.clone(), twin.clone()
                dice = random.Random(seed)
                while not one.over:
                    assert one.to_act() == two.to_act() and one.die() == two.die()
                    if faces := one.die():
                        fell = dice.randrange(faces)
                        one.fall(fell)
                        two.fall(fell)
                    else:
                        at = one.to_act()[0]
                        assert one.legal(at) == two.legal(at)
                        action = dice.choice(one.legal(at))
                        one.apply(at, action)
                        two.apply(at, action)
                assert two.over and (one.returns() == two.returns()).all()
            position.apply(seat, rng.choice(position.legal(seat)))
            position.roll()
    assert met > 50


# --- wrong input ------------------------------------------------------------------------------------------------------

WEIRD: list[Any] = [
    None, True, False, -1, 0, 1, 3, 21, 201, 10**9, 2**70, 0.5, float("nan"), "", "a", "any", "KR", "magnum", "\x00",
    "x" * 60, "a:b", b"bytes", [], [1], ["magnum"], ["steel_helmet"], {}, {"kr": 1}, {"tw": 1}, object(), 3j, (),
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_hostile_actions(name: str) -> None:
    game = make_game(name)
    rng = random.Random(2)
    position = game.position(seed=1)
    refused = 0
    for number in range(6000):
        if position.over:
            position = game.position(seed=number)
        seat: Any = position.to_act()[0] if rng.random() < 0.8 else rng.choice([*range(-2, 11), *WEIRD])
        action: Any = rng.choice(WEIRD) if rng.random() < 0.3 else rng.randrange(-3, 130)
        before = position.to_bytes()
        try:
            position.apply(seat, action)
        except IllegalAction as error:
            refused += 1
            assert position.to_bytes() == before
            assert "legal" in str(error) or "owes no decision" in str(error)
        else:
            position.roll()
    assert refused > 1000


def test_hostile_setups() -> None:
    """Whatever is wrong with a setup: a RulesetError that names it, or a game that plays."""
    rng = random.Random(5)
    built = refused = 0
    for _ in range(1500):
        setup = random_setup(rng)
        for _ in range(rng.randint(0, 3)):
            place: Any = rng.choice([setup, setup["config"], rng.choice(setup["fighters"])])
            if isinstance(place, dict):
                key = rng.choice([*place, *OPTIONS, *FIGHTER, "magic_resistance", "wounds", "loaded", "nonsense"])
                place[key] = rng.choice(WEIRD)
            if not isinstance(setup.get("fighters"), list) or not setup["fighters"]:
                break
            if not isinstance(setup.get("config"), dict):
                break
        try:
            SYSTEM.spec_of_setup(setup)
            built += 1
        except RulesetError as error:
            refused += 1
            assert re.search(r"is not allowed; allowed: |is unknown; known: |is not allowed: ", str(error)), str(error)
    assert built > 100 and refused > 500


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (lambda s: s["config"].update(max_rounds=True), ["max_rounds = True is not allowed; allowed: 1..200"]),
        (lambda s: s["config"].update(aiming=1), ["aiming = 1 is not allowed; allowed: true or false"]),
        (lambda s: s["config"].update(fumble_on=19), ["fumble_on = 19 is not allowed; allowed: 0 | 20"]),
        (lambda s: s["config"].update(utility="fun"), ["utility = 'fun'", "win | margin | survival"]),
        (lambda s: s["config"].update(fate_reroll_rolls=["luck"]), ["fate_reroll_rolls = ['luck']", "'reaction'"]),
        (lambda s: s["config"].update(sudden_death=True), ["'sudden_death' = True"]),
        (lambda s: s["fighters"][0].update(agl=21), ["agl = 21 is not allowed; allowed: 1..20"]),
        (lambda s: s["fighters"][0].update(name="dealer"), ["name = 'dealer'", "distinct"]),
        (lambda s: s["fighters"][1].update(name="derman"), ["name = 'derman'", "distinct"]),
        (lambda s: s["fighters"][0].update(name="a:b"), ["name = 'a:b'"]),
        (lambda s: s["fighters"][0].update(melee="magnum"), ["melee = 'magnum'", "unarmed | club"]),
        (lambda s: s["fighters"][0].update(ranged="sword"), ["ranged = 'sword'", "shotgun"]),
        (lambda s: s["fighters"][0].update(armour=["paper"]), ["armour = 'paper'", "bristol_vest"]),
        (lambda s: s["fighters"][0].update(loaded=7), ["loaded = 7 is not allowed; allowed: 0..6"]),
        (lambda s: s["fighters"][0].update(position=13), ["position = 13 is not allowed; allowed: 0..12"]),
        (lambda s: s["fighters"][0].update(wounds={"kr": 4}), ["wounds.kr = 4 is not allowed; allowed: 0..3"]),
        (lambda s: s["fighters"][0].update(bleeding=1), ["bleeding = 1 is not allowed; allowed: 0..0"]),
        (lambda s: s["fighters"][0].update(luck=1), ["'luck' = 1"]),
        (lambda s: s["fighters"][1].update(team="a"), ["team size of b = 0 is not allowed; allowed: 1..4"]),
        (
            lambda s: s["fighters"].extend({"name": f"x{i}", "team": "a"} for i in range(4)),
            ["team size of a = 5 is not allowed; allowed: 1..4"],
        ),
        (lambda s: s.update(events=[{"round": 0, "fighter": "derman", "kind": "fall"}]), ["events.round = 0"]),
        (lambda s: s.update(events=[{"round": 1, "fighter": "x", "kind": "fall"}]), ["events.fighter = 'x'", "derman"]),
        (lambda s: s.update(events=[{"round": 1, "fighter": "derman", "kind": "rain"}]), ["events.kind = 'rain'"]),
        (
            lambda s: s.update(events=[{"round": 1, "fighter": "derman", "kind": "wound"}]),
            ["events.wound = None", "KR | LW | SW | TW"],
        ),
        (
            lambda s: s.update(events=[{"round": 1, "fighter": "derman", "kind": "fall", "zone": "nose"}]),
            ["events.zone = 'nose'"],
        ),
        (lambda s: s.update(weather="rain"), ["'weather' = 'rain'"]),
    ],
)  # fmt: skip
def test_refused_setups(change: Any, parts: list[str]) -> None:
    setup = copy.deepcopy(presets()["drug_flat"])
    change(setup)
    with pytest.raises(ValueError, match=re.escape(parts[0])) as caught:
        SYSTEM.spec_of_setup(setup)
    for part in parts:
        assert part in str(caught.value)


def test_scenarios(tmp_path: Path) -> None:
    assert SYSTEM.scenarios("scorekeeper-duel") == (
        "mafia_club", "drug_flat", "rooftop_chase", "blade_mirror", "even_duel",
    )  # fmt: skip
    assert SYSTEM.scenarios("scorekeeper-skirmish")[:2] == ("street_raid", "stairwell_rescue")
    assert set(SYSTEM.scenarios("scorekeeper-skirmish")) == set(presets())
    for game, scenario, text in (
        ("scorekeeper-duel", "street_raid", "play it as scorekeeper-skirmish"),
        ("scorekeeper-duel", "drug_flats", "did you mean drug_flat"),
        ("scorekeeper-duel", "missing.json", "cannot be read"),
    ):
        with pytest.raises(RulesetError, match=text):
            make_game(game, scenario)
    path = tmp_path / "own.json"
    for text, message in (("{", "is not JSON"), ("[]", "must be an object"), ('{"fighters": 3}', "fighters = 3")):
        path.write_text(text)
        with pytest.raises(RulesetError, match=message):
            make_game("scorekeeper-duel", str(path))
    path.write_text(json.dumps(presets()["blade_mirror"]))
    own = make_game("scorekeeper-duel", str(path), max_rounds=3, compiled=False)
    assert own.params.max_rounds == 3 and own.params.field_length == 1
    with pytest.raises(RulesetError, match="team size of a = 4"):
        path.write_text(json.dumps(presets()["street_raid"]))
        make_game("scorekeeper-duel", str(path))
    with pytest.raises(RulesetError, match="option 'rounds' = 3 is unknown"):
        make_game("scorekeeper-duel", rounds=3)
    with pytest.raises(RulesetError, match=r"control = 'both' is not allowed; allowed: fighter \| team"):
        make_game("scorekeeper-duel", control="both")
    assert set(ENVIRONMENT) == {"control", "private_sheets"}


# --- texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", ["street_raid", "stairwell_rescue", "rooftop_chase"])
def test_the_log_can_be_read(name: str, lang: str) -> None:
    """Every event of whole fights has its line; names and dice stand in it."""
    game = make_game("scorekeeper-skirmish", name, fate_scope="involved", ranged_fumble="ally")
    texts: Any = game.spec.texts
    lines: list[str] = []
    rng = random.Random(lang)
    for _ in range(4):
        position = game.position()
        while not position.over:
            if faces := position.die():
                position.fall(rng.randrange(faces))
            else:
                seat = position.to_act()[0]
                assert texts.phase(position, lang) and "\n" in texts.state(position, seat, lang)
                legal = position.legal(seat)
                said = [texts.action(position, seat, action, lang) for action in legal] if rng.random() < 0.1 else []
                assert len(set(said)) == len(said)
                for action, words in zip(legal, said):
                    assert texts.parse(position, seat, words.upper()) == action
                    assert texts.parse(position, seat, texts.code(position, seat, action)) == action
                position.apply(seat, rng.choice(legal))
            lines += [texts.event(event, None, lang) for event in position.events()]
    assert all(isinstance(line, str) and line.strip() for line in lines)
    text = "\n".join(lines)
    for word in {"en": ("declares", "hit", "reaction", "wound"), "de": ("erklärt", "Treffer", "Reaktion", "Wunde")}[
        lang
    ]:
        assert word in text
    assert "None" not in text and "enemy 1" not in text and "Gegner 1" not in text


def test_names_of_others_are_not_understood(raid: Game) -> None:
    texts: Any = raid.spec.texts
    position = raid.position(seed=1)
    seat = position.to_act()[0]
    me = raid.seats[seat].name
    mate = next(s.name for s in raid.seats if s.side == raid.seats[seat].side and s.name != me)
    with pytest.raises(UnparsableAction, match="nobody"):
        texts.parse(position, seat, f"melee:{mate}:any")
    with pytest.raises(ProbespielError):
        texts.parse(position, seat, "dance")


# --- terminal play ----------------------------------------------------------------------------------------------------


def session(lang: str, answers: dict[str, str], tmp_path: Path) -> tuple[list[str], Any]:
    """A whole fight of a person, who types the text for the first word that the prompt's list holds."""
    from probespiel.app.session.table import Table
    from probespiel.app.terminal.play import Session

    shown: list[str] = []
    fresh: list[str] = []

    def read(prompt: str) -> str:
        lines = "\n".join(fresh)
        fresh.clear()
        shown.append(prompt)
        return next((typed for word, typed in answers.items() if word in lines), "1")

    def write(text: str) -> None:
        shown.append(text)
        fresh.append(text)

    game = make_game("scorekeeper-duel", "mafia_club", max_rounds=6)
    agents = {0: "human", 1: "aggressor"}
    table = Table(game, agents, 5, lang=lang)
    ending = Session(table, path=tmp_path / f"{lang}.json", read=read, write=write).run()
    return "\n".join(shown).splitlines(), ending


def test_terminal_play(tmp_path: Path) -> None:
    """Actions are typed as they are read, in either language; the log, the sheets and the result can be read."""
    german, _ = session(
        "de",
        {"Nahkampfangriff auf Türsteher ...": "nahkampfangriff auf TÜRSTEHER: kopf", "Rettungswurf  -": "save"},
        tmp_path,
    )
    english, _ = session(
        "en", {"melee attack on bouncer ...": "melee:bouncer:head", "saving throw  -": "saving throw"}, tmp_path
    )
    assert "  Derman erklärt: Nahkampfangriff auf Türsteher, Kopf" in german
    assert any("Derman declares" in line and "bouncer, head" in line for line in english)
    for lines, team in ((german, "Gruppe a"), (english, "team a")):
        assert any(line.startswith(f"  Derman ({team}): ") for line in lines)
        assert any("Kratzer 0/4" in line or "scratches 0/4" in line for line in lines) and not any(
            "None" in line for line in lines
        )


# --- modules ----------------------------------------------------------------------------------------------------------


def module_case(
    modules: dict[str, Any], config: dict[str, Any], steps: list[dict[str, Any]], **expect: Any
) -> list[str]:
    """A script of two fighters in contact; `quick` acts first."""
    base = {"melee_skill": 6, "ranged_skill": 6}
    fighters = [
        {"name": "quick", "team": "a", "wah": 9, "position": 2, **base},
        {"name": "slow", "team": "b", "position": 3, **base},
        {"name": "late", "team": "b", "wah": 3, "position": 3, **base},
    ]
    begin = [{"roll": "reaction", "who": name, "dice": [5]} for name in ("quick", "slow", "late")]
    setup = {"config": {"field_length": 5, **config}, "modules": modules, "fighters": fighters}
    return run_script({"setup": setup, "steps": [*begin, *steps], "expect": expect})


def test_natural_one() -> None:
    """A 1 hits under a value of -4 (the wounds of `slow` and the aim at the head)."""
    for modules, asked in (({"natural_one": {}}, {"decide": "quick"}), ({}, {"roll": "reaction"})):
        setup = {
            "config": {"field_length": 5},
            "modules": modules,
            "fighters": [
                {"name": "quick", "team": "a", "wah": 9, "position": 2},
                {"name": "slow", "team": "b", "position": 3, "melee_skill": 6, "roll_mod": -10},
            ],
        }
        steps: list[dict[str, Any]] = [
            {"roll": "reaction", "who": "quick", "dice": [5]},
            {"roll": "reaction", "who": "slow", "dice": [5]},
            {"decide": "slow", "action": "melee:quick:head"},
            {"decide": "quick", "action": "pass"},
            {"roll": "attack", "who": "slow", "dice": [1], "target": -4},
        ]
        assert run_script({"setup": setup, "steps": steps, "expect": {"next": asked}}) == []


def test_free_parry() -> None:
    steps: list[dict[str, Any]] = [
        {"decide": "late", "action": "pass"},
        {"decide": "slow", "action": "melee:quick:any"},
        {"decide": "quick", "action": "melee:slow:any"},
        {"roll": "attack", "who": "quick", "dice": [3], "target": 12},
        {"decide": "slow", "phase": "react", "action": "parry"},
        {"roll": "parry", "who": "slow", "dice": [11], "target": 12},
        {"check": {"fighters": {"slow": {"forfeited": False, "full_defence": False, "parries": 1}}}},
        {"roll": "attack", "who": "slow", "dice": [11], "target": 12},
    ]
    assert module_case({"free_parry": {}}, {}, [*steps, {"decide": "quick", "legal": ["take", "save"]}]) == []
    late = [*steps, {"decide": "quick", "legal": ["take", "save", "parry"]}]
    assert module_case({"free_parry": {"after_acting": True}}, {}, late) == []
    limited = [*steps[:5], {"roll": "parry", "who": "slow", "dice": [11]}]
    assert module_case({"free_parry": {"limit": 1}}, {}, limited, fighters={"slow": {"forfeited": False}}) == []


def test_retarget() -> None:
    steps: list[dict[str, Any]] = [
        {"decide": "late", "action": "full_defence"},
        {"decide": "slow", "action": "pass"},
        {"decide": "quick", "action": "melee:slow:any"},
    ]
    zones = ("any", *st.ZONE_CODES[1:])
    other = [f"melee:{name}:{zone}" for name in ("slow", "late") for zone in zones]
    other.remove("melee:slow:any")
    turn = {"decide": "quick", "phase": "retarget", "legal": ["execute", *other], "action": "melee:late:head"}
    after = [
        {"check": {"fighters": {"quick": {"declared": "melee:late:head"}}}},
        {"roll": "attack", "who": "quick", "dice": [5], "target": 6},
    ]
    next_ = {"decide": "late", "phase": "react"}
    assert module_case({"retarget": {}}, {}, [*steps, turn, *after], next=next_) == []
    turn = {"decide": "quick", "phase": "retarget", "legal": ["execute", "melee:late:any"], "action": "execute"}
    stays = [turn, {"roll": "attack", "who": "quick", "dice": [11], "target": 12}]
    assert module_case({"retarget": {"zones": False}}, {}, [*steps, *stays], next={"decide": "slow"}) == []


def test_modules_together() -> None:
    modules = {"natural_one": {"rolls": "combat"}, "free_parry": {}, "retarget": {}}
    game = make_game("scorekeeper-skirmish", "street_raid", modules, compiled=False)
    phases = set()
    for seed in range(3):
        position = game.position(seed=seed)
        rng = random.Random(seed)
        while not position.over:
            phases.add(position.phase())
            seat = position.to_act()[0]
            legal = position.legal(seat)
            assert len(legal) >= 2
            position.apply(seat, rng.choice(legal))
            position.roll()
    assert "retarget" in phases
    for modules, text in (
        ({"natural_two": {}}, "did you mean natural_one"),
        ({"natural_one": {"rolls": "none"}}, "rolls = 'none'"),
        ({"free_parry": {"limit": 21}}, "limit = 21"),
    ):
        with pytest.raises(RulesetError, match=text):
            make_game("scorekeeper-duel", None, modules)


# --- what labs ask of the system --------------------------------------------------------------------------------------


def test_handicap_mirror_and_even_duel() -> None:
    options = SYSTEM.bench("scorekeeper-duel", None, {}, {}).options
    assert SYSTEM.can_handicap and SYSTEM.can_mirror and SYSTEM.can_equip
    one, other = options["fighters"]
    assert {k: v for k, v in one.items() if k not in ("name", "team", "position")} == {
        k: v for k, v in other.items() if k not in ("name", "team", "position")
    }
    ahead = SYSTEM.handicap(dict(options), ["other"], 3)
    assert [f.get("reaction_mod", 0) for f in ahead["fighters"]] == [0, 3]
    assert SYSTEM.restore("scorekeeper-duel", "even", ahead).params["reaction_mod"][0].tolist() == [0, 3]
    with pytest.raises(RulesetError, match="other: reaction_mod would be 23"):
        SYSTEM.handicap(ahead, ["team_b"], 20)
    mirrored = SYSTEM.restore("scorekeeper-duel", "even", SYSTEM.mirrored(dict(options)))
    assert [seat.name for seat in mirrored.seats] == ["other", "one"]


def test_invariants_are_told() -> None:
    game = Game(SYSTEM.bench("scorekeeper-duel", "drug_flat", {}, {}), compiled=False)
    position = game.position(seed=1)
    assert list(SYSTEM.invariants(position)) == []
    position.record.kr[0], position.record.bleeding[1], position.record.pos[1] = 9, 2, -1
    position.record.fate[0], position.record.loaded[0] = 3, 40
    found = "\n".join(SYSTEM.invariants(position))
    assert all(part in found for part in ("9 KR", "bleeds from 2", "stands at -1", "3 fate points", "40 + 12 rounds"))
