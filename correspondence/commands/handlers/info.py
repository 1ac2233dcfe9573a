"""Read-only commands, and commands about the sender's own account."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.accounts import accounts
from correspondence.commands import answers, game_list, legal_answer
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.commands.help import help_text
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.matches import MatchError
from engines.wording import _


def _join(_session: Session, sender: Sender, _command: cmd.Join) -> TranscriptEntry:
    return TranscriptEntry("", _("You have joined already, as {handle}.").format(handle=sender.person.handle))


def _help(_session: Session, _sender: Sender, _command: cmd.Help) -> TranscriptEntry:
    return TranscriptEntry("", _("This is what you can write, one command to a line:"), block=help_text())


def _stop(session: Session, sender: Sender, _command: cmd.Stop) -> TranscriptEntry:
    accounts.stop_notices(session, sender.person)
    return stop_confirmation()


def stop_confirmation() -> TranscriptEntry:
    """Confirm that notices are stopped."""
    return TranscriptEntry(
        "",
        _(
            "You get no more letters about talk, no reminders and no receipts. Letters that it is your turn still "
            "come. The page %%base%%/settings stops those too, and brings back the others."
        ),
    )


def _test(session: Session, sender: Sender, _command: cmd.TestLetter) -> None:
    accounts.request_test_letter(session, sender.person, now=sender.now)


def _mistaken(_session: Session, _sender: Sender, command: cmd.InvalidCommand) -> TranscriptEntry:
    raise cmd.CommandError(command.sentence)


def _match_of(sender: Sender, number: int | None) -> int | None:
    return number or (sender.match.id if sender.match else None)


def _legal(session: Session, sender: Sender, command: cmd.Legal) -> TranscriptEntry:
    match, seat = answers.match_and_seat(session, sender.person, _match_of(sender, command.match))
    if seat is None:
        raise MatchError(_("You do not play in game {number}.").format(number=match.id))
    is_own_thread = sender.match is not None and sender.match.id == match.id
    return legal_answer.legal(match, seat, command.begins, is_numbered=is_own_thread)


HANDLERS: Handlers = {
    cmd.InvalidCommand: _mistaken,
    cmd.Help: _help,
    cmd.Join: _join,
    cmd.TestLetter: _test,
    cmd.Stop: _stop,
    cmd.Games: lambda s, w, c: game_list.games(s, w.person, now=w.now),
    cmd.Show: lambda s, w, c: answers.show(s, w.person, _match_of(w, c.match)),
    cmd.Legal: _legal,
    cmd.History: lambda s, w, c: answers.history(s, w.person, _match_of(w, c.match)),
    cmd.Record: lambda s, w, c: answers.record(s, w.person, _match_of(w, c.match), signer=w.signer, now=w.now),
    cmd.Rules: lambda s, w, c: answers.rules(c.key),
    cmd.Letters: lambda s, w, c: answers.letters(s, w.person),
    cmd.Settings: lambda s, w, c: answers.settings(w.person),
}
