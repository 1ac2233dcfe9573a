"""The way in and out: the only code that opens sockets, and the only one that touches mail folders.

`posting` hands letters on, `listening` takes mail by SMTP or LMTP, `collecting` fetches it from
a folder or a mailbox (`fetching`, `imap`), `idling` is told when something came there, `maildir` keeps letters
in a folder.

In come messages, handed to `keep(raw, recipient, sender)`, which must have made them durable when it returns; out go
letters, each with what the server said. Nothing here reads or judges a message.
"""

from __future__ import annotations

from correspondence.transport.collecting import fetch
from correspondence.transport.fetching import FetchError, fetch_maildir
from correspondence.transport.idling import Watch
from correspondence.transport.imap import Progress, fetch_imap
from correspondence.transport.listening import Listener, is_listening, listen, sound
from correspondence.transport.maildir import KeptLetter, letters_in, read_letter
from correspondence.transport.posting import MaildirPost, Post, PostError, SmtpPost, open_post

__all__ = [
    "FetchError",
    "KeptLetter",
    "Listener",
    "MaildirPost",
    "Post",
    "PostError",
    "Progress",
    "SmtpPost",
    "Watch",
    "fetch",
    "fetch_imap",
    "fetch_maildir",
    "is_listening",
    "letters_in",
    "listen",
    "open_post",
    "read_letter",
    "sound",
]
