"""The list of games in a browser: keys, few requests, a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from correspondence.accounts import relations
from correspondence.core.db import transaction
from correspondence.models import Rating
from tests.browser.axe import axe_finds, load_axe

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def with_games(site, count):
    return [site.world.match("duel", *(("ann", "bob") if nth % 2 else ("bob", "ann"))) for nth in range(count)]


def test_keys_go_through_the_list_and_open_games(site, chromium):
    with_games(site, 4)
    page = site.visit(chromium, "ann", **DESKTOP)
    page.goto("/games")
    page.keyboard.press("j")
    expect(page.locator("[data-row]").nth(0)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("[data-row]").nth(1)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_text("open the game", exact=True)).to_be_visible()
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(r"/games/\d+$"))
    page.go_back()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/games/\d+$"))
    assert page.troubles == []


def test_keys_that_are_switched_off_do_nothing(site, chromium):
    with_games(site, 2)
    page = site.visit(chromium, "ann", **DESKTOP)
    page.goto("/games")
    page.locator("#keys summary").click()
    page.get_by_role("button", name="Switch these keys off").click()
    page.wait_for_load_state()
    page.keyboard.press("j")
    expect(page.locator("[data-row]").nth(0)).not_to_be_focused()


def test_forty_games_load_with_at_most_twenty_requests(site, chromium, monkeypatch):
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 100)
    with_games(site, 41)
    site.world.client("ann").post("/games/view", data={"view": "boards"})
    for view in ("Boards", "Table"):
        page = site.visit(chromium, "ann", **DESKTOP)
        requests = []
        page.on("request", lambda request, requests=requests: requests.append(request.url))
        page.goto("/games", wait_until="networkidle")
        assert len(requests) <= 20, (view, requests)
        page.get_by_role("button", name="Table").click()
        page.wait_for_load_state("networkidle")
        page.context.close()


PAGES = ["/games?sort=opponent", "/seeks", "/seeks/new?game=duel&preset=today", "/partners?low=1&sort=seen", "/players/bob",
         "/ratings/duel", "/settings/partners"]  # fmt: skip


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_lists_of_games_and_people_fit_and_are_accessible(site, chromium, width):
    with_games(site, 6)
    site.world.join("cleo", "dora", "emil")
    with transaction(site.world.engine) as session:
        for name in ("ann", "bob", "cleo", "dora", "emil"):
            person = site.world.person(session, name)
            session.add(Rating(person_id=person.id, game="duel", rating=1400 + 30 * person.id, deviation=60, volatility=0.06,
                               games=20, updated_at=site.world.time, established_until=site.world.time))  # fmt: skip
    site.world.client("ann").post("/games/view", data={"view": "table"})
    site.world.client("bob").post("/seeks/new", data={"game": "duel", "pace": "3"})
    page = site.visit(
        chromium, "ann", reduced_motion="reduce", **{**PHONE, "viewport": {"width": width, "height": 844}}
    )
    for path in PAGES:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        load_axe(page)
        for scheme in ("light", "dark"):
            assert axe_finds(page, (scheme, width), set()) == [], path
    assert page.troubles == []


def test_a_seek_is_opened_and_taken_by_touch(site, chromium):
    ann = site.visit(chromium, "ann", **PHONE)
    ann.goto("/seeks")
    ann.get_by_role("button", name="Slow and friendly").tap()
    ann.get_by_role("button", name="Open the seek").first.tap()
    expect(ann.get_by_text("Your seek is open.")).to_be_visible()
    bob = site.visit(chromium, "bob", java_script_enabled=False, **PHONE)
    bob.goto("/seeks")
    bob.get_by_role("button", name="Play", exact=True).tap()
    expect(bob).to_have_url(re.compile(r"/games/\d+$"))


def test_a_notice_on_the_front_page_breaks_no_script(site, chromium):
    page = site.visit(chromium, "ann", **DESKTOP)
    page.goto("/settings")
    page.get_by_role("button", name="Sign out everywhere").click()
    expect(page.locator(".notice")).to_be_visible()
    page.wait_for_timeout(600)
    assert page.troubles == []


def test_the_list_is_filtered_by_touch_without_scripts(site, chromium):
    with_games(site, 6)
    page = site.visit(chromium, "ann", java_script_enabled=False, **PHONE)
    page.goto("/games")
    page.get_by_text("Filter and sort").tap()
    page.get_by_label("Show").select_option("mine")
    page.locator(".filter button").tap()
    expect(page.locator("[data-row]")).to_have_count(3)
    page.get_by_role("button", name="Table").tap()
    expect(page.locator(".games-table [data-row]")).to_have_count(3)
