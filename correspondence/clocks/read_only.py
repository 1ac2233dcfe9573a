"""Read-only mode: while an operator has it on, nothing changes in any game, and no clock runs.

Every door asks here: pages and programs before any form is read, the worker before each sweep that changes games. Mail that
comes in is kept and read afterwards. The time of it is an outage, which counts against nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Protocol, TypeVar

from sqlalchemy import Engine
from sqlmodel import Session, col, select

from correspondence.clocks import outages
from correspondence.core import db
from correspondence.models import ServiceState
from engines.refusal import Refusal
from engines.wording import _

_REASON = select(ServiceState.read_only_for).where(
    col(ServiceState.id) == 1, col(ServiceState.read_only_since).is_not(None)
)


class ReadOnlyError(Refusal):
    """A refusal because the service is read-only; str() is a sentence."""


class Runs(Protocol):
    """What a sweep gets: the service that it works for."""

    @property
    def engine(self) -> Engine:
        """Its database."""


Sweep = TypeVar("Sweep", bound=Callable[..., int])


def reason(session: Session) -> str | None:
    """Why the service is read-only, in the operator's words; None while it is not."""
    found: str | None = db.value(session, _REASON)
    return found


def told_reason(why: str) -> str:
    """The operator's reason as a sentence of its own."""
    return f"{why.rstrip('.')}."


def sentence(why: str) -> str:
    """What people are told meanwhile, in the current language."""
    notice = _(
        "The service is read-only at the moment: {reason} Nothing was changed. Games and clocks stand still; mail is kept and "
        "read afterwards. Please try again later."
    )
    return notice.format(reason=told_reason(why))


def refuse(session: Session) -> None:
    """Raise ReadOnlyError while the service is read-only."""
    why = reason(session)
    if why is not None:
        raise ReadOnlyError(sentence(why))


def unless_read_only(sweep: Sweep) -> Sweep:
    """A sweep that finds nothing to do while the service is read-only; its first argument says for which service."""

    @wraps(sweep)
    def run(runtime: Runs, *given: object, **more: object) -> int:
        with db.reading(runtime.engine) as session:
            is_read_only = reason(session) is not None
        return 0 if is_read_only else sweep(runtime, *given, **more)

    return run  # type: ignore[return-value]


def begin(session: Session, why: str, *, now: datetime) -> None:
    """Make the service read-only."""
    state = locked_state(session)
    state.read_only_since, state.read_only_for = now, why
    session.add(state)


def end(session: Session, *, now: datetime) -> None:
    """Let games go on; the time since `begin` counts against nobody."""
    state = locked_state(session)
    if state.read_only_since is not None and state.read_only_since < now:
        outages.record(session, state.read_only_since, now)
    state.read_only_since, state.read_only_for = None, ""
    session.add(state)


def locked_state(session: Session) -> ServiceState:
    """The one row of the state of the service, held until the transaction ends."""
    if session.get(ServiceState, 1) is None:
        db.add_unless_there(session, ServiceState(id=1))
    return session.get_one(ServiceState, 1, with_for_update=True, populate_existing=True)
