"""Checks the branches of a plan one by one: a wrong one is named and left out, the others are kept.

A comma goes on with the same branch, a semicolon or a new line begins another one at the current position. Who mixes
them up is told which of the two would fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from correspondence.play.conditional import plans, syntax
from correspondence.play.conditional.syntax import Line, PlanError
from engines.base import Position, Seat
from engines.wording import _


class PartlyRefused(PlanError):
    """Some branches were refused, and the others are kept; str() names the refused ones."""


def sorted_branches(position: Position[Any], seat: Seat, text: str) -> tuple[tuple[Line, ...], PlanError | None]:
    """Return the branches of a text that can be planned, in canonical notation, and what is wrong with the others.

    Raises PlanError where none can be planned.
    """
    lines: list[Line] = []
    wrong: list[str] = []
    before: Line = ()
    for part in syntax.split_branches(text):
        try:
            line = syntax.read_branch(part)
            lines += plans.checked_lines(position, seat, [line])
        except PlanError as error:
            wrong.append(" ".join(filter(None, (str(error), _hint(position, seat, before, part)))))
        else:
            before = line
    if not lines:
        raise PlanError("\n".join(wrong))
    return tuple(lines), _refusal(wrong)


def _refusal(wrong: Sequence[str]) -> PlanError | None:
    if not wrong:
        return None
    return PartlyRefused("\n".join([*wrong, _("The other lines are entered.")]))


def _hint(position: Position[Any], seat: Seat, before: Line, part: str) -> str:
    """Say that a comma was meant for a semicolon, or the other way round; empty if neither would help."""
    try:
        line = syntax.read_branch(part)
    except PlanError:
        return ""
    if before and _can_be_planned(position, seat, (*before, *line)):
        return _(
            "A semicolon or a new line begins again at the current position. To go on after {reply}, use a comma: "
            "{line}"
        ).format(reply=before[-1][1], line=syntax.line_text((*before, *line)))
    for count in range(1, len(line)):
        if all(_can_be_planned(position, seat, branch) for branch in (line[:count], line[count:])):
            return _(
                "A comma goes on after {reply}. For another answer to the current position, use a semicolon: {lines}"
            ).format(reply=line[count - 1][1], lines="; ".join(map(syntax.line_text, (line[:count], line[count:]))))
    return ""


def _can_be_planned(position: Position[Any], seat: Seat, line: Line) -> bool:
    try:
        plans.checked_lines(position, seat, [line])
    except PlanError:
        return False
    return True
