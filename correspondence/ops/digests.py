"""Digests: one letter with all held news for a person, first the games that wait for their move.

A digest names no game in its subject and contains no game's token: moves are made by answering a game's own letter,
or on its page. All other commands can be sent in reply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import command_token, stop_token
from correspondence.core.i18n import in_language
from correspondence.models import Letter, LetterState, Match, Person
from correspondence.models.loading import ending
from correspondence.outbound import coalescing, kinds, letters
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.letters import Draft
from correspondence.queries.queries import games_of
from engines.wording import _

Wanted = Callable[[Session, Letter], bool]
"""Whether a letter is still worth sending."""

BATCH = 200
"""The most people that one sweep handles."""

MOST = 100
"""The most games, and the most pieces of news, in one digest."""


class DigestNews(NamedTuple):
    """One piece of news: a sentence, the remarks with it, and the id of its match, if any."""

    sentence: str
    words: str = ""
    match: int | None = None


def due(session: Session, now: datetime) -> list[int]:
    """The ids of the people whose digest is due."""
    held = select(Letter.person_id).where(col(Letter.state) == LetterState.HELD, col(Letter.due_at) <= now)
    return [number for number in session.exec(held.distinct().limit(BATCH)) if number is not None]


def write(session: Session, person_id: int, still_wanted: Wanted, *, now: datetime) -> Letter | None:
    """Write a person's digest from their held letters; None if none of those is wanted any more."""
    person = session.get_one(Person, person_id)
    held = select(Letter).where(col(Letter.person_id) == person_id, col(Letter.state) == LetterState.HELD)
    waiting = list(session.exec(held.order_by(col(Letter.id)).with_for_update(skip_locked=True)))
    wanted = [letter for letter in waiting if still_wanted(session, letter)]
    for letter in waiting:
        letter.state = LetterState.MERGED if letter in wanted else LetterState.CANCELLED
        session.add(letter)
    if not wanted:
        return None
    with in_language(person.language):
        cards = [card for card in games_of(session, person.id) if card.my_turn]
        news = [one for letter in wanted for one in _news(session, letter)]
    draft = Draft(
        kinds.DIGEST,
        f"digest:u{person.id}:l{wanted[-1].id}",
        reply_token=command_token(session, person, now=now).id,
        stop_token=stop_token(session, person, now=now).id,
        remark_ids=_remarks(wanted),
    )
    to = letters.to_person(session, person)
    return letters.write_letter(session, to, draft, now=now, cards=cards[:MOST], news=news[:MOST])


def _remarks(wanted: Sequence[Letter]) -> list[int]:
    return [int(number) for letter in wanted for number in letter.remarks.split()]


def _news(session: Session, letter: Letter) -> list[DigestNews]:
    """The news in a held letter except whose turn it is, in the current language."""
    kind = kind_of(letter)
    if letter.match_id is None:  # a challenge, or a declined one: its subject says it all
        seek_id = letter.key.rpartition(":s")[2]
        return [DigestNews(letter.subject, _(kind.digest_answer).format(number=seek_id))]
    match = session.get_one(Match, letter.match_id)
    remarks = "\n".join(remark.text for remark in coalescing.remarks_in(session, [letter]))
    if not (kind.digest_sentence or remarks):
        return []
    sentence = _(kind.digest_sentence or kinds.TALK.digest_sentence)
    return [DigestNews(sentence.format(number=match.id, ending=ending(match)), remarks, match.id)]
