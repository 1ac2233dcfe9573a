"""Hidden information in Plateau: redacted positions and moves, and imagined positions.

Faces on the board that no event has shown are secret, and so are hands (rule sheet: “Hidden information”). The sign of
a piece encodes what is public about it, so one table redacts a position.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from engines.plateau.board import NAMES, SQUARES
from engines.plateau.moves import MOVE, ONBOARD, OPEN, Move, can_act
from engines.plateau.notation import write
from engines.plateau.pieces import (
    FACES,
    FRESH,
    HIDING,
    LAYS,
    LEVEL,
    OWNER,
    SIGN,
    STORED,
    TURNED,
    TWELVE,
    TYPE,
    minus,
    types_text,
)
from engines.plateau.state import S, State
from engines.plateau.turns import apply_movement, apply_onboarding

TRIES = 50
"""Maximum attempts to imagine a position in which the seat to act can act."""


def view(position: S, viewer: int | None) -> S:
    """Redact the position for a viewer: `?` for unseen faces, only sizes for unseen hands."""
    if position.end:
        return position
    stacks = tuple(" ".join(position.stacks).translate(HIDING[viewer]).split(" "))
    black, white = position.hands
    return type(position)(
        stacks,
        (black if viewer == 0 else "?" * len(black), white if viewer == 1 else "?" * len(white)),
        position.prisoners,
        position.turn,
        position.tender,
        position.refused,
        position.openings,
        position.passes,
        position.idle,
        position.end,
    )


# -- imagining positions -----------------------------------------------------------


def imagine(position: S, viewer: int | None, rng: random.Random) -> S:
    """Return a random complete position that looks the same to the viewer.

    The seat to act can act, unless no such position is found in TRIES attempts.
    """
    seen = view(position, viewer)
    imagined = _filled(seen, rng)
    for _again in range(TRIES):
        if seen.end or seen.tender or seen.openings or _can_act(imagined):
            break
        imagined = _filled(seen, rng)
    return imagined


def _can_act(position: State) -> bool:
    return can_act(position.stacks, position.hands[position.turn], position.turn) or all(position.prisoners)


def _filled(seen: S, rng: random.Random) -> S:
    stacks, hands = list(seen.stacks), list(seen.hands)
    for seat in (0, 1):
        _fill(stacks, hands, seen.prisoners[1 - seat], seat, rng)
    return type(seen)(
        tuple(stacks),
        tuple(hands),
        seen.prisoners,
        seen.turn,
        seen.tender,
        seen.refused,
        seen.openings,
        seen.passes,
        seen.idle,
        seen.end,
    )


def _fill(stacks: list[str], hands: list[str], captured: str, seat: int, rng: random.Random) -> None:
    """Choose random types for one seat's unseen pieces that are consistent with what is known.

    The remaining pieces become the hand.
    """
    own = [piece for stack in stacks for piece in stack if OWNER[piece] == seat]
    pool = minus(TWELVE, captured + "".join(TYPE[piece] for piece in own if piece in TYPE))
    unseen = [FACES[piece] for piece in own if piece not in TYPE]
    if not unseen and "?" not in hands[seat]:
        return
    faces = iter(_assigned(unseen, pool, rng))
    for square, stack in enumerate(stacks):
        stacks[square] = "".join(
            SIGN[seat, next(faces), LEVEL[piece]] if OWNER[piece] == seat and piece not in TYPE else piece
            for piece in stack
        )
    own = [piece for stack in stacks for piece in stack if OWNER[piece] == seat]
    hands[seat] = minus(TWELVE, captured + "".join(TYPE[piece] for piece in own))


def _assigned(unseen: Sequence[str], pool: str, rng: random.Random) -> list[str]:
    """Choose random faces for partly known pieces, markers first because fewer types have them."""
    order = sorted(range(len(unseen)), key=lambda number: "orbx?".index(unseen[number][0]))
    chosen: dict[int, str] = {}

    def settle(rest: list[int], pool: str) -> bool:
        """Choose faces from `pool` for all of `rest` by backtracking; return False if impossible."""
        if not rest:
            return True
        fits = [faces for digit in pool for faces in LAYS[int(digit)] if _fits(faces, unseen[rest[0]])]
        rng.shuffle(fits)
        for faces in dict.fromkeys(fits):
            chosen[rest[0]] = faces
            if settle(rest[1:], minus(pool, _digit(faces))):
                return True
        return False

    settle(order, pool)
    return [chosen[number] for number in range(len(unseen))]


def _fits(faces: str, known: str) -> bool:
    return known[0] in ("?", faces[0])


def _digit(faces: str) -> str:
    return TYPE[SIGN[0, faces, 0]]


# -- redacting moves ---------------------------------------------------------------


def tell(position: State, seat: int, move: Move, viewer: int | None, over: bool) -> str:
    """Write a move for a viewer: its public form, then in braces what it revealed.

    After the game, and for the player who made it, it is complete.
    """
    text = write(position, seat, move)
    if over:
        return text
    if viewer != seat:
        text = _public(text, move)
    news = _news(position, seat, move)
    return f"{text} {{{'; '.join(news)}}}" if news else text


def _public(text: str, move: Move) -> str:
    """Remove from the text the faces that onlookers do not see."""
    head = text.partition(" ")[0]
    if move.kind == OPEN:
        return f"{head} ??,{move.pieces[2]}?"
    return f"{head} {move.pieces[0]}?" if move.kind == ONBOARD else text


def _news(position: State, seat: int, move: Move) -> list[str]:
    """Return what the move reveals to all, in order: flip, captured pieces, uncovered pieces."""
    if move.kind not in (MOVE, ONBOARD):
        return []
    stacks, news = list(position.stacks), []
    if move.flip:
        news.append(f"flip {FACES[TURNED[stacks[move.square][-1]]]}")
    if move.kind == ONBOARD:
        apply_onboarding(stacks, seat, move, FRESH)
    elif taken := apply_movement(stacks, seat, move, FRESH):
        news.append("takes " + ",".join(types_text(TYPE[piece]) for piece in taken))
    return news + [
        f"{NAMES[square]}/{index}={FACES[piece][0]}?"
        for square in SQUARES
        for index, piece in enumerate(stacks[square])
        if piece not in STORED
    ]
