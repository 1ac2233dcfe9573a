"""Commands that ask, and those about the writer himself."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as words
from correspondence.accounts import accounts
from correspondence.commands import answers
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import _


def _join(_session: Session, writer: Sender, _command: words.Join) -> TranscriptEntry:
    return TranscriptEntry("", _("You have joined already, as {handle}.").format(handle=writer.person.handle))


def _help(_session: Session, _writer: Sender, _command: words.Help) -> TranscriptEntry:
    return TranscriptEntry("", _("This is what you can write, one command to a line:"), block=answers.help_text())


def _stop(session: Session, writer: Sender, _command: words.Stop) -> TranscriptEntry:
    accounts.stop_notices(session, writer.person)
    return stopped()


def stopped() -> TranscriptEntry:
    """What somebody is told who wants no more letters."""
    return TranscriptEntry(
        "",
        _(
            "You get no more letters about talk, no reminders and no receipts. Letters that it is your turn still "
            "come. The page %%base%%/settings stops those too, and brings back the others."
        ),
    )


def _test(session: Session, writer: Sender, _command: words.TestLetter) -> None:
    accounts.request_test_letter(session, writer.person, now=writer.now)


def _mistaken(_session: Session, _writer: Sender, command: words.Mistaken) -> TranscriptEntry:
    raise words.CommandError(command.sentence)


def _match_of(writer: Sender, number: int | None) -> int | None:
    return number or (writer.match.id if writer.match else None)


HANDLERS: Handlers = {
    words.Mistaken: _mistaken,
    words.Help: _help,
    words.Join: _join,
    words.TestLetter: _test,
    words.Stop: _stop,
    words.Games: lambda s, w, c: answers.games(s, w.person, now=w.now),
    words.Show: lambda s, w, c: answers.show(s, w.person, _match_of(w, c.match)),
    words.History: lambda s, w, c: answers.history(s, w.person, _match_of(w, c.match)),
    words.Record: lambda s, w, c: answers.record(s, w.person, _match_of(w, c.match)),
    words.Rules: lambda s, w, c: answers.rules(c.key),
    words.Letters: lambda s, w, c: answers.letters(s, w.person),
    words.Settings: lambda s, w, c: answers.settings(w.person),
}
