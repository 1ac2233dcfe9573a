"""How partners are found: seeks and challenges, and what members tell each other beforehand."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Index, UniqueConstraint, bindparam, event, select, text
from sqlmodel import Field, col

from correspondence.core.public_numbers import typed_number
from correspondence.models.columns import Table, one_of, partial
from correspondence.models.terms import TermsColumns


class SeekState(StrEnum):
    """Where a seek or challenge stands."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


NEVER_AGAIN = -1
"""The `Seek.rest_days` of who wants no opponent twice."""


SEEK_IS_OPEN = text("state = 'open' AND opponent_id IS NULL")
"""Open seeks of those who seek no particular opponent."""

SEEK_EXPIRES = text("state = 'open' AND expires_at IS NOT NULL")
"""Open seeks that come to an end by themselves."""


class Seek(TermsColumns, table=True):
    """A wish to play on terms: open to all, or a challenge when `opponent_id` is set.

    With `is_private` only whoever holds its link can take it: an invitation. `games_wanted` counts the games still
    wanted down; where `games_at_once` is not 0 it stands instead, and lets so many games be in play at a time.
    """

    __table_args__ = (
        partial("ix_seek_open", "game", "id", where=SEEK_IS_OPEN),
        partial("ix_seek_expires_at", "expires_at", where=SEEK_EXPIRES),
    )

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    opponent_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    seat: int | None = None
    """The seat the seeker takes; None to take turns, and draw lots where nobody has had more of them."""
    state: SeekState = Field(default=SeekState.OPEN, sa_type=one_of(SeekState))
    created_at: datetime
    match_id: int | None = Field(default=None, foreign_key="match.id")
    invited: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """A hash of the mailbox that an invitation asks; empty for a link to be passed on, and for all that is none."""
    games_wanted: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    games_at_once: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    games_begun: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How many games have come of it: whoever planned with another number comes too late."""
    rating_low: int | None = None
    rating_high: int | None = None
    reliability: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The least reliability of an opponent, in percent; 0 for any."""
    rest_days: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Days before the same opponent may come again; 0 for none, NEVER_AGAIN for no opponent twice."""
    language: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The language (ISO 639-1) that an opponent must read; empty for any."""
    pair_me: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    """Whether the service looks for the best partner, who may differ in pace and, with `any_options`, in options."""
    any_options: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    robots: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Whether a robot may take the seek when nobody has for a while: `yes`, `rated`, or empty for no."""
    is_private: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    expires_at: datetime | None = None
    answers_id: int | None = Field(default=None, foreign_key="seek.id")
    """The challenge that this one is a counter-offer to."""
    after_match_id: int | None = Field(default=None, foreign_key="match.id")
    """The match that this challenge wants to be played again, seats exchanged."""
    words: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """What the seeker contributes to the lots."""


OLDEST_FIRST = col(Seek.created_at), col(Seek.id)
"""The order in which offers were made. Their numbers tell nothing of it."""

NEWEST_FIRST = col(Seek.created_at).desc(), col(Seek.id).desc()


_OFFER = select(col(Seek.id)).where(col(Seek.id) == bindparam("number"))


@event.listens_for(Seek, "before_insert")
def _number_publicly(_mapper: Any, connection: Connection, seek: Seek) -> None:
    """Give an offer a number that follows from what it says; counted numbers would tell how many private offers there are."""
    content = f"{seek.person_id} {seek.opponent_id} {seek.game} {seek.options} {seek.created_at.isoformat()}"
    if seek.id is None:
        seek.id = typed_number(content, lambda number: connection.scalar(_OFFER, {"number": number}) is not None)


class OfferSeed(Table, table=True):
    """The secret from which the lots of the next match of an offer are drawn. No page, export or listing reads it."""

    seek_id: int = Field(
        primary_key=True, foreign_key="seek.id", ondelete="CASCADE", sa_column_kwargs={"autoincrement": False}
    )
    secret: bytes


class DailySeed(Table, table=True):
    """The secret from which the deal of a day is drawn; nothing reads it out before the day is over."""

    day: date = Field(primary_key=True)
    secret: bytes


class SigningKey(Table, table=True):
    """A public key with which heads of records are signed, and the days on which it was in use."""

    public: str = Field(primary_key=True)
    since: date
    until: date | None = None


class Pairing(Table, table=True):
    """A match that came of an open seek; how a standing seek knows its games in play."""

    __table_args__ = (UniqueConstraint("seek_id", "match_id"),)

    id: int = Field(default=None, primary_key=True)
    seek_id: int = Field(foreign_key="seek.id")
    match_id: int = Field(foreign_key="match.id", index=True)


class MemberMail(Table, table=True):
    """A letter that one member wrote to another through us; `answers` when it was a reply."""

    __table_args__ = (Index("ix_member_mail_sender", "sender_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    sender_id: int = Field(foreign_key="person.id")
    recipient_id: int = Field(foreign_key="person.id", index=True)
    answers: bool = False
    at: datetime


class DirectoryListing(Table, table=True):
    """What the directory of partners tells members about a person, as he chose; who has no row shows his handle.

    `games`, `paces` and `languages` are words apart by blanks: keys of games, names of paces, ISO 639-1 codes.
    """

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    shows_handle: bool = True
    shows_mail: bool = False
    shows_post: bool = False
    takes_letters: bool = True
    games: str = ""
    options: str = ""
    """What he likes about options, in his own words."""
    paces: str = ""
    languages: str = ""
    post: str = ""
