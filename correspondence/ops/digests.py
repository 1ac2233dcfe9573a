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
from correspondence.outbound import coalescing, letters
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
    return letters.write_letter(
        session, "digest", letters.to_person(session, person), f"digest:u{person.id}:l{wanted[-1].id}", now=now,
        reply_token=command_token(session, person, now=now).id, stop_token=stop_token(session, person, now=now).id,
        remark_ids=_remarks(wanted), cards=cards[:MOST], news=news[:MOST],
    )  # fmt: skip


def _remarks(wanted: Sequence[Letter]) -> list[int]:
    return [int(number) for letter in wanted for number in letter.remarks.split()]


def _news(session: Session, letter: Letter) -> list[DigestNews]:
    """The news in a held letter except whose turn it is, in the current language."""
    if letter.match_id is None:  # a challenge, or a declined one: its subject says it all
        seek_id = letter.key.rpartition(":s")[2]
        answer = _("Reply with: accept {number}, or: decline {number}").format(number=seek_id)
        return [DigestNews(letter.subject, answer if letter.kind == "challenge" else "")]
    match = session.get_one(Match, letter.match_id)
    remarks = "\n".join(remark.text for remark in coalescing.remarks_in(session, [letter]))
    sentences = {
        "over": _("Game {number} is over. {ending}").format(number=match.id, ending=ending(match)),
        "draw_offered": _("A draw is offered to you in game {number}.").format(number=match.id),
        "planned": _("Your plan has moved for you in game {number}.").format(number=match.id),
        "plan_stopped": _("A move was taken back in game {number}, so your plan there is off.").format(number=match.id),
        "plans_wanted": _("Your opponent in game {number} would like to open its plans.").format(number=match.id),
        "talk": _("Your opponent in game {number} says:").format(number=match.id),
    }
    if letter.kind in sentences:
        return [DigestNews(sentences[letter.kind], remarks, match.id)]
    return [DigestNews(sentences["talk"], remarks, match.id)] if remarks else []
