"""Translation of the engines' sentences by GNU gettext, with the language set per reader.

Sentences are in English in the code, marked by `_`. Callers activate a person's translations with `using_translations`.
Nothing is cached between calls, so one process serves every language at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

_ENGLISH = NullTranslations()
_translations: ContextVar[NullTranslations] = ContextVar("translations", default=_ENGLISH)


def _(message: str) -> str:
    """Translate `message` for the reader; English if there is no translation."""
    return _translations.get().gettext(message) if message else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Translate `one` or `many`, depending on `count`."""
    return _translations.get().ngettext(one, many, count)


def N_(message: str) -> str:
    """Mark a constant for translation; `_` translates it when it is shown."""
    return message


current_translations: Callable[[], NullTranslations] = _translations.get
"""The active translations; the same object for the same language."""


@contextmanager
def using_translations(translations: NullTranslations) -> Iterator[None]:
    """Context manager: use `translations` for every sentence in its block."""
    token = _translations.set(translations)
    try:
        yield
    finally:
        _translations.reset(token)


def listing(words: list[str] | tuple[str, ...], last: str = "") -> str:
    """Join words as a list: “a, b or c”; `last` is the conjunction, “or” by default."""
    joint = last or _("or")
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"
