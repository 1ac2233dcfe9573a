"""Show typed text again if a form is refused, unless the page already contains it.

Nothing is stored on the server: the text is only in the response. This also works if the member has been signed out in
the meantime.
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
    "limit", "low", "high",
)  # fmt: skip
"""The names of all fields with typed text.

Choices, checkboxes and hidden fields have other names.
"""

_KEPT = re.compile(r"<pre\b[^>]*>(.*?)</pre>", re.DOTALL)

LONGEST = 20_000
"""Maximum length of a text that is shown again, in characters."""


def attach(app: Flask) -> None:
    """Add typed text to every page that refuses a form."""
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
    """The texts typed in fields of this name.

    The field `game` counts only if it is a number, as operators type it; members choose a game.
    """
    texts = [plain(text, LONGEST) for text in request.form.getlist(name)]
    return [text for text in texts if text and (name != "game" or text.isdecimal())]


def _is_shown(text: str, page: str) -> bool:
    """Whether a page contains a text in a field or quotes it."""
    kept = "\n".join(_KEPT.findall(page))
    return any(
        f'value="{form}"' in page or f">{form}</textarea>" in page or str(form) in kept
        for form in (escape(text), escape(written_move(text)))
    )
