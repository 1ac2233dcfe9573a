"""Mail transport: the only code that opens sockets for mail and accesses mail folders.

`posting` sends letters, `listening` receives mail by SMTP or LMTP, `collecting` fetches it from a folder or a mailbox
(`fetching`, `imap`), `idling` waits for news of a mailbox; `intake` is what these ways in share. `maildir` stores letters in a
folder, `pushing` wakes browsers, `name_records` asks the DNS.

In come messages, passed to `store(raw, recipient, sender)`, which must have made them durable when it returns; out go
letters, each with the server's answer. Nothing here parses or judges the content of a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from correspondence.core.loading import lazy_module
from correspondence.transport.collecting import fetch, fetch_trouble
from correspondence.transport.fetching import FetchError, fetch_maildir
from correspondence.transport.idling import Watch
from correspondence.transport.imap import Progress, fetch_imap
from correspondence.transport.intake import is_listening, is_ours, normalise_line_ends
from correspondence.transport.maildir import StoredLetter, letters_in, read_letter
from correspondence.transport.posting import MaildirPost, Post, PostError, SmtpPost, open_post
from correspondence.transport.pushing import EndpointError, PushError, PushPost, check_endpoint

if TYPE_CHECKING:
    from correspondence.transport import listening
else:  # a mail server, for the one process of a service that takes in mail
    listening = lazy_module("correspondence.transport.listening")

__all__ = [
    "EndpointError",
    "FetchError",
    "StoredLetter",
    "MaildirPost",
    "Post",
    "PostError",
    "Progress",
    "PushError",
    "PushPost",
    "SmtpPost",
    "Watch",
    "check_endpoint",
    "fetch",
    "fetch_trouble",
    "fetch_imap",
    "fetch_maildir",
    "is_listening",
    "is_ours",
    "letters_in",
    "listening",
    "open_post",
    "read_letter",
    "normalise_line_ends",
]
