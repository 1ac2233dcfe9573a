"""Replace words that an operator hid in letters that have not been sent."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from markupsafe import escape
from sqlalchemy import or_
from sqlmodel import Session, col, select

from correspondence.core.i18n import in_language
from correspondence.models import Letter, LetterState, Person
from engines.wording import N_, _

HIDDEN = N_("[hidden by an operator]")
"""The placeholder for hidden words in rows and records; `shown` translates it."""

_NOT_LEFT = (LetterState.QUEUED, LetterState.HELD, LetterState.MERGED)


def shown(words: str) -> str:
    """Return a remark for display: the translated placeholder if it is hidden, else unchanged."""
    return _(HIDDEN) if words == HIDDEN else words


def hide_in_waiting_letters(session: Session, match_id: int, readers: Collection[int], words: Collection[str]) -> None:
    """Replace these `words` by the placeholder in all unsent letters to these `readers` (ids)."""
    waiting = select(Letter).where(col(Letter.person_id).in_(readers), col(Letter.state).in_(_NOT_LEFT))
    waiting = waiting.where(or_(col(Letter.match_id) == match_id, col(Letter.match_id).is_(None)))
    for letter in session.exec(waiting.with_for_update().execution_options(populate_existing=True)).all():
        reader = session.get_one(Person, letter.person_id)
        with in_language(reader.language):
            mark = _(HIDDEN)
        for remark in words:
            letter.text, letter.html = without(remark, letter.text, letter.html, mark)
        session.add(letter)


def strike_from_waiting_letters(session: Session, match_id: int, reader_id: int, sentence: str) -> None:
    """Remove a sentence that is a whole paragraph from a reader's unsent letters of a game."""
    waiting = select(Letter).where(col(Letter.match_id) == match_id, col(Letter.person_id) == reader_id)
    waiting = waiting.where(col(Letter.state).in_((LetterState.QUEUED, LetterState.HELD)))
    in_text = re.compile(rf"^{_spaced(sentence)}\n+", re.M)
    in_html = re.compile(rf"<p[^>]*><strong>{_spaced(str(escape(sentence)))}</strong></p>")
    for letter in session.exec(waiting.with_for_update().execution_options(populate_existing=True)).all():
        letter.text, letter.html = in_text.sub("", letter.text), in_html.sub("", letter.html)
        session.add(letter)


def _spaced(words: str) -> str:
    return r"\s+".join(re.escape(word) for word in words.split())


def without(words: str, text: str, html: str, mark: str) -> tuple[str, str]:
    """Return the text and HTML of a letter with quoted `words` replaced by `mark`."""
    return _in_text(words).sub(lambda found: found[1] + mark, text), _in_html(words).sub(lambda _found: mark, html)


@lru_cache(maxsize=64)
def _in_text(words: str) -> re.Pattern[str]:
    """Return a pattern for the quoted words: whole lines after quotation marks, in any wrapping."""
    joined = r"[ |>·\n]+".join(re.escape(word) for word in words.split())
    return re.compile(rf"^([|>·][|>· ]*){joined}[ ]*$", re.M)


@lru_cache(maxsize=64)
def _in_html(words: str) -> re.Pattern[str]:
    """Return a pattern for the words if they are all the text of an element."""
    joined = r"\s+".join(re.escape(str(escape(word))) for word in words.split())
    return re.compile(rf"(?<=>)\s*{joined}\s*(?=<)")
