"""The letters of a game: your turn, game over, reminder, chat, draw offered, resignation to be confirmed.

Each letter shows the board as its reader may see it. All letters of one game to one reader form one mail thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from correspondence.accounts import relations
from correspondence.accounts.accounts import new_token, stop_token
from correspondence.core.i18n import in_language
from correspondence.models import Letter, Match, Offer, Player, Purpose, Remark, Token
from correspondence.models.loading import Step, person_of, players_of, position_of
from correspondence.outbound import coalescing, letters
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.conditional import plans
from correspondence.play.letter_context import board_svg, comments_for, entries_for_reader, facts
from correspondence.ratings import ratings
from engines.base import CHANCE
from engines.wording import _

STOPPABLE = ("turn", "talk", "reminder")
"""The kinds of letter that say how to stop such letters."""

ANSWERABLE = timedelta(days=30)
"""How long each letter about a finished game can be answered."""

RESIGN_WITHIN = timedelta(days=3)
"""How long the question whether a player really resigns can be answered."""


def turn(
    session: Session,
    match: Match,
    player: Player,
    steps: Sequence[Step],
    *,
    now: datetime,
    news: plans.PlanNews | None = None,
) -> None:
    """Tell a player that it is their turn.

    The letter shows what was played (also by the player's plan), the board, the deadline and how to answer.
    """
    reader = person_of(session, player)
    if not reader.turn_letters:
        return
    _send(
        session,
        "turn",
        match,
        player,
        steps,
        now=now,
        key=f"turn:g{match.id}:p{match.ply}:u{reader.id}",
        remarks=comments_for(session, match, player, steps),
        plan_news=news,
    )


def planned(
    session: Session, match: Match, player: Player, steps: Sequence[Step], *, now: datetime, news: plans.PlanNews
) -> None:
    """Tell a player whose turn it is not what their plan played, or that a take-back stopped the plan.

    Players who want no letters about their turns do not get this one either.
    """
    kind = "planned" if news.played else "plan_stopped"
    reader = person_of(session, player)
    if reader.turn_letters:
        key = f"{kind}:g{match.id}:p{match.ply}:n{match.takebacks}:u{reader.id}"
        _send(session, kind, match, player, steps, now=now, key=key, plan_news=news)


def over(
    session: Session,
    match: Match,
    player: Player,
    steps: Sequence[Step],
    *,
    now: datetime,
    news: plans.PlanNews | None = None,
) -> None:
    """Tell a player how the game ended and how their rating changed.

    A player who wants no such letters gets none, but can still answer the earlier ones.
    """
    if not person_of(session, player).game_over_letters:
        _stay_answerable(session, match, player, now)
        return
    with in_language(person_of(session, player).language):
        rating = ratings.rating_sentence(session, match, player.person_id)
    _send(
        session,
        "over",
        match,
        player,
        steps,
        now=now,
        key=f"over:g{match.id}:u{player.person_id}",
        remarks=comments_for(session, match, player, steps),
        rating=rating,
        plan_news=news,
    )


def reminder(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Remind a player, once a turn, that their time is running out."""
    reader = person_of(session, player)
    if reader.reminders:
        key = f"reminder:g{match.id}:p{player.turn_ply}:u{reader.id}"
        _send(session, "reminder", match, player, (), now=now, key=key)


def talk(session: Session, match: Match, speaker: Player, remark: Remark, *, now: datetime) -> None:
    """Pass a player's remark on to the other players, sent from the service's address.

    Players who want no such letters, or have muted the speaker, get none.
    """
    players = players_of(session, match.id)
    for player in players:
        reader = person_of(session, player)
        is_heard = speaker.person_id not in relations.muted_ids(session, players, reader.id)
        if player.id != speaker.id and reader.talk_letters and is_heard:
            _send(
                session,
                "talk",
                match,
                player,
                (),
                now=now,
                key=f"talk:r{remark.id}:u{reader.id}",
                letter_remarks=[remark],
            )


def draw_offered(session: Session, match: Match, by: Player, *, now: datetime) -> None:
    """Tell the other player that a draw is on offer."""
    for player in players_of(session, match.id):
        if player.id != by.id:
            _send(
                session,
                "draw_offered",
                match,
                player,
                (),
                now=now,
                key=f"draw:g{match.id}:p{match.ply}:u{player.person_id}:{now:%Y%m%d%H%M%S}",
            )


def put_off(session: Session, match: Match, late: Player, until: datetime, *, now: datetime) -> None:
    """Tell the other players that this player cannot be reached and therefore has more time.

    Called before any clock decides the game.
    """
    for player in players_of(session, match.id):
        if player.id != late.id:
            key = f"put-off:p{late.id}:{late.extensions}:u{player.person_id}"
            _send(session, "put_off", match, player, (), now=now, key=key, until=until)


def flag_fell(session: Session, match: Match, late: Player, claimable_at: datetime | None, *, now: datetime) -> None:
    """Tell all players that somebody's time has run out in a game which that alone does not end."""
    for player in players_of(session, match.id):
        key = f"flag:p{late.id}:{late.turn_ply}:u{player.person_id}"
        _send(session, "flag_fell", match, player, (), now=now, key=key, until=claimable_at)


def absence_spent(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Tell a player whose time had run out that a day of vacation was used automatically."""
    key = f"absence:p{player.id}:{player.deadline:%Y%m%d%H%M}"
    _send(session, "absence_spent", match, player, (), now=now, key=key)


def nudge(session: Session, match: Match, late: Player, *, now: datetime) -> None:
    """Ask a player whose time has run out to move, on behalf of the opponent; at most once a day."""
    key = f"nudge:p{late.id}:{now:%Y%m%d}"
    _send(session, "nudge", match, late, (), now=now, key=key)


def offered(session: Session, match: Match, by: Player, offer: Offer, *, now: datetime) -> None:
    """Tell the other players that a take-back or a pause is on offer."""
    for player in players_of(session, match.id):
        if player.id != by.id:
            key = f"offer:o{offer.id}:u{player.person_id}"
            _send(session, f"{offer.kind.value}_offered", match, player, (), now=now, key=key, days=offer.days)


def paused(session: Session, match: Match, by: Player, offer: Offer, until: datetime, *, now: datetime) -> None:
    """Tell the player who offered a pause that it has begun."""
    for player in players_of(session, match.id):
        if player.id != by.id:
            key = f"paused:o{offer.id}:u{player.person_id}"
            _send(session, "paused", match, player, (), now=now, key=key, until=until)


def taken_back(session: Session, match: Match, player: Player, *, news: plans.PlanNews, now: datetime) -> None:
    """Tell a player who has to move again after a take-back where the game and their plan stand."""
    key = f"taken-back:g{match.id}:{match.takebacks}:u{player.person_id}"
    _send(session, "taken_back", match, player, (), now=now, key=key, plan_news=news)


def about_plans(
    session: Session, match: Match, player: Player, kind: str, lines: Sequence[str], *, now: datetime
) -> None:
    """Tell a player, after the end, that the opponent wants the plans opened, or show the opened `lines`.

    Each of the two letters is sent once.
    """
    _send(session, kind, match, player, (), now=now, key=f"{kind}:g{match.id}:u{player.person_id}", plan_lines=lines)


def resign_question(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Ask a player whether they really resign; only the answer `yes` to this letter does it."""
    person = person_of(session, player)
    token = new_token(session, Purpose.RESIGN, now=now, person=person, match_id=match.id, lasts=RESIGN_WITHIN)
    _send(session, "resign", match, player, (), now=now, key=f"resign:t{token.id}", reply_token=token.id, answers=True)


def answer(
    session: Session,
    match: Match,
    player: Player,
    entries: Sequence[TranscriptEntry],
    key: str,
    *,
    now: datetime,
    choices: Sequence[str] = (),
    board: bool = False,
) -> None:
    """Answer a mail about this game with the transcript and, if `board` is set, the current position."""
    reader = person_of(session, player)
    position = position_of(match)
    context = facts(session, match, player, position, now=now)
    if not board:
        context["board"] = ""
    with in_language(reader.language):
        subject = _subject(match, context["opponent"])
        status = context["ending"] or context["scene"].title
    _stay_answerable(session, match, player, now)
    letter = letters.write_letter(
        session,
        "answer",
        letters.to_person(session, reader),
        key,
        now=now,
        match_id=match.id,
        ply=match.ply,
        reply_token=player.token_id,
        in_reply_to=player.last_message_id,
        answers=True,
        choices=choices,
        picture=board_svg(context["scene"], player.seat) if board else "",
        entries=entries,
        subject_line=subject,
        standing=status,
        **context,
    )
    remember(session, player, letter)


def _subject(match: Match, opponent: str) -> str:
    if not opponent:
        return _("Re:") + " " + _("[Game %(number)s] your turn") % {"number": match.id}
    return (
        _("Re:") + " " + _("[Game %(number)s vs %(opponent)s] your turn") % {"number": match.id, "opponent": opponent}
    )


def _send(
    session: Session,
    kind: str,
    match: Match,
    player: Player,
    steps: Sequence[Step],
    *,
    now: datetime,
    key: str,
    reply_token: int | None = None,
    answers: bool = False,
    remarks: Sequence[str] = (),
    letter_remarks: Sequence[Remark] = (),
    until: datetime | None = None,
    rating: str = "",
    days: int = 0,
    plan_news: plans.PlanNews | None = None,
    plan_lines: Sequence[str] = (),
) -> None:
    reader = person_of(session, player)
    merged_letters = coalescing.mergeable(session, match, reader) if kind in coalescing.MERGING else []
    muted_ids = (
        relations.muted_ids(session, players_of(session, match.id), reader.id) if merged_letters else frozenset()
    )
    letter_remarks = [
        *(remark for remark in coalescing.remarks_in(session, merged_letters) if remark.person_id not in muted_ids),
        *letter_remarks,
    ]
    position = position_of(match)
    context = facts(session, match, player, position, now=now, steps=steps)
    with in_language(reader.language):
        game = context["game"]
        names = {CHANCE: _(game.presentation.chance), **{seat: _(name) for seat, name in enumerate(game.seats)}}
        moves = [
            (names[e.seat], e.text, e.seat == player.seat)
            for e in entries_for_reader(steps, match, player.seat, position)
        ]
        plan_lines = plans.sentences(session, match, player, plan_news) if plan_news else plan_lines
    _stay_answerable(session, match, player, now)
    letter = letters.write_letter(
        session,
        kind,
        letters.to_person(session, reader),
        key,
        now=now,
        match_id=match.id,
        ply=match.ply,
        reply_token=reply_token or player.token_id,
        stop_token=stop_token(session, reader, now=now).id if kind in STOPPABLE else None,
        in_reply_to=player.last_message_id,
        answers=answers,
        picture=board_svg(context["scene"], player.seat),
        remark_ids=[remark.id for remark in letter_remarks],
        not_after=min((queued.due_at for queued in merged_letters), default=None)
        if kind in coalescing.MERGEABLE
        else None,
        news=moves,
        remarks=[*(remark.text for remark in letter_remarks), *remarks],
        again=bool(player.last_message_id),
        until=until,
        rating=rating,
        days=days,
        of_plan=plan_lines,
        **context,
    )
    if letter is not None:
        coalescing.mark_merged(session, merged_letters)
        coalescing.open_remarks(session, kind, letter_remarks)
    remember(session, player, letter)


def _stay_answerable(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Let the reply address of a player in a finished game expire `ANSWERABLE` from now."""
    token = session.get(Token, player.token_id) if match.ended_at is not None and player.token_id else None
    if token is not None:
        token.expires_at = now + ANSWERABLE
        session.add(token)


def remember(session: Session, player: Player, letter: Letter | None) -> None:
    """Make the next letter to this player a reply to this one, so that one game is one thread."""
    if letter is not None:
        player.last_message_id = f"{letter.message_id}@"
        session.add(player)
