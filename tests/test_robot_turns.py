"""The turns of robots: who moves when, by whom they are thought about, and what happens when that goes wrong."""

from __future__ import annotations

import random
import sys
import threading
import time
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, event

from correspondence.accounts import member_settings
from correspondence.accounts.robots import are_awake, note_watch
from correspondence.core import db
from correspondence.core.time_control import TimeControl
from correspondence.models import Match, RobotTurn, RobotWatch
from correspondence.models.loading import moves_of, position_of
from correspondence.ops.worker import sweep_deadlines
from correspondence.play import matches, offers
from correspondence.robots import robot_turns, thinking
from engines import GAMES
from engines.codec import dump
from tests.robots import (
    challenge,
    made_by,
    play_random_move,
    replayed,
    seat_of,
    thinking_robots,
    to_move,
    turn_of,
)
from tests.sizes import examples

SLEEPER = (sys.executable, "-c", "import sys, time\nsys.stdin.readline(); time.sleep(600)")
CRASHER = (sys.executable, "-c", "import sys\nsys.stdin.readline(); sys.exit(3)")
LIAR = (sys.executable, "-c", 'import sys\nfor line in sys.stdin: print(\'{"move": "a1", "outlook": 0}\', flush=True)')


@pytest.fixture
def club(town):
    town.join("ann", "bob")
    return town


def test_robots_with_nothing_to_do_ask_one_statement(club):
    with thinking_robots(club) as robots:
        robots.sweep()
        statements = []
        event.listen(club.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
        assert robots.sweep() == 0
        assert len([statement for statement in statements if statement.startswith("SELECT")]) == 1


def test_a_worker_that_thinks_notes_that_it_is_there_after_one_that_does_not(club):
    with thinking_robots(club) as robots:
        with db.transaction(club.engine) as session:
            note_watch(session, None)
        robots.sweep()
        with db.reading(club.engine) as session:
            assert are_awake(session, now=club.time)


def test_a_turn_that_was_leased_while_robots_are_stopped_is_given_back(club, monkeypatch):
    claimed = robot_turns.claim
    with thinking_robots(club) as robots:
        number = challenge(club, "ann", "duel-robot-1", seat=1)

        def claim_and_stop(*parts, **more):
            turn = claimed(*parts, **more)
            robots.stop()
            return turn

        monkeypatch.setattr(robot_turns, "claim", claim_and_stop)
        assert robots.sweep() == 0
    row = turn_of(club, number)
    assert row.lease == ""
    assert row.due_at is not None
    assert row.due_at <= club.time


@pytest.mark.parametrize("key", ["proteus-dice", "proteus-tiles", "duel", "plateau"])
def test_a_robot_moves_whenever_it_is_its_turn_and_never_else(club, key):
    with thinking_robots(club) as robots:
        number = challenge(club, "ann", f"{key}-robot-3", key)
        robot = seat_of(club, number, f"{key}-robot-3")
        for _turn in range(6):
            robots.sweep()
            if "ann" in to_move(club, number):
                play_random_move(club, number, "ann")
    how = [by for seat, by in made_by(club, number) if seat == robot]
    assert set(how) == {"robot"} and len(how) >= 3
    assert {by for seat, by in made_by(club, number) if seat == 1 - robot} == {"web"}
    replayed(club, number)  # every move is legal in its place


def test_a_robot_answers_after_its_delay_and_not_before(club):
    with thinking_robots(club, delay=(60.0, 60.0)) as robots:
        number = challenge(club, "ann", "duel-robot-1", seat=1)
        assert robots.sweep() == 0
        club.clock.go(seconds=59)
        assert robots.sweep() == 0
        club.clock.go(seconds=1)
        assert robots.sweep() == 1
    assert to_move(club, number) == ["ann"]


def test_a_delay_never_outlasts_the_time_that_a_robot_has(club):
    from correspondence.core.time_control import per_move

    with thinking_robots(club, delay=(80_000.0, 80_000.0)) as robots:
        number = challenge(club, "ann", "duel-robot-1", seat=1, time_control=per_move(timedelta(hours=1)))
        robots.sweep()
        assert turn_of(club, number).due_at <= club.time + timedelta(hours=1)


@pytest.mark.parametrize(("pace", "least", "most"), [
    ("at-once", 0, 0), ("usual", 30, 40), ("later", 600, 7200),
])  # fmt: skip
def test_a_robot_answers_as_soon_as_its_opponent_has_set(club, pace, least, most):
    with db.transaction(club.engine) as session:
        member_settings.pace_robots(session, club.person(session, "ann"), pace)
    with thinking_robots(club, delay=(30, 40)) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=1)
        other = challenge(club, "bob", "duel-robot-2", seat=1)
        robots.sweep()
        due = turn_of(club, number).due_at
        assert due is None if most == 0 else least <= (due - club.time).total_seconds() <= most
        assert (made_by(club, number) != []) == (most == 0)
        assert 30 <= (turn_of(club, other).due_at - club.time).total_seconds() <= 40, "bob has set nothing"


def test_a_late_answer_never_outlasts_the_time_that_the_robot_has(club):
    with db.transaction(club.engine) as session:
        member_settings.pace_robots(session, club.person(session, "ann"), "later")
    with thinking_robots(club) as robots:
        hour = TimeControl(timedelta(hours=1), timedelta(hours=1), timedelta(hours=1))
        number = challenge(club, "ann", "duel-robot-2", seat=1, time_control=hour)
        robots.sweep()
        assert turn_of(club, number).due_at < club.time + timedelta(hours=1)


def test_two_workers_make_one_move(club):
    with thinking_robots(club) as one, thinking_robots(club) as other:
        number = challenge(club, "ann", "duel-robot-4", seat=1)
        threads = [threading.Thread(target=robots.sweep) for robots in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [by for _seat, by in made_by(club, number)] == ["robot"]


def test_a_leased_turn_is_nobody_elses_until_its_lease_has_run_out(club):
    number = begun(club)
    first, second = claim(club), claim(club)
    assert first is not None and second is None
    club.clock.go(minutes=6)
    again = claim(club)
    assert again is not None and (again.tries, turn_of(club, number).lost_leases) == (1, 1), "a lost lease is no try"
    assert not played(club, first, legal(club, number)), "the answer of the worker that was too slow counts no more"
    assert played(club, again, legal(club, number))
    assert len(made_by(club, number)) == 1


def test_a_robot_thinks_as_well_as_before_when_its_workers_were_killed_and_moves_at_once_after_the_tenth(club):
    number = begun(club, level=3)
    levels = []
    for _life in range(10):
        turn = claim(club)
        levels.append((turn.question["level"], turn.needs_no_search))
        club.clock.go(minutes=6)
    assert set(levels) == {(3, False)}
    assert claim(club).needs_no_search
    assert played_at_once(club, number) == 1


def test_a_turn_that_ends_every_worker_is_soon_tried_once_an_hour(club):
    number = begun(club)
    for _life in range(2 * robot_turns.MOST_LOST_LEASES + 1):
        assert claim(club) is not None
        club.clock.now = turn_of(club, number).due_at
    assert claim(club) is not None and turn_of(club, number).due_at == club.time + robot_turns.SET_ASIDE


def played_at_once(club, number):
    with db.transaction(club.engine) as session:
        return robot_turns.play_quickly(session, number, now=club.time, rng=club.rng)


def test_a_move_found_for_a_position_that_is_gone_is_not_played(club):
    number = begun(club)
    turn, text = claim(club), legal(club, number)
    club.resign(number, "ann")
    assert not played(club, turn, text) and made_by(club, number) == []


def begun(club, level=1):
    with thinking_robots(club):
        number = challenge(club, "ann", f"duel-robot-{level}", seat=1)
    with db.transaction(club.engine) as session:
        for player in robot_turns.unnoted(session):
            robot_turns.note(session, player, timedelta(0), now=club.time)
    return number


def claim(club):
    with db.transaction(club.engine) as session:
        return robot_turns.claim(session, now=club.time, rng=random.Random(1))


def played(club, turn, text):
    with db.transaction(club.engine) as session:
        return robot_turns.play(session, turn, text, 0, now=club.time, rng=random.Random(1))


def legal(club, number):
    with db.reading(club.engine) as session:
        position = position_of(session.get(Match, number))
        return robot_turns.quick_move("duel", position, position.to_act[0], random.Random(2))


# -- what goes wrong ------------------------------------------------------------------------


def test_a_search_that_crashes_is_tried_again_at_lower_levels_and_at_last_any_move_is_made(club, caplog):
    with thinking_robots(club, command=CRASHER) as robots:
        number = challenge(club, "ann", "duel-robot-5", seat=1)
        for _try in range(robot_turns.MOST_TRIES + 1):
            robots.sweep()
            club.clock.go(minutes=1)
    assert [by for _seat, by in made_by(club, number)] == ["robot"]
    assert sum("failed (try" in line for line in caplog.messages) == robot_turns.MOST_TRIES


def test_each_try_thinks_at_a_level_below(club):
    begun(club, level=3)
    levels = []
    for _try in range(4):
        turn = claim(club)
        levels.append(turn.question["level"])
        with db.transaction(club.engine) as session:
            robot_turns.fail(session, turn, now=club.time)
        club.clock.go(minutes=1)
    assert levels == [3, 2, 1, 1]


def test_a_process_that_answers_nonsense_moves_nothing(club, caplog):
    with thinking_robots(club, command=LIAR) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=1)
        robots.sweep()
    assert made_by(club, number) == [] and any("failed" in line for line in caplog.messages)


def test_a_search_that_overruns_is_killed(club, monkeypatch, caplog):
    monkeypatch.setattr(thinking, "MOST_SECONDS", 0.1)
    with thinking_robots(club, command=SLEEPER) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=1)
        robots.sweep()
    assert made_by(club, number) == [] and turn_of(club, number).tries == 1


@pytest.mark.parametrize("end", ["resign", "takeback"])
def test_a_search_ends_when_its_game_or_its_turn_does(club, end):
    with thinking_robots(club) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=0)
        play_random_move(club, number, "ann")
        robots.stop()
    with thinking_robots(club, command=SLEEPER) as robots:
        thread = threading.Thread(target=robots.sweep)
        thread.start()
        wait_for(lambda: (row := turn_of(club, number)) is not None and row.tries == 1)
        if end == "resign":
            club.resign(number, "ann")
        else:
            take_back(club, number)
        thread.join(timeout=20)
        assert not thread.is_alive()
    assert made_by(club, number) == ([(0, "web")] if end == "resign" else [])


def take_back(club, number):
    """ann asks her move back, and the robot grants it, as a worker does."""
    with db.transaction(club.engine) as session:
        offers.offer_takeback(session, club.player(session, number, "ann"), now=club.time)
        offers.accept(session, club.player(session, number, "duel-robot-2"), now=club.time)


def test_a_worker_that_stops_ends_its_searches_and_gives_the_turns_back(club):
    with thinking_robots(club, command=SLEEPER) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=1)
        thread = threading.Thread(target=robots.sweep)
        thread.start()
        wait_for(lambda: (row := turn_of(club, number)) is not None and row.tries == 1)
        robots.stop()
        thread.join(timeout=20)
        assert not thread.is_alive()
    row = turn_of(club, number)
    assert (row.tries, row.lease, row.due_at) == (0, "", club.time)


def wait_for(is_so):
    for _try in range(400):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it never was so")


# -- time ------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["automatic", "claim", "coax"])
def test_a_robot_whose_time_runs_out_moves_at_once_and_loses_nothing(club, policy):
    from dataclasses import replace

    from correspondence.core.time_control import DEFAULT_TIME_CONTROL, Policy

    with thinking_robots(club):
        control = replace(DEFAULT_TIME_CONTROL, policy=Policy(policy))
        number = challenge(club, "ann", "duel-robot-2", seat=0, time_control=control)
    play_random_move(club, number, "ann")
    club.wait(days=40)
    stands = club.stand(number)
    assert stands.ended_at is None or stands.result == "*", "ann, who waits no longer, may be late herself by now"
    assert [by for _seat, by in made_by(club, number)][:2] == ["web", "robot"]


def test_a_person_who_is_late_against_a_robot_loses_on_time_as_against_anybody(club):
    with thinking_robots(club) as robots:
        number = challenge(club, "ann", "duel-robot-2", seat=0)
        play_random_move(club, number, "ann")
        robots.sweep()
    club.wait(days=40)
    assert club.stand(number).result == "0-1"


def test_a_robot_for_whom_no_move_is_found_gets_time_instead_of_a_loss(club, monkeypatch):
    with thinking_robots(club):
        number = challenge(club, "ann", "duel-robot-2", seat=0)
    play_random_move(club, number, "ann")
    monkeypatch.setattr(robot_turns, "quick_move", lambda *_words: "nonsense")
    club.wait(days=40)
    assert club.stand(number).ended_at is None and club.stand(number).deadline > club.time


# -- secrets ------------------------------------------------------------------------------------


@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), plies=st.integers(1, 24))
def test_what_a_search_is_asked_does_not_depend_on_what_its_seat_cannot_see(seed, plies):
    rng = random.Random(seed)
    game = GAMES["plateau"]
    position = game.start(game.Options())
    for _ply in range(plies):
        if not position.to_act:
            return
        seat = position.to_act[0]
        position = position.after(seat, position.random_move(seat, rng))
    for seat in position.to_act:
        other = position.view(seat).imagine(seat, rng)
        assert dump(other.view(seat)) == dump(position.view(seat))


def test_a_leased_turn_holds_nothing_but_what_the_robot_sees(club):
    with thinking_robots(club) as robots:
        number = challenge(club, "ann", "plateau-robot-1", "plateau", seat=0)
        for _turn in range(5):
            robots.sweep()
            if "ann" in to_move(club, number):
                play_random_move(club, number, "ann")
    with db.transaction(club.engine) as session:
        for player in robot_turns.unnoted(session):
            robot_turns.note(session, player, timedelta(0), now=club.time)
    turn = claim(club)
    assert turn is not None
    with db.reading(club.engine) as session:
        position = position_of(session.get(Match, number))
    assert turn.question["position"] == dump(position.view(1)) != dump(position)


def test_a_forgotten_row_of_a_turn_stops_nothing(club):
    number = begun(club)
    with db.transaction(club.engine) as session:
        session.delete(session.get(RobotTurn, turn_of(club, number).player_id))
    with thinking_robots(club) as robots:
        assert robots.sweep() == 1 or len(made_by(club, number)) == 1
    with db.reading(club.engine) as session:
        assert len(moves_of(session, number)) == 1


def test_deadlines_are_swept_without_robots_too(club):
    number = begun(club)
    with db.transaction(club.engine) as session:
        matches.resign(session, club.player(session, number, "ann"), now=club.time)
    assert sweep_deadlines(club.runtime) == 0


def test_of_workers_that_begin_at_the_same_moment_none_fails(anywhere):
    town, start, wrong = anywhere, threading.Barrier(4), []

    def begin():
        start.wait()
        try:
            with db.transaction(town.engine) as session:
                note_watch(session, town.time)
        except Exception as error:
            wrong.append(error)

    for _time in range(3):
        with db.transaction(town.engine) as session:
            session.execute(delete(RobotWatch))
        workers = [threading.Thread(target=begin) for _worker in range(4)]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
    assert wrong == []
    with db.reading(town.engine) as session:
        assert are_awake(session, now=town.time)
