"""The topics of the settings page in five groups, and their search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from correspondence.web import links
from engines.wording import N_, _


class PageLink(NamedTuple):
    """A link of the settings page: where it leads, and what can be set there."""

    endpoint: str
    title: str
    about: str = ""
    anchor: str | None = None

    def has(self, words: Sequence[str]) -> bool:
        """Whether its text in the reader's language has all these casefolded words."""
        text = f"{_(self.title)} {_(self.about) if self.about else ''}".casefold()
        return all(word in text for word in words)


_PROGRAMS_AND_DATA = N_("Programs and data")

_GROUPS: Mapping[str, tuple[PageLink, ...]] = MappingProxyType(
    {
        N_("Account"): (
            PageLink("settings.show", N_("Language and time zone"), N_("of pages and letters"), "basics"),
            PageLink("addresses.show", N_("My mail addresses, and the way back if I lose them")),
            PageLink("settings.show", N_("Where you are signed in"), N_("browsers, signing out everywhere"), "sessions"),
        ),
        N_("Letters and notifications"): (
            PageLink(
                "mail_settings.show", N_("Letters to me: which ones, and when"), N_("digest, quiet hours, unsubscribing")
            ),
            PageLink("push_settings.show", N_("Notifications of this browser"), N_("push, on a phone or a computer")),
            PageLink("settings.show", N_("Do letters arrive?"), N_("a test letter, spam"), "letters"),
        ),
        N_("Playing"): (
            PageLink("clock_settings.show", N_("My time: nights, days off, leave, reminders, calendar")),
            PageLink("board_settings.show", N_("The board and its keys"), N_("colours, words, braille, confirming moves")),
            PageLink("settings.show", N_("Light or dark"), N_("the theme of this browser"), "looks"),
            PageLink("robots.listed", N_("Games with robots: rated or friendly, and how soon they answer"), anchor="mine"),
            PageLink("by_post.settings", N_("Play by post: my address, my helper, and whom I help")),
        ),
        N_("People"): (
            PageLink("directory.settings", N_("My entry in the directory of partners"), N_("who may challenge me, and limits")),
            PageLink("blocking.people", N_("People I block or mute")),
        ),
        _PROGRAMS_AND_DATA: (
            PageLink("api_tokens.show", N_("Programs that act for me, by tokens"), N_("the API")),
            PageLink("archive_files.settings", N_("My games in the archive, and under which licence")),
            PageLink("data_export.show", N_("Download everything we keep about me, or erase me")),
        ),
    }
)  # fmt: skip


def groups(wanted: str = "") -> dict[str, list[PageLink]]:
    """Return the topics whose text has all words of `wanted`, by group; links of features are in the last one."""
    words = wanted.casefold().split()
    added = tuple(PageLink(link.endpoint, link.title) for link in links.settings_links())
    found = {
        title: [one for one in (*topics, *(added if title == _PROGRAMS_AND_DATA else ())) if one.has(words)]
        for title, topics in _GROUPS.items()
    }
    return {title: topics for title, topics in found.items() if topics}
