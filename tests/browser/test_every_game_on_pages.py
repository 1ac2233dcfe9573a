"""Every game can be played on its page: by touching what is to be moved, by keys alone, by dragging."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect
from sqlmodel import select

from correspondence.accounts.accounts import person_by_handle
from correspondence.core.db import reading, transaction
from correspondence.matchmaking import challenges
from correspondence.models import Match
from correspondence.models.loading import persons_of, players_of, position_of
from engines import GAMES, OURS

PLIES, MOST_PLIES = 2, 4
TABLES = [
    ("proteus-dice", {"trade_off": "yes", "roulette": "before"}),
    ("proteus-dice", {"wall_street": "open"}),
    ("proteus-dice", {"wall_street": "secret"}),
    ("proteus-tiles", {}),
    ("duel", {"board": "sun"}),
    ("plateau", {}),
    *((key, {}) for key, game in GAMES.items() if game not in OURS),
]


def stand(site, number):
    """Where the match stands, and who is to act, each with a random move and its path of touches."""
    rng = random.Random(number)
    with reading(site.world.runtime.engine) as session:
        match = session.exec(select(Match).where(Match.id == number)).one()
        position = position_of(match)
        seat = position.to_act[0]
        handle = persons_of(session, players_of(session, number))[seat].handle
    seen = position.view(seat)
    for _skip in range(rng.randrange(3)):
        seen.random_move(seat, rng)
    move = seen.random_move(seat, rng)
    return handle, match.ply, seen.touches(seat, move), seen.write(seat, move)


@pytest.mark.parametrize(("key", "options"), TABLES, ids=lambda value: str(value) or "-")
def test_a_game_is_played_by_touching_the_page(site, chromium, key, options, is_thorough):
    number = site.world.match(key, **options)
    pages = {
        handle: site.visit(chromium, handle, viewport={"width": 1280, "height": 1000}) for handle in ("ann", "bob")
    }
    for _ply in range(MOST_PLIES if is_thorough else PLIES):
        handle, ply, path, text = stand(site, number)
        page = pages[handle]
        page.goto(f"/games/{number}")
        for token in path:
            page.locator(f'.is-next[data-touch="{token}"], button[value="{token}"]:visible').first.click()
        expect(page.locator("#move")).to_have_value(text)
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("status").filter(has_text="You played").first).to_be_visible()
        with reading(site.world.runtime.engine) as session:
            assert session.exec(select(Match.ply).where(Match.id == number)).one() > ply
    assert [page.troubles for page in pages.values()] == [[], []]


EVERY_GAME = pytest.mark.parametrize("key", list(GAMES))
AT = "document.activeElement?.dataset?.touch"


@pytest.fixture
def few(is_thorough):
    """How many moves are made by each way of moving."""
    return 2 if is_thorough else 1


def begun(site, key):
    if key != "duel-puzzle":
        return site.world.match(key)
    world = site.world
    with transaction(world.runtime.engine) as session:
        ann = person_by_handle(session, "ann")
        return challenges.start_alone(session, ann, key, {}, now=world.clock(), rng=world.runtime.rng).id


def middle(page, token):
    """Where to point at something that lies on the board or beside it."""
    box = page.locator(f'#board [data-touch="{token}"]').first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def walk_to(page, token):
    """Go by arrow keys to what lies on the board or beside it, as whoever sees it would."""
    for _press in range(40):
        at = page.evaluate(AT)
        if at == token:
            return
        (x, y), (u, v) = middle(page, at), middle(page, token)
        across, down = u - x, v - y
        page.keyboard.press(("ArrowRight" if across > 0 else "ArrowLeft") if abs(across) > abs(down)
                            else ("ArrowDown" if down > 0 else "ArrowUp"))  # fmt: skip
    raise AssertionError(f"{token} is not reached by arrow keys from {page.evaluate(AT)}")


def choose_by_keys(page, token):
    """Go to a place by arrow keys, or to a button below the board by Tab, and press Enter."""
    if page.locator(f'#board [data-touch="{token}"]').count():
        page.locator("#board [data-touch][tabindex='0']").first.focus()
        walk_to(page, token)
    else:
        for _press in range(80):
            if page.evaluate("document.activeElement.value") == token:
                break
            page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def opened(site, chromium, number, pages):
    """The page of whoever is to act, with a move's path of touches and its text."""
    handle, _ply, path, text = stand(site, number)
    if handle not in pages:
        pages[handle] = site.visit(chromium, handle, viewport={"width": 1280, "height": 1000})
    page = pages[handle]
    page.goto(f"/games/{number}")
    page.locator(".is-next").first.wait_for()
    return page, path, text


@EVERY_GAME
def test_a_game_is_played_by_keys_alone(site, chromium, key, few):
    number, pages = begun(site, key), {}
    for _ply in range(few):
        page, path, text = opened(site, chromium, number, pages)
        for token in path:
            choose_by_keys(page, token)
        expect(page.locator("#move")).to_have_value(text)
        expect(page.get_by_role("button", name="Play")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="You played").first).to_be_visible()
    assert not any(page.troubles for page in pages.values())


@EVERY_GAME
def test_a_game_is_played_by_dragging(site, chromium, key, few):
    number, pages = begun(site, key), {}
    for _ply in range(few):
        page, (first, *others), text = opened(site, chromium, number, pages)
        on_board = [token for token in (first, *others) if page.locator(f'#board [data-touch="{token}"]').count()]
        if on_board[:2] == [first, *others][:2] and len(on_board) > 1:
            page.mouse.move(*middle(page, first))
            page.mouse.down()
            page.mouse.move(*middle(page, others[0]), steps=6)
            page.mouse.up()
            others = others[1:]
        else:
            others = [first, *others]
        for token in others:
            page.locator(f'.is-next[data-touch="{token}"], button[value="{token}"]:visible').first.click()
        expect(page.locator("#move")).to_have_value(text)
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("status").filter(has_text="You played").first).to_be_visible()
    assert not any(page.troubles for page in pages.values())
