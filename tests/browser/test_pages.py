"""Whole games by clicks, and what people do to pages: reload, go back, click twice, share a screen, kill the server."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Browser, Page

from probespiel.app.web.words import WORDS
from probespiel.envs.core.registry import make_game, systems

from .conftest import Server
from .visit import READY, begin, click_through, keys_of, newer, page_of, serious, stamp

QUICK = [
    ("kuhn", "", 1280, "en-US"),
    ("ews_rps", "table_contest", 1280, "en-US"),
    ("einblatt-duel", "", 1280, "de-DE"),
    ("konfrontation-clash", "", 390, "de-DE"),
    ("scorekeeper-duel", "drug_flat", 1280, "en-US"),
    ("oneshot-parley", "", 1280, "en-US"),
    ("einblatt-duel", "", 390, "en-US"),
]


@pytest.mark.parametrize(("game", "scenario", "width", "locale"), QUICK)
def test_a_whole_game_by_clicks(
    server: Server, chromium: Browser, game: str, scenario: str, width: int, locale: str
) -> None:
    with page_of(chromium, server.address, width, locale) as page:
        begin(page, server.address, game, scenario=scenario)
        assert page.get_attribute("html", "lang") == locale[:2]
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
        assert serious(page) == []
        assert click_through(page, random.Random(1)) > 0
        assert page.locator(".result li").count() >= 2
        with page.expect_download() as download:
            page.click(".result a[download]")
        assert "probespiel-replay" in download.value.path().read_text()


def games_and_languages() -> list[tuple[str, int, str]]:
    """Every registered game in English, and one of each system in German, on a wide and on a narrow screen."""
    english = [(game, width, "en-US") for system in systems() for game in system.games for width in (1280, 390)]
    return english + [(system.games[-1], width, "de-DE") for system in systems() for width in (1280, 390)]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "width", "locale"), games_and_languages())
def test_every_game_by_clicks(server: Server, chromium: Browser, game: str, width: int, locale: str) -> None:
    """From the form to the result: no page on the way is wider than the screen, and none is without words."""
    wide: set[str] = set()

    def look() -> bool:
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            wide.add(page.inner_text("main")[:300])
        return False

    with page_of(chromium, server.address, width, locale) as page:
        begin(page, server.address, game)
        assert page.get_attribute("html", "lang") == locale[:2]
        assert serious(page) == []
        assert click_through(page, random.Random(5), look=look) > 0
        assert wide == set()
        assert serious(page) == []
        assert page.locator(".result li").count() >= make_game(game, compiled=False).n_seats
        with page.expect_download() as download:
            page.click(".result a[download]")
        assert "probespiel-replay" in download.value.path().read_text()


@pytest.mark.slow
def test_pages_work_without_scripts(server: Server, chromium: Browser) -> None:
    with page_of(chromium, server.address, java_script_enabled=False) as page:
        page.goto(f"{server.address}/new/einblatt-duel")
        page.select_option("[name=opponent]", "random")
        page.click("main form[method=post] button.primary")
        for _ in range(50):
            page.wait_for_selector(READY)  # the page asks again by itself
            if page.locator(".result").count():
                break
            page.locator("button.choice").first.click()
        assert page.locator(".result").count() == 1


def test_no_page_has_a_serious_violation(server: Server, chromium: Browser) -> None:
    for scheme in ("light", "dark"):
        with page_of(chromium, server.address, color_scheme=scheme) as page:
            begin(page, server.address, "oneshot-skirmish")
            assert serious(page) == []
            page.goto(f"{server.address}/new/einblatt-melee")
            page.click("details summary")
            assert serious(page) == []
            begin(page, server.address, "kuhn", "human")
            assert serious(page) == []
            page.goto(f"{server.address}/")
            assert serious(page) == []


# Where the first choice of a page ends, from its top: a button, a place to click on, or the button of a slider.
ENDS = """() => Math.min(...[...document.querySelectorAll('button.choice')].filter(e => e.getClientRects().length)
  .map(e => e.getBoundingClientRect().bottom + scrollY))"""


@pytest.mark.parametrize(
    "game", ["scorekeeper-duel", "oneshot-skirmish", "konfrontation-clash", "konfrontation-campaign"]
)
def test_a_phone_shows_choices_without_scrolling(server: Server, chromium: Browser, game: str) -> None:
    """Ten decisions of a game: on each page something that can be done stands within the first screen of a phone."""
    ends: list[float] = []

    def look() -> bool:
        if page.locator("button.choice").count():
            ends.append(page.evaluate(ENDS))
        return len(ends) >= 10

    with page_of(chromium, server.address, 390) as page:
        begin(page, server.address, game)
        click_through(page, random.Random(3), look=look)
        assert ends and max(ends) <= 844, ends


def test_a_set_is_ticked(server: Server, chromium: Browser) -> None:
    """Perks of a build: what is ticked says its worth, what is no set cannot be taken, at last it stands there once."""
    with page_of(chromium, server.address, 390) as page:
        begin(page, server.address, "oneshot-build")
        assert page.evaluate("document.documentElement.scrollHeight") < 3_000
        boxes, take, worth = page.locator("[name=thing]"), page.locator("#take-set"), page.locator("#of-set")
        alone = worth.inner_text()
        assert re.fullmatch(r"\d+ % of the points", alone)
        for number in range(4):
            assert take.is_enabled()
            boxes.nth(number).check()
        assert take.is_disabled() and worth.inner_text() == "These cannot be taken together."
        boxes.nth(0).uncheck()
        assert take.is_enabled() and worth.inner_text() not in (alone, "These cannot be taken together.")
        names = [
            page.locator(".things label > span").nth(n).evaluate("e => e.firstChild.data.trim()") for n in (1, 2, 3)
        ]
        old = stamp(page)
        take.click()
        newer(page, old)
        assert page.locator(".builds td").first.inner_text() == ", ".join(names)
        click_through(page, random.Random(1))
        told = page.inner_text(".result")
        assert ", ".join(names) not in told and page.locator(".builds td").first.inner_text() == ", ".join(names)


def test_what_a_player_reads_at_the_end(server: Server, chromium: Browser) -> None:
    """Whether he has won, and the way to what decided it."""
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "kuhn")
        click_through(page, random.Random(1))
        verdict = page.inner_text("#now .verdict")
        payoffs = [line for line in page.locator(".result li").all_inner_texts() if "payoff" in line]
        assert verdict == ("You win" if payoffs[0].split()[-1].startswith("+") else "You lose")
        page.click("#why-end")
        page.wait_for_selector("svg.values", timeout=120_000)


def test_keyboard_alone(server: Server, chromium: Browser) -> None:
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "ews_rps", scenario="table_contest")
        for _ in range(3):
            old = stamp(page)
            page.focus("#now")
            for _ in range(12):  # the choices can be reached by Tab, one after the other
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.matches('button.choice')"):
                    break
            chosen = page.evaluate("document.activeElement.id")
            assert chosen.startswith("a")
            page.keyboard.press("Enter")
            newer(page, old)
            if page.locator(".result").count() == 0:
                assert page.evaluate("document.activeElement.id") == chosen, "the focus stays where it was"
        while page.locator(".result").count() == 0:
            old = stamp(page)
            page.keyboard.press("1")
            newer(page, old)
        # what had the focus is gone
        page.wait_for_function("() => document.activeElement.id === 'now'")


def test_numbers_of_two_digits_are_typed(server: Server, chromium: Browser) -> None:
    """A card has its own number; a 1 alone waits for a digit or for Enter, and says where it stands."""
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "goofspiel", scenario="thirteen")
        assert keys_of(page) == [str(key) for key in range(1, 14)]
        assert page.locator("[aria-keyshortcuts]").count() == 9, "a number of two digits is no key"

        def cards() -> list[str]:  # without their numbers
            return [" ".join(text.split()[:-1]) for text in page.locator("button[data-key]").all_inner_texts()]

        def closed(hidden: bool) -> None:
            page.evaluate(
                """hidden => { const list = document.getElementById('choices');
                    const box = list.closest('details') ?? document.createElement('details');
                    if (list.parentElement !== box) { list.before(box); box.append(list); }
                    box.open = !hidden; }""",
                hidden,
            )

        told, old = cards(), stamp(page)
        page.keyboard.press("0")
        page.keyboard.press("1")
        page.wait_for_function("() => document.activeElement.dataset.key === '1'")
        assert stamp(page) == old, "nothing is done before it is known which number that becomes"
        page.keyboard.press("3")
        newer(page, old)
        assert len(set(told)) == 13 and cards() == told[:-1]
        old = stamp(page)
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        newer(page, old)
        assert cards() == told[1:-1]
        old = stamp(page)
        closed(True)
        page.keyboard.press("5")
        closed(False)
        page.keyboard.press("3")  # no other number begins with it
        newer(page, old)
        assert cards() == [told[1], *told[3:-1]], "nobody takes what is not to be seen"
        old = stamp(page)
        page.keyboard.press("1")  # there is none with this number, but some begin like it
        page.keyboard.press("2")
        newer(page, old)
        assert cards() == [told[1], *told[3:11]]


def test_no_number_sticks_out_of_its_button(server: Server, chromium: Browser) -> None:
    """On a phone, in German: those of the twelve supports stood beside their buttons, and past the screen."""
    with page_of(chromium, server.address, 390, "de-DE") as page:
        begin(page, server.address, "konfrontation-campaign")
        out = page.evaluate(
            """() => [...document.querySelectorAll('button .key')].filter(key => key.getBoundingClientRect().right
                      > key.closest('button').getBoundingClientRect().right).map(key => key.textContent)"""
        )
        assert out == [] and len(keys_of(page)) > 20
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"


def test_rooms_of_a_map_have_keys(server: Server, chromium: Browser) -> None:
    """A number on each room that one can go to, the same as the key that goes there."""
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "oneshot-mission")
        door = page.locator("button.door").first
        shown = door.evaluate("e => getComputedStyle(e, '::after').content")
        assert door.get_attribute("aria-keyshortcuts") == door.get_attribute("data-key") == shown.strip('"') == "1"
        assert serious(page) == []
        old = stamp(page)
        page.keyboard.press("1")
        newer(page, old)
        assert page.locator("ol[aria-labelledby=since]").inner_text().startswith("the party comes to: ")


def test_reload_back_and_second_click(server: Server, chromium: Browser) -> None:
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "einblatt-duel")
        first, place = stamp(page), page.url
        page.reload()
        assert stamp(page) == first
        page.locator("button.choice").first.dblclick()
        newer(page, first)
        page.wait_for_selector("button.choice")
        second = stamp(page)
        hand = page.locator(".hand .playing").count()
        page.goto(f"{server.address}/")
        page.go_back()
        page.wait_for_selector("button.choice")
        assert page.url == place and stamp(page) == second
        # an old form, as a browser may keep it: nothing happens, and the page says so
        page.evaluate("old => document.querySelector('#act [name=stamp]').value = old", first)
        page.locator("button.choice").first.click()
        page.wait_for_selector(".notice")
        assert stamp(page) == second and page.locator(".hand .playing").count() == hand
        page.click("#undo")
        page.wait_for_function("s => document.querySelector('#act [name=stamp]').value === s", arg=first)
        page.click("#hint")
        page.wait_for_selector(".choice.hinted", timeout=120_000)


# Answers are kept back while `hold` is true, each for some polls of the page at least.
KEPT_ANSWERS = """hold => {
  window.hold = hold;
  const fetched = window.fetch;
  window.fetch = async (...given) => {
    const answer = await fetched(...given);
    if (/\\/(act|hint|bar)$/.test(String(given[0]))) {
      await new Promise(done => setTimeout(done, window.hold ? 20 : 400));
      while (window.hold) await new Promise(done => setTimeout(done, 20));
    }
    return answer;
  };
}"""
KEPT, LET_GO = "() => { window.hold = true; }", "() => { window.hold = false; }"


def test_no_click_is_lost_while_a_page_asks_for_news(server: Server, chromium: Browser) -> None:
    """While the value bar was estimated, the page was renewed before the decision itself was answered.

    The next click went nowhere then, as the decision was still under way.
    """
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "goofspiel", scenario="eight")
        page.click("#bar")
        page.wait_for_selector("#worth")
        page.evaluate(KEPT_ANSWERS, False)
        for _ in range(2):
            old = stamp(page)
            page.locator("button.choice").first.click()
            newer(page, old)


def test_the_value_bar_waits_for_the_answer_to_a_hint(server: Server, chromium: Browser) -> None:
    """The click on the bar was dropped while that on the hint was not answered."""
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "goofspiel")
        page.evaluate(KEPT_ANSWERS, True)
        page.click("#hint")
        page.click("#bar")
        page.evaluate(LET_GO)
        page.wait_for_selector("#worth")
        page.wait_for_selector(".choice.hinted", timeout=120_000)


def test_a_decision_waits_for_the_answer_to_a_hint_or_the_value_bar(server: Server, chromium: Browser) -> None:
    """A click on a choice was dropped while that on the hint or the bar was not answered; none of them is lost now.

    A second click on the same choice still does nothing: it is not even told that it comes too late.
    """
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "goofspiel", scenario="eight")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]) if request.post_data else None)
        page.evaluate(KEPT_ANSWERS, True)
        for asked in (["#hint"], ["#bar"], ["#hint", "#bar"]):
            old, shown = stamp(page), page.locator("#worth").count()
            sent.clear()
            page.evaluate(KEPT)
            for button in asked:
                page.click(button)
            page.locator("button.choice").first.dblclick()
            page.evaluate(LET_GO)
            newer(page, old)
            assert sent == [*(button[1:] for button in asked), "act"]
            assert page.locator("#worth").count() == (shown + asked.count("#bar")) % 2
            assert page.locator(".notice", has_text=WORDS["stale"][0]).count() == 0
        old = stamp(page)
        page.evaluate(KEPT)
        page.click("#hint")
        page.click("#undo")
        page.evaluate(LET_GO)
        newer(page, old)
        assert sent[-2:] == ["hint", "undo"]
        old = stamp(page)
        page.locator("button.choice").first.click()  # decided anew, after it was taken back: no second click
        newer(page, old)


def test_what_went_wrong_is_no_wider_than_a_phone(server: Server, chromium: Browser) -> None:
    """A message may hold a long path, which made the page wider than the screen."""
    with chromium.new_context(viewport={"width": 390, "height": 900}, locale="en-US") as context:
        page = context.new_page()
        page.goto(f"{server.address}/new/kuhn")
        page.click("details summary")
        page.fill("[name=options]", f"{'x' * 90}=1")
        page.click("main form[method=post] button.primary")
        page.wait_for_selector("[role=alert]")
        assert "x" * 90 in page.inner_text("[role=alert]")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert serious(page) == []


def test_the_position_of_a_generic_page_stands_above_the_choices(server: Server, chromium: Browser) -> None:
    """On a phone the own dice lay below two dozen bids."""
    with page_of(chromium, server.address, 390) as page:
        begin(page, server.address, "liars_dice", scenario="two_dice")
        boxes = [page.locator(name).bounding_box() for name in (".told", "#choices")]
        assert boxes[0] is not None and boxes[1] is not None
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] < 900
        assert "dice: " in page.inner_text(".told") and page.locator(".told").count() == 1


def test_people_at_one_screen(server: Server, chromium: Browser) -> None:
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "kuhn", "human")
        assert "card:" not in page.inner_text("main"), "nobody's card lies open before somebody sits down"
        assert serious(page) == []
        page.click("#uncover")
        page.wait_for_selector("button.choice")
        mine = page.inner_text(".told")
        page.locator("button.choice").first.click()
        page.wait_for_selector("#uncover")
        assert mine not in page.content() and "card:" not in page.inner_text("main")
        click_through(page, random.Random(2))


def test_two_browsers_never_see_each_others_cards(server: Server, chromium: Browser) -> None:
    with page_of(chromium, server.address) as one, page_of(chromium, server.address) as two:
        begin(one, server.address, "einblatt-duel", "human")
        one.click("#invite summary")
        one.click("#invite form:last-of-type button")
        one.wait_for_selector("#invite input[readonly]")
        link = one.input_value("#invite input[readonly]")
        two.goto(link)
        two.click("main form button")
        two.wait_for_selector("button.choice")
        one.wait_for_selector("#uncover, button.choice")
        if one.locator("#uncover").count():
            one.click("#uncover")
        one.wait_for_selector("button.choice")
        hands = []
        for page in (one, two):
            names = page.locator("button.playing .hidden-text").all_inner_texts()
            hands.append({name.removesuffix(" (trump)") for name in names})
        assert hands[0] and hands[1]
        assert not any(name in one.inner_text("#table") for name in hands[1] - hands[0])
        assert one.url.split("/game/")[1] == two.url.split("/game/")[1]
        # a browser that holds no seat sees nothing of the game
        with chromium.new_context() as stranger:
            assert stranger.request.get(one.url).status == 404
        old = stamp(one)
        one.locator("button.choice").first.click()
        one.wait_for_function("() => !document.querySelector('button.choice')")
        assert stamp(one).split("x") == ["1", old.split("x")[1]], "sealed: nothing has happened yet"
        two.locator("button.choice").first.click()
        newer(one, old)
        newer(two, "")
        never_shown(one, two)


def never_shown(one: Page, two: Page) -> None:
    """Play a game of cards to its end in two browsers: no card of a hand stands anywhere in the other's page.

    Cards that the other seat has held itself have the same names and are left out.
    """
    held, looked = [set[str](), set[str]()], 0
    while not one.locator(".result").count():
        for page in (one, two):
            page.wait_for_selector(READY)
        hands = [
            {name.removesuffix(" (trump)") for name in page.locator("button.playing .hidden-text").all_inner_texts()}
            for page in (one, two)
        ]
        for mine, hand in zip(held, hands, strict=True):
            mine |= hand
        for page, hand, mine in ((one, hands[1], held[0]), (two, hands[0], held[1])):
            text = page.content()
            looked += len(hand - mine)
            assert [name for name in hand - mine if name in text] == []
        for page in (one, two):
            if page.locator("button.choice").count():
                old = stamp(page)
                page.locator("button.choice").first.click()
                page.wait_for_function(
                    "old => { const it = document.querySelector('#act [name=stamp]');"
                    " return !it || it.value !== old || !document.querySelector('button.choice') }",
                    arg=old,
                )
    assert looked > 4


def test_a_killed_server_has_lost_nothing(server: Server, chromium: Browser) -> None:
    with page_of(chromium, server.address) as page:
        begin(page, server.address, "scorekeeper-duel")
        for _ in range(4):
            old = stamp(page)
            page.locator("button.choice").first.click()
            newer(page, old)
        now, told, place = stamp(page), page.inner_text(".screen"), page.url
        page.goto("about:blank")
        server.kill()
        server.start()
        page.goto(f"{server.address}/")
        page.click(f"a[href='{place.removeprefix(server.address)}']")
        page.wait_for_selector("button.choice")
        assert stamp(page) == now and page.inner_text(".screen") == told
        old = stamp(page)
        page.locator("button.choice").first.click()
        newer(page, old)
