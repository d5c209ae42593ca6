"""Terminal play: whole games by scripted input in both languages, wrong input, leaving, saving and resuming."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from probespiel.agents.base import AgentError, View
from probespiel.agents.human import HumanAgent, NotUnderstood, Speech, listed, understand
from probespiel.agents.registry import make_agent
from probespiel.app import play as play_module
from probespiel.app.cli_play import play as play_command
from probespiel.app.messages import COMMANDS, MESSAGES, command_of, say
from probespiel.app.play import END_OF_INPUT, FORFEIT, INTERRUPTED, OVER, QUIT, Ending, Session, cast
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
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
    """Every test runs in a folder of its own, which is the home folder as well."""
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


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
    """Play a session with typed lines against the first legal action."""
    script = Script(*lines)
    session = Session(
        game, agents or cast(game, None, "first"), more.pop("seed", 3), read=script.read, write=script.write, **more
    )
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
        "einblatt-duel, scenario custom, seed 3",
        "  Billy: you",
        "  Tree: first",
        "your hand: clubs 10, spades queen, hearts 7",
        "Now: choose your round card",
        "  1  clubs 10  (C10)",
        "  4  pass",
        "Billy> «1»",
        "Meanwhile:",
        "  Billy beats Tree (+1/-1)",
        "Billy> «spades QUEEN»",
        "Billy> «H7»",
        "  Tree beats Billy (+1/-1)",
        "The game is over.",
        "Result:",
        "  Billy: narrow win (EP +1)",
        "  Tree: narrow loss (EP -1)",
        "The replay lies in einblatt-duel-3.json",
    )
    assert load("einblatt-duel-3.json", duel).payoffs == (1.0, -1.0)


def test_german(duel: Game) -> None:
    ending, script = run(duel, "herz  7", "h7", "passen", "card:SQ", lang="de", path=Path("partie.json"))
    assert ending == Ending(OVER, Path("partie.json"))
    assert_lines(
        script,
        "einblatt-duel, Szenario custom, Startwert 3",
        "  Billy: du",
        "deine Hand: Kreuz 10, Pik Dame, Herz 7",
        "Jetzt: wähle deine Rundenkarte",
        "  2  Pik Dame  (SQ)",
        "Billy> «herz  7»",
        "Inzwischen:",
        "Billy> «h7»",
        "Herz 7 geht jetzt nicht: wähle aus der Liste.",
        "Billy> «passen»",
        "Billy> «card:SQ»",
        "Das Spiel ist zu Ende.",
        "Ergebnis:",
        "  Billy: vollkommene Niederlage (EP -3), Einschränkung 4",
        "  Tree: vollkommener Sieg (EP +3)",
        "Die Aufzeichnung liegt in partie.json",
    )


def test_melee_with_a_partner() -> None:
    game = interpreted(LEVELS["melee"]({}))
    agents = cast(game, "Bea", "hunter", "turtle")
    assert agents == {0: "turtle", 1: "human", 2: "hunter", 3: "hunter"}
    ending, script = run(game, *["1"] * 20, agents=agents)
    assert ending.reason == OVER
    assert_lines(script, "  Ada (PC): turtle", "  Bea (PC): you", "  Orc (orcs): hunter")
    assert_lines(script, "Now: act or wait", "  1  wait", "Meanwhile:", "  Bea waits")
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
    assert "Ergebnis des letzten Konflikts:" in script.text
    assert "Auszahlung" in script.text and "Einschränkung von strength" in script.text


def test_forced_answers_are_given() -> None:
    setup = duel_setup()
    setup["seats"][0]["hand"] = []
    ending, script = run(interpreted(setup))
    assert ending.reason == OVER
    assert script.text.count("Only one thing is possible: pass") == 3


def test_the_same_seed_plays_the_same_game() -> None:
    setup = duel_setup()
    for seat in setup["seats"]:
        del seat["hand"]
    game, lines = interpreted(setup), ["1", "1", "1"]
    agents = {0: "human", 1: "random"}
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
        ("de", "speichern", "Wohin? Schreibe: speichern DATEI"),
        ("de", "verlauf", "Was Billy gesehen hat:"),
        (
            "de",
            "hilfe",
            "Spiele mit der Nummer einer Aktion, ihrem Text oder Kürzel; hier meinen dasselbe: 4 | passen | pass.",
        ),
        ("en", "help", "Play by the number of an action, by its text or its code; these mean the same here: 4 | pass."),
        ("de", "hilfe", "  tipp             was eine Suche an deiner Stelle täte"),
        ("en", "?", "  hint        what a search would do in your place"),
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


def test_commands(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "HINT", "first")
    _, script = run(duel, "state", "", "HINT", "Tipp", "log", "1", "log")
    assert script.text.count("your hand: clubs 10, spades queen, hearts 7") == 2
    assert script.text.count("  4  pass") == 3  # asked, state, an empty line
    assert script.text.count("A search would play: clubs 10") == 2
    assert "  Tree: spades 8" in script.text.rpartition("What Billy has seen:")[2]


@pytest.mark.slow
def test_hint_by_search() -> None:
    assert "Eine Suche spielte: " in run(make_game("kuhn"), "tipp", lang="de")[1].text


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
    assert "probespiel play einblatt-duel --load einblatt-duel-3.json" in script.text
    saved = load("einblatt-duel-3.json", duel)
    assert saved.status == "running" and len(saved.steps) == 2
    again, script = run(duel, "2", "1", lang=lang, resume=saved, path=Path("b.json"))
    assert again.reason == OVER
    assert ("Taken up again after 2" if lang == "en" else "Wieder aufgenommen nach 2") in script.text
    assert ("  Tree: spades 8" if lang == "en" else "  Tree: Pik 8") in script.text
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
    _, script = run(duel, "save a.json", "1", "save a.json", "save", "save mine.txt", "save no/where.json", "save home")
    assert_lines(script, "Saved: a.json", "Saved: a.json", "Where to? Type: save FILE")
    assert len(load("a.json", duel).steps) == 2
    assert (folder / "mine.txt").read_text() == "do not touch"
    assert "mine.txt exists and is not a replay" in script.text
    assert script.text.count("It cannot be saved there: ") == 2


def test_nowhere_to_save(duel: Game, folder: Path) -> None:
    """A place that cannot be written is told, and the home folder takes the game."""
    ending, script = run(duel, "quit", path=Path("no/where.json"))
    assert "The game could not be saved: " in script.text
    assert ending.path == folder / "home" / "einblatt-duel-3.json"


# --- other players --------------------------------------------------------------------------------------------------


def test_two_people(duel: Game) -> None:
    """Nobody sees the other's screen: the terminal is handed over."""
    ending, script = run(duel, "1", *["", "1"] * 5, agents={0: "human", 1: "human"})
    assert ending.reason == OVER
    handed = "Tree is to decide, and only Tree should look. Press Enter. "
    assert script.prompts[:4] == ["Billy> ", handed, "Tree> ", handed.replace("Tree", "Billy")]
    first, second = script.text.split(handed)[:2]
    assert first.endswith("\n" * 30) and "your hand: clubs 10" in first
    assert "your hand: clubs" not in second.partition("Billy is to")[0]
    assert "  Billy: a person here" in script.text


def test_an_agent_that_fails(duel: Game) -> None:
    for how in ("raise", "illegal"):
        ending, script = run(duel, "1", agents={0: "human", 1: f"{BOTS}:Bad:how={how}"})
        assert ending.reason == FORFEIT and ending.path is not None
        assert f"{BOTS}:Bad:how={how} (Tree) cannot go on and gives up: " in script.text


def test_human_agent(duel: Game) -> None:
    """`human` answers in any program that uses agents."""
    agent = make_agent("human:lang=de")
    assert isinstance(agent, HumanAgent) and agent.lang == "de"
    script = Script("nichts", "C7", "Herz 7")
    agent.read, agent.write = script.read, script.write
    position = duel.position(1)
    assert agent.act(View.of(position, 0)) == duel.actions.parse("H7", duel.spec.aliases)
    assert "deine Hand: Kreuz 10, Pik Dame, Herz 7" in script.text and "Tree   EP +0  Hand 3" in script.text
    assert script.prompts[0] == "Billy, wähle deine Rundenkarte "
    with pytest.raises(AgentError, match="die Eingabe ist zu Ende"):
        agent.act(View.of(position, 0))
    assert listed(Speech(duel, position, 0), position.legal(0), "en")[0] == "  1  clubs 10  (C10)"


# --- the command ----------------------------------------------------------------------------------------------------


def command(monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> int:
    """Run `probespiel play` with piped input; the exit code."""
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command("play")(play_command)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = typer.main.get_command(app).main(args=list(arguments), prog_name="play", standalone_mode=False)
    return code if isinstance(code, int) else 0


def test_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["kuhn", "--opponent", "honest", "--seed", "3"]
    assert command(monkeypatch, "pass\npass\n", *options, "--replay", "game.json", "--set", "ante=2") == 0
    out = capsys.readouterr().out
    assert "kuhn, scenario standard, seed 3" in out and "The replay lies in game.json" in out
    assert command(monkeypatch, "passen\n", *options, "--seat", "second", "--lang", "de") == 0
    out = capsys.readouterr().out
    assert "  first: honest" in out and "  second: du" in out
    assert command(monkeypatch, "", *options) == 0
    saved = capsys.readouterr().out.partition("--load ")[2].strip()
    assert command(monkeypatch, "pass\npass\n", "kuhn", "--load", saved) == 0  # the same players go on
    assert "  second: honest" in capsys.readouterr().out
    assert load(saved).status == "ended"


def test_wrong_options(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "mine.txt").write_text("do not touch")
    assert command(monkeypatch, "", "kuhn", "--opponent", "honest", "--seed", "3", "--replay", "k.json") == 0
    for arguments, text in (
        (["kuhn", "--opponent", "nobody"], "agent 'nobody' is unknown"),
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
    assert (folder / "mine.txt").read_text() == "do not touch"


def test_interrupt_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probespiel.agents.human.print", lambda *_, **__: interrupt(), raising=False)
    assert command(monkeypatch, "", "kuhn", "--opponent", "honest", "--seed", "3") == 130
