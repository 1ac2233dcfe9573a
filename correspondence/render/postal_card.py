"""The content of a postcard, as a value. Pure; `card_sheet` draws it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """A postcard in its reader's language.

    `board` is an SVG, `news` the events since the reader's last move. `word` is the check word, empty once the game is
    over. If `is_secret`, the opponent must not see the card. `to` and `reply_to` are the lines of envelopes; the latter
    may be empty.
    """

    language: str
    title: str
    players: str
    moment: str
    news: tuple[str, ...]
    until: str
    word: str
    is_secret: bool
    board: str
    link: str
    to: tuple[str, ...]
    reply_to: tuple[str, ...]
    notation: tuple[str, ...]
    example: str
