"""What somebody has filled in or looked up stays: after a slip, after another language, after another scenario."""

from __future__ import annotations

import html
import json
import re

import pytest
from playwright.sync_api import Browser

from probespiel.app.web.hall import Hall
from probespiel.app.web.lobby import order_of

from .conftest import Server
from .visit import READY, begin, page_of
from .wire import HOST, client_of, token_of


def selected(page: str, name: str) -> str:
    """The chosen option of a list."""
    listed = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    assert listed is not None
    found = re.search(r'<option(?: selected value="([^"]*)"| value="([^"]*)" selected)', listed[0])
    assert found is not None
    return found[1] or found[2]


def test_a_slip_in_a_form_keeps_what_was_chosen(hall: Hall) -> None:
    """The scenario, too: whoever mends an option begins the game that was meant."""
    client = client_of(hall)
    wanted = {"game": "einblatt-duel", "scenario": "storm", "opponent": "level:3", "seconds": "1", "seed": "4"}
    answer = client.post("/new", data={"token": token_of(client), "options": "no_such=1", **wanted})
    assert answer.status_code == 422 and "no_such" in answer.text
    assert (selected(answer.text, "scenario"), selected(answer.text, "opponent")) == ("storm", "level:3")
    assert '<input type="hidden" name="scenario" value="storm">' in answer.text
    assert re.findall(r'name="(?:seconds|seed)"[^>]* value="(\w*)"', answer.text) == ["1", "4"]


def test_a_scenario_that_is_not_there_leads_back_to_the_form(hall: Hall) -> None:
    client = client_of(hall)
    answer = client.post("/new", data={"token": token_of(client), "game": "einblatt-duel", "scenario": "nowhere"})
    assert answer.status_code == 422 and "nowhere" in answer.text
    assert selected(answer.text, "scenario") == "billy_tree"


@pytest.mark.parametrize("path", ["/new/einblatt-duel?scenario=storm", "/rules/einblatt-duel?scenario=storm", "/stats"])
def test_another_language_is_the_same_page(hall: Hall, path: str) -> None:
    client = client_of(hall)
    link = re.search(r'href="(/language\?to=de[^"]*)"', client.get(path).text)
    assert link is not None
    assert client.get(html.unescape(link[1])).headers["location"] == path
    assert '<html lang="de">' in client.get(path).text


def test_another_language_after_a_slip_leads_back_to_the_form(hall: Hall) -> None:
    """The answer to a form has no address of its own; a page of somebody else is none to go back to."""
    client = client_of(hall)
    form = {"token": token_of(client), "game": "einblatt-duel", "scenario": "storm", "options": "no_such=1"}
    for came, back in (
        (f"{HOST}/new/einblatt-duel?scenario=storm", "/new/einblatt-duel?scenario=storm"),
        ("https://elsewhere.example/new/kuhn", "/"),
        ("", "/"),
    ):
        page = client.post("/new", data=form, headers={"referer": came} if came else {}).text
        link = re.search(r'href="(/language\?to=de[^"]*)"', page)
        assert link is not None
        assert client.get(html.unescape(link[1])).headers["location"] == back


def test_a_long_name_breaks_on_a_small_screen(server: Server, chromium: Browser) -> None:
    """A word of 40 letters pushed the page 102 px beyond 320."""
    figure = {"kind": "pc", "attribute": 4, "relation": "own", "suits": "C"}
    named = [{"name": name, **figure} for name in ("Donaudampfschifffahrtsgesellschaftskapit", "Änne", "Çelik ß")]
    with page_of(chromium, server.address, 320, "de-DE") as page:
        page.goto(f"{server.address}/new/einblatt-melee?scenario=free_for_all")
        page.select_option("[name=opponent]", "random")
        page.click("details summary")
        page.fill("[name=options]", f"seats={json.dumps(named)}")
        page.click("main form[method=post] button.primary")
        page.wait_for_selector(READY, timeout=300_000)
        assert page.locator(".seats li").count() == 3
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_seats_that_options_name_can_be_played() -> None:
    """The form offers the seats of the scenario, so that no game with others could be begun."""
    named = [{"name": name, "kind": "pc", "attribute": 4, "relation": "own", "suits": "C"} for name in ("Änne", "Bea")]
    asked = {"game": ["einblatt-melee"], "scenario": ["free_for_all"], "options": [f"seats={json.dumps(named)}"]}
    for seat, place in (("Ada", 0), ("Bea", 1), ("Dov", 1), ("Änne", 0)):
        order = order_of({**asked, "seat": [seat], "opponent": ["random"]}, "de")
        assert order.seats == ("Änne", "Bea") and order.cast == {place: "human", 1 - place: "random"}


def test_seconds_may_have_a_comma() -> None:
    """A German keyboard for numbers has no point."""
    fields = {"game": ["kuhn"], "opponent": ["search"], "seat": ["first"]}
    comma, point = (order_of({**fields, "seconds": [text]}, "de").cast for text in ("0,5", "0.5"))
    assert comma == point and any("seconds=0.5" in name for name in comma.values())


def test_another_scenario_keeps_the_rest_and_goes_on_into_another_language(server: Server, chromium: Browser) -> None:
    """The scenario is renewed without a new address: the languages led back to the first one."""
    with page_of(chromium, server.address, 1280, "en-US") as page:
        page.goto(f"{server.address}/new/einblatt-duel")
        page.select_option("[name=opponent]", "level:5")
        page.select_option("#scenario", "storm")
        page.wait_for_function("() => document.querySelector('[type=hidden][name=scenario]').value === 'storm'")
        assert page.input_value("[name=opponent]") == "level:5"
        page.click("#languages [lang=de]")
        page.wait_for_selector("html[lang=de]")
        assert page.input_value("#scenario") == "storm"


def test_reflow_and_forced_colours(server: Server, chromium: Browser) -> None:
    """At 320 px nothing has to be scrolled to the side; what the hint means is seen without shadows, too."""
    with page_of(chromium, server.address, 320, "de-DE", forced_colors="active") as page:
        begin(page, server.address, "konfrontation-clash", scenario="debate")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        page.click("#hint")
        page.wait_for_selector(".choice.hinted")
        assert page.evaluate("getComputedStyle(document.querySelector('.choice.hinted')).borderStyle") == "double"
