"""The service's signing key, Ed25519 (RFC 8032) in the instance folder, for record heads.

The contract is in docs/fairness.md, “Signature”. Anybody can verify with the public key alone. `cryptography` takes 8
MB, so it is imported on use.
"""

from __future__ import annotations

import base64
import binascii
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine
from sqlmodel import Session

from correspondence.core import db
from correspondence.core.config import SettingError, Settings
from engines.verification.chain import signed_message

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_FILE = "signing_key"
"""The private key's file in the instance folder, in base64; only its owner may read it."""

_PUBLIC = ".public"
"""Suffix of the file that caches the public key together with a hash of its private key."""

_SIGNER = "correspondence_signer"
"""Engine option that holds the signer."""

_KEY_BYTES, _SIGNATURE_BYTES = 32, 64


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs the heads of this site's records; `base_url` is the site's address."""

    base_url: str
    key_file: Path

    def site(self, match_id: int) -> str:
        """Return the URL of a match, which identifies it in records and signatures."""
        return f"{self.base_url}/games/{match_id}"

    @property
    def public_key(self) -> str:
        """The public key in base64. Raises SettingError if the key is unreadable."""
        return _public_key(self.key_file, _secret_key(self.key_file))

    def sign(self, site: str, ply: int, head: str) -> str:
        """Sign the head of a record with `ply` entries, in base64. Raises SettingError."""
        _key, signature = self.key_and_signature(site, ply, head)
        return signature

    def key_and_signature(self, site: str, ply: int, head: str) -> tuple[str, str]:
        """Return the public key and signature, which match even if the key is replaced meanwhile."""
        return self.sign_text(signed_message(site, ply, head))

    def sign_text(self, text: bytes) -> tuple[str, str]:
        """Sign a self-describing text; return key and signature in base64. Raises SettingError."""
        secret = _secret_key(self.key_file)
        return _public_key(self.key_file, secret), _encoded(_private_key(secret).sign(text))


@lru_cache(maxsize=32)
def signer_of(settings: Settings) -> Signer:
    """Return the signer of an installation; its key is created on first use."""
    return Signer(settings.base_url, settings.instance / KEY_FILE)


def sign_by(engine: Engine, signer: Signer) -> None:
    """Make this signer sign the ends of games in this database."""
    for each in (engine, db.read_only(engine)):
        each.update_execution_options(**{_SIGNER: signer})


def signer_for(session: Session) -> Signer | None:
    """Return the signer of this session's database; None outside an application."""
    signer: Signer | None = session.get_bind().get_execution_options().get(_SIGNER)
    return signer


def check_signature(key: str, signature: str, message: bytes) -> bool:
    """Whether `key` made this signature of `message`; False if either is malformed."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        raw_key, raw_signature = _decoded(key, _KEY_BYTES), _decoded(signature, _SIGNATURE_BYTES)
        Ed25519PublicKey.from_public_bytes(raw_key).verify(raw_signature, message)
    except (ValueError, InvalidSignature):
        return False
    return True


def make_new_key(signer: Signer) -> str:
    """Replace the key; return the new public key. Raises SettingError."""
    _write(signer.key_file, replaces=True)
    return signer.public_key


def _secret_key(file: Path) -> bytes:
    try:
        changed_at = file.stat().st_mtime_ns
    except FileNotFoundError:
        _write(file, replaces=False)
        changed_at = file.stat().st_mtime_ns
    return _read(file, changed_at)


@lru_cache(maxsize=8)
def _read(file: Path, _changed_at: int) -> bytes:
    try:
        return _decoded(file.read_text("ascii").strip(), _KEY_BYTES)
    except (OSError, ValueError) as error:
        raise SettingError(f"{file} holds no signing key: 32 bytes in base64 are expected.") from error


@lru_cache(maxsize=8)
def _private_key(secret: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret)


@lru_cache(maxsize=8)
def _public_key(file: Path, secret: bytes) -> str:
    """Return the public key from its cache file; rewrite the file if missing or of another key."""
    kept, mark = file.with_name(file.name + _PUBLIC), sha256(secret).hexdigest()
    with suppress(OSError, ValueError):
        whose, public = kept.read_text("ascii").split()
        if whose == mark:
            return public
    public = _encoded(_private_key(secret).public_key().public_bytes_raw())
    with suppress(SettingError):  # the file is only a cache
        write_private(kept, f"{mark} {public}", replaces=True)
    return public


def _write(file: Path, *, replaces: bool) -> None:
    write_private(file, _encoded(os.urandom(_KEY_BYTES)), replaces=replaces)  # RFC 8032 requires no more


def write_private(file: Path, text: str, *, replaces: bool = False) -> None:
    """Write a secret file that only its owner may read; if it exists, only if `replaces`.

    Without `replaces`, the first of several processes wins. Raises SettingError.
    """
    new = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as opened:
            opened.write(text + "\n")
        if replaces:
            new.replace(file)
        else:
            _link(new, file)
    except OSError as error:
        raise SettingError(f"{file} cannot be written: {error.strerror}.") from error


def _link(new: Path, file: Path) -> None:
    with suppress(FileExistsError):
        os.link(new, file)
    new.unlink()


def _encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _decoded(text: str, length: int) -> bytes:
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("This is not base64.") from error
    if len(raw) != length or _encoded(raw) != text:
        raise ValueError(f"{length} bytes in base64 are expected.")
    return raw
