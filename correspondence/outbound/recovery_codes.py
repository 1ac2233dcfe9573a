"""Recovery codes: random, told by one letter, and kept as a hash alone once that letter has left.

A code is made of a nonce of 160 random bits and the service's key. The nonce stands in the stored letter, inside the
mark that the code replaces when the letter is posted, because a letter that is sent again must be the same. When the
letter has left, the nonce is taken out of it, and what remains is the HMAC-SHA-256 of the code under the key: neither
the database nor the database with the key gives the code back. A code has 130 bits, so no guess can be tried with
success, and the hash need not be slow as one of a password must be.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets

from sqlmodel import Session

from correspondence.core import tokens
from correspondence.models import Letter, LetterState, Token
from correspondence.outbound.kinds import kind_of

MARK = "%%code%%"
"""Where templates want the code."""

GONE = "·····"
"""What a stored letter shows in its place once it has left."""

_NONCE_BYTES = 20
_WITH_NONCE = re.compile(r"%%code\.([0-9a-f]{40})%%")
_ON_ITS_WAY = frozenset({LetterState.QUEUED, LetterState.HELD, LetterState.SENDING, LetterState.UNCERTAIN})


def new_nonce() -> str:
    """Return what a new code is made of."""
    return secrets.token_hex(_NONCE_BYTES)


def marked(text: str, nonce: str) -> str:
    """Return the text of a letter whose mark names the code that is made of this nonce."""
    return text.replace(MARK, f"%%code.{nonce}%%")


def code_of(key: str, nonce: str) -> str:
    """Return the code that is made of a nonce: 26 lower-case letters and digits."""
    digest = hmac.digest(key.encode(), f"recovery-code:{nonce}".encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[: tokens.LENGTH]


def digest_of(key: str, code: str) -> str:
    """Return the hash by which a code is known; `code` as `code_of` spells it."""
    return hmac.digest(key.encode(), f"recovery-digest:{code}".encode(), "sha256").hex()


def settle(session: Session, letter: Letter, key: str) -> None:
    """Keep the hash of the code that a letter tells, and take its nonce out once the letter is not sent again."""
    nonce = _WITH_NONCE.search(letter.text) if kind_of(letter).has_code else None
    if nonce is None or letter.link_token_id is None:
        return
    token = session.get(Token, letter.link_token_id)
    if token is not None:
        token.digest = digest_of(key, code_of(key, nonce[1]))
        session.add(token)
    if letter.state not in _ON_ITS_WAY:
        letter.text, letter.html = _WITH_NONCE.sub(GONE, letter.text), _WITH_NONCE.sub(GONE, letter.html)
        session.add(letter)
