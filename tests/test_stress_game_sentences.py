"""Sentences of stress tests about games and players that no other test words, whole, with numbers by hand.

Every one has its German words, too.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.evaluation.stress import combine_report, deciding
from probespiel.evaluation.stress.combine import Pairing
from probespiel.evaluation.stress.exact import unsolved
from probespiel.evaluation.stress.findings import (
    Breakage,
    Choice,
    Deciding,
    Dynamics,
    Exploit,
    Fault,
    Interval,
    Level,
    Luck,
    Mean,
    Oversight,
    Play,
    Rung,
    Sample,
    SampleGame,
    SeatEffect,
    Shown,
    Stake,
    Use,
    Ways,
)
from probespiel.evaluation.stress.game_verdict import game_verdict_of, sentence
from probespiel.evaluation.stress.game_words import effect_lines, level_lines, sample_lines
from probespiel.evaluation.stress.verdict import VERDICTS, verdict_of
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.workers import Failed

from .lab_findings import FORCED, GERMAN, STILL, figure, findings, told


def sample(value: float, half: float = 0.125) -> Sample:
    return Sample(value, value - half, value + half, 99)


def choices(*gains: tuple[str, float, float, float]) -> tuple[Choice, ...]:
    """Answers with their share, gain and error."""
    return tuple(Choice("school", name, 50, share, gain, error) for name, share, gain, error in gains)


# --- who wins ---------------------------------------------------------------------------------------------------------


def play(luck: float, **more: Any) -> Play:
    base: dict[str, Any] = {
        "drama": Mean(0.5, 0.05), "comeback": Mean(0.4, 0.01), "changes": Mean(1.5, 0.0), "lengths": Mean(20.0, 0.5),
        "draws": 0.125, "ladder": (), "unresolved": 0.0,
    }  # fmt: skip
    return Play(Luck(luck, 0.01, 1.0, 1.0), 600, **{**base, **more})


def test_how_games_go_in_whole_sentences() -> None:
    a, b = play(0.5), play(0.25, draws=0.5, unresolved=0.0625, lengths=Mean(30.0, None), comeback=Mean(None, None))
    lines = told("dynamics", dynamics=Dynamics(a, b))
    lasts = "A game lasts 20.0 ± 1.0 decisions without it, 30.0 with it."
    stopped = "0% and 6% were stopped by the limit of decisions"
    assert lines == [
        "The deal decides 50% (± 2%) of the results' variance without it and 25% (± 2%) with it; the rest is decided "
        "by "
        "choices and later chance. 1,200 games.",
        f"{lasts} The winner was behind at some time in 40 ± 2% and – of the decided games; drama is 0.50 ± 0.10 and "
        f"0.50 "
        f"± 0.10, the lead changes 1.50 and 1.50 times; 12% and 50% are drawn; {stopped}.",
    ]  # fmt: skip
    made = findings(dynamics=Dynamics(a, b))
    assert made.effect is not None
    for left_out, said in ((("comebacks",), f"12% and 50% are drawn; {stopped}"), (("comebacks", "draws"), stopped)):
        told_ = answers(replace(made, effect=replace(made.effect, left_out=dict.fromkeys(left_out, "x"))))["dynamics"]
        assert told_[1] == f"{lasts} Of the games {said}." and GERMAN.told(told_[1]) is not None


def test_what_twice_the_search_scores() -> None:
    """It pays where 2 errors less are above a half."""
    rungs = (Rung("a", 0.625, 0.05, 100), Rung("b", 0.6, 0.05, 100), Rung("c", 0.75, None, 100))
    lines = told("dynamics", dynamics=Dynamics(play(0.5, ladder=rungs), play(0.5, ladder=rungs[:1])))
    assert lines[-2:] == [
        "Without it, whoever searches twice as long scores 62%, 60%, 75% against whoever does not, from one doubling "
        "to the next; at 1 of 3 that pays for sure (300 games).",
        "With it, whoever searches twice as long scores 62% against whoever does not, which pays for sure (100 games; "
        "games are too long for further doublings).",
    ]
    low = told("dynamics", dynamics=Dynamics(play(0.5, ladder=rungs[1:2]), play(0.5)))
    assert low[-1] == (
        "Without it, whoever searches twice as long scores 60% against whoever does not, which is not shown to pay "
        "(100 games; games are too long for further doublings)."
    )


def test_what_sitting_first_is_worth() -> None:
    def line(mirrored: bool, exact: bool) -> str:
        change = Sample(0.5, 0.25, 0.75, 800)
        seat = SeatEffect(mirrored, Sample(-0.125, -0.2, 0.0, 800), Sample(0.375, 0.2, 0.5, 800), change)
        made = findings(dynamics=Dynamics(play(0.5), play(0.5)), seat=seat)
        assert made.worth is not None
        return answers(replace(made, worth=replace(made.worth, exact=exact)))["dynamics"][0]

    text = "Sitting first is worth −0.12 EP without it and +0.38 EP with it; the change is +0.50 ({})."
    assert line(True, True) == text.format("exact")
    assert line(True, False) == text.format("+0.25 to +0.75; 800 games")
    assert line(False, True) == text.format("exact") + " The roles of the seats could not be exchanged."
    assert all(GERMAN.told(line(True, exact)) for exact in (True, False))


# --- what breaks, what is exploited -----------------------------------------------------------------------------------


def test_what_broke_is_told_with_how_often() -> None:
    assert told("breakage", breakage=Breakage((), 1200, 45000)) == [
        "Nothing broke in 1,200 games (45,000 decisions) of wilful random play: no state without a legal move, no "
        "loop, no "
        "unresolved game, no number without bound, and no crash."
    ]
    text = "the game does not end: it was stopped after 2,000 decisions"
    faults = (Fault("unresolved", text, "everybody", 3, 1200), Fault("loop", text, "only A", 1, None))
    assert told("breakage", breakage=Breakage(faults, 1200, 45000)) == [
        f"When everybody has it, in 3 of 1,200 games: {text}.", f"When only A has it: {text}.",
    ]  # fmt: skip


@pytest.mark.parametrize(("answer", "said"), [
    (Failed("hung", "x"), "in time"), (Failed("died", "x: its process ended with exit code 9"),
                                      "(its process ended with exit code 9)"),
])  # fmt: skip
def test_games_that_could_not_be_solved_say_why(answer: Failed, said: str) -> None:
    text = unsolved(answer)
    assert text == f"The games could not be solved {said}; what they are worth is estimated."
    assert GERMAN.told(text) is not None


def test_an_exploit_is_told_with_what_shows_it() -> None:
    gain = Sample(0.15, 0.05, 0.25, 400)

    def lines(game: Shown, gain: Sample = gain) -> list[str]:
        return told("exploit", exploit=(Exploit("A", "sly", {"plain": 1.0, "other": 1.0}, 0.4, 0.25, gain, game),))

    head = (
        "“A” with it, playing “sly”, gets +0.40 EP from the strongest play that does not know it (plain and other); "
        "the best "
        "answer without it gets +0.25. The gain is +0.15 (+0.05 to +0.25; 400 games, chosen on other games)."
    )
    assert lines(Shown(False)) == [head]
    move = {"swing": 1.5, "action": "fire", "instead": "water"}
    for turned, what in ((True, "turns a loss into a win"), (False, "shows it")):
        assert lines(Shown(True, turned=turned, **move)) == [
            head, f"A game that {what}: the decisive move is “fire” (instead of “water”), worth +1.50 EP there.",
        ]  # fmt: skip
        assert lines(Shown(True, turned=turned, own=False, **move)) == [
            head, f"A game that {what}: there it acts by itself, and of all moves “fire” (instead of “water”) "
            f"counted most, "
            "+1.50 EP.",
        ]  # fmt: skip
    assert lines(Shown(False), Sample(-0.1, -0.2, 0.0, 400))[1] == (
        "For “A” there is no exploit: the best answer found is shown to gain nothing."
    )
    assert lines(Shown(False), Sample(0.1, -0.2, 0.4, 400))[1] == (
        "For “A” there is no exploit: the best answer found is not shown to gain anything."
    )


# --- what it does to the game -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "before", "after", "half", "said"), [
    ("length", 10.0, 15.0, 0.25, "a game lasts 15.0 decisions instead of 10.0 decisions (+4.8 to +5.2)"),
    ("unresolved", 0.0, 0.25, 0.05, "25% of the games are stopped by the limit of decisions instead of 0% (+20 to "
     "+30 points)"),
    ("skill", 0.6, 0.5, 0.05, "a stronger level scores 50% against the one below it instead of 60% (−15 to −5.0 "
     "points)"),
    ("comebacks", 0.25, 0.5, 0.05, "the winner was behind at some time in 50% of the games instead of 25% (+20 to "
     "+30 points)"),
    ("lead changes", 1.0, 2.5, 0.25, "the lead changes 2.50 times a game instead of 1.00 times (+1.25 to +1.75)"),
    ("strategies", 2.0, 3.5, 0.5, "the equilibrium amounts to 3.5 strategies that differ instead of 2.0 strategies "
     "(+1.0 to +2.0)"),
    ("decisions", 4.0, 6.5, 0.5, "6.5 decisions a game matter instead of 4.0 decisions (+2.0 to +3.0)"),
    ("search", 0.5, 0.625, 0.0, "twice the search scores 62% instead of 50% (the same every time)"),
    ("draws", 0.95, 0.99, 0.1, "99% of the games are drawn instead of 95% (−6.0 to +14 points)"),
])  # fmt: skip
def test_a_figure_that_changed_in_words(name: str, before: float, after: float, half: float, said: str) -> None:
    text = sentence(figure(name, before, after, half, 0.01))
    assert text == said and GERMAN.told(text) is not None


def test_a_small_change_that_is_shown_is_told_with_a_digit_more() -> None:
    """From 100 % to 99.7 %: written alike with whole numbers, and so are those that are not shown to change."""
    shown, not_shown = (sentence(figure("luck", 1.0, 0.997, half, 0.05)) for half in (0.002, 0.02))
    assert shown == "the deal decides 99.7% of the results' variance instead of 100.0% (−0.5 to −0.1 points)"
    assert "decides 100% of the results' variance instead of 100% (" in not_shown
    assert "11.04 decisions instead of 11.00 decisions" in sentence(figure("length", 11.0, 11.04, 0.01, 1.0))
    assert GERMAN.told(shown) is not None


def test_the_rest_of_what_it_does_to_the_game() -> None:
    """Of four figures one is shown to change by less than counts, one by other strategies alone; 2 of 3 are guesses."""
    little = figure("luck", 0.5, 0.52, 0.01, 0.05)
    drifts = replace(figure("search", 0.5, 0.75, 0.05, 0.05), direct=(Interval(0.0, -0.1, 0.1),))
    made = findings(little, drifts).effect
    assert made is not None
    for guessed, many in ((1, "one of its questions"), (2, "2 of its questions")):
        out = effect_lines(made, None, guessed)
        assert out[:3] == [
            "Shown to change, but the change measured is less than what counts: the deal decides 52% of the results' "
            "variance instead of 50% (+1.0 to +3.0 points).",
            f"It makes {many} a guess, where no answer is best, though the figure of cycles alone does not show it.",
            "Goes otherwise by the strategies that were found with it, but with the same ones no change is shown: "
            "twice the "
            "search scores 75% instead of 50% (+20 to +30 points).",
        ]  # fmt: skip
        assert out[-1] == (
            "All intervals of changes hold together at 95 % (2 figures, up to 100 deals, played in both games); a "
            "change "
            "is stated if it shows with the same strategies in both games, too."
        )
        assert all(GERMAN.told(line) for line in out if not line.startswith("Left out"))
    below = effect_lines(replace(made, figures=(figure("decisions", -0.5, 0.3, 1.0, 0.05), little)))[-1]
    assert below == (
        "Estimates may come out below what is possible, and are then shown as the least that is; the change beside "
        "them is that of the estimates: decisions."
    )
    assert GERMAN.told(below) is not None
    for before, after in ((0.0, 0.3), (-0.02, 0.3), (0.3, 0.1)):  # the second seems the same, as it is told
        assert (
            "Estimates" not in effect_lines(replace(made, figures=(figure("decisions", before, after, 1.0, 0.05),)))[-1]
        )
    cycles = replace(made, figures=(figure("cycles", 0.1, 0.5, 0.1, 0.05),))
    assert "It makes one of its questions a guess, where no answer is best." in effect_lines(cycles, None, 1)


def test_verdicts_for_the_game_in_whole_sentences() -> None:
    still = game_verdict_of(findings(STILL, figure("draws", 0.1, 0.1, 0.01, 0.05)))
    assert still.word == "changes little"
    assert still.why == ("all 2 figures stay as they are, within what counts",)
    guess = replace(FORCED, choices=choices(("fire", 0.5, 0.02, 0.02), ("water", 0.5, -0.02, 0.02)))
    reason = (
        "none of 2 answers is better than the mixture of all, but the best one of the moment beats the worst by 1.20"
    )
    assert game_verdict_of(findings(STILL, use=guess)).why == (f"asked for school, {reason}",)
    asked = game_verdict_of(findings(STILL, use=guess, questions={"school": "Which one?"})).why
    assert asked == (f"asked “Which one?”, {reason}",)
    ways = Ways(0.5, Stake("school", 100, 1.2, 0.1), guess.choices)
    of_ways = Use(2, games=9, opportunities=500, rate=0.5, ways=(ways,))
    other = "none is better than all of them mixed, but the best one of the moment beats the worst by 1.20"
    assert game_verdict_of(findings(STILL, use=of_ways)).why == (f"of 2 ways to use it when asked for school {other}",)
    assert game_verdict_of(findings(STILL, use=of_ways, questions={"school": "Which one?"})).why == (
        f"of 2 ways to use it when asked “Which one?” {other}",
    )
    assert all(GERMAN.told(text) for text in (*still.why, *asked))
    side = SeatEffect(True, sample(0.0), sample(0.0), sample(0.0), Sample(-0.25, -0.25, -0.25, 0))
    made = findings(STILL, seat=side)
    assert made.worth is not None
    solved = replace(made, worth=replace(made.worth, exact=True))
    assert game_verdict_of(solved).why == (
        "where all have it “B” gains +0.250 EP by it, and “A” loses as much, whoever sits first (exact)",
    )
    assert answers(replace(solved, dynamics=Dynamics(play(0.5), play(0.5))))["dynamics"][1] == (
        "Where all have it “B” gains +0.250 EP by it, and “A” loses as much, whoever sits first (exact)."
    )


def test_the_threshold_of_a_favoured_seat_holds_either_way() -> None:
    """Whoever sits first may lose by it, too: it is called by the same word."""
    for change, who in ((0.25, "first"), (-0.25, "last")):
        seat = SeatEffect(True, sample(0.0), sample(change), Sample(change, change - 0.1, change + 0.1, 99))
        verdict = verdict_of(findings(seat=seat))
        assert verdict.word == "seat-favouring"
        ends = "(+0.15 to +0.35 for the first seat)" if change > 0 else "(−0.35 to −0.15 for the first seat)"
        assert verdict.why[0] == f"with it, whoever sits {who} is better off by 0.25 {ends}"
    text = VERDICTS["seat-favouring"]
    assert text == "sitting first gains or loses 0.08 standard deviations by it, and half as much as having it"
    assert GERMAN.told(text) is not None


# --- who it is for ----------------------------------------------------------------------------------------------------


def test_players_of_every_strength_in_whole_sentences() -> None:
    levels = (
        Level("random players", "choose blindly", "blindly", Sample(0.125, 0.0625, 0.1875, 1200), 0.5, 0.02),
        Level("experts", "search", "as they like", None, None, None),
    )
    rows = (
        Oversight("overlook", Sample(-0.25, -0.5, 0.0, 800), 0.375, None, 0.5),
        Oversight("never", Sample(0.0, -0.1, 0.1, 800), None, None),
        Oversight("unseen", Sample(0.25, 0.1, 0.4, 800), 0.25, 0.01),
    )
    out = level_lines(levels, findings(oversights=rows))
    assert out == [
        "Random players (choose blindly): having it is worth +0.12 EP among them (+0.06 to +0.19; 1,200 games); they "
        "use "
        "it blindly, in 50% of their chances (± 4 points).",
        "Experts (search): nobody has it alone.",
        "If its holder overlooks it in 50% of the chances, having it is worth −0.25 EP (−0.50 to 0.00; 800 games); "
        "it is "
        "used in 38% of the chances.",
        "If its holder never thinks of using it, having it is worth 0.00 EP (−0.10 to +0.10; 800 games).",
        "If the others do not reckon with it and play as where nobody has it, having it is worth +0.25 EP (+0.10 to "
        "+0.40; "
        "800 games); it is used in 25% of the chances (± 2 points).",
        "These are strategies of the lab that stand for people; nobody was asked.",
    ]


# --- a game that it decides -------------------------------------------------------------------------------------------

GAME = SampleGame(True, 1000, 40, "B", 6, {"A": "sly", "B": "plain"}, 1.0, -1.0, moment="B uses it: fire", parted=1)


def test_a_game_that_it_decides_in_whole_sentences() -> None:
    flips = "In 40 of 1,000 deals it changes who wins, or whether anybody does, with the same players."
    shown = "Shown is a short one: deal 7. “A” plays “sly” and “B” plays “plain”, in both games."

    def lines(**more: Any) -> list[str]:
        return sample_lines(replace(GAME, **more), findings())

    assert lines() == [
        f"{flips} {shown}", "Without it “B” gets −1.00 EP; where “B” has it, +1.00 EP.",
        "The first decision is the same in both.", "The use that gained most: B uses it: fire.",
    ]  # fmt: skip
    assert lines(parted=3)[2] == "The first 3 decisions are the same in both."
    assert lines(parted=None)[2] == "The two games differ from the set-up on."
    assert lines(parted=0)[2].startswith("The use that gained most")
    assert lines(pure=True)[2] == "All dice and all decisions but its own are the same in both."
    assert lines(side="")[1] == "Without it “A” gets −1.00 EP; where everybody has it, +1.00 EP."
    assert lines(alike=12)[0] == f"{flips} In 12 of them all else is decided the same. {shown}"
    assert lines(shifted=True, alike=12)[0] == (
        f"{flips} Where it has other dice thrown, or more, all later ones fall otherwise, so that luck makes these "
        f"games "
        f"differ, too. {shown}"
    )
    alone = sample_lines(replace(GAME, found=False, flips=0), replace(findings(), sides=("A",)))
    assert alone == [
        "In 0 of 1,000 deals it moves the result to the other side of the middle, with the same players. There is no "
        "game "
        "to show: no such deal was found."
    ]
    assert all(GERMAN.told(line) for line in (*lines(), *lines(parted=None), *lines(side=""), *alone))


# --- what would decide it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "said"), [
    ({"budget": "standard"}, "--budget standard should decide it: it would narrow the interval from ± 0.125 to about ± "
     "0.062, and ± 0.075 is enough if the value stays where it is"),
    ({"needed": 0.0, "gap": 0.25, "times": None}, "no number of games decides it: between what the best answers found "
     "without it and with it say lies 0.250, and only better answers would narrow that"),
    ({"needed": 0.0, "times": None}, "it lies so close to what counts that more games would hardly decide it, with no "
     "budget of the lab"),
    ({"seeds": 0.076, "expected": 0.08}, "no budget of the lab is sure to decide it: learners of other seeds would "
     "still "
     "be ± 0.080 apart with --budget deep, where ± 0.075 is enough; open is how well they learn, not how much is "
     "played"),
    ({"expected": 0.08, "times": 2.78}, "no budget of the lab decides it: --budget deep would leave ± 0.080, and ± "
     "0.075 "
     "is enough, about 2.8 times the games of this test"),
    ({"expected": 0.08, "times": 1.0}, "no budget of the lab decides it: --budget deep would leave ± 0.080, and ± "
     "0.075 "
     "is enough, about 1.1 times the games of this test"),
])  # fmt: skip
def test_what_would_decide_it(more: dict[str, Any], said: str) -> None:
    base: dict[str, Any] = {
        "budget": "", "reach": 0.125, "needed": 0.075, "largest": "deep", "expected": 0.0624, "times": 2.0,
        "seeds": 0.01,
        "gap": 0.0,
    }  # fmt: skip
    text = deciding.told(Deciding(**{**base, **more}))
    assert text == said and GERMAN.told(text) is not None


# --- combinations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("worth", "change", "shade"), [
    (0.5, 0.25, combine_report.MORE), (-0.5, -0.25, combine_report.MORE), (0.25, -0.25, combine_report.LESS),
    (0.5, 0.75, combine_report.LESS), (-0.5, -0.75, combine_report.LESS), (0.5, 0.5, combine_report.MORE),
])  # fmt: skip
def test_a_cell_is_green_where_the_same_advantage_grows(worth: float, change: float, shade: str) -> None:
    """By itself worth less its change; what is the other way round is orange, however large it is."""
    drawn: list[Any] = []
    axes = SimpleNamespace(add_patch=drawn.append, text=lambda *args, **more: None)
    row = Pairing(("x",), "stronger", "", "", Interval(worth, worth, worth), Interval(change, change, change))
    combine_report._cell(axes, 0, 0, row, 1.0, 2, GERMAN)
    assert drawn[0].get_facecolor()[:3] == pytest.approx([int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)])
