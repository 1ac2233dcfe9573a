"""The pages about time: what one keeps, absence, the calendar feed, and what players do about time in a game."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from icalendar import Calendar
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.clocks import vacations
from correspondence.core import db
from correspondence.core.time_control import Policy
from correspondence.models import Match, Player, Seek
from correspondence.models.loading import locked
from correspondence.queries.clock_log import clocks_of
from tests.world import World

KEPT = {
    "sleeps": "on",
    "sleep_from": "22",
    "sleep_until": "7",
    "off": ["5", "6"],
    "country": "DE",
    "part": "BY",
    "lead": ["72", "24"],
}


@pytest.fixture
def club(tmp_path):
    world = World(tmp_path)
    for handle in ("ann", "bob", "cleo"):
        world.join(handle, zone="Europe/Rome", vacation_hours_left=720)
    yield world
    world.close()


@pytest.fixture
def game(club):
    number = club.match("proteus-dice")
    club.play(number, "ann", "c3/f2=B")
    club.play(number, "bob", "c6/a7=B")
    return club, number


def person(world, handle):
    with db.reading(world.runtime.engine) as session:
        return accounts.person_by_handle(session, handle)


def row(world, number, seat):
    with db.reading(world.runtime.engine) as session:
        return session.exec(select(Player).where(Player.match_id == number, Player.seat == seat)).one()


def test_hours_are_kept_and_told_in_words(club):
    client = club.client("ann")
    assert client.post("/settings/time", data=KEPT).status_code == 303
    page = client.get("/settings/time").text
    assert "nights from 22:00 to 7:00, every Saturday, every Sunday and public holidays (Germany, BY)" in page
    assert person(club, "ann").reminder_leads == "72 24"
    assert client.post("/settings/time", data={}).status_code == 303
    assert person(club, "ann").off_hours == ""


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"sleep_from": "20", "sleep_until": "12"}, "1 to 12 hours"),
        ({"sleep_from": "99"}, "whole hour"),
        ({"sleep_from": "x"}, "whole hour"),
        ({"off": ["0", "1", "2", "3"]}, "At most 3 days"),
        ({"off": ["9"]}, "At most 3 days"),
        ({"country": "ATL"}, "not known here"),
        ({"part": "QQ"}, "there are:"),
    ],
)
def test_hours_that_cannot_be_are_refused_and_what_was_chosen_stays(club, typed, sentence):
    answer = club.client("ann").post("/settings/time", data={**KEPT, **typed})
    assert answer.status_code == 422 and sentence in answer.text
    assert 'value="24" checked' in answer.text
    assert person(club, "ann").off_hours == ""


def test_the_opponent_reads_what_does_not_count_and_an_onlooker_does_not(game):
    world, number = game
    world.client("ann").post("/settings/time", data=KEPT)
    words = "nights from 22:00 to 7:00"
    assert words not in world.client("bob").get(f"/games/{number}").text
    world.play(number, "ann", "e3/f2=N")
    world.play(number, "bob", "e6/a7=N")
    page = world.client("bob").get(f"/games/{number}").text
    assert "against the clock of ann" in page and words in page
    assert words in world.client("ann").get(f"/games/{number}").text
    for onlooker in ("", "cleo"):
        assert words not in world.client(onlooker).get(f"/games/{number}").text


def test_absence_is_announced_for_a_day_to_come_and_taken_back(game):
    world, number = game
    client = world.client("ann")
    assert client.post("/settings/time/away", data={"days": "5", "from": "2026-12-24"}).status_code == 303
    assert "Leave left this year: 25 days." in client.get("/settings/time").text
    assert "ann will be away from" in world.client("bob").get(f"/games/{number}").text
    with db.reading(world.runtime.engine) as session:
        assert vacations.absent_until(session, person(world, "ann").id, world.clock()) is None
    client.post("/settings/time/back")
    assert "30 days" in client.get("/settings/time").text


def test_who_is_away_is_named_with_the_day_of_return_in_the_game_and_to_challengers(game):
    world, number = game
    world.client("bob").post("/settings/time/away", data={"days": "5"})
    assert "bob is away and will be back by" in world.client("ann").get(f"/games/{number}").text
    assert "bob is away" not in world.client("cleo").get(f"/games/{number}").text
    client = world.client("cleo")
    client.post("/challenge", data={"game": "duel", "handle": "bob", "pace": "3"})
    waits = "bob is away until Friday 27 November; your challenge waits."
    assert client.get("/games").text.count(waits) == 2  # once as it was sent, and beside it as long as it waits
    assert client.get("/games").text.count(waits) == client.get("/seeks").text.count(waits) == 1
    world.client("bob").post("/settings/time/back")
    assert "bob is away" not in client.get("/games").text + client.get("/seeks").text


def test_a_seek_of_somebody_away_rests_and_says_so_on_the_page_of_seeks(game):
    world, _number = game
    bob, cleo = world.client("bob"), world.client("cleo")
    bob.post("/settings/time/away", data={"days": "5"})
    bob.post("/seeks/new", data={"game": "duel", "pace": "3"})
    mine = bob.get("/seeks").text
    assert "You are away until Friday 27 November; your seeks are paused until then." in mine
    assert "paused until" in mine and "Friday 27 November</time>, while you are away" in mine
    assert "bob is away until Friday 27 November; this seek is paused until then." in cleo.get("/seeks").text
    strangers = world.client().get("/seeks").text
    assert "It is paused at the moment." in strangers and "27 November" not in strangers
    [take] = re.findall(r"/seeks/\d+/withdraw", mine)
    refused = cleo.post(take.replace("withdraw", "take"))
    assert refused.status_code == 409 and "this seek is paused until then" in refused.text
    bob.post("/settings/time/back")
    assert "rests" not in cleo.get("/seeks").text
    assert cleo.post(take.replace("withdraw", "take")).status_code == 303


@pytest.mark.parametrize(
    "typed",
    [{"days": "0"}, {"days": "31"}, {"days": "x"}, {"days": ""}, {"days": "5", "from": "tomorrow"},
     {"days": "5", "from": "2029-01-01"}, {"days": "9" * 6, "from": "0000-00-00"}],
)  # fmt: skip
def test_an_absence_that_cannot_be_is_refused_with_a_sentence(club, typed):
    answer = club.client("ann").post("/settings/time/away", data=typed)
    assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert person(club, "ann").vacation_hours_left == 720


def test_coming_back_without_having_been_away_is_refused(club):
    assert club.client("ann").post("/settings/time/back").status_code == 422


def test_the_calendar_holds_my_deadlines_under_a_secret_address_that_can_be_revoked(game):
    world, number = game
    client = world.client("ann")
    client.post("/settings/time/calendar")
    address = re.search(r"/calendar/[a-z2-7]{26}\.ics", client.get("/settings/time").text)[0]
    answer = world.client().get(address)
    assert answer.status_code == 200 and answer.mimetype == "text/calendar"
    (event,) = Calendar.from_ical(answer.data).events
    assert event.start == row(world, number, 0).deadline
    assert "Proteus with dice against bob" in event["SUMMARY"] and event["URL"].endswith(f"/games/{number}")
    before = event["UID"]
    client.post("/settings/time/away", data={"days": "2"})
    (event,) = Calendar.from_ical(world.client().get(address).data).events
    assert event["UID"] == before and event.start == row(world, number, 0).deadline
    world.play(number, "ann", "e3/f2=N")
    assert Calendar.from_ical(world.client().get(address).data).events == []
    client.post("/settings/time/calendar/revoke")
    assert world.client().get(address).status_code == 404
    assert world.client().get(f"/calendar/{'a' * 26}.ics").status_code == 404


def file_of(world, who="ann"):
    """The file with a member's deadlines, as a calendar program reads it."""
    answer = world.client(who).get("/settings/time/deadlines.ics")
    assert answer.status_code == 200 and answer.mimetype == "text/calendar"
    return answer


def reminders_in(world):
    (event,) = Calendar.from_ical(file_of(world).data).events
    return [event.start - alarm.trigger for alarm in event.alarms.times]


@pytest.mark.parametrize(
    ("leads", "expected"),
    [([], [timedelta(days=1)]), (["48", "6"], [timedelta(days=2), timedelta(hours=6)]), (["240"], [timedelta(days=1)])],
)
def test_the_calendar_reminds_at_the_chosen_times_or_a_day_before(game, leads, expected):
    world, _number = game
    world.client("ann").post("/settings/time", data={"lead": leads})
    assert reminders_in(world) == expected


def test_the_calendar_reminds_after_half_of_a_short_time(game):
    world, number = game
    with db.transaction(world.engine) as session:
        player = session.get_one(Player, row(world, number, 0).id)
        player.deadline = player.since + timedelta(hours=10, seconds=30)
    assert reminders_in(world) == [timedelta(hours=5)]


def test_without_reminders_the_calendar_has_none(game):
    world, _number = game
    with db.transaction(world.engine) as session:
        accounts.person_by_handle(session, "ann").reminders = False
    assert reminders_in(world) == []


def test_the_calendar_is_a_file_that_keeps_to_the_standard(game):
    world, _number = game
    answer = file_of(world)
    assert "attachment" in answer.headers["Content-Disposition"] and "no-store" in answer.headers["Cache-Control"]
    assert world.client().get("/settings/time/deadlines.ics").status_code == 303
    lines = answer.data.split(b"\r\n")
    assert b"\n" not in b"".join(lines) and all(len(line) <= 75 for line in lines)  # RFC 5545, section 3.1
    calendar = Calendar.from_ical(answer.data)
    assert not calendar.errors and {"PRODID", "VERSION"} <= set(calendar)
    for event in calendar.events:
        assert not event.errors and {"UID", "DTSTAMP", "DTSTART", "SUMMARY"} <= set(event)
        for alarm in event.walk("VALARM"):
            assert alarm["ACTION"] == "DISPLAY"
            assert {"TRIGGER", "DESCRIPTION"} <= set(alarm)
            assert not alarm.errors


def test_a_pause_and_a_take_back_by_consent_on_the_page(game):
    world, number = game
    ann, bob = world.client("ann"), world.client("bob")
    before = row(world, number, 0).deadline
    ann.post(f"/games/{number}/pause", data={"days": "5"})
    ann.post(f"/games/{number}/takeback")
    page = bob.get(f"/games/{number}").text
    assert (
        "ann proposes to stop all clocks for 5 days." in page and "the last 2 moves: 1. c3/f2=B and 2. c6/a7=B" in page
    )
    assert "ann proposes" not in world.client("cleo").get(f"/games/{number}").text
    bob.post(f"/games/{number}/decline/takeback")
    bob.post(f"/games/{number}/pause")
    assert row(world, number, 0).deadline == before + timedelta(days=5)
    assert "This game pauses until" in ann.get(f"/games/{number}").text
    bob.post(f"/games/{number}/takeback")
    ann.post(f"/games/{number}/takeback")
    page = ann.get(f"/games/{number}").text
    assert "c6/a7=B" in page
    assert "was taken back by consent" in page
    assert "pause by consent" in page
    assert row(world, number, 1).since is not None and row(world, number, 0).since is None


@pytest.mark.parametrize("days", ["", "0", "-1", "31", "many", "99999"])
def test_a_pause_that_cannot_be_is_refused_with_a_sentence(game, days):
    world, number = game
    answer = world.client("ann").post(f"/games/{number}/pause", data={"days": days})
    assert answer.status_code == 409 and 'role="alert"' in answer.text


@pytest.mark.parametrize("what", ["pause", "takeback", "claim", "nudge", "decline/draw"])
def test_only_players_act_on_the_time_of_a_game(game, what):
    world, number = game
    assert world.client("cleo").post(f"/games/{number}/{what}").status_code == 403
    assert world.client().post(f"/games/{number}/{what}").status_code == 403
    assert world.client("ann").post(f"/games/999/{what}").status_code == 404
    assert world.client("ann").get(f"/games/{number}/{what}").status_code in (404, 405)


def test_a_win_is_claimed_on_the_page(game):
    from correspondence.play import game_end

    world, number = game
    with db.transaction(world.runtime.engine) as session:
        match = session.get_one(Match, number)
        match.policy = Policy.CLAIM
        ann = accounts.person_by_handle(session, "ann")
        ann.vacation_hours_left = 0
        session.add(ann)
        session.add(match)
    world.clock.go(days=10, seconds=1)
    with db.transaction(world.runtime.engine) as session:
        game_end.on_timeout(session, [locked(session, number)], now=world.clock())
    bob = world.client("bob")
    assert "The win can be claimed from" in bob.get(f"/games/{number}").text
    assert "Claim the win" not in world.client("ann").get(f"/games/{number}").text
    assert bob.post(f"/games/{number}/claim").status_code == 409
    bob.post(f"/games/{number}/nudge")
    world.clock.go(days=1)
    bob.post(f"/games/{number}/claim")
    assert "Black wins on time." in bob.get(f"/games/{number}").text


def test_what_happens_at_flag_fall_is_chosen_in_the_form_of_the_challenge(club):
    client = club.client("ann")
    client.post("/challenge", data={"game": "duel", "handle": "bob", "pace": "3", "policy": "coax"})
    with db.reading(club.runtime.engine) as session:
        assert session.exec(select(Seek)).one().policy == Policy.COAX
    assert "nobody loses by the clock alone" in club.client("bob").get("/games").text
    answer = client.post("/challenge", data={"game": "duel", "handle": "bob", "pace": "3", "policy": "never"})
    assert answer.status_code == 422 and "Please choose what happens" in answer.text


def test_a_page_from_before_a_take_back_plays_nothing(game):
    world, number = game
    ann, bob = world.client("ann"), world.client("bob")
    stale = {"move": "e3/f2=N", "ply": "2", "takebacks": "0"}
    ann.post(f"/games/{number}/move", data=stale)
    ann.post(f"/games/{number}/takeback")
    bob.post(f"/games/{number}/takeback")
    answer = ann.post(f"/games/{number}/move", data=stale)
    assert answer.status_code == 409 and "taken back since" in answer.text
    assert 'name="takebacks" value="1"' in answer.text
    assert ann.post(f"/games/{number}/move", data={**stale, "takebacks": "1"}).status_code == 303


def test_the_log_of_the_clocks_tells_what_each_move_took_and_what_its_player_had_left_then(club):
    number = club.match("duel")
    with db.reading(club.runtime.engine) as session:
        pace = session.get_one(Match, number).time_control
    assert pace.increment < pace.bank == pace.cap
    for days, (name, text) in ((3, ("ann", "5@a2")), (2, ("bob", "6@b2"))):
        club.clock.go(days=days)
        club.play(number, name, text)
    with db.reading(club.runtime.engine) as session:
        match = session.get_one(Match, number)
        log = clocks_of(session, match, None, now=club.time, language="en").log
    spent = {"move 1": timedelta(days=3), "move 2": timedelta(days=2)}
    assert [(one.why, one.who, one.spent) for one in log] == [
        ("move 2", "bob", spent["move 2"]), ("move 1", "ann", spent["move 1"]),
    ]  # fmt: skip
    assert [one.left for one in log] == [min(pace.cap, pace.bank - one.spent + pace.increment) for one in log]
    assert log[1].left == timedelta(days=8, hours=12)
