"""Parse whole numbers from untrusted text, limited to a maximum. Pure."""

from __future__ import annotations


def whole(text: str, most: int) -> int | None:
    """Parse a whole number in the digits 0 to 9; None if invalid or greater than `most`.

    Leading zeros are allowed. Text with more digits than `most` is never converted, because that can be slow.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= len(str(most)) and int(digits) <= most else None
