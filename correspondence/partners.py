"""Finding a partner: challenges by handle, accepted, declined or withdrawn; and games for one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence import clock, letters
from correspondence.course import options_from, options_text
from correspondence.matches import start_match
from correspondence.models import Match, Person, Purpose, Seek, SeekState
from correspondence.people import desk_token, new_token, person_called
from correspondence.tries import terms_among
from engines import GAMES
from engines.base import Game
from engines.options import read_options
from engines.wording import _, listing

OPEN_CHALLENGES = 20
"""How many challenges of one person may wait for an answer."""


class PartnerError(ValueError):
    """A refusal: str() is a sentence for the person."""


def game_called(key: str) -> Game:
    """The game with this key, in any letter case; raises PartnerError that names all games."""
    wanted = key.strip().casefold()
    if wanted not in GAMES:
        raise PartnerError(
            _("There is no game “{key}” here. We play {games}.").format(
                key=key.strip()[:40], games=listing(list(GAMES), _("and"))
            )
        )
    return GAMES[wanted]


def challenge(
    session: Session,
    person: Person,
    handle: str,
    key: str,
    options: Mapping[str, str],
    *,
    terms: clock.Terms = clock.DEFAULT_TERMS,
    rated: bool = True,
    seat: int | None = None,
    now: datetime,
) -> Seek:
    """Challenge the person with this handle, who is asked by letter.

    `seat` is the seat the challenger takes; None draws lots. Among `options` may be the term `analysis`.
    Raises PartnerError, OptionError or TermsError.
    """
    game = game_called(key)
    rest, analysis = terms_among(options)
    chosen: Any = read_options(game.Options, rest)
    clock.checked(terms)
    opponent = person_called(session, handle)
    _must_suit(session, person, opponent, handle, game)
    assert opponent is not None
    seek = Seek(
        person_id=person.id,
        opponent_id=opponent.id,
        game=game.key,
        options=options_text(chosen),
        rated=rated,
        bank=int(terms.bank.total_seconds()),
        increment=int(terms.increment.total_seconds()),
        cap=int(terms.cap.total_seconds()),
        seat=seat,
        analysis=analysis,
        created_at=now,
    )
    session.add(seek)
    session.flush()
    _write(session, "challenge", seek, opponent, person, now)
    return seek


def accept(session: Session, person: Person, number: int | None, *, now: datetime, lots: random.Random) -> Match:
    """Accept a challenge to this person, the only one where no number is given; the match begins at once.

    Raises PartnerError.
    """
    seek = _open_for(session, person, number)
    challenger = session.get_one(Person, seek.person_id)
    seat = seek.seat if seek.seat is not None else lots.randrange(2)
    persons = [challenger, person] if seat == 0 else [person, challenger]
    match = start_match(
        session,
        seek.game,
        read_options(GAMES[seek.game].Options, options_from(seek.options)),
        terms_of_seek(seek),
        persons,
        rated=seek.rated,
        analysis=seek.analysis,
        now=now,
        lots=lots,
    )
    seek.state, seek.match_id = SeekState.TAKEN, match.id
    session.add(seek)
    return match


def decline(session: Session, person: Person, number: int | None, *, now: datetime) -> Seek:
    """Decline a challenge; the challenger is told. Raises PartnerError."""
    seek = _open_for(session, person, number)
    seek.state = SeekState.DECLINED
    session.add(seek)
    _write(session, "declined", seek, session.get_one(Person, seek.person_id), person, now)
    return seek


def withdraw(session: Session, person: Person, number: int) -> Seek:
    """Take one's own challenge back before it is answered; raises PartnerError."""
    seek = session.get(Seek, number, with_for_update=True)
    if seek is None or seek.person_id != person.id or seek.state != SeekState.OPEN:
        raise PartnerError(_("You have no open challenge number {number}.").format(number=number))
    seek.state = SeekState.WITHDRAWN
    session.add(seek)
    return seek


def start_alone(
    session: Session,
    person: Person,
    key: str,
    options: Mapping[str, str],
    *,
    now: datetime,
    lots: random.Random,
    terms: clock.Terms = clock.UNHURRIED,
) -> Match:
    """Begin a game for one, such as the Puzzle; raises PartnerError or OptionError."""
    game = game_called(key)
    if len(game.seats) != 1:
        raise PartnerError(_("{game} wants an opponent: challenge somebody.").format(game=_(game.name)))
    chosen: Any = read_options(game.Options, options)
    return start_match(session, game.key, chosen, terms, [person], rated=False, now=now, lots=lots)


def challenges_to(session: Session, person: Person) -> list[Seek]:
    """The open challenges to a person, oldest first."""
    found = select(Seek).where(col(Seek.opponent_id) == person.id, col(Seek.state) == SeekState.OPEN)
    return list(session.exec(found.order_by(col(Seek.id))))


def terms_of_seek(seek: Seek) -> clock.Terms:
    """The terms of time that a seek proposes."""
    return clock.Terms(*(timedelta(seconds=seconds) for seconds in (seek.bank, seek.increment, seek.cap)))


def _must_suit(session: Session, person: Person, opponent: Person | None, handle: str, game: Game) -> None:
    if opponent is None:
        raise PartnerError(_("Nobody here is called “{handle}”.").format(handle=handle.strip()[:40]))
    if opponent.id == person.id:
        raise PartnerError(_("You cannot challenge yourself."))
    if len(game.seats) != 2:
        raise PartnerError(_("{game} is a game for one: nobody can be challenged to it.").format(game=_(game.name)))
    counted = (
        select(func.count())
        .select_from(Seek)
        .where(col(Seek.person_id) == person.id, col(Seek.state) == SeekState.OPEN)
    )
    if session.exec(counted).one() >= OPEN_CHALLENGES:
        raise PartnerError(
            _("{count} challenges of yours wait for an answer; please withdraw one first.").format(
                count=OPEN_CHALLENGES
            )
        )


def _open_for(session: Session, person: Person, number: int | None) -> Seek:
    waiting = challenges_to(session, person)
    if number is None and len(waiting) > 1:
        numbers = listing([str(seek.id) for seek in waiting], _("and"))
        raise PartnerError(_("Several challenges wait for you: {numbers}. Please name one.").format(numbers=numbers))
    fits = [seek for seek in waiting if number in (None, seek.id)]
    if not fits:
        raise PartnerError(
            _("No challenge waits for you.")
            if number is None
            else _("No challenge number {number} waits for you.").format(number=number)
        )
    return session.get_one(Seek, fits[0].id, with_for_update=True)


def _write(session: Session, kind: str, seek: Seek, reader: Person, other: Person, now: datetime) -> None:
    token = (
        new_token(session, Purpose.SEEK, now=now, person=reader, seek=seek.id)
        if kind == "challenge"
        else desk_token(session, reader, now=now)
    )
    context: dict[str, Any] = {
        "game": GAMES[seek.game],
        "seek": seek,
        "other": other.handle,
        "terms": terms_of_seek(seek),
    }
    letters.write_letter(
        session,
        kind,
        letters.to_person(session, reader),
        f"{kind}:s{seek.id}",
        now=now,
        reply_token=token.id,
        **context,
    )
