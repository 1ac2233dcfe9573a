"""One statement says which sweeps have something to do; whatever is due is named by it, and nothing else runs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session, col, select

from correspondence import transport
from correspondence.clocks import outages
from correspondence.core import db
from correspondence.features.samples.tables import SampleSet
from correspondence.features.tournaments.tables import Format, Tournament
from correspondence.features.visitor_games.tables import VisitorGame
from correspondence.features.webhooks.tables import Webhook
from correspondence.models import (
    ClockStop,
    DailySeed,
    Event,
    EventKind,
    Inbound,
    Letter,
    LetterRequest,
    LetterState,
    Match,
    Outage,
    Person,
    PushSubscription,
    RequestKind,
    Seek,
    ServiceState,
    Vacation,
)  # fmt: skip
from correspondence.models.time import Cause
from correspondence.ops import worker
from correspondence.ops.due import due_sweeps, names, run_due
from tests.tables import fresh_database
from tests.world import mail_world


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def idle(request, tmp_path_factory):
    """A club with a game that runs and one that is over, in which nothing is due."""
    url = fresh_database(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""
    town = mail_world(tmp_path_factory.mktemp("idle"), database_url=url)
    town.join("ann", "bob")
    town.running, town.over = town.match(), town.match()
    town.resign(town.over, "bob")
    with db.transaction(town.engine) as session:
        session.execute(update(Letter).values(state=LetterState.SENT))
    jobs = worker.sweeps(town.runtime, *(transport.open_post(town.settings) for _post in range(2)))
    for _twice in range(2):
        run_due(town.runtime, lambda name: jobs[name]())
    yield town
    town.close()


def named(town, session, later=timedelta(0)):
    return set(due_sweeps(session, now=town.time + later))


def of_the_match(session, town, **values):
    session.execute(update(Match).where(col(Match.id) == town.running).values(**values))


def of_a_letter(session, town, **values):
    first = session.exec(select(Letter.id).order_by(col(Letter.id))).first()
    session.execute(update(Letter).where(col(Letter.id) == first).values(due_at=town.time, **values))


def a_seek(session, town):
    terms = {"game": "duel", "options": "", "bank": 9, "increment": 9, "cap": 9}
    session.add(Seek(person_id=1, created_at=town.time, expires_at=town.time, **terms))


def a_message(session, town):
    session.add(
        Inbound(message_key="k", recipient="play", sender="", raw=b"x", received_at=town.time, due_at=town.time)
    )


def a_notification(session, town):
    session.add(PushSubscription(person_id=1, session="s", endpoint="e", created_at=town.time, due_at=town.time))


def an_event(session, town):
    session.add(Event(person_id=1, kind=EventKind.MOVE, at=town.time, due_at=town.time))


def a_webhook(session, town):
    session.add(Webhook(person_id=1, name="x", url="x", kinds="", nonce="x", created_at=town.time, due_at=town.time))


def an_old_visitor_game(session, town):
    session.add(VisitorGame(digest="d", site="s", game="duel", ends_at=town.time))


def a_tournament(session, town):
    terms = {"game": "duel", "options": "", "bank": 9, "increment": 9, "cap": 9}
    made = {"organiser_id": 1, "created_at": town.time, "due_at": town.time}
    session.add(Tournament(name="x", format=Format.SWISS, **made, **terms))


WORK = {
    "a message that came": ("mail", a_message),
    "a time that is up": ("deadlines", lambda s, t: of_the_match(s, t, deadline=t.time)),
    "a reminder": ("deadlines", lambda s, t: of_the_match(s, t, remind_at=t.time)),
    "a game that is gone": ("deadlines", lambda s, t: of_the_match(s, t, game="gone")),
    "a game that is back": (
        "deadlines",
        lambda s, t: (
            of_the_match(s, t, deadline=None),
            s.add(ClockStop(match_id=t.running, cause=Cause.PAUSE, begins_at=t.time, ends_at=t.time)),
        ),
    ),
    "an outage": ("deadlines", lambda s, t: s.add(Outage(begins_at=t.time, ends_at=t.time))),
    "an absence": (
        "deadlines",
        lambda s, t: s.add(Vacation(person_id=1, begins_at=t.time, ends_at=t.time, is_applied=False)),
    ),
    "a digest": ("digests", lambda s, t: of_a_letter(s, t, state=LetterState.HELD)),
    "a finished game": ("openings", lambda s, t: s.execute(update(Match).values(indexed_at=None))),
    "a day without a deal": ("deals of the day", lambda s, t: [s.delete(one) for one in s.exec(select(DailySeed))]),
    "a letter": ("outbox", lambda s, t: of_a_letter(s, t, state=LetterState.QUEUED, kind="turn")),
    "a letter that ended without an answer": ("outbox", lambda s, t: of_a_letter(s, t, state=LetterState.UNCERTAIN)),
    "a letter whose worker died": ("outbox", lambda s, t: of_a_letter(s, t, state=LetterState.SENDING)),
    "a letter that is awaited": (
        "awaited letters", lambda s, t: of_a_letter(s, t, state=LetterState.QUEUED, kind="sign_in")
    ),
    "a letter that was asked for": (
        "awaited letters",
        lambda s, t: s.add(LetterRequest(kind=RequestKind.SIGN_IN, mail="x@example.org", created_at=t.time)),
    ),
    "a notification": ("notifications", a_notification),
    "an event": ("events", an_event),
    "a webhook": ("webhooks", a_webhook),
    "a visitor's game whose day is over": ("visitors' games", an_old_visitor_game),
    "sample games to load": ("samples", lambda s, t: s.add(SampleSet())),
    "a tournament whose day has come": ("tournaments", a_tournament),
    "a seek that ends": ("seeks", a_seek),
    "an exercise of the week": (
        "exercises by mail",
        lambda s, t: s.execute(update(Person).values(exercise_letters=True, exercise_due_at=t.time)),
    ),
    "a suspension that ends": (
        "suspensions",
        lambda s, t: s.execute(update(Person).where(col(Person.id) == 1).values(suspended_until=t.time)),
    ),
    "letters of an announcement": ("announcements", lambda s, t: s.add(ServiceState(id=1, letters_after=0))),
}  # fmt: skip
"""What there may be to do: the sweep whose matter it is, and how it comes about."""


def test_nothing_is_named_where_nothing_is_due(idle):
    with db.reading(idle.engine) as session:
        assert named(idle, session) == set()


@pytest.mark.parametrize("what", WORK)
def test_what_is_due_is_named_and_no_earlier(idle, what):
    sweep, happens = WORK[what]
    with Session(idle.engine) as session:
        happens(session, idle)
        session.flush()
        assert sweep in named(idle, session)
        session.rollback()
    with db.reading(idle.engine) as session:
        assert named(idle, session) == set()


def test_a_heartbeat_is_due_after_a_minute(idle):
    with db.reading(idle.engine) as session:
        assert "deadlines" in named(idle, session, outages.BEAT)


def test_what_is_due_is_asked_for_by_the_names_of_sweeps(idle):
    jobs = worker.sweeps(idle.runtime, *(transport.open_post(idle.settings) for _post in range(2)))
    assert set(jobs) > names()
    assert {sweep for sweep, _happens in WORK.values()} == names()
