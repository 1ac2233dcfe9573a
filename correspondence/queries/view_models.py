"""View models: people, matches, talk and challenges as frozen values for one viewer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from correspondence.accounts.accounts import DEPARTED
from correspondence.core.terms import Terms
from correspondence.fairness.evidence import Evidence
from correspondence.models import PLAYING, ApiScope, Audience, By, OfferKind, Purpose
from correspondence.render.viewer_game import ViewerGame
from engines.base import Position, Seat, Viewer
from engines.scene import Scene
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Member:
    """The signed-in person; `waiting` counts the games in which it is their turn.

    `session_id` is the id of the web session; `needs_note` is whether its use should be recorded again.
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
    steps_on: bool
    list_keys: bool
    list_view: str
    games_limit: int | None
    board: str
    archive_licence: str
    joined_at: datetime
    suspended_at: datetime | None = None
    suspended_until: datetime | None = None
    suspended_for: str = ""
    waiting: int = 0
    session_id: int = 0
    needs_note: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A program acting for a member; `needs_note`: its token's use should be recorded again."""

    token_id: int
    member: Member
    scope: ApiScope
    is_ended: bool
    needs_note: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """A player in a match; `deadline` is when their time runs out.

    `bank` is the time left when the turn began. `is_unreachable` is whether letters to them bounce; only players may
    know it.
    """

    seat: Seat
    seat_name: str
    handle: str
    person_id: int
    is_to_move: bool
    deadline: datetime | None
    bank: timedelta
    won: bool
    is_unreachable: bool = False


@dataclass(frozen=True, slots=True)
class GameCard:
    """A match in a list; `viewer` is the reader's seat, None for an onlooker.

    `origin`: where its record is from, in words, if it was imported and not signed by a key of this service.
    """

    number: int
    key: str
    game: str
    ply: int
    players: tuple[SeatView, ...]
    viewer: Viewer
    result: str
    ending: str
    started_at: datetime
    ended_at: datetime | None
    origin: str = ""
    moved_at: datetime | None = None
    """When the turn of a player to move began; None if nobody is to move."""
    offers: tuple[OfferKind, ...] = ()
    """What an opponent offers the reader."""

    @property
    def outcome(self) -> str:
        """How the game ended for the reader, in words; empty for an onlooker and in a running game."""
        if not self.is_over or self.mine is None:
            return ""
        if self.result == PLAYING:
            return _("called off")
        if self.result == "1/2-1/2":
            return _("drawn")
        if not self.others:
            return _("solved") if self.mine.won else _("given up")
        return _("you won") if self.mine.won else _("you lost")

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.ended_at is not None

    @property
    def mine(self) -> SeatView | None:
        """The reader's own seat."""
        return None if self.viewer is None else self.players[self.viewer]

    @property
    def others(self) -> tuple[SeatView, ...]:
        """All players except the reader."""
        return tuple(player for player in self.players if player.seat != self.viewer)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The handles of all players except the reader."""
        return tuple(player.handle for player in self.others)

    @property
    def can_be_played_again(self) -> bool:
        """Whether a rematch is possible: the game is over, and an opponent is still a member."""
        return self.is_over and any(handle != _(DEPARTED) for handle in self.opponents)

    @property
    def timed(self) -> tuple[SeatView, ...]:
        """Players whose clock is running."""
        return tuple(player for player in self.players if player.deadline is not None)

    @property
    def my_turn(self) -> bool:
        """Whether it is the reader's turn."""
        return self.mine is not None and self.mine.is_to_move

    @property
    def deadline(self) -> datetime | None:
        """The reader's deadline, or else the earliest of the players to move."""
        if self.mine is not None and self.mine.deadline is not None:
            return self.mine.deadline
        return min((s.deadline for s in self.players if s.deadline is not None), default=None)


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """The evidence about a match, and its record redacted for the viewer."""

    record: str
    evidence: Evidence
    keys: frozenset[str]


class MoveLine(NamedTuple):
    """One entry of the record, redacted for its viewer; `seat` is -1 for chance.

    It is a tuple for speed, because a page makes one for each entry.
    """

    ply: int
    seat: Seat
    who: str
    text: str
    at: datetime
    spent: timedelta
    by: str
    comment: str
    entered_by: str = ""
    """Who entered it from a postal player's card; empty for every other entry."""
    is_contested: bool = False
    """Whether the postal player contests this entry."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A remark or comment, made after `ply` entries; `audience` may read it.

    `with_move` marks comments on moves: they belong to the record, which is public after the match. `number` is the
    public number of a remark, 0 for comments; `row` is its row id, which no page shows.
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
    """A match on its page after `ply` entries, redacted for its viewer.

    `talk` holds the remarks and comments that this viewer may read. `seen_ply` is how many entries the viewer had
    seen; all, for an onlooker. `has_unshown` is whether the page has something new for this player.
    """

    card: GameCard
    options: dict[str, str]
    terms: Terms
    ply: int
    scene: Scene
    lines: tuple[MoveLine, ...]
    talk: tuple[ChatLine, ...]
    draw_offered_by: SeatView | None
    viewer_game: ViewerGame
    seen_ply: int
    has_unshown: bool
    daily: date | None
    commitment: str
    """Commitment to the seed of the match, in hex; empty in older matches."""
    correction: str = ""
    """Reason of the operator who decided its result; empty if none did."""

    @property
    def unseen_lines(self) -> tuple[MoveLine, ...]:
        """Moves of others, chance and the viewer's own plan since the viewer's last visit."""
        since = self.lines[self.seen_ply :]
        return tuple(line for line in since if line.seat != self.card.viewer or line.by == By.PLAN)

    @property
    def last_remark(self) -> int:
        """Public number of the last remark in `talk`; 0 if there is none."""
        last = max(self.talk, key=lambda line: line.row, default=None)
        return last.number if last else 0

    @property
    def is_latest(self) -> bool:
        """Whether this is the current position of the match."""
        return self.ply == self.card.ply


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board, redacted for its viewer; `is_daily`: hidden from people who have not finished it."""

    scene: Scene
    viewer: Viewer
    is_over: bool
    is_daily: bool


@dataclass(frozen=True, slots=True)
class TurnView:
    """A player's turn: position, seat, number of entries, and number of take-backs."""

    position: Position[Any]
    seat: Seat
    ply: int
    takebacks: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """An open challenge: `challenger` plays `seat_name`; empty for a random seat.

    `away_notice` informs the challenger that the opponent is away; empty otherwise. `words` for the dice are shown to
    the challenger alone.
    """

    number: int
    challenger: str
    opponent: str
    game: str
    terms: Terms
    seat_name: str
    at: datetime
    commitment: str
    away_notice: str = ""
    words: str = ""
    program_mark: str = ""
    """Notice that a program plays for the challenger; empty otherwise."""


@dataclass(frozen=True, slots=True)
class LinkPurpose:
    """What a link in a letter does, for its page; `number` is the id of its token."""

    number: int
    purpose: Purpose
    handle: str
    match: int | None
    mails: tuple[str, ...] = ()
    """Addresses concerned: the one to add, or those left after undoing, the main one first."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A member as others see them; `tally` counts wins, losses and draws by game key and name.

    `games` counts all that ended with a result, and `running` all in play; both include deals of the day.
    """

    handle: str
    joined_at: datetime
    tally: tuple[tuple[str, str, int, int, int], ...]
    games: int
    running: int
    playing: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
