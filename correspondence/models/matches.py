"""A match, who sits at it, and the entries of its record."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import Index, UniqueConstraint, false, text
from sqlmodel import Field

from correspondence.models.columns import Table, finished, one_of, partial
from correspondence.models.terms import TermsColumns
from engines.verification.record_text import PLAYING as PLAYING

MATCH_HAS_CLOCK = text("deadline IS NOT NULL")
"""Matches in which somebody's clock runs."""

MATCH_HAS_REMINDER = text("remind_at IS NOT NULL")
"""Matches in which somebody is to be reminded."""

MATCH_IS_UNINDEXED = text("ended_at IS NOT NULL AND indexed_at IS NULL")
"""Finished matches that the index of openings does not hold yet."""


class By(StrEnum):
    """Through which face a move came."""

    WEB = "web"
    MAIL = "mail"
    API = "api"
    CHANCE = "chance"
    PLAN = "plan"
    POST = "post"
    ROBOT = "robot"


class Lateness(StrEnum):
    """How a player failed to play on: not at all, time that ran out, excused or not, or a rated game given up at once."""

    NONE = ""
    OWN = "own"
    MAIL = "mail"
    OUTAGE = "outage"
    GIVEN_UP = "given_up"


class Match(TermsColumns, table=True):
    """A game between persons, on terms. `position` is stored JSON, a cache: the moves are the truth.

    `ply` counts entries played; `deadline` is the earliest of the players to act, None when over.
    `result` is `*` while it goes on.
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
    """The version of its chain of hashes: 2 with commitment, seals and moments, 1 for games from before."""
    result: str = "*"
    reason: str = ""
    ply: int = 0
    position: str
    started_at: datetime
    ended_at: datetime | None = None
    deadline: datetime | None = None
    remind_at: datetime | None = None
    takebacks: int = 0
    """How often moves were taken back, plus a multiple of EPOCH (models/epochs.py) if a machine was lost since it began."""
    """How often a move was taken back: what was shown before then is stale, even after as many entries."""
    daily: date | None = None
    """The day whose deal this Puzzle is; None for every other match."""
    indexed_at: datetime | None = None
    """When its opening was entered into the index of positions (openings.py)."""
    teaches: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a robot explains its first moves to its opponent; what it says follows from the record."""
    corrected_for: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The operator's reason, where the result is their decision (moderation/results.py); everybody may read it."""
    played_result: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The result before that, which the record keeps; empty where it is `result`."""
    played_reason: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The reason before that."""


class Seed(Table, table=True):
    """The secret from which every lot of a match is drawn: 32 bytes. No page, export, log or listing reads it."""

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    secret: bytes


class SignedEnd(Table, table=True):
    """A signature of how a match ended (fairness/ends.py), in base64 like its key; that of the highest number counts."""

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    text: str
    key: str
    signature: str


class ImportedRecord(Table, table=True):
    """What the record of an imported match said of where it comes from: its site, and the signature of its head.

    `is_foreign`: it was signed by a key that is not ours, or by none.
    """

    match_id: int = Field(primary_key=True, foreign_key="match.id", sa_column_kwargs={"autoincrement": False})
    site: str
    key: str = ""
    signature: str = ""
    is_foreign: bool = True


class Player(Table, table=True):
    """A person at a seat. `bank` is the time left when the turn began, in seconds that count; `since` is when
    this player became to act, None while somebody else is, and `deadline` when the time runs out."""

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
    """How many entries there were when this player became to act: letters from then on can be answered."""
    off_hours: str = ""
    """The person's hours and zone as they were when the turn began; a change counts from the next turn."""
    deadline: datetime | None = None
    remind_at: datetime | None = None
    flagged_at: datetime | None = None
    """When the time ran out of a turn that is not ended by that alone."""
    token_id: int | None = Field(default=None, foreign_key="token.id")
    extensions: int = 0
    """How often the deadline was put off because letters did not reach this player."""
    lateness: Lateness = Field(default=Lateness.NONE, sa_type=one_of(Lateness))
    """Whether this player's time ran out, and whether that is held against him."""
    muted_at: datetime | None = None
    """Since when this player hears nothing that the others say in this match."""
    seen_ply: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How many entries there were when this player last saw the page of the match, or moved."""
    shown_ply: int = Field(default=-1, sa_column_kwargs={"server_default": "-1"})
    """How many entries the page showed when this player last looked at it; -1 before."""
    shown_remark: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The number of the last remark it showed."""
    language: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The language in which the letters of this thread have their subject, whatever the reader chooses later."""
    last_message_id: str = ""
    """The Message-ID of the last letter to this player, or of his own last one: what In-Reply-To names."""
    ended_at: datetime | None = None
    """When the match ended: the same as there, so that a person's games are found by their end."""
    plans_opened_at: datetime | None = None
    """When this player agreed, after the end, that both see what of their plans was not played."""
    words: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """What this player contributed to the lots; public, and fixed since the match began."""


class Move(Table, table=True):
    """One entry of a record: seat -1 is chance. `spent` is seconds; `hash` chains it to all before."""

    __table_args__ = (UniqueConstraint("match_id", "ply"),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    ply: int
    seat: int
    text: str
    at: datetime
    spent: int = 0
    bank: int | None = None
    """The mover's bank when the turn began, in seconds; None for lots, and for games from elsewhere."""
    by: By = Field(sa_type=one_of(By))
    comment: str = ""
    comment_hash: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The hash of a comment that is no longer here, or never was: of an erased member, or left out of a record."""
    hash: str
    seal: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The seal of a hidden choice, in hex; empty for what everybody saw."""


class TakenBackMove(Table, table=True):
    """A move that was taken back by consent: no longer of the record, kept for whoever asks what happened."""

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
