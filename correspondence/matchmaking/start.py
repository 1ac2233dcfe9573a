"""Start an agreed game: assign the seats and notify the player who was waiting."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from correspondence.core.terms import Terms
from correspondence.fairness import seeds
from correspondence.fairness.evidence import letter_evidence
from correspondence.matchmaking.seat_choice import seat_order
from correspondence.models import Match, Person, Player, Seek
from correspondence.models.loading import players_of
from correspondence.outbound import kinds, letters
from correspondence.outbound.letters import Draft
from correspondence.play.matches import start_match
from engines import GAMES
from engines.chance import ChanceStream


@dataclass(frozen=True, slots=True)
class Agreement:
    """The terms that two people agree on, and the first one's seat; None for either."""

    terms: Terms
    seat: int | None


def agreement_of(seek: Seek) -> Agreement:
    """Return what a seek or challenge offers; the seat is the seeker's."""
    return Agreement(seek.terms, seek.seat)


def begin_match(
    session: Session,
    agreement: Agreement,
    one: Person,
    other: Person,
    *,
    offer: Seek,
    words: Mapping[int, str],
    notify_ids: set[int],
    now: datetime,
    rng: random.Random,
) -> Match:
    """Start the agreed game with the seed of `offer`, which `one` made.

    `words` are the persons' contributions to the game's randomness, by person id. Those in `notify_ids` (person ids)
    who are not to move get a letter that the game has started.
    """
    seed = seeds.take_from_offer(session, offer, rng)
    persons = seat_order(session, one, other, agreement.terms.game, agreement.seat, ChanceStream(seed, 0))
    spoken = [words.get(person.id, "") for person in persons]
    match = start_match(session, agreement.terms, persons, now=now, seed=seed, words=spoken)
    players = players_of(session, match.id)
    for player in players:
        if player.person_id in notify_ids and player.since is None:
            _tell(session, match, player, [p for p in players if p.id != player.id], now)
    return match


def _tell(session: Session, match: Match, player: Player, others: list[Player], now: datetime) -> None:
    game = GAMES[match.game]
    key = f"begun:g{match.id}:u{player.person_id}"
    evidence = letter_evidence(session, match, entries=0, is_first=True, now=now)
    opponents = ", ".join(session.get_one(Person, other.person_id).handle for other in others)
    draft = Draft(
        kinds.BEGUN,
        key,
        match_id=match.id,
        ply=match.ply,
        head=evidence.head,
        seed=evidence.seed_field,
        reply_token=player.token_id,
    )
    draft = replace(draft, member=opponents)
    message_id = letters.write_letter(
        session,
        letters.to_person(session, session.get_one(Person, player.person_id)),
        draft,
        now=now,
        match=match,
        game=game,
        seat=game.seats[player.seat],
        evidence=evidence,
        other=opponents,
    )
    if message_id is not None:
        player.last_message_id = f"{message_id}@"
        session.add(player)
