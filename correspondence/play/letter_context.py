"""What letters about a match say to one reader, and what of it they show: the board, the news, words with moves.

Everything here was seen by the reader's eyes: positions and moves as his seat may know them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.clocks.vacations import absent_until
from correspondence.core.i18n import in_language
from correspondence.models import Letter, Match, Move, OfferKind, Player
from correspondence.models.loading import Step, ending, game_of, person_of, players_of
from correspondence.outbound.suppressions import unreachable
from correspondence.play import record_moves
from correspondence.render.viewer_game import marks_between
from engines import svg, text
from engines.base import CHANCE, Position
from engines.record import Entry
from engines.scene import Mark, Scene
from engines.wording import _

NOTATION_LINES = 3
"""How much of a game's notation a letter repeats; the rules page has all of it."""

_TOLD = select(func.max(Letter.ply)).where(
    col(Letter.match_id) == bindparam("match"),
    col(Letter.person_id) == bindparam("person"),
    col(Letter.kind).in_(["turn", "over"]),
)

_COMMENTS = (
    select(Move.seat, Move.comment)
    .where(
        col(Move.match_id) == bindparam("match"),
        col(Move.ply) > func.coalesce(_TOLD.scalar_subquery(), bindparam("fresh", type_=Integer)),
        col(Move.comment) != "",
    )
    .order_by(col(Move.ply))
)
"""What was said with moves since the last letter with moves to this person, or with the moves that are `fresh`."""


def facts(
    session: Session,
    match: Match,
    player: Player,
    position: Position[Any],
    *,
    now: datetime,
    steps: Sequence[Step] = (),
) -> dict[str, Any]:
    """What every letter about a match says to this reader, in the reader's language; for templates.

    The board is marked where the last of `steps` was.
    """
    reader = person_of(session, player)
    with in_language(reader.language):
        return _facts(session, match, player, position, now, steps)


def _facts(
    session: Session, match: Match, player: Player, position: Position[Any], now: datetime, steps: Sequence[Step]
) -> dict[str, Any]:
    scene = position.scene(player.seat)
    scene = scene.marked(*_marks(steps, player.seat, scene))
    game = game_of(match)
    offers = record_moves.open_offers(session, match.id)
    theirs = {offer.kind: offer for offer in offers if offer.seat != player.seat}
    others = [p for p in players_of(session, match.id) if p.id != player.id]
    handles = {other.person_id: person_of(session, other).handle for other in others}
    return {
        "match": match,
        "game": game,
        "seat": _(game.seats[player.seat]),
        "opponent": ", ".join(handles[other.person_id] for other in others),
        "unreachable": ", ".join(handles[number] for number in sorted(unreachable(session, handles))),
        "away": [(handle, back) for n, handle in handles.items() if (back := absent_until(session, n, now))],
        "board": text.render(scene, bottom=player.seat),
        "scene": scene,
        "my_turn": player.since is not None and bool(position.to_act),
        "offered": OfferKind.DRAW in theirs,
        "pause": theirs[OfferKind.PAUSE].days if OfferKind.PAUSE in theirs else 0,
        "deadline": player.deadline,
        "example": _example(position, player) if player.since else "",
        "notation": [line for line in _(game.notation).splitlines() if line.strip()][:NOTATION_LINES],
        "ending": ending(match),
    }


def _example(position: Position[Any], player: Player) -> str:
    seen = position.view(player.seat)
    move = next(iter(seen.legal_moves(player.seat)), None)
    return "" if move is None else seen.write(player.seat, move)


def told(steps: Sequence[Step], match: Match, seat: int, now: Position[Any]) -> list[Entry]:
    """The steps as the reader at `seat` may be told them."""
    return [Entry(step.seat, step.before.tell(step.seat, step.move, seat, now)) for step in steps]


def picture(scene: Scene, seat: int) -> str:
    """The scene as the SVG that a letter carries as a PNG, the reader's side at the bottom."""
    return svg.render(scene, bottom=seat)


def _marks(steps: Sequence[Step], seat: int, now: Scene) -> tuple[Mark, ...]:
    """Marks for the squares that the last move of a player touched, as the reader at `seat` may see them."""
    played = [step for step in steps if step.seat != CHANCE]
    if not played:
        return ()
    last = played[-1]
    return marks_between(last.before.scene(seat), now, last.before.touches(last.seat, last.move))


def comments_for(session: Session, match: Match, player: Player, steps: Sequence[Step]) -> list[str]:
    """What others said with their moves since this player's last letter with moves: sealed choices wait for all."""
    players = players_of(session, match.id)
    named = {"match": match.id, "person": player.person_id, "fresh": match.ply - len(steps)}
    said = session.exec(_COMMENTS, params=named).all()
    silent = relations.muted_ids(session, players, player.person_id) if said else frozenset()
    heard = {p.seat for p in players if p.id != player.id and p.person_id not in silent}
    return [comment for seat, comment in said if seat in heard]
