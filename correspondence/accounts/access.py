"""Table of everything that gives access to an account, and of the events that revoke it.

`end` applies this table. `tests/test_access.py` compares it with the models, so that no new kind of access is omitted.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from sqlmodel import Session

from correspondence.accounts import api_tokens, helper_letters, reply_tokens, web_sessions
from correspondence.models import (
    Address,
    ApiToken,
    Person,
    PostalHelper,
    Purpose,
    PushSubscription,
    Token,
    WebSession,
)
from correspondence.models.columns import Table
from correspondence.outbound import pushes


class Fate(Enum):
    """What happens to one kind of access at an event."""

    STAYS = "it goes on working"
    ENDS = "it ends; letters that wait and running games get new reply addresses"
    ASKED = "it goes on working, and all addresses of the person are asked whether it is right"


class Ending(Enum):
    """An event that can revoke access; each value is the name of a field of `Fates`."""

    SIGN_OUT = "sign_out"
    """Signing out everywhere."""
    REMOVAL = "removal"
    """Removing an address, because its mailbox may contain letters with tokens."""
    UNDO = "undo"
    """Undoing a change of addresses."""
    RECOVERY = "recovery"
    """Recovering an account with its recovery code or with the operator's help."""
    MERGE = "merge"
    """Merging the account into another one, which takes over its games."""
    ERASURE = "erasure"
    """Erasing the account: the rows are deleted."""


class Fates(NamedTuple):
    """The fate of one kind of access after each `Ending`."""

    sign_out: Fate
    removal: Fate
    undo: Fate
    recovery: Fate
    merge: Fate
    erasure: Fate


ENDS_WITH_SIGN_OUT = Fates(Fate.ENDS, Fate.STAYS, Fate.ENDS, Fate.ENDS, Fate.ENDS, Fate.ENDS)
"""The fates of access by browsers and programs."""

_STAYS, _ENDS, _ASKED = Fate.STAYS, Fate.ENDS, Fate.ASKED

# fmt: off
ACCESS: dict[type[Table] | Purpose, Fates] = {
    #                            signing out  removal  undoing  recovery  merging  erasure
    # Browsers and programs
    WebSession:            Fates(_ENDS,       _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    PushSubscription:      Fates(_ENDS,       _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    ApiToken:              Fates(_ENDS,       _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.CALENDAR:      Fates(_ENDS,       _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    # Links and questions in letters
    Purpose.SIGN_IN:       Fates(_ENDS,       _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.EXPORT:        Fates(_ENDS,       _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.FORGET:        Fates(_ENDS,       _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.ADDRESS:       Fates(_ENDS,       _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    # Reply addresses: games would be lost if signing out ended them
    Purpose.JOIN:          Fates(_STAYS,      _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.COMMANDS:      Fates(_STAYS,      _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.EXERCISE:      Fates(_STAYS,      _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.PROPOSAL:      Fates(_STAYS,      _ENDS,   _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.PLAY:          Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _STAYS,  _ENDS),
    Purpose.RESIGN:        Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.SEEK:          Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.RENEW:         Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.CONTACT:       Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    # Recovery and undo: a change of addresses is undone by its own letters, which restore the addresses
    Purpose.RECOVERY:      Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Purpose.ADDRESS_UNDO:  Fates(_STAYS,      _STAYS,  _STAYS,  _STAYS,   _STAYS,  _ENDS),
    Purpose.HELPER_UNDO:   Fates(_STAYS,      _STAYS,  _ENDS,   _ENDS,    _ENDS,   _ENDS),
    Address:               Fates(_STAYS,      _STAYS,  _STAYS,  _STAYS,   _STAYS,  _ENDS),
    # Other people
    PostalHelper:          Fates(_ASKED,      _STAYS,  _ASKED,  _ASKED,   _STAYS,  _ENDS),
    # No access to the account: stopping letters, offers to others, the analysis of a finished game
    Purpose.STOP:          Fates(_STAYS,      _STAYS,  _STAYS,  _STAYS,   _STAYS,  _ENDS),
    Purpose.INVITE:        Fates(_STAYS,      _STAYS,  _STAYS,  _STAYS,   _STAYS,  _ENDS),
    Purpose.ANALYSIS:      Fates(_STAYS,      _STAYS,  _STAYS,  _STAYS,   _STAYS,  _ENDS),
}
"""The fates of each kind of access: a table, or the purpose of a token. Features add theirs."""
# fmt: on

Ender = Callable[[Session, int, datetime], None]
"""Revokes the rows of one table for a person."""

_ENDERS: dict[type[Table], Ender] = {
    WebSession: lambda session, number, _now: web_sessions.end_all(session, number),
    PushSubscription: lambda session, number, _now: pushes.unsubscribe(session, number),
    ApiToken: lambda session, number, now: api_tokens.revoke_all(session, number, now=now),
}


def register(table: type[Table], fates: Fates, end: Ender) -> None:
    """Add the table of a feature whose rows give access."""
    ACCESS[table], _ENDERS[table] = fates, end


def end(session: Session, person: Person, ending: Ending, *, now: datetime, since: datetime | None = None) -> None:
    """Revoke a person's access as `ACCESS` says for this ending.

    `since` is the earliest time at which an intruder had access. Erasure deletes rows itself and does not call this.
    """
    fates = {what: getattr(fates, ending.value) for what, fates in ACCESS.items()}
    ended = [what for what, fate in fates.items() if fate is Fate.ENDS]
    for what in ended:
        if not isinstance(what, Purpose):
            _ENDERS[what](session, person.id, now)
    reply_tokens.replace(session, person, [what for what in ended if isinstance(what, Purpose)], now=now)
    if fates[PostalHelper] is Fate.ASKED:
        helper_letters.ask_whether_right(session, person, since=since, now=now)


def is_erased(table: type[Table]) -> bool:
    """Whether erasure deletes all rows of a table that gives access."""
    kinds: list[type[Table] | Purpose] = list(Purpose) if table is Token else [table]
    return all(ACCESS[kind].erasure is Fate.ENDS for kind in kinds)
