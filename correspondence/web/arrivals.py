"""Registry of what a visitor's browser holds for the member who joins or signs in with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlmodel import Session

from correspondence.models import Person
from correspondence.web import guest_deal

ON_ARRIVAL: list[Callable[[Session, Person], str]] = [guest_deal.take_over]
"""Functions that store it for the member and return a sentence about it; empty if there was nothing."""


def take_over(session: Session, person: Person) -> Sequence[str]:
    """Store everything that this browser holds for a member; return the sentences to show."""
    return [sentence for keep in ON_ARRIVAL if (sentence := keep(session, person))]
