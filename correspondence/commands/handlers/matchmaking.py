"""Commands that find a partner: challenges, counter-offers, rematches, seeks."""

from __future__ import annotations

from sqlmodel import Session, col, select

from correspondence import commands as words
from correspondence.accounts import accounts
from correspondence.commands import answers
from correspondence.commands.handlers.clocks import accepted, declined
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.core import time_control
from correspondence.core.i18n import moment
from correspondence.matchmaking import challenges, conditions, counteroffers, invitations, seeks
from correspondence.matchmaking.start import terms_of_seek
from correspondence.models import Match, Person, Purpose, Seek, SeekState
from correspondence.models.loading import persons_of, players_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import offers
from engines import GAMES
from engines.wording import _


def _challenge(session: Session, writer: Sender, command: words.Challenge) -> TranscriptEntry:
    game = challenges.game_by_key(command.key)
    options, wanted = conditions.split_conditions(dict(command.options))
    seat = seeks.checked_conditions({"seat": wanted.pop("seat", "")}, game).seat
    seek = challenges.challenge(
        session,
        writer.person,
        command.handle,
        command.key,
        {**options, **wanted},
        terms=command.pace or time_control.DEFAULT_TERMS,
        rated=command.rated,
        seat=seat,
        now=writer.now,
    )
    asked = _("{handle} was asked to play {game} with you (challenge {number}).").format(
        handle=command.handle, game=_(GAMES[seek.game].name), number=seek.id
    )
    return _asked(session, writer, seek, asked)


def _asked(session: Session, writer: Sender, seek: Seek, told: str) -> TranscriptEntry:
    """That somebody was asked, and that the challenge waits where he is away."""
    return TranscriptEntry("", f"{told} {challenges.away_notice(session, seek, writer.person, now=writer.now)}".strip())


def _seek(session: Session, writer: Sender, command: words.SeekPartner) -> TranscriptEntry | None:
    options, wanted = conditions.split_conditions(dict(command.options))
    seek = seeks.seek(
        session,
        writer.person,
        command.key,
        options,
        wanted,
        terms=command.pace or time_control.DEFAULT_TERMS,
        rated=command.rated,
        now=writer.now,
        rng=writer.rng,
    )
    if seek.state == SeekState.TAKEN:
        return TranscriptEntry("", _("Somebody was looking for just that: the game has begun."))
    return TranscriptEntry("", _told(session, writer, seek))


def _told(session: Session, writer: Sender, seek: Seek) -> str:
    sentence = _("Your seek number {number} for {game} ({pace}) is open until {when}; withdraw {number} ends it.")
    when = moment(seek.expires_at or writer.now, writer.person.zone, writer.person.language)
    pace = time_control.in_words(terms_of_seek(seek))
    told = sentence.format(number=seek.id, game=_(GAMES[seek.game].name), pace=pace, when=when)
    return f"{told} {challenges.own_away_notice(session, writer.person, now=writer.now)}".strip()


def _renew(session: Session, writer: Sender, command: words.Renew) -> TranscriptEntry | None:
    token = writer.token
    if command.number is None and token is not None and token.purpose == Purpose.RENEW:
        seek = seeks.renew_by_token(session, token.id, now=writer.now, rng=writer.rng)
    elif command.number is None:
        raise challenges.ChallengeError(say_which_seek())
    else:
        seek = seeks.renew(session, writer.person, command.number, now=writer.now, rng=writer.rng)
    if seek.state == SeekState.TAKEN:
        return TranscriptEntry("", _("Somebody was looking for just that: the game has begun."))
    return TranscriptEntry("", _told(session, writer, seek))


def _accept(session: Session, writer: Sender, command: words.Accept) -> TranscriptEntry | None:
    if writer.player is not None and command.number is None and offers.has_offer(session, writer.player):
        return accepted(offers.accept(session, writer.player, now=writer.now))
    if command.number is None and writer.token is not None and writer.token.purpose == Purpose.INVITE:
        match = invitations.accept(session, writer.person, writer.token.id, now=writer.now, rng=writer.rng)
        return _begun(session, writer, match)
    number = _seek_number(writer, command.number)
    wish = session.get(Seek, number) if number is not None else None
    if wish is not None and wish.opponent_id is None and number is not None:
        match = seeks.take(session, writer.person, number, now=writer.now, rng=writer.rng)
    else:
        match = challenges.accept(session, writer.person, number, now=writer.now, rng=writer.rng)
    return _begun(session, writer, match)


def _begun(session: Session, writer: Sender, match: Match) -> TranscriptEntry | None:
    """What somebody is told who must wait for the first move; who is to move has a letter."""
    players = players_of(session, match.id)
    if any(player.person_id == writer.person.id and player.since is not None for player in players):
        return None
    others = ", ".join(person.handle for person in persons_of(session, players) if person.id != writer.person.id)
    return TranscriptEntry(
        "", _("Game {number} has begun; {handle} is to move.").format(number=match.id, handle=others)
    )


def _decline(session: Session, writer: Sender, command: words.Decline) -> TranscriptEntry:
    if writer.player is not None and command.number is None:
        return declined(offers.decline(session, writer.player, now=writer.now))
    seek = challenges.decline(session, writer.person, _seek_number(writer, command.number), now=writer.now)
    return TranscriptEntry("", _("Challenge {number} is declined.").format(number=seek.id))


def _counter(session: Session, writer: Sender, command: words.Counter) -> TranscriptEntry:
    seek = counteroffers.counter(
        session,
        writer.person,
        _seek_number(writer, command.number),
        dict(command.options),
        terms=command.pace,
        rated=command.rated,
        now=writer.now,
    )
    handle = session.get_one(Person, seek.opponent_id).handle
    told = _("{handle} was asked whether that will do (challenge {number}).").format(handle=handle, number=seek.id)
    return _asked(session, writer, seek, told)


def _rematch(session: Session, writer: Sender, command: words.Rematch) -> TranscriptEntry | None:
    number = command.match or (writer.match.id if writer.match else None)
    if number is None:
        raise challenges.ChallengeError(say_which_game())
    match = counteroffers.rematch(session, writer.person, number, now=writer.now, rng=writer.rng)
    if match is None:
        of_game = select(Seek).where(col(Seek.after_match_id) == number, col(Seek.state) == SeekState.OPEN)
        return _asked(session, writer, session.exec(of_game).one(), _("Your opponent was asked for a rematch."))
    return _begun(session, writer, match)


def say_which_seek() -> str:
    """What somebody is told who renews no seek in particular."""
    return _("Say which of your seeks, for example: renew 7")


def say_which_game() -> str:
    """What somebody is told who wants to play no game in particular again."""
    return _("Say which game you want to play again, for example: rematch 12")


def _withdraw(session: Session, writer: Sender, command: words.Withdraw) -> TranscriptEntry:
    seek = challenges.withdraw(session, writer.person, command.number)
    return TranscriptEntry("", _("Number {number} is withdrawn.").format(number=seek.id))


def _seek_number(writer: Sender, number: int | None) -> int | None:
    if number is None and writer.token is not None and writer.token.purpose == Purpose.SEEK:
        return int(accounts.payload_of(writer.token)["seek"])
    return number


HANDLERS: Handlers = {
    words.Challenge: _challenge,
    words.SeekPartner: _seek,
    words.Seeks: lambda s, w, c: answers.seeks(s, w.person, now=w.now),
    words.Renew: _renew,
    words.Accept: _accept,
    words.Decline: _decline,
    words.Counter: _counter,
    words.Rematch: _rematch,
    words.Withdraw: _withdraw,
}
