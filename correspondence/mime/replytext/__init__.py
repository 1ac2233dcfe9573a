"""Extract the text that a person wrote from a raw MIME message.

Pure: no clock, network or database. The time is linear in the size of a message that passes `within_limits`, and
nothing raises. Attachments are never opened and signatures never checked.
"""

from __future__ import annotations

from correspondence.mime.limits import within_limits
from correspondence.mime.markers import OUR_MARKERS

from .attachments import without_attachments
from .letter import letter_text
from .parts import safe_header, subject_of
from .reading import Reply, read_reply, repeats

__all__ = [
    "OUR_MARKERS",
    "Reply",
    "letter_text",
    "read_reply",
    "repeats",
    "safe_header",
    "subject_of",
    "within_limits",
    "without_attachments",
]
