"""Registry of panels that features show on a game's page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import Session

from correspondence.models import Match
from correspondence.play.analysis import AnalysisBoard
from correspondence.web.current import current_runtime


@dataclass(frozen=True, slots=True)
class Panel:
    """A section of a game's page.

    `template` is included with `panel.content`, which `content_of` returns; None shows no panel. `note_at` returns a
    sentence on a position of a finished game for the analysis board, given match and entries; empty for none.
    `turning_points_in` returns the numbers of the moves that the list of moves marks, given the content.
    """

    feature: str
    template: str
    content_of: Callable[[Session, Match], Any]
    note_at: Callable[[Session, Match, int], str]
    turning_points_in: Callable[[Any], Collection[int]] = lambda _content: ()


class BoardPanel(NamedTuple):
    """A section of the analysis board.

    `content_of` gets the match, the board, and the id of the member whose board it is, or None. It returns None to
    show nothing.
    """

    feature: str
    template: str
    content_of: Callable[[Session, Match, AnalysisBoard, int | None], Any]


BOARD_PANELS: list[BoardPanel] = []
"""The registered sections of the analysis board, in page order."""


class ShownPanel(NamedTuple):
    """A panel with its content for one page."""

    template: str
    content: Any
    turning_points: Collection[int]


PANELS: list[Panel] = []
"""The registered panels, in page order."""


def panels_of(session: Session, match: Match) -> Sequence[ShownPanel]:
    """Return the panels of a match's page."""
    contents = ((panel, panel.content_of(session, match)) for panel in _panels())
    return tuple(
        ShownPanel(panel.template, content, panel.turning_points_in(content))
        for panel, content in contents
        if content is not None
    )


def board_panels(session: Session, match: Match, board: AnalysisBoard, owner_id: int | None) -> Sequence[ShownPanel]:
    """Return the sections of an analysis board of this member."""
    settings = current_runtime().settings
    shown = [panel for panel in BOARD_PANELS if settings.has_feature(panel.feature)]
    contents = ((panel.template, panel.content_of(session, match, board, owner_id)) for panel in shown)
    return tuple(ShownPanel(template, content, ()) for template, content in contents if content is not None)


def notes_at(session: Session, match: Match, ply: int) -> tuple[str, ...]:
    """Return the sentences on the position after `ply` entries of a finished match."""
    return tuple(note for panel in _panels() if (note := panel.note_at(session, match, ply)))


def _panels() -> Sequence[Panel]:
    return [panel for panel in PANELS if current_runtime().settings.has_feature(panel.feature)]
