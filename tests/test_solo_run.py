"""Runs: a party goes from mission to mission, is paid, and goes on where it stopped, whatever ended the program."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.app.cli_solo import AtTerminal, play_run
from probespiel.app.cli_stats import run_lines
from probespiel.app.oneshot.recruit import Menu, bought
from probespiel.app.oneshot.solo import CONFIG, outcome, setup_of, survivors
from probespiel.app.session import solo
from probespiel.app.session import standing as standing_of
from probespiel.app.session.solo import Host, Notes, RunError, run_of
from probespiel.app.terminal.menu import Left
from probespiel.envs.core.game import Game, GameSpec, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.character.sheet import normal, problems_of
from probespiel.envs.oneshot.params import check_options
from probespiel.envs.oneshot.system import SYSTEM

from .test_play import Script


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path))


class Killed(Exception):
    """The program ends here."""


class Scripted(Host):
    """Answers at random, plays no mission but tells how it went; killed after so many answers."""

    def __init__(self, notes: Notes, seed: int, missions: int, killed: int = 10**9) -> None:
        super().__init__(notes)
        self.lot, self.missions, self.left = random.Random(seed), missions, killed
        self.setups: list[Mapping[str, Any]] = []
        self.shown: list[str] = []

    def show(self, text: str) -> None:
        self.shown.append(text)

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def ask(self, question: str, options: Sequence[str]) -> int:
        assert len(set(options)) == len(options) > 1
        self._count()
        if options[0] in ("go on", "weiter"):
            return 0
        return self.lot.randrange(len(options))

    def game(
        self, make: Callable[[], GameSpec], cast: Callable[[Game], Mapping[int, str]], seed: int,
        outcome: Callable[[Position], dict[str, Any]],
    ) -> dict[str, Any]:  # fmt: skip
        found = self.notes.take("outcome")
        if found is None:
            self._count()
            found = self._fought(make)
            self.notes.add("outcome", found)
        return found

    def _fought(self, make: Callable[[], GameSpec]) -> dict[str, Any]:
        spec = make()
        self.setups.append(spec.options)
        size = len(spec.seats)
        heroes = [
            {"alive": len(self.setups) < self.missions, "wounds": 2, "saga": 1, "items": [1, 0, 0], "tools": [True] * 5}
            for _ in range(size)
        ]
        return {"success": True, "kept": 2, "heroes": heroes}


@pytest.mark.parametrize("lang", ["en", "de"])
def test_missions_grow_points_are_spent_and_the_score_is_kept(lang: str) -> None:
    for seed in range(2):
        host = Scripted(Notes.begin("oneshot", run_of("oneshot").checked({}), seed, lang), seed, 5)
        score = play_run(host, run_of("oneshot"))
        assert score.points == 1 + 1 + 2 + 2 + 3
        assert [setup["config"]["sg"] for setup in host.setups] == [1, 1, 2, 2, 3]
        for setup in host.setups[1:]:
            for hero in setup["heroes"]:
                assert hero["wounds"] == ("will_to_live" in hero["char"]["perks"])
                assert hero["char"]["items"] == {"heal_draught": 1} and hero["saga_points"] <= 1 + 3
        assert not solo.left("oneshot")
    assert [one.points for one in solo.ended()] == [9.0] * 2
    assert any("9" in line and "oneshot" in line for line in run_lines(solo.ended(), lang))


def test_a_killed_run_goes_on_as_if_nothing_had_happened() -> None:
    settings = run_of("oneshot").checked({"wounds": "carried"})
    whole = Scripted(Notes.begin("oneshot", settings, 1, "en"), 4, 4)
    score = play_run(whole, run_of("oneshot"))
    answers, setups = random.Random(4), []
    found, kill = None, 0
    notes = Notes.begin("oneshot", settings, 1, "en")
    host = Scripted(notes, 4, 4, killed=2)
    for kill in range(200):
        host.lot, host.setups = answers, setups
        try:
            found = play_run(host, run_of("oneshot"))
            break
        except Killed:
            notes.close()
            path = solo.left("oneshot")[0]
            if kill % 2:  # half a line was written
                path.write_bytes(path.read_bytes() + b'{"pick": ')
            notes = Notes.go_on(path)
            host = Scripted(notes, 4, 4, killed=2)
    assert found == score and setups == whole.setups and kill > 5
    assert all(hero["wounds"] == 2 for hero in setups[-1]["heroes"])


def test_pay_is_not_told_where_nobody_is_left() -> None:
    hero = {"char": {"hero": "archer"}, "saga": 1, "wounds": 0}
    kit = built_in_kit()
    dead = {"alive": False, "wounds": 6, "saga": 0, "items": [0, 0, 0], "tools": [False] * len(kit.tools)}
    told = paid([hero], {"success": False, "kept": 1, "heroes": [dead]})
    assert told == ["The mission is over: failed.", "  Bo is dead."]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_questions_between_missions_say_what_they_are_about_and_explain_terms(lang: str) -> None:
    """The terminal: a hero bought point by point, `explain` before a choice, and `q`."""
    script = Script("1", "7", "explain hardened", "erkläre", "explain nothing", "1", "explain body", "12", "q")
    notes = Notes.begin("oneshot", run_of("oneshot").checked({}), 3, lang)
    host = AtTerminal(notes, 0.1, script.read, script.write)
    with pytest.raises(Left):
        play_run(host, run_of("oneshot"))
    told = " ".join(script.text.split())
    notes.close()
    assert (". A perk." if lang == "en" else "Ein Spezifikum. [R130]") in told
    assert ("Explain what?" if lang == "en" else "Was denn?") in told and "nothing" in told
    assert (
        "Distribute 3 points among strength, stamina, agility:"
        if lang == "en"
        else "Verteile 3 Punkte auf Stärke, Kondition, Geschick:"
    ) in told
    assert ("Body gives points" if lang == "en" else "Körper gibt Punkte") in told
    assert len(run_of("oneshot").guide_in(lang)) == 4


def test_one_point_is_not_told_as_several() -> None:
    script = Script("1", "7", "1", "3", "q")
    notes = Notes.begin("oneshot", run_of("oneshot").checked({}), 3, "en")
    host = AtTerminal(notes, 0.1, script.read, script.write)
    with pytest.raises(Left):
        play_run(host, run_of("oneshot"))
    notes.close()
    assert "Distribute 1 point among strength" in script.text


def test_heroes_that_are_bought_are_legal() -> None:
    options, kit = check_options({**CONFIG, "strict_builds": True}, "mission"), built_in_kit()
    for seed in range(10):
        host = Scripted(Notes.begin("oneshot", run_of("oneshot").checked({}), seed, "en"), seed, 1)
        char = bought(Menu(host, options, kit))
        assert problems_of(char, options, kit) == [], char
        host.notes.close()


def paid(heroes: list[dict[str, Any]], found: Mapping[str, Any]) -> list[str]:
    """What is told when a mission has ended in such a way."""
    host = Scripted(Notes.begin("oneshot", run_of("oneshot").checked({}), 1, "en"), 1, 1)
    kit = built_in_kit()
    copies = [{**hero, "char": {"name": "Bo", **normal(hero["char"], kit)}} for hero in heroes]
    left = survivors(host, copies, found, check_options(CONFIG, "mission"), kit)
    alive = [state for state in found["heroes"] if state["alive"]]
    assert [hero["saga"] for hero in left] == [state["saga"] + 1 + found["kept"] for state in alive]
    host.notes.close()
    return host.shown


def test_a_mission_is_counted_as_it_ended() -> None:
    fighter = {"hero": "fighter", "name": "Ada"}
    heroes = [{"char": fighter, "saga": 3, "wounds": 2}, {"char": {"hero": "archer"}, "saga": 0, "wounds": 0}]
    game = Game(SYSTEM.spec_of_setup(setup_of(heroes, 2), "oneshot-mission"), compiled=False)
    assert [seat.name for seat in game.seats] == ["Ada", "archer"]
    position, lot = game.position(), random.Random(3)
    while not position.over:
        if faces := position.die():
            position.fall(lot.randrange(faces))
            continue
        seat = position.to_act()[0]
        abort = [a for a in position.legal(seat) if game.actions.codes[a] == "abort"]
        position.apply(seat, abort[0] if abort else lot.choice(position.legal(seat)))
    found = outcome(position)
    assert json.loads(json.dumps(found)) == found and not found["success"]
    told = [line for line in paid(heroes, {**found, "kept": 1}) if "taking part" in line]
    assert len(told) == 1 and "1 saga point for taking part, and 1 for optional conditions" in told[0]
    assert not [line for line in paid(heroes, {**found, "kept": 0}) if "taking part" in line]
    assert found["heroes"][0] == {
        "alive": True, "wounds": 2, "saga": 3, "items": [0, 0, 0], "tools": [False] * len(found["heroes"][0]["tools"]),
    }  # fmt: skip


class Typed:
    """Lines typed at a terminal, then its end."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)

    def __call__(self, prompt: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def test_a_game_of_a_run_is_played_kept_and_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def course(host: Host) -> solo.Score:
        host.tell("one game")
        bets = host.pick("how?", ["carefully", "boldly"])
        found = host.game(
            lambda: make_game("kuhn", compiled=False).spec, lambda game: {0: "human", 1: "random"}, 5,
            lambda position: {"payoff": float(position.returns()[0])},
        )  # fmt: skip
        return solo.Score(found["payoff"] + bets, f"it was {found['payoff']:+g}")

    run = solo.SoloRun(("a game", "ein Spiel"), course)

    def sat(notes: Notes, lines: Sequence[str]) -> AtTerminal:
        return AtTerminal(notes, read=Typed(lines), write=said.append, compiled=False)

    notes = Notes.begin("kuhn", {}, 1, "en")
    with pytest.raises(Left):
        play_run(sat(notes, ["nonsense", "BOLD"]), run)
    notes.close()
    path = solo.left("kuhn")[0]
    kept = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert kept[0] == {"pick": 1} and list(kept[1]) == ["game"] and "one game" in said
    said.clear()
    score = play_run(sat(Notes.go_on(path), ["1", "1", "1"]), run)
    assert "one game" not in said and "it was" in score.words
    assert not path.exists() and solo.ended()[0].points == score.points
    # over, but the program was killed before it could note that
    again = Notes.begin("kuhn", {}, 1, "en")
    for line in kept:
        again.add(*next(iter(line.items())))
    again.close()
    assert play_run(sat(Notes.go_on(again.path), []), run) == score


def test_what_cannot_be_run_is_said() -> None:
    with pytest.raises(RunError, match="einblatt, oneshot"):
        run_of("kuhn")
    with pytest.raises(RunError, match="wounds = 'none' is not allowed: healed, carried"):
        run_of("oneshot").checked({"wounds": "none"})
    with pytest.raises(RunError, match="setting 'luck' is unknown: companions, wounds"):
        run_of("oneshot").checked({"luck": "much"})
    with pytest.raises(RunError, match="no run"):
        bad = solo.runs_folder() / "x.run"
        bad.parent.mkdir(parents=True)
        bad.write_text("{}\n")
        Notes.go_on(bad)
    assert solo.left("oneshot") == [] and run_of("einblatt").about[0].startswith("The campaign")


def test_a_choice_can_be_taken_back_and_a_game_cannot(tmp_path: Path) -> None:
    """What was chosen last is gone from the file; before any answer, and after a game, nothing can be taken back."""
    notes = Notes.begin("oneshot", {}, 1, "en", tmp_path)
    assert not notes.can_take_back
    notes.add("pick", 2)
    notes.add("outcome", {"success": True})
    assert not notes.can_take_back
    with pytest.raises(RunError, match="only a choice can be taken back"):
        notes.take_back()
    notes.add("pick", 0)
    notes.add("pick", 1)
    assert notes.can_take_back and notes.answers == 4
    notes.take_back()
    again = Notes.go_on(notes.path)
    assert again.known == [{"pick": 2}, {"outcome": {"success": True}}, {"pick": 0}] and again.can_take_back
    again.take_back()
    last = Notes.go_on(notes.path)
    assert last.answers == 2 and not last.can_take_back
    last.close()


def test_a_host_speaks_the_language_of_its_run(tmp_path: Path) -> None:
    for lang, told in (("de", "ja"), ("en", "yes")):
        notes = Notes.begin("oneshot", {}, 1, lang, tmp_path)
        assert Host(notes).text("yes", "ja") == told
        notes.close()


@pytest.mark.parametrize("known", [True, False])
def test_what_a_run_tells_after_the_last_answer_is_new(known: bool) -> None:
    """Texts before an answer that the file knows were read already; those after the last one were not."""
    reader = standing_of._Reader.__new__(standing_of._Reader)
    reader.notes, reader.told = cast(Any, SimpleNamespace(known=[1] if known else [])), standing_of._Told()
    reader.tell("text")
    assert (reader.told.before, reader.told.since) == ((["text"], []) if known else ([], ["text"]))


def test_opponents_of_the_einblatt_run_take_the_time_given() -> None:
    """They took two seconds a decision whatever was asked for."""
    met: list[Mapping[int, str]] = []

    def game(make: Callable[[], GameSpec], cast: Callable[[Game], Mapping[int, str]], *_: object) -> dict[str, Any]:
        met.append(cast(Game(make(), compiled=False)))
        return {"payoff": 0.0}

    host: Any = SimpleNamespace(
        lang="en", seed=1, think=0.25, tell=lambda text: None, text=lambda english, german: english, game=game
    )
    run_of("einblatt").course(host)
    assert met == [{0: "human", 1: "search:sims=4000,seconds=0.25"}]
    notes = Notes.begin("einblatt", {}, 1, "en")
    assert AtTerminal(notes, 0.5).think == 0.5
    notes.close()
