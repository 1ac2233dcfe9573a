"""Every game can be played on its page by touching what is to be moved, square by square and choice by choice."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect
from sqlmodel import select

from correspondence.course import persons_of, players_of, position_of
from correspondence.db import reading
from correspondence.models import Match

PLIES = 7
TABLES = [
    ("proteus-dice", {"trade_off": "yes", "roulette": "before"}),
    ("proteus-dice", {"wall_street": "open"}),
    ("proteus-dice", {"wall_street": "secret"}),
    ("proteus-tiles", {}),
    ("duel", {"board": "sun"}),
    ("plateau", {}),
]


def stand(site, number):
    """Where the match stands, and who is to act, each with a random move and its path of touches."""
    rng = random.Random(number)
    with reading(site.world.house.engine) as session:
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
def test_a_game_is_played_by_touching_the_page(site, chromium, key, options):
    number = site.world.begin("ann", "bob", key, options)
    pages = {
        handle: site.visit(chromium, handle, viewport={"width": 1280, "height": 1000}) for handle in ("ann", "bob")
    }
    for _ply in range(PLIES):
        handle, ply, path, text = stand(site, number)
        page = pages[handle]
        page.goto(f"/games/{number}")
        for token in path:
            page.locator(f'.is-next[data-touch="{token}"], form button[value="{token}"]').first.click()
        expect(page.locator("#move")).to_have_value(text)
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("status").filter(has_text="You played")).to_be_visible()
        with reading(site.world.house.engine) as session:
            assert session.exec(select(Match.ply).where(Match.id == number)).one() > ply
    assert [page.troubles for page in pages.values()] == [[], []]
