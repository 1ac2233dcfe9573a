"""Refuse moves for an earlier position, with the move played there and a current suggestion."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session, col, select

from correspondence.models import LOST, Match, Move, Player, TakenBackMove
from correspondence.models.epochs import EPOCH
from correspondence.models.loading import must_go_on, position_of
from engines.base import MoveError
from engines.wording import _


class StaleMove(MoveError):
    """Raised if a move is meant for a position that is no longer on the board."""


def must_be_fresh(
    session: Session, match: Match, player: Player, text: str, ply: int | None, takebacks: int | None
) -> None:
    """Raise MatchError if the game is over, StaleMove if the writer saw another position."""
    must_go_on(match)
    if is_gone(match, ply, takebacks):
        raise StaleMove(gone_sentence(match, ply, takebacks), _legal_now(match, player, text))
    if ply is not None and not awaits_answer(match, player, ply):
        raise _stale_error(session, match, player, ply, text)
    _must_be_new(session, match, player, text)


def is_gone(match: Match, ply: int | None, takebacks: int | None) -> bool:
    """Whether the position that the writer saw was undone by a take-back or lost with a server."""
    return takebacks not in (None, match.takebacks) or (ply is not None and not 0 <= ply <= match.ply)


def gone_sentence(match: Match, ply: int | None, takebacks: int | None) -> str:
    """Explain why the position that the writer saw is gone, as `is_gone` finds."""
    if ply == LOST or (takebacks is not None and takebacks // EPOCH != match.takebacks // EPOCH):
        return _(
            "We lost a machine since then, and perhaps the position that you answer; please look at the current position."
        )
    return _("A move was taken back since then; please look at the current position.")


def must_name_takebacks(match: Match, ply: int | None, takebacks: int | None) -> None:
    """Raise StaleMove if only `ply` is named in a game restored after the loss of a server."""
    if ply is not None and takebacks is None and match.takebacks >= EPOCH:
        raise StaleMove(
            _(
                "We lost a machine since this game began, and “ply” may be that of a position that we lost with it. Please look "
                "at the game, and send its “takebacks”, too."
            )
        )


def must_not_be_undone(
    session: Session, match: Match, player: Player, ply: int, takebacks: int | None, text: str
) -> None:
    """Raise StaleMove if the same move was taken back since."""
    must_name_takebacks(match, ply, takebacks)
    if takebacks == match.takebacks or not match.takebacks:
        return
    gone = select(TakenBackMove).where(col(TakenBackMove.match_id) == match.id, col(TakenBackMove.ply) > ply)
    texts = [move.text for move in session.exec(gone.where(col(TakenBackMove.seat) == player.seat))]
    if takebacks is not None or any(_is_same(text, undone) for undone in texts):
        raise StaleMove(gone_sentence(match, ply, takebacks))


def played_at(session: Session, match: Match, player: Player, ply: int, text: str) -> str | None:
    """Return the move played after `ply` entries if it equals `text`, as in a repeated request.

    None if a move is still due there, or another one was played.
    """
    if awaits_answer(match, player, ply) and player.since is not None:
        return None
    played = _moves_since(session, match, player, ply)
    return played[0].text if played and _is_same(text, played[0].text) else None


def awaits_answer(match: Match, player: Player, ply: int) -> bool:
    """Whether the player still has to answer the position shown after `ply` entries.

    While several players seal their choices, another's sealed choice makes nobody's letter stale.
    """
    return match.ended_at is None and (player.turn_ply if player.since else match.ply) <= ply <= match.ply


def _stale_error(session: Session, match: Match, player: Player, ply: int, text: str) -> StaleMove:
    """Refuse a move for the position after `ply` entries; suggest it if it is legal now."""
    played = _moves_since(session, match, player, ply)
    repeated = next((move for move in played if _is_same(text, move.text)), None)
    if repeated is not None:
        return _already_played(repeated)
    if not played:
        sentence = _("That was for the position after move {then}; the game has gone on to move {now}.")
        return StaleMove(sentence.format(then=ply, now=match.ply), _legal_now(match, player, text))
    sentence = _("Too late for that position: you played {text} there, and the game has gone on.")
    return StaleMove(sentence.format(text=played[0].text), _legal_now(match, player, text))


def _must_be_new(session: Session, match: Match, player: Player, text: str) -> None:
    """Raise StaleMove if it is not the player's turn because they have just made this move."""
    if player.seat in position_of(match).to_act:
        return
    played = _moves_since(session, match, player, 0)
    if played and _is_same(text, played[-1].text):
        raise _already_played(played[-1])


def _already_played(move: Move) -> StaleMove:
    return StaleMove(_("Your move {text} has already been played.").format(text=move.text))


def _moves_since(session: Session, match: Match, player: Player, ply: int) -> Sequence[Move]:
    query = select(Move).where(col(Move.match_id) == match.id, col(Move.ply) > ply, col(Move.seat) == player.seat)
    return session.exec(query.order_by(col(Move.ply))).all()


def _is_same(text: str, played: str) -> bool:
    return "".join(text.split()) == "".join(played.split())


def _legal_now(match: Match, player: Player, text: str) -> tuple[str, ...]:
    """Return a text as a legal move in the current position, in notation; empty if it is none."""
    position = position_of(match)
    try:
        return (position.write(player.seat, position.read(player.seat, text)),)
    except MoveError:
        return ()
