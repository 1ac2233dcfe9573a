"""Each game as somebody plays it who hears the pages: only roles, names and keys, nothing that is drawn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from sqlmodel import select

from correspondence.accounts.accounts import person_by_handle
from correspondence.core.db import reading, transaction
from correspondence.matchmaking import challenges
from correspondence.models import Match
from correspondence.models.loading import position_of
from engines import GAMES, spoken

EVERY_GAME = pytest.mark.parametrize("key", list(GAMES))


def begun(site, key):
    """A game in which ann is to move."""
    if len(GAMES[key].seats) > 1:
        return site.world.match(key)
    world = site.world
    with transaction(world.runtime.engine) as session:
        ann = person_by_handle(session, "ann")
        return challenges.start_alone(session, ann, key, {}, now=world.clock(), rng=world.runtime.rng).id


def heard(site, number):
    """What ann is to hear of the board."""
    with reading(site.world.runtime.engine) as session:
        return list(spoken.sentences(position_of(session.exec(select(Match).where(Match.id == number)).one()).scene(0)))


def press(element):
    """Go to an element, as a screen reader does, and press Enter."""
    element.focus()
    expect(element).to_be_focused()
    element.press("Enter")


def signed_in(site, chromium):
    """A page of ann, who has followed the link in her letter and pressed its button."""
    site.world.app.test_client().post("/sign-in", data={"who": "ann"})
    page = site.visit(chromium)
    page.goto(site.world.link_in("sign_in"))
    press(page.get_by_role("button", name="Sign in"))
    page.wait_for_url("**/games")
    return page


def wants_words(page):
    page.goto("/settings/board")
    choice = page.get_by_role("radio", name=re.compile("^in words first"))
    choice.focus()
    choice.press("Space")
    expect(choice).to_be_checked()
    press(page.get_by_role("button", name="Save these settings"))
    expect(page.get_by_role("status")).to_have_text("Your settings have been saved.")


@EVERY_GAME
def test_a_move_is_found_played_and_heard_by_roles_and_keys_alone(site, chromium, key):
    number = begun(site, key)
    page = signed_in(site, chromium)
    wants_words(page)
    press(page.get_by_role("navigation").get_by_role("link", name=re.compile("^My games")))
    expect(page.get_by_role("heading", level=1, name="My games")).to_be_visible()
    press(page.get_by_role("main").locator(f'a[href="/games/{number}"]').first)
    expect(page.get_by_role("heading", name="The position in words")).to_be_visible()
    region = page.get_by_role("region", name="The position in words")
    assert region.get_by_role("listitem").all_inner_texts() == heard(site, number)
    assert region.aria_snapshot().count("listitem") == len(heard(site, number))

    press(page.get_by_text(re.compile(r"possible$|possible moves$")))
    group = page.get_by_role("main").get_by_role("group").filter(has=page.get_by_role("button")).last
    move = group.get_by_role("button").first
    text = move.inner_text()
    press(move)
    field = page.get_by_role("textbox", name="Your move in notation")
    expect(field).to_be_focused()
    expect(field).to_have_value(text)
    expect(page.get_by_role("status").filter(has_text="can be played")).to_be_visible()
    field.press("Enter")
    announcement = page.locator("[data-part=announce][role=status]")
    expect(announcement).to_contain_text(f"You played {text}.")
    region = page.get_by_role("region", name="The position in words")
    assert region.get_by_role("listitem").all_inner_texts() == heard(site, number)
    assert page.troubles == []


def test_the_opponents_move_changes_the_words_that_stand_first(site, chromium):
    site.world.match("duel")
    page = signed_in(site, chromium)
    wants_words(page)
    site.world.play(1, "ann", "5@b3")
    page.goto("/games/1")
    site.world.play(1, "bob", "5@b2")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    region = page.get_by_role("region", name="The position in words")
    expect(region.get_by_text("White's 5: b2.")).to_be_visible()
    expect(page.locator("[data-part=announce][role=status]")).to_contain_text("Your turn")
    assert page.troubles == []


def test_a_braille_board_can_be_reached_and_is_read_row_by_row(site, chromium):
    site.world.match("proteus-dice")
    page = signed_in(site, chromium)
    page.goto("/settings/board")
    page.get_by_role("radio", name=re.compile("^for a braille display")).check()
    press(page.get_by_role("button", name="Save these settings"))
    page.goto("/games/1")
    board = page.get_by_role("region", name="The board for a braille display")
    assert board.locator("pre").inner_text().splitlines()[0] == "8 - p - p - p - p"
    board.locator("pre").focus()
    expect(board.locator("pre")).to_be_focused()
    assert page.troubles == []
