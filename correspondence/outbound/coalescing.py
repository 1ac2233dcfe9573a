"""Letters that still wait to leave, so that several events of one game become one mail."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.models import Letter, LetterState, Match, Person, Remark

WAITS = ("talk", "draw_offered")
"""The kinds of letters that wait a little, and whose news any later letter of the game tells as well."""

TELLS = (*WAITS, "turn", "over")
"""The kinds of letters that tell all news of the game."""

_UNSENT = (LetterState.QUEUED, LetterState.HELD)

_WAITING = (
    select(Letter)
    .where(
        col(Letter.match_id) == bindparam("match"),
        col(Letter.person_id) == bindparam("person"),
        col(Letter.kind).in_(WAITS),
        col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD]),
        col(Letter.tries) == 0,
    )
    .order_by(col(Letter.id))
    .with_for_update()
)


def waiting_news(session: Session, match: Match, reader: Person) -> list[Letter]:
    """The letters of a game to a reader that wait, untried, and need not be sent if another tells their news."""
    return list(session.exec(_WAITING, params={"match": match.id, "person": reader.id}))


def remarks_in(session: Session, letters: Sequence[Letter]) -> list[Remark]:
    """The remarks that these letters pass on, in order."""
    numbers = [int(number) for letter in letters for number in letter.remarks.split()]
    if not numbers:
        return []
    return list(session.exec(select(Remark).where(col(Remark.id).in_(numbers)).order_by(col(Remark.id))))


def open_words(session: Session, kind: str, remarks: Sequence[Remark]) -> None:
    """Let everybody read the words that a letter of this `kind` tells, where it does not wait itself."""
    for remark in remarks if kind not in WAITS else ():
        remark.opens_at = None
        session.add(remark)


def known(letters: Sequence[Letter]) -> list[Letter]:
    """Those of a reader's letters that he may know of: none whose words still wait, for they may be recalled."""
    waiting = [letter for letter in letters if letter.kind in WAITS and letter.state in _UNSENT and not letter.tries]
    hidden = {number for letter in waiting for number in letter.remarks.split()}
    told = [letter for letter in letters if letter.state == LetterState.TOLD]
    unknown = [*(one for one in waiting if one.remarks), *(one for one in told if hidden & set(one.remarks.split()))]
    return [letter for letter in letters if letter not in unknown]


def tell_elsewhere(session: Session, letters: Sequence[Letter]) -> None:
    """Let these letters stay, because another one tells their news."""
    for letter in letters:
        letter.state, letter.answer = LetterState.TOLD, ""
        session.add(letter)
