"""Read-only mode: while an operator enables it, no game changes and no clock runs.

Every entry point checks it: pages and the API before reading a form, the worker before each sweep that changes games.
Incoming mail is stored and processed afterwards. The time counts as an outage, against nobody.
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
    """Raised if the service is read-only; str() is a sentence."""


class Runs(Protocol):
    """The runtime of the service, as sweeps use it."""

    @property
    def engine(self) -> Engine:
        """The database engine."""


Sweep = TypeVar("Sweep", bound=Callable[..., int])


def reason(session: Session) -> str | None:
    """Return the operator's reason for read-only mode; None if it is off."""
    found: str | None = db.value(session, _REASON)
    return found


def told_reason(why: str) -> str:
    """Return the operator's reason, punctuated as a sentence."""
    return f"{why.rstrip('.')}."


def sentence(why: str) -> str:
    """Explain read-only mode in the current language."""
    notice = _(
        "The service is read-only at the moment: {reason} Nothing was changed. Games and clocks are paused; "
        "mail is kept and read afterwards. Please try again later."
    )
    return notice.format(reason=told_reason(why))


def refuse(session: Session) -> None:
    """Raise ReadOnlyError while the service is read-only."""
    why = reason(session)
    if why is not None:
        raise ReadOnlyError(sentence(why))


def unless_read_only(sweep: Sweep) -> Sweep:
    """Decorator for a sweep: return 0 without running it while the service is read-only.

    The sweep's first argument is the runtime.
    """

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
    """End read-only mode, and record its time as an outage."""
    state = locked_state(session)
    if state.read_only_since is not None and state.read_only_since < now:
        outages.record(session, state.read_only_since, now)
    state.read_only_since, state.read_only_for = None, ""
    session.add(state)


def locked_state(session: Session) -> ServiceState:
    """Return the single row of ServiceState, locked."""
    if session.get(ServiceState, 1) is None:
        db.add_unless_there(session, ServiceState(id=1))
    return session.get_one(ServiceState, 1, with_for_update=True, populate_existing=True)
