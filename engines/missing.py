"""Placeholders for stored games whose rules are not installed: a name and an error message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Self

from engines.base import Game, MoveError, Outcome, Position, Seat
from engines.scene import Scene
from engines.wording import N_, _

SEATS = (N_("First"), N_("Second"))
"""Names of the seats of an unknown game."""


class UnknownGame(MoveError):
    """Raised if a stored game's rules are not installed; str() is a sentence for the reader."""

    def __init__(self, key: str) -> None:
        super().__init__(
            _(
                "The game “{key}” is not installed here at the moment, so it can be neither shown nor played. "
                "Nothing of it is lost, and its clocks are stopped until it is back."
            ).format(key=key[:40])
        )


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Options of an unknown game, which cannot be read."""


@dataclass(frozen=True, slots=True)
class Missing(Position[str]):
    """Position of a stored game without installed rules.

    Nobody can act, and its picture is a sentence.
    """

    SEATS: ClassVar[tuple[str, ...]] = SEATS

    key: str

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act: none."""
        return ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, which is unknown: None."""
        return None

    def legal_moves(self, seat: Seat) -> Iterator[str]:
        """Yield no moves."""
        return iter(())

    def after(self, seat: Seat, move: str) -> Self:
        """Raise UnknownGame, since no move can be carried out."""
        raise UnknownGame(self.key)

    def write(self, seat: Seat, move: str) -> str:
        """Raise UnknownGame, since no move can be written."""
        raise UnknownGame(self.key)

    def draw(self) -> Scene:
        """Draw a picture without a board that says the rules are not installed."""
        sentence = str(UnknownGame(self.key))
        return Scene(self.key, sentence, (), (), (), notes=(sentence,))

    def _must_act(self, seat: Seat) -> NoReturn:
        raise UnknownGame(self.key)


def stand_in(key: str) -> Game:
    """Return a placeholder game for lists: the key as its name, and two seats."""

    def start(_options: Any) -> Missing:
        return Missing(key)

    return Game(key=key, name=key, seats=SEATS, Options=NoOptions, start=start, notation="")
