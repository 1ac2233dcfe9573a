"""Seeds: created and committed to with a match's offer, and revealed when the match is over.

Source: docs/fairness.md, “Seed and commitment”.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Collection, Iterable
from datetime import date, datetime
from functools import cache

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.fairness.heads import CHAIN
from correspondence.models import DailySeed, Match, OfferSeed, Seed, Seek, SeekState
from engines import GAMES
from engines.chance import SEED_BYTES
from engines.options import choices_of, options_from, read_options
from engines.refusal import Refusal
from engines.verification.seals import commitment
from engines.wording import _

SYSTEM_RNG = random.SystemRandom()
"""Source of seeds outside tests: the operating system's random numbers."""

LONGEST_WORDS = 200
"""Maximum length of a player's contribution to the randomness, in characters."""


_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Unicode categories that break a line, change its direction, or are invisible."""

_JOINERS = "\u200c\u200d"
"""Invisible joiners that some scripts and emoji need, so they are allowed."""


_SECRETS = select(Seed.match_id, Seed.secret).where(col(Seed.match_id).in_(bindparam("matches", expanding=True)))
_SECRET = select(Seed.secret).where(col(Seed.match_id) == bindparam("match"))

SECRET = _SECRET.scalar_subquery()
"""The seed of a `match`, as a scalar subquery for any statement."""


class WordsError(Refusal):
    """Raised for words that cannot contribute to the randomness; str() is a sentence."""


def checked_words(text: str) -> str:
    """Normalise a player's words as they are hashed and shown.

    They become NFC, stripped, and at most LONGEST_WORDS long. Raises WordsError.
    """
    words = unicodedata.normalize("NFC", text).strip()
    if len(words) > LONGEST_WORDS:
        sentence = _("Your own randomness can have at most {most} characters; this has {count}.")
        raise WordsError(sentence.format(most=LONGEST_WORDS, count=len(words)))
    if any(unicodedata.category(char) in _UNSEEN and char not in _JOINERS for char in words):
        raise WordsError(_("Your own randomness must be one line of visible characters, without tabs."))
    return words


def both_words(words: Iterable[str]) -> tuple[str, str]:
    """Return the words of both seats, in order; empty for a missing seat."""
    first, second = [*words, "", ""][:2]
    return first, second


def make_for_offer(session: Session, seek: Seek, rng: random.Random) -> None:
    """Make the seed of the next match from this seek, challenge or invitation."""
    session.add(OfferSeed(seek_id=seek.id, secret=rng.randbytes(SEED_BYTES)))
    session.flush()


def commitment_of_offer(session: Session, seek_id: int) -> str:
    """Return the commitment of an open offer, in hex; empty for an old offer without one."""
    offered = session.get(OfferSeed, seek_id)
    return commitment(offered.secret) if offered is not None else ""


def told_commitment(session: Session, seek: Seek) -> str:
    """Return the commitment of an open offer as letters show it; empty without chance."""
    return commitment_of_offer(session, seek.id) if has_chance(seek.game, seek.terms.options) else ""


def has_chance(game: str, options: str) -> bool:
    """Whether chance can act in a game with these `name=value` options.

    True if the game's rules are not installed.
    """
    if game not in GAMES:
        return True
    return GAMES[game].has_chance(read_options(GAMES[game].Options, options_from(options)))


@cache
def may_have_chance(game: str) -> bool:
    """Whether chance can act in a game with the usual options, or with one of them changed."""
    if game not in GAMES:
        return True
    changed = (f"{one.name}={value}" for one in choices_of(GAMES[game].Options) for value in one.values)
    return any(has_chance(game, options) for options in ("", *changed))


def commitments_of_offers(session: Session, seek_ids: list[int]) -> dict[int, str]:
    """Return the commitments of offers, by offer number."""
    query = select(OfferSeed).where(col(OfferSeed.seek_id).in_(seek_ids))
    found = session.exec(query) if seek_ids else ()
    return {offered.seek_id: commitment(offered.secret) for offered in found}


def take_from_offer(session: Session, seek: Seek, rng: random.Random) -> bytes:
    """Take the seed from this offer for the match that begins."""
    offered = session.get(OfferSeed, seek.id, with_for_update=True)
    if offered is None:
        return rng.randbytes(SEED_BYTES)
    session.delete(offered)
    session.flush()
    return offered.secret


def renew_offer(session: Session, seek: Seek, rng: random.Random) -> None:
    """Give an offer that began a match a new seed, if another match may follow."""
    if seek.state == SeekState.OPEN and session.get(OfferSeed, seek.id) is None:
        make_for_offer(session, seek, rng)


def seed_of_day(session: Session, day: date, rng: random.Random) -> bytes:
    """Return the seed of the daily deal, creating it at the first request."""
    row = session.get(DailySeed, day)
    if row is None:
        db.add_unless_there(session, DailySeed(day=day, secret=rng.randbytes(SEED_BYTES)))
    return made_seed_of_day(session, day)


def made_seed_of_day(session: Session, day: date) -> bytes:
    """Return the seed of the daily deal. Raises Refusal if it has not been created."""
    row = session.get(DailySeed, day)
    if row is None:
        raise Refusal(_("The deal of this day has not been made yet. Please come back later."))
    return row.secret


def commitment_of_day(session: Session, day: date) -> str:
    """Return the commitment of the daily deal, in hex; empty if there is none."""
    row = session.get(DailySeed, day)
    return commitment(row.secret) if row is not None else ""


def opened_seed_of_day(session: Session, day: date, *, now: datetime) -> str:
    """Return the seed of a past daily deal (UTC), in hex; empty until the day is over."""
    row = session.get(DailySeed, day) if day < now.date() else None
    return row.secret.hex() if row is not None else ""


def may_be_opened(match: Match, *, now: datetime) -> bool:
    """Whether the seed of a match is public: the match is over, and its daily deal's day too."""
    return match.ended_at is not None and (match.daily is None or match.daily < now.date())


def secret_of(session: Session, match_id: int) -> bytes | None:
    """Return the secret seed of a match for draws and seals, or None. Never show it."""
    known = db.session_cache(session)
    if (Seed, match_id) not in known:
        known[Seed, match_id] = db.value(session, _SECRET, match=match_id)
    secret: bytes | None = known[Seed, match_id]
    return secret


def secret_to_draw(session: Session, match_id: int) -> bytes:
    """Return the seed of a running match, as `secret_of`; raise LookupError if it has none."""
    secret = secret_of(session, match_id)
    if secret is None:
        raise LookupError(f"match {match_id} has no seed")
    return secret


def note_secret(session: Session, match_id: int, secret: bytes | None) -> None:
    """Cache a match's seed for `secret_of`, when it was just loaded or stored."""
    db.session_cache(session)[Seed, match_id] = secret


def ask_ahead(session: Session, match_ids: Collection[int]) -> None:
    """Prefetch the seeds of these matches for `secret_of`, in one query."""
    known = db.session_cache(session)
    unknown = [number for number in match_ids if (Seed, number) not in known]
    secrets = dict(db.rows(session, _SECRETS, matches=unknown)) if unknown else {}
    known.update({(Seed, number): secrets.get(number) for number in unknown})


def opened_seed(session: Session, match: Match, *, now: datetime) -> str:
    """Return the seed of a match in hex, once it is public; empty before."""
    secret = secret_of(session, match.id) if may_be_opened(match, now=now) else None
    return secret.hex() if secret is not None else ""


def commitment_of_match(session: Session, match: Match) -> str:
    """Return the commitment of a match, in hex; empty for old matches without one.

    Cached, because a match's seed never changes.
    """

    def ask() -> str:
        secret = secret_of(session, match.id) if match.chain >= CHAIN else None
        return commitment(secret) if secret is not None else ""

    return db.remembered(session, (Seed, match.id, match.started_at), ask)
