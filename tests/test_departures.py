"""When letters leave: as their reader wishes, in his own zone, and never so late that his clock suffers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.outbound.kinds import KINDS
from correspondence.outbound.schedule import (
    DELAYS,
    MERGE_WINDOW,
    DeliveryPreferences,
    SendTime,
    is_quiet,
    send_time,
)

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOURS = st.one_of(st.none(), st.integers(0, 23))
ZONES = st.sampled_from(
    ["UTC", "Europe/Rome", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "Australia/Lord_Howe"]
)
WISHES = st.builds(
    DeliveryPreferences,
    ZONES,
    st.sampled_from(["off", "hourly", "daily"]),
    st.integers(0, 23),
    HOURS,
    HOURS,
    st.sampled_from(DELAYS),
)
DEFERRABLE = st.sampled_from([kind for kind in KINDS.values() if kind.is_deferrable])
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))


def leaves(kind="turn", now=NOON, deadline=NOON + timedelta(days=30), **wishes):
    return send_time(DeliveryPreferences(**wishes), KINDS[kind], now, deadline)


@pytest.mark.parametrize("kind", ["answer", "sign_in", "join", "welcome", "resign", "test", "operator", "digest"])
def test_what_somebody_waits_for_leaves_at_once(kind):
    assert leaves(kind, digest="daily", quiet_from=0, quiet_until=23, delay=120) == SendTime(NOON)


def test_without_wishes_a_turn_leaves_at_once_and_talk_waits_for_more():
    assert leaves("turn") == leaves("over") == SendTime(NOON)
    assert leaves("talk") == leaves("draw_offered") == SendTime(NOON + MERGE_WINDOW)


def test_a_turn_can_wait_for_its_reader_to_look_at_the_page():
    assert leaves("turn", delay=30).at == NOON + timedelta(minutes=30)
    assert leaves("talk", delay=30).at == NOON + MERGE_WINDOW


def test_quiet_hours_end_on_the_readers_clock_and_may_span_midnight():
    night = {"zone": "Europe/Rome", "quiet_from": 22, "quiet_until": 7}
    late = datetime(2026, 11, 21, 21, 30, tzinfo=UTC)  # 22:30 in Rome
    assert leaves(now=late, **night).at == datetime(2026, 11, 22, 6, tzinfo=UTC)
    assert leaves(now=late - timedelta(hours=1), **night).at == late - timedelta(hours=1)
    siesta = {"zone": "Europe/Rome", "quiet_from": 13, "quiet_until": 15}
    assert leaves(now=NOON, **siesta).at == NOON + timedelta(hours=2)


def test_a_daily_digest_comes_at_its_hour_and_an_hourly_one_at_the_full_hour():
    assert leaves(digest="daily", digest_hour=7, zone="Europe/Rome") == (datetime(2026, 11, 22, 6, tzinfo=UTC), True)
    assert leaves(now=NOON + timedelta(minutes=7), digest="hourly") == (NOON + timedelta(hours=1), True)


def test_a_turn_whose_time_runs_out_before_the_digest_leaves_by_itself():
    short = leaves(deadline=NOON + timedelta(hours=20), digest="daily", digest_hour=7)
    assert short == SendTime(NOON + timedelta(hours=8))
    assert leaves(deadline=NOON + timedelta(hours=3), quiet_from=8, quiet_until=20) == SendTime(NOON)
    assert leaves("talk", deadline=NOON + timedelta(hours=3), digest="daily").in_digest


@given(
    WISHES,
    st.sampled_from([kind for kind in KINDS.values() if kind.is_deferrable]),
    MOMENTS,
    st.one_of(st.none(), st.integers(1, 90 * 86_400)),
)
def test_a_letter_leaves_after_it_was_written_within_two_days_and_never_endangers_the_clock(wishes, kind, now, left):
    deadline = None if left is None else now + timedelta(seconds=left)
    at, in_digest = send_time(wishes, kind, now, deadline)
    assert now <= at <= now + timedelta(hours=50)
    by_itself = kind.has_clock and deadline is not None
    if by_itself:
        assert at - now <= (deadline - now) / 2 and (at == now or deadline - at >= timedelta(hours=12))
    assert not in_digest or wishes.digest != "off"
    if not by_itself:
        assert not is_quiet(wishes, at) or wishes.quiet_from == wishes.quiet_until
        begins = at.astimezone(ZoneInfo(wishes.zone))
        assert not in_digest or begins.minute in (0, 15, 30, 45)
