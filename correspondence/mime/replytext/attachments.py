"""A message without what was attached to it: what is kept of it once it has been read."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import Message

from .limits import within_limits

_READ = ("text", "message")


def without_attachments(raw: bytes) -> bytes:
    """The message with every part emptied that is attached, or no text; never raises.

    It stays as it is where nothing is attached, where it must not be parsed, or where it cannot be put together again.
    """
    if b"content-" not in raw.lower() or within_limits(raw) is not None:
        return raw
    try:
        message = message_from_bytes(raw, policy=policy.compat32)
        attached = [part for part in message.walk() if _is_attached(part)]
        for part in attached:
            part.set_payload("")
        return message.as_bytes() if attached else raw
    except Exception:  # the standard library raises whatever it likes on real mail
        return raw


def _is_attached(part: Message) -> bool:
    if part.is_multipart() or not part.get_payload():
        return False
    return part.get_content_maintype() not in _READ or part.get_content_disposition() == "attachment"
