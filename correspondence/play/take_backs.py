"""Taking back moves by consent: which moves are removed, and the game without them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, update
from sqlmodel import Session, col

from correspondence.clocks import turns
from correspondence.models import STALE, EventKind, Letter, Match, Move, OfferState, Player, TakenBackMove
from correspondence.models.loading import (
    MadeMove,
    MatchError,
    entries_of,
    game_of,
    moves_of,
    options_of,
    players_of,
    stored,
)
from correspondence.play import game_events, game_letters, standing_offers
from correspondence.play.conditional import plans
from correspondence.play.letter_context import named_moves
from correspondence.play.record_moves import open_offers
from engines.base import CHANCE
from engines.record import positions, replay
from engines.wording import _, ngettext


def moves_to_undo(session: Session, match: Match, player: Player) -> list[MadeMove]:
    """Return the moves removed if a player takes back their last move, oldest first.

    Raises MatchError if they cannot be taken back.
    """
    moves = moves_of(session, match.id)
    removed = last_and_after(moves, player.seat)
    if not removed:
        raise MatchError(_("You have made no move yet that could be taken back."))
    if any(move.seat == CHANCE for move in removed):
        raise MatchError(_("Chance has decided something since that move, so it cannot be taken back."))
    if _is_anything_hidden(match, moves, removed[0].ply - 1):
        raise MatchError(
            _("Something is hidden in this game, and what was seen cannot be unseen, so no move can be taken back.")
        )
    return removed


def asked_sentence(session: Session, player: Player) -> str:
    """Confirm a take-back request in a sentence naming the moves it would remove."""
    moves = last_and_after(moves_of(session, player.match_id), player.seat)
    return ngettext(
        "Your opponent has been asked to let you take this move back: {moves}.",
        "Your opponent has been asked to let you take these moves back: {moves}.",
        len(moves),
    ).format(moves=named_moves(moves))


def last_and_after(moves: Sequence[MadeMove], seat: int) -> list[MadeMove]:
    """Return the last move of a seat and all later entries, oldest first; empty if none."""
    last = next((move for move in reversed(moves) if move.seat == seat), None)
    return [] if last is None else list(moves[last.ply - 1 :])


def _is_anything_hidden(match: Match, moves: Sequence[MadeMove], ply: int) -> bool:
    """Whether any position after `ply` moves or later is partly hidden from any viewer."""
    game, options = game_of(match), options_of(match)
    later = list(positions(game, options, entries_of(moves)))[ply:]
    viewers = (None, *range(len(game.seats)))
    return any(position.view(viewer) != position for position in later for viewer in viewers)


def take_back(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Take back a player's last move and all later ones; offers lapse. Raises MatchError."""
    removed = moves_to_undo(session, match, player)
    ply = removed[0].ply - 1
    remaining = moves_of(session, match.id)[:ply]
    _remove_moves(session, match, removed, now)
    for offer in open_offers(session, match.id):
        standing_offers.close(session, offer, OfferState.LAPSED, now)
    stopped_ids = plans.stop_all(session, match)
    match.ply, match.takebacks = ply, match.takebacks + 1
    position = replay(game_of(match), options_of(match), entries_of(remaining))
    match.position = stored(position)
    session.add(match)
    for other in players_of(session, match.id):
        _restore(other, match, removed, own=other.id == player.id)
        session.add(other)
        if other.seat in position.to_act:
            turns.begin_turn(session, match, other, now=now)
        news = plans.PlanNews(stopped=other.person_id in stopped_ids)
        if other.id == player.id and other.seat in position.to_act:
            game_letters.taken_back(session, match, other, removed, news=news, now=now)
        elif news.stopped:
            game_letters.planned(session, match, other, (), news=news, now=now)
    game_events.to_all(session, match, EventKind.MOVES_TAKEN_BACK, now=now)
    game_events.turn(session, match, turns.running(session, match), now=now)
    turns.schedule_sweeps(session, match)


def _restore(player: Player, match: Match, removed: Sequence[MadeMove], *, own: bool) -> None:
    """Reset a player's clock and seen marks to their state before the removed moves.

    The player who takes back keeps the time used, but has at least one increment left, because the consent may come
    during their night. The other player gets the time of the turn back.
    """
    turns.end_turn(player)
    player.seen_ply, player.shown_ply = min(player.seen_ply, match.ply), min(player.shown_ply, match.ply)
    first = next((move for move in removed if move.seat == player.seat and move.bank is not None), None)
    if first is not None and first.bank is not None:
        used = first.spent if own else 0
        player.bank = max(first.bank - used, min(match.increment, first.bank))


def _remove_moves(session: Session, match: Match, removed: Sequence[MadeMove], now: datetime) -> None:
    """Move entries to the table of taken-back moves, and mark their letters and events stale."""
    for move in removed:
        columns = {name: getattr(move, name) for name in ("ply", "seat", "text", "at", "spent", "by", "comment")}
        session.add(TakenBackMove(**columns, match_id=match.id, taken_back_at=now))
    session.flush()
    session.exec(delete(Move).where(col(Move.match_id) == match.id, col(Move.ply) >= removed[0].ply))
    letters = update(Letter).where(col(Letter.match_id) == match.id, col(Letter.ply) >= removed[0].ply)
    session.exec(letters.values(ply=STALE))
    game_events.taken_back(session, match, removed[0].ply)
