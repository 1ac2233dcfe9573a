"""Members, their addresses and sessions, and what a token permits."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, UniqueConstraint, false, text, true
from sqlmodel import Field

from correspondence.core.board_form import BoardForm
from correspondence.core.robot_pace import RobotPace
from correspondence.models.columns import Table, one_of, partial

IS_ROBOT = text("robot_level > 0")
"""Query condition: persons who are robots."""

SUSPENSION_ENDS = text("suspended_until IS NOT NULL")
"""Query condition: persons whose suspension has an end."""

TOKEN_OF_GAME_ENDS = text("match_id IS NOT NULL AND expires_at IS NOT NULL")
"""Query condition: tokens of a match that expire."""


WANTS_EXERCISES = text("exercise_letters")
"""Query condition: persons who get an exercise by mail each week."""


class Purpose(StrEnum):
    """What a token is for."""

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
    """The kinds of letters that a suppressed address does not get."""

    ALL = "all"
    NOTICES = "notices"


class RequestKind(StrEnum):
    """Purpose of a letter that was requested on a page."""

    JOIN = "join"
    SIGN_IN = "sign-in"
    INVITE = "invite"
    ADDRESS = "address"


class Person(Table, table=True):
    """A person who joined, or a robot; `handle_key` is the handle in lower case.

    `handle_skeleton` is a form of the handle that is equal for handles that look alike (core/handle_skeletons.py). Of
    older handles that look alike only the first has one; robots and names in imported records have none. A departed
    person has no address and is never listed; their `handle_key` and `handle_skeleton` become hashes, which reserve
    similar handles (erasure.py). A robot is a person without an address: `robot_level` is its level in its only game,
    `robot_game`; 0 and empty for people.
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
    stopped_topics: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Topics of features' letters that this person does not want, separated by blanks."""
    receipts: bool = True
    """Whether a letter confirms a move by mail."""
    confirm_moves: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a move on a page must be confirmed before it is played."""
    steps_on: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a page shows the next game after a move."""
    list_keys: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether keys such as `j` and `k` work in the list of games."""
    list_view: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """How the list of games is shown: `table`, `boards`, or empty for what suits their number."""
    games_limit: int | None = None
    """The person's own maximum of simultaneous games with people; None for that of the service."""
    board: str = Field(default=BoardForm.PICTURE.value, sa_column_kwargs={"server_default": BoardForm.PICTURE.value})
    """The form in which letters and pages show positions, a `BoardForm`."""
    game_over_letters: bool = True
    challenge_letters: bool = True
    announcement_letters: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether operators' announcements come by mail."""
    turn_delay: int = 0
    """Minutes by which a turn letter is delayed, in case the player sees the page first."""
    digest: str = "off"
    digest_hour: int = 7
    quiet_from: int | None = None
    quiet_until: int | None = None
    joined_at: datetime
    seen_at: datetime | None = None
    off_hours: str = ""
    """Hours that do not count against this person, as in calendars.py; empty if all count."""
    reminder_leads: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Hours before the deadline for reminders, longest first; empty: at four fifths of the time."""
    refuses_time_wins: bool = False
    vacation_hours_left: int = 720
    """Hours of absence left in the year since `vacation_hours_at`, or since joining."""
    vacation_hours_at: datetime | None = None
    departed_at: datetime | None = None
    robot_game: str = Field(default="", sa_column_kwargs={"server_default": ""})
    robot_level: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    rates_robots: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether this person's games with robots are rated by default."""
    robot_pace: str = Field(default=RobotPace.USUAL.value, sa_column_kwargs={"server_default": RobotPace.USUAL.value})
    """How soon robots answer this person, a `RobotPace`."""
    is_operator: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether this person is an operator with access to admin pages (accounts/operators.py)."""
    merged_into_id: int | None = None
    """The account into which this one was merged (moderation/merging.py)."""
    suspended_at: datetime | None = None
    """When an operator suspended this person (accounts/suspensions.py); None if not suspended."""
    suspended_until: datetime | None = None
    """When the suspension ends by itself; None if only an operator ends it."""
    suspended_for: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """The operator's reason."""
    is_program: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a program plays for this person: their games are unrated, and their page says so."""
    archive_licence: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Licence of finished games (archive/monthly.py): `cc0`, `no`, or empty if unanswered."""
    archive_asked_at: datetime | None = None
    """When a letter asked for the licence; it asks only once."""
    exercise_letters: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether an exercise comes by mail each week."""
    exercise_due_at: datetime | None = None
    """When the next exercise comes by mail; None if none was ever requested."""
    event_number: int | None = None
    """Number of the last event for this person's programs; None if there never was a listener."""


class Address(Table, table=True):
    """A verified mail address of a person, as written and normalised for comparison.

    Letters go to the main one; a person may write and sign in from any of them (accounts/addresses.py). `bounce_score`
    counts bounces.
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
    """An address that gets no letters, or only essential ones for play, and the reason."""

    __table_args__ = (UniqueConstraint("mail_key", "scope"),)

    id: int = Field(default=None, primary_key=True)
    mail_key: str
    scope: Scope = Field(sa_type=one_of(Scope))
    reason: str
    since: datetime


class Token(Table, table=True):
    """What a token permits; its secret is computed from `id` and the key (core/tokens.py).

    The format of `payload`, JSON, depends on the purpose.
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
    """Hash of a recovery code (outbound/recovery_codes.py); None for all other tokens."""
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None


class WebSession(Table, table=True):
    """A browser in which a person is signed in.

    `digest` is the SHA-256 of the random key in the browser's cookie. `browser` and `system` are names such as
    “Firefox” and “Linux”, empty if unknown. `seen_at` is updated at most once an hour (web_sessions.py).
    """

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    digest: str = Field(unique=True)
    browser: str = ""
    system: str = ""
    created_at: datetime
    seen_at: datetime = Field(index=True)


class LetterRequest(Table, table=True):
    """A letter requested on a page for an address; a worker decides whether it is sent.

    The page does not look up the address, so its answer and timing never reveal whether it has an account. The format
    of `payload`, JSON, depends on the kind (letter_requests.py).
    """

    id: int = Field(default=None, primary_key=True)
    kind: RequestKind = Field(sa_type=one_of(RequestKind))
    mail: str
    payload: str = "{}"
    created_at: datetime
