"""The panel of a sample game: robots played it, and what turned it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from flask import Blueprint
from sqlmodel import Session

from correspondence.features.samples.tables import SampleGame
from correspondence.models import Match, Move
from correspondence.models.loading import game_of, moves_of
from engines.wording import _

bp = Blueprint("samples", __name__, template_folder="templates/web")
"""No page, but the folder of the panel's template."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A spoken comment on a turning point."""

    ply: int
    seat: str
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SamplePanel:
    """What the page of a sample game says about it."""

    comments: tuple[Comment, ...]


def panel_of(session: Session, match: Match) -> SamplePanel | None:
    """Return the panel of a sample game, which is an import and so never rated; None for every other game."""
    row = session.get(SampleGame, match.id) if match.ended_at is not None and not match.rated else None
    if row is None:
        return None
    turning = json.loads(row.turning)
    moves = moves_of(session, match.id) if turning else ()
    seats = game_of(match).seats
    return SamplePanel(tuple(_comment(moves[one[0] - 1], seats, *one) for one in turning))


def turning_points_in(panel: SamplePanel) -> tuple[int, ...]:
    """Return the numbers of the moves with a comment."""
    return tuple(comment.ply for comment in panel.comments)


def sentence_at(session: Session, match: Match, ply: int) -> str:
    """Return the comment on the move that was played after `ply` entries; empty if there is none."""
    panel = panel_of(session, match)
    comments = panel.comments if panel is not None else ()
    return next((comment.sentence for comment in comments if comment.ply == ply + 1), "")


def _comment(move: Move, seats: tuple[str, ...], ply: int, best: str, expected: float, played: float) -> Comment:
    seat = _(seats[move.seat])
    words = {"move": move.text, "best": best, "seat": seat, "before": _percent(expected), "after": _percent(played)}
    return Comment(ply, seat, move.text, _sentence(expected, played).format(**words))


def _sentence(expected: float, played: float) -> str:
    if expected >= 0.99:
        return _("{best} would have won for {seat}. After {move}, the chances are {after}%.")
    if played <= 0.01:
        return _("{move} loses. With {best}, {seat} would still have had chances of {before}%.")
    return _("{move} lets much slip: {best} was stronger. The chances of {seat} fall from {before}% to {after}%.")


def _percent(share: float) -> int:
    return round(100 * share)
