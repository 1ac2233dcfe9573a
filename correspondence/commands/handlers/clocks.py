"""Commands about time: leave, pauses, take-backs and claims on time."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.clocks import vacations
from correspondence.commands import arguments
from correspondence.commands.handlers.context import Sender, player_of, seen_by
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.core.i18n import moment
from correspondence.models import OfferKind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import claims, offers, take_backs
from engines.wording import N_, _


def _away(session: Session, sender: Sender, command: cmd.Away) -> TranscriptEntry:
    person = sender.person
    vacation = vacations.announce(session, person, command.days, now=sender.now)
    until = moment(vacation.ends_at, person.zone, person.language)
    return TranscriptEntry(
        "",
        _("Your clocks are stopped until {when}, in all games; you can still move. {left}").format(
            when=until, left=vacations.absence_left_sentence(vacations.hours_left(person, sender.now))
        ),
    )


def _back(session: Session, sender: Sender, _command: cmd.Back) -> TranscriptEntry:
    vacations.come_back(session, sender.person, now=sender.now)
    days_left = vacations.absence_left_sentence(vacations.hours_left(sender.person, sender.now))
    return TranscriptEntry("", _("Welcome back: your clocks run again. {left}").format(left=days_left))


def _pause(session: Session, sender: Sender, command: cmd.Pause) -> TranscriptEntry | None:
    until = offers.offer_pause(session, player_of(sender), command.days, seen=seen_by(sender), now=sender.now)
    return (
        TranscriptEntry("", _("Your offer of a pause has been passed on."))
        if until is None
        else accepted(OfferKind.PAUSE)
    )


def _takeback(session: Session, sender: Sender, _command: cmd.Takeback) -> TranscriptEntry | None:
    player = player_of(sender)
    if offers.offer_takeback(session, player, seen=seen_by(sender), now=sender.now):
        return accepted(OfferKind.TAKEBACK)
    return TranscriptEntry("", take_backs.asked_sentence(session, player))


def accepted(kind: OfferKind) -> TranscriptEntry | None:
    """Confirm that an offer was accepted; None for a draw, which the game-over letter reports."""
    if kind == OfferKind.DRAW:
        return None
    sentences = {
        OfferKind.PAUSE: _("The pause has begun: no clock of this game runs. You can both still move."),
        OfferKind.TAKEBACK: _("The move has been taken back, and your opponent is to move again."),
    }
    return TranscriptEntry("", sentences[kind])


def declined(kind: OfferKind) -> TranscriptEntry:
    """Confirm that an offer was declined."""
    sentences = {
        OfferKind.DRAW: _("You have declined the draw."),
        OfferKind.PAUSE: _("You have declined the pause."),
        OfferKind.TAKEBACK: _("You have declined the takeback: the move stands."),
    }
    return TranscriptEntry("", sentences[kind])


def withdrawn(kind: OfferKind) -> TranscriptEntry:
    """Confirm that the sender's own offer is withdrawn."""
    sentences = {
        OfferKind.DRAW: _("Your offer of a draw has been withdrawn."),
        OfferKind.PAUSE: _("Your offer of a pause has been withdrawn."),
        OfferKind.TAKEBACK: _("You have withdrawn your request to take your move back."),
    }
    return TranscriptEntry("", sentences[kind])


def _claim(session: Session, sender: Sender, _command: cmd.Claim) -> None:
    claims.claim(session, player_of(sender), now=sender.now, received_at=sender.received_at)


def _nudge(session: Session, sender: Sender, _command: cmd.Nudge) -> TranscriptEntry:
    claims.nudge(session, player_of(sender), now=sender.now)
    return TranscriptEntry("", _("We've reminded your opponent to move."))


COMMANDS = (
    Declaration(
        kind=cmd.Away,
        readers={"away | assente": arguments.read_away},
        need=Need.YES,
        handler=_away,
        topic="settings",
        help=(
            HelpLine(
                "settings", 3, N_("away 5 days, back"), N_("your clocks stop while you are away; you can still move")
            ),
        ),
    ),
    Declaration(
        kind=cmd.Back,
        phrases="back | i am back | i'm back | rientro | sono di ritorno",
        need=Need.YES,
        handler=_back,
        topic="settings",
    ),
    Declaration(
        kind=cmd.Pause,
        phrases="pause | accept pause | accept the pause | pausa | accetto la pausa",
        readers={"pause | pausa": arguments.read_pause},
        need=Need.GAME,
        is_of_one_game=True,
        acts_on_game=True,
        handler=_pause,
        topic="offers",
        help=(
            HelpLine(
                "offers", 3, N_("pause 5 days"), N_("offer to stop all clocks for that long; pause alone accepts")
            ),
        ),
    ),
    Declaration(
        kind=cmd.Takeback,
        questions="takeback | take back | take-back | undo | ripresa | riprendo la mossa",
        need=Need.GAME,
        is_of_one_game=True,
        acts_on_game=True,
        handler=_takeback,
        topic="offers",
        help=(
            HelpLine(
                "offers",
                2,
                N_("takeback"),
                N_("ask to take back your last move, or let your opponent take theirs back"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Claim,
        phrases="claim | i claim | claim the win | i claim the win | i claim on time | reclamo | reclamo la vittoria",
        need=Need.GAME,
        is_of_one_game=True,
        acts_on_game=True,
        handler=_claim,
        topic="offers",
        help=(
            HelpLine(
                "offers",
                6,
                N_("claim"),
                N_("claim the win when your opponent's time has run out but the game goes on"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Nudge,
        phrases="nudge | sollecito",
        need=Need.GAME,
        is_of_one_game=True,
        handler=_nudge,
        topic="offers",
        help=(HelpLine("offers", 7, N_("nudge"), N_("ask an opponent whose time has run out to move")),),
    ),
)
