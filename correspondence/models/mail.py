"""Received messages, the outbox, delivery by domain, and progress of mailbox collection."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, Column, Index, LargeBinary, UniqueConstraint, false, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

STALE = -1
"""The ply of a letter whose position was taken back, so replies to it cannot move."""

LOST = -2
"""The ply of a letter lost in a failover (ops/epochs.py): its position may be wrong."""

MESSAGE_IS_OPEN = text("state IN ('new', 'taken')")
"""Query condition: messages that a worker has not processed yet."""

MESSAGE_HAS_WORDS = text("length(raw) > 0")
"""Query condition: messages whose body is still stored."""

DROPPED = "dropped"
"""Prefix of the reason of a dropped message."""

MESSAGE_WAS_DROPPED = text(f"state = 'ignored' AND reason LIKE '{DROPPED}: %'")
"""Query condition: messages of strangers that got no answer (stranger_budget.py)."""

LETTER_IS_OPEN = text("state IN ('queued', 'sending', 'uncertain')")
"""Query condition: letters still to be sent."""

LETTER_HAS_WORDS = text("text != ''")
"""Query condition: letters whose text is still stored."""

LETTER_HAS_PICTURE = text("picture != ''")
"""Query condition: letters whose pictures are still stored."""

LETTER_IS_HELD = text("state = 'held'")
"""Query condition: letters waiting for a digest."""

LETTER_HAS_FAILED = text("(state = 'failed' OR bounce IN ('block', 'hard'))")
"""Query condition: letters that failed or bounced permanently; `due_at` is when."""

IS_UNTOLD = text("is_untold")
"""Query condition: dead-lettered messages and letters not yet reported to the operator."""


class InboundState(StrEnum):
    """State of a received message; the last four are final."""

    NEW = "new"
    TAKEN = "taken"
    DONE = "done"
    IGNORED = "ignored"
    REJECTED = "rejected"
    DEAD = "dead"


class LetterState(StrEnum):
    """State of a letter in the outbox."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    CANCELLED = "cancelled"
    HELD = "held"
    MERGED = "merged"
    UNCERTAIN = "uncertain"
    FAILED = "failed"


class Inbound(Table, table=True):
    """A received message, one row a recipient; `message_key` is its Message-ID or content hash."""

    __table_args__ = (
        UniqueConstraint("message_key", "recipient"),
        partial("ix_inbound_open", "due_at", where=MESSAGE_IS_OPEN),
        Index("ix_inbound_person", "person_id", "received_at"),
        partial("ix_inbound_words", "received_at", where=MESSAGE_HAS_WORDS),
        partial("ix_inbound_untold", "id", where=IS_UNTOLD),
        Index("ix_inbound_received", "received_at"),
    )

    id: int = Field(default=None, primary_key=True)
    message_key: str
    recipient: str
    sender: str
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    received_at: datetime
    state: InboundState = Field(default=InboundState.NEW, sa_type=one_of(InboundState))
    reason: str = ""
    due_at: datetime
    """Earliest next attempt: now if new, the end of the lease if leased."""
    tries: int = 0
    """Number of failed attempts to process it."""
    lost_leases: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Number of leases that expired because the worker ended."""
    is_untold: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was dead-lettered and the operator has not been notified (dead_letters.py)."""
    person_id: int | None = Field(default=None, foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)


class Letter(Table, table=True):
    """A letter in the outbox; `key` identifies its content, so it is written only once.

    `text`, `html` and `subject` contain placeholders of letters.py for secrets and the site's address. `message_id` is
    the local part; the domain is added on sending. A `held` letter waits for a digest; the content of a `merged` one
    went into another letter. Pictures and text of sent letters are deleted after some time (ops/retention.py).
    """

    __table_args__ = (
        partial("ix_letter_due", "due_at", where=LETTER_IS_OPEN),
        partial("ix_letter_failed", "due_at", where=LETTER_HAS_FAILED),
        partial("ix_letter_kind", "kind", "due_at", where=LETTER_IS_OPEN),
        partial("ix_letter_held", "due_at", where=LETTER_IS_HELD),
        Index("ix_letter_mailbox", "mailbox", "created_at", "auto_submitted", "person_id"),
        Index("ix_letter_reader", "match_id", "person_id"),
        partial("ix_letter_untold", "id", where=IS_UNTOLD),
        partial("ix_letter_words", "created_at", where=LETTER_HAS_WORDS),
        partial("ix_letter_picture", "created_at", where=LETTER_HAS_PICTURE),
        partial("ix_letter_reply_token", "reply_token_id", where=text("reply_token_id IS NOT NULL")),
        partial("ix_letter_link_token", "link_token_id", where=text("link_token_id IS NOT NULL")),
        partial("ix_letter_stop_token", "stop_token_id", where=text("stop_token_id IS NOT NULL")),
    )

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id")
    ply: int | None = None
    head: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The record head when the letter was written, signed in its header; empty if none."""
    end: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The signed end in its header (fairness/ends.py): end, times and comments; else empty."""
    seed: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The seed in its header: the commitment, and the seed once revealed; else empty."""
    recipient: str
    mailbox: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The recipient's mailbox for counting: in lower case, without a suffix after a plus."""
    from_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The name in From, in the reader's language; empty for the service's name."""
    reply_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The name in Reply-To, in the reader's language; empty for the service's name."""
    subject: str
    text: str
    html: str = ""
    picture: str = ""
    """PNG sources joined by NEXT_PICTURE: the board's sketch (SVG if old), then diagram SVGs."""
    diagram_names: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Names of its diagrams, kept after its pictures are deleted."""
    choices: str = ""
    """Texts that a bare number in a reply selects, one to a line, counted from 1."""
    remarks: str = ""
    """Numbers of the remarks that the letter contains."""
    auto_submitted: str = "auto-generated"
    message_id: str = Field(unique=True)
    in_reply_to: str = ""
    reply_token_id: int | None = Field(default=None, foreign_key="token.id")
    link_token_id: int | None = Field(default=None, foreign_key="token.id")
    stop_token_id: int | None = Field(default=None, foreign_key="token.id")
    created_at: datetime
    due_at: datetime
    """When it is processed next; for a failed letter, when it failed."""
    wanted_at: datetime | None = None
    """When its reader wants it; later sending counts as delay. None in old letters."""
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=one_of(LetterState))
    tries: int = 0
    """Number of leases for sending, lost leases included."""
    lost_leases: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Number of leases that expired because the worker ended."""
    may_have_arrived: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a sending attempt got no answer, so that at most one more attempt follows."""
    is_untold: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was dead-lettered for lost leases and the operator has not been notified."""
    answer: str = ""
    sent_at: datetime | None = None
    bounce: str = ""
    """Kind of bounce: block, soft, hard or complaint; empty if it did not bounce."""
    bounce_words: str = ""
    bounced_at: datetime | None = None


class MailDomain(Table, table=True):
    """Delivery state of one domain (throttle.py, refusals.py); past times have no effect.

    The row named `*` is our own mail server, which has accepted nothing since `refused_at`.
    """

    name: str = Field(primary_key=True)
    full_at: datetime
    """When the token bucket of sends is full again."""
    rests_until: datetime
    """End of a delivery pause that the domain asked for."""
    queued_until: datetime
    """The last time slot assigned to a postponed letter."""
    first_until: datetime
    second_until: datetime
    """End times of the two slots for concurrent SMTP connections."""
    refused_at: datetime | None = None
    """Time of its last refusal of all mail, for any recipient; None if it is no longer valid."""
    refusal: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The text of that refusal."""
    accepted_at: datetime | None = None
    """When the domain last accepted a letter."""


class StrangerAnswer(Table, table=True):
    """An answer to a person without an account, counted against a shared budget.

    `is_asked` means that the mail asked to join, for help or for rules; other answers have a smaller budget
    (strangers.py).
    """

    __table_args__ = (Index("ix_stranger_answer_at", "at", "is_asked", "domain"),)

    id: int = Field(default=None, primary_key=True)
    at: datetime
    domain: str
    is_asked: bool


class FetchProgress(Table, table=True):
    """Progress of collecting a mailbox; `failures` are counts by UID as JSON."""

    mailbox_hash: str = Field(primary_key=True)
    uid_validity: int = Field(default=0, sa_type=BigInteger)
    last_uid: int = Field(default=0, sa_type=BigInteger)
    failures: str = "{}"
