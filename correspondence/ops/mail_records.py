"""Checks of the DNS records for receiving and sending mail: MX, SPF, DMARC, DKIM, PTR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from correspondence.core.config import Settings, is_loopback
from correspondence.outbound import dkim_signing

Ask = Callable[[str, str], list[str]]
"""Function that looks up the DNS records of a name and kind."""

_RESERVED = frozenset({"example", "test", "invalid", "localhost", "local", "internal"})
"""Top-level names unknown to the public DNS (RFC 2606, 6761, 6762)."""

_FOR_DOCUMENTS = ("example.com", "example.net", "example.org")


def is_public(domain: str) -> bool:
    """Whether the public DNS can contain this domain."""
    labels = domain.casefold().split(".")
    return len(labels) > 1 and labels[-1] not in _RESERVED and ".".join(labels[-2:]) not in _FOR_DOCUMENTS


def problems(settings: Settings, ask: Ask) -> Iterator[str]:
    """Yield the faults in the mail domain's records, as sentences that say what to publish.

    Raises what `ask` raises.
    """
    domain = settings.mail_domain
    servers = [text.rpartition(" ")[2].rstrip(".") for text in ask(domain, "MX")]
    if not any(servers):
        yield f"{domain} has no MX record, so no mail can arrive: publish {domain} MX 10 {_site(settings)}."
    yield from _spf(domain, ask)
    yield from _dmarc(domain, ask)
    yield from _dkim(settings, ask)
    if _sends_from_here(settings):
        yield from _reverse([server for server in servers if server][:1], ask)


def _site(settings: Settings) -> str:
    return urlsplit(settings.base_url).hostname or settings.mail_domain


def _spf(domain: str, ask: Ask) -> Iterator[str]:
    found = [text for text in ask(domain, "TXT") if text.casefold().split()[:1] == ["v=spf1"]]
    if not found:
        yield f"{domain} has no SPF record, so letters look forged: publish {domain} TXT “v=spf1 mx -all”."
    elif len(found) > 1:
        yield f"{domain} has {len(found)} SPF records, which count as none (RFC 7208 3.2): keep only one."


def remarks(settings: Settings, ask: Ask) -> Iterator[str]:
    """Yield advice on the mail domain's working records, as sentences; raises like `ask`."""
    domain = settings.mail_domain
    found = _dmarc_record(domain, ask)
    if found is not None:
        name, text = found
        old = [tag for tag, _sep, _value in _tags(text) if tag.casefold() in OLD_DMARC_TAGS]
        if old:
            yield (
                f"{name} holds {', '.join(old)}, which DMARC no longer has (RFC 9989) and receivers ignore: remove "
                f"{'it' if len(old) == 1 else 'them'}."
            )
    if not dkim_signing.is_enabled(settings) and settings.mail_send.startswith("smtp"):
        yield (
            f"Letters are not signed here. Gmail, Yahoo and Microsoft demand SPF and DKIM, both for {domain}: let your mail "
            "server sign them, or set DKIM_SELECTOR and DKIM_KEY_FILE."
        )


OLD_DMARC_TAGS = frozenset({"pct", "rf", "ri"})
"""Tags of RFC 7489 that RFC 9989 removed."""


def _dmarc(domain: str, ask: Ask) -> Iterator[str]:
    if _dmarc_record(domain, ask) is None:
        yield f"{domain} has no DMARC record: publish _dmarc.{domain} TXT “v=DMARC1; p=quarantine”."


def _dmarc_record(domain: str, ask: Ask) -> tuple[str, str] | None:
    """Return name and text of the DMARC record of a domain, or of a parent domain (RFC 9989)."""
    labels = domain.split(".")
    for name in (".".join(["_dmarc", *labels[at:]]) for at in range(len(labels) - 1)):
        for text in ask(name, "TXT"):
            if text.replace(" ", "").casefold().startswith("v=dmarc1"):
                return name, text
    return None


def _dkim(settings: Settings, ask: Ask) -> Iterator[str]:
    if not dkim_signing.is_enabled(settings) or dkim_signing.problem(settings):
        return
    name, text = dkim_signing.record(settings)
    published = [_key(record) for record in ask(name, "TXT")]
    if not published:
        yield f"The key that signs letters is not published: publish {name} TXT “{text}”."
    elif _key(text) not in published:
        yield f"{name} publishes a different key from that in DKIM_KEY_FILE: publish “{text}”."


def _key(record: str) -> str:
    """Return the public key in a DKIM record (RFC 6376 3.6.1)."""
    return "".join(text for name, _sep, text in _tags(record) if name == "p").replace(" ", "")


def _tags(record: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, sign and value of each tag in a DKIM or DMARC record."""
    for tag in record.split(";"):
        name, sign, text = tag.partition("=")
        yield name.strip(), sign, text


def _sends_from_here(settings: Settings) -> bool:
    """Whether letters go to this machine's mail server, not to a smarthost or a folder."""
    place = urlsplit(settings.mail_send)
    return place.scheme.startswith("smtp") and is_loopback(place.hostname or "")


def _reverse(servers: list[str], ask: Ask) -> Iterator[str]:
    """Yield a sentence for each mail server address without a matching reverse record."""
    for server in servers:
        for kind in ("A", "AAAA"):
            for address in ask(server, kind):
                if not any(address in ask(name, kind) for name in ask(address, "PTR")):
                    yield (
                        f"The address {address} of {server} has no matching reverse record, so many servers refuse "
                        f"our letters: ask the provider of the machine to set its PTR record to {server}."
                    )
