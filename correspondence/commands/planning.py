"""Lines of a plan: `if MOVE then MOVE; …`, also where a mail program has broken them in two."""

from __future__ import annotations

import re
from collections.abc import Sequence

from correspondence.commands.moves import looks_like_move, normalise
from correspondence.commands.pace import CommandError
from correspondence.commands.values import Command, PlanLine
from engines.wording import _

_THEN = re.compile(r",? then(?: |$)", re.IGNORECASE)
_BROKEN_OFF = re.compile(r"(?:\b(?:then|if)|,)$", re.IGNORECASE)
_REST = re.compile(r"then (?!if )", re.IGNORECASE)
_BEGINS = re.compile(r"(?:then )?if ", re.IGNORECASE)


def read_if(rest: str, sure: bool) -> Command | None:
    """Reads what follows `if`; raises CommandError where a move follows and no reply, so that nothing is passed on."""
    condition, *reply = _THEN.split(rest, maxsplit=1)
    if not looks_like_move(condition.strip("(, ")):
        return None
    if not reply or not reply[0].strip():
        raise CommandError(_("A line of a plan names a move and your reply, for example: if e5 then d4"))
    return PlanLine(f"if {rest}")


def read_then(rest: str, sure: bool) -> Command | None:
    """Reads what follows `then`: a line that goes on with the line of a plan above it."""
    word, _blank, line = rest.partition(" ")
    goes_on = read_if(line, sure) if word.casefold() == "if" else None
    return PlanLine(f"then {rest}") if goes_on else None


def begins_plan(line: str) -> bool:
    """Whether a line can be meant as nothing but a plan, whole or not."""
    text = normalise(line)
    begins = _BEGINS.match(text)
    return begins is not None and looks_like_move(_THEN.split(text[begins.end() :], maxsplit=1)[0].strip("(, "))


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
