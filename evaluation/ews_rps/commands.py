"""The commands of 1w6 EWS by rock-paper-scissors: `probespiel odds ews_rps` and `probespiel bench-rps`."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ...agents.registry import split_agents
from ...envs.core.errors import ProbespielError

if TYPE_CHECKING:
    from ...envs.core.engine import Engine
    from .odds import OddsTable
    from .roshambo import Estimate, Score


_TEXT: dict[str, dict[str, Any]] = {
    "en": {
        "start": "{contenders} contenders, {opponents} opponents, {matches} matches of {throws} throws, seed {seed}",
        "matches": "matches",
        "head": ("contender", "PR", "WPE", "PR - WPE", "worst opponent", "µs/throw"),
        "note": "PR: mean return of a match over all opponents. WPE: what the worst opponent wins, chosen on one half "
        "of the matches and measured on the other. With 95 % intervals.",
        "against": "{best} - {name}: {difference}",
        "uniform": "{best} against uniform play ({name}): {value}",
    },
    "de": {
        "start": "{contenders} Teilnehmer, {opponents} Gegner, {matches} Partien zu {throws} Würfen, Startwert {seed}",
        "matches": "Partien",
        "head": ("Teilnehmer", "PR", "WPE", "PR - WPE", "schlimmster Gegner", "µs/Wurf"),
        "note": "PR: mittlerer Ertrag einer Partie über alle Gegner. WPE: was der schlimmste Gegner gewinnt, auf der "
        "einen Hälfte der Partien ausgewählt und auf der anderen gemessen. Mit 95-%-Intervallen.",
        "against": "{best} - {name}: {difference}",
        "uniform": "{best} gegen gleichverteiltes Spiel ({name}): {value}",
    },
}


def odds(
    low: Annotated[int, "lowest difference"] = -12,
    high: Annotated[int, "highest difference"] = 12,
    opponent: Annotated[str | None, "weights of rock, paper, scissors: adds the best reply, e.g. 1/2,3/10,1/5"] = None,
    scenario: Annotated[str | None, "a preset: adds the value of its match"] = None,
    options: Mapping[str, Any] | None = None,
    lang: str = "en",
) -> OddsTable:
    """Chances of success by difference, by rock-paper-scissors and by the plus/minus die."""
    from .odds import odds_table, weights_of

    weights = None if opponent is None else weights_of(opponent)
    return odds_table(options or {}, low, high, weights, scenario, lang)


@dataclass(frozen=True)
class BenchAnswer:
    """Scores of a benchmark: `ours` are the contenders that are compared with the references."""

    scores: Sequence[Score]
    ours: Sequence[str]
    start: str
    lang: str

    def text(self) -> str:
        """The table, best first, and the comparisons with the references."""
        from rich.console import Console
        from rich.table import Table

        from .roshambo import BOT, UNIFORM

        words = _TEXT[self.lang]
        ranked = sorted(self.scores, key=lambda s: -s.total.value)
        table = Table(box=None, pad_edge=False)
        for index, head in enumerate(words["head"]):
            table.add_column(head, justify="left" if index in (0, 4) else "right", no_wrap=True)
        for s in ranked:
            table.add_row(
                s.contender, _shown(s.population_return), _shown(s.exploitability), _shown(s.total),
                ", ".join(s.worst), f"{s.micros:.1f}",
            )  # fmt: skip
        out = io.StringIO()
        console = Console(file=out, width=120, highlight=False)
        console.print(self.start)
        console.print(table)
        console.print(words["note"])
        best = next((s for s in ranked if s.contender in self.ours), None)
        if best is not None:
            for s in ranked:
                if s.contender.startswith(BOT) and s is not best:
                    difference = _shown(best.total - s.total)
                    console.print(words["against"].format(best=best.contender, name=s.contender, difference=difference))
            if UNIFORM in best.by_opponent:
                value = _shown(best.by_opponent[UNIFORM])
                console.print(words["uniform"].format(best=best.contender, name=UNIFORM, value=value))
        return out.getvalue()

    def write(self, path: Path) -> list[Path]:
        """The mean return of every contender against every opponent, with standard errors, as CSV."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["contender", "opponent", "mean_return", "standard_error"])
            for s in self.scores:
                for opponent, e in s.by_opponent.items():
                    lines.writerow([s.contender, opponent, f"{e.value:.6g}", f"{e.error:.6g}"])
        return [path]


def _shown(estimate: Estimate) -> str:
    return f"{estimate.value:+.1f} ± {estimate.half_width:.1f}"


def check_out(path: Path) -> None:
    """Raise ProbespielError for a file that cannot be written: before hours of play."""
    if path.suffix != ".csv":
        raise ProbespielError(f"--out {str(path)!r}: the file must end in .csv")


def measured(agents: str | None, agent: Sequence[str]) -> list[str]:
    """Names of those that are measured: what the options name, else the predictors of this system."""
    from . import roshambo

    return [*(split_agents(agents) if agents is not None else []), *agent] or list(roshambo.DEFAULT_AGENTS)


def bench_rps(
    agents: Annotated[str | None, "our agents between commas; bot:NAME is an entrant"] = None,
    agent: Annotated[Sequence[str], "one more agent; repeatable"] = (),
    against: Annotated[str | None, "entrants between commas (default: all 43)"] = None,
    matches: Annotated[int, "matches of each pair", (4, None)] = 20,
    throws: Annotated[int, "throws of a match that are played", (1, 1000)] = 1000,
    references: Annotated[bool, "measure greenberg and iocainebot too"] = True,
    seed: Annotated[int, "decides all chance", (0, 2**63 - 1)] = 1,
    engine: Engine | None = None,
    lang: str = "en",
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> BenchAnswer:
    """Measure predictors of repeated rock-paper-scissors against a public population of bots.

    The protocol is that of arXiv 2303.03196; it needs OpenSpiel (pip install 'probespiel[openspiel]'). The same seed
    gives the same returns for any number of processes or workers.
    """
    from . import roshambo

    words = _TEXT[lang]
    opponents = roshambo.population() if against is None else tuple(name.strip() for name in against.split(","))
    ours = measured(agents, agent)
    contenders = [*ours, *(name for name in roshambo.REFERENCES if references and name not in ours)]
    start = words["start"].format(
        contenders=len(contenders), opponents=len(opponents), matches=matches, throws=throws, seed=seed
    )
    total, done = len(contenders) * len(opponents) * matches, 0

    def advance(n: int) -> None:
        nonlocal done
        done += n
        tell(words["matches"], done, total)

    tell(words["matches"], 0, total)
    scores = roshambo.run(contenders, opponents, matches, throws, seed, engine, advance)
    return BenchAnswer(scores, ours, start, lang)
