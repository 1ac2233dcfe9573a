"""Actions in one game: start, moves, resignation, draws, chat and reminders.

Every function validates first, then makes chance moves, and writes last. None commits or reads the clock: the caller's
transaction commits, `now` is passed in, and every chance move follows from the game's seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts import relations, suspensions
from correspondence.accounts.accounts import live_token, new_token, payload_of
from correspondence.core import db
from correspondence.core.terms import CASUAL, Occasion, Terms
from correspondence.fairness import heads, seeds
from correspondence.models import (
    Audience,
    By,
    EventKind,
    Match,
    Move,
    Offer,
    OfferKind,
    OfferState,
    Person,
    Player,
    Purpose,
    Remark,
    Seed,
    Token,
)
from correspondence.models.loading import MatchError as MatchError
from correspondence.models.loading import (
    Step,
    game_of,
    locked,
    must_go_on,
    person_of,
    players_of,
    position_of,
    stored,
)
from correspondence.models.terms import terms_columns
from correspondence.outbound.schedule import MERGE_WINDOW
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import (
    after_move,
    game_events,
    game_letters,
    late_moves,
    moves_ahead,
    record_moves,
    standing_offers,
    talk_guard,
)
from correspondence.play.after_move import RecordedMove
from correspondence.play.conditional import branches, line_reading, plans, syntax
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.game_end import finish
from correspondence.play.stale_moves import StaleMove as StaleMove
from correspondence.play.stale_moves import awaits_answer as awaits_answer
from correspondence.play.stale_moves import must_be_fresh
from correspondence.play.standing_offers import NOTHING_SEEN, Seen
from correspondence.play.talk_text import TALK_LIMIT as TALK_LIMIT
from correspondence.play.talk_text import clean_talk as clean_talk
from engines import GAMES
from engines.base import Position
from engines.options import options_from, options_text, read_options
from engines.record import Entry
from engines.verification.record_text import AGREEMENT, RESIGNATION
from engines.wording import _

SAID_TWICE_WITHIN = timedelta(minutes=1)
"""Time within which equal words are one remark: a double click, or a mail sent twice."""

REMARKS_A_DAY = 40
"""Maximum number of remarks per player, game and day; stops programs answering each other."""


class RefusedAfterChance(RuntimeError):
    """Raised if a move is refused after chance has acted: a bug, never shown to players."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a move: its steps, chance moves included, and the refusal of its plan.

    `unplanned` is the refusal of the plan: `PartlyRefused` if some of its lines are armed. It is None if the whole plan
    was armed, or there was none.
    """

    steps: tuple[Step, ...]
    unplanned: PlanError | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The steps as in the record, including chance results hidden from the mover."""
        return tuple(step.entry for step in self.steps)


def start_match(
    session: Session,
    terms: Terms,
    persons: Sequence[Person],
    *,
    now: datetime,
    seed: bytes,
    words: Sequence[str] = (),
    occasion: Occasion = CASUAL,
) -> Match:
    """Start a game between these persons, given in the order of the seats.

    A one-player game is never rated, nor is one with a member's program.

    If the game begins with chance moves, they are played first; then the players to move get a letter. `seed` is
    stored, and every chance move is derived from it and from the `words` that each seat contributed. `occasion` is
    what its record says about the event that it belongs to.
    """
    game = GAMES[terms.game]
    options: Any = read_options(game.Options, options_from(terms.options))
    position, steps = record_moves.play_chance(game.start(options), seed, 1, seeds.both_words(words))
    is_rated = terms.rated and len(persons) > 1 and not any(person.is_program for person in persons)
    terms = replace(terms, options=options_text(options), rated=is_rated)
    match = Match(**terms_columns(terms), version=game.version, position=stored(position), started_at=now)
    match.chain = heads.CHAIN
    match.event, match.round, match.section = occasion
    session.add(match)
    session.flush()
    session.add(Seed(match_id=match.id, secret=seed))
    seeds.note_secret(session, match.id, seed)
    for seat, (person, seat_words) in enumerate(zip(persons, [*words, "", ""], strict=False)):
        token = _reply_token(session, match, person, now)
        place: dict[str, Any] = {"match_id": match.id, "person_id": person.id, "token_id": token, "seat": seat}
        session.add(Player(**place, bank=match.bank, words=seat_words, language=person.language))
    session.flush()
    with _nothing_refuses():
        game_events.to_all(session, match, EventKind.GAME_STARTED, now=now)
        began = record_moves.enter(session, match, position, steps, now, by=By.CHANCE)
        after_move.continue_play(session, match, RecordedMove(position, steps, None, By.CHANCE, began), now=now)
    return match


def _reply_token(session: Session, match: Match, person: Person, now: datetime) -> int | None:
    """Return the token of a player's reply address; None for a robot."""
    return (
        None if person.robot_level else new_token(session, Purpose.PLAY, now=now, person=person, match_id=match.id).id
    )


def make_move(
    session: Session,
    player: Player,
    text: str,
    *,
    now: datetime,
    by: By,
    comment: str = "",
    ply: int | None = None,
    takebacks: int | None = None,
    plan: str = "",
    is_meant: bool = False,
    received_at: datetime | None = None,
) -> Played:
    """Play `text` for `player`, let chance act, and write to the players to move next.

    The replies of both sides' plans are played too, but not returned. `plan` is the text of a plan that starts after
    this move: it is armed before anything answers the move. A plan that cannot be armed is refused alone, because only
    the chance moves may show that, and chance moves stand.

    `ply` is the number of entries that the writer saw, if known: a move for an earlier position is refused. `takebacks`
    is likewise the number of take-backs. `is_meant` says that the writer has confirmed that the comment is for the
    opponent. The mover's time is charged until `received_at`, when the mail with the move came, if it came by mail.
    Raises MoveError, MatchError or, if a suspended player adds a comment, SuspendedError before chance acts or anything
    changes.
    """
    match = locked(session, player.match_id)
    player = next(one for one in players_of(session, match.id) if one.id == player.id)
    must_be_fresh(session, match, player, text, ply, takebacks)
    position, words = position_of(match), clean_talk(comment)
    first = Step(position, player.seat, position.read(player.seat, text))
    if words:
        suspensions.refuse_suspended(person_of(session, player))
    talk_guard.refuse_disclosure(match, player.seat, words, is_meant=is_meant)
    received_at = received_at or now
    late_moves.must_be_in_time(session, match, player, received_at)
    position = position.play(player.seat, first.move)
    with _nothing_refuses(), db.asking_once(session):
        moves_ahead.ask_ahead_of_move(session, match, has_words=bool(words), now=now)
        return _enter(session, match, player, position, first, words, plan, by=by, received_at=received_at, now=now)


def _enter(
    session: Session,
    match: Match,
    player: Player,
    position: Position[Any],
    first: Step,
    words: str,
    plan: str,
    *,
    by: By,
    received_at: datetime,
    now: datetime,
) -> Played:
    """Record a player's `first` step and the chance moves after it; let plans reply."""
    position, chance_steps = record_moves.chance_after(session, match, position)
    steps = [first, *chance_steps]
    began = record_moves.enter(
        session, match, position, steps, now, by=by, mover=player, received_at=received_at, comment=words
    )
    plans.note_own_move(session, match, player, first.entry.text, now=now)
    unplanned = _arm_plan(session, match, player, position, plan, by, now)
    entered = RecordedMove(position, steps, player, by, began)
    after_move.continue_play(session, match, entered, has_words=bool(words), now=now)
    return Played(tuple(steps), unplanned)


@contextmanager
def _nothing_refuses() -> Iterator[None]:
    """Turn a refusal inside this context manager into RefusedAfterChance.

    Chance may have acted here already, and a player who saw its result could try for another. A refusal is therefore a
    bug, which no interface may report as an ordinary refusal.
    """
    try:
        yield
    except ValueError as error:
        raise RefusedAfterChance("something refused after chance had acted") from error


def _arm_plan(
    session: Session, match: Match, player: Player, position: Position[Any], plan: str, by: By, now: datetime
) -> PlanError | None:
    """Arm a move's plan after its chance moves; return the refusal, or None."""
    if not plan:
        return None
    most = line_reading.MOST_READ if by is By.MAIL else syntax.MOST_MOVES
    try:
        lines, wrong = branches.sorted_branches(position, player.seat, plan, most_read=most)
        plans.add(session, match, player, lines, now=now)
    except PlanError as error:
        return error
    return wrong


def resign(session: Session, player: Player, *, now: datetime) -> None:
    """Resign, even out of turn; raise MatchError if the game is over."""
    match = locked(session, player.match_id)
    must_go_on(match)
    finish(session, match, "0-1" if player.seat == 0 else "1-0", RESIGNATION, now)


def ask_to_resign(session: Session, player: Player, *, now: datetime, entries: Sequence[TranscriptEntry] = ()) -> None:
    """Ask the player by letter whether they really resign; nothing else changes.

    `entries` answer the other lines of the mail that asked for it.
    """
    match = locked(session, player.match_id)
    must_go_on(match)
    game_letters.resign_question(session, match, player, now=now, entries=entries)


def confirm_resignation(session: Session, token_id: int | None, *, now: datetime) -> Match:
    """Resign by the single-use token of a question. Raises PeopleError or MatchError."""
    token = live_token(session, token_id, Purpose.RESIGN, now=now)
    match = session.get_one(Match, token.match_id)
    players = [player for player in players_of(session, match.id) if player.person_id == token.person_id]
    if not _is_still_asked(session, match, players[0], token):
        raise MatchError(
            _(
                "You have moved since we asked, or a move was taken back, so that question is closed and you have not "
                "resigned. To resign, write: resign"
            )
        )
    resign(session, players[0], now=now)
    token.used_at = now
    session.add(token)
    return match


def _is_still_asked(session: Session, match: Match, player: Player, token: Token) -> bool:
    """Whether the game is unchanged since the question: no own move, no take-back."""
    position = payload_of(token)
    if position.get("takebacks") != match.takebacks:
        return False
    later = select(Move.id).where(col(Move.match_id) == match.id, col(Move.ply) > position["ply"])
    return session.exec(later.where(col(Move.seat) == player.seat).limit(1)).first() is None


def offer_draw(session: Session, player: Player, *, seen: Seen = NOTHING_SEEN, now: datetime) -> bool:
    """Offer or accept a draw; return whether the game is now drawn. Raises MatchError."""
    match = locked(session, player.match_id)
    must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise MatchError(_("There is nobody who could agree to a draw."))
    offer = standing_offers.answered(session, match, player, OfferKind.DRAW, seen)
    if offer is not None:
        standing_offers.close(session, offer, OfferState.TAKEN, now)
        finish(session, match, "1/2-1/2", AGREEMENT, now)
        return True
    if standing_offers.own(session, player, OfferKind.DRAW) is not None:
        raise MatchError(_("You have already offered a draw; the offer stands until your opponent moves."))
    offer = Offer(match_id=match.id, seat=player.seat, ply=match.ply, at=now)
    session.add(offer)
    session.flush()
    game_letters.offered(session, match, player, offer, now=now)
    game_events.offered(session, match, offer, now=now)
    return False


def open_offer(session: Session, match: Match, kind: OfferKind = OfferKind.DRAW) -> Offer | None:
    """Return the open offer of this kind in a game, or None."""
    return next((offer for offer in record_moves.open_offers(session, match.id) if offer.kind == kind), None)


def say(
    session: Session,
    player: Player,
    text: str,
    *,
    now: datetime,
    audience: Audience = Audience.PLAYERS,
    is_meant: bool = False,
    is_final: bool = False,
) -> Remark:
    """Make a remark to the players or to everyone; the other players get a letter.

    In a game with hidden information nobody else can read the remark while its letter waits, so that it can be
    recalled. A remark that `is_final` cannot be recalled, so its letter is sent at once. Raises MatchError if the text
    is empty or is a private note, which `chat.keep_note` takes; DoubtfulTextError if it may not be meant as chat and
    `is_meant` does not confirm it; SecretDisclosedError if it reveals what is hidden; SuspendedError.
    """
    words = clean_talk(text)
    if not words or audience == Audience.ME:
        raise MatchError(_("There is nothing in this message to pass on."))
    match = locked(session, player.match_id)
    repeated = said_just_now(session, player, words, audience, now=now)
    if repeated is not None:
        return repeated
    _must_be_free_to_talk(session, match, player, now)
    if audience == Audience.PLAYERS:
        _must_be_heard(session, match, player)
    talk_guard.refuse_disclosure(match, player.seat, words, is_meant=is_meant)
    remark = Remark(
        match_id=match.id,
        person_id=player.person_id,
        ply=match.ply,
        text=words,
        at=now,
        audience=audience,
        opens_at=now + MERGE_WINDOW if talk_guard.has_hidden_information(match) and not is_final else None,
    )
    session.add(remark)
    session.flush()
    game_letters.talk(session, match, player, remark, is_final=is_final, now=now)
    heard_at = now if is_final else now + MERGE_WINDOW
    game_events.talk(session, match, player, remark, heard_at=heard_at, now=now)
    return remark


def said_just_now(session: Session, player: Player, words: str, audience: Audience, *, now: datetime) -> Remark | None:
    """Return the player's last remark to `audience` if it is recent and equal, else None."""
    query = select(Remark).where(col(Remark.match_id) == player.match_id, col(Remark.person_id) == player.person_id)
    query = query.where(col(Remark.audience) == audience, col(Remark.at) > now - SAID_TWICE_WITHIN)
    last = session.exec(query.order_by(col(Remark.id).desc()).limit(1)).first()
    return last if last is not None and last.text == words else None


def _must_be_free_to_talk(session: Session, match: Match, player: Player, now: datetime) -> None:
    suspensions.refuse_suspended(person_of(session, player))
    if relations.mute_state_of(session, match.id, player.person_id).is_blocked:
        raise MatchError(_("You have blocked your opponent: you can exchange only moves."))
    if _count_remarks(session, player, now - timedelta(days=1)) >= REMARKS_A_DAY:
        raise MatchError(_("You have said a lot in this game today. Please keep the rest for tomorrow."))


def _must_be_heard(session: Session, match: Match, player: Player) -> None:
    """Raise MatchError if no other player is left to read the remark."""
    others = [person_of(session, other) for other in players_of(session, match.id) if other.id != player.id]
    if not others:
        raise MatchError(_("You play this game alone, so nobody would read that."))
    if all(person.departed_at is not None for person in others):
        raise MatchError(_("Your opponent no longer plays here, so nobody would read that."))


def _count_remarks(session: Session, player: Player, since: datetime) -> int:
    """Return how many remarks a player has made in their game since a time."""
    query = select(func.count()).select_from(Remark).where(col(Remark.match_id) == player.match_id)
    return session.exec(query.where(col(Remark.person_id) == player.person_id, col(Remark.at) > since)).one()
