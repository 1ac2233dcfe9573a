"""Trying moves without playing them: a board of one's own, a tree of variations, and the preview by mail.

All of it stands on what the viewer sees. Where something is hidden from him his own view is played on, nothing is
imagined, and a move that turns on what he does not know is refused; so nothing can be learned by trying. A tried move
is called by a public number, made of the line that leads to it: rows are counted over what everybody tries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import new_token
from correspondence.models import Match, Person, Player, Purpose, Seek, Token, Variation
from correspondence.models.loading import MatchError, entries_of, moves_of, players_of, position_of
from correspondence.play.lookahead import first_move, try_step
from correspondence.play.public_numbers import public_numbers
from correspondence.play.puzzles import may_see
from correspondence.render.viewer_game import ViewerGame
from engines.base import MoveError, Position, Seat, Viewer
from engines.options import OptionError
from engines.wording import _

MOST_KEPT = 300
"""How many tried moves a person may keep for one match."""

_NO_ROW = -1
_YES, _NO = frozenset({"on", "yes", "true"}), frozenset({"off", "no", "false"})


@dataclass(frozen=True, slots=True)
class Variations:
    """A tried move in a tree: its public number, who makes it, its text, and what was tried after it."""

    number: int
    seat: Seat
    text: str
    branches: tuple[Variations, ...]


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A board of one's own: the position after `line`, which leads from the position after `ply` entries.

    `position` is all that its owner sees; `broken` is the sentence why the line ends before its last move.
    """

    ply: int
    viewer: Viewer
    position: Position[Any]
    before: Position[Any] | None
    line: tuple[Variations, ...]
    tree: tuple[Variations, ...]
    broken: str = ""

    @property
    def seat(self) -> Seat | None:
        """Who moves next on this board, lots among them; None when the game would be over."""
        return self.position.to_act[0] if self.position.to_act and not self.broken else None

    @property
    def here(self) -> int | None:
        """The number of the tried move that led here; None at the beginning."""
        return self.line[-1].number if self.line else None


def terms_among(options: Mapping[str, str]) -> tuple[dict[str, str], bool]:
    """A game's options without the term `analysis`, and whether that allows to try moves; raises OptionError."""
    rest = dict(options)
    chosen = rest.pop("analysis", "on").casefold()
    if chosen not in _YES | _NO:
        raise OptionError(_("The term “analysis” is on or off, not “{value}”.").format(value=chosen[:40]))
    return rest, chosen in _YES


def with_terms(seek: Seek) -> str:
    """The options of a seek or challenge as words, and the term `analysis` where it says off."""
    return seek.options if seek.analysis else f"{seek.options} analysis=off".strip()


def after_line(session: Session, player: Player, line: str) -> tuple[tuple[str, ...], Position[Any]]:
    """The moves of `line`, both sides' in turn, in canonical notation, and what the player would see after them.

    Nothing changes. Raises MatchError where the terms forbid it, and at the first move that is not possible.
    """
    match = session.get_one(Match, player.match_id)
    _must_be_allowed(match)
    position = position_of(match).view(player.seat)
    words, tried = line.replace(";", " ").split(), []
    while words:
        text, words, position = first_move(position, words)
        tried.append(text)
    return tuple(tried), position


def trial(
    session: Session, number: int, person_id: int | None, ply: int, at: int | None, *, of: int | None = None
) -> AnalysisBoard | None:
    """The board of a person after one of his tried moves, or of another who shares his; None where there is none.

    Raises MatchError where the terms of the match forbid to try moves while it runs.
    """
    match = session.get(Match, number)
    if match is None or not 0 <= ply <= match.ply or not may_see(session, match, person_id):
        return None
    _must_be_allowed(match)
    rows = _rows(session, number, person_id if of is None else of)
    called = _called(rows)
    line = _line(rows, _row_called(called, at), ply)
    if line is None:
        return None
    viewer = _viewer(session, match, person_id)
    position, before, broken = _along(_base(session, match, viewer, ply), [row.text for row in line])
    tree = _branches(rows, called, ply)
    branches = {branch.number: branch for branch in _all(tree)}
    return AnalysisBoard(ply, viewer, position, before, tuple(branches[called[row.id]] for row in line), tree, broken)


def try_move(
    session: Session, person: Person, number: int, ply: int, at: int | None, text: str, *, now: datetime
) -> int:
    """Keep a move tried after another one, or at the beginning; returns its number, the old one if it was there.

    Raises MoveError or MatchError, before changing anything.
    """
    seen = trial(session, number, person.id, ply, at)
    if seen is None:
        raise MatchError(_("There is no such position to try moves from."))
    if seen.broken:
        raise MatchError(seen.broken)
    seat, canonical, _after = try_step(seen.position, text)
    rows = _rows(session, number, person.id)
    called = _called(rows)
    parent = _row_called(called, at)
    same = [r for r in rows if (r.ply, r.parent_id, r.text) == (ply, parent, canonical)]
    if same:
        return called[same[0].id]
    if len(rows) >= MOST_KEPT:
        raise MatchError(_("You keep {count} tried moves here; please drop some first.").format(count=MOST_KEPT))
    kept = Variation(match_id=number, person_id=person.id, ply=ply, parent_id=parent, seat=seat, text=canonical, at=now)
    session.add(kept)
    session.flush()
    return _called([*rows, kept])[kept.id]


def drop(session: Session, person: Person, number: int, at: int) -> int | None:
    """Forget a tried move and all after it; returns the number of the one before it, None at the beginning.

    Raises MatchError where there is none.
    """
    rows = _rows(session, number, person.id)
    called = _called(rows)
    dropped = next((row for row in rows if called[row.id] == at), None)
    if dropped is None:
        raise MatchError(_("There is no such move among those you tried."))
    gone = [dropped]
    for row in gone:
        gone += [child for child in rows if child.parent_id == row.id]
    for row in reversed(gone):
        session.delete(row)
        session.flush()
    return None if dropped.parent_id is None else called[dropped.parent_id]


def share(session: Session, person: Person, number: int, *, now: datetime) -> Token:
    """A token by which anybody can see what this person tried; only when the match is over. Raises MatchError."""
    match = session.get_one(Match, number)
    if match.ended_at is None:
        raise MatchError(_("What you tried can be shared when the game is over."))
    return shared_by(session, person.id, number) or new_token(
        session, Purpose.TRIES, now=now, person=person, match_id=number
    )


def stop_sharing(session: Session, person: Person, number: int, *, now: datetime) -> None:
    """The link no longer works; nothing if there was none."""
    token = shared_by(session, person.id, number)
    if token is not None:
        token.used_at = now
        session.add(token)


def shared_by(session: Session, person_id: int, number: int) -> Token | None:
    """The token under which a person shares what he tried in a match."""
    found = select(Token).where(col(Token.person_id) == person_id, col(Token.match_id) == number)
    return session.exec(found.where(col(Token.purpose) == Purpose.TRIES, col(Token.used_at).is_(None))).first()


def owner_of(session: Session, token_id: int | None, number: int) -> Person | None:
    """Who shares his tried moves of this match by a token; None where it does not work."""
    token = session.get(Token, token_id) if token_id is not None else None
    if token is None or (token.purpose, token.match_id, token.used_at) != (Purpose.TRIES, number, None):
        return None
    return session.get(Person, token.person_id)


def _must_be_allowed(match: Match) -> None:
    if match.ended_at is None and not match.analysis:
        raise MatchError(_("The players agreed to try no moves in this game before it is over."))


def _viewer(session: Session, match: Match, person_id: int | None) -> Viewer:
    seats = [player.seat for player in players_of(session, match.id) if player.person_id == person_id]
    return seats[0] if seats else None


def _base(session: Session, match: Match, viewer: Viewer, ply: int) -> Position[Any]:
    course = ViewerGame(match.game, match.options, tuple(entries_of(moves_of(session, match.id))))
    position = course.at(ply)
    return position if match.ended_at is not None else position.view(viewer)


def _along(position: Position[Any], texts: Sequence[str]) -> tuple[Position[Any], Position[Any] | None, str]:
    before = None
    for text in texts:
        try:
            _seat, _text, after = try_step(position, text)
        except (MoveError, MatchError) as error:
            return position, before, _("{move} cannot be played there any more: {why}").format(move=text, why=error)
        before, position = position, after
    return position, before, ""


def _rows(session: Session, number: int, person_id: int | None) -> list[Variation]:
    found = select(Variation).where(col(Variation.match_id) == number, col(Variation.person_id) == person_id)
    return list(session.exec(found.order_by(col(Variation.id))))


def _line(rows: Sequence[Variation], at: int | None, ply: int) -> list[Variation] | None:
    """The tried moves that lead to one of them, in order; None where it is not of this tree."""
    known, line = {row.id: row for row in rows if row.ply == ply}, []
    while at is not None:
        if at not in known:
            return None
        line.append(known[at])
        at = known[at].parent_id
    return line[::-1]


def _called(rows: Sequence[Variation]) -> dict[int, int]:
    """The public numbers of the tried moves of one person in one match, by the numbers of their rows."""
    paths: dict[int, str] = {}
    for row in rows:  # children have higher numbers than what they follow
        before = str(row.ply) if row.parent_id is None else paths[row.parent_id]
        paths[row.id] = f"{before};{row.seat} {row.text}"
    return dict(zip(paths, public_numbers(tuple(paths.values())), strict=True))


def _row_called(called: Mapping[int, int], at: int | None) -> int | None:
    """The number of the row with this public number, or one that no row has; None at the beginning."""
    return None if at is None else next((row for row, number in called.items() if number == at), _NO_ROW)


def _branches(rows: Sequence[Variation], called: Mapping[int, int], ply: int) -> tuple[Variations, ...]:
    below: dict[int | None, list[Variation]] = {}
    for row in rows:
        if row.ply == ply:
            below.setdefault(row.parent_id, []).append(row)
    made: dict[int, Variations] = {}
    for row in reversed(rows):
        if row.ply == ply:
            after = tuple(made[one.id] for one in below.get(row.id, []))
            made[row.id] = Variations(called[row.id], row.seat, row.text, after)
    return tuple(made[row.id] for row in below.get(None, []))


def _all(branches: Sequence[Variations]) -> list[Variations]:
    found = list(branches)
    for branch in found:
        found += branch.branches
    return found
