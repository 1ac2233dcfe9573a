"""Lines that may not be meant for the opponent: ask the sender, pass them on after a yes."""

from __future__ import annotations

from collections.abc import Sequence

from correspondence import commands as cmd
from correspondence.commands.handlers.context import MailOutcome, Sender
from correspondence.commands.handlers.intent import (
    MOST_NUMBERED,
    MOST_OFFERED,
    chosen_text,
    common_beginning,
    is_to_act,
    spelled_moves,
)
from correspondence.models.loading import position_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import talk_guard
from engines.base import MoveError, UnfinishedMove
from engines.wording import _

_SAY, _BREAK = "say:", "\x1f"
"""Prefix of a choice that is a remark, and separator of its lines; a choice is one line."""


def has_hidden_information(sender: Sender) -> bool:
    """Whether the mail belongs to a game with hidden information."""
    return sender.match is not None and talk_guard.has_hidden_information(sender.match)


def doubtful_lines(sender: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the talk lines to confirm before passing them on.

    Without hidden information, lines that begin with “say:” are never asked about.
    """
    if sender.player is None or sender.match is None:
        return ()
    open_lines = [line for line in lines if has_hidden_information(sender) or not cmd.is_marked_talk(line)]
    text = "\n".join(map(cmd.talk_text, open_lines))
    flagged = frozenset(talk_guard.doubtful_lines(sender.match, sender.player.seat, text))
    flagged_lines = tuple(line for line in open_lines if cmd.talk_text(line) in flagged)
    other_text = "\n".join(cmd.talk_text(line) for line in open_lines if cmd.talk_text(line) not in flagged)
    # other lines may become doubtful once those between them are gone
    if flagged_lines and talk_guard.doubtful_lines(sender.match, sender.player.seat, other_text):
        return tuple(line for line in lines if line.strip())
    return flagged_lines


def possible_moves(sender: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the legal moves that lines spell, or else those most similar to the first line."""
    return (spelled_moves(sender, lines) or _suggested(sender, cmd.talk_text(lines[0]))) if is_to_act(sender) else ()


def _suggested(sender: Sender, line: str) -> tuple[str, ...]:
    assert sender.player is not None and sender.match is not None
    try:
        position = position_of(sender.match)
        return (position.write(sender.player.seat, position.read(sender.player.seat, cmd.bare_move(line))),)
    except MoveError as error:
        if isinstance(error, UnfinishedMove) and len(error.suggestions) > MOST_NUMBERED:
            half = common_beginning(error.suggestions).rstrip("/-@, ")
            return (half,) if half else ()
        return error.suggestions[:MOST_OFFERED]


def ask(sender: Sender, lines: Sequence[str], moves: Sequence[str], result: MailOutcome) -> None:
    """Ask whether lines are a move or a remark, quoting them; a number answers."""
    assert sender.player is not None and sender.match is not None
    talk = "\n".join(map(cmd.talk_text, lines)).strip()
    sentences = [
        _("These words name pieces, or read like a move or a plan. They were not passed on, and nothing was played.")
        if not result.acted
        else _("These words name pieces, or read like a move or a plan, so they were not passed on.")
    ]
    labels, choices = list(moves), list(moves)
    if talk_guard.names_hidden(sender.match, sender.player.seat, talk):
        sentences.append(
            _("They mention something that your opponent cannot know, so they are not passed on while it is hidden.")
        )
    elif any(entry.suggestions for entry in result.entries):  # numbers are taken by these suggestions
        sentences.append(_("To pass them on, please send them by themselves."))
        labels, choices = [], []
    else:
        labels.append(_("pass these words on to your opponent"))
        choices.append(_SAY + _BREAK.join(talk.splitlines()))
    result.entries.append(TranscriptEntry("", " ".join(sentences), tuple(labels), quoted(lines), tuple(choices)))
    result.must_answer, result.outcome = True, result.outcome if result.acted else "asked"


def choices_to_say(sender: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the choice that passes these lines on; none if they reveal hidden information."""
    assert sender.player is not None and sender.match is not None
    talk = "\n".join(map(cmd.talk_text, lines)).strip()
    is_hidden = talk_guard.names_hidden(sender.match, sender.player.seat, talk)
    return () if is_hidden else (_SAY + _BREAK.join(talk.splitlines()),)


def label_of(choice: str) -> str:
    """Return the label of a choice in a letter."""
    return _("pass these words on to your opponent") if choice.startswith(_SAY) else choice


def confirmed_remark(sender: Sender, line: str) -> str:
    """Return the remark that a line confirms by its number; empty if there is none."""
    text = chosen_text(sender, cmd.split_move_number(line)[1])
    return text.removeprefix(_SAY).replace(_BREAK, "\n") if text != line and text.startswith(_SAY) else ""


def quoted(lines: Sequence[str]) -> str:
    """Quote lines back to their writer."""
    return "\n".join([_("You wrote:"), *(f"> {line}" for line in lines)]) if lines else ""
