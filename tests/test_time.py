"""Time that respects people, through use cases, mail and the worker: absence, nights, outages, flag-fall, pauses."""

from __future__ import annotations

import os
import random
import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from correspondence.archive import record_file
from correspondence.clocks import calendars, turns, vacations
from correspondence.core import db
from correspondence.core.signing import check_signature, signer_of
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, Policy
from correspondence.models import By, Heartbeat, Match, Move, OfferKind, Outage, TakenBackMove, Vacation
from correspondence.models.loading import moves_of
from correspondence.ops import worker
from correspondence.play import claims, matches, offers, record_moves
from correspondence.queries.queries import record_of
from engines.verification.checks import check_record
from tests.post import text_of
from tests.test_clock import slow_deadline
from tests.world import mail_world

DOOR = "play@games.example"


def policy_of(town, number, policy):
    with db.transaction(town.engine) as session:
        match = session.get_one(Match, number)
        match.policy = policy
        session.add(match)


def act(town, number, name, use_case, *args):
    with db.transaction(town.engine) as session:
        done = use_case(session, town.player(session, number, name), *args, now=town.time)
    town.deliver()
    return done


def row(town, number, name):
    with db.reading(town.engine) as session:
        return town.player(session, number, name)


def person(town, name):
    with db.reading(town.engine) as session:
        return town.person(session, name)


def set_person(town, name, **values):
    with db.transaction(town.engine) as session:
        found = town.person(session, name)
        for field, value in values.items():
            setattr(found, field, value)
        session.add(found)


@pytest.fixture
def game(town):
    town.join("ann", "bob")
    number = town.match()
    town.open(number)
    return town, number


# -- absence ------------------------------------------------------------------------------


def test_who_is_away_has_no_clock_running_and_comes_back_early_with_the_rest(game):
    town, number = game
    set_person(town, "ann", vacation_hours_left=720)
    before = row(town, number, "ann").deadline
    outcome = town.agree("ann", "away 5 days")
    assert outcome == "done: away" and "24 days, 12 hours" in text_of(town.letter("ann"))
    assert row(town, number, "ann").deadline == before + timedelta(days=5, hours=12) == town.stand(number).deadline
    with db.reading(town.engine) as session:
        midnight = town.time + timedelta(days=5, hours=12)
        assert vacations.absent_until(session, person(town, "ann").id, town.time) == midnight
    town.wait(days=2, minutes=30)
    town.agree("ann", "back")
    assert row(town, number, "ann").deadline == before + timedelta(days=2, minutes=30)
    assert person(town, "ann").vacation_hours_left == 720 - 49
    town.agree("ann", "back")
    assert "not on leave" in text_of(town.letter("ann"))


def test_an_absence_covers_turns_that_begin_in_it_and_one_may_move(game):
    town, number = game
    set_person(town, "bob", vacation_hours_left=720)
    town.agree("bob", "away 3 days")
    town.wait(days=1)
    town.received.clear()
    town.play(number, "ann", "e3/f2=N")
    assert row(town, number, "bob").deadline == town.time + timedelta(days=2 + 10, hours=12)
    town.play(number, "bob", "e6/a7=N")
    assert "bob is away and will be back by" in text_of(town.letter("ann"))
    assert row(town, number, "bob").bank == int(timedelta(days=10).total_seconds())


ROME, CAIRO = "Europe/Rome", "Africa/Cairo"


@pytest.mark.parametrize(("zone", "begins", "days", "midnight", "hours"), [
    (ROME, "2026-11-24T09:20", 1, "2026-11-25", 15), (ROME, "2026-11-24T12:00", 1, "2026-11-26", 36),
    (ROME, "2026-11-24T23:59", 3, "2026-11-28", 73), (ROME, "2026-11-24T00:00", 3, "2026-11-27", 72),
    (ROME, "2026-10-25T00:00", 1, "2026-10-26", 24), (ROME, "2027-03-28T00:00", 1, "2027-03-29", 24),
    (ROME, "2026-10-24T15:00", 1, "2026-10-26", 33), ("America/Chicago", "2026-10-31T20:00", 2, "2026-11-03", 52),
    ("Pacific/Auckland", "2026-11-24T11:59", 5, "2026-11-29", 109), (CAIRO, "2027-04-29T10:00", 1, "2027-04-30", 15),
])  # fmt: skip
def test_absence_ends_at_local_midnight_and_is_charged_by_the_wall_clock(town, zone, begins, days, midnight, hours):
    town.join("ann", zone=zone, vacation_hours_left=720)
    town.time = datetime.fromisoformat(begins).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    with db.transaction(town.engine) as session:
        absence = vacations.announce(session, town.person(session, "ann"), days, now=town.time)
        assert absence.ends_at == datetime.fromisoformat(midnight).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    assert person(town, "ann").vacation_hours_left == 720 - hours


def test_absence_till_midnight_takes_no_more_than_is_left_and_gives_no_more_back(game):
    """At noon a day of absence lasts 36 hours, of which 30 are left."""
    town, number = game
    set_person(town, "ann", vacation_hours_left=30)
    before = row(town, number, "ann").deadline
    town.agree("ann", "away 1 day")
    assert row(town, number, "ann").deadline == before + timedelta(hours=36)
    assert person(town, "ann").vacation_hours_left == 0
    town.wait(hours=2)
    for _attempt in range(2):
        town.agree("ann", "back")
        assert person(town, "ann").vacation_hours_left == 28


def test_more_absence_than_is_left_is_refused_and_a_new_year_brings_thirty_days(game):
    town, _number = game
    town.agree("ann", "away 2 days")
    assert "less than a day of leave left" in text_of(town.letter("ann"))
    town.time += timedelta(days=366)
    assert vacations.hours_left(person(town, "ann"), town.time) == 720


def test_when_time_runs_out_a_day_of_absence_is_spent_by_itself_in_all_games(game):
    town, number = game
    other = town.match(white="ann", black="bob")
    town.play(other, "ann", "c3/f2=B")
    town.play(other, "bob", "c6/a7=B")
    set_person(town, "ann", vacation_hours_left=30)
    deadline = row(town, number, "ann").deadline
    town.time = deadline - timedelta(seconds=2)
    town.wait(seconds=4)
    assert row(town, number, "ann").deadline == deadline + timedelta(days=1)
    town.wait(seconds=1)
    assert row(town, other, "ann").deadline == deadline + timedelta(days=1)
    assert person(town, "ann").vacation_hours_left == 6
    town.wait(days=1)
    assert row(town, number, "ann").deadline == deadline + timedelta(days=1, hours=6)
    assert person(town, "ann").vacation_hours_left == 0 and town.stand(number).result == "*"
    town.wait(hours=7)
    assert [town.stand(n).result for n in (number, other)] == ["0-1", "0-1"]


def test_who_had_a_day_spent_is_told_and_workers_that_race_spend_it_once(anywhere):
    town = anywhere
    town.join("ann", "bob")
    numbers = [town.match() for _ in range(4)]
    for number in numbers:
        town.open(number)
    set_person(town, "ann", vacation_hours_left=24)
    deadline = town.stand(numbers[0]).deadline
    town.time = deadline + timedelta(seconds=1)
    barrier = threading.Barrier(4)

    def sweep():
        barrier.wait()
        worker.sweep_deadlines(town.runtime)

    workers = [threading.Thread(target=sweep) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    town.deliver()
    assert {town.stand(n).deadline for n in numbers} == {deadline + timedelta(days=1)}
    assert person(town, "ann").vacation_hours_left == 0
    texts = [" ".join(text_of(letter).split()) for letter in town.received]
    assert sum("a day of your leave was used" in one for one in texts) == 1
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Vacation)).all()) == 1


def test_a_day_spent_in_another_game_meanwhile_is_not_spent_or_told_twice(town):
    town.join("ann", "bob")
    numbers = [town.match() for _ in range(2)]
    for number in numbers:
        town.open(number)
    set_person(town, "ann", vacation_hours_left=48)
    town.time = town.stand(numbers[0]).deadline + timedelta(seconds=1)
    with db.transaction(town.engine) as session:
        matches = [session.get_one(Match, number) for number in numbers]
        late = [turns.overdue(session, match, town.time) for match in matches]  # both were seen before either spends
        spent = [
            vacations.spend_absence(session, match, who, now=town.time)
            for match, who in zip(matches, late, strict=True)
        ]
    assert spent == [(late[0], []), ([], [])]
    assert person(town, "ann").vacation_hours_left == 24


# -- hours --------------------------------------------------------------------------------


def test_a_change_of_hours_counts_from_the_next_turn(game):
    town, number = game
    before = row(town, number, "ann").deadline
    kept = calendars.write_off_hours(calendars.OffHours(sleep=(20, 8)))
    set_person(town, "ann", off_hours=kept, zone="America/Chicago")
    with db.transaction(town.engine) as session:
        turns.retime_match(session, number, now=town.time)
    assert row(town, number, "ann").deadline == before
    town.play(number, "ann", "e3/f2=N")
    town.play(number, "bob", "e6/a7=N")
    # 3:00 in Chicago: from 8:00 on twelve hours a day, and what ends at 20:00 ends at 8:00
    assert row(town, number, "ann").deadline == datetime(2026, 12, 11, 8, tzinfo=ZoneInfo("America/Chicago"))
    assert row(town, number, "ann").off_hours == '{"sleep":[20,8],"zone":"America/Chicago"}'


def test_only_time_that_counts_is_spent(game):
    town, number = game
    set_person(town, "bob", off_hours=calendars.write_off_hours(calendars.OffHours(sleep=(21, 9))))
    town.play(number, "ann", "e3/f2=N")
    town.time += timedelta(days=4)
    town.play(number, "bob", "e6/a7=N")
    with db.reading(town.engine) as session:
        assert moves_of(session, number)[-1].spent == 2 * 86400
    assert row(town, number, "bob").bank == int(timedelta(days=9.5).total_seconds())


def test_auckland_and_chicago_over_a_shift_a_weekend_an_absence_and_an_outage_as_worked_out_by_hand(tmp_path):
    town = mail_world(tmp_path)
    town.time = datetime(2026, 10, 29, 12, tzinfo=UTC)  # Thursday: 7:00 in Chicago, Friday 1:00 in Auckland
    town.join("ann", zone="America/Chicago", off_hours='{"sleep":[22,8],"off":[5,6]}', vacation_hours_left=720)
    town.join("bob", zone="Pacific/Auckland", off_hours='{"sleep":[23,7],"off":[6]}', vacation_hours_left=720)
    number = town.match()
    with db.transaction(town.engine) as session:
        match = session.get_one(Match, number)
        match.bank = match.increment = match.cap = 2 * 86400
        for player in session.exec(select(matches.Player)):
            player.bank = 2 * 86400
            session.add(player)
        session.add(match)
        turns.retime_match(session, number, now=town.time)
    chicago, auckland = ZoneInfo("America/Chicago"), ZoneInfo("Pacific/Auckland")
    # 48 hours at 14 a day from Thursday 8:00: Thursday, Friday, Monday (2 November, after the shift), 6 on Tuesday
    assert row(town, number, "ann").deadline == datetime(2026, 11, 3, 14, tzinfo=chicago)
    town.wait(hours=10)
    town.play(number, "ann", "c3/f2=B")
    # Friday 11:00 in Auckland: 12 hours till 23:00, Saturday 16, Sunday off, Monday 16, 4 on Tuesday
    assert row(town, number, "bob").deadline == datetime(2026, 11, 3, 11, tzinfo=auckland)
    with db.transaction(town.engine) as session:
        vacations.announce(session, town.person(session, "bob"), 2, now=town.time)
    # away till Sunday 0:00, which is off: Monday 16, Tuesday 16, Wednesday 16 are used up at 23:00, so it is Thursday 7:00
    assert row(town, number, "bob").deadline == datetime(2026, 11, 5, 7, tzinfo=auckland)
    town.time = datetime(2026, 11, 2, 12, tzinfo=auckland).astimezone(UTC)
    alive(town)
    town.time += timedelta(days=1)  # nobody works from Monday 12:00 to Tuesday 12:00: 16 waking hours
    worker.sweep_clocks(town.runtime)
    assert row(town, number, "bob").deadline == datetime(2026, 11, 6, 7, tzinfo=auckland)
    assert row(town, number, "bob").deadline == town.stand(number).deadline
    town.play(number, "bob", "c6/a7=B")
    with db.reading(town.engine) as session:
        assert moves_of(session, number)[-1].spent == 5 * 3600  # Monday from 7:00 to 12:00 is all that counted
    town.close()


# -- when the service was down -------------------------------------------------------------


def alive(town):
    """As if a worker had lived up to this moment."""
    with db.transaction(town.engine) as session:
        session.merge(Heartbeat(id=1, at=town.time))


def test_a_day_without_the_service_costs_nobody_time(game):
    town, number = game
    deadline = town.stand(number).deadline
    town.time = deadline - timedelta(hours=1)
    alive(town)
    town.time += timedelta(days=1)
    worker.sweep_clocks(town.runtime)
    assert (town.stand(number).result, town.stand(number).deadline) == ("*", deadline + timedelta(days=1))
    town.time = deadline + timedelta(days=1, seconds=-1)
    alive(town)
    worker.sweep_clocks(town.runtime)
    assert town.stand(number).result == "*"
    town.time += timedelta(seconds=2)
    worker.sweep_clocks(town.runtime)
    assert town.stand(number).result == "0-1"


def test_a_worker_that_stands_still_for_a_moment_is_no_outage(game):
    town, number = game
    deadline = town.stand(number).deadline
    alive(town)
    town.time += timedelta(minutes=9)
    worker.sweep_clocks(town.runtime)
    assert town.stand(number).deadline == deadline


def test_pages_without_a_worker_cost_no_time_either(game):
    town, number = game
    worker.sweep_clocks(town.runtime)
    town.time += timedelta(days=3)
    town.play(number, "ann", "e3/f2=N")
    assert row(town, number, "ann").bank == int(timedelta(days=10).total_seconds())


def test_workers_that_start_again_together_note_one_outage_and_give_it_once(anywhere):
    town = anywhere
    town.join("ann", "bob")
    numbers = [town.match() for _ in range(5)]
    worker.sweep_clocks(town.runtime)
    before = [town.stand(n).deadline for n in numbers]
    town.time += timedelta(days=11)
    barrier = threading.Barrier(4)

    def start():
        barrier.wait()
        worker.sweep_clocks(town.runtime)

    workers = [threading.Thread(target=start) for _ in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    with db.reading(town.engine) as session:
        assert [(o.ends_at - o.begins_at, o.is_applied) for o in session.exec(select(Outage))] == [
            (timedelta(days=11), True)
        ]
    assert [town.stand(n).deadline for n in numbers] == [at + timedelta(days=11) for at in before]
    assert [town.stand(n).result for n in numbers] == ["*"] * 5


# -- flag-fall -----------------------------------------------------------------------------


def test_a_game_in_which_somebody_never_moved_is_called_off_and_counts_for_nobody(town):
    town.join("ann", "bob", vacation_hours_left=720)
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    town.wait(days=10, seconds=1)
    match = town.stand(number)
    assert (match.result, match.rated, match.deadline) == ("*", False, None) and match.ended_at is not None
    assert "Called off: not everybody made a first move." in text_of(town.letter("ann"))


def test_who_does_not_want_to_win_on_time_gets_no_such_win(game):
    town, number = game
    set_person(town, "bob", refuses_time_wins=True)
    town.wait(days=10, seconds=1)
    match = town.stand(number)
    assert (match.result, match.rated) == ("*", False) and match.ended_at is not None
    assert "cannot win on time" in " ".join(text_of(town.letter("ann")).split())


def test_the_letter_of_the_end_tells_what_was_said_with_a_move_that_no_letter_told(game):
    town, number = game
    set_person(town, "bob", turn_letters=False)
    town.play(number, "ann", "e3/f2=N", comment="Mind your knight.")
    assert town.stand(number).ended_at is None
    town.wait(days=10, seconds=1)
    assert town.stand(number).reason == "time"
    assert "Mind your knight." in text_of(town.letter("bob"))
    assert "Mind your knight." not in text_of(town.letter("ann"))


@pytest.mark.parametrize(("policy", "grace"), [(Policy.CLAIM, 1), (Policy.COAX, 14)])
def test_a_win_that_must_be_claimed_is_claimed_after_the_grace_by_mail(game, policy, grace):
    town, number = game
    policy_of(town, number, policy)
    town.wait(days=10, seconds=1)
    assert town.stand(number).ended_at is None
    assert "may claim the win" in text_of(town.letter("ann")) and "write claim" in text_of(town.letter("bob"))
    letter = town.letter("bob")
    town.answer(letter, "claim")
    assert "a little longer" in text_of(town.letter("bob"))
    town.wait(days=grace)
    assert town.stand(number).ended_at is None
    town.answer(letter, "claim")
    assert (town.stand(number).result, town.stand(number).reason) == ("0-1", "time")


def test_a_late_move_is_good_until_the_win_is_claimed_and_leaves_the_increment(game):
    town, number = game
    policy_of(town, number, Policy.CLAIM)
    town.wait(days=13)
    assert row(town, number, "ann").flagged_at is not None
    town.play(number, "ann", "e3/f2=N")
    assert row(town, number, "ann").bank == 36 * 3600
    with pytest.raises(matches.MatchError, match="has not run out"):
        act(town, number, "bob", claims.claim)
    town.wait(days=9)
    assert town.stand(number).result == "*"


def test_who_is_late_himself_claims_nothing_and_a_claim_in_time_is_refused(game):
    town, number = game
    policy_of(town, number, Policy.CLAIM)
    with pytest.raises(matches.MatchError, match="has not run out"):
        act(town, number, "bob", claims.claim)
    town.wait(days=12)
    with pytest.raises(matches.MatchError, match="Your own time"):
        act(town, number, "ann", claims.claim)


def test_an_opponent_is_nudged_once_a_day(game):
    town, number = game
    policy_of(town, number, Policy.COAX)
    town.wait(days=10, seconds=1)
    town.received.clear()
    for _ in range(3):
        act(town, number, "bob", claims.nudge)
    (letter,) = town.received
    assert letter["To"] == "ann@example.org" and "bob would like to play on" in text_of(letter)


def test_a_game_that_everybody_forgot_is_called_off_in_the_end(game):
    town, number = game
    policy_of(town, number, Policy.COAX)
    town.wait(days=10, seconds=1)
    town.wait(days=59)
    assert town.stand(number).ended_at is None
    town.wait(days=1, seconds=1)
    assert town.stand(number).ended_at is not None and not town.stand(number).rated


def test_the_policy_is_chosen_with_the_challenge_and_stands_in_the_record(town):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel policy=claim 3 days")
    town.answer(town.letter("bob"), "accept")
    match = town.stand(1)
    assert (match.policy, match.bank) == (Policy.CLAIM, 3 * 86400)
    with db.reading(town.engine) as session:
        text = record_of(session, 1, None, signer=signer_of(town.settings), now=town.time)
    assert record_file.read_record(text).time_control.policy == Policy.CLAIM
    town.agree("ann", "challenge bob duel policy=never")
    assert "automatic, claim or coax" in " ".join(text_of(town.letter("ann")).split())
    assert DEFAULT_TIME_CONTROL.policy == Policy.AUTOMATIC


# -- pauses --------------------------------------------------------------------------------


def test_a_pause_needs_consent_and_ends_by_itself(game):
    town, number = game
    before = town.stand(number).deadline
    town.answer(town.letter("ann"), "pause 5 days")
    assert town.stand(number).deadline == before
    assert "for 5 days" in text_of(town.letter("bob"))
    town.wait(hours=1)
    town.answer(town.letter("bob"), "accept")
    assert town.stand(number).deadline == before + timedelta(days=5)
    assert "no clock of this game runs" in text_of(town.letter("ann"))
    with pytest.raises(matches.MatchError, match="is already paused"):
        act(town, number, "ann", offers.offer_pause, 3)
    town.wait(days=5, hours=1)
    act(town, number, "ann", offers.offer_pause, 3)


def test_an_offer_lapses_with_the_next_move_of_the_other_and_can_be_declined(game):
    town, number = game
    act(town, number, "ann", offers.offer_pause, 5)
    act(town, number, "bob", offers.decline)
    with pytest.raises(matches.MatchError, match="Nobody has offered a pause"):
        act(town, number, "bob", offers.offer_pause, None)
    act(town, number, "bob", offers.offer_pause, 5)
    town.play(number, "ann", "e3/f2=N")
    with pytest.raises(matches.MatchError, match="has lapsed"):
        act(town, number, "ann", offers.offer_pause, None)


@pytest.mark.parametrize("days", [0, -1, 31, 10**6])
def test_a_pause_has_an_end(game, days):
    town, number = game
    with pytest.raises(matches.MatchError, match="1 to 30 days"):
        act(town, number, "ann", offers.offer_pause, days)


def test_the_same_pause_is_offered_once_and_others_a_few_times_a_day(game):
    town, number = game
    act(town, number, "ann", offers.offer_pause, 5)
    with pytest.raises(matches.MatchError, match="You have already offered this pause"):
        act(town, number, "ann", offers.offer_pause, 5)
    for days in range(6, 5 + offers.OFFERS_A_DAY):
        act(town, number, "ann", offers.offer_pause, days)
    with pytest.raises(matches.MatchError, match=f"{offers.OFFERS_A_DAY} times within a day"):
        act(town, number, "ann", offers.offer_pause, 29)
    act(town, number, "bob", offers.offer_pause, 20)
    town.wait(hours=25)
    act(town, number, "ann", offers.offer_pause, 29)


# -- take-backs ----------------------------------------------------------------------------


def test_a_move_is_asked_back_a_few_times_a_day_and_no_more(game):
    town, number = game
    town.play(number, "ann", "e3/f2=N")
    for _time in range(offers.OFFERS_A_DAY):
        act(town, number, "ann", offers.offer_takeback)
        act(town, number, "bob", offers.decline)
    with pytest.raises(matches.MatchError, match=f"{offers.OFFERS_A_DAY} times within a day"):
        act(town, number, "ann", offers.offer_takeback)


def test_a_move_is_taken_back_by_consent_with_the_clock_as_it_was(game):
    town, number = game
    town.time += timedelta(days=2)
    town.play(number, "ann", "e3/f2=N")
    town.time += timedelta(days=1)
    town.answer(town.letter("ann"), "takeback")
    assert town.moves(number)[-1] == "e3/f2=N"
    town.answer(town.letter("bob"), "takeback")
    assert town.moves(number) == ["c3/f2=B", "c6/a7=B"]
    assert "it is your turn again" in text_of(town.letter("ann"))
    ann, bob = row(town, number, "ann"), row(town, number, "bob")
    assert ann.bank == 8 * 86400
    assert ann.since == town.time
    assert bob.since is None
    assert bob.bank == 10 * 86400
    town.play(number, "ann", "d3/f2=N")
    with db.reading(town.engine) as session:
        text = record_of(session, number, None, signer=signer_of(town.settings), now=town.time)
        assert {one.claim for one in check_record(text, check_signature).findings if one.state == "holds"} >= {
            "chain",
            "signature",
        }
        assert [gone.text for gone in session.exec(select(TakenBackMove))] == ["e3/f2=N"]
    assert "d3/f2=N" in text_of(town.letter("bob"))


def test_the_reply_that_came_meanwhile_goes_with_the_move(game):
    town, number = game
    town.play(number, "ann", "e3/f2=N")
    town.time += timedelta(days=1)
    town.play(number, "bob", "e6/a7=N")
    act(town, number, "ann", offers.offer_takeback)
    assert act(town, number, "bob", offers.offer_takeback) is True
    assert town.moves(number) == ["c3/f2=B", "c6/a7=B"]
    assert row(town, number, "bob").bank == 10 * 86400


def test_letters_and_pages_from_before_play_nothing_after_a_take_back(game):
    town, number = game
    town.play(number, "ann", "e3/f2=N")
    stale = town.letter("bob")
    act(town, number, "ann", offers.offer_takeback)
    act(town, number, "bob", offers.offer_takeback)
    town.play(number, "ann", "d3/f2=N")
    town.answer(stale, "e6/a7=N")
    assert town.moves(number)[-1] == "d3/f2=N"
    assert "A move was taken back since then" in text_of(town.letter("bob"))
    with pytest.raises(matches.StaleMove, match="taken back"):
        town.play(number, "bob", "e6/a7=N", ply=3, takebacks=0)
    town.answer(town.letters("bob")[-2], "e6/a7=N")
    assert town.moves(number)[-1] == "e6/a7=N"


def test_an_offer_to_take_back_lapses_with_any_move(game):
    town, number = game
    act(town, number, "ann", offers.offer_takeback)
    town.play(number, "ann", "e3/f2=N")
    with db.reading(town.engine) as session:
        assert record_moves.open_offers(session, number) == []


def test_nothing_to_take_back_is_said(town):
    town.join("ann", "bob")
    number = town.match()
    with pytest.raises(matches.MatchError, match="no move yet"):
        act(town, number, "ann", offers.offer_takeback)


def test_where_anything_is_hidden_moves_stand(town):
    from engines import GAMES

    town.join("ann", "bob")
    number = town.match("plateau")
    position = GAMES["plateau"].start(GAMES["plateau"].Options())
    for name, seat in (("ann", 0), ("bob", 1)):
        if seat in position.to_act:
            move = next(iter(position.legal_moves(seat)))
            town.play(number, name, position.write(seat, move))
            with pytest.raises(matches.MatchError, match=r"hidden|Lots were drawn"):
                act(town, number, name, offers.offer_takeback)
            return
    raise AssertionError("nobody begins")


def test_declining_names_what_was_declined(game):
    town, number = game
    act(town, number, "ann", matches.offer_draw)
    act(town, number, "ann", offers.offer_pause, 4)
    assert act(town, number, "bob", offers.decline, OfferKind.PAUSE) == OfferKind.PAUSE
    assert act(town, number, "bob", offers.accept) == OfferKind.DRAW
    assert town.stand(number).result == "1/2-1/2"


# -- reminders -----------------------------------------------------------------------------


def test_the_reminder_comes_at_the_chosen_lead_once_a_turn_whatever_stops_the_clock(game):
    town, number = game
    set_person(town, "ann", reminder_leads="24", vacation_hours_left=720)
    with db.transaction(town.engine) as session:
        turns.retime_match(session, number, now=town.time)
    deadline = row(town, number, "ann").deadline
    town.received.clear()
    town.time = deadline - timedelta(hours=25)
    town.wait(minutes=1)
    assert town.received == []
    town.wait(hours=1)
    town.agree("ann", "away 3 days")
    town.wait(days=2)
    town.wait(days=1, hours=1)
    kinds = [str(letter["Subject"]) for letter in town.received if "is waiting for you" in text_of(letter)]
    assert len(kinds) == 1


def test_a_lead_longer_than_the_turn_reminds_when_most_of_the_time_is_spent(game):
    town, number = game
    set_person(town, "ann", reminder_leads="168")
    with db.transaction(town.engine) as session:
        player = town.player(session, number, "ann")
        player.bank = 86400
        session.add(player)
        turns.retime_match(session, number, now=town.time)
    assert row(town, number, "ann").remind_at == town.time + timedelta(hours=19.2)


# -- a month -------------------------------------------------------------------------------

PEOPLE = int(os.environ.get("MONTH_PEOPLE", "3"))
"""How many people live through the month; MONTH_PEOPLE=200 makes a long trial of it."""


def test_in_a_month_of_outages_nobody_loses_by_us_and_every_deadline_is_that_of_the_slow_model(
    town, capsys, is_thorough
):
    rng, step = random.Random(5), timedelta(minutes=15)
    town.time = datetime(2026, 10, 1, tzinfo=UTC)
    tempo = _people_of_differing_habits(town, rng)
    numbers = [town.match("duel", f"ann{at}", f"ann{(at + 1) % PEOPLE}") for at in range(PEOPLE)]
    checked = 0
    for _ in range((30 if is_thorough else 10) * 24):
        town.time += 4 * step
        alive(town)
        if rng.random() < 0.01:
            town.time += step * rng.randrange(4, 300)
        worker.sweep_clocks(town.runtime)
        with db.transaction(town.engine) as session:
            for number in list(numbers):
                match = session.get_one(Match, number)
                assert match.ended_at is None
                (player,) = turns.running(session, match)[:1]
                if rng.random() < 0.15 / PEOPLE:
                    calendar = turns.calendar_of(session, player)
                    bank = timedelta(seconds=player.bank // 900 * 900)
                    slow = slow_deadline(calendar, player.since, bank)
                    assert slow <= player.deadline <= slow_deadline(calendar, player.since, bank + step)
                    checked += 1
                if rng.random() < tempo[player.person_id] or player.deadline - town.time < timedelta(hours=20):
                    position = matches.position_of(match)
                    text = position.write(player.seat, position.random_move(player.seat, rng))
                    matches.make_move(session, player, text, now=town.time, by=By.WEB)
                    if match.ended_at is not None:
                        numbers.remove(number)
    with db.reading(town.engine) as session:
        outages, moves = len(session.exec(select(Outage)).all()), session.exec(select(Move)).all()
        assert outages >= 3 and checked > 40
        assert any(move.spent for move in moves)
        assert "time" not in {match.reason for match in session.exec(select(Match))}
    if PEOPLE > 3:
        with capsys.disabled():
            print(f"\n{PEOPLE} people, {len(moves)} moves, {outages} outages, {checked} deadlines as the slow model's")


def _people_of_differing_habits(town, rng):
    """Members with zones, nights, days off and holidays of their own; how probable a move is in an hour, by person."""
    zones = ["Pacific/Auckland", "America/Chicago", "Australia/Lord_Howe", "Europe/Rome", "Asia/Kolkata", "UTC"]
    tempo = {}
    for at in range(PEOPLE):
        hours = calendars.OffHours(
            sleep=(20 + at % 4, 6 + at % 3), days_off=(at % 7,), region=("NZ", "US", "IT", "DE")[at % 4]
        )
        town.join(f"ann{at}", zone=zones[at % len(zones)], off_hours=calendars.write_off_hours(hours))
        with db.reading(town.engine) as session:
            tempo[town.person(session, f"ann{at}").id] = rng.choice([0.005, 0.02, 0.1])
    return tempo
