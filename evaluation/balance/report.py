"""The report of a search for balance: one self-contained HTML page, and `balance.json`.

The page has no scripts and loads nothing. The same findings give the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from ...envs.core.disk import write_text
from ..report.pages import render_page
from ..report.phrases import Phrasebook
from ..report.wording import clean_name
from ..stress.setting import setting_of, trust_of
from .plots import line_plot, trade_plot
from .records import Balance, balance_json
from .targets import FIGURES
from .texts import words
from .words import MEETS, SHORT, along_lines, at_nothing, end_of_range, lead, left_out, number, values_text

TONES = {"yes": "", "maybe": "warn", "no": "bad"}


def render(found: Balance, lang: str = "en") -> str:
    """One HTML page, inline CSS and SVG, no scripts, no outside references; `lang` is `en` or `de`."""
    return render_in(found, words(lang))


def render_in(found: Balance, t: Phrasebook) -> str:
    """The same in the language of a phrasebook."""
    filters: dict[str, Any] = dict(clean=clean_name, values=values_text, t=t, word=t.word, num=t.number)
    target_of = {target.figure: target for target in found.targets}
    pictures = [
        (
            along,
            t.all(along_lines(along, found)),
            [Markup(line_plot(along, x, target_of[x.figure], found, t)) for x in along.lines],
        )
        for along in found.along
    ]
    content = dict(
        f=found,
        setting=setting_of(found.options, found.also),
        trust=trust_of(found),
        lead=t(lead(found)),
        pictures=pictures,
        trade=Markup(trade_plot(found, t)),
        target_of=target_of,
        ends=t.all([*end_of_range(found), *at_nothing(found), *left_out(found)]),
        lang=t.lang,
        number=number,
        kinds=FIGURES,
        meets=MEETS,
        short=SHORT,
        tone=TONES[found.suggestion.meets] if found.suggestion else "bad",
        module=Path(found.module).stem,
    )
    return render_page("balance.html.j2", filters, content)


def write_reports(folder: Path, found: Balance, lang: str = "en") -> Path:
    """Write `report.html`, in `en` or `de`, and `balance.json`; returns the path of the page."""
    page = folder / "report.html"
    write_text(page, render(found, lang))
    write_text(folder / "balance.json", balance_json(found))
    return page


__all__ = ["render", "render_in", "write_reports"]
