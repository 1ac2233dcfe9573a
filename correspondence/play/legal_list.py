"""A player's legal moves as a list: numbered, by piece, or as an overview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from correspondence.models import Match
from correspondence.models.loading import MatchError, must_go_on, position_of
from correspondence.render.viewer_game import MOST_MOVES, FirstTouch, first_touches
from engines.base import Position, Seat
from engines.wording import _, listing

LISTED = 400
"""Maximum number of moves listed in full; beyond it, only beginnings and counts are listed."""


@dataclass(frozen=True, slots=True)
class LegalGroup:
    """Legal moves with the same beginning: its token, label, count and texts.

    The texts are empty if there are too many moves to list.
    """

    token: str
    label: str
    count: int
    moves: tuple[str, ...]


def legal_groups(match: Match, seat: Seat, begins: str = "") -> tuple[LegalGroup, ...]:
    """Return the legal moves of `seat`, or those that begin with `begins`.

    `begins` is a square or the name of a piece in hand. The moves depend only on what the seat can see. Raises
    MatchError if it is not the seat's turn, or no move begins like that.
    """
    must_go_on(match)
    position = position_of(match)
    if seat not in position.to_act:
        raise MatchError(_("It is not your turn in game {number}, so you have no moves there.").format(number=match.id))
    starts = _starting(first_touches(position, seat, MOST_MOVES), begins)
    is_listed = sum(len(start.moves) for start in starts) <= LISTED
    return tuple(
        LegalGroup(start.token, start.label, len(start.moves), _texts(position, seat, start) if is_listed else ())
        for start in starts
    )


def _starting(starts: Sequence[FirstTouch], begins: str) -> Sequence[FirstTouch]:
    wanted = begins.casefold()
    found = [start for start in starts if not wanted or wanted in _names(start)]
    if not found:
        known = listing([start.token for start in starts][:30], _("and"))
        raise MatchError(
            _("No move of yours begins with “{begins}”. Your moves begin with {known}.").format(
                begins=begins, known=known
            )
        )
    return found


def _names(start: FirstTouch) -> tuple[str, ...]:
    """Return the display name of the shared beginning of these moves."""
    return start.token.casefold(), start.token.casefold().rpartition(":")[2], start.label.casefold()


def _texts(position: Position[Any], seat: Seat, start: FirstTouch) -> tuple[str, ...]:
    view = position.view(seat)
    return tuple(view.write(seat, move) for move in start.moves)
