"""Challenges lapse after 30 days and both sides hear of it; what is asked for twice makes nothing new."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.community import erasure
from correspondence.core import db
from correspondence.matchmaking import challenges, counteroffers, seeks
from correspondence.models import Audience, Letter, Match, Remark, Seek, SeekState
from correspondence.ops.due import due_sweeps
from correspondence.ops.sending_sweeps import sweep_events
from correspondence.ops.worker import sweep_seeks
from correspondence.play import chat, matches
from tests import robots
from tests.club import challenge, seek
from tests.post import text_of
from tests.programs import Program
from tests.robots import thinking_robots
from tests.world import mail_world


@pytest.fixture
def club(tmp_path):
    world = mail_world(tmp_path)
    world.join("ann", "bob", "cleo")
    yield world
    world.close()


def state_of(world, number):
    with db.reading(world.engine) as session:
        return session.get(Seek, number).state


def count(world, table):
    with db.reading(world.engine) as session:
        return len(session.exec(select(table.id)).all())


def do(world, name, use_case, *given, **more):
    with db.transaction(world.engine) as session:
        result = use_case(session, world.person(session, name), *given, now=world.time, **more)
        number = getattr(result, "id", None)
    world.deliver()
    return number


def let_lapse(world):
    world.time += challenges.LASTS + timedelta(minutes=1)


# -- challenges lapse ------------------------------------------------------------------------


def test_a_challenge_lapses_after_thirty_days_and_both_are_told(club):
    program = Program(club, "ann")
    number = challenge(club, "ann", "bob")
    club.received.clear()
    let_lapse(club)
    with db.reading(club.engine) as session:
        assert "seeks" in due_sweeps(session, now=club.time)
    assert sweep_seeks(club.runtime) == 1 and state_of(club, number) == SeekState.EXPIRED
    club.deliver()
    assert "bob has not answered your challenge to Duel within 30 days" in text_of(club.letter("ann"))
    assert "The challenge of ann to a game of Duel has lapsed" in text_of(club.letter("bob"))
    assert sweep_seeks(club.runtime) == 0 and len(club.letters("ann")) == len(club.letters("bob")) == 1
    sweep_events(club.runtime)
    heard = [event for event in program.get("/events?after=0").json["events"] if event["type"] == "challenge_answered"]
    assert [event["data"]["accepted"] for event in heard] == [False]


@pytest.mark.parametrize("is_swept", [False, True])
@pytest.mark.parametrize("use_case", [challenges.accept, challenges.decline])
def test_a_lapsed_challenge_is_answered_by_nobody(club, use_case, is_swept):
    number = challenge(club, "ann", "bob")
    let_lapse(club)
    if is_swept:
        sweep_seeks(club.runtime)
    more = {"rng": club.rng} if use_case is challenges.accept else {}
    with pytest.raises(challenges.ChallengeError, match=f"Challenge {number} has lapsed"):
        do(club, "bob", use_case, number, **more)
    assert count(club, Match) == 0
    assert not is_swept or Program(club, "bob").get("/challenges").json["to_me"] == []


def test_those_who_want_no_challenges_hear_of_no_lapse(club):
    challenge(club, "ann", "bob")
    with db.transaction(club.engine) as session:
        club.person(session, "bob").challenge_letters = False
    club.received.clear()
    let_lapse(club)
    sweep_seeks(club.runtime)
    club.deliver()
    assert club.letters("bob") == [] and len(club.letters("ann")) == 1


def test_no_letter_asks_about_a_challenge_that_is_gone(club):
    with db.transaction(club.engine) as session:
        ann = club.person(session, "ann")
        made = challenges.challenge(session, ann, "bob", "duel", {}, now=club.time, rng=club.rng)
        challenges.withdraw(session, ann, made.id)
    club.received.clear()
    club.time += timedelta(hours=1)
    club.deliver()
    assert club.letters("bob") == []


# -- what is asked for twice -------------------------------------------------------------------


def accept_twice(world):
    number = challenge(world, "ann", "bob")
    return lambda: do(world, "bob", challenges.accept, number, rng=world.rng)


def take_twice(world):
    number = seek(world, "ann", games="3")
    return lambda: do(world, "bob", seeks.take, number, rng=world.rng)


def seek_twice(world):
    seek(world, "ann")
    return lambda: do(world, "bob", seeks.seek, "duel", {}, rng=world.rng)


def rematch_twice(world):
    number = world.match()
    world.resign(number, "ann")
    do(world, "ann", counteroffers.rematch, number, rng=world.rng)
    return lambda: do(world, "bob", counteroffers.rematch, number, rng=world.rng)


@pytest.mark.parametrize("beginning", [accept_twice, take_twice, seek_twice, rematch_twice])
def test_what_begins_a_game_begins_no_second_one_when_repeated(club, beginning):
    begin = beginning(club)
    first = begin()
    before = count(club, Match), count(club, Seek)
    try:
        again = begin()
    except challenges.ChallengeError as refusal:
        assert "already" in str(refusal)
        again = None
    assert (count(club, Match), count(club, Seek)) == before and again in (None, first)


def test_a_robot_that_is_challenged_twice_plays_one_game(club):
    with thinking_robots(club):
        first, second = (robots.challenge(club, "ann", "duel-robot-1", words="") for _press in range(2))
        assert first == second and count(club, Match) == 1
        club.time += timedelta(minutes=2)
        assert robots.challenge(club, "ann", "duel-robot-1", words="") != first


@pytest.mark.parametrize("audience", Audience)
def test_equal_words_within_a_minute_are_one_remark(club, audience):
    number = club.match()
    club.received.clear()

    def say(words):
        with db.transaction(club.engine) as session:
            player = club.player(session, number, "ann")
            if audience == Audience.ME:
                chat.keep_note(session, player, words, ply=None, now=club.time)
            else:
                matches.say(session, player, words, now=club.time, audience=audience)

    for words, seconds in (
        ("Good luck!", 0),
        ("Good luck!", 59),
        ("Thanks.", 0),
        ("Good luck!", 61),
        ("Good luck!", 61),
    ):
        club.time += timedelta(seconds=seconds)
        say(words)
    assert count(club, Remark) == 4
    with db.reading(club.engine) as session:
        talk = session.exec(select(Letter).where(Letter.kind == "talk")).all()
    assert len(talk) == (0 if audience == Audience.ME else 4)


def test_nobody_is_offered_a_rematch_with_somebody_who_left(club):
    number = club.match()
    club.resign(number, "bob")
    assert "/rematch" in club.client("ann").get(f"/games/{number}").text
    do(club, "bob", erasure.forget)
    assert "/rematch" not in club.client("ann").get(f"/games/{number}").text
