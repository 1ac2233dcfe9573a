"""Programs that listen: events come as a stream that can be resumed, or as one answer that waits, and nothing is lost."""

from __future__ import annotations

import json
import threading

import pytest

from correspondence.accounts import api_tokens
from correspondence.api import events as calls
from correspondence.api import listening
from correspondence.core.db import transaction
from correspondence.models import ApiScope, Event, EventKind
from correspondence.ops.sending_sweeps import sweep_events
from correspondence.web.current import runtime_of
from tests.programs import Program, token_of
from tests.world import World

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def club(tmp_path, monkeypatch):
    monkeypatch.setattr(listening, "POLL", 0.01)
    world = World(tmp_path, web_threads=8)
    world.join("ann", "bob")
    yield world
    runtime_of(world.app).stopping.set()
    world.close()


@pytest.fixture
def bob(club):
    """A program of bob's that may look."""
    return Program(club, "bob", ApiScope.READ)


class Stream:
    """A stream as a program reads it."""

    def __init__(self, program, path="/events", **headers):
        self.answer = program.get(path, **STREAM, **headers)
        assert self.answer.status_code == 200, self.answer.text
        self.chunks = iter(self.answer.response)
        self.last = ""

    def next(self):
        """The next event, as (its type, its JSON); None for a heartbeat or a mark."""
        fields = dict(line.split(": ", 1) for line in next(self.chunks).decode().strip().splitlines() if ": " in line)
        self.last = fields.get("id", self.last)
        return (fields["event"], json.loads(fields["data"])) if "data" in fields else None

    def events(self, count):
        """The next events, whatever marks come between."""
        found = []
        while len(found) < count:
            one = self.next()
            found += [one] if one else []
        return [kind for kind, _value in found]

    def close(self):
        self.answer.close()


def happen(club, act):
    """Something happens, and the worker numbers it."""
    result = act()
    sweep_events(club.runtime)
    return result


# -- the stream --------------------------------------------------------------------------


def test_a_stream_tells_what_happens_from_now_on(club, bob):
    happen(club, club.match)
    stream = Stream(bob)
    assert stream.answer.mimetype == "text/event-stream" and stream.answer.headers["X-Accel-Buffering"] == "no"
    assert "no-store" in stream.answer.headers["Cache-Control"]
    assert stream.next() is None and stream.last == "2", "its program can be cut off now and misses nothing"
    number = happen(club, club.match)
    assert stream.events(2) == ["challenge", "game_started"]
    happen(club, lambda: club.open(number))
    assert stream.events(3) == ["move", "your_turn", "move"] and stream.last == "7"
    stream.close()


def test_a_stream_is_resumed_where_it_ended(club, bob):
    stream = Stream(bob)
    stream.next()
    number = happen(club, club.match)
    stream.events(2)
    stream.close()
    happen(club, lambda: club.open(number))
    for again in (Stream(bob, **{"Last-Event-ID": stream.last}), Stream(bob, f"/events?after={stream.last}")):
        assert again.events(3) == ["move", "your_turn", "move"]
        again.close()


def test_a_program_is_told_that_it_was_away_for_too_long(club, bob):
    happen(club, lambda: club.open(club.match()))
    with transaction(club.engine) as session:
        session.delete(session.get(Event, 1))
    stream = Stream(bob, **{"Last-Event-ID": "0"})
    assert stream.events(2) == ["missed", "game_started"]
    stream.close()


@pytest.mark.parametrize("known", ["99", "99999999999999999999999999", "-1", "x", "", "1; DROP TABLE event", "²", "١"])
def test_a_number_that_was_never_given_breaks_nothing(club, bob, known):
    happen(club, club.match)
    stream = Stream(bob, **{"Last-Event-ID": known})
    stream.next()
    assert known != "99" or stream.next()[0] == "missed"
    happen(club, club.match)
    assert stream.events(2) == ["challenge", "game_started"]
    stream.close()


def test_many_events_come_in_order_and_each_once(club, bob):
    with transaction(club.engine) as session:
        same = {"person_id": 2, "kind": EventKind.TEST, "at": club.time, "due_at": club.time}
        session.add_all(Event(**same) for _more in range(250))
    while sweep_events(club.runtime):
        pass
    stream = Stream(bob, **{"Last-Event-ID": "0"})
    numbers = []
    while len(numbers) < 250:
        event = stream.next()
        numbers += [event[1]["id"]] if event else []
    assert numbers == list(range(1, 251))
    stream.close()


def test_a_quiet_stream_says_that_it_is_there(club, bob, monkeypatch):
    monkeypatch.setattr(calls, "HEARTBEAT", 0.01)
    stream = Stream(bob)
    assert b"retry" in next(stream.chunks) and b"id: 0" in next(stream.chunks)
    assert [next(stream.chunks) for _beat in range(3)] == [b":\n\n"] * 3
    stream.close()


def test_a_stream_ends_after_a_while(club, bob, monkeypatch):
    monkeypatch.setattr(calls, "LIFETIME", 0.05)
    stream = Stream(bob)
    assert b"".join(stream.chunks).startswith(b"retry: 3000\n")


def test_a_stream_ends_when_the_process_stops(club, bob):
    stream = Stream(bob)
    stream.next(), stream.next()
    threading.Timer(0.05, runtime_of(club.app).stopping.set).start()
    assert list(stream.chunks) == []


def test_a_stream_ends_with_its_token_and_tells_nothing_more(club):
    token = token_of(club, "bob", ApiScope.READ)
    program = Program(club)
    program.headers["Authorization"] = f"Bearer {token}"
    stream = Stream(program)
    stream.next(), stream.next()
    with transaction(club.engine) as session:
        api_tokens.revoke_all(session, 2, now=club.time)
    happen(club, club.match)
    assert list(stream.chunks) == []


def test_nobody_hears_what_happens_to_others(club, bob):
    club.join("cid", "dan")
    ann = Program(club, "ann", ApiScope.READ)
    happen(club, lambda: club.open(club.match(white="cid", black="dan"), "cid", "dan"))
    assert (
        bob.get("/events?after=0").json == ann.get("/events?after=0").json == {"events": [], "last": 0, "missed": False}
    )


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer corr_" + "a" * 40}, {"Authorization": "Basic Ym9iOmJvYg=="}]
)
def test_without_a_token_nothing_is_told(club, headers):
    for accept in (STREAM, {}):
        answer = club.client("bob").get("/api/v1/events", headers={**headers, **accept})
        assert answer.status_code == 401 and answer.mimetype == "application/problem+json"


# -- one answer --------------------------------------------------------------------------


def test_one_answer_tells_what_there_is_and_from_where_to_go_on(club, bob):
    assert bob.get("/events").json == {"events": [], "last": 0, "missed": False}
    happen(club, club.match)
    answer = bob.get("/events?after=0").json
    assert [(one["id"], one["type"]) for one in answer["events"]] == [(1, "challenge"), (2, "game_started")]
    assert answer["last"] == 2 and bob.get("/events?after=2").json == {"events": [], "last": 2, "missed": False}
    assert bob.get("/events?after=5").json == {"events": [], "last": 2, "missed": True}


def test_an_answer_that_waits_comes_with_the_event(club, bob):
    happens = threading.Timer(0.1, happen, (club, club.match))
    happens.start()
    answer = bob.get("/events?after=0&wait=20")
    happens.join()
    assert [one["type"] for one in answer.json["events"]][:1] == ["challenge"]


def test_an_answer_that_waits_comes_at_once_where_there_is_something_to_tell(club, bob):
    happen(club, club.match)
    assert len(bob.get("/events?after=0&wait=20").json["events"]) == 2


def test_an_answer_that_waited_for_nothing_is_empty(club, bob):
    assert bob.get("/events?after=0&wait=1").json == {"events": [], "last": 0, "missed": False}


@pytest.mark.parametrize(
    "query", ["after=x", "after=-1", "wait=21", "wait=-1", "since=3", "after=1&after=x", "wait=1.5"]
)
def test_what_cannot_be_asked_is_refused_with_the_name_of_its_field(club, bob, query):
    answer = bob.get(f"/events?{query}")
    assert answer.status_code in (200, 422) and (answer.status_code == 200) == (query == "after=1&after=x")
    if answer.status_code == 422:
        assert answer.json["field"] == query.partition("=")[0]


# -- how many may wait -------------------------------------------------------------------


def test_a_member_has_three_places_and_gets_them_back(club, bob):
    streams = [Stream(bob) for _place in range(listening.MOST_OF_MEMBER)]
    refused = bob.get("/events", **STREAM)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"]
    assert "your programs" in refused.json["detail"]
    assert bob.get("/events?after=0&wait=5").status_code == 429
    assert bob.get("/events?after=0").status_code == 200, "who does not wait is always answered"
    streams[0].close()
    streams[0].close()
    Stream(bob).close()
    one_more = Stream(bob)
    assert bob.get("/events", **STREAM).status_code == 429, "a place is given back once"
    for stream in (*streams, one_more):
        stream.close()


def test_half_of_the_threads_always_serve_pages(club, bob):
    ann = Program(club, "ann", ApiScope.READ)
    streams = [Stream(bob), Stream(bob), Stream(ann), Stream(ann)]
    refused = ann.get("/events", **STREAM)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "30"
    assert "Too many programs" in refused.json["detail"]
    for stream in streams:
        stream.close()
    Stream(ann).close()


def test_who_asks_for_the_head_alone_takes_no_place(club, bob):
    for _more in range(listening.MOST_OF_MEMBER + 1):
        answer = bob.client.head("/api/v1/events?after=0&wait=20", headers={**bob.headers, **STREAM})
        assert answer.status_code == 200 and answer.data == b""
    Stream(bob).close()


def test_all_that_wait_are_looked_for_by_one_statement(club, bob):
    from tests.test_statements import scans, statements_to

    ann = Program(club, "ann", ApiScope.READ)
    streams = [Stream(bob), Stream(bob), Stream(ann)]
    hub = club.app.extensions["correspondence_listeners"]
    with statements_to(club.engine) as statements:
        hub._look(list(hub._waiting))
    assert len(statements) == 1 and not scans(club.engine, statements)
    for stream in streams:
        stream.close()


def test_nobody_looks_when_nobody_waits(club, bob):
    stream = Stream(bob)
    stream.next(), stream.next()
    happen(club, club.match)
    stream.events(2)
    stream.close()
    hub = club.app.extensions["correspondence_listeners"]
    for thread in [thread for thread in threading.enumerate() if thread.name == "events"]:
        thread.join(10)
    assert hub._looker is None
    assert not hub._waiting
    assert not hub._numbers
