"""The analysis board of guests, for finished games: nothing is stored here.

The tried moves are a text in the page's address: moves separated by `;`, lines by `|`. Lines with the same beginning
are branches of one tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from correspondence.models import Match
from correspondence.models.loading import MatchError
from correspondence.play.analysis import AnalysisBoard, VariationView
from correspondence.play.lookahead import try_step
from correspondence.play.puzzles import may_see
from correspondence.play.viewer_games import viewer_game_of
from engines.base import MoveError, Position, Seat
from engines.wording import _

MOST_TRIED = 60
"""Maximum number of moves in one address."""

LONGEST = 1_500
"""Maximum length of the text of tried moves, in characters."""


@dataclass(slots=True)
class _Node:
    """A position, how it was reached, and its continuations; numbered in order of creation."""

    position: Position[Any]
    number: int = 0
    seat: Seat = 0
    text: str = ""
    parent: _Node | None = None
    branches: list[_Node] = field(default_factory=list)


def board(session: Session, match_id: int, ply: int, tried: str, at: int | None) -> AnalysisBoard | None:
    """Return the board at tried move `at`, starting from the position after `ply` entries.

    None if there is no such board, or the game is not over. Raises MatchError if a move is not possible.
    """
    match = session.get(Match, match_id)
    if match is None or match.ended_at is None or not 0 <= ply <= match.ply or not may_see(session, match, None):
        return None
    try:
        nodes = _nodes(_base(session, match, ply), tried)
    except MoveError as error:
        raise MatchError(str(error)) from error
    if not 0 <= (at or 0) < len(nodes):
        return None
    return _shown(nodes, ply, at or 0)


def with_move(session: Session, match_id: int, ply: int, tried: str, at: int | None, text: str) -> tuple[str, int]:
    """Add a move after move number `at`; return the new text and the move's number.

    Raises MatchError if the game is not over or there is no such move, and MoveError.
    """
    nodes = _nodes_of(session, match_id, ply, tried, at)
    node = _grown(nodes, nodes[at or 0], text)
    _must_be_short(nodes)
    written = _written(nodes[0])
    return written, _number_in(nodes[0], node)


def without_move(session: Session, match_id: int, ply: int, tried: str, at: int | None) -> tuple[str, int | None]:
    """Remove move `at` and what follows; return text and previous number. Raises MatchError."""
    nodes = _nodes_of(session, match_id, ply, tried, at)
    dropped = nodes[at or 0]
    if dropped.parent is None:
        raise MatchError(_("That move is not among those you tried."))
    dropped.parent.branches.remove(dropped)
    return _written(nodes[0]), _number_in(nodes[0], dropped.parent) or None


def _nodes_of(session: Session, match_id: int, ply: int, tried: str, at: int | None) -> list[_Node]:
    match = session.get(Match, match_id)
    if match is None or match.ended_at is None or not 0 <= ply <= match.ply or not may_see(session, match, None):
        raise MatchError(_("There's no such position to try moves from."))
    nodes = _nodes(_base(session, match, ply), tried)
    if not 0 <= (at or 0) < len(nodes):
        raise MatchError(_("There's no such position to try moves from."))
    return nodes


def _base(session: Session, match: Match, ply: int) -> Position[Any]:
    return viewer_game_of(session, match).at(ply)


def _nodes(base: Position[Any], tried: str) -> list[_Node]:
    """Return all tried positions in text order, the starting position first."""
    if len(tried) > LONGEST:
        raise MatchError(_too_many())
    nodes = [_Node(base)]
    for line in tried.split("|"):
        node = nodes[0]
        for text in filter(None, map(str.strip, line.split(";"))):
            node = next((one for one in node.branches if one.text == text), None) or _grown(nodes, node, text)
            _must_be_short(nodes)
    return nodes


def _grown(nodes: list[_Node], node: _Node, text: str) -> _Node:
    """Add a move to a node and return its node, old or new. Raises MatchError or MoveError."""
    seat, canonical, after = try_step(node.position, text)
    known = next((one for one in node.branches if one.text == canonical), None)
    if known is not None:
        return known
    grown = _Node(after, len(nodes), seat, canonical, node)
    node.branches.append(grown)
    nodes.append(grown)
    return grown


def _must_be_short(nodes: Sequence[_Node]) -> None:
    if len(nodes) > MOST_TRIED + 1:
        raise MatchError(_too_many())


def _too_many() -> str:
    return _("A page address can hold at most {count} tried moves; please drop some, or sign in to keep more.").format(
        count=MOST_TRIED
    )


def _ways(node: _Node) -> Iterator[list[str]]:
    """Return all paths from this node to the end of a line."""
    for branch in node.branches:
        if not branch.branches:
            yield [branch.text]
        for way in _ways(branch):
            yield [branch.text, *way]


def _written(root: _Node) -> str:
    return "|".join(";".join(way) for way in _ways(root))


def _number_in(root: _Node, wanted: _Node) -> int:
    """Return a node's number after the text is read again, which numbers nodes line by line."""
    order, waiting = [root], list(reversed(root.branches))
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += reversed(node.branches)
    return next(number for number, node in enumerate(order) if node is wanted)


def _shown(nodes: Sequence[_Node], ply: int, at: int) -> AnalysisBoard:
    line: list[_Node] = []
    node: _Node | None = nodes[at]
    while node is not None and node.parent is not None:
        line.append(node)
        node = node.parent
    before = nodes[at].parent
    views = {one.number: _view(one) for one in nodes}
    return AnalysisBoard(
        ply, None, nodes[at].position, before.position if before else None,
        tuple(views[one.number] for one in reversed(line)), tuple(map(_view, nodes[0].branches)),
    )  # fmt: skip


def _view(node: _Node) -> VariationView:
    return VariationView(node.number, node.seat, node.text, tuple(map(_view, node.branches)))
