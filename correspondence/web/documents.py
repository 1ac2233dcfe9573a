"""The documents for authors of programs as pages: the API and its events."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple

from flask import Blueprint, Response, render_template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from correspondence.core.resources import folder
from correspondence.web import unchanged

bp = Blueprint("documents", __name__)


class Document(NamedTuple):
    """A document as HTML: its title, its parts (anchor and title of each), and what follows the title."""

    title: str
    parts: tuple[tuple[str, str], ...]
    body: Markup


@bp.get("/help/api")
def api() -> Response:
    """Show how programs use the API."""
    return _page("api")


@bp.get("/help/events")
def events() -> Response:
    """Show which events programs receive, and how."""
    return _page("events")


def _page(name: str) -> Response:
    return unchanged.answer(name, lambda: render_template("document.html", document=document(name)))


@cache
def document(name: str) -> Document:
    """Read `docs/NAME.md`: headings get anchors, and links to another document lead to its page."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((folder("docs") / f"{name}.md").read_text())
    parts: list[tuple[str, str]] = []
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            parts.append((f"part-{len(parts) + 1}", inside.content))
            token.attrSet("id", parts[-1][0])
        elif token.type == "table_open":
            token.attrSet("class", "commands")
        _lead_to_pages(token)
    body = reader.renderer.render(tokens[3:], reader.options, {})
    return Document(tokens[1].content, tuple(parts), Markup(body.replace("<pre>", '<pre tabindex="0">')))


def _lead_to_pages(token: Token) -> None:
    for one in token.children or ():
        href = str(one.attrGet("href") or "")
        if one.type == "link_open" and "/" not in href:
            one.attrSet("href", href.removesuffix(".md"))
