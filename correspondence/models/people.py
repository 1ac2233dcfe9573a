"""Who joined, at which addresses he is written to, and what a token lets its holder do."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, UniqueConstraint, false, text, true
from sqlmodel import Field

from correspondence.core.board_form import BoardForm
from correspondence.core.robot_pace import RobotPace
from correspondence.models.columns import Table, one_of, partial

IS_ROBOT = text("robot_level > 0")
"""Persons who are robots."""

SUSPENSION_ENDS = text("suspended_until IS NOT NULL")
"""Persons whose suspension ends by itself."""

TOKEN_OF_GAME_ENDS = text("match_id IS NOT NULL AND expires_at IS NOT NULL")
"""Tokens that belong to a match and do not last for ever."""


WANTS_EXERCISES = text("exercise_letters")
"""Persons who get an exercise by mail each week."""


class Purpose(StrEnum):
    """What a token is good for."""

    JOIN = "join"
    SIGN_IN = "sign-in"
    PLAY = "play"
    SEEK = "seek"
    COMMANDS = "commands"
    RESIGN = "resign"
    EXPORT = "export"
    FORGET = "forget"
    STOP = "stop"
    RENEW = "renew"
    INVITE = "invite"
    CONTACT = "contact"
    CALENDAR = "calendar"
    ANALYSIS = "analysis"
    PROPOSAL = "proposal"
    ADDRESS = "address"
    ADDRESS_UNDO = "address-undo"
    HELPER_UNDO = "helper-undo"
    RECOVERY = "recovery"
    EXERCISE = "exercise"


class Scope(StrEnum):
    """Which letters an address does not get."""

    ALL = "all"
    NOTICES = "notices"


class RequestKind(StrEnum):
    """What a letter is for that was asked for on a page."""

    JOIN = "join"
    SIGN_IN = "sign-in"
    INVITE = "invite"
    ADDRESS = "address"


class Person(Table, table=True):
    """Somebody who joined. `handle_key` is the handle in lower case.

    `handle_skeleton` is what the handle looks like (core/handle_skeletons.py): of those that look alike the first has it,
    and later ones, which joined before this was noted, have none. Robots and names of imported records have none either.
    A departed person has no address and is never shown in lists; the `handle_key` and `handle_skeleton` of one who left are
    hashes, which keep handles like it from others (erasure.py).

    A robot is a person without an address: `robot_level` is the level at which it plays its one game, `robot_game`;
    0 and empty for people.
    """

    __table_args__ = (
        partial("ix_person_robot", "robot_game", "robot_level", where=IS_ROBOT),
        partial("ix_person_suspended", "suspended_until", where=SUSPENSION_ENDS),
        partial("ix_person_exercise", "exercise_due_at", where=WANTS_EXERCISES),
    )

    id: int = Field(default=None, primary_key=True)
    handle: str
    handle_key: str = Field(unique=True)
    handle_skeleton: str | None = Field(default=None, index=True, unique=True)
    language: str = "en"
    zone: str = "UTC"
    text_only: bool = False
    turn_letters: bool = True
    talk_letters: bool = True
    reminders: bool = True
    receipts: bool = True
    """Whether a letter says what was played, after a move by mail."""
    confirm_moves: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a move sent from a page is shown once more before it is played."""
    board: str = Field(default=BoardForm.PICTURE.value, sa_column_kwargs={"server_default": BoardForm.PICTURE.value})
    """The form in which letters and pages show positions, a `BoardForm`."""
    game_over_letters: bool = True
    challenge_letters: bool = True
    announcement_letters: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether a letter brings what operators announce to everybody."""
    turn_delay: int = 0
    """Minutes for which a letter that it is one's turn waits, in case the game is looked at on its page."""
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None
    joined_at: datetime
    seen_at: datetime | None = None
    off_hours: str = ""
    """Which time counts against this person, as calendars.py writes it; empty where all of it does."""
    reminder_leads: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """How many hours before the deadline to remind, longest first and apart by blanks; empty for after four fifths."""
    refuses_time_wins: bool = False
    vacation_hours_left: int = 720
    """Hours of absence that are left for the year which began at `vacation_hours_at`, or on joining."""
    vacation_hours_at: datetime | None = None
    departed_at: datetime | None = None
    robot_game: str = Field(default="", sa_column_kwargs={"server_default": ""})
    robot_level: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    rates_robots: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether this person's games with robots are rated where they do not say."""
    robot_pace: str = Field(default=RobotPace.USUAL.value, sa_column_kwargs={"server_default": RobotPace.USUAL.value})
    """How soon robots answer this person, a `RobotPace`."""
    is_operator: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether this person looks after the service and sees its desk (accounts/operators.py)."""
    merged_into_id: int | None = None
    """The number of the account that this one was merged into (moderation/merging.py), to which its handle leads."""
    suspended_at: datetime | None = None
    """Since when an operator has suspended this person (accounts/suspensions.py); None for everybody else."""
    suspended_until: datetime | None = None
    """When the suspension ends by itself; None where only an operator ends it."""
    suspended_for: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The reason that the operator gave."""
    is_program: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a program plays for this person: then their games are not rated, and their page says so."""
    archive_licence: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Whether finished games are given to everybody (archive/monthly.py): `cc0`, `no`, or empty for no answer yet."""
    archive_asked_at: datetime | None = None
    """When a letter asked for that answer; none asks twice."""
    exercise_letters: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether an exercise comes by mail each week."""
    exercise_due_at: datetime | None = None
    """When the next one comes; None where none was ever asked for."""
    event_number: int | None = None
    """The number of the last event for this person's programs; None while no program has ever listened."""


class Address(Table, table=True):
    """A verified mail address of a person, as written and as compared; `bounce_score` counts letters that came back.

    Letters go to the main one; a person may write and sign in from any of them (accounts/addresses.py).
    """

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    mail: str
    mail_key: str = Field(unique=True)
    is_main: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    verified_at: datetime
    bounce_score: int = 0
    bounced_at: datetime | None = None


class Suppression(Table, table=True):
    """An address that gets no letters, or none but those needed to play on, and why."""

    __table_args__ = (UniqueConstraint("mail_key", "scope"),)

    id: int = Field(default=None, primary_key=True)
    mail_key: str
    scope: Scope = Field(sa_type=one_of(Scope))
    reason: str
    since: datetime


class Token(Table, table=True):
    """What a token may do; the secret itself is spelled from `id` and the key (tokens.py).

    `payload` is JSON whose form belongs to the purpose.
    """

    __table_args__ = (
        Index("ix_token_person", "person_id", "purpose"),
        partial("ix_token_ends", "expires_at", where=TOKEN_OF_GAME_ENDS),
    )

    id: int = Field(default=None, primary_key=True)
    purpose: Purpose = Field(sa_type=one_of(Purpose))
    person_id: int | None = Field(default=None, foreign_key="person.id")
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    payload: str = "{}"
    digest: str | None = Field(default=None, index=True)
    """The hash of a recovery code (outbound/recovery_codes.py); None for all other tokens, which hold no secret."""
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None


class WebSession(Table, table=True):
    """A browser in which a person is signed in.

    `digest` is the SHA-256 of the random key that the browser's cookie holds. `browser` and `system` are names
    such as “Firefox” and “Linux”, empty where they are not known. `seen_at` is noted once an hour at most
    (web_sessions.py).
    """

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    digest: str = Field(unique=True)
    browser: str = ""
    system: str = ""
    created_at: datetime
    seen_at: datetime = Field(index=True)


class LetterRequest(Table, table=True):
    """A letter that somebody asked for on a page, by an address: whether it is written, the worker finds out.

    The page looks nothing up about the address, so that its answer and its work never depend on who has it.
    `payload` is JSON whose form belongs to the kind (letter_requests.py).
    """

    id: int = Field(default=None, primary_key=True)
    kind: RequestKind = Field(sa_type=one_of(RequestKind))
    mail: str
    payload: str = "{}"
    created_at: datetime
