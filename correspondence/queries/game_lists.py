"""Lists of games: plain rows from the database, and the cards that one reader sees.

A list depends on nothing but these rows, so they show whether it has changed before any card is made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, select
from sqlmodel import Session, col

from correspondence.accounts.accounts import DEPARTED
from correspondence.core import db
from correspondence.fairness.evidence import foreign_origins
from correspondence.models import Match, Offer, OfferKind, OfferState, Person, Player
from correspondence.models.loading import ending
from correspondence.queries.view_models import GameCard, SeatView
from engines import GAMES
from engines.base import Viewer
from engines.wording import _

_SEATS: tuple[Any, ...] = (
    *(Player.match_id, Player.seat, Player.person_id, Player.since, Player.deadline, Player.bank),
    *(Person.handle, Person.robot_level),
)

_SEATED = (
    select(*_SEATS)
    .join(Person, col(Person.id) == col(Player.person_id))
    .where(col(Player.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(Player.seat))
)

_LISTED: tuple[Any, ...] = (
    Match.id,
    Match.game,
    Match.ply,
    Match.result,
    Match.reason,
    Match.started_at,
    Match.ended_at,
    Match.daily,
)
"""Columns of a match that a list shows."""

_MATCHES = select(*_LISTED).where(col(Match.id).in_(bindparam("matches", expanding=True)))

_PLAYED = (
    select(*_LISTED)
    .join(Player, col(Player.match_id) == col(Match.id))
    .where(col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_(None))
)

_OFFERED = (
    select(col(Offer.match_id), col(Offer.seat), col(Offer.kind))
    .where(col(Offer.match_id).in_(bindparam("matches", expanding=True)), col(Offer.state) == OfferState.OPEN)
    .order_by(col(Offer.id))
)

_FINISHED = (
    select(*_LISTED)
    .join(Player, col(Player.match_id) == col(Match.id))
    .where(col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_not(None), col(Match.daily).is_(None))
    .order_by(col(Player.ended_at).desc(), col(Player.match_id).desc())
    .limit(bindparam("most"))
)


class GameList(NamedTuple):
    """Games in list order, their players, the origins of those not signed here, and open offers."""

    matches: tuple[Row[Any], ...]
    seated: tuple[Row[Any], ...]
    origins: tuple[tuple[int, str], ...]
    offers: tuple[Row[Any], ...] = ()

    def cards(self, person_id: int | None) -> tuple[GameCard, ...]:
        """Return the games as cards for this person; None for an onlooker."""
        names = {seat.person_id: shown_handle(seat.handle) for seat in self.seated}
        seats: dict[int, list[Row[Any]]] = {}
        for seat in self.seated:
            seats.setdefault(seat.match_id, []).append(seat)
        origins = dict(self.origins)
        return tuple(
            card_of(
                match,
                seats[match.id],
                names,
                person_id,
                origin=origins.get(match.id, ""),
                offers=[(offer.seat, offer.kind) for offer in self.offers if offer.match_id == match.id],
            )
            for match in self.matches
        )

    def count_with_people(self, person_id: int) -> int:
        """Count the games in which this person has a human opponent."""
        return sum(seat.person_id != person_id and not seat.robot_level for seat in self.seated)

    @property
    def version(self) -> Hashable:
        """Everything that a list of these games depends on."""
        rows = (tuple(map(tuple, some)) for some in (self.matches, self.seated, self.offers))
        return (*rows, self.origins)

    @property
    def deadlines(self) -> tuple[datetime, ...]:
        """Deadlines of the players to move."""
        return tuple(seat.deadline for seat in self.seated if seat.deadline is not None)


def listed(session: Session, numbers: Sequence[int]) -> GameList:
    """Return the games with these numbers, in this order."""
    found = {match.id: match for match in session.connection().execute(_MATCHES, {"matches": numbers})}
    return _list_of(session, [found[number] for number in numbers])


def played_by(session: Session, person_id: int) -> GameList:
    """Return the current games of this person, with what their opponents offer."""
    games = _list_of(session, session.connection().execute(_PLAYED, {"person": person_id}).all())
    numbers = [match.id for match in games.matches]
    offers = db.rows(session, _OFFERED, matches=numbers) if numbers else ()
    return games._replace(offers=tuple(offers))


def finished_by(session: Session, person_id: int, most: int) -> GameList:
    """Return a person's last finished games, newest first, without deals of the day."""
    rows = session.connection().execute(_FINISHED, {"person": person_id, "most": most}).all()
    return _list_of(session, rows)


def played_and_finished_by(session: Session, person_id: int, most: int) -> tuple[int, GameList]:
    """Count a person's current games; list them, then up to `most` finished ones, newest first.

    Deals of the day are counted but not listed, because the list must not reveal that one is in play.
    """
    played = session.connection().execute(_PLAYED, {"person": person_id}).all()
    finished = session.connection().execute(_FINISHED, {"person": person_id, "most": most}).all()
    return len(played), _list_of(session, [*(match for match in played if match.daily is None), *finished])


def _list_of(session: Session, matches: Sequence[Row[Any]]) -> GameList:
    seated = session.connection().execute(_SEATED, {"matches": [match.id for match in matches]})
    origins = foreign_origins(session, [match.id for match in matches if match.ended_at is not None])
    return GameList(tuple(matches), tuple(seated), tuple(sorted(origins.items())))


def by_urgency(cards: Iterable[GameCard]) -> tuple[GameCard, ...]:
    """Sort games: those with the reader to move first, each group by deadline."""
    return tuple(sorted(cards, key=lambda card: (not card.my_turn, card.deadline or card.started_at, card.number)))


def card_of(
    match: Any,
    players: Sequence[Any],
    names: Mapping[int, str],
    person_id: int | None,
    unreachable_ids: frozenset[int] = frozenset(),
    *,
    origin: str = "",
    offers: Sequence[tuple[int, OfferKind]] = (),
) -> GameCard:
    """Return a match as a card for one reader, from rows or objects with the same attributes.

    `offers` are the open offers in it, by seat; the card holds those of opponents.
    """
    game = GAMES[match.game]
    seats = tuple(_seat_view(match, p, names[p.person_id], p.person_id in unreachable_ids) for p in players)
    viewer = viewer_seat(players, person_id)
    return GameCard(
        match.id,
        match.game,
        _(game.name),
        match.ply,
        seats,
        viewer,
        match.result,
        ending(match),
        match.started_at,
        match.ended_at,
        _(origin) if origin else "",
        max((p.since for p in players if p.since is not None), default=None),
        tuple(kind for seat, kind in offers if viewer is not None and seat != viewer),
    )


def _seat_view(match: Any, player: Any, handle: str, is_unreachable: bool) -> SeatView:
    bank = timedelta(seconds=player.bank)
    won = match.result == ("1-0" if player.seat == 0 else "0-1")
    return SeatView(
        player.seat,
        _(GAMES[match.game].seats[player.seat]),
        handle,
        player.person_id,
        player.since is not None,
        player.deadline,
        bank,
        won,
        is_unreachable,
    )


def viewer_seat(players: Iterable[Player], person_id: int | None) -> Viewer:
    """Return the seat of a person among these players; None for an onlooker."""
    return next((player.seat for player in players if player.person_id == person_id), None)


def shown_handle(handle: str) -> str:
    """Return a handle for a page; for a departed member, words in the reader's language."""
    return _(DEPARTED) if handle == DEPARTED else handle
