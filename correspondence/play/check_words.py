"""Check words: four letters on a postal player's card that stand for the position shown there.

A word is an HMAC under the server's key, so nobody finds it by looking at the board. It stands on the card alone,
which the postal player, their helper and the operator see, never the opponent. A written card with the right word
shows that its writer had the card of this very position. It does not show which move they wrote: that is why every
entry is told to the postal player, and can be contested. Pure.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

LETTERS = "BCDFGHJKLMNPRSTVWXZ"
"""No vowels, so that no word means anything; no letters that handwriting confuses with digits."""

LENGTH = 4
"""How many letters a word has: one guess in 130,000 is right."""

TAKEBACKS_KNOWN = 20
"""From how many take-backs ago old words are still recognised."""


@dataclass(frozen=True, slots=True)
class CardKey:
    """What a card is for: a seat of a match, after `ply` entries and `takebacks` take-backs, with the record's hash."""

    match_id: int
    seat: int
    ply: int
    takebacks: int
    hash: str


def check_word(key: str, board: CardKey) -> str:
    """The word of a board, in capitals."""
    words = f"check word:{board.match_id}:{board.seat}:{board.ply}:{board.takebacks}:{board.hash}"
    number = int.from_bytes(hmac.digest(key.encode(), words.encode(), "sha256"), "big")
    letters = []
    for _place in range(LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def normalised(text: str) -> str:
    """A word as somebody wrote it, in capitals and without blanks and signs; cut to one letter more than a word has."""
    return "".join(letter for letter in text.upper() if letter.isalnum())[: LENGTH + 1]


def is_right(key: str, board: CardKey, word: str) -> bool:
    """Whether a word is the one of this board; takes the same time for every wrong one."""
    return hmac.compare_digest(check_word(key, board).encode(), normalised(word).encode())


def earlier_board(key: str, board: CardKey, hashes: Sequence[str], word: str) -> CardKey | None:
    """The earlier board of the same game and seat that a word belongs to; None if there is none.

    `hashes` are those of the record by number of entries, that of the empty record first.
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
