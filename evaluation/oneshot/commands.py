"""The commands of OneShot: `probespiel odds oneshot`, `probespiel builds oneshot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...envs.core.errors import ProbespielError

if TYPE_CHECKING:
    from .builds import BuildSearch
    from .odds import Odds


def odds(
    counts: Annotated[int, "length of a fight for the tables of turns"] = 60,
    options: Mapping[str, Any] | None = None,
    lang: str = "en",
) -> Odds:
    """Tests, attacks and wounds, turns by initiative, survival, edges, lies, and the heroes of the kit."""
    from .odds import odds_tables

    return odds_tables(options or {}, counts, lang)


@dataclass(frozen=True)
class BuildAnswer:
    """The result of a search for builds, in a language."""

    found: BuildSearch
    lang: str

    def text(self) -> str:
        """The report."""
        from .builds_report import text_of

        return text_of(self.found, self.lang)

    def write(self, path: Path) -> list[Path]:
        """Text, matrices and a plot in a folder; the files written. Raises ProbespielError."""
        from .builds_report import write

        return write(self.found, path, self.lang)


def builds(
    weapon: Annotated[str, "a weapon class (axes, blades, bows...) or a weapon"] = "axes",
    perks: Annotated[str, "none, all, or sets of perks: luck+patient,finesse"] = "none",
    tactics: Annotated[str, "attack, diplomat, or both"] = "attack,diplomat",
    saga: Annotated[str, "saga points to spend on each build, e.g. 5,10"] = "",
    grid: Annotated[int, "skirmishes between each two of the best builds; 0: none"] = 0,
    seed: Annotated[int, "of the skirmishes"] = 0,
    jobs: int = 1,
    scenario: str | None = None,
    options: Mapping[str, Any] | None = None,
    lang: str = "en",
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> BuildAnswer:
    """The equilibrium over all legal builds of a weapon class, dominated builds, and what saga points change."""
    from .builds import search_builds

    found = search_builds(
        weapon, scenario, options or {}, perks, [name.strip() for name in tactics.split(",") if name.strip()],
        _numbers(saga), grid, jobs, seed, tell,
    )  # fmt: skip
    return BuildAnswer(found, lang)


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ProbespielError(f"saga = {text!r} is not allowed: whole numbers with commas between, e.g. 5,10") from None
