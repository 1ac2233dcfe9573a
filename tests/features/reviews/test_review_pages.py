"""Second opinions on pages: asked for by members, shown as they grow, in words, as a graph and as a table."""

from __future__ import annotations

import re
from html import unescape

import pytest

from correspondence.core import db
from correspondence.models import Match
from tests.reviews import ask, make_here, played, resigned, seen
from tests.robots import robots_in
from tests.test_judgements import DUEL, TILES


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    robots_in(world).stop()
    return world


def page_of(club, path, who=""):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", club.client(who).get(path).text)).replace("\u00a0", " ").split())


def test_a_member_asks_on_the_page_of_a_game_and_sees_how_far_it_is(club):
    number = resigned(club)
    assert "Ask for a second opinion" in page_of(club, f"/games/{number}", "cleo")
    answer = club.client("cleo").post(f"/games/{number}/review")
    assert answer.status_code == 303 and answer.location.endswith(f"/games/{number}/5#review")
    assert "0 of 5 moves are judged." in page_of(club, f"/games/{number}")
    assert "Ask for a second opinion" not in page_of(club, f"/games/{number}", "ann")


def test_whoever_is_not_signed_in_is_led_to_signing_in_and_sees_what_is_made(club):
    number = resigned(club)
    assert "Sign in to ask for a second opinion." in page_of(club, f"/games/{number}")
    assert club.client().post(f"/games/{number}/review").status_code != 303 or seen(club, number) is None
    make_here(club, number, budget=20)
    assert "Every move in numbers" in page_of(club, f"/games/{number}")


@pytest.mark.parametrize(("key", "texts", "ply"), [("duel", DUEL, 12), ("proteus-tiles", TILES, 19)])
def test_a_turning_point_names_the_better_move_and_leads_to_its_moment(club, key, texts, ply):
    number = played(club, key)
    make_here(club, number, budget=1_000)
    source, page = club.client().get(f"/games/{number}").text, page_of(club, f"/games/{number}")
    best = seen(club, number).moves[ply - 1].best
    assert f"Here {best} would have kept" in page and f"; {texts[ply - 1]} left 0%." in page
    assert f'<li value="{ply}"><a href="/games/{number}/{ply}#board">' in source
    marked = re.findall(
        r'href="/games/\d+/(\d+)#board"[^>]*>[^<]*</a><span class="has-word" title="turning point">', source
    )
    assert marked == [str(point.ply) for point in sorted(seen(club, number).turning_points, key=lambda one: one.ply)]
    assert f"/games/{number}/{ply - 1}/try" in source and "result-plot" in source
    assert source.count('<th scope="row">') == len(texts)


def test_the_graph_says_in_words_what_it_shows(club):
    number = played(club)
    make_here(club, number, budget=1_000)
    source = club.client().get(f"/games/{number}").text
    assert "<title>Expected result for Black</title>" in source
    assert re.search(r"<desc>Black could expect \d+% after the first move and 100% after the last one.</desc>", source)


def test_the_analysis_board_of_a_judged_moment_says_what_was_possible_and_no_other_board_does(club):
    number = played(club)
    make_here(club, number, budget=1_000)
    best = seen(club, number).moves[11].best
    page = page_of(club, f"/games/{number}/11/try", "ann")
    assert f"with {best}. In the game 3b2=B3 was played, which left 0%." in page
    assert "A second opinion:" in page_of(club, f"/games/{number}/11/try")
    tried = club.client("ann").post(f"/games/{number}/11/try", data={"move": "4a3"})
    assert "A second opinion:" not in page_of(
        club, tried.location if tried.location else f"/games/{number}/15/try", "ann"
    )
    assert "A second opinion:" not in page_of(club, f"/games/{number}/15/try", "ann"), "nothing is played at the end"


def test_a_running_game_shows_nothing_and_refuses_whoever_asks(club):
    number = club.match("duel")
    for turn, text in enumerate(DUEL[:8]):
        club.play(number, ("ann", "bob")[turn % 2], text)
    for who in ("", "ann", "cleo"):
        assert "second opinion" not in page_of(club, f"/games/{number}", who)
    answer = club.client("ann").post(f"/games/{number}/review")
    assert answer.status_code == 422 and "isn&#39;t over yet" in answer.text
    make_here(club, number, budget=20)  # a row that must not be there
    for path in (f"/games/{number}", f"/games/{number}/4", f"/games/{number}/4/try"):
        assert "second opinion" not in page_of(club, path, "ann")


def test_games_that_are_not_there_and_puzzles_have_none(club):
    assert club.client("ann").post("/games/999/review").status_code == 404
    assert club.client("ann").get("/games/1/review").status_code in (404, 405)


def test_a_refusal_stands_on_the_page_of_the_game(club):
    short = club.match("duel")
    club.play(short, "ann", DUEL[0])
    club.resign(short, "bob")
    answer = club.client("ann").post(f"/games/{short}/review")
    assert answer.status_code == 422 and "too short" in answer.text


def test_a_page_that_was_kept_is_drawn_anew_when_more_is_judged(club):
    number = resigned(club)
    first = club.client("ann").get(f"/games/{number}")
    unchanged = {"If-None-Match": first.headers["ETag"]}
    assert club.client("ann").get(f"/games/{number}", headers=unchanged).status_code == 304
    ask(club, "ann", number)
    assert club.client("ann").get(f"/games/{number}", headers=unchanged).status_code == 200


def test_it_speaks_italian_to_italians(club):
    number = played(club)
    make_here(club, number, budget=1_000)
    with db.transaction(club.engine) as session:
        person = club.person(session, "ann")
        person.language = "it"
        session.add(person)
        assert session.get(Match, number).ended_at is not None
    page = page_of(club, f"/games/{number}", "ann")
    assert "Svolte della partita" in page
    assert "avrebbe conservato" in page
    assert "Here " not in page
