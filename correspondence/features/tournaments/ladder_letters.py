"""Letters about ladders: challenges, answered or lapsed, changed rungs, and leaving for being idle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlmodel import Session

from correspondence.core.i18n import weekday
from correspondence.core.time_control import pace
from correspondence.features.tournaments import letters
from correspondence.features.tournaments.formats.field import Pairing, Result
from correspondence.features.tournaments.formats.ladder import challenged_of
from correspondence.features.tournaments.letters import LADDER_CHALLENGE, TournamentNews, title_of
from correspondence.features.tournaments.tables import Tournament, TournamentEntrant, TournamentPairing
from correspondence.models import Person
from engines.wording import _


def tell_challenged(
    session: Session,
    tournament: Tournament,
    row: TournamentPairing,
    challenger: Person,
    challenged: Person,
    until: datetime,
    *,
    now: datetime,
) -> None:
    """Ask the challenged member for their answer; `until` is when the challenge lapses."""

    def news() -> TournamentNews:
        names = {"handle": challenger.handle, "ladder": title_of(tournament)}
        state = _("{handle} challenges you ({ladder}). To play, answer this letter with: accept").format(**names)
        day = weekday(until, challenged.zone, challenged.language)
        sentence = _(
            "A challenge on a ladder cannot be declined: without your answer until {day} it counts as lost. Announced "
            "absences do not count."
        )
        line = _("From anywhere, write: ladder {game} accept {handle}")
        rest = [
            sentence.format(day=day),
            _("The pace is {pace}.").format(pace=pace(tournament.time_control)),
            line.format(game=tournament.game, handle=challenger.handle),
        ]
        return TournamentNews(_("{handle} challenges you").format(**names), state, rest)

    letters.tell_one(
        session, tournament, challenged, f"challenge{row.id}", news, kind=LADDER_CHALLENGE, now=now
    )  # fmt: skip


def tell_accepted(session: Session, tournament: Tournament, row: TournamentPairing, *, now: datetime) -> None:
    """Tell the challenger that the game has begun, if the other moves first; who moves first gets the game's letter."""
    if row.challenger_seat == 0:
        return
    challenged, challenger = _persons(session, row.first_id, row.second_id)

    def news() -> TournamentNews:
        values = {"handle": challenged.handle, "game": row.match_id}
        state = _("{handle} has accepted your challenge: game {game} has begun, and {handle} moves first.")
        return TournamentNews(_("your challenge is accepted"), state.format(**values))

    letters.tell_one(session, tournament, challenger, f"accepted{row.id}", news, now=now)


def tell_lapsed(
    session: Session, tournament: Tournament, pairing: Pairing, order: Sequence[int], *, now: datetime
) -> None:
    """Tell both sides that a challenge has ended without a game, and where they stand."""
    other = challenged_of(pairing)
    mine = pairing.opponent(other)
    challenger, challenged = _persons(session, mine, other)
    is_void = pairing.result is Result.VOID

    def for_challenger() -> TournamentNews:
        sentence = _("{handle} has not answered your challenge, or has left: it counts as won.")
        return TournamentNews(
            _("a challenge without an answer"), sentence.format(handle=challenged.handle), _stands(order, mine)
        )

    def for_challenged() -> TournamentNews:
        lost = _("You have not answered the challenge of {handle}, or have left: it counts as lost.")
        gone = _("{handle} has left the ladder, so their challenge is void.")
        state = (gone if is_void else lost).format(handle=challenger.handle)
        return TournamentNews(_("a challenge without an answer"), state, _stands(order, other))

    key = f"lapsed{pairing.round}"
    if not is_void:
        letters.tell_one(session, tournament, challenger, key, for_challenger, now=now)
    letters.tell_one(session, tournament, challenged, key, for_challenged, now=now)


def tell_moved(
    session: Session,
    tournament: Tournament,
    row: TournamentPairing,
    before: Sequence[int],
    after: Sequence[int],
    *,
    now: datetime,
) -> None:
    """Tell both players of a game that has ended where they stand, if their order has changed."""
    mine, other = row.first_id, row.second_id
    if row.challenger_seat == 1:
        mine, other = other, mine
    if {mine, other} - set(after) or before.index(mine) <= after.index(mine):
        return
    challenger, challenged = _persons(session, mine, other)
    for person, opponent, number in ((challenger, challenged, mine), (challenged, challenger, other)):
        letters.tell_one(
            session, tournament, person, f"moved{row.id}", _moved(row, opponent, after, number, number == mine), now=now
        )  # fmt: skip


def _moved(
    row: TournamentPairing, opponent: Person, order: Sequence[int], number: int, is_up: bool
) -> Callable[[], TournamentNews]:
    def news() -> TournamentNews:
        sentence = (
            _("Your challenge of {handle} (game {game}) has brought you to rung {rung}.")
            if is_up
            else _("The challenge of {handle} (game {game}) is over: you stand on rung {rung}.")
        )
        rung = order.index(number) + 1
        state = sentence.format(handle=opponent.handle, game=row.match_id, rung=rung)
        return TournamentNews(_("rung {rung}").format(rung=rung), state)

    return news


def tell_idle(session: Session, tournament: Tournament, entrant: TournamentEntrant, *, now: datetime) -> None:
    """Tell somebody that they have left the ladder, and how to return."""
    person = session.get_one(Person, entrant.person_id)

    def news() -> TournamentNews:
        state = _("You are off the ladder ({ladder}): for 60 days you have neither played nor answered there.")
        line = _("To enter again, write: ladder {key} enter").format(key=tournament.game)
        return TournamentNews(_("you have left it"), state.format(ladder=title_of(tournament)), [line])

    letters.tell_one(session, tournament, person, f"idle{now:%Y%m%d}", news, now=now)


def _persons(session: Session, *entrant_ids: int) -> list[Person]:
    entrants = [session.get_one(TournamentEntrant, number) for number in entrant_ids]
    return [session.get_one(Person, entrant.person_id) for entrant in entrants]


def _stands(order: Sequence[int], number: int) -> list[str]:
    return [_("You stand on rung {rung}.").format(rung=order.index(number) + 1)] if number in order else []
