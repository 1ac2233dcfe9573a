"""Deletion of old data: pictures and texts of letters, messages, tokens, logs, events.

Each retention time is a setting in days. Pending data stays, however old: unsent letters, unread messages, and
everything but pictures in running games. Records, and what proves them, are never touched. Rows are deleted in small
batches, each in a separate transaction that skips locked rows, so a kill leaves nothing half done, and any number of
workers may prune at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import BindParameter, Engine, bindparam, delete, or_, update
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from correspondence.core.config import Settings
from correspondence.core.db import reading, rows, transaction, value
from correspondence.models import (
    ClockStop,
    Event,
    Inbound,
    InboundState,
    Letter,
    LetterState,
    Match,
    Outage,
    Player,
    Purpose,
    Token,
    Vacation,
)
from correspondence.models.mail import LETTER_HAS_PICTURE, LETTER_HAS_WORDS
from correspondence.models.people import TOKEN_OF_GAME_ENDS
from correspondence.models.versions import OF_SERVICE, RAISES, raise_versions
from correspondence.outbound.letters import NEXT_PICTURE
from correspondence.outbound.transcript import picture_name

BATCH = 200
"""Maximum rows of one transaction."""

MOST_BATCHES = 100
"""Maximum batches of each kind in one sweep; the next sweep continues."""

_BEFORE: BindParameter[datetime] = bindparam("before")

_HAS_LEFT = col(Letter.state).in_((LetterState.SENT, LetterState.CANCELLED, LetterState.MERGED, LetterState.FAILED))
_IS_CLOSED = col(Inbound.state).in_((InboundState.DONE, InboundState.IGNORED, InboundState.REJECTED, InboundState.DEAD))


def _ended(number: object) -> SelectOfScalar[int]:
    """Build the query for the match of this number, if it ended before `before`."""
    return select(Match.id).where(col(Match.id) == number, col(Match.ended_at) <= _BEFORE)


_PICTURES = (
    select(Letter.id)
    .where(LETTER_HAS_PICTURE, col(Letter.created_at) <= _BEFORE, _HAS_LEFT)
    .where(col(Letter.state) != LetterState.FAILED)  # failed letters can still be resent: flask mail resend
    .order_by(col(Letter.created_at))
)

_WORDS = (
    select(Letter.id)
    .where(LETTER_HAS_WORDS, col(Letter.created_at) <= _BEFORE, _HAS_LEFT)
    .where(or_(col(Letter.match_id).is_(None), _ended(col(Letter.match_id)).exists()))
    .order_by(col(Letter.created_at))
)

_MESSAGES = (
    select(Inbound.id)
    .where(col(Inbound.received_at) <= _BEFORE, _IS_CLOSED)
    .where(or_(col(Inbound.match_id).is_(None), _ended(col(Inbound.match_id)).exists()))
    .where(
        col(Inbound.id) < select(func.max(Inbound.id)).scalar_subquery()
    )  # keep the newest, or its number would be reused
    .order_by(col(Inbound.received_at))
)

_TOKENS = (
    select(Token.id)
    .where(TOKEN_OF_GAME_ENDS, col(Token.expires_at) <= _BEFORE, _ended(col(Token.match_id)).exists())
    .where(col(Token.purpose) != Purpose.ANALYSIS)
    .where(
        col(Token.id) < select(func.max(Token.id)).scalar_subquery()
    )  # keep the newest, or its address would be reused
    .order_by(col(Token.expires_at))
)

_FIRST_RUNNING = (
    select(func.min(Match.started_at))
    .join(Player, col(Player.match_id) == col(Match.id))
    .where(col(Player.ended_at).is_(None))
)

_STOPS = select(ClockStop.id).where(_ended(col(ClockStop.match_id)).exists()).order_by(col(ClockStop.id))
_OUTAGES = select(Outage.id).where(col(Outage.ends_at) <= _BEFORE, col(Outage.is_applied)).order_by(col(Outage.ends_at))
_EVENTS = select(Event.id).where(col(Event.at) <= _BEFORE, col(Event.number).is_not(None)).order_by(col(Event.at))
_VACATIONS = (
    select(Vacation.id).where(col(Vacation.ends_at) <= _BEFORE, col(Vacation.is_applied)).order_by(col(Vacation.id))
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """One kind of rows: its name, its setting, the query for old rows, and their deletion.

    `spans_games`: the rows concern all games of their time, so they stay while one of these runs.
    """

    what: str
    setting: str
    old: SelectOfScalar[int]
    drop: Callable[[Session, Sequence[int]], None]
    spans_games: bool = False

    def is_on(self, settings: Settings) -> bool:
        """Whether such rows are deleted; a fetched mailbox may deliver old messages a second time."""
        return self.setting != "keep_messages" or not settings.mail_fetch

    def before(self, session: Session, settings: Settings, now: datetime) -> datetime:
        """Return the time before which rows are deleted."""
        limit = now - timedelta(days=getattr(settings, self.setting))
        first: datetime | None = value(session, _FIRST_RUNNING) if self.spans_games else None
        return min(limit, first) if first is not None else limit


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many rows of one kind were (or would be) deleted, and after how many days."""

    what: str
    days: int
    count: int


def prune(
    engine: Engine, settings: Settings, *, now: datetime, is_stopping: Callable[[], bool] = lambda: False
) -> list[Pruned]:
    """Delete data older than configured, at most MOST_BATCHES batches of each kind."""
    return [
        Pruned(rule.what, getattr(settings, rule.setting), sum(_batches(engine, rule, settings, now, is_stopping)))
        for rule in _RULES
        if rule.is_on(settings)
    ]


def would_prune(session: Session, settings: Settings, *, now: datetime) -> list[Pruned]:
    """Count what `prune` would delete without its limits."""
    return [
        Pruned(
            rule.what,
            getattr(settings, rule.setting),
            value(
                session,
                select(func.count()).select_from(rule.old.order_by(None).subquery()),
                before=rule.before(session, settings, now),
            ),
        )
        for rule in _RULES
        if rule.is_on(settings)
    ]


def _batches(
    engine: Engine, rule: _Rule, settings: Settings, now: datetime, is_stopping: Callable[[], bool]
) -> Iterator[int]:
    """Delete batch after batch, each committed; yields the number of rows in each."""
    for _number in range(MOST_BATCHES):
        with reading(engine) as session:
            before = rule.before(session, settings, now)
            if is_stopping() or not rows(session, rule.old.limit(1), before=before):
                return
        with transaction(engine) as session:
            found = rows(session, rule.old.limit(BATCH).with_for_update(skip_locked=True), before=before)
            numbers = [number for (number,) in found]
            if numbers:
                rule.drop(session, numbers)
        yield len(numbers)
        if len(numbers) < BATCH:
            return


def _drop_pictures(session: Session, numbers: Sequence[int]) -> None:
    """Delete letters' pictures, but keep diagram names to recognise them in quotations."""
    for number, picture in rows(session, select(Letter.id, Letter.picture).where(col(Letter.id).in_(numbers))):
        _board, *diagrams = picture.split(NEXT_PICTURE)
        names = " ".join(picture_name(svg) for svg in diagrams)
        change = update(Letter).where(col(Letter.id) == number).values(picture="", diagram_names=names)
        session.connection().execute(change)


def _drop_words(session: Session, numbers: Sequence[int]) -> None:
    emptied = {"text": "", "html": "", "picture": "", "diagram_names": "", "choices": "", "end": ""}
    session.connection().execute(update(Letter).where(col(Letter.id).in_(numbers)).values(**emptied))


def _drop_tokens(session: Session, numbers: Sequence[int]) -> None:
    connection = session.connection()
    for name in ("reply_token_id", "link_token_id", "stop_token_id"):
        connection.execute(update(Letter).where(getattr(Letter, name).in_(numbers)).values({name: None}))
    connection.execute(update(Player).where(col(Player.token_id).in_(numbers)).values(token_id=None))
    connection.execute(delete(Token).where(col(Token.id).in_(numbers)))


def _delete(table: type[Inbound | ClockStop | Event | Outage | Vacation]) -> Callable[[Session, Sequence[int]], None]:
    def drop(session: Session, numbers: Sequence[int]) -> None:
        session.connection().execute(delete(table).where(col(table.id).in_(numbers)))
        if table in RAISES:
            raise_versions(session, [OF_SERVICE])

    return drop


_RULES = (
    _Rule("pictures of letters", "keep_pictures", _PICTURES, _drop_pictures),
    _Rule("words of letters", "keep_letters", _WORDS, _drop_words),
    _Rule("messages that were read", "keep_messages", _MESSAGES, _delete(Inbound)),
    _Rule("addresses and links of finished games", "keep_tokens", _TOKENS, _drop_tokens),
    _Rule("pauses of finished games", "keep_clock_logs", _STOPS, _delete(ClockStop)),
    _Rule("times when no worker ran", "keep_clock_logs", _OUTAGES, _delete(Outage), spans_games=True),
    _Rule("times away", "keep_clock_logs", _VACATIONS, _delete(Vacation), spans_games=True),
    _Rule("events for programs", "keep_events", _EVENTS, _delete(Event)),
)
