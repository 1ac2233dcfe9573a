"""Challenges are letters: nobody floods a member, or all members, by making and withdrawing them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from correspondence.accounts.relations import ChallengeError
from correspondence.core import db
from correspondence.core.time_control import per_move
from correspondence.matchmaking import challenges
from correspondence.matchmaking.challenges import UNTAKEN_A_DAY, UNTAKEN_OF_ALL_A_DAY


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo")
    return town


def ask(club, handle, days=3):
    """ann challenges somebody; returns the number of the challenge."""
    with db.transaction(club.engine) as session:
        ann = club.person(session, "ann")
        return challenges.challenge(
            session,
            ann,
            handle,
            "duel",
            {},
            time_control=per_move(timedelta(days=days)),
            now=club.time,
            rng=club.runtime.rng,
        ).id


def withdraw(club, number):
    with db.transaction(club.engine) as session:
        challenges.withdraw(session, club.person(session, "ann"), number)


def press(club, handle, times):
    for _time in range(times):
        withdraw(club, ask(club, handle))


def test_challenges_that_are_withdrawn_again_flood_nobody(club):
    press(club, "bob", UNTAKEN_A_DAY)
    club.received.clear()
    with pytest.raises(ChallengeError, match=f"You have challenged bob {UNTAKEN_A_DAY} times within a day"):
        ask(club, "bob")
    club.deliver()
    assert len(club.letters("bob")) <= UNTAKEN_A_DAY
    assert ask(club, "cleo"), "somebody else can be asked"


def test_the_next_day_they_can_be_asked_again(club):
    press(club, "bob", UNTAKEN_A_DAY)
    club.clock.go(hours=25)
    assert ask(club, "bob")


def test_declined_challenges_count_and_those_that_became_games_do_not(club):
    for _time in range(UNTAKEN_A_DAY - 1):
        number = ask(club, "bob")
        with db.transaction(club.engine) as session:
            challenges.decline(session, club.person(session, "bob"), number, now=club.time)
    for _time in range(3):
        number = ask(club, "bob")
        with db.transaction(club.engine) as session:
            challenges.accept(session, club.person(session, "bob"), number, now=club.time, rng=club.runtime.rng)
    number = ask(club, "bob")
    with pytest.raises(ChallengeError, match="and no game has come of it"):
        ask(club, "bob", 5)
    withdraw(club, number)


def test_nobody_writes_to_every_member_in_a_day(club):
    names = [f"m{number}" for number in range(UNTAKEN_OF_ALL_A_DAY // UNTAKEN_A_DAY + 1)]
    club.join(*names)
    for name in names[:-1]:
        press(club, name, UNTAKEN_A_DAY)
    with pytest.raises(ChallengeError, match=f"You have made {UNTAKEN_OF_ALL_A_DAY} challenges within a day"):
        ask(club, names[-1])
