"""Plateau: stacks of two-sided disks whose undersides are secret, by Jim Albea.

`pieces` and `board` define the equipment, `state` the position. `moves` and `exchange` list legal moves, and `turns`
carries them out. `hidden` redacts secrets, `notation` and `objections` parse moves and explain errors, `picture` and
`touches` draw the board and the moves on it, `position_text` writes a position as a line of text. `position` combines
them into the `Position` that the service uses.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.base import Game
from engines.plateau.forms import MOVES
from engines.plateau.judge import PlateauJudge
from engines.plateau.moves import Move
from engines.plateau.picture import TYPE_NAMES
from engines.plateau.pieces import LAYS, SEATS, TWELVE, TYPES
from engines.plateau.position import Plateau
from engines.plateau.presentation import PRESENTATION
from engines.vocabulary import Vocabulary
from engines.wording import N_

__all__ = ["GAME", "Move", "Options", "Plateau", "start"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of Plateau, which has none."""


def start(options: Options) -> Plateau:
    """Return the first position: the empty board, both hands full, Black to open."""
    return Plateau(("",) * 16, (TWELVE, TWELVE), openings=2)


GAME = Game(
    key="plateau",
    name=N_("Plateau"),
    seats=SEATS,
    Options=Options,
    start=start,
    has_chance=lambda _options: False,
    notation=N_(
        "Faces are x (blank), b (blue), r (red) and o (orange); a piece is its up face, then its down face.\n"
        "+b1 xx,rb opens with two pieces, the bottom one first; +c3 xr puts a piece on an empty square,\n"
        "+b1/1 xx into a stack, with one piece beneath it; +b1 xx on top of your own.\n"
        "a1-c1 moves the top unit of a1; a1(3)-b1(2)-c1 says how many are carried on from each square.\n"
        "a2~-a3 turns the top piece over first; b2x captures in place. A capture may be marked: a1-b1x2.\n"
        "tender M,BM offers prisoners (M B R BM RM TW A); the answer is pay B,R or refuse."
    ),
    vocabulary=Vocabulary(
        signs={
            **dict(zip(TYPES, TYPE_NAMES, strict=True)),
            **{faces: name for lays, name in zip(LAYS, TYPE_NAMES, strict=True) for faces in lays},
        },
        faces="xrbo",
        openers=("tender", "onboard", "setup", "army"),
        moves=MOVES,
        everyday=(*"red blue blank orange blau rot rouge bleu vuota vuoto rossa rosso blu arancio arancione".split(),),
    ),
    from_text=lambda text, options: Plateau.from_text(text),
    presentation=PRESENTATION,
    judge=PlateauJudge(),
)
"""The game Plateau, for two, without options."""
