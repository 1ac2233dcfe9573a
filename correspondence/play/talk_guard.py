"""What a player must not tell by mistake: two walls between what he writes and whoever else would read it.

The first wall asks: words that name pieces, read like a move or begin like a plan are passed on only when their writer
has said that they are meant. It stands where something is hidden, and where it is the writer's turn. The second wall
refuses, whatever was said: nothing is passed on that names what the writer knows and the others do not. Both ask the
engines what is hidden (`view`, `tell`), and stand in the use cases, so that no interface can go round them. When a
match is over all lies open, and nothing is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core.i18n import LANGUAGES, translations
from correspondence.models import Match, Player
from correspondence.models.loading import MatchError, game_of, position_of
from correspondence.play import near_moves
from correspondence.play.near_moves import Kind, Word
from engines.base import CHANCE, MoveError, Position, Seat
from engines.scene import Piece, Scene
from engines.vocabulary import Vocabulary
from engines.wording import _

MOST_READ = 40
"""How many lines and signs of a text are tried as moves."""


class DisclosureError(MatchError):
    """Words were not passed on; str() is a sentence for their writer."""


class Doubtful(DisclosureError):
    """Words that may be meant for nobody else: they are passed on once their writer says that they are meant."""


class Secret(DisclosureError):
    """Words that name what is hidden: they are not passed on while it is."""


def must_not_tell(match: Match, seat: Seat, text: str, *, is_meant: bool = False) -> None:
    """Refuse words that would tell, or might tell, what others are not to know; nothing is written.

    `is_meant` where the writer was asked already. Raises Doubtful or Secret.
    """
    if not text or not _is_shared(match):
        return
    if names_hidden(match, seat, text):
        raise Secret(
            _(
                "These words name something that your opponent cannot know, so they are not passed on while it is "
                "hidden. Nothing else was lost; please say it in other words, or when the game is over."
            )
        )
    if not is_meant and doubtful_lines(match, seat, text):
        raise Doubtful(
            _(
                "These words name pieces, or read like a move or a plan, so they were not passed on. Are they meant "
                "for your opponent?"
            )
        )


def must_not_write(session: Session, writer_id: int, reader_id: int, text: str) -> None:
    """The second wall for words that go from one member to another, in all matches that both play. Raises Secret."""
    theirs = select(Player.match_id).where(col(Player.person_id) == reader_id)
    both = (
        select(Match, Player)
        .join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Player.person_id) == writer_id, col(Match.ended_at).is_(None), col(Match.id).in_(theirs))
    )
    for match, player in session.exec(both):
        must_not_tell(match, player.seat, text, is_meant=True)


def keeps_secrets(match: Match) -> bool:
    """Whether anything is hidden from anybody in a match as it stands, or is just being chosen in secret."""
    return _is_shared(match) and _hides(position_of(match))


def doubtful_lines(match: Match, seat: Seat, text: str) -> tuple[str, ...]:
    """The lines of a text that are nearer to the game than to talk; all of them, where only the whole is."""
    if not _is_shared(match):
        return ()
    position, vocabulary = position_of(match), game_of(match).vocabulary

    def is_doubtful(words: str) -> bool:
        return _is_doubtful(position, seat, words, vocabulary) or names_hidden(match, seat, words)

    lines = [line for line in text.splitlines() if line.strip()]
    found = tuple(filter(is_doubtful, lines))
    if found or len(lines) < 2:
        return found
    return tuple(lines) if is_doubtful("\n".join(lines)) else ()


def names_hidden(match: Match, seat: Seat, text: str) -> bool:
    """Whether a text names something that this seat knows and another, or an onlooker, does not."""
    position, vocabulary = position_of(match), game_of(match).vocabulary
    if not _is_shared(match) or not _hides(position):
        return False
    found = near_moves.words(text, vocabulary)
    told = near_moves.pieces_told(found, _sides(position.SEATS))
    return bool(told & _hidden(position, seat, vocabulary)) or _reads_as_secret(position, seat, text, found)


def _is_shared(match: Match) -> bool:
    return match.ended_at is None and len(game_of(match).seats) > 1


def _others(position: Position[Any], seat: Seat) -> list[Seat | None]:
    return [None, *(other for other in range(len(position.SEATS)) if other != seat)]


def _hides(position: Position[Any]) -> bool:
    seats = range(len(position.SEATS))
    return len(position.to_act) > 1 or any(position.view(viewer) != position for viewer in (None, *seats))


def _is_doubtful(position: Position[Any], seat: Seat, text: str, vocabulary: Vocabulary) -> bool:
    found, is_secret = near_moves.words(text, vocabulary), _hides(position)
    is_plan = near_moves.begins_plan(text)
    is_near = (
        near_moves.names_piece(found) or near_moves.names_place(found) or near_moves.is_bare_sign(text, vocabulary)
    )
    if is_secret and (is_plan or is_near or _is_in_legal_texts(position, seat, text, vocabulary)):
        return True
    if is_plan and any(word.kind in (Kind.SQUARE, Kind.SIGN, Kind.DROP) for word in found):
        return True
    if not is_secret and seat not in position.to_act:
        return False
    return near_moves.is_nearer_to_a_move(found) or _read(position, seat, text.strip()) is not None


# -- what is hidden ------------------------------------------------------------------


def _hidden(position: Position[Any], seat: Seat, vocabulary: Vocabulary) -> frozenset[str]:
    """The English names of the pieces that this seat sees where another does not."""
    seen = set(_pieces(position.scene(seat), vocabulary))
    theirs = [set(_pieces(position.scene(other), vocabulary)) for other in _others(position, seat)]
    return frozenset(name for where, name in seen if not all((where, name) in known for known in theirs))


def _pieces(scene: Scene, vocabulary: Vocabulary) -> Iterator[tuple[object, str]]:
    """Where a picture shows which piece, by its English name."""
    signs = near_moves.signs_of(vocabulary)
    for cell in (cell for row in scene.rows for cell in row):
        for at, piece in enumerate(cell.pieces):
            yield from (((cell.name, at), name) for name in signs.get(_sign(piece, signs), ()))
    for number, tray in enumerate(scene.trays):
        for item in tray.items:
            yield from (((number, item.count), name) for name in signs.get(item.piece.text.casefold(), ()))
        for word in filter(str.isupper, tray.note.split()):
            yield from (((number, tray.note), name) for name in signs.get(word.casefold(), ()))


def _sign(piece: Piece, signs: Any) -> str:
    """The sign by which the notation names a piece on the board."""
    if piece.under:
        return (piece.face + piece.under).casefold()
    return piece.text.casefold() if piece.text.casefold() in signs else piece.face.casefold()


def _sides(seats: Sequence[str]) -> frozenset[str]:
    """What the seats are called, in all languages of the service."""
    called = (translations(language).gettext(seat) for language in LANGUAGES for seat in seats)
    return frozenset(near_moves.plain(name) for name in called)


# -- what reads as a move ------------------------------------------------------------


def _read(position: Position[Any], seat: Seat, text: str) -> Any:
    """The legal move that a text is, of a seat that is to act; None where it is none."""
    if seat not in position.to_act or not text:
        return None
    try:
        return position.read(seat, text)
    except MoveError:
        return None


def _reads_as_secret(position: Position[Any], seat: Seat, text: str, found: Sequence[Word]) -> bool:
    """Whether a line, or a sign in it, reads as a move that the others would not be told as it is written."""
    if seat not in position.to_act or seat == CHANCE:
        return False
    tried = [line.strip() for line in text.splitlines()] + [word.text for word in found if word.kind is Kind.SIGN]
    for one in tried[:MOST_READ]:
        move = _read(position, seat, one)
        if move is not None and _is_told_otherwise(position, seat, move):
            return True
    return False


def _is_told_otherwise(position: Position[Any], seat: Seat, move: Any) -> bool:
    now, text = position.play(seat, move), position.write(seat, move)
    return any(position.tell(seat, move, other, now).partition(" {")[0] != text for other in _others(position, seat))


def _is_in_legal_texts(position: Position[Any], seat: Seat, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text shares a word with the moves that are possible, in a game that says nothing about its words."""
    if vocabulary.signs or seat not in position.to_act:
        return False
    view = position.view(seat)
    known = {word for move in view.legal_moves(seat) for word in near_moves.plain(view.write(seat, move)).split()}
    return any(word in known for word in near_moves.plain(text).split() if len(word) > 1)
