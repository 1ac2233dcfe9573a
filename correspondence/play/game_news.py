"""News in letters about a game, and how they are written: redacted, translated and threaded.

A letter also takes over the news of waiting letters that it replaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, update
from sqlmodel import Session, col

from correspondence.accounts import relations
from correspondence.accounts.letter_stops import stop_token
from correspondence.core import db
from correspondence.core.i18n import in_language
from correspondence.fairness import ends
from correspondence.models import Letter, Match, Person, Player, Remark, Token
from correspondence.models.loading import MadeMove, Step, person_of, players_of, position_of
from correspondence.outbound import coalescing, kinds, letters
from correspondence.outbound.hidden_words import shown
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft
from correspondence.outbound.transcript import TranscriptEntry, numbered, pictures_of
from correspondence.play import lessons
from correspondence.play.conditional import plans
from correspondence.play.headlines import headline as headline_of
from correspondence.play.letter_context import board_picture, entries_for_reader, facts, named_moves
from engines.base import CHANCE, Game
from engines.record import Entry
from engines.wording import _

ANSWERABLE = timedelta(days=30)
"""Time for which a letter about a finished game can be answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNews:
    """The news of a letter about a game, besides the position."""

    steps: Sequence[Step] = ()
    """Moves since the last letter, marked on the board."""
    comments: Sequence[str] = ()
    """Comments on these moves."""
    remarks: Sequence[Remark] = ()
    """Remarks that were not sent with a move."""
    plan: plans.PlanNews | None = None
    """News of the reader's plan."""
    plan_lines: Sequence[str] = ()
    """Sentences about plans, in the reader's language, if `plan` is None."""
    until: datetime | None = None
    """The time mentioned in the letter."""
    days: int = 0
    """Length of a proposed pause, in days."""
    going: Sequence[MadeMove] = ()
    """The moves that a take-back removes."""
    declined: str = ""
    """The kind of the reader's offer that was declined."""
    time_left: Sequence[tuple[str, timedelta]] = ()
    """The other players to move, and how much time they have."""
    entries: Sequence[TranscriptEntry] = ()
    """Answers to the other lines of the mail that the letter answers."""
    rating: str = ""
    """The reader's rating change, as a sentence in their language."""
    is_resumption: bool = False
    """Whether a reminder announces that the clock runs again after a pause or an absence."""
    asks_licence: bool = False
    """Whether the letter asks to publish the reader's games."""


_NOTHING = GameNews()

_TELLS_A_MOVE = (kinds.TURN, kinds.RECEIPT)
"""Kinds of letters whose first sentence names a move."""


def send(
    session: Session,
    kind: LetterKind,
    match: Match,
    player: Player,
    key: str,
    news: GameNews = _NOTHING,
    *,
    now: datetime,
    question: Token | None = None,
    is_final: bool = False,
) -> bool:
    """Write a letter about a game, merged with waiting letters; return whether it was written.

    `question` is the token that a reply confirms; without it, a reply makes a move. Robots get no letters.
    """
    reader = person_of(session, player)
    if reader.robot_level:
        return False
    waiting = coalescing.mergeable(session, match, reader) if kind.is_merging else []
    news = replace(news, remarks=[*_remarks_in(session, match, reader, waiting), *news.remarks])
    context = _context(session, kind, match, player, news, now)
    draft = replace(
        draft_of(kind, match, player, key),
        member=context["opponent"],
        head=context["evidence"].head,
        seed=context["evidence"].seed_field,
        end=ends.letter_fields(session, match) if kind == kinds.OVER else "",
        reply_token=question.id if question else player.token_id,
        stop_token=stop_token(session, reader, kind, now=now) if kind.stops else None,
        answers=question is not None or kind.is_answer,
        choices=numbered(news.entries)[1],
        picture=board_picture(context["scene"], player.seat, reader.board),
        diagrams=pictures_of(news.entries),
        remark_ids=[remark.id for remark in news.remarks],
        not_after=min((letter.due_at for letter in waiting), default=None) if kind.is_mergeable else None,
        is_final=is_final,
    )
    stay_answerable(session, match, player, now)
    message_id = letters.write_letter(session, letters.to_person(session, reader), draft, now=now, **context)
    if message_id is not None:
        coalescing.mark_merged(session, waiting)
        coalescing.open_remarks(session, kind, news.remarks)
    remember(player, message_id)
    return message_id is not None


def draft_of(kind: LetterKind, match: Match, player: Player, key: str) -> Draft:
    """Draft a letter of this game in the player's thread, answerable with a move."""
    return Draft(
        kind,
        key,
        match_id=match.id,
        ply=match.ply,
        reply_token=player.token_id,
        in_reply_to=player.last_message_id,
    )


def _remarks_in(session: Session, match: Match, reader: Person, waiting: Sequence[Letter]) -> list[Remark]:
    """Return the remarks in waiting letters, without those of players muted since."""
    if not waiting:
        return []
    muted_ids = relations.muted_ids(session, players_of(session, match.id), reader.id)
    return [remark for remark in coalescing.remarks_in(session, waiting) if remark.person_id not in muted_ids]


def _context(
    session: Session, kind: LetterKind, match: Match, player: Player, news: GameNews, now: datetime
) -> dict[str, Any]:
    """Build the template context of a letter with this news."""
    position = position_of(match)
    context = facts(session, match, player, position, now=now, steps=news.steps)
    entries = entries_for_reader(news.steps, match, player.seat, position)
    reader = person_of(session, player)
    with in_language(reader.language):
        headline = headline_of(kind, match, player, reader, context["opponent"], entries)
        going = named_moves(news.going)
        rows = _rows(news.steps, entries, player, context["game"])
        if kind in _TELLS_A_MOVE and len(rows) == 1 and rows[0][0]:
            rows = []  # the first sentence names it
        plan_lines = plans.sentences(session, match, player, news.plan) if news.plan else news.plan_lines
        lesson = lessons.explained(session, match, match.ply - len(news.steps), match.ply) if news.steps else None
        remarks = [shown(words) for words in (*(remark.text for remark in news.remarks), *news.comments)]
    return {
        **context,
        "headline": headline,
        "played": next((entry.text for entry in entries if entry.seat == player.seat), ""),
        "news": rows,
        "remarks": remarks,
        "again": bool(player.last_message_id),
        "thread_language": player.language,
        "of_plan": plan_lines,
        "going": going,
        "going_count": len(news.going),
        "lesson": lesson,
        **{
            name: getattr(news, name)
            for name in ("until", "rating", "asks_licence", "is_resumption", "time_left", "entries", "days", "declined")
        },
    }


def _rows(steps: Sequence[Step], entries: Sequence[Entry], player: Player, game: Game) -> list[tuple[str, str, bool]]:
    """List the moves for the reader: name, move, and whether it is the reader's own."""
    names = {CHANCE: _(game.presentation.chance), **{seat: _(name) for seat, name in enumerate(game.seats)}}
    return [
        ("", sentence, False)
        if step.seat == CHANCE and (sentence := step.before.said(step.move))
        else (names[entry.seat], entry.text, entry.seat == player.seat)
        for step, entry in zip(steps, entries, strict=True)
    ]


_EXPIRE = (
    update(Token.__table__)  # type: ignore[attr-defined]
    .where(col(Token.id).in_(bindparam("tokens", expanding=True)))
    .values(expires_at=bindparam("at"))
)


def stay_answerable(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Let a player's reply address in a finished game expire `ANSWERABLE` from now."""
    if match.ended_at is not None and player.token_id and db.asked(session).get((Token, match.id)) != now:
        expire_addresses(session, [player.token_id], now)


def expire_addresses(session: Session, token_ids: Sequence[int], now: datetime) -> None:
    """Let these reply addresses expire `ANSWERABLE` from now."""
    session.connection().execute(_EXPIRE, {"tokens": token_ids, "at": now + ANSWERABLE})


def remember(player: Player, message_id: str | None) -> None:
    """Make the next letter to this player a reply to this one, to keep the game in one thread."""
    if message_id is not None:
        player.last_message_id = f"{message_id}@"


def over_key(match: Match, person_id: int) -> str:
    """Return the idempotency key of the letter about the end of a match."""
    return f"over:g{match.id}:u{person_id}"


def turn_key(match: Match) -> str:
    """Return the unique key of the current position, used in letter keys."""
    return f"g{match.id}:n{match.takebacks}:p{match.ply}"


def reminder_key(match: Match, player: Player) -> str:
    """Return the idempotency key of a reminder, one for each reminder time in a turn."""
    turn = f"g{match.id}:n{match.takebacks}:p{player.turn_ply}"
    return f"reminder:{turn}:u{player.person_id}:{player.remind_at:%Y%m%d%H%M%S}"
