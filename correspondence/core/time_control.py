"""Time controls: initial time, increment, cap and timeout policy; also in words. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from engines.refusal import Refusal
from engines.wording import _, ngettext


class Policy(StrEnum):
    """What happens when a player's time runs out.

    `automatic`: the player loses at once. `claim`: the opponent may claim the win after a day of grace; until then
    the late move still counts. `coax`: the same after two weeks, with reminders to the late player.
    """

    AUTOMATIC = "automatic"
    CLAIM = "claim"
    COAX = "coax"


GRACE = {Policy.AUTOMATIC: timedelta(0), Policy.CLAIM: timedelta(days=1), Policy.COAX: timedelta(days=14)}
"""Time after a timeout before the game can be ended for it, by policy."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: initial bank, increment per move, cap on the bank, and timeout policy.

    After each move the bank is min(cap, bank left + increment). “3 days a move” has 72 h for all three.
    """

    bank: timedelta
    increment: timedelta
    cap: timedelta
    policy: Policy = Policy.AUTOMATIC


DEFAULT_TIME_CONTROL = TimeControl(timedelta(days=10), timedelta(hours=36), timedelta(days=10))
"""Default: ten days, plus 36 hours after each move, never more than ten days."""


def per_move(length: timedelta) -> TimeControl:
    """Return a time control with the same time for every move; unused time is lost."""
    return TimeControl(length, length, length)


def bank_after(time_control: TimeControl, bank: timedelta, spent: timedelta) -> timedelta:
    """Return the bank after a move that took `spent`."""
    return min(time_control.cap, max(bank - spent, timedelta(0)) + time_control.increment)


SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=90)
"""Minimum and maximum of a bank, and of an increment that is not zero."""

UNHURRIED = TimeControl(LONGEST, timedelta(0), LONGEST)
"""The time control of games with one player."""


class TimeControlError(Refusal):
    """Raised for an invalid time control; str() is a sentence."""


SHORTEST_BY_POST, USUAL_BY_POST, LONGEST_BY_POST = timedelta(days=14), timedelta(days=30), timedelta(days=60)
"""Minimum, default and maximum time for a move by post, including transit both ways."""


def by_post(length: timedelta = USUAL_BY_POST) -> TimeControl:
    """Return a time control for play by post; raise TimeControlError if out of bounds."""
    if not SHORTEST_BY_POST <= length <= LONGEST_BY_POST:
        sentence = _(
            "By post a move takes from {least} to {most} days, and {time} is not within that; {usual} are usual."
        )
        least, usual, most = (span.days for span in (SHORTEST_BY_POST, USUAL_BY_POST, LONGEST_BY_POST))
        raise TimeControlError(sentence.format(least=least, most=most, usual=usual, time=_exact(length)))
    return per_move(length)


def checked(time_control: TimeControl) -> TimeControl:
    """Return `time_control`; raise TimeControlError if it is out of bounds or inconsistent."""
    if not SHORTEST <= time_control.bank <= LONGEST or not SHORTEST <= time_control.cap <= LONGEST:
        raise TimeControlError(
            _("Time to think must be between one hour and ninety days; {pace} is not.").format(pace=pace(time_control))
        )
    if not timedelta(0) <= time_control.increment <= LONGEST or time_control.cap < time_control.bank:
        raise TimeControlError(_("The increment must not be negative, and the cap not below the bank."))
    return time_control


def in_words(time_control: TimeControl) -> str:
    """Describe a time control within a sentence: its pace, “3 days a move”, then its policy."""
    policies = {
        Policy.AUTOMATIC: "",
        Policy.CLAIM: _("a win on time must be claimed"),
        Policy.COAX: _("nobody loses by the clock alone"),
    }
    return "; ".join(filter(None, (pace(time_control), policies[time_control.policy])))


def pace(time_control: TimeControl) -> str:
    """Describe bank, increment and cap without the policy: “3 days a move”."""
    if time_control.bank == time_control.increment == time_control.cap:
        return _("{time} a move").format(time=_exact(time_control.bank))
    if not time_control.increment:
        return _("{time} for the whole game").format(time=_exact(time_control.bank))
    return _("{bank}, and {increment} more after each move, at most {cap}").format(
        bank=_exact(time_control.bank), increment=_exact(time_control.increment), cap=_exact(time_control.cap)
    )


def short(time_control: TimeControl) -> str:
    """Abbreviate the pace: “10 d + 36 h/move”, “3 d/move”, “90 d in all”."""
    if time_control.bank == time_control.increment == time_control.cap:
        return _("{time}/move").format(time=_short(time_control.bank))
    if not time_control.increment:
        return _("{time} in all").format(time=_short(time_control.bank))
    sentence = _("{bank} + {increment}/move")
    return sentence.format(bank=_short(time_control.bank), increment=_short(time_control.increment))


def _short(time: timedelta) -> str:
    days, rest = divmod(int(time.total_seconds()), 86400)
    if days and not rest and days != 1:
        return _("{count} d").format(count=days)
    if time < SHORTEST:
        return _("{count} min").format(count=int(time.total_seconds()) // 60)
    return _("{count} h").format(count=round(time.total_seconds() / 3600))


def _exact(time: timedelta) -> str:
    days, rest = divmod(int(time.total_seconds()), 86400)
    if days and not rest:
        return ngettext("{count} day", "{count} days", days).format(count=days)
    if time < SHORTEST:
        minutes = int(time.total_seconds()) // 60
        return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    hours = round(time.total_seconds() / 3600)
    return ngettext("{count} hour", "{count} hours", hours).format(count=hours)
