"""Second opinions: asked for by members on games that are over, made once, kept move by move; never on running games."""

from __future__ import annotations

import sys
import threading

import pytest
from sqlmodel import select

from correspondence.community import erasure
from correspondence.core import db
from correspondence.features.reviews import reviews, turns
from correspondence.features.reviews.tables import Review, ReviewReader, ReviewState
from correspondence.models import Match
from correspondence.models.loading import MatchError, position_of
from correspondence.play.viewer_games import viewer_game_of
from engines.codec import dump
from tests.reviews import ask, make, played, resigned, seen
from tests.robots import challenge, made_by, robots_in, thinking_robots
from tests.test_judgements import DUEL
from tests.test_robot_turns import CRASHER, SLEEPER, wait_for


@pytest.fixture
def club(town):
    """ann and bob, and robots that are there."""
    town.join("ann", "bob")
    robots_in(town).stop()
    return town


# -- what it says ----------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "turning"), [("duel", [12]), ("proteus-tiles", [11, 12, 19])])
def test_the_turning_points_are_the_moves_that_gave_the_game_away(club, key, turning):
    number = played(club, key)
    ask(club, "ann", number, budget=1_000)
    make(club)
    found = seen(club, number)
    assert found.is_done and len(found.moves) == found.plies == club.stand(number).ply
    assert [move.ply for move in found.turning_points] == turning
    assert all(move.best != move.text for move in found.turning_points)


def test_what_is_judged_stands_beside_the_move_that_was_made(club):
    number = played(club)
    ask(club, "ann", number)
    make(club)
    found = seen(club, number)
    assert [move.text for move in found.moves] == club.moves(number)
    assert found.after(0) is None
    assert found.after(12).text == DUEL[11]
    assert found.after(99) is None
    assert found.after(12).first > 0.8, "after White's slip Black, the first seat, expects to win"


def test_the_same_record_gets_the_same_opinion(club):
    one, other = resigned(club), resigned(club)
    for number in (one, other):
        ask(club, "ann", number, budget=60)
        make(club)
    assert [(move.played, move.best) for move in seen(club, one).moves[-3:]] == [
        (move.played, move.best) for move in seen(club, other).moves[-3:]
    ]


def test_throws_and_sealed_choices_are_not_judged_and_stand_as_such(club):
    number = club.match("proteus-dice", wall_street="secret")
    move_on(club, number, 5)
    club.resign(number, "ann")
    ask(club, "bob", number, budget=20)
    make(club)
    judged = {move.text: move.played is not None for move in seen(club, number).moves}
    free = {text: text.split()[0] not in ("roll", "army", "setup", "place") for text in judged}
    assert seen(club, number).is_done
    assert judged == free
    assert set(free.values()) == {True, False}


def move_on(club, number, count):
    """The players make so many moves, whichever come first."""
    for _turn in range(count):
        with db.reading(club.engine) as session:
            position = position_of(session.get(Match, number))
        seat = position.to_act[0]
        club.play(number, ("ann", "bob")[seat], position.write(seat, next(position.legal_moves(seat))))


# -- how it is made --------------------------------------------------------------------------


def test_progress_shows_move_by_move_and_nothing_turns_before_the_end(club):
    number = played(club)
    ask(club, "ann", number)
    for ply in range(3):
        leased = claim(club, number)
        assert leased.ply == ply and seen(club, number).state == ReviewState.RUNNING
        keep(club, leased)
    assert len(seen(club, number).moves) == 3 and seen(club, number).turning_points == ()


def claim(club, number):
    with db.transaction(club.engine) as session:
        return turns.claim(session, number, now=club.time)


def keep(club, leased, played=0.1):
    answer = {"best": "1@a1", "expected": 0.9, "played": played}
    with db.transaction(club.engine) as session:
        return turns.keep(session, leased, answer, now=club.time)


def test_a_leased_move_is_nobody_elses_until_its_lease_has_run_out(club):
    number = played(club)
    ask(club, "ann", number)
    first = claim(club, number)
    assert claim(club, number) is None
    club.clock.go(minutes=6)
    again = claim(club, number)
    assert again.ply == first.ply
    assert not keep(club, first) and keep(club, again), "the answer of the worker that was too slow counts no more"
    assert len(seen(club, number).moves) == 1


def test_two_workers_judge_each_move_once(club):
    number = played(club)
    ask(club, "ann", number)
    with thinking_robots(club) as one, thinking_robots(club) as other:
        threads = [threading.Thread(target=robots.sweep) for robots in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen(club, number).is_done and len(seen(club, number).moves) == len(DUEL)


def test_a_worker_that_stops_gives_the_move_back_and_the_next_one_goes_on_from_there(club):
    number = played(club)
    ask(club, "ann", number)
    for _ply in range(12):
        keep(club, claim(club, number), played=0.5)
    with thinking_robots(club, command=SLEEPER) as robots:
        thread = threading.Thread(target=robots.sweep)
        thread.start()
        wait_for(lambda: row_of(club, number).lease)
        robots.stop()
        thread.join(timeout=20)
        assert not thread.is_alive()
    row = row_of(club, number)
    assert (row.lease, row.tries, len(seen(club, number).moves)) == ("", 0, 12)
    make(club)
    assert seen(club, number).is_done and seen(club, number).moves[0].best == "1@a1", "what was kept is not made again"


def row_of(club, number):
    with db.reading(club.engine) as session:
        return session.get(Review, number)


def test_a_search_that_crashes_is_tried_again_and_at_last_given_up_until_somebody_asks_again(club, caplog):
    number = played(club)
    ask(club, "ann", number)
    with thinking_robots(club, command=CRASHER) as robots:
        for _try in range(turns.MOST_TRIES + 1):
            robots.sweep()
            club.clock.go(minutes=1)
    assert seen(club, number).state == ReviewState.FAILED
    assert sum("was not judged" in line for line in caplog.messages) == turns.MOST_TRIES
    assert ask(club, "bob", number).state == ReviewState.QUEUED
    make(club)
    assert seen(club, number).is_done


LIAR = (sys.executable, "-c", "import sys\nfor line in sys.stdin: print('{\"best\": 1}', flush=True)")


def test_a_process_that_answers_nonsense_judges_nothing(club):
    number = played(club)
    ask(club, "ann", number)
    with thinking_robots(club, command=LIAR) as robots:
        robots.sweep()
    assert seen(club, number).moves == () and row_of(club, number).tries == 1


def test_robots_move_before_games_are_judged(club):
    over = played(club)
    with thinking_robots(club) as robots:
        running = challenge(club, "ann", "duel-robot-1", seat=1)
        ask(club, "ann", over)
        assert robots.sweep() == 1
    assert [by for _seat, by in made_by(club, running)] == ["robot"] and seen(club, over).is_done


def test_a_worker_is_asked_nothing_but_what_the_mover_saw(club):
    number = club.match("plateau")
    move_on(club, number, 5)
    club.resign(number, "bob")
    ask(club, "ann", number)
    with db.reading(club.engine) as session:
        course = viewer_game_of(session, session.get(Match, number))
    for ply in range(5):
        leased = claim(club, number)
        seat = course.entries[ply].seat
        assert leased.question["position"] == dump(course.at(ply).view(seat))
        keep(club, leased)
    assert leased.question["position"] != dump(course.at(4)), "something was hidden"


# -- who may ask for what --------------------------------------------------------------------


def refused(club, name, number):
    with pytest.raises(MatchError) as error:
        ask(club, name, number)
    return str(error.value)


def test_a_running_game_gets_none_whoever_asks(club):
    number = club.match("duel")
    for turn, text in enumerate(DUEL[:8]):
        club.play(number, ("ann", "bob")[turn % 2], text)
    club.join("eve")
    for name in ("ann", "bob", "eve"):
        assert "isn't over yet" in refused(club, name, number)
    assert seen(club, number) is None


def test_what_is_kept_of_a_game_that_is_said_to_go_on_is_not_shown(club):
    number = played(club)
    ask(club, "ann", number)
    make(club)
    with db.transaction(club.engine) as session:
        match = session.get(Match, number)
        match.ended_at = None
        session.add(match)
    assert seen(club, number) is None


def test_a_game_that_shows_what_to_do_in_a_running_one_is_not_judged(club):
    club.join("eve")
    running = club.match("duel")
    for turn, text in enumerate(DUEL[:8]):
        club.play(running, ("ann", "bob")[turn % 2], text)
    over = played(club, white="ann", black="eve")
    for name in ("ann", "eve"):
        assert "reached the same position" in refused(club, name, over)
    club.resign(running, "ann")
    assert ask(club, "ann", over).is_waiting


def test_other_moves_to_the_same_board_are_no_way_around_that(club):
    running = club.match("duel")
    for turn, text in enumerate([*DUEL[:9], DUEL[11], DUEL[10], DUEL[9]]):
        club.play(running, ("ann", "bob")[turn % 2], text)
    assert "reached the same position" in refused(club, "ann", played(club))


def test_an_opening_that_many_play_keeps_no_game_from_being_judged(club):
    running = club.match("duel")
    club.play(running, "ann", DUEL[0])
    assert ask(club, "ann", played(club)).is_waiting


def test_games_that_nobody_can_judge_are_refused_with_a_sentence(club):
    assert refused(club, "ann", 999) == "There is no game 999."
    short = club.match("duel")
    club.play(short, "ann", DUEL[0])
    club.resign(short, "bob")
    assert "too short" in refused(club, "ann", short)


def test_without_robots_nobody_is_there_to_judge(town):
    town.join("ann", "bob")
    assert "No robots are running on this server" in refused(town, "ann", played(town))


def test_a_second_opinion_asked_for_twice_is_the_same_one(club):
    number = played(club)
    ask(club, "ann", number)
    club.clock.go(minutes=1)
    assert ask(club, "bob", number).is_waiting and ask(club, "ann", number).is_waiting
    assert row_of(club, number).asked_by_id == person_id(club, "ann")
    make(club)
    assert ask(club, "bob", number).is_done


def person_id(club, name):
    with db.reading(club.engine) as session:
        return club.person(session, name).id


def test_one_person_waits_for_one_at_a_time_and_asks_for_few_a_day(club, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_A_DAY", 2)
    numbers = [resigned(club) for _game in range(reviews.MOST_A_DAY + 1)]
    ask(club, "ann", numbers[0])
    assert "is still being made" in refused(club, "ann", numbers[1])
    for number in numbers[: reviews.MOST_A_DAY]:
        ask(club, "ann", number)
        finish(club, number)
    assert "within a day" in refused(club, "ann", numbers[-1])
    assert ask(club, "ann", numbers[0]).is_done, "what is made is there for everybody"
    club.clock.go(days=1, minutes=1)
    robots_in(club).stop()
    assert ask(club, "ann", numbers[-1]).is_waiting


def finish(club, number):
    with db.transaction(club.engine) as session:
        row = session.get(Review, number)
        row.state, row.due_at = ReviewState.DONE, None
        session.add(row)


def test_the_queue_has_an_end(club, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_WAITING", 1)
    one, other = resigned(club), resigned(club)
    ask(club, "ann", one)
    assert "Too many" in refused(club, "bob", other)


def test_who_waits_for_a_letter_is_noted_once_and_forgotten_when_they_leave(club):
    number = played(club)
    for _time in range(2):
        ask(club, "ann", number, by_letter=True)
    with db.reading(club.engine) as session:
        assert len(session.exec(select(ReviewReader)).all()) == 1
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "ann"), now=club.time)
    with db.reading(club.engine) as session:
        assert session.exec(select(ReviewReader)).all() == []
    assert seen(club, number) is not None, "the opinion belongs to the game"
