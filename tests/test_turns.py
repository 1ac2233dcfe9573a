"""Turns and notices: what was seen, reminded and told belongs to one turn, and time is charged until mail is received."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from correspondence import web
from correspondence.accounts import accounts
from correspondence.clocks import vacations
from correspondence.clocks.deadlines import Calendar, deadline_of
from correspondence.clocks.reminder_times import Stop, Turn, reminder_times, resumptions
from correspondence.core import db
from correspondence.core.time_control import Policy
from correspondence.core.tokens import spell
from correspondence.inbound import mailbox
from correspondence.models import Letter, LetterState, Move, Vacation
from correspondence.models.loading import position_of
from correspondence.ops import worker
from correspondence.outbound import events
from correspondence.play import claims, matches, offers, unseen
from correspondence.queries.events import heard
from tests.post import reply_address, text_of
from tests.sizes import examples
from tests.tables import START
from tests.world import KEY

DAY = timedelta(days=1)
FIRST, OTHER = "e3/f2=N", "d3/f2=N"


@pytest.fixture
def game(town):
    """Ann is to move, and nobody has absence to spend."""
    town.join("ann", "bob")
    number = town.match()
    town.open(number)
    return town, number


def act(town, number, name, use_case, *args, **more):
    with db.transaction(town.engine) as session:
        result = use_case(session, town.player(session, number, name), *args, now=town.time, **more)
    town.deliver()
    return result


def row(town, number, name):
    with db.reading(town.engine) as session:
        return town.player(session, number, name)


def change(town, name, **values):
    with db.transaction(town.engine) as session:
        person = town.person(session, name)
        for column, value in values.items():
            setattr(person, column, value)
        session.add(person)


def look(town, number, name, ply, **more):
    act(town, number, name, unseen.mark_seen, ply, **more)


def take_back(town, number, name, other):
    act(town, number, name, offers.offer_takeback)
    act(town, number, other, offers.offer_takeback)


def pause(town, number, days):
    act(town, number, "ann", offers.offer_pause, days)
    act(town, number, "bob", offers.offer_pause, days)


def claimable(town, number):
    with db.transaction(town.engine) as session:
        match = session.get_one(matches.Match, number)
        match.policy = Policy.CLAIM
        session.add(match)
    town.wait(days=10, seconds=1)


def reminders(town, name="ann"):
    texts = [" ".join(text_of(letter).split()) for letter in town.letters(name)]
    return [text for text in texts if "is waiting for you" in text]


def keep(town, number, name, words, **headers):
    """A mail with these words comes, and is not read yet."""
    letter = [one for one in town.letters(name) if f"[Game {number} " in str(one["Subject"])][-1]
    raw = town.compose(f"{name}@example.org", reply_address(letter), words, answering=letter, **headers)
    town.put(raw, reply_address(letter), f"{name}@example.org")


def read_mail(town):
    mailbox.drain(town.engine, town.settings, now=town.time, rng=town.rng)
    town.deliver()


# -- one turn is told apart from another with the same number ------------------------------------


def test_new_move_after_take_back_is_mailed_though_the_old_one_was_seen(game):
    town, number = game
    town.play(number, "ann", FIRST)
    look(town, number, "bob", 3)
    take_back(town, number, "ann", "bob")
    town.play(number, "ann", OTHER)
    assert OTHER in text_of(town.letter("bob"))


def test_page_from_before_a_take_back_marks_nothing_as_seen(game):
    town, number = game
    town.play(number, "ann", FIRST)
    page = town.client("bob").get(f"/games/{number}").text
    form = dict(re.findall(r'name="(ply|takebacks|remark)" value="(\d*)"', page[page.index(f"/games/{number}/seen") :]))
    take_back(town, number, "ann", "bob")
    town.play(number, "ann", OTHER)
    assert town.client("bob").post(f"/games/{number}/seen", data=form).status_code == 303
    assert form["takebacks"] == "0" and row(town, number, "bob").shown_ply < 3
    look(town, number, "bob", 3, takebacks=1)
    assert row(town, number, "bob").shown_ply == 3


def test_page_from_before_a_take_back_neither_previews_nor_plans(game):
    town, number = game
    town.play(number, "ann", FIRST)
    take_back(town, number, "ann", "bob")
    town.play(number, "ann", OTHER)
    before = {"ply": "3", "takebacks": "0"}
    preview = town.client("bob").post(
        f"/games/{number}/read", data={**before, "move": "e6/a7=N"}, headers={"Accept": "application/json"}
    )
    assert "gone on" in preview.get_json()["sentence"]
    moves = town.client("bob").get(f"/games/{number}/moves.json", query_string=before)
    assert moves.status_code == 409
    plan = town.client("ann").post(f"/games/{number}/plan", data={**before, "lines": "if e6/a7=N then f3/f2=R"})
    assert "A move was taken back since then" in plan.text


def test_events_of_undone_turns_and_moves_are_no_longer_so(game):
    town, number = game
    with db.transaction(town.engine) as session:
        events.begin(session, town.person(session, "bob"))
    town.play(number, "ann", FIRST)
    take_back(town, number, "ann", "bob")
    town.play(number, "ann", OTHER)  # at the same moment by the clock
    events.publish(town.engine, now=town.time)
    with db.reading(town.engine) as session:
        values = heard(session, town.person(session, "bob").id, 0, base_url="", now=town.time).values
    turns = [one["data"] for one in values if one["type"] == "your_turn"]
    assert [(one["ply"], one["takebacks"], one["is_still_so"]) for one in turns] == [(3, 0, False), (3, 1, True)]
    assert [one["data"]["text"] for one in values if one["type"] == "move"] == [OTHER]


def test_feed_readers_see_the_new_move_of_the_same_number(game):
    town, number = game

    def ids():
        return re.findall(r"<entry><id>([^<]+)", town.client().get(f"/games/{number}.atom").text)

    town.play(number, "ann", FIRST)
    before = ids()
    take_back(town, number, "ann", "bob")
    town.play(number, "ann", OTHER)
    assert len(set(ids()) - set(before)) == 1 and len(ids()) == len(before)


def test_subject_of_a_digest_from_before_a_take_back_plays_nothing(game):
    town, number = game
    town.play(number, "ann", FIRST)
    take_back(town, number, "ann", "bob")
    town.play(number, "ann", OTHER)
    with db.transaction(town.engine) as session:
        token = accounts.command_token(session, town.person(session, "bob"), now=town.time)
        desk = f"r.{spell(KEY, token.id)}@games.example"
    town.mail("bob@example.org", desk, "e6/a7=N", subject=f"game {number}, move 4")
    assert town.moves(number)[-1] == OTHER and "A move was taken back" in text_of(town.letter("bob"))
    town.mail("bob@example.org", desk, "e6/a7=N", subject=f"game {number}, move 4 (1)")
    assert town.moves(number)[-1] == "e6/a7=N"


def test_letter_of_an_undone_turn_does_not_leave_any_more(game):
    town, number = game
    town.wait(days=8)
    town.received.clear()
    town.clock.go(minutes=1)
    town.play(number, "ann", FIRST)
    act(town, number, "ann", offers.offer_takeback)
    with db.transaction(town.engine) as session:
        reminder = session.exec(select(Letter).where(Letter.kind == "reminder")).one()
        reminder.state = LetterState.QUEUED
        session.add(reminder)
    act(town, number, "bob", offers.offer_takeback)
    assert "it is your turn again" in text_of(town.letter("ann")) and reminders(town) == []


# -- reminders ----------------------------------------------------------------------------------


def test_each_turn_is_reminded_of_once_and_anew_after_a_take_back(game):
    town, number = game
    for _day in range(9):
        town.wait(days=1)
    assert len(reminders(town)) == 1
    town.play(number, "ann", FIRST)
    take_back(town, number, "ann", "bob")
    bank = row(town, number, "ann").bank
    town.wait(seconds=bank * 0.85)
    town.wait(hours=1)
    assert len(reminders(town)) == 2


def test_members_are_reminded_as_often_as_they_choose(game):
    town, number = game
    town.agree("ann", "settings reminders 12 hours, 3 days")
    town.play(number, "ann", FIRST)
    town.play(number, "bob", "e6/a7=N")
    ends, hours = town.stand(number).deadline, []
    while town.time < ends - timedelta(hours=1):
        before = len(reminders(town))
        town.wait(hours=1)
        hours += [round((ends - town.time) / timedelta(hours=1))] * (len(reminders(town)) - before)
    assert hours == [72, 12]


def test_player_hears_when_the_clock_runs_again_and_is_reminded_anew(game):
    town, number = game
    town.wait(days=8, hours=1)
    assert len(reminders(town)) == 1
    pause(town, number, 5)
    town.received.clear()
    town.wait(days=5, minutes=-1)
    assert reminders(town) == []
    town.wait(minutes=2)
    assert ["Your clock runs again" in text for text in reminders(town)] == [True]
    town.wait(hours=38)
    assert ["Your clock runs again" in text for text in reminders(town)] == [True, False]
    assert town.letters("bob") == []


def test_player_hears_when_an_absence_is_over_but_not_when_they_came_back_themselves(game):
    town, number = game
    change(town, "ann", vacation_hours_left=720)
    town.agree("ann", "away 3 days")
    town.received.clear()
    town.wait(days=3, hours=12, minutes=1)
    assert ["Your clock runs again" in text for text in reminders(town)] == [True]
    town.agree("ann", "away 3 days")
    town.wait(days=1)
    town.agree("ann", "back")
    town.received.clear()
    town.wait(hours=1)
    assert reminders(town) == [] and town.stand(number).result == "*"


def test_reminder_that_falls_into_a_pause_comes_with_its_end(game):
    town, number = game
    change(town, "ann", reminder_leads="12")
    town.wait(days=9, hours=14)
    pause(town, number, 5)
    town.received.clear()
    town.wait(days=4, hours=23)
    assert reminders(town) == []
    town.wait(hours=2)
    town.wait(hours=6)
    assert ["Your clock runs again" in text for text in reminders(town)] == [True]


def test_settings_page_and_mail_choose_the_same_reminders(game):
    town, _number = game
    client = town.client("ann")
    assert client.post("/settings/time", data={"lead": ["12", "72"]}).status_code == 303
    town.mail("ann@example.org", reply_address(town.letter("ann")), "settings")
    assert "3 days and 12 hours before the deadline" in " ".join(text_of(town.letter("ann")).split())
    town.agree("ann", "settings reminders 1 day 12 hours")
    assert re.search(r'value="36" checked> <span>36 hours before', client.get("/settings/time").text)
    assert client.post("/settings/time", data={"lead": ["0", "x"]}).status_code == 303
    assert "checked" not in re.findall(r'name="lead"[^>]*', client.get("/settings/time").text)


hours = st.integers(0, 300).map(lambda number: timedelta(hours=number))
stops = st.builds(
    lambda begins, length, known: Stop(START + begins, START + begins + length, known), hours, hours, st.booleans()
)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(stops, max_size=4), st.lists(hours.filter(bool), max_size=3), hours.filter(bool))
def test_reminders_come_within_the_turn_while_the_clock_runs(stopped, leads, bank):
    calendar = Calendar().with_stops(tuple((stop.begins, stop.ends) for stop in stopped))
    turn = Turn(START, deadline_of(START, bank, calendar), bank, calendar, stopped)
    times = reminder_times(turn, leads)
    assert times == sorted(set(times)) and set(resumptions(turn)) <= set(times)
    assert all(START < at < turn.deadline for at in times)
    assert not any(stop.begins <= at < stop.ends for at in times for stop in stopped)
    if not leads and not any(stop.is_announced for stop in stopped):
        assert times == [deadline_of(START, bank * 0.8, calendar)]


# -- what is charged, and what comes too late ---------------------------------------------------------


@pytest.mark.parametrize("dated", ["Mon, 01 Jan 2001 00:00:00 +0000", "Fri, 01 Jan 2100 00:00:00 +0000"])
def test_mailed_move_is_charged_until_its_receipt_and_the_opponent_from_its_playing(game, dated):
    town, number = game
    begun = row(town, number, "ann").since
    town.time = begun + timedelta(hours=5)
    keep(town, number, "ann", FIRST, Date=dated)
    town.time += timedelta(hours=3)
    read_mail(town)
    with db.reading(town.engine) as session:
        move = session.exec(select(Move).where(Move.match_id == number).order_by(col(Move.ply).desc())).first()
    assert (move.text, move.spent) == (FIRST, 5 * 3600)
    assert row(town, number, "bob").since == town.time


def test_move_on_the_page_after_the_deadline_is_late_before_any_worker_looks(game):
    town, number = game
    town.time = town.stand(number).deadline
    page = town.client("ann").post(f"/games/{number}/move", data={"move": FIRST, "ply": "2", "takebacks": "0"})
    assert page.status_code == 409 and "Your time ran out on" in page.text
    assert town.moves(number)[-1] != FIRST
    town.wait(seconds=1)
    assert (town.stand(number).result, town.stand(number).reason) == ("0-1", "time")


def test_mail_after_the_deadline_is_late_and_mail_before_it_counts(game):
    town, number = game
    ends = town.stand(number).deadline
    town.time = ends
    keep(town, number, "ann", FIRST)
    town.time += timedelta(seconds=5)
    read_mail(town)
    assert "Your time ran out on" in text_of(town.letter("ann")) and town.moves(number)[-1] != FIRST
    town.time = ends - timedelta(seconds=1)
    keep(town, number, "ann", FIRST + " ")
    town.time = ends + timedelta(hours=1)
    town.wait()
    assert town.stand(number).result == "*"
    read_mail(town)
    assert town.moves(number)[-1] == FIRST


@pytest.mark.parametrize("policy", [Policy.CLAIM, Policy.COAX])
def test_late_move_is_good_where_the_win_must_be_claimed(game, policy):
    town, number = game
    with db.transaction(town.engine) as session:
        session.get_one(matches.Match, number).policy = policy
    town.time = town.stand(number).deadline + timedelta(minutes=1)
    town.play(number, "ann", FIRST)
    assert town.moves(number)[-1] == FIRST


def test_late_move_uses_a_day_of_absence_that_is_left(game):
    town, number = game
    change(town, "ann", vacation_hours_left=24)
    town.time = town.stand(number).deadline + timedelta(minutes=1)
    town.play(number, "ann", FIRST)
    assert town.moves(number)[-1] == FIRST
    with db.reading(town.engine) as session:
        assert town.person(session, "ann").vacation_hours_left == 0


def test_late_first_move_is_refused_as_the_game_is_called_off(town):
    town.join("ann", "bob")
    number = town.match()
    town.time = town.stand(number).deadline + timedelta(seconds=1)
    with pytest.raises(matches.MatchError, match="came too late"):
        town.play(number, "ann", "c3/f2=B")
    town.wait()
    assert (town.stand(number).result, town.stand(number).ended_at is not None) == ("*", True)


def test_time_without_a_worker_makes_no_move_late(game):
    town, number = game
    town.wait(days=9, hours=23)
    worker.sweep_clocks(town.runtime)
    town.time += timedelta(hours=3)
    town.play(number, "ann", FIRST)
    assert town.moves(number)[-1] == FIRST


# -- claims ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", ["pause", "absence"])
def test_win_is_not_claimed_while_something_stops_the_clock(game, stop):
    town, number = game
    claimable(town, number)
    change(town, "ann", vacation_hours_left=720)
    if stop == "pause":
        pause(town, number, 3)
    else:
        town.agree("ann", "away 3 days")
    town.wait(days=2)
    with pytest.raises(matches.MatchError, match="The clock is stopped until"):
        act(town, number, "bob", claims.claim)
    assert town.client("bob").post(f"/games/{number}/claim").status_code == 409
    town.wait(days=2 if stop == "absence" else 1, minutes=1)
    act(town, number, "bob", claims.claim)
    assert town.stand(number).result == "0-1"


def test_win_is_not_claimed_while_earlier_mail_of_the_late_player_is_unread(game):
    town, number = game
    claimable(town, number)
    town.wait(days=1, minutes=1)
    keep(town, number, "ann", FIRST)
    town.time += timedelta(seconds=5)
    with pytest.raises(matches.MatchError, match="still being read"):
        act(town, number, "bob", claims.claim)
    keep(town, number, "bob", "claim")
    read_mail(town)
    assert town.moves(number)[-1] == FIRST and town.stand(number).result == "*"


# -- open pages --------------------------------------------------------------------------------------

SEEN_BY_PLAYERS = {
    "a take-back is asked for": ([], lambda town, number: act(town, number, "bob", offers.offer_takeback)),
    "a take-back is agreed to": (
        [lambda town, number: act(town, number, "bob", offers.offer_takeback)],
        lambda town, number: act(town, number, "ann", offers.offer_takeback),
    ),
    "a pause is proposed": ([], lambda town, number: act(town, number, "bob", offers.offer_pause, 5)),
    "a pause is declined": (
        [lambda town, number: act(town, number, "bob", offers.offer_pause, 5)],
        lambda town, number: act(town, number, "ann", offers.decline),
    ),
    "a pause begins": (
        [lambda town, number: act(town, number, "bob", offers.offer_pause, 5)],
        lambda town, number: act(town, number, "ann", offers.offer_pause, 5),
    ),
    "a draw is offered": ([], lambda town, number: act(town, number, "bob", matches.offer_draw)),
    "a draw offer is withdrawn": (
        [lambda town, number: act(town, number, "bob", matches.offer_draw)],
        lambda town, number: act(town, number, "bob", offers.withdraw),
    ),
    "somebody who is not to move goes away": ([], lambda town, number: town.agree("bob", "away 3 days")),
    "they come back": (
        [lambda town, number: town.agree("bob", "away 3 days")],
        lambda town, number: town.agree("bob", "back"),
    ),
}
SEEN_BY_ALL = {"a take-back is agreed to", "a pause begins"}


@pytest.mark.parametrize("what", SEEN_BY_PLAYERS)
def test_open_pages_hear_of_requests_answers_and_absences(game, what):
    town, number = game
    town.join("cleo")
    change(town, "bob", vacation_hours_left=720)
    before, happening = SEEN_BY_PLAYERS[what]
    for one in before:
        one(town, number)
    pages = {name: town.client(name) for name in ("ann", "bob", "cleo")}
    pulses = {name: page.get(f"/games/{number}/ply.json").get_json()["pulse"] for name, page in pages.items()}
    known = {name: {"If-None-Match": f'"{pulse}"'} for name, pulse in pulses.items()}

    def news():
        return {
            n for n, page in pages.items() if page.get(f"/games/{number}/ply.json", headers=known[n]).status_code == 200
        }

    assert news() == set()
    assert all(f'data-pulse="{pulses[name]}"' in page.get(f"/games/{number}").text for name, page in pages.items())
    happening(town, number)
    assert news() == ({"ann", "bob", "cleo"} if what in SEEN_BY_ALL else {"ann", "bob"})


@pytest.mark.parametrize("script", ["game.js", "live.js", "badge.js"])
def test_visible_pages_ask_for_news_within_fifteen_seconds(script):
    text = (Path(web.__file__).parent / "static" / script).read_text()
    [milliseconds] = re.findall(r"\[EACH\b[^]]*\] = \[([0-9_]+)", text)
    assert int(milliseconds) <= 15_000


# -- days of 23 and 25 hours, threads --------------------------------------------------------------------


@pytest.mark.parametrize("first", [datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 10, 24, tzinfo=UTC)])
def test_absence_over_a_shift_of_the_clock_ends_at_midnight_and_costs_its_days(town, first):
    town.join("ann", zone="Europe/Rome", vacation_hours_left=720)
    town.time = first - 5 * DAY
    town.client("ann").post("/settings/time/away", data={"days": "3", "from": f"{first:%Y-%m-%d}"})
    with db.reading(town.engine) as session:
        absence = session.exec(select(Vacation)).one()
        ends = absence.ends_at.astimezone(ZoneInfo("Europe/Rome"))
        assert (ends.date(), ends.hour, ends.minute) == ((first + 3 * DAY).date(), 0, 0)
        assert town.person(session, "ann").vacation_hours_left == 720 - 72
    with db.transaction(town.engine) as session:
        assert vacations.come_back(session, town.person(session, "ann"), now=town.time) == 72
    with db.reading(town.engine) as session:
        assert town.person(session, "ann").vacation_hours_left == 720


def test_thread_keeps_its_subject_when_its_reader_chooses_another_language(game):
    town, number = game
    town.play(number, "ann", FIRST)
    before = str(town.letter("bob")["Subject"])
    town.agree("bob", "settings language italian")
    town.play(number, "bob", "e6/a7=N")
    with db.reading(town.engine) as session:
        seen = position_of(session.get_one(matches.Match, number)).view(0)
    town.play(number, "ann", seen.write(0, next(iter(seen.legal_moves(0)))))
    assert "Hai tempo per muovere" in text_of(town.letter("bob"))
    subjects = {str(letter["Subject"]).removeprefix("Re: ") for letter in town.letters("bob")[-1:]}
    assert subjects == {before.removeprefix("Re: ")}
    town.answer(town.letter("bob"), "show")
    assert str(town.letter("bob")["Subject"]).removeprefix("Re: ") == before.removeprefix("Re: ")
