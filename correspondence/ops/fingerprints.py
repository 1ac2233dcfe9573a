"""What all processes of a service must agree on: keys, addresses, and that no standby has taken over unnoticed.

The database keeps keyed hashes of them, salted and slow, which give nothing away. A process that differs does not start.
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
"""The rows that hold no hash."""

COST, _MEMORY = 1 << 14, 1 << 26
"""The cost of scrypt (RFC 7914), which takes a twentieth of a second and 16 MB, and the most memory that is granted."""

_NOW = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
"""The timeline of PostgreSQL: a standby that is promoted begins a new one, and so does a recovery."""

_PROMOTED = f"""
SELECT EXISTS (
    SELECT 1 FROM fingerprint
    WHERE name = '{TIMELINE}' AND CASE WHEN pg_is_in_recovery() THEN false ELSE value <> {_NOW} END
)
"""
"""Whether the timeline is another than that which was noted; a server in recovery has none of its own."""

_ACCEPT = "If that is meant, run once: flask keys check --accept-new-key"

PROMOTED = (
    "PostgreSQL has been promoted or recovered since the service last ran, so numbers may be given twice. Stop every process "
    "of the service, then run: flask epoch new"
)


class DifferentHost(SettingError):
    """This process differs from the others in a key or an address; str() says in which, and what to do."""


def check(engine: Engine, settings: Settings, *, accepts: bool = False) -> None:
    """Compare this process with what the database knows of the others; what it does not know yet is noted.

    Makes the keys that no process has made yet. What differs is noted anew if it `accepts` it, else raises DifferentHost.
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
    """The sentence with which a process of this host would be refused; empty if none. Changes nothing."""
    known = {row.name: row.value for row in session.exec(select(Fingerprint)).all()}
    if SALT not in known:
        return ""
    own = _fingerprints(settings, known[SALT], {*known, signing.KEY_FILE, push_key.KEY_FILE})
    return _difference(settings, own, known) or (PROMOTED if _is_promoted(session) else "")


def note_timeline(session: Session) -> None:
    """Note the timeline of PostgreSQL on which the service goes on; SQLite has none."""
    if session.get_bind().dialect.name != "sqlite":
        now = session.connection().execute(text(f"SELECT {_NOW}")).scalar()
        session.merge(Fingerprint(name=TIMELINE, value=str(now)))


def _is_promoted(session: Session) -> bool:
    return session.get_bind().dialect.name != "sqlite" and bool(session.connection().execute(text(_PROMOTED)).scalar())


def refuse_promoted(engine: Engine) -> None:
    """Let every new connection to PostgreSQL fail once a standby has taken over, until a new epoch has begun.

    A URL of several hosts leads a running process to the standby by itself.
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
    """Note the keys of this process after one was changed on purpose, if fingerprints are kept."""
    if session.get(Fingerprint, SALT) is not None:
        for name, value in _fingerprints(settings, _known(session)[SALT], ()).items():
            session.merge(Fingerprint(name=name, value=value))


def make_keys(settings: Settings) -> dict[str, bool]:
    """Make every key that is not there yet; returns for each file whether it was made. Raises SettingError."""
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
    """All rows by their names, with a salt; locked until the transaction ends, so that of two first processes one is first."""
    if session.get(Fingerprint, SALT) is None:
        add_unless_there(session, Fingerprint(name=SALT, value=secrets.token_hex(16)))
    session.get_one(Fingerprint, SALT, with_for_update=True, populate_existing=True)
    return {row.name: row.value for row in session.exec(select(Fingerprint)).all()}


def _fingerprints(settings: Settings, salt: str, made: Collection[str]) -> dict[str, str]:
    """The hashes of what this process has, by name. The secret key keys all others, so where it differs they all do."""
    secret = settings.secret_key.encode()
    slow = hashlib.scrypt(secret, salt=bytes.fromhex(salt), n=COST, r=8, p=1, maxmem=_MEMORY)
    values = {KEY_FILE: b"", **_values(settings, made)}
    return {name: hmac.digest(slow, f"{name}\n".encode() + value, "sha256").hex() for name, value in values.items()}


def _values(settings: Settings, made: Collection[str]) -> dict[str, bytes]:
    """What is compared besides the secret key; keys that are not `made` anywhere yet are made here.

    A host that signs no letters need not have the DKIM key. Loopback addresses, which no other host can have, are not noted.
    """
    addresses = {"BASE_URL": settings.base_url, "MAIL_DOMAIN": settings.mail_domain}
    values = {
        name: text.casefold().encode() for name, text in addresses.items() if name in made or not _is_loopback(text)
    }
    for key in (signing.signer_of(settings), push_key.push_key_of(settings)):
        if not key.key_file.exists() and key.key_file.name not in made:
            assert key.public_key  # makes it
        values[key.key_file.name] = _content(key.key_file)
    if settings.dkim_key_file and os.access(settings.dkim_key_file, os.R_OK):
        values["DKIM_KEY_FILE"] = _content(Path(settings.dkim_key_file))
    return values


def _is_loopback(address: str) -> bool:
    return is_loopback(urlsplit(f"//{address.rpartition('//')[2]}").hostname or "")


def _content(file: Path) -> bytes:
    """The content of a key file; empty where there is none. Raises SettingError."""
    try:
        return file.read_bytes().strip() if file.exists() else b""
    except OSError as error:
        raise SettingError(f"{file} cannot be read: {error.strerror}.") from error


def _difference(settings: Settings, own: Mapping[str, str], known: Mapping[str, str]) -> str:
    """The sentence that says in what this process differs; empty if in nothing."""
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
