"""The version of a game's page: all that the page tells its reader, asked by one statement and before anything is drawn.

Two versions are equal only where the page would look the same. What the reader may not see does not go into it, or they
could watch it change. What is told by the clock goes in as moments that have passed, and as the time rounded.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    ScalarSelect,
    String,
    bindparam,
    case,
    cast,
)
from sqlmodel import Session, and_, col, exists, func, or_, select

from correspondence.clocks import outages
from correspondence.core import db
from correspondence.models import (
    Address,
    Audience,
    Block,
    ClockStop,
    Match,
    Move,
    Mute,
    Offer,
    OfferState,
    OperatorAct,
    Outage,
    Person,
    Plan,
    Player,
    PostalEntry,
    PostalMember,
    Rating,
    RatingChange,
    Remark,
    Review,
    Scope,
    SignedEnd,
    Suppression,
    Vacation,
)
from correspondence.outbound.schedule import MERGE_WINDOW

LONGEST_STEP, LONGEST_STEP_OF_CALENDARS = 512, 32
"""So many seconds the time left may be told too late: at most, and where a player has hours that do not count."""

_STEPS_LEFT = 256
"""A page that tells the time left is up to date to this part of it, which is less than words round away."""

_MATCH: BindParameter[int] = bindparam("match")
_READER: BindParameter[int] = bindparam("reader")
_NOW: BindParameter[datetime] = bindparam("now")


def game_page_version(session: Session, number: int, reader: int | None, *, now: datetime) -> Hashable | None:
    """What this reader's page of a game tells at this moment, beside its language and their settings.

    What it finds nothing of, the session need not ask when the page is drawn (`db.is_absent`).
    None where it also tells what is not asked here, which is seldom: the page must then be drawn anew. So it is for a
    deal of the day, by post, while the reader can recall a remark, and when plans are opened after a game.
    """
    params = {"match": number, "reader": reader or 0, "now": now, "recent": now - MERGE_WINDOW}
    row = db.connection(session).execute(_STATE, params).first()
    if row is None:
        return None
    db.note_absent(session, partial(_absent, row, number, reader, now))
    if row.daily is not None or row.by_post or (row.own and (row.recalls or row.opened)):
        return None
    values = tuple(row[: len(_OF_ALL) + len(_OF_PLAYERS) if row.own else len(_OF_ALL)])
    stands = outages.stands_since(_signs(row), now)
    return values, rounded(now, row.deadline, has_calendar=row.off_hours), now if stands is not None else None


def _absent(row: Row[Any], number: int, reader: int | None, now: datetime) -> Iterator[Hashable]:
    """Of which tables there is no row that the page could tell, and whether clocks stand for no reason on record."""
    if outages.stands_since(_signs(row), now) is None:
        yield (outages.unrecorded_gap,)
    wanted: tuple[tuple[tuple[str, ...], tuple[Hashable, ...]], ...] = (
        (("said_to_all", "said"), (Remark, number)),
        (("recalls",), (Remark, number, reader)),
        (("stops",), (ClockStop, number)),
        (("review",), (Review, number)),
        (("absences",), (Vacation, number)),
        (("outages",), (Outage, number)),
        (("offers",), (Offer, number)),
        (("unreachable",), (Suppression, number)),
        (("by_post",), (PostalMember, number)),
        (("plan",), (Plan, number, reader)),
        (("muted", "blocked"), (Mute, reader)),
    )
    yield from (key for names, key in wanted if not any(getattr(row, name) for name in names))


def rounded(now: datetime, deadline: datetime | None, *, has_calendar: bool = False) -> tuple[int, int]:
    """The moment in steps that are short beside the time to the deadline: how long a step is, and how many they are.

    Seconds of a step are a power of two, so that it seldom changes.
    """
    step = LONGEST_STEP_OF_CALENDARS if has_calendar else LONGEST_STEP
    if deadline is not None and deadline > now:
        step = min(step, max(1, int((deadline - now).total_seconds()) // _STEPS_LEFT))
    step = 1 << step.bit_length() - 1
    return step, int(now.timestamp()) // step


def _signs(row: Row[Any]) -> outages.Signs:
    """Whether clocks stand: each page is drawn anew meanwhile."""
    return outages.Signs(*(getattr(row, name) for name in outages.Signs._fields))


def _rows(*columns: Any, where: Any, of: Any = None) -> ScalarSelect[Any]:
    """These columns of all rows for which `where` holds, as one text; of tables that are joined, `of` is the one."""
    words: ColumnElement[str] = func.coalesce(cast(columns[0], String), "")
    for column in columns[1:]:
        words = words + "," + func.coalesce(cast(column, String), "")
    query = select(func.aggregate_strings(words, ";")).where(where)
    return (query if of is None else query.select_from(of)).correlate(Match).scalar_subquery()


def _is_past(moment: Any) -> ColumnElement[str]:
    return case((col(moment) <= _NOW, "past"), else_="")


_is_of_match = col(Player.match_id) == _MATCH
_is_own = and_(_is_of_match, col(Player.person_id) == _READER)
_players = select(Player.person_id).where(_is_of_match)
_is_open = or_(col(Remark.opens_at).is_(None), col(Remark.opens_at) <= _NOW)
_remark = (Remark.id, Remark.person_id, func.length(Remark.text))

_OF_ALL: dict[str, Any] = {
    "ply": Match.ply,
    "takebacks": Match.takebacks,
    "head": select(Move.hash)
    .where(col(Move.match_id) == _MATCH)
    .order_by(col(Move.ply).desc())
    .limit(1)
    .scalar_subquery(),
    "result": Match.result,
    "reason": Match.reason,
    "rated": Match.rated,
    "ended_at": Match.ended_at,
    "deadline": Match.deadline,
    "seats": _rows(
        *(Player.seat, Player.person_id, Player.since, Player.bank, Player.deadline, Player.flagged_at, Person.handle),
        where=and_(_is_of_match, col(Person.id) == col(Player.person_id)),
    ),
    "ratings": _rows(
        *(Rating.person_id, Rating.rating, Rating.deviation, Rating.updated_at),
        where=and_(col(Rating.person_id).in_(_players), col(Rating.game) == col(Match.game)),
    ),
    "changes": _rows(
        *(RatingChange.person_id, RatingChange.rating, RatingChange.rating_before),
        *(RatingChange.deviation, RatingChange.deviation_before),
        where=col(RatingChange.match_id) == _MATCH,
    ),
    "stops": _rows(
        *(ClockStop.id, ClockStop.begins_at, ClockStop.ends_at),
        *(_is_past(ClockStop.begins_at), _is_past(ClockStop.ends_at)),
        where=col(ClockStop.match_id) == _MATCH,
    ),
    "outages": _rows(
        *(Outage.begins_at, Outage.ends_at),
        where=and_(
            col(Outage.ends_at) > col(Match.started_at),
            col(Outage.begins_at) < func.coalesce(col(Match.ended_at), _NOW),
        ),
    ),
    "review": _rows(
        *(Review.state, func.length(Review.judgements)),
        where=and_(col(Review.match_id) == _MATCH, col(Match.ended_at).is_not(None)),
    ),
    "said_to_all": _rows(
        *_remark, where=and_(col(Remark.match_id) == _MATCH, col(Remark.audience) == Audience.EVERYONE, _is_open)
    ),
    "ends": select(func.max(SignedEnd.number)).where(col(SignedEnd.match_id) == _MATCH).scalar_subquery(),
    "acts": _rows(OperatorAct.id, OperatorAct.reversed_at, where=col(OperatorAct.match_id) == _MATCH),
}
"""What the page of a game tells everybody; words that an operator hid or showed, by the act alone."""

_OF_PLAYERS: dict[str, Any] = {
    "own": _rows(Player.seat, Player.muted_at, Player.seen_ply, Player.shown_ply, Player.shown_remark, where=_is_own),
    "calendars": _rows(
        *(Player.seat, Player.off_hours, Player.plans_opened_at, Person.zone, Person.off_hours, Person.departed_at),
        where=and_(_is_of_match, col(Person.id) == col(Player.person_id)),
    ),
    "said": _rows(
        *_remark,
        where=and_(
            col(Remark.match_id) == _MATCH,
            or_(and_(col(Remark.audience) == Audience.PLAYERS, _is_open), col(Remark.person_id) == _READER),
        ),
    ),
    "offers": _rows(
        *(Offer.id, Offer.seat, Offer.kind, Offer.days, Offer.state),
        where=and_(col(Offer.match_id) == _MATCH, col(Offer.state).in_([OfferState.OPEN, OfferState.DECLINED])),
    ),
    "absences": _rows(
        *(Vacation.person_id, Vacation.begins_at, Vacation.ends_at, Vacation.announced),
        *(_is_past(Vacation.begins_at), _is_past(Vacation.ends_at)),
        where=and_(col(Vacation.person_id).in_(_players), col(Vacation.ends_at) > col(Match.started_at)),
    ),
    "unreachable": _rows(
        Address.person_id,
        where=and_(
            *(col(Address.person_id).in_(_players), col(Address.is_main), col(Suppression.scope) == Scope.ALL),
            col(Suppression.mail_key) == col(Address.mail_key),
        ),
    ),
    "plan": _rows(
        *(Plan.at, Plan.stop, Plan.pending_move, Plan.tree),
        where=and_(col(Plan.match_id) == _MATCH, col(Plan.person_id) == _READER),
    ),
    "muted": _rows(Mute.other_id, where=col(Mute.person_id) == _READER),
    "blocked": _rows(Block.other_id, where=col(Block.person_id) == _READER),
}
"""What it tells its players beside that: what is the reader's own, and what only players see of each other."""

_RARE: dict[str, Any] = {
    "daily": Match.daily,
    "by_post": or_(
        exists().where(col(PostalMember.person_id).in_(_players)), exists().where(col(PostalEntry.match_id) == _MATCH)
    ),
    "recalls": exists().where(
        *(col(Remark.match_id) == _MATCH, col(Remark.person_id) == _READER, col(Remark.audience) != Audience.ME),
        col(Remark.at) > bindparam("recent"),
    ),
    "opened": exists().where(_is_of_match, col(Player.plans_opened_at).is_not(None)),
    "off_hours": exists().where(_is_of_match, col(Player.off_hours) != ""),
    **outages.SIGNS,
}
"""What makes a page one that is drawn anew, or its time one that is told more often."""

_STATE = select(*(value.label(name) for name, value in (_OF_ALL | _OF_PLAYERS | _RARE).items())).where(
    col(Match.id) == _MATCH
)
