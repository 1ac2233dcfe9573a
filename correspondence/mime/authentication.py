"""What our own mail server found out about From: the field Authentication-Results (RFC 8601).

Anybody can write such a field, so only the topmost one counts, and only under the name that
MAIL_AUTHSERV_ID says; the mail server in front must take away fields under that name that come from
outside (RFC 8601 5). Where no name is set the field says nothing at all.
"""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from typing import Any

import authres

from correspondence.mime.classify import mail_key
from correspondence.mime.headers import headers_of


class AuthResult(StrEnum):
    """How far From can be believed."""

    PASS = "pass"
    FAIL = "fail"
    NONE = "none"
    """Our server checks, and found nothing that vouches for From."""
    UNKNOWN = "unknown"
    """Nobody checks here."""


def standing_of(raw: bytes, author: str, authserv_id: str) -> AuthResult:
    """What our server, called `authserv_id`, found out about `author`, the address in From; it does not raise.

    DMARC decides; where it says nothing, a signature (DKIM) of From's own domain does. One failure
    outweighs every pass, and what belongs to one result is never lent to another.
    """
    if not authserv_id:
        return AuthResult.UNKNOWN
    domain = mail_key(author).rpartition("@")[2]
    results = _results(raw, authserv_id)
    for method, names in (("dmarc", ("from",)), ("dkim", ("d", "i"))):
        found = {_text(result.result) for result in results if _is_about(result, method, names, domain)}
        if "fail" in found:
            return AuthResult.FAIL
        if "pass" in found:
            return AuthResult.PASS
    return AuthResult.NONE


def _results(raw: bytes, authserv_id: str) -> list[Any]:
    """The results of the topmost field, if it is ours and reads well."""
    field = headers_of(raw).first("authentication-results")
    with suppress(Exception):  # the reader raises what it likes on text that strangers wrote
        header = authres.AuthenticationResultsHeader.parse_value(field)
        if _text(header.authserv_id) == authserv_id.casefold():
            return list(header.results)
    return []


def _is_about(result: Any, method: str, names: tuple[str, ...], domain: str) -> bool:
    """Whether a result is of this method, and of From's domain; a failure of DMARC is always about From."""
    if _text(result.method) != method:
        return False
    if method == "dmarc" and _text(result.result) == "fail":
        return True
    said = (one for one in result.properties if _text(one.type) == "header" and _text(one.name) in names)
    return any(mail_key(_text(one.value)).rpartition("@")[2] == domain for one in said)


def _text(value: Any) -> str:
    return str(value or "").casefold()
