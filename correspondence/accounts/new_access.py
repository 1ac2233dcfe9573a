"""Push notifications, refused to suspended members."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.accounts.suspensions import refuse_suspended
from correspondence.models import Person
from correspondence.outbound import pushes


def show_notifications(
    session: Session, person: Person, web_session_id: int, endpoint: str, *, now: datetime
) -> None:  # fmt: skip
    """Subscribe a browser to notifications, like `pushes.subscribe`.

    Raises PushRefusal or SuspendedError.
    """
    refuse_suspended(person)
    pushes.subscribe(session, person, web_session_id, endpoint, now=now)
