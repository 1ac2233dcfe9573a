"""Ladders: challenges are made and answered, lapse, and move rungs; idle members leave.

Input: members' acts and ended games. Output: games, letters. The rules are in `formats/ladder.py`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts import relations, suspensions
from correspondence.accounts.accounts import person_called
from correspondence.features.tournaments import fields, ladder_letters, perpetual, running, settling
from correspondence.features.tournaments.formats import ladder
from correspondence.features.tournaments.formats.field import EntrantState, Field, Pairing, Result
from correspondence.features.tournaments.formats.ladder import Refusal
from correspondence.features.tournaments.ladder_fields import absences_of, lapses_at
from correspondence.features.tournaments.settings import TournamentError
from correspondence.features.tournaments.tables import Format, Tournament, TournamentEntrant, TournamentPairing
from correspondence.features.tournaments.tournaments import entrant_of
from correspondence.models import Person
from engines.wording import N_, _, listing

_REFUSALS: Mapping[Refusal, str] = {
    Refusal.NOT_ON_LADDER: N_("You are not on this ladder. To enter, write: ladder {game} enter"),
    Refusal.OTHER_NOT_ON_LADDER: N_("{handle} is not on this ladder."),
    Refusal.NOT_ABOVE: N_("{handle} does not stand above you. You can challenge up to ten rungs up."),
    Refusal.TOO_FAR: N_("{handle} stands too far above you. You can challenge up to ten rungs up."),
    Refusal.TOO_MANY_OUTGOING: N_("Three of your challenges are open or being played, the most there can be."),
    Refusal.TOO_MANY_DEFENCES: N_("{handle} has as many challenges to play as there can be. Try again later."),
    Refusal.PLAYING: N_("You and {handle} are playing on this ladder already, or a challenge is open."),
    Refusal.TOO_SOON: N_("You and {handle} have played within seven days. Wait until these are over."),
    Refusal.BARRED: N_("You have lost three games on time in tournaments, so you get no new ones for a while."),
    Refusal.OTHER_BARRED: N_("{handle} gets no new tournament games for a while."),
}


def enter(session: Session, person: Person, word: str, *, now: datetime) -> Tournament:
    """Enter the ladder of a game, at the bottom. Raises as `perpetual.enter`."""
    entrant = perpetual.enter(session, person, Format.LADDER, word, now=now)
    tournament = session.get_one(Tournament, entrant.tournament_id)
    advance(session, tournament, now=now)
    return tournament


def leave(session: Session, person: Person, word: str, *, now: datetime) -> Tournament:
    """Leave the ladder of a game; who has challenged them has won. Raises TournamentError."""
    tournament = perpetual.leave(session, person, Format.LADDER, word, now=now)
    advance(session, tournament, now=now)
    return tournament


def challenge(session: Session, person: Person, word: str, handle: str, *, now: datetime) -> TournamentPairing:
    """Challenge somebody higher on the ladder of a game, who gets a letter.

    Raises TournamentError, ChallengeError, PeopleError or SuspendedError.
    """
    tournament = perpetual.held(session, Format.LADDER, word)
    mine = perpetual.own_entry(session, tournament, person)
    other = person_called(session, handle)
    suspensions.refuse_suspended(person)
    relations.require_room(session, person)
    if relations.is_blocked(session, person.id, other.id) or suspensions.suspended_among(session, [other.id]):
        raise relations.unavailable(other.handle)
    theirs = entrant_of(session, tournament.id, other.id)
    advance(session, tournament, now=now)
    made = _checked(fields.field_of(session, tournament, now=now), tournament, mine, theirs, other)
    row = TournamentPairing(
        tournament_id=tournament.id, round=made.round, pair=running.pair_of(made), first_id=made.seats[0],
        second_id=made.seats[1], challenger_seat=made.seats.index(mine.id), began_at=now,
    )  # fmt: skip
    session.add(row)
    session.flush()
    _schedule(session, tournament, fields.field_of(session, tournament, now=now))
    until = lapses_at(now, absences_of(session, other.id, now))
    ladder_letters.tell_challenged(session, tournament, row, person, other, until, now=now)
    return row


def _checked(
    field: Field, tournament: Tournament, mine: TournamentEntrant, theirs: TournamentEntrant | None, other: Person
) -> Pairing:
    """Return the challenge that the rules allow. Raises TournamentError."""
    refused = Refusal.OTHER_NOT_ON_LADDER if theirs is None else ladder.refusal(field, mine.id, theirs.id)
    if refused is not None or theirs is None:
        sentence = _(_REFUSALS[refused or Refusal.OTHER_NOT_ON_LADDER])
        raise TournamentError(sentence.format(handle=other.handle, game=tournament.game))
    return ladder.challenge(field, mine.id, theirs.id, lapses_at=field.now)


def accept(
    session: Session, person: Person, word: str, handle: str = "", *, now: datetime, rng: random.Random
) -> TournamentPairing:
    """Accept a challenge on a ladder, the only one or that of `handle`; its game begins.

    Raises TournamentError or SuspendedError.
    """
    tournament = perpetual.held(session, Format.LADDER, word)
    suspensions.refuse_suspended(person)
    advance(session, tournament, now=now)
    row = _asked(session, tournament, person, handle.strip().casefold())
    pairing = fields.pairing_of(row)
    field = fields.field_of(session, tournament, now=now)
    row.match_id = running.begin_game(session, tournament, field, pairing, now, rng)
    session.add(row)
    session.flush()
    _schedule(session, tournament, fields.field_of(session, tournament, now=now))
    ladder_letters.tell_accepted(session, tournament, row, now=now)
    return row


def _asked(session: Session, tournament: Tournament, person: Person, handle: str) -> TournamentPairing:
    """Return the challenge that somebody answers. Raises TournamentError."""
    waiting = {who.handle: row for of, row, who in waiting_for(session, person.id) if of.id == tournament.id}
    chosen = [row for name, row in waiting.items() if handle in ("", name.casefold())]
    if len(chosen) == 1:
        return chosen[0]
    if not waiting:
        raise TournamentError(_("No challenge is waiting for you."))
    lines = [f"ladder {tournament.game} accept {name}" for name in waiting]
    sentence = _("Several challenges are waiting for you. Write: {lines}")
    raise TournamentError(sentence.format(lines=listing(lines, _("or"))))


def waiting_for(session: Session, person_id: int) -> list[tuple[Tournament, TournamentPairing, Person]]:
    """Return a member's unanswered challenges on all ladders: the ladder, the challenge, the challenger."""
    query = (
        select(TournamentPairing, TournamentEntrant.id)
        .join(TournamentEntrant, col(TournamentEntrant.tournament_id) == col(TournamentPairing.tournament_id))
        .where(
            col(TournamentEntrant.person_id) == person_id, col(TournamentPairing.challenger_seat).is_not(None),
            col(TournamentPairing.match_id).is_(None), col(TournamentPairing.result) == Result.RUNNING,
            col(TournamentEntrant.id).in_([TournamentPairing.first_id, TournamentPairing.second_id]),
        )
        .order_by(col(TournamentPairing.began_at))
    )  # fmt: skip
    found = []
    for row, mine in session.exec(query).all():
        challenger = (row.first_id, row.second_id)[row.challenger_seat or 0]
        if challenger != mine:
            person = session.get_one(Person, session.get_one(TournamentEntrant, challenger).person_id)
            found.append((session.get_one(Tournament, row.tournament_id), row, person))
    return found


def handle(session: Session, tournament: Tournament, *, now: datetime) -> None:
    """Do what is due on a locked ladder; nothing if another worker has done it."""
    before = ladder.order(fields.field_of(session, tournament, now=now))
    counted = settling.settle(session, tournament, now=now)
    if counted or (tournament.due_at is not None and tournament.due_at <= now):
        after = ladder.order(fields.field_of(session, tournament, now=now))
        for row in counted:
            ladder_letters.tell_moved(session, tournament, row, before, after, now=now)
        advance(session, tournament, now=now)


def advance(session: Session, tournament: Tournament, *, now: datetime) -> None:
    """Let idle and erased members leave a locked ladder, and challenges lapse."""
    running.drop_who_left(session, tournament, now=now)
    field = fields.field_of(session, tournament, now=now)
    for number in ladder.idle(field):
        entrant = session.get_one(TournamentEntrant, number)
        running.leave(session, tournament, entrant, EntrantState.WITHDRAWN, now=now)
        ladder_letters.tell_idle(session, tournament, entrant, now=now)
    field = fields.field_of(session, tournament, now=now)
    lapsed = fields.next_of(field).pairings
    for pairing in lapsed:
        running.change_result(session, tournament, pairing)
    if lapsed:
        field = _tell_lapsed(session, tournament, field, lapsed)
    _schedule(session, tournament, field)


def _tell_lapsed(session: Session, tournament: Tournament, field: Field, lapsed: Sequence[Pairing]) -> Field:
    """Write to both sides of lapsed challenges; return the ladder after them."""
    session.flush()
    after = fields.field_of(session, tournament, now=field.now)
    for pairing in lapsed:
        ladder_letters.tell_lapsed(session, tournament, pairing, ladder.order(after), now=field.now)
    return after


def _schedule(session: Session, tournament: Tournament, field: Field) -> None:
    tournament.due_at = ladder.due_at(field)
    session.add(tournament)
    session.flush()
