"""Reports made again from the files of their results alone.

Every command keeps what it found as JSON whose `format` names what it is and its version. `opened` reads such a file
and gives the page and the lines of it in a language; what is damaged, of another version, or no result is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..envs.core.errors import ProbespielError
from ..evaluation.report.records import check_version, content_of, format_of, record

LANGUAGES = ("en", "de")
_BROKEN = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
    ZeroDivisionError,
)


@dataclass(frozen=True)
class Report:
    """A result that was read: its page, and what a terminal shows of it in a number of columns, by language."""

    page: Callable[[str], str]
    lines: Callable[[str, int], str]


@dataclass(frozen=True)
class Kind:
    """A kind of result: what it is called, version of its format, its file, the stem of its page, how it is read.

    It is read from the content of its file, and the folder in which that stands.
    """

    title: str
    version: int
    file: str
    page: str
    read: Callable[[Mapping[str, Any], Path], Report]


@dataclass(frozen=True)
class Result:
    """A file with a result that can be shown."""

    path: Path
    name: str
    kind: Kind
    report: Report

    def page_path(self, lang: str) -> Path:
        """Where its page in a language stands if nobody says otherwise: beside its file."""
        return self.path.with_name(f"{self.kind.page}{'' if lang == 'en' else f'.{lang}'}.html")

    def page(self, lang: str) -> str:
        """The page in a language. Raises ProbespielError for a damaged result."""
        with refused(self.path):
            return self.report.page(lang)

    def lines(self, lang: str, width: int = 100) -> str:
        """What a terminal shows. Raises ProbespielError for a damaged result."""
        with refused(self.path):
            return self.report.lines(lang, width)


@contextmanager
def refused(path: Path) -> Iterator[None]:
    """Refuse a file whose content turns out not to be what its format says."""
    try:
        yield
    except ProbespielError:
        raise
    except _BROKEN as error:
        told = f"{type(error).__name__}: {error}"
        raise ProbespielError(
            f"{path} is damaged, or was written by a version that kept less: {told[:200]}; make the result again"
        ) from None


def _tournament(content: Mapping[str, Any], folder: Path) -> Report:
    from ..evaluation.tournament.report import read_summary, render_html
    from ..evaluation.tournament.terminal import leaderboard_text

    summary, info = read_summary(content)

    def lines(lang: str, width: int) -> str:
        unit = info.payoff_unit
        return leaderboard_text(summary, focus=info.focus, unit=unit, width=width, lang=lang, info=info, folder=folder)

    return Report(lambda lang: render_html(summary, info, lang), lines)


def _stress(content: Mapping[str, Any], folder: Path) -> Report:
    from ..evaluation.report.wording import from_here
    from ..evaluation.stress.report import findings_of, render
    from ..evaluation.stress.words import summary_lines

    found = findings_of(content)

    def lines(lang: str, _: int) -> str:
        return _text([from_here(line, folder) for line in summary_lines(found, lang)])

    return Report(lambda lang: render(found, lang), lines)


def _combinations(content: Mapping[str, Any], _: Path) -> Report:
    from ..evaluation.stress.combine import Combinations
    from ..evaluation.stress.combine_report import combination_lines, render

    found = record(Combinations, content["combinations"])
    return Report(lambda lang: render(found, lang), lambda lang, width: _text(combination_lines(found, lang)))


def _comparison(content: Mapping[str, Any], _: Path) -> Report:
    from ..evaluation.stress.compare import Comparison
    from ..evaluation.stress.compare_report import comparison_lines, render

    found = record(Comparison, content["comparison"])
    return Report(lambda lang: render(found, lang), lambda lang, width: _text(comparison_lines(found, lang)))


def _balance(content: Mapping[str, Any], _: Path) -> Report:
    from ..evaluation.balance.records import Balance
    from ..evaluation.balance.report import render
    from ..evaluation.balance.words import summary_lines

    found = record(Balance, content["balance"])
    return Report(lambda lang: render(found, lang), lambda lang, width: _text(summary_lines(found, lang)))


def _exploit(content: Mapping[str, Any], _: Path) -> Report:
    from ..evaluation.exploit.records import Exploited
    from ..evaluation.exploit.report import lines_of, render

    found = record(Exploited, {name: value for name, value in content.items() if name != "format"})
    return Report(lambda lang: render(found, lang), lambda lang, width: _text(lines_of(found, lang)))


def _training(content: Mapping[str, Any], folder: Path) -> Report:
    from ..evaluation.report import trained

    found = record(trained.Trained, content[trained.NAME])
    return Report(
        lambda lang: trained.render(found, lang), lambda lang, width: _text(trained.lines_of(found, lang, folder))
    )


def _ladder(content: Mapping[str, Any], _: Path) -> Report:
    from ..evaluation.tournament import ladder_page as page

    found = record(page.Standing, content[page.NAME])
    return Report(lambda lang: page.render(found, lang), lambda lang, width: _text(page.standing_lines(found, lang)))


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


KINDS = {
    "summary": Kind("tournament", 1, "summary.json", "report", _tournament),
    "stress-report": Kind("stress test", 2, "report.json", "report", _stress),
    "combinations": Kind("combinations of rules", 1, "combinations.json", "combinations", _combinations),
    "balance": Kind("search for balance", 1, "balance.json", "report", _balance),
    "exploit": Kind("exploit", 2, "exploit.json", "report", _exploit),
    "ladder": Kind("ladder", 1, "ladder.json", "ladder", _ladder),
    "training": Kind("training", 1, "training.json", "report", _training),
    "comparison": Kind("comparison", 1, "compare.json", "compare", _comparison),
}


def file_of(path: Path) -> Path:
    """The file of the result in a folder, or the file itself. Raises ProbespielError if there is none."""
    if not path.is_dir():
        if not path.exists():
            raise ProbespielError(f"{path} does not exist: give a folder of results, or one of their .json files")
        return path
    for kind in KINDS.values():
        if (path / kind.file).is_file():
            return path / kind.file
    known = ", ".join(kind.file for kind in KINDS.values())
    raise ProbespielError(f"{path} holds no result: none of {known} is there")


def opened(path: Path) -> Result:
    """The result of a folder or file. Raises ProbespielError for what is damaged, no result, or of another version."""
    file = file_of(path)
    content = content_of(file)
    name, version = format_of(file, content)
    if name not in KINDS:
        titles = ", ".join(kind.title for kind in KINDS.values())
        raise ProbespielError(f"{file} is a file of probespiel, but no result ({name}): there are reports of {titles}")
    kind = KINDS[name]
    check_version(file, name, version, kind.version)
    with refused(file):
        return Result(file, name, kind, kind.read(content, file.parent))


__all__ = ["KINDS", "LANGUAGES", "Kind", "Report", "Result", "file_of", "opened", "refused"]
