"""What is new to a player in a game: how far they have looked."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, func, select

from correspondence.models import Letter, Match, Player, Remark
from correspondence.outbound.kinds import kind_of
from correspondence.play.chat import remark_id_of


def mark_seen(
    session: Session, player: Player, ply: int, *, takebacks: int | None = None, remark: int = 0, now: datetime
) -> None:
    """Record that a page showed the game after `ply` moves, and the chat up to `remark`.

    `remark` is a public number, 0 for none. `takebacks` is the number of take-backs when the page was drawn: an older
    page has shown none of the current moves. Only a take-back moves the marks back.
    """
    match = session.get_one(Match, player.match_id)
    remark_id = remark_id_of(session, player, remark, now=now) if remark else 0
    query = select(func.min(Remark.id)).where(
        col(Remark.match_id) == match.id, col(Remark.person_id) != player.person_id, col(Remark.opens_at) > now
    )
    first_waiting = session.exec(query).one() if remark_id else None
    remark_id = (
        remark_id if first_waiting is None else min(remark_id, first_waiting - 1)
    )  # no page has shown delayed remarks
    if takebacks in (None, match.takebacks):
        player.shown_ply = max(player.shown_ply, min(ply, match.ply))
        player.seen_ply = max(player.seen_ply, player.shown_ply)
    player.shown_remark = max(player.shown_remark, remark_id)
    session.add(player)


def was_shown(player: Player, letter: Letter) -> bool:
    """Whether a page already showed everything in a letter.

    Always False for reminders and results, which are sent anyway. Only this game's page counts, because the player may
    have looked at another game.
    """
    if kind_of(letter).is_on_page:
        return letter.ply is not None and letter.ply <= player.shown_ply
    remark_ids = [int(number) for number in letter.remarks.split()]
    return kind_of(letter).is_talk and bool(remark_ids) and max(remark_ids) <= player.shown_remark
