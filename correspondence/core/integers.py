"""Whole numbers as people and programs write them, read without ever becoming larger than they may be. Pure."""

from __future__ import annotations


def whole(text: str, most: int) -> int | None:
    """The number that `text` is, in digits 0 to 9; None where it is none, or more than `most`.

    Zeros in front are allowed, any number of them, and of the rest no more is read than `most` has digits.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= len(str(most)) and int(digits) <= most else None
