"""Types shared by calls: games, players, entries, terms, and validated texts."""

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
"""An upper limit in hours for validation; use cases check the exact limits."""


def _clean(written: str) -> str:
    return plain(written, len(written))


Word = Annotated[str, Field(max_length=60), AfterValidator(_clean)]
"""A name or a value."""

MoveText = Annotated[str, Field(max_length=LONGEST_MOVE), AfterValidator(_clean)]
"""A move in notation."""

Talk = Annotated[str, Field(max_length=TALK_LIMIT), AfterValidator(_clean)]
"""A remark or comment."""

Lines = Annotated[str, Field(max_length=syntax.LONGEST), AfterValidator(_clean)]
"""Conditional moves as typed."""

DiceWords = Annotated[str, Field(max_length=1000)]
"""Words for the dice, uncut: invalid words are refused, not shortened."""

Number = Annotated[int, Field(ge=0, le=LARGEST)]
"""A number of a game, an offer or an entry."""

OptionWords = Annotated[dict[Word, Word], Field(max_length=20)]
"""Options of a game, by name."""


class Cursor(Query):
    """A page of a list: the items after the page whose `next` was `before`."""

    before: Number | None = None


class PaceIn(Input):
    """A time control: initial bank, increment after each move, and maximum bank, in hours.

    `cap_hours` defaults to `bank_hours`.
    """

    bank_hours: int = Field(ge=1, le=MOST_HOURS)
    increment_hours: int = Field(default=0, ge=0, le=MOST_HOURS)
    cap_hours: int | None = Field(default=None, ge=1, le=MOST_HOURS)
    policy: Policy = Policy.AUTOMATIC


def time_control_of(pace: PaceIn | None) -> TimeControl:
    """The program's time control, not validated yet; the default one if it chose none."""
    if pace is None:
        return DEFAULT_TIME_CONTROL
    bank, cap = timedelta(hours=pace.bank_hours), timedelta(hours=pace.cap_hours or pace.bank_hours)
    return TimeControl(bank, timedelta(hours=pace.increment_hours), cap, pace.policy)


class Pace(ResponseBody):
    """A time control, in seconds.

    After each move the bank becomes the remaining time plus `increment`, but at most `cap`.
    """

    bank: int
    increment: int
    cap: int
    policy: Policy


class TermsOut(ResponseBody):
    """The terms of a game: its non-default options, the time control, and whether it is rated."""

    game: str
    options: dict[str, str]
    pace: Pace
    rated: bool
    analysis: bool


class Seat(ResponseBody):
    """A player.

    `bank` is the time left at the start of the turn, in seconds; it runs out at `deadline`.
    """

    seat: int
    name: str
    handle: str
    is_to_move: bool
    deadline: datetime | None
    bank: int


class GameLine(ResponseBody):
    """A game in a list; `seat` is the member's own, null for an onlooker.

    `ply` counts the entries of its record.
    """

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
    """Games in the order of their list; `next` is the cursor of the next page, or null."""

    games: list[GameLine]
    next: int | None = None


class Entry(ResponseBody):
    """An entry of the record, redacted for the member.

    `seat` is -1 for chance; `spent` is in seconds.
    """

    ply: int
    seat: int
    text: str
    at: datetime
    spent: int
    by: str
    comment: str


class Remark(ResponseBody):
    """A remark after `ply` entries; `audience` says who may read it."""

    handle: str
    text: str
    at: datetime
    ply: int
    audience: str


class OpenOffer(ResponseBody):
    """An offer of the player in this seat that the opponent may accept: draw, takeback or pause.

    An answer refers to it by `number`. `plies` are the entries that a takeback would remove, `days` the length of a
    pause.
    """

    number: int
    kind: OfferKind
    seat: int
    days: int | None = None
    plies: list[int] | None = None


class Game(GameLine):
    """A game after `shown_ply` entries, redacted for the member.

    `position` is the engine's encoding of what the member sees, and `board` the same as text. `takebacks` changes
    after every takeback, and if the service lost a server. Together with `ply` it identifies a position.
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
    """Convert terms for an answer."""
    control = terms.time_control
    spans = [int(span.total_seconds()) for span in (control.bank, control.increment, control.cap)]
    pace = Pace(bank=spans[0], increment=spans[1], cap=spans[2], policy=control.policy)
    options = options_from(terms.options)
    return TermsOut(game=terms.game, options=options, pace=pace, rated=terms.rated, analysis=terms.analysis)


def game_line(card: GameCard) -> GameLine:
    """Convert a game of a list for an answer."""
    return GameLine(**_of_card(card))


def games_page(cards: tuple[GameCard, ...], most: int) -> GamesPage:
    """A page of `most` games; an additional game in `cards` means that there is a next page."""
    more = cards[most - 1].number if len(cards) > most else None
    return GamesPage(games=[game_line(card) for card in cards[:most]], next=more)


def game_out(seen: GameView, offers: list[OpenOffer], takebacks: int) -> Game:
    """Convert a game for an answer; `seen` is already redacted for its viewer."""
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
