"""An analysis as text: the game up to its position as the viewer sees it, then the tried moves with comments.

The notation is that of records. A variation stands below the move that it replaces, two spaces further in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from correspondence.archive.record_file import escaped, on_one_line
from correspondence.play.analysis import AnalysisBoard, VariationView
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE, Seat


def analysis_text(game: ViewerGame, board: AnalysisBoard, names: Sequence[str], *, opened: bool) -> str:
    """Return the analysis of a game as text. `names` are its players by seat; `opened` says that nothing is hidden."""
    seats = {CHANCE: "*", **dict(enumerate(GAMES[game.key].seats))}
    tags = {"Game": game.key, "Options": game.options, **dict(zip(GAMES[game.key].seats, names, strict=True))}
    texts = game.texts(board.viewer, opened=opened)[: board.ply]
    played = [
        _row(ply, seats[entry.seat], text)
        for ply, (entry, text) in enumerate(zip(game.entries, texts, strict=False), 1)
    ]
    head = [f'[{name} "{escaped(value)}"]' for name, value in {**tags, "Analysis": f"after {board.ply}"}.items()]
    tried = [row for branches in [board.tree] if branches for row in _rows(branches, board.ply + 1, seats, "")]
    return "\n".join([*head, "", *played, "", *tried, ""])


def _rows(branches: Sequence[VariationView], ply: int, seats: Mapping[Seat, str], indent: str) -> Iterator[str]:
    """Write the first branch and what replaces it, then go on with the first branch."""
    while branches:
        first, *others = branches
        yield indent + _row(ply, seats[first.seat], first.text, first.comment)
        for other in others:
            yield from _rows((other,), ply, seats, indent + "  ")
        branches, ply = first.branches, ply + 1


def _row(ply: int, seat: str, text: str, comment: str = "") -> str:
    row = f"{ply}. {seat}: {text}"
    return f"{row} ; {on_one_line(comment)}" if comment else row
