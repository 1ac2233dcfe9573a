"""Queries behind the pages; they return frozen values, redacted for the viewer, never rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Executable, bindparam
from sqlmodel import Session, col, func, or_, select

from correspondence.accounts.relations import muted_ids
from correspondence.archive import record_file, search
from correspondence.core import db
from correspondence.core.signing import Signer
from correspondence.fairness import keys, seeds
from correspondence.fairness.evidence import evidence_of, foreign_origins
from correspondence.models import (
    Audience,
    Match,
    Player,
    Seek,
    SeekState,
    Suppression,
    TakenBackMove,
)
from correspondence.models.loading import (
    MadeMove,
    entries_of,
    known_match,
    moves_of,
    persons_of,
    players_of,
    position_of,
)
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.outbound.hidden_words import shown
from correspondence.outbound.suppressions import unreachable
from correspondence.play import card_entries, chat, puzzles
from correspondence.play.matches import open_offer
from correspondence.queries.game_lists import (
    GameList,
    by_urgency,
    card_of,
    listed,
    played_by,
    shown_handle,
    viewer_seat,
)
from correspondence.queries.view_models import (
    BoardView,
    ChatLine,
    EvidenceView,
    GameCard,
    GameView,
    MoveLine,
    TurnView,
)
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE
from engines.wording import _

PAGE = 30
"""Rows on a page of a long list."""

# -- lists of matches ------------------------------------------------------------------


def games_of(session: Session, person_id: int) -> tuple[GameCard, ...]:
    """Return a person's current games: those with them to move first, each group by deadline."""
    return by_urgency(played_by(session, person_id).cards(person_id))


def games_version(session: Session, person_id: int, language: str) -> str:
    """Return a short hash of a person's game list, by which an open page notices changes."""
    games = select(Match.id, Match.ply, Match.takebacks, Match.deadline).join(
        Player, col(Player.match_id) == col(Match.id)
    )
    running = games.where(col(Player.person_id) == person_id, col(Player.ended_at).is_(None)).order_by(col(Match.id))
    either = or_(col(Seek.opponent_id) == person_id, col(Seek.person_id) == person_id)
    offers = select(Seek.id).where(either, col(Seek.state) == SeekState.OPEN, col(Seek.opponent_id).is_not(None))
    rows = [tuple(row) for row in session.exec(running)]
    state = (rows, list(session.exec(offers.order_by(*OLDEST_FIRST))), language)
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


def running_list(
    session: Session, *, game: str = "", page: int = 0, most: int = PAGE + 1, without: int | None = None
) -> GameList:
    """Return running two-player games open to onlookers, latest move first; `page` is from 0.

    Games with stopped clocks are left out, and so are those of the person `without`.
    """
    return listed(session, _running_ids(session, game, page, most, without))


def front_list(session: Session, most: int) -> GameList:
    """Return the last finished games, then the running ones with the latest moves."""
    over = search.match_ids(session, search.Criteria(), before=None, most=most)
    return listed(session, [*over, *_running_ids(session, "", 0, most)])


def _running_ids(session: Session, game: str, page: int, most: int, without: int | None = None) -> Sequence[int]:
    keys = tuple(key for key, one in GAMES.items() if len(one.seats) > 1 and game in ("", key))
    values = {"first": page * PAGE, "most": most} | ({} if without is None else {"person": without})
    return [number for (number,) in db.rows(session, _running(keys, without is not None), **values)]


@cache
def _running(keys: tuple[str, ...], leaves_out: bool) -> Executable:
    latest = func.max(col(Player.since))
    query = (
        select(Match.id)
        .join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Match.deadline).is_not(None), col(Match.ended_at).is_(None), col(Match.daily).is_(None))
        .where(col(Match.game).in_(keys), col(Player.since).is_not(None))
        .group_by(col(Match.id))
        .order_by(latest.desc(), col(Match.id).desc())
    )
    if leaves_out:
        own = select(Player.match_id).where(
            col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_(None)
        )
        query = query.where(col(Match.id).not_in(own))
    return query.offset(bindparam("first")).limit(bindparam("most"))


def next_game(session: Session, person_id: int, *, except_id: int) -> int | None:
    """Return the id of a person's most urgent game with them to move, except `except_id`."""
    waiting = (card.number for card in games_of(session, person_id) if card.my_turn and card.number != except_id)
    return next(waiting, None)


def archive(
    session: Session,
    *,
    game: str = "",
    player: str = "",
    result: str = "",
    before: int | None = None,
    most: int = PAGE + 1,
) -> tuple[GameCard, ...]:
    """Return matching finished games, newest first; by default one more than a page.

    The extra one shows that there are more. `before` is the id of the last game on the previous page.
    """
    criteria = search.Criteria(game=game, player=player, result=result)
    return finished_games(session, criteria, before=before, most=most)


def finished_games(
    session: Session, criteria: search.Criteria, *, before: int | None = None, most: int = PAGE + 1
) -> tuple[GameCard, ...]:
    """Return finished games as `archive` does, for all search criteria."""
    return finished_list(session, criteria, before=before, most=most).cards(None)


def finished_list(
    session: Session, criteria: search.Criteria, *, before: int | None = None, most: int = PAGE + 1
) -> GameList:
    """Return finished games as `finished_games` does, as rows instead of cards."""
    return listed(session, search.match_ids(session, criteria, before=before, most=most))


# -- one match -------------------------------------------------------------------------


def game_view(
    session: Session, match_id: int, person_id: int | None, ply: int | None = None, *, now: datetime | None = None
) -> GameView | None:
    """Return a match redacted for this person, now or after `ply` entries; None if not visible.

    Remarks that open later are included from that time on; without `now`, never.
    """
    match = known_match(session, match_id)
    if match is None or (ply is not None and not 0 <= ply <= match.ply):
        return None
    if not puzzles.may_see(session, match, person_id):
        return None
    return _game_view(session, match, person_id, match.ply if ply is None else ply, now)


def board_view(session: Session, match_id: int, person_id: int | None, ply: int) -> BoardView | None:
    """Return only the board after `ply` entries, redacted for this person; None if not visible."""
    match = known_match(session, match_id)
    if match is None or not 0 <= ply <= match.ply or not puzzles.may_see(session, match, person_id):
        return None
    viewer, is_over = viewer_seat(players_of(session, match_id), person_id), match.ended_at is not None
    viewer_game = ViewerGame(match.game, match.options, tuple(entries_of(moves_of(session, match_id))))
    return BoardView(viewer_game.scene(ply, viewer, opened=is_over), viewer, is_over, match.daily is not None)


def _game_view(session: Session, match: Match, person_id: int | None, shown_ply: int, now: datetime | None) -> GameView:
    players, moves = players_of(session, match.id), moves_of(session, match.id)
    names = {person.id: shown_handle(person.handle) for person in persons_of(session, players)}
    is_player = viewer_seat(players, person_id) is not None
    origins = foreign_origins(session, [match.id]) if match.ended_at is not None else {}
    may_be_out_of_reach = is_player and not db.is_absent(session, Suppression, match.id)
    out_of_reach = unreachable(session, names) if may_be_out_of_reach else frozenset()
    card = card_of(match, players, names, person_id, out_of_reach, origin=origins.get(match.id, ""))
    ending = card.ending if card.is_over else ""
    viewer_game = ViewerGame(match.game, match.options, tuple(entries_of(moves)), ending)
    muted = muted_ids(session, players, person_id)
    lines = _lines(card, viewer_game, moves, muted, card_entries.entered_moves(session, match.id))
    offer = open_offer(session, match)
    talk = _talk(session, card, lines, person_id, muted, now)
    own = next((player for player in players if player.person_id == person_id), None)
    return GameView(
        card,
        viewer_game.options_words,
        match.terms,
        shown_ply,
        viewer_game.scene(shown_ply, card.viewer, opened=card.is_over),
        lines,
        talk,
        card.players[offer.seat] if offer else None,
        viewer_game,
        match.ply if own is None else own.seen_ply,
        own is not None and _has_unshown(own, match, talk),
        match.daily,
        seeds.commitment_of_match(session, match),
        match.corrected_for,
    )


def _talk(
    session: Session,
    card: GameCard,
    lines: Sequence[MoveLine],
    person_id: int | None,
    muted: frozenset[int],
    now: datetime | None,
) -> tuple[ChatLine, ...]:
    """Return the comments and remarks in a match that this viewer may read, oldest first."""
    talk = [
        ChatLine(card.players[line.seat].handle, line.comment, line.at, line.ply, Audience.PLAYERS, with_move=True)
        for line in lines
        if line.comment
    ]
    remarks = chat.visible_remarks(session, card.number, person_id, muted, is_player=card.viewer is not None, now=now)
    talk += [
        ChatLine(name, shown(r.text), r.at, r.ply, r.audience, number=public_number, row=r.id)
        for name, r, public_number in remarks
    ]
    return tuple(sorted(talk, key=lambda line: (line.at, line.ply, line.row)))


def _has_unshown(player: Player, match: Match, talk: Sequence[ChatLine]) -> bool:
    return player.shown_ply < match.ply or any(line.row > player.shown_remark for line in talk)


def _lines(
    card: GameCard,
    viewer_game: ViewerGame,
    moves: Sequence[MadeMove],
    muted: frozenset[int],
    entered: Mapping[int, card_entries.EnteredMove],
) -> tuple[MoveLine, ...]:
    unmuted = {player.seat for player in card.players if player.person_id not in muted}
    texts = viewer_game.texts(card.viewer, opened=card.is_over)
    names = {CHANCE: _(GAMES[card.key].presentation.chance)} | {one.seat: one.seat_name for one in card.players}
    by_card = {ply: (shown_handle(one.entered_by), one.contested_at is not None) for ply, one in entered.items()}

    def comment(move: MadeMove) -> str:
        is_told = move.seat in unmuted and viewer_game.shows_comment(move.ply, card.viewer, opened=card.is_over)
        return shown(move.comment) if is_told else ""

    return tuple(
        MoveLine(
            move.ply,
            move.seat,
            names.get(move.seat, str(move.seat)),
            text,
            move.at,
            timedelta(seconds=move.spent),
            move.by,
            comment(move) if move.comment else "",
            *by_card.get(move.ply, ("", False)),
        )
        for move, text in zip(moves, texts, strict=True)
    )


def times_taken_back(session: Session, match_id: int) -> Counter[int]:
    """Count take-backs in a match by move number."""
    taken_back = select(TakenBackMove.ply).where(col(TakenBackMove.match_id) == match_id)
    return Counter(session.exec(taken_back))


def player_of(session: Session, match_id: int, person_id: int) -> Player | None:
    """Return a person's player row in a match, for the use cases; None for an onlooker."""
    return next((player for player in players_of(session, match_id) if player.person_id == person_id), None)


def acting_position(session: Session, match_id: int, person_id: int | None) -> TurnView | None:
    """Return the position of a match for a person who is to move; None for anybody else."""
    player = None if person_id is None else player_of(session, match_id, person_id)
    match = session.get(Match, match_id)
    if player is None or match is None or player.since is None:
        return None
    return TurnView(position_of(match), player.seat, match.ply, match.takebacks)


def evidence_view(
    session: Session, match_id: int, person_id: int | None, *, signer: Signer, now: datetime
) -> EvidenceView | None:
    """Return the evidence about a match, redacted for this person; None if it is not visible."""
    record = record_of(session, match_id, person_id, signer=signer, now=now)
    if record is None:
        return None
    match, players = session.get_one(Match, match_id), players_of(session, match_id)
    moves = moves_of(session, match_id)
    evidence = evidence_of(session, match, moves, players, signer=signer, now=now)
    return EvidenceView(record, evidence, keys.own(session, signer))


def record_of(session: Session, match_id: int, person_id: int | None, *, signer: Signer, now: datetime) -> str | None:
    """Return a match's record with evidence, redacted for this person; None if not visible."""
    match = known_match(session, match_id)
    if match is None or not puzzles.may_see(session, match, person_id):
        return None
    players = players_of(session, match_id)
    handles = [person.handle for person in persons_of(session, players)]
    muted = muted_ids(session, players, person_id)
    muted_seats = frozenset(player.seat for player in players if player.person_id in muted)
    seat = viewer_seat(players, person_id)
    moves = moves_of(session, match_id)
    evidence = evidence_of(session, match, moves, players, signer=signer, now=now)
    return record_file.write_record(match, moves, handles, seat, evidence=evidence, muted_seats=muted_seats)
