"""How other sites show a game: the HTML of its frame, and the address that tells programs of it."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import url_for
from markupsafe import Markup

from correspondence.queries.view_models import GameView
from correspondence.web.previews import absolute

WIDTH, HEIGHT = 480, 660
"""Size of the frame in CSS pixels, if the other site sets no maximum."""

_FRAME = Markup(
    '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" style="border:0;max-width:100%"></iframe>'
)


def frame(game: GameView, width: int = WIDTH, height: int = HEIGHT) -> str:
    """The HTML that embeds the viewer in another page, at this position unless it is the last one."""
    number = game.card.number
    path = url_for("embed.show", number=number) if game.is_latest else url_for("embed.at", number=number, ply=game.ply)
    return str(_FRAME.format(absolute(path), title_of(game), width, height))


def title_of(game: GameView) -> str:
    """The players and the game, as in the title of its page."""
    return f"{' – '.join(player.handle for player in game.card.players)}, {game.card.game}"


def oembed_url(path: str) -> str:
    """The absolute oEmbed URL for the game's page at this path."""
    return absolute(f"{url_for('embed.oembed')}?{urlencode({'url': absolute(path)})}")
