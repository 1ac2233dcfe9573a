"""A site on which people play, in a real browser: the front page follows a game, guests play the deal of the day."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


def seen_again(page):
    """The page asks for news as it does when it comes into sight again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_the_front_page_follows_the_game_that_it_shows(site, chromium):
    number = site.world.match("duel")
    site.world.play(number, "ann", "5@b3")
    page = site.visit(chromium, **DESKTOP)
    page.goto("/")
    expect(page.locator(".live-game")).to_contain_text("after move 1")
    site.world.play(number, "bob", "5@b2")
    seen_again(page)
    expect(page.locator(".live-game")).to_contain_text("after move 2")
    expect(page.locator(".live-game img")).to_have_attribute("src", f"/games/{number}/2/small.svg")
    assert page.troubles == []


def test_front_page_with_a_notice_runs_without_errors(site, chromium):
    site.world.client().get("/puzzles")
    page = site.visit(chromium, "ann", **DESKTOP)
    page.goto("/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("main > .notice[role=status]")).to_be_visible()
    expect(page.locator(".tryout .cell.is-next").first).to_be_visible()
    page.wait_for_timeout(400)
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


def test_after_news_the_replay_bar_stays_the_plan_is_not_told_twice_and_the_badge_follows(site, chromium):
    number = site.world.match("duel")
    page = site.visit(chromium, "bob", **DESKTOP)
    page.goto(f"/games/{number}")
    expect(page.locator("#plan h2")).to_have_text("Your plan")
    expect(page.locator(".badge")).to_have_count(0)
    site.world.play(number, "ann", "5@b3")
    seen_again(page)
    expect(page.locator("#play")).to_be_visible()
    expect(page.locator("nav.replay")).to_have_count(1)
    expect(page.get_by_role("heading", name="Your plan")).to_have_count(0)
    expect(page.locator(".badge")).to_have_text("1")
    assert "mark-dot" in page.locator("link[rel=icon]").get_attribute("href")
    site.world.play(number, "bob", "5@b2")
    seen_again(page)
    expect(page.locator("#play")).to_have_count(0)
    expect(page.locator("nav.replay")).to_have_count(1)
    expect(page.get_by_role("heading", name="Your plan")).to_have_count(1)
    expect(page.locator(".badge")).to_have_count(0)
    assert "mark-dot" not in page.locator("link[rel=icon]").get_attribute("href")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("nav.replay .at")).to_contain_text("1")
    assert page.troubles == []


def test_the_list_of_games_and_the_badge_follow_by_themselves(site, chromium):
    number = site.world.match("duel")
    page = site.visit(chromium, "bob", **DESKTOP)
    with page.expect_response("**/waiting.json"):
        page.goto("/games")
    expect(page.get_by_role("heading", name="Your turn")).to_have_count(0)
    site.world.play(number, "ann", "5@b3")
    seen_again(page)
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(page.locator(".badge")).to_have_text("1")
    expect(page.locator('[data-part="turns"]')).to_have_text("1 game waits for your move")
    assert page.troubles == []


def test_the_badge_follows_on_other_pages(site, chromium):
    number = site.world.match("duel")
    page = site.visit(chromium, "bob", **PHONE)
    page.goto("/help")
    site.world.play(number, "ann", "5@b3")
    seen_again(page)
    expect(page.locator(".badge")).to_have_text("1")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    assert "mark-dot" in page.locator("link[rel=icon]").get_attribute("href")


def test_words_half_written_stay_when_the_list_of_games_has_news(site, chromium):
    world = site.world
    number = world.match("duel")
    world.client("ann").post("/challenge", data={"game": "proteus-dice", "option-roulette": "before", "handle": "bob"})
    page = site.visit(chromium, "bob", **DESKTOP)
    page.goto("/games")
    page.get_by_text("with their own randomness").click()
    page.locator('.asks input[name="words"]').first.fill("a walk in the rain")
    world.play(number, "ann", "5@b3")
    seen_again(page)
    page.wait_for_timeout(400)
    expect(page.locator('.asks input[name="words"]').first).to_have_value("a walk in the rain")
    assert page.troubles == []


def test_a_woken_browser_says_how_many_games_wait(site, whole_chromium):
    site.world.match("duel")
    page = site.visit(whole_chromium, "ann", **DESKTOP)
    page.context.grant_permissions(["notifications"])
    page.goto("/settings/notifications")
    expect(page.get_by_role("button", name="Show notifications in this browser")).to_be_visible()
    devtools = page.context.new_cdp_session(page)
    known = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda update: known.extend(update["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_timeout(300)
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": site.address, "registrationId": known[0]["registrationId"], "data": ""},
    )
    script = """async () => {
      const registration = await navigator.serviceWorker.ready;
      for (let tries = 0; tries < 50; tries++) {
        const [one] = await registration.getNotifications();
        if (one) return one.body;
        await new Promise((later) => setTimeout(later, 100));
      }
    }"""
    assert page.evaluate(script) == "1 game waits for your move"
    assert page.troubles == []
