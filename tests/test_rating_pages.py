"""Pages that show ratings: lists, a player's course, a game's change; and what a form can choose."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core.db import transaction
from correspondence.models import Person, Rating
from correspondence.ratings import leaderboards
from correspondence.web.graph import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, graph
from correspondence.web.locale import date_form
from tests.tables import START


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    return world


def play(world, white, black, loser):
    """A rated game of Proteus with dice, six entries long, ended by resigning."""
    number = world.match("proteus-dice", white, black)
    for one, other in (("c3/f2=B", "c6/a7=B"), ("a2/e1=Y", "c5/a7=P"), ("g2/e1=P", "c4/a7=Y")):
        world.play(number, white, one)
        world.play(number, black, other)
    world.resign(number, loser)
    return number


def text_in(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def test_a_page_of_ratings_keeps_provisional_ones_apart(club):
    play(club, "ann", "bob", "bob")
    with transaction(club.runtime.engine) as session:
        cleo = session.get_one(Person, 3)
        session.add(
            Rating(person_id=cleo.id, game="proteus-dice", rating=1703.4, deviation=60, volatility=0.06, games=40,
                   updated_at=START, established_until=START + timedelta(days=90))
        )  # fmt: skip
    page = text_in(club.client().get("/ratings/proteus-dice"))
    established, provisional = page.split("Provisional ratings", 1)
    assert "1 cleo 1703 40" in established and "ann" not in established
    assert "1 ann 1662? 1" in provisional and "2 bob 1338? 1" in provisional
    club.clock.go(days=91)
    assert "1 cleo 1703? 40" in text_in(club.client().get("/ratings/proteus-dice")).split("Provisional", 1)[1]


def rate_people(club, count):
    """Give this many people a rating in Duel that is well known: p0 has 2000, each further one a point less."""
    with transaction(club.runtime.engine) as session:
        for number in range(count):
            one = Person(handle=f"p{number}", handle_key=f"p{number}", joined_at=START)
            session.add(one)
            session.flush()
            session.add(
                Rating(person_id=one.id, game="duel", rating=2000 - number, deviation=60, volatility=0.06, games=40,
                       updated_at=START, established_until=START + timedelta(days=90))
            )  # fmt: skip


def test_long_lists_go_on_on_further_pages(club):
    rate_people(club, leaderboards.PAGE + 2)
    visitor = club.client()
    first = visitor.get("/ratings/duel").text
    assert "page=1" in first
    assert "p29" in first
    assert "p30" not in first
    second = text_in(visitor.get("/ratings/duel?page=1"))
    assert "31 p30 1970" in second and "32 p31 1969" in second
    assert "The list ends before this page." in visitor.get("/ratings/duel?page=9").text


@pytest.mark.parametrize(
    "path", ["/ratings", "/ratings/duel", "/ratings/duel?page=x&more=-1", "/ratings/plateau?page=99999999999"]
)
def test_everybody_may_look_and_nonsense_is_the_first_page(club, path):
    assert club.client().get(path).status_code == 200


@pytest.mark.parametrize("path", ["/ratings/chess", "/ratings/duel-puzzle", "/ratings/%00"])
def test_what_has_no_ratings_has_no_page(club, path):
    assert club.client().get(path).status_code == 404


def test_a_player_s_page_draws_the_course_of_the_rating_with_its_numbers(club):
    play(club, "ann", "bob", "bob")
    play(club, "bob", "ann", "ann")
    page = club.client("bob").get("/players/ann").text
    svg = ElementTree.fromstring(re.search(r"<svg viewBox.*?</svg>", page, re.DOTALL)[0])
    assert svg.find("title").text.startswith("The rating in Proteus with dice, game by game: from 1500? to")
    assert len(svg.findall("circle")) == 3
    text = re.sub(r"<[^>]+>", " ", page)
    assert re.search(r"bob\s+won\s+1662\?\s+\+162", text) and re.search(r"bob\s+lost\s+\d+\?\s+−\d+", text)
    assert re.search(r"You against ann.*Proteus with dice\s+1\s+1\s+0", text, re.DOTALL)


def test_reliability_is_explained_to_oneself_and_shown_to_others_as_a_number(club):
    for _game in range(3):
        play(club, "ann", "bob", "bob")
    assert "Reliability: 100%" in club.client().get("/players/ann").text
    assert "0 of 3 games within a year ended on time." in club.client("ann").get("/players/ann").text
    assert "0 of 3 games" not in club.client("bob").get("/players/ann").text


def test_a_game_s_page_tells_whether_it_is_rated_and_what_it_did(club):
    number = play(club, "ann", "bob", "bob")
    page = text_in(club.client().get(f"/games/{number}"))
    assert "1662? (+162)" in page
    assert "1338? (−162)" in page
    assert "Rated." in page


def test_a_friendly_game_is_chosen_by_a_box(club):
    ann, bob = club.client("ann"), club.client("bob")
    ann.post("/challenge", data={"game": "duel", "handle": "bob", "unrated": "1"})
    assert "not rated" in bob.get("/games").text
    bob.post(f"/challenges/{club.offer()}/accept")
    assert "Not rated." in ann.get("/games/1").text
    refused = ann.post("/challenge", data={"game": "duel", "handle": "nobody7", "unrated": "1"})
    assert re.search(r'name="unrated" checked', refused.text)


def test_a_portrait_of_nobody_is_no_page(club):
    assert club.client().get("/players/nobody").status_code == 404


@given(
    st.lists(st.tuples(st.floats(-500, 4000), st.floats(30, 350)), min_size=1, max_size=120), st.integers(0, 24 * 60)
)
def test_every_graph_stays_on_its_sheet(course, step):
    lines = graph(course, [START + timedelta(hours=step * gap) for gap in range(len(course) - 1)])
    places = [tuple(map(float, pair.split(","))) for pair in f"{lines.line} {lines.band}".split()]
    assert all(LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM for x, y in places)
    assert 2 <= len(lines.levels) <= 9 and len(lines.dots) == len(course)
    assert all(LEFT <= day.x <= WIDTH - RIGHT for day in lines.days) and len(lines.days) <= 6


@pytest.mark.parametrize(
    ("days", "labels"),
    [
        ([0], ["21 Nov"]),
        ([0, 4], ["22 Nov", "23 Nov", "24 Nov", "25 Nov"]),
        ([0, 100], ["Dec 2026", "Jan 2027", "Feb 2027", "Mar 2027"]),
        ([0, 1500], ["2027", "2028", "2029", "2030"]),
    ],
)
def test_a_graph_is_dated_along_its_lower_edge(club, days, labels):
    with club.app.test_request_context():
        lines = graph([(1500, 350)] * (len(days) + 1), [START + timedelta(days=day) for day in days])
        assert [date_form(day.at, day.form) for day in lines.days] == labels


def test_the_overview_shows_the_five_best_of_each_game(club):
    rate_people(club, 7)
    page = text_in(club.client().get("/ratings"))
    assert "p0 2000 p1 1999 p2 1998 p3 1997 p4 1996" in page and "p5" not in page


def test_where_few_ratings_are_sure_the_overview_shows_others_below_them(club):
    play(club, "ann", "bob", "bob")
    with transaction(club.runtime.engine) as session:
        session.add(
            Rating(person_id=3, game="proteus-dice", rating=1203.4, deviation=60, volatility=0.06, games=40,
                   updated_at=START, established_until=START + timedelta(days=90))
        )  # fmt: skip
    assert "cleo 1203 ann 1662? bob 1338?" in text_in(club.client().get("/ratings"))


def test_results_and_ratings_stand_above_running_games_on_a_player_s_page(club):
    play(club, "ann", "bob", "bob")
    club.match("duel")
    page = text_in(club.client().get("/players/ann"))
    assert page.index("Results") < page.index("Rating in Proteus with dice") < page.index("In play")
