"""Clocks: terms of time, banks, deadlines and reminders; pure date arithmetic, always aware UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from engines.wording import _

REMIND_AT_SHARE = 0.8
"""The reminder goes out when this share of a player's time is spent."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of time: a bank to begin with, an increment after each move, a cap on the bank.

    After each move bank = min(cap, bank left + increment). “3 days a move” is 72 h, 72 h, 72 h.
    """

    bank: timedelta
    increment: timedelta
    cap: timedelta


DEFAULT_TERMS = Terms(timedelta(days=10), timedelta(hours=36), timedelta(days=10))
"""Ten days, and 36 hours more after each move, never more than ten days."""


def per_move(time: timedelta) -> Terms:
    """The same time for every move, nothing saved up."""
    return Terms(time, time, time)


def bank_after(terms: Terms, bank: timedelta, spent: timedelta) -> timedelta:
    """The bank after a move that took `spent`."""
    return min(terms.cap, max(bank - spent, timedelta(0)) + terms.increment)


def deadline_of(since: datetime, bank: timedelta) -> datetime:
    """When the time of a player who is to act since then runs out."""
    return since + bank


def reminder_of(since: datetime, bank: timedelta) -> datetime:
    """When to remind a player who is to act since then."""
    return since + bank * REMIND_AT_SHARE


SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=90)
"""The bounds of a bank, and of an increment that is not nothing."""

UNHURRIED = Terms(LONGEST, timedelta(0), LONGEST)
"""For a game that one plays alone."""


class TermsError(ValueError):
    """Terms of time that cannot be played; str() is a sentence."""


def checked(terms: Terms) -> Terms:
    """The same terms; raises TermsError where they are too short, too long or contradict themselves."""
    if not SHORTEST <= terms.bank <= LONGEST or not SHORTEST <= terms.cap <= LONGEST:
        raise TermsError(_("Time to think must be between one hour and ninety days."))
    if not timedelta(0) <= terms.increment <= LONGEST or terms.cap < terms.bank:
        raise TermsError(_("The increment must not be negative, and the cap not below the bank."))
    return terms
