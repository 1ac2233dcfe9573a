"""Checks that all processes share keys and addresses, and that no standby has taken over.

The database stores slow, salted, keyed hashes of them, which reveal nothing. A process that differs does not start.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine, event, text
from sqlmodel import Session, select

from correspondence.core import push_key, signing
from correspondence.core.config import KEY_FILE, SettingError, Settings, is_loopback
from correspondence.core.db import add_unless_there, transaction
from correspondence.models import Fingerprint
from correspondence.outbound import dkim_signing

SALT, TIMELINE = "salt", "timeline"
"""The rows without a hash."""

COST, _MEMORY = 1 << 14, 1 << 26
"""The cost of scrypt (RFC 7914), about 50 ms and 16 MB, and its memory limit in bytes."""

_NOW = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
"""SQL expression for PostgreSQL's timeline, which changes on promotion and recovery."""

_PROMOTED = f"""
SELECT EXISTS (
    SELECT 1 FROM fingerprint
    WHERE name = '{TIMELINE}' AND CASE WHEN pg_is_in_recovery() THEN false ELSE value <> {_NOW} END
)
"""
"""SQL query whether the timeline differs from the stored one; false during recovery."""

_ACCEPT = "If that is meant, run once: flask keys check --accept-new-key"

PROMOTED = (
    "PostgreSQL has been promoted or recovered since the service last ran, so numbers may be given twice. Stop every process "
    "of the service, then run: flask epoch new"
)


class DifferentHost(SettingError):
    """Raised if this process differs from the others; str() names the key and the remedy."""


def check(engine: Engine, settings: Settings, *, accepts: bool = False) -> None:
    """Compare this process with the stored fingerprints, and store those that are missing.

    Creates missing keys. A difference is stored if it `accepts` it; otherwise it raises DifferentHost.
    """
    with transaction(engine) as session:
        known = _known(session)
        own = _fingerprints(settings, known[SALT], () if accepts else known)
        if not accepts and (difference := _difference(settings, own, known)):
            raise DifferentHost(difference)
        for name, value in own.items():
            if known.get(name) != value:
                session.merge(Fingerprint(name=name, value=value))
        if _is_promoted(session):
            raise DifferentHost(PROMOTED)
        note_timeline(session)


def problem(session: Session, settings: Settings) -> str:
    """Return the sentence that would refuse this host's processes, without changing anything."""
    known = {row.name: row.value for row in session.exec(select(Fingerprint)).all()}
    if SALT not in known:
        return ""
    own = _fingerprints(settings, known[SALT], {*known, signing.KEY_FILE, push_key.KEY_FILE})
    return _difference(settings, own, known) or (PROMOTED if _is_promoted(session) else "")


def note_timeline(session: Session) -> None:
    """Store the current timeline of PostgreSQL; SQLite has none."""
    if session.get_bind().dialect.name != "sqlite":
        now = session.connection().execute(text(f"SELECT {_NOW}")).scalar()
        session.merge(Fingerprint(name=TIMELINE, value=str(now)))


def _is_promoted(session: Session) -> bool:
    return session.get_bind().dialect.name != "sqlite" and bool(session.connection().execute(text(_PROMOTED)).scalar())


def refuse_promoted(engine: Engine) -> None:
    """Make new PostgreSQL connections fail after a failover, until a new epoch has begun.

    A URL of several hosts leads a running process to the standby automatically.
    """
    if engine.dialect.name == "sqlite":
        return

    def on_connect(connection: Any, _record: Any) -> None:
        with connection.cursor() as cursor:
            is_promoted = cursor.execute(_PROMOTED).fetchone()[0]
        connection.rollback()
        if is_promoted:
            connection.close()
            raise engine.dialect.loaded_dbapi.OperationalError(PROMOTED)

    event.listen(engine, "connect", on_connect)


def renew(session: Session, settings: Settings) -> None:
    """Store this process's keys after an intended change, if fingerprints are in use."""
    if session.get(Fingerprint, SALT) is not None:
        for name, value in _fingerprints(settings, _known(session)[SALT], ()).items():
            session.merge(Fingerprint(name=name, value=value))


def make_keys(settings: Settings) -> dict[str, bool]:
    """Create missing keys; returns whether each file was created; raises SettingError."""
    signer, pushes = signing.signer_of(settings), push_key.push_key_of(settings)
    files: dict[Path, Callable[[], object]] = {
        signer.key_file: lambda: signer.public_key, pushes.key_file: lambda: pushes.public_key
    }  # fmt: skip
    if settings.dkim_key_file:
        files[Path(settings.dkim_key_file)] = lambda: dkim_signing.make_key(Path(settings.dkim_key_file))
    missing = [file for file in files if not file.exists()]
    for file in missing:
        files[file]()
    return {str(file): file in missing for file in files}


def _known(session: Session) -> dict[str, str]:
    """Return all rows by name, with a salt, locked so that two first processes run in order."""
    if session.get(Fingerprint, SALT) is None:
        add_unless_there(session, Fingerprint(name=SALT, value=secrets.token_hex(16)))
    session.get_one(Fingerprint, SALT, with_for_update=True, populate_existing=True)
    return {row.name: row.value for row in session.exec(select(Fingerprint)).all()}


def _fingerprints(settings: Settings, salt: str, made: Collection[str]) -> dict[str, str]:
    """Return the hashes of this process's values, by name; the secret key keys all others."""
    secret = settings.secret_key.encode()
    slow = hashlib.scrypt(secret, salt=bytes.fromhex(salt), n=COST, r=8, p=1, maxmem=_MEMORY)
    values = {KEY_FILE: b"", **_values(settings, made)}
    return {name: hmac.digest(slow, f"{name}\n".encode() + value, "sha256").hex() for name, value in values.items()}


def _values(settings: Settings, made: Collection[str]) -> dict[str, bytes]:
    """Return the values to compare besides the secret key; creates keys not yet `made`.

    A host that signs no letters need not have the DKIM key. Loopback addresses, which no other host can have, are not
    stored.
    """
    addresses = {"BASE_URL": settings.base_url, "MAIL_DOMAIN": settings.mail_domain}
    values = {
        name: text.casefold().encode() for name, text in addresses.items() if name in made or not _is_loopback(text)
    }
    for key in (signing.signer_of(settings), push_key.push_key_of(settings)):
        if not key.key_file.exists() and key.key_file.name not in made:
            assert key.public_key  # creates it
        values[key.key_file.name] = _content(key.key_file)
    if settings.dkim_key_file and os.access(settings.dkim_key_file, os.R_OK):
        values["DKIM_KEY_FILE"] = _content(Path(settings.dkim_key_file))
    return values


def _is_loopback(address: str) -> bool:
    return is_loopback(urlsplit(f"//{address.rpartition('//')[2]}").hostname or "")


def _content(file: Path) -> bytes:
    """Return the content of a key file, empty if it does not exist; raises SettingError."""
    try:
        return file.read_bytes().strip() if file.exists() else b""
    except OSError as error:
        raise SettingError(f"{file} cannot be read: {error.strerror}.") from error


def _difference(settings: Settings, own: Mapping[str, str], known: Mapping[str, str]) -> str:
    """Describe how this process differs; empty if it does not."""
    differing = [name for name, value in own.items() if known.get(name, value) != value]
    if not differing:
        return ""
    if KEY_FILE in differing:  # all others are keyed by it
        differing = [KEY_FILE]
    named = ", ".join(_named(settings, name) for name in differing)
    return (
        f"This process does not have what the others of this service have: {named}. Give it the same settings and key files. "
        f"{_ACCEPT}"
    )


def _named(settings: Settings, name: str) -> str:
    file = settings.instance / name
    if name.isupper():
        return f"{name} is {getattr(settings, name.lower())}"
    return f"{name} is another" if name == KEY_FILE or file.exists() else f"{file} is missing"
