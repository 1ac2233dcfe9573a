"""An exercise is no advice: nobody is shown one that stands like a running game of theirs, by whatever way they ask."""

from __future__ import annotations

import json

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Exercise, Letter
from correspondence.ops import worker
from correspondence.play import exercises
from correspondence.play.exercises import ExerciseError
from tests.exercises import attempt_of, found_in
from tests.post import text_of
from tests.reviews import played
from tests.test_judgements import DUEL, TILES

DOOR = "play@games.example"


@pytest.fixture
def club(town):
    """ann and bob, whose games give exercises; cleo and dan, who play one another; eve, who plays nobody."""
    town.join("ann", "bob", "cleo", "dan", "eve")
    return town


def running_like(club, number, moves=DUEL, more=0):
    """A game of cleo and dan that stands as the exercise begins, or `more` moves later; its number."""
    with db.reading(club.engine) as session:
        row = session.get_one(Exercise, number)
    return played(club, row.game, moves[: row.ply + more], white="cleo", black="dan")


def sees(club, name, number):
    """Whether somebody is shown an exercise, on its page and among those that are proposed, which always agree."""
    client = club.client(name)
    page, every = client.get(f"/exercises/{number}"), client.get("/exercises").text
    assert (page.status_code == 200) is (f'href="/exercises/{number}"' in every)
    return page.status_code == 200


def test_an_exercise_is_not_shown_to_the_players_of_a_running_game_that_stands_like_it(club):
    number = found_in(club, "duel")
    running = running_like(club, number)
    assert [sees(club, name, number) for name in ("cleo", "dan", "eve", "")] == [False, False, True, True]
    club.play(running, "cleo", "2b4")
    assert sees(club, "cleo", number), "their game stands otherwise now"


def test_it_is_shown_again_when_the_running_game_is_over(club):
    number = found_in(club, "duel")
    running = running_like(club, number)
    assert not sees(club, "dan", number)
    assert "There is none for you at present" in club.client("dan").get("/exercises").text
    club.resign(running, "dan")
    assert sees(club, "dan", number)


def test_neither_a_move_nor_the_solution_nor_the_board_is_answered_meanwhile(club):
    number = found_in(club, "duel")
    running_like(club, number)
    cleo = club.client("cleo")
    for path in ("", "/solution", "/read"):
        answered = cleo.post(f"/exercises/{number}{path}", data={"move": "5d3"})
        assert answered.status_code == 404 and "is not shown at present" in answered.text
    assert cleo.get(f"/exercises/{number}/moves.json").status_code == 404
    with db.transaction(club.engine) as session, pytest.raises(ExerciseError, match="not shown at present"):
        exercises.play(session, club.person(session, "cleo"), number, "5d3", now=club.time)
    assert attempt_of(club, "cleo", number) is None


def test_the_solution_that_somebody_knew_is_not_shown_again_while_their_game_stands_so(club):
    number = found_in(club, "duel")
    club.client("cleo").post(f"/exercises/{number}/solution")
    running_like(club, number)
    assert "5d3=W5#" not in club.client("cleo").get(f"/exercises/{number}").text
    assert f'href="/exercises/{number}"' not in club.client("cleo").get("/exercises").text


def test_the_refusal_does_not_say_that_there_is_a_win(club):
    first = found_in(club, "duel")
    running_like(club, first)
    refused = club.client("cleo").get(f"/exercises/{first}").text
    with db.transaction(club.engine) as session:
        exercises.withdraw(session, first, now=club.time)
    assert "is not shown at present" in refused
    assert "is not shown at present" in club.client("eve").get(f"/exercises/{first}").text


def test_whoever_may_not_see_the_exercise_of_the_day_gets_the_next_in_turn(club):
    other, number = found_in(club, "proteus-tiles"), found_in(club, "duel")
    running_like(club, number)
    for _day in range(2):
        club.clock.go(days=1)
        with db.reading(club.engine) as session:
            shown = {
                name: exercises.of_day(session, club.time.date(), club.person(session, name).id).id
                for name in ("cleo", "eve")
            }
        assert shown["cleo"] == other and shown["eve"] in (other, number)


def test_a_position_further_on_to_the_win_is_advice_as_well(club):
    number = found_in(club, "proteus-tiles")
    with db.reading(club.engine) as session:
        row = session.get_one(Exercise, number)
        (key, found), *_none = json.loads(row.tree)["wins"].items()
    moves = (*TILES[: row.ply], key, *(text for _seat, text in found["line"]))
    played(club, "proteus-tiles", moves, white="cleo", black="dan")
    assert not sees(club, "cleo", number) and sees(club, "eve", number)


def test_a_game_that_came_to_the_same_board_by_other_moves_counts_too(club):
    number = found_in(club, "duel")
    swapped = [*DUEL[:9], DUEL[11], DUEL[10], DUEL[9]]
    played(club, "duel", swapped, white="cleo", black="dan")
    assert not sees(club, "cleo", number)


def test_a_game_with_an_option_that_stands_like_it_counts_too(club):
    number = found_in(club, "proteus-tiles")
    with db.reading(club.engine) as session:
        plies = session.get_one(Exercise, number).ply
    running = club.match("proteus-tiles", "cleo", "dan", repetition="draw")
    for turn, text in enumerate(TILES[:plies]):
        club.play(running, ("cleo", "dan")[turn % 2], text)
    assert [sees(club, name, number) for name in ("cleo", "dan", "eve")] == [False, False, True]


# -- by mail -----------------------------------------------------------------------------------


def flat_text(letter):
    return " ".join(text_of(letter).split())


def asks(club, line, name="cleo"):
    club.received.clear()
    club.mail(f"{name}@example.org", DOOR, line)
    return flat_text(club.letter(name))


def test_by_mail_it_is_neither_brought_nor_named(club):
    number = found_in(club, "duel")
    running_like(club, number)
    assert "There is no exercise that you have not finished" in asks(club, "exercise")
    assert f"Exercise {number} is not shown at present." in asks(club, f"exercise {number}")


@pytest.mark.parametrize("line", ["5d3", "solution"])
def test_a_reply_to_an_older_letter_is_told_nothing_of_the_win(club, line):
    number = found_in(club, "duel")
    club.received.clear()
    club.mail("cleo@example.org", DOOR, f"exercise {number}")
    letter = club.letter("cleo")
    running_like(club, number)
    club.received.clear()
    club.answer(letter, line)
    text = flat_text(club.letter("cleo"))
    assert f"Exercise {number} is not shown at present." in text and "5d3=W5#" not in text
    assert attempt_of(club, "cleo", number) is None


def weekly(club, name="cleo"):
    club.agree(name, "settings exercises weekly")
    club.received.clear()
    worker.sweep_exercises(club.runtime)


def test_the_letter_of_the_week_brings_none(club):
    running_like(club, found_in(club, "duel"))
    weekly(club)
    club.deliver()
    assert not club.letters("cleo")


def test_a_letter_that_waits_does_not_leave_once_a_game_stands_so(club):
    running = running_like(club, found_in(club, "duel"), more=-1)
    weekly(club)
    club.play(running, "dan", DUEL[11])
    club.deliver()
    assert not [letter for letter in club.letters("cleo") if "Exercise" in str(letter["Subject"])]
    with db.reading(club.engine) as session:
        assert session.exec(select(Letter).where(Letter.kind == "exercise")).one().state == "cancelled"
