"""What a talker and a builder of OneShot may know (4.4, 4.6): observations of the kernel against plain books.

A talker knows the own values, dice, outcomes and moods if they were read; of the other talker the wounds and how many
attempts failed and succeeded. A builder knows the own choices alone.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.game import Position
from probespiel.envs.oneshot import exact
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.build.legal import perk_sets
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.params import check_options

MOVES = ("aggressive", "cunning", "diplomatic", "recover", "read", "leave")
OUTCOMES = ("success", "critical success", "near miss", "failure", "critical failure")
NODES = ("talk", "react_fail", "react_six", "triple", "split", "claim_probe", "claim_judge", "claim_tell")


class Talker:
    """One talker: what is on the sheet, and the book of what happened."""

    def __init__(self, position: Position, who: int, relation: int) -> None:
        s = position.record
        self.values, self.social = [int(x) for x in s.t_value[who]], [int(x) for x in s.t_social[who]]
        self.insight, self.malus, self.wounds = int(s.t_insight[who]), int(s.t_malus[who]), int(s.t_wounds[who])
        self.saga, self.luck = int(s.t_saga[who]), int(s.t_luck[who])
        self.relation, self.hurt = relation, int(s.mood_wounds[who])  # the other's moods towards this one
        self.fails = self.successes = 0
        self.read, self.built = False, int(s.triple[who]) >= 0
        self.method: int | None = None
        self.dice, self.sum, self.outcome = [0, 0], 0, ""
        self.counts: Counter[tuple[int, str]] = Counter()


class Talk:
    """R70-R82 in plain words: a talk of two, or of one with a counterpart whom the environment plays."""

    def __init__(self, position: Position, options: dict[str, Any]) -> None:
        self.o, self.step, self.move = options, 0, 0
        self.talkers = [Talker(position, who, options["relation"]) for who in (0, 1)]
        self.left = [options["recover_limit"]] * 2
        self.rolled: list[int] = []

    def begin(self, who: int, move: int) -> None:
        """A talker takes a move."""
        self.who, self.move, self.rolled = who, move, []
        self.me, self.other = self.talkers[who], self.talkers[1 - who]
        self.step += 1
        if move < 3:
            self.me.method = move
        if MOVES[move] == "recover":
            self.left[who] -= 1
        self.ends: bool | None = None  # what was bought: True by luck or by a six, False a failure taken back
        self.bought_critical = False

    def roll(self, face: int) -> None:
        """A die of the move."""
        self.rolled.append(face)

    def react(self, phase: str, action: str) -> None:
        """Luck makes a plain success, a saga point confirms a six or takes a confirmed one back."""
        if action == "luck":
            self.me.luck -= 1
            self.ends, self.bought_critical = True, False
        elif action == "saga":
            self.me.saga -= 1
            self.bought_critical = phase == "react_six"
            self.ends = self.bought_critical or self.rolled[0] == 6

    def close(self) -> None:
        """The dice have fallen and nobody reacts any more."""
        me, other, o = self.me, self.other, self.o
        name, natural = MOVES[self.move], self.rolled[0]
        confirm = self.rolled[1] if len(self.rolled) > 1 else 0
        auto = -1 if natural == 1 and 0 < confirm <= 2 else 1 if natural == 6 and confirm >= 5 else 0
        mood, need = 0, 4
        if self.move < 3:
            mood = me.hurt if name == "aggressive" else me.relation
            mod = me.social[self.move] + o["request_difficulty"] - me.malus
            need = other.values[self.move] + o["social_offset"] + (o["social_tie"] == "failure")
        elif name == "recover":
            mod = me.values[2] + me.relation - me.malus + (me.values[1] - 1 if o["recover_adds_untrained"] else 0)
        else:
            best = me.insight if me.insight >= 1 else me.values[1] - 1
            if o["untrained_rule"] == "best":
                best = max(best, me.values[1] - 1)
            mod = best + o["read_difficulty"] - me.malus
        plain = natural + mod + mood >= need
        if self.ends is False:
            auto = 0
        wins = self.ends or (auto > 0 if auto else plain)
        critical = auto != 0 and (o["critical_means"] == "automatic" or wins == plain)
        critical = self.bought_critical if self.ends else critical
        me.dice, me.sum = [natural, confirm], natural + (me.social[self.move] if self.move < 3 else 0)
        if name == "recover":
            if wins:
                me.fails -= min(me.values[2], me.fails)
            elif critical:
                me.fails += 2
            me.outcome = ""
        elif name == "read":
            me.read |= bool(wins)
            me.outcome = ""
        else:
            near = natural + mod >= need and auto >= 0
            me.outcome = (
                ("critical success" if critical else "success") if wins
                else ("critical failure" if critical else "failure") if auto < 0
                else "near miss" if near else "failure"
            )  # fmt: skip
            me.counts[self.move, me.outcome] += 1
            points = 1 + me.outcome.startswith("critical")
            if wins:
                me.successes += points
            elif me.outcome != "near miss":
                me.fails += points
            change = {"near miss": 1, "failure": -1, "critical failure": -2 if o["critical_mood_double"] else -1}
            by = change.get(me.outcome, 0)
            if o["mood_tracks"] == "linked" or name == "aggressive":
                me.hurt = max(-2, min(2, me.hurt + by))
            if o["mood_tracks"] == "linked" or name != "aggressive":
                me.relation = max(-2, min(2, me.relation + by))

    def seen(self, who: int, phase: str, asked: int) -> dict[str, Any]:
        """All that a talker may know, as the pieces of the observation say it."""
        me, other, o = self.talkers[who], self.talkers[1 - who], self.o
        last = np.zeros(11)
        if me.method is not None:
            last[me.method] = 1
        last[3:6] = me.dice[0] / 6, me.dice[1] / 6, max(-1, min(1, me.sum / 12))
        if me.outcome:
            last[6 + OUTCOMES.index(me.outcome)] = 1
        dice = [*self.rolled, 0, 0][:2] if phase.startswith("react") and asked == who else [0, 0]
        moods = [me.relation / 2, me.hurt / 2] if me.read else [0, 0]
        return {
            "talk": [min(1, self.step / o["max_steps"]), me.fails / 5, me.successes / 5, other.fails / 5,
                     other.successes / 5, self.left[who] / 10, me.saga / 10, me.luck / 5, o["relation"] / 2,
                     other.wounds / 8, me.read, *moods],
            "last": last,
            "counts": [[min(1, me.counts[m, name] / o["max_steps"]) for name in OUTCOMES] for m in range(3)],
            "node": [name == phase for name in NODES],
            "claim": [0, 0, 0, dice[0] / 6, dice[1] / 6, me.built],
        }  # fmt: skip


def compare_talk(scenario: str, changed: dict[str, Any], rng: random.Random) -> Counter[str]:
    """One random talk; what happened in it. A claim's pieces `probed` and `sign` stay at what they are in a talk."""
    game = make_game("oneshot-parley", scenario, compiled=False, **changed)
    options = check_options(game.spec.options["config"], "parley")
    position, book, told = game.position(), None, Counter[str]()
    while not position.over:
        if position.die():
            face = rng.choice([1, 6, rng.randint(1, 6)]) if position.die() == 6 else rng.randint(1, position.die())
            if book is not None:
                book.roll(face)
            position.fall(face - 1)
        else:
            phase, (seat, *_) = position.phase(), position.to_act()
            if phase == "talk":
                if book is None:
                    position.record.t_saga[:], position.record.t_luck[:] = 2, 1  # so that dice are reacted to
                    book = Talk(position, options)
                elif book.rolled:
                    book.close()
            if book is not None:
                for who in range(game.n_seats):
                    seen = position.game.layout.view(position.observe(who))
                    for name, value in book.seen(who, phase, seat).items():
                        ours = seen[name][3:] if name == "claim" else seen[name]
                        theirs = value[3:] if name == "claim" else value
                        where = f"{name} of {who} in {scenario} {changed}, step {book.step}"
                        np.testing.assert_allclose(ours, np.minimum(1, theirs), atol=1e-6, err_msg=where)
            action = rng.choice(position.legal(seat))
            if book is not None:
                code = game.actions.codes[action]
                if phase == "talk":
                    book.begin(seat, MOVES.index(code.removeprefix("talk:")))
                else:
                    book.react(phase, code)
                told[code] += 1
            position.apply(seat, action)
    return told


@pytest.mark.parametrize("scenario", ["council", "market", "hostile_guard", "old_friend", "interrogation"])
def test_a_talker_knows_what_the_book_says(scenario: str) -> None:
    rng, told = random.Random(scenario), Counter[str]()
    for _ in range(12):
        changed = {
            "mood_tracks": rng.choice(["linked", "separate"]), "critical_means": rng.choice(["confirmed", "automatic"]),
            "critical_mood_double": rng.random() < 0.5, "goal_successes": 4, "social_tie":
            rng.choice(["success", "failure"]), "untrained_rule": rng.choice(["literal", "best"]),
            "recover_adds_untrained": rng.random() < 0.5, "saga_confirm": rng.choice(["critical_only", "auto_success"]),
        }  # fmt: skip
        told += compare_talk(scenario, changed, rng)
    assert min(told[f"talk:{move}"] for move in MOVES[:3]) > 2 and min(told["talk:read"], told["saga"], told["luck"]), (
        told
    )


def attributes(choices: list[int]) -> list[int]:
    """Body, mind and charisma by the perks and the triple chosen; a special gift makes a 3 a 4, and the others less."""
    perks = perk_sets(3)[choices[0]]
    triple = list(exact.triples(5 - ("luck" in perks), 3)[choices[1]])
    if "special_gift" not in perks:
        return triple
    gift = triple.index(3)
    return [value + 1 if k == gift else value - 1 for k, value in enumerate(triple)]


def test_a_builder_knows_the_own_choices() -> None:
    """4.6: own choices by stage, sealed ones too, the stage, what weapon and armour leave, the attributes chosen."""
    kit = built_in_kit()
    weapons, armours = list(kit.weapons.values()), list(kit.armours.values())
    rng = random.Random(3)
    for budget in (6, 9):
        game = make_game("oneshot-build", compiled=False, gear_budget=budget)
        position = game.position()
        book: list[list[int]] = [[], []]
        for stage in range(st.STAGES):
            for seat in rng.sample([0, 1], 2):
                if position.to_act() == [seat] and stage == st.STAGES - 1:
                    break  # the duel that follows takes long, and nothing is secret in it
                action = rng.choice(position.legal(seat))
                position.apply(seat, action)
                book[seat].append(action)
                both = len(position.to_act()) == 2
                for who in (0, 1):
                    seen = game.layout.view(position.observe(who))
                    choices = np.zeros((st.STAGES, seen["choices"].size // st.STAGES))
                    for k, chosen in enumerate(book[who]):
                        choices[k, chosen] = 1
                    np.testing.assert_array_equal(seen["choices"].reshape(choices.shape), choices)
                    assert np.flatnonzero(seen["stage"]).tolist() == [stage + both]
                    entered = book[who][: stage + both]
                    goods = ((st.Stage.WEAPON, weapons), (st.Stage.ARMOUR, armours))
                    spent = sum(known[entered[k]]["price"] for k, known in goods if k < len(entered))
                    wanted = [(budget - spent) / 20, 0, 0, 0]
                    if len(entered) > 1:
                        wanted[1:] = [(value + 1) / 7 for value in attributes(entered)]
                    if len(entered) <= st.Stage.ITEM:
                        assert seen["budgets"].tolist() == pytest.approx(wanted, abs=1e-6)
