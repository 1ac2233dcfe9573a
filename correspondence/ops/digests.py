"""Digests: one letter with a person's held news, first the games in which they are to move.

A digest names no game in its subject and contains no game's token. Moves are made by a reply with a line for each game
(`7: 5@b3`), or by a mail to the same address whose subject names the game and its next move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import command_token
from correspondence.accounts.letter_stops import stop_token
from correspondence.core import db
from correspondence.core.board_form import BoardForm
from correspondence.core.i18n import in_language
from correspondence.models import Letter, LetterState, Match, Person
from correspondence.models.loading import ending, position_of
from correspondence.models.mail import LETTER_IS_HELD
from correspondence.ops.due import OWED_DIGESTS
from correspondence.outbound import coalescing, kinds, letters
from correspondence.outbound.hidden_words import shown
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.letters import Draft
from correspondence.play.letter_context import board_for
from correspondence.play.matches import TALK_LIMIT
from correspondence.queries.queries import games_of
from correspondence.queries.view_models import GameCard
from engines import spoken
from engines.wording import _

Wanted = Callable[[Session, Letter], bool]
"""Whether a letter is still worth sending."""

BATCH = 200
"""Maximum people handled by one sweep."""

MOST = 100
"""Maximum games, and maximum pieces of news, in one digest."""


SIZE = 30_000
"""Maximum size of text and HTML in bytes, before encoding; under 60 KB when sent."""

WORDS_SHOWN = 300
"""Maximum length of a remark in a digest that would be too long, in characters."""


class DigestGame(NamedTuple):
    """A game in which the reader is to move.

    `board` is the board, redacted for them, in their chosen form; `words` is the same as sentences, if that is their
    form. Both are empty if there is no room.
    """

    card: GameCard
    board: str
    example: str
    subject: str
    """The subject of a mail with their move, as a link writes it."""
    words: Sequence[str] = ()


class DigestNews(NamedTuple):
    """One piece of news: a sentence, the remarks with it, and the id of its match, if any."""

    sentence: str
    words: str = ""
    match: int | None = None


def due(session: Session, now: datetime) -> list[int]:
    """Return the ids of at most BATCH people whose digest is due, longest wait first."""
    held = db.rows(session, OWED_DIGESTS.order_by(col(Letter.due_at)), now=now)
    people = dict.fromkeys(number for (number,) in held)  # DISTINCT would make the database scan everybody's letters
    return [number for number in people if number is not None][:BATCH]


def write(session: Session, person_id: int, still_wanted: Wanted, *, now: datetime) -> str | None:
    """Write a person's digest as `write_letter` does; None if no held letter is still wanted."""
    person = session.get_one(Person, person_id)
    held = select(Letter).where(col(Letter.person_id) == person_id, LETTER_IS_HELD)
    waiting = list(session.exec(held.order_by(col(Letter.id)).with_for_update(skip_locked=True)))
    wanted = [letter for letter in waiting if still_wanted(session, letter)]
    for letter in waiting:
        letter.state = LetterState.MERGED if letter in wanted else LetterState.CANCELLED
        session.add(letter)
    if not wanted:
        return None
    with in_language(person.language):
        cards = [card for card in games_of(session, person.id) if card.my_turn]
        games = [_game(session, card, person) for card in cards[:MOST]]
        news = [one for letter in wanted for one in _news(session, letter)][:MOST]
    draft = Draft(
        kinds.DIGEST,
        f"digest:u{person.id}:l{wanted[-1].id}",
        reply_token=command_token(session, person, now=now).id,
        stop_token=stop_token(session, person, kinds.DIGEST, now=now),
        remark_ids=_remarks(wanted),
    )
    to = letters.to_person(session, person)
    return letters.write_letter(session, to, draft, now=now, **_fitting(to, games, news, len(cards))) if to else None


def _game(session: Session, card: GameCard, reader: Person) -> DigestGame:
    """Return a game of the digest, its board redacted for the reader and in their chosen form."""
    match, seat = session.get_one(Match, card.number), card.viewer or 0
    position = position_of(match)
    view, scene = position.view(seat), position.scene(seat)
    move = next(iter(view.legal_moves(seat)), None)
    return DigestGame(
        card,
        board_for(reader, scene, seat),
        f"{match.id}: {view.write(seat, move)}" if move is not None else "",
        quote(f"game {match.id}, move {match.ply + 1}" + (f" ({match.takebacks})" if match.takebacks else "")),
        spoken.sentences(scene) if reader.board == BoardForm.WORDS else (),
    )


def _fitting(to: letters.To, games: list[DigestGame], news: list[DigestNews], waiting: int) -> dict[str, Any]:
    """Return the template values, cut to SIZE: boards first, then remarks, games and news."""
    boards, most, words = len(games), MOST, TALK_LIMIT
    while True:
        context: dict[str, Any] = {
            "games": [
                game if at < boards else game._replace(board="", words=()) for at, game in enumerate(games[:most])
            ],
            "news": [one._replace(words=_cut(one.words, words)) for one in news[:most]],
            "waiting": waiting,
            "more": waiting - len(games[:most]),
            "more_news": len(news) - len(news[:most]),
        }
        _subject, plain, html = letters.render(kinds.DIGEST, to, has_picture=False, **context)
        if len(plain.encode()) + len(html.encode()) <= SIZE or most <= 1:
            return context
        if boards:
            boards = boards * 3 // 4
        elif words > WORDS_SHOWN:
            words = WORDS_SHOWN
        else:
            most = most * 3 // 4


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[:most]}…"


def _remarks(wanted: Sequence[Letter]) -> list[int]:
    return [int(number) for letter in wanted for number in letter.remarks.split()]


def _news(session: Session, letter: Letter) -> list[DigestNews]:
    """Yield the news in a held letter, without whose turn it is, in the current language."""
    kind = kind_of(letter)
    if letter.match_id is None:  # a challenge, or a declined one: its subject is enough
        seek_id = letter.key.rpartition(":s")[2]
        return [DigestNews(letter.subject, _(kind.digest_answer).format(number=seek_id))]
    match = session.get_one(Match, letter.match_id)
    remarks = "\n".join(shown(remark.text) for remark in coalescing.remarks_in(session, [letter]))
    if not (kind.digest_sentence or remarks):
        return []
    sentence = _(kind.digest_sentence or kinds.TALK.digest_sentence)
    return [DigestNews(sentence.format(number=match.id, ending=ending(match)), remarks, match.id)]
