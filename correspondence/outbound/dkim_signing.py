"""DKIM signatures (RFC 6376) for mail servers that do not sign; needs the extra `dkim`."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from correspondence.core.config import SettingError, Settings
from correspondence.core.signing import write_private

SIGNED = (
    "from", "to", "subject", "date", "message-id", "in-reply-to", "references", "reply-to", "mime-version",
    "content-type", "list-id", "list-unsubscribe", "list-unsubscribe-post", "feedback-id", "auto-submitted",
)  # fmt: skip
"""Header fields signed if present; RFC 8058 4 requires one-click unsubscribing to be signed."""


def is_enabled(settings: Settings) -> bool:
    """Whether the settings enable DKIM signatures."""
    return bool(settings.dkim_selector or settings.dkim_key_file)


def signed(raw: bytes, settings: Settings) -> bytes:
    """Return the message, signed if signatures are enabled. Raises SettingError."""
    if not is_enabled(settings):
        return raw
    key = _key(settings.dkim_key_file)
    present = {name.lower() for name in re.findall(rb"(?m)^([!-9;-~]+):", raw.partition(b"\r\n\r\n")[0])}
    names = [name.encode() for name in SIGNED if name.encode() in present]
    dkim = _dkim()
    try:
        signature = dkim.sign(
            raw, settings.dkim_selector.encode(), settings.mail_domain.encode(), key, include_headers=names,
            canonicalize=(b"relaxed", b"relaxed"),
        )  # fmt: skip
    except dkim.DKIMException as error:
        raise SettingError(f"DKIM_KEY_FILE and DKIM_SELECTOR cannot be used to sign: {error}.") from error
    return bytes(signature) + raw


def record(settings: Settings) -> tuple[str, str]:
    """Return the name and text of the DNS record with the public key. Raises SettingError."""
    parts = _dkim().crypto.parse_pem_private_key(_key(settings.dkim_key_file))
    public = base64.b64encode(_public(parts["modulus"], parts["publicExponent"])).decode()
    name = f"{settings.dkim_selector}._domainkey.{settings.mail_domain}"
    return name, f"v=DKIM1; k=rsa; p={public}"


def problem(settings: Settings) -> str:
    """Describe why letters cannot be signed; empty if they can, or if signatures are disabled."""
    if not is_enabled(settings):
        return ""
    if not settings.dkim_selector or not settings.dkim_key_file:
        return "DKIM_SELECTOR and DKIM_KEY_FILE must both be set, or neither."
    try:
        if _bits(settings) < 1024:
            return "The key in DKIM_KEY_FILE is too short; 2048 bits are usual."
        signed(b"From: play@localhost\r\n\r\n", settings)
    except SettingError as error:
        return str(error)
    return ""


def check(settings: Settings) -> None:
    """Raise SettingError if letters cannot be signed as configured."""
    if is_enabled(settings) and (reason := problem(settings)):
        raise SettingError(reason)


def make_key(file: Path) -> None:
    """Write a new 2048-bit private key, readable only by its owner. Raises SettingError."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form, none = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    text = key.private_bytes(serialization.Encoding.PEM, form, none).decode("ascii")
    write_private(file, text.rstrip())


def _bits(settings: Settings) -> int:
    modulus: int = _dkim().crypto.parse_pem_private_key(_key(settings.dkim_key_file))["modulus"]
    return modulus.bit_length()


@lru_cache(maxsize=4)
def _key(file: str) -> bytes:
    try:
        key = Path(file).read_bytes()
    except OSError as error:
        raise SettingError(f"DKIM_KEY_FILE {file} cannot be read: {error.strerror}.") from error
    crypto = _dkim().crypto
    try:
        crypto.parse_pem_private_key(key)
    except Exception as error:  # the key parser raises several classes
        raise SettingError(f"DKIM_KEY_FILE {file} holds no RSA private key in PEM form.") from error
    return key


def _dkim() -> Any:
    try:
        import dkim  # optional: most installations let their mail server sign
    except ImportError as error:
        sentence = "DKIM_KEY_FILE is set, but dkimpy is not installed: pip install 'correspondence[dkim]'."
        raise SettingError(sentence) from error
    return dkim


def _public(modulus: int, exponent: int) -> bytes:
    """Encode a public RSA key for the DNS record (SubjectPublicKeyInfo, RFC 8017 A.1.1)."""
    key = _tlv(0x30, _integer(modulus) + _integer(exponent))
    algorithm = bytes.fromhex("300d06092a864886f70d0101010500")
    return _tlv(0x30, algorithm + _tlv(0x03, b"\0" + key))


def _integer(value: int) -> bytes:
    return _tlv(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def _tlv(tag: int, value: bytes) -> bytes:
    if len(value) < 128:
        return bytes([tag, len(value)]) + value
    size = len(value).to_bytes((len(value).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(size)]) + size + value
