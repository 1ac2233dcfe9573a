"""Sample games, shown position by position or as an animation."""

from __future__ import annotations

import logging
import re
from functools import lru_cache

from correspondence.core.caching import cached
from correspondence.render.animation import animated_svg
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE, Seat
from engines.record import Entry

log = logging.getLogger(__name__)

FILM_SECONDS = 60
"""The length of a sample game's animation, in seconds."""

_OPTIONS = re.compile(r'^\[Options "([^"]*)"\]$', re.MULTILINE)
_ENTRY = re.compile(r"^\d+\. (\*|\w+): (.+)$", re.MULTILINE)


def sample_game(key: str) -> ViewerGame | None:
    """Return a game's sample game by key; None if it has none."""
    game = GAMES[key]
    sample = game.presentation.sample()
    if not sample:
        return None
    options = _OPTIONS.search(sample)
    seats: dict[str, Seat] = {"*": CHANCE, **{name: seat for seat, name in enumerate(game.seats)}}
    entries = tuple(Entry(seats[who], text.strip()) for who, text in _ENTRY.findall(sample))
    return ViewerGame(key, options[1] if options else "", entries)


@cached(16)
def sample_film(key: str) -> str:
    """Return a sample game as a fully revealed SVG animation; empty if there is none."""
    game = sample_game(key) if has_sample(key) else None
    return animated_svg(game, None, opened=True, lasts=FILM_SECONDS) if game else ""


@lru_cache
def has_sample(key: str) -> bool:
    """Whether a game has a valid sample game; an invalid one is logged."""
    try:
        game = sample_game(key)
        return game is not None and bool(game.entries) and game.at(len(game.entries)) is not None
    except Exception:
        log.warning("the sample of %s is left out", key, exc_info=True)
        return False
