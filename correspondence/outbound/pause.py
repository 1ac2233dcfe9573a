"""The pause of all letters, which an operator can begin and end: they wait in order meanwhile."""

from __future__ import annotations

from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import ServiceState

_PAUSED = select(ServiceState.id).where(col(ServiceState.id) == 1, col(ServiceState.mail_paused_since).is_not(None))


def is_paused(session: Session) -> bool:
    """Whether no letter may leave now."""
    return db.value(session, _PAUSED) is not None
