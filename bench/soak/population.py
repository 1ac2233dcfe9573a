"""The members of a soak and their games: each member plays two, with the next member and with the one before."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flask import Flask
from sqlmodel import Session, col, select, update

from bench.soak.relay import GONE
from correspondence.accounts import web_sessions
from correspondence.accounts.accounts import person_by_handle
from correspondence.accounts.joining import confirm_join, request_join
from correspondence.core.db import transaction
from correspondence.core.time_control import per_move
from correspondence.matchmaking.challenges import accept, challenge
from correspondence.models import Letter, LetterState, Token
from correspondence.web.current import runtime_of

KINDS = ("proteus-dice", "proteus-tiles", "duel", "plateau")
DOMAINS = 40
"""Over so many domains the addresses of members are spread."""

SLEEPER, LOST, RECEIVER = 20, 100, 4
"""One member in so many never answers; one in so many has no mailbox any more; one in so many wants receipts."""

AT_ONCE = 50
"""How many rows of one kind are made in one transaction."""


class Member(NamedTuple):
    """Somebody who plays: their address, the cookie of their browser, and whether letters are answered."""

    number: int
    mail: str
    cookie: str
    is_awake: bool


def settle(app: Flask, count: int, span: timedelta, rng: random.Random) -> dict[int, Member]:
    """Let so many people join and begin as many games with `span` for each move; returns the members by number.

    The letters of joining and of challenges are put aside: only whose turn it is gets one.
    """
    runtime = runtime_of(app)
    now, members = runtime.now(), []
    for first in range(0, count, AT_ONCE):
        with transaction(runtime.engine) as session:
            members += [_join(session, app, at, now) for at in range(first, min(first + AT_ONCE, count))]
    for first in range(0, count, AT_ONCE):
        with transaction(runtime.engine) as session:
            for at in range(first, min(first + AT_ONCE, count)):
                _begin(session, at, (at + 1) % count, span, now, rng)
    with transaction(runtime.engine) as session:
        aside = update(Letter).where(col(Letter.kind) != "turn")
        session.execute(aside.values(state=LetterState.CANCELLED, answer="from before the soak"))
    return {member.number: member for member in members}


def _join(session: Session, app: Flask, at: int, now: datetime) -> Member:
    is_lost = at % LOST == LOST // 2
    mail = f"m{at}@{GONE if is_lost else f'd{at % DOMAINS}.example'}"
    request_join(session, f"m{at}", mail, now=now)
    person = confirm_join(session, max(session.exec(select(Token.id))), now=now)
    person.vacation_hours_left, person.receipts = 0, at % RECEIVER == 0
    session.add(person)
    signer: Any = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    key = web_sessions.begin(session, person, now=now)
    cookie = f"session={signer.dumps({'key': key})}"
    return Member(person.id, mail, cookie, is_awake=not is_lost and at % SLEEPER != 0)


def _begin(session: Session, one: int, other: int, span: timedelta, now: datetime, rng: random.Random) -> None:
    asking, other_person = person_by_handle(session, f"m{one}"), person_by_handle(session, f"m{other}")
    assert asking is not None and other_person is not None
    kind = KINDS[one % len(KINDS)]
    seek = challenge(
        session, asking, other_person.handle, kind, {}, time_control=per_move(span), seat=one % 2, now=now, rng=rng
    )
    accept(session, other_person, seek.id, now=now, rng=rng)
