"""Every table. Times are aware UTC, durations whole seconds; no row holds a secret in clear."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, Enum, Index, LargeBinary, UniqueConstraint, text
from sqlmodel import Field, SQLModel


class Purpose(StrEnum):
    """What a token is good for."""

    JOIN = "join"
    SIGN_IN = "sign-in"
    PLAY = "play"
    SEEK = "seek"
    DESK = "desk"
    RESIGN = "resign"
    EXPORT = "export"
    FORGET = "forget"
    STOP = "stop"


class By(StrEnum):
    """Through which face a move came."""

    WEB = "web"
    MAIL = "mail"
    CHANCE = "chance"


PLAYING = "*"
"""The result of a match that goes on, or was called off."""


class SeekState(StrEnum):
    """Where a seek or challenge stands."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class OfferState(StrEnum):
    """Where an offer stands; it lapses with the next move."""

    OPEN = "open"
    TAKEN = "taken"
    LAPSED = "lapsed"


class InboundState(StrEnum):
    """Where a message received stands; every one ends in one of the last four."""

    NEW = "new"
    TAKEN = "taken"
    DONE = "done"
    IGNORED = "ignored"
    REJECTED = "rejected"
    DEAD = "dead"


class LetterState(StrEnum):
    """Where a letter to be sent stands."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    CANCELLED = "cancelled"
    UNCERTAIN = "uncertain"
    FAILED = "failed"


class Scope(StrEnum):
    """Which letters an address does not get."""

    ALL = "all"
    NOTICES = "notices"


def _one_of(kind: type[StrEnum]) -> Any:
    """A column of words: the same on every database, and read back as members."""
    return Enum(kind, native_enum=False, length=16, values_callable=lambda members: [m.value for m in members])


def _finished(name: str, *columns: str) -> Index:
    """An index over what has ended alone, so that moves in running matches do not touch it."""
    over = text("ended_at IS NOT NULL")
    return Index(name, *columns, sqlite_where=over, postgresql_where=over)


class Person(SQLModel, table=True):
    """Somebody who joined. `handle_key` is the handle in lower case.

    A departed person has no address and is never shown in lists; the `handle_key` of one who erased himself
    is a hash of the handle, which keeps it from being taken by others (leaving.py).
    """

    id: int = Field(default=None, primary_key=True)
    handle: str
    handle_key: str = Field(unique=True)
    language: str = "en"
    zone: str = "UTC"
    text_only: bool = False
    turn_letters: bool = True
    talk_letters: bool = True
    reminders: bool = True
    receipts: bool = False
    joined_at: datetime
    seen_at: datetime | None = None
    session_number: int = 0
    """Raised to end every web session of this person."""
    departed_at: datetime | None = None


class Address(SQLModel, table=True):
    """A verified mail address of a person, as written and as compared; `score` counts letters that came back."""

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    mail: str
    mail_key: str = Field(unique=True)
    verified_at: datetime
    score: int = 0
    scored_at: datetime | None = None


class Suppression(SQLModel, table=True):
    """An address that gets no letters, or none but those needed to play on, and why."""

    __table_args__ = (UniqueConstraint("mail_key", "scope"),)

    id: int = Field(default=None, primary_key=True)
    mail_key: str
    scope: Scope = Field(sa_type=_one_of(Scope))
    reason: str
    since: datetime


class Token(SQLModel, table=True):
    """What a token may do; the secret itself is spelled from `id` and the key (tokens.py).

    `payload` is JSON whose form belongs to the purpose.
    """

    id: int = Field(default=None, primary_key=True)
    purpose: Purpose = Field(sa_type=_one_of(Purpose))
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    payload: str = "{}"
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None


class Seek(SQLModel, table=True):
    """A wish to play: open to all, or a challenge when `opponent_id` is set. Options as `name=value` words."""

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    opponent_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    game: str
    options: str = ""
    bank: int
    increment: int
    cap: int
    rated: bool = True
    seat: int | None = None
    """The seat the seeker takes; None to draw lots."""
    state: SeekState = Field(default=SeekState.OPEN, sa_type=_one_of(SeekState))
    created_at: datetime
    match_id: int | None = Field(default=None, foreign_key="match.id")


class Match(SQLModel, table=True):
    """A game between persons. `position` is stored JSON, a cache: the moves are the truth.

    `ply` counts entries played; `deadline` is the earliest of the players to act, None when over.
    `result` is `*` while it goes on.
    """

    __table_args__ = (
        Index(
            "ix_match_deadline",
            "deadline",
            sqlite_where=text("deadline IS NOT NULL"),
            postgresql_where=text("deadline IS NOT NULL"),
        ),
        Index(
            "ix_match_remind_at",
            "remind_at",
            sqlite_where=text("remind_at IS NOT NULL"),
            postgresql_where=text("remind_at IS NOT NULL"),
        ),
        _finished("ix_match_finished", "ended_at", "id", "game", "result", "reason", "ply", "options"),
        _finished("ix_match_finished_game", "game", "ended_at", "id", "result", "reason", "ply", "options"),
        Index(
            "ix_match_unindexed",
            "ended_at",
            sqlite_where=text("ended_at IS NOT NULL AND indexed_at IS NULL"),
            postgresql_where=text("ended_at IS NOT NULL AND indexed_at IS NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    game: str
    version: int
    options: str = ""
    bank: int
    increment: int
    cap: int
    rated: bool = True
    result: str = "*"
    reason: str = ""
    ply: int = 0
    position: str
    started_at: datetime
    ended_at: datetime | None = None
    deadline: datetime | None = None
    remind_at: datetime | None = None
    indexed_at: datetime | None = None
    """When its opening was entered into the index of positions (openings.py)."""


class Player(SQLModel, table=True):
    """A person at a seat. `bank` is the time left when the turn began, in seconds; `since` is when this
    player became to act, None while somebody else is."""

    __table_args__ = (
        UniqueConstraint("match_id", "seat"),
        Index("ix_player_turn", "person_id", "since"),
        _finished("ix_player_finished", "person_id", "ended_at", "match_id"),
        Index(
            "ix_player_running",
            "person_id",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    seat: int
    bank: int
    since: datetime | None = None
    turn_ply: int = 0
    """How many entries there were when this player became to act: letters from then on can be answered."""
    token_id: int | None = Field(default=None, foreign_key="token.id")
    put_off: int = 0
    """How often the deadline was put off because letters did not reach this player."""
    last_message_id: str = ""
    """The Message-ID of the last letter to this player, or of his own last one: what In-Reply-To names."""
    ended_at: datetime | None = None
    """When the match ended: the same as there, so that a person's games are found by their end."""


class Move(SQLModel, table=True):
    """One entry of a record: seat -1 is chance. `spent` is seconds; `hash` chains it to all before."""

    __table_args__ = (UniqueConstraint("match_id", "ply"),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    seat: int
    text: str
    at: datetime
    spent: int = 0
    by: By = Field(sa_type=_one_of(By))
    comment: str = ""
    hash: str


class Remark(SQLModel, table=True):
    """Talk between the players of a match, said when `ply` entries had been played."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    ply: int
    text: str
    at: datetime


class Offer(SQLModel, table=True):
    """A draw offered by a seat at a ply."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat: int
    ply: int
    state: OfferState = Field(default=OfferState.OPEN, sa_type=_one_of(OfferState))
    at: datetime


class Inbound(SQLModel, table=True):
    """A message received, kept once for each recipient. `message_key` is its Message-ID, or a hash of its bytes."""

    __table_args__ = (
        UniqueConstraint("message_key", "recipient"),
        Index(
            "ix_inbound_open",
            "due_at",
            sqlite_where=text("state IN ('new', 'taken')"),
            postgresql_where=text("state IN ('new', 'taken')"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    message_key: str
    recipient: str
    sender: str
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    received_at: datetime
    state: InboundState = Field(default=InboundState.NEW, sa_type=_one_of(InboundState))
    reason: str = ""
    due_at: datetime
    """When it may next be taken: now when new, the end of the lease when taken."""
    tries: int = 0
    person_id: int | None = Field(default=None, foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)


class Letter(SQLModel, table=True):
    """A letter in the outbox. `key` is unique for what it tells, so it is never written twice.

    `text`, `html` and `subject` hold the marks of letters.py where a secret or the site's address goes in.
    `message_id` is the local part; the domain is added when it is posted.
    """

    __table_args__ = (
        Index(
            "ix_letter_due",
            "due_at",
            sqlite_where=text("state IN ('queued', 'sending', 'uncertain')"),
            postgresql_where=text("state IN ('queued', 'sending', 'uncertain')"),
        ),
        Index("ix_letter_recipient", "recipient", "created_at"),
    )

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    ply: int | None = None
    recipient: str
    subject: str
    text: str
    html: str = ""
    picture: str = ""
    """An SVG that is sent as a PNG inside the letter."""
    choices: str = ""
    """Texts that a bare number in reply stands for, one to a line, counted from 1."""
    auto_submitted: str = "auto-generated"
    message_id: str = Field(unique=True)
    in_reply_to: str = ""
    reply_token_id: int | None = Field(default=None, foreign_key="token.id")
    link_token_id: int | None = Field(default=None, foreign_key="token.id")
    stop_token_id: int | None = Field(default=None, foreign_key="token.id")
    created_at: datetime
    due_at: datetime
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=_one_of(LetterState))
    tries: int = 0
    answer: str = ""
    sent_at: datetime | None = None
    bounce: str = ""
    """How it came back: block, soft, hard or complaint; empty while it did not."""
    bounce_words: str = ""
    bounced_at: datetime | None = None


class Opening(SQLModel, table=True):
    """A position that a finished match went through early on; `key` is openings.position_key."""

    key: int = Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})
    ended_at: datetime = Field(primary_key=True)
    match_id: int = Field(foreign_key="match.id", primary_key=True)


class Continuation(SQLModel, table=True):
    """How finished matches went on from a position: after `text` the first seat won, nobody, or the second."""

    key: int = Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})
    text: str = Field(primary_key=True)
    first: int = 0
    drawn: int = 0
    second: int = 0
