"""Exercises in a real browser: solved by touching the board, by keys, and without script."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_trying import SCREENS
from tests.exercises import attempt_of, found_in

WIDE = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture
def number(site):
    """An exercise of three moves in a game of tiles; White solves it."""
    return found_in(site.world, "proteus-tiles")


@pytest.mark.parametrize("screen", {"phone": SCREENS["phone"], "wide": WIDE})
def test_an_exercise_is_solved_on_the_board(site, chromium, artefacts, number, screen):
    page = site.visit(chromium, "ann", **{"phone": SCREENS["phone"], "wide": WIDE}[screen])
    page.goto("/exercises")
    expect(page.get_by_text("White to move: only one move wins by force within 3 moves")).to_be_visible()
    page.screenshot(path=artefacts / f"exercises-{screen}.png", full_page=True)
    page.click('.is-next[data-touch="pool:Gs"]')
    page.click('.is-next[data-touch="a3"]')
    expect(page.get_by_text("Gs@a3 is right.")).to_be_visible()
    for text in ("Mt@a2", "oa3"):
        page.fill("#move", text)
        page.keyboard.press("Enter")
    expect(page.get_by_text("That is the solution.")).to_be_visible()
    page.screenshot(path=artefacts / f"exercise-solved-{screen}.png", full_page=True)
    assert attempt_of(site.world, "ann", number).solved
    page.get_by_role("link", name="The position in game").click()
    expect(page).to_have_url(f"{site.address}/games/1/11#board")
    assert page.troubles == []


def test_a_guest_tries_without_script_and_sees_the_answer(site, chromium, artefacts, number):
    page = site.visit(chromium, java_script_enabled=False, **SCREENS["phone"])
    page.goto(f"/exercises/{number}")
    page.locator(".legal summary").click()
    page.get_by_role("button", name="Mo@a1", exact=True).click()
    expect(page.get_by_text("Black escapes with Mt@a3")).to_be_visible()
    page.screenshot(path=artefacts / "exercise-wrong-phone.png", full_page=True)
    page.get_by_role("link", name="Try another move").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_role("heading", name="The solution")).to_be_visible()
    expect(page.get_by_text("Gs@a3 (White), Mo@a1 (Black)")).to_be_visible()
