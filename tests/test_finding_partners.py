"""Finding a partner on pages: presets and near offers, the directory, a player's page, and ratings."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from correspondence.core.db import transaction
from correspondence.models import Rating
from correspondence.web.graph import bars
from tests.tables import START


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    return world


def names(page):
    """Return whom the directory lists, in order."""
    return re.findall(r"<li>\s*<a href=\"/players/(\w+)\">", page)


def partners(world, query="", reader="ann"):
    return names(world.client(reader).get(f"/partners{query}").text)


def rate(world, name, rating, game="duel", at=START):
    with transaction(world.engine) as session:
        session.add(
            Rating(
                person_id=world.person(session, name).id, game=game, rating=rating, deviation=50, volatility=0.06,
                games=30, updated_at=at, established_until=at + timedelta(days=300),
            )
        )  # fmt: skip


# -- seeks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "pace", "is_rated"), [("today", "1 day", True), ("slow", "7 days", False), ("rated", "10 days", True)]
)
def test_a_preset_fills_in_the_form_and_folds_the_rest(club, preset, pace, is_rated):
    ann = club.client("ann")
    page = ann.get(f"/seeks/new?game=duel&preset={preset}").text
    assert "<details>" in page and page.count("Open the seek</button>") == 2
    fields = dict(re.findall(r"name=\"([\w-]+)\" value=\"([\w-]+)\" checked", page))
    assert fields["pair"] == "yes" and ("unrated" in fields) is not is_rated
    ann.post("/seeks/new", data={"game": "duel", **fields})
    assert pace in club.client("bob").get("/seeks").text


def test_an_unknown_preset_opens_the_whole_form(club):
    page = club.client("ann").get("/seeks/new?game=duel&preset=blitz").text
    assert "<details open>" in page


def test_offers_that_can_be_taken_stand_above_the_form(club):
    club.client("bob").post("/seeks/new", data={"game": "duel", "pace": "7"})
    club.client("cleo").post("/seeks/new", data={"game": "duel", "pace": "7", "language": "is", "open-days": "9"})
    page = club.client("ann").get("/seeks/new?game=duel&preset=today").text
    (number,) = re.findall(r"/seeks/(\d+)/take", page)
    assert page.index("/take") < page.index("Open the seek")
    assert club.client("ann").post(f"/seeks/{number}/take").location.startswith("/games/")
    assert "/take" not in club.client("ann").get("/seeks/new?game=plateau").text


# -- the directory -------------------------------------------------------------------------


def test_partners_are_searched_by_a_part_of_their_name(club):
    assert partners(club, "?name=LE") == ["cleo"]
    assert partners(club, "?name=%25") == []


def test_partners_are_filtered_by_rating_and_sorted_by_it(club):
    for name, rating in (("bob", 1400), ("cleo", 1700), ("ann", 1550)):
        rate(club, name, rating)
    assert partners(club, "?sort=rating") == ["cleo", "ann", "bob"]
    assert partners(club, "?low=1500&high=1699&game=") == ["ann"]
    assert partners(club, "?low=1500&sort=rating") == ["cleo", "ann"]
    assert partners(club, "?low=99999&sort=beauty") == []


def test_partners_are_filtered_by_pace(club):
    club.client("bob").post("/settings/partners", data={"shows_handle": "on", "shows_seen": "on", "paces": "slow"})
    assert partners(club, "?pace=slow") == ["bob"]


def test_who_is_here_today_is_found_unless_they_do_not_want_it(club):
    club.clock.go(days=3)
    club.client("ann").post("/games/view", data={"view": "table"})
    assert partners(club, "?here=yes") == ["ann"]
    club.client("bob").post("/games/view", data={"view": "table"})
    assert partners(club, "?here=yes") == ["ann", "bob"]
    assert partners(club, "?sort=seen")[-1] == "cleo"
    club.client("bob").post("/settings/partners", data={"shows_handle": "on"})
    page = club.client("ann").get("/partners").text
    assert partners(club, "?here=yes") == ["ann"] and page.count("seen ") == 2
    assert partners(club, "?sort=seen")[-1] == "bob"


# -- players -------------------------------------------------------------------------------


def test_results_stand_above_running_games_which_have_pages(club):
    for _number in range(13):
        club.match("duel", "bob", "cleo")
    page = club.client("ann").get("/players/bob").text
    assert (
        page.index("Results") < page.index("In play") and page.count('class="card') - page.count('class="cards') == 12
    )
    assert "?page=1#playing" in page
    second = club.client("ann").get("/players/bob?page=1").text
    assert second.count('class="card') - second.count('class="cards') == 1
    assert club.client("ann").get("/players/bob?page=99").status_code == 200


# -- ratings -------------------------------------------------------------------------------


def test_ratings_show_where_the_reader_stands(club):
    club.join("dora", "emil")
    for name, rating in (("ann", 1512), ("bob", 1400), ("cleo", 1700), ("dora", 1460), ("emil", 1333)):
        rate(club, name, rating)
    page = club.client("ann").get("/ratings/duel").text
    assert "you are here" in page and "You have 1512: number 2, better than 75% of the others." in page
    assert "you are here" not in club.client().get("/ratings/duel").text


def test_few_ratings_have_no_distribution(club):
    rate(club, "ann", 1500)
    assert "in steps of 50 points" not in club.client("ann").get("/ratings/duel").text


def test_a_search_in_ratings_keeps_the_ranks(club):
    for name, rating in (("ann", 1512), ("bob", 1400), ("cleo", 1700)):
        rate(club, name, rating)
    rows = re.findall(
        r"<td class=\"number\">(\d+)</td><th scope=\"row\"><a href=\"/players/(\w+)\">",
        club.client().get("/ratings/duel?name=B").text,
    )
    assert rows == [("3", "bob")]
    assert "Nobody with such a name" in club.client().get("/ratings/duel?name=zoe").text


def test_only_active_players_are_ranked_on_request(club):
    rate(club, "ann", 1700)
    club.clock.go(days=61)
    rate(club, "bob", 1400, at=club.time)
    page = club.client().get("/ratings/duel?active=yes").text
    assert "/players/bob" in page and "/players/ann" not in page


def test_bars_mark_that_of_the_reader_at_the_edges_too():
    drawn = bars((1, 4, 2), 1400, 50, 1549)
    assert [bar.is_mine for bar in drawn] == [False, False, True]
    assert max(bar.height for bar in drawn) == drawn[1].height and not any(
        bar.is_mine for bar in bars((1,), 0, 50, None)
    )
