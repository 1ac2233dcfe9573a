"""Lessons of Plateau from a robot's moves, using only what the learner may see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from engines.base import Hidden, Seat
from engines.plateau.board import NAMES, NUMBER
from engines.plateau.moves import MOVE, ONBOARD, OPEN, PAY, REFUSE, Move
from engines.plateau.notation import captures
from engines.plateau.pieces import FACES, OWNER, longest_unit
from engines.plateau.position import Plateau
from engines.plateau.turns import SIX
from engines.teaching import Lesson, Lessons
from engines.wording import N_, _

LOOKED_AT = 3_000
"""Maximum turns searched for one of each kind."""

HIGH = 4
"""The unit size that deserves a warning."""

_PUT = re.compile(r"\+([a-d][1-4])(/[0-9]+)? ([xbro?]).(,([xbro?]).)?")
_WALK = re.compile(r"([a-d][1-4])(~?)((?:\([0-9]+\)-[a-d][1-4])*)(x[0-9]+)?")
_STEP = re.compile(r"-([a-d][1-4])")

_OPENING = "xxrr"
"""The opening used as an example: a Mute beneath a Red."""

_FACE = {"x": N_("blank up"), "b": N_("blue up"), "r": N_("red up"), "o": N_("orange up")}
"""Phrases for the position of a piece, by its upper face."""

_GOAL = N_(
    "You win with six of your pieces directly upon each other in a stack, or with six prisoners. Of my pieces you see only "
    "what was shown; the rest is secret."
)

_MOVED = {
    "r": N_("My pieces have gone from {start} to {to} with red on top: red goes straight, along a row or a column."),
    "b": N_("My pieces have gone from {start} to {to} with blue on top: blue goes diagonally."),
    "x": N_(
        "My pieces have gone from {start} to {to} with a blank on top: a blank goes in any of the eight directions, but "
        "captures nothing."
    ),
    "o": N_(
        "My pieces have gone from {start} to {to} with orange on top: orange goes one square straight, then one diagonally "
        "onward."
    ),
}
"""Sentences on how a unit moves, by its top face."""

_FACTS = {
    "faces": N_(
        "The face on top says how pieces move: red straight, blue diagonally, a blank in all eight directions, orange like a "
        "knight in chess."
    ),
    "reach": N_(
        "Pieces of one owner that lie directly upon each other are a unit. It goes at most as many squares as it has pieces "
        "when the turn begins; only orange always goes its two steps."
    ),
    "secret": N_(
        "I know as little of your pieces as you know of mine: your hand, and every face of yours that was never shown, are "
        "secret from me."
    ),
    "anywhere": N_("Only the opening is made on the edge: later a new piece may go on any empty square."),
    "weapon": N_(
        "Only a coloured face on top captures. With a blank on top pieces cannot end on a piece of the other side."
    ),
    "most": N_(
        "A capture takes as many enemy pieces beneath as the capturing top unit has pieces, or all if there "
        "are fewer. The capturer's own pieces that lay among them stay, and are free again."
    ),
    "jump": N_("Pieces of either side that are in the way can be jumped."),
    "trade": N_(
        "Prisoners can be exchanged, by their values: Mute 1, Blue 4, Red 5, Blue Mask 8, Red Mask 10, Twister 15, Ace 21."
    ),
    "known": N_(
        "A face that was shown stays known as long as that piece stays on the board, and the pictures keep showing it."
    ),
    "pass": N_("Two passes in a row are a draw; so are 100 turns by each of us without a capture or a new piece."),
}
"""Lessons that are valid at any time, most basic first."""


class PlateauLessons(Lessons):
    """The lessons of Plateau."""

    def shown(self, before: Plateau, text: str, after: Plateau, learner: Seat) -> Iterator[Lesson]:
        """Yield lessons from a robot's turn, as the learner sees it."""
        robot = 1 - learner
        yield from _ended(after, robot)
        put, walk = _PUT.match(text), _WALK.match(text)
        yield Lesson("goal", _opened(put))
        if walk:
            yield from _walked(before, walk, after, robot)
        elif put and not put[4]:
            yield _onboarded(put)
        else:
            yield from _traded(text)
        yield from _warned(after, robot)
        for key, sentence in _FACTS.items():
            yield Lesson(key, _(sentence), is_general=True)

    def possible(self, position: Plateau, learner: Seat) -> Iterator[Lesson]:
        """Yield the learner's possible turns, the first of each kind."""
        moves = list(islice(position.legal_moves(learner), LOOKED_AT))
        if _may_win(position, learner) and any(_wins(position, move, learner) for move in moves):
            yield Lesson("you-win", _("Look closely: you have a move that wins at once."))
        offered: dict[str, Move] = {}
        for move in moves:
            offered.setdefault(_kind(position, move, learner), move)
        for key, sentence in _OFFERS.items():
            if key in offered:
                move = offered[key]
                example = position.write(learner, move)
                words = {"square": NAMES[move.square], "to": NAMES[move.steps[-1]] if move.steps else ""}
                yield Lesson(key, _(sentence).format(example=example, **words), example)


def _opened(put: re.Match[str] | None) -> str:
    if put is None or not put[4]:
        return _(_GOAL)
    sentence = _("I have opened with two pieces on {square}, {face}.")
    return f"{_(_GOAL)} {sentence.format(square=put[1], face=_(_FACE[put[5]]))}"


def _ended(after: Plateau, robot: Seat) -> Iterator[Lesson]:
    if after.outcome is not None and robot in after.outcome.winners:
        if len(after.prisoners[robot]) >= SIX:
            yield Lesson(
                "won", _("I hold six prisoners or more: that wins. Now that the game is over, all faces lie open.")
            )
        else:
            sentence = _("Six of my pieces lie directly upon each other: that wins. Now all faces lie open.")
            yield Lesson("won", sentence)


def _onboarded(put: re.Match[str]) -> Lesson:
    words = {"square": put[1], "face": _(_FACE[put[3]])}
    if put[2]:
        sentence = _(
            "I have put a new piece into the stack on {square}, {face}. In a stack a new piece must touch "
            "one of its owner's, right above or right below; it captures nothing."
        )
        return Lesson("into", sentence.format(**words))
    sentence = _(
        "I have put a new piece on {square}, {face}. Any piece of the hand may go on an empty square, either "
        "side up; the other side stays secret."
    )
    return Lesson("new", sentence.format(**words))


def _walked(before: Plateau, walk: re.Match[str], after: Plateau, robot: Seat) -> Iterator[Lesson]:
    """Yield lessons from a movement or stomp: captures, flips, pieces left behind, the path."""
    start, squares = walk[1], _STEP.findall(walk[3])
    to = squares[-1] if squares else start
    if walk[4]:
        yield _captured(start, to, len(after.prisoners[robot]))
    if walk[2]:
        sentence = _(
            "I have turned over the top piece on {start} before it did anything. That is allowed once in a turn, if its two "
            "faces differ; now you know both."
        )
        yield Lesson("flip", sentence.format(start=start))
    if squares:
        face = FACES[after.stacks[NUMBER[to]][-1]][0]
        if face in _MOVED:
            yield Lesson(f"moved-{face}", _(_MOVED[face]).format(start=start, to=to))
    yield from _left(before, after, squares[:-1])


def _captured(start: str, to: str, held: int) -> Lesson:
    if start == to:
        sentence = _(
            "I have captured what lay under my own pieces on {to}, without moving: a whole unit with a coloured face on top may "
            "do that. Prisoners that I hold now: {held}; six win."
        )
        return Lesson("stomp", sentence.format(to=to, held=held))
    sentence = _(
        "My pieces have landed on {to} with a coloured face on top, and have captured: from the top, as many enemy pieces as my "
        "unit there has itself, or all there are. Prisoners that I hold now: {held}; six win."
    )
    return Lesson("captured", sentence.format(to=to, held=held))


def _left(before: Plateau, after: Plateau, passed: list[str]) -> Iterator[Lesson]:
    """Yield lessons on pieces left or picked up on the way."""
    for square in passed:
        more = len(after.stacks[NUMBER[square]]) - len(before.stacks[NUMBER[square]])
        if more > 0:
            sentence = _(
                "On the way some of my pieces have stayed on {square}: a unit may leave pieces on each square it passes."
            )
            yield Lesson("dropped", sentence.format(square=square))
        elif more < 0:
            sentence = _(
                "On the way my pieces have taken others along from {square}: pieces of one's own may be picked up."
            )
            yield Lesson("picked-up", sentence.format(square=square))


def _traded(text: str) -> Iterator[Lesson]:
    """Yield lessons on an offer of prisoners, or the answer to it."""
    word = text.partition(" ")[0]
    if word == "tender":
        yield Lesson(
            "tender",
            _(
                "I offer you some of my prisoners for some of yours. You may refuse only if each prisoner that you hold is worth "
                "more than all that I offer; else you choose what you pay."
            ),
        )
    elif word == "pay":
        yield Lesson(
            "pay",
            _(
                "I have paid for the exchange: what comes back goes to its owner's hand, and may be put on the board again."
            ),
        )
    elif word == "refuse":
        yield Lesson(
            "refuse", _("I have refused the exchange, because each of my prisoners is worth more than your offer.")
        )


def _warned(after: Plateau, robot: Seat) -> Iterator[Lesson]:
    """Yield warnings: a unit that grows tall, and the learner's pinned pieces."""
    if after.outcome is not None:
        return
    for square, stack in enumerate(after.stacks):
        height = longest_unit(stack, robot)
        if height >= HIGH:
            sentence = _(
                "On {square} I have {count} pieces directly upon each other: with six I win. Captures reduce "
                "that number."
            )
            yield Lesson("high", sentence.format(square=NAMES[square], count=height))
            break
    for square, stack in enumerate(after.stacks):
        owners = [OWNER[piece] for piece in stack]
        if owners and owners[-1] == robot and 1 - robot in owners:
            sentence = _(
                "On {square} my pieces lie on yours, so yours there are pinned. They cannot move until what lies above is gone; "
                "a new piece of yours may still go next to them."
            )
            yield Lesson("pinned", sentence.format(square=NAMES[square]))
            break


_OFFERS = {
    "you-open": N_(
        "Now you open: two pieces of your hand as a stack on an empty square of the edge, the lower one first. For example, "
        "write: {example} – each piece is its upper face, then its lower one: x blank, b blue, r red, o orange."
    ),
    "you-pay": N_("Answer the exchange: {example} gives these prisoners of yours for those that I offer."),
    "you-refuse": N_("You may refuse the exchange. For that, write: {example}"),
    "you-capture": N_(
        "Your pieces on {square} can capture. For example, write: {example} – the number after x says how many."
    ),
    "you-new": N_("You can put a new piece on any empty square, for example on {square}. Write: {example}"),
    "you-move": N_(
        "Your pieces on {square} can move, for example to {to}. Write: {example} – the number in brackets says how many go on "
        "from there."
    ),
    "you-into": N_(
        "You can also put a new piece into the stack on {square}, next to one of yours. Write: {example} – "
        "the number after the slash says how many pieces lie beneath it."
    ),
    "you-flip": N_(
        "With ~ you turn the top piece over before it moves. On {square} you can do so, for example: {example}"
    ),
}
"""Lessons on what the learner can do, most urgent and most basic first."""


def _kind(position: Plateau, move: Move, learner: Seat) -> str:
    if move.kind == OPEN:
        return "you-open" if move.pieces == _OPENING else ""
    if move.kind == ONBOARD:
        return "you-into" if position.stacks[move.square] else "you-new"
    if move.kind == MOVE:
        return "you-capture" if captures(position, learner, move) else "you-flip" if move.flip else "you-move"
    return {PAY: "you-pay", REFUSE: "you-refuse"}.get(move.kind, "")


def _may_win(position: Plateau, learner: Seat) -> bool:
    """Whether a win is possible now: it needs many pieces on the board, or some prisoners."""
    own = sum(OWNER[piece] == learner for stack in position.stacks for piece in stack)
    return own + 1 >= SIX or 2 * len(position.prisoners[learner]) >= SIX


def _wins(position: Plateau, move: Move, learner: Seat) -> bool:
    if move.kind == MOVE and len(position.prisoners[learner]) + captures(position, learner, move) >= SIX:
        return True
    try:
        outcome = position.after(learner, move).outcome
    except Hidden:
        return False
    return outcome is not None and learner in outcome.winners
