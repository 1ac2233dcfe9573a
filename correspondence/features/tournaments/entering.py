"""Enter a tournament, withdraw from it, and sit out a round."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.accounts import relations, suspensions
from correspondence.core.i18n import weekday
from correspondence.features.tournaments import running
from correspondence.features.tournaments.fields import barred_of, rounds_of
from correspondence.features.tournaments.formats.field import EntrantState
from correspondence.features.tournaments.settings import TournamentError
from correspondence.features.tournaments.tables import (
    ActKind,
    Format,
    Tournament,
    TournamentEntrant,
    TournamentState,
)
from correspondence.features.tournaments.tournaments import count_in, entrant_of, entrants_of, locked_tournament, note
from correspondence.models import Person
from correspondence.models.locks import hold_person
from correspondence.ratings import ratings
from engines.wording import _, ngettext

FILL_AFTER = timedelta(minutes=45)
"""Time after the first entry at which robots fill up, where the organiser allows it."""


def enter(
    session: Session, person: Person, number: int, *, code: str = "", now: datetime, rng: random.Random
) -> TournamentEntrant:
    """Enter a tournament; it begins at once if this fills it.

    Raises TournamentError, ChallengeError (too many games) or SuspendedError, and then nothing has changed.
    """
    tournament = locked_tournament(session, number)
    hold_person(session, person)
    entrants = entrants_of(session, number)
    _must_be_open(session, tournament, now)
    _must_be_new(tournament, person, entrant_of(session, number, person.id))
    if tournament.players is not None and count_in(entrants) >= tournament.players:
        raise TournamentError(_("Tournament {number} is full.").format(number=number))
    _must_be_allowed(session, tournament, person, code, now)
    rating = ratings.rating_of(session, person.id, tournament.game, now=now).rating
    _must_be_in_band(tournament, round(rating))
    late = tournament.state is TournamentState.RUNNING
    entrant = TournamentEntrant(
        tournament_id=number, person_id=person.id, entered_at=now, rating=round(rating),
        is_robot=person.robot_level > 0, first_round=_next_round(session, tournament) if late else 1,
        seed=len(entrants) + 1 if late else 0,
    )  # fmt: skip
    session.add(entrant)
    session.flush()
    count = count_in(entrants) + 1
    if tournament.state is TournamentState.OPEN and tournament.starts_at is None and count == tournament.players:
        running.begin(session, tournament, now=now, rng=rng)
    elif tournament.robots_fill and tournament.starts_at is None and not entrants:
        tournament.due_at = now + FILL_AFTER
        session.add(tournament)
    return entrant


def withdraw(session: Session, person: Person, number: int, *, now: datetime, rng: random.Random) -> bool:
    """Withdraw from a tournament; return whether it had begun, so that running games go on.

    Raises TournamentError.
    """
    tournament = locked_tournament(session, number)
    entrant = _own_entry(session, tournament, person)
    if tournament.state is TournamentState.OPEN:
        session.delete(entrant)
        session.flush()
        return False
    running.leave(session, tournament, entrant, EntrantState.WITHDRAWN, now=now)
    note(session, tournament, ActKind.WITHDREW, person, about=person, now=now)
    running.advance(session, tournament, now=now, rng=rng)
    return True


def sit_out(session: Session, person: Person, number: int, *, now: datetime) -> int:
    """Sit out the next round of a Swiss for half a point, once; return that round. Raises TournamentError."""
    tournament = locked_tournament(session, number)
    entrant = _own_entry(session, tournament, person)
    if tournament.format is not Format.SWISS:
        raise TournamentError(
            _("Only in a Swiss can a round be sat out; tournament {number} is none.").format(number=number)
        )
    if entrant.sits_out is not None:
        sentence = _("You have asked to sit out round {round} already; that is possible once.")
        raise TournamentError(sentence.format(round=entrant.sits_out))
    upcoming = _next_round(session, tournament)
    if tournament.rounds is not None and upcoming > tournament.rounds:
        raise TournamentError(_("The last round has begun, so there is none to sit out."))
    entrant.sits_out = upcoming
    session.add(entrant)
    return upcoming


def _next_round(session: Session, tournament: Tournament) -> int:
    return max((row.number for row in rounds_of(session, tournament.id)), default=0) + 1


def _own_entry(session: Session, tournament: Tournament, person: Person) -> TournamentEntrant:
    """Return a person's entry, from which they can still withdraw. Raises TournamentError."""
    entrant = entrant_of(session, tournament.id, person.id)
    if entrant is None:
        raise TournamentError(_("You are not in tournament {number}.").format(number=tournament.id))
    if tournament.state not in (TournamentState.OPEN, TournamentState.RUNNING):
        raise TournamentError(_("Tournament {number} is over.").format(number=tournament.id))
    if entrant.state is not EntrantState.IN:
        raise TournamentError(_("You have left tournament {number} already.").format(number=tournament.id))
    return entrant


def _must_be_open(session: Session, tournament: Tournament, now: datetime) -> None:
    """Raise TournamentError if nobody can enter any more; late entry lasts until half of the rounds have begun."""
    number = tournament.id
    if tournament.state is TournamentState.CALLED_OFF:
        raise TournamentError(_("Tournament {number} has been called off.").format(number=number))
    if tournament.state is TournamentState.FINISHED:
        raise TournamentError(_("Tournament {number} is over.").format(number=number))
    if tournament.state is TournamentState.RUNNING:
        begun = _next_round(session, tournament) - 1
        if not tournament.takes_late or tournament.rounds is None or 2 * begun > tournament.rounds:
            raise TournamentError(_("Tournament {number} has begun, so you are too late for it.").format(number=number))
    elif tournament.is_closed:
        raise TournamentError(_("The organiser has closed the entry to tournament {number}.").format(number=number))


def _must_be_new(tournament: Tournament, person: Person, entrant: TournamentEntrant | None) -> None:
    if entrant is None:
        return
    if entrant.state is EntrantState.IN:
        raise TournamentError(_("You are in tournament {number} already.").format(number=tournament.id))
    if entrant.state is EntrantState.REMOVED:
        raise TournamentError(_("The organiser has removed you from tournament {number}.").format(number=tournament.id))
    raise TournamentError(_("You have left tournament {number} already.").format(number=tournament.id))


def _must_be_allowed(session: Session, tournament: Tournament, person: Person, code: str, now: datetime) -> None:
    if tournament.code and code.strip().casefold() != tournament.code.casefold():
        sentence = (
            _("Tournament {number} needs another code than “{code}”. Ask its organiser for it.")
            if code.strip()
            else _("Tournament {number} needs a code. Ask its organiser for it, and write: enter {number} code=WORD")
        )
        raise TournamentError(sentence.format(number=tournament.id, code=code.strip()[:40]))
    must_not_be_barred(session, person, now)
    relations.require_room(session, person)


def must_not_be_barred(session: Session, person: Person, now: datetime) -> None:
    """Raise TournamentError for a member who is barred, and SuspendedError for a suspended one."""
    suspensions.refuse_suspended(person)
    until = barred_of(session, [person.id]).get(person.id)
    if until is not None and now < until:
        sentence = _(
            "You have lost three games on time in tournaments, so you are barred from new ones until {when}. Games "
            "outside tournaments are open to you."
        )
        raise TournamentError(sentence.format(when=weekday(until, person.zone, person.language)))


def _must_be_in_band(tournament: Tournament, rating: int) -> None:
    low, high = tournament.rating_low, tournament.rating_high
    if low is not None and rating < low:
        sentence = _("Tournament {number} is for ratings from {bound} on; yours is {rating}.")
        raise TournamentError(sentence.format(number=tournament.id, bound=low, rating=rating))
    if high is not None and rating > high:
        sentence = _("Tournament {number} is for ratings up to {bound}; yours is {rating}.")
        raise TournamentError(sentence.format(number=tournament.id, bound=high, rating=rating))


def places_left(tournament: Tournament, entered: int) -> str:
    """Say how many places are left, in the current language; empty if their number is open."""
    if tournament.players is None:
        return ""
    left = max(0, tournament.players - entered)
    return ngettext("{count} place is left", "{count} places are left", left).format(count=left)
