"""Parser for conditional moves (a plan): `if MOVE then MOVE; …`, even broken in two lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from correspondence.commands.command_types import Command, PlanLine
from correspondence.commands.pace import CommandError
from correspondence.core.move_text import looks_like_move, normalise
from engines.wording import _

_THEN = re.compile(r",? then(?: |$)", re.IGNORECASE)
_OPEN_END = re.compile(r"(?:\b(?:then|if)|,)$", re.IGNORECASE)
_REST = re.compile(r"then (?!if )", re.IGNORECASE)
_BEGINS = re.compile(r"(?:then )?if ", re.IGNORECASE)
_LIST_MARK = re.compile(r"(?:[0-9]{1,3}[.)]|[-*•]) ?(?=(?:then )?if )", re.IGNORECASE)


def read_if(rest: str, is_certain: bool) -> Command | None:
    """Parse what follows `if`.

    Raises CommandError if a move follows but no reply to it, so that the line is not passed on as talk.
    """
    condition, *reply = _THEN.split(rest, maxsplit=1)
    is_move = looks_like_move(condition.strip("(, "))
    if not is_move and not _names_move(condition):
        return None
    if not is_move or not reply or not reply[0].strip():
        raise CommandError(_("A line of a plan names a move and your reply, for example: if e5 then d4"))
    return PlanLine(f"if {rest}")


def read_then(rest: str, is_certain: bool) -> Command | None:
    """Parse what follows `then`: a line that continues the plan line above it."""
    word, _blank, line = rest.partition(" ")
    continues = read_if(line, is_certain) if word.casefold() == "if" else None
    return PlanLine(f"then {rest}") if continues else None


def begins_plan(line: str) -> bool:
    """Whether a line, complete or not, can only be a plan line; a list number may precede it."""
    text = normalise(line)
    text = _LIST_MARK.sub("", text, count=1)
    begins = _BEGINS.match(text)
    if begins is None:
        return False
    condition = _THEN.split(text[begins.end() :], maxsplit=1)[0]
    return looks_like_move(condition.strip("(, ")) or _names_move(condition)


def has_list_mark(line: str) -> bool:
    """Whether a line is a plan line behind a number or dash, as lists in letters show it."""
    return _LIST_MARK.match(normalise(line)) is not None and begins_plan(line)


def _names_move(condition: str) -> bool:
    """Whether the first word is a move with a digit, so that the line is not passed on as talk."""
    first = condition.strip("( ").split(" ")[0].strip(",:")
    return any(char.isdigit() for char in first) and looks_like_move(first)


def rejoin_plan_lines(lines: Sequence[str]) -> list[str]:
    """Rejoin plan lines that were broken before or after `then`, `if` or a comma."""
    joined: list[str] = []
    for line in lines:
        text = normalise(line)
        above = joined[-1] if joined else ""
        if text and begins_plan(above) and (_OPEN_END.search(above.rstrip()) or _REST.match(text)):
            joined[-1] = f"{above.rstrip()} {line.strip()}"
        else:
            joined.append(line)
    return joined
