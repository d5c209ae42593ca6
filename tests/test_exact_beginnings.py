"""How tests, confrontations and ladders begin, by hand: every field that is set, and every one that is forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probespiel.envs.core.registry import make_game
from probespiel.envs.ews_rps import rules as ews
from probespiel.envs.ews_rps import state as es
from probespiel.envs.konfrontation import state as ko
from probespiel.envs.oneshot import state as one
from probespiel.envs.oneshot.skirmish import numbers
from probespiel.evaluation.tournament.ladder_book import Batch, Book, LadderError, Player

SIMPLE, CONTEST = es.Kind.SIMPLE, es.Kind.CONTEST


def told(s: Any) -> list[int]:
    return [int(code) for code in s.events[: int(s.n_events)]]


@pytest.mark.parametrize(
    ("kind", "given", "fixed", "test", "acting"),
    [(SIMPLE, -1, 0, 1, 0), (CONTEST, -1, 0, 0, 0), (CONTEST, -1, 0, 1, 1), (CONTEST, -1, 0, 2, 0),
     (CONTEST, -1, 1, 1, 0), (CONTEST, 1, 1, 0, 1), (SIMPLE, 1, 0, 0, 1), (CONTEST, 0, 0, 1, 0)],
)  # fmt: skip
def test_who_acts_in_a_test_and_what_the_last_one_leaves(
    kind: int, given: int, fixed: int, test: int, acting: int
) -> None:
    """R2, R3, A4: the side that is told, else the players' side in simple tests, and sides in turn in contests."""
    game = make_game("ews_rps", n_tests=3, compiled=False)
    s, p = game.position(1).record, game.params
    p.pool_kind[6], p.pool_mine[6], p.pool_other[6], p.pool_need[6] = kind, 9, 14, 4
    p.pool_win[6], p.pool_loss[6], p.pool_acting[6], p.fixed_roles = 2, 3, given, fixed
    s.picks[:3], s.test = 6, test
    for name in ("rounds", "net", "decided", "asked", "face", "rerolls"):
        setattr(s, name, 5)
    s.roll_side, s.bonus[:], s.n_events = 1, 7, 0
    ews.start_test(s, p)
    assert (int(s.kind), int(s.mine), int(s.other), int(s.gap), int(s.need)) == (kind, 9, 14, 5, 4)
    assert (int(s.win_points), int(s.loss_points), int(s.acting)) == (2, 3, acting)
    left = [s.rounds, s.net, s.decided, s.asked, s.face, s.rerolls, s.roll_side, *s.bonus]
    assert not any(int(x) for x in left) and len(told(s)) == 1


@pytest.mark.parametrize(
    ("declines", "die", "uniform", "acting", "phase"),
    [(0, 0, 0, 0, "ROUND"), (1, 0, 0, 0, "CHOICE"), (0, 1, 0, 0, "CHOICE"), (1, 0, 1, 1, "ROUND"), (0, 1, 1, 1, "ROLL"),
     (1, 1, 1, 0, "CHOICE"), (1, 0, 0, 1, "CHOICE")],
)  # fmt: skip
def test_what_a_test_asks_first(declines: int, die: int, uniform: int, acting: int, phase: str) -> None:
    """A8: whether it is attempted, unless a side that is not there acts; then a throw of the die or a round."""
    game = make_game("ews_rps", n_tests=1, compiled=False)
    s, p = game.position(1).record, game.params
    p.may_decline, p.die, p.gm_uniform, p.pool_acting[0], s.picks[0], s.test = declines, die, uniform, acting, 0, 0
    ews.start_test(s, p)
    assert int(s.ask_phase) == es.Phase[phase]


@pytest.mark.parametrize(
    ("options", "phase", "seat"), [({"stage": "full"}, "decl_faction", 0), ({"stage": "defence"}, "defend", 1)]
)
def test_a_confrontation_may_begin_at_its_defence(options: dict[str, Any], phase: str, seat: int) -> None:
    """R1, R3: the attack that is given is known to all; of two units worth 1 the intellectual one counts twice
    in an intellectual clash: strength 3."""
    game = make_game("konfrontation-clash", "debate", compiled=False, **options)
    position = game.position(3)
    s = position.record
    assert position.phase() == phase and position.to_act() == [seat]
    assert s.units[:2].tolist() == [3, 3] and s.power[:2].tolist() == [5, 4] and int(s.due_natures) == 0
    if options["stage"] == "full":
        assert [int(x) for x in (s.attacker, s.defender, s.target, s.kind)] == [0, -1, -1, -1]
        assert s.commit.tolist() == s.strength.tolist() == [0, 0] and not told(s)
        return
    assert [int(x) for x in (s.attacker, s.defender, s.target, s.kind)] == [0, 1, ko.T_POWER, 3]
    assert (int(s.active), s.commit.tolist(), s.strength.tolist()) == (1, [3, 0], [3, 0])
    said = [game.say(code, 0, "en") for code in told(s)]
    assert said == [
        "attacker attacks defender: target: power",
        "type: intellectual",
        "attacker: character 1, intellectual, takes part",
        "attacker: character 2, social, takes part",
    ]


def book(path: Path, ladder: str = "kuhn-1") -> Book:
    return Book(path, ladder, "kuhn", "standard", "abc")


def test_a_ladder_remembers_who_took_part_and_what_was_played(tmp_path: Path) -> None:
    """In the order of entering and of playing; other ladders of the file are not told; a seed has all its digits."""
    path = tmp_path / "deep" / "ladder.duckdb"
    first = Batch(0, 1, 0, 2**62 + 1, 10, 5, 2, 3, 0.25, "2026-01-02")
    second = Batch(1, 0, 1, 3, 20, 1, 0, 19, -0.5, "2026-01-03")
    with book(path) as opened:
        assert opened.players() == opened.batches() == []
        assert opened.enter("random", "v1", "monday") == Player(0, "random", "v1", "monday")
        assert opened.enter("random", "v2", "tuesday", imported=True).id == 1
        opened.record(second)
        opened.record(first)
    with book(path, "kuhn-2") as other:
        assert other.players() == other.batches() == []
        assert other.enter("cfr", "v1", "friday").id == 0
    with book(path) as again:
        assert again.batches() == [first, second] and again.batches()[0].points == 6.0
        assert [player.imported for player in again.players()] == [False, True]
        assert again.enter("random", "v2", "sunday") == Player(1, "random", "v2", "sunday")
        assert again.players() == [Player(0, "random", "v1", "monday"), Player(1, "random", "v2", "sunday")]
        again._base.execute("update about set format = '0'")
    with pytest.raises(LadderError, match="has ladder format '0', this program reads '1'"):
        book(path)


@pytest.mark.parametrize(("kind", "finesse", "attack", "damage"), [
    (one.MELEE, 0, 3 - 1 - 2 - 2 - 1 + 1, 2 + 4 - 2 - 1 + 1), (one.MELEE, 1, -2, 2 + 7 - 2 - 1 + 1),
    (one.RANGED, 0, -2 - 3, 2 + 7 - 2 - 1 + 1),
])  # fmt: skip
def test_what_is_added_to_the_dice_of_an_attack(
    kind: int, finesse: int, attack: int, damage: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R42, R43, R104, R133: rank 3, target modifier -1, armour 2, malus 2, one range step, a surprise turn, cover -3
    against shots alone; strength 4 or, for shots and finesse, agility 7."""
    game = make_game("oneshot-skirmish", compiled=False)
    s, p = game.position(1).record, game.params
    monkeypatch.setattr(numbers, "covered", lambda s, p, target: True)
    s.w_rank[0, 1], s.target_mod[1], s.armour_malus[0], s.burden[0], s.wounds[0], s.hardened[0] = 3, -1, 2, 1, 3, 0
    s.limit[0], s.surprise, s.edges, s.w_kind[0, 1], s.w_damage[0, 1] = 5, 1, 0, kind, 2
    s.perks[0], p.cover_modifier = one.P_FINESSE * finesse, -3
    s.physical[0, one.STRENGTH], s.physical[0, one.AGILITY] = 4, 7
    assert numbers.attack_modifier(s, p, 0, 1, 1, 1) == attack
    assert numbers.damage_modifier(s, p, 0, 1, 1, 1) == damage
    s.edges, s.edge[one.Talk.AGGRESSIVE, 1, 0] = 1, 2
    assert numbers.attack_modifier(s, p, 0, 1, 1, 1) == attack - 1
    assert numbers.damage_modifier(s, p, 0, 1, 1, 1) == damage


def test_chances_of_a_die_and_of_a_wound(monkeypatch: pytest.MonkeyPatch) -> None:
    """7.2: 4 or more in half of all throws; a hit from 3 on (4/6) and a wound from 5 on (2/6) make 2/9."""
    assert [round(6 * numbers.chance_at_least(n)) for n in (-1, 0, 1, 2, 4, 6, 7, 9)] == [6, 6, 6, 5, 3, 1, 0, 0]
    game = make_game("oneshot-skirmish", compiled=False)
    s, p = game.position(1).record, game.params
    monkeypatch.setattr(numbers, "attack_modifier", lambda s, p, who, weapon, target, steps: steps)
    monkeypatch.setattr(numbers, "damage_modifier", lambda s, p, who, weapon, target, steps: 2 * steps)
    s.attack[0], s.defence[1], s.edges = 5, 9, 0
    assert numbers.expected_wounds(s, p, 0, 0, 1, 2) == pytest.approx(2 / 9)


@pytest.mark.parametrize(("method", "uses", "added"), [
    (one.Talk.AGGRESSIVE, 1, 2), (one.Talk.CUNNING, 1, -2), (one.Talk.DIPLOMATIC, 1, -2), (one.Talk.AGGRESSIVE, 0, 0),
])  # fmt: skip
def test_what_is_added_to_an_edge_check(method: int, uses: int, added: int) -> None:
    """R74, R84, A35: the method's value 4 less the malus 1; with the option the mood: +2 at the limit of wounds."""
    game = make_game("oneshot-skirmish", compiled=False)
    s, p = game.position(1).record, game.params
    s.social[0, method], s.burden[0], s.wounds[:], s.limit[:], p.edge_uses_mood = 4, 1, [0, 5], 5, uses
    assert numbers.edge_modifier(s, p, 0, 1, method) == 3 + added
