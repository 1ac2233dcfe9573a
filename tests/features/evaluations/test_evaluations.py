"""A robot's evaluation on the analysis board: asked for by members once the game is over, kept with their analysis."""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.features.evaluations import evaluations, turns
from correspondence.features.evaluations.tables import Evaluation
from correspondence.play import analysis
from correspondence.robots.spare_work import due
from tests.reviews import played, resigned
from tests.robots import robots_in, thinking_robots


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    robots_in(world).stop()
    return world


def page_of(club, path, who=""):
    text = re.sub(r"<[^>]+>", " ", club.client(who).get(path).text)
    return " ".join(unescape(text).replace("\u00a0", " ").split())


def ask(club, who, number, ply, at=""):
    return club.client(who).post(f"/games/{number}/{ply}/try/evaluate", data={"at": at})


def think(club, sweeps=evaluations.MOVES_AHEAD + 1):
    with thinking_robots(club) as robots:
        for _time in range(sweeps):
            robots.sweep()


def found(club):
    with db.reading(club.engine) as session:
        return session.exec(select(Evaluation.line, Evaluation.found, Evaluation.due_at)).all()


def test_a_member_asks_and_sees_what_a_robot_expects_and_its_best_line(club):
    number = resigned(club)
    answer = ask(club, "cleo", number, 3)
    assert answer.status_code == 303 and answer.location == f"/games/{number}/3/try#evaluation"
    assert "A robot is searching." in page_of(club, f"/games/{number}/3/try", "cleo")
    think(club)
    page = page_of(club, f"/games/{number}/3/try", "cleo")
    assert re.search(r"White, to move, can expect \d+%", page)
    line = page.partition("Best line: ")[2].partition(" Share")[0].split(", ")
    assert len(line) == evaluations.MOVES_AHEAD
    assert line[0].startswith("White")
    assert line[1].startswith("Black")
    assert "A robot is searching." not in page


def test_the_line_goes_on_from_the_moves_that_were_tried(club):
    number = resigned(club)
    with db.transaction(club.engine) as session:
        at = analysis.try_move(session, club.person(session, "ann"), number, 0, None, "4@a1", now=club.time)
    ask(club, "ann", number, 0, str(at))
    think(club)
    assert [line for line, _found, _due in found(club)] == ["4@a1"]
    assert "can expect" in page_of(club, f"/games/{number}/0/try?at={at}", "ann")
    assert "can expect" not in page_of(club, f"/games/{number}/0/try", "ann")
    for who in ("bob", ""):
        assert "can expect" not in page_of(club, f"/games/{number}/0/try", who)
    link = club.client("ann").post(f"/games/{number}/try/share", data={"ply": "0"}).location
    assert "can expect" in page_of(club, f"{link}&at={at}")


def test_a_running_game_has_no_evaluations(club):
    number = club.match("duel")
    club.play(number, "ann", "5@b3")
    assert "A robot's evaluation" not in page_of(club, f"/games/{number}/1/try", "ann")
    answer = ask(club, "ann", number, 1)
    assert answer.status_code == 422
    assert "only when the game is over" in answer.text
    assert found(club) == []


def test_nobody_is_helped_in_a_running_game_with_the_same_board(club):
    number = resigned(club, plies=8)
    same = played(club, texts=tuple(club.moves(number)[:7]))
    answer = ask(club, "ann", number, 7)
    assert answer.status_code == 422 and "has reached the same position" in answer.text
    assert ask(club, "cleo", number, 7).status_code == 422, "it would help the players, too"
    assert ask(club, "ann", number, 8).status_code == 303 and same != number


def test_an_equal_question_is_asked_once_and_the_number_a_day_is_limited(club, monkeypatch):
    number = resigned(club)
    for _time in range(3):
        assert ask(club, "ann", number, 2).status_code == 303
    assert len(found(club)) == 1
    monkeypatch.setattr(evaluations, "MOST_A_DAY", 1)
    answer = ask(club, "ann", number, 3)
    assert answer.status_code == 422 and "Ask again tomorrow" in answer.text
    club.clock.go(days=1, minutes=1)
    robots_in(club).stop()
    assert ask(club, "ann", number, 3).status_code == 303


def test_visitors_are_asked_to_sign_in_and_a_decided_game_has_nothing_to_evaluate(club):
    number = played(club)
    ply = len(club.moves(number))
    assert "Sign in to ask a robot about this position." in page_of(club, f"/games/{number}/3/try")
    assert "A robot's evaluation" not in page_of(club, f"/games/{number}/{ply}/try", "ann")
    assert ask(club, "ann", number, ply).status_code == 422
    assert ask(club, "ann", number, 999).status_code in (404, 422)
    assert ask(club, "ann", 999, 0).status_code == 404


def test_a_search_that_fails_ends_the_line_and_may_be_asked_for_again(club):
    number = resigned(club)
    ask(club, "ann", number, 2)
    for _time in range(turns.MOST_TRIES):
        with db.transaction(club.engine) as session:
            leased = turns.claim(session, due(turns, session, now=club.time), now=club.time)
            turns.fail(session, leased, now=club.time)
        club.clock.go(seconds=20)
    assert found(club)[0][2] is None and "Ask a robot" in page_of(club, f"/games/{number}/2/try", "ann")
    assert ask(club, "ann", number, 2).status_code == 303 and found(club)[0][2] is not None
