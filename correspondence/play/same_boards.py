"""Boards that look alike: what is said of a game that is over must not help in one that still goes on.

Only what everybody sees is compared, so that a refusal tells nothing. How a board came about does not count: two games
that reach it by other moves, in more of them, or with other options, ask for the same advice.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core.caching import cached
from correspondence.models import Match, Player
from correspondence.models.loading import position_of
from engines.base import Position


def look(position: Position[Any]) -> Hashable:
    """Who is to act and what lies where, as an onlooker sees it; equal for boards that look alike, in any language."""
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
    """How the boards of these persons' running games of this kind look, whatever their options.

    `but` is the number of a match that does not count. Games with fewer than `least_entries` entries do not count either.
    """
    running = (
        select(Match).join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Player.person_id).in_(person_ids), col(Player.ended_at).is_(None), col(Match.game) == game)
        .where(col(Match.ply) >= least_entries)
    )  # fmt: skip
    return frozenset(look(position_of(one)) for one in session.exec(running) if one.id != but)
