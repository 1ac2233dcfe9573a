"""Games: lists, one game as the member may see it, legal moves, moves and their preview."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from flask import Response
from pydantic import Field
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from correspondence.api.access import member
from correspondence.api.acting import for_player
from correspondence.api.calls import Input, Query, ResponseBody, call
from correspondence.api.shapes import (
    Cursor,
    Game,
    GamesPage,
    Lines,
    MoveText,
    Number,
    OpenOffer,
    Talk,
    game_out,
    games_page,
)
from correspondence.archive.search import Criteria
from correspondence.models import ApiScope, By, Offer, OfferKind, Player
from correspondence.models.loading import known_match, locked, moves_of
from correspondence.play import matches, puzzles, record_moves, stale_moves, take_backs
from correspondence.play.standing_offers import number_of
from correspondence.queries.game_lists import by_urgency, played_by
from correspondence.queries.queries import PAGE, acting_position, finished_list, game_view, record_of, running_list
from correspondence.queries.view_models import TurnView
from correspondence.render.viewer_game import check_move, some_moves
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.wording import N_, _

MOST_MOVES = 2_000
"""Maximum number of legal moves that one call lists."""

_NOT_YOUR_TURN = N_("It is not your turn in this game.")


class GameState(StrEnum):
    """Which of the member's games to list."""

    RUNNING = "running"
    WAITING = "waiting"
    FINISHED = "finished"


class GamesQuery(Cursor):
    """The filter for the member's games.

    Running games are all listed, finished ones in pages; `waiting` selects games in which it is the member's turn.
    """

    state: GameState = GameState.RUNNING


@call("GET", "/games", topic="games", asks=GamesQuery, answers=GamesPage)
def mine(query: GamesQuery) -> GamesPage:
    """List the member's games: running ones by urgency, or finished ones, latest first."""
    with reading() as db:
        if query.state == GameState.FINISHED:
            found = finished_list(db, Criteria(player=member().handle), before=query.before)
            return games_page(found.cards(member().id), PAGE)
        cards = by_urgency(played_by(db, member().id).cards(member().id))
    shown = tuple(card for card in cards if card.my_turn or query.state == GameState.RUNNING)
    return games_page(shown, len(shown) + 1)


class WatchQuery(Query):
    """The games of one kind, by its key, or of all; pages are counted from 0."""

    game: str = Field(default="", max_length=40)
    page: int = Field(default=0, ge=0, le=1000)


@call("GET", "/watch", topic="games", asks=WatchQuery, answers=GamesPage)
def watch(query: WatchQuery) -> GamesPage:
    """List the running games that anyone can watch, latest move first; `next` is the next page."""
    with reading() as db:
        cards = running_list(db, game=query.game, page=query.page).cards(member().id)
    shown = games_page(cards, PAGE)
    return shown.model_copy(update={"next": query.page + 1 if shown.next is not None else None})


class MomentQuery(Query):
    """The number of entries after which the game is shown; the current position by default."""

    ply: Number | None = None


@call("GET", "/games/<number:number>", topic="games", asks=MomentQuery, answers=Game)
def show(number: int, query: MomentQuery) -> Game:
    """Return a game as the member may see it.

    With `ply` it is an earlier position. Hidden information is open once the game is over.
    """
    return shown_game(number, query.ply)


def shown_game(number: int, ply: int | None = None) -> Game:
    """A game as the member may see it; raises NotFound."""
    with reading() as db:
        seen = game_view(db, number, member().id, ply, now=current_runtime().now())
        if seen is None:
            raise NotFound
        offers = _offers(db, number) if seen.card.mine is not None and not seen.card.is_over else []
        match = known_match(db, number)
    return game_out(seen, offers, match.takebacks if match is not None else 0)


def _offers(db: Session, number: int) -> list[OpenOffer]:
    return [_offer(db, offer) for offer in record_moves.open_offers(db, number)]


def _offer(db: Session, offer: Offer) -> OpenOffer:
    moves = take_backs.last_and_after(moves_of(db, offer.match_id), offer.seat)
    return OpenOffer(
        number=number_of(offer),
        kind=offer.kind,
        seat=offer.seat,
        days=offer.days or None,
        plies=[move.ply for move in moves] if offer.kind == OfferKind.TAKEBACK else None,
    )


@call("GET", "/games/<number:number>/record", topic="games", media="text/plain")
def record(number: int) -> Response:
    """Return the record of a game with its evidence, redacted for the member.

    `flask verify` checks it.
    """
    runtime = current_runtime()
    with reading() as db:
        body = record_of(db, number, member().id, signer=runtime.signer, now=runtime.now())
    if body is None:
        raise NotFound
    return Response(body, mimetype="text/plain")


class LegalQuery(Query):
    """The maximum number of moves to list."""

    most: int = Field(default=500, ge=1, le=MOST_MOVES)


class LegalMoves(ResponseBody):
    """Legal moves in notation, in a fixed order, for the position after `ply` entries.

    `has_more` is true if not all are listed.
    """

    ply: int
    moves: list[str]
    has_more: bool


@call("GET", "/games/<number:number>/legal", topic="games", asks=LegalQuery, answers=LegalMoves)
def legal(number: int, query: LegalQuery) -> LegalMoves:
    """List the legal moves of the member; 409 if it is not their turn."""
    turn = _turn(number)
    found = some_moves(turn.position, turn.seat, query.most + 1)
    return LegalMoves(ply=turn.ply, moves=list(found[: query.most]), has_more=len(found) > query.most)


def _turn(number: int) -> TurnView:
    """The member's turn in a game.

    Raises NotFound if they may not see the game, MatchError if it is not their turn.
    """
    with reading() as db:
        match = known_match(db, number)
        if match is None or not puzzles.may_see(db, match, member().id):
            raise NotFound
        turn = acting_position(db, number, member().id)
    if turn is None:
        raise matches.MatchError(_(_NOT_YOUR_TURN))
    return turn


class PreviewIn(Input):
    """A complete or partial move."""

    move: MoveText


class Preview(ResponseBody):
    """The effect of a text as a move: `good`, `unfinished` or `wrong`, with an explanation.

    `text` is the move in the notation; `suggestions` are possible continuations.
    """

    ply: int
    state: str
    sentence: str
    text: str
    suggestions: list[str]


@call("POST", "/games/<number:number>/preview", topic="games", takes=PreviewIn, answers=Preview)
def preview(number: int, body: PreviewIn) -> Preview:
    """Preview a move without playing it; 409 if it is not the member's turn."""
    turn = _turn(number)
    check = check_move(turn.position, turn.seat, body.move)
    return Preview(
        ply=turn.ply,
        state=check.state,
        sentence=check.explanation,
        text=check.text,
        suggestions=list(check.suggestions),
    )


class MoveIn(Input):
    """A move for the position after `ply` entries.

    The comment and the conditional moves are optional.

    `takebacks` is the value of the game that the program has seen. With it, a move that is sent again after a takeback
    is refused. `is_meant` confirms a comment that was refused because it reads like a move.
    """

    ply: Number
    takebacks: Number | None = None
    move: MoveText
    comment: Talk = ""
    plan: Lines = ""
    is_meant: bool = False


class Played(ResponseBody):
    """The move as recorded, and the game after it.

    `unplanned` says why the conditional moves were not armed.
    """

    move: str
    unplanned: str
    game: Game


@call("POST", "/games/<number:number>/moves", topic="games", scope=ApiScope.PLAY, takes=MoveIn, answers=Played)
def move(number: int, body: MoveIn) -> Played:
    """Play a move. This is idempotent: the same move for the same `ply` is played once.

    Returns 409 if the game has gone on since, 422 with suggestions if the move cannot be played.
    """

    def play(db: Session, player: Player, now: datetime) -> tuple[str, str]:
        match = locked(db, number)
        stale_moves.must_not_be_undone(db, match, player, body.ply, body.takebacks, body.move)
        before = stale_moves.played_at(db, match, player, body.ply, body.move)
        if before is not None:
            return before, ""
        outcome = matches.make_move(
            db, player, body.move, now=now, by=By.API,
            comment=body.comment, ply=body.ply, takebacks=body.takebacks, plan=body.plan, is_meant=body.is_meant,
        )  # fmt: skip
        return outcome.entries[0].text, str(outcome.unplanned or "")

    text, unplanned = for_player(number, play)
    return Played(move=text, unplanned=unplanned, game=shown_game(number))
