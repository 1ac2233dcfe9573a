"""Notation of Duel: `5@b3` places, `5c4=W3#` moves; lenient, with explained errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from engines.base import GuideLine, IllegalMove, NotationError, Seat, UnfinishedMove, nearest, not_a_move, quoted
from engines.bridges import NAMES, NUMBERS
from engines.buttons import COLOURS, EMPTY, FROM_TEXT, SIDES, TEXTS, VALUES, button_name
from engines.duel.moves import Action, Place
from engines.duel.state import State
from engines.walks import Walk, Written, check_path, read_written, squeezed_ascii, write_end, wrong_swap
from engines.wording import _, listing

_PLACE = re.compile(r"([bw])?([1-8])@([a-d][1-4])(#)?", re.ASCII)
_FROM_TO = re.compile(r"([a-d][1-4])-?([a-d][1-4]).*", re.ASCII)
_SHOWN = 8


def write(position: State, seat: Seat, move: Action) -> str:
    """Write the canonical text: `5@b3`, `5c4`, `5c4=W3`, with `#` if the move wins."""
    won = position.ends_by(seat, move)
    if isinstance(move, Place):
        return f"{VALUES[move.button]}@{NAMES[move.to]}{'#' if won else ''}"
    return f"{VALUES[move.button]}{write_end(position.cells, move, won)}"


def write_long(position: State, seat: Seat, move: Action) -> str:
    """Write the text with the start of a walk: `5b3-c4=W3`."""
    text = write(position, seat, move)
    return text if isinstance(move, Place) else f"{text[0]}{NAMES[move.start]}-{text[1:]}"


def guide(position: State, seat: Seat) -> Iterator[GuideLine]:
    """Return lines that explain the notation, with a placement and a walk that are legal now."""
    moves = list(position.legal_moves(seat))
    place = next((one for one in moves if isinstance(one, Place)), None)
    walks = [one for one in moves if isinstance(one, Walk)]
    if place is not None:
        words = _("places your {value} on {space}").format(value=VALUES[place.button], space=NAMES[place.to])
        yield GuideLine(write(position, seat, place), words)
    for walk in (next((one for one in walks if position.cells[one.to] == EMPTY), None),
                 next((one for one in walks if position.cells[one.to] != EMPTY), None)):  # fmt: skip
        if walk is not None:
            yield GuideLine(write(position, seat, walk), _what_it_does(position, walk))
    if walks:
        yield GuideLine("", _("Anything after the space may be left out; a path may follow, as in the rules."))


def _what_it_does(position: State, walk: Walk) -> str:
    words = _("walks with your {value} to {space}").format(value=VALUES[walk.button], space=NAMES[walk.to])
    met = position.cells[walk.to]
    if met == EMPTY:
        return words
    return _("{walk}, where it changes places with {button}").format(walk=words, button=button_name(met))


def parse(position: State, seat: Seat, text: str) -> Action:
    """Parse a legal action.

    Marks, the colour and the start may be left out; written ones must be correct. Raises MoveError.
    """
    signs = squeezed_ascii(text)
    placing = _PLACE.fullmatch(signs)
    if placing:
        colour, value, space, won = placing.groups()
        place = Place(_button(seat, colour, value), NUMBERS[space])
        _check(position, seat, place, bool(won))
        return place
    written = read_written(signs)
    if written:
        return _read_walk(position, seat, written)
    _refuse(position, seat, text, signs)


def _read_walk(position: State, seat: Seat, written: Written) -> Walk:
    button = _button(seat, written.colour, written.value)
    start = position.cells.find(button) if written.start is None else written.start
    walk = Walk(button, start, written.to)
    if written.path is not None and start >= 0 and position.cells[start] == button and SIDES[button] == seat:
        check_path(position.layout, walk, written.path)
    _check(position, seat, walk, written.won)
    if written.met not in (None, position.cells[walk.to]):
        raise wrong_swap(position.cells, walk, write(position, seat, walk))
    return walk


def _button(seat: Seat, colour: str | None, value: str) -> str:
    return FROM_TEXT[f"{colour or 'bw'[seat]}{value}"]


def _check(position: State, seat: Seat, move: Action, won: bool) -> None:
    """Reject an illegal action, and a `#` if nobody wins."""
    objection = position.objection(seat, move)
    if objection is not None:
        raise IllegalMove(objection, _others_of(position, seat, move.button))
    if won and not position.ends_by(seat, move):
        text = write(position, seat, move)
        raise IllegalMove(_("Nobody wins by that, so leave the # out: {text}.").format(text=text), (text,))


def _others_of(position: State, seat: Seat, button: str) -> tuple[str, ...]:
    """Suggest other moves of this button, or any moves if it is not the player's."""
    legal = list(position.legal_moves(seat))
    own = [move for move in legal if move.button == button]
    return tuple(write(position, seat, move) for move in (own or legal)[:_SHOWN])


def _refuse(position: State, seat: Seat, text: str, signs: str) -> NoReturn:
    legal = list(position.legal_moves(seat))
    plain = signs[1:] if signs[:1] == "bw"[seat] else signs
    further = [canonical for move in legal if (canonical := _continues(position, seat, move, plain))]
    if plain and further:
        raise UnfinishedMove(_unfinished(text, further), tuple(further))
    ends = _FROM_TO.fullmatch(signs)
    if ends:
        raise _nameless(position, seat, NUMBERS[ends[1]], NUMBERS[ends[2]])
    near = nearest(text, [write(position, seat, move) for move in legal])
    raise NotationError(not_a_move(text, near), near)


def _continues(position: State, seat: Seat, move: Action, plain: str) -> str:
    """Return the text of a move that starts with `plain`, short or long; empty if none does."""
    for text in (write(position, seat, move), write_long(position, seat, move)):
        if text.casefold().startswith(plain):
            return text
    return ""


def _unfinished(text: str, further: list[str]) -> str:
    shown = further if len(further) <= _SHOWN else [*further[:_SHOWN], _("others")]
    return _("{text} begins well; go on with {further}.").format(text=quoted(text), further=listing(shown))


def _nameless(position: State, seat: Seat, start: int, to: int) -> NotationError:
    button = position.cells[start]
    if SIDES.get(button) != seat:
        return NotationError(
            _("A move begins with the number of the button; {colour} has none on {space}.").format(
                colour=_(COLOURS[seat]), space=NAMES[start]
            )
        )
    text = f"{TEXTS[button][1]}{NAMES[start]}-{NAMES[to]}"
    near = (text,) if position.objection(seat, Walk(button, start, to)) is None else ()
    return NotationError(
        _("A move begins with the number of the button: {text}.").format(text=text),
        near or _others_of(position, seat, button),
    )
