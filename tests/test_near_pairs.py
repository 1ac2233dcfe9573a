"""Who asked to be paired and does not meet somebody for the pace alone is told why, once a day."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.commands import Challenge, read_line
from correspondence.community import blocking
from correspondence.core import db
from correspondence.core.time_control import LONGEST, SHORTEST, Policy, TimeControl, per_move
from correspondence.matchmaking.near_pairs import middle
from correspondence.matchmaking.pairing import pace_of
from correspondence.ops.pairing_sweeps import sweep_near_pairs
from tests.club import matches_of, pair, seek
from tests.post import text_of

DAY = timedelta(days=1)


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo")
    return town


def notices(town, name, **span):
    """What somebody is told after a while; all letters of the time are delivered."""
    town.received.clear()
    town.wait(**(span or {"hours": 2}))
    pair(town)
    sweep_near_pairs(town.runtime)
    town.deliver()
    return [" ".join(text_of(letter).split()) for letter in town.letters(name)]


def test_a_pair_that_only_the_pace_keeps_apart_is_told_of_each_other(club):
    number = seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(5 * DAY), pair="yes")
    [letter] = notices(club, "ann")
    assert (
        f"You're looking for a game of Duel (seek {number}), and nobody is here at your pace. bob is looking" in letter
    )
    assert "Your pace: 1 day a move. Theirs: 5 days a move." in letter
    assert "To propose 2 days a move, which is in between" in letter
    assert len(club.letters("bob")) == 1 and matches_of(club) == []


def test_the_line_of_the_letter_challenges_the_partner_at_the_pace_in_the_middle(club):
    options = {"board": "sun"}
    terms = (TimeControl(DAY, DAY, DAY, Policy.CLAIM), TimeControl(9 * DAY, 9 * DAY, 9 * DAY, Policy.CLAIM))
    seek(club, "ann", options=options, time_control=terms[0], rated=False, pair="yes")
    seek(club, "bob", options=options, time_control=terms[1], rated=False, pair="yes")
    notices(club, "ann")
    letter = club.letter("ann")
    line = next(row for row in text_of(letter).splitlines() if row.startswith("· "))[2:]
    three_days = TimeControl(3 * DAY, 3 * DAY, 3 * DAY, Policy.CLAIM)
    assert read_line(line) == Challenge("bob", "duel", (("board", "sun"),), three_days, rated=False)
    club.answer(letter, line)
    club.answer(club.letter("bob"), "accept")
    assert {match[0] for match in matches_of(club)} == {"duel"}


def test_it_is_told_once_a_day(club):
    seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(5 * DAY))
    assert len(notices(club, "ann")) == 1 and notices(club, "ann") == []
    assert len(notices(club, "ann", days=1)) == 1


def test_who_did_not_ask_to_be_paired_is_told_nothing(club):
    seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(5 * DAY))
    assert notices(club, "bob") == []


def test_the_nearest_pace_is_named(club):
    seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(9 * DAY))
    seek(club, "cleo", time_control=per_move(4 * DAY))
    [letter] = notices(club, "ann")
    assert "cleo is looking for the same game" in letter and "bob" not in letter


@pytest.mark.parametrize("different", [{"rated": False}, {"options": {"board": "sun"}}, {"game": "plateau"}])
def test_a_seek_that_differs_in_more_than_the_pace_is_not_named(club, different):
    seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(5 * DAY), **different)
    assert notices(club, "ann") == []


def test_people_who_block_each_other_are_not_told(club):
    with db.transaction(club.engine) as session:
        blocking.block(session, club.person(session, "bob"), "ann", now=club.time)
    seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(5 * DAY), pair="yes")
    assert notices(club, "ann") == [] and notices(club, "bob") == []


def test_a_new_seek_waits_an_hour_before_it_is_told(club):
    seek(club, "bob", time_control=per_move(5 * DAY))
    seek(club, "ann", time_control=per_move(1 * DAY), pair="yes")
    assert notices(club, "ann", minutes=30) == []


LENGTHS = st.timedeltas(SHORTEST, LONGEST).map(lambda length: timedelta(hours=length // timedelta(hours=1)))


@given(LENGTHS, LENGTHS)
def test_the_middle_lies_between(one, other):
    between = pace_of(middle(per_move(one), per_move(other)))
    least, most = sorted((one, other))
    assert least - DAY / 2 <= between <= most + DAY / 2
