"""konfrontation: worked examples, the kernel against the oracle, laws that always hold, what stays sealed."""

from __future__ import annotations

import copy
import json
import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.verify import load_cases, verify_file
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from probespiel.envs.konfrontation.text import result_of
from probespiel.envs.konfrontation.verify import run_config_error, run_play
from tests.naive.konfrontation import NaiveKonfrontation
from tests.naive.konfrontation_random import labelled, play_in_step, random_faction, random_setup

GOLDEN = Path(__file__).parent / "golden" / "konfrontation.json"
CASES = {case["id"]: case for case in load_cases(GOLDEN)[1]}
PLAYED = [name for name, case in CASES.items() if case["kind"] == "play"]
GAMES = SYSTEM.games


def game_of(config: dict[str, Any]) -> Game:
    return Game(SYSTEM.spec_of_setup(config))


# --- worked examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYED)
def test_golden_case(name: str) -> None:
    assert verify_file(GOLDEN, compiled=True, only=name)[0].problems == ()


def test_golden_case_interpreted() -> None:
    assert verify_file(GOLDEN, only="defender_wins_power")[0].problems == ()


def changed(name: str, **steps: Any) -> list[str]:
    """Problems of a case in which fields of steps (`step2={...}`) or of the end (`expect={...}`) were replaced."""
    case = copy.deepcopy(CASES[name])
    for key, fields in steps.items():
        target = case["expect"] if key == "expect" else case["steps"][int(key[4:])]
        target.update(fields)
    return run_play(case, compiled=True)


def test_a_wrong_expectation_fails() -> None:
    """The runner notices every kind of mismatch: it is not a rubber stamp."""
    assert changed("strength_and_doubling") == []
    assert "power is" in changed("strength_and_doubling", expect={"power": {"A": 5}})[0]
    assert "payoff is" in changed("strength_and_doubling", expect={"payoff": {"A": "11/2"}})[0]
    assert "unknown" in changed("strength_and_doubling", expect={"powers": {"A": 5}})[0]
    assert "strength is" in changed("strength_and_doubling", step1={"expect": {"strength": {"A": 4}}})[0]
    assert "not legal" in changed("strength_and_doubling", step2={"bids": {"A": 4, "B": 0}})[0]
    assert "units is" in changed("target_took_part_handed_over", expect={"units": {"B": ["b1", "b2"]}})[0]
    assert (
        "options is"
        in changed("support_not_destroyed_outside_its_nature", step2={"expect": {"options": ["remove", "handover"]}})[0]
    )
    assert "was accepted" in changed("defender_wins_removes", step3={"unit": "a1"})[0]
    assert "the script wants" in changed("run_home", step1={"decision": "defend", "commit": []})[0]
    assert "'dance' is unknown" in changed("run_home", step1={"decision": "dance"})[0]


def error_case(options: dict[str, Any], mentions: list[str], **beside: Any) -> dict[str, Any]:
    return {"setup": {"options": options, **beside}, "expect": {"mentions": mentions}}


def test_config_errors() -> None:
    """Kind `config_error`: refused with every mention, or the case fails."""
    assert run_config_error(error_case({"mode": "campaign", "max_ties": 0}, ["max_ties", "0", "1..100"])) == []
    assert run_config_error(error_case({"mode": "campaign"}, ["max_ties"]))[0].startswith("the set-up was accepted")
    assert "does not mention" in run_config_error(error_case({"mode": "campaign", "turns": 31}, ["year"]))[0]
    assert run_config_error(error_case({"mode": "clash"}, ["attack"])) == []


# --- the kernel against the oracle ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["clash", "campaign"])
def test_kernel_and_oracle_agree(mode: str) -> None:
    """Same legal actions, observations, stocks, dice and payoffs through whole random games with random options."""
    rng = random.Random(7)
    results: set[str] = set()
    for _ in range(60 if mode == "clash" else 12):
        naive, config = random_setup(rng, mode)
        position = game_of(config).position()
        play_in_step(position, NaiveKonfrontation(naive), rng)
        results.add(result_of(position))
    assert results >= {"attacker", "defender", "draw"}


@pytest.mark.slow
def test_kernel_and_oracle_agree_at_length() -> None:
    rng = random.Random(8)
    for number in range(500):
        naive, config = random_setup(rng, ("clash", "campaign")[number % 2])
        play_in_step(game_of(config).position(), NaiveKonfrontation(naive), rng)


def test_interpreted_rules_play_the_same() -> None:
    rng = random.Random(9)
    for mode in ("clash", "campaign"):
        _, config = random_setup(rng, mode)
        config = {**config, "turns": 2} if mode == "campaign" else config
        spec = SYSTEM.spec_of_setup(config)
        one, two = Game(spec).position(seed=4), Game(spec, compiled=False).position(seed=4)
        while not one.over:
            assert one.to_bytes() == two.to_bytes() and one.to_act() == two.to_act()
            seat = one.to_act()[0]
            action = rng.choice(one.legal(seat))
            for position in (one, two):
                position.apply(seat, action)
                position.roll()
        assert two.over and one.returns().tolist() == two.returns().tolist()


# --- laws (section 7) -------------------------------------------------------------------------------------------------


class Holdings:
    """What all factions hold at one moment."""

    def __init__(self, position: Position) -> None:
        s, n = position.record, position.game.n_seats
        self.power = s.power[:n].tolist()
        held = [[u for u in range(st.UNITS) if s.units[f] >> u & 1] for f in range(n)]
        self.units = [sorted((int(s.nature[f, u]), int(s.value[f, u]), u >= 8) for u in held[f]) for f in range(n)]
        self.sizes = [sorted(int(s.extent[f, r]) for r in range(8) if s.resources[f] >> r & 1) for f in range(n)]
        self.bonus = s.bonus[:n].tolist()

    def all(self, what: list[list[Any]]) -> list[Any]:
        return sorted(x for row in what for x in row)


def confrontations(config: dict[str, Any], seed: int, games: int) -> Any:
    """(before, after, position after) of every confrontation in random games; `before` is at its first bids' reveal."""
    game, rng = game_of(config), random.Random(seed)
    for number in range(games):
        position = game.position(seed=number)
        before: Holdings | None = None
        while not position.over:
            if position.phase() == "decl_faction":
                before = Holdings(position)
            seat = position.to_act()[0]
            legal = position.legal(seat)
            position.apply(
                seat, st.Action.ATTACK if st.Action.ATTACK in legal and rng.random() < 0.5 else rng.choice(legal)
            )
            ended = position.over or position.phase() == "action"
            if before is not None and ended:
                yield before, Holdings(position), position
                before = None


def test_balance_laws() -> None:
    """Power, units and control points before and after confrontations; bystanders lose and gain nothing."""
    seen: dict[str, int] = {}
    config = {**presets()["triad"], "start_power": 5, "turns": 12, "destroyed_resource_pays": False}
    for before, after, position in confrontations(config, 3, 60):
        s, result = position.record, result_of(position)
        a, d = int(s.attacker), int(s.defender)
        seen[result] = seen.get(result, 0) + 1
        change = [y - x for x, y in zip(before.power, after.power)]
        bystanders = [f for f in range(3) if f not in (a, d)]
        assert all(change[f] == 0 and before.units[f] == after.units[f] for f in bystanders)
        assert all(before.sizes[f] == after.sizes[f] for f in bystanders)
        if result == "draw":
            assert before.__dict__ == after.__dict__
            continue
        if result == "evaded":
            assert change[d] == -1 and change[a] == 0 and before.units == after.units
            continue
        winner, loser = (0, 1) if result == "attacker" else (1, 0)
        seats, bids = (a, d), s.bid.tolist()
        taken = result == "attacker" and s.target == st.T_POWER
        taken = taken or (result == "defender" and s.spoils == st.Action.SPOILS_POWER)
        if max(after.power) < 20:
            rest = before.power[seats[loser]] - bids[loser]
            total = -bids[winner] + max(1 - bids[loser], 0) + (2 - min(2, rest) if taken else 0)
            assert sum(change) == total
            assert change[seats[winner]] == -bids[winner] + max(1, bids[loser]) + 2 * taken
        assert change[seats[loser]] <= 0
        lost = len(before.all(before.units)) - len(after.all(after.units))
        assert lost in (0, 1)
        if lost == 0:
            assert before.all(before.units) == after.all(after.units)
        gone = sum(before.all(before.sizes)) - sum(after.all(after.sizes))
        captured = gone == 0
        assert captured or (result == "attacker" and st.T_RESOURCE <= s.target < st.T_POWER)
        assert not captured or before.all(before.sizes) == after.all(after.sizes)
    assert min(seen[r] for r in ("attacker", "defender", "draw", "evaded")) > 20


@pytest.mark.parametrize("scenario", ["duel", "triad", "council"])
@pytest.mark.parametrize("utility", ["win_loss", "margin"])
def test_utilities_sum_to_zero(scenario: str, utility: str) -> None:
    game = make_game("konfrontation-campaign", scenario, utility=utility)
    low, high = game.spec.payoff_range
    rng = random.Random(1)
    for seed in range(15):
        position = game.position(seed=seed)
        while not position.over:
            seat = position.to_act()[0]
            position.apply(seat, rng.choice(position.legal(seat)))
        payoffs = position.returns()
        assert abs(payoffs.sum()) < 1e-9 and low <= payoffs.min() and payoffs.max() <= high
    played = Batch(game, 200, seed=3).play_random(2)
    assert played.stuck == played.stopped == 0
    assert abs(played.mean_payoff.sum()) < 1e-9


def test_length_is_bounded() -> None:
    """Section 4: 72 decisions a confrontation, 1152 a default campaign of two, 65100 at most."""
    from probespiel.envs.konfrontation.params import OPTIONS, longest

    defaults = {name: option.default for name, option in OPTIONS.items()}
    assert longest(defaults) == 72
    assert longest({**defaults, "mode": "campaign"}) == 1152
    largest = {"mode": "campaign", "n_factions": 5, "turns": 30, "actions_per_turn": 3, "max_ties": 100}
    assert longest({**defaults, **largest}) == 65100


def relabelled(value: Any, table: dict[str, str]) -> Any:
    """A set-up with other natures and types."""
    if isinstance(value, dict):
        return {k: relabelled(v, table) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [relabelled(v, table) for v in value]
    return table.get(value, value) if isinstance(value, str) else value


def test_natures_are_interchangeable() -> None:
    """Relabelling the four natures and types together leaves payoffs unchanged."""
    rng = random.Random(5)
    for _ in range(6):
        _, config = random_setup(rng, "clash")
        order = rng.choice([p for p in permutations(st.NATURES) if p != st.NATURES])
        table: dict[str, str] = dict(zip(st.NATURES, order))
        twin_game = game_of(relabelled(config, table))
        number = {st.NATURES.index(a): st.NATURES.index(b) for a, b in table.items()}
        position, twin = game_of(config).position(), twin_game.position()
        while not position.over:
            seat = position.to_act()[0]
            action = rng.choice(position.legal(seat))
            position.apply(seat, action)
            twin.apply(
                seat,
                st.Action.TYPE + number[action - st.Action.TYPE]
                if st.Action.TYPE <= action < st.Action.TYPE + 4
                else action,
            )
        assert twin.over and twin.returns().tolist() == position.returns().tolist()


def test_more_units_are_never_weaker() -> None:
    """Committing a superset never lowers strength."""
    rng = random.Random(6)
    for _ in range(40):
        options = {"nature_multiplier": rng.randint(1, 4), "support_doubling": rng.choice(["whole", "base"])}
        mine = {**random_faction(rng, 5, True), "characters": rng.choices(st.NATURES, k=rng.randint(1, 8))}
        config = {
            **options,
            "factions": {"A": labelled(mine, "a"), "B": {"power": 0}},
            "attack": {"target": {"kind": "power"}, "type": rng.choice(st.NATURES), "defence": []},
        }
        units = list(config["factions"]["A"]["units"])
        strengths = []
        for size in range(1, len(units) + 1):
            commit = [*units[:size]]
            strengths.append(
                int(game_of({**config, "attack": {**config["attack"], "commit": commit}}).position().record.strength[0])
            )
        assert strengths == sorted(strengths) and strengths[-1] > 0


def test_presets() -> None:
    """Attacker's power and lead never equal the defender's power when everybody defends (section 4)."""
    for name, setup in presets().items():
        game = f"konfrontation-{setup['mode']}"
        position = make_game(game, name).position(seed=1)
        assert not position.over
        if setup["mode"] != "clash":
            continue
        if position.phase() == "evade":
            position.apply(position.to_act()[0], st.Action.STAND)
        while position.phase() == "defend":
            legal = position.legal(1)
            position.apply(1, legal[0])
        s = position.record
        assert s.power[0] + s.strength[0] - s.strength[1] != s.power[1]
    assert SYSTEM.scenarios("konfrontation-clash")[0] == "tavern_takeover" and len(presets()) == 10


# --- what stays sealed ------------------------------------------------------------------------------------------------


def at_bids(**config: Any) -> Game:
    return make_game("konfrontation-campaign", "triad", first_seat=1, start_power=4, **config)


def to_bids(position: Position, defender: int) -> Position:
    """B attacks another faction with its first character, which sends nobody."""
    attacker = position.to_act()[0]
    actions = [
        st.Action.ATTACK,
        st.Action.FACTION + (defender - attacker) % 3 - 1,
        st.Action.ITEM + st.T_POWER,
        st.Action.TYPE,
        st.Action.ITEM,
        st.Action.DONE,
    ]
    for action in actions:
        position.apply(attacker, action)
    position.apply(defender, st.Action.DONE)
    assert position.phase() == "bid"
    return position


@pytest.mark.parametrize("defender", [0, 2])
@pytest.mark.parametrize("phase", ["bid", "vote"])
def test_a_sealed_choice_is_hidden(defender: int, phase: str) -> None:
    """Until both are in, nobody's observation, mask, key, forgotten world or history depends on a sealed choice."""
    game = at_bids()
    attacker = 1
    for first, second in ((attacker, defender), (defender, attacker)):
        position = to_bids(game.position(), defender)
        if phase == "vote":
            lead = int(position.record.strength[0] - position.record.strength[1])
            position.apply(attacker, st.Action.BID)
            position.apply(defender, st.Action.BID + lead)
            assert position.phase() == "vote"
        unsealed = position.clone()
        worlds = []
        for action in position.legal(first):
            one = position.clone()
            one.apply(first, action)
            assert one.to_act() == [second] and one.events() == []
            seen = []
            for seat in range(3):
                if seat != first:
                    seen += [one.observe(seat).tobytes(), one.mask(seat).tobytes(), one.key(seat)]
                    seen.append(one.forget(seat).to_bytes())
                    before = unsealed.forget(seat).to_bytes()
                    assert one.forget(seat).to_bytes() == before and one.key(seat) == unsealed.key(seat)
            seen += [one.observe(first).tobytes(), one.returns().tobytes()]
            worlds.append(seen)
            assert one.key(first) != unsealed.key(first)  # but the seat itself remembers
        assert len(worlds) > 1 and all(w == worlds[0] for w in worlds)


def test_aec_and_parallel_keep_bids_sealed() -> None:
    """AEC shows the second bidder the same whatever the first has bid; Parallel asks both at once."""
    game = make_game("konfrontation-clash", "debate", stage="bid", attack={
        **presets()["debate"]["attack"], "defence": ["d1", "d2"],
    })  # fmt: skip
    shown, states, rendered = set(), set(), set()
    for bid in range(6):
        env = ProbespielAEC(game, render_mode="ansi")
        env.reset(seed=1)
        env.step(st.Action.BID + bid)
        observation = env.last()[0]
        assert env.agent_selection == "defender" and observation is not None
        shown.add(observation["observation"].tobytes() + observation["action_mask"].tobytes())
        states.add(env.state().tobytes())
        rendered.add(str(env.render()))
        assert not any(env.rewards.values())
    assert len(shown) == len(states) == len(rendered) == 1
    parallel = ProbespielParallel(game)
    observations, infos = parallel.reset(seed=1)
    assert all(info["to_act"] for info in infos.values())
    assert all(o["action_mask"][st.Action.BID : st.Action.BID + 5].all() for o in observations.values())
    observations, *_ = parallel.step({"attacker": st.Action.BID + 2, "defender": st.Action.BID + 2})  # a tie
    bids = game.layout.view(observations["attacker"]["observation"])["clash"][23:25]
    np.testing.assert_allclose(bids, [0.1, 0.1])


def test_hidden_stocks() -> None:
    """`hidden_power` (A16): others' stocks do not enter the observation before anything has moved."""
    open_, hidden = at_bids(), at_bids(hidden_power=True)
    for game, told in ((open_, True), (hidden, False)):
        rich = with_power(game, 9).position()
        poor = game.position()
        assert (rich.observe(0).tobytes() != poor.observe(0).tobytes()) == told
        assert rich.observe(1).tobytes() != poor.observe(1).tobytes()  # whose stock it is
        assert ("?" in game.spec.texts.state(poor, 0, "en")) != told


def with_power(game: Game, power: int) -> Game:
    """The same game, in which seat 1 starts with another stock."""
    start = {"units": [["character", n] for n in st.NATURES], "resources": [1]}
    factions = {name: {**start, "power": power if name == "B" else 4} for name in "ABC"}
    return game_of({**game.spec.options, "factions": factions})


# --- configuration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        ({"n_factions": 3, "mode": "clash"}, ["n_factions", "3", "2"]),
        ({"mode": "campaign", "n_factions": 6}, ["n_factions", "6", "2..5"]),
        ({"mode": "campaign", "first_seat": 2}, ["first_seat", "2", "0..1"]),
        ({"mode": "campaign", "start_power": 7, "power_cap": 5}, ["start_power", "7", "5"]),
        ({"mode": "campaign", "draw_votes": 1}, ["draw_votes", "1", "True"]),
        ({"mode": "campaign", "max_ties": True}, ["max_ties", "True", "1..100"]),
        ({"mode": "campaign", "start_characters": ["brave"]}, ["start_characters", "brave", "combative"]),
        ({"mode": "campaign", "start_resources": [4]}, ["start_resources", "4", "1..3"]),
        ({"mode": "campaign", "allowed_targets": []}, ["allowed_targets", "[]", "unit"]),
        ({"mode": "campaign", "allowed_types": ["sly"]}, ["allowed_types", "sly", "shady"]),
        ({"mode": "campaign", "cp_goal": 51}, ["cp_goal", "51", "1..50"]),
        ({"mode": "campaign", "w_cp": -1}, ["w_cp", "-1", "0..100"]),
        ({"mode": "campaign", "w_cp": float("nan")}, ["w_cp", "nan", "0..100"]),
        ({"mode": "campaign", "turnz": 3}, ["turnz", "turns"]),
        ({"mode": "campaign", "attacker": "A"}, ["attacker", "campaign"]),
        ({"mode": "campaign", "factions": {"A": {}}}, ["factions", "n_factions = 2"]),
        ({"factions": {"A": {"power": 21}, "B": {}}}, ["power", "21", "0..20"]),
        ({"factions": {"A": {"units": {"x": ["beast", "shady"]}}, "B": {}}}, ["kind", "beast", "character"]),
        ({"factions": {"A": {"units": {"x": ["support", "shady", 4]}}, "B": {}}}, ["extra", "4", "1..3"]),
        ({"factions": {"A": {"units": {"x": ["support", "shady"]}}, "B": {}}}, ["extra", "None", "1..3"]),
        ({"factions": {"A": {"units": {"x": ["character", "odd"]}}, "B": {}}}, ["nature", "odd", "combative"]),
        ({"factions": {"A": {"resources": {"x": 0}}, "B": {}}}, ["size", "0", "1..3"]),
        ({"factions": {"A": {"units": [["character", "shady"]] * 9}, "B": {}}}, ["units", "8"]),
        ({"stage": "full", "factions": {"A": {}, "B": {}}}, ["attack", "character"]),
        ({"stage": "bid"}, ["attack", "None", "defence"]),
        ({"stage": "defence", "attack": {"target": "power", "type": "shady", "commit": []}}, ["attack", "commit"]),
        ({"stage": "defence", "attack": {"target": "power", "type": "sly", "commit": ["c1"]}}, ["attack", "sly"]),
        ({"stage": "defence", "attack": {"target": "gold", "type": "shady", "commit": ["c1"]}}, ["attack", "gold"]),
        ({"stage": "bid", "attack": {"target": "power", "type": "shady", "commit": ["c1"]}}, ["attack: defence"]),
        ({"attacker": "Z"}, ["attacker", "Z", "A, B"]),
    ],
)  # fmt: skip
def test_errors_name_parameter_value_and_range(config: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(RulesetError) as caught:
        SYSTEM.spec_of_setup(config)
    for part in parts:
        assert part in str(caught.value)


def test_wrong_mode_for_the_game() -> None:
    with pytest.raises(RulesetError, match="konfrontation-campaign"):
        make_game("konfrontation-clash", "duel")
    with pytest.raises(RulesetError, match="did you mean debate"):
        make_game("konfrontation-clash", "debatte")


def test_a_scenario_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"mode": "campaign", "turns": 3, "n_factions": 4}))
    assert make_game("konfrontation-campaign", str(path), turns=2).n_seats == 4
    path.write_text("[1]")
    with pytest.raises(RulesetError, match="object"):
        make_game("konfrontation-campaign", str(path))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_texts(name: str, lang: str) -> None:
    """State, phases and events read in both languages; nothing is left empty or untranslated."""
    rng = random.Random(2)
    lines: set[str] = set()
    stage: dict[str, Any] = {"stage": "full"} if "clash" in name else {}
    for scenario in SYSTEM.scenarios(name):
        for seed in range(3):
            game = make_game(name, scenario, **stage)
            position, texts = game.position(seed=seed), game.spec.texts
            while not position.over:
                seat = position.to_act()[0]
                assert texts.phase(position, lang) and texts.state(position, seat, lang)
                legal = position.legal(seat)
                position.apply(
                    seat, st.Action.ATTACK if st.Action.ATTACK in legal and rng.random() < 0.5 else rng.choice(legal)
                )
                lines |= {texts.event(e, seat, lang) for e in position.events()}
            assert texts.state(position, None, lang)
    found = "\n".join(lines)
    words = {"en": ["attacks", "bids", "takes part", "winner: "], "de": ["Angriff", "Gebot", "tritt an", "Sieg: "]}
    assert all(word in found for word in words[lang])
    assert not re.search(r"\b(None|nan)\b", found)


@pytest.mark.parametrize("name", GAMES)
def test_action_table(name: str) -> None:
    """Discrete(85), with the numbers of section 4."""
    table = make_game(name).actions
    assert len(table) == 85
    for code, number in (
        ("pass", 0), ("continue", 2), ("recruit:intellectual", 6), ("start_resource:3", 9),
        ("start_support:social:2", 14), ("attack", 22), ("faction:4", 26), ("character:8", 34), ("support:4", 38),
        ("resource:8", 46),
        ("target:power", 47), ("target:other", 48), ("type:shady", 51), ("done", 53), ("run_home", 54), ("bid:20", 76),
        ("vote_fight", 78), ("handover", 80), ("spoils_demand", 83), ("wait", 84),
    ):  # fmt: skip
        assert table.id(code) == number
    for action in range(85):
        for lang in ("en", "de"):
            assert table.parse(table.describe(action, lang)) == action
    assert make_game(name).layout.size == 931
