"""Registry of parts that features show on the page of a member."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from sqlmodel import Session

from correspondence.web.current import current_runtime


class ProfilePart(NamedTuple):
    """A part of a member's page: `template` is included with `part.content`, which `content_of` returns.

    `content_of` gets the member's id. It returns None to show nothing.
    """

    feature: str
    template: str
    content_of: Callable[[Session, int], Hashable | None]


class ShownProfilePart(NamedTuple):
    """A part with its content for one page."""

    template: str
    content: Hashable


PARTS: list[ProfilePart] = []
"""The registered parts, in page order."""


def parts_for(session: Session, person_id: int) -> Sequence[ShownProfilePart]:
    """Return the parts of a member's page."""
    shown = [part for part in PARTS if current_runtime().settings.has_feature(part.feature)]
    contents = ((part.template, part.content_of(session, person_id)) for part in shown)
    return tuple(ShownProfilePart(template, content) for template, content in contents if content is not None)
