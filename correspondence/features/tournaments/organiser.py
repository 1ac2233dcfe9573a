"""What an organiser may do: announce, close entry, remove, extend, let people enter late, call off.

Nobody decides a game here. Each act is written down and told; operators may do all of it.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from correspondence.accounts.accounts import person_called
from correspondence.features.tournaments import ladders, leagues, letters, running
from correspondence.features.tournaments.fields import rounds_of
from correspondence.features.tournaments.formats.field import EntrantState
from correspondence.features.tournaments.letters import TournamentNews
from correspondence.features.tournaments.settings import FEWEST, TournamentError, too_few
from correspondence.features.tournaments.tables import ActKind, Format, Tournament, TournamentAct, TournamentState
from correspondence.features.tournaments.tournaments import (
    count_in,
    entrant_of,
    entrants_of,
    locked,
    locked_tournament,
    must_be_organiser,
    note,
)
from correspondence.models import Person
from correspondence.models.locks import hold_person
from engines.wording import N_, _

ANNOUNCEMENTS_A_DAY = 3
"""Maximum announcements in one tournament within 24 hours; each is a letter to every entrant."""

LONGEST_WORDS = 600
"""Maximum length of an announcement or a reason, in characters."""

EXTENSION_DAYS = range(1, 91)
"""How many days an extension may have."""


def announce(session: Session, person: Person, number: int, words: str, *, now: datetime) -> None:
    """Write to everybody in the tournament. Raises TournamentError."""
    tournament = _own(session, person, number, is_perpetual=True)
    words = _checked(words)
    if not words:
        raise TournamentError(
            _("Say what to announce, for example: tournament {number} announce TEXT").format(number=number)
        )
    hold_person(session, person)
    query = select(func.count()).select_from(TournamentAct).where(
        col(TournamentAct.tournament_id) == number, col(TournamentAct.kind) == ActKind.ANNOUNCED,
        col(TournamentAct.at) > now - timedelta(days=1),
    )  # fmt: skip
    if session.exec(query).one() >= ANNOUNCEMENTS_A_DAY:
        sentence = _("There have been {count} announcements within a day, the most there can be. Try again tomorrow.")
        raise TournamentError(sentence.format(count=ANNOUNCEMENTS_A_DAY))
    act = note(session, tournament, ActKind.ANNOUNCED, person, words=words, now=now)
    session.flush()
    _tell(session, tournament, act, N_("an announcement"), N_("The organiser of {name} announces:"), now=now)


def close(session: Session, person: Person, number: int, *, now: datetime, rng: random.Random) -> bool:
    """Close the entry; return whether the tournament has begun by that, as one without a first day does.

    Raises TournamentError.
    """
    tournament = _own(session, person, number)
    if tournament.state is not TournamentState.OPEN:
        tournament.takes_late = False
    elif tournament.is_closed and tournament.starts_at is not None:
        raise TournamentError(_("The entry to tournament {number} is closed already.").format(number=number))
    elif tournament.starts_at is None and count_in(entrants_of(session, number)) < FEWEST[tournament.format]:
        count = count_in(entrants_of(session, number))
        rest = _("To end it, write: tournament {number} call off").format(number=number)
        raise TournamentError(f"{too_few(tournament.format, count)} {rest}")
    tournament.is_closed = True
    session.add(tournament)
    note(session, tournament, ActKind.CLOSED, person, now=now)
    if tournament.state is TournamentState.OPEN and tournament.starts_at is None:
        running.begin(session, tournament, now=now, rng=rng)
        return True
    return False


def remove(
    session: Session, person: Person, number: int, handle: str, reason: str, *, now: datetime, rng: random.Random
) -> Person:
    """Remove an entrant, with a reason that everybody can read; return them. Raises TournamentError or PeopleError."""
    tournament = _own(session, person, number, is_perpetual=True)
    removed, reason = person_called(session, handle), _checked(reason)
    entrant = entrant_of(session, number, removed.id)
    if entrant is None or entrant.state is not EntrantState.IN:
        sentence = _("{handle} is not in tournament {number}.")
        raise TournamentError(sentence.format(handle=removed.handle, number=number))
    running.leave(session, tournament, entrant, EntrantState.REMOVED, now=now)
    act = note(session, tournament, ActKind.REMOVED, person, about=removed, words=reason, now=now)
    session.flush()

    def news() -> TournamentNews:
        state = _("The organiser has removed you from {name}.").format(name=tournament.name)
        lines = [_("Your running games go on.")] if tournament.begun_at else []
        return TournamentNews(_("you have been removed"), state, lines, words=reason)

    letters.tell_one(session, tournament, removed, f"act{act.id}", news, now=now)
    if tournament.format is Format.LADDER:
        ladders.advance(session, tournament, now=now)
    elif tournament.format is Format.LEAGUE:
        leagues.advance(session, tournament, now=now, rng=rng)
    elif tournament.state is TournamentState.RUNNING:
        running.advance(session, tournament, now=now, rng=rng)
    return removed


def extend(session: Session, person: Person, number: int, days: int, *, now: datetime) -> datetime:
    """Move the last day of the current round, or the first day of an open tournament; return it.

    Raises TournamentError.
    """
    tournament = _own(session, person, number)
    if days not in EXTENSION_DAYS:
        sentence = _("An extension has {least} to {most} days.")
        raise TournamentError(sentence.format(least=EXTENSION_DAYS[0], most=EXTENSION_DAYS[-1]))
    rounds = rounds_of(session, number)
    if tournament.state is TournamentState.OPEN and tournament.due_at is not None:
        until = tournament.due_at = tournament.due_at + timedelta(days=days)
        tournament.starts_at = until if tournament.starts_at is not None else None
    elif rounds and rounds[-1].ends_at is not None:
        until = rounds[-1].ends_at = max(rounds[-1].ends_at, now) + timedelta(days=days)
        tournament.due_at = until
        session.add(rounds[-1])
    else:
        raise TournamentError(_("Nothing in tournament {number} has a last day to extend.").format(number=number))
    session.add(tournament)
    act = note(session, tournament, ActKind.EXTENDED, person, words=str(days), now=now)
    session.flush()
    _tell(
        session, tournament, act, N_("more time"), N_("The organiser of {name} has given more time, in days:"), now=now
    )
    return until


def admit(session: Session, person: Person, number: int, *, now: datetime) -> None:
    """Let people enter a running Swiss late, until half of its rounds have begun. Raises TournamentError."""
    tournament = _own(session, person, number)
    if tournament.format is not Format.SWISS or tournament.state is not TournamentState.RUNNING:
        raise TournamentError(_("Only a Swiss that has begun can be entered late."))
    tournament.takes_late = True
    session.add(tournament)
    note(session, tournament, ActKind.ADMITTED, person, now=now)


def call_off(session: Session, person: Person, number: int, reason: str = "", *, now: datetime) -> None:
    """Call the tournament off; its running games go on outside of it. Raises TournamentError."""
    tournament = _own(session, person, number)
    running.call_off(session, tournament, person, _checked(reason), now=now)


def _own(session: Session, person: Person, number: int, *, is_perpetual: bool = False) -> Tournament:
    """Lock and return a tournament that is not over and that this person organises. Raises TournamentError.

    With `is_perpetual` it may be a league or ladder, for which only operators act.
    """
    tournament = (locked if is_perpetual else locked_tournament)(session, number)
    must_be_organiser(tournament, person)
    if tournament.state not in (TournamentState.OPEN, TournamentState.RUNNING):
        raise TournamentError(_("Tournament {number} is over.").format(number=number))
    return tournament


def _checked(words: str) -> str:
    words = "\n".join(line.strip() for line in words.strip().splitlines())
    if len(words) > LONGEST_WORDS:
        sentence = _("That is too long: {count} characters, and {most} are possible.")
        raise TournamentError(sentence.format(count=len(words), most=LONGEST_WORDS))
    return words


def _tell(
    session: Session, tournament: Tournament, act: TournamentAct, what: str, sentence: str, *, now: datetime
) -> None:
    letters.tell_all(session, tournament, f"act{act.id}", what, sentence, act.words, now=now)
