"""What a line is meant as: a move, though oddly written, or a sentence that only names one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from correspondence import commands as words
from correspondence.commands.handlers.context import Sender, refusal
from correspondence.models import Purpose
from correspondence.models.loading import position_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.lexicon import plain
from engines.base import MoveError, NotationError

MOST_TRIED = 24
"""How many runs of words of a mail are tried as moves."""


MOST_OFFERED = 5
"""How many moves a question offers to play."""

MOST_LISTED = 2_000
"""Among how many legal moves those are looked for that somebody may have meant."""


def is_move(writer: Sender, line: str) -> bool:
    """Whether a line is meant as a move: it reads as one here, or looks like one anywhere."""
    _number, text = words.stated_number(line)
    if writer.choices and _choice(text):
        return True
    if writer.token is not None and writer.token.purpose == Purpose.CONTACT:
        return False
    if words.looks_like_move(line):
        return True
    if not is_to_act(writer):
        return False
    if words.resembles_move(line):
        return True
    assert writer.player is not None and writer.match is not None
    try:
        position_of(writer.match).read(writer.player.seat, words.bare_move(text))
    except NotationError:
        return False
    except MoveError:
        return len(line.split()) <= 4
    return True


def is_to_act(writer: Sender) -> bool:
    """Whether the mail belongs to a game in which it is the writer's turn."""
    if writer.player is None or writer.match is None or writer.match.ended_at is not None:
        return False
    return writer.player.seat in position_of(writer.match).to_act


def chosen(writer: Sender, text: str) -> str:
    """The choice of which `text` is the number, where the answered letter numbered some; else `text`."""
    number = _choice(text) if writer.choices else 0
    return writer.choices[number - 1] if 1 <= number <= len(writer.choices) else text


def _choice(text: str) -> int:
    """The number that a line consists of, as “2”, “(2)” or “#2.”; 0 where it is none."""
    bare = words.bare_move(text).strip("()# ")
    return int(bare) if bare.isdecimal() and len(bare) < 5 else 0


def moves_named(writer: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """The moves that sentences name and that could be played now, in canonical notation, in order."""
    if not is_to_act(writer):
        return ()
    assert writer.player is not None and writer.match is not None
    seat = writer.player.seat
    seen = position_of(writer.match).view(seat)
    found: dict[str, None] = {}
    runs = [run for line in lines for run in words.runs_like_moves(line)]
    for run in runs[:MOST_TRIED]:
        try:
            found[seen.write(seat, seen.read(seat, run))] = None
        except MoveError:
            continue
    return tuple(found)


def spelled(writer: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """The legal moves whose letters and figures stand in these lines in order, the longest first."""
    if not is_to_act(writer):
        return ()
    assert writer.player is not None and writer.match is not None
    seat = writer.player.seat
    view, tight = position_of(writer.match).view(seat), _tight("\n".join(lines))
    texts = (view.write(seat, move) for move in islice(view.legal_moves(seat), MOST_LISTED))
    return tuple(sorted((text for text in texts if _tight(text) in tight), key=len, reverse=True)[:MOST_OFFERED])


def _tight(text: str) -> str:
    """A text without anything but letters and figures."""
    return "".join(char for char in plain(text) if char.isalnum())


def refusal_of(writer: Sender, line: str, error: Exception) -> TranscriptEntry:
    """The refusal of a line that does not read as a move; where there is one in it, that is offered first."""
    told = refusal(line, error)
    named = (moves_named(writer, [line]) or spelled(writer, [line])) if isinstance(error, NotationError) else ()
    return replace(told, suggestions=named) if named else told


def names_square(writer: Sender, lines: Sequence[str]) -> bool:
    """Whether sentences of somebody who is to move name a square, or what looks like a move."""
    return is_to_act(writer) and any(words.runs_like_moves(line) for line in lines)
