"""The base class of errors that tell a person in a sentence why a request is refused."""

from __future__ import annotations


class Refusal(ValueError):
    """Raised if a request is refused; str() is a sentence in the person's language.

    Nothing was changed. Every interface may catch it and show the sentence. Any other exception is a bug.
    """
