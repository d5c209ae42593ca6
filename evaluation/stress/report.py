"""The report of a stress test: one self-contained HTML page and the same in JSON.

The page has no scripts and loads nothing. The same findings give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from ..report.wording import clean_name, signed
from ..tournament.summary import plain
from .plots import ladder_plot, worth_plot
from .store import write_text
from .verdict import VERDICTS
from .words import QUESTIONS, answers, cards_text, percent, span, unit_of

_TEMPLATES = Path(__file__).parent.parent / "report" / "templates"
FORMAT = "probespiel-stress-report/1"
LEADS = {
    "broken": "The rules break.",
    "overpowered": "Whoever has it wins by it.",
    "seat-favouring": "It favours a seat.",
    "always-use": "Using it is always right: its decision is none.",
    "dead rule": "Nobody should ever use it.",
    "strong": "It is strong.",
    "small": "It is worth a little.",
    "neutral": "It changes nothing that counts.",
    "open": "The test was not finished.",
}
TONES = {"broken": "bad", "overpowered": "bad", "seat-favouring": "bad", "always-use": "warn", "dead rule": "warn",
         "strong": "warn", "small": "good", "neutral": "good", "open": ""}  # fmt: skip


def report_json(findings: Mapping[str, Any]) -> str:
    """`report.json`: the verdict, the answers in words, the thresholds, and every number."""
    told = answers(findings, unit_of(findings))
    content = {
        "format": FORMAT,
        "verdict": findings["verdict"],
        "answers": {QUESTIONS[name]: lines for name, lines in told.items()},
        "thresholds": VERDICTS,
        "findings": plain({k: v for k, v in findings.items() if k != "verdict"}),
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def render(findings: Mapping[str, Any]) -> str:
    """The report as one HTML page, inline CSS and SVG, no scripts, no outside references."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        clean=clean_name, signed=signed, percent=percent, span=span, thousands=lambda v: f"{v:,.0f}",
    )  # fmt: skip
    unit = unit_of(findings)
    word = findings["verdict"]["word"]
    page = environment.get_template("stress.html.j2").render(
        f=findings,
        unit=unit,
        told=answers(findings, unit),
        questions=QUESTIONS,
        word=word,
        lead=LEADS[word],
        tone=TONES[word],
        verdicts=VERDICTS,
        module=Path(str(findings["module"])).stem,
        worth_svg=Markup(worth_plot(findings, unit)) if "worth" in findings else "",
        ladder_svg=Markup(ladder_plot(findings)) if "dynamics" in findings else "",
        cards_text=cards_text,
        one=findings["unit"][0],
        many=findings["unit"][1],
        games=_games(findings),
    )
    return "".join(c for c in page if c >= " " or c in "\t\n")


def _games(findings: Mapping[str, Any]) -> int:
    """Games behind the report, as far as they are counted."""
    total = (findings.get("breakage") or {}).get("games", 0)
    total += sum(row["games"] for row in findings.get("learning", ()))
    for name in ("nobody", "everybody"):
        total += (findings.get("dominance") or {}).get(name, {}).get("games", 0)
        total += (findings.get("dynamics") or {}).get(name, {}).get("games", 0)
    for side in (findings.get("worth") or {}).get("sides", ()):
        total += sum(2 * row["worth"]["games"] for row in side["by_cards"])
    return int(total)


def write_reports(folder: Path, findings: Mapping[str, Any]) -> Path:
    """Write `report.html` and `report.json`; returns the path of the page."""
    page = folder / "report.html"
    write_text(page, render(findings))
    write_text(folder / "report.json", report_json(findings))
    return page


__all__ = ["render", "report_json", "write_reports"]
