"""Topics of one-click unsubscribing (RFC 8058): settings, and texts of letter and page.

Each topic says in `effect` which letters end, and in `rest` which continue, so that footer, page and answer agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from correspondence.mime.mail_keys import mail_key
from correspondence.outbound.kinds import LetterKind
from engines.wording import N_


@dataclass(frozen=True, slots=True, kw_only=True)
class StopTopic:
    """One topic; `switches` are those of letter kinds, unused for a non-member's address.

    `title` names the letters of a feature's topic on the settings page, after “Write to me”.
    """

    name: str
    switches: tuple[str, ...]
    offer: str
    """The text before the link in the footer of a letter."""
    effect: str
    """The letters that end, as a text for both before and after unsubscribing."""
    rest: str
    """The letters that continue, as text."""
    title: str = ""


_ALL = (
    StopTopic(
        name="turn_letters",
        switches=("turn_letters",),
        offer=N_("Unsubscribe from letters about whose turn it is:"),
        effect=N_("You'll get no more letters that it's your turn, that your plan has moved, or that a card is due."),
        rest=N_(
            "Your clocks keep running. A reminder comes before your time is up, unless you've turned reminders off."
        ),
    ),
    StopTopic(
        name="talk_letters",
        switches=("talk_letters",),
        offer=N_("Unsubscribe from letters with what others say:"),
        effect=N_("You'll get no more letters with talk, letters from members, or requests."),
        rest=N_("Talk is still on the pages of your games. Letters that it's your turn come as before."),
    ),
    StopTopic(
        name="reminders",
        switches=("reminders",),
        offer=N_("Unsubscribe from reminders:"),
        effect=N_("You'll get no more reminders that your time is nearly up, or that your opponent is waiting."),
        rest=N_("Letters that it's your turn come as before."),
    ),
    StopTopic(
        name="receipts",
        switches=("receipts",),
        offer=N_("Unsubscribe from receipts of your moves:"),
        effect=N_("You'll get no more letters repeating what you played by mail."),
        rest=N_("If something can't be played, you still get an answer."),
    ),
    StopTopic(
        name="game_over_letters",
        switches=("game_over_letters",),
        offer=N_("Unsubscribe from letters about the end of games:"),
        effect=N_("You'll get no more letters on how a game ended."),
        rest=N_("The page of your games shows it."),
    ),
    StopTopic(
        name="challenge_letters",
        switches=("challenge_letters",),
        offer=N_("Unsubscribe from letters about challenges and invitations:"),
        effect=N_("You'll get no more letters when somebody challenges or invites you, or seeks a game like yours."),
        rest=N_("You can still see challenges on the page of your games."),
    ),
    StopTopic(
        name="exercise_letters",
        switches=("exercise_letters",),
        offer=N_("Unsubscribe from exercises by mail:"),
        effect=N_("You'll get no more weekly exercises."),
        rest=N_("Writing exercise in a mail still brings one, and there are more on the page of exercises."),
    ),
    StopTopic(
        name="announcement_letters",
        switches=("announcement_letters",),
        offer=N_("Unsubscribe from announcements:"),
        effect=N_("You'll get no more letters with the operators' announcements."),
        rest=N_("They are still shown at the top of every page."),
    ),
    StopTopic(
        name="digest",
        switches=("turn_letters", "talk_letters", "game_over_letters", "challenge_letters"),
        offer=N_("Unsubscribe from what this digest collects:"),
        effect=N_("You'll get no more letters or digests about turns, talk, ends of games and challenges."),
        rest=N_("Offers and reminders still come. Your clocks keep running."),
    ),
    StopTopic(
        name="notices",
        switches=("talk_letters", "reminders", "receipts"),
        offer=N_("Unsubscribe from notices:"),
        effect=N_("You'll get no more letters about talk, no reminders and no receipts."),
        rest=N_("Letters that it's your turn come as before."),
    ),
    StopTopic(
        name="invitations",
        switches=(),
        offer=N_("Block all such letters to this address:"),
        effect=N_(
            "Nobody can have us write to this address any more, neither with an invitation nor to confirm joining."
        ),
        rest=N_("If you write to us from there, we answer, and you can join."),
    ),
)

_STOPS = {stop.name: stop for stop in _ALL}

STOPS: Mapping[str, StopTopic] = MappingProxyType(_STOPS)
"""All unsubscribe topics by name; a topic that switches one setting is named after it. Features add theirs."""

NOTICES = STOPS["notices"]
"""The topic of the command stop."""

INVITATIONS = STOPS["invitations"]
"""The topic that a non-member can unsubscribe from."""


def register(topics: Iterable[StopTopic]) -> None:
    """Add the topics of a feature."""
    _STOPS.update({topic.name: topic for topic in topics})


def topics_of_features() -> list[StopTopic]:
    """Return the topics that the settings page lists beside the columns of Person."""
    return [topic for topic in STOPS.values() if topic.title]


def address_payload(mail: str) -> dict[str, Any]:
    """Return the token payload that stops invitations to a non-member's address."""
    return {"stop": INVITATIONS.name, "mail": mail_key(mail)}


def stop_of(kind: LetterKind, *, is_member: bool = True) -> StopTopic | None:
    """Return the topic that one-click unsubscribing of a kind stops; None if there is none."""
    return STOPS.get(kind.stops) if is_member else INVITATIONS
