"""A match's entries with the positions between them."""

from __future__ import annotations

from sqlmodel import Session

from correspondence.models import Match
from correspondence.models.loading import entries_of, moves_of
from correspondence.render.viewer_game import ViewerGame


def viewer_game_of(session: Session, match: Match) -> ViewerGame:
    """Return the entries of a match with the positions between them."""
    return ViewerGame(match.game, match.options, tuple(entries_of(moves_of(session, match.id))))
