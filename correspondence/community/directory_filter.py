"""Which members of the directory a reader wants to see, and in which order, as parts of its query."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, case
from sqlmodel import col, exists, func, or_, select

from correspondence.models import DirectoryListing, Inbound, Person, Rating, WebSession
from engines.wording import N_

TODAY = timedelta(days=1)
"""The time within which a member who was seen counts as here today."""

SORTS = {"name": N_("name"), "seen": N_("last here"), "rating": N_("rating"), "joined": N_("newest member")}
"""The orders of the directory, by key."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reader of the directory asked for; empty or None for anything.

    `name` is a part of the handle. `rating_low` and `rating_high` are of the named game, or else of any.
    """

    name: str = ""
    game: str = ""
    language: str = ""
    pace: str = ""
    rating_low: int | None = None
    rating_high: int | None = None
    by_post: bool = False
    is_here: bool = False
    sort: str = "name"

    def conditions(self, now: datetime) -> list[ColumnElement[bool]]:
        """Return the conditions on persons and their entries."""
        found: list[ColumnElement[bool]] = []
        if self.name:
            found.append(col(Person.handle_key).contains(self.name.casefold(), autoescape=True))
        likes = (DirectoryListing.games, self.game), (DirectoryListing.languages, self.language)
        for column, key in (*likes, (DirectoryListing.paces, self.pace)):
            if key:
                found.append((" " + col(column) + " ").contains(f" {key} ", autoescape=True))
        if self.rating_low is not None or self.rating_high is not None:
            found.append(self._rated())
        if self.is_here:
            found += [_shows_seen(), _was_here(now - TODAY)]
        return found

    def _rated(self) -> ColumnElement[bool]:
        rated = exists().where(col(Rating.person_id) == col(Person.id))
        if self.game:
            rated = rated.where(col(Rating.game) == self.game)
        if self.rating_low is not None:
            rated = rated.where(col(Rating.rating) >= self.rating_low)
        return rated if self.rating_high is None else rated.where(col(Rating.rating) < self.rating_high + 1)

    def order(self) -> tuple[Any, ...]:
        """Return the order of the entries; whoever does not say when they were here comes last by `seen`."""
        by_name = col(Person.handle_key)
        if self.sort == "rating":
            best = select(func.max(Rating.rating)).where(col(Rating.person_id) == col(Person.id))
            if self.game:
                best = best.where(col(Rating.game) == self.game)
            return func.coalesce(best.correlate(Person).scalar_subquery(), 0).desc(), by_name
        if self.sort == "seen":
            at_page = select(func.max(WebSession.seen_at)).where(col(WebSession.person_id) == col(Person.id))
            seen = func.coalesce(at_page.correlate(Person).scalar_subquery(), col(Person.joined_at))
            return case((_shows_seen(), 0), else_=1), seen.desc(), by_name
        if self.sort == "joined":
            return col(Person.joined_at).desc(), by_name
        return (by_name,)


def _shows_seen() -> ColumnElement[bool]:
    return col(DirectoryListing.shows_seen).is_not(False)


def _was_here(since: datetime) -> ColumnElement[bool]:
    """Whether the person joined, used a page or wrote a mail since then."""
    at_page = exists().where(col(WebSession.person_id) == col(Person.id), col(WebSession.seen_at) > since)
    by_mail = exists().where(col(Inbound.person_id) == col(Person.id), col(Inbound.received_at) > since)
    return or_(col(Person.joined_at) > since, col(Person.seen_at) > since, at_page, by_mail)
