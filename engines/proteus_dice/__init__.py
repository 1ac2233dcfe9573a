"""Proteus with dice: chess without kings, played with sixteen dice that turn to change.

The rules are those of the publisher's English sheet; the option `pawn_double=first` follows the Italian one. `state` is
a position, `choices` lists the legal moves, `turns` carries them out. Notation, errors and the picture use these, and
`position` combines them all into the `Position` that the service uses.
"""

from __future__ import annotations

from engines.base import Game
from engines.proteus_dice.judge import DiceJudge
from engines.proteus_dice.moves import NOWHERE, Army, Move, Placing, Roll, Setup, Throw, Turn
from engines.proteus_dice.options import Options, PawnDouble, Roulette, WallStreet
from engines.proteus_dice.position import ProteusDice, start
from engines.proteus_dice.presentation import PRESENTATION
from engines.proteus_dice.words import PIECES
from engines.vocabulary import Vocabulary
from engines.wording import N_

__all__ = [
    "GAME",
    "NOWHERE",
    "Army",
    "Move",
    "Options",
    "PawnDouble",
    "Placing",
    "ProteusDice",
    "Roll",
    "Roulette",
    "Setup",
    "Throw",
    "Turn",
    "WallStreet",
]

NOTATION = N_(
    """\
A turn is a move, a slash and the die you turn: c3/f2=B moves a pawn to c3 and turns the die on f2 \
to a bishop.
Moves are written as in chess: Y pyramid, P pawn (no letter in front), B bishop, N knight, R rook, \
Q queen; Nxe5/a1=Y captures, Rad4/c1=B and Q1d4/c1=B tell apart, ^ marks a backstab: Re6^/a2=B.
You can always write both squares: d3-e5/a1=Y. f2+ and f2- turn one step up or down.
A move that ends the game stands alone: Rxh8. A double rotation (Trade-Off): f2==N.
Roulette before the rotation: Bxc5, then, when the throw is known, f2=B.
Wall Street: army QPPPPPPP and placing Q@b2, or setup PPBPNPPP for the files a to h."""
)

GAME = Game(
    key="proteus-dice",
    name=N_("Proteus with dice"),
    seats=ProteusDice.SEATS,
    Options=Options,
    start=start,
    has_chance=lambda options: options.roulette != Roulette.NONE or options.wall_street != WallStreet.NONE,
    notation=NOTATION,
    vocabulary=Vocabulary(
        signs=PIECES,
        faces="".join(PIECES),
        row=8,
        values="123456",
        openers=("army", "setup", "schieramento", "esercito"),
        moves=(r"(?:army|setup) [pbnrqyk](?:[ ,]*[pbnrqyk]){6,8}", r"roll [1-6]-[1-6]|\{[a-z]\}"),
        aliases={"regina": "queen", "dama": "queen"},
    ),
    from_text=ProteusDice.from_text,
    presentation=PRESENTATION,
    judge=DiceJudge(),
)
"""The game Proteus with dice."""
