"""Digests: what waited for a person, told in one letter, the games that wait for a move first.

A digest names no game in its subject and holds no game's token: a move is made by answering a game's own letter, or
on its page. Everything else can be written in reply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import desk_token, stop_token
from correspondence.core.i18n import in_language
from correspondence.models import Letter, LetterState, Match, Person
from correspondence.models.loading import ending
from correspondence.outbound import coalescing, letters
from correspondence.queries.queries import games_of
from engines.wording import _

Wanted = Callable[[Session, Letter], bool]

BATCH = 200
"""Persons of one sweep."""

MOST = 100
"""Games, and pieces of news, that one digest lists."""


class DigestNews(NamedTuple):
    """One thing that happened: in a sentence, the words that were said, and the game it is about, if any."""

    sentence: str
    words: str = ""
    match: int | None = None


def due(session: Session, now: datetime) -> list[int]:
    """The persons whose digest is due."""
    held = select(Letter.person_id).where(col(Letter.state) == LetterState.HELD, col(Letter.due_at) <= now)
    return [number for number in session.exec(held.distinct().limit(BATCH)) if number is not None]


def write(session: Session, person_id: int, still_wanted: Wanted, *, now: datetime) -> Letter | None:
    """Write a person's digest of all that waits for it; None where nothing of it is wanted any more."""
    person = session.get_one(Person, person_id)
    held = select(Letter).where(col(Letter.person_id) == person_id, col(Letter.state) == LetterState.HELD)
    waiting = list(session.exec(held.order_by(col(Letter.id)).with_for_update(skip_locked=True)))
    wanted = [letter for letter in waiting if still_wanted(session, letter)]
    for letter in waiting:
        letter.state = LetterState.TOLD if letter in wanted else LetterState.CANCELLED
        session.add(letter)
    if not wanted:
        return None
    with in_language(person.language):
        cards = [card for card in games_of(session, person.id) if card.my_turn]
        news = [one for letter in wanted for one in _news(session, letter)]
    return letters.write_letter(
        session, "digest", letters.to_person(session, person), f"digest:u{person.id}:l{wanted[-1].id}", now=now,
        reply_token=desk_token(session, person, now=now).id, stop_token=stop_token(session, person, now=now).id,
        remark_ids=_remarks(wanted), cards=cards[:MOST], news=news[:MOST],
    )  # fmt: skip


def _remarks(wanted: Sequence[Letter]) -> list[int]:
    return [int(number) for letter in wanted for number in letter.remarks.split()]


def _news(session: Session, letter: Letter) -> list[DigestNews]:
    """What a letter would have told besides whose turn it is, in the language spoken now."""
    if letter.match_id is None:  # a challenge, or one that was declined: its subject says it all
        number = letter.key.rpartition(":s")[2]
        answer = _("Reply with: accept {number}, or: decline {number}").format(number=number)
        return [DigestNews(letter.subject, answer if letter.kind == "challenge" else "")]
    match = session.get_one(Match, letter.match_id)
    said = "\n".join(remark.text for remark in coalescing.remarks_in(session, [letter]))
    sentences = {
        "over": _("Game {number} is over. {ending}").format(number=match.id, ending=ending(match)),
        "draw_offered": _("A draw is offered to you in game {number}.").format(number=match.id),
        "planned": _("Your plan has moved for you in game {number}.").format(number=match.id),
        "plan_stopped": _("A move was taken back in game {number}, so your plan there is off.").format(number=match.id),
        "plans_wanted": _("Your opponent in game {number} would like to open the plans of it.").format(number=match.id),
        "talk": _("Your opponent in game {number} says:").format(number=match.id),
    }
    if letter.kind in sentences:
        return [DigestNews(sentences[letter.kind], said, match.id)]
    return [DigestNews(sentences["talk"], said, match.id)] if said else []
