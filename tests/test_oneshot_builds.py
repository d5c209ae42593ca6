"""The build search of OneShot: legal builds, figures, the equilibrium over all of them, saga points, files."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.oneshot import books
from probespiel.agents.oneshot.books import best_reply_book, equilibrium_book, uniform_builds
from probespiel.agents.oneshot.duels import Duels
from probespiel.app import cli
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.oneshot import exact
from probespiel.envs.oneshot.build.legal import count_builds
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.character.sheet import normal, problems_of, rank_cost
from probespiel.envs.oneshot.params import check_options
from probespiel.envs.oneshot.system import SYSTEM
from probespiel.evaluation.oneshot import builds_report as report
from probespiel.evaluation.oneshot.builds import (
    TACTICS,
    Field,
    figure_of,
    legal_builds,
    perks_of_text,
    raised,
    search_builds,
    solve_field,
)
from tests.test_oneshot_build import character
from tests.whole_runs import held

KIT = built_in_kit()
SHORT: dict[str, Any] = {"max_count": 40, "gear_budget": 4, "attribute_points": 3, "attribute_cap": 2}


def test_every_legal_build_of_a_class_is_there() -> None:
    options = check_options({}, "build")
    builds = list(legal_builds(options, KIT, "axes", [()], ("attack",)))
    assert len(builds) == 3 * count_builds(5, False) == 3 * 1907  # the axe leaves money for three armours
    assert all(problems_of(char, options, KIT) == [] for char, _ in builds[::97])
    gifted = list(legal_builds(options, KIT, "club", [("special_gift",)], ("attack",)))
    assert len(gifted) == 4 * count_builds(5, True)
    assert all(problems_of(char, options, KIT) == [] for char, _ in gifted[::97])
    assert len({json.dumps(char) for char, _ in builds}) == len(builds)


def test_figures_are_those_of_the_rules() -> None:
    """From a character as from the ten choices; and duels in bulk are those of the plain solver."""
    game = make_game("oneshot-build", "literal", max_count=40, allow_will_to_live=True)
    options = check_options({"max_count": 40, "allow_will_to_live": True}, "build")
    duels = Duels(game)
    choices = uniform_builds(game, 60, 5)
    figures = duels.figures(choices)
    chars = [character(row) for row in choices]
    tactics = [TACTICS[int(row[9])] for row in choices]
    for figure, char, tactic in zip(figures, chars, tactics, strict=True):
        mine = list(figure_of(char, tactic, options, KIT))
        if tactic == "attack":
            figure[9] = 0  # nobody asks
        assert figure.tolist() == mine, (char, tactic)
    pairs = np.array([(i, i + 1) for i in range(10)])
    for (a, b), row in zip(pairs, duels.play(figures, pairs), strict=True):
        want = exact.duel([chars[a], chars[b]], options, [tactics[a], tactics[b]], 40)
        assert row == pytest.approx([want["a"], want["b"], want["draw"]], abs=1e-9)
    with pytest.raises(ProbespielError, match="figures"):
        duels.play(figures, np.array([[0, 99]]))
    with pytest.raises(ProbespielError, match="oneshot-build"):
        Duels(make_game("kuhn"))


def test_nobody_gains_against_the_equilibrium(tmp_path: Path) -> None:
    found = search_builds("axes", "arena", SHORT, "none", TACTICS, (3,), 0, 2)
    assert found.legal == int(found.field.counts.sum())
    duels = Duels(make_game("oneshot-build", "arena", **SHORT))
    support = found.equilibrium.support()
    mixture = np.array([weight for _, weight in support])
    assert mixture.sum() == pytest.approx(1.0)
    columns = found.field.figures[[i for i, _ in support]]
    assert (duels.matrix(found.field.figures, columns) @ mixture).max() < 1e-8
    worse = found.equilibrium.dominated()
    assert worse.any() and not worse[[i for i, _ in support]].any()
    # the whole matrix of a part of the field says the same
    part = np.unique(np.concatenate([np.arange(0, len(found.field), 9), [i for i, _ in support]]))
    some = Field([found.field.chars[i] for i in part], [found.field.tactics[i] for i in part],
                 found.field.figures[part], found.field.counts[part])  # fmt: skip
    assert solve_field(duels, some).values.max() < 1e-8
    assert [step.points for step in found.advanced] == [3] and len(found.advanced[0].field) > 20
    paths = report.write(found, tmp_path / "new")
    assert [p.name for p in paths] == ["builds.txt", "builds.csv", "builds.json", "builds.svg"]
    assert len((tmp_path / "new" / "builds.csv").read_text().splitlines()) == 1 + len(found.field)
    data = json.loads((tmp_path / "new" / "builds.json").read_text())
    held("builds of axes", data, paths[0], paths[1], hide=(tmp_path,))
    assert sum(entry["weight"] for entry in data["equilibrium"]) == pytest.approx(1.0)
    assert "Gleichgewicht" in report.text_of(found, "de") or "überlegen" in report.text_of(found, "de")


def test_saga_points_are_spent_by_the_rules() -> None:
    options = check_options({}, "build")
    fighter = {**KIT.heroes["fighter"]}
    char = normal(fighter, KIT)
    ways = list(raised(char, 8, options, KIT))
    assert char in ways
    assert any(way["body"] == 4 and way["strength"] == 3 and way["base_attack"] == 2 for way in ways)  # 4 + 4 points
    assert any(way["skills"]["axes"] == 5 and way["base_attack"] == 1 for way in ways)
    assert any(way["strength"] == 3 for way in ways)  # 3 + 2
    assert not any(way["body"] == 4 and way["skills"]["axes"] == 5 for way in ways)
    assert char["body"] == 3 and char["skills"]["axes"] == 4


@pytest.mark.parametrize("surcharge", ["linear", "progressive"])
@pytest.mark.parametrize("rank", range(1, 6))
def test_what_mind_grants_goes_into_the_group_as_far_as_it_lasts(rank: int, surcharge: str) -> None:
    """Five skill points, of which a rank that is not reached takes none."""
    options = check_options({"skill_surcharge": surcharge}, "build")
    char = normal({**KIT.heroes["fighter"]}, KIT)
    char["skills"] = {**char["skills"], "axes": rank}
    ways = [w for w in raised(char, 20, options, KIT) if w["mind"] == char["mind"] + 1]
    most = max(r for r in range(rank, 20) if rank_cost(r, surcharge) - rank_cost(rank, surcharge) <= 5)
    least = min(way["skills"]["axes"] for way in ways)
    assert least == most, "others have spent more on it"


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--weapon", "spear"], ["spear", "axes", "crossbow"]),
        (["--perks", "flight"], ["flight", "patient"]),
        (["--tactics", "hide"], ["hide", "diplomat"]),
        (["--saga", "many"], ["many", "whole numbers"]),
        (["--saga", "99"], ["99", "1..20"]),
        (["--saga", "0"], ["saga = 0 is", "1..20"]),
        (["--set", "pilot=grid"], ["pilot", "grid"]),
        (["--set", "gear_budget=3", "--weapon", "axe"], ["no legal build"]),
    ],
)
def test_wrong_input(arguments: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["builds", "oneshot", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    for part in parts:
        assert part in error


def test_perks_by_text() -> None:
    options = check_options({}, "build")
    assert perks_of_text("none", options) == [()]
    assert perks_of_text("luck+patient", options) == [("luck", "patient")]
    assert perks_of_text("patient+luck,finesse", options) == [("luck", "patient"), ("finesse",)]
    assert len(perks_of_text("all", options)) == 64  # without will_to_live


def test_a_book_serves_all_rules_whose_builds_fight_alike(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Modules and the grid change nothing in it; other options of the duel do."""
    monkeypatch.setenv("PROBESPIEL_CACHE", str(tmp_path))
    monkeypatch.setattr(books, "_BOOKS", {})
    module = tmp_path / "idle.py"
    module.write_text(
        "from probespiel.envs.oneshot.module import Module\n"
        "module = Module('idle', 'Does nothing.', levels=('build',))\n"
    )
    asked = []

    def find(duels: Duels) -> dict[str, np.ndarray]:
        asked.append((duels.game.params.max_count, duels.game.spec.options))
        return {"choices": np.zeros((1, 10), np.int64), "chances": np.ones(1)}

    plain = books.book_of(make_game("oneshot-build", **SHORT, compiled=False), find)
    with_module = make_game("oneshot-build", modules={str(module): {"seats": [1]}}, **SHORT, compiled=False)
    assert books.book_of(with_module, find) is plain
    assert books.book_of(make_game("oneshot-build", pilot="grid", **SHORT, compiled=False), find) is plain
    assert len(asked) == 1 and not asked[0][1].get("modules")
    books._BOOKS.clear()
    assert books.book_of(with_module, find).choices.tolist() == plain.choices.tolist()
    assert len(asked) == 1, "kept on disk"
    longer = make_game("oneshot-build", **{**SHORT, "max_count": 41}, compiled=False)
    assert books.book_of(longer, find) is not plain and asked[1][0] == 41


def test_no_other_choice_in_one_stage_betters_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against two builds, with made-up duels: the reply is the best of all that differ from it in one choice."""
    game = make_game("oneshot-build", **SHORT, compiled=False)
    rng = np.random.default_rng(3)
    worth = [rng.normal(size=128) for _ in range(10)]

    class Made:
        """Duels whose result is a sum over the choices; the last two figures are the opponents."""

        game = make_game("oneshot-build", **SHORT, compiled=False)

        def figures(self, choices: np.ndarray) -> np.ndarray:
            return np.asarray(choices)

        def matrix(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
            sums = np.array([sum(worth[k][row[k]] for k in range(10)) for row in rows])
            return sums[:, None] - np.array([0.0, 1.0])[None, :]

    duels: Any = Made()
    starts = uniform_builds(game, 4, 5)
    chances = np.array([0.25, 0.75])
    found, value = books.best_reply(duels, starts[:2], chances, starts)
    around = np.concatenate([books.variants(game, found, stage) for stage in range(10)])
    assert value == pytest.approx((duels.matrix(found[None, :], starts[:2]) @ chances)[0])
    assert value >= (duels.matrix(around, starts[:2]) @ chances).max() - 1e-9
    assert value > (duels.matrix(starts, starts[:2]) @ chances).max()


def test_an_equilibrium_is_looked_for_from_builds_of_all_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three kinds in a circle, each of perks and a weapon, of which the list holds one alone, and the others' perks.

    From the one that wins within the list no single other choice is better: what beats it lies one choice from others.
    """
    arena = make_game("oneshot-build", **SHORT)
    perks, weapons = books.options_at(arena, np.zeros(10, dtype=np.int64), 0)[:3], (0, 1, 2)
    listed = np.zeros((4, 10), dtype=np.int64)
    listed[:, 0], listed[:, 6] = [perks[0], perks[1], perks[2], perks[1]], [0, 2, 0, 0]

    class Circle:
        game = arena

        def figures(self, choices: np.ndarray) -> np.ndarray:
            return np.asarray(choices)

        def matrix(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
            kinds = list(zip(perks, weapons, strict=True))

            def kind(build: np.ndarray) -> int:
                return kinds.index((build[0], build[6])) if (build[0], build[6]) in kinds else -1

            def lead(one: int, other: int) -> float:
                if min(one, other) < 0:
                    return float((one >= 0) - (other >= 0))
                return [0.0, 1.0, -1.0][(one - other) % 3]

            return np.array([[lead(kind(row), kind(column)) for column in columns] for row in rows])

    monkeypatch.setattr(books, "uniform_builds", lambda game, n, seed: listed)
    monkeypatch.setattr(books, "best_reply_book", lambda game: books.Book(listed[:1], np.ones(1)))
    duels: Any = Circle()
    found = books.find_equilibrium(duels)
    assert sorted(map(tuple, found["choices"][:, [0, 6]].tolist())) == sorted(zip(perks, weapons, strict=True))
    assert found["chances"] == pytest.approx(np.full(3, 1 / 3))


def test_starts_of_replies_are_the_best_of_different_perks() -> None:
    builds = np.zeros((8, 10), dtype=np.int64)
    builds[:, 0] = [4, 4, 2, 2, 7, 1, 9, 3]
    builds[:, 1] = range(8)
    worth = np.array([0.1, 0.3, 0.2, -0.5, 0.0, -0.1, -0.9, -0.2])
    assert books.unlike(builds, worth)[:, 1].tolist() == [1, 2, 4, 5, 7]


def test_builders_exchange_their_modules() -> None:
    """All else is alike at both seats, so that the mirrored game is the one in which the other has the module."""
    options = {"config": {"pilot": "grid"}, "modules": {"a": {"seats": ["first"]}, "b": {"seats": [0, 1]}, "c": None}}
    mirrored = SYSTEM.mirrored(copy.deepcopy(options))
    assert mirrored["modules"] == {"a": {"seats": [1]}, "b": {"seats": [1, 0]}, "c": None}
    assert mirrored["config"] == options["config"] and options["modules"]["a"] == {"seats": ["first"]}
    with pytest.raises(ProbespielError, match="figures"):
        SYSTEM.mirrored({"config": {}, "figures": {}})


@pytest.mark.slow
def test_skirmishes_and_books() -> None:
    """Sampled duels of the best builds, and the baselines that stand on the same duels."""
    found = search_builds("axes", "arena", SHORT, grid_games=100)
    sampled = found.sampled
    assert sampled is not None
    assert np.allclose(sampled.means, -sampled.means.T) and (np.abs(sampled.means) <= 1).all()
    assert sampled.errors.max() < 0.15
    game = make_game("oneshot-build", "arena", **SHORT)
    duels = Duels(game)
    uniform = duels.figures(uniform_builds(game, 100, 77))
    greedy = best_reply_book(game)
    assert (duels.matrix(duels.figures(greedy.choices), uniform)).mean() > 0.2
    book = equilibrium_book(game)
    assert book.chances.sum() == pytest.approx(1.0)
    mixed = duels.figures(book.choices)
    assert (duels.matrix(uniform, mixed) @ book.chances).max() < 0.05
