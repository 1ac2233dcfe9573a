"""A time zone may vanish from the world's list while members, turns and requests still name it: UTC takes its place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlmodel import select

from correspondence.clocks import calendars
from correspondence.core import db
from correspondence.core.i18n import zone_of
from correspondence.models import Person, Player
from correspondence.ops import doctor
from correspondence.ops.worker import sweep_digests
from tests.post import html_of, text_of
from tests.programs import Program
from tests.world import mail_world

GONE = "US/Pacific-New"
"""A zone that the tz database dropped in 2020."""

NOTICE = f"Your time zone, {GONE}, no longer exists."


@pytest.fixture
def club(tmp_path):
    """A game of which ann keeps nights and quiet hours, gets digests, and lives in a zone that vanished during her turn."""
    world = mail_world(tmp_path)
    world.join("ann", "bob", vacation_hours_left=720)
    nights = calendars.write_off_hours(calendars.OffHours(sleep=(22, 7), zone=GONE))
    with db.transaction(world.engine) as session:
        ann = world.person(session, "ann")
        ann.zone, ann.off_hours, ann.quiet_from, ann.quiet_until, ann.digest = GONE, nights, 22, 7, "daily"
    world.number = world.match("proteus-dice")
    with db.reading(world.engine) as session:
        [turn] = session.exec(select(Player).where(Player.off_hours != ""))
        assert GONE in turn.off_hours
    yield world
    world.close()


def test_zone_that_no_longer_exists_becomes_utc():
    assert zone_of("Europe/Rome").key == "Europe/Rome"
    for name in (GONE, "Mars/Olympus", "", "Europe", "../etc/passwd", "\0"):
        assert zone_of(name).key == "UTC"


def test_every_page_without_a_part_is_shown_in_utc_with_a_notice(club):
    browser = club.client("ann")
    rules = [rule for rule in club.app.url_map.iter_rules() if "GET" in rule.methods and not rule.arguments]
    pages = {rule.rule: browser.get(rule.rule) for rule in rules}
    assert [path for path, page in pages.items() if page.status_code >= 500 and path != "/health/ready"] == []
    for path in ("/settings", "/settings/time", "/settings/letters", "/games"):
        assert NOTICE in pages[path].text
    assert "in UTC time" in pages["/settings/time"].text
    assert "<option selected>UTC</option>" in pages["/settings"].text


def test_game_is_played_with_its_clock_in_utc(club):
    browser = club.client("ann")
    page = browser.get(f"/games/{club.number}").text
    assert NOTICE in page and "Times are those of UTC" in page
    sent = {"move": "c3/f2=B", "ply": "0", "takebacks": "0", "confirmed": "yes"}
    assert browser.post(f"/games/{club.number}/move", data=sent).status_code == 303
    club.play(club.number, "bob", "c6/a7=B")
    assert browser.get(f"/games/{club.number}").status_code == 200
    assert browser.post("/settings/time/away", data={"days": "3", "from": "2026-12-24"}).status_code == 303


def test_letters_digests_and_answers_name_times_in_utc_with_a_notice(club):
    club.time = datetime(2026, 12, 1, 6, 30, tzinfo=UTC)
    sweep_digests(club.runtime)
    club.mail("ann@example.org", "play@games.example", "games")
    club.deliver()
    letters = club.letters("ann")
    assert letters and all(NOTICE in " ".join(text_of(one).split()) for one in letters)
    assert NOTICE in html_of(letters[-1]) and "UTC" in text_of(letters[-1])


def test_bob_reads_no_notice_about_the_zone_of_ann(club):
    assert "no longer exists" not in club.client("bob").get(f"/games/{club.number}").text


def test_program_is_told_utc(club):
    program = Program(club, "ann")
    assert program.get("/me").json["zone"] == "UTC"


def test_member_changes_language_alone_and_then_the_zone(club):
    club.mail("ann@example.org", "play@games.example", "settings")
    desk = club.letter("ann")
    club.answer(desk, "settings language it")
    with db.reading(club.engine) as session:
        assert club.person(session, "ann").language == "it" and club.person(session, "ann").zone == GONE
    club.answer(desk, "settings zone Rome")
    with db.reading(club.engine) as session:
        assert session.exec(select(Person.zone).where(Person.handle == "ann")).one() == "Europe/Rome"
    assert "no longer exists" not in club.client("ann").get("/settings").text


def test_doctor_names_the_zones_that_are_gone(club):
    [note] = [one.sentence for one in doctor.examine(club.runtime) if GONE in one.sentence]
    assert "update the package tzdata" in note
