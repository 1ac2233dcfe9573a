"""Check the branches of a plan one by one: wrong ones are refused, the others are kept.

A comma continues a branch; a semicolon or a new line starts another one at the current position. A writer who confuses
them gets a hint with the one that fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from correspondence.play.conditional import syntax
from correspondence.play.conditional.line_reading import LineReader, TooManyMoves
from correspondence.play.conditional.syntax import Line, PlanError
from engines.base import Position, Seat
from engines.wording import _


class PartlyRefused(PlanError):
    """The refusal of some branches while others are kept; str() names the refused ones."""


def sorted_branches(
    position: Position[Any], seat: Seat, text: str, *, most_read: int = syntax.MOST_MOVES
) -> tuple[tuple[Line, ...], PlanError | None]:
    """Split a text into branches that can be planned and the refusal of the others.

    Branches are in canonical notation. The game parses at most `most_read` texts; further branches are `unread`. Raises
    PlanError if no branch can be planned.
    """
    reader = LineReader(position, seat, most_read)
    lines: list[Line] = []
    wrong: list[str] = []
    before: Line = ()
    parts = syntax.split_branches(text)
    unread: tuple[str, ...] = ()
    for place, part in enumerate(parts):
        try:
            line = syntax.read_branch(part)
            lines.append(reader.checked(line))
        except TooManyMoves as error:
            wrong.append(str(error))
            unread = tuple(one.strip() for one in parts[place:])
            break
        except PlanError as error:
            wrong.append(" ".join(filter(None, (str(error), _hint(reader, before, part)))))
        else:
            before = line
    if wrong:
        return _refused(lines, wrong, unread)
    return tuple(lines), None


def _refused(
    lines: Sequence[Line], wrong: Sequence[str], unread: tuple[str, ...]
) -> tuple[tuple[Line, ...], PlanError]:
    """Return the branches to keep and the refusal of the others; raise it if none is kept."""
    if not lines:
        raise PlanError("\n".join(wrong), unread)
    return tuple(lines), PartlyRefused("\n".join([*wrong, _("The other lines have been entered.")]), unread)


def _hint(reader: LineReader, before: Line, part: str) -> str:
    """Suggest a semicolon instead of a comma or the reverse; empty if neither helps."""
    try:
        line = syntax.read_branch(part)
    except PlanError:
        return ""
    if before and _can_be_planned(reader, (*before, *line)):
        return _(
            "A semicolon or a new line begins again at the current position. To go on after {reply}, use a comma: "
            "{line}"
        ).format(reply=before[-1][1], line=syntax.line_text((*before, *line)))
    for count in range(1, len(line)):
        if all(_can_be_planned(reader, branch) for branch in (line[:count], line[count:])):
            return _(
                "A comma goes on after {reply}. For another answer to the current position, use a semicolon: {lines}"
            ).format(reply=line[count - 1][1], lines="; ".join(map(syntax.line_text, (line[:count], line[count:]))))
    return ""


def _can_be_planned(reader: LineReader, line: Line) -> bool:
    try:
        reader.checked(line)
    except PlanError:
        return False
    return True
