"""The interface of every game: seats, moves, positions, outcomes and errors.

A position is an immutable value that knows only the rules. Resignation, clocks, draw offers and messages belong to the
service. Chance (dice, bags) has its own seat, `CHANCE`, whose moves are recorded like those of players. So a record
replays without a random generator.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, Generic, Self, TypeVar, final

from engines.folding import CAPITALS, foldings
from engines.judging import Judge
from engines.nearness import COMPARED
from engines.nearness import nearest as nearest
from engines.presentation import NOTHING, Presentation
from engines.refusal import Refusal
from engines.scene import Scene
from engines.vocabulary import NONE, Vocabulary
from engines.wording import _, listing

Seat = int
"""A player, counted from 0 in the order of `Game.seats`; seat 0 moves first by default."""

CHANCE: Seat = -1
"""The seat of chance (dice and bags), whose moves are drawn at random."""

Viewer = Seat | None
"""The seat that views the position; None is an onlooker, who sees no secrets."""

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winners` is empty for a draw or an unsolved puzzle. `reason` is English, marked for translation, and ends the
    sentence “White wins by …” or “A draw by …”. `scores` are by seat, for games with scores.
    """

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One line of notation help: an example of a legal move, or "", and its explanation."""

    example: str
    words: str


class MoveError(Refusal):
    """A rejected move: str() is a sentence for the player, `suggestions` are texts to try."""

    def __init__(self, sentence: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.suggestions = suggestions


class NotationError(MoveError):
    """Raised if the text cannot be read as a move at all."""


class AmbiguousMove(MoveError):
    """Raised if the text can mean several legal moves; `suggestions` lists each."""


class IllegalMove(MoveError):
    """Raised if the text names a move that the rules forbid; str() says why."""


class UnfinishedMove(MoveError):
    """Raised if the text is the beginning of a legal move; `suggestions` complete it.

    str() says what is missing.
    """


class Hidden(MoveError):
    """Raised if the answer depends on hidden information.

    Only redacted positions raise it: those that `view` makes for viewers who may not see everything.
    """

    def __init__(self, sentence: str = "", suggestions: tuple[str, ...] = ()) -> None:
        unseen = _("The result depends on something that is hidden from you.")
        super().__init__(sentence or unseen, suggestions)


class Position(ABC, Generic[M]):
    """One position of a game: a frozen, slotted dataclass of plain values.

    M is the game's type of move. In a redacted position (see `view`) every method answers from the visible parts or
    raises a MoveError, which is `Hidden` if the answer depends on hidden information. It raises nothing else.
    """

    __slots__ = ()
    SEATS: ClassVar[tuple[str, ...]] = ()
    """The English names of the seats."""

    # -- what every game implements ---------------------------------------------------

    @property
    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now.

        () exactly when `outcome` is set; (CHANCE,) for a random draw; several seats for simultaneous sealed choices, in
        any order.
        """

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is in progress."""

    @abstractmethod
    def legal_moves(self, seat: Seat) -> Iterator[M]:
        """Yield every legal move of `seat` in a fixed order; depends only on what `seat` can see.

        Nothing if the seat is not to act. With hidden information, only moves that are legal in every case.
        """

    @abstractmethod
    def after(self, seat: Seat, move: M) -> Self:
        """Return the next position, after forced passes; the move is not checked. Raises Hidden."""

    @abstractmethod
    def write(self, seat: Seat, move: M) -> str:
        """Write a legal move of this position in canonical notation. Raises Hidden."""

    @abstractmethod
    def draw(self) -> Scene:
        """Draw everything in this position."""

    # -- defaults that games may override ---------------------------------------------

    def write_all(self, seat: Seat, moves: Iterable[M]) -> list[str]:
        """Write several legal moves in canonical notation, as `write` does; games may do it faster."""
        return [self.write(seat, move) for move in moves]

    def write_long(self, seat: Seat, move: M) -> str:
        """Write a legal move in long form, which is clear without seeing the board."""
        return self.write(seat, move)

    def objection(self, seat: Seat, move: M) -> str | None:
        """Explain in a sentence why the move is illegal; None if it is legal."""
        if any(move == legal for legal in self.legal_moves(seat)):
            return None
        return _("That is not possible here.")

    def parse(self, seat: Seat, text: str) -> M:
        """Parse `text` into a legal move: canonical, long form, or in any unambiguous letter case.

        Raises a MoveError that explains the fault and has suggestions.
        """
        self._must_act(seat)
        wanted = squeezed(text)
        written = [(self.write(seat, move), move) for move in self.legal_moves(seat)]
        fits = [m for t, m in written if wanted in (squeezed(t), squeezed(self.write_long(seat, m)))]
        if len(fits) == 1:
            return fits[0]
        near = nearest(text, [t for t, _move in written])
        raise NotationError(not_a_move(text, near), near)

    def touches(self, seat: Seat, move: M) -> tuple[str, ...]:
        """Return the touches that enter the move: square names, tray tokens, labelled choices.

        Within a position all paths of touches are different, and none is a prefix of another.
        """
        return (self.write(seat, move),)

    def first_touch(self, seat: Seat, move: M) -> str:
        """Return the first touch of a legal move, as in `touches`; cheaper for hundreds of moves."""
        return self.touches(seat, move)[0]

    def way(self, seat: Seat, move: M) -> tuple[str, ...]:
        """Return the squares along the move's path, from start to end; () if no path is drawn.

        The path is shown to everyone who may see this position, so it must not reveal anything that `view` hides.
        """
        return ()

    def random_move(self, seat: Seat, rng: random.Random) -> M:
        """Draw a random move, uniformly unless the game weights its draws.

        Raises MoveError if the seat is not to act, and Hidden if hidden information decides which moves are legal.
        """
        self._must_act(seat)
        moves = list(self.legal_moves(seat))
        if not moves:
            raise Hidden()
        return rng.choice(moves)

    def view(self, viewer: Viewer) -> Self:
        """Redact the position for `viewer`. Idempotent; nothing is hidden once the game is over."""
        return self

    def imagine(self, viewer: Viewer, rng: random.Random) -> Self:
        """Return a random complete position with the same `view(viewer)`, for search and tests."""
        return self

    @property
    def keeps_secrets(self) -> bool:
        """Whether `tell` may write a move of this game differently from `write`."""
        return type(self).tell is not Position.tell

    def tell(self, seat: Seat, move: M, viewer: Viewer, now: Position[M]) -> str:
        """Write a move made in this position as `viewer` may see it, the game now standing at `now`.

        Raises Hidden.
        """
        return self.write(seat, move)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return notation help for `seat` in this position; empty if `Game.notation` is enough."""
        return ()

    def said(self, move: M) -> str:
        """Describe a random draw in a sentence for the players; "" if its notation is clear enough."""
        return ""

    # -- what the service calls -------------------------------------------------------

    @final
    def read(self, seat: Seat, text: str) -> M:
        """Parse the move that `seat` wrote, also in other spellings.

        The text is folded into the notation if exactly one legal move results. Raises MoveError, which reveals nothing
        hidden.
        """
        self._must_act(seat)
        seen = self._seen_by(seat)
        if seat == CHANCE:
            return seen.parse(seat, text)
        try:
            move = seen.parse(seat, text)
        except MoveError as refusal:
            return seen._read_folded(seat, text, {}, refusal)
        return seen._read_folded(seat, text, {seen.write(seat, move): move}) if text[:1] in CAPITALS else move

    @final
    def play(self, seat: Seat, move: M) -> Self:
        """Play a move and return the next position; raise IllegalMove if the rules forbid it."""
        self._must_act(seat)
        objection = self._seen_by(seat).objection(seat, move)
        if objection is not None:
            raise IllegalMove(objection)
        return self.after(seat, move)

    @final
    def scene(self, viewer: Viewer) -> Scene:
        """Draw the position as `viewer` may see it."""
        return self.view(viewer).draw()

    def _read_folded(self, seat: Seat, text: str, found: dict[str, M], refusal: MoveError | None = None) -> M:
        """Return the one legal move named by a text or its foldings.

        `found` and `refusal` are the result of parsing the unfolded text.
        """
        refusals = [] if refusal is None else [refusal]
        for folded in () if text in found else foldings(text):
            try:
                move = self.parse(seat, folded)
            except MoveError as error:
                refusals.append(error)
            else:
                found[self.write(seat, move)] = move
        if len(found) > 1:
            sentence = _("{text} could mean {texts}.").format(text=quoted(text), texts=listing(tuple(found)))
            raise AmbiguousMove(sentence, tuple(found))
        undecided = [one for one in refusals if isinstance(one, AmbiguousMove | UnfinishedMove)]
        if found and (refusal is None or not undecided):
            return found.popitem()[1]
        first = next(iter((*undecided, *(one for one in refusals if not isinstance(one, NotationError)), *refusals)))
        first.suggestions = first.suggestions or self._nearest(seat, text)
        raise first

    def _nearest(self, seat: Seat, text: str) -> tuple[str, ...]:
        """Return the most similar legal texts; none if legality depends on hidden information."""
        try:
            return nearest(text, self.write_all(seat, list(islice(self.legal_moves(seat), COMPARED))))
        except Hidden:
            return ()

    def _seen_by(self, seat: Seat) -> Self:
        return self if seat == CHANCE else self.view(seat)

    def _must_act(self, seat: Seat) -> None:
        """Raise MoveError, with a sentence, if the seat is not to act."""
        if seat in self.to_act:
            return
        if self.outcome is not None:
            raise MoveError(_("The game is over."))
        if self.to_act == (CHANCE,):
            raise MoveError(_("It is not your turn: chance comes first."))
        raise MoveError(_("It is not your turn: {who} to move.").format(who=self._actors()))

    def _actors(self) -> str:
        return listing(tuple(_(self.SEATS[seat]) for seat in self.to_act), _("and"))


@dataclass(frozen=True, slots=True)
class Game:
    """A game and its metadata.

    `Options` is a frozen dataclass of bool, `Annotated[int, Between(a, b)]` and Enum fields, all with defaults; `start`
    makes the first position from it. `notation` is a few English lines that explain the notation. `version` increases
    whenever old records would replay differently. `vocabulary` are the words of the notation, to distinguish moves from
    talk. `from_text` parses a position text together with its options. `presentation` is the introduction and teaching
    material. `hint` returns a move towards the solution of a solitaire game, or None. `judge` evaluates positions for
    robots. `has_chance` says whether chance acts with these options. The last six are optional.
    """

    key: str
    name: str
    seats: tuple[str, ...]
    Options: type
    start: Callable[[Any], Position[Any]]
    notation: str
    version: int = 1
    vocabulary: Vocabulary = field(default=NONE, compare=False)
    from_text: Callable[[str, Any], Position[Any]] | None = field(default=None, compare=False)
    presentation: Presentation = field(default=NOTHING, compare=False)
    hint: Callable[[Any], Any] | None = field(default=None, compare=False)
    judge: Judge | None = field(default=None, compare=False)
    has_chance: Callable[[Any], bool] = field(default=lambda _options: True, compare=False)


def squeezed(text: str) -> str:
    """Remove blanks and letter case, for lenient comparison."""
    return "".join(text.split()).casefold()


def quoted(text: str) -> str:
    """Quote what a person wrote, shortened to one line, for use in a sentence."""
    line = " ".join(text.split())
    return f"“{line[:40]}…”" if len(line) > 40 else f"“{line}”"


def not_a_move(text: str, near: tuple[str, ...]) -> str:
    """Return the error for a text that cannot be read as a move."""
    if not near:
        return _("{text} is not a move here.").format(text=quoted(text))
    return _("{text} is not a move here. Try {near}.").format(text=quoted(text), near=listing(near))
