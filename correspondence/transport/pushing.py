"""Post to push services (RFC 8030) and webhooks over HTTPS, without redirects.

Browsers and members choose the address, so requests to this machine's network must be prevented. The host name is
resolved once, checked, and connected to, so a second lookup cannot return another address. Only the head of the answer
is read.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from urllib.parse import SplitResult, urlsplit

LIMIT = 10.0
"""Time limit in seconds for one message, from connecting to the end of the answer."""

LONGEST_ENDPOINT = 1_000
"""Maximum length of an endpoint, in characters."""

_PORT = 443
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")

AddressOf = Callable[[str], tuple[str, int]]
"""Callable: resolve a host name to an address and port; raises EndpointError if forbidden."""


class EndpointError(ValueError):
    """Raised if nothing may be sent to an endpoint."""


class PushError(OSError):
    """Raised if a service could not be reached, or did not answer in time."""


def check_endpoint(endpoint: str) -> SplitResult:
    """Parse an endpoint; raise EndpointError unless it is https on port 443 without a user."""
    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise EndpointError("The endpoint is no address.")
    try:
        parts = urlsplit(endpoint)
        is_usual = parts.port in (None, _PORT)
    except ValueError as error:
        raise EndpointError("The endpoint is no address.") from error
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc or not is_usual:
        raise EndpointError("The endpoint is no address for messages by https.")
    return parts


def public_address(host: str) -> tuple[str, int]:
    """Resolve a host; raise EndpointError if an address is not public, PushError if none exists."""
    try:
        found = socket.getaddrinfo(host, _PORT, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise PushError("The service is not known.") from error
    addresses = [str(one[4][0]) for one in found]
    if not all(_is_public(address) for address in addresses):
        raise EndpointError("The endpoint is no public address.")
    return addresses[0], _PORT


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = _inner_of(ip)
        if inner is not None or ip not in _GLOBAL_UNICAST:
            return inner is not None and _is_public(str(inner))
    return ip.is_global and not ip.is_multicast


def _inner_of(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address inside an IPv6 one: mapped, 6to4 or NAT64 (RFC 6052 2.1)."""
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


class _Connection(http.client.HTTPSConnection):
    """A connection to a checked address, with TLS for its host name."""

    def __init__(self, host: str, address: tuple[str, int], context: ssl.SSLContext) -> None:
        super().__init__(host, address[1], timeout=LIMIT, context=context)
        self._address, self._tls = address, context

    def connect(self) -> None:
        """Connect to the checked address."""
        plain = socket.create_connection(self._address, LIMIT)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()  # `_cut` can end it now, however slow it is


class PushPost:
    """A client for push services and webhooks; only tests pass `address_of` and `context`."""

    def __init__(self, address_of: AddressOf = public_address, context: ssl.SSLContext | None = None) -> None:
        self._address_of, self._given_context = address_of, context

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """The trusted certificates, loaded on first use because they take megabytes of memory."""
        return self._given_context or ssl.create_default_context()

    def send(self, endpoint: str, headers: Mapping[str, str], body: bytes = b"") -> int:
        """Send a message; return the answer's status. Raises EndpointError or PushError."""
        parts = check_endpoint(endpoint)
        host = parts.hostname or ""
        connection = _Connection(host, self._address_of(host), self._context)
        ending = threading.Timer(LIMIT, _cut, [connection])
        ending.start()
        try:
            path = parts.path or "/"
            target = f"{path}?{parts.query}" if parts.query else path
            connection.request("POST", target, body, dict(headers))
            return connection.getresponse().status
        except (OSError, http.client.HTTPException, AttributeError) as error:
            raise PushError("The service could not be reached.") from error
        finally:
            ending.cancel()
            connection.close()


def _cut(connection: http.client.HTTPSConnection) -> None:
    """Abort a connection that takes too long."""
    held = connection.sock
    if held is not None:
        try:
            held.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
