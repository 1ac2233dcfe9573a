"""Sweeps for outgoing messages: letters, browser notifications and events."""

from __future__ import annotations

import logging
import random

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col

from correspondence import transport
from correspondence.accounts import relations
from correspondence.core.db import transaction
from correspondence.core.push_key import push_key_of
from correspondence.core.runtime import Runtime
from correspondence.matchmaking import challenges, letter_requests
from correspondence.models import Letter, LetterRequest, Match, Person, Player
from correspondence.models.loading import players_of
from correspondence.ops.due import REQUESTS
from correspondence.ops.due_rows import due_ids
from correspondence.outbound import events, outbox, pushes
from correspondence.outbound.kinds import CHALLENGE, EXERCISE, kind_of
from correspondence.play import exercise_letters, game_letters, matches, unseen

log = logging.getLogger(__name__)


def sweep_outbox(runtime: Runtime, post: transport.Post, *, awaited_only: bool = False) -> int:
    """Send every due letter, or only those that somebody waits for; returns how many."""
    return outbox.send_due(
        runtime.engine, post, runtime.settings, now=runtime.now, still_wanted=still_wanted, rng=random.Random(),
        awaited_only=awaited_only, is_stopping=runtime.stopping.is_set,
    )  # fmt: skip


def sweep_letter_requests(runtime: Runtime) -> int:
    """Write the letters requested on pages; returns how many were requested."""
    now = runtime.now()
    request_ids = due_ids(runtime, REQUESTS.order_by(col(LetterRequest.id)), now)
    for request_id in request_ids:
        try:
            with transaction(runtime.engine) as session:
                letter_requests.write(session, request_id, now=now)
        except OperationalError:
            log.exception("the database failed; the letter of request %s is tried again", request_id)
        except Exception:
            log.exception("the letter of request %s failed", request_id)
            with transaction(runtime.engine) as session:
                letter_requests.drop(session, request_id)
    return len(request_ids)


def sweep_letters(runtime: Runtime, post: transport.Post) -> int:
    """Write the letters requested on pages, then send every due letter; returns how many."""
    sweep_letter_requests(runtime)
    return sweep_outbox(runtime, post)


def sweep_awaited_letters(runtime: Runtime, post: transport.Post) -> int:
    """Write requested letters, then send those that somebody waits for; returns how many.

    It runs beside `sweep_letters`, which may be busy with a long queue or a slow server, and needs a separate post.
    """
    sweep_letter_requests(runtime)
    return sweep_outbox(runtime, post, awaited_only=True)


def sweep_pushes(runtime: Runtime, post: transport.PushPost) -> int:
    """Wake every browser with a due notification; returns how many messages were accepted."""
    return pushes.send_due(runtime.engine, post, push_key_of(runtime.settings), now=runtime.now)


def sweep_events(runtime: Runtime) -> int:
    """Number the events that programs can see now; returns how many."""
    return events.publish(runtime.engine, now=runtime.now())


def still_wanted(session: Session, letter: Letter) -> bool:
    """Whether a letter is still worth sending.

    False if the reader switched off letters of this kind, has moved since, has muted the speaker, or has seen the news
    on the page, or if the offer no longer stands. An exercise is unwanted if it would be advice in one of their games.
    """
    kind = kind_of(letter)
    reader = session.get(Person, letter.person_id) if letter.person_id is not None else None
    if reader is not None and not kind.is_wanted_by(reader):
        return False
    if kind == EXERCISE:
        return exercise_letters.is_fit(session, letter)
    if letter.match_id is None:
        return kind != CHALLENGE or not challenges.is_letter_gone(session, letter)
    match = session.get_one(Match, letter.match_id)
    players = players_of(session, match.id)
    own = [player for player in players if player.person_id == letter.person_id]
    if any(unseen.was_shown(player, letter) for player in own) or game_letters.is_offer_gone(session, match, letter):
        return False
    if kind.is_talk:
        muted = relations.muted_ids(session, players, letter.person_id)
        return any(player.person_id not in muted | {letter.person_id} for player in players)
    if not kind.is_about_turn:
        return True
    return any(_is_of_turn(match, player, letter) for player in own)


def _is_of_turn(match: Match, player: Player, letter: Letter) -> bool:
    """Whether a letter was written during its reader's current turn."""
    is_since = player.since is not None and player.since <= letter.created_at
    return is_since and matches.awaits_answer(match, player, letter.ply or 0)
