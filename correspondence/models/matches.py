"""Matches, their players, and the entries of their records."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import Index, UniqueConstraint, false, text
from sqlmodel import Field

from correspondence.models.columns import Table, finished, one_of, partial
from correspondence.models.terms import TermsColumns
from engines.verification.record_text import PLAYING as PLAYING

MATCH_HAS_CLOCK = text("deadline IS NOT NULL")
"""Query condition: matches with a running clock."""

MATCH_HAS_REMINDER = text("remind_at IS NOT NULL")
"""Query condition: matches with a reminder still to be sent."""

MATCH_IS_UNINDEXED = text("ended_at IS NOT NULL AND indexed_at IS NULL")
"""Query condition: finished matches not yet in the index of openings."""


class By(StrEnum):
    """The interface by which a move was made."""

    WEB = "web"
    MAIL = "mail"
    API = "api"
    CHANCE = "chance"
    PLAN = "plan"
    POST = "post"
    ROBOT = "robot"


class Lateness(StrEnum):
    """How a player failed to move: not at all, by a timeout (excused or not), by giving up."""

    NONE = ""
    OWN = "own"
    MAIL = "mail"
    OUTAGE = "outage"
    GIVEN_UP = "given_up"


class Match(TermsColumns, table=True):
    """A game between persons; `position` is stored JSON, a cache computed from the moves.

    `ply` counts entries played. `deadline` is the earliest of the players to act, None when over. `result` is `*` while
    the match runs.
    """

    __table_args__ = (
        partial("ix_match_deadline", "deadline", where=MATCH_HAS_CLOCK),
        partial("ix_match_clock_game", "game", "deadline", where=MATCH_HAS_CLOCK),
        partial("ix_match_remind_at", "remind_at", where=MATCH_HAS_REMINDER),
        finished("ix_match_finished", "ended_at", "id", "game", "result", "reason", "ply", "options", "daily"),
        finished("ix_match_finished_game", "game", "ended_at", "id", "result", "reason", "ply", "options", "daily"),
        partial("ix_match_daily", "daily", "ply", where=text("daily IS NOT NULL")),
        partial("ix_match_unindexed", "ended_at", where=MATCH_IS_UNINDEXED),
    )

    id: int = Field(default=None, primary_key=True)
    version: int
    chain: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    """Version of its hash chain: 2 with commitment, seals and times, 1 for older games."""
    result: str = "*"
    reason: str = ""
    ply: int = 0
    position: str
    started_at: datetime
    ended_at: datetime | None = None
    deadline: datetime | None = None
    remind_at: datetime | None = None
    takebacks: int = 0
    """Number of take-backs plus epochs (models/epochs.py); views with another number are stale."""
    daily: date | None = None
    """The day of a daily Puzzle deal; None for every other match."""
    indexed_at: datetime | None = None
    """When its opening was added to the index of positions (openings.py)."""
    event: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The name of the event that it belongs to, for its record; empty for a casual game."""
    round: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Its round in the event, for its record."""
    section: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Its section or division in the event, for its record."""
    teaches: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a robot explains its first moves; the explanations are computed from the record."""
    corrected_for: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The operator's public reason, if an operator decided the result (moderation/results.py)."""
    played_result: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The original result, which the record keeps; empty if it is the same as `result`."""
    played_reason: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The original reason."""


class Seed(Table, table=True):
    """The secret seed of a match's random draws, 32 bytes; pages and exports never read it."""

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    secret: bytes


class SignedEnd(Table, table=True):
    """A signature of a match's end (fairness/ends.py), in base64; the highest number is valid."""

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    text: str
    key: str
    signature: str


class ImportedRecord(Table, table=True):
    """Origin of an imported match: its site, and the signature of its head.

    `is_foreign` means that it was signed by another service's key, or not at all.
    """

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    site: str
    key: str = ""
    signature: str = ""
    is_foreign: bool = True


class Player(Table, table=True):
    """A person at a seat.

    `bank` is the time left when the turn began, in counted seconds. `since` is when the turn began, None if it is not
    the player's turn. `deadline` is when the time runs out.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "seat"),
        Index("ix_player_person", "match_id", "person_id"),
        Index("ix_player_turn", "person_id", "since"),
        finished("ix_player_finished", "person_id", "ended_at", "match_id"),
        partial("ix_player_token", "token_id", where=text("token_id IS NOT NULL")),
        partial("ix_player_running", "person_id", where=text("ended_at IS NULL")),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    person_id: int = Field(foreign_key="person.id")
    seat: int
    bank: int
    since: datetime | None = None
    turn_ply: int = 0
    """Number of entries when the turn began: letters since then can be answered with a move."""
    off_hours: str = ""
    """The person's hours and time zone when the turn began; changes count from the next turn."""
    deadline: datetime | None = None
    remind_at: datetime | None = None
    flagged_at: datetime | None = None
    """When time ran out in a turn that a timeout alone does not end."""
    token_id: int | None = Field(default=None, foreign_key="token.id")
    extensions: int = 0
    """Number of deadline extensions because letters did not arrive."""
    lateness: Lateness = Field(default=Lateness.NONE, sa_type=one_of(Lateness))
    """Whether this player's time ran out, and whether it counts against them."""
    muted_at: datetime | None = None
    """Since when this player has muted the others in this match; None if not muted."""
    seen_ply: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Number of entries when this player last saw the page of the match, or moved."""
    shown_ply: int = Field(default=-1, sa_column_kwargs={"server_default": "-1"})
    """Number of entries on the page when this player last saw it; -1 before."""
    shown_remark: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Number of the last remark on the page when this player last saw it."""
    language: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Language of the subject in this thread's letters, even if the reader later changes it."""
    last_message_id: str = ""
    """Message-ID of the last letter to or from this player, for In-Reply-To."""
    ended_at: datetime | None = None
    """When the match ended; copied here so that queries find a person's games by their end."""
    plans_opened_at: datetime | None = None
    """When this player agreed, after the end, that both may see each other's unplayed plans."""
    words: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """This player's public contribution to the random draws, fixed since the match began."""


class Move(Table, table=True):
    """One entry of a record: `seat` -1 is chance, `spent` seconds; `hash` chains all entries."""

    __table_args__ = (UniqueConstraint("match_id", "ply"),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    seat: int
    text: str
    at: datetime
    spent: int = 0
    bank: int | None = None
    """The mover's bank when the turn began, in seconds; None for chance and for imported games."""
    by: By = Field(sa_type=one_of(By))
    comment: str = ""
    comment_hash: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Hash of a comment that is not stored: of an erased member, or omitted from a record."""
    hash: str
    seal: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The seal of a hidden choice, in hex; empty for public moves."""


class TakenBackMove(Table, table=True):
    """A move taken back by consent: no longer in the record, but kept as evidence."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    seat: int
    text: str
    at: datetime
    spent: int = 0
    by: By = Field(sa_type=one_of(By))
    comment: str = ""
    taken_back_at: datetime
