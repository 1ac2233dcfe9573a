"""A visitor plays a robot without an account: no person is made, and the game is theirs once they join."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import func, select

from correspondence.core.db import reading, transaction
from correspondence.features.visitor_games import sweep, turns, visitor_games
from correspondence.features.visitor_games.tables import VisitorGame
from correspondence.models import Letter, LetterState, Match, Person
from correspondence.robots.spare_work import due, work_of
from tests.robots import thinking_robots

DAY = timedelta(days=1)


@pytest.fixture
def robots(world):
    with thinking_robots(world) as made:
        yield made


@pytest.fixture
def guest(world, robots):
    """A browser that nobody has signed in with, in which a game of Duel has begun."""
    client = world.client()
    assert client.post("/try-a-game", data={"game": "duel"}).location == "/try-a-game"
    return client


def rows(world):
    with reading(world.engine) as session:
        return list(session.exec(select(VisitorGame)))


def count(world, table):
    with reading(world.engine) as session:
        return session.exec(select(func.count()).select_from(table)).one()


def play(client, text=None):
    page = client.get("/try-a-game").text
    text = text or re.search(r'name="pick" value="([^"]+)"', page)[1]
    ply = re.search(r'name="ply" value="(\d+)"', page)[1]
    return client.post("/try-a-game/move", data={"move": text, "ply": ply})


def join(world, client, handle="dora"):
    client.post("/join", data={"handle": handle, "mail": f"{handle}@example.org"})
    return client.post(world.link_in("join"), follow_redirects=True)


def test_front_page_begins_a_game_in_one_click(world, robots):
    client = world.client()
    page = client.get("/").text
    assert 'action="/try-a-game"' in page and 'value="duel"' in page
    assert client.post("/try-a-game", data={"game": "duel"}).status_code == 303
    assert "Go on with your game" in client.get("/").text
    world.join("ann")
    assert "/try-a-game" not in world.client("ann").get("/").text


def test_robot_answers_and_no_person_is_made(world, robots, guest):
    people = count(world, Person)
    assert play(guest).status_code == 303
    thinking = guest.get("/try-a-game").text
    assert "The robot is thinking" in thinking and 'name="move"' not in thinking
    assert guest.get("/try-a-game/state.json").json == {"ply": 1}
    robots.sweep()
    assert guest.get("/try-a-game/state.json").json == {"ply": 2}
    assert "Your move" in guest.get("/try-a-game").text
    assert count(world, Person) == people and count(world, Match) == 0


def test_game_becomes_that_of_the_member_who_joins(world, robots, guest):
    play(guest)
    robots.sweep()
    played = [text for _seat, text in visitor_games.entries_of(rows(world)[0])]
    page = join(world, guest)
    assert "Your game with the robot is now game 1." in page.text
    assert world.moves(1) == played and rows(world) == []
    world.deliver()
    with reading(world.engine) as session:
        assert not session.get_one(Match, 1).rated
        letters = session.exec(select(Letter.state).where(Letter.match_id == 1)).all()
    assert letters.count(LetterState.SENT) <= 1 and LetterState.QUEUED not in letters
    robots.sweep()
    guest.get("/games/1")


def test_finished_game_is_kept_with_its_result(world, robots, guest):
    for _turn in range(200):
        if "Your move" not in guest.get("/try-a-game").text:
            break
        play(guest)
        robots.sweep()
    page = guest.get("/try-a-game").text
    assert re.search(r"(You won|The robot won|A draw) by", page)
    join(world, guest)
    assert world.stand(1).result in ("1-0", "0-1", "1/2-1/2")


def test_second_form_of_an_older_position_is_refused(guest):
    page = guest.get("/try-a-game").text
    text = re.search(r'name="pick" value="([^"]+)"', page)[1]
    guest.post("/try-a-game/move", data={"move": text, "ply": "0"})
    again = guest.post("/try-a-game/move", data={"move": text, "ply": "0"})
    assert again.status_code == 422 and "moved on" in again.text
    assert play_refused(guest) == 422


def play_refused(guest):
    return guest.post("/try-a-game/move", data={"move": "zz9", "ply": "1"}).status_code


def test_refused_move_says_why_and_is_kept(guest):
    refused = play(guest, "zz9")
    assert refused.status_code == 422
    assert "zz9" in refused.text
    assert 'role="alert"' in refused.text
    assert guest.post("/try-a-game/read", data={"move": "zz9"}).json["state"] == "wrong"
    assert guest.get("/try-a-game/moves.json").json["tree"]


def test_game_is_deleted_after_a_day(world, guest):
    play(guest)
    world.clock.go(hours=25)
    assert 'name="move"' not in guest.get("/try-a-game").text
    assert sweep.sweep(world.runtime) == 1 and rows(world) == []
    assert "game 1" not in join(world, guest).text


def test_one_network_has_a_limit(world, robots):
    for _game in range(visitor_games.MOST_FROM_ONE_SITE):
        assert world.client().post("/try-a-game", data={"game": "duel"}).status_code == 303
    refused = world.client().post("/try-a-game", data={"game": "duel"})
    assert refused.status_code == 422 and "from your network" in refused.text
    assert all("127.0.0.1" not in row.site for row in rows(world))


def test_all_visitors_have_a_limit(world, robots, monkeypatch):
    monkeypatch.setattr(visitor_games, "MOST", 1)
    with transaction(world.engine) as session:
        visitor_games.begin(session, "duel", "somewhere", now=world.time)
    refused = world.client().post("/try-a-game", data={"game": "duel"})
    assert refused.status_code == 422 and "busy" in refused.text


def test_another_game_takes_the_place_of_the_first(world, guest):
    guest.post("/try-a-game", data={"game": "proteus-dice"})
    assert [row.game for row in rows(world)] == ["proteus-dice"]


def test_game_that_nobody_offers_is_refused(guest):
    for game in ("duel-puzzle", "nothing", ""):
        assert guest.post("/try-a-game", data={"game": game}).status_code == 422


def test_visitors_wait_for_second_opinions(world):
    assert work_of(world.runtime.settings)[-1] is turns


def test_failed_searches_end_in_a_legal_move(world, guest):
    play(guest)
    for _try in range(turns.MOST_TRIES):
        world.clock.go(minutes=10)
        with transaction(world.engine) as session:
            leased = turns.claim(session, due(turns, session, now=world.time), now=world.time)
            turns.fail(session, leased, now=world.time)
    assert len(visitor_games.entries_of(rows(world)[0])) == 2


def test_late_answer_of_another_worker_is_ignored(world, guest):
    play(guest)
    with transaction(world.engine) as session:
        leased = turns.claim(session, due(turns, session, now=world.time), now=world.time)
        turns.give_back(session, leased)
        assert due(turns, session, now=world.time) == leased.number
        assert not turns.keep(session, leased, {"move": "x"}, now=world.time)


def test_member_is_led_to_the_robots(world, robots):
    world.join("ann")
    assert world.client("ann").get("/try-a-game").location == "/robots"
