"""Parse moves: canonical and long forms, in any unambiguous letter case.

A text is first parsed as written: a small b is a file, a capital B a bishop. If that gives no legal turn, it is parsed
again ignoring case (section 7 of the rules).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from engines.base import AmbiguousMove, IllegalMove, MoveError, NotationError, Seat, UnfinishedMove, quoted
from engines.nearness import names_square, nearest
from engines.proteus_dice import objections
from engines.proteus_dice.choices import legal_moves
from engines.proteus_dice.dice import EMPTY, NAMES, SIDES, SQUARES, squares_of
from engines.proteus_dice.moves import NOWHERE, Move, Turn
from engines.proteus_dice.reading_street import read_before_play
from engines.proteus_dice.state import State
from engines.proteus_dice.turns import after
from engines.proteus_dice.words import on_square, piece, try_these
from engines.proteus_dice.writing import canonical, short_move
from engines.wording import _, listing

_SHOWN = 4
LONGEST = 60
"""Maximum length of a turn, in characters."""

_TAIL = (
    r"(?P<file>[a-h])?(?P<rank>[1-8])?(?P<sign>[-x])?(?P<to>[a-h][1-8])(?P<stab>\^)?"
    r"(?:[ /,;]+(?P<die>[a-h][1-8])(?:(?P<turn>[-+])|(?P<equals>=)(?P<new>[YPBNRQ])?)?)?[ /,;]*(?P<end>#)?"
)
_NO_MOVE = "".join(f"(?P<{group}>)" for group in ("face", "file", "rank", "sign", "to", "stab"))
_ALONE = rf"{_NO_MOVE}(?P<die>[a-h][1-8])(?:(?P<turn>[-+])|(?P<equals>==?)(?P<new>[YPBNRQ])?)(?P<end>#)?"
_AS_WRITTEN = (re.compile(rf"(?P<face>[YPBNRQ])?{_TAIL}"), re.compile(_ALONE))
_IN_ANY_CASE = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (rf"(?P<face>)?{_TAIL}", rf"(?P<face>[YPBNRQ]){_TAIL}", _ALONE)
)
_LOOSE = re.compile(r" (?=[=^+#])|(?<==) | (?=-$)|(?<=[1-8]) (?=[-x] ?[a-hA-H])|(?<=[1-8][-x]) |(?<= [-x]) ")


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a text, in written order: letters as in the notation, "" if absent."""

    text: str
    face: str = ""
    file: str = ""
    rank: str = ""
    sign: str = ""
    to: str = ""
    stab: str = ""
    die: str = ""
    turn: str = ""
    equals: str = ""
    new: str = ""
    end: str = ""


def read(position: State, seat: Seat, text: str) -> Move:
    """Parse a legal move; raise MoveError."""
    if position.stage in ("turn", "rotate"):
        return _read_turn(position, text)
    return read_before_play(position, seat, text)


def _read_turn(position: State, text: str) -> Turn:
    plain = _tidy(text)
    refusals: list[MoveError] = []
    for forms in (_AS_WRITTEN, _IN_ANY_CASE):
        moves = _legal(position, _readings(plain, forms), refusals)
        if len(moves) > 1:
            texts = tuple(canonical(position, move) for move in moves)
            raise AmbiguousMove(_("{text} could mean {texts}.").format(text=quoted(text), texts=listing(texts)), texts)
        if moves:
            return moves[0]
        if beginnings := [one for one in refusals if not isinstance(one, IllegalMove)]:
            raise _undecided(text, beginnings)
    raise refusals[0] if refusals else _unreadable(position, text)


def _undecided(text: str, beginnings: list[MoveError]) -> MoveError:
    if len(beginnings) == 1:
        return beginnings[0]
    suggestions = tuple(text for one in beginnings for text in one.suggestions)
    return AmbiguousMove(
        _("{text} can be read in two ways: write small letters for files and capital ones for pieces.").format(
            text=quoted(text)
        ),
        suggestions,
    )


def _legal(position: State, readings: list[Reading], refusals: list[MoveError]) -> list[Turn]:
    moves: list[Turn] = []
    for reading in readings:
        try:
            move = _turn(position, reading)
        except MoveError as error:
            refusals.append(error)
        else:
            if move not in moves:
                moves.append(move)
    return moves


def _tidy(text: str) -> str:
    plain = " ".join(text.split())
    if len(plain) > LONGEST:
        return ""
    return _LOOSE.sub("", plain) if " " in plain else plain


def _readings(text: str, forms: tuple[re.Pattern[str], ...]) -> list[Reading]:
    readings = [_reading(text, fit) for form in forms if (fit := form.fullmatch(text))]
    strictly = forms is _AS_WRITTEN
    return [reading for reading in readings if _sound(reading) and not (strictly and _is_bare(reading))]


def _reading(text: str, fit: re.Match[str]) -> Reading:
    face, file, rank, sign, to, stab, die, turn, equals, new, end = fit.groups("")
    return Reading(
        text,
        face.upper(),
        file.lower(),
        rank,
        sign.lower(),
        to.lower(),
        stab,
        die.lower(),
        turn,
        equals,
        new.upper(),
        end,
    )


def _is_bare(reading: Reading) -> bool:
    """Whether the text is two squares without face or sign, “b3b5”.

    It may also be a bishop disambiguated by rank.
    """
    return bool(reading.file and reading.rank) and not reading.face and not reading.sign


def _sound(reading: Reading) -> bool:
    """Whether the parts are a valid combination for a move.

    A dash joins two squares; a pawn's file is written with a capture, and its rank never alone.
    """
    if not reading.to or (reading.file and reading.rank):
        return True
    if reading.sign == "-":
        return False
    return bool(reading.face) or (not reading.rank and bool(reading.file) == bool(reading.sign))


# -- from parsed parts to a turn ---------------------------------------------------------


def _turn(position: State, reading: Reading) -> Turn:
    if not reading.to:
        move = _turned_alone(position, reading)
    elif position.stage == "rotate":
        move = _rotation_due(position, _as_die(position, reading), SQUARES[reading.to])
    else:
        origin, target = _origin_and_target(position, reading)
        move = _finished(position, reading, origin, target)
    if reading.end and after(position, position.turn, move).outcome is None:
        raise IllegalMove(
            _("{text} does not end the game: leave the # out.").format(text=canonical(position, move)),
            (canonical(position, move),),
        )
    return move


def _origin_and_target(position: State, reading: Reading) -> tuple[int, int]:
    target = SQUARES[reading.to]
    dice = _meant(position, reading, target)
    able = [square for square in dice if position.can_go(square, target)]
    if not able:
        near = _elsewhere(position, reading, dice)
        raise IllegalMove(f"{_why_none(position, reading, dice, target)} {try_these(near)}".strip(), near)
    if len(able) > 1:
        raise _several(position, reading, able, target)
    _check_marks(position, reading, able[0], target)
    return able[0], target


def _meant(position: State, reading: Reading, target: int) -> list[int]:
    """Return the player's dice that the text can mean, whether or not they can move there."""
    if reading.file and reading.rank:
        origin = SQUARES[reading.file + reading.rank]
        letter = position.board[origin]
        if reading.face and letter != EMPTY and letter.upper() != reading.face:
            raise IllegalMove(
                _("On {square} there is a {piece}, not a {other}.").format(
                    square=NAMES[origin], piece=piece(letter), other=piece(reading.face)
                )
            )
        return [origin]
    file = reading.file or (reading.to[0] if reading.face in ("", "P") and not reading.sign else "")
    letter = SIDES[position.turn]["YPBNRQ".index(reading.face or "P")]
    squares = squares_of(position.board, letter)
    if file:
        squares = [square for square in squares if NAMES[square][0] == file]
    if reading.rank:
        squares = [square for square in squares if NAMES[square][1] == reading.rank]
    return squares


def _why_none(position: State, reading: Reading, dice: list[int], target: int) -> str:
    if len(dice) == 1:
        return objections.against_moving(position, dice[0], target) or ""
    face = piece(reading.face or "P")
    if not dice:
        if reading.file or reading.rank or not reading.face:
            return _("You have no {piece} that {text} could mean.").format(piece=face, text=quoted(reading.text))
        return _("You have no {piece}.").format(piece=face)
    return _("None of your dice on {squares} can go to {target} as a {piece}.").format(
        squares=listing([NAMES[square] for square in dice], _("and")), target=NAMES[target], piece=face
    )


def _elsewhere(position: State, reading: Reading, dice: list[int]) -> tuple[str, ...]:
    """Suggest moves of these dice, with the written rotation if it is possible."""
    texts: list[str] = []
    for origin in dice:
        if position.board[origin] in SIDES[position.turn]:
            texts += (_text_like(position, reading, origin, to) for to in position.targets(origin))
    return tuple(texts[:4])


def _text_like(position: State, reading: Reading, origin: int, target: int) -> str:
    die_and_face = SQUARES.get(reading.die), reading.new
    fitting = (turn for turn in position.rotations(origin, target) if (turn.turned, turn.face) == die_and_face)
    turn = next(fitting, None) if position.follows(origin, target) == "rotation" else None
    return short_move(position, origin, target) if turn is None else canonical(position, turn)


def _several(position: State, reading: Reading, able: list[int], target: int) -> AmbiguousMove:
    texts = [_whole(position, reading, origin, target) for origin in able]
    sentence = _("{text} could mean {texts}.").format(text=quoted(reading.text), texts=listing(texts))
    return AmbiguousMove(sentence, tuple(texts))


def _whole(position: State, reading: Reading, origin: int, target: int) -> str:
    """Return the move with this die and the written rotation, as text.

    If the rotation is illegal, return only the move.
    """
    try:
        return canonical(position, _finished(position, reading, origin, target))
    except MoveError:
        return short_move(position, origin, target)


def _check_marks(position: State, reading: Reading, origin: int, target: int) -> None:
    if reading.sign == "x" and position.board[target] == EMPTY:
        text = short_move(position, origin, target)
        raise IllegalMove(
            _("Nothing stands on {square} to be captured: write {text} without the x.").format(
                square=NAMES[target], text=text
            ),
            (text,),
        )
    if reading.stab and position.backstab(origin, target) is None:
        text = short_move(position, origin, target)
        raise IllegalMove(_("{text} backstabs no queen: leave the ^ out.").format(text=text), (text,))


def _finished(position: State, reading: Reading, origin: int, target: int) -> Turn:
    follows = position.follows(origin, target)
    if follows != "rotation":
        if reading.die:
            text = short_move(position, origin, target)
            raise IllegalMove(objections.too_much(position, target, follows), (text,))
        return Turn(origin, target)
    if not reading.die:
        raise _what_to_turn(position, origin, target)
    square = SQUARES[reading.die]
    face = _face(position, reading, square)
    sentence = objections.against_turning(position, origin, target, square, face)
    if sentence is None:
        return Turn(origin, target, square, face)
    texts = _rotation_texts(position, origin, target, square)
    if not face and texts:
        raise _what_to_show(position, square, texts)
    raise IllegalMove(sentence, texts or _rotation_texts(position, origin, target))


def _face(position: State, reading: Reading, square: int) -> str:
    """Return the face written, or meant by + or - for the die on `square`; "" if there is none."""
    letter = position.board[square]
    if not reading.turn or letter == EMPTY:
        return reading.new
    place = position.dice_rules.order.index(letter.upper()) + (1 if reading.turn == "+" else -1)
    return position.dice_rules.order[place] if 0 <= place < 6 else "?"


def _rotation_texts(position: State, origin: int, target: int, square: int = NOWHERE) -> tuple[str, ...]:
    return tuple(
        canonical(position, move) for move in position.rotations(origin, target) if square in (NOWHERE, move.turned)
    )


def _what_to_turn(position: State, origin: int, target: int) -> UnfinishedMove:
    return UnfinishedMove(
        _("{move} is fine; which other die do you turn?").format(move=short_move(position, origin, target)),
        _rotation_texts(position, origin, target),
    )


def _what_to_show(position: State, square: int, texts: tuple[str, ...]) -> UnfinishedMove:
    return UnfinishedMove(
        _("What should the {die} become? Write {texts}.").format(
            die=on_square(position.board[square], square), texts=listing(texts)
        ),
        texts,
    )


def _turned_alone(position: State, reading: Reading) -> Turn:
    square = SQUARES[reading.die]
    if position.stage == "rotate":
        return _rotation_due(position, reading, square)
    two_step = position.dice_rules.two_step.get(position.board[square], "")
    if reading.turn or (reading.equals == "=" and reading.new and reading.new not in two_step):
        raise _turned_too_early(position, square)
    sentence = objections.against_double(position, square, reading.new)
    if sentence is None:
        return Turn(turned=square, face=reading.new)
    own = position.board[square] in SIDES[position.turn]
    texts = tuple(f"{reading.die}=={face}" for face in two_step) if position.rules.trade_off and own else ()
    if not reading.new and texts:
        raise _what_to_show(position, square, texts)
    raise IllegalMove(sentence, texts)


def _turned_too_early(position: State, square: int) -> IllegalMove:
    turns = (move for move in legal_moves(position, position.turn) if isinstance(move, Turn))
    with_it = (canonical(position, move) for move in turns if move.turned == square and move.origin != NOWHERE)
    near = tuple(islice(with_it, 3))
    sentence = _("A die is turned one step only after another one has moved: write the move first.")
    return IllegalMove(f"{sentence} {try_these(near)}".strip(), near)


def _as_die(position: State, reading: Reading) -> Reading:
    """Parse a lone square as the die to turn when a rotation is due; reject a whole move."""
    if reading.face or reading.file or reading.stab or reading.die:
        near = _rotation_texts(position, NOWHERE, position.square)
        raise IllegalMove(f"{objections.due(position)} {try_these(near[:3])}", near)
    return reading


def _rotation_due(position: State, reading: Reading, square: int) -> Turn:
    if reading.equals == "==":
        raise IllegalMove(objections.due(position))
    face = _face(position, reading, square)
    sentence = objections.against_turning(position, NOWHERE, position.square, square, face)
    if sentence is None:
        return Turn(turned=square, face=face)
    texts = _rotation_texts(position, NOWHERE, position.square, square)
    if not face and texts:
        raise _what_to_show(position, square, texts)
    raise IllegalMove(sentence, texts or _rotation_texts(position, NOWHERE, position.square))


def _unreadable(position: State, text: str) -> NotationError:
    near = _like(position, text)
    sentence = _("{text} is not a move.").format(text=quoted(text))
    return NotationError(f"{sentence} {objections.due(position)} {try_these(near)}".strip(), near)


def _like(position: State, text: str) -> tuple[str, ...]:
    """Return the legal texts most similar to a text that names a square.

    For other texts, return one move of each of several dice.
    """
    by_die: dict[int, str] = {}
    texts = []
    for move in legal_moves(position, position.turn):
        if isinstance(move, Turn):
            texts.append(canonical(position, move))
            by_die.setdefault(move.origin if move.origin != NOWHERE else move.turned, texts[-1])
    return nearest(text, texts, _SHOWN) if names_square(text) else tuple(by_die.values())[:_SHOWN]
