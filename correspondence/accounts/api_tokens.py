"""Personal API tokens, with which programs act for a member.

A token is `corr_` and 40 random letters and digits, shown once when it is made. The row stores its hash, so that a copy
of the database gives no access. Secret scanners and log redaction search for the prefix. A letter notifies the member
of each new token. Signing out everywhere revokes all tokens.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, delete, literal, update
from sqlalchemy import select as core_select
from sqlmodel import Session, col, func, or_, select

from correspondence.accounts.accounts import PeopleError, command_token, require_room
from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.accounts.person_rows import PERSON_COLUMNS
from correspondence.accounts.suspensions import refuse_suspended
from correspondence.core import db
from correspondence.core.tokens import API_PREFIX
from correspondence.models import ApiScope, ApiToken, Person
from correspondence.models.locks import hold_person
from correspondence.outbound import events, kinds
from correspondence.outbound.letters import Draft, to_person, write_letter
from engines.wording import _

MOST = 20
"""Maximum number of valid tokens of a member."""

ON_ENDED: list[Callable[[Session, Collection[int]], None]] = []
"""Functions of features, called with the ids of tokens that end, in the same transaction."""

NOTICES = LetterBudget(kinds.API_TOKEN, per_hour=30, per_day=30)
"""Maximum number of letters that announce new tokens to a member."""

LONGEST_NAME = 40
"""Maximum length of a token's name, in characters."""

IDLE = timedelta(days=365)
"""Time after which an unused token expires."""

KEPT = timedelta(days=30)
"""Time for which an expired or revoked token is stored, so that its program gets the reason."""

NOTED_EVERY = timedelta(days=1)
"""Minimum time between two updates of `used_at`."""

_BYTES = 25  # 200 bits, forty characters of base32

_used_at = func.coalesce(col(ApiToken.used_at), col(ApiToken.created_at))

_BY_DIGEST: Any = (
    core_select(
        *(*PERSON_COLUMNS, literal(0).label("session_id")),
        *(col(ApiToken.id).label("token_id"), col(ApiToken.scope), col(ApiToken.revoked_at)),
        _used_at.label("used_at"),
    )
    .join_from(ApiToken, Person, col(Person.id) == col(ApiToken.person_id))
    .where(col(ApiToken.digest) == bindparam("digest"))
)

_ENDED = (
    select(ApiToken.id)
    .where(or_(col(ApiToken.revoked_at) <= bindparam("revoked_before"), _used_at <= bindparam("used_before")))
    .order_by(col(ApiToken.id))
    .limit(bindparam("most"))
)


def make(session: Session, person: Person, name: str, scope: ApiScope, *, now: datetime) -> str:
    """Make a token, notify the person by letter, and return the secret, which is not stored.

    Raises PeopleError or SuspendedError.
    """
    refuse_suspended(person)
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        sentence = _("Please give the token a name of at most {most} characters, such as that of your program.")
        raise PeopleError(sentence.format(most=LONGEST_NAME))
    hold_person(session, person)
    if len(live_tokens(session, person.id, now=now)) >= MOST:
        raise PeopleError(_("You have {most} tokens. Please revoke one that you no longer use.").format(most=MOST))
    require_room(session, person, NOTICES, now=now)
    secret = API_PREFIX + base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()
    row = ApiToken(person_id=person.id, name=name, scope=scope, digest=digest_of(secret), created_at=now)
    session.add(row)
    events.begin(session, person)
    session.flush()
    command = command_token(session, person, now=now)
    draft = Draft(kinds.API_TOKEN, f"api-token:{row.id}", reply_token=command.id)
    facts = {"handle": person.handle, "name": name, "may_play": scope == ApiScope.PLAY}
    write_letter(session, to_person(session, person), draft, now=now, **facts)
    return secret


def find(session: Session, secret: str) -> Row[Any] | None:
    """Return a token and its person as one row of plain values, or None.

    The row holds `PERSON_COLUMNS`, `token_id`, `scope`, `revoked_at`, and `used_at`, the time of its last recorded use.
    None if there is no such token or the person has left.
    """
    row = session.connection().execute(_BY_DIGEST, {"digest": digest_of(secret)}).first()
    return None if row is None or row.departed_at is not None else row


def is_ended(row: Row[Any], *, now: datetime) -> bool:
    """Whether the token that `find` returned is revoked or was unused for too long."""
    return row.revoked_at is not None or bool(row.used_at + IDLE <= now)


def needs_note(row: Row[Any], *, now: datetime) -> bool:
    """Whether the last recorded use is so old that it should be updated."""
    return bool(row.used_at + NOTED_EVERY <= now)


def note_use(session: Session, token_id: int, *, now: datetime) -> None:
    """Update the time of the token's last use."""
    session.execute(update(ApiToken).where(col(ApiToken.id) == token_id).values(used_at=now))


def live_tokens(session: Session, person_id: int, *, now: datetime) -> Sequence[ApiToken]:
    """Return the valid tokens of a person, oldest first."""
    used_at = func.coalesce(col(ApiToken.used_at), col(ApiToken.created_at))
    query = select(ApiToken).where(col(ApiToken.person_id) == person_id, col(ApiToken.revoked_at).is_(None))
    return session.exec(query.where(used_at > now - IDLE).order_by(col(ApiToken.id))).all()


def revoke(session: Session, person_id: int, token_id: int, *, now: datetime) -> None:
    """Revoke one token of this person.

    Does nothing if the token belongs to somebody else. Revoking twice keeps the first time.
    """
    row = session.get(ApiToken, token_id, with_for_update=True, populate_existing=True)
    if row is None or row.person_id != person_id:
        return
    row.revoked_at = row.revoked_at or now
    session.add(row)
    _announce_end(session, [token_id])


def revoke_all(session: Session, person_id: int, *, now: datetime) -> None:
    """Revoke all API tokens of this person."""
    mine = update(ApiToken).where(col(ApiToken.person_id) == person_id, col(ApiToken.revoked_at).is_(None))
    session.execute(mine.values(revoked_at=now))


def _announce_end(session: Session, token_ids: Collection[int]) -> None:
    for notify in ON_ENDED:
        notify(session, token_ids)


def name_of(session: Session, token_id: int) -> str:
    """Return the name of a token; empty if it does not exist."""
    return session.exec(select(ApiToken.name).where(col(ApiToken.id) == token_id)).first() or ""


def prune(session: Session, most: int, *, now: datetime) -> int:
    """Delete up to `most` tokens that ended more than `KEPT` ago; return their number."""
    found = db.rows(session, _ENDED, revoked_before=now - KEPT, used_before=now - IDLE - KEPT, most=most)
    numbers = [number for (number,) in found]
    if numbers:
        _announce_end(session, numbers)
        session.execute(delete(ApiToken).where(col(ApiToken.id).in_(numbers)))
    return len(numbers)


def digest_of(secret: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()
