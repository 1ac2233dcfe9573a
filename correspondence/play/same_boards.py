"""Boards that look alike: data on a finished game must not help in a running one.

Only what everyone sees is compared, so that a refusal reveals nothing. The moves that led to a board do not count. Two
games with the same board call for the same advice, even with other options.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core.caching import cached
from correspondence.models import Match, Player
from correspondence.models.loading import MatchError, position_of
from engines.base import Position
from engines.wording import _

OPENING = 6
"""Entries before which positions occur in many games and give no advice on another."""


def look(position: Position[Any]) -> Hashable:
    """Return a hashable look of a board as onlookers see it, equal in any language."""
    return _look(position.view(None))


@cached(512)
def _look(seen: Position[Any]) -> Hashable:
    scene = seen.draw()
    cells = tuple(cell.text for row in scene.rows for cell in row)
    trays = tuple((tray.side, item.piece.text, item.count) for tray in scene.trays for item in tray.items)
    return seen.to_act, cells, trays, scene.bridges


def standing(
    session: Session,
    person_ids: Collection[int],
    game: str,
    *,
    least_entries: int = 1,
    but: int | None = None,
) -> frozenset[Hashable]:
    """Return the looks of these persons' running games of this kind, with any options.

    The match with number `but` and games with fewer than `least_entries` entries do not count.
    """
    running = (
        select(Match).join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Player.person_id).in_(person_ids), col(Player.ended_at).is_(None), col(Match.game) == game)
        .where(col(Match.ply) >= least_entries)
    )  # fmt: skip
    return frozenset(look(position_of(one)) for one in session.exec(running) if one.id != but)


def must_help_in_no_other_game(
    session: Session, match: Match, person_ids: Collection[int], stood: Iterable[Position[Any]]
) -> None:
    """Raise MatchError if a running game of these persons looks like a position of `stood`.

    Only what everyone sees of both is compared, so that the refusal reveals nothing.
    """
    boards = standing(session, person_ids, match.game, least_entries=OPENING, but=match.id)
    if boards and any(look(position) in boards for position in stood):
        raise MatchError(_("A game in progress has reached the same position. Ask again when it is over."))
