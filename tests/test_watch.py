"""Games that others play: the list of those in play, and the one that the front page shows."""

from __future__ import annotations

import re

import pytest

from correspondence.queries.queries import PAGE
from tests.test_faces import faces, finished, statements


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    return world


def listed(page):
    return [int(number) for number in re.findall(r'(?:<h3><a href|data-live)="/games/(\d+)[/"]', page)]


def test_the_running_games_are_listed_with_the_latest_move_first(club):
    first, second = club.match("duel"), club.match("plateau")
    club.clock.go(hours=1)
    club.play(first, "ann", "5@b3")
    page = club.client().get("/watch").text
    assert listed(page) == [first, second]
    assert f'src="/games/{first}/1/small.svg"' in page and faces(page) == [f"/games/{second}/0/small.svg"]
    assert "after move 1" in page
    assert "0 moves played" in page
    assert "ann to move" in page
    assert listed(club.client().get("/watch?game=plateau").text) == [second]


def test_finished_games_puzzles_and_games_that_rest_are_not_listed(club):
    finished(club)
    club.client("ann").post("/puzzles/today")
    club.client("ann").post("/puzzles", data={"option-goal": "1"})
    resting = club.match("duel")
    club.client("ann").post(f"/games/{resting}/pause", data={"days": "5"})
    club.client("bob").post(f"/games/{resting}/pause", data={"days": "5"})
    page = club.client().get("/watch").text
    assert set(listed(page)) <= {resting} and "Duel Puzzle" not in page


def test_nothing_to_watch_leads_somewhere(club):
    assert "No game is being played at the moment." in club.client().get("/watch").text
    assert "The list ends before this page." in club.client().get("/watch?page=7").text


@pytest.mark.parametrize("query", ["game=chess", "page=-1", "page=99999999999999", "page=x", "game=%00"])
def test_nonsense_is_the_first_page_or_an_empty_one(club, query):
    club.match("duel")
    assert club.client().get(f"/watch?{query}").status_code == 200


def test_a_longer_list_asks_the_database_no_more(club):
    club.match("duel")
    statements(club, "/watch")  # what a process looks up now and then it knows from here on
    few = statements(club, "/watch")
    for _more in range(5):
        club.match("duel")
    assert statements(club, "/watch") == few


def test_watch_shows_others_games_with_a_board_that_follows(club):
    own, other = club.match("duel", "ann", "bob"), club.match("duel", "cleo", "bob")
    club.play(other, "cleo", "5@b3")
    page = club.client("ann").get("/watch").text
    assert f'href="/games/{own}"' not in page
    assert f'data-live="/games/{other}/ply.json"' in page and "cleo" in page
    assert f'href="/games/{own}"' in club.client().get("/watch").text


def test_a_long_list_goes_on_on_a_further_page(club):
    club.join("dora", "eve", "finn")
    pairs = [("ann", "bob"), ("cleo", "dora"), ("eve", "finn")]
    for game in range(PAGE + 2):
        club.match("duel", *pairs[game % 3])
    first = club.client().get("/watch").text
    assert len(listed(first)) == PAGE and "page=1" in first
    assert listed(club.client().get("/watch?page=1").text) == [2, 1]


def test_the_front_page_shows_a_running_game_with_its_players(club):
    finished(club)
    number = club.match("plateau", "cleo", "bob")
    club.play(number, "cleo", "+a4 xb,rb")
    page = club.client().get("/").text
    [shown] = re.findall(r'<figure class="live-game".*?</figure>', page, re.S)
    assert f'data-live="/games/{number}/ply.json"' in shown
    assert "cleo" in shown
    assert "bob" in shown
    assert f'src="/games/{number}/1/small.svg"' in shown and "after move 1" in shown
    assert "/watch" in page


def test_a_game_without_a_move_is_not_shown_as_being_played(club):
    club.match("duel")
    page = club.client().get("/").text
    assert "being played" not in page.lower() and "after move 0" not in page


def test_players_see_their_own_game_on_the_front_page_as_onlookers_do(club):
    number = club.match("plateau")
    club.play(number, "ann", "+a4 xb,rb")
    page = club.client("ann").get("/").text
    assert f"/games/{number}/1/small.svg" in page and "against bob" not in page


def test_hero_of_the_front_page_is_a_sample_game_and_never_a_resigned_one(club):
    number = club.match("proteus-dice")
    for white, black in (("c3/f2=B", "c6/a7=B"), ("a2/e1=Y", "c5/a7=P"), ("g2/e1=P", "c4/a7=Y")):
        club.play(number, "ann", white)
        club.play(number, "bob", black)
    club.resign(number, "bob")
    heroes = set()
    for _day in range(6):
        page = club.client().get("/").text
        [hero] = re.findall(r'<figure class="hero-game".*?</figure>', page, re.S)
        heroes.add(re.search(r'src="(/rules/[a-z-]+/film\.svg)"', hero)[1])
        assert f"/games/{number}/replay.svg" not in page and "live.js" not in page
        club.clock.go(hours=24)
    assert len(heroes) > 2


def test_before_there_is_any_game_the_front_page_shows_a_board(club):
    assert "/rules/proteus-dice.svg" in club.client().get("/").text
