"""Commands that act on a game, including single-player puzzles."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.handlers.context import Handlers, Sender, player_of, seen_by
from correspondence.community import erasure
from correspondence.matchmaking import challenges
from correspondence.models import Purpose
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import analysis, hints, matches, puzzles
from correspondence.play.letter_context import board_for
from engines.wording import N_, _


def _draw(session: Session, sender: Sender, _command: cmd.Draw) -> TranscriptEntry | None:
    if matches.offer_draw(session, player_of(sender), seen=seen_by(sender), now=sender.now):
        return None
    return TranscriptEntry("", _("Your offer of a draw has been passed on."))


def _yes(session: Session, sender: Sender, _command: cmd.Yes) -> TranscriptEntry | None:
    if sender.token is not None and sender.token.purpose == Purpose.FORGET:
        erasure.confirm(session, sender.token.id, now=sender.now)
        return None
    if sender.token is None or sender.token.purpose != Purpose.RESIGN:
        return TranscriptEntry("", _("There is nothing here to confirm."))
    matches.confirm_resignation(session, sender.token.id, now=sender.now)
    return None


QUESTIONS = {
    Purpose.RESIGN: N_("You have not resigned. The question is closed."),
    Purpose.FORGET: N_("Your account has not been erased. The question is closed."),
    Purpose.RENEW: N_("Your seek stays closed. The question is closed too."),
    Purpose.PROPOSAL: N_("None of it was done. The question is closed."),
}
"""Sentences for a no to each question."""


def _no(session: Session, sender: Sender, _command: cmd.Command) -> TranscriptEntry:
    """Close the question that was answered; if there is none, say so."""
    token = sender.token
    if token is None or token.purpose not in QUESTIONS or token.used_at is not None:
        return TranscriptEntry(
            "", _("Nothing was changed. A move that was played stands; to ask for it back, write “takeback”.")
        )
    token.used_at = sender.now
    session.add(token)
    return TranscriptEntry("", _(QUESTIONS[token.purpose]))


def _puzzle(session: Session, sender: Sender, command: cmd.Puzzle) -> TranscriptEntry | None:
    if command.daily:
        match = puzzles.start_daily(session, sender.person, now=sender.now, rng=sender.rng)
        return None if match.started_at == sender.now else TranscriptEntry("", _already_begun(match.id))
    options = dict(command.options)
    challenges.start_alone(session, sender.person, puzzles.KEY, options, now=sender.now, rng=sender.rng)
    return None


def _already_begun(match_id: int) -> str:
    return _("You have already started the deal of the day: it is game {number}.").format(number=match_id)


def _hint(session: Session, sender: Sender, _command: cmd.Hint) -> TranscriptEntry:
    return TranscriptEntry("", hints.hint(session, player_of(sender), now=sender.now))


def _preview(session: Session, sender: Sender, command: cmd.Preview) -> TranscriptEntry:
    player = player_of(sender)
    moves, position = analysis.after_line(session, player, cmd.normalise(command.moves))
    board = board_for(sender.person, position.scene(player.seat), player.seat)
    return TranscriptEntry(
        "", _("The board after {moves}; nothing was played.").format(moves=" ".join(moves)), block=board
    )


HANDLERS: Handlers = {
    cmd.Draw: _draw,
    cmd.Yes: _yes,
    cmd.No: _no,
    cmd.Wait: _no,
    cmd.Puzzle: _puzzle,
    cmd.Hint: _hint,
    cmd.Preview: _preview,
}
