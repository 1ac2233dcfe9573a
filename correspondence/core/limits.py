"""Limits enforced by counting rows: each constant, and the lock held while counting.

Without a lock, two concurrent requests could both pass the check. `models/locks.py` takes these locks, and
`tests/test_counted_limits.py` checks each limit with concurrent requests.
"""

from __future__ import annotations

from enum import StrEnum


class Held(StrEnum):
    """The lock that a transaction holds while it counts."""

    MATCH = "match"
    PERSON = "person"
    MAILBOX = "mailbox"
    """A mail address, possibly a stranger's."""
    SERVICE = "service"
    """One lock for all transactions."""


COUNTED = {
    "accounts.accounts.SIGN_INS": Held.PERSON,
    "accounts.addresses.ASKED_A_DAY": Held.PERSON,
    "accounts.addresses.LETTERS_A_DAY": Held.MAILBOX,
    "accounts.addresses.MOST": Held.PERSON,
    "accounts.addresses.TOLD_A_DAY": Held.PERSON,
    "accounts.api_tokens.MOST": Held.PERSON,
    "accounts.joining.LETTERS_A_DAY": Held.MAILBOX,
    "accounts.postal_members.REQUESTS_A_DAY": Held.PERSON,
    "accounts.recovery.ASKED_A_DAY": Held.PERSON,
    "accounts.recovery.CODES_A_DAY": Held.PERSON,
    "accounts.relations.GAMES_AT_ONCE": Held.PERSON,
    "accounts.delivery_checks.TESTS": Held.PERSON,
    "commands.proposals.PROPOSALS_A_DAY": Held.PERSON,
    "community.blocking.MOST_PER_PERSON": Held.PERSON,
    "community.erasure.LINKS": Held.PERSON,
    "community.member_mail.ANSWERS_A_DAY": Held.PERSON,
    "community.member_mail.FIRST_LETTERS_A_DAY": Held.PERSON,
    "community.member_mail.TO_ONE_A_WEEK": Held.PERSON,
    "community.reports.REPORTS_A_DAY": Held.PERSON,
    "inbound.mailbox.answering.ANSWERS_A_DAY": Held.MAILBOX,
    "inbound.mailbox.answering.ANSWERS_A_DAY_TO_FROM_LINES": Held.MAILBOX,
    "inbound.mailbox.answering.ANSWERS_A_DAY_TO_PLAYERS": Held.MAILBOX,
    "inbound.operator_mail.A_DAY": Held.SERVICE,
    "matchmaking.challenges.OPEN_CHALLENGES": Held.PERSON,
    "matchmaking.challenges.UNTAKEN_A_DAY": Held.PERSON,
    "matchmaking.challenges.UNTAKEN_OF_ALL_A_DAY": Held.PERSON,
    "matchmaking.invitations.INVITATIONS_A_DAY": Held.PERSON,
    "matchmaking.robot_games.MOST_GAMES": Held.PERSON,
    "outbound.pushes.MOST": Held.PERSON,
    "play.analysis.MOST_KEPT": Held.PERSON,
    "play.card_entries.MOST_TRIES": Held.MATCH,
    "play.matches.REMARKS_A_DAY": Held.MATCH,
    "play.offers.OFFERS_A_DAY": Held.MATCH,
}

COUNTED_SETTINGS = {
    "stranger_answers": Held.SERVICE,
    "stranger_requests": Held.SERVICE,
    "stranger_domain_answers": Held.SERVICE,
    "stranger_provider_answers": Held.SERVICE,
}
"""Limits that are settings (core/config.py); tests/test_answers_to_strangers.py checks them."""
