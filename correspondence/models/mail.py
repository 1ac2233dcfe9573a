"""Messages received, letters to be sent, how they go to a domain, and how far a mailbox was collected."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, Column, Index, LargeBinary, UniqueConstraint, false, text
from sqlmodel import Field

from correspondence.models.columns import Table, one_of, partial

STALE = -1
"""The ply of a letter that showed what was taken back since: no position that can be answered."""

LOST = -2
"""The ply of a letter that was lost with a machine (ops/epochs.py): its position may be another than today's."""

MESSAGE_IS_OPEN = text("state IN ('new', 'taken')")
"""Messages that a worker has still to read."""

MESSAGE_HAS_WORDS = text("length(raw) > 0")
"""Messages whose body is still stored."""

DROPPED = "dropped"
"""How the reason begins of a message that was dropped."""

MESSAGE_WAS_DROPPED = text(f"state = 'ignored' AND reason LIKE '{DROPPED}: %'")
"""Messages of strangers that got no answer (inbound/mailbox/stranger_budget.py)."""

LETTER_IS_OPEN = text("state IN ('queued', 'sending', 'uncertain')")
"""Letters that have still to leave."""

LETTER_HAS_WORDS = text("text != ''")
"""Letters whose words are still stored."""

LETTER_HAS_PICTURE = text("picture != ''")
"""Letters whose pictures are still stored."""

LETTER_IS_HELD = text("state = 'held'")
"""Letters that wait for a digest."""

LETTER_HAS_FAILED = text("(state = 'failed' OR bounce IN ('block', 'hard'))")
"""Letters that did not arrive: given up, or come back for good. `due_at` is when that was known."""

IS_UNTOLD = text("is_untold")
"""Messages, and letters, that were set aside since the operator was last told of such."""


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
    HELD = "held"
    MERGED = "merged"
    UNCERTAIN = "uncertain"
    FAILED = "failed"


class Inbound(Table, table=True):
    """A message received, kept once for each recipient. `message_key` is its Message-ID, or a hash of its bytes."""

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
    """When it may next be taken: now when new, the end of the lease when taken."""
    tries: int = 0
    """How often reading it failed."""
    lost_leases: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How often a worker ended while it held the message, so that its lease ran out."""
    is_untold: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was set aside as dead and the operator does not know yet (dead_letters.py)."""
    person_id: int | None = Field(default=None, foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)


class Letter(Table, table=True):
    """A letter in the outbox. `key` is unique for what it tells, so it is never written twice.

    `text`, `html` and `subject` hold the marks of letters.py where a secret or the site's address goes in.
    `message_id` is the local part; the domain is added when it is posted. `held` waits for a digest, `merged` was
    told in another letter. Pictures and words of what has left go after some time (ops/retention.py): then they are empty.
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
    """The head of the record when the letter was written, which its header signs; empty where there is none."""
    end: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """What its header tells of the signed end (fairness/ends.py): the end, then times and comments; else empty."""
    seed: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """What its header tells of the seed of its game: the commitment, and the seed once it is open; else empty."""
    recipient: str
    mailbox: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The recipient as letters to it are counted: in lower case, without what stands after a plus."""
    from_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The name in From, in the reader's language; empty for the name of the service."""
    reply_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The name in Reply-To, in the reader's language; empty for the name of the service."""
    subject: str
    text: str
    html: str = ""
    picture: str = ""
    """What is sent as PNGs inside the letter: the sketch of the board, which older letters hold as an SVG, then the SVGs of
    diagrams (outbound/letters.py, NEXT_PICTURE)."""
    diagram_names: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """What its diagrams were called, once its pictures are no longer kept."""
    choices: str = ""
    """Texts that a bare number in reply stands for, one to a line, counted from 1."""
    remarks: str = ""
    """The numbers of the remarks that it passes on."""
    auto_submitted: str = "auto-generated"
    message_id: str = Field(unique=True)
    in_reply_to: str = ""
    reply_token_id: int | None = Field(default=None, foreign_key="token.id")
    link_token_id: int | None = Field(default=None, foreign_key="token.id")
    stop_token_id: int | None = Field(default=None, foreign_key="token.id")
    created_at: datetime
    due_at: datetime
    """When it is looked at next; of one that failed, when that was."""
    wanted_at: datetime | None = None
    """When its reader wants it: what is later is our delay. None in letters from before this was noted."""
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=one_of(LetterState))
    tries: int = 0
    """How often it was leased to be sent, lost leases included."""
    lost_leases: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How often a worker ended while it held the letter, so that its lease ran out."""
    may_have_arrived: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was handed over without an answer once, so that it is handed over once more at most."""
    is_untold: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was set aside for its lost leases and the operator does not know yet (dead_letters.py)."""
    answer: str = ""
    sent_at: datetime | None = None
    bounce: str = ""
    """How it came back: block, soft, hard or complaint; empty while it did not."""
    bounce_words: str = ""
    bounced_at: datetime | None = None


class MailDomain(Table, table=True):
    """How letters go to one domain (throttle.py, refusals.py): each moment is in the past where it hinders nothing.

    The row named `*` is that of our own mail server: `refused_at` is since when it takes nothing.
    """

    name: str = Field(primary_key=True)
    full_at: datetime
    """When the bucket of sends is full again."""
    rests_until: datetime
    """Until when the domain is left alone, because it asked for time."""
    queued_until: datetime
    """The last moment that was given to a letter that has to come back."""
    first_until: datetime
    second_until: datetime
    """Until when the two places for conversations are taken at the longest."""
    refused_at: datetime | None = None
    """When it last refused us, whoever the recipient was; None if that is over."""
    refusal: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """In which words."""
    accepted_at: datetime | None = None
    """When it last accepted a letter."""


class StrangerAnswer(Table, table=True):
    """An answer to somebody without an account: what it counts against is a budget for all strangers (strangers.py).

    `is_asked`: the mail asked to join, for help or for rules; the other answers have a smaller budget.
    """

    __table_args__ = (Index("ix_stranger_answer_at", "at", "is_asked", "domain"),)

    id: int = Field(default=None, primary_key=True)
    at: datetime
    domain: str
    is_asked: bool


class FetchProgress(Table, table=True):
    """How far a mailbox was collected; `mailbox_hash` is a hash of its address, `failures` counts by UID as JSON."""

    mailbox_hash: str = Field(primary_key=True)
    uid_validity: int = Field(default=0, sa_type=BigInteger)
    last_uid: int = Field(default=0, sa_type=BigInteger)
    failures: str = "{}"
