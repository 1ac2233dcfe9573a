"""Commands that act on a game, or on the one game that one plays alone."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as words
from correspondence.accounts import accounts
from correspondence.commands.handlers.context import Handlers, Sender, at_table
from correspondence.community import erasure
from correspondence.matchmaking import challenges
from correspondence.models import Purpose
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import analysis, matches, puzzles
from engines.text import render as printed
from engines.wording import _


def _draw(session: Session, writer: Sender, _command: words.Draw) -> TranscriptEntry | None:
    if matches.offer_draw(session, at_table(writer), now=writer.now):
        return None
    return TranscriptEntry("", _("Your offer of a draw was passed on."))


def _resign(session: Session, writer: Sender, _command: words.Resign) -> None:
    matches.ask_to_resign(session, at_table(writer), now=writer.now)


def _yes(session: Session, writer: Sender, _command: words.Yes) -> TranscriptEntry | None:
    if writer.token is not None and writer.token.purpose == Purpose.FORGET:
        erasure.confirm(session, writer.token.id, now=writer.now)
        return None
    if writer.token is None or writer.token.purpose != Purpose.RESIGN:
        return TranscriptEntry("", _("Nothing waits for a yes here."))
    accounts.live_token(session, writer.token.id, Purpose.RESIGN, now=writer.now)
    matches.resign(session, at_table(writer), now=writer.now)
    writer.token.used_at = writer.now
    session.add(writer.token)
    return None


def _puzzle(session: Session, writer: Sender, command: words.Puzzle) -> TranscriptEntry | None:
    if command.daily:
        match = puzzles.start_daily(session, writer.person, key=writer.key, now=writer.now)
        return None if match.started_at == writer.now else TranscriptEntry("", _begun_before(match.id))
    options = dict(command.options)
    challenges.start_alone(session, writer.person, puzzles.KEY, options, now=writer.now, rng=writer.rng)
    return None


def _begun_before(number: int) -> str:
    return _("You have begun the deal of the day already: it is game {number}.").format(number=number)


def _hint(session: Session, writer: Sender, _command: words.Hint) -> TranscriptEntry:
    step = puzzles.next_step(session, at_table(writer), now=writer.now)
    return TranscriptEntry("", _("A step of a solution: {move}").format(move=step))


def _preview(session: Session, writer: Sender, command: words.Preview) -> TranscriptEntry:
    player = at_table(writer)
    tried, position = analysis.after_line(session, player, words.normalise(command.moves))
    board = printed(position.scene(player.seat), bottom=player.seat)
    return TranscriptEntry(
        "", _("The board after {moves}; nothing was played.").format(moves=" ".join(tried)), block=board
    )


HANDLERS: Handlers = {
    words.Draw: _draw,
    words.Resign: _resign,
    words.Yes: _yes,
    words.Puzzle: _puzzle,
    words.Hint: _hint,
    words.Preview: _preview,
}
