"""A match that is only looked at is read as plain columns, and tells the same as the rows that can be changed."""

from __future__ import annotations

import pytest
from sqlalchemy import inspect

from correspondence.accounts import web_sessions
from correspondence.core import db
from correspondence.models import Match, Person, Player, Rating, loading
from correspondence.models.loading import known_match, persons_of, players_of, with_players
from correspondence.queries import page_versions
from correspondence.ratings.ratings import ratings_of
from tests.world import World


@pytest.fixture
def club(world: World) -> World:
    world.join("ann", "bob", vacation_hours_left=100, language="it", off_hours='{"off":[5,6]}')
    world.match("proteus-dice")
    with db.transaction(world.engine) as session:
        ann = world.person(session, "ann")
        more = {"rating": 1612.5, "deviation": 71.0, "volatility": 0.06, "games": 3, "updated_at": world.time}
        session.add(Rating(person_id=ann.id, game="proteus-dice", established_until=world.time, **more))
    return world


def values_of(row):
    return {name: (value := getattr(row, name), type(value)) for name in type(row).names()}


def seats_told(session, match):
    players = players_of(session, match.id)
    return match, *players, *persons_of(session, players)


def test_each_column_of_a_match_its_players_and_persons_is_the_same_as_in_rows_that_can_be_changed(club):
    with db.reading(club.engine) as session:
        read = [values_of(row) for row in seats_told(session, known_match(session, 1))]
    with db.transaction(club.engine) as session:
        loaded = [values_of(row) for row in seats_told(session, with_players(session, 1))]
    assert len(read) == 5 and read == loaded
    assert all(set(Table.names()) == set(inspect(Table).columns.keys()) for Table in (Match, Player, Person))


def test_the_ratings_that_come_with_a_match_are_those_that_are_stored(club):
    with db.reading(club.engine) as session:
        players = players_of(session, known_match(session, 1).id)
        with_match = ratings_of(session, [player.person_id for player in players], "proteus-dice", now=club.time)
    with db.reading(club.engine) as session:
        stored = ratings_of(session, [player.person_id for player in players], "proteus-dice", now=club.time)
    assert with_match == stored and len({state.games for state in stored.values()}) == 2


def test_what_was_read_to_be_looked_at_belongs_to_no_session_and_is_never_written(club):
    with db.reading(club.engine) as session:
        match = known_match(session, 1)
        match.reason = "a slip"
        assert match not in session and known_match(session, 1) is match
        session.commit()
    with db.reading(club.engine) as session:
        assert known_match(session, 1).reason == ""


def test_there_is_no_match_of_a_number_that_was_never_given(club):
    with db.reading(club.engine) as session:
        assert known_match(session, 99) is None


def test_statements_that_are_found_by_a_function_are_found_apart():
    """Python compares the code of two functions without the files in which they stand."""
    found = (loading._KNOWN_READ, page_versions._KNOWN_STATE, web_sessions._KNOWN_BY_DIGEST)
    assert len({statement._generate_cache_key().key for statement in found}) == len(found)
