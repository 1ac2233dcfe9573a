"""A game as one viewer sees it: scenes, redacted moves, touch trees, move checks. Pure.

`opened` is True for every finished game, whose hidden information is public.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from correspondence.core.caching import cached
from correspondence.render.scene_diff import describe_changes
from engines import GAMES, game_known, svg
from engines.base import CHANCE, Hidden, MoveError, Position, Seat, UnfinishedMove, Viewer
from engines.options import options_from, read_options
from engines.record import Entry, positions, step, told
from engines.refusal import Refusal
from engines.scene import Cell, Mark, MarkKind, Scene
from engines.wording import _

MOST_MOVES = 12_000
"""Maximum legal moves in a touch tree; beyond it, moves must be typed."""

CONTINUED = 400
"""Maximum number of legal moves searched for continuations of the typed text."""

Tree = dict[str, Any]
"""Moves by touched token; a leaf is the canonical text of the move."""


@dataclass(frozen=True, slots=True)
class ViewerGame:
    """A game as played: its key, its options as `name=value` words, and its unredacted entries.

    `ending` says how a finished match ended; pictures of its last position say so too.
    """

    key: str
    options: str
    entries: tuple[Entry, ...]
    ending: str = ""

    def __hash__(self) -> int:
        """Hash the last entry alone; equality then compares all entries."""
        return hash((self.key, self.options, len(self.entries), self.entries[-1:]))

    @property
    def typed_options(self) -> Any:
        """The options for the engine. Raises UnknownGame if the rules are not installed."""
        return read_options(game_known(self.key).Options, options_from(self.options))

    @property
    def options_words(self) -> dict[str, str]:
        """The options that differ from their defaults, by name."""
        return options_from(self.options)

    def at(self, ply: int) -> Position[Any]:
        """Return the position after `ply` entries. Raises Refusal if they are not stored."""
        if not 0 <= ply <= len(self.entries):
            sentence = _("Move {number} of this game is missing. Please tell the operator, who can check a backup.")
            raise Refusal(sentence.format(number=ply))
        return _positions(self)[ply]

    def texts(self, viewer: Viewer, *, opened: bool) -> tuple[str, ...]:
        """Return the entries' texts, redacted for this viewer."""
        if opened or not self.at(0).keeps_secrets:
            return tuple([entry.text for entry in self.entries])
        return _visible_texts(self, viewer)

    def scene(self, ply: int, viewer: Viewer, *, opened: bool) -> Scene:
        """Return the scene after `ply` entries, with the last player's move marked."""
        return _marked(self, ply, viewer, opened)

    def picture(self, ply: int, viewer: Viewer, *, opened: bool) -> str:
        """Return this scene as a page's SVG (`scene_svg`), cached by game."""
        return _picture(self, ply, viewer, opened)

    def unmarked(self, ply: int, viewer: Viewer, *, opened: bool) -> Scene:
        """Return the scene after `ply` entries without marks."""
        return _scene(self.at(ply), viewer, opened)

    def is_sealed(self, ply: int) -> bool:
        """Whether entry number `ply` was a sealed choice, made without seeing the others'."""
        return len(self.at(ply - 1).to_act) > 1

    def shows_comment(self, ply: int, viewer: Viewer, *, opened: bool) -> bool:
        """Whether this viewer may read an entry's comment; on a sealed choice, only once all are in."""
        if opened or viewer == self.entries[ply - 1].seat:
            return True
        return viewer is not None and not (ply == len(self.entries) and self.is_sealed(ply))

    def last_move(self, ply: int) -> int:
        """Return the number of the last player's entry within `ply`; 0 if none, or if sealed."""
        last = next((at for at in range(ply, 0, -1) if self.entries[at - 1].seat != CHANCE), 0)
        return 0 if last and self.is_sealed(last) else last


@cached(128)
def _marked(game: ViewerGame, ply: int, viewer: Viewer, opened: bool) -> Scene:
    """Mark the last player's move and its path, as far as this viewer may see them."""
    scene, last = _ended(game, ply, _scene(game.at(ply), viewer, opened)), game.last_move(ply)
    if not last:
        return scene
    before, entry = game.at(last - 1), game.entries[last - 1]
    move, _after = step(before, entry)
    then, now = (_scene(game.at(at), viewer, opened) for at in (last - 1, last))
    marks = marks_between(then, now, before.view(entry.seat).touches(entry.seat, move))
    seen = before if opened else before.view(viewer)
    return replace(scene.marked(*marks), way=seen.way(entry.seat, move))


def _ended(game: ViewerGame, ply: int, scene: Scene) -> Scene:
    is_last = ply == len(game.entries) and game.at(ply).outcome is None
    return ended_scene(scene, game.ending) if game.ending and is_last else scene


def ended_scene(scene: Scene, ending: str) -> Scene:
    """The scene of a match that ended by a word, not on the board: its texts say how, not who is to move."""
    moment = scene.title.partition(": ")[2]
    news = ending.rstrip(".")
    title, summary = (text.replace(moment, news) if moment else text for text in (scene.title, scene.summary))
    return replace(scene, title=title, summary=summary)


def scene_for(position: Position[Any], viewer: Viewer, *, opened: bool) -> Scene:
    """Return the scene of a position for this viewer; unredacted if secrets are public."""
    return position.draw() if opened else position.scene(viewer)


@cached(128)
def _scene(position: Position[Any], viewer: Viewer, opened: bool) -> Scene:
    return scene_for(position, viewer, opened=opened)


def marks_between(before: Scene, after: Scene, touched: Iterable[str]) -> tuple[Mark, ...]:
    """Return marks for the squares that a move left, reached, captured on, or turned on."""
    then, now = _cells(before), _cells(after)
    squares = [token for token in dict.fromkeys(touched) if token in now and token in then]
    marks: list[Mark] = []
    for at, name in enumerate(squares):
        marks += (Mark(name, kind) for kind in _kinds(then[name], now[name], at == 0 and len(squares) > 1))
    return tuple(marks)


def _kinds(then: Cell, now: Cell, is_first: bool) -> tuple[MarkKind, ...]:
    if _was_turned(then, now):
        return ("turned",)
    if is_first and then.pieces:
        return ("from",)
    return ("to", "taken") if _is_captured(then, now) else ("to",)


def _was_turned(then: Cell, now: Cell) -> bool:
    if len(then.pieces) == len(now.pieces) == 1:
        one, other = then.pieces[0], now.pieces[0]
        return one.side == other.side and one.shape == other.shape == "die" and one.face != other.face
    faces = [cell.ground.face for cell in (then, now) if cell.ground]
    return len(set(faces)) == 2 and then.pieces == now.pieces


def _is_captured(then: Cell, now: Cell) -> bool:
    if not len(then.pieces) == len(now.pieces) == 1:
        return False
    one, other = then.pieces[0], now.pieces[0]
    return one.shape == other.shape == "die" and None not in (one.side, other.side) and one.side != other.side


def _cells(scene: Scene) -> dict[str, Cell]:
    return {cell.name: cell for row in scene.rows for cell in row}


@cached(64)
def scene_svg(scene: Scene, viewer: Viewer) -> str:
    """Draw the scene for a page, with the viewer's side at the bottom.

    The page shows the notes itself.
    """
    return _drawn(scene, viewer)


@cached(64)
def _picture(game: ViewerGame, ply: int, viewer: Viewer, opened: bool) -> str:
    return _drawn(_marked(game, ply, viewer, opened), viewer)


def _drawn(scene: Scene, viewer: Viewer) -> str:
    return svg.render(replace(scene, notes=()), bottom=viewer or 0, is_for_page=True)


@cached(128)
def small_svg(scene: Scene, bottom: Seat) -> str:
    """Return the board of a scene as a small SVG for lists, with the seat `bottom` below."""
    return svg.render_small(scene, bottom=bottom)


def touch_tree(position: Position[Any], seat: Seat) -> Tree | None:
    """Return every legal move of `seat` by its touches; None if there are too many."""
    return foreseen_touches(position.view(seat), seat)


def foreseen_touches(view: Position[Any], seat: Seat) -> Tree | None:
    """Return every move of `seat` legal in a view, by touches; None if there are too many.

    Unlike in `touch_tree`, the view may belong to another seat, which makes conditional plans for the moves of `seat`.
    """
    moves = list(islice(view.legal_moves(seat), MOST_MOVES + 1))
    if len(moves) > MOST_MOVES:
        return None
    tree: Tree = {}
    for move in moves:
        *path, last = view.touches(seat, move)
        branch = tree
        for token in path:
            branch = branch.setdefault(token, {})
        branch[last] = view.write(seat, move)
    return tree


def touch_labels(position: Position[Any], seat: Seat) -> dict[str, str]:
    """Return the names of tokens that are not squares: tray items and labelled choices."""
    scene = _scene(position, seat, False)
    trays = {item.touch: item.piece.name for tray in scene.trays for item in tray.items if item.touch}
    return trays | {choice.touch: choice.label for choice in scene.choices}


def touch_faces(position: Position[Any], seat: Seat) -> dict[str, str]:
    """Return small pictures of the pieces on labelled choices, by token."""
    return {
        one.touch: svg.render_piece(one.piece) for one in _scene(position, seat, False).choices if one.piece is not None
    }


def some_moves(position: Position[Any], seat: Seat, most: int) -> tuple[str, ...]:
    """Return the first `most` legal moves as texts."""
    view = position.view(seat)
    return tuple(view.write_all(seat, islice(view.legal_moves(seat), most)))


@dataclass(frozen=True, slots=True)
class Group:
    """Legal moves with the same first touch; `label` names it."""

    label: str
    moves: tuple[str, ...]


@cached(64)
def grouped_moves(position: Position[Any], seat: Seat, most: int) -> tuple[Group, ...]:
    """Return the first legal moves, grouped by first touch: a list for users without the board."""
    view = position.view(seat)
    return tuple(
        Group(start.label, tuple(view.write_all(seat, start.moves))) for start in first_touches(position, seat, most)
    )


@dataclass(frozen=True, slots=True)
class FirstTouch:
    """A first touch: its token, its label, and its moves, not yet as text."""

    token: str
    label: str
    moves: tuple[Any, ...]


def first_touches(position: Position[Any], seat: Seat, most: int) -> tuple[FirstTouch, ...]:
    """Return the first `most` legal moves, by first touch."""
    view = position.view(seat)
    labels, cells = touch_labels(position, seat), _cells(_scene(position, seat, False))
    moves: defaultdict[str, list[Any]] = defaultdict(list)
    for move in islice(view.legal_moves(seat), most):
        moves[view.first_touch(seat, move)].append(move)
    return tuple(FirstTouch(token, _label(token, labels, cells), tuple(those)) for token, those in moves.items())


def _label(token: str, labels: dict[str, str], cells: dict[str, Cell]) -> str:
    if token in cells:
        return ", ".join([token, *(piece.name for piece in cells[token].pieces[-1:])])
    return labels.get(token, token)


@dataclass(frozen=True, slots=True)
class MoveCheck:
    """The result of checking a move text: `state` is `good`, `unfinished` or `wrong`.

    `complete` is -1 if more is needed, 0 if the move can be played or continued, 1 if it is complete, None if it is
    wrong. `picture` shows the result of a good move, as far as the player's view shows it; `words` describe its
    changes.
    """

    state: str
    sentence: str
    text: str = ""
    suggestions: tuple[str, ...] = ()
    picture: str = ""
    words: str = ""

    @property
    def explanation(self) -> str:
        """The sentence, and the changes by the move."""
        return f"{self.sentence} {self.words}." if self.words else self.sentence

    @property
    def complete(self) -> int | None:
        """The state as a number for scripts; see the class."""
        if self.state == "good":
            return 0 if self.suggestions else 1
        return -1 if self.state == "unfinished" else None


def check_move(position: Position[Any], seat: Seat, text: str, *, bottom: Seat | None = None) -> MoveCheck:
    """Parse a move without playing it; return its result, or its fault.

    The picture shows the mover's side at the bottom, or that of the seat `bottom`.
    """
    view = position.view(seat)
    try:
        move = position.read(seat, text)
    except UnfinishedMove as error:
        return MoveCheck("unfinished", str(error), suggestions=error.suggestions[:12])
    except MoveError as error:
        return MoveCheck("wrong", str(error), suggestions=error.suggestions[:12])
    canonical, long = view.write(seat, move), view.write_long(seat, move)
    extensions = tuple(text for text in some_moves(position, seat, CONTINUED) if text.startswith(canonical))
    continuations = tuple(text for text in extensions if text != canonical)[:12]
    return MoveCheck(
        "good", _good_sentence(canonical, long), canonical, continuations, *_preview(view, seat, move, bottom)
    )


def position_after(view: Position[Any], seat: Seat, move: Any) -> Position[Any] | None:
    """Return the position after a move in a view; None if it depends on hidden information."""
    try:
        return view.after(seat, move)
    except Hidden:
        return None


def _preview(view: Position[Any], seat: Seat, move: Any, bottom: Seat | None) -> tuple[str, str]:
    """Return the scene after a move and its description, from the player's view alone.

    Both are empty if that view is not sufficient.
    """
    after = position_after(view, seat, move)
    if after is None:
        return "", ""
    before, scene = view.draw(), after.scene(seat)
    marks = marks_between(before, scene, view.touches(seat, move))
    shown = replace(scene.marked(*marks), way=view.way(seat, move))
    return scene_svg(shown, seat if bottom is None else bottom), describe_changes(before, scene)


def _good_sentence(canonical: str, long: str) -> str:
    if long == canonical:
        return _("{move} can be played.").format(move=canonical)
    return _("{move} can be played; in full it is {long}.").format(move=canonical, long=long)


@cached(64)
def _positions(game: ViewerGame) -> tuple[Position[Any], ...]:
    """Return the start and the position after each entry."""
    return tuple(positions(GAMES[game.key], game.typed_options, game.entries))


@cached(64)
def _visible_texts(game: ViewerGame, viewer: Viewer) -> tuple[str, ...]:
    return tuple([entry.text for entry in told(_positions(game), game.entries, viewer)])


@cached(256)
def had_secrets(game: ViewerGame) -> bool:
    """Whether anything in this game was ever hidden or chosen in secret."""
    return any(
        len(position.to_act) > 1
        or any(position.view(viewer) != position for viewer in (None, *range(len(position.SEATS))))
        for position in _positions(game)
    )
