"""Parts of pages that are drawn once: templates that are given a few values and see nothing else.

Most of a page is what the page before it told: its head and foot, its forms, the moves that were made long ago. Where a
template writes `{{ part("_site_foot.html", is_member=true) }}`, that is drawn for these values once and remembered. What
a part shows depends on its values, on its reader's language and zone, on the member whom its forms name, and on where the pages
stand, and all of these are asked for when it is remembered; so it can tell nobody what another reader's page told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

from flask import Flask, current_app
from markupsafe import Markup

from correspondence.core.caching import MEMORY, Scale
from correspondence.web import form_guard, locale
from engines.wording import current_translations

_SCALES: defaultdict[str, Scale] = defaultdict(Scale)
"""What weighs the values of each part."""


def attach(app: Flask) -> None:
    """Give the templates `part`."""
    app.jinja_env.globals["part"] = part


def part(name: str, /, **values: Hashable) -> Markup:
    """What the template of this name draws for these values. It must not ask the request, the session or the clock.

    Texts and markup are told apart, because they are equal and written differently.
    """
    given = tuple(values.values())
    key = (_reader(), name, form_guard.for_member(), tuple(values), tuple(map(type, given)), given, ())
    return MEMORY.get(key, lambda: Markup(current_app.jinja_env.get_template(name).render(values)), _SCALES[name].weigh)


def _reader() -> tuple[Hashable, ...]:
    """What a template sees beside its values: the application, where it stands, and how its reader is spoken to."""
    return (current_translations(), *locale.reader())
