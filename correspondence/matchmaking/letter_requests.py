"""Letters that were asked for on pages by an address: the worker writes them.

A page that wrote them itself would work longer for some addresses than for others, and so tell whose are members'.
"""

from __future__ import annotations

from datetime import datetime
from json import loads

from sqlmodel import Session, col, select

from correspondence.accounts import accounts
from correspondence.matchmaking import invitations
from correspondence.models import LetterRequest, RequestKind


def waiting(session: Session, most: int) -> list[int]:
    """The numbers of so many requests, the oldest first."""
    return list(session.exec(select(LetterRequest.id).order_by(col(LetterRequest.id)).limit(most)))


def write(session: Session, number: int, *, now: datetime) -> None:
    """Write the letter of a request, if there is one to write; nothing, where another worker was here before."""
    asked = session.get(LetterRequest, number, with_for_update=True)
    if asked is None:
        return
    if asked.kind == RequestKind.JOIN:
        accounts.write_join_letter(session, mail=asked.mail, now=now, **loads(asked.payload))
    elif asked.kind == RequestKind.SIGN_IN:
        accounts.request_sign_in(session, asked.mail, now=now)
    else:
        invitations.write_letter(session, asked.mail, loads(asked.payload)["token"], now=now)
    session.delete(asked)


def drop(session: Session, number: int) -> None:
    """Forget a request that cannot be written: whoever wants the letter asks again."""
    asked = session.get(LetterRequest, number)
    if asked is not None:
        session.delete(asked)
