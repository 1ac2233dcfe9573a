"""Registry of panels that features show on a game's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import Session

from correspondence.models import Match
from correspondence.web.current import current_runtime


@dataclass(frozen=True, slots=True)
class Panel:
    """A section of a game's page.

    `template` is included with `panel.content`, which `content_of` returns; None shows no panel. `note_at` returns a
    sentence on a position of a finished game for the analysis board, given match and entries; empty for none.
    """

    feature: str
    template: str
    content_of: Callable[[Session, Match], Any]
    note_at: Callable[[Session, Match, int], str]


class ShownPanel(NamedTuple):
    """A panel with its content for one page."""

    template: str
    content: Any


PANELS: list[Panel] = []
"""The registered panels, in page order."""


def panels_of(session: Session, match: Match) -> Sequence[ShownPanel]:
    """Return the panels of a match's page."""
    shown = (ShownPanel(panel.template, panel.content_of(session, match)) for panel in _panels())
    return tuple(panel for panel in shown if panel.content is not None)


def notes_at(session: Session, match: Match, ply: int) -> tuple[str, ...]:
    """Return the sentences on the position after `ply` entries of a finished match."""
    return tuple(note for panel in _panels() if (note := panel.note_at(session, match, ply)))


def _panels() -> Sequence[Panel]:
    return [panel for panel in PANELS if current_runtime().settings.has_feature(panel.feature)]
