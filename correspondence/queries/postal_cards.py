"""Play by post on pages: the card of a game, who may enter it, and entries from cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import postal_members
from correspondence.accounts.postal_members import PostalDetails
from correspondence.core import db
from correspondence.models import Match, Player, PostalMember
from correspondence.models.loading import MatchError, known_match, person_of, players_of
from correspondence.play import card_entries
from correspondence.play.card_entries import EnteredMove, Role
from correspondence.queries.game_lists import shown_handle
from correspondence.queries.queries import game_view
from correspondence.render.viewer_game import scene_svg
from engines.scene import Scene


@dataclass(frozen=True, slots=True)
class PostalNotice:
    """What a game's page shows a player or helper about play by post.

    `addresses` holds the envelope lines of opponents by post. `may_enter` is the handle of the player whose card they
    can enter now, empty if none. `refusal` is the reason if they cannot, though a postal player is to move.
    """

    addresses: tuple[tuple[str, tuple[str, ...]], ...] = ()
    may_enter: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class CardPage:
    """The card of a postal player to move, for a person who may enter it.

    `word` is empty for an opponent.
    """

    number: int
    handle: str
    role: Role
    word: str
    scene: Scene
    picture: str
    ply: int
    shown_ply: int
    takebacks: int
    deadline: datetime | None
    tries_left: int
    details: PostalDetails


@dataclass(frozen=True, slots=True)
class EnteredRow:
    """A move entered from a card; `may_contest`: whether the reader may contest it."""

    ply: int
    entered_by: str
    entry: EnteredMove
    may_contest: bool


def notice(session: Session, match: Match, person_id: int | None) -> PostalNotice | None:
    """Return the postal notice of a running game; None for onlookers, or without postal players."""
    if person_id is None or match.ended_at is not None or db.is_absent(session, PostalMember, match.id):
        return None
    players = players_of(session, match.id)
    postal = postal_members.by_post(session, [player.person_id for player in players])
    if not postal:
        return None
    is_player = any(player.person_id == person_id for player in players)
    addresses = _addresses(session, players, postal - {person_id}) if is_player else ()
    found = card_entries.rights(session, match, person_id)
    if not found or found[0].role is Role.PLAYER:
        return PostalNotice(addresses) if addresses else None
    try:
        right = card_entries.card_right(session, match, person_id)
    except MatchError as error:
        return PostalNotice(addresses, refusal=str(error))
    return PostalNotice(addresses, may_enter=person_of(session, right.player).handle)


def _addresses(
    session: Session, players: Sequence[Player], postal: frozenset[int]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    shown = []
    for player in players:
        details = postal_members.details_of(session, player.person_id) if player.person_id in postal else None
        if details is not None:
            shown.append((person_of(session, player).handle, details.lines))
    return tuple(shown)


def card_page(session: Session, match_id: int, person_id: int, *, key: str) -> CardPage:
    """Return the card of a game for a person who may see or enter it; else raise MatchError.

    The player and the helper see the player's view, an opponent only their own view.
    """
    match = session.get_one(Match, match_id)
    right = card_entries.card_right(session, match, person_id)
    player = right.player
    view = game_view(session, match_id, player.person_id if right.sees_card else person_id)
    assert view is not None  # a right to a card is a right to see the match
    return CardPage(
        match.id,
        person_of(session, player).handle,
        right.role,
        card_entries.word_of(session, match, player, key) if right.sees_card else "",
        view.scene,
        scene_svg(view.scene, player.seat),
        match.ply,
        player.turn_ply,
        match.takebacks,
        player.deadline,
        card_entries.tries_left(session, match, player, person_id),
        postal_members.details_of(session, player.person_id) or PostalDetails(),
    )


def entered_rows(session: Session, match_id: int, person_id: int) -> tuple[EnteredRow, ...]:
    """Return moves entered from cards, for a player or helper; empty for everybody else."""
    match = known_match(session, match_id)
    if match is None:
        return ()
    players = players_of(session, match_id)
    own_seats = {
        player.seat
        for player in players
        if player.person_id == person_id or postal_members.helps(session, person_id, player.person_id)
    }
    if not own_seats:
        return ()
    mine = card_entries.contestable(session, match_id, person_id)
    return tuple(
        EnteredRow(ply, shown_handle(entry.entered_by), entry, ply in mine)
        for ply, entry in card_entries.entered_moves(session, match_id).items()
    )
