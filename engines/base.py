"""The contract of every game: seats, moves, positions, outcomes and refusals.

A position is an immutable value that knows the rules and nothing else. Resigning,
clocks, draw offers and talk belong to the service; dice and bags are a seat of
their own (`CHANCE`), whose moves are recorded like anybody's, so that a record
replays without a generator.
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
"""The seat of dice and bags, whose moves are drawn at random."""

Viewer = Seat | None
"""The seat that is looking; None is an onlooker, who knows no secrets."""

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winners` is empty for a draw or an unsolved puzzle; `reason` is English, marked
    for translation, and ends the sentence “White wins by …” or “A draw by …”;
    `scores` counts per seat where the game has scores.
    """

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GuideLine:
    """One line of help on notation: a move that can be played now, or "", and its explanation."""

    example: str
    words: str


class MoveError(Refusal):
    """A refusal: str() is a sentence for the player, `suggestions` are texts to try instead."""

    def __init__(self, sentence: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.suggestions = suggestions


class NotationError(MoveError):
    """The text does not read as a move at all."""


class AmbiguousMove(MoveError):
    """The text reads as several legal moves; `suggestions` name each."""


class IllegalMove(MoveError):
    """The text reads as a move that the rules forbid here; the sentence says why."""


class UnfinishedMove(MoveError):
    """Raised if the text begins a legal move; `suggestions` complete it.

    The sentence says what is missing.
    """


class Hidden(MoveError):
    """The answer depends on something that this position does not show.

    Only positions with blanks raise it, as `view` makes them for viewers who may not see everything.
    """

    def __init__(self, sentence: str = "", suggestions: tuple[str, ...] = ()) -> None:
        unseen = _("The result depends on something that is hidden from you.")
        super().__init__(sentence or unseen, suggestions)


class Position(ABC, Generic[M]):
    """One position of a game: a frozen, slotted dataclass of plain values.

    M is the game's type of move. A position with blanks (see `view`) also answers every question: with what it shows,
    or with a MoveError, which is `Hidden` if the answer depends on a blank. It raises nothing else.
    """

    __slots__ = ()
    SEATS: ClassVar[tuple[str, ...]] = ()
    """The English names of the seats, for sentences."""

    # -- what every game says ------------------------------------------------------

    @property
    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now: () exactly when `outcome` is set, (CHANCE,) for a random draw,
        several seats when each hands in a sealed choice, in any order."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def legal_moves(self, seat: Seat) -> Iterator[M]:
        """Every legal move of `seat`, lazily, in a fixed order; depends only on what `seat` can see.

        None for a seat that is not to act; among blanks those that are legal whatever is hidden.
        """

    @abstractmethod
    def after(self, seat: Seat, move: M) -> Self:
        """The next position, forced passes taken; the move is not checked. Raises Hidden."""

    @abstractmethod
    def write(self, seat: Seat, move: M) -> str:
        """The canonical notation of a legal move in this position. Raises Hidden."""

    @abstractmethod
    def draw(self) -> Scene:
        """The picture of everything in this position."""

    # -- defaults that games keep or sharpen ---------------------------------------

    def write_all(self, seat: Seat, moves: Iterable[M]) -> list[str]:
        """Return the canonical notation of several legal moves, as `write` does.

        A page lists hundreds.
        """
        return [self.write(seat, move) for move in moves]

    def write_long(self, seat: Seat, move: M) -> str:
        """The long form of a legal move, complete without seeing the board."""
        return self.write(seat, move)

    def objection(self, seat: Seat, move: M) -> str | None:
        """Why the move is not legal, as a sentence; None exactly on legal moves."""
        if any(move == legal for legal in self.legal_moves(seat)):
            return None
        return _("That is not possible here.")

    def parse(self, seat: Seat, text: str) -> M:
        """The legal move that `text` names: canonical, long form, or any unambiguous case of them.

        Raises a MoveError that says what is wrong and suggests what is possible.
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
        """The move as a path of touches on the picture: square names, tray tokens, labelled choices.

        Within one position paths are unique and none is the beginning of another.
        """
        return (self.write(seat, move),)

    def first_touch(self, seat: Seat, move: M) -> str:
        """Return the first touch of a legal move, as in `touches`; a page needs it for hundreds."""
        return self.touches(seat, move)[0]

    def way(self, seat: Seat, move: M) -> tuple[str, ...]:
        """Return the squares that the move crosses, from start to end; () if no path is drawn.

        Anyone who may see this position may see the path, so it must show nothing that `view` hides.
        """
        return ()

    def random_move(self, seat: Seat, rng: random.Random) -> M:
        """Draw a random move, uniform unless the game weights its draws.

        Raises MoveError for a seat that is not to act, and Hidden if blanks hide which moves are legal.
        """
        self._must_act(seat)
        moves = list(self.legal_moves(seat))
        if not moves:
            raise Hidden()
        return rng.choice(moves)

    def view(self, viewer: Viewer) -> Self:
        """What `viewer` may know: a new position with blanks. Idempotent; the whole truth once over."""
        return self

    def imagine(self, viewer: Viewer, rng: random.Random) -> Self:
        """A full position that `view(viewer)` cannot tell from this one, for search and for tests."""
        return self

    @property
    def keeps_secrets(self) -> bool:
        """Whether `tell` may ever write a move of this game differently from `write`."""
        return type(self).tell is not Position.tell

    def tell(self, seat: Seat, move: M, viewer: Viewer, now: Position[M]) -> str:
        """Return how `viewer` may see a move made here when the game stands at `now`.

        Raises Hidden.
        """
        return self.write(seat, move)

    def guide(self, seat: Seat) -> tuple[GuideLine, ...]:
        """Return help on the moves of this position for `seat`; empty if `Game.notation` is enough."""
        return ()

    def said(self, move: M) -> str:
        """Describe a random draw in a sentence for the players; "" if its notation is enough."""
        return ""

    # -- what the service calls ----------------------------------------------------

    @final
    def read(self, seat: Seat, text: str) -> M:
        """Return the legal move that `seat` writes as `text`; raise MoveError, which leaks nothing.

        Other signs and words are folded into the notation if exactly one legal move results.
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
        """The next position; raises IllegalMove when the rules forbid the move."""
        self._must_act(seat)
        objection = self._seen_by(seat).objection(seat, move)
        if objection is not None:
            raise IllegalMove(objection)
        return self.after(seat, move)

    @final
    def scene(self, viewer: Viewer) -> Scene:
        """The picture as `viewer` may see it."""
        return self.view(viewer).draw()

    def _read_folded(self, seat: Seat, text: str, found: dict[str, M], refusal: MoveError | None = None) -> M:
        """Return the one legal move named by a text or its foldings.

        `found` and `refusal` are the result of reading the text itself.
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
            sentence = _("{text} could be {texts}.").format(text=quoted(text), texts=listing(tuple(found)))
            raise AmbiguousMove(sentence, tuple(found))
        undecided = [one for one in refusals if isinstance(one, AmbiguousMove | UnfinishedMove)]
        if found and (refusal is None or not undecided):
            return found.popitem()[1]
        first = next(iter((*undecided, *(one for one in refusals if not isinstance(one, NotationError)), *refusals)))
        first.suggestions = first.suggestions or self._nearest(seat, text)
        raise first

    def _nearest(self, seat: Seat, text: str) -> tuple[str, ...]:
        """The legal texts nearest to what was written; none where no move can be told from blanks."""
        try:
            return nearest(text, self.write_all(seat, list(islice(self.legal_moves(seat), COMPARED))))
        except Hidden:
            return ()

    def _seen_by(self, seat: Seat) -> Self:
        return self if seat == CHANCE else self.view(seat)

    def _must_act(self, seat: Seat) -> None:
        """Raise MoveError, with a sentence, for a seat that is not to act."""
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
    """A game as the service knows it.

    `Options` is a frozen dataclass of bool, `Annotated[int, Between(a, b)]` and Enum fields,
    all with defaults; `start` makes the first position from it; `notation` is a few English
    lines that teach the notation; `version` is raised whenever an old record would replay
    differently; `vocabulary` are the words of the notation, by which a slip is told from talk;
    `from_text` reads a position written as a line of text, with the options that hold in it;
    `presentation` is how the game is introduced and taught; `hint` is a move towards the solution of
    a solitaire game, or None; `judge` is the robot's evaluation; `has_chance` says
    whether chance acts under these options. The last six are optional.
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
    """The text without blanks and letter case, for lenient comparison."""
    return "".join(text.split()).casefold()


def quoted(text: str) -> str:
    """Quote what a person wrote for use in a sentence: one short line in quotation marks."""
    line = " ".join(text.split())
    return f"“{line[:40]}…”" if len(line) > 40 else f"“{line}”"


def not_a_move(text: str, near: tuple[str, ...]) -> str:
    """Say that a text does not read as a move."""
    if not near:
        return _("{text} is not a move here.").format(text=quoted(text))
    return _("{text} is not a move here. Try {near}.").format(text=quoted(text), near=listing(near))
