"""What a player was shown on the page of a game: such a position, and such talk, need not be mailed any more.

That a player was there at all says nothing: he may have looked at another game.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from correspondence.models import Letter, Match, Player, Remark


@dataclass(frozen=True, slots=True)
class Sight:
    """What the page is about to show a player that it had not shown before."""

    player_id: int
    ply: int
    remark: int


def news_for(session: Session, match_id: int, person_id: int | None) -> Sight | None:
    """What is new to a player in a match; None where nothing is, or he plays not there.

    To be asked before the page is made, so that the page shows no less.
    """
    if person_id is None:
        return None
    seat = select(Player).where(col(Player.match_id) == match_id, col(Player.person_id) == person_id)
    player, match = session.exec(seat).first(), session.get(Match, match_id)
    if player is None or match is None:
        return None
    last = session.exec(select(func.max(Remark.id)).where(col(Remark.match_id) == match_id)).one() or 0
    is_new = player.seen_ply < match.ply or player.seen_remark < last
    return Sight(player.id, match.ply, last) if is_new else None


def note(session: Session, sight: Sight) -> None:
    """Note that it was shown."""
    player = session.get(Player, sight.player_id, with_for_update=True)
    if player is not None:
        player.seen_ply = max(player.seen_ply, sight.ply)
        player.seen_remark = max(player.seen_remark, sight.remark)
        session.add(player)


def was_shown(player: Player, letter: Letter) -> bool:
    """Whether a letter tells its reader nothing that the page did not show; reminders and results are sent anyway."""
    if letter.kind == "turn":
        return letter.ply is not None and letter.ply <= player.seen_ply
    said = [int(number) for number in letter.remarks.split()]
    return letter.kind == "talk" and bool(said) and max(said) <= player.seen_remark
