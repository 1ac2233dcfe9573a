"""Matchmaking: seeks, challenges and pairings; seeds, keys, member mail and the directory."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Index, UniqueConstraint, bindparam, event, select, text, true
from sqlmodel import Field, col

from correspondence.core.public_numbers import typed_number
from correspondence.models.columns import Table, one_of, partial
from correspondence.models.terms import TermsColumns


class SeekState(StrEnum):
    """State of a seek or challenge."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


NEVER_AGAIN = -1
"""The value of `Seek.rest_days` for a person who never wants the same opponent again."""


SEEK_IS_OPEN = text("state = 'open' AND opponent_id IS NULL")
"""Query condition: open seeks without a particular opponent."""

SEEK_EXPIRES = text("state = 'open' AND expires_at IS NOT NULL")
"""Query condition: open seeks that expire."""

PAIRING_REOPENS = text("reopens")
"""Query condition: games from seeks that are to open again."""

SEEK_ASKS = text("state = 'open' AND ask_at IS NOT NULL")
"""Query condition: open seeks whose seeker is to be asked whether to keep them."""


class Seek(TermsColumns, table=True):
    """An offer to play on these terms: a challenge if `opponent_id` is set, otherwise a seek.

    If `is_private`, it is an invitation: only the holder of its link can take it. `games_wanted` is the number of games
    still wanted. If `games_at_once` is not 0, it is a standing seek instead, with at most that many games in progress.
    """

    __table_args__ = (
        partial("ix_seek_open", "game", "id", where=SEEK_IS_OPEN),
        partial("ix_seek_expires_at", "expires_at", where=SEEK_EXPIRES),
        partial("ix_seek_ask_at", "ask_at", where=SEEK_ASKS),
    )

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    opponent_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    seat: int | None = None
    """The seeker's seat; None to alternate seats (matchmaking/seat_choice.py)."""
    state: SeekState = Field(default=SeekState.OPEN, sa_type=one_of(SeekState))
    created_at: datetime
    match_id: int | None = Field(default=None, foreign_key="match.id")
    invited: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Hash of the invited mailbox; empty for a link to be passed on, or no invitation."""
    games_wanted: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    games_at_once: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    games_begun: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Number of games started from it; pairing uses it as an optimistic lock."""
    rating_low: int | None = None
    rating_high: int | None = None
    reliability: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Minimum reliability of an opponent, in percent; 0 for any."""
    rest_days: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Days before the same opponent is accepted again; 0 for none, NEVER_AGAIN for never."""
    language: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The language (ISO 639-1) that an opponent must read; empty for any."""
    pair_me: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    """Whether the service picks a partner, even at another pace or, with `any_options`, options."""
    any_options: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    robots: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Whether a robot may take the seek after some time: `yes`, `rated`, or empty for no."""
    is_private: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    expires_at: datetime | None = None
    ask_at: datetime | None = None
    """When the seeker is asked by letter whether to keep it open; None if asked already, or never."""
    answers_id: int | None = Field(default=None, foreign_key="seek.id")
    """The challenge to which this one is a counter-offer."""
    after_match_id: int | None = Field(default=None, foreign_key="match.id")
    """The match of which this challenge is a rematch, colours swapped."""
    words: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The seeker's contribution to the random draws."""


OLDEST_FIRST = col(Seek.created_at), col(Seek.id)
"""The order in which offers were made; their numbers do not reveal it."""

NEWEST_FIRST = col(Seek.created_at).desc(), col(Seek.id).desc()


_OFFER = select(col(Seek.id)).where(col(Seek.id) == bindparam("number"))


@event.listens_for(Seek, "before_insert")
def _number_publicly(_mapper: Any, connection: Connection, seek: Seek) -> None:
    """Number an offer by a hash of its content; a sequence would reveal private offers."""
    content = f"{seek.person_id} {seek.opponent_id} {seek.game} {seek.options} {seek.created_at.isoformat()}"
    if seek.id is None:
        seek.id = typed_number(content, lambda number: connection.scalar(_OFFER, {"number": number}) is not None)


class OfferSeed(Table, table=True):
    """The secret seed of an offer's next match; pages, exports and lists never read it."""

    seek_id: int = Field(
        primary_key=True, foreign_key="seek.id", ondelete="CASCADE", sa_column_kwargs={"autoincrement": False}
    )
    secret: bytes


class DailySeed(Table, table=True):
    """The secret seed of a daily deal; nothing reveals it before the day is over."""

    day: date = Field(primary_key=True)
    secret: bytes


class SigningKey(Table, table=True):
    """A public key that signs chain heads of records, and the days on which it was in use."""

    public: str = Field(primary_key=True)
    since: date
    until: date | None = None


class Pairing(Table, table=True):
    """A match from an open seek, by which a standing seek counts its games in progress."""

    __table_args__ = (
        UniqueConstraint("seek_id", "match_id"),
        partial("ix_pairing_reopens", "id", where=PAIRING_REOPENS),
    )

    id: int = Field(default=None, primary_key=True)
    seek_id: int = Field(foreign_key="seek.id")
    match_id: int = Field(foreign_key="match.id", index=True)
    reopens: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    """Whether the seek is to open again, because the match was called off before everybody had moved."""


class MemberMail(Table, table=True):
    """A letter from one member to another through the service; `answers` marks a reply."""

    __table_args__ = (Index("ix_member_mail_sender", "sender_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    sender_id: int = Field(foreign_key="person.id")
    recipient_id: int = Field(foreign_key="person.id", index=True)
    answers: bool = False
    at: datetime


class DirectoryListing(Table, table=True):
    """A person's entry in the directory of partners; without it, only the handle is shown.

    `games`, `paces` and `languages` are words separated by blanks: keys of games, names of paces, ISO 639-1 codes.
    """

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    shows_handle: bool = True
    shows_mail: bool = False
    shows_post: bool = False
    takes_letters: bool = True
    shows_seen: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether it says roughly when the person was last here."""
    games: str = ""
    options: str = ""
    """The person's wishes about options, in free text."""
    paces: str = ""
    languages: str = ""
    post: str = ""
