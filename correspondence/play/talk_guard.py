"""Two checks that keep a player from revealing something by mistake in what they write to others.

The first check asks: text that names pieces, reads like a move or begins like a plan is passed on only after its writer
confirms it. It applies where something is hidden, and where it is the writer's turn. The second check refuses,
confirmed or not: nothing is passed on that names what the writer knows and others do not. Both ask the engines what is
hidden (`view`, `tell`), and are called in the use cases, so that no interface can bypass them. In a finished game
everything is open, and nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core.i18n import LANGUAGES, translations
from correspondence.models import Match, Player
from correspondence.models.loading import MatchError, game_of, position_of
from correspondence.play import near_moves
from correspondence.play.lexicon import plain
from correspondence.play.near_moves import Word, WordKind
from engines.base import CHANCE, MoveError, Position, Seat
from engines.scene import Piece, Scene
from engines.vocabulary import Vocabulary
from engines.wording import _

MOST_READ = 40
"""How many lines and signs of a text are tried as moves."""


class DisclosureError(MatchError):
    """Text was not passed on; str() is a sentence for its writer."""


class DoubtfulTextError(DisclosureError):
    """Text that may not be meant for others: it is passed on once its writer confirms it."""


class SecretDisclosedError(DisclosureError):
    """Text that names what is hidden: it is not passed on while that is hidden."""


def refuse_disclosure(match: Match, seat: Seat, text: str, *, is_meant: bool = False) -> None:
    """Refuse text that would or might reveal what others must not know; writes nothing.

    `is_meant` says that the writer has confirmed the text. Raises Doubtful or Secret.
    """
    if not text or not _is_shared(match):
        return
    if names_hidden(match, seat, text):
        raise SecretDisclosedError(
            _(
                "These words name something that your opponent cannot know, so they are not passed on while it is "
                "hidden. Nothing else was lost; please say it in other words, or when the game is over."
            )
        )
    if not is_meant and doubtful_lines(match, seat, text):
        raise DoubtfulTextError(
            _(
                "These words name pieces, or read like a move or a plan, so they were not passed on. Are they meant "
                "for your opponent?"
            )
        )


def refuse_disclosure_to_member(session: Session, writer_id: int, reader_id: int, text: str) -> None:
    """Apply the second check to text from one member to another, in all games both play. Raises SecretDisclosedError."""
    reader_matches = select(Player.match_id).where(col(Player.person_id) == reader_id)
    query = (
        select(Match, Player)
        .join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Player.person_id) == writer_id, col(Match.ended_at).is_(None), col(Match.id).in_(reader_matches))
    )
    for match, player in session.exec(query):
        refuse_disclosure(match, player.seat, text, is_meant=True)


def has_hidden_information(match: Match) -> bool:
    """Whether anything is hidden from anybody in a game now, or is being chosen in secret."""
    return _is_shared(match) and _hides(position_of(match))


def hides_move(match: Match, seat: Seat, text: str) -> bool:
    """Whether a text is a move that others would be told differently, as a choice made in secret is."""
    position = position_of(match)
    move = _read(position, seat, text)
    return move is not None and _is_told_differently(position, seat, move)


def doubtful_lines(match: Match, seat: Seat, text: str) -> tuple[str, ...]:
    """The lines of a text that look more like the game than like chat; all lines if only the whole does."""
    if not _is_shared(match):
        return ()
    position, vocabulary = position_of(match), game_of(match).vocabulary

    def is_doubtful(words: str) -> bool:
        """Whether these words alone may not be meant for others, or name what is hidden."""
        return _is_doubtful(position, seat, words, vocabulary) or names_hidden(match, seat, words)

    lines = [line for line in text.splitlines() if line.strip()]
    doubtful = tuple(filter(is_doubtful, lines))
    if doubtful or len(lines) < 2:
        return doubtful
    return tuple(lines) if is_doubtful("\n".join(lines)) else ()


def names_hidden(match: Match, seat: Seat, text: str) -> bool:
    """Whether a text names something that this seat knows and another player, or a spectator, does not."""
    position, vocabulary = position_of(match), game_of(match).vocabulary
    if not _is_shared(match) or not _hides(position):
        return False
    words = near_moves.words(text, vocabulary)
    named = near_moves.pieces_named(words, _sides(position.SEATS))
    return bool(named & _hidden_pieces(position, seat, vocabulary)) or _reads_as_secret(position, seat, text, words)


def _is_shared(match: Match) -> bool:
    return match.ended_at is None and len(game_of(match).seats) > 1


def _others(position: Position[Any], seat: Seat) -> list[Seat | None]:
    return [None, *(other for other in range(len(position.SEATS)) if other != seat)]


def _hides(position: Position[Any]) -> bool:
    seats = range(len(position.SEATS))
    return len(position.to_act) > 1 or any(position.view(viewer) != position for viewer in (None, *seats))


def _is_doubtful(position: Position[Any], seat: Seat, text: str, vocabulary: Vocabulary) -> bool:
    words, is_secret = near_moves.words(text, vocabulary), _hides(position)
    is_plan = near_moves.begins_plan(text)
    is_near = (
        near_moves.names_piece(words)
        or near_moves.names_place(words)
        or near_moves.is_bare_sign(text, vocabulary)
        or near_moves.names_faces_at_a_square(words, vocabulary)
    )
    if is_secret and (is_plan or is_near or _is_in_legal_texts(position, seat, text, vocabulary)):
        return True
    if is_plan and any(word.kind in (WordKind.SQUARE, WordKind.SIGN, WordKind.DROP) for word in words):
        return True
    if not is_secret and seat not in position.to_act:
        return False
    return near_moves.is_mostly_move(words) or _read(position, seat, text.strip()) is not None


# -- what is hidden ------------------------------------------------------------------


def _hidden_pieces(position: Position[Any], seat: Seat, vocabulary: Vocabulary) -> frozenset[str]:
    """The English names of the pieces that this seat sees and another viewer does not."""
    own = set(_pieces(position.scene(seat), vocabulary))
    others = [set(_pieces(position.scene(other), vocabulary)) for other in _others(position, seat)]
    return frozenset(name for where, name in own if not all((where, name) in visible for visible in others))


def _pieces(scene: Scene, vocabulary: Vocabulary) -> Iterator[tuple[object, str]]:
    """Every piece that a scene shows, as (place, English name)."""
    signs = near_moves.signs_of(vocabulary)
    for cell in (cell for row in scene.rows for cell in row):
        for at, piece in enumerate(cell.pieces):
            yield from (((cell.name, at), name) for name in signs.get(_sign(piece, signs), ()))
    for index, tray in enumerate(scene.trays):
        for item in tray.items:
            yield from (((index, item.count), name) for name in signs.get(item.piece.text.casefold(), ()))
        for word in filter(str.isupper, tray.note.split()):
            yield from (((index, tray.note), name) for name in signs.get(word.casefold(), ()))


def _sign(piece: Piece, signs: Any) -> str:
    """The sign by which the notation names a piece on the board."""
    if piece.under:
        return (piece.face + piece.under).casefold()
    return piece.text.casefold() if piece.text.casefold() in signs else piece.face.casefold()


def _sides(seats: Sequence[str]) -> frozenset[str]:
    """The names of the seats in all languages of the service."""
    names = (translations(language).gettext(seat) for language in LANGUAGES for seat in seats)
    return frozenset(plain(name) for name in names)


# -- what reads as a move ------------------------------------------------------------


def _read(position: Position[Any], seat: Seat, text: str) -> Any:
    """The legal move that a text is for a seat that is to move; None where it is none."""
    if seat not in position.to_act or not text:
        return None
    try:
        return position.read(seat, text)
    except MoveError:
        return None


def _reads_as_secret(position: Position[Any], seat: Seat, text: str, words: Sequence[Word]) -> bool:
    """Whether a line, or a sign in it, reads as a move that others would be told differently."""
    if seat not in position.to_act or seat == CHANCE:
        return False
    candidates = [line.strip() for line in text.splitlines()] + [
        word.text for word in words if word.kind is WordKind.SIGN
    ]
    for candidate in candidates[:MOST_READ]:
        move = _read(position, seat, candidate)
        if move is not None and _is_told_differently(position, seat, move):
            return True
    return False


def _is_told_differently(position: Position[Any], seat: Seat, move: Any) -> bool:
    now, text = position.play(seat, move), position.write(seat, move)
    return any(position.tell(seat, move, other, now).partition(" {")[0] != text for other in _others(position, seat))


def _is_in_legal_texts(position: Position[Any], seat: Seat, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text shares a word with a legal move, in a game that does not describe its vocabulary."""
    if vocabulary.signs or seat not in position.to_act:
        return False
    view = position.view(seat)
    legal_words = {word for move in view.legal_moves(seat) for word in plain(view.write(seat, move)).split()}
    return any(word in legal_words for word in plain(text).split() if len(word) > 1)
