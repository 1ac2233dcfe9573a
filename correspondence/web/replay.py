"""The history of a game beside its board: every move in words, the time it took, and how to show it elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from flask import url_for
from markupsafe import Markup

from correspondence.core.i18n import unit
from correspondence.queries.view_models import GameView, MoveLine
from correspondence.render.charts import time_plot
from correspondence.render.narration import narrate
from correspondence.web.current import current_runtime
from correspondence.web.locale import language, length
from engines.base import CHANCE
from engines.wording import _


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One entry with its words."""

    line: MoveLine
    words: str


@dataclass(frozen=True, slots=True)
class Story:
    """What the history of a game shows besides the board; `plot` is empty where no move took any time.

    The snippets are HTML that shows this moment, and the whole game moving, on somebody else's page.
    """

    chapters: tuple[MoveRow, ...]
    plot: str
    snippet: str
    film_snippet: str


def story_of(seen: GameView) -> Story:
    """The history of a game as its viewer may read it."""
    words = narrate(seen.course, seen.card.viewer, language(), opened=seen.card.is_over)
    chapters = tuple(MoveRow(line, said) for line, said in zip(seen.lines, words, strict=True))
    moment = url_for("pictures.as_svg", number=seen.card.number, ply=seen.ply)
    page = url_for("games.at", number=seen.card.number, ply=seen.ply)
    moving = url_for("pictures.as_film", number=seen.card.number)
    return Story(chapters, _plot(seen), _snippet(page, moment, seen), _snippet(page, moving, seen))


def _snippet(page: str, picture: str, seen: GameView) -> str:
    base = current_runtime().settings.base_url.rstrip("/")
    template = Markup('<a href="{}"><img src="{}" alt="{}" width="480"></a>')
    return str(template.format(base + page, base + picture, seen.scene.title))


def _plot(seen: GameView) -> str:
    spent = [(line.seat, line.spent) for line in seen.lines if line.seat != CHANCE]
    if not any(time for _seat, time in spent):
        return ""
    labels = (*_marks(), length(max(time for _seat, time in spent)))
    return time_plot(spent, _("Time used for each move"), _used(seen, spent), labels)


def _used(seen: GameView, spent: list[tuple[int, timedelta]]) -> str:
    """What the plot says, as a sentence for each seat."""
    sentence = _("{seat}: {total} in all, at most {most} for one move.")
    told = []
    for sitter in seen.card.sitters:
        own = [time for seat, time in spent if seat == sitter.seat] or [timedelta(0)]
        total, most = length(sum(own, timedelta(0))), length(max(own))
        told.append(sentence.format(seat=sitter.seat_name, total=total, most=most))
    return " ".join(told)


def _marks() -> tuple[str, ...]:
    return tuple(unit(time, language()) for time in (timedelta(hours=1), timedelta(days=1), timedelta(days=7)))
