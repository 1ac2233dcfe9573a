"""Decides whether a line is meant as a move, even if oddly written, or only mentions one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, takewhile

from correspondence import commands as cmd
from correspondence.commands.handlers.context import Sender, refusal
from correspondence.commands.typos import is_one_slip
from correspondence.models import Purpose
from correspondence.models.loading import game_of, position_of
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import BEGUN, TranscriptEntry
from correspondence.play.lexicon import plain
from correspondence.play.move_reading import Reading, TriedText, legal_texts, may_be_move
from engines import nearness
from engines.base import AmbiguousMove, IllegalMove, NotationError, UnfinishedMove
from engines.wording import _

MOST_OFFERED = 5
"""Maximum number of moves that a question offers."""

MOST_NUMBERED = 3
"""Maximum number of completions that are numbered; if there are more, the writer types one."""

ENDS_WIDTH = 60
"""Width of the lines that list completions, in characters."""

_WORDS_OF_A_MOVE = 6
_WORDS_OF_A_PART = 4
_WORDS_OF_A_HALF = 2
_DROPPED = re.compile(r"[^\W_]{1,2}@[^\W_]{1,2}")
"""Drop notation with any square names, such as “3@1”; too short for a mail address."""
_SIGN = re.compile(r"[0-9@=/+]")
"""A character that every move contains, and few words do."""


def is_move(sender: Sender, line: str) -> bool:
    """Whether a line is meant as a move: it parses in this position, or looks like one anywhere."""
    _number, text = cmd.split_move_number(line)
    if sender.choices and _choice_number(text):
        return True
    if _whole_of(sender, text):
        return True
    if sender.token is not None and sender.token.purpose == Purpose.CONTACT:
        return False
    if cmd.looks_like_move(line):
        return True
    if not is_to_act(sender):
        return sender.player is not None and _DROPPED.fullmatch(cmd.bare_move(text)) is not None
    if cmd.resembles_move(line) or moves_one_slip_away(sender, text):
        return True
    found = tried_text(sender, cmd.bare_move(text)) if may_be_read(sender, text) else None
    if found is None or found.reading is Reading.TALK:
        return False
    return found.reading is Reading.MOVE or len(line.split()) <= _WORDS_OF_A_PART


def is_to_act(sender: Sender) -> bool:
    """Whether the mail belongs to a game in which it is the sender's turn."""
    if sender.player is None or sender.match is None or sender.match.ended_at is not None:
        return False
    return sender.player.seat in position_of(sender.match).to_act


def chosen_text(sender: Sender, text: str) -> str:
    """Return the choice that `text` numbers in the answered letter; `text` if there is none."""
    number, choices = _choice_number(text), [one for one in sender.choices if not one.startswith(BEGUN)]
    return choices[number - 1] if 1 <= number <= len(choices) else text


def completed_text(sender: Sender, text: str) -> str:
    """Complete the half of a move that the answered letter asked about with `text`.

    Returns `text` itself if it is already a move or completes nothing. A number with no meaning returns the half, so
    that the question is repeated. Raises AmbiguousMove if `text` is both a move and a completion.
    """
    whole = _whole_of(sender, text)
    alone = _reading(sender, cmd.bare_move(text)) if whole else None
    if not whole or (alone in _BEGUN_OR_WHOLE and _reading(sender, whole) is not Reading.MOVE):
        return _begun(sender) if _begun(sender) and _choice_number(text) else text
    if alone is Reading.MOVE:
        sentence = _("This is a complete move, but also the beginning of {begun}. Which do you mean?")
        raise AmbiguousMove(sentence.format(begun=_begun(sender)), (whole, cmd.bare_move(text)))
    return whole


def _begun(sender: Sender) -> str:
    """Return the half of a move that the answered letter asked to complete; else empty."""
    return next((one.removeprefix(BEGUN) for one in sender.choices if one.startswith(BEGUN)), "")


def _whole_of(sender: Sender, text: str) -> str:
    """Return the asked half with `text` appended, if that is a move or its beginning; else ""."""
    half = cmd.bare_move(text).lstrip("/ ")
    if not _begun(sender) or not half or len(half.split()) > _WORDS_OF_A_HALF or not is_to_act(sender):
        return ""
    whole = f"{_begun(sender)}{half}"
    return whole if _reading(sender, whole) in _BEGUN_OR_WHOLE else ""


_BEGUN_OR_WHOLE = (Reading.MOVE, Reading.PART)


def tried_text(sender: Sender, text: str) -> TriedText | None:
    """Try to read a text as the sender's move; None if it is not their turn or over the limit."""
    if not is_to_act(sender):
        return None
    assert sender.player is not None and sender.match is not None
    return sender.reader.read(position_of(sender.match), sender.player.seat, text)


def may_be_read(sender: Sender, text: str) -> bool:
    """Whether a text is worth parsing as a move of the sender, whose turn it is."""
    assert sender.player is not None and sender.match is not None
    words = game_of(sender.match).vocabulary
    return may_be_move(position_of(sender.match), sender.player.seat, cmd.bare_move(text), words)


def _reading(sender: Sender, text: str) -> Reading | None:
    found = tried_text(sender, text)
    return None if found is None else found.reading


def _choice_number(text: str) -> int:
    """Return the number that a line consists of, such as “2”, “(2)” or “#2.”; else 0."""
    bare = cmd.bare_move(text).strip("()# ")
    return int(bare) if bare.isdecimal() and len(bare) < 5 else 0


def moves_named(sender: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the legal moves that sentences name, in canonical notation, by order of mention."""
    if not is_to_act(sender):
        return ()
    assert sender.player is not None and sender.match is not None
    seat, position = sender.player.seat, position_of(sender.match)
    found = [tried_text(sender, run) for line in lines for run in cmd.move_like_runs(line)]
    moves = [one.move for one in found if one is not None and one.reading is Reading.MOVE]
    return tuple(dict.fromkeys(position.view(seat).write(seat, move) for move in moves))


def spelled_moves(sender: Sender, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the legal moves whose characters appear in these lines in order, longest first."""
    if not is_to_act(sender):
        return ()
    compact = _compact("\n".join(lines))
    found = (text for text in _legal_texts(sender) if _compact(text) in compact)
    return tuple(sorted(found, key=len, reverse=True)[:MOST_OFFERED])


def moves_one_slip_away(sender: Sender, text: str) -> tuple[str, ...]:
    """Return the legal moves that differ from a line by one typo."""
    typed = _without_blanks(text)
    if not is_to_act(sender) or len(text.split()) > _WORDS_OF_A_MOVE or not _SIGN.search(typed):
        return ()
    near = (move for move in _legal_texts(sender) if is_one_slip(typed, _without_blanks(move)))
    return tuple(islice(near, MOST_OFFERED))


def _legal_texts(sender: Sender) -> tuple[str, ...]:
    assert sender.player is not None and sender.match is not None
    return legal_texts(position_of(sender.match), sender.player.seat)


def _without_blanks(text: str) -> str:
    return "".join(cmd.bare_move(text).casefold().split())


def _compact(text: str) -> str:
    """Keep only the letters and digits of a text."""
    return "".join(char for char in plain(text) if char.isalnum())


def refusal_of(sender: Sender, line: str, error: Exception) -> TranscriptEntry:
    """Return the refusal of an invalid move; a legal move within the line is suggested."""
    if isinstance(error, UnfinishedMove) and len(error.suggestions) > MOST_NUMBERED:
        return _ways_to_go_on(line, error)
    entry = refusal(line, error)
    if isinstance(error, IllegalMove) and is_to_act(sender):
        return replace(
            entry, suggestions=by_nearness(line, _with_nearer(line, entry.suggestions, _legal_texts(sender)))
        )
    if not isinstance(error, NotationError):
        return replace(entry, suggestions=by_nearness(line, entry.suggestions))
    near = (moves_named(sender, [line]), spelled_moves(sender, [line]), moves_one_slip_away(sender, line))
    moves = next(filter(None, near), ())
    return replace(entry, suggestions=moves or by_nearness(line, entry.suggestions))


def _with_nearer(line: str, moves: tuple[str, ...], legal: Sequence[str]) -> tuple[str, ...]:
    """Return the suggested moves, or the nearest legal ones if those name more of its squares."""
    near = nearness.nearest(line, legal)
    return near if nearness.shared_squares(line, near) > nearness.shared_squares(line, moves) else moves


def by_nearness(line: str, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Sort suggested moves, most similar to the line first."""
    near = nearness.nearest(line, moves) if nearness.names_square(line) else ()
    return tuple(dict.fromkeys((*near, *moves)))


def _ways_to_go_on(line: str, error: UnfinishedMove) -> TranscriptEntry:
    """List the completions of a move's valid beginning, without numbers."""
    begun = common_beginning(error.suggestions)
    if not begun.strip():
        return TranscriptEntry(line, str(error))
    ends = [text.removeprefix(begun) for text in error.suggestions]
    sentence = _("Write {begun}, followed without a space by one of these, or that alone:").format(begun=begun)
    block = wrapped_behind(", ".join(ends), "· ", "| ", ENDS_WIDTH)
    return TranscriptEntry(line, f"{error} {sentence}", block=block, begun=begun)


def common_beginning(texts: Sequence[str]) -> str:
    """Return the common prefix up to a punctuation sign: “e5/” for “e5/a1=Y” and “e5/c1=B”."""
    same = takewhile(lambda signs: len(set(signs)) == 1, zip(*texts, strict=False))
    begun = "".join(signs[0] for signs in same)
    return begun[: max((at + 1 for at, sign in enumerate(begun) if not sign.isalnum()), default=0)]


def names_square(sender: Sender, lines: Sequence[str]) -> bool:
    """Whether it is the sender's turn and the sentences name a square or resemble a move."""
    return is_to_act(sender) and any(cmd.move_like_runs(line) for line in lines)
