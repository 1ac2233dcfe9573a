"""The operator's pause of all outgoing letters, which keep their order."""

from __future__ import annotations

from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import ServiceState

_PAUSED = select(ServiceState.id).where(col(ServiceState.id) == 1, col(ServiceState.mail_paused_since).is_not(None))


def is_paused(session: Session) -> bool:
    """Whether sending is paused."""
    return db.value(session, _PAUSED) is not None
