"""Lessons of Proteus with tiles from a robot's moves.

Laying, waking, moving, exchanging, and what wins.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.base import Seat
from engines.proteus_tiles.in_force import MEANINGS
from engines.proteus_tiles.moves import EXCHANGE, PLACE, Move
from engines.proteus_tiles.position import Tiles
from engines.proteus_tiles.tiles import DIGIT, NO_TILE, SHAPES, SPACE, TILE
from engines.proteus_tiles.words import rule_name, shape_name, tile_short
from engines.teaching import Lesson, Lessons
from engines.wording import N_, _

_GOAL = N_(
    "The goal changes here: nine tiles make the board, each bears a rule, and a rule holds only while its tile is awake. "
    "You win when your three pieces fulfil the Goal tile that is awake then."
)

_LAYING = {
    "colours": N_(
        "Tiles have three colours. Move tiles say how a piece moves, Trade tiles which tiles may change places, Goal tiles "
        "what wins."
    ),
    "once": N_(
        "While tiles and pieces are being placed, each colour is woken exactly once. A piece may not go "
        "where that would become impossible: such a move is refused with the reason, and costs nothing."
    ),
    "phase": N_(
        "When all nine tiles and our six pieces are placed, the second part begins: then each turn moves one "
        "of your own pieces, or lets two tiles change places."
    ),
    "passing": N_("A player with nothing left to place is passed over while the other still has something."),
}
"""Lessons that are valid while tiles and pieces are being placed."""

_MOVING = {
    "stays": N_("A tile stays awake when its piece leaves. It sleeps only when another one of its colour is woken."),
    "resting": N_(
        "A piece wakes the tile of its shape only when the two come together, by a move or by an exchange. One that has "
        "rested there all the time wakes nothing."
    ),
    "turns": N_(
        "A move that wakes another Goal tile changes the goal first, and only then is it checked who fulfils it."
    ),
}
"""Lessons that are valid in the movement phase."""

_ALWAYS = {
    "backs": N_("Nothing is secret here: both sides of a tile show its colour and shape, which tell you its rule."),
    "yours": N_("If my turn makes your pieces fulfil the goal, you win: it does not matter whose turn it was."),
    "both": N_("If both of us fulfil the goal, nobody has won yet: the game goes on until only one of us does."),
    "written": N_("You may write less than the letters show: what follows + and the sign # may be left out."),
}
"""Lessons that are valid at any time."""

_REPETITION = N_("No turn may bring back an earlier position of the second part, so nobody can go round in circles.")


class TilesLessons(Lessons):
    """The lessons of Proteus with tiles."""

    def shown(self, before: Tiles, text: str, after: Tiles, learner: Seat) -> Iterator[Lesson]:
        """Yield lessons from a robot's placement, move or exchange."""
        yield from _ended(after, 1 - learner)
        yield Lesson("goal", _(_GOAL))
        move = before.read(1 - learner, text)
        activated = before.turn(1 - learner, move).activated
        if move.sign == PLACE:
            yield _laid(move, activated)
        else:
            yield from _acted(before, move, activated, 1 - learner)
        facts = {**(_MOVING if before.moving else _LAYING), **_ALWAYS}
        for key, sentence in facts.items():
            yield Lesson(key, _(sentence), is_general=True)
        if before.moving and not before.draws:
            yield Lesson("repetition", _(_REPETITION), is_general=True)

    def possible(self, position: Tiles, learner: Seat) -> Iterator[Lesson]:
        """Yield the learner's possible placements, moves and exchanges."""
        moves = list(position.legal_moves(learner))
        if position.lit[2] != NO_TILE:
            yield from _urgent(position, moves, learner)
        for move in moves:
            yield _offer(position, move, learner)


def _ended(after: Tiles, robot: Seat) -> Iterator[Lesson]:
    if after.outcome is None or not after.outcome.winners:
        return
    rule = rule_name(after.lit[2])
    if robot in after.outcome.winners:
        sentence = _("My three pieces fulfil the goal that is awake, {rule}, and yours do not: that wins.")
        yield Lesson("won", sentence.format(rule=rule))
    else:
        sentence = _("Your three pieces fulfil the goal that is awake, {rule}, and mine do not: you have won.")
        yield Lesson("lost", sentence.format(rule=rule))


def _laid(move: Move, activated: tuple[str, ...]) -> Lesson:
    """Return the lesson on a placed tile or piece, and whether it activated a tile."""
    if move.what in DIGIT:
        sentence = _(
            "I have laid the tile {tile} on {space}, asleep. In the first part of the game each of us lays a tile or a piece "
            "a turn; the tiles belong to both of us, and any may go on any space without one."
        )
        return Lesson("laid", sentence.format(tile=tile_short(move.what), space=move.to))
    if not activated:
        sentence = _(
            "I have put my {shape} on {space}. A piece goes on a tile without a piece; that tile has another shape, so "
            "nothing has woken."
        )
        return Lesson("put", sentence.format(shape=shape_name(move.what), space=move.to))
    sentence = _("I have put my {shape} on {space}, on a tile of the same shape: that wakes {tile}. It says: {meaning}")
    tile = TILE[activated[0]]
    words = {"shape": shape_name(move.what), "space": move.to, "tile": tile_short(tile), "meaning": _(MEANINGS[tile])}
    return Lesson("woken", sentence.format(**words))


def _acted(before: Tiles, move: Move, activated: tuple[str, ...], robot: Seat) -> Iterator[Lesson]:
    """Yield lessons on a move or exchange: what made it possible, and what it activated."""
    if move.sign == EXCHANGE:
        sentence = _(
            "The tiles of {one} and {other} have changed places, by the Trade tile that is awake, {rule}: {meaning} The "
            "pieces stay where they are."
        )
        trade = before.lit[1]
        words = {"one": move.what, "other": move.to, "rule": rule_name(trade), "meaning": _(MEANINGS[TILE[trade]])}
        yield Lesson("exchanged", sentence.format(**words))
    else:
        start = before.pieces.index(move.what if robot == 0 else move.what.upper())
        sentence = _("My {shape} has gone from {start} to {space}, by the Move tile that is awake, {rule}: {meaning}")
        rule = before.lit[0]
        words = {"shape": shape_name(move.what), "start": _space(start), "space": move.to, "rule": rule_name(rule)}
        yield Lesson("moved", sentence.format(**words, meaning=_(MEANINGS[TILE[rule]])))
    if activated:
        tile = TILE[activated[0]]
        sentence = _(
            "So a piece now lies on {tile}, a tile of its own shape, and has woken it; the one of its colour "
            "that was awake sleeps again. What holds now: {meaning}"
        )
        yield Lesson("awoke", sentence.format(tile=tile_short(tile), meaning=_(MEANINGS[tile])))


def _space(number: int) -> str:
    return next(name for name, at in SPACE.items() if at == number)


def _offer(position: Tiles, move: Move, learner: Seat) -> Lesson:
    """Return a lesson that suggests a turn to the learner."""
    example = position.write(learner, move)
    activated = position.turn(learner, move).activated
    words = {"shape": "", "space": move.to, "example": example, "tile": "", "one": move.what}
    if move.what in SHAPES:
        words["shape"] = shape_name(move.what)
    if move.sign == EXCHANGE:
        key, sentence = "you-exchange", _("You can let the tiles of {one} and {space} change places. Write: {example}")
    elif move.sign != PLACE:
        key, sentence = "you-move", _("You can move your {shape} to {space}. For that, write: {example}")
    elif move.what in DIGIT:
        words["tile"] = tile_short(move.what)
        key, sentence = "you-lay", _("You can lay a tile, for example {tile} on {space}. Write: {example}")
    elif activated:
        words["tile"] = tile_short(TILE[activated[0]])
        key, sentence = (
            "you-wake",
            _("Your {shape} has the shape of the tile on {space} and would wake {tile}. Write: {example}"),
        )
    else:
        key, sentence = (
            "you-put",
            _("You can also put a piece on a tile, for example your {shape} on {space}. Write: {example}"),
        )
    return Lesson(key, sentence.format(**words), example)


def _urgent(position: Tiles, moves: list[Move], learner: Seat) -> Iterator[Lesson]:
    """Warn if the learner can win at once, or if most moves would let the robot win at once."""
    thens = [(move, position.after(learner, move)) for move in moves]
    if any(then.end == learner for _move, then in thens):
        yield Lesson("you-win", _("Look closely: you have a move that wins at once."))
        return
    safe = [move for move, then in thens if not _wins_at_once(then, 1 - learner)]
    if 2 * len(safe) < len(moves) and safe:
        example = position.write(learner, safe[0])
        sentence = _("Take care: most of your moves would let me win at once. {example} would not.")
        yield Lesson("you-defend", sentence.format(example=example), example)


def _wins_at_once(position: Tiles, seat: Seat) -> bool:
    if position.end != -1:
        return position.end == seat
    return any(position.turn(seat, move).winner == seat for move in position.legal_moves(seat))
