"""A position as text, in the form that its reader has chosen.

No line is a move by itself, so that no quotation of it can play one.
"""

from __future__ import annotations

from textwrap import wrap

from correspondence.core.board_form import BoardForm
from correspondence.core.move_text import looks_like_move
from engines import braille, spoken, text
from engines.scene import Scene

LETTER_WIDTH = 72
"""How wide lines of sentences are, in characters."""

_NARROWEST = 20


def board_text(scene: Scene, form: str, seat: int) -> str:
    """The scene as lines: a text board, sentences or a braille board, seen from the side of `seat`."""
    if form == BoardForm.WORDS:
        return "\n".join(_wrapped(sentence, LETTER_WIDTH) for sentence in spoken.sentences(scene))
    if form == BoardForm.BRAILLE:
        board, sentences = braille.render(scene, bottom=seat)
        return "\n".join([*board, "", *(_wrapped(sentence, braille.WIDTH) for sentence in sentences)])
    return text.render(scene, bottom=seat)


def _wrapped(sentence: str, width: int) -> str:
    """The sentence in rows, narrower where a row would otherwise be a move."""
    rows: list[str] = []
    for narrower in range(width, _NARROWEST, -1):
        rows = wrap(sentence, narrower, subsequent_indent="  ", break_on_hyphens=False)
        if not any(looks_like_move(row) for row in rows):
            break
    return "\n".join(rows)
