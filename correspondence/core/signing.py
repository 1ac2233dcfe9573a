"""The service's signature: an Ed25519 key (RFC 8032) in the instance folder, with which the heads of records are signed.

The contract is in docs/fairness.md, “Signature”. Whoever has the public key can check without asking us. `cryptography`,
which takes 8 MB, is imported where something is signed or checked.
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
"""The file in the instance folder that holds the private key, in base64; nobody but its owner may read it."""

_PUBLIC = ".public"
"""What is added to its name for the file that keeps the public key, after a hash of the private one that it belongs to."""

_SIGNER = "correspondence_signer"
"""Names the signer among the options of an engine."""

_KEY_BYTES, _SIGNATURE_BYTES = 32, 64


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs the heads of this site's records. `base_url` is where the site's pages are."""

    base_url: str
    key_file: Path

    def site(self, match_id: int) -> str:
        """The page of a match, by which a record and a signature name it."""
        return f"{self.base_url}/games/{match_id}"

    @property
    def public_key(self) -> str:
        """The public key in base64, as records name it. Raises SettingError where the key cannot be read."""
        return _public_key(self.key_file, _secret_key(self.key_file))

    def sign(self, site: str, ply: int, head: str) -> str:
        """The signature, in base64, of the record that has `ply` entries and this head. Raises SettingError."""
        _key, signature = self.key_and_signature(site, ply, head)
        return signature

    def key_and_signature(self, site: str, ply: int, head: str) -> tuple[str, str]:
        """The public key, and the signature that `sign` gives; of one key, even where a new one is made meanwhile."""
        return self.sign_text(signed_message(site, ply, head))

    def sign_text(self, text: bytes) -> tuple[str, str]:
        """The public key and the signature, in base64, of a text that says itself what it is. Raises SettingError."""
        secret = _secret_key(self.key_file)
        return _public_key(self.key_file, secret), _encoded(_private_key(secret).sign(text))


@lru_cache(maxsize=32)
def signer_of(settings: Settings) -> Signer:
    """The signer of an installation; its key is made when it is first needed."""
    return Signer(settings.base_url, settings.instance / KEY_FILE)


def sign_by(engine: Engine, signer: Signer) -> None:
    """Let the ends of games in this database be signed by this signer."""
    for each in (engine, db.read_only(engine)):
        each.update_execution_options(**{_SIGNER: signer})


def signer_for(session: Session) -> Signer | None:
    """The signer of the ends of games in this session's database; None outside of an application."""
    signer: Signer | None = session.get_bind().get_execution_options().get(_SIGNER)
    return signer


def check_signature(key: str, signature: str, message: bytes) -> bool:
    """Whether this key made this signature of a message; False for what is no key or signature."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        raw_key, raw_signature = _decoded(key, _KEY_BYTES), _decoded(signature, _SIGNATURE_BYTES)
        Ed25519PublicKey.from_public_bytes(raw_key).verify(raw_signature, message)
    except (ValueError, InvalidSignature):
        return False
    return True


def make_new_key(signer: Signer) -> str:
    """Put a new key in the place of the old one; returns the new public key. Raises SettingError."""
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
    """The public key as it is kept; made and kept where there is none, or that of another private key."""
    kept, mark = file.with_name(file.name + _PUBLIC), sha256(secret).hexdigest()
    with suppress(OSError, ValueError):
        whose, public = kept.read_text("ascii").split()
        if whose == mark:
            return public
    public = _encoded(_private_key(secret).public_key().public_bytes_raw())
    with suppress(SettingError):  # it is only spared work
        write_private(kept, f"{mark} {public}", replaces=True)
    return public


def _write(file: Path, *, replaces: bool) -> None:
    write_private(file, _encoded(os.urandom(_KEY_BYTES)), replaces=replaces)  # RFC 8032 asks for no more


def write_private(file: Path, text: str, *, replaces: bool = False) -> None:
    """Write a secret that its owner alone may read, in the place of another if it `replaces` one.

    Else the secret of the process that came first stays. Raises SettingError.
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
