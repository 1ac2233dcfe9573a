"""The letters of a game: turn, end, reminder, chat, offers, resignation question and others.

Each letter shows the board as its reader may see it. All letters of one game to one reader form one mail thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.accounts import postal_members, relations
from correspondence.accounts.accounts import command_token, new_token
from correspondence.accounts.letter_stops import stop_token
from correspondence.clocks import turns
from correspondence.core.i18n import in_language
from correspondence.models import Letter, Match, Offer, OfferKind, Person, Player, Purpose, Remark, Token
from correspondence.models.loading import MadeMove, Step, person_of, players_of, position_of
from correspondence.outbound import kinds, letters
from correspondence.outbound.kinds import LetterKind
from correspondence.outbound.letters import Draft
from correspondence.outbound.transcript import TranscriptEntry, numbered, pictures_of
from correspondence.play import moves_ahead
from correspondence.play.conditional import plans
from correspondence.play.game_news import (
    GameNews,
    draft_of,
    over_key,
    remember,
    send,
    stay_answerable,
    turn_key,
)
from correspondence.play.letter_context import board_picture, comments_for, facts
from correspondence.play.record_moves import open_offers
from correspondence.play.told_positions import is_told
from correspondence.ratings import ratings
from engines.wording import _

RESIGN_WITHIN = timedelta(days=3)
"""Time for which a resignation question can be answered."""

_OFFERED = {
    OfferKind.DRAW: kinds.DRAW_OFFERED,
    OfferKind.TAKEBACK: kinds.TAKEBACK_OFFERED,
    OfferKind.PAUSE: kinds.PAUSE_OFFERED,
}


def turn(
    session: Session,
    match: Match,
    player: Player,
    steps: Sequence[Step],
    *,
    now: datetime,
    news: plans.PlanNews | None = None,
) -> None:
    """Write to a player that it is their turn.

    The letter shows the moves played (also by the player's plan), the board, the deadline and how to answer. If the
    player has no mail address, their helper gets a notice that a card is due.
    """
    reader = person_of(session, player)
    if not kinds.TURN.is_wanted_by(reader):
        return
    key = f"turn:{turn_key(match)}:u{reader.id}"
    if not reader.robot_level:
        moves_ahead.ask_ahead_of_turn(session, player, key)
    contents = GameNews(steps=steps, comments=comments_for(session, match, player, steps), plan=news)
    if not send(session, kinds.TURN, match, player, key, contents, now=now):
        _card_due(session, match, player, now)


def _card_due(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Notify the helper of a player without mail that a card is due, without showing the game."""
    if letters.mail_of(session, person_of(session, player)) is not None:
        return
    helped = postal_members.helper_of(session, player.person_id)
    if helped is None or not helped.is_agreed:
        return
    helper, handle = session.get_one(Person, helped.person_id), person_of(session, player).handle
    if kinds.CARD_DUE.is_wanted_by(helper):
        key = f"card:{turn_key(match)}:u{player.person_id}"
        command = command_token(session, helper, now=now)
        stop = stop_token(session, helper, kinds.CARD_DUE, now=now)
        draft = Draft(kinds.CARD_DUE, key, match_id=match.id, ply=match.ply, reply_token=command.id, stop_token=stop)
        words = {"other": handle, "match": match, "deadline": player.deadline}
        letters.write_letter(session, letters.to_person(session, helper), draft, now=now, **words)


def card_entered(
    session: Session, match: Match, player: Player, entered_by: str, move: str, ply: int, *, now: datetime
) -> None:
    """Notify a postal player who has a mail address which move was entered, and by whom."""
    with in_language(person_of(session, player).language):
        sentence = _("{who} entered {move} as your move {ply}. If your card said something else, contest it here:")
        line = sentence.format(who=entered_by, move=move, ply=ply)
    key = f"card-entered:g{match.id}:p{ply}:n{match.takebacks}:u{player.person_id}"
    send(session, kinds.CARD_ENTERED, match, player, key, GameNews(plan_lines=[line]), now=now)


def planned(
    session: Session, match: Match, player: Player, steps: Sequence[Step], *, now: datetime, news: plans.PlanNews
) -> None:
    """Notify a player who is not to move that their plan moved, or that a take-back stopped it.

    Players who have unsubscribed from turn letters do not get this one either.
    """
    kind = kinds.PLANNED if news.played else kinds.PLAN_STOPPED
    reader = person_of(session, player)
    if kind.is_wanted_by(reader):
        key = f"{kind.name}:{turn_key(match)}:u{reader.id}"
        send(session, kind, match, player, key, GameNews(steps=steps, plan=news), now=now)


def over(
    session: Session,
    match: Match,
    player: Player,
    steps: Sequence[Step],
    *,
    now: datetime,
    news: plans.PlanNews | None = None,
) -> None:
    """Write to a player how the game ended and how their rating changed.

    The first such letter asks about the archive. A player who has unsubscribed gets none, but can still answer earlier
    letters.
    """
    reader = person_of(session, player)
    if not kinds.OVER.is_wanted_by(reader):
        stay_answerable(session, match, player, now)
        return
    with in_language(reader.language):
        rating = ratings.rating_sentence(session, match, reader.id)
    comments = comments_for(session, match, player, steps)
    asks = not reader.archive_licence and reader.archive_asked_at is None and bool(_others(session, match, player))
    contents = GameNews(steps=steps, comments=comments, plan=news, rating=rating, asks_licence=asks)
    if send(session, kinds.OVER, match, player, over_key(match, reader.id), contents, now=now) and asks:
        _note_asked(session, reader, now)


def _note_asked(session: Session, reader: Person, now: datetime) -> None:
    """Record that a letter asked about the archive.

    If another transaction holds the person, the next letter asks again: waiting here could deadlock, because the lock
    order would want all persons of the ended games first.
    """
    free = select(Person.id).where(col(Person.id) == reader.id).with_for_update(key_share=True, skip_locked=True)
    if session.exec(free).first() is not None:
        reader.archive_asked_at = now
        session.add(reader)


def receipt(session: Session, match: Match, player: Player, steps: Sequence[Step], key: str, *, now: datetime) -> None:
    """Confirm by letter what a player's mail played, with the position and the others' time.

    No letter is sent if the player wants no receipts, or if another letter shows the position at once. The caller must
    prefetch (`moves_ahead.ask_ahead_of_receipt`).
    """
    if kinds.RECEIPT.is_wanted_by(person_of(session, player)) and not is_told(session, player):
        news = GameNews(steps=steps, time_left=time_left(session, match, player, now))
        send(session, kinds.RECEIPT, match, player, key, news, now=now)


def time_left(session: Session, match: Match, player: Player, now: datetime) -> list[tuple[str, timedelta]]:
    """Return the handles of the other players to move, and the time each has left."""
    to_move = [other for other in _others(session, match, player) if other.since is not None]
    return [(person_of(session, other).handle, turns.left(session, other, now)) for other in to_move]


def reminder(session: Session, match: Match, player: Player, key: str, *, is_resumption: bool, now: datetime) -> None:
    """Remind a player of their time or, with `is_resumption`, that their clock runs again."""
    reader = person_of(session, player)
    if kinds.REMINDER.is_wanted_by(reader):
        send(session, kinds.REMINDER, match, player, key, GameNews(is_resumption=is_resumption), now=now)


def talk(
    session: Session, match: Match, speaker: Player, remark: Remark, *, is_final: bool = False, now: datetime
) -> None:
    """Send a player's remark to the other players, from the service's address.

    Players who have unsubscribed or muted the speaker get none. A remark that `is_final` cannot be recalled, so its
    letter is not delayed for merging.
    """
    players = players_of(session, match.id)
    for player in _others(session, match, speaker):
        reader = person_of(session, player)
        is_heard = speaker.person_id not in relations.muted_ids(session, players, reader.id)
        if kinds.TALK.is_wanted_by(reader) and is_heard:
            key = f"talk:r{remark.id}:u{reader.id}"
            send(session, kinds.TALK, match, player, key, GameNews(remarks=[remark]), is_final=is_final, now=now)


def put_off(session: Session, match: Match, late: Player, until: datetime, *, now: datetime) -> None:
    """Notify the other players that this player is unreachable and gets more time.

    Called before the clock can decide the game.
    """
    for player in _others(session, match, late):
        key = f"put-off:p{late.id}:{late.extensions}:u{player.person_id}"
        send(session, kinds.PUT_OFF, match, player, key, GameNews(until=until), now=now)


def flag_fell(session: Session, match: Match, late: Player, claimable_at: datetime | None, *, now: datetime) -> None:
    """Notify all players that a player's time has run out, if that alone does not end the game."""
    for player in players_of(session, match.id):
        key = f"flag:p{late.id}:{late.turn_ply}:n{match.takebacks}:u{player.person_id}"
        send(session, kinds.FLAG_FELL, match, player, key, GameNews(until=claimable_at), now=now)


def absence_spent(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """Notify a late player that a day of vacation was used automatically."""
    key = f"absence:p{player.id}:{player.deadline:%Y%m%d%H%M}"
    send(session, kinds.ABSENCE_SPENT, match, player, key, now=now)


def nudge(session: Session, match: Match, late: Player, *, now: datetime) -> None:
    """Ask a late player to move, on behalf of the opponent; at most once a day."""
    send(session, kinds.NUDGE, match, late, f"nudge:p{late.id}:{now:%Y%m%d}", now=now)


def offered(
    session: Session, match: Match, by: Player, offer: Offer, moves: Sequence[MadeMove] = (), *, now: datetime
) -> None:
    """Notify the other players of an offer; `moves` are those that a take-back would remove."""
    for player in _others(session, match, by):
        key = f"offer:o{offer.id}:u{player.person_id}"
        contents = GameNews(days=offer.days, going=moves)
        send(session, _OFFERED[offer.kind], match, player, key, contents, now=now)


def is_offer_gone(session: Session, match: Match, letter: Letter) -> bool:
    """Whether a letter mentions an offer that is no longer open."""
    kind = next((kind for kind, written in _OFFERED.items() if written.name == letter.kind), None)
    if kind is None:
        return False
    mine = {player.seat for player in players_of(session, match.id) if player.person_id == letter.person_id}
    standing = [o for o in open_offers(session, match.id) if o.kind == kind and o.seat not in mine]
    return match.ended_at is not None or not any(offer.at <= letter.created_at for offer in standing)


def offer_declined(session: Session, match: Match, by: Player, offer: Offer, *, now: datetime) -> None:
    """Notify a player that their offer was declined."""
    for player in _others(session, match, by):
        if kinds.OFFER_DECLINED.is_wanted_by(person_of(session, player)):
            key = f"declined:o{offer.id}:u{player.person_id}"
            contents = GameNews(declined=offer.kind)
            send(session, kinds.OFFER_DECLINED, match, player, key, contents, now=now)


def paused(session: Session, match: Match, by: Player, offer: Offer, until: datetime, *, now: datetime) -> None:
    """Notify the player who offered a pause that it has begun."""
    for player in _others(session, match, by):
        key = f"paused:o{offer.id}:u{player.person_id}"
        send(session, kinds.PAUSED, match, player, key, GameNews(until=until), now=now)


def taken_back(
    session: Session,
    match: Match,
    player: Player,
    moves: Sequence[MadeMove],
    *,
    news: plans.PlanNews,
    now: datetime,
) -> None:
    """Notify a player to move of a take-back, with the removed moves and their plan's state."""
    key = f"taken-back:g{match.id}:{match.takebacks}:u{player.person_id}"
    send(session, kinds.TAKEN_BACK, match, player, key, GameNews(plan=news, going=moves), now=now)


def about_plans(
    session: Session, match: Match, player: Player, kind: LetterKind, lines: Sequence[str], *, now: datetime
) -> None:
    """Tell a player that the opponent wants the plans opened, or send the opened `lines`.

    Both letters are sent only after the end of the game, and only once.
    """
    key = f"{kind.name}:g{match.id}:u{player.person_id}"
    send(session, kind, match, player, key, GameNews(plan_lines=lines), now=now)


def resign_question(
    session: Session, match: Match, player: Player, *, now: datetime, entries: Sequence[TranscriptEntry] = ()
) -> None:
    """Ask a player whether they really resign; only `yes` in reply resigns.

    `entries` answer the other lines of the mail that asked for it.
    """
    person = person_of(session, player)
    token = new_token(
        session, Purpose.RESIGN, now=now, person=person, match_id=match.id, lasts=RESIGN_WITHIN,
        takebacks=match.takebacks, ply=match.ply,
    )  # fmt: skip
    contents = GameNews(entries=numbered(entries)[0])
    send(session, kinds.RESIGN, match, player, f"resign:t{token.id}", contents, now=now, question=token)


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
    is_proven: bool = True,
    question: Token | None = None,
) -> None:
    """Answer a mail about this game with the transcript and, if `board` is set, the position.

    `is_proven` means that more than a From line identifies the sender, so the next letter of the game replies to this
    one. `question` is the token that a reply answers, if the letter asks for confirmation.
    """
    reader = person_of(session, player)
    context = facts(session, match, player, position_of(match), now=now)
    if not board:
        context["board"] = ""
    with in_language(reader.language):
        context["subject_line"] = letters.game_subject(
            match.id, context["opponent"], context["game"], is_reply=True, language=player.language
        )
        context["standing"] = context["ending"] or context["scene"].title
    draft = replace(
        draft_of(kinds.ANSWER, match, player, key),
        member=context["opponent"],
        head=context["evidence"].head,
        reply_token=question.id if question else player.token_id,
        answers=True,
        is_unproven=not is_proven,
        choices=choices,
        picture=board_picture(context["scene"], player.seat, reader.board) if board else None,
        diagrams=pictures_of(entries),
    )
    stay_answerable(session, match, player, now)
    to = letters.to_person(session, reader)
    message_id = letters.write_letter(session, to, draft, now=now, entries=entries, **context)
    if is_proven:
        remember(player, message_id)


def _others(session: Session, match: Match, player: Player) -> list[Player]:
    return [other for other in players_of(session, match.id) if other.id != player.id]
