"""The service's public signing keys: current keys, former keys, and rotation.

Source: docs/fairness.md, “Signature”. Old keys stay listed for ever, so that old records can be checked.
"""

from __future__ import annotations

from datetime import date

from sqlmodel import Session, col, select

from correspondence.core.db import add_unless_there
from correspondence.core.signing import Signer, make_new_key
from correspondence.models import SigningKey


def is_listed(session: Session, signer: Signer) -> bool:
    """Whether the current signing key is listed."""
    return session.get(SigningKey, signer.public_key) is not None


def in_use(session: Session) -> frozenset[str]:
    """Return the listed keys without an end date: one, unless processes use different keys."""
    return frozenset(session.exec(select(SigningKey.public).where(col(SigningKey.until).is_(None))))


def register(session: Session, signer: Signer, *, today: date) -> None:
    """List the current signing key from today on, if it is not listed yet."""
    if not is_listed(session, signer):
        add_unless_there(session, SigningKey(public=signer.public_key, since=today))


def own(session: Session, signer: Signer) -> frozenset[str]:
    """Return every public key with which this service signs or has signed."""
    return frozenset([signer.public_key, *session.exec(select(SigningKey.public))])


def rotate(session: Session, signer: Signer, *, today: date) -> str:
    """Make a new signing key and close the old one; return the new public key."""
    register(session, signer, today=today)
    old = session.get_one(SigningKey, signer.public_key)
    new = make_new_key(signer)
    old.until = today
    session.add(old)
    register(session, signer, today=today)
    return new


def published(session: Session) -> list[dict[str, str | None]]:
    """Return every key, oldest first, as `/.well-known/correspondence-keys.json` lists them."""
    rows = session.exec(select(SigningKey).order_by(col(SigningKey.since), col(SigningKey.public)))
    return [
        {"key": row.public, "from": row.since.isoformat(), "until": row.until.isoformat() if row.until else None}
        for row in rows
    ]
