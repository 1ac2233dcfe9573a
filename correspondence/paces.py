"""Terms of time in words, in the language of whoever is spoken to."""

from __future__ import annotations

from datetime import timedelta

from correspondence.clock import Policy, Terms
from engines.wording import _, ngettext


def in_words(terms: Terms) -> str:
    """Terms of time as a sentence has them: “3 days a move”, or bank, increment and cap."""
    told = {
        Policy.AUTOMATIC: "",
        Policy.CLAIM: _("time that has run out must be claimed"),
        Policy.COAX: _("nobody loses by the clock alone"),
    }
    return "; ".join(filter(None, (pace(terms), told[terms.policy])))


def pace(terms: Terms) -> str:
    """Bank, increment and cap alone, exactly: “3 days a move”, “10 days, and 36 hours more after each move, …”."""
    if terms.bank == terms.increment == terms.cap:
        return _("{time} a move").format(time=_exact(terms.bank))
    if not terms.increment:
        return _("{time} for the whole game").format(time=_exact(terms.bank))
    return _("{bank}, and {increment} more after each move, at most {cap}").format(
        bank=_exact(terms.bank), increment=_exact(terms.increment), cap=_exact(terms.cap)
    )


def _exact(time: timedelta) -> str:
    days, rest = divmod(int(time.total_seconds()), 86400)
    if days > 2 and not rest:
        return ngettext("{count} day", "{count} days", days).format(count=days)
    hours = round(time.total_seconds() / 3600)
    return ngettext("{count} hour", "{count} hours", hours).format(count=hours)
