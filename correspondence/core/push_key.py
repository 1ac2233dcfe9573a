"""The P-256 key that identifies this installation to push services (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from correspondence.core.config import SettingError, Settings
from correspondence.core.signing import write_private

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

KEY_FILE = "push_key"
"""The private key's file in the instance folder, in base64; only its owner may read it."""

VALID = timedelta(hours=12)
"""Lifetime of a signed authorization; push services accept at most a day."""

_BYTES = 32


@dataclass(frozen=True, slots=True)
class PushKey:
    """Signs messages to push services; `contact` is the person responsible."""

    contact: str
    key_file: Path

    @property
    def public_key(self) -> str:
        """The public key for browsers: an uncompressed point in base64url. Raises SettingError."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        public = _private_key(self.key_file).public_key()
        return _encoded(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def authorization(self, endpoint: str, *, now: datetime) -> str:
        """Return the `Authorization` header of a message to `endpoint`. Raises SettingError."""
        from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256

        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + VALID).timestamp()), "sub": self.contact,
        }  # fmt: skip
        signed = ".".join(_encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(_private_key(self.key_file).sign(signed.encode(), ECDSA(SHA256())))
        signature = _encoded(r.to_bytes(_BYTES, "big") + s.to_bytes(_BYTES, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"


def push_key_of(settings: Settings) -> PushKey:
    """Return the key of an installation; its file is created on first use."""
    contact = (
        settings.base_url if settings.base_url.startswith("https:") else f"mailto:postmaster@{settings.mail_domain}"
    )
    return PushKey(contact, settings.instance / KEY_FILE)


def _private_key(file: Path) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    if not file.exists():
        secret = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        write_private(file, base64.b64encode(secret.to_bytes(_BYTES, "big")).decode("ascii"))
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(file: Path, _changed_at: int) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        secret = base64.b64decode(file.read_text("ascii").strip(), validate=True)
        return ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())
    except (OSError, ValueError) as error:
        raise SettingError(f"{file} holds no key for push services: 32 bytes in base64 are expected.") from error


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
