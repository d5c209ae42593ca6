"""Loadouts: parts, prices, budgets; entrants of tournaments that differ in what they wear."""

from __future__ import annotations

import copy
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.entrants import LoadoutMatch, entrant_of, equipped
from probespiel.agents.match import Match, Schedule
from probespiel.app.cli import run
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.scorekeeper.armoury import ARMOUR, MELEE_WEAPONS, RANGED_WEAPONS, WEAPONS
from probespiel.envs.scorekeeper.loadouts import PRICES, affordable, characters, parse_loadout, prices_of
from probespiel.envs.scorekeeper.presets import presets
from probespiel.envs.scorekeeper.system import SYSTEM
from probespiel.evaluation.tournament.loadouts import loadout_notes
from probespiel.evaluation.tournament.run import run_tournament
from tests.whole_runs import held


@pytest.fixture(scope="module")
def duel() -> Game:
    return make_game("scorekeeper-duel", "drug_flat")


# --- parts and prices -------------------------------------------------------------------------------------------------


def test_parts_of_a_loadout() -> None:
    fighter = {"name": "x", "team": "a", "wah": 3, "ranged": "bow", "loaded": 0, "armour": ["plate_armour"], "fate": 2}
    worn = parse_loadout("killer+magnum+kevlar_clothing+steel_helmet+reaction_mod=-2").put_on(fighter)
    assert (worn["melee"], worn["ranged"]) == ("unarmed", "magnum") and "loaded" not in worn
    assert worn["armour"] == ["kevlar_clothing", "steel_helmet"] and worn["reaction_mod"] == -2
    assert (worn["wah"], worn["ranged_skill"], worn["fate"], worn["name"]) == (7, 7, 2, "x")
    assert parse_loadout("wah=9").put_on(fighter) == {**fighter, "wah": 9}, "equipment stays where none is named"
    bare = parse_loadout("bare").put_on(fighter)
    assert (bare["melee"], bare["ranged"], bare["armour"]) == ("unarmed", None, [])
    assert set(PRICES) == set(WEAPONS) | set(ARMOUR)
    prices = prices_of({"killer": 3, "reaction_mod": 2})
    assert parse_loadout("killer+magnum+kevlar_clothing+reaction_mod=2").price(prices) == 3 + 4 + 3 + 4
    assert set(characters()) == {f["name"] for setup in presets().values() for f in setup["fighters"]}


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("laser", "part 'laser' is unknown"),
        ("swrd", "did you mean sword"),
        ("", "part '' is unknown"),
        ("sword+", "part '' is unknown"),
        ("bare+sword", "part 'bare' is unknown"),
        ("sword+club", "'club' is a second melee weapon beside 'sword'"),
        ("bow+magnum", "'magnum' is a second ranged weapon"),
        ("killer+derman", "'derman' is a second character"),
        ("steel_helmet+steel_helmet", "worn twice"),
        ("luck=3", "value 'luck' is unknown"),
        ("wah=x", "needs a whole number"),
        ("wah=21", "wah = 21 is not allowed; allowed: 1..20"),
        ("wah=3+wah=4", "'wah' is given twice"),
    ],
)
def test_impossible_loadouts(text: str, part: str) -> None:
    with pytest.raises(RulesetError) as caught:
        parse_loadout(text)
    assert part in str(caught.value)


@pytest.mark.parametrize("budget", [0, 1, 3, 5, 9, 100])
def test_budgets(budget: int) -> None:
    """Everything can be bought, nothing could be added, and no other choice is missing."""
    prices = prices_of({"bow": 5, "derman": 2, "killer": 3})
    people = ("derman", "killer") if budget >= 3 else ()
    found = list(affordable(budget, prices, people))
    assert len(set(found)) == len(found) > 0
    chosen = {frozenset(parse_loadout(text).parts) for text in found}
    suits = [name for name in ARMOUR if name != "steel_helmet"]
    slots = ([*people] or [""], MELEE_WEAPONS, ["", *RANGED_WEAPONS], ["", *suits], ["", "steel_helmet"])
    every = {frozenset(part for part in choice if part not in ("", "unarmed")) for choice in product(*slots)}
    bought = {parts for parts in every if sum(prices.get(part, 0) for part in parts) <= budget}
    assert chosen == {parts for parts in bought if not any(parts < other for other in bought)}
    for text in found:
        assert parse_loadout(text).price(prices) <= budget


def test_bad_prices_and_budgets() -> None:
    for changes, part in (({"laser": 1}, "'laser'"), ({"bow": -1}, "0..1000"), ({"bow": "x"}, "'x'")):
        with pytest.raises(RulesetError, match=part):
            prices_of(changes)
    with pytest.raises(RulesetError, match="budget = -1"):
        list(affordable(-1))
    with pytest.raises(RulesetError, match="character 'bilbo'"):
        list(affordable(3, None, ["bilbo"]))


# --- entrants ---------------------------------------------------------------------------------------------------------


def test_entrants(duel: Game) -> None:
    entrant = entrant_of(" search:sims=50@sword+wah=7 ", duel)
    assert (entrant.agent.name, entrant.agent.values, entrant.loadout) == ("search", {"sims": "50"}, "sword+wah=7")
    assert entrant.text == "search:sims=50@sword+wah=7"
    assert entrant_of("aggressor", duel).loadout == "" and entrant_of("a@b.py:Bot", duel).agent.path == Path("a@b.py")
    for text, error, part in (
        ("aggressor@", AgentError, "comes a loadout"),
        ("aggressor@laser", RulesetError, "'laser'"),
        ("aggressor@res=1+derman", RulesetError, "wounds"),
    ):
        if part == "wounds":
            hurt = presets()["stairwell_rescue"]
            game = Game(SYSTEM.spec_of_setup(hurt), compiled=False)
        else:
            game = duel
        with pytest.raises(error, match=part):
            entrant_of(text, game)
    with pytest.raises(AgentError, match="kuhn has no loadouts"):
        entrant_of("random@sword", make_game("kuhn"))


def test_a_match_of_loadouts_is_the_match_of_the_setups(duel: Game) -> None:
    """Game by game what the same agents play in setups written by hand; the base game is untouched."""
    texts = ["aggressor@sword+kevlar_clothing", "marksman@magnum", "aggressor"]
    n = 40
    seating = np.repeat([[0, 1], [1, 0], [0, 2], [2, 0]], n, axis=0)
    schedule = Schedule.of(5, np.tile(np.arange(n), 4), seating)
    before = copy.deepcopy(duel.spec.options)
    with LoadoutMatch(duel, [entrant_of(text, duel) for text in texts], 5) as match:
        outcome = match.play(schedule)
    assert duel.spec.options == before and not outcome.offences.any()
    gear = {
        0: {"melee": "sword", "ranged": None, "armour": ["kevlar_clothing"]},
        1: {"melee": "unarmed", "ranged": "magnum", "armour": []},
        2: {},
    }
    names = ["aggressor", "marksman"]
    for part in range(4):
        pair = seating[part * n]
        setup = presets()["drug_flat"]
        for fighter, who in zip(setup["fighters"], pair):
            fighter.update(gear[int(who)])
        rows = slice(part * n, (part + 1) * n)
        agents = np.array([0, 1, 0])[seating[rows]]
        with Match(Game(SYSTEM.spec_of_setup(setup)), names, 5, None) as plain:
            want = plain.play(Schedule(agents, schedule.dice[rows], schedule.tables[rows]))
        assert np.array_equal(want.payoffs, outcome.payoffs[rows])
        assert np.array_equal(want.decisions, outcome.decisions[rows])
    teams = make_game("scorekeeper-skirmish", "street_raid")
    with LoadoutMatch(teams, [entrant_of(text, teams) for text in texts], 5) as match:
        played = match.play(Schedule.of(5, np.arange(2), np.array([[0] * 4 + [1] * 4, [1] * 4 + [2] * 4])))
        assert (played.status == 1).all()
        with pytest.raises(ProbespielError, match="all seats of a side"):
            match.play(Schedule.of(5, np.arange(1), np.array([[0, 1] * 4])))
    assert all(f["melee"] == "club" for f in equipped(teams, {"b": "club"}).spec.options["fighters"][4:])


def test_tournament(duel: Game, tmp_path: Path) -> None:
    """A clearly better equipment dominates; a second run of the same settings gives the same."""
    agents = ["aggressor@magnum+plate_armour", "aggressor@throwing_knife", "aggressor@bare"]
    summary = run_tournament(duel, agents, 300, seed=2, out=tmp_path / "one")
    assert summary.names == tuple(agents)
    best = summary.leaderboard[0]
    assert best.name == agents[0] and best.payoff_interval is not None and best.payoff_interval.low > 0
    assert summary.metagame is not None
    for verdict in summary.metagame.verdicts[1:]:
        assert verdict.dominated and verdict.dominator == 0
    page = (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    assert "plate_armour" in page.replace("<wbr/>", "") and "dominates" in page
    assert (
        f"Dominant equipment of aggressor: {agents[0].partition('@')[2]} is shown to beat every other loadout" in page
    )
    assert "Dominated equipment of aggressor: throwing_knife (by magnum+plate_armour, ahead by at least +" in page
    held(
        "tournament of loadouts", tmp_path / "one" / "summary.json", tmp_path / "one" / "report.html", hide=(tmp_path,)
    )
    again = run_tournament(duel, agents, 300, seed=2, out=tmp_path / "two")
    assert again.matrix == summary.matrix


def test_equipment_part_by_part(duel: Game, tmp_path: Path) -> None:
    """Loadouts that differ in one part tell what the part is worth, with everything else the same."""
    agents = [f"aggressor@{parts}" for parts in ("bow+plate_armour", "bow", "magnum+plate_armour", "magnum")]
    summary = run_tournament(duel, agents, 600, seed=2, out=tmp_path)
    notes = "\n".join(loadout_notes(summary))
    leads = re.findall(
        r"All else equal, (\S+) is shown to be better.*?; mean lead in payoff over (\S+) \+(\S+) \(\+.*ahead in (.*)\)",
        notes,
    )
    assert [(best, other, pairs) for best, other, _, pairs in leads] == [
        ("magnum", "bow", "2 of 2"),
        ("plate_armour", "nothing", "2 of 2"),
    ]
    payoffs = [summary.row(name).payoff or 0.0 for name in agents]
    expected = [
        (payoffs[2] + payoffs[3] - payoffs[0] - payoffs[1]) / 2,
        (payoffs[0] - payoffs[1] + payoffs[2] - payoffs[3]) / 2,
    ]
    assert [float(lead) for _, _, lead, _ in leads] == pytest.approx(expected, abs=6e-4)
    held("tournament of loadouts, part by part", tmp_path / "summary.json", tmp_path / "report.html", hide=(tmp_path,))
    assert "All else equal" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_acting_first_is_worth_something(tmp_path: Path) -> None:
    """Value of reaction: in the mirror of swordsmen it grows with the lead, and its interval is above zero."""
    game = make_game("scorekeeper-duel", "blade_mirror")
    agents = [f"aggressor@reaction_mod={lead}" for lead in (0, 5, 10)]
    summary = run_tournament(game, agents, 4000, seed=1, out=tmp_path)
    assert summary.matrix_low is not None
    assert summary.matrix_low[1][0] > 0 and summary.matrix_low[2][0] > 0  # type: ignore[operator]
    notes = loadout_notes(summary)
    gain = summary.matrix[2][0]
    assert gain is not None
    told = [note for note in notes if note.startswith(f"A point of reaction_mod is worth +{gain / 10:.4f} a game")]
    assert len(told) == 1 and told[0].endswith("; 10 against 0).")
    assert sum(note.startswith("A point of") for note in notes) == 3


# --- command line -----------------------------------------------------------------------------------------------------


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "own"
    plain = ["tournament", "scorekeeper-duel", "--agents", "aggressor,marksman", "--games", "20", "--jobs", "1"]
    worn = ["--loadout", "sword+steel_helmet", "--loadout", "bare", "--out", str(folder)]
    assert run([*plain, *worn]) == 0
    out = capsys.readouterr()
    for agent, loadout in product(("aggressor", "marksman"), ("sword+steel_helmet", "bare")):
        assert f"{agent}@{loadout}" in out.err
    plain[3] = "aggressor"
    budget = ["--budget", "1", "--price", "bow=1", "--price", "derman=0", "--character", "derman"]
    budget += ["--out", str(folder), "--overwrite"]
    assert run([*plain, *budget]) == 0
    told = capsys.readouterr().err
    assert "aggressor@derman+club" in told and "aggressor@derman+bow" in told and "sword" not in told


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["scorekeeper-duel", "--loadout", "laser"], "part 'laser' is unknown"),
        (["scorekeeper-duel", "--budget", "3", "--price", "laser=2"], "'laser'"),
        (["scorekeeper-duel", "--price", "sword=2"], "--price and --character go with --budget"),
        (["scorekeeper-duel", "--budget", "3", "--character", "bilbo"], "character 'bilbo'"),
        (["kuhn", "--budget", "3"], "kuhn has no loadouts"),
        (["kuhn", "--agents", "random@sword,honest"], "kuhn has no loadouts"),
    ],
)
def test_wrong_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], part: str) -> None:
    assert run(["tournament", *arguments, "--games", "4", "--jobs", "1", "--out", str(tmp_path / "x")]) == 2
    err = capsys.readouterr().err.splitlines()
    assert err[-1].startswith("error: ") and part in err[-1]
    assert not (tmp_path / "x").exists()
