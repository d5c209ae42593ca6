"""Uses of a module in solved games: always right, never right, or by the situation, whatever was seen of strategies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from probespiel.agents.public_game import public_value
from probespiel.agents.sequence_form import hidden_value
from probespiel.envs import make_game
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.evaluation.stress.advice import next_for_game
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.exact import losses_of_use
from probespiel.evaluation.stress.findings import Effect, Findings, SolvedUse, Use
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.lab import Lab
from probespiel.evaluation.stress.proof import numbers
from probespiel.evaluation.stress.solved_use import solved_way, told_solved
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import use_of, verdict_of
from probespiel.evaluation.stress.words import answers
from tests.lab_findings import LENGTH, STILL, figure, findings
from tests.test_stress_numbers import use

RAFFLE = str(Path(__file__).parent / "planted" / "raffle.py")


@pytest.mark.parametrize(
    ("fee", "never", "always"),
    [(4, (0.6 / 6 - 0.04) / 4, 0.0), (10, 0.0, 0.0), (16, 0.0, (0.16 - 0.6 / 6) / 4)],
)
def test_a_ticket_is_bought_always_or_never_by_its_price(fee: int, never: float, always: float, tmp_path: Path) -> None:
    """A ticket for `fee` hundredths brings a tenth on the average, in every other test; of a lead half counts."""
    lab = Lab(Bench(Settings("ews_rps", RAFFLE, params={"fee": fee})), tmp_path)
    for losses in losses_of_use(lab, [0, 1], 100_000)["losses"]:
        assert losses == pytest.approx([never, always], abs=1e-9)


def test_a_game_that_cannot_be_solved_tells_nothing_of_a_use(tmp_path: Path) -> None:
    lab = Lab(Bench(Settings("ews_rps", RAFFLE)), tmp_path)
    found = losses_of_use(lab, [0, 1], 10)
    assert not found["losses"] and "positions" in found["why"]


def test_kuhn_with_a_seat_that_never_bets_or_never_passes() -> None:
    """Worked out by hand for each of the six deals.

    Who never bets folds to every bet: minus or plus 1. If the first always bets, the second calls with the king (it
    wins 2), folds the jack, and calls with the queen (against jack or king 0 on the average, to fold costs 1). The
    first loses 2 twice with the jack, wins 1 and loses 2 with the queen, wins 1 and 2 with the king: -2 in 6 deals.
    """
    kuhn = make_game("kuhn")
    passes, bets = (kuhn.actions.parse(name) for name in ("pass", "bet"))
    never = [hidden_value(kuhn, 1_000, {seat: [bets]}) for seat in (0, 1)]
    assert [*never, hidden_value(kuhn, 1_000, {0: [passes]})] == pytest.approx([-1.0, 1.0, -1 / 3], abs=1e-9)


def test_what_is_left_out_is_taken_where_there_is_nothing_else() -> None:
    """Nobody can leave out all of a legal set: a seat that should plays as it may."""
    game = make_game("ews_rps", "even_contest")
    past, everything = {*SYSTEM.bookkeeping, *SYSTEM.counted}, range(game.n_actions)
    free, bound = (public_value(game, past, 200_000, without) for without in (None, {0: everything, 1: everything}))
    assert (bound.value, bound.positions) == (free.value, free.positions)


# What is said of it


def held(never: float, always: float) -> Findings:
    """A use of which strategies show nothing, at two sides who lose so much."""
    made = replace(
        use(0.0, 0.0, 0.0), rate=0.56, uses=560, solved={side: SolvedUse(never, always) for side in ("A", "B")}
    )
    found = findings(worth=never, use=made)
    assert found.worth is not None
    return replace(found, worth=replace(found.worth, exact=True))


@pytest.mark.parametrize(
    ("never", "always", "word", "why"),
    [
        (0.06, 0.0, "always-use", "never using it costs 0.060, and using it whenever possible costs nothing"),
        (0.0, 0.06, "dead rule", "never using it costs nothing, and using it whenever possible costs 0.060"),
    ],
)
def test_a_solved_use_is_judged_by_the_games_and_not_by_the_strategies(
    never: float, always: float, word: str, why: str
) -> None:
    found = verdict_of(held(never, always))
    assert (found.word, found.use, found.basis) == (word, word, "exact")
    assert found.why[0] == f"where both sides play best, {why}"
    assert words("de")(found.why[0]).startswith("wo beide Seiten am besten spielen, kostet es")
    assert not any("do not show when" in line or "no difference" in line for line in found.remarks)


def test_a_use_that_is_never_right_is_dead_however_little_was_seen_of_it() -> None:
    """Few uses tell nothing: without solved games nobody could say."""
    found = held(0.0, 0.06)
    assert found.use is not None and found.use.worth is not None and found.worth is not None
    few = replace(found.use, worth=replace(found.use.worth, error=0.5))
    assert use_of(found, found.worth) == use_of(replace(found, use=few), found.worth) == "dead rule"
    assert use_of(replace(found, use=replace(few, solved={})), found.worth) == "mixed"


def test_that_the_strategies_use_it_too_seldom_is_told_of_what_is_always_right() -> None:
    """But for what can be used three times in all: who does so later does not use it at the chances before."""
    (line,) = (line for line in verdict_of(held(0.06, 0.0)).remarks if "56%" in line)
    told = "use it in 56% of the opportunities: too seldom, unless it can be used only so many times in all."
    assert line == f"The strongest strategies found {told}"
    german = words("de")
    assert german(line).endswith("zu selten, außer wenn es insgesamt nur so oft zu nutzen ist.") and not german.missed


def test_what_the_game_becomes_by_uses_that_are_never_right_is_told_as_such() -> None:
    """Not of what is right, of what nobody was seen to use, or of a rule that changes games unused."""
    found = replace(held(0.0, 0.06), idle=400, effect=Effect((LENGTH,), {}))
    assert found.use is not None
    told = (
        "Those are games of strategies that use it in 56% of the opportunities, although that is never right: between "
        "players who know that, all stays as without it."
    )
    assert game_verdict_of(found).remarks == (told,)
    assert words("de")(told).endswith("Zwischen Spielern, die das wissen, bleibt alles wie ohne es.")
    fewer = figure("decisions", 24.0, 16.0, 2.0, 1.0)
    right = replace(held(0.06, 0.0), idle=400)
    for made, step in ((found, "Nothing has to be done for the game"), (right, "Fewer decisions matter")):
        (told,) = next_for_game(replace(made, effect=Effect((fewer,), {})), "changes the game")
        assert told.startswith(step)
    assert game_verdict_of(replace(found, effect=Effect((STILL,), {}))).remarks == ()
    assert game_verdict_of(replace(found, idle=0)).remarks == ()
    assert game_verdict_of(replace(found, use=replace(found.use, uses=0))).remarks == ()
    assert game_verdict_of(replace(held(0.06, 0.0), idle=400, effect=Effect((LENGTH,), {}))).remarks == ()


def test_what_costs_either_way_depends_on_the_situation_and_too_little_is_nothing() -> None:
    assert verdict_of(held(0.06, 0.06)).use == "mixed"
    assert solved_way(held(0.02, 0.0).use, 0.025) == solved_way(held(0.0, 0.02).use, 0.025) == ""
    assert solved_way(Use(2), 0.025) == solved_way(None, 0.025) == ""


def test_one_holder_for_whom_it_is_not_always_right_is_enough() -> None:
    def way(*losses: tuple[float, float]) -> str:
        return solved_way(Use(2, solved={str(i): SolvedUse(*pair) for i, pair in enumerate(losses)}), 0.025)

    assert way((0.2, 0.0), (0.0, 0.0)) == "always-use"
    assert way((0.2, 0.0), (0.2, 0.2)) == "mixed"
    assert way((0.0, 0.2), (0.2, 0.2)) == "mixed"


def test_the_answer_about_use_tells_both_ways_in_both_languages() -> None:
    found = held(0.06, 0.0)
    found = replace(found, verdict=verdict_of(found))
    told = [line for lines in answers(found).values() for line in lines if "solved games" in line]
    assert told == [
        f"For “{side}” by solved games (exact): never using it costs 0.060; always using it costs nothing."
        for side in ("A", "B")
    ]
    assert words("de")(told[0]) == (
        "Für „A“ laut gelösten Spielen (exakt): Es nie zu nutzen kostet 0,060; es immer zu nutzen kostet nichts."
    )
    assert told_solved(Use(1, solved={"A": SolvedUse(-0.5, 0.0)})) == [
        "For “A” by solved games (exact): never using it gains +0.500; always using it costs nothing."
    ]


def test_what_is_solved_stands_alone_where_strategies_seem_to_say_the_opposite() -> None:
    """Never to use it costs nothing, exactly; that strategies found lost 0.06 by it was the luck of their learning."""
    found = held(0.0, 0.015)
    assert found.use is not None and set(found.use.restricted) == {"A", "B"}
    lost = found.use.restricted["A"].never
    row = replace(found.use.restricted["A"], never=replace(lost, value=0.063, low=0.012, high=0.114))
    seen = replace(found, use=replace(found.use, restricted={"A": row, "B": row}, solved={"A": SolvedUse(0.0, 0.015)}))
    lines = [line for line in answers(seen)["use"] if line.startswith("For “A”")]
    assert lines == ["For “A” by solved games (exact): never using it costs nothing; always using it costs 0.015."]
    (other,) = [line for line in answers(seen)["use"] if line.startswith("For “B”")]
    assert "never using it costs 0.06 (0.01 to 0.11)" in other, "who is not solved is told by strategies"
    told = dict(numbers(seen)["use"])
    assert told["never using it costs A"] == "0.000 (exact)" and told["always using it costs A"] == "+0.015 (exact)"
    assert told["never using it costs B"] == "+0.06 (+0.01 to +0.11)"
