"""Remove attachments from a message, to store it after it was executed."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import Message

from correspondence.mime.limits import within_limits

_READ = ("text", "message")

_MAY_ATTACH = re.compile(rb"content-disposition|content-type\s*:(?!\s*text/)", re.IGNORECASE)
"""Matches in every message with a part that is not text or is not displayed."""


def without_attachments(raw: bytes) -> bytes:
    """Return the message with all attachments and non-text parts emptied; never raises.

    It is returned unchanged if it has no attachments, exceeds the limits, or cannot be serialised again.
    """
    if _MAY_ATTACH.search(raw) is None or within_limits(raw) is not None:
        return raw
    try:
        message = message_from_bytes(raw, policy=policy.compat32)
        attached = [part for part in message.walk() if _is_attached(part)]
        for part in attached:
            part.set_payload("")
        return message.as_bytes() if attached else raw
    except Exception:  # the standard library raises various errors on real mail
        return raw


def _is_attached(part: Message) -> bool:
    if part.is_multipart() or not part.get_payload():
        return False
    return part.get_content_maintype() not in _READ or part.get_content_disposition() == "attachment"
