"""The deal of the day for those who have not joined: played at once, kept in their browser, theirs once they join."""

from __future__ import annotations

import re

import pytest
from sqlmodel import func, select

from correspondence.core.db import reading
from correspondence.models import Match
from correspondence.play import puzzles
from correspondence.play.puzzles import LONGEST_ATTEMPT
from engines import GAMES


@pytest.fixture
def guest(world):
    """A browser that nobody has signed in with, on the page of puzzles."""
    client = world.client()
    client.get("/puzzles")
    return client


def position(world, moves=()):
    with reading(world.runtime.engine) as session:
        return puzzles.attempt(session, world.time.date(), moves).position


def solution(world):
    """Moves that solve the deal of today."""
    moves = []
    while (at := position(world, moves)).outcome is None:
        moves.append(at.write(0, GAMES[puzzles.KEY].hint(at)))
    return moves


def matches(world):
    with reading(world.runtime.engine) as session:
        return session.exec(select(func.count()).select_from(Match)).one()


def kept(client):
    with client.session_transaction() as cookie:
        return cookie.get("deal")


def join(world, client, handle="dora"):
    client.post("/join", data={"handle": handle, "mail": f"{handle}@example.org"})
    return client.post(world.link_in("join"), follow_redirects=True)


def wander(world, most):
    """As many legal moves as asked for, which do not solve the deal: there and back again."""
    moves, at = [], position(world)
    while len(moves) < most:
        for move in at.legal_moves(0):
            after = at.play(0, move)
            if after.outcome is None:
                moves.append(at.write(0, move))
                at = after
                break
    return moves


def test_a_visitor_plays_at_once_on_both_pages_and_nothing_is_written(world, guest):
    for place, path in (("front", "/"), ("puzzles", "/puzzles")):
        page = guest.get(path).text
        assert 'data-moves="/puzzles/guest/moves.json"' in page
        text = re.search(r'name="pick" value="([^"]+)"', page)[1]
        answer = guest.post("/puzzles/guest", data={"move": text, "from": place})
        assert answer.status_code == 303 and answer.location == f"{path}#deal"
    assert "2 moves made so far." in guest.get("/").text and matches(world) == 0


def test_a_refused_move_says_why_and_changes_nothing(world, guest):
    refused = guest.post("/puzzles/guest", data={"move": "zz9"})
    assert refused.status_code == 422
    assert "zz9" in refused.text
    assert 'role="alert"' in refused.text
    assert kept(guest) is None


def test_what_a_move_would_do_is_told_before_it_is_made(world, guest):
    [first, *_rest] = solution(world)
    assert guest.post("/puzzles/guest/read", data={"move": first}).json["state"] == "good"
    assert guest.post("/puzzles/guest/read", data={"move": "zz9"}).json["state"] == "wrong"
    assert guest.get("/puzzles/guest/moves.json").json["tree"]


def test_joining_keeps_the_result(world, guest):
    moves = solution(world)
    for text in moves:
        guest.post("/puzzles/guest", data={"move": text})
    assert "You solved it in" in guest.get("/puzzles").text
    page = join(world, guest)
    assert "Your deal of the day has been saved" in page.text and kept(guest) is None
    shown = guest.get("/puzzles").text
    assert "dora" in shown and "You solved it in" in shown
    assert world.moves(1)[1:] == moves and world.stand(1).result == "1-0"


def test_an_attempt_that_is_not_finished_goes_on_after_joining(world, guest):
    [first, *_rest] = solution(world)
    guest.post("/puzzles/guest", data={"move": first})
    join(world, guest)
    assert world.moves(1)[1:] == [first] and "Go on with it" in guest.get("/puzzles").text


def test_whoever_has_begun_it_as_a_member_keeps_that_attempt(world, guest):
    world.join("ann")
    world.client("ann").post("/puzzles/today")
    [first, *_rest] = solution(world)
    guest.post("/puzzles/guest", data={"move": first})
    guest.post("/sign-in", data={"who": "ann"})
    page = guest.post(world.link_in("sign_in"), follow_redirects=True)
    assert "is kept" not in page.text
    assert matches(world) == 1
    assert len(world.moves(1)) == 1


def test_the_deal_of_yesterday_is_not_kept(world, guest):
    for text in solution(world):
        guest.post("/puzzles/guest", data={"move": text})
    world.clock.go(days=1)
    assert "You solved it" not in guest.get("/puzzles").text
    page = join(world, guest)
    assert "is kept" not in page.text and matches(world) == 0


@pytest.mark.parametrize(
    "forged",
    ["text", 7, None, {"day": "2026-11-21"}, {"day": "2026-11-21", "moves": 5}, {"day": "2026-11-21", "moves": "zz9"},
     {"day": "2026-11-21", "moves": "x" * 3_000}, {"day": "2026-11-21", "moves": "a1;" * 3_000}],
)  # fmt: skip
def test_a_damaged_cookie_is_an_attempt_that_has_not_begun(world, guest, forged):
    with guest.session_transaction() as cookie:
        cookie["deal"] = forged
    assert "you don't have to join" in guest.get("/puzzles").text
    assert join(world, guest).status_code == 200 and matches(world) == 0


def test_the_cookie_stays_small(world, guest):
    moves = wander(world, LONGEST_ATTEMPT)
    with guest.session_transaction() as cookie:
        cookie["deal"] = {"day": world.time.date().isoformat(), "moves": ";".join(moves)}
    assert f"{LONGEST_ATTEMPT} moves made so far." in guest.get("/puzzles").text
    at = position(world, moves)
    refused = guest.post("/puzzles/guest", data={"move": at.write(0, next(at.legal_moves(0)))})
    assert refused.status_code == 422 and "at most 60 moves" in refused.text
    assert len(guest.get_cookie("session").value) < 2_000


def test_a_member_cannot_play_as_a_guest(world):
    world.join("ann")
    ann = world.client("ann")
    ann.get("/puzzles")
    assert ann.post("/puzzles/guest", data={"move": solution(world)[0]}).location == "/puzzles"
    assert kept(ann) is None


def test_an_attempt_is_limited_like_every_act(world, guest):
    answers = {guest.post("/puzzles/guest", data={"move": "zz9"}).status_code for _try in range(70)}
    assert answers == {422, 429}


def test_the_front_page_offers_members_their_own_deal(world):
    world.join("ann")
    ann = world.client("ann")
    ann.get("/puzzles")
    assert "/puzzles/today" in ann.get("/").text and "/puzzles/guest" not in ann.get("/").text
