"""Events of the member: a stream of server-sent events, or one answer that may wait."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from correspondence.api.access import member
from correspondence.api.calls import Query, ResponseBody, call
from correspondence.api.listening import Listeners, NoRoom, listeners
from correspondence.api.shapes import Number
from correspondence.core import db
from correspondence.queries import events, visitors
from correspondence.web.db_session import reading
from correspondence.web.errors import problem
from engines.wording import _

LIFETIME = 300.0
"""Maximum duration of a stream, in seconds.

The program then reconnects, perhaps to another process.
"""

HEARTBEAT = 15.0
"""Seconds without an event after which a stream sends a keep-alive comment."""

LONGEST_WAIT = 20
"""Maximum seconds that one answer may wait."""

RETRY_AFTER = 30
"""Retry-After header if no program can wait now, in seconds."""

_STREAM = "text/event-stream"


class Asked(Query):
    """Where to continue: after the event with the number `after`, or from now.

    The answer may `wait` some seconds for an event.
    """

    after: Number | None = None
    wait: int = Field(default=0, ge=0, le=LONGEST_WAIT)


class Event(ResponseBody):
    """An event of the member.

    `data` depends on `type`, as described in the document about events.
    """

    id: int
    type: str
    timestamp: datetime
    data: dict[str, Any]


class Events(ResponseBody):
    """Events in order; pass `last` as `after` in the next request.

    `missed` is true if earlier events are no longer stored.
    """

    events: Sequence[Event]
    last: int
    missed: bool


@call("GET", "/events", topic="events", asks=Asked, answers=Events, media=_STREAM)
def listen(query: Asked) -> ResponseBody | ResponseReturnValue:
    """Return the member's events, redacted for them.

    With `Accept: text/event-stream` it is a stream of server-sent events that can be resumed by `Last-Event-ID`. It
    ends after five minutes; reconnect then. Otherwise it is one answer: at once if there are events, or else after at
    most `wait` seconds.
    """
    person_id = member().id
    wants_stream = request.accept_mimetypes.best_match(["application/json", _STREAM]) == _STREAM
    with reading() as session:
        last = events.last_number(session, person_id)
    after = _resumed(query) if wants_stream else query.after
    after = last if after is None else after
    if request.method == "HEAD" or not (wants_stream or (query.wait and after == last)):
        return _told(listeners(), person_id, after)
    try:
        return _waiting(listeners(), person_id, after, 0 if wants_stream else query.wait)
    except NoRoom as full:
        return _refusal(full)


def _resumed(query: Asked) -> int | None:
    """The event number after which a stream resumes, from `Last-Event-ID` or from the query."""
    known = request.headers.get("Last-Event-ID", "")
    return int(known) if known.isascii() and known.isdigit() and len(known) <= 18 else query.after


def _waiting(waiting: Listeners, person_id: int, after: int, wait: int) -> Response:
    """Return a response that holds a slot in `waiting`; streamed if `wait` is 0. Raises NoRoom."""
    leave = waiting.enter(person_id)
    secret = request.headers["Authorization"].partition(" ")[2].strip()
    body = _one_answer(waiting, person_id, after, wait) if wait else _stream(waiting, person_id, after, secret)
    response = Response(body, mimetype="application/json" if wait else _STREAM)
    response.headers["Cache-Control"], response.headers["X-Accel-Buffering"] = "private, no-store", "no"
    response.call_on_close(leave)
    return response


def _one_answer(waiting: Listeners, person_id: int, after: int, wait: int) -> Iterator[bytes]:
    waiting.wait(person_id, after, wait)
    yield _told(waiting, person_id, after).model_dump_json().encode()


def _stream(waiting: Listeners, person_id: int, after: int, secret: str) -> Iterator[bytes]:
    """Yield a member's events as they come, as server-sent events (WHATWG HTML, 9.2.5)."""
    ends = time.monotonic() + LIFETIME
    yield f"retry: 3000\nid: {after}\n\n".encode()
    is_new = True
    while time.monotonic() < ends and not waiting.runtime.stopping.is_set():
        if is_new:
            if not _is_live(waiting, secret):
                return
            found = _heard(waiting, person_id, after)
            after = found.last
            yield from _chunks(found)
        else:
            yield b":\n\n"
        is_new = waiting.wait(person_id, after, min(HEARTBEAT, max(0.0, ends - time.monotonic())))


def _chunks(found: events.Heard) -> Iterator[bytes]:
    if found.missed:
        yield b'event: missed\ndata: {"type": "missed"}\n\n'
    for value in found.values:
        yield f"id: {value['id']}\nevent: {value['type']}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n".encode()
    yield f"id: {found.last}\n\n".encode()


def _heard(waiting: Listeners, person_id: int, after: int) -> events.Heard:
    """Read the new events in a short database session."""
    runtime = waiting.runtime
    with db.reading(runtime.engine) as session:
        return events.heard(session, person_id, after, base_url=runtime.settings.base_url, now=runtime.now())


def _told(waiting: Listeners, person_id: int, after: int) -> Events:
    found = _heard(waiting, person_id, after)
    events = [Event.model_validate(value) for value in found.values]
    return Events(events=events, last=found.last, missed=found.missed)


def _is_live(waiting: Listeners, secret: str) -> bool:
    """Whether the token of a stream is still valid."""
    with db.reading(waiting.runtime.engine) as session:
        program = visitors.program(session, secret, now=waiting.runtime.now())
    return program is not None and not program.is_ended


def _refusal(full: NoRoom) -> ResponseReturnValue:
    if full.is_own:
        sentence = _("Too many of your programs are waiting for events. Please stop one of them first.")
    else:
        sentence = _("Too many programs are waiting. Please ask without waiting, or come back later.")
    response, code = problem(429 if full.is_own else 503, _("Not now"), sentence)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response, code
