"""The version of a game's page for one reader, read by one query before anything is drawn.

Two versions are equal only if the page looks the same. It is a vector of the ratings and the counters in
`models/versions.py` that this reader may see change. It also counts past times at which the page changes by itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, BindParameter, Row, ScalarSelect, bindparam, cast
from sqlmodel import Session, and_, col, exists, func, or_, select

from correspondence.clocks import outages
from correspondence.core import db
from correspondence.models import (
    Address,
    Audience,
    Block,
    ClockStop,
    Match,
    Mute,
    Offer,
    Outage,
    PagePart,
    PageVersion,
    Plan,
    Player,
    PostalEntry,
    PostalMember,
    Rating,
    Remark,
    Scope,
    Suppression,
    Vacation,
)
from correspondence.outbound.schedule import MERGE_WINDOW

LONGEST_STEP = 32
"""Maximum error of the time left on a page, in seconds."""

_STEPS_LEFT = 256
"""The error is at most this fraction (1 in N) of the time left: less than rounding in words."""

_MATCH: BindParameter[int] = bindparam("match")
_READER: BindParameter[int] = bindparam("reader")
_NOW: BindParameter[datetime] = bindparam("now")

_is_of_match = col(Player.match_id) == _MATCH
_players = select(Player.person_id).where(_is_of_match)
_of_match, _of_person = col(PageVersion.match_id) == _MATCH, col(PageVersion.match_id) == 0


def _sum(*conditions: Any) -> ScalarSelect[int]:
    """Sum counters: none ever decreases, so the sum grows with each of them."""
    total = cast(func.coalesce(func.sum(col(PageVersion.number)), 0), BigInteger)
    return select(total).where(or_(*conditions)).correlate(None).scalar_subquery()


def _part(part: PagePart, person: Any = 0) -> Any:
    return and_(col(PageVersion.person_id) == person, col(PageVersion.part) == part)


def _of_players(part: PagePart) -> Any:
    return and_(_of_person, col(PageVersion.person_id).in_(_players), col(PageVersion.part) == part)


def _passed(moment: Any, *conditions: Any) -> Any:
    """Count those of these times that have passed."""
    return select(func.count()).where(col(moment) <= _NOW, *conditions).correlate(Match).scalar_subquery()


def _opened(audience: Audience) -> Any:
    of_others = col(Remark.person_id) != _READER
    return _passed(Remark.opens_at, col(Remark.match_id) == _MATCH, col(Remark.audience) == audience, of_others)


def _talk(audience: Audience) -> dict[str, Any]:
    """Version of the remarks visible at once, computed from rows, so that a recalled one leaves no trace."""
    are_open = col(Remark.match_id) == _MATCH, col(Remark.audience) == audience, col(Remark.opens_at).is_(None)
    values: dict[str, Any] = {"remarks": func.count(), "last_remark": func.max(Remark.at)}
    return {
        f"{name}_{audience}": select(value).where(*are_open).correlate(None).scalar_subquery()
        for name, value in values.items()
    }


_stop = col(ClockStop.match_id) == _MATCH
_vacation = and_(col(Vacation.person_id).in_(_players), col(Vacation.ends_at) > col(Match.started_at))


def _of_ratings(total: Any) -> ScalarSelect[Any]:
    is_shown = col(Rating.person_id).in_(_players), col(Rating.game) == col(Match.game)
    return select(total).where(*is_shown).correlate(Match).scalar_subquery()


_OF_ALL: dict[str, Any] = {
    "public": _sum(
        and_(_of_match, _part(PagePart.MATCH)), _of_players(PagePart.FACE), and_(_of_person, _part(PagePart.SERVICE))
    ),
    "rating": _of_ratings(func.sum(Rating.rating)),
    "deviation": _of_ratings(func.sum(Rating.deviation)),
    "rated_at": _of_ratings(func.max(Rating.updated_at)),
    **_talk(Audience.EVERYONE),
    "passed": _passed(ClockStop.begins_at, _stop) + _passed(ClockStop.ends_at, _stop) + _opened(Audience.EVERYONE),
}
"""Parts of the version for everybody."""

_OF_PLAYERS: dict[str, Any] = {
    "private": _sum(
        and_(_of_match, or_(_part(PagePart.PLAYERS), _part(PagePart.OWN, _READER))),
        _of_players(PagePart.HOURS),
        and_(_of_person, _part(PagePart.READER, _READER)),
    ),
    **_talk(Audience.PLAYERS),
    "passed_for_players": _passed(Vacation.begins_at, _vacation)
    + _passed(Vacation.ends_at, _vacation)
    + _opened(Audience.PLAYERS),
    "unreachable": select(func.sum(Address.person_id))
    .where(
        *(col(Address.person_id).in_(_players), col(Address.is_main), col(Suppression.scope) == Scope.ALL),
        col(Suppression.mail_key) == col(Address.mail_key),
    )
    .scalar_subquery(),
}
"""Further parts of the version for the match's players."""

_SEEN = {"seen": _sum(and_(_of_match, _part(PagePart.SEEN, _READER)))}
"""What the page has shown to a player: it marks what is new, but is not new itself."""

_HEAD: dict[str, Any] = {
    **{name: getattr(Match, name) for name in ("ply", "takebacks", "ended_at", "deadline", "daily")},
    "is_player": exists().where(_is_of_match, col(Player.person_id) == _READER),
    "by_post": or_(
        exists().where(col(PostalMember.person_id).in_(_players)), exists().where(col(PostalEntry.match_id) == _MATCH)
    ),
    "recalls": exists().where(
        *(col(Remark.match_id) == _MATCH, col(Remark.person_id) == _READER, col(Remark.audience) != Audience.ME),
        col(Remark.at) > bindparam("recent"),
    ),
    "opened": exists().where(_is_of_match, col(Player.plans_opened_at).is_not(None)),
    **outages.SIGNS,
}
"""Values for a poll, and those that prevent caching of the page."""

_THERE: dict[str, Any] = {
    "remarks": exists().where(col(Remark.match_id) == _MATCH),
    "stops": exists().where(_stop),
    "absences": exists().where(_vacation),
    "outages": exists().where(col(Outage.ends_at) > col(Match.started_at)),
    "offers": exists().where(col(Offer.match_id) == _MATCH),
    "plan": exists().where(col(Plan.match_id) == _MATCH, col(Plan.person_id) == _READER),
    "mutes": or_(exists().where(col(Mute.person_id) == _READER), exists().where(col(Block.person_id) == _READER)),
}
"""Whether rows exist that most games do not have."""

_STATE = select(*(value.label(name) for name, value in (_OF_ALL | _OF_PLAYERS | _SEEN | _HEAD | _THERE).items())).where(
    col(Match.id) == _MATCH
)


class PageState(NamedTuple):
    """State for the poll of an open game page; `takebacks` is how often moves were taken back."""

    version: str
    ply: int
    takebacks: int
    is_over: bool


def page_state(session: Session, number: int, reader: int | None, *, now: datetime) -> PageState | None:
    """Return the state of a game's page for this reader; None if there is no such game."""
    row = _state(session, number, reader, now)
    if row is None:
        return None
    version = sha256(repr(_vector(row)).encode()).hexdigest()[:16]
    return PageState(version, row.ply, row.takebacks, row.ended_at is not None)


def game_page_version(session: Session, number: int, reader: int | None, *, now: datetime) -> Hashable | None:
    """Return the cache key of a reader's game page, apart from language and settings.

    The session then skips queries for absent rows (`db.is_absent`). None if the page must not be cached: a deal of
    the day, play by post, a remark that the reader can recall, or plans revealed after a game.
    """
    row = _state(session, number, reader, now)
    if row is None or row.daily is not None or row.by_post or (row.is_player and (row.recalls or row.opened)):
        return None
    drawn_at = now if _stands(row, now) else None
    return _vector(row), row.seen if row.is_player else None, rounded(now, row.deadline), drawn_at


def _state(session: Session, number: int, reader: int | None, now: datetime) -> Row[Any] | None:
    def read() -> Row[Any] | None:
        params = {"match": number, "reader": reader or 0, "now": now, "recent": now - MERGE_WINDOW}
        row: Row[Any] | None = db.connection(session).execute(_STATE, params).first()
        if row is not None:
            db.note_absent(session, partial(_absent, row, number, reader, now))
        return row

    return db.cached_read(session, (_state, number, reader, now), read)


def _vector(row: Row[Any]) -> tuple[Any, ...]:
    return tuple(row[: len(_OF_ALL) + len(_OF_PLAYERS) if row.is_player else len(_OF_ALL)])


def _absent(row: Row[Any], number: int, reader: int | None, now: datetime) -> Iterator[Hashable]:
    """Yield keys of rows that the page lacks, and of the unrecorded outage if there is none."""
    if not _stands(row, now):
        yield (outages.unrecorded_gap,)
    wanted: dict[str, tuple[tuple[Hashable, ...], ...]] = {
        "remarks": ((Remark, number), (Remark, number, reader)),
        "recalls": ((Remark, number, reader),),
        "stops": ((ClockStop, number),),
        "absences": ((Vacation, number),),
        "outages": ((Outage, number),),
        "offers": ((Offer, number),),
        "unreachable": ((Suppression, number),),
        "by_post": ((PostalMember, number),),
        "plan": ((Plan, number, reader),),
        "mutes": ((Mute, reader),),
    }
    yield from (key for name, keys in wanted.items() if not getattr(row, name) for key in keys)


def rounded(now: datetime, deadline: datetime | None) -> tuple[int, int]:
    """Return the current time in steps, short compared with the time left: length and number.

    The length is a power of two in seconds, so that it seldom changes.
    """
    step = LONGEST_STEP
    if deadline is not None and deadline > now:
        step = min(step, max(1, int((deadline - now).total_seconds()) // _STEPS_LEFT))
    step = 1 << step.bit_length() - 1
    return step, int(now.timestamp()) // step


def _stands(row: Row[Any], now: datetime) -> bool:
    """Whether clocks are stopped by an unrecorded outage: then the page is not cached."""
    signs = outages.Signs(*(getattr(row, name) for name in outages.Signs._fields))
    return outages.stands_since(signs, now) is not None
