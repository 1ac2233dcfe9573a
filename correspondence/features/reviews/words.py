"""Sentences of a second opinion about a move."""

from __future__ import annotations

from collections.abc import Sequence

from correspondence.features.reviews.reviews import JudgedMove
from engines.wording import _, ngettext

SURE = 0.99
"""The expected result from which a game counts as won."""


def percent(expected: float) -> int:
    """Convert an expected result to whole percent."""
    return round(100 * expected)


def turning_sentence(move: JudgedMove) -> str:
    """State what a turning point lost, and which move would have kept it."""
    assert move.expected is not None and move.played is not None
    words = {"best": move.best, "move": move.text, "expected": percent(move.expected), "left": percent(move.played)}
    if move.expected < SURE:
        return _("Here {best} would have kept {expected}%; {move} left {left}%.").format(**words)
    return _("Here {best} would have won; {move} left {left}%.").format(**words)


def fortune_sentence(fortunes: Sequence[float], seats: Sequence[str]) -> str:
    """State how much chance gave in a whole game, and to whom; empty if nothing was judged."""
    if not fortunes:
        return ""
    total = percent(abs(sum(fortunes)))
    if not total:
        return ngettext(
            "Chance, in {count} draw, favoured nobody.",
            "Chance, in {count} draws, favoured nobody overall.",
            len(fortunes),
        ).format(count=len(fortunes))
    lucky, other = (seats[0], seats[1]) if sum(fortunes) > 0 else (seats[1], seats[0])
    sentence = ngettext(
        "Luck: in {count} draw chance gave {lucky} {total} percentage points of winning chance beyond the average, and took as "
        "many from {other}.",
        "Luck: in {count} draws chance gave {lucky} {total} percentage points of winning chance beyond the average, and took as "
        "many from {other}.",
        len(fortunes),
    )
    return sentence.format(count=len(fortunes), lucky=lucky, other=other, total=total)


def drawn_sentence(move: JudgedMove, seat: str) -> str:
    """State how much one draw gave the first seat, for the move table; empty if not judged."""
    if move.fortune is None:
        return ""
    before, after = map(percent, move.fortune)
    sentence = _("{seat} could expect {before}% before it, and {after}% after it.")
    return sentence.format(seat=seat, before=before, after=after)


def position_sentence(move: JudgedMove, seat: str) -> str:
    """State what was possible in the position of a move, for the board of that position."""
    assert move.expected is not None and move.played is not None
    words = {"seat": seat, "best": move.best, "move": move.text}
    words |= {"expected": str(percent(move.expected)), "left": str(percent(move.played))}
    if move.best == move.text:
        sentence = _("{seat} can expect {expected}% with {best}, as it was played.")
    else:
        sentence = _("{seat} can expect {expected}% with {best}. In the game {move} was played, which left {left}%.")
    return sentence.format(**words)
