"""Hints: the next step of a puzzle's solution, or a robot's move in a friendly robot game."""

from __future__ import annotations

import random
from datetime import datetime

from sqlmodel import Session

from correspondence.models import Match, Player
from correspondence.models.loading import MatchError, game_of, must_go_on, persons_of, players_of, position_of
from correspondence.play import puzzles, same_boards
from engines.search.choosing import choose
from engines.wording import _

LEVEL = 4
"""The robot level used for hints: it searches before moving, within a fraction of a second."""


def hint(session: Session, player: Player, *, now: datetime) -> str:
    """Suggest the player's next move in a sentence. Changes nothing.

    Raises MatchError if the game is rated or against people, if it is not the player's turn, or if another running game
    of theirs has the same board.
    """
    match = session.get_one(Match, player.match_id)
    if len(game_of(match).seats) == 1:
        return _("A step of a solution: {move}").format(move=puzzles.next_step(session, player, now=now))
    must_go_on(match)
    _must_be_friendly(session, match, player)
    position = position_of(match)
    if player.since is None or player.seat not in position.to_act:
        raise MatchError(_("It is not your turn in this game."))
    same_boards.must_help_in_no_other_game(session, match, [player.person_id], [position])
    seen = position.view(player.seat)
    move = choose(match.game, seen, player.seat, LEVEL, random.Random(f"{match.id} {match.ply}"))
    return _("A robot would play {move} here.").format(move=seen.write(player.seat, move))


def is_possible(session: Session, match: Match, person_id: int) -> bool:
    """Whether a player of this match may ask for hints on their turn."""
    players = players_of(session, match.id)
    if len(players) == 1:
        return match.daily is None
    others = [player for player in players if player.person_id != person_id]
    return not match.rated and all(one.robot_level for one in persons_of(session, others))


def _must_be_friendly(session: Session, match: Match, player: Player) -> None:
    others = [one for one in players_of(session, match.id) if one.id != player.id]
    if not all(one.robot_level for one in persons_of(session, others)):
        raise MatchError(_("There are hints for puzzles, and in unrated games with robots."))
    if match.rated:
        raise MatchError(_("In a rated game there are no hints, not even with a robot."))
