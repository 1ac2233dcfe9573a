"""The letters of a match: your turn, over, reminder, talk, draw offered, do you really resign.

Each shows the board as its reader may see it, on one thread for each game and reader.
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
from correspondence.play.letter_context import comments_for, facts, picture, told
from correspondence.ratings import ratings
from engines.base import CHANCE
from engines.wording import _

STOPPABLE = ("turn", "talk", "reminder")
"""The kinds of letters that say how to stop letters."""

ANSWERABLE = timedelta(days=30)
"""How long each letter about a match that is over can be answered."""

RESIGN_WITHIN = timedelta(days=3)
"""How long the question whether one really resigns can be answered."""


def turn(
    session: Session,
    match: Match,
    player: Player,
    steps: Sequence[Step],
    *,
    now: datetime,
    news: plans.PlanNews | None = None,
) -> None:
    """Tell a player that it is his turn: what was played, also by his plan, the board, the deadline, how to answer."""
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
    """Tell a player, whose turn it is not, what his plan has played, or that a take-back has stopped it.

    It goes with the letters about his turns.
    """
    kind = "planned" if news.played else "plan_stopped"
    reader = person_of(session, player)
    if reader.turn_letters:
        key = f"{kind}:g{match.id}:p{match.ply}:n{match.undone}:u{reader.id}"
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
    """Tell a player how the match ended, and what it did to his rating, unless he wants no such letters."""
    if not person_of(session, player).over_letters:
        _stay_answerable(session, match, player, now)
        return
    with in_language(person_of(session, player).language):
        rating = ratings.told(session, match, player.person_id)
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
    """Remind a player, once a turn, that his time runs out."""
    reader = person_of(session, player)
    if reader.reminders:
        key = f"reminder:g{match.id}:p{player.turn_ply}:u{reader.id}"
        _send(session, "reminder", match, player, (), now=now, key=key)


def talk(session: Session, match: Match, speaker: Player, remark: Remark, *, now: datetime) -> None:
    """Pass what a player said on to the others, in our name; not to those who do not want to hear him."""
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
                said=[remark],
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
    """Tell the others, before a clock decides anything, that this player cannot be reached and has more time."""
    for player in players_of(session, match.id):
        if player.id != late.id:
            key = f"put-off:p{late.id}:{late.put_off}:u{player.person_id}"
            _send(session, "put_off", match, player, (), now=now, key=key, until=until)


def flag_fell(session: Session, match: Match, late: Player, claimable_at: datetime | None, *, now: datetime) -> None:
    """Tell all players that time has run out of a game that is not ended by that alone."""
    for player in players_of(session, match.id):
        key = f"flag:p{late.id}:{late.turn_ply}:u{player.person_id}"
        _send(session, "flag_fell", match, player, (), now=now, key=key, until=claimable_at)


def absence_spent(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Tell a player whose time had run out that a day of his absence was spent by itself."""
    key = f"absence:p{player.id}:{player.deadline:%Y%m%d%H%M}"
    _send(session, "absence_spent", match, player, (), now=now, key=key)


def nudge(session: Session, match: Match, late: Player, *, now: datetime) -> None:
    """Ask a player whose time has run out, in the name of the other, to move; once a day at most."""
    key = f"nudge:p{late.id}:{now:%Y%m%d}"
    _send(session, "nudge", match, late, (), now=now, key=key)


def offered(session: Session, match: Match, by: Player, offer: Offer, *, now: datetime) -> None:
    """Tell the others that a take-back or a pause is on offer."""
    for player in players_of(session, match.id):
        if player.id != by.id:
            key = f"offer:o{offer.id}:u{player.person_id}"
            _send(session, f"{offer.kind.value}_offered", match, player, (), now=now, key=key, days=offer.days)


def paused(session: Session, match: Match, by: Player, offer: Offer, until: datetime, *, now: datetime) -> None:
    """Tell the one who offered a pause that it has begun."""
    for player in players_of(session, match.id):
        if player.id != by.id:
            key = f"paused:o{offer.id}:u{player.person_id}"
            _send(session, "paused", match, player, (), now=now, key=key, until=until)


def taken_back(session: Session, match: Match, player: Player, *, news: plans.PlanNews, now: datetime) -> None:
    """Tell a player who is to move again where the game stands after a move was taken back, and his plan."""
    key = f"taken-back:g{match.id}:{match.undone}:u{player.person_id}"
    _send(session, "taken_back", match, player, (), now=now, key=key, plan_news=news)


def about_plans(
    session: Session, match: Match, player: Player, kind: str, lines: Sequence[str], *, now: datetime
) -> None:
    """Tell a player, after the end, that the other wants the plans opened, or show him the opened `lines`; once."""
    _send(session, kind, match, player, (), now=now, key=f"{kind}:g{match.id}:u{player.person_id}", of_plan=lines)


def resign_question(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Ask a player whether he really resigns; only `yes` to this letter does it."""
    person = person_of(session, player)
    token = new_token(session, Purpose.RESIGN, now=now, person=person, match_id=match.id, lasts=RESIGN_WITHIN)
    _send(session, "resign", match, player, (), now=now, key=f"resign:t{token.id}", reply_token=token.id, answers=True)


def answer(
    session: Session,
    match: Match,
    player: Player,
    sections: Sequence[TranscriptEntry],
    key: str,
    *,
    now: datetime,
    choices: Sequence[str] = (),
    board: bool = False,
) -> None:
    """Answer a mail about this match: the transcript and, if `board`, where the match stands."""
    reader = person_of(session, player)
    position = position_of(match)
    known = facts(session, match, player, position, now=now)
    if not board:
        known["board"] = ""
    with in_language(reader.language):
        subject = _subject(match, known["opponent"])
        standing = known["ending"] or known["scene"].title
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
        picture=picture(known["scene"], player.seat) if board else "",
        sections=sections,
        subject_line=subject,
        standing=standing,
        **known,
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
    said: Sequence[Remark] = (),
    until: datetime | None = None,
    rating: str = "",
    days: int = 0,
    plan_news: plans.PlanNews | None = None,
    of_plan: Sequence[str] = (),
) -> None:
    reader = person_of(session, player)
    waiting = coalescing.mergeable(session, match, reader) if kind in coalescing.MERGING else []
    silent = relations.muted_ids(session, players_of(session, match.id), reader.id) if waiting else frozenset()
    said = [*(one for one in coalescing.remarks_in(session, waiting) if one.person_id not in silent), *said]
    position = position_of(match)
    known = facts(session, match, player, position, now=now, steps=steps)
    with in_language(reader.language):
        names = {CHANCE: _("Lots"), **{seat: _(name) for seat, name in enumerate(known["game"].seats)}}
        news = [(names[e.seat], e.text, e.seat == player.seat) for e in told(steps, match, player.seat, position)]
        of_plan = plans.sentences(session, match, player, plan_news) if plan_news else of_plan
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
        picture=picture(known["scene"], player.seat),
        remark_ids=[remark.id for remark in said],
        not_after=min((one.due_at for one in waiting), default=None) if kind in coalescing.MERGEABLE else None,
        news=news,
        remarks=[*(remark.text for remark in said), *remarks],
        again=bool(player.last_message_id),
        until=until,
        rating=rating,
        days=days,
        of_plan=of_plan,
        **known,
    )
    if letter is not None:
        coalescing.mark_merged(session, waiting)
        coalescing.open_remarks(session, kind, said)
    remember(session, player, letter)


def _stay_answerable(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Let the reply address of a player in a match that is over go on for a while, and no longer."""
    token = session.get(Token, player.token_id) if match.ended_at is not None and player.token_id else None
    if token is not None:
        token.expires_at = now + ANSWERABLE
        session.add(token)


def remember(session: Session, player: Player, letter: Letter | None) -> None:
    """Let the next letter to this player answer this one, so that one game is one thread."""
    if letter is not None:
        player.last_message_id = f"{letter.message_id}@"
        session.add(player)
