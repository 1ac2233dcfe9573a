"""Seeks as their readers may see them: what is offered, whether it suits, and why or why not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.core.time_control import TimeControl
from correspondence.matchmaking.candidates import Candidate, away_until, fellow
from correspondence.matchmaking.eligibility import Condition, reasons
from correspondence.matchmaking.seeks import in_play, is_past
from correspondence.matchmaking.start import terms_of_seek
from correspondence.models import Person, Seek, SeekState
from correspondence.play.analysis import with_terms
from engines import GAMES
from engines.wording import _, ngettext

MOST = 100
"""How many seeks a list shows, the oldest first."""


@dataclass(frozen=True, slots=True)
class SeekView:
    """An open seek as one reader sees it; `reasons` say why it does or does not suit him, none to strangers.

    It rests until `rests_until`, when its seeker is back, if that is set.
    """

    number: int
    handle: str
    key: str
    game: str
    options: str
    terms: TimeControl
    rated: bool
    seat_name: str
    count: str
    expires_at: datetime | None
    pair_me: bool
    is_mine: bool
    is_private: bool
    reasons: tuple[Condition, ...]
    rests_until: datetime | None = None

    @property
    def suits(self) -> bool:
        """Whether the reader can take it."""
        return bool(self.reasons) and all(reason.suits for reason in self.reasons)


def offers(session: Session, person_id: int | None, *, now: datetime, game: str = "") -> tuple[SeekView, ...]:
    """The open seeks, those that suit the reader first; never those of people with whom he does not play."""
    found = (
        select(Seek, Person)
        .join(Person, col(Person.id) == col(Seek.person_id))
        .where(
            col(Seek.state) == SeekState.OPEN,
            col(Seek.game).in_(list(GAMES)),
            col(Seek.opponent_id).is_(None),
            col(Seek.is_private).is_(False),
        )
        .order_by(col(Seek.id))
    )
    rows = session.exec(found.where(col(Seek.game) == game) if game else found).all()
    known: dict[tuple[int, str], Candidate] = {}

    def known_as(person: Person, key: str) -> Candidate:
        if (person.id, key) not in known:
            known[person.id, key] = fellow(session, person, key, now=now)
        return known[person.id, key]

    reader = session.get(Person, person_id) if person_id is not None else None
    shown = []
    for seek, person in rows:
        if is_past(seek, now) or seek.person_id == person_id:
            continue
        me = known_as(reader, seek.game) if reader is not None else None
        if me is not None and person.id in me.blocked:
            continue
        playing = in_play(session, seek)
        why = reasons(seek, known_as(person, seek.game), me, now=now, in_play=playing) if me is not None else ()
        away = known_as(person, seek.game).away_until
        shown.append(_offer(seek, person, why, playing, is_mine=False, rests_until=away))
        if len(shown) == MOST:
            break
    return tuple(sorted(shown, key=lambda offer: not offer.suits))


def my_offers(session: Session, person_id: int, *, now: datetime) -> tuple[SeekView, ...]:
    """A person's own open seeks and invitations, and those that ended lately and can be renewed."""
    found = (
        select(Seek, Person)
        .join(Person, col(Person.id) == col(Seek.person_id))
        .where(
            col(Seek.person_id) == person_id,
            col(Seek.opponent_id).is_(None),
            col(Seek.state).in_([SeekState.OPEN, SeekState.EXPIRED]),
        )
        .order_by(col(Seek.id).desc())
        .limit(MOST)
    )
    away = away_until(session, person_id, now=now)
    return tuple(
        _offer(
            seek,
            person,
            (),
            in_play(session, seek),
            is_mine=True,
            is_over=is_past(seek, now),
            rests_until=None if seek.is_private else away,
        )
        for seek, person in session.exec(found)
    )


def _offer(
    seek: Seek,
    person: Person,
    why: tuple[Condition, ...],
    playing: int,
    *,
    is_mine: bool,
    is_over: bool = False,
    rests_until: datetime | None = None,
) -> SeekView:
    game = GAMES[seek.game]
    return SeekView(
        seek.id,
        person.handle,
        game.key,
        _(game.name),
        with_terms(seek),
        terms_of_seek(seek),
        seek.rated,
        "" if seek.seat is None else _(game.seats[seek.seat]),
        _count(seek, playing),
        None if is_over else seek.expires_at,
        seek.pair_me,
        is_mine,
        seek.is_private,
        why,
        None if is_over else rests_until,
    )


def _count(seek: Seek, playing: int) -> str:
    if seek.at_once:
        told = ngettext("standing, {count} game at a time", "standing, {count} games at a time", seek.at_once)
        return told.format(count=seek.at_once)
    if seek.wanted == 1:
        return ""
    return ngettext("{count} game wanted", "{count} games wanted", seek.wanted).format(count=seek.wanted)
