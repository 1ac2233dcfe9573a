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


def tell_elsewhere(session: Session, letters: Sequence[Letter]) -> None:
    """Let these letters stay, because another one tells their news."""
    for letter in letters:
        letter.state, letter.answer = LetterState.TOLD, ""
        session.add(letter)
