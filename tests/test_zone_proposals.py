"""Who joins by mail is told what their mail's clock says, and which cities have that time; nothing is assumed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.commands.setting_values import zone as read_zone
from correspondence.core import db, zone_cities
from correspondence.mime.headers import clock_offset
from tests.post import text_of

DOOR = "play@games.example"


def welcome(town, date):
    headers = {"Date": date} if date else {}
    town.mail("ann@example.org", DOOR, "join ann", **headers)
    town.answer(town.letter("ann"), "yes")
    with db.reading(town.engine) as session:
        assert town.person(session, "ann").zone == "UTC"
    return " ".join(text_of(town.letter("ann")).split())


@pytest.mark.parametrize(
    ("offset", "sentence"),
    [
        ("+0200", "Your mail's clock is 2 hours ahead of UTC."),
        ("+0100", "Your mail's clock is 1 hour ahead of UTC."),
        ("-0500", "Your mail's clock is 5 hours behind UTC."),
        ("+0530", "Your mail's clock is 5:30 hours ahead of UTC."),
        ("-0330", "Your mail's clock is 3:30 hours behind UTC."),
        ("+0000", "Your mail's clock shows UTC."),
    ],
)
def test_the_welcome_names_the_clock_of_the_mail_and_cities_that_go_by_it(town, offset, sentence):
    letter = welcome(town, f"Sat, 21 Nov 2026 11:00:00 {offset}")
    assert sentence in letter and "· settings zone " in letter


def test_the_line_of_the_welcome_sets_the_zone(town):
    letter = welcome(town, "Sat, 21 Nov 2026 10:00:00 +0100")
    assert "· settings zone Rome" in letter
    town.answer(town.letter("ann"), "settings zone Rome")
    with db.reading(town.engine) as session:
        assert town.person(session, "ann").zone == "Europe/Rome"


@pytest.mark.parametrize(
    "date",
    [
        "",
        "Sat, 21 Nov 2026 11:00:00 -0000",
        "yesterday",
        "Sat, 21 Nov 2026 11:00:00",
        "Sat, 21 Nov 2026 11:00:00 +9900",
        "Sat, 21 Nov 2026 11:00:00 +0217",
    ],
)
def test_a_clock_that_says_nothing_proposes_nothing(town, date):
    letter = welcome(town, date)
    assert "clock" not in letter and "settings zone" not in letter


@given(st.binary(max_size=300))
def test_any_date_is_read_or_left(raw):
    offset = clock_offset(b"Date: " + raw + b"\n\n")
    assert offset is None or abs(offset) <= 14 * 60


@pytest.mark.parametrize("month", [1, 7])
@pytest.mark.parametrize("offset", range(-12 * 60, 14 * 60 + 1, 15))
def test_every_city_that_is_proposed_is_understood_and_goes_by_that_clock(offset, month):
    now = datetime(2026, month, 15, 12, tzinfo=UTC)
    for city in zone_cities.cities_at(offset, now):
        from zoneinfo import ZoneInfo

        assert now.astimezone(ZoneInfo(read_zone(city))).utcoffset() == timedelta(minutes=offset)
