"""The history of a game beside its board: moves in words, times used, snippets to embed."""

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
from correspondence.web.frames import frame
from correspondence.web.locale import language, length
from engines.base import CHANCE
from engines.wording import _


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One entry of the record, with its text in words."""

    line: MoveLine
    words: str


@dataclass(frozen=True, slots=True)
class GameHistory:
    """The history of a game beside its board; `plot` is empty if no move took any time.

    The snippets are HTML that embeds this position, the whole game as an animation, or its viewer in another site. A
    game that is not public has no viewer.
    """

    move_rows: tuple[MoveRow, ...]
    plot: str
    snippet: str
    animation_snippet: str
    frame_snippet: str


def history_of(game: GameView) -> GameHistory:
    """The history of a game, redacted for its viewer."""
    words = narrate(game.viewer_game, game.card.viewer, language(), opened=game.card.is_over)
    move_rows = tuple(MoveRow(line, text) for line, text in zip(game.lines, words, strict=True))
    moment = url_for("pictures.as_svg", number=game.card.number, ply=game.ply)
    page = url_for("games.at", number=game.card.number, ply=game.ply)
    moving = url_for("pictures.animation", number=game.card.number)
    snippets = (_snippet(page, moment, game), _snippet(page, moving, game), "" if game.daily else frame(game))
    return GameHistory(move_rows, _plot(game), *snippets)


def _snippet(page: str, picture: str, game: GameView) -> str:
    base = current_runtime().settings.base_url.rstrip("/")
    template = Markup('<a href="{}"><img src="{}" alt="{}" width="480"></a>')
    return str(template.format(base + page, base + picture, game.scene.title))


def _plot(game: GameView) -> str:
    spent = [(line.seat, line.spent) for line in game.lines if line.seat != CHANCE]
    if not any(time for _seat, time in spent):
        return ""
    labels = (*_marks(), length(max(time for _seat, time in spent)))
    return time_plot(spent, _("Time used for each move"), _used(game, spent), labels)


def _used(game: GameView, spent: list[tuple[int, timedelta]]) -> str:
    """The content of the plot as a sentence for each seat."""
    sentence = _("{seat}: {total} in all, at most {most} for one move.")
    sentences = []
    for player in game.card.players:
        own = [time for seat, time in spent if seat == player.seat] or [timedelta(0)]
        total, most = length(sum(own, timedelta(0))), length(max(own))
        sentences.append(sentence.format(seat=player.seat_name, total=total, most=most))
    return " ".join(sentences)


def _marks() -> tuple[str, ...]:
    return tuple(unit(time, language()) for time in (timedelta(hours=1), timedelta(days=1), timedelta(days=7)))
