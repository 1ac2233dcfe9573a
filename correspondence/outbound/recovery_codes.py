"""Recovery codes: random, sent in one letter, and stored only as a hash after it is sent.

A code is derived from a nonce of 160 random bits and the service's key. The stored letter contains the nonce inside the
placeholder of the code, because a letter that is sent again must be the same. After sending, the nonce is deleted, and
only the HMAC-SHA-256 of the code under the key remains: the code cannot be recovered from the database, even with the
key. A code has 130 bits, so guessing is hopeless and the hash need not be slow like that of a password.
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
"""The placeholder for the code in templates."""

GONE = "·····"
"""The replacement for the placeholder in a stored letter after sending."""

_NONCE_BYTES = 20
_WITH_NONCE = re.compile(r"%%code\.([0-9a-f]{40})%%")
_ON_ITS_WAY = frozenset({LetterState.QUEUED, LetterState.HELD, LetterState.SENDING, LetterState.UNCERTAIN})


def new_nonce() -> str:
    """Return a random nonce for a new code."""
    return secrets.token_hex(_NONCE_BYTES)


def marked(text: str, nonce: str) -> str:
    """Return the text of a letter with the nonce in its placeholder."""
    return text.replace(MARK, f"%%code.{nonce}%%")


def code_of(key: str, nonce: str) -> str:
    """Return the code derived from a nonce: 26 lower-case letters and digits."""
    digest = hmac.digest(key.encode(), f"recovery-code:{nonce}".encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[: tokens.LENGTH]


def digest_of(key: str, code: str) -> str:
    """Return the stored hash of a code in the form of `code_of`."""
    return hmac.digest(key.encode(), f"recovery-digest:{code}".encode(), "sha256").hex()


def settle(session: Session, letter: Letter, key: str) -> None:
    """Store the hash of a letter's code, and delete its nonce once the letter is final."""
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
