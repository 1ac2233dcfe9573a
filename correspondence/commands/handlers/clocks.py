"""Commands about time: being away, pauses, take-backs, and an opponent whose time has run out."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as words
from correspondence.clocks import vacations
from correspondence.commands.handlers.context import Handlers, Sender, at_table
from correspondence.core.i18n import moment
from correspondence.models import OfferKind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import claims, offers
from engines.wording import _


def _away(session: Session, writer: Sender, command: words.Away) -> TranscriptEntry:
    person = writer.person
    absence = vacations.announce(session, person, command.days, now=writer.now)
    until = moment(absence.ends_at, person.zone, person.language)
    return TranscriptEntry(
        "",
        _("Your clocks stand still until {when}, in all games; you may move all the same. {left}").format(
            when=until, left=vacations.absence_left_sentence(vacations.hours_left(person, writer.now))
        ),
    )


def _back(session: Session, writer: Sender, _command: words.Back) -> TranscriptEntry:
    vacations.come_back(session, writer.person, now=writer.now)
    left = vacations.absence_left_sentence(vacations.hours_left(writer.person, writer.now))
    return TranscriptEntry("", _("Welcome back: your clocks run again. {left}").format(left=left))


def _pause(session: Session, writer: Sender, command: words.Pause) -> TranscriptEntry | None:
    until = offers.offer_pause(session, at_table(writer), command.days, now=writer.now)
    return (
        TranscriptEntry("", _("Your offer of a pause was passed on.")) if until is None else accepted(OfferKind.PAUSE)
    )


def _takeback(session: Session, writer: Sender, _command: words.Takeback) -> TranscriptEntry | None:
    if offers.offer_takeback(session, at_table(writer), now=writer.now):
        return accepted(OfferKind.TAKEBACK)
    return TranscriptEntry("", _("Your opponent is asked to let you take your last move back."))


def accepted(kind: OfferKind) -> TranscriptEntry | None:
    """What somebody is told who accepted an offer; a draw is told by the letter that ends the game."""
    if kind == OfferKind.DRAW:
        return None
    told = {
        OfferKind.PAUSE: _("The pause has begun: no clock of this game runs. You may both move all the same."),
        OfferKind.TAKEBACK: _("The move is taken back, and your opponent is to move again."),
    }
    return TranscriptEntry("", told[kind])


def declined(kind: OfferKind) -> TranscriptEntry:
    """What somebody is told who declined an offer."""
    told = {
        OfferKind.DRAW: _("The draw is declined."),
        OfferKind.PAUSE: _("The pause is declined."),
        OfferKind.TAKEBACK: _("The take-back is declined: the move stands."),
    }
    return TranscriptEntry("", told[kind])


def _claim(session: Session, writer: Sender, _command: words.Claim) -> None:
    claims.claim(session, at_table(writer), now=writer.now)


def _nudge(session: Session, writer: Sender, _command: words.Nudge) -> TranscriptEntry:
    claims.nudge(session, at_table(writer), now=writer.now)
    return TranscriptEntry("", _("Your opponent is asked once more to move."))


HANDLERS: Handlers = {
    words.Away: _away,
    words.Back: _back,
    words.Pause: _pause,
    words.Takeback: _takeback,
    words.Claim: _claim,
    words.Nudge: _nudge,
}
