"""Walks of buttons over bridges: the move, its notation, and errors.

Duel and the Puzzle share the notation: `5c4`, `W5c4`, the long form `5b3-c4`, the marks `=W3` (the button that changes
places) and `#` (a win), and a path of compass letters `:EENWN`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from engines.base import IllegalMove, UnfinishedMove, squeezed
from engines.bridges import NAMES, NUMBERS, board, end_of, first_fault, walk_paths
from engines.buttons import ALL, EMPTY, FROM_TEXT, SIDES, TEXTS, VALUES, button_name
from engines.wording import _, listing, ngettext

_WALK = re.compile(r"([bw])?([1-8])(?:([a-d][1-4])-)?([a-d][1-4])(?:=([bw][1-8]))?(#)?(?::([nesw]*))?(#)?", re.ASCII)
_MOST_PATHS = 6


@dataclass(frozen=True, slots=True)
class Walk:
    """A button moves from one space to another, and changes places with a button on it."""

    button: str
    start: int
    to: int


class Written(NamedTuple):
    """A walk as written; omitted parts are None, and `won` is False without its mark."""

    colour: str | None
    value: str
    start: int | None
    to: int
    met: str | None
    won: bool
    path: str | None


@cache
def reach_of(layout: str) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """Return the possible ends of each button's walks on this board, by start."""
    reach = board(layout).reach
    return MappingProxyType({button: reach[SIDES[button]][VALUES[button]] for button in ALL})


def way_of(layout: str, walk: Walk) -> tuple[str, ...]:
    """Return one path over the bridges for the walk, space by space; () if there is none."""
    button, here = walk.button, walk.start
    for path, end in walk_paths(board(layout), SIDES[button], walk.start, VALUES[button]):
        if end == walk.to:
            return (NAMES[here], *(NAMES[end_of(here, path[:steps])] for steps in range(1, len(path) + 1)))
    return ()


def squeezed_ascii(text: str) -> str:
    """Remove blanks and fold case; empty if the text has characters outside the notation."""
    signs = squeezed(text)
    return signs if signs.isascii() and text.strip().isascii() else ""


def read_written(signs: str) -> Written | None:
    """Parse a walk from lower-case text without blanks; None if it is not one."""
    match = _WALK.fullmatch(signs)
    if match is None:
        return None
    colour, value, start, to, met, won, path, late = match.groups()
    return Written(
        colour,
        value,
        NUMBERS[start] if start else None,
        NUMBERS[to],
        FROM_TEXT[met] if met else None,
        bool(won or late),
        path,
    )


def write_end(cells: str, walk: Walk, won: bool) -> str:
    """Write the end of a walk: its target, the button met there, and whether it wins."""
    met = cells[walk.to]
    swap = "" if met == EMPTY else f"={TEXTS[met]}"
    return f"{NAMES[walk.to]}{swap}{'#' if won else ''}"


def obstacle(layout: str, cells: str, walk: Walk) -> str | None:
    """Explain why this button on the board cannot make the walk; None if it can."""
    button, start, to = walk.button, walk.start, walk.to
    if not 0 <= to < len(cells):
        return _("There is no such space: they are a1 to d4.")
    here = cells.index(button)
    if here != start:
        return _("{button} stands on {here}.").format(button=button_name(button), here=NAMES[here])
    reach = reach_of(layout)[button][start]
    if to in reach:
        return None
    if to == start:
        return _("{button} stands on {here}; a move ends on another space.").format(
            button=button_name(button), here=NAMES[here]
        )
    return _unreached(walk, reach)


def wrong_swap(cells: str, walk: Walk, text: str) -> IllegalMove:
    """Return the error for a mark that names a wrong button at the target.

    `text` is the canonical text, which it suggests instead.
    """
    space, met = NAMES[walk.to], cells[walk.to]
    if met == EMPTY:
        sentence = _("{space} is empty, so nothing changes places there: write {text}.")
        return IllegalMove(sentence.format(space=space, text=text), (text,))
    sentence = _("On {space} lies {met}: write {text}.")
    return IllegalMove(sentence.format(space=space, met=button_name(met), text=text), (text,))


def check_path(layout: str, walk: Walk, path: str | None) -> None:
    """Reject a path that breaks a rule, has the wrong length, or ends elsewhere."""
    if path is None:
        return
    side, value = SIDES[walk.button], VALUES[walk.button]
    fault = first_fault(board(layout), side, walk.start, path)
    if fault is not None:
        raise IllegalMove(fault, _paths(layout, walk, ""))
    if len(path) != value:
        raise _of_another_length(layout, walk, path)
    end = end_of(walk.start, path)
    if end != walk.to:
        raise IllegalMove(
            _("The path ends on {end}, not on {to}.").format(end=NAMES[end], to=NAMES[walk.to]),
            _paths(layout, walk, ""),
        )


def _of_another_length(layout: str, walk: Walk, path: str) -> IllegalMove | UnfinishedMove:
    value = VALUES[walk.button]
    sentence = ngettext(
        "The path has {count} step; {button} crosses exactly {value}.",
        "The path has {count} steps; {button} crosses exactly {value}.",
        len(path),
    ).format(count=len(path), button=button_name(walk.button), value=value)
    further = _paths(layout, walk, path) if len(path) < value else ()
    if further:
        return UnfinishedMove(sentence, further)
    return IllegalMove(sentence, _paths(layout, walk, ""))


def _paths(layout: str, walk: Walk, path: str) -> tuple[str, ...]:
    """Return texts of this walk, each with a whole path that begins with `path`."""
    side, value = SIDES[walk.button], VALUES[walk.button]
    whole = [p for p, end in walk_paths(board(layout), side, walk.start, value, path) if end == walk.to]
    text = f"{TEXTS[walk.button]}{NAMES[walk.start]}-{NAMES[walk.to]}"
    return tuple(f"{text}:{letters.upper()}" for letters in whole[:_MOST_PATHS])


def _unreached(walk: Walk, reach: tuple[int, ...]) -> str:
    value = VALUES[walk.button]
    return ngettext(
        "{button} crosses exactly {value} bridge and cannot end on {to}; from {start} it can go to {places}.",
        "{button} crosses exactly {value} bridges and cannot end on {to}; from {start} it can go to {places}.",
        value,
    ).format(
        button=button_name(walk.button),
        value=value,
        to=NAMES[walk.to],
        start=NAMES[walk.start],
        places=listing([NAMES[space] for space in reach]),
    )
