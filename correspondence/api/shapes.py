"""What calls take and answer in common: games, their players and entries, terms, and texts that people write."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from correspondence.api.calls import Input, Query, ResponseBody
from correspondence.core.terms import Terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, Policy, TimeControl
from correspondence.models import OfferKind
from correspondence.play.conditional import syntax
from correspondence.play.matches import TALK_LIMIT
from correspondence.queries.view_models import ChatLine, GameCard, GameView, MoveLine, SeatView
from correspondence.web.forms import LARGEST, plain
from correspondence.web.play import LONGEST_MOVE
from engines import codec, text
from engines.options import options_from

MOST_HOURS = 24 * 365
"""More hours than any time control has; which are possible the use cases say."""


def _clean(written: str) -> str:
    return plain(written, len(written))


Word = Annotated[str, Field(max_length=60), AfterValidator(_clean)]
"""A name or a value."""

MoveText = Annotated[str, Field(max_length=LONGEST_MOVE), AfterValidator(_clean)]
"""A move in notation."""

Talk = Annotated[str, Field(max_length=TALK_LIMIT), AfterValidator(_clean)]
"""A remark or comment."""

Lines = Annotated[str, Field(max_length=syntax.LONGEST), AfterValidator(_clean)]
"""Conditional moves as they are written."""

DiceWords = Annotated[str, Field(max_length=1000)]
"""Words for the dice as they were sent: what is wrong with them is refused, and never left out."""

Number = Annotated[int, Field(ge=0, le=LARGEST)]
"""A number of a game, an offer or an entry."""

OptionWords = Annotated[dict[Word, Word], Field(max_length=20)]
"""Options of a game, by name."""


class Cursor(Query):
    """A page of a list: what comes after the one whose `next` was `before`."""

    before: Number | None = None


class PaceIn(Input):
    """A time control: hours in the bank, added after each move, and most in the bank (`bank_hours` if not said)."""

    bank_hours: int = Field(ge=1, le=MOST_HOURS)
    increment_hours: int = Field(default=0, ge=0, le=MOST_HOURS)
    cap_hours: int | None = Field(default=None, ge=1, le=MOST_HOURS)
    policy: Policy = Policy.AUTOMATIC


def time_control_of(pace: PaceIn | None) -> TimeControl:
    """The time control that a program chose, not checked yet; the usual one where it chose none."""
    if pace is None:
        return DEFAULT_TIME_CONTROL
    bank, cap = timedelta(hours=pace.bank_hours), timedelta(hours=pace.cap_hours or pace.bank_hours)
    return TimeControl(bank, timedelta(hours=pace.increment_hours), cap, pace.policy)


class Pace(ResponseBody):
    """A time control, in seconds; after each move the bank is the least of `cap` and what is left plus `increment`."""

    bank: int
    increment: int
    cap: int
    policy: Policy


class TermsOut(ResponseBody):
    """What was agreed on: the options that differ from the usual ones, the pace, and whether the game is rated."""

    game: str
    options: dict[str, str]
    pace: Pace
    rated: bool
    analysis: bool


class Seat(ResponseBody):
    """A player; `bank` is the seconds that were left when the turn began, `deadline` when they run out."""

    seat: int
    name: str
    handle: str
    is_to_move: bool
    deadline: datetime | None
    bank: int


class GameLine(ResponseBody):
    """A game in a list; `seat` is the member's own, null for an onlooker. `ply` counts the entries of its record."""

    number: int
    game: str
    name: str
    ply: int
    seat: int | None
    is_my_turn: bool
    players: list[Seat]
    result: str
    ending: str
    started_at: datetime
    ended_at: datetime | None


class GamesPage(ResponseBody):
    """Games in the order of their list; `next` is the cursor of the following page, null where there is none."""

    games: list[GameLine]
    next: int | None = None


class Entry(ResponseBody):
    """An entry of the record as the member may read it; `seat` -1 is chance, `spent` the seconds it took."""

    ply: int
    seat: int
    text: str
    at: datetime
    spent: int
    by: str
    comment: str


class Remark(ResponseBody):
    """Something said, after so many entries; `audience` says who may read it."""

    handle: str
    text: str
    at: datetime
    ply: int
    audience: str


class OpenOffer(ResponseBody):
    """An offer that its opponent may accept: a draw, a takeback or a pause, by the player in this seat.

    An answer names it by `number`. `plies` are the entries that a takeback would remove, `days` the length of a pause.
    """

    number: int
    kind: OfferKind
    seat: int
    days: int | None = None
    plies: list[int] | None = None


class Game(GameLine):
    """A game after `shown_ply` entries, as the member may see it.

    `position` is the engine's own form of what the member sees, `board` the same as text. `takebacks` changes
    whenever moves are taken back, and if the service lost a machine: together with `ply` it names a position.
    """

    terms: TermsOut
    takebacks: int
    shown_ply: int
    board: str
    position: dict[str, Any]
    entries: list[Entry]
    talk: list[Remark]
    offers: list[OpenOffer]
    commitment: str


def terms_out(terms: Terms) -> TermsOut:
    """Terms as calls answer them."""
    control = terms.time_control
    spans = [int(span.total_seconds()) for span in (control.bank, control.increment, control.cap)]
    pace = Pace(bank=spans[0], increment=spans[1], cap=spans[2], policy=control.policy)
    options = options_from(terms.options)
    return TermsOut(game=terms.game, options=options, pace=pace, rated=terms.rated, analysis=terms.analysis)


def game_line(card: GameCard) -> GameLine:
    """A game of a list as calls answer it."""
    return GameLine(**_of_card(card))


def games_page(cards: tuple[GameCard, ...], most: int) -> GamesPage:
    """A page of `most` games, out of one more where there is a further one."""
    more = cards[most - 1].number if len(cards) > most else None
    return GamesPage(games=[game_line(card) for card in cards[:most]], next=more)


def game_out(seen: GameView, offers: list[OpenOffer], takebacks: int) -> Game:
    """A game as calls answer it; `seen` is redacted for its viewer already."""
    position = seen.viewer_game.at(seen.ply)
    shown = position if seen.card.is_over else position.view(seen.card.viewer)
    return Game(
        **_of_card(seen.card),
        terms=terms_out(seen.terms),
        takebacks=takebacks,
        shown_ply=seen.ply,
        board=text.render(seen.scene, bottom=seen.card.viewer or 0),
        position=json.loads(codec.dump(shown)),
        entries=[_entry(line) for line in seen.lines],
        talk=[_remark(line) for line in seen.talk],
        offers=offers,
        commitment=seen.commitment,
    )


def _of_card(card: GameCard) -> dict[str, Any]:
    return {
        "number": card.number,
        "game": card.key,
        "name": card.game,
        "ply": card.ply,
        "seat": card.viewer,
        "is_my_turn": card.my_turn,
        "players": [_seat(player) for player in card.players],
        "result": card.result,
        "ending": card.ending,
        "started_at": card.started_at,
        "ended_at": card.ended_at,
    }


def _seat(player: SeatView) -> Seat:
    return Seat(
        seat=player.seat,
        name=player.seat_name,
        handle=player.handle,
        is_to_move=player.is_to_move,
        deadline=player.deadline,
        bank=int(player.bank.total_seconds()),
    )


def _entry(line: MoveLine) -> Entry:
    spent = int(line.spent.total_seconds())
    return Entry(
        ply=line.ply, seat=line.seat, text=line.text, at=line.at, spent=spent, by=line.by, comment=line.comment
    )


def _remark(line: ChatLine) -> Remark:
    return Remark(handle=line.handle, text=line.text, at=line.at, ply=line.ply, audience=line.audience.value)
