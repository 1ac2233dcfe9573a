"""The register of all acts by name, with their titles and how to undo them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from sqlmodel import Session

from correspondence.models import OperatorAct
from correspondence.moderation import accounts_of_members, acts, announcements, members, merging, results, service, talk
from correspondence.moderation.acts import Act, ActError, Operator
from engines.wording import _

ACTS: Mapping[str, Act] = MappingProxyType(
    {
        act.name: act
        for act in (
            *(members.WARN, members.SUSPEND, members.RESTORE, members.END_SESSIONS),
            *(talk.HIDE_TALK, talk.SHOW_TALK, results.CORRECT, results.ANNUL),
            *(accounts_of_members.CHANGE_ADDRESS, accounts_of_members.DELETE_SPAM, merging.MERGE),
            *(service.READ_ONLY, service.PAUSE_MAIL, announcements.ANNOUNCE),
        )
    }
)
"""Every act, by the name of its page and its command, in the order of both."""


def title_of(kind: str) -> str:
    """Return the title of an act in the current language; its name if the act no longer exists."""
    return _(ACTS[kind].title) if kind in ACTS else kind


def is_reversible(kind: str) -> bool:
    """Whether `undo` reverses acts of this kind."""
    return kind in ACTS and ACTS[kind].undo is not None


def undo(session: Session, number: int, operator: Operator, *, now: datetime) -> OperatorAct:
    """Undo the act with this number. Raises ActError."""
    row = acts.act_row(session, number)
    if row.kind not in ACTS:
        raise ActError(_("Act {number} cannot be reversed.").format(number=number))
    acts.undo(session, ACTS[row.kind], row, operator, now=now)
    return row
