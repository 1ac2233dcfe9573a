"""Trying moves without playing them: an analysis board, a tree of variations, and previews.

Everything is based on what the viewer sees. If something is hidden, moves are tried on the viewer's own view, without
guessing. A move whose result depends on hidden facts is refused, so trying reveals nothing. A tried move has a public
number derived from its line, because row ids would reveal how much others try.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import new_token
from correspondence.core.public_numbers import public_numbers
from correspondence.models import Match, Person, Player, Purpose, Token, Variation
from correspondence.models.loading import MatchError, players_of, position_of
from correspondence.models.locks import hold_person
from correspondence.play.lookahead import parse_first_move, try_step
from correspondence.play.puzzles import may_see
from correspondence.play.viewer_games import viewer_game_of
from engines.base import MoveError, Position, Seat, Viewer, quoted
from engines.wording import _

MOST_KEPT = 300
"""Maximum number of tried moves a person can keep in one game."""

LONGEST_COMMENT = 1_000
"""Maximum length of a comment on a tried move, in characters."""

_NO_ROW = -1


@dataclass(frozen=True, slots=True)
class VariationView:
    """A tried move in a tree: public number, seat, text, continuations, and its owner's comment."""

    number: int
    seat: Seat
    text: str
    branches: tuple[VariationView, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A private board: the position after `line`, which starts after `ply` moves.

    `position` is what the viewer sees. `broken` is a sentence that explains why the line stops before its last move, or
    empty.
    """

    ply: int
    viewer: Viewer
    position: Position[Any]
    before: Position[Any] | None
    line: tuple[VariationView, ...]
    tree: tuple[VariationView, ...]
    broken: str = ""

    @property
    def seat(self) -> Seat | None:
        """The seat to move next on this board, chance included; None if the game would be over."""
        return self.position.to_act[0] if self.position.to_act and not self.broken else None

    @property
    def comment(self) -> str:
        """The comment on the tried move that led here; empty at the beginning."""
        return self.line[-1].comment if self.line else ""

    @property
    def here(self) -> int | None:
        """The number of the tried move that led here; None at the beginning."""
        return self.line[-1].number if self.line else None


def after_line(session: Session, player: Player, line: str) -> tuple[tuple[str, ...], Position[Any]]:
    """Return the moves of `line` in canonical notation, and the position the player would see.

    `line` holds both sides' moves in turn. Changes nothing. Raises MatchError if the game forbids analysis or a move is
    not possible.
    """
    match = session.get_one(Match, player.match_id)
    _must_be_allowed(match)
    position = position_of(match).view(player.seat)
    words, texts = line.replace(";", " ").split(), list[str]()
    while words:
        try:
            text, words, position = parse_first_move(position, words)
        except MatchError as error:
            raise MatchError(_which_failed(len(texts) + 1, words, str(error))) from error
        texts.append(text)
    return tuple(texts), position


def _which_failed(number: int, words: Sequence[str], why: str) -> str:
    """Return the reason of a refused move, naming the move if the line has several."""
    if number == len(words) == 1:
        return why
    return _("Move {number} of the line, {move}: {why}").format(number=number, move=quoted(words[0]), why=why)


def analysis_board(
    session: Session, match_id: int, person_id: int | None, ply: int, at: int | None, *, of: int | None = None
) -> AnalysisBoard | None:
    """Return a person's board after a tried move, or the shared board of another person (`of`).

    None if there is no such board. Raises MatchError if the game forbids analysis while it runs.
    """
    match = session.get(Match, match_id)
    if match is None or not 0 <= ply <= match.ply or not may_see(session, match, person_id):
        return None
    _must_be_allowed(match)
    rows = _rows(session, match_id, person_id if of is None else of)
    numbers = _numbers(rows)
    line = _line(rows, _row_id(numbers, at), ply)
    if line is None:
        return None
    viewer = _viewer(session, match, person_id)
    position, before, broken = _along(_base(session, match, viewer, ply), [row.text for row in line])
    tree = _branches(rows, numbers, ply)
    branches = {branch.number: branch for branch in _flattened(tree)}
    return AnalysisBoard(ply, viewer, position, before, tuple(branches[numbers[row.id]] for row in line), tree, broken)


def try_move(
    session: Session, person: Person, match_id: int, ply: int, at: int | None, text: str, *, now: datetime
) -> int:
    """Store a tried move after another one or at the beginning, and return its number.

    A move already stored keeps its number. Raises MoveError or MatchError before changing anything.
    """
    board = analysis_board(session, match_id, person.id, ply, at)
    if board is None:
        raise MatchError(_("There's no such position to try moves from."))
    if board.broken:
        raise MatchError(board.broken)
    seat, canonical, _after = try_step(board.position, text)
    hold_person(session, person)
    rows = _rows(session, match_id, person.id)
    numbers = _numbers(rows)
    parent = _row_id(numbers, at)
    same = [r for r in rows if (r.ply, r.parent_id, r.text) == (ply, parent, canonical)]
    if same:
        return numbers[same[0].id]
    if len(rows) >= MOST_KEPT:
        raise MatchError(
            _("You have saved {count} tried moves here; please remove some first.").format(count=MOST_KEPT)
        )
    row = Variation(
        match_id=match_id, person_id=person.id, ply=ply, parent_id=parent, seat=seat, text=canonical, at=now
    )
    session.add(row)
    session.flush()
    return _numbers([*rows, row])[row.id]


def drop(session: Session, person: Person, match_id: int, at: int) -> int | None:
    """Delete a tried move and its continuations; return the number of the move before it.

    None if the deleted move was at the beginning. Raises MatchError if there is no such move.
    """
    rows = _rows(session, match_id, person.id)
    numbers = _numbers(rows)
    dropped = next((row for row in rows if numbers[row.id] == at), None)
    if dropped is None:
        raise MatchError(_("That move is not among those you tried."))
    subtree = [dropped]
    for row in subtree:
        subtree += [child for child in rows if child.parent_id == row.id]
    for row in reversed(subtree):
        session.delete(row)
        session.flush()
    return None if dropped.parent_id is None else numbers[dropped.parent_id]


def comment(session: Session, person: Person, match_id: int, at: int, text: str) -> int:
    """Store a person's comment on a tried move, or remove it if empty; return the `ply` of its tree.

    Raises MatchError if there is no such move, the comment is too long, or the game forbids analysis.
    """
    _must_be_allowed(session.get_one(Match, match_id))
    rows = _rows(session, match_id, person.id)
    numbers = _numbers(rows)
    row = next((row for row in rows if numbers[row.id] == at), None)
    if row is None:
        raise MatchError(_("That move is not among those you tried."))
    if len(text) > LONGEST_COMMENT:
        sentence = _("A comment has at most {most} characters; this one has {count}.")
        raise MatchError(sentence.format(most=LONGEST_COMMENT, count=len(text)))
    row.comment = text.strip()
    session.add(row)
    return row.ply


def share(session: Session, person: Person, match_id: int, *, now: datetime) -> Token:
    """Share this person's variations of a finished game by a token. Raises MatchError."""
    match = session.get_one(Match, match_id)
    if match.ended_at is None:
        raise MatchError(_("The moves you tried can be shared when the game is over."))
    return share_token(session, person.id, match_id) or new_token(
        session, Purpose.ANALYSIS, now=now, person=person, match_id=match_id
    )


def stop_sharing(session: Session, person: Person, match_id: int, *, now: datetime) -> None:
    """Revoke the shared link; do nothing if there is none."""
    token = share_token(session, person.id, match_id)
    if token is not None:
        token.used_at = now
        session.add(token)


def share_token(session: Session, person_id: int, match_id: int) -> Token | None:
    """Return the token with which a person shares their variations of a game."""
    query = select(Token).where(col(Token.person_id) == person_id, col(Token.match_id) == match_id)
    return session.exec(query.where(col(Token.purpose) == Purpose.ANALYSIS, col(Token.used_at).is_(None))).first()


def owner_of(session: Session, token_id: int | None, match_id: int) -> Person | None:
    """Return the person who shares variations of this game by a token; None if it is invalid."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None or (token.purpose, token.match_id, token.used_at) != (Purpose.ANALYSIS, match_id, None):
        return None
    return session.get(Person, token.person_id)


def _must_be_allowed(match: Match) -> None:
    if match.ended_at is None and not match.analysis:
        raise MatchError(_("The players agreed not to try moves on an analysis board before this game is over."))


def _viewer(session: Session, match: Match, person_id: int | None) -> Viewer:
    seats = [player.seat for player in players_of(session, match.id) if player.person_id == person_id]
    return seats[0] if seats else None


def _base(session: Session, match: Match, viewer: Viewer, ply: int) -> Position[Any]:
    game = viewer_game_of(session, match)
    position = game.at(ply)
    return position if match.ended_at is not None else position.view(viewer)


def _along(position: Position[Any], texts: Sequence[str]) -> tuple[Position[Any], Position[Any] | None, str]:
    before = None
    for text in texts:
        try:
            _seat, _text, after = try_step(position, text)
        except (MoveError, MatchError) as error:
            return position, before, _("{move} can no longer be played there: {why}").format(move=text, why=error)
        before, position = position, after
    return position, before, ""


def _rows(session: Session, match_id: int, person_id: int | None) -> list[Variation]:
    query = select(Variation).where(col(Variation.match_id) == match_id, col(Variation.person_id) == person_id)
    return list(session.exec(query.order_by(col(Variation.id))))


def _line(rows: Sequence[Variation], at: int | None, ply: int) -> list[Variation] | None:
    """Return the tried moves that lead to `at`, in order; None if it is not in this tree."""
    rows_by_id, line = {row.id: row for row in rows if row.ply == ply}, []
    while at is not None:
        if at not in rows_by_id:
            return None
        line.append(rows_by_id[at])
        at = rows_by_id[at].parent_id
    return line[::-1]


def _numbers(rows: Sequence[Variation]) -> dict[int, int]:
    """Return the public numbers of one person's tried moves in a game, by row id."""
    paths: dict[int, str] = {}
    for row in rows:  # children have higher ids than their parents
        before = str(row.ply) if row.parent_id is None else paths[row.parent_id]
        paths[row.id] = f"{before};{row.seat} {row.text}"
    return dict(zip(paths, public_numbers(tuple(paths.values())), strict=True))


def _row_id(numbers: Mapping[int, int], at: int | None) -> int | None:
    """Return the row id for a public number, or an unused id; None at the beginning."""
    return None if at is None else next((row for row, number in numbers.items() if number == at), _NO_ROW)


def _branches(rows: Sequence[Variation], numbers: Mapping[int, int], ply: int) -> tuple[VariationView, ...]:
    below: dict[int | None, list[Variation]] = {}
    for row in rows:
        if row.ply == ply:
            below.setdefault(row.parent_id, []).append(row)
    views: dict[int, VariationView] = {}
    for row in reversed(rows):
        if row.ply == ply:
            after = tuple(views[child.id] for child in below.get(row.id, []))
            views[row.id] = VariationView(numbers[row.id], row.seat, row.text, after, row.comment)
    return tuple(views[row.id] for row in below.get(None, []))


def _flattened(branches: Sequence[VariationView]) -> list[VariationView]:
    flat = list(branches)
    for branch in flat:
        flat += branch.branches
    return flat
