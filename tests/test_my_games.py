"""The list of a member's games: filters, order, table or boards, offers, results, and the limit of games."""

from __future__ import annotations

import re

import pytest

from correspondence.core.db import transaction
from correspondence.play import matches, offers


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    return world


def rows(page):
    """Return the opponents in the list of running games, in order."""
    return re.findall(r"<a data-row href=\"/games/\d+\">(?:against )?(\w+)</a>", page)


def games(world, query=""):
    return world.client("ann").get(f"/games{query}").text


def test_games_are_filtered_by_game_opponent_and_turn(club):
    club.match("duel", "ann", "bob")
    club.match("plateau", "cleo", "ann")
    assert rows(games(club, "?game=plateau")) == ["cleo"]
    assert rows(games(club, "?opponent=bob")) == ["bob"]
    assert rows(games(club, "?turn=mine")) == ["bob"]
    assert "None of your games is like that." in games(club, "?game=plateau&opponent=bob")


def test_unknown_filters_show_all_games(club):
    club.match("duel", "ann", "bob")
    assert rows(games(club, "?game=chess&sort=beauty&turn=yours&page=x")) == ["bob"]


def test_games_are_sorted_by_time_last_move_or_opponent(club):
    first = club.match("duel", "ann", "cleo")
    club.clock.go(hours=3)
    club.match("duel", "ann", "bob")
    club.clock.go(hours=3)
    assert rows(games(club)) == ["cleo", "bob"]
    club.play(first, "ann", "5@b3")
    assert rows(games(club)) == ["bob", "cleo"]
    assert rows(games(club, "?sort=move")) == ["cleo", "bob"]
    assert rows(games(club, "?sort=opponent")) == ["bob", "cleo"]


def test_many_games_are_a_table_unless_the_member_chose_boards(club):
    for _number in range(13):
        club.match("duel", "ann", "bob")
    page = games(club)
    assert "games-table" in page
    assert len(rows(page)) == 13
    assert "small.svg" not in page
    assert (
        club.client("ann")
        .post("/games/view", data={"view": "boards", "opponent": "bob"})
        .location.endswith("?opponent=bob")
    )
    page = games(club)
    assert "games-table" not in page
    assert page.count("small.svg") == len(rows(page)) == 12
    assert "1 to 12 of 13" in page
    assert len(rows(games(club, "?page=1"))) == 1
    club.client("ann").post("/games/view", data={"view": "table"})
    assert "games-table" in games(club)


@pytest.mark.parametrize(("kind", "words"), [("draw", "draw offered"), ("takeback", "take-back asked for")])
def test_offers_of_opponents_are_marked(club, kind, words):
    number = club.match("duel", "ann", "bob")
    club.play(number, "ann", "5@b3")
    club.play(number, "bob", "7@c3")
    with transaction(club.engine) as session:
        act = matches.offer_draw if kind == "draw" else offers.offer_takeback
        act(session, club.player(session, number, "bob"), now=club.time)
    assert words in games(club) and words not in club.client("bob").get("/games").text
    club.client("ann").post("/games/view", data={"view": "table"})
    assert words in games(club)


def test_finished_games_say_who_won(club):
    for loser in ("bob", "ann"):
        number = club.match("duel", "ann", "bob")
        club.play(number, "ann", "5@b3")
        club.play(number, "bob", "7@c3")
        club.resign(number, loser)
    page = games(club)
    assert re.findall(r"<strong class=\"(?:won)?\">([^<]+)</strong>", page) == ["you lost", "you won"]


def test_the_page_says_how_many_games_are_left(club):
    club.match("duel", "ann", "bob")
    assert "1 of 20 games with people" in games(club)
    club.client("ann").post("/settings/partners/limit", data={"limit": "12"})
    assert "1 of 12 games with people" in games(club)
    assert 'value="12"' in club.client("ann").get("/settings/partners").text
    refused = club.client("ann").post("/settings/partners/limit", data={"limit": "many"})
    assert refused.status_code == 422
    assert "from 1 to 200" in refused.text
    assert 'value="many"' in refused.text
    club.client("ann").post("/settings/partners/limit", data={"limit": ""})
    assert "1 of 20 games with people" in games(club)


def test_keys_of_the_list_are_switched_off_and_on(club):
    club.match("duel", "ann", "bob")
    assert "list.js" in games(club)
    club.client("ann").post("/games/view", data={"keys": "off"})
    assert "list.js" not in games(club) and "Switch these keys on" in games(club)
    club.client("ann").post("/games/view", data={"keys": "on"})
    assert "list.js" in games(club)
