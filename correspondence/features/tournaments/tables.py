"""Tournaments, their rounds, entrants, pairings and byes, and what their organisers did."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from correspondence.features.tournaments.formats.field import EntrantState, Result
from correspondence.models.columns import Table, one_of, partial
from correspondence.models.terms import TermsColumns

IS_WAITING = text("due_at IS NOT NULL")
"""Query condition: tournaments with a next day on which something is due."""

IS_PERPETUAL = text("format IN ('league', 'ladder')")
"""Query condition: leagues and ladders."""

IS_TO_JUDGE = text("due_at IS NOT NULL")
"""Query condition: games of a league that wait for their judgement."""

IS_TO_SETTLE = text("settle_at IS NOT NULL")
"""Query condition: pairings whose game has ended and is not yet counted."""


class Format(StrEnum):
    """How a tournament pairs its entrants."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LEAGUE = "league"
    LADDER = "ladder"


PERPETUAL = (Format.LEAGUE, Format.LADDER)
"""Formats of which each game has one at most, which nobody organises and which never ends."""


class TournamentState(StrEnum):
    """State of a tournament."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CALLED_OFF = "called-off"


class Tournament(TermsColumns, table=True):
    """A tournament and the terms of its games.

    `players` is the number of entrants at which it begins or is full, None for any. `starts_at` is the day on which it
    begins with whoever is in; None if it begins when it is full. `due_at` is when something is due without a game that
    ends. `code` is the word to enter with. The organiser of a league or ladder is who entered first, and has no rights.
    """

    __table_args__ = (
        partial("ix_tournament_due", "due_at", where=IS_WAITING),
        Index("ix_tournament_state", "state", "id"),
        Index("ix_tournament_organiser", "organiser_id", "state"),
        Index("ix_tournament_perpetual", "format", "game", unique=True, sqlite_where=IS_PERPETUAL),
    )

    id: int = Field(default=None, primary_key=True)
    name: str
    about: str = ""
    format: Format = Field(sa_type=one_of(Format))
    state: TournamentState = Field(default=TournamentState.OPEN, sa_type=one_of(TournamentState))
    organiser_id: int = Field(foreign_key="person.id")
    created_at: datetime
    players: int | None = None
    rounds: int | None = None
    games: int = 1
    at_once: int | None = None
    round_days: int | None = None
    has_final: bool = False
    advance: int = 1
    rating_low: int | None = None
    rating_high: int | None = None
    code: str = ""
    robots_fill: bool = False
    is_closed: bool = False
    """Whether the organiser has closed entry."""
    takes_late: bool = False
    """Whether the organiser lets people enter late, until half of the rounds have begun."""
    starts_at: datetime | None = None
    begun_at: datetime | None = None
    ended_at: datetime | None = None
    due_at: datetime | None = None


class TournamentRound(Table, table=True):
    """A round or stage that has begun; `ends_at` is its last day, None if it lasts until its games are over."""

    tournament_id: int = Field(
        primary_key=True, foreign_key="tournament.id", sa_column_kwargs={"autoincrement": False}
    )  # fmt: skip
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    began_at: datetime
    ends_at: datetime | None = None
    told_at: datetime | None = None
    """When its end was told."""


class TournamentEntrant(Table, table=True):
    """A person in a tournament; `seed` is the place in order of strength, 0 before the start."""

    __table_args__ = (
        UniqueConstraint("tournament_id", "person_id"),
        Index("ix_tournament_entrant_person", "person_id"),
    )

    id: int = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    person_id: int = Field(foreign_key="person.id")
    state: EntrantState = Field(default=EntrantState.IN, sa_type=one_of(EntrantState))
    entered_at: datetime
    seed: int = 0
    rating: int = 1500
    """The rating at entry, with which it is seeded."""
    is_robot: bool = False
    first_round: int = 1
    """The first round of this entrant, later than 1 for a late entry."""
    sits_out: int | None = None
    """The round that this entrant asked to sit out, once in a Swiss tournament; the season, in a league."""
    left_at: datetime | None = None
    rank: int | None = None
    """The rank at the end, None while it is not over or without one rank for everybody."""
    replaced_by_id: int | None = Field(default=None, foreign_key="tournament_entrant.id")


class TournamentStay(Table, table=True):
    """An earlier stay of somebody who has left a ladder and entered it again."""

    __table_args__ = (Index("ix_tournament_stay_entrant", "entrant_id"),)

    id: int = Field(default=None, primary_key=True)
    entrant_id: int = Field(foreign_key="tournament_entrant.id")
    entered_at: datetime
    left_at: datetime


class TournamentPairing(Table, table=True):
    """One game of a tournament, begun or decided without one; entrants in the order of the seats.

    `leg` counts the games of two entrants in a round. `settle_at` is when the game ended or its result changed, until
    the tournament has counted it. On a ladder `round` is the number of the challenge, made at `began_at` by
    who has `challenger_seat`; until it is answered it has neither a game nor a result.
    """

    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "leg", "pair"),
        partial("ix_tournament_pairing_settle", "settle_at", where=IS_TO_SETTLE),
    )

    id: int = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    round: int
    section: int = 1
    leg: int = 1
    pair: str
    """Both entrants in ascending order, “3-7”: with `round` and `leg` it makes the pairing unique."""
    first_id: int = Field(foreign_key="tournament_entrant.id")
    second_id: int = Field(foreign_key="tournament_entrant.id")
    challenger_seat: int | None = None
    began_at: datetime | None = None
    match_id: int | None = Field(default=None, foreign_key="match.id", unique=True)
    result: Result = Field(default=Result.RUNNING, sa_type=one_of(Result))
    is_judged: bool = False
    ended_at: datetime | None = None
    late_id: int | None = Field(default=None, foreign_key="tournament_entrant.id")
    """Who lost it on time, or did not show for it."""
    is_unshown: bool = False
    """Whether it ended before both had made a first move."""
    first_used: int = 0
    second_used: int = 0
    """Counted time that each side used, in seconds."""
    settle_at: datetime | None = None


class TournamentJudging(Table, table=True):
    """A game that still ran after the last day of a season, until a robot has judged it.

    `due_at` is when a robot may search it: at once, or when the current lease expires; None afterwards.
    """

    __table_args__ = (partial("ix_tournament_judging_due", "due_at", where=IS_TO_JUDGE),)

    pairing_id: int = Field(
        primary_key=True, foreign_key="tournament_pairing.id", sa_column_kwargs={"autoincrement": False}
    )  # fmt: skip
    asked_at: datetime
    due_at: datetime | None = None
    lease: str = ""
    """Random id of the current lease: results from other workers are ignored."""
    tries: int = 0
    """Number of failed attempts."""
    failed_at: datetime | None = None


class TournamentBye(Table, table=True):
    """A round in which an entrant has no opponent; `half_points` is 2 for a whole point."""

    __table_args__ = (UniqueConstraint("tournament_id", "round", "entrant_id"),)

    id: int = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    round: int
    entrant_id: int = Field(foreign_key="tournament_entrant.id")
    half_points: int = 2
    is_asked: bool = False


class ActKind(StrEnum):
    """What was done in a tournament by its organiser, an operator, or an entrant."""

    MADE = "made"
    ANNOUNCED = "announced"
    CLOSED = "closed"
    REMOVED = "removed"
    EXTENDED = "extended"
    ADMITTED = "admitted"
    CALLED_OFF = "called off"
    WITHDREW = "withdrew"


class TournamentAct(Table, table=True):
    """An act in a tournament, written down; `person_id` did it, None if the service did."""

    __table_args__ = (Index("ix_tournament_act", "tournament_id", "at"),)

    id: int = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    person_id: int | None = Field(default=None, foreign_key="person.id")
    about_id: int | None = Field(default=None, foreign_key="person.id")
    kind: ActKind = Field(sa_type=one_of(ActKind))
    words: str = ""
    at: datetime


class TournamentConduct(Table, table=True):
    """How somebody keeps to time in tournaments: points for losses on time, and until when they are barred."""

    person_id: int = Field(primary_key=True, foreign_key="person.id", sa_column_kwargs={"autoincrement": False})
    points: int = 0
    kept: int = 0
    """Games that ended in another way since the last point; ten of them take a point away."""
    barred_until: datetime | None = None
