"""Moves and plan lines: played or stored, with the accompanying words."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.handlers import conditional, doubts, intent
from correspondence.commands.handlers.context import MailOutcome, Sender, second_action
from correspondence.commands.handlers.named_games import running_games
from correspondence.models import By
from correspondence.models.loading import position_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import matches
from correspondence.play.conditional.branches import PartlyRefused
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.letter_context import entries_for_reader
from engines.base import AmbiguousMove, UnfinishedMove
from engines.refusal import Refusal
from engines.wording import _


def play(session: Session, sender: Sender, line: str, talk: str, plan: str, result: MailOutcome) -> bool:
    """Play a move with its remark and plan; return False if the mail has already acted."""
    if result.acted:
        result.entries.append(TranscriptEntry(line, second_action()))
        result.must_answer = True
        return False
    result.acted = True
    ply_before = sender.match.ply if sender.match else 0
    try:
        played = _make_move(session, sender, line, talk, plan)  # a refused move has changed nothing
    except Refusal as error:
        _refuse(sender, line, error, talk, plan, result)
        return True
    result.entries.append(TranscriptEntry(line, _("Played: {moves}").format(moves=_visible(sender, played))))
    result.outcome, result.played = "played", played
    if played.unplanned is not None:
        result.entries += _plan_refusal(played.unplanned)
        result.must_answer = True
    elif plan and sender.match is not None and sender.match.ply == ply_before + len(played.entries):
        result.entries.append(conditional.show(session, sender))
        result.must_answer = True  # else a conditional move's letter reports it
    return True


def _visible(sender: Sender, played: matches.Played) -> str:
    """Describe what was played and drawn, as the mover may see it."""
    assert sender.player is not None and sender.match is not None
    entries = entries_for_reader(played.steps, sender.match, sender.player.seat, position_of(sender.match))
    return ", ".join(entry.text for entry in entries)


def enter_plan(session: Session, sender: Sender, plan: str, result: MailOutcome) -> None:
    """Store plan lines that came without a move, and show the whole plan."""
    result.must_answer = True
    try:
        with session.begin_nested():
            result.entries += conditional.enter(session, sender, plan)
    except Refusal as error:
        result.entries += _plan_refusal(error)
        result.outcome = "refused"
        return
    result.outcome = "planned"


def not_passed_on(talk: str) -> TranscriptEntry:
    """Say that the words beside a refused move wait for the next attempt."""
    notice = _("The rest of what you wrote was not passed on; please write it again with the move.")
    return TranscriptEntry("", notice, block=doubts.quoted(talk.splitlines()))


def _make_move(session: Session, sender: Sender, line: str, talk: str, plan: str) -> matches.Played:
    stated, text = cmd.split_move_number(line)
    text = intent.completed_text(sender, intent.chosen_text(sender, text))
    if sender.player is None or sender.match is None:
        raise matches.MatchError(_("This looks like a move, but in which game? Please reply to that game's letter."))
    _check_number(session, sender, stated, text)
    return matches.make_move(
        session,
        sender.player,
        cmd.bare_move(text),
        now=sender.now,
        by=By.MAIL,
        comment=talk,
        ply=sender.ply,
        received_at=sender.received_at,
        plan=plan,
        is_meant=not doubts.has_hidden_information(sender),
    )


class WrongNumber(matches.MatchError):
    """Raised for a move written with a number other than the next move's."""

    suggestions: tuple[str, ...] = ()


def _check_number(session: Session, sender: Sender, stated: int | None, text: str) -> None:
    """Raise WrongNumber for any number but the next move's; it may name another game."""
    assert sender.match is not None
    if stated in (None, sender.match.ply + 1):
        return
    sentence = _("You wrote move {stated}, but the game is at move {next}.")
    error = WrongNumber(sentence.format(stated=stated, next=sender.match.ply + 1))
    if any(there.match is not None and there.match.id == stated for there in running_games(session, sender)):
        error.suggestions = (f"game {stated}: {text}",)
    raise error


def _refuse(sender: Sender, line: str, error: Refusal, talk: str, plan: str, result: MailOutcome) -> None:
    """Explain why a move was refused, and that the rest of the mail waits."""
    entry = intent.refusal_of(sender, line, error)
    if isinstance(error, matches.StaleMove) and entry.suggestions:
        entry = replace(entry, text=f"{entry.text} {_confirm_now()}")
    result.entries.append(entry)
    if plan:
        sentence = _("So your plan was not entered; please write it again with the move.")
        result.entries.append(TranscriptEntry("", sentence))
    if talk:
        result.entries.append(not_passed_on(talk))
    result.must_answer = result.show_board = True
    result.outcome = "asked" if isinstance(error, _IN_DIALOGUE) else "refused"


_IN_DIALOGUE = (AmbiguousMove, UnfinishedMove, matches.StaleMove)
"""Errors answered by a question or a notice; they do not count as refusals."""


def _confirm_now() -> str:
    return _("Your mail answered an older letter, so nothing was played. Is this your move for the board below?")


def _plan_refusal(error: Exception) -> list[TranscriptEntry]:
    nothing = "" if isinstance(error, PartlyRefused) else _("None of these lines was entered.")
    unread = error.unread if isinstance(error, PlanError) else ()
    return [TranscriptEntry("", " ".join(filter(None, [str(error), nothing]))), *conditional.given_back(unread)]
