"""Read-only commands, and commands about the sender's own account."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.accounts import accounts, delivery_checks, letter_stops
from correspondence.commands import answers, game_list, legal_answer, rules_answers
from correspondence.commands import help as help_pages
from correspondence.commands.handlers.context import Handlers, Sender
from correspondence.features.reviews import letters as review_letters
from correspondence.features.reviews import reviews
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.stops import NOTICES, StopTopic, stop_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.matches import MatchError
from engines import GAMES
from engines.wording import _


def _join(_session: Session, sender: Sender, _command: cmd.Join) -> TranscriptEntry:
    return TranscriptEntry("", _("You have already joined, as {handle}.").format(handle=sender.person.handle))


def help_answer(topic: str) -> TranscriptEntry:
    """Return the list of help topics, or the page of one. Raises UnknownTopic."""
    if not topic:
        return TranscriptEntry(
            "", _("You write to us in plain words, one command to a line:"), block=help_pages.overview()
        )
    title, page = help_pages.help_page(topic)
    return TranscriptEntry("", title[:1].upper() + title[1:], block=page)


def _rules(_session: Session, sender: Sender, command: cmd.Rules) -> TranscriptEntry:
    current = None if sender.match is None else GAMES.get(sender.match.game)
    return rules_answers.rules(command.key, command.part, sender.person.language, current=current)


def _stop(session: Session, sender: Sender, _command: cmd.Stop) -> TranscriptEntry:
    """Unsubscribe from notices and from the answered letter's kind; turn letters still go out."""
    letter_stops.stop_letters(session, sender.person, NOTICES)
    also = stop_of(kind_of(sender.replied)) if sender.replied is not None else None
    if also is None or also.name in (*NOTICES.switches, "turn_letters", "digest"):
        return stop_confirmation(NOTICES)
    letter_stops.stop_letters(session, sender.person, also)
    return stop_confirmation(NOTICES, also)


def stop_confirmation(*stops: StopTopic) -> TranscriptEntry:
    """Confirm what is stopped, and say how to subscribe again."""
    back = _("Your games go on. You can stop and restart each kind of letter on the page %%base%%/settings")
    effects = [_(sentence) for stop in stops for sentence in (stop.effect, stop.rest)]
    return TranscriptEntry("", " ".join([*effects, back]))


def _test(session: Session, sender: Sender, _command: cmd.TestLetter) -> None:
    delivery_checks.request_test_letter(session, sender.person, is_proven=sender.is_believed, now=sender.now)


def _sign_in(session: Session, sender: Sender, _command: cmd.SignIn) -> None:
    accounts.mail_link(session, sender.person, is_proven=sender.is_believed, now=sender.now)


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


def _review(session: Session, sender: Sender, command: cmd.Review) -> TranscriptEntry:
    match, _seat = answers.match_and_seat(session, sender.person, _match_of(sender, command.match))
    review = reviews.ask(session, sender.person, match.id, now=sender.now, by_letter=True)
    return review_letters.entry_of(match, review)


HANDLERS: Handlers = {
    cmd.InvalidCommand: _mistaken,
    cmd.Help: lambda s, w, c: help_answer(c.topic),
    cmd.Join: _join,
    cmd.TestLetter: _test,
    cmd.SignIn: _sign_in,
    cmd.Stop: _stop,
    cmd.Games: lambda s, w, c: game_list.games(s, w.person, now=w.now),
    cmd.Show: lambda s, w, c: answers.show(s, w.person, _match_of(w, c.match)),
    cmd.Legal: _legal,
    cmd.History: lambda s, w, c: answers.history(s, w.person, _match_of(w, c.match)),
    cmd.Record: lambda s, w, c: answers.record(s, w.person, _match_of(w, c.match), signer=w.signer, now=w.now),
    cmd.Review: _review,
    cmd.Rules: _rules,
    cmd.Letters: lambda s, w, c: answers.letters(s, w.person),
    cmd.ShowSettings: lambda s, w, c: answers.settings(w.person),
}
