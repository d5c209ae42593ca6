"""What a hint foresees of builds: the best found behind each option against the equilibrium; the books that ship."""

from __future__ import annotations

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.oneshot import shipped as ships
from probespiel.agents.oneshot.books import equilibrium_book, find_reply, plainly, variants
from probespiel.agents.oneshot.duels import Duels
from probespiel.agents.oneshot.foreseen import begun, foreseen
from probespiel.agents.oneshot.shipped import shipped
from probespiel.agents.oneshot.tries import TRIES
from probespiel.app.session.advice import BEST, Adviser
from probespiel.app.terminal.hint import lines_of
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game, system_of
from probespiel.envs.oneshot.state import STAGES


@pytest.fixture(scope="module")
def arena() -> Game:
    return make_game("oneshot-build", "arena")


def test_books_ship_for_every_scenario() -> None:
    """Levels and hints of builds begin at once: making the books took a newcomer minutes."""
    for scenario in system_of("oneshot-build").scenarios("oneshot-build"):
        params = plainly(make_game("oneshot-build", scenario, compiled=False)).spec.params
        for kind, names in (("find_reply", "choices chances"), ("find_equilibrium", "choices chances"),
                            (TRIES, "choices ranks shares")):  # fmt: skip
            found = shipped(kind, params)
            assert found is not None and sorted(found) == sorted(names.split()), (scenario, kind)
    changed = plainly(make_game("oneshot-build", compiled=False)).spec.params.copy()
    changed["max_count"] += 1
    assert shipped("find_reply", changed) is None, "other rules have other books"


def test_nothing_gains_against_the_equilibrium_that_ships(arena: Game) -> None:
    """Not by another choice in one stage; duels that have changed would show here."""
    duels, book = Duels(plainly(arena)), equilibrium_book(arena)
    against = duels.figures(book.choices)
    for build in book.choices:
        for stage in (0, 1, STAGES - 1):
            around = duels.figures(variants(duels.game, build, stage))
            assert float((duels.matrix(around, against) @ book.chances).max()) <= 1e-9
    assert np.isclose(book.chances.sum(), 1.0)


@pytest.mark.slow
def test_the_reply_that_ships_is_the_one_that_is_found(arena: Game) -> None:
    kept, made = shipped(find_reply.__name__, plainly(arena).spec.params), find_reply(Duels(plainly(arena)))
    assert kept is not None and all((kept[name] == made[name]).all() for name in made)


def test_a_hint_in_builds_is_what_the_equilibrium_takes(arena: Game) -> None:
    """Stage by stage the option of the book, worth what it earns from itself; whatever else is taken earns less."""
    book = equilibrium_book(arena)
    build, position = book.choices[0], arena.position(3)
    for stage in range(STAGES):
        view = View.of(position, 0)
        if len(view.legal) > 1 and stage in (3, 9):
            found = foreseen(arena, view)
            assert found is not None
            options = list(found)
            assert options[0] == build[stage] and found[options[0]] == pytest.approx(0.0, abs=1e-9)
            assert all(worth <= 1e-9 for worth in found.values()) and min(found.values()) < -0.1
            assert [round(found[o], 6) for o in options] == sorted((round(v, 6) for v in found.values()), reverse=True)
            counsel = Adviser(600.0).best(arena, view)
            assert counsel.foreseen and not counsel.mixed and len(counsel.best) == min(BEST, len(options))
            assert [one.action for one in counsel.best] == options[:BEST] and counsel.best[0].error == 0.0
            texts = {a: f"option {a}" for a in view.legal}
            lines = lines_of(counsel, texts, "en", (-1.0, 1.0), dict.fromkeys(view.legal, "4 % of the points"))
            assert "4 %" not in " ".join(lines), "what stands beside it is worked out otherwise"
            assert lines[0] == "Best against an equilibrium, by exact odds and the best found behind each"
            assert lines[2] == f"  1. option {build[stage]}   +0.00"
        position.apply(0, int(build[stage]))
        position.apply(1, position.legal(1)[0])


def test_what_was_bettered_is_what_the_whole_build_earns(arena: Game) -> None:
    """After a choice that the book does not make: no less than its own builds with that choice, played out."""
    position = arena.position(3)
    position.apply(0, 5)
    position.apply(1, position.legal(1)[0])
    view = View.of(position, 0)
    hasty, patient = foreseen(arena, view, 0.0), foreseen(arena, view)
    assert hasty is not None and patient is not None
    assert set(hasty) == set(patient) == set(view.legal), "none is left out, however little time there is"
    assert all(patient[option] >= hasty[option] - 1e-12 for option in hasty)
    book, duels = equilibrium_book(arena), Duels(plainly(arena))

    class Plain:
        plain = duels.game

    for option in view.legal[:3]:
        build = begun(Plain, [5, option], book.choices[0])  # type: ignore[arg-type]
        assert build[0] == 5 and build[1] == option
        earned = float(duels.matrix(duels.figures(build[None, :]), duels.figures(book.choices))[0] @ book.chances)
        assert patient[option] >= earned - 1e-12


def test_nothing_is_foreseen_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted rules, other games, rules whose book does not ship, and builds that are fought out on the grid."""
    plain = make_game("oneshot-build", "arena", compiled=False)
    assert foreseen(plain, View.of(plain.position(1), 0), 0.0) is None
    parley = make_game("oneshot-parley", compiled=False)
    assert foreseen(parley, View.of(parley.position(1), 0), 0.0) is None
    monkeypatch.setattr(ships, "_all", dict)
    assert shipped("find_reply", plainly(plain).spec.params) is None
