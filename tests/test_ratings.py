"""Ratings in the course of matches: which count, once, what letters tell, and that each can be undone."""

from __future__ import annotations

import random
import threading
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.matchmaking import challenges
from correspondence.models import Match, Rating, RatingChange
from correspondence.models.loading import locked
from correspondence.play import game_end, matches
from correspondence.ratings import corrections, ratings
from correspondence.ratings.glicko2 import Strength, after_games, after_idle
from tests.post import text_of
from tests.tables import START

FIRST_MOVES = [
    *(("ann", "c3/f2=B"), ("bob", "c6/a7=B"), ("ann", "a2/e1=Y")),
    *(("bob", "c5/a7=P"), ("ann", "g2/e1=P"), ("bob", "c4/a7=Y")),
]


def begun(town, white="ann", black="bob", *, rated=True, moves=6):
    with db.transaction(town.engine) as session:
        one = town.person(session, white)
        seek = challenges.challenge(session, one, black, "proteus-dice", {}, rated=rated, seat=0, now=town.time)
        other = town.person(session, black)
        number = challenges.accept(session, other, seek.id, now=town.time, rng=random.Random(1)).id
    names = {"ann": white, "bob": black}
    for name, text in FIRST_MOVES[:moves]:
        town.play(number, names[name], text)
    return number


def standing(town, name, now=None):
    with db.reading(town.engine) as session:
        return ratings.rating_of(session, town.person(session, name).id, "proteus-dice", now=now)


def everything(town):
    with db.reading(town.engine) as session:
        rows = session.exec(select(Rating).order_by(Rating.person_id)).all()
        changes = session.exec(select(RatingChange).order_by(RatingChange.match_id, RatingChange.person_id)).all()
        return ([row.model_dump(exclude={"id"}) for row in rows], [row.model_dump(exclude={"id"}) for row in changes])


@pytest.fixture
def three(town):
    town.join("ann", "bob", "cleo")
    return town


def test_who_has_played_nothing_stands_at_the_start_and_is_provisional(three):
    ann = standing(three, "ann")
    assert (str(ann), ann.games) == ("1500?", 0)


def test_a_rated_match_moves_both_by_the_paper(three):
    three.resign(begun(three), "bob")
    new = Strength()
    won, lost = after_games(new, [(new, 1.0)], periods=0), after_games(new, [(new, 0.0)], periods=0)
    ann, bob = standing(three, "ann"), standing(three, "bob")
    assert (ann.rating, ann.deviation, ann.games) == (won.rating, won.deviation, 1)
    assert (bob.rating, bob.volatility, bob.games) == (lost.rating, lost.volatility, 1)


def test_time_between_matches_makes_ratings_uncertain_and_counts_once(three):
    three.resign(begun(three), "bob")
    number = begun(three)
    three.time += timedelta(weeks=5)
    old = standing(three, "ann")
    grown = after_idle(Strength(old.rating, old.deviation, old.volatility), 5)
    assert standing(three, "ann", now=three.time).deviation == pytest.approx(grown.deviation)
    foe = standing(three, "bob", now=three.time)
    three.resign(number, "ann")
    after = after_games(grown, [(Strength(foe.rating, foe.deviation, foe.volatility), 0.0)], periods=0, weight=0.5)
    assert standing(three, "ann").deviation == pytest.approx(after.deviation)
    assert standing(three, "ann").rating == pytest.approx(after.rating)


def test_a_draw_is_half_a_point_for_each(three):
    number = begun(three)
    for name in ("ann", "bob"):
        with db.transaction(three.engine) as session:
            matches.offer_draw(session, three.player(session, number, name), now=three.time)
    assert standing(three, "ann").rating == pytest.approx(1500)
    assert standing(three, "ann").games == standing(three, "bob").games == 1


@pytest.mark.parametrize("moves", [0, 1])
def test_a_match_in_which_somebody_never_moved_moves_no_rating(three, moves):
    three.resign(begun(three, moves=moves), "bob")
    assert everything(three) == ([], [])
    assert "not both of you had moved" in text_of(three.letter("ann"))


@pytest.mark.parametrize("moves", [2, 5])
def test_who_gives_up_after_too_few_moves_moves_no_rating_and_the_last_letter_says_why(three, moves):
    three.resign(begun(three, moves=moves), "bob")
    assert everything(three) == ([], [])
    assert "was given up or drawn before each of you had made 3 moves" in " ".join(text_of(three.letter("ann")).split())


def test_an_unrated_match_moves_no_rating_and_its_last_letter_says_so(three):
    three.resign(begun(three, rated=False), "bob")
    assert everything(three) == ([], [])
    assert "This game was not rated." in text_of(three.letter("ann"))


def test_a_puzzle_moves_no_rating_and_says_nothing_of_it(three):
    with db.transaction(three.engine) as session:
        ann = three.person(session, "ann")
        number = challenges.start_alone(session, ann, "duel-puzzle", {}, now=three.time, rng=three.rng).id
    three.resign(number, "ann")
    assert everything(three) == ([], [])
    assert "rat" not in text_of(three.letter("ann")).lower().replace("operator", "")


def test_a_loss_on_time_is_rated_once_both_have_moved(three):
    begun(three, moves=2)
    three.wait(days=30)
    assert standing(three, "ann").rating < 1500 < standing(three, "bob").rating


def test_the_last_letter_tells_each_what_became_of_the_rating(three):
    three.resign(begun(three), "bob")
    ann, bob = standing(three, "ann"), standing(three, "bob")
    assert f"is now {str(ann).rstrip('?')}, after 1500 (+162). It is still provisional." in " ".join(
        text_of(three.letter("ann")).split()
    )
    assert f"is now {str(bob).rstrip('?')}, after 1500 (−162). It is still provisional." in " ".join(
        text_of(three.letter("bob")).split()
    )


def test_ratings_of_different_games_are_apart(three):
    three.resign(begun(three), "bob")
    with db.reading(three.engine) as session:
        assert ratings.rating_of(session, three.person(session, "ann").id, "duel").games == 0


def test_an_annulled_match_leaves_no_trace(three):
    three.resign(begun(three), "bob")
    three.time += timedelta(days=9)
    before = everything(three)
    number = begun(three)
    three.resign(number, "ann")
    assert everything(three) != before
    with db.transaction(three.engine) as session:
        assert corrections.annul(session, number) == 0
    assert everything(three) == before
    with db.reading(three.engine) as session:
        assert session.get_one(Match, number).rated is False


def test_an_annulled_match_is_taken_out_from_under_later_ones(three):
    """The same ratings as in a world in which that match was unrated."""
    pairs = [("ann", "bob", "bob"), ("bob", "cleo", "bob"), ("cleo", "ann", "ann"), ("ann", "bob", "ann")]
    numbers = []
    for white, black, loser in pairs:
        three.time += timedelta(days=5)
        numbers.append(begun(three, white, black))
        three.resign(numbers[-1], loser)
    with db.transaction(three.engine) as session:
        assert corrections.annul(session, numbers[0]) == 3
    annulled = everything(three)
    with db.transaction(three.engine) as session:
        for row in [*session.exec(select(RatingChange)), *session.exec(select(Rating))]:
            session.delete(row)
    three.time = START
    for number in numbers:
        three.time += timedelta(days=5)
        with db.transaction(three.engine) as session:
            ratings.rate(session, session.get_one(Match, number), now=three.time)
    rows, changes = everything(three)
    assert (rows, changes) == annulled
    assert len(changes) == 6


@pytest.mark.parametrize("number", [1, 77])
def test_what_moved_no_rating_cannot_be_annulled(three, number):
    begun(three)
    with db.transaction(three.engine) as session, pytest.raises(corrections.RatingError, match="changed no rating"):
        corrections.annul(session, number)


def at_once(*acts):
    barrier, failures = threading.Barrier(len(acts)), []

    def run(act):
        barrier.wait()
        try:
            act()
        except matches.MatchError:
            pass
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_two_workers_that_end_one_match_rate_it_once(anywhere):
    anywhere.join("ann", "bob")
    number = begun(anywhere)
    anywhere.time += timedelta(days=30)

    def end():
        with db.transaction(anywhere.engine) as session:
            game_end.on_timeout(session, [locked(session, number)], now=anywhere.time)

    at_once(end, end, end, end)
    assert standing(anywhere, "ann").games == standing(anywhere, "bob").games == 1
    assert len(everything(anywhere)[1]) == 2


def test_first_matches_of_one_player_that_end_at_once_all_count(anywhere):
    anywhere.join("ann", "bob", "cleo")
    numbers = [begun(anywhere), begun(anywhere, "cleo", "ann"), begun(anywhere, "bob", "cleo"), begun(anywhere)]

    def ends(number):
        def end():
            with db.transaction(anywhere.engine) as session:
                player = session.exec(select(matches.Player).where(matches.Player.match_id == number)).first()
                matches.resign(session, player, now=anywhere.time)

        return end

    at_once(*[ends(number) for number in numbers])
    assert [standing(anywhere, name).games for name in ("ann", "bob", "cleo")] == [3, 3, 2]
