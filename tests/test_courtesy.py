"""Who is left in peace by whom, and how many games one may have: refusals that never tell why."""

from __future__ import annotations

import pytest

from correspondence import courtesy, db, partners
from correspondence.models import Block


@pytest.fixture
def three(town):
    town.join("ann", "bob", "cleo")
    return town


def blocked(town, who, whom):
    with db.transaction(town.engine) as session:
        one, other = town.person(session, who), town.person(session, whom)
        session.add(Block(person_id=one.id, other_id=other.id, since=town.time))


def challenged(town, who, whom):
    with db.transaction(town.engine) as session:
        return partners.challenge(session, town.person(session, who), whom, "duel", {}, now=town.time).id


def accepted(town, who, number):
    with db.transaction(town.engine) as session:
        return partners.accept(session, town.person(session, who), number, now=town.time, lots=town.lots).id


def test_a_block_holds_in_both_directions_and_for_these_two(three):
    blocked(three, "ann", "bob")
    with db.reading(three.engine) as session:
        ann, bob, cleo = (three.person(session, name).id for name in ("ann", "bob", "cleo"))
        assert courtesy.is_blocked(session, ann, bob) and courtesy.is_blocked(session, bob, ann)
        assert not courtesy.is_blocked(session, ann, cleo)
        assert courtesy.blocked_ids(session, ann) == {bob} and courtesy.blocked_ids(session, bob) == {ann}
        assert courtesy.blocked_ids(session, cleo) == frozenset()


@pytest.mark.parametrize("who, whom", [("ann", "bob"), ("bob", "ann")])
def test_neither_of_two_can_challenge_the_other_and_nothing_says_why(three, who, whom):
    blocked(three, "ann", "bob")
    with pytest.raises(partners.PartnerError, match=f"^{whom} does not want to play now.$"):
        challenged(three, who, whom)


def test_who_has_games_enough_is_refused_to_others_in_the_same_words(three, monkeypatch):
    monkeypatch.setattr(courtesy, "GAMES_AT_ONCE", 1)
    three.match()
    with pytest.raises(partners.PartnerError, match="^bob does not want to play now.$"):
        challenged(three, "cleo", "bob")


def test_nobody_begins_more_games_than_allowed_and_each_finished_one_makes_room(three, monkeypatch):
    monkeypatch.setattr(courtesy, "GAMES_AT_ONCE", 1)
    number = three.match()
    with pytest.raises(partners.PartnerError, match="You play 1 game, as many as you may at once"):
        challenged(three, "ann", "cleo")
    with db.transaction(three.engine) as session, pytest.raises(partners.PartnerError, match="as many as you may"):
        partners.start_alone(session, three.person(session, "ann"), "duel-puzzle", {}, now=three.time, lots=three.lots)
    with db.transaction(three.engine) as session:
        from correspondence import matches

        matches.resign(session, three.player(session, number, "bob"), now=three.time)
    three.match(white="ann", black="cleo")
    accepted(three, "bob", challenged(three, "ann", "bob"))  # one at once, and one for the one finished


def test_a_challenge_is_not_accepted_into_a_full_house(three, monkeypatch):
    number = challenged(three, "ann", "bob")
    monkeypatch.setattr(courtesy, "GAMES_AT_ONCE", 1)
    three.match(white="ann", black="cleo")
    with pytest.raises(partners.PartnerError, match="^ann does not want to play now.$"):
        accepted(three, "bob", number)
