"""Words in a mail that may be meant for nobody else: what is asked about them, and what the answer passes on."""

from __future__ import annotations

from collections.abc import Sequence

from correspondence import commands as words
from correspondence.commands.handlers.context import Outcome, Sender
from correspondence.commands.handlers.intent import MOST_OFFERED, chosen, is_to_act, spelled
from correspondence.models.loading import position_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import talk_guard
from engines.base import MoveError
from engines.wording import _

_SAY, _BREAK = "say:", "\x1f"
"""How a choice begins that stands for words, and what parts their lines in it: a choice is one line."""


def is_secretive(writer: Sender) -> bool:
    """Whether the mail belongs to a game in which something is hidden."""
    return writer.match is not None and talk_guard.keeps_secrets(writer.match)


def doubtful(writer: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of talk that are asked about first; where nothing is hidden, none that begins with “say:”."""
    if writer.player is None or writer.match is None:
        return ()
    open_lines = [line for line in lines if is_secretive(writer) or not words.is_said(line)]
    text = "\n".join(map(words.said_in, open_lines))
    found = talk_guard.doubtful_lines(writer.match, writer.player.seat, text)
    doubted = tuple(line for line in open_lines if words.said_in(line) in found)
    rest = "\n".join(words.said_in(line) for line in open_lines if line not in doubted)
    if doubted and talk_guard.doubtful_lines(writer.match, writer.player.seat, rest):  # what was apart stands together
        return tuple(line for line in lines if line.strip())
    return doubted


def playable(writer: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """The legal moves that these lines can be meant as: those that they spell, else those that are most like them."""
    return (spelled(writer, lines) or _suggested(writer, words.said_in(lines[0]))) if is_to_act(writer) else ()


def _suggested(writer: Sender, line: str) -> tuple[str, ...]:
    assert writer.player is not None and writer.match is not None
    try:
        position = position_of(writer.match)
        return (position.write(writer.player.seat, position.read(writer.player.seat, words.bare_move(line))),)
    except MoveError as error:
        return error.suggestions[:MOST_OFFERED]


def ask(writer: Sender, lines: Sequence[str], moves: Sequence[str], done: Outcome) -> None:
    """Ask whether words are a move, or are to be passed on: all of them are quoted, and a number answers."""
    assert writer.player is not None and writer.match is not None
    talk = "\n".join(map(words.said_in, lines)).strip()
    told = [
        _("These words name pieces, or read like a move or a plan. They were not passed on, and nothing was played.")
        if not done.acted
        else _("These words name pieces, or read like a move or a plan, so they were not passed on.")
    ]
    labels, choices = list(moves), list(moves)
    if talk_guard.names_hidden(writer.match, writer.player.seat, talk):
        told.append(
            _("They name something that your opponent cannot know, so they are not passed on while it is hidden.")
        )
    elif any(section.suggestions for section in done.sections):  # numbers that stand for something else
        told.append(_("To pass them on, please send them by themselves."))
        labels, choices = [], []
    else:
        labels.append(_("pass these words on to your opponent"))
        choices.append(_SAY + _BREAK.join(talk.splitlines()))
    done.sections.append(TranscriptEntry("", " ".join(told), tuple(labels), quoted(lines), tuple(choices)))
    done.must_answer, done.outcome = True, done.outcome if done.acted else "asked"


def words_chosen(writer: Sender, line: str) -> str:
    """The words that a line passes on by the number of such a choice; empty where it is none."""
    text = chosen(writer, words.stated_number(line)[1])
    return text.removeprefix(_SAY).replace(_BREAK, "\n") if text != line and text.startswith(_SAY) else ""


def quoted(lines: Sequence[str]) -> str:
    """What somebody wrote, quoted back to him."""
    return "\n".join([_("You wrote:"), *(f"> {line}" for line in lines)]) if lines else ""
