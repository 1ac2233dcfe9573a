"""Letters to an address that pages request and the worker writes.

If the page wrote them itself, its response time would reveal whether the address is a member's.
"""

from __future__ import annotations

from datetime import datetime
from json import loads

from sqlmodel import Session

from correspondence.accounts import accounts, addresses, joining
from correspondence.matchmaking import invitations
from correspondence.models import LetterRequest, RequestKind


def write(session: Session, request_id: int, *, now: datetime) -> None:
    """Write the letter of a request, unless another worker was faster."""
    request = session.get(LetterRequest, request_id, with_for_update=True)
    if request is None:
        return
    if request.kind == RequestKind.JOIN:
        joining.write_join_letter(session, mail=request.mail, now=now, **loads(request.payload))
    elif request.kind == RequestKind.SIGN_IN:
        accounts.request_sign_in(session, request.mail, now=now)
    elif request.kind == RequestKind.ADDRESS:
        addresses.write_confirmation_letter(session, loads(request.payload)["token"], now=now)
    else:
        invitations.write_letter(session, request.mail, loads(request.payload)["token"], now=now)
    session.delete(request)


def drop(session: Session, request_id: int) -> None:
    """Delete a request whose letter cannot be written: the person has to ask again."""
    request = session.get(LetterRequest, request_id)
    if request is not None:
        session.delete(request)
