"""Messages for tests of incoming mail, and a receiver that stores or refuses them."""

from __future__ import annotations

RAW = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\ne4\r\n"


class Desk:
    """Stores messages; raises `trouble` instead, if set, for all recipients or for one."""

    def __init__(self):
        self.kept: list[tuple[bytes, str, str]] = []
        self.trouble: dict[str, Exception] = {}
        self.known = lambda recipient: recipient.startswith(("r.", "play@", "b."))

    def keep(self, raw, recipient, sender):
        for who in (recipient, ""):
            if who in self.trouble:
                raise self.trouble[who]
        self.kept.append((raw, recipient, sender))

    def is_known(self, recipient):
        return self.known(recipient)


def addressed(to, **headers):
    more = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    return f"{more}From: ann@example.org\nTo: {to}\n\ne4\n".encode()
