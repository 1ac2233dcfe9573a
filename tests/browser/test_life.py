"""A site on which people play, in a real browser: the front page follows a game, guests play the deal of the day."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


def seen_again(page):
    """The page asks for news as it does when it comes into sight again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_the_front_page_follows_the_game_that_it_shows(site, chromium):
    number = site.world.match("duel")
    page = site.visit(chromium, **DESKTOP)
    page.goto("/")
    expect(page.locator(".hero-game")).to_contain_text("after move 0")
    site.world.play(number, "ann", "5@b3")
    seen_again(page)
    expect(page.locator(".hero-game")).to_contain_text("after move 1")
    expect(page.locator(".hero-game img")).to_have_attribute("src", f"/games/{number}/1/small.svg")
    assert page.troubles == []


@pytest.mark.parametrize("path", ["/", "/puzzles"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_visitor_touches_the_deal_of_the_day(site, chromium, path, screen):
    site.world.client().get("/puzzles")
    page = site.visit(chromium, **screen)
    page.goto(path)
    page.locator(".tryout .cell.is-next").first.click()
    for _touch in range(20):
        if page.locator(".tryout").get_by_text("1 move made so far.").count():
            break
        near = page.locator(".popup button, .choices button")
        (near.first if near.count() else page.locator(".tryout .cell.is-next").last).click()
        page.wait_for_timeout(150)
    expect(page.locator(".tryout")).to_contain_text("1 move made so far.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles == []


def test_the_deal_is_played_without_script(site, chromium):
    site.world.client().get("/puzzles")
    page = site.visit(chromium, java_script_enabled=False, **PHONE)
    page.goto("/")
    page.locator(".legal summary").click()
    page.locator(".legal button").first.click()
    expect(page.locator(".tryout")).to_contain_text("1 move made so far.")
