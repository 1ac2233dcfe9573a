"""Lists of seeks as one reader sees them, with the reader's eligibility and its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import program_mark
from correspondence.accounts.relations import blocked_ids
from correspondence.core.terms import Terms
from correspondence.fairness.seeds import commitments_of_offers
from correspondence.matchmaking.candidates import Candidate, away_until, candidates_of
from correspondence.matchmaking.eligibility import Condition, check_conditions
from correspondence.matchmaking.seeks import counts_in_play, is_past
from correspondence.models import Person, Seek, SeekState
from correspondence.models.matchmaking import NEWEST_FIRST, OLDEST_FIRST
from engines import GAMES
from engines.wording import _, ngettext

MOST = 100
"""Maximum number of seeks in a list."""


@dataclass(frozen=True, slots=True)
class SeekView:
    """An open seek as one reader sees it.

    `reasons` say why the reader may or may not accept it; they are empty for visitors without an account. The seek is
    suspended until `paused_until`, if set, when its seeker is back. `words` for the dice are shown only to the seeker.
    """

    number: int
    handle: str
    game: str
    terms: Terms
    seat_name: str
    count: str
    expires_at: datetime | None
    pair_me: bool
    is_mine: bool
    is_private: bool
    reasons: tuple[Condition, ...]
    paused_until: datetime | None = None
    commitment: str = ""
    words: str = ""
    person_id: int = 0
    """The id of the seeker."""
    program_mark: str = ""
    """Notice that a program plays for the seeker; empty otherwise."""

    @property
    def is_eligible(self) -> bool:
        """Whether the reader may accept it."""
        return bool(self.reasons) and all(reason.is_met for reason in self.reasons)


def visible_seeks(session: Session, person_id: int | None, *, now: datetime, game: str = "") -> tuple[SeekView, ...]:
    """Return the open seeks that the reader may see, those that they may accept first.

    Seeks of people blocked either way are left out. The number of queries does not depend on the number of seeks.
    """
    reader = session.get(Person, person_id) if person_id is not None else None
    blocked = blocked_ids(session, reader.id) if reader is not None else frozenset()
    shown = [
        (seek, person)
        for seek, person in _open_seeks(session, game)
        if not is_past(seek, now) and person.id != person_id and person.id not in blocked
    ][:MOST]
    known = _candidates(session, shown, reader, now)
    playing = counts_in_play(session, [seek for seek, _person in shown])
    views = [
        _view_for(
            seek,
            person,
            known[person.id, seek.game],
            known[reader.id, seek.game] if reader is not None else None,
            playing[seek.id],
            now,
        )
        for seek, person in shown
    ]
    return _committed(session, sorted(views, key=lambda offer: not offer.is_eligible))


def _candidates(
    session: Session, shown: Sequence[tuple[Seek, Person]], reader: Person | None, now: datetime
) -> dict[tuple[int, str], Candidate]:
    """Return each seeker as a candidate in their game, and the reader in each of these games."""
    wanted = {(person.id, seek.game): (person, seek.game) for seek, person in shown}
    if reader is not None:
        wanted |= {(reader.id, seek.game): (reader, seek.game) for seek, _person in shown}
    return candidates_of(session, wanted.values(), now=now)


def _committed(session: Session, views: Sequence[SeekView]) -> tuple[SeekView, ...]:
    """Return the views with the commitments of the games that will start from them."""
    known = commitments_of_offers(session, [view.number for view in views])
    return tuple(replace(view, commitment=known.get(view.number, "")) for view in views)


def _open_seeks(session: Session, game: str) -> Sequence[tuple[Seek, Person]]:
    """Return the open seeks and seekers, of one game or of all, oldest first."""
    query = (
        select(Seek, Person)
        .join(Person, col(Person.id) == col(Seek.person_id))
        .where(
            col(Seek.state) == SeekState.OPEN,
            col(Seek.game).in_(list(GAMES)),
            col(Seek.opponent_id).is_(None),
            col(Seek.is_private).is_(False),
        )
        .order_by(*OLDEST_FIRST)
    )
    return session.exec(query.where(col(Seek.game) == game) if game else query).all()


def _view_for(
    seek: Seek, person: Person, seeker: Candidate, reader: Candidate | None, games_in_play: int, now: datetime
) -> SeekView:
    """Return a seek of `person` as the reader sees it; `reader` is None for a visitor."""
    conditions = check_conditions(seek, seeker, reader, now=now, in_play=games_in_play) if reader is not None else ()
    return _view(seek, person, conditions, games_in_play, is_mine=False, paused_until=seeker.away_until)


def own_seeks(session: Session, person_id: int, *, now: datetime) -> tuple[SeekView, ...]:
    """Return a person's own open and expired seeks and invitations, newest first."""
    query = (
        select(Seek, Person)
        .join(Person, col(Person.id) == col(Seek.person_id))
        .where(
            col(Seek.person_id) == person_id,
            col(Seek.opponent_id).is_(None),
            col(Seek.state).in_([SeekState.OPEN, SeekState.EXPIRED]),
        )
        .order_by(*NEWEST_FIRST)
        .limit(MOST)
    )
    back_at = away_until(session, person_id, now=now)
    found = session.exec(query).all()
    playing = counts_in_play(session, [seek for seek, _person in found])
    return _committed(
        session,
        [
            _view(
                seek,
                person,
                (),
                playing[seek.id],
                is_mine=True,
                is_over=is_past(seek, now),
                paused_until=None if seek.is_private else back_at,
            )
            for seek, person in found
        ],
    )


def _view(
    seek: Seek,
    person: Person,
    reasons: tuple[Condition, ...],
    games_in_play: int,
    *,
    is_mine: bool,
    is_over: bool = False,
    paused_until: datetime | None = None,
) -> SeekView:
    game = GAMES[seek.game]
    return SeekView(
        seek.id,
        person.handle,
        _(game.name),
        seek.terms,
        "" if seek.seat is None else _(game.seats[seek.seat]),
        _count(seek, games_in_play),
        None if is_over else seek.expires_at,
        seek.pair_me,
        is_mine,
        seek.is_private,
        reasons,
        None if is_over else paused_until,
        words=seek.words if is_mine else "",
        person_id=person.id,
        program_mark="" if is_mine else program_mark(person),
    )


def _count(seek: Seek, games_in_play: int) -> str:
    if seek.games_at_once:
        text = ngettext("standing, {count} game at a time", "standing, {count} games at a time", seek.games_at_once)
        return text.format(count=seek.games_at_once)
    if seek.games_wanted == 1:
        return ""
    return ngettext("{count} game wanted", "{count} games wanted", seek.games_wanted).format(count=seek.games_wanted)
