"""Query DNS records (RFC 1035) of a name."""

from __future__ import annotations

import dns.exception
import dns.resolver
import dns.reversename

LIFETIME = 3.0
"""Time limit for an answer, in seconds."""


class NoAnswerError(Exception):
    """Raised if the DNS could not be queried; str() says why."""


def demand_answers() -> None:
    """Raise NoAnswerError if there is no network, or its resolver denies every name."""
    if not ask(".", "NS"):
        raise NoAnswerError("whoever answers here knows no names at all")


def ask(name: str, kind: str) -> list[str]:
    """Return the records of a name and kind, such as MX or TXT; empty if there are none.

    The strings of a TXT record are joined (RFC 7208 3.3); names have no final dot. For PTR the name is an address.
    Raises NoAnswerError.
    """
    try:
        owner = dns.reversename.from_address(name) if kind == "PTR" else name
        answer = dns.resolver.resolve(owner, kind, lifetime=LIFETIME, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as error:
        raise NoAnswerError(str(error).rstrip(".") or type(error).__name__) from error
    if kind == "TXT":
        return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
    return [record.to_text().rstrip(".") for record in answer]
