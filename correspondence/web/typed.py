"""What a visitor typed into a form that is refused: the page that says so gives back whatever it does not show already.

Nothing of it is kept on the server: it stands on the answer alone, also where the visit has ended in the meantime.
"""

from __future__ import annotations

import re

from flask import Flask, Response, render_template, request
from markupsafe import escape

from correspondence.core.move_text import written_move
from correspondence.web.forms import plain

TYPED_FIELDS = (
    "move", "comment", "plan", "lines", "text", "words", "reason", "english", "italian", "address", "post", "options",
    "handle", "mail", "who", "name", "url", "opponent", "other", "again", "game", "word", "part", "from", "days", "hours",
    "post-days", "open-days", "games", "standing", "rating-low", "rating-high", "reliability", "code",
)  # fmt: skip
"""The names of all fields in which people type; what is chosen, ticked or hidden has other names."""

_KEPT = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)

LONGEST = 20_000
"""The longest text that is given back, in characters."""


def attach(app: Flask) -> None:
    """Give back what was typed on every page that refuses a form."""
    app.after_request(_give_back)


def _give_back(response: Response) -> Response:
    is_page = response.mimetype == "text/html" and not response.is_streamed
    if request.method != "POST" or response.status_code < 400 or response.status_code == 413 or not is_page:
        return response
    page = response.get_data(as_text=True)
    lost = [text for name in TYPED_FIELDS for text in _typed(name) if not _is_shown(text, page)]
    if lost:
        before, end, after = page.rpartition("</main>")
        response.set_data(before + render_template("_typed.html", written=lost) + end + after)
    return response


def _typed(name: str) -> list[str]:
    """What stands in the fields of this name; a game is typed by operators, others choose it."""
    texts = [plain(text, LONGEST) for text in request.form.getlist(name)]
    return [text for text in texts if text and (name != "game" or text.isdecimal())]


def _is_shown(text: str, page: str) -> bool:
    """Whether a page has a text in a field, or says it back."""
    kept = "\n".join(_KEPT.findall(page))
    return any(
        f'value="{form}"' in page or f">{form}</textarea>" in page or str(form) in kept
        for form in (escape(text), escape(written_move(text)))
    )
