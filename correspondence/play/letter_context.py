"""The contents of a game letter for one reader: board, news, and comments on moves.

Everything here is seen from the reader's seat: positions and moves as that seat may know them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.accounts.accounts import DEPARTED
from correspondence.clocks.vacations import absent_until
from correspondence.core import db
from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import in_language
from correspondence.core.move_text import in_games
from correspondence.fairness.evidence import letter_evidence
from correspondence.models import Letter, Match, Move, Offer, Person, Player
from correspondence.models.loading import MadeMove, Step, ending, game_of, may_have_comments, person_of, players_of
from correspondence.outbound import kinds
from correspondence.outbound.letters import BoardPicture
from correspondence.outbound.suppressions import unreachable
from correspondence.play import record_moves
from correspondence.play.offered_words import offered_words
from correspondence.render.board_text import board_text
from correspondence.render.viewer_game import ended_scene, marks_between
from engines import spoken, svg
from engines.base import CHANCE, Game, Position
from engines.record import Entry
from engines.scene import Scene
from engines.wording import _, listing

NOTATION_LINES = 3
"""Maximum number of notation lines in a letter, for games without a guide."""

PRACTISED = 3
"""Number of finished games of one kind after which letters no longer explain its notation."""

LATELY = 100
"""Maximum number of recently finished games counted for PRACTISED."""

_LAST_FINISHED = (
    select(Match.game)
    .join(Player, col(Match.id) == col(Player.match_id))
    .where(col(Player.person_id) == col(Person.id), col(Player.ended_at).is_not(None))
    .order_by(col(Player.ended_at).desc())
    .limit(LATELY)
    .correlate(Person)
    .subquery()
)
FINISHED_BY_PERSON = select(func.aggregate_strings(_LAST_FINISHED.c.game, ",")).correlate(Person).scalar_subquery()
"""SQL column for queries on persons: the games each person finished recently."""

_FINISHED = select(Person.id, FINISHED_BY_PERSON).where(col(Person.id).in_(bindparam("persons", expanding=True)))

_LAST_PLY_SENT = select(func.max(Letter.ply)).where(
    col(Letter.match_id) == bindparam("match"),
    col(Letter.person_id) == bindparam("person"),
    col(Letter.kind).in_(kinds.kinds_that(lambda kind: kind.tells_all_news)),
)

_COMMENTS = (
    select(Move.seat, Move.comment)
    .where(
        col(Move.match_id) == bindparam("match"),
        col(Move.ply) > func.coalesce(_LAST_PLY_SENT.scalar_subquery(), bindparam("fresh", type_=Integer)),
        col(Move.comment) != "",
    )
    .order_by(col(Move.ply))
)
"""Query for the comments since the last letter with moves, or after ply `fresh`."""


def facts(
    session: Session,
    match: Match,
    player: Player,
    position: Position[Any],
    *,
    now: datetime,
    steps: Sequence[Step] = (),
) -> dict[str, Any]:
    """Build the common template context of letters about a game, in the reader's language.

    The board marks the squares of the last move in `steps`.
    """
    reader = person_of(session, player)
    with in_language(reader.language), in_games([match.game]):
        return _facts(session, match, player, position, now, steps, reader.board)


def _facts(
    session: Session,
    match: Match,
    player: Player,
    position: Position[Any],
    now: datetime,
    steps: Sequence[Step],
    form: str,
) -> dict[str, Any]:
    scene = position.scene(player.seat)
    scene = _with_last_move(steps, player.seat, scene)
    if match.ended_at is not None and position.outcome is None:
        scene = ended_scene(scene, ending(match))
    game = game_of(match)
    offers = record_moves.open_offers(session, match.id) if match.ended_at is None else ()
    offers_by_kind = {offer.kind: offer for offer in offers if offer.seat != player.seat}
    opponents = [p for p in players_of(session, match.id) if p.id != player.id]
    persons = {other.person_id: person_of(session, other) for other in opponents}
    handles = {number: _called(person) for number, person in persons.items()}
    is_practised = player.since is not None and _is_practised(session, match, player)
    return {
        "match": match,
        "game": game,
        "seat": _(game.seats[player.seat]),
        "opponent": ", ".join(handles[other.person_id] for other in opponents),
        "listeners": [person.handle for person in persons.values() if person.departed_at is None],
        "unreachable": ", ".join(handles[person_id] for person_id in sorted(unreachable(session, handles))),
        "away": [
            (handle, until) for person_id, handle in handles.items() if (until := absent_until(session, person_id, now))
        ],
        "board": board_text(scene, form, player.seat),
        "form": form,
        "words": spoken.sentences(scene) if form == BoardForm.WORDS else (),
        "scene": scene,
        "my_turn": player.since is not None and bool(position.to_act),
        "offers": {
            kind: offered_words(offer, handles[_of_seat(opponents, offer)]) for kind, offer in offers_by_kind.items()
        },
        "deadline": player.deadline,
        "example": _example(position, player) if player.since else "",
        "notation": teaching_lines(game, position, player.seat) if player.since and not is_practised else [],
        "is_practised": is_practised,
        "ending": ending(match),
        "evidence": letter_evidence(session, match, entries=len(steps), is_first=not player.last_message_id, now=now),
    }


def _of_seat(players: Sequence[Player], offer: Offer) -> int:
    return next(player.person_id for player in players if player.seat == offer.seat)


def named_moves(moves: Sequence[MadeMove]) -> str:
    """List moves by number and text, as in a take-back request."""
    return listing([f"{move.ply}. {move.text}" for move in moves], _("and"))


def _called(person: Person) -> str:
    return _(DEPARTED) if person.departed_at is not None else person.handle


def teaching_lines(game: Game, position: Position[Any], seat: int) -> list[str]:
    """Explain the notation line by line: the guide to this position, or an introduction."""
    guide = position.view(seat).guide(seat)
    if guide:
        return [f"{line.example} – {line.words}" if line.example else line.words for line in guide]
    return notation_lines(game)


def notation_lines(game: Game) -> list[str]:
    """Explain the notation of a game briefly; the examples belong to no position."""
    return [line for line in _(game.notation).splitlines() if line.strip()][:NOTATION_LINES]


def _is_practised(session: Session, match: Match, player: Player) -> bool:
    """Whether the reader has recently finished PRACTISED games of this kind."""
    number, ahead = player.person_id, db.asked(session)
    key = "finished", number
    games: str | None = ahead[key] if key in ahead else _finished(session, [number])[number]
    return (games or "").split(",").count(match.game) >= PRACTISED


def ask_practice_ahead(session: Session, person_ids: Collection[int]) -> None:
    """Prefetch recently finished games for a block of `db.asking_once` that ends no game."""
    for number, games in _finished(session, person_ids).items():
        note_practice(session, number, games)


def note_practice(session: Session, person_id: int, games: str | None) -> None:
    """Cache a person's recently finished games for a block of `db.asking_once`."""
    db.asked(session)["finished", person_id] = games


def _finished(session: Session, person_ids: Collection[int]) -> dict[int, str | None]:
    """Return these persons' recently finished games, in the format of FINISHED_BY_PERSON."""
    return dict(db.rows(session, _FINISHED, persons=list(person_ids)))


def _example(position: Position[Any], player: Player) -> str:
    view = position.view(player.seat)
    move = next(iter(view.legal_moves(player.seat)), None)
    return "" if move is None else view.write(player.seat, move)


def entries_for_reader(steps: Sequence[Step], match: Match, seat: int, now: Position[Any]) -> list[Entry]:
    """Return the steps redacted for the reader at `seat`."""
    return [Entry(step.seat, step.before.tell(step.seat, step.move, seat, now)) for step in steps]


def board_for(person: Person, scene: Scene, seat: int) -> str:
    """Draw the scene as text in the person's chosen format, from the side of `seat`."""
    return board_text(scene, person.board, seat)


def board_svg(scene: Scene, seat: int, form: str) -> str:
    """Draw the scene as an SVG for a letter's page, with the reader's side at the bottom.

    Empty for a reader whose board format is not pictures.
    """
    return svg.render(scene, bottom=seat) if form == BoardForm.PICTURE else ""


def board_picture(scene: Scene, seat: int, form: str) -> BoardPicture | None:
    """Return the scene as a letter's picture, with the reader's side at the bottom.

    It is drawn when the letter is sent. None for a reader whose board format is not pictures.
    """
    return BoardPicture(scene, seat) if form == BoardForm.PICTURE else None


def _with_last_move(steps: Sequence[Step], seat: int, now: Scene) -> Scene:
    """Mark the last player's move and its path in the scene, as the reader may see them."""
    played = [step for step in steps if step.seat != CHANCE]
    if not played:
        return now
    last = played[-1]
    marks = marks_between(last.before.scene(seat), now, last.before.touches(last.seat, last.move))
    return replace(now.marked(*marks), way=last.before.view(seat).way(last.seat, last.move))


def comments_for(session: Session, match: Match, player: Player, steps: Sequence[Step]) -> list[str]:
    """Return others' comments since this player's last letter with moves, except muted players'.

    Comments on sealed choices wait until all choices are in.
    """
    players = players_of(session, match.id)
    if not may_have_comments(session, match.id):
        return []
    rows = db.rows(session, _COMMENTS, match=match.id, person=player.person_id, fresh=match.ply - len(steps))
    muted = relations.muted_ids(session, players, player.person_id) if rows else frozenset()
    visible_seats = {p.seat for p in players if p.id != player.id and p.person_id not in muted}
    return [comment for seat, comment in rows if seat in visible_seats]
