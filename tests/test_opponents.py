"""Lists tell of people what an opponent wants to know: rating, reliability, and how soon they usually answer."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import event

from correspondence.community import directory
from correspondence.core.db import reading, transaction
from correspondence.matchmaking import seeks
from correspondence.models import By
from correspondence.models.loading import position_of
from correspondence.play import matches
from correspondence.ratings import opponents
from correspondence.ratings.opponents import ENOUGH, usual_answers


@pytest.fixture
def club(world):
    world.join("ann", "bob", "cleo")
    return world


def answer(world, number, handle, by=By.WEB):
    """The first legal move of somebody, by page or otherwise."""
    with transaction(world.runtime.engine) as session:
        player = world.player(session, number, handle)
        position = position_of(world.stand(number))
        text = position.view(player.seat).write(player.seat, next(position.legal_moves(player.seat)))
        matches.make_move(session, player, text, now=world.time, by=by)


def exchange(world, number, times, *, ann=1, bob=9):
    """Each answers after so many hours, ann first."""
    for _time in range(times):
        for handle, hours in (("ann", ann), ("bob", bob)):
            world.clock.go(hours=hours)
            answer(world, number, handle)


def usual(world, handle):
    with reading(world.runtime.engine) as session:
        person = world.person(session, handle).id
        return usual_answers(session, [person], now=world.time).get(person)


def text_in(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def play_enough(world):
    """Two games, in which each has answered often enough for something to be said."""
    for _game in range(2):
        exchange(world, world.match("proteus-dice"), (ENOUGH + 1) // 2 + 1)


def test_nothing_is_said_after_few_answers(club):
    number = club.match("proteus-dice")
    exchange(club, number, ENOUGH // 2)
    assert usual(club, "bob") is None
    assert "usually answers" not in club.client().get("/players/bob").text


def test_the_usual_answer_is_the_median_of_what_an_opponent_waits(club):
    play_enough(club)
    assert usual(club, "bob") == timedelta(hours=9) and usual(club, "ann") == timedelta(hours=1)
    exchange(club, club.match("proteus-dice"), 2, bob=100)
    assert usual(club, "bob") == timedelta(hours=9)
    assert "usually answers in 9 hours" in text_in(club.client().get("/players/bob"))


def test_old_answers_no_longer_count(club):
    play_enough(club)
    club.clock.go(days=61)
    assert usual(club, "bob") is None


def test_cards_and_plans_tell_nothing_of_how_soon_somebody_answers(club):
    number = club.match("proteus-dice")
    for _time in range(6):
        club.clock.go(hours=1)
        answer(club, number, "ann", by=By.POST)
        club.clock.go(hours=1)
        answer(club, number, "bob", by=By.PLAN)
    assert usual(club, "ann") is None and usual(club, "bob") is None


def test_seeks_and_partners_tell_rating_reliability_and_pace(club):
    play_enough(club)
    for number in (1, 2):
        club.resign(number, "ann")
    number = club.match("proteus-dice")
    exchange(club, number, 3)
    club.resign(number, "ann")
    with transaction(club.runtime.engine) as session:
        bob = club.person(session, "bob")
        seeks.seek(session, bob, "proteus-dice", {}, {}, now=club.time, rng=club.rng)
    seen = text_in(club.client().get("/seeks"))
    assert re.search(r"with bob 1\d{3}\? reliability 100% · usually answers in 9 hours", seen)
    partners = text_in(club.client("cleo").get("/partners"))
    assert "reliability 100% · usually answers in 9 hours" in partners


def test_many_people_in_a_list_cost_no_more_statements(club):
    def sent(ids):
        statements = []
        note = lambda *each: statements.append(each[2])  # noqa: E731
        event.listen(club.runtime.engine, "before_cursor_execute", note)
        with reading(club.runtime.engine) as session:
            opponents.opponent_facts(session, ids, now=club.time)
        event.remove(club.runtime.engine, "before_cursor_execute", note)
        return len(statements)

    assert sent([1]) == sent([1, 2, 3])
    assert directory.PAGE > 3
