"""Pieces that explain themselves: the legend of the tiles, and what stands on the page of the rules alone."""

from __future__ import annotations

import re

import pytest

from correspondence.accounts.accounts import person_by_handle
from correspondence.core.db import transaction
from correspondence.matchmaking import challenges
from engines import GAMES
from engines.proteus_tiles.tiles import RULES


@pytest.fixture
def town(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    return world


def legend(page):
    found = re.search(r'<ul class="signs">(.*?)</ul>', page, re.DOTALL)
    return re.findall(r"<li><svg.*?</svg><span><b>(.*?):</b> (.*?)</span>", found[1]) if found else []


@pytest.mark.parametrize("path", ["/games/1", "/rules/proteus-tiles"])
def test_a_legend_tells_what_each_of_the_nine_tiles_says(town, path):
    town.match("proteus-tiles")
    entries = legend(town.client("ann").get(path).text)
    assert [name for name, _meaning in entries] == list(RULES.values())
    assert ("KING", "a piece moves one space in any direction.") in entries
    assert len({meaning for _name, meaning in entries}) == 9


def test_games_without_signs_have_no_legend(town):
    town.match("duel")
    assert legend(town.client("ann").get("/games/1").text) == []


@pytest.mark.parametrize("key", ["duel", "duel-puzzle"])
def test_that_a_board_is_our_own_stands_on_the_page_of_the_rules_and_not_beside_each_game(town, key):
    client = town.client("ann")
    if key == "duel":
        town.match(key)
    else:
        with transaction(town.runtime.engine) as session:
            ann = person_by_handle(session, "ann")
            challenges.start_alone(session, ann, key, {}, now=town.clock(), rng=town.runtime.rng)
    page, rules = client.get("/games/1").text, client.get(f"/rules/{key}").text
    notes = re.search(r'data-part="notes">.*?data-part="sentences".*?</ul>', page, re.DOTALL)[0]
    assert GAMES[key].name in page and "printed one" not in notes
    assert "our own" in rules and "printed one" in rules


def test_the_last_walk_of_duel_is_drawn_step_by_step_on_its_page_and_in_its_preview(town):
    number = town.match("duel")
    for handle, text in (("ann", "5@b3"), ("bob", "5@b2"), ("ann", "5a1")):
        town.play(number, handle, text)
    client = town.client("ann")
    shown = [client.get(f"/games/{number}/{ply}.svg").text.count('class="badge"') for ply in range(4)]
    assert shown == [0, 0, 0, 5]
    assert client.get(f"/games/{number}").text.count('class="badge"') == 5


def test_stacks_are_told_among_the_words_of_the_position_and_not_as_a_note(town):
    number = town.match("plateau")
    town.play(number, "ann", "+b1 xx,rb")
    page = re.sub(r"<svg.*?</svg>", "", town.client("ann").get(f"/games/{number}").text, flags=re.DOTALL)
    assert "Stacks from the bottom up" not in page
    assert "<li>b1, 2 pieces from the bottom up: Black Mute; Black " in page
