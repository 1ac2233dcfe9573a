"""Commands that find a partner."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import answers, clock, offers, partners, people
from correspondence import commands as words
from correspondence.desk.clocks import accepted, declined
from correspondence.desk.writer import Performers, Writer
from correspondence.models import Purpose
from correspondence.sections import Section
from engines.wording import _


def _challenge(session: Session, writer: Writer, command: words.Challenge) -> Section:
    seek = partners.challenge(
        session,
        writer.person,
        command.handle,
        command.key,
        dict(command.options),
        terms=command.pace or clock.DEFAULT_TERMS,
        rated=command.rated,
        now=writer.now,
    )
    return Section(
        "",
        _("{handle} was asked to play {key} with you (challenge {number}).").format(
            handle=command.handle, key=seek.game, number=seek.id
        ),
    )


def _accept(session: Session, writer: Writer, command: words.Accept) -> Section | None:
    if writer.player is not None and command.number is None and offers.are_made_to(session, writer.player):
        return accepted(offers.accept(session, writer.player, now=writer.now))
    partners.accept(session, writer.person, _seek_number(writer, command.number), now=writer.now, lots=writer.lots)
    return None


def _decline(session: Session, writer: Writer, command: words.Decline) -> Section:
    if writer.player is not None and command.number is None:
        return declined(offers.decline(session, writer.player, now=writer.now))
    seek = partners.decline(session, writer.person, _seek_number(writer, command.number), now=writer.now)
    return Section("", _("Challenge {number} is declined.").format(number=seek.id))


def _seek_number(writer: Writer, number: int | None) -> int | None:
    if number is None and writer.token is not None and writer.token.purpose == Purpose.SEEK:
        return int(people.payload_of(writer.token)["seek"])
    return number


PERFORMERS: Performers = {
    words.Challenge: _challenge,
    words.Accept: _accept,
    words.Decline: _decline,
    words.Partners: lambda s, w, c: answers.partners(s, w.person),
}
