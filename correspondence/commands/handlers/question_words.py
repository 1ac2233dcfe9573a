"""Wording of the answer to a reply that is no answer: the question, and how to answer it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.commands import proposals
from correspondence.commands.handlers import doubts
from correspondence.commands.handlers.context import Sender
from correspondence.models import OfferKind, Person, Purpose, Seek
from correspondence.models.loading import persons_of, players_of
from correspondence.outbound.transcript import TranscriptEntry
from engines import GAMES
from engines.wording import N_, _, listing

_STILL_OPEN = {
    OfferKind.DRAW: N_("The offer of a draw still waits for your answer: accept draw, or decline draw."),
    OfferKind.TAKEBACK: N_(
        "The request to take a move back still waits for your answer: accept takeback, or decline takeback."
    ),
    OfferKind.PAUSE: N_("The offer of a pause still waits for your answer: accept pause, or decline pause."),
}
_LABELS = {
    "accept draw": N_("accept the draw"),
    "decline draw": N_("decline the draw"),
    "accept takeback": N_("let your opponent take the move back"),
    "decline takeback": N_("let the move stand"),
    "accept pause": N_("agree to the pause"),
    "decline pause": N_("decline the pause"),
}


def still_open(kind: OfferKind) -> str:
    """Say that an offer is still open."""
    return _(_STILL_OPEN[kind])


def label_of_answer(line: str) -> str:
    """Return the label of a numbered choice that answers an offer."""
    return _(_LABELS[line])


def number_of(sender: Sender) -> int | None:
    """Return the number of the question's subject, which an answer may repeat."""
    token = sender.token
    if token is not None and token.purpose in (Purpose.SEEK, Purpose.INVITE, Purpose.RENEW):
        return int(accounts.payload_of(token)["seek"])
    return sender.match.id if sender.match is not None else None


def asked_again(session: Session, sender: Sender, lines: Sequence[str], *, is_above: bool) -> TranscriptEntry:
    """Quote a reply that is no answer back to its writer, with the question."""
    sentences = [
        _("This isn't a clear answer, so nothing was done and nothing was passed on.")
        if is_above
        else _("Only words above our letter count as an answer, so nothing was done."),
        question(session, sender),
        how_to_answer(sender),
    ]
    return TranscriptEntry("", " ".join(filter(None, sentences)), block=doubts.quoted(lines))


def how_to_answer(sender: Sender) -> str:
    """Return the sentence that says how to answer the question."""
    assert sender.token is not None
    if sender.token.purpose in (Purpose.SEEK, Purpose.INVITE):
        return _("Please reply with a single word: accept, or decline.")
    return _("Please reply with a single word: yes, or no.")


def question(session: Session, sender: Sender) -> str:
    """Return the answered letter's question, in one sentence."""
    assert sender.token is not None
    return _QUESTIONS[sender.token.purpose](session, sender)


def _resign(session: Session, sender: Sender) -> str:
    assert sender.match is not None
    people = persons_of(session, players_of(session, sender.match.id))
    names = listing([one.handle for one in people if one.id != sender.person.id], _("and"))
    if not names:
        return _("Do you really give up game %(number)s?") % {"number": sender.match.id}
    return _("Do you really resign game %(number)s against %(opponent)s?") % {
        "number": sender.match.id,
        "opponent": names,
    }


def _challenge(session: Session, sender: Sender) -> str:
    seek = session.get_one(Seek, number_of(sender))
    who = session.get_one(Person, seek.person_id).handle
    return _("%(other)s challenges you to a game of %(game)s.") % {"other": who, "game": _(GAMES[seek.game].name)}


def _proposal(session: Session, sender: Sender) -> str:
    assert sender.token is not None
    proposal = proposals.open_proposal(session, sender.token.id, now=sender.now)
    if proposal is None:
        return ""
    lines = " · ".join(command.written for command in proposal.commands)
    return _("Do you want this done: {lines}?").format(lines=lines[:200])


def _renew(session: Session, sender: Sender) -> str:
    seek = session.get_one(Seek, number_of(sender))
    values = {"number": seek.id, "game": _(GAMES[seek.game].name)}
    return _("Your seek number %(number)s for a game of %(game)s has ended.") % values + " " + _("Open it again?")


def _forget(_session: Session, _sender: Sender) -> str:
    return _("Do you want everything about you erased?")


_QUESTIONS = {
    Purpose.RESIGN: _resign,
    Purpose.FORGET: _forget,
    Purpose.PROPOSAL: _proposal,
    Purpose.RENEW: _renew,
    Purpose.SEEK: _challenge,
    Purpose.INVITE: _challenge,
}
