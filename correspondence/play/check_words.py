"""Check words: four letters on a postal player's card that identify its position.

A word is an HMAC under the server's key, so it cannot be derived from the board. Only the card shows it: to the postal
player, their helper and the operator, never to the opponent. A right word proves that its writer had the card of this
position. It does not prove the move, so every entry is reported to the postal player and can be contested. Pure.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

LETTERS = "BCDFGHJKLMNPRSTVWXZ"
"""The alphabet: no vowels, so that no word has a meaning; no letters that look like digits."""

LENGTH = 4
"""Length of a word, in letters; a random guess is right once in 130,000."""

TAKEBACKS_KNOWN = 20
"""Number of most recent take-backs whose old words are still recognised."""


@dataclass(frozen=True, slots=True)
class CardKey:
    """The identity of a card: match, seat, number of entries and take-backs, and record hash."""

    match_id: int
    seat: int
    ply: int
    takebacks: int
    hash: str


def check_word(key: str, board: CardKey) -> str:
    """Return the check word of a board, in capitals."""
    words = f"check word:{board.match_id}:{board.seat}:{board.ply}:{board.takebacks}:{board.hash}"
    number = int.from_bytes(hmac.digest(key.encode(), words.encode(), "sha256"), "big")
    letters = []
    for _place in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def normalised(text: str) -> str:
    """Normalise a written word: capitals, without blanks and signs, at most one letter too long."""
    return "".join(letter for letter in text.upper() if letter.isalnum())[: LENGTH + 1]


def is_right(key: str, board: CardKey, word: str) -> bool:
    """Whether a word is this board's check word; takes constant time."""
    return hmac.compare_digest(check_word(key, board).encode(), normalised(word).encode())


def earlier_board(key: str, board: CardKey, hashes: Sequence[str], word: str) -> CardKey | None:
    """Return the earlier board of the same game and seat that a word belongs to, or None.

    `hashes` are the record's hashes by number of entries, starting with the empty record.
    """
    least = max(board.takebacks - TAKEBACKS_KNOWN, 0)
    return next(
        (
            earlier
            for takebacks in range(board.takebacks, least - 1, -1)
            for ply, chained in enumerate(hashes)
            if (earlier := CardKey(board.match_id, board.seat, ply, takebacks, chained)) != board
            and is_right(key, earlier, word)
        ),
        None,
    )
