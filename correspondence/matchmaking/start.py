"""Starting the game that two people agreed on: who takes which seat, and a letter to the player who waits."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from correspondence.core import time_control
from correspondence.core.game_options import options_from
from correspondence.matchmaking.seat_choice import seat_order
from correspondence.models import Match, Person, Player, Seek
from correspondence.models.loading import players_of
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.play.matches import start_match
from engines import GAMES
from engines.chance import SEED_BYTES, ChanceStream
from engines.options import read_options


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two people agree to play.

    `options` are `name=value` words, `seat` is the seat of the first person, None for either. `analysis` says whether
    moves may be tried on an analysis board while the game runs.
    """

    game: str
    options: str
    terms: time_control.TimeControl
    rated: bool
    seat: int | None
    analysis: bool = True


def agreement_of(seek: Seek) -> Agreement:
    """What a seek or challenge offers; the seat is the seeker's."""
    return Agreement(seek.game, seek.options, terms_of_seek(seek), seek.rated, seek.seat, seek.analysis)


def terms_of_seek(seek: Seek) -> time_control.TimeControl:
    """The time control that a seek proposes."""
    bank, increment, cap = (timedelta(seconds=seconds) for seconds in (seek.bank, seek.increment, seek.cap))
    return time_control.TimeControl(bank, increment, cap, seek.policy)


def begin_match(
    session: Session,
    agreement: Agreement,
    one: Person,
    other: Person,
    *,
    notify_ids: set[int],
    now: datetime,
    rng: random.Random,
) -> Match:
    """Start the game that two people agreed on.

    Those of `notify_ids` (person ids) who are not to move get a letter that says that the game has started.
    """
    seed = rng.randbytes(SEED_BYTES)
    persons = seat_order(session, one, other, agreement.game, agreement.seat, ChanceStream(seed, 0))
    options: Any = read_options(GAMES[agreement.game].Options, options_from(agreement.options))
    match = start_match(
        session, agreement.game, options, agreement.terms, persons,
        rated=agreement.rated, analysis=agreement.analysis, now=now, seed=seed,
    )  # fmt: skip
    players = players_of(session, match.id)
    for player in players:
        if player.person_id in notify_ids and player.since is None:
            _tell(session, match, player, [p for p in players if p.id != player.id], now)
    return match


def _tell(session: Session, match: Match, player: Player, others: list[Player], now: datetime) -> None:
    game = GAMES[match.game]
    key = f"begun:g{match.id}:u{player.person_id}"
    letter = letters.write_letter(
        session,
        letters.to_person(session, session.get_one(Person, player.person_id)),
        Draft(kinds.BEGUN, key, match_id=match.id, ply=match.ply, reply_token=player.token_id),
        now=now,
        match=match,
        game=game,
        seat=game.seats[player.seat],
        other=", ".join(session.get_one(Person, other.person_id).handle for other in others),
    )
    if letter is not None:
        player.last_message_id = f"{letter.message_id}@"
        session.add(player)
