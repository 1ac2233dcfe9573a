"""Every table. Times are aware UTC, durations whole seconds; no row holds a secret in clear."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, Enum, Index, LargeBinary, UniqueConstraint, false, text, true
from sqlmodel import Field, SQLModel

from correspondence.clock import Policy


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
    RENEW = "renew"
    INVITE = "invite"
    CONTACT = "contact"
    CALENDAR = "calendar"
    TRIES = "tries"


class By(StrEnum):
    """Through which face a move came."""

    WEB = "web"
    MAIL = "mail"
    CHANCE = "chance"


class Audience(StrEnum):
    """Who may read a remark: the players of the match, everybody at once, or its writer alone."""

    PLAYERS = "players"
    EVERYONE = "everyone"
    ME = "me"


PLAYING = "*"
"""The result of a match that goes on, or was called off."""


class SeekState(StrEnum):
    """Where a seek or challenge stands."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class OfferState(StrEnum):
    """Where an offer stands; it lapses with the next move."""

    OPEN = "open"
    TAKEN = "taken"
    LAPSED = "lapsed"


class OfferKind(StrEnum):
    """What is offered to the other side, who may accept it or not."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"


class Cause(StrEnum):
    """Why a clock of one match stands still for a while."""

    PAUSE = "pause"
    RESPITE = "respite"


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
    TOLD = "told"
    UNCERTAIN = "uncertain"
    FAILED = "failed"


class Scope(StrEnum):
    """Which letters an address does not get."""

    ALL = "all"
    NOTICES = "notices"


def _one_of(kind: type[StrEnum]) -> Any:
    """A column of words: the same on every database, and read back as members."""
    return Enum(kind, native_enum=False, length=16, values_callable=lambda members: [m.value for m in members])


class Lateness(StrEnum):
    """Whether a player's time ran out: not at all, by his own doing, or excused and why."""

    NONE = ""
    OWN = "own"
    MAIL = "mail"
    OUTAGE = "outage"
    AWAY = "away"


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
    confirm_moves: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a move sent from a page is shown once more before it is played."""
    over_letters: bool = True
    challenge_letters: bool = True
    turn_delay: int = 0
    """Minutes for which a letter that it is one's turn waits, in case the game is looked at on its page."""
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None
    joined_at: datetime
    seen_at: datetime | None = None
    session_number: int = 0
    """Raised to end every web session of this person."""
    hours: str = ""
    """Which time counts against this person, as calendars.py writes it; empty where all of it does."""
    reminder_lead: int = 0
    """How many hours before the deadline to remind; 0 for when four fifths of the time are spent."""
    refuses_time_wins: bool = False
    absence_left: int = 720
    """Hours of absence that are left for the year which began at `absence_from`, or on joining."""
    absence_from: datetime | None = None
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


NEVER_AGAIN = -1
"""The `Seek.rest_days` of who wants no opponent twice."""


class Seek(SQLModel, table=True):
    """A wish to play: open to all, or a challenge when `opponent_id` is set. Options as `name=value` words.

    With `is_private` only whoever holds its link can take it: an invitation. `wanted` counts the games still
    wanted down; where `at_once` is not 0 it stands instead, and lets so many games be in play at a time.
    """

    __table_args__ = (
        Index(
            "ix_seek_open",
            "game",
            "id",
            sqlite_where=text("state = 'open' AND opponent_id IS NULL"),
            postgresql_where=text("state = 'open' AND opponent_id IS NULL"),
        ),
        Index(
            "ix_seek_expires_at",
            "expires_at",
            sqlite_where=text("state = 'open' AND expires_at IS NOT NULL"),
            postgresql_where=text("state = 'open' AND expires_at IS NOT NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    opponent_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    game: str
    options: str = ""
    bank: int
    increment: int
    cap: int
    policy: Policy = Field(default=Policy.AUTOMATIC, sa_type=_one_of(Policy))
    rated: bool = True
    seat: int | None = None
    """The seat the seeker takes; None to take turns, and draw lots where nobody has had more of them."""
    analysis: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether moves may be tried on a board of one's own while the match runs."""
    state: SeekState = Field(default=SeekState.OPEN, sa_type=_one_of(SeekState))
    created_at: datetime
    match_id: int | None = Field(default=None, foreign_key="match.id")
    wanted: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    at_once: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    taken: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
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
    is_private: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    expires_at: datetime | None = None
    answers_id: int | None = Field(default=None, foreign_key="seek.id")
    """The challenge that this one is a counter-offer to."""
    after_match_id: int | None = Field(default=None, foreign_key="match.id")
    """The match that this challenge wants to be played again, seats exchanged."""


class Pairing(SQLModel, table=True):
    """A match that came of an open seek; how a standing seek knows its games in play."""

    __table_args__ = (UniqueConstraint("seek_id", "match_id"),)

    id: int = Field(default=None, primary_key=True)
    seek_id: int = Field(foreign_key="seek.id", index=True)
    match_id: int = Field(foreign_key="match.id", index=True)


class Contact(SQLModel, table=True):
    """A letter that one member wrote to another through us; `answers` when it was a reply."""

    __table_args__ = (Index("ix_contact_sender", "sender_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    sender_id: int = Field(foreign_key="person.id")
    recipient_id: int = Field(foreign_key="person.id", index=True)
    answers: bool = False
    at: datetime


class Listing(SQLModel, table=True):
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
        _finished("ix_match_finished", "ended_at", "id", "game", "result", "reason", "ply", "options", "daily"),
        _finished("ix_match_finished_game", "game", "ended_at", "id", "result", "reason", "ply", "options", "daily"),
        Index(
            "ix_match_daily",
            "daily",
            "ply",
            sqlite_where=text("daily IS NOT NULL"),
            postgresql_where=text("daily IS NOT NULL"),
        ),
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
    policy: Policy = Field(default=Policy.AUTOMATIC, sa_type=_one_of(Policy))
    rated: bool = True
    result: str = "*"
    reason: str = ""
    ply: int = 0
    position: str
    started_at: datetime
    ended_at: datetime | None = None
    deadline: datetime | None = None
    remind_at: datetime | None = None
    undone: int = 0
    """How often a move was taken back: what was shown before then is stale, even after as many entries."""
    analysis: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether moves may be tried on a board of one's own while the match runs."""
    daily: date | None = None
    """The day whose deal this Puzzle is; None for every other match."""
    indexed_at: datetime | None = None
    """When its opening was entered into the index of positions (openings.py)."""


class Player(SQLModel, table=True):
    """A person at a seat. `bank` is the time left when the turn began, in seconds that count; `since` is when
    this player became to act, None while somebody else is, and `deadline` when the time runs out."""

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
    hours: str = ""
    """The person's hours and zone as they were when the turn began; a change counts from the next turn."""
    deadline: datetime | None = None
    remind_at: datetime | None = None
    flagged_at: datetime | None = None
    """When the time ran out of a turn that is not ended by that alone."""
    token_id: int | None = Field(default=None, foreign_key="token.id")
    put_off: int = 0
    """How often the deadline was put off because letters did not reach this player."""
    lateness: Lateness = Field(default=Lateness.NONE, sa_type=_one_of(Lateness))
    """Whether this player's time ran out, and whether that is held against him."""
    muted_at: datetime | None = None
    """Since when this player hears nothing that the others say in this match."""
    seen_ply: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How many entries there were when this player last saw the page of the match, or moved."""
    shown_ply: int = Field(default=-1, sa_column_kwargs={"server_default": "-1"})
    """How many entries the page showed when this player last looked at it; -1 before."""
    shown_remark: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The number of the last remark it showed."""
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
    bank: int | None = None
    """The mover's bank when the turn began, in seconds; None for lots, and for games from elsewhere."""
    by: By = Field(sa_type=_one_of(By))
    comment: str = ""
    hash: str


class TakenBack(SQLModel, table=True):
    """A move that was taken back by consent: no longer of the record, kept for whoever asks what happened."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    ply: int
    seat: int
    text: str
    at: datetime
    spent: int = 0
    by: By = Field(sa_type=_one_of(By))
    comment: str = ""
    taken_back_at: datetime


class Halt(SQLModel, table=True):
    """A time that counts against nobody in one match, or not against one player of it."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    cause: Cause = Field(sa_type=_one_of(Cause))
    begins_at: datetime
    ends_at: datetime


class Absence(SQLModel, table=True):
    """A time for which a person is away, in all games: announced, or spent by itself when time ran out.

    `is_applied` once every deadline of the person that it moves has been moved.
    """

    __table_args__ = (
        Index("ix_absence_person", "person_id", "ends_at"),
        Index(
            "ix_absence_new", "id", sqlite_where=text("NOT is_applied"), postgresql_where=text("NOT is_applied")
        ),
    )

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    begins_at: datetime
    ends_at: datetime
    announced: bool = True
    is_applied: bool = True


class Pulse(SQLModel, table=True):
    """The one row in which workers note that they live; a gap in it is a time when the service was down."""

    id: int = Field(default=1, primary_key=True)
    at: datetime


class Outage(SQLModel, table=True):
    """A time when no worker lived, which counts against nobody; `applied_to` is the last match put right."""

    id: int = Field(default=None, primary_key=True)
    begins_at: datetime = Field(unique=True)
    ends_at: datetime = Field(index=True)
    applied_to: int = 0
    is_applied: bool = False


class Remark(SQLModel, table=True):
    """Words about a match, said when `ply` entries had been played, or about the position then; for `audience`."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    ply: int
    text: str
    at: datetime
    audience: Audience = Field(
        default=Audience.PLAYERS,
        sa_column=Column(_one_of(Audience), nullable=False, server_default=Audience.PLAYERS.value),
    )


class Variation(SQLModel, table=True):
    """A move that somebody tried on a board of his own: a branch of his tree for one match.

    It follows `parent_id`, or the position after `ply` entries of the match where that is None.
    """

    __table_args__ = (Index("ix_variation_tree", "match_id", "person_id", "id"),)

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    person_id: int = Field(foreign_key="person.id", index=True)
    ply: int
    parent_id: int | None = Field(default=None, foreign_key="variation.id")
    seat: int
    text: str
    at: datetime


class Offer(SQLModel, table=True):
    """What a seat offers at a ply; `days` is the length of a pause."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat: int
    ply: int
    kind: OfferKind = Field(default=OfferKind.DRAW, sa_type=_one_of(OfferKind))
    days: int = 0
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
    `message_id` is the local part; the domain is added when it is posted. `held` waits for a digest, `told` was
    told in another letter.
    """

    __table_args__ = (
        Index(
            "ix_letter_due",
            "due_at",
            sqlite_where=text("state IN ('queued', 'sending', 'uncertain')"),
            postgresql_where=text("state IN ('queued', 'sending', 'uncertain')"),
        ),
        Index(
            "ix_letter_held",
            "due_at",
            sqlite_where=text("state = 'held'"),
            postgresql_where=text("state = 'held'"),
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
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=_one_of(LetterState))
    tries: int = 0
    answer: str = ""
    sent_at: datetime | None = None
    bounce: str = ""
    """How it came back: block, soft, hard or complaint; empty while it did not."""
    bounce_words: str = ""
    bounced_at: datetime | None = None


class MailDomain(SQLModel, table=True):
    """How letters go to one domain (pacing.py): each moment is in the past where it hinders nothing."""

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


class Collected(SQLModel, table=True):
    """How far a mailbox was collected; `place` is a hash of its address, `troubles` counts failures by UID as JSON."""

    place: str = Field(primary_key=True)
    validity: int = Field(default=0, sa_type=BigInteger)
    last: int = Field(default=0, sa_type=BigInteger)
    troubles: str = "{}"


class Rating(SQLModel, table=True):
    """How strong a person is at a game, by Glicko-2 (glicko.py), as it was after the last of `games` rated ones."""

    __table_args__ = (UniqueConstraint("person_id", "game"), Index("ix_rating_order", "game", "rating", "id"))

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    game: str
    rating: float
    deviation: float
    volatility: float
    games: int = 0
    updated_at: datetime
    sure_until: datetime
    """When it becomes provisional again, if no game is rated before; a time gone by where it is."""


class RatingChange(SQLModel, table=True):
    """What one rated match did to one player's rating: everything needed to undo it. `score` is 1, 0.5 or 0.

    The state before is as it was stored, not yet grown by the time since `before_at`, which is None at the first.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "person_id"),
        Index("ix_rating_change_course", "person_id", "game", "id"),
    )

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    person_id: int = Field(foreign_key="person.id")
    opponent_id: int = Field(foreign_key="person.id")
    game: str
    score: float
    games_before: int
    before_at: datetime | None = None
    rating_before: float
    deviation_before: float
    volatility_before: float
    rating: float
    deviation: float
    volatility: float
    at: datetime


class Block(SQLModel, table=True):
    """A person who wants nothing to do with another: neither is offered to the other, and words do not pass."""

    __table_args__ = (UniqueConstraint("person_id", "other_id"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    other_id: int = Field(foreign_key="person.id", index=True)
    since: datetime


class Mute(SQLModel, table=True):
    """A person who does not want to hear what another says, in any of their games."""

    __table_args__ = (UniqueConstraint("person_id", "other_id"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    other_id: int = Field(foreign_key="person.id")
    since: datetime


class Complaint(SQLModel, table=True):
    """What a person told the operator about another, and in which match it happened."""

    __table_args__ = (Index("ix_complaint_by", "person_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id")
    about_id: int = Field(foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id")
    text: str
    at: datetime
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
