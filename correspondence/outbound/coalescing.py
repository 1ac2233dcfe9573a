"""Merge waiting letters, so that several events of one game become one mail."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.models import Letter, LetterState, Match, Person, Remark
from correspondence.outbound import kinds
from correspondence.outbound.kinds import LetterKind, kind_of

_UNSENT = (LetterState.QUEUED, LetterState.HELD)

_WAITING = (
    select(Letter)
    .where(
        col(Letter.match_id).in_(bindparam("matches", expanding=True)),
        col(Letter.person_id).in_(bindparam("persons", expanding=True)),
        col(Letter.kind).in_(kinds.kinds_that(lambda kind: kind.is_mergeable)),
        col(Letter.state).in_([LetterState.QUEUED, LetterState.HELD]),
        col(Letter.tries) == 0,
    )
    .order_by(col(Letter.id))
    .with_for_update()
)


def mergeable(session: Session, match: Match, reader: Person) -> list[Letter]:
    """Lock and return a reader's waiting letters of a game that another letter can replace."""
    ahead: dict[int, list[Letter]] | None = db.asked(session).get((Letter, match.id))
    if ahead is None:
        return _waiting(session, [match.id], [reader.id])
    return ahead.get(reader.id, [])


def ask_ahead(session: Session, readers: Mapping[int, Collection[int]]) -> None:
    """Load and lock the waiting letters of several games with one query.

    The result is cached for a block of `db.asking_once`. `readers` maps match ids to person ids.
    """
    for match_id in readers:
        db.asked(session)[Letter, match_id] = {}
    for letter in _waiting(session, readers, {number for those in readers.values() for number in those}):
        db.asked(session)[Letter, letter.match_id].setdefault(letter.person_id, []).append(letter)


def _waiting(session: Session, match_ids: Collection[int], person_ids: Collection[int]) -> list[Letter]:
    return list(session.exec(_WAITING, params={"matches": list(match_ids), "persons": list(person_ids)}))


def remarks_in(session: Session, letters: Sequence[Letter]) -> list[Remark]:
    """Return the remarks in these letters, in order."""
    remark_ids = [int(remark_id) for letter in letters for remark_id in letter.remarks.split()]
    if not remark_ids:
        return []
    return list(session.exec(select(Remark).where(col(Remark.id).in_(remark_ids)).order_by(col(Remark.id))))


def open_remarks(session: Session, kind: LetterKind, remarks: Sequence[Remark]) -> None:
    """Publish remarks that a letter of this `kind` includes, unless that letter itself waits."""
    for remark in remarks if not kind.is_mergeable else ():
        remark.opens_at = None
        session.add(remark)


def visible_letters(letters: Sequence[Letter]) -> list[Letter]:
    """Return the letters that their reader may see: those without remarks that can be recalled."""
    waiting = [
        letter for letter in letters if kind_of(letter).is_mergeable and letter.state in _UNSENT and not letter.tries
    ]
    hidden_ids = {remark_id for letter in waiting for remark_id in letter.remarks.split()}
    merged = [letter for letter in letters if letter.state == LetterState.MERGED]
    hidden_letters = [
        *(letter for letter in waiting if letter.remarks),
        *(letter for letter in merged if hidden_ids & set(letter.remarks.split())),
    ]
    return [letter for letter in letters if letter not in hidden_letters]


def mark_merged(session: Session, letters: Sequence[Letter]) -> None:
    """Mark these letters as merged into another one, so that they are not sent."""
    for letter in letters:
        letter.state, letter.answer = LetterState.MERGED, ""
        session.add(letter)
