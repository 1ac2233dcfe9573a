"""Registry of links that features add to the menu and to the settings page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Flask

from correspondence.web.current import current_runtime


class Link(NamedTuple):
    """A link to a feature's page: the feature, the endpoint, and the text to translate."""

    feature: str
    endpoint: str
    title: str


MENU: list[Link] = []
"""Links in the menu of every page."""

SETTINGS: list[Link] = []
"""Links on the settings page."""


def attach(app: Flask) -> None:
    """Let templates call `menu_links()`."""
    app.jinja_env.globals.update(menu_links=lambda: _shown(MENU))


def settings_links() -> Sequence[Link]:
    """Return the links of features on the settings page."""
    return _shown(SETTINGS)


def _shown(links: Sequence[Link]) -> Sequence[Link]:
    """Return the links of all features that are switched on."""
    return [link for link in links if current_runtime().settings.has_feature(link.feature)]
