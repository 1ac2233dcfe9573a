"""Write a position as text, in the board form of its reader.

No line can be parsed as a move, so quoting the text never plays one.
"""

from __future__ import annotations

from textwrap import wrap

from correspondence.core.board_form import BoardForm
from correspondence.core.move_text import looks_like_move
from engines import braille, spoken, text
from engines.scene import Scene

LETTER_WIDTH = 72
"""Maximum line length of sentences, in characters."""

_NARROWEST = 20


def board_text(scene: Scene, form: str, seat: int) -> str:
    """Write the scene as a text board, sentences or a braille board, from the side of `seat`."""
    if form == BoardForm.WORDS:
        return "\n".join(_wrapped(sentence, LETTER_WIDTH) for sentence in spoken.sentences(scene))
    if form == BoardForm.BRAILLE:
        board, sentences = braille.render(scene, bottom=seat)
        return "\n".join([*board, "", *(_wrapped(sentence, braille.WIDTH) for sentence in sentences)])
    return text.render(scene, bottom=seat)


def _wrapped(sentence: str, width: int) -> str:
    """Wrap a sentence, narrower if a line could otherwise be parsed as a move."""
    rows: list[str] = []
    for narrower in range(width, _NARROWEST, -1):
        rows = wrap(sentence, narrower, subsequent_indent="  ", break_on_hyphens=False)
        if not any(looks_like_move(row) for row in rows):
            break
    return "\n".join(rows)
