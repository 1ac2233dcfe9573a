"""The pages in a real browser: by hand, by keys, without script, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect


def text_of(site, number, ply):
    return site.world.client("ann").get(f"/games/{number}/{ply}.txt").text


def test_a_whole_move_by_touching_the_board(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann")
    page.goto("/games/1")
    for token in ("c1", "c3", "f2"):
        page.click(f'.is-next[data-touch="{token}"]')
    expect(page.locator("[data-part=saying]")).to_contain_text("c1 → c3 → f2")
    page.get_by_role("button", name="bishop").click()
    expect(page.locator("#move")).to_have_value("c3/f2=B")
    expect(page.locator("#verdict")).to_contain_text("can be played")
    expect(page.locator("#board")).to_have_class(re.compile("is-preview"))
    page.fill("#comment", "Good luck!")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("status").filter(has_text="You played c3/f2=B.")).to_be_visible()
    expect(page.locator(".words")).to_have_text("Good luck!")
    assert page.troubles == []


def test_a_step_can_be_undone_and_a_whole_move_begun_anew(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann")
    page.goto("/games/1")
    page.click('.is-next[data-touch="c1"]')
    page.click('.is-next[data-touch="c3"]')
    page.get_by_role("button", name="One step back").click()
    expect(page.locator('[data-touch="c3"]')).to_have_class(re.compile("is-next"))
    page.click('[data-touch="e1"]')
    expect(page.locator('[data-touch="e1"]')).to_have_class(re.compile("is-chosen"))
    page.click('[data-touch="c5"]', force=True)
    expect(page.locator("[data-part=saying]")).to_have_text("You can't choose that now.")
    assert page.troubles == []


def test_a_move_by_keys_alone(site, chromium):
    site.world.match("duel")
    page = site.visit(chromium, "ann")
    page.goto("/games/1")
    page.locator('[data-touch="a4"][tabindex]').focus()  # which it has when the script is there
    for _press in range(20):  # down to the supply below the board, from square to square
        if page.evaluate("document.activeElement.dataset.touch").startswith("hand:"):
            break
        page.keyboard.press("ArrowDown")
    chosen = page.evaluate("document.activeElement.dataset.touch").removeprefix("hand:")
    page.keyboard.press("Enter")
    for _press in range(20):
        if page.evaluate("document.activeElement.classList.contains('cell')"):
            break
        page.keyboard.press("ArrowUp")
    square = page.evaluate("document.activeElement.dataset.touch")
    page.keyboard.press(" ")
    expect(page.locator("#move")).to_have_value(f"{chosen}@{square}")
    expect(page.get_by_role("button", name="Play")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("bob (White) to move")
    assert page.troubles == []


def test_what_is_typed_is_judged_at_once(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann")
    page.goto("/games/1")
    page.fill("#move", "c9")
    expect(page.locator("[data-part=row]")).to_have_class(re.compile("is-wrong"))
    page.fill("#move", "c3")
    expect(page.locator("[data-part=row]")).to_have_class(re.compile("is-unfinished"))
    page.fill("#move", "c3/f2=B")
    expect(page.locator("[data-part=row]")).to_have_class(re.compile("is-good"))
    page.fill("#move", "")
    expect(page.locator("#board")).not_to_have_class(re.compile("is-preview"))
    assert page.troubles == []


def test_without_script_the_text_box_does_it(site, chromium):
    site.world.match("proteus-dice")
    page = site.visit(chromium, "ann", java_script_enabled=False)
    page.goto("/games/1")
    page.fill("#move", "c9/f2=B")
    page.fill("#comment", "by hand")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#comment")).to_have_value("by hand")
    page.fill("#move", "c3/f2=B")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("not yet played")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".status")).to_contain_text("bob (Black) to move")


@pytest.fixture
def finished(site):
    site.world.match("duel")
    for handle, text in (("ann", "5@b3"), ("bob", "5@b2"), ("ann", "4@c2"), ("bob", "4@a3")):
        site.world.play(1, handle, text)
    site.world.resign(1, "bob")
    return site


def test_a_finished_game_is_replayed_by_arrow_keys_and_buttons(finished, chromium):
    page = finished.visit(chromium)
    page.goto("/games/1")
    seen = [page.locator(".board svg").inner_html()]
    for ply in (3, 2, 1, 0):
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".replay .at")).to_have_text(f"{ply} / 4")
        page.wait_for_url(f"**/games/1/{ply}")
        seen.append(page.locator(".board svg").inner_html())
    assert len(set(seen)) == 5
    page.keyboard.press("End")
    expect(page.locator(".moves [aria-current]")).to_have_text("4@a3")
    page.get_by_role("link", name="To the beginning").click()
    expect(page.locator(".replay .at")).to_have_text("0 / 4")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moves [aria-current]")).to_have_text("5@b3")
    assert page.troubles == []


def test_replay_works_without_script(finished, chromium):
    page = finished.visit(chromium, java_script_enabled=False)
    page.goto("/games/1")
    page.get_by_role("link", name="One back").click()
    expect(page.locator(".replay .at")).to_have_text("3 / 4")


def test_the_page_notices_that_the_opponent_has_moved(site, chromium):
    site.world.match("duel")
    page = site.visit(chromium, "bob")
    page.goto("/games/1")
    site.world.play(1, "ann", "5@b3")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".status")).to_contain_text("Your turn")
