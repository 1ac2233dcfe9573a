"""What pages show: people, matches, talk and challenges as plain frozen values, made for one viewer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from correspondence.core.time_control import TimeControl
from correspondence.models import Audience, By, Purpose
from correspondence.render.viewer_game import ViewerGame
from engines.base import Position, Seat, Viewer
from engines.scene import Scene


@dataclass(frozen=True, slots=True)
class Member:
    """A person as the pages know the one who is signed in; `waiting` counts games that wait for a move.

    `visit` is the number of the web session; `is_to_be_noted`, whether it is long ago that its use was noted.
    """

    id: int
    handle: str
    language: str
    zone: str
    text_only: bool
    turn_letters: bool
    talk_letters: bool
    reminders: bool
    receipts: bool
    confirm_moves: bool
    joined_at: datetime
    waiting: int = 0
    visit: int = 0
    is_to_be_noted: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """Who sits where in a match: `acting` while the clock runs, which it does until `deadline`.

    `bank` is the time left when the turn began; `is_unreachable`, which only players are told, that letters do
    not arrive.
    """

    seat: Seat
    seat_name: str
    handle: str
    person_id: int
    acting: bool
    deadline: datetime | None
    bank: timedelta
    won: bool
    is_unreachable: bool = False


@dataclass(frozen=True, slots=True)
class GameCard:
    """A match in a list; `viewer` is the reader's seat, None for an onlooker."""

    number: int
    key: str
    game: str
    ply: int
    sitters: tuple[SeatView, ...]
    viewer: Viewer
    result: str
    ending: str
    started_at: datetime
    ended_at: datetime | None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.ended_at is not None

    @property
    def mine(self) -> SeatView | None:
        """The reader's own seat."""
        return None if self.viewer is None else self.sitters[self.viewer]

    @property
    def others(self) -> tuple[SeatView, ...]:
        """Everybody at the board but the reader."""
        return tuple(sitter for sitter in self.sitters if sitter.seat != self.viewer)

    @property
    def my_turn(self) -> bool:
        """Whether the reader is to act."""
        return self.mine is not None and self.mine.acting

    @property
    def deadline(self) -> datetime | None:
        """When the time of the reader runs out, or else that of whoever is to act."""
        if self.mine is not None and self.mine.deadline is not None:
            return self.mine.deadline
        return min((s.deadline for s in self.sitters if s.deadline is not None), default=None)


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One entry as its viewer may read it; `seat` is -1 for lots."""

    ply: int
    seat: Seat
    who: str
    text: str
    at: datetime
    spent: timedelta
    by: str
    comment: str


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Words about a game: who said what, when, after how many entries, and who else may read it.

    `with_move` is set for words that came with a move: they belong to the record, which everybody may read when
    the match is over. `number` is the public one of a remark, 0 for words with a move; `row` is that of its row, which
    no page ever shows.
    """

    handle: str
    text: str
    at: datetime
    ply: int
    audience: Audience = Audience.PLAYERS
    with_move: bool = False
    number: int = 0
    row: int = 0


@dataclass(frozen=True, slots=True)
class GameView:
    """A match on its page, as its viewer may see it after `ply` of its entries.

    `talk` holds what this viewer may read of what was said. `seen_ply` is how many entries there were when he
    last looked, for an onlooker all; `is_unshown` whether something here was not on a page of this player before;
    `analysis` says whether moves may be tried while the match runs; `pulse`
    changes whenever this page would look different.
    """

    card: GameCard
    options: dict[str, str]
    terms: TimeControl
    ply: int
    scene: Scene
    lines: tuple[MoveLine, ...]
    talk: tuple[ChatLine, ...]
    draw_from: SeatView | None
    course: ViewerGame
    seen_ply: int
    is_unshown: bool
    analysis: bool
    daily: date | None
    pulse: str

    @property
    def fresh(self) -> tuple[MoveLine, ...]:
        """What others, lots, and the viewer's own plan have played since the viewer last looked."""
        since = self.lines[self.seen_ply :]
        return tuple(line for line in since if line.seat != self.card.viewer or line.by == By.PLAN)

    @property
    def last_remark(self) -> int:
        """The public number of the last remark that stands here; 0 where there is none."""
        last = max(self.talk, key=lambda said: said.row, default=None)
        return last.number if last else 0

    @property
    def is_latest(self) -> bool:
        """Whether this is where the match stands."""
        return self.ply == self.card.ply


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player who is to act stands: the position, his seat, and how many entries were played."""

    position: Position[Any]
    seat: Seat
    ply: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """An open challenge: `challenger` plays `seat_name`, or lots are drawn where it is empty.

    `waits` says, to the challenger, that the opponent is away; empty otherwise.
    """

    number: int
    challenger: str
    opponent: str
    key: str
    game: str
    options: str
    terms: TimeControl
    seat_name: str
    at: datetime
    rated: bool
    waits: str = ""


@dataclass(frozen=True, slots=True)
class LinkPurpose:
    """What a link from a letter asks to do, for its page: nothing is done by looking."""

    number: int
    purpose: Purpose
    handle: str
    match: int | None


@dataclass(frozen=True, slots=True)
class Profile:
    """A member as others see him: `tally` counts won, lost and drawn games, by key and name of the game."""

    handle: str
    joined_at: datetime
    tally: tuple[tuple[str, str, int, int, int], ...]
    playing: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
