"""Lines of a plan: `if MOVE then MOVE; …`, also where a mail program has broken them in two."""

from __future__ import annotations

import re
from collections.abc import Sequence

from correspondence.commands.command_types import Command, PlanLine
from correspondence.commands.pace import CommandError
from correspondence.core.move_text import looks_like_move, normalise
from engines.wording import _

_THEN = re.compile(r",? then(?: |$)", re.IGNORECASE)
_BROKEN_OFF = re.compile(r"(?:\b(?:then|if)|,)$", re.IGNORECASE)
_REST = re.compile(r"then (?!if )", re.IGNORECASE)
_BEGINS = re.compile(r"(?:then )?if ", re.IGNORECASE)
_LISTED = re.compile(r"(?:[0-9]{1,3}[.)]|[-*•]) ?(?=(?:then )?if )", re.IGNORECASE)


def read_if(rest: str, sure: bool) -> Command | None:
    """Reads what follows `if`; raises CommandError where a move follows and no reply, so that nothing is passed on."""
    condition, *reply = _THEN.split(rest, maxsplit=1)
    is_move = looks_like_move(condition.strip("(, "))
    if not is_move and not _names_move(condition):
        return None
    if not is_move or not reply or not reply[0].strip():
        raise CommandError(_("A line of a plan names a move and your reply, for example: if e5 then d4"))
    return PlanLine(f"if {rest}")


def read_then(rest: str, sure: bool) -> Command | None:
    """Reads what follows `then`: a line that goes on with the line of a plan above it."""
    word, _blank, line = rest.partition(" ")
    goes_on = read_if(line, sure) if word.casefold() == "if" else None
    return PlanLine(f"then {rest}") if goes_on else None


def begins_plan(line: str) -> bool:
    """Whether a line can be meant as nothing but a plan, whole or not, also with a number before it."""
    text = normalise(line)
    text = _LISTED.sub("", text, count=1)
    begins = _BEGINS.match(text)
    if begins is None:
        return False
    condition = _THEN.split(text[begins.end() :], maxsplit=1)[0]
    return looks_like_move(condition.strip("(, ")) or _names_move(condition)


def is_listed(line: str) -> bool:
    """Whether it is a line of a plan with a number or a dash before it, as letters and pages list them."""
    return _LISTED.match(normalise(line)) is not None and begins_plan(line)


def _names_move(condition: str) -> bool:
    """Whether the first word is a move with a figure in it: “e6, I play d4” is no talk to pass on."""
    first = condition.strip("( ").split(" ")[0].strip(",:")
    return any(char.isdigit() for char in first) and looks_like_move(first)


def unbroken(lines: Sequence[str]) -> list[str]:
    """The lines, those of a plan made whole that were broken before or after `then`, `if` or a comma."""
    whole: list[str] = []
    for line in lines:
        text = normalise(line)
        above = whole[-1] if whole else ""
        if text and begins_plan(above) and (_BROKEN_OFF.search(above.rstrip()) or _REST.match(text)):
            whole[-1] = f"{above.rstrip()} {line.strip()}"
        else:
            whole.append(line)
    return whole
