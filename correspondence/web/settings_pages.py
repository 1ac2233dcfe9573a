"""Registry of settings pages that features add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from correspondence.web.current import current_runtime


class SettingsPage(NamedTuple):
    """A link on the settings page: the feature, the endpoint, and the text to translate."""

    feature: str
    endpoint: str
    title: str


PAGES: list[SettingsPage] = []
"""The registered pages, in order."""


def settings_pages() -> Sequence[SettingsPage]:
    """Return the pages of all features that are switched on."""
    return [page for page in PAGES if current_runtime().settings.has_feature(page.feature)]
