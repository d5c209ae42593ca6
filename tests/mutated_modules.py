"""Shipped rule modules with random edits: tokens swapped, lines deleted or doubled, numbers and operators changed."""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from probespiel.envs.core.registry import game_names, system_of

ENVS = Path(__file__).parent.parent / "envs"
OPERATORS = ("+", "-", "*", "//", "%", "<", ">", "<=", ">=", "==", "!=", "&", "|", "<<", ">>")
PREFIX = "odd_"  # built-in modules keep their names
NUMBERS = ("0", "1", "-1", "2", "7", "40", "1000", "1 << 40", "1.5")


@dataclass(frozen=True)
class Mutant:
    """An edited module of a game."""

    number: int
    game: str
    name: str
    text: str

    def write(self, folder: Path) -> Path:
        """Its file, which imports like one of an outside author."""
        path = folder / f"{self.name}.py"
        path.write_text(self.text, encoding="utf-8")
        return path


def shipped(systems: tuple[str, ...]) -> list[tuple[str, Path]]:
    """The modules of some systems, each with the first game of its system that takes modules."""
    games = {}
    for game in game_names():
        games.setdefault(system_of(game).name, game)
    return [
        (games[system], path)
        for system in systems
        for path in sorted((ENVS / system / "modules").glob("*.py"))
        if path.stem != "__init__"
    ]


def outside(text: str, system: str, name: str) -> str:
    """The text of a built-in module with the imports that an outside author has, and another name."""
    for level, package in (("...", "probespiel.envs"), ("..", f"probespiel.envs.{system}")):
        text = text.replace(f"from {level} import", f"from {package} import").replace(
            f"from {level}", f"from {package}."
        )
    text = re.sub(rf"\b([sp])\.{name}_", rf"\1.{PREFIX}{name}_", text)
    return re.sub(rf'"{name}(_|")', rf'"{PREFIX}{name}\1', text)


def mutant(number: int, seed: int, systems: tuple[str, ...]) -> Mutant:
    """The edited module of a number; a seed gives the same ones again."""
    rng = random.Random(f"{seed} {number}")
    games = [found for found in (shipped((system,)) for system in systems) if found]
    known = games[number % len(games)]
    game, path = known[number // len(games) % len(known)]
    text = outside(path.read_text(encoding="utf-8"), path.parent.parent.name, path.stem)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        tries = [edited(text, rng) for _ in range(20)]
        text = tries[0] if rng.random() < 0.1 else next((t for t in tries if is_another(t, text)), tries[0])
    return Mutant(number, game, PREFIX + path.stem, text)


def is_another(text: str, before: str) -> bool:
    """Whether a text can be parsed and says something else than the one before, if that could be parsed."""
    try:
        made = ast.dump(ast.parse(text))
    except SyntaxError:
        return False
    try:
        return made != ast.dump(ast.parse(before))
    except SyntaxError:
        return True


def edited(text: str, rng: random.Random) -> str:
    """The text with one random edit below its imports."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("module = ")), 0)  # an edit before may take it
    at = rng.randrange(first, len(lines))
    kind = rng.choice(("token", "token", "token", "delete", "double", "swap lines"))
    if kind == "delete":
        del lines[at]
    elif kind == "double":
        lines.insert(at, lines[at])
    elif kind == "swap lines" and at + 1 < len(lines):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    else:
        return _token(lines, first, rng)
    return "\n".join(lines) + "\n"


def _token(lines: list[str], first: int, rng: random.Random) -> str:
    """One token below a line changed: a number or an operator for another one, or a name for one that is near."""
    text = "\n".join(lines) + "\n"
    try:
        found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):  # an edit before has broken it: that is a mutant, too
        return text
    names = [t.string for t in found if t.type == tokenize.NAME and t.start[0] > first]
    wanted = (tokenize.NAME, tokenize.NUMBER, tokenize.OP)
    able = [t for t in found if t.start[0] > first and t.type in wanted and t.start[0] == t.end[0]]
    if not able:
        return text
    token = rng.choice(able)
    new = {
        tokenize.NUMBER: lambda: rng.choice(NUMBERS),
        tokenize.NAME: lambda: rng.choice(names),
        tokenize.OP: lambda: rng.choice(OPERATORS) if token.string in OPERATORS else "",
    }[token.type]()
    line = lines[token.start[0] - 1]
    lines = [*lines]
    lines[token.start[0] - 1] = line[: token.start[1]] + new + line[token.end[1] :]
    return "\n".join(lines) + "\n"


__all__ = ["Mutant", "edited", "mutant", "outside", "shipped"]
