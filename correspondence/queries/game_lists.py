"""Lists of games: what the database has of them, as plain rows, and the cards that one reader sees.

A list tells nothing but these rows, so it is known by them whether it has changed, before a card is made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, select
from sqlmodel import Session, col

from correspondence.accounts.accounts import DEPARTED
from correspondence.fairness.evidence import foreign_ids
from correspondence.models import Match, Person, Player
from correspondence.models.loading import ending
from correspondence.queries.view_models import GameCard, SeatView
from engines import GAMES
from engines.base import Viewer
from engines.wording import _

_SEATS: tuple[Any, ...] = (
    *(Player.match_id, Player.seat, Player.person_id, Player.since, Player.deadline, Player.bank),
    Person.handle,
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
"""What a list says of a match."""

_MATCHES = select(*_LISTED).where(col(Match.id).in_(bindparam("matches", expanding=True)))

_PLAYED = (
    select(*_LISTED)
    .join(Player, col(Player.match_id) == col(Match.id))
    .where(col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_(None))
)

_FINISHED = (
    select(*_LISTED)
    .join(Player, col(Player.match_id) == col(Match.id))
    .where(col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_not(None), col(Match.daily).is_(None))
    .order_by(col(Player.ended_at).desc(), col(Player.match_id).desc())
    .limit(bindparam("most"))
)


class GameList(NamedTuple):
    """Games in the order of their list, with whoever sits at them, and those that were signed by no key of ours."""

    matches: tuple[Row[Any], ...]
    seated: tuple[Row[Any], ...]
    foreign: frozenset[int]

    def cards(self, person_id: int | None) -> tuple[GameCard, ...]:
        """The games as this person sees them in a list; None is for an onlooker."""
        names = {seat.person_id: shown_handle(seat.handle) for seat in self.seated}
        seats: dict[int, list[Row[Any]]] = {}
        for seat in self.seated:
            seats.setdefault(seat.match_id, []).append(seat)
        return tuple(
            card_of(match, seats[match.id], names, person_id, is_foreign=match.id in self.foreign)
            for match in self.matches
        )

    @property
    def version(self) -> Hashable:
        """All that a list of these games tells."""
        return tuple(map(tuple, self.matches)), tuple(map(tuple, self.seated)), tuple(sorted(self.foreign))

    @property
    def deadlines(self) -> tuple[datetime, ...]:
        """When the time of anybody runs out who is to move."""
        return tuple(seat.deadline for seat in self.seated if seat.deadline is not None)


def listed(session: Session, numbers: Sequence[int]) -> GameList:
    """The games of these numbers, in this order."""
    found = {match.id: match for match in session.connection().execute(_MATCHES, {"matches": numbers})}
    return _list_of(session, [found[number] for number in numbers])


def played_by(session: Session, person_id: int) -> GameList:
    """The games that this person plays now."""
    return _list_of(session, session.connection().execute(_PLAYED, {"person": person_id}).all())


def finished_by(session: Session, person_id: int, most: int) -> GameList:
    """The games of this person that ended last, without deals of the day, newest first."""
    rows = session.connection().execute(_FINISHED, {"person": person_id, "most": most}).all()
    return _list_of(session, rows)


def played_and_finished_by(session: Session, person_id: int, most: int) -> tuple[int, GameList]:
    """How many games this person plays now; and those games, then at most so many that ended last, newest first.

    Deals of the day are counted and not listed: whoever knows the list must not see that one goes on.
    """
    played = session.connection().execute(_PLAYED, {"person": person_id}).all()
    finished = session.connection().execute(_FINISHED, {"person": person_id, "most": most}).all()
    return len(played), _list_of(session, [*(match for match in played if match.daily is None), *finished])


def _list_of(session: Session, matches: Sequence[Row[Any]]) -> GameList:
    seated = session.connection().execute(_SEATED, {"matches": [match.id for match in matches]})
    foreign = foreign_ids(session, [match.id for match in matches if match.ended_at is not None])
    return GameList(tuple(matches), tuple(seated), foreign)


def by_urgency(cards: Iterable[GameCard]) -> tuple[GameCard, ...]:
    """The games in which it is the reader's turn first, each group by deadline."""
    return tuple(sorted(cards, key=lambda card: (not card.my_turn, card.deadline or card.started_at, card.number)))


def card_of(
    match: Any,
    players: Sequence[Any],
    names: Mapping[int, str],
    person_id: int | None,
    unreachable_ids: frozenset[int] = frozenset(),
    *,
    is_foreign: bool = False,
) -> GameCard:
    """A match as one reader sees it in a list: `match` and `players` are rows, or what has the same names."""
    game = GAMES[match.game]
    seats = tuple(_seat_view(match, p, names[p.person_id], p.person_id in unreachable_ids) for p in players)
    return GameCard(
        match.id,
        match.game,
        _(game.name),
        match.ply,
        seats,
        viewer_seat(players, person_id),
        match.result,
        ending(match),
        match.started_at,
        match.ended_at,
        is_foreign,
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
    """The seat of a person among these players; None for an onlooker."""
    return next((player.seat for player in players if player.person_id == person_id), None)


def shown_handle(handle: str) -> str:
    """A handle as a page shows it: of somebody who has left, the words for that in the reader's language."""
    return _(DEPARTED) if handle == DEPARTED else handle
