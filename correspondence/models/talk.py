"""Talk, analysis, conditional moves and offers in a match."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Column, Index
from sqlmodel import Field

from correspondence.models.columns import Table, one_of


class Audience(StrEnum):
    """Who may read a remark: the players, everybody at once, or only its writer."""

    PLAYERS = "players"
    EVERYONE = "everyone"
    ME = "me"


class OfferState(StrEnum):
    """State of an offer; it lapses with the next move."""

    OPEN = "open"
    TAKEN = "taken"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class OfferKind(StrEnum):
    """What is offered to the other side."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"


class Remark(Table, table=True):
    """A remark on a match for `audience`, made when `ply` entries had been played."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    ply: int
    text: str
    at: datetime
    audience: Audience = Field(
        default=Audience.PLAYERS,
        sa_column=Column(one_of(Audience), nullable=False, server_default=Audience.PLAYERS.value),
    )
    opens_at: datetime | None = None
    """When others can read it; None if they already can."""


class Variation(Table, table=True):
    """A move tried on a person's analysis board: a branch of their tree for one match.

    It follows `parent_id`, or the position after `ply` entries of the match if that is None.
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
    comment: str = Field(default="", sa_column_kwargs={"server_default": ""})


class PlanStop(StrEnum):
    """Why a plan stopped until its owner rearms it; NONE while it is armed."""

    NONE = ""
    DEVIATED = "deviated"
    WORDS = "words"
    OFFER = "offer"
    SHOWN = "shown"
    ILLEGAL = "illegal"
    TAKEN_BACK = "taken back"


class Plan(Table, table=True):
    """One player's conditional moves in a match, secret unless both players reveal theirs.

    `tree` is a JSON object of the opponent's moves, {"A": ["reply", {…}]}, in a form that the owner may read. If
    `pending_move` is not empty, the opponent has made that move, the only one left in the tree, and it is not answered
    yet. There is no row id, because it would reveal how many others have plans.
    """

    match_id: int = Field(foreign_key="match.id", primary_key=True)
    person_id: int = Field(foreign_key="person.id", primary_key=True, index=True)
    tree: str
    pending_move: str = ""
    stop: PlanStop = Field(default=PlanStop.NONE, sa_type=one_of(PlanStop))
    last_remark_id: int = 0
    """Number of the last remark when the plan was armed; later remarks stop the plan."""
    at: datetime


class Offer(Table, table=True):
    """An offer by a seat at a ply; `days` is the length of a pause."""

    id: int = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat: int
    ply: int
    kind: OfferKind = Field(default=OfferKind.DRAW, sa_type=one_of(OfferKind))
    days: int = 0
    state: OfferState = Field(default=OfferState.OPEN, sa_type=one_of(OfferState))
    at: datetime
    closed_at: datetime | None = None
    """When the offer ended; None while it is open, and for older offers."""
