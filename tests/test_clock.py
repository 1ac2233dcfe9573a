"""Clocks against a slow and obvious model, over zones that set their clocks, and against dates worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.clocks import calendars, deadlines
from correspondence.clocks.deadlines import Calendar
from correspondence.core import time_control
from tests.sizes import examples

STEP = timedelta(minutes=15)
ZONES = ("Pacific/Auckland", "America/Chicago", "Australia/Lord_Howe", "Asia/Kathmandu", "Europe/Rome", "UTC",
         "America/St_Johns", "Pacific/Chatham", "Africa/Casablanca", "America/Santiago")  # fmt: skip


def counts(calendar, at):
    """Whether the moment counts: look at the wall clock, the calendar on the wall, and the stops."""
    local = at.astimezone(ZoneInfo(calendar.zone))
    if local.weekday() in calendar.days_off or local.date() in calendar.holidays:
        return False
    if any(begins <= at < ends for begins, ends in calendar.stops):
        return False
    if calendar.sleep is None:
        return True
    falls, wakes = calendar.sleep
    asleep = falls <= local.hour < wakes if falls < wakes else local.hour >= falls or local.hour < wakes
    return not asleep


def slow_counted(calendar, since, until):
    return sum((STEP for n in range((until - since) // STEP) if counts(calendar, since + n * STEP)), timedelta(0))


def slow_deadline(calendar, since, bank):
    """The first step that counts when the bank is used up."""
    at = since
    while bank > timedelta(0) or not counts(calendar, at):
        bank -= STEP if counts(calendar, at) else timedelta(0)
        at += STEP
    return at


moments = st.integers(0, 2 * 365 * 96).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + n * STEP)
near_shifts = st.tuples(
    st.sampled_from([date(2026, 3, 8), date(2026, 3, 29), date(2026, 4, 4), date(2026, 9, 26), date(2026, 10, 3),
                     date(2026, 10, 25), date(2026, 11, 1), date(2027, 2, 7), date(2027, 3, 14)]),
    st.integers(-4 * 96, 2 * 96),
).map(lambda pair: datetime(*pair[0].timetuple()[:3], tzinfo=UTC) + pair[1] * STEP)  # fmt: skip
stops = st.lists(st.tuples(st.integers(-400, 900), st.integers(0, 700)), max_size=4)


@st.composite
def turns(draw):
    """A calendar, and the moment at which a turn begins in it."""
    since = draw(moments | near_shifts)
    sleep = draw(st.none() | st.tuples(st.integers(0, 23), st.integers(0, 23)).filter(lambda pair: pair[0] != pair[1]))
    days_off = draw(st.frozensets(st.integers(0, 6), max_size=3))
    free = frozenset(since.date() + timedelta(days=n) for n in draw(st.sets(st.integers(-1, 20), max_size=5)))
    halted = tuple((since + a * STEP, since + (a + b) * STEP) for a, b in draw(stops))
    return Calendar(draw(st.sampled_from(ZONES)), sleep, days_off, free, halted), since


@settings(deadline=None, max_examples=examples(150))
@given(turns(), st.integers(0, 6 * 96))
def test_every_deadline_is_that_of_the_slow_model(turn, steps):
    calendar, since = turn
    assert deadlines.deadline_of(since, steps * STEP, calendar) == slow_deadline(calendar, since, steps * STEP)


@settings(deadline=None, max_examples=examples(150))
@given(turns(), st.integers(0, 10 * 96))
def test_time_that_counts_is_that_of_the_slow_model(turn, steps):
    calendar, since = turn
    until = since + steps * STEP
    assert deadlines.counted_time(since, until, calendar) == slow_counted(calendar, since, until)


@settings(deadline=None, max_examples=examples(150))
@given(turns(), st.timedeltas(timedelta(0), timedelta(days=20)))
def test_up_to_the_deadline_exactly_the_bank_has_counted(turn, bank):
    calendar, since = turn
    deadline = deadlines.deadline_of(since, bank, calendar)
    assert deadlines.counted_time(since, deadline, calendar) == bank
    assert deadlines.counted_time(since, deadline + timedelta(microseconds=1), calendar) > bank


@settings(deadline=None, max_examples=examples(100))
@given(turns(), st.timedeltas(timedelta(0), timedelta(days=9)), stops)
def test_a_stop_never_makes_a_deadline_earlier_and_never_costs_time(turn, bank, more):
    calendar, since = turn
    halted = calendar.with_stops(tuple((since + a * STEP, since + (a + b) * STEP) for a, b in more))
    assert deadlines.deadline_of(since, bank, halted) >= deadlines.deadline_of(since, bank, calendar)


def at(zone, *when):
    return datetime(*when, tzinfo=ZoneInfo(zone)).astimezone(UTC)


AUCKLAND, CHICAGO = "Pacific/Auckland", "America/Chicago"


@pytest.mark.parametrize(
    ("calendar", "since", "hours", "deadline"),
    [
        # sleeping from 22 to 8 leaves 14 hours a day: 14 h from 8:00 end at 22:00, which is the next morning
        (Calendar(CHICAGO, (22, 8)), at(CHICAGO, 2026, 11, 23, 8), 14, at(CHICAGO, 2026, 11, 24, 8)),
        (Calendar(CHICAGO, (22, 8)), at(CHICAGO, 2026, 11, 23, 8), 13, at(CHICAGO, 2026, 11, 23, 21)),
        # Friday 20:00 in Chicago, weekend off: 4 hours on Friday, 20 on Monday
        (Calendar(CHICAGO, None, frozenset({5, 6})), at(CHICAGO, 2026, 10, 30, 20), 24, at(CHICAGO, 2026, 11, 2, 20)),
        # the night of 1 November 2026 has 25 hours in Chicago: a day later by the clock is an hour more
        (Calendar(CHICAGO), at(CHICAGO, 2026, 10, 31, 12), 24, at(CHICAGO, 2026, 11, 1, 11)),
        # but to a sleeper, who wakes at 8 by the clock, it is one and the same
        (Calendar(CHICAGO, (22, 8)), at(CHICAGO, 2026, 10, 31, 12), 14, at(CHICAGO, 2026, 11, 1, 12)),
        # spring in Chicago, 8 March 2026: the day has 23 hours
        (Calendar(CHICAGO), at(CHICAGO, 2026, 3, 7, 12), 24, at(CHICAGO, 2026, 3, 8, 13)),
        # Auckland goes back on 5 April 2026 and forward on 27 September 2026
        (Calendar(AUCKLAND), at(AUCKLAND, 2026, 4, 4, 12), 24, at(AUCKLAND, 2026, 4, 5, 11)),
        (Calendar(AUCKLAND, (22, 8)), at(AUCKLAND, 2026, 9, 26, 12), 14, at(AUCKLAND, 2026, 9, 27, 12)),
        (Calendar(AUCKLAND), at(AUCKLAND, 2026, 9, 26, 12), 24, at(AUCKLAND, 2026, 9, 27, 13)),
        # one sleeps from 1 to 3: in the short night there is only one such hour, in the long one three
        (Calendar(CHICAGO, (1, 3)), at(CHICAGO, 2026, 3, 8, 0), 2, at(CHICAGO, 2026, 3, 8, 4)),
        (Calendar(CHICAGO, (1, 3)), at(CHICAGO, 2026, 11, 1, 0), 2, at(CHICAGO, 2026, 11, 1, 4)),
        # Lord Howe sets its clocks by half an hour
        (Calendar("Australia/Lord_Howe"), at("Australia/Lord_Howe", 2026, 4, 4, 12), 24,
         at("Australia/Lord_Howe", 2026, 4, 5, 11, 30)),
        # Waitangi Day (Friday 6 February 2026) and the weekend
        (calendars.calendar_of('{"off":[5,6],"region":"NZ","zone":"Pacific/Auckland"}', at(AUCKLAND, 2026, 2, 5)),
         at(AUCKLAND, 2026, 2, 5, 12), 24, at(AUCKLAND, 2026, 2, 9, 12)),
    ],
)  # fmt: skip
def test_deadlines_worked_out_by_hand(calendar, since, hours, deadline):
    assert deadlines.deadline_of(since, timedelta(hours=hours), calendar) == deadline


def test_somebody_for_whom_no_day_counts_is_refused():
    with pytest.raises(time_control.TimeControlError, match="must be left"):
        Calendar(days_off=frozenset(range(7)))


@pytest.mark.parametrize(
    ("hours", "sentence"),
    [
        (calendars.OffHours(sleep=(20, 9)), "1 to 12 hours"),
        (calendars.OffHours(sleep=(8, 8)), "1 to 12 hours"),
        (calendars.OffHours(sleep=(8, 24)), "whole hour"),
        (calendars.OffHours(days_off=(0, 1, 2, 3)), "At most 3 days"),
        (calendars.OffHours(days_off=(7,)), "At most 3 days"),
    ],
)
def test_hours_that_would_stretch_games_are_refused(hours, sentence):
    with pytest.raises(time_control.TimeControlError, match=sentence):
        calendars.checked(hours)


def test_hours_are_read_as_they_were_written_and_told_in_words():
    hours = calendars.OffHours((22, 8), (5, 6), calendars.region_of("de", "by"), "Europe/Rome")
    kept = calendars.write_off_hours(hours)
    assert calendars.read_off_hours(kept) == hours and calendars.write_off_hours(calendars.OffHours()) == ""
    assert calendars.in_words(kept, "en") == (
        "nights from 22:00 to 8:00, every Saturday, every Sunday and public holidays (Germany, BY)"
    )


@pytest.mark.parametrize(("country", "part"), [("ATLANTIS", ""), ("DE", "XX"), ("NZ", "BY")])
def test_a_region_without_known_holidays_is_refused(country, part):
    with pytest.raises(time_control.TimeControlError):
        calendars.region_of(country, part)


def test_holidays_are_those_of_the_country_and_of_its_part():
    assert date(2026, 7, 3) in calendars.holidays_of("US", 2026)
    assert date(2026, 8, 15) in calendars.holidays_of("DE-SL", 2026)
    assert date(2026, 8, 15) not in calendars.holidays_of("DE", 2026)
    assert calendars.holidays_of("XX", 2026) == calendars.holidays_of("DE-XX", 2026) == frozenset()


# -- banks -----------------------------------------------------------------------------

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(("control", "bank", "spent", "left"), [
    (time_control.DEFAULT_TIME_CONTROL, 10 * DAY, 4 * DAY, 7.5 * DAY),
    (time_control.DEFAULT_TIME_CONTROL, 10 * DAY, HOUR, 10 * DAY),
    (time_control.DEFAULT_TIME_CONTROL, 2 * DAY, 3 * DAY, 1.5 * DAY),
    (time_control.per_move(3 * DAY), 3 * DAY, 2 * DAY, 3 * DAY),
    (time_control.TimeControl(5 * DAY, 0 * DAY, 5 * DAY), 5 * DAY, 2 * DAY, 3 * DAY),
], ids=["less-than-was-spent", "never-above-the-cap", "late-and-accepted", "days-a-move", "no-increment"])  # fmt: skip
def test_after_a_move_the_bank_is_what_is_left_and_the_increment_up_to_the_cap(control, bank, spent, left):
    assert time_control.bank_after(control, bank, spent) == left


hours = st.integers(0, 24 * 90).map(lambda number: number * HOUR)


@given(
    control=st.tuples(hours, hours, hours).map(lambda three: time_control.TimeControl(*three)), bank=hours, spent=hours
)
def test_a_bank_is_never_above_its_cap_and_never_less_for_a_quicker_move(control, bank, spent):
    left = time_control.bank_after(control, bank, spent)
    assert left <= control.cap and left >= min(control.cap, control.increment)
    assert time_control.bank_after(control, bank, spent / 2) >= left
