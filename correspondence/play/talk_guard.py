"""Two checks that stop players from revealing something by mistake in text to others.

The first check asks for confirmation: text that names pieces, reads like a move or begins like a plan is passed on only
once its writer confirms it. It applies if something is hidden, or on the writer's turn. The second check always refuses
text that names what the writer knows and others do not. Both ask the engines what is hidden (`view`, `tell`), and run
in the use cases, so that no interface can bypass them. In a finished game everything is open, and nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from sqlmodel import Session, col, select

from correspondence.core.i18n import LANGUAGES, translations
from correspondence.models import Match, Player
from correspondence.models.loading import MatchError, game_of, position_of
from correspondence.play import near_moves
from correspondence.play.lexicon import plain
from correspondence.play.move_reading import MoveReader, Reading, may_be_move, shares_word, try_text
from correspondence.play.near_moves import Word, WordKind
from correspondence.play.talk_text import TALK_LIMIT, clean_talk
from engines.base import CHANCE, Position, Seat
from engines.scene import Piece, Scene
from engines.vocabulary import Vocabulary
from engines.wording import _

MOST_READ = 8
"""Maximum number of texts parsed for one remark; unread possible moves count as doubtful."""

MOST_DOUBTFUL = 40
"""Maximum number of doubtful lines; later lines are not checked and count as doubtful."""


class DisclosureError(MatchError):
    """Raised if text was not passed on; str() is a sentence for its writer."""


class DoubtfulTextError(DisclosureError):
    """Raised for text that may not be meant for others and needs its writer's confirmation."""


class SecretDisclosedError(DisclosureError):
    """Raised for text that names what is hidden; it is refused while that is hidden."""


def refuse_disclosure(match: Match, seat: Seat, text: str, *, is_meant: bool = False) -> None:
    """Refuse text that reveals or may reveal what others must not know; writes nothing.

    `is_meant` says that the writer has confirmed the text. Raises DisclosureError.
    """
    if not text or not _is_shared(match):
        return
    if names_hidden(match, seat, text):
        raise SecretDisclosedError(
            _(
                "These words mention something that your opponent cannot know, so they are not passed on "
                "while it is hidden. Please say it in other words, or when the game is over."
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
    """Apply the second check between members, in all their games. Raises SecretDisclosedError."""
    reader_matches = select(Player.match_id).where(col(Player.person_id) == reader_id)
    query = (
        select(Match, Player)
        .join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Player.person_id) == writer_id, col(Match.ended_at).is_(None), col(Match.id).in_(reader_matches))
    )
    for match, player in session.exec(query):
        refuse_disclosure(match, player.seat, text, is_meant=True)


def has_hidden_information(match: Match) -> bool:
    """Whether a game now hides anything from anyone, or a choice is being made in secret."""
    return _is_shared(match) and _hides(position_of(match))


def hides_move(match: Match, seat: Seat, text: str) -> bool:
    """Whether a text is a move shown differently to others, such as a secret choice."""
    position = position_of(match)
    if seat not in position.to_act:
        return False
    found = try_text(position, seat, text)
    return found.reading is Reading.MOVE and _is_told_differently(position, seat, found.move)


def doubtful_lines(match: Match, seat: Seat, text: str) -> tuple[str, ...]:
    """Return the lines of a text that look more like the game than like chat.

    All lines if only the whole text does. Lines beyond the first TALK_LIMIT characters of talk are never passed on, so
    they are not checked.
    """
    if not _is_shared(match):
        return ()
    check = _Check(match, seat)
    lines = list(dict.fromkeys(line for line in text.splitlines() if line.strip()))
    doubtful: list[str] = []
    talk: list[str] = []
    length = 0
    for place, line in enumerate(lines):
        if len(doubtful) == MOST_DOUBTFUL:
            return (*doubtful, *lines[place:])
        if length > TALK_LIMIT:
            break
        if check.is_doubtful(line) or check.names_hidden(line):
            doubtful.append(line)
        else:
            talk.append(line)
            length += len(clean_talk(line)) + 1
    if doubtful or len(talk) < 2:
        return tuple(doubtful)
    whole = "\n".join(talk)
    return tuple(talk) if check.is_doubtful(whole) or check.names_hidden(whole) else ()


def names_hidden(match: Match, seat: Seat, text: str) -> bool:
    """Whether the passed-on text names something this seat knows and another viewer does not."""
    return _is_shared(match) and _Check(match, seat).names_hidden(clean_talk(text))


def _is_shared(match: Match) -> bool:
    return match.ended_at is None and len(game_of(match).seats) > 1


def _others(position: Position[Any], seat: Seat) -> list[Seat | None]:
    return [None, *(other for other in range(len(position.SEATS)) if other != seat)]


def _hides(position: Position[Any]) -> bool:
    seats = range(len(position.SEATS))
    return len(position.to_act) > 1 or any(position.view(viewer) != position for viewer in (None, *seats))


class _Check:
    """Checks what one seat may say in one position."""

    def __init__(self, match: Match, seat: Seat) -> None:
        self._position, self._seat, self._vocabulary = position_of(match), seat, game_of(match).vocabulary
        self._hides, self._reader = _hides(self._position), MoveReader(MOST_READ)
        self._is_to_move = seat in self._position.to_act and seat != CHANCE

    def is_doubtful(self, text: str) -> bool:
        """Whether the text, judged without its surroundings, may not be meant for others."""
        words = near_moves.words(text, self._vocabulary)
        is_plan = near_moves.begins_plan(text)
        if self._hides and (is_plan or self._is_near(text, words)):
            return True
        if is_plan and any(word.kind in (WordKind.SQUARE, WordKind.SIGN, WordKind.DROP) for word in words):
            return True
        if not self._hides and not self._is_to_move:
            return False
        if near_moves.is_mostly_move(words) or self._is_badly_typed(text):
            return True
        if near_moves.is_square_beside_word(words, text):
            return True
        return self._may_be_move(text) and self._reading(text.strip()) is not Reading.TALK

    def names_hidden(self, text: str) -> bool:
        """Whether the text names what the seat knows and others do not."""
        if not self._hides:
            return False
        words = near_moves.words(text, self._vocabulary)
        is_move = self._is_to_move and near_moves.is_mostly_move(words)
        named = near_moves.pieces_named(words, self._sides, is_move=is_move)
        return bool(named & self._hidden) or self._reads_as_secret(text, words)

    def _is_near(self, text: str, words: Sequence[Word]) -> bool:
        return (
            near_moves.names_piece(words)
            or near_moves.names_place(words)
            or near_moves.is_bare_sign(text, self._vocabulary)
            or near_moves.names_faces_at_a_square(words, self._vocabulary)
            or self._is_badly_typed(text)
            or (not self._vocabulary.signs and self._is_to_move and shares_word(self._position, self._seat, text))
        )

    def _is_badly_typed(self, text: str) -> bool:
        return near_moves.is_dictated(text, self._vocabulary) or near_moves.is_typed_at(text)

    def _may_be_move(self, text: str) -> bool:
        return self._is_to_move and may_be_move(self._position, self._seat, text, self._vocabulary)

    def _reading(self, text: str) -> Reading | None:
        """Return how a text reads to the seat to move; None if the reading limit is reached."""
        found = self._reader.read(self._position, self._seat, text)
        return None if found is None else Reading.MOVE if found.reading is Reading.MOVE else Reading.TALK

    def _reads_as_secret(self, text: str, words: Sequence[Word]) -> bool:
        """Whether a line or sign reads as a move shown differently to others, or is unread."""
        if not self._is_to_move:
            return False
        lines = [line.strip() for line in text.splitlines() if line.strip() and self._may_be_move(line.strip())]
        signs = [word.text for word in words if word.kind is WordKind.SIGN]
        for candidate in dict.fromkeys((*lines, *signs)):
            found = self._reader.read(self._position, self._seat, candidate)
            if found is None:
                return True
            if found.reading is Reading.MOVE and _is_told_differently(self._position, self._seat, found.move):
                return True
        return False

    @cached_property
    def _hidden(self) -> frozenset[str]:
        return _hidden_pieces(self._position, self._seat, self._vocabulary)

    @cached_property
    def _sides(self) -> frozenset[str]:
        return _sides(self._position.SEATS)


# -- what is hidden ------------------------------------------------------------------


def _hidden_pieces(position: Position[Any], seat: Seat, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the English names of the pieces that this seat sees and another viewer does not."""
    own = set(_pieces(position.scene(seat), vocabulary))
    others = [set(_pieces(position.scene(other), vocabulary)) for other in _others(position, seat)]
    return frozenset(name for where, name in own if not all((where, name) in visible for visible in others))


def _pieces(scene: Scene, vocabulary: Vocabulary) -> Iterator[tuple[object, str]]:
    """Return every piece in a scene, as (place, English name)."""
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
    """Return the notation's sign for a piece on the board."""
    if piece.under:
        return (piece.face + piece.under).casefold()
    return piece.text.casefold() if piece.text.casefold() in signs else piece.face.casefold()


def _sides(seats: Sequence[str]) -> frozenset[str]:
    """Return the names of the seats in all languages of the service."""
    names = (translations(language).gettext(seat) for language in LANGUAGES for seat in seats)
    return frozenset(plain(name) for name in names)


def _is_told_differently(position: Position[Any], seat: Seat, move: Any) -> bool:
    now, text = position.play(seat, move), position.write(seat, move)
    return any(position.tell(seat, move, other, now).partition(" {")[0] != text for other in _others(position, seat))
