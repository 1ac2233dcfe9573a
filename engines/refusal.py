"""The one base of every refusal: something was asked for that cannot be had, and a sentence says why."""

from __future__ import annotations


class Refusal(ValueError):
    """A refusal: str() is a sentence for the person who asked, in their language. Nothing was changed.

    Every interface may catch it and show the sentence; what is no `Refusal` is an error of ours.
    """
