"""What a second opinion says of a move, in whole sentences."""

from __future__ import annotations

from correspondence.play.reviews import JudgedMove
from engines.wording import _

SURE = 0.99
"""From this expected result on a game is as good as won."""


def percent(expected: float) -> int:
    """An expected result in whole percent."""
    return round(100 * expected)


def turning_sentence(move: JudgedMove) -> str:
    """What a turning point lost, and by which move it would have been kept."""
    assert move.expected is not None and move.played is not None
    words = {"best": move.best, "move": move.text, "expected": percent(move.expected), "left": percent(move.played)}
    if move.expected < SURE:
        return _("Here {best} would have kept {expected}\u00a0%; {move} left {left}\u00a0%.").format(**words)
    return _("Here {best} would have won; {move} left {left}\u00a0%.").format(**words)


def position_sentence(move: JudgedMove, seat: str) -> str:
    """What was possible in the position in which a move was made, for the board of that position."""
    assert move.expected is not None and move.played is not None
    words = {"seat": seat, "best": move.best, "move": move.text}
    words |= {"expected": str(percent(move.expected)), "left": str(percent(move.played))}
    if move.best == move.text:
        sentence = _("{seat} can expect {expected}\u00a0%, with {best}, as it was played.")
    else:
        sentence = _(
            "{seat} can expect {expected}\u00a0%, with {best}. In the game {move} was played, which left {left}\u00a0%."
        )
    return sentence.format(**words)
