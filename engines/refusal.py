"""The base class of refusals: a request cannot be granted, and a sentence says why."""

from __future__ import annotations


class Refusal(ValueError):
    """A refusal: str() is a sentence for the person who asked, in their language. Nothing was changed.

    Every interface may catch it and show the sentence. Any other exception is a bug.
    """
