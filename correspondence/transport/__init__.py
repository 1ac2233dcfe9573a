"""Mail transport: the only code that opens sockets for mail and accesses mail folders.

`posting` sends letters, `listening` receives mail by SMTP or LMTP, `collecting` fetches it from a folder or a mailbox
(`fetching`, `imap`), and `idling` waits for new mail in a mailbox; `intake` has the code that these share. `maildir`
stores letters in a folder, `pushing` sends push notifications and webhooks, and `name_records` queries the DNS.

Input: messages, passed to `store(raw, recipient, sender)`, which must have made them durable when it returns. Output:
letters, each with the server's answer. Nothing here parses or classifies the content of a message.
"""

from __future__ import annotations

from correspondence.transport import collecting, fetching, idling, imap, listening
from correspondence.transport.intake import is_listening, is_ours, normalise_line_ends, takes_mail
from correspondence.transport.maildir import StoredLetter, letters_in, read_letter
from correspondence.transport.posting import IDLE_LIMIT, MaildirPost, Post, PostError, SmtpPost, open_post
from correspondence.transport.pushing import EndpointError, PushError, PushPost, check_endpoint

__all__ = [
    "EndpointError",
    "StoredLetter",
    "MaildirPost",
    "Post",
    "PostError",
    "PushError",
    "PushPost",
    "SmtpPost",
    "check_endpoint",
    "collecting",
    "fetching",
    "idling",
    "imap",
    "is_listening",
    "is_ours",
    "letters_in",
    "listening",
    "IDLE_LIMIT",
    "open_post",
    "read_letter",
    "normalise_line_ends",
    "takes_mail",
]
