"""A match that is only looked at comes with its players, the persons and their ratings."""

from __future__ import annotations

import pytest

from correspondence.core import db
from correspondence.models import Rating
from correspondence.models.loading import known_match, players_of
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


def test_the_ratings_that_come_with_a_match_are_those_that_are_stored(club):
    with db.reading(club.engine) as session:
        players = players_of(session, known_match(session, 1).id)
        with_match = ratings_of(session, [player.person_id for player in players], "proteus-dice", now=club.time)
    with db.reading(club.engine) as session:
        stored = ratings_of(session, [player.person_id for player in players], "proteus-dice", now=club.time)
    assert with_match == stored and len({state.games for state in stored.values()}) == 2


def test_there_is_no_match_of_a_number_that_was_never_given(club):
    with db.reading(club.engine) as session:
        assert known_match(session, 99) is None
