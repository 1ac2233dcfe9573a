"""The base class of refusals: a request cannot be granted, and a sentence says why."""

from __future__ import annotations


class Refusal(ValueError):
    """Raised if a request is refused; str() is a sentence in the person's language.

    Nothing was changed. Every interface may catch it and show the sentence. Any other exception is a bug.
    """
