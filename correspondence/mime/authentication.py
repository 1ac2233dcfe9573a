"""Read our mail server's verdict on the From header in Authentication-Results (RFC 8601).

Anybody can write such a field, so only the topmost one counts, and only with the server name in MAIL_AUTHSERV_ID. The
mail server must remove fields with its name from incoming mail (RFC 8601 5). If no name is configured, the field is
ignored.
"""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from typing import Any

import authres

from correspondence.mime.headers import headers_of
from correspondence.mime.mail_keys import mail_key


class AuthResult(StrEnum):
    """The result of the authentication of From."""

    PASS = "pass"
    FAIL = "fail"
    NONE = "none"
    """Our server checks, but did not authenticate From."""
    UNKNOWN = "unknown"
    """No check is configured."""


def auth_result_of(raw: bytes, author: str, authserv_id: str) -> AuthResult:
    """Return our mail server's verdict on `author`, the address in From; never raises.

    `authserv_id` is our server's name. DMARC decides; without a DMARC result, a DKIM signature of From's own domain
    decides. One failure outweighs every pass, and the properties of different results are never combined.
    """
    if not authserv_id:
        return AuthResult.UNKNOWN
    domain = mail_key(author).rpartition("@")[2]
    results = _results(raw, authserv_id)
    for method, names in (("dmarc", ("from",)), ("dkim", ("d", "i"))):
        outcomes = {_text(result.result) for result in results if _is_about(result, method, names, domain)}
        if "fail" in outcomes:
            return AuthResult.FAIL
        if "pass" in outcomes:
            return AuthResult.PASS
    return AuthResult.NONE


def is_dmarc_failure(raw: bytes, authserv_id: str) -> bool:
    """Whether our server `authserv_id` wrote dmarc=fail; never raises."""
    return bool(authserv_id) and any(
        (_text(result.method), _text(result.result)) == ("dmarc", "fail") for result in _results(raw, authserv_id)
    )


def is_marked_spam(raw: bytes) -> bool:
    """Whether a spam filter wrote X-Spam-Flag: YES; forging it harms only the sender."""
    return any(value.split(",")[0].strip().casefold() == "yes" for value in headers_of(raw).every("x-spam-flag"))


def _results(raw: bytes, authserv_id: str) -> list[Any]:
    """Return the results of the topmost field, if it is from our server and well-formed."""
    field = headers_of(raw).first("authentication-results")
    with suppress(Exception):  # the parser raises various errors on hostile text
        header = authres.AuthenticationResultsHeader.parse_value(field)
        if _text(header.authserv_id) == authserv_id.casefold():
            return list(header.results)
    return []


def _is_about(result: Any, method: str, names: tuple[str, ...], domain: str) -> bool:
    """Whether a result is of this method and about From's domain; a DMARC failure always is."""
    if _text(result.method) != method:
        return False
    if method == "dmarc" and _text(result.result) == "fail":
        return True
    properties = (item for item in result.properties if _text(item.type) == "header" and _text(item.name) in names)
    return any(mail_key(_text(item.value)).rpartition("@")[2] == domain for item in properties)


def _text(value: Any) -> str:
    return str(value or "").casefold()
