"""Plateau's notation: write moves, and parse what people write (rules: section 10).

The canonical text is complete, so it is the long form too. Parsing fills in what was left out, asks `objections`
whether the result is legal, and then checks the mark `xN`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NoReturn

from engines.base import Hidden, IllegalMove, NotationError, UnfinishedMove, nearest, not_a_move, quoted
from engines.plateau.board import NAMES, NUMBER, PATHS
from engines.plateau.forms import SPELLED
from engines.plateau.moves import (
    MOVE,
    ONBOARD,
    OPEN,
    PASS,
    REFUSE,
    Move,
    in_hand,
    legal_moves,
    walk_move,
    walks_from,
)
from engines.plateau.objections import against, not_controlled, top_face, unreachable
from engines.plateau.pieces import TYPE_OF, TYPES, enemies, top_unit, types_text
from engines.plateau.state import State
from engines.wording import _, listing

LONGEST = 200
"""Maximum length of a turn, in characters."""

LISTED = 400
"""Maximum number of legal moves searched for suggestions."""

COMPARED = 4_000
"""Maximum number of legal moves compared with an unreadable text."""

_DOUBLE = re.compile(r"\b(?:double|doppi[ao]) (\w+)", re.IGNORECASE)
_PUT = re.compile(r"\+([a-d][1-4])(?:/([0-9]{1,3}))? ?(?:([a-z?]{1,2})(?:,([a-z?]{1,2}))?)?")
_STEP = re.compile(r"-([a-d][1-4])(?:\(([0-9]{1,3})\))?")
_WALK = re.compile(
    r"([a-d][1-4])(~?)(?:\(([0-9]{1,3})\))?((?:-[a-d][1-4](?:\([0-9]{1,3}\))?)*)(?: ?(x)(?: ?([0-9]{1,3}))?)?"
)
_TRADE = re.compile(r"(tender|pay)(?: (.+))?")
_LOOSE = re.compile(r" (?=[-~(),/+])|(?<=[-~(),/+]) ")
_DIGIT = {name.lower(): str(digit) for digit, name in enumerate(TYPES)} | TYPE_OF


# -- writing -----------------------------------------------------------------------


def write(position: State, seat: int, move: Move) -> str:
    """Write a legal move in canonical notation."""
    kind = move.kind
    if kind == MOVE:
        return _walk_text(position, seat, move)
    if kind == ONBOARD:
        place = f"/{move.index}" if position.stacks[move.square] else ""
        return f"+{NAMES[move.square]}{place} {move.pieces}"
    if kind == OPEN:
        return f"+{NAMES[move.square]} {move.pieces[:2]},{move.pieces[2:]}"
    return f"{kind} {types_text(move.selection)}" if move.selection else kind


def _walk_text(position: State, seat: int, move: Move) -> str:
    left = (move.square, *move.steps)
    text = NAMES[move.square] + "~" * move.flip
    for number, count in enumerate(move.counts):
        text += f"({count})-{NAMES[left[number + 1]]}"
    taken = captures(position, seat, move)
    return f"{text}x{taken}" if taken else text


def captures(position: State, seat: int, move: Move) -> int:
    """Count the pieces captured by a legal movement; raise Hidden if its up face is unseen."""
    stack = position.stacks[move.steps[-1] if move.steps else move.square]
    if not stack or (face := top_face(position, move.square, move.flip)) == "x":
        return 0
    if face == "?" and enemies(stack, seat):
        raise Hidden()
    return min(top_unit(stack, seat) + (move.counts[-1] if move.counts else 0), enemies(stack, seat))


# -- parsing -----------------------------------------------------------------------


def parse(position: State, seat: int, text: str) -> Move:
    """Parse a legal move; raise MoveError."""
    tidy = _tidied(text)
    if tidy is not None:
        if match := _WALK.fullmatch(tidy):
            return _read_walk(position, seat, match)
        if match := _PUT.fullmatch(tidy):
            return _read_put(position, seat, match)
        if match := _TRADE.fullmatch(tidy):
            return _read_trade(position, seat, match[1], match[2])
        if tidy in (REFUSE, PASS):
            return _approved(position, seat, Move(tidy))
        _unfinished(position, seat, tidy)
    near = _nearest(position, seat, text[:LONGEST])
    raise NotationError(not_a_move(text, near), near)


def _tidied(text: str) -> str | None:
    """Normalise to lower case and single blanks, none around signs; None if it cannot be a move."""
    plain = " ".join(text.split())
    if len(text) > LONGEST or not plain.isascii():
        return None
    tidy = plain.lower()
    return _LOOSE.sub("", tidy) if " " in tidy else tidy


def _approved(position: State, seat: int, move: Move) -> Move:
    why = against(position, seat, move)
    if why is None:
        return move
    raise IllegalMove(why, _near_to(position, seat, move))


def _unfinished(position: State, seat: int, tidy: str) -> None:
    """Raise UnfinishedMove if the text ends with a sign that requires more."""
    if tidy == "+":
        near = _near(tidy, _texts(position, seat, _put_moves(position, seat)))
        if near:
            raise UnfinishedMove(_("Which piece goes where? For example: {near}.").format(near=listing(near)), near)
    if tidy[-1:] == "-" and (match := _WALK.fullmatch(tidy[:-1])) and not match[5]:
        _go_on(position, seat, match)


# -- parsing new pieces ------------------------------------------------------------


def _read_put(position: State, seat: int, match: re.Match[str]) -> Move:
    square, index, one, other = NUMBER[match[1]], match[2], match[3], match[4]
    opening = bool(position.openings) and not position.tender
    if one is None or (opening and other is None and one in TYPE_OF):
        _say_the_pieces(position, seat, square, index, one)
    pieces = _faces(position, one) + (_faces(position, other) if other else "")
    if other is not None:
        if index is not None:
            raise NotationError(
                _("The opening is written without a slash, as in {near}.").format(
                    near=f"+{NAMES[square]} {one},{other}"
                )
            )
        return _approved(position, seat, Move(OPEN, square, pieces))
    beneath = len(position.stacks[square]) if index is None else int(index)
    return _approved(position, seat, Move(ONBOARD, square, pieces, beneath))


def _say_the_pieces(position: State, seat: int, square: int, index: str | None, one: str | None) -> None:
    """Raise UnfinishedMove if a new piece, or the second piece of the opening, is missing."""
    beneath = len(position.stacks[square]) if index is None else int(index)
    moves = [
        move
        for move in _put_moves(position, seat)
        if move.square == square and (index is None or move.index == beneath)
    ]
    near = _near(f"+{NAMES[square]} {one or ''}", _texts(position, seat, iter(moves)))
    if not near:
        lays = in_hand(position.hands[seat]) or ("xx",)  # the error says that the hand is empty or unseen
        new = Move(OPEN, square, "xxrb") if position.openings else Move(ONBOARD, square, lays[0], beneath)
        near = (write(position, seat, _approved(position, seat, new)),)
    if position.openings:
        sentence = _("The opening puts two pieces on {square}, the bottom one first, as in {near}.")
    else:
        sentence = _("Which piece goes to {square}, and which face up? For example: {near}.")
    raise UnfinishedMove(sentence.format(square=NAMES[square], near=listing(near)), near)


def _put_moves(position: State, seat: int) -> Iterator[Move]:
    return (move for move in legal_moves(position, seat) if move.kind in (OPEN, ONBOARD))


def _faces(position: State, text: str) -> str:
    """Parse two faces; raise NotationError if no piece has them."""
    if text in TYPE_OF:
        return text
    if text in _DIGIT:
        lays = [faces for faces, digit in TYPE_OF.items() if digit == _DIGIT[text]]
        raise NotationError(
            _("Write the faces, up face first: {type} is {faces}.").format(
                type=TYPES[int(_DIGIT[text])], faces=listing(lays)
            )
        )
    raise NotationError(
        _("No piece has the faces {faces}; there are {all}.").format(
            faces=quoted(text), all=listing(tuple(TYPE_OF), _("and"))
        )
    )


# -- parsing movements -------------------------------------------------------------


def _read_walk(position: State, seat: int, match: re.Match[str]) -> Move:
    named = [(NUMBER[name], count) for name, count in _STEP.findall(match[4])] if match[4] else []
    if not match[5] and (not named or named[-1][1]):
        _go_on(position, seat, match)
    move = _path(position, seat, match, named) if named else _stomp(match)
    _marked(position, seat, _approved(position, seat, move), match)
    return move


def _stomp(match: re.Match[str]) -> Move:
    if match[3]:
        raise NotationError(
            _("In place the whole top unit captures, so it is written without a count: {text}.").format(
                text=f"{match[1]}{match[2]}x{match[6] or ''}"
            )
        )
    return Move(MOVE, NUMBER[match[1]], flip=bool(match[2]))


def _path(position: State, seat: int, match: re.Match[str], named: list[tuple[int, str]]) -> Move:
    """Complete the squares and counts that a written movement left out."""
    square, flip = NUMBER[match[1]], bool(match[2])
    if position.tender or position.openings or not_controlled(position, seat, square, flip):
        return _approved(position, seat, Move(MOVE, square, flip=flip))
    last, counted = named[-1]
    if counted:
        raise NotationError(_("The last square, {last}, takes no count.").format(last=NAMES[last]))
    steps = PATHS[top_face(position, square, flip)][square].get(last)
    if steps is None:
        move = Move(MOVE, square, flip=flip, steps=(last,))
        raise IllegalMove(unreachable(position, seat, move), _near_to(position, seat, move))
    counts = _counts(position, seat, match[3], named, (square, *steps))
    return Move(MOVE, square, "", 0, flip, steps, counts)


def _counts(
    position: State, seat: int, first: str | None, named: list[tuple[int, str]], path: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the counts carried from each square but the last; by default all that arrived."""
    arriving = int(first) if first else top_unit(position.stacks[path[0]], seat)
    counts, waiting = [arriving], list(named[:-1])
    for square in path[1:-1]:
        if waiting and waiting[0][0] == square:
            count = waiting.pop(0)[1]
            arriving = int(count) if count else arriving
        counts.append(arriving)
    if waiting:
        raise IllegalMove(
            _("{square} is not on the way from {start} to {last}, or not in this order: {path}.").format(
                square=NAMES[waiting[0][0]],
                start=NAMES[path[0]],
                last=NAMES[path[-1]],
                path=listing([NAMES[square] for square in path], _("and")),
            )
        )
    return tuple(counts)


def _marked(position: State, seat: int, move: Move, match: re.Match[str]) -> None:
    """Raise IllegalMove if a written capture does not happen, or captures another number."""
    if not match[5]:
        return
    taken = captures(position, seat, move)
    if taken and int(match[6] or taken) == taken:
        return
    text = write(position, seat, move)
    if not taken:
        raise IllegalMove(_("Nothing is captured there; without the x it reads {text}.").format(text=text), (text,))
    raise IllegalMove(
        _("That captures exactly {count}, so it is written {text}.").format(count=taken, text=text), (text,)
    )


def _go_on(position: State, seat: int, match: re.Match[str]) -> NoReturn:
    """Raise UnfinishedMove for a movement without its last square; IllegalMove if none exists."""
    square, flip = NUMBER[match[1]], bool(match[2])
    if position.tender or position.openings or not_controlled(position, seat, square, flip):
        _approved(position, seat, Move(MOVE, square, flip=flip))
    texts = [
        write(position, seat, walk_move(walk))
        for walk in walks_from(position.stacks, seat, square)
        if walk[1] or not flip
    ]
    if not texts:
        raise IllegalMove(_("Nothing on {square} can move.").format(square=NAMES[square]))
    begun = match[0].partition(" ")[0]
    near = tuple([text for text in texts if text.startswith(begun)][:5]) or _near(begun, texts)
    raise UnfinishedMove(
        _("Where does it go from {square} in the end? For example: {near}.").format(
            square=NAMES[square], near=listing(near)
        ),
        near,
    )


# -- parsing exchanges -------------------------------------------------------------


def _read_trade(position: State, seat: int, kind: str, named: str | None) -> Move:
    if not named:
        moves = (move for move in legal_moves(position, seat) if move.kind == kind)
        near = _near(kind, _texts(position, seat, moves))
        if not near:
            return _approved(position, seat, Move(kind, selection=position.prisoners[seat]))
        raise UnfinishedMove(_("Which prisoners? For example: {near}.").format(near=listing(near)), near)
    digits = [_DIGIT.get(name, "") for name in named.split(",")]
    if "" in digits:
        raise NotationError(
            _("{text} is not a list of types; they are {types}, with commas between them.").format(
                text=quoted(named), types=listing(TYPES, _("and"))
            )
        )
    return _approved(position, seat, Move(kind, selection="".join(sorted(digits))))


# -- suggestions -------------------------------------------------------------------


def _near_to(position: State, seat: int, move: Move) -> tuple[str, ...]:
    """Return legal texts similar to an illegal move, of the same kind and square if possible."""
    legal = legal_moves(position, seat)
    if position.tender or position.openings:
        like: Iterator[Move] = legal
    elif move.kind == MOVE:
        if not_controlled(position, seat, move.square, False):
            return ()
        like = map(walk_move, walks_from(position.stacks, seat, move.square))
    else:
        like = (other for other in legal if other.kind == move.kind and other.square == move.square)
    written = write(position, seat, move) if move.kind != MOVE or position.stacks[move.square] else ""
    return _near(written, _texts(position, seat, like))


def _nearest(position: State, seat: int, text: str) -> tuple[str, ...]:
    """Return the legal texts that differ only in signs and blanks, else the most similar."""
    wanted = _letters(text)
    legal = [write(position, seat, move) for move in islice(legal_moves(position, seat), COMPARED)]
    if same := tuple(one for one in legal if _letters(one) == wanted):
        return same
    return _near(_DOUBLE.sub(r"\1 \1", text), legal)


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _texts(position: State, seat: int, moves: Iterator[Move]) -> list[str]:
    return [write(position, seat, move) for move in islice(moves, LISTED)]


def _near(text: str, legal: list[str]) -> tuple[str, ...]:
    return nearest(text, legal, words=SPELLED) if legal else ()
