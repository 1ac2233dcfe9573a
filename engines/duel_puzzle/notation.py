"""Notation of the Puzzle: `W1b4=W2#` and the deal; lenient, with explained errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NoReturn

from engines.base import (
    AmbiguousMove,
    GuideLine,
    IllegalMove,
    MoveError,
    NotationError,
    UnfinishedMove,
    nearest,
    not_a_move,
    quoted,
)
from engines.bridges import NAMES, NUMBERS, SPACES
from engines.buttons import ALL, EMPTY, FROM_TEXT, TEXTS, button_name
from engines.duel_puzzle.moves import Deal, Turn
from engines.duel_puzzle.state import State
from engines.walks import (
    Walk,
    Written,
    check_path,
    obstacle,
    read_written,
    squeezed_ascii,
    write_end,
    wrong_swap,
)
from engines.wording import _, listing

_DEAL = re.compile(r"deal((?:[bw][1-8])*)", re.ASCII)
_FROM_TO = re.compile(r"([a-d][1-4])-?([a-d][1-4]).*", re.ASCII)
_SHOWN = 8


def guide(position: State) -> Iterator[GuideLine]:
    """Return lines that explain the notation, with a walk that is legal now."""
    walk = next((one for one in position.legal_moves(0) if isinstance(one, Walk)), None)
    if walk is None:
        return
    words = _("moves {button} to {space}, where it changes places with {other}")
    met = position.cells[walk.to]
    yield GuideLine(
        write(position, walk),
        words.format(button=button_name(walk.button), space=NAMES[walk.to], other=button_name(met)),
    )
    yield GuideLine("", _("Anything after the space may be left out; a path may follow, as in the rules."))


def write(position: State, move: Turn) -> str:
    """Write the canonical text: `W1b4=W2`, with `#` if it meets the goal, or `deal W1 B3 …`."""
    if isinstance(move, Deal):
        return " ".join(["deal", *(TEXTS[button] for button in move.buttons)])
    won = position.is_solved_by(move)
    return f"{TEXTS[move.button]}{write_end(position.cells, move, won)}"


def write_long(position: State, move: Turn) -> str:
    """Write the text with the start of the walk: `W1a4-b4=W2`."""
    text = write(position, move)
    return text if isinstance(move, Deal) else f"{text[:2]}{NAMES[move.start]}-{text[2:]}"


def parse(position: State, text: str) -> Walk:
    """Parse a legal walk.

    Marks and the start may be left out, but not the colour; written ones must be correct. Raises MoveError.
    """
    signs = squeezed_ascii(text)
    written = read_written(signs)
    if written is None:
        _refuse(position, text, signs)
    if written.colour is None:
        raise _colourless(position, written)
    button = FROM_TEXT[f"{written.colour}{written.value}"]
    start = position.cells.index(button)
    walk = Walk(button, start if written.start is None else written.start, written.to)
    if written.path is not None and walk.start == start:
        check_path(position.layout, walk, written.path)
    _check(position, walk, written)
    return walk


def parse_deal(position: State, text: str) -> Deal:
    """Parse a deal; raise MoveError."""
    signs = squeezed_ascii(text)
    match = _DEAL.fullmatch(signs)
    if match is None:
        raise NotationError(_("The deal is written “deal” and sixteen buttons, as they leave the bag."))
    deal = Deal("".join(FROM_TEXT[match[1][i : i + 2]] for i in range(0, len(match[1]), 2)))
    missing = [TEXTS[button] for button in ALL if button not in deal.buttons]
    if len(deal.buttons) < SPACES and len(deal.buttons) + len(missing) == SPACES:
        raise UnfinishedMove(_("The deal still lacks {buttons}.").format(buttons=listing(missing, _("and"))))
    objection = position.objection(-1, deal)
    if objection is not None:
        raise IllegalMove(objection)
    return deal


def _check(position: State, walk: Walk, written: Written) -> None:
    """Reject illegal moves and wrong marks."""
    objection = position.objection(0, walk)
    if objection is not None:
        raise IllegalMove(objection, _texts(position, position.walks_of(walk.button))[:_SHOWN])
    if written.met not in (None, position.cells[walk.to]):
        raise wrong_swap(position.cells, walk, write(position, walk))
    if written.won and not position.is_solved_by(walk):
        text = write(position, walk)
        raise IllegalMove(_("That does not meet the goal, so leave the # out: {text}.").format(text=text), (text,))


def _texts(position: State, walks: Iterable[Walk]) -> tuple[str, ...]:
    return tuple(write(position, walk) for walk in walks)


def _colourless(position: State, written: Written) -> MoveError:
    """Reject a number without colour that both colours have, and name the possible walks."""
    both = [FROM_TEXT[f"{colour}{written.value}"] for colour in "wb"]
    walks = [Walk(button, position.cells.index(button), written.to) for button in both]
    fits = [w for w in walks if obstacle(position.layout, position.cells, w) is None]
    fits = [w for w in fits if written.start in (None, w.start)]
    kind = AmbiguousMove if len(fits) > 1 else NotationError
    near = _texts(position, fits or [w for button in both for w in position.walks_of(button)][:_SHOWN])
    return kind(
        _("Say the colour first, W or B: {near}.").format(near=listing(near)),
        near,
    )


def _refuse(position: State, text: str, signs: str) -> NoReturn:
    walks = [walk for button in ALL for walk in position.walks_of(button)]
    further = [continuation for walk in walks if signs and (continuation := _continues(position, walk, signs))]
    if further and len(further) < len(walks) // 3:
        shown = further if len(further) <= _SHOWN else [*further[:_SHOWN], _("others")]
        raise UnfinishedMove(
            _("{text} begins well; go on with {further}.").format(text=quoted(text), further=listing(shown)),
            tuple(further),
        )
    nameless = _FROM_TO.fullmatch(signs)
    if nameless:
        raise _nameless(position, NUMBERS[nameless[1]], NUMBERS[nameless[2]])
    near = nearest(text, list(_texts(position, walks)))
    raise NotationError(not_a_move(text, near), near)


def _continues(position: State, walk: Walk, signs: str) -> str:
    for text in (write(position, walk), write_long(position, walk)):
        if text.casefold().startswith(signs):
            return text
    return ""


def _nameless(position: State, start: int, to: int) -> NotationError:
    button = position.cells[start]
    assert button != EMPTY
    text = f"{TEXTS[button]}{NAMES[start]}-{NAMES[to]}"
    possible = obstacle(position.layout, position.cells, Walk(button, start, to)) is None
    near = (text,) if possible else _texts(position, position.walks_of(button))[:_SHOWN]
    return NotationError(_("A move begins with the button: {text}.").format(text=text), near)
