"""The report of a stress test: one self-contained HTML page and the same in JSON.

The page has no scripts and loads nothing. The same findings give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ...agents.native import baselines_of
from ...agents.registry import german_lines
from ...envs.core.disk import write_text
from ...envs.core.errors import ProbespielError
from ...envs.core.registry import system_of
from ..report.pages import render_page
from ..report.phrases import Phrasebook
from ..report.wording import clean_name, signed
from .amounts import handicap_text, percent, span
from .basis import BASES
from .findings import Findings
from .game_verdict import GAME_VERDICTS, GUESSING, ends, number
from .game_words import METHOD, METHODS
from .proof import SCOPE, games_of, numbers, scope, section_of_note, section_of_reason, section_of_remark
from .setting import setting_of, trust_of
from .texts import words
from .verdict import VERDICTS
from .words import ALIKE, QUESTIONS, answers, unit_of

FORMAT = "probespiel-stress-report/2"
LEADS = {
    "broken": "The rules break.",
    "overpowered": "Whoever has it wins by it.",
    "seat-favouring": "It favours a seat.",
    "always-use": "Using it is always right: whether to use it is no decision.",
    "dead rule": "Nobody gains by using it.",
    "strong": "It is strong.",
    "small": "It is worth a little.",
    "neutral": "Having it gains nothing that counts, and costs nothing.",
    "undecided": "What it is worth is not decided yet.",
    "shared": "It concerns everybody: nobody has an edge by it.",
    "open": "The test was not finished.",
}
HANDICAPS = {"strong": "It is a strong handicap.", "small": "It is a small handicap."}
TONES = {"broken": "bad", "overpowered": "bad", "seat-favouring": "bad", "always-use": "warn", "dead rule": "warn",
         "strong": "warn", "small": "good", "neutral": "good", "undecided": "",
         "shared": "", "open": ""}  # fmt: skip
GAME_TONES = {"broken": "bad", "stalls the game": "bad", GUESSING: "warn", "decoration": "warn",
              "changes little": "good"}  # fmt: skip


def lead_of(found: Findings, word: str) -> str:
    """The verdict of the word in a sentence."""
    down = found.worth is not None and found.worth.overall.value < 0
    return HANDICAPS[word] if down and word in HANDICAPS else LEADS[word]


def report_json(found: Findings) -> str:
    """`report.json`: the verdict, the answers in words, the thresholds, and every number."""
    findings = found.to_json()
    content = {
        "format": FORMAT,
        "verdict": findings.pop("verdict"),
        "game_verdict": findings.pop("game_verdict", None),
        "answers": {QUESTIONS[name]: lines for name, lines in answers(found).items()},
        "thresholds": VERDICTS,
        "game_thresholds": GAME_VERDICTS,
        "findings": findings,
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def read_report(path: Path) -> Findings:
    """The findings of a `report.json`; raises ProbespielError if the file holds none of this version."""
    if not path.exists():
        raise ProbespielError(
            f"{path} is no stress report: there is no such file; name a folder in which one was written"
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"format {content['format']!r}, not {FORMAT!r}")
        return findings_of(content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProbespielError(f"{path} is no stress report of this version: {error}") from None


def findings_of(content: Mapping[str, Any]) -> Findings:
    """The findings in the JSON of a report; raises KeyError, TypeError or ValueError if it is damaged."""
    given = {**content["findings"], "verdict": content["verdict"], "game_verdict": content.get("game_verdict")}
    return Findings.from_json(given)


def render(found: Findings, lang: str = "en") -> str:
    """The report as one HTML page, inline CSS and SVG, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang, found.german))


def render_in(found: Findings, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    # Who draws takes as long to load as all the rest, and the processes that only play need not wait for it.
    from .plots import ladder_plot, worth_plot

    filters: dict[str, Any] = dict(
        clean=clean_name,
        signed=lambda value, digits: t.number(signed(value, digits)),
        percent=lambda x: t.number(percent(x)),
        span=lambda found: t.number(span(found)),
        thousands=lambda v: t.number(f"{v:,.0f}"),
        commands=_commands,
        t=t,
        word=t.word,
        num=t.number,
        first_up=lambda text: text[:1].upper() + text[1:],
        where=lambda text: t.names.get(text) or t.word(text),
        mix=lambda text: _mixture(text, t),
        named=lambda text: text if t.english else t.names.get(text, text),
    )
    unit = unit_of(found)
    assert found.verdict is not None and found.game_verdict is not None
    word = found.verdict.word
    many = found.unit[1]
    content = dict(
        f=found,
        setting=setting_of(found.options, found.also),
        lang=t.lang,
        unit=unit,
        told={name: t.all(lines) for name, lines in answers(found).items()},
        trust=trust_of(found),
        described=lambda text: text if t.english else t.names.get(text) or t.told(text),
        plain_signed=signed,
        questions=QUESTIONS,
        word=word,
        lead=lead_of(found, word),
        tone=TONES[word],
        basis=BASES.get(found.verdict.basis, ""),
        game_word=found.game_verdict.word,
        game_tone=GAME_TONES.get(found.game_verdict.word, ""),
        game_verdicts=GAME_VERDICTS,
        number=number,
        ends=ends,
        names=found.glossary,
        numbers=numbers(found),
        measured=_measured(found),
        about=_about(found),
        games_of=partial(games_of, found),
        of_reason=section_of_reason,
        of_remark=section_of_remark,
        of_note=section_of_note,
        scope=scope(found),
        verdicts=VERDICTS,
        module=Path(found.module).stem,
        worth_svg=Markup(worth_plot(found.worth, many, unit, t)) if found.worth else "",
        ladder_svg=Markup(ladder_plot(found.dynamics, t)) if found.dynamics else "",
        handicaps=_handicaps(found),
        many=many,
        games=_games(found),
    )
    return render_page("stress.html.j2", filters, content)


def _measured(found: Findings) -> list[str]:
    """The sections that have numbers: the head has some in every report."""
    tables = {
        "worth": found.worth is not None, "dominance": found.dominance is not None,
        "effect": found.effect is not None and bool(found.effect.figures),
    }  # fmt: skip
    return [SCOPE, *numbers(found), *(name for name, there in tables.items() if there)]


def _about(found: Findings) -> dict[str, list[int]]:
    """The sentences by section, by their places, that tell how something was measured: no claims about the rule."""
    told = answers(found)
    return {name: [k for k, line in enumerate(lines) if line in (*METHOD, ALIKE) or line.startswith(METHODS)]
            for name, lines in told.items()}  # fmt: skip


def _mixture(text: str, t: Phrasebook) -> str:
    """A mixture of strategies, "0.62 a + 0.38 b", with their names in the language of the page."""
    parts = [part.partition(" ") for part in text.split(" + ")]
    return " + ".join(f"{t.number(weight)} {t.word(name)}" if name else t.word(weight) for weight, _, name in parts)


def _commands(line: str) -> Markup:
    """A line of text in which commands stand between backticks."""
    parts = line.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else Markup("{}").format(part) for i, part in enumerate(parts)
    )


def glossary_of(found: Findings) -> dict[str, str]:
    """What the names of the strategies mean that stand in the tables."""
    known = baselines_of(system_of(found.game).name)
    rows = [s.name for game in (found.dominance.nobody, found.dominance.everybody) for s in game.strategies] if (
        found.dominance
    ) else []  # fmt: skip
    heads = dict.fromkeys(name.split(",")[0] for name in rows)
    return {name: known[name].doc for name in heads if name in known}


def german_glossary_of(found: Findings) -> dict[str, str]:
    """What the glossary of a report says, in English with the German words, as far as there are any."""
    german = german_lines(system_of(found.game).name)
    return {text: german[name] for name, text in found.glossary.items() if name in german}


def _handicaps(found: Findings) -> dict[tuple[str, int], str]:
    """The worth in units of the handicap, by side and handicap."""
    one, many = found.unit
    return {
        (side.side, row.amount): handicap_text(row, one, many).split(" (")[0]
        for side in found.handicap or ()
        for row in side.by_amount
    }


def _games(found: Findings) -> int:
    """Games behind the report, as far as they are counted."""
    total = found.breakage.games if found.breakage else 0
    total += sum(row.games for row in found.learning or ())
    for both in (found.dominance, found.dynamics):
        total += both.nobody.games + both.everybody.games if both else 0
    for side in found.worth.sides if found.worth else ():
        total += sum(2 * row.worth.games for row in side.by_amount)
    return total


def write_reports(folder: Path, found: Findings) -> Path:
    """Write `report.html` and `report.json`; returns the path of the page."""
    page = folder / "report.html"
    write_text(page, render(found))
    write_text(folder / "report.json", report_json(found))
    return page


__all__ = ["findings_of", "german_glossary_of", "glossary_of", "read_report", "render", "report_json", "write_reports"]
