"""Asks the DNS (RFC 1035) for the records of a name."""

from __future__ import annotations

import dns.exception
import dns.resolver
import dns.reversename

LIFETIME = 3.0
"""Seconds within which an answer must come."""


class NoAnswerError(Exception):
    """The DNS could not be asked; str() says why."""


def demand_answers() -> None:
    """Raise NoAnswerError where there is no network, or a resolver in it that denies every name."""
    if not ask(".", "NS"):
        raise NoAnswerError("whoever answers here knows no names at all")


def ask(name: str, kind: str) -> list[str]:
    """The texts of a name's records of a kind, such as MX or TXT; empty where there are none. Raises NoAnswerError.

    The strings of a TXT record are joined (RFC 7208 3.3); names end without a dot. For PTR the name is an address.
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
