"""Reports on a phone: nothing of a page is cut or must be pushed aside, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from probespiel.evaluation.stress import report as stress_report
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.report import render_html
from tests.synthetic import by_strength, info, tournament

KEPT = Path(__file__).parents[1] / "data" / "stress_report.json"
# Elements of a page that reach beyond the window, or hold more than they show.
CUT = """() => [...document.querySelectorAll('main *')]
  .filter(e => e.getClientRects().length && !e.closest('svg') && !e.closest('thead'))
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1
            || (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible'))
  .map(e => e.outerHTML.slice(0, 120))"""


def _tournament(lang: str) -> str:
    names = ["a_rather_long_name:sims=1000,depth=4", "second", "third", "fourth", "fifth", "sixth"]
    summary = analyse(tournament(6, by_strength([1, 0.6, 0.2, -0.2, -0.6, -1]), blocks=20), names, 1, resamples=20)
    return render_html(summary, info(payoff_unit="EP", focus=["third"]), lang)


def _stress(lang: str) -> str:
    return stress_report.render(stress_report.read_report(KEPT), lang)


@pytest.mark.parametrize(
    ("make", "lang"),
    [
        (_tournament, "de"),
        pytest.param(_tournament, "en", marks=pytest.mark.slow),
        pytest.param(_stress, "de", marks=pytest.mark.slow),
        pytest.param(_stress, "en", marks=pytest.mark.slow),
    ],
)
def test_a_report_on_a_phone(make: Callable[[str], str], lang: str, chromium: Browser, tmp_path: Path) -> None:
    """At 390 px in the light nothing is cut, every cell tells its column, and nothing is asked of the network."""
    file = tmp_path / "report.html"
    file.write_text(make(lang), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert not (cut := page.evaluate(CUT)), json.dumps(cut, indent=1)
    cells = page.evaluate("document.querySelectorAll('.stack td').length")
    labelled = page.evaluate("document.querySelectorAll('.stack td[data-label]').length")
    assert cells > 30 and labelled == cells
    assert page.evaluate("document.documentElement.lang") == lang and asked == [file.as_uri()] and not wrong
    page.close()
