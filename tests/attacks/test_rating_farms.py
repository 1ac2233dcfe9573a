"""Accounts that belong together and play for one of them: what they can win is little, and said on the page."""

from __future__ import annotations

from datetime import timedelta

import pytest

from correspondence.core import db
from correspondence.models import By, Match, Move, Rating
from correspondence.play import matches
from correspondence.ratings import corrections, rating_rows, ratings, reliability
from correspondence.ratings.glicko2 import Strength, after_games
from tests.post import text_of
from tests.test_ratings import FIRST_MOVES, begun, everything, standing

GAMES_ARRANGED = 5
"""How many games of a pair are lost on purpose; the last of them counts no more."""


def established(town, *names):
    """Give these people a rating of 1500 that is well known."""
    with db.transaction(town.engine) as session:
        for name in names:
            person = town.person(session, name)
            session.add(
                Rating(person_id=person.id, game="proteus-dice", rating=1500, deviation=60, volatility=0.06, games=40,
                       updated_at=town.time, established_until=town.time + timedelta(days=90))
            )  # fmt: skip


def arrange(town, winner, loser, games=GAMES_ARRANGED):
    """Games that one side gives up as soon as they count; their moves stand in the record already."""
    for _game in range(games):
        number = begun(town, winner, loser, moves=0)
        with db.transaction(town.engine) as session:
            match = session.get_one(Match, number)
            match.ply = 6
            session.add_all(
                Move(match_id=number, ply=ply, seat=(ply - 1) % 2, text=text, at=town.time, spent=0, by=By.WEB, hash="")
                for ply, (_name, text) in enumerate(FIRST_MOVES, start=1)
            )
        town.resign(number, loser)


def draw(town, number):
    for name in ("ann", "bob"):
        with db.transaction(town.engine) as session:
            matches.offer_draw(session, town.player(session, number, name), now=town.time)


@pytest.fixture
def ring(town):
    town.join("ann", "bob", "cleo")
    return town


@pytest.mark.parametrize("moves", range(6))
def test_what_ends_by_consent_before_three_moves_each_moves_no_rating(ring, moves):
    ring.resign(begun(ring, moves=moves), "bob")
    draw(ring, begun(ring, moves=moves))
    assert everything(ring) == ([], [])


@pytest.mark.parametrize("moves", [0, 1])
def test_games_that_time_calls_off_move_no_rating_however_many_there_are(ring, moves):
    for _game in range(3):
        begun(ring, moves=moves)
    ring.wait(days=40)
    assert everything(ring) == ([], [])


def test_a_sandbagger_who_gives_up_at_once_stays_where_he_is(ring):
    established(ring, "ann", "bob")
    for _game in range(3):
        ring.resign(begun(ring, moves=2), "ann")
    assert standing(ring, "ann").rating == standing(ring, "bob").rating == 1500


def test_an_established_account_wins_at_most_twenty_points_a_quarter_from_an_established_partner(ring):
    established(ring, "ann", "bob")
    arrange(ring, "ann", "bob")
    assert 8 < standing(ring, "ann").rating - 1500 < 20
    assert standing(ring, "ann").games == 40 + len(rating_rows.WORTH)


def test_an_established_account_wins_at_most_thirty_points_a_quarter_from_two_throwaway_accounts(ring):
    established(ring, "ann")
    for partner in ("bob", "cleo"):
        arrange(ring, "ann", partner)
    assert 8 < standing(ring, "ann").rating - 1500 < 30


def test_a_ring_of_three_new_accounts_never_makes_an_established_rating(ring):
    for winner, loser in (("ann", "bob"), ("ann", "cleo"), ("cleo", "bob")):
        arrange(ring, winner, loser)
    assert all(str(standing(ring, name)).endswith("?") for name in ("ann", "bob", "cleo"))


def test_all_games_of_a_pair_weigh_less_than_two(ring):
    arrange(ring, "ann", "bob")
    new = Strength()
    twice = after_games(after_games(new, [(new, 1.0)], periods=0), [(new, 1.0)], periods=0)
    assert standing(ring, "ann").rating < twice.rating


def test_a_game_that_no_longer_counts_tells_both_why_and_leaves_every_number_as_it_was(ring):
    arrange(ring, "ann", "bob", games=4)
    before = everything(ring)
    arrange(ring, "ann", "bob", games=1)
    assert everything(ring) == before
    for name in ("ann", "bob"):
        assert "4 games between you two within 90 days have already counted" in " ".join(
            text_of(ring.letter(name)).split()
        )


def test_after_the_span_games_count_in_full_again_and_others_were_never_touched(ring):
    arrange(ring, "ann", "bob", games=5)
    arrange(ring, "cleo", "bob", games=1)
    assert standing(ring, "cleo").rating > 1600
    ring.time += rating_rows.PAIR_SPAN + timedelta(hours=1)
    before = standing(ring, "ann").games
    arrange(ring, "ann", "bob", games=1)
    assert standing(ring, "ann").games == before + 1


def test_an_annulled_game_makes_room_for_the_later_games_of_the_pair(ring):
    numbers = []
    for _game in range(3):
        numbers.append(begun(ring))
        ring.resign(numbers[-1], "bob")
    rows = everything(ring)[1]
    with db.transaction(ring.engine) as session:
        corrections.annul(session, numbers[0])
    kept = [row["rating"] for row in everything(ring)[1]]
    assert kept == [row["rating"] for row in rows[:4]]


def test_the_pages_say_which_games_count(world):
    for path in ("/ratings", "/ratings/duel"):
        page = world.client().get(path).text
        assert f"made {ratings.LEAST_MOVES} moves" in page and f"within {rating_rows.PAIR_SPAN.days} days" in page


def test_a_sandbagger_who_gives_up_fifteen_games_in_a_day_loses_reliability(ring):
    for _game in range(15):
        ring.resign(begun(ring, moves=2), "ann")
    with db.reading(ring.engine) as session:
        record = reliability.reliability_details(session, ring.person(session, "ann").id, now=ring.time)
        other = reliability.reliability_details(session, ring.person(session, "bob").id, now=ring.time)
    assert (record.given_up, record.percent) == (12, 20) and (other.given_up, other.percent) == (0, 100)
