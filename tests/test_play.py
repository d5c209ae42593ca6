"""Terminal play: whole games by scripted input in both languages, wrong input, leaving, saving and resuming."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer

from probespiel.agents.base import AgentError, View
from probespiel.agents.human import HumanAgent, NotUnderstood, Speech, listed, understand
from probespiel.agents.registry import make_agent
from probespiel.app import cli_play, opponents
from probespiel.app.cli_play import play as play_command
from probespiel.app.session.casting import cast
from probespiel.app.session.journal import games_folder
from probespiel.app.session.table import Table
from probespiel.app.terminal.ending import END_OF_INPUT, FORFEIT, INTERRUPTED, OVER, QUIT, Ending
from probespiel.app.terminal.messages import COMMANDS, MESSAGES, command_of, say
from probespiel.app.terminal.play import Session
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import systems
from probespiel.envs.core.replay import load
from probespiel.envs.einblatt.system import SYSTEM
from tests.modules.play import LEVELS

BOTS = Path(__file__).parent / "bots.py"


def interpreted(setup: dict[str, Any]) -> Game:
    return Game(SYSTEM.spec_of_setup(setup), compiled=False)


def duel_setup(**config: Any) -> dict[str, Any]:
    billy = {"name": "Billy", "kind": "pc", "attribute": 3, "suits": "C", "hand": ["C10", "SQ", "H7"]}
    tree = {"name": "Tree", "kind": "npc", "cards": 3, "suits": "", "hand": ["S8", "HA", "D9"]}
    return {"level": "duel", "config": config, "seats": [billy, tree]}


@pytest.fixture
def duel() -> Game:
    return interpreted(duel_setup())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own, and games are kept in another one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path / "data"))
    return tmp_path / "here"


class Script:
    """Typed lines, and everything that was printed; a callable line is called, the end of the lines is EOF."""

    def __init__(self, *lines: str | Callable[[], str]) -> None:
        self.lines = list(lines)
        self.text = ""
        self.prompts: list[str] = []

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self.text += prompt
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        typed = line if isinstance(line, str) else line()
        self.text += f"«{typed}»\n"
        return typed

    def write(self, text: str) -> None:
        self.text += text + "\n"


def run(
    game: Game, *lines: str | Callable[[], str], agents: dict[int, str] | None = None, **more: Any
) -> tuple[Ending, Script]:
    """Play a session with typed lines against the first legal action; it is written to a file here."""
    script = Script(*lines)
    resumed, path = more.pop("resume", None), more.pop("path", Path(f"{game.name}-3.json"))
    table = Table(
        game,
        agents or cast(game, None, "first"),
        more.pop("seed", 3),
        lang=more.pop("lang", "en"),
        entries=resumed.steps if resumed else (),
    )
    table.prepare()
    session = Session(table, path=path, read=script.read, write=script.write, **more)
    return session.run(), script


# --- whole games ----------------------------------------------------------------------------------------------------


def assert_lines(script: Script, *wanted: str) -> None:
    """These lines were printed, in this order."""
    printed = iter(script.text.splitlines())
    for line in wanted:
        assert line in printed, f"{line!r} is missing in\n{script.text}"


def test_english(duel: Game) -> None:
    ending, script = run(duel, "1", "spades QUEEN", "H7")
    assert ending == Ending(OVER, Path("einblatt-duel-3.json"))
    assert_lines(
        script,
        "einblatt-duel, seed 3",
        "  Billy: you",
        "  Tree: always the first move of the list [first]",
        "your hand: clubs 10, spades queen, hearts 7",
        "Now: choose your round card",
        "  1  clubs 10  (C10)  - strength 11 of 15, trump",
        "  4  pass  - counts as a plain 7, strength 0 of 15",
        "Billy> «1»",
        "Meanwhile:",
        "  Billy beats Tree with a trump (Billy: EP +1, Tree: EP -1)",
        "Billy> «spades QUEEN»",
        "Billy> «H7»",
        "  Tree beats Billy (Tree: EP +1, Billy: EP -1)",
        "The game is over: you win.",
        "  Billy: narrow win (EP +1)",
        "  Tree: narrow loss (EP -1)",
        "Saved: einblatt-duel-3.json",
    )
    assert load("einblatt-duel-3.json", duel).payoffs == (1.0, -1.0)


def test_german(duel: Game) -> None:
    ending, script = run(duel, "herz  7", "h7", "passen", "card:SQ", lang="de", path=Path("partie.json"))
    assert ending == Ending(OVER, Path("partie.json"))
    assert_lines(
        script,
        "einblatt-duel, Startwert 3",
        "  Billy: du",
        "deine Hand: Kreuz 10, Pik Dame, Herz 7",
        "Jetzt: wähle deine Rundenkarte",
        "  2  Pik Dame  (SQ)  - Stärke 5 von 15",
        "Billy> «herz  7»",
        "Inzwischen:",
        "Billy> «h7»",
        "Herz 7 geht jetzt nicht: wähle aus der Liste.",
        "Billy> «passen»",
        "Billy> «card:SQ»",
        "Das Spiel ist zu Ende: du verlierst.",
        "  Sieg: Baum",
        "  Billy: vollkommene Niederlage (EP \N{MINUS SIGN}3), Einschränkung 4",
        "  Baum: vollkommener Sieg (EP +3)",
        "Gespeichert: partie.json",
    )


def test_melee_with_a_partner() -> None:
    game = interpreted(LEVELS["melee"]({}))
    agents = cast(game, "Bea", "hunter", "turtle")
    assert agents == {0: "turtle", 1: "human", 2: "hunter", 3: "hunter"}
    ending, script = run(game, *["1"] * 20, agents=agents)
    assert ending.reason == OVER
    assert_lines(script, "  Bea (heroes): you")
    assert_lines(
        script,
        "Now: act or wait",
        "  1  wait  - others act first; after an attack you may act again",
        "Meanwhile:",
        "  Bea waits",
    )
    replay = load("einblatt-melee-3.json", game)
    assert replay.agents == {"Ada": "turtle", "Bea": "human", "Orc": "hunter", "Elk": "hunter"}
    assert cast(game, 0, "hunter") == {0: "human", 1: "hunter", 2: "hunter", 3: "hunter"}
    with pytest.raises(ProbespielError, match="seat 'Zoe' is unknown: one of Ada, Bea, Orc, Elk"):
        cast(game, "Zoe", "hunter")


def test_campaign_result() -> None:
    setup = LEVELS["campaign"]({}, conflicts=2)
    setup["conflicts"][0]["seats"]["Ada"] = {"hand": []}  # a lost conflict
    ending, script = run(interpreted(setup), *["1"] * 30, lang="de")
    assert ending.reason == OVER
    told = script.text.splitlines()
    at = told.index("Ergebnis der Kampagne:")
    assert told[at + 1] == "  unentschieden", "by the payoffs, whoever has won the last conflict"
    last = told.index("Ergebnis des letzten Konflikts:")
    whole, ends = "\n".join(told[at + 2 : last]), "\n".join(told[last:])
    assert "Auszahlung" in whole and "Einschränkung von Stärke" in whole, "they come of all conflicts"
    assert "EP" in ends and "Auszahlung" not in ends and "Einschränkung" not in ends


def test_forced_answers_are_given() -> None:
    setup = duel_setup()
    setup["seats"][0]["hand"] = []
    ending, script = run(interpreted(setup))
    assert ending.reason == OVER
    assert script.text.count("Only one thing is possible (choose your round card): pass") == 3


def test_the_same_seed_plays_the_same_game() -> None:
    setup = duel_setup()
    for seat in setup["seats"]:
        del seat["hand"]
    game, lines = interpreted(setup), ["1", "1", "1"]
    agents = {0: "human", 1: "random"}
    run(game, *lines, agents=agents, seed=5)  # whoever has to be compiled first is said to think
    texts = [run(game, *lines, agents=agents, seed=seed, path=Path("x.json"))[1].text for seed in (5, 5, 6)]
    assert texts[0] == texts[1] != texts[2].replace("seed 6", "seed 5")


# --- what may be typed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "typed", "answer"),
    [
        ("en", "5", "5 is no number of the list: 1 to 4."),
        ("en", "0", "0 is no number of the list: 1 to 4."),
        ("en", "9" * 500, f"{'9' * 20} is no number of the list: 1 to 4."),
        ("en", "-1", "I do not understand '-1': type a number of the list, or what it says."),
        ("en", "SA", "spades ace is not possible now: choose from the list."),
        ("en", "attack:1", "attack Tree is not possible now: choose from the list."),
        ("en", "tree", "attack Tree is not possible now: choose from the list."),
        ("en", "club 10", "I do not understand 'club 10'. Did you mean clubs 10?"),
        ("en", "\x00\x1b[2J", "I do not understand '\\x00\\x1b[2J': type a number of the list, or what it says."),
        ("en", "helpless", "I do not understand 'helpless': type a number of the list, or what it says."),
        ("de", "17", "17 ist keine Nummer der Liste: 1 bis 4."),
        ("de", "Herz König", "Herz König geht jetzt nicht: wähle aus der Liste."),
        ("de", "Kreutz 10", "'Kreutz 10' verstehe ich nicht. Meinst du Kreuz 10?"),
        ("de", "xyz", "'xyz' verstehe ich nicht: gib eine Nummer der Liste ein oder was dort steht."),
        ("de", "zurück", "Es gibt nichts zurückzunehmen."),
        ("de", "verlauf", "Bisher gesehen (Billy):"),
        ("de", "hilfe", "Hier meinen dasselbe: 4 | passen | pass"),
        ("en", "help", "These mean the same here: 4 | pass"),
        ("de", "h", "  tipp             drei Aktionen, die eine Suche am besten findet, mit Werten"),
        ("en", "?", "  hint        three actions that a search finds best, with their values"),
    ],
)
def test_answers_to_input(duel: Game, lang: str, typed: str, answer: str) -> None:
    """The answer comes in the chosen language, and the same question again."""
    ending, script = run(duel, typed, lang=lang)
    assert ending.reason == END_OF_INPUT
    assert script.prompts == ["Billy> ", "Billy> "]
    assert answer in script.text.split("»\n", 1)[1].splitlines()


def test_every_text_of_an_action_is_understood(duel: Game) -> None:
    position = duel.position(1)
    legal = position.legal(0)
    speech = Speech(duel, position, 0)
    for number, action in enumerate(legal, 1):
        code = duel.actions.codes[action]
        for typed in (str(number), code, code.upper(), *(duel.actions.describe(action, lang) for lang in ("en", "de"))):
            assert understand(typed, speech, legal, "en") == action
    assert understand("  Kreuz   10 ", speech, legal, "en") == understand("c10", speech, legal, "de")
    with pytest.raises(NotUnderstood):
        understand("", speech, legal, "en")


def test_the_beginning_of_one_action_is_understood(duel: Game) -> None:
    """Of clubs 10, spades queen, hearts 7 and pass each has a letter of its own; Pik and passen have not."""
    position = duel.position(1)
    legal = position.legal(0)
    speech = Speech(duel, position, 0)
    codes = [speech.code(action) for action in legal]
    for lang, typed, meant in (
        ("en", "c", "C10"), ("en", "Spades q", "SQ"), ("en", "h", "H7"), ("en", "p", "pass"),
        ("de", "k", "C10"), ("de", "pi", "SQ"), ("de", "pass", "pass"), ("de", "he", "H7"),
    ):  # fmt: skip
        assert understand(typed, speech, legal, lang) == legal[codes.index(meant)], typed
    for lang, typed in (("de", "p"), ("en", "")):
        with pytest.raises(NotUnderstood):
            understand(typed, speech, legal, lang)


def test_commands(duel: Game) -> None:
    _, script = run(duel, "state", "", "LAGE", "log", "1", "log")
    assert script.text.count("your hand: clubs 10, spades queen, hearts 7") == 3
    assert script.text.count("  4  pass  - counts as a plain 7, strength 0 of 15") == 4  # asked, state, nothing, state
    assert "  Tree: spades 8" in script.text.rpartition("What Billy has seen:")[2]


@pytest.mark.parametrize("word", ["q", "quit", "ENDE", "exit"])
def test_words_for_leaving(duel: Game, word: str) -> None:
    assert run(duel, word)[0].reason == QUIT


def test_hint_by_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best actions with what they are worth; the first is what the search would play, within the time."""
    monkeypatch.setattr("probespiel.agents.judge.Judge.of", lambda self, view: None)  # were it too large to be solved
    begin = time.perf_counter()
    script = run(make_game("kuhn"), "tipp", lang="de", think=0.2)[1]
    assert not re.search(r"-\d,\d\d ±", script.text), "a minus sign, not a hyphen"
    text = script.text.replace("\N{MINUS SIGN}", "-")
    found = re.findall(r"^  (\d)\. (\S+)   ([+-]\d,\d{2,4}) ± (\d,\d{2,4}), versucht in (?:< )?(\d+) %$", text, re.M)
    assert [line[0] for line in found] == ["1", "2"] and {line[1] for line in found} == {"passen", "setzen"}
    values = [(float(line[2].replace(",", ".")), float(line[3].replace(",", "."))) for line in found]
    assert all(-2 <= value <= 2 and 0 <= error < 0.5 for value, error in values)
    assert 99 <= sum(int(line[4]) for line in found) <= 101 and time.perf_counter() - begin < 60


def test_undo(duel: Game) -> None:
    """A decision is taken back with all that came of it, and the game goes on as if it had never been."""
    _, script = run(duel, "1", "undo", "undo", "2", "1", "1", path=Path("a.json"))
    assert_lines(script, "Billy> «1»", "Billy> «undo»", "Taken back.", "There is nothing to take back.", "Billy> «2»")
    run(duel, "2", "1", "1", path=Path("b.json"))
    assert Path("a.json").read_text() == Path("b.json").read_text()
    script = Script("tipp", "1", "zurück")
    table = Table(duel, cast(duel, None, "first"), 3, rated=True)
    Session(table, lang="de", read=script.read, write=script.write).run()
    assert "Das Spiel wird gewertet: zurück geht es nicht." in script.text
    assert "Das Spiel wird gewertet: es gibt keinen Tipp." in script.text
    assert not table.practice, "a hint would have made it count for nothing, and nobody would have said so"


def test_messages() -> None:
    """Both languages have every text, with the same places, and commands clash with no action."""
    import string

    for key, texts in MESSAGES.items():
        fields = [sorted(f for _, f, _, _ in string.Formatter().parse(t) if f is not None) for t in texts]
        assert fields[0] == fields[1], key
    actions = {text.casefold() for lang in ("en", "de") for text in make_game("kuhn").actions.codes}
    words = [word for words in COMMANDS.values() for word in words]
    assert len(words) == len(set(words)) and not actions & set(words)
    assert command_of("save  a b.json ") == ("save", "a b.json")
    assert command_of("help me") is None and command_of("ENDE") == ("quit", "")
    assert command_of("rules") == ("rules", "") and command_of("Regeln R41") == ("explain", "R41")
    assert command_of("hinweis") == ("hint", "")
    assert say("de", "prompt", seat="Q") == "Q> "


# --- leaving, saving, resuming --------------------------------------------------------------------------------------


def interrupt() -> str:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("last", "reason", "lang", "text"),
    [
        (["quit"], QUIT, "en", "The game stops here."),
        (["ende"], QUIT, "de", "Das Spiel bleibt hier stehen."),
        ([], END_OF_INPUT, "en", "The input has ended; the game stops here."),
        ([], END_OF_INPUT, "de", "Die Eingabe ist zu Ende; das Spiel bleibt hier stehen."),
        ([interrupt], INTERRUPTED, "en", "Interrupted; the game stops here."),
        ([interrupt], INTERRUPTED, "de", "Abgebrochen; das Spiel bleibt hier stehen."),
    ],
)
def test_leave_and_resume(duel: Game, last: list[Any], reason: str, lang: str, text: str) -> None:
    """Whoever leaves finds the game as it was, and it goes on as if it had never stopped."""
    ending, script = run(duel, "1", *last, lang=lang)
    assert ending == Ending(reason, Path("einblatt-duel-3.json"))
    assert text in script.text
    assert "Saved: einblatt-duel-3.json" in script.text or "Gespeichert: einblatt-duel-3.json" in script.text
    saved = load("einblatt-duel-3.json", duel)
    assert saved.status == "running" and len(saved.steps) == 2
    again, script = run(duel, "2", "1", lang=lang, resume=saved, path=Path("b.json"))
    assert again.reason == OVER
    assert ("Taken up again after 2" if lang == "en" else "Wieder aufgenommen nach 2") in script.text
    assert ("  Tree: spades 8" if lang == "en" else "  Baum: Pik 8") in script.text
    run(duel, "1", "2", "1", lang=lang, path=Path("c.json"))
    assert Path("b.json").read_text() == Path("c.json").read_text()


def test_resume_with_dice_and_an_agent_that_remembers() -> None:
    """Dice and opponents go on as in one go, also where an agent keeps count of its own decisions."""
    game = interpreted(LEVELS["campaign"]({}, conflicts=2))
    agents = {0: "human", 1: f"{BOTS}:Counting"}
    whole, _ = run(game, *["1"] * 30, agents=agents, path=Path("whole.json"))
    assert whole.reason == OVER
    for n in (0, 1, 3, 4):
        part, _ = run(game, *["1"] * n, agents=agents, path=Path("part.json"))
        assert part.reason == END_OF_INPUT
        saved = load("part.json", game)
        run(game, *["1"] * 30, agents=agents, path=Path("part.json"), resume=saved)
        assert Path("part.json").read_text() == Path("whole.json").read_text()


def test_save(duel: Game, folder: Path) -> None:
    (folder / "mine.txt").write_text("do not touch")
    _, script = run(duel, "save a.json", "1", "save a.json", "save mine.txt", "save no/where.json", "save /", "save")
    assert_lines(script, "Saved: a.json", "Saved: a.json", "Saved: einblatt-duel-3.json")
    assert len(load("a.json", duel).steps) == 2
    assert (folder / "mine.txt").read_text() == "do not touch"
    assert "mine.txt exists and is not a replay" in script.text
    assert script.text.count("It cannot be saved there: ") == 2
    script = Script("save")
    Session(Table(duel, cast(duel, None, "first"), 3), read=script.read, write=script.write).run()
    assert "Where to? Type: save FILE" in script.text


def test_a_disk_that_is_full_ends_no_game(duel: Game, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on without being kept, and says so."""

    def fill() -> str:
        monkeypatch.setattr(os, "fsync", fail)
        return "1"

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    script = Script(fill, "1", "1")
    table = Table(duel, cast(duel, None, "first"), 3, keep=folder / "kept")
    ending = Session(table, read=script.read, write=script.write).run()
    assert ending == Ending(OVER, None)
    assert "This game cannot be kept on the disk" in script.text and table.decisions == 6


# --- other players --------------------------------------------------------------------------------------------------


def test_two_people(duel: Game) -> None:
    """Nobody sees the other's screen: the terminal is handed over."""
    ending, script = run(duel, *["", "1"] * 6, agents={0: "human", 1: "human"})
    assert ending.reason == OVER
    handed = "Tree is to decide; nobody else should look. Press Enter. "
    first = handed.replace("Tree", "Billy")
    assert script.prompts[:4] == [first, "Billy> ", handed, "Tree> "]
    before, shown = script.text.split(first)[:2]
    assert "Billy: a person here" in before and "your hand" not in before, "who sits there first is covered, too"
    assert not before.endswith("\n" * 30), "what the game is about stays"
    assert "your hand: clubs" in shown.partition(handed)[0]
    first, second = script.text.split(handed)[:2]
    assert first.endswith("\n" * 30) and "your hand: clubs 10" in first
    assert "your hand: clubs" not in second.partition("Billy is to")[0]
    assert "  Billy: a person here" in script.text


def test_two_people_who_go_on(duel: Game) -> None:
    """Whoever starts the program again may be the other one: the hand is covered as between two decisions."""
    ending, _ = run(duel, *["", "1"] * 2, "", "quit", agents={0: "human", 1: "human"}, path=Path("a.json"))
    assert ending.reason == QUIT
    again, script = run(duel, "", "quit", agents={0: "human", 1: "human"}, resume=load(Path("a.json"), duel))
    handed = "Billy is to decide; nobody else should look. Press Enter. "
    assert again.reason == QUIT and script.prompts == [handed, "Billy> "]
    before, _, shown = script.text.partition(handed)
    assert "Taken up again after 2 decisions" in before and "your hand" not in before and "your hand: " in shown


def test_an_agent_that_fails(duel: Game) -> None:
    for how in ("raise", "illegal"):
        ending, script = run(duel, "1", agents={0: "human", 1: f"{BOTS}:Bad:how={how}"})
        assert ending.reason == FORFEIT and ending.path is not None
        told = " ".join(script.text.split())  # a long path is folded
        assert f"{BOTS}:Bad:how={how} (Tree) cannot go on and gives up:" in told


def test_human_agent(duel: Game) -> None:
    """`human` answers in any program that uses agents."""
    agent = make_agent("human:lang=de")
    assert isinstance(agent, HumanAgent) and agent.lang == "de"
    script = Script("nichts", "C7", "Herz 7")
    agent.read, agent.write = script.read, script.write
    position = duel.position(1)
    assert agent.act(View.of(position, 0)) == duel.actions.parse("H7", duel.spec.aliases)
    assert "deine Hand: Kreuz 10, Pik Dame, Herz 7" in script.text and "Baum   EP  0  Hand 3" in script.text
    assert script.prompts[0] == "Billy, wähle deine Rundenkarte "
    with pytest.raises(AgentError, match="die Eingabe ist zu Ende"):
        agent.act(View.of(position, 0))
    assert listed(Speech(duel, position, 0), position.legal(0), "en")[0] == "  1  clubs 10  (C10)"


# --- the command ----------------------------------------------------------------------------------------------------


def command(
    monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str, run_what: Callable[..., None] = play_command
) -> int:
    """Run `probespiel play` (or another command) with piped input; the exit code."""
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command("play")(run_what)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = typer.main.get_command(app).main(args=list(arguments), prog_name="play", standalone_mode=False)
    return code if isinstance(code, int) else 0


@pytest.mark.parametrize(
    ("lang", "typed", "told"),
    [
        (
            "en",
            "rules\nexplain jack\nexplain\nexplain jaqk\nq\n",
            ["## Aim", "- `ante` = 2 (", "**jack**", "`explain TERM`", "did you mean 'jack'?"],
        ),
        ("de", "regeln\nerkläre bube\nq\n", ["`ante` = 2 (", "**Bube**"]),
    ],
)  # fmt: skip
def test_the_rules_are_told_at_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lang: str, typed: str, told: list[str]
) -> None:
    """With the options of this game."""
    options = ["kuhn", "--opponent", "honest", "--seed", "3", "--set", "ante=2", "--lang", lang]
    assert command(monkeypatch, typed, *options) == 0
    out = capsys.readouterr().out
    assert [text for text in told if text not in out] == []


def test_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    options = ["kuhn", "--opponent", "honest", "--seed", "3"]
    assert command(monkeypatch, "pass\npass\n", *options, "--replay", "game.json", "--set", "ante=2") == 0
    out = capsys.readouterr().out
    assert "kuhn, scenario standard, seed 3" in out and "Saved: game.json" in out
    assert command(monkeypatch, "passen\n", *options, "--seat", "second", "--lang", "de") == 0
    out = capsys.readouterr().out
    assert "  Erster: Heuristik honest (" in out and "[honest]" in out and "  Zweiter: du" in out
    assert [path.name for path in folder.iterdir()] == ["game.json"]  # nothing that nobody asked for
    assert len(list(games_folder().glob("*.json"))) == 2


def test_a_loaded_file_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """Unless the player says `save`; the same players go on."""
    assert command(monkeypatch, "", "kuhn", "--opponent", "honest", "--seed", "3", "--replay", "mid.json") == 0
    mid = (folder / "mid.json").read_bytes()
    for typed in ("", "q\n", "pass\nq\n", "pass\npass\n"):
        assert command(monkeypatch, typed, "kuhn", "--load", "mid.json") == 0
        assert "  second: heuristic honest (" in capsys.readouterr().out
        assert (folder / "mid.json").read_bytes() == mid
    assert command(monkeypatch, "q\n", "--load", "mid.json") == 0  # the file knows which game it is
    assert "kuhn, scenario standard, seed 3" in capsys.readouterr().out
    with pytest.raises(ProbespielError, match="Missing argument 'GAME'"):
        command(monkeypatch, "q\n")
    # `first` passes, and `honest` answers before the file is written
    assert command(monkeypatch, "save\npass\n", "kuhn", "--load", "mid.json") == 0
    assert load("mid.json").status == "running" and [path.name for path in folder.iterdir()] == ["mid.json"]


def test_resume(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Without a name the last game goes on, with a name or number of the list another one, in the same journal."""
    resume = partial(command, monkeypatch, run_what=cli_play.resume)
    assert resume("", "--list") == 0
    assert "no game can go on" in capsys.readouterr().out
    assert resume("", "--list", "--lang", "de") == 0
    assert "kein Spiel kann weitergehen" in capsys.readouterr().out
    with pytest.raises(ProbespielError, match="no game can go on"):
        resume("")
    for game, lang in (("kuhn", "de"), ("ews_rps", "en")):
        assert command(monkeypatch, "", game, "--opponent", "random", "--seed", "3", "--lang", lang) == 0
        time.sleep(0.02)  # so that the times of the files differ
    assert resume("", "--list") == 0
    listed = capsys.readouterr().out.splitlines()[-2:]
    assert "ews_rps" in listed[0] and "kuhn" in listed[1]
    assert "(first: a person; second: any move by chance)" in listed[1], "a list has one language: the last game's"
    assert resume("", "--list", "--lang", "de") == 0
    listed = capsys.readouterr().out.splitlines()[-2:]
    assert "(Erster: ein Mensch; Zweiter: irgendein Zug per Zufall)" in listed[1] and "Spielleitung" in listed[0]
    assert resume("1\nq\n") == 0
    assert "ews_rps, scenario" in capsys.readouterr().out
    assert resume("passen\n" * 3, "2") == 0
    out = capsys.readouterr().out
    assert "kuhn, Szenario standard, Startwert 3" in out and "Das Spiel ist zu Ende: du verlierst." in out
    assert resume("", "--list") == 0
    assert "kuhn" not in capsys.readouterr().out
    kept = next(games_folder().glob("*.journal"))
    assert resume("q\n", str(kept)) == 0 and resume("q\n", kept.stem) == 0
    assert "Taken up again after" in capsys.readouterr().out
    with pytest.raises(ProbespielError, match="'7' is not one of the 1"):
        resume("", "7")
    assert list(folder.iterdir()) == []


def test_the_default_opponent_has_a_time_limit() -> None:
    """In every game and scenario: a search with the time of a decision, or somebody who answers at once."""
    for found in systems():
        for name in found.games:
            for scenario in found.scenarios(name):
                game = make_game(name, scenario, compiled=False)
                opponent = opponents.opponent_for(game, 2.0)
                assert re.fullmatch(
                    r"(search|switch):sims=4000,seconds=(2|1|1\.\d+|0\.[1-9]\d*)|policy|lookahead|counter", opponent
                )
                make_agent(opponent).close()
    assert opponents.opponent_for(make_game("kuhn", compiled=False), 0.5) == "search:sims=4000,seconds=0.5"


def test_wrong_options(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "mine.txt").write_text("do not touch")
    assert command(monkeypatch, "", "kuhn", "--opponent", "honest", "--seed", "3", "--replay", "k.json") == 0
    for arguments, text in (
        (["kuhn", "--opponent", "nobody"], "agent 'nobody' is unknown"),
        (["kuhn", "--partner", "nobody"], "agent 'nobody' is unknown"),
        (["kuhn", "--seat", "third"], "seat 'third' is unknown: one of first, second"),
        (["kuhn", "--set", "ante=x"], "ante"),
        (["chess"], "game 'chess' is unknown"),
        (["kuhn", "--replay", "mine.txt"], "is not a replay"),
        (["kuhn", "--replay", "no/where.json"], "there is no folder"),
        (["kuhn", "--load", "missing.json"], "missing.json"),
        (["kuhn", "--load", "mine.txt"], "no valid JSON"),
        (["einblatt-duel", "--load", "k.json"], "a replay of kuhn, not of einblatt-duel"),
        (["kuhn", "--load", "k.json", "--seed", "4"], "its seed is 3"),
    ):
        with pytest.raises(ProbespielError, match="(?s)" + text.replace("[", ".")):
            command(monkeypatch, "", *arguments)
    text = (folder / "k.json").read_text().replace('"honest"', '"evil.py:Bot"')
    (folder / "k.json").write_text(text)
    with pytest.raises(ProbespielError, match="names a bot's file"):
        command(monkeypatch, "", "kuhn", "--load", "k.json")
    with pytest.raises(ProbespielError, match="names a bot's file"):
        command(monkeypatch, "", "k.json", run_what=cli_play.resume)
    assert (folder / "mine.txt").read_text() == "do not touch"


def test_interrupt_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probespiel.agents.human.print", lambda *_, **__: interrupt(), raising=False)
    assert command(monkeypatch, "", "kuhn", "--opponent", "honest", "--seed", "3") == 130
