"""Registry of parts that features show in the introduction of the front page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from sqlmodel import Session

from correspondence.web.current import current_runtime


class FrontPart(NamedTuple):
    """A part of the front page: `template` is included with `part.content`, which `content_of` returns.

    `content_of` gets the id of the member who reads, or None. It returns None to show nothing.
    """

    feature: str
    template: str
    content_of: Callable[[Session, int | None], Hashable | None]


class ShownPart(NamedTuple):
    """A part with its content for one page."""

    template: str
    content: Hashable


PARTS: list[FrontPart] = []
"""The registered parts, in page order."""


def parts_for(session: Session, reader: int | None) -> Sequence[ShownPart]:
    """Return the parts of the front page for this reader."""
    shown = [part for part in PARTS if current_runtime().settings.has_feature(part.feature)]
    contents = ((part.template, part.content_of(session, reader)) for part in shown)
    return tuple(ShownPart(template, content) for template, content in contents if content is not None)
