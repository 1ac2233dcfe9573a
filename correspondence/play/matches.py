"""What happens inside one match: moves, resignation, draws, talk and reminders.

Every function refuses first, draws lots after that and writes last. It never commits, and asks nobody what time it
is: the caller's transaction commits, `now` comes from outside, and every lot follows from the seed of the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.accounts.accounts import live_token, new_token
from correspondence.clocks import turns
from correspondence.core import time_control
from correspondence.core.game_options import options_text
from correspondence.core.move_text import looks_like_move
from correspondence.models import (
    STALE,
    Audience,
    By,
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
)
from correspondence.models.loading import AGREEMENT, RESIGNATION, Step, game_of, locked, players_of, position_of, stored
from correspondence.models.loading import MatchError as MatchError
from correspondence.outbound.schedule import MERGE_WINDOW
from correspondence.play import after_move, game_letters, record_moves, talk_guard
from correspondence.play.after_move import Ply
from correspondence.play.conditional import plans, syntax
from correspondence.play.conditional.syntax import PlanError
from correspondence.play.game_end import finish
from engines import GAMES
from engines.base import MoveError, Position
from engines.record import Entry
from engines.wording import _

TALK_LIMIT = 4_000
"""The longest remark or comment, in characters; what is longer is cut."""


_ADDRESS = re.compile(r"[^\s@＠<>]{1,64}[@＠][^\s@＠<>]{1,255}")
_SECRET = re.compile(
    r"\b[rb]\.[a-z2-7]{26}\b|(?<=/)[a-z2-7]{26}\b|\b(?=[a-z]*[2-7])[a-z2-7]{26}\b",  # tokens.spell, wherever it stands
    re.IGNORECASE,
)
_AROUND = ".,;:!?()[]*_\"'“”„«»"

REMARKS_A_DAY = 40
"""Remarks of one player in one match within a day: two programs that answer each other would not stop."""


class StaleMove(MoveError):
    """A move meant for a position that is no longer on the board."""


class LotsStand(RuntimeError):
    """Something tried to refuse a move after its lots were drawn: a mistake of ours, told to nobody."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a move: what was entered, lots included, and why the plan sent with it was not, if it was not."""

    entries: tuple[Entry, ...]
    unplanned: PlanError | None = None


def start_match(
    session: Session,
    key: str,
    options: Any,
    terms: time_control.TimeControl,
    persons: Sequence[Person],
    *,
    rated: bool,
    analysis: bool = True,
    now: datetime,
    seed: bytes,
) -> Match:
    """Begin a match, the persons in the order of the seats; lots are drawn and whoever is to act is written to.

    `seed` is kept, and every lot of the match is drawn from it.
    """
    game = GAMES[key]
    position, steps = record_moves.draw(game.start(options), seed, 1)
    match = Match(
        game=key,
        version=game.version,
        options=options_text(options),
        policy=terms.policy,
        rated=rated and len(persons) > 1,
        analysis=analysis,
        bank=record_moves.seconds(terms.bank),
        increment=record_moves.seconds(terms.increment),
        cap=record_moves.seconds(terms.cap),
        position=stored(position),
        started_at=now,
    )
    session.add(match)
    session.flush()
    session.add(Seed(match_id=match.id, secret=seed))
    for seat, person in enumerate(persons):
        token = new_token(session, Purpose.PLAY, now=now, person=person, match_id=match.id)
        session.add(Player(match_id=match.id, person_id=person.id, seat=seat, bank=match.bank, token_id=token.id))
    session.flush()
    with _nothing_refuses():
        began = record_moves.enter(session, match, position, steps, now, by=By.CHANCE)
        after_move.go_on(session, match, Ply(position, steps, None, By.CHANCE, began), now=now)
    return match


def make_move(
    session: Session,
    player: Player,
    text: str,
    *,
    now: datetime,
    by: By,
    comment: str = "",
    ply: int | None = None,
    undone: int | None = None,
    plan: str = "",
    is_meant: bool = False,
) -> Played:
    """Play `text` for `player`, draw the lots that follow, and write to whoever is next.

    What the plans of both sides answer is played too, but not returned. `plan` is what the player plans from here:
    lines for their own plan, armed before anything answers them; a plan that cannot be is refused alone, because
    only the lots may show that, and a lot that was drawn stands. `ply` is the number of entries that the writer
    saw, if it is known: a move for an earlier position is refused; `undone` likewise how often a move had been
    taken back. `is_meant` says that the writer was asked whether the comment is for the opponent. Raises MoveError
    or MatchError before anything is drawn or changed.
    """
    match = locked(session, player.match_id)
    player = next(seated for seated in players_of(session, match.id) if seated.id == player.id)
    _must_be_fresh(session, match, player, text, ply, undone)
    position, words = position_of(match), clean_talk(comment)
    first = Step(position, player.seat, position.read(player.seat, text))
    talk_guard.must_not_tell(match, player.seat, words, is_meant=is_meant)
    position = position.play(player.seat, first.move)
    with _nothing_refuses():
        position, drawn = record_moves.lots_after(session, match, position)
        steps = [first, *drawn]
        began = record_moves.enter(session, match, position, steps, now, by=by, mover=player, comment=words)
        plans.note_own_move(session, match, player, first.entry.text, now=now)
        unplanned = _armed(session, match, player, position, plan, now)
        after_move.go_on(session, match, Ply(position, steps, player, by, began), has_words=bool(words), now=now)
    return Played(tuple(step.entry for step in steps), unplanned)


@contextmanager
def _nothing_refuses() -> Iterator[None]:
    """What happens here cannot be refused any more: a lot may be drawn, and whoever saw it could try for another.

    A refusal all the same is a mistake of ours, and no interface may tell it as one and carry on.
    """
    try:
        yield
    except ValueError as error:
        raise LotsStand("something refused after lots were drawn") from error


def _must_be_fresh(
    session: Session, match: Match, player: Player, text: str, ply: int | None, undone: int | None
) -> None:
    """Raises MatchError where the match is over, StaleMove where the writer saw another position."""
    _must_go_on(match)
    if undone not in (None, match.undone) or ply == STALE:
        raise StaleMove(_("A move was taken back since then; please look at the game as it stands."))
    if ply is not None and not answers_now(match, player, ply):
        raise StaleMove(_stale(session, match, player, ply, text))


def _armed(
    session: Session, match: Match, player: Player, position: Position[Any], plan: str, now: datetime
) -> PlanError | None:
    """Arm the lines that came with a move, now that its lots are known; returns why not, where that cannot be."""
    if not plan:
        return None
    try:
        lines = plans.played_through(position, player.seat, syntax.read_lines(plan))
        plans.add(session, match, player, lines, now=now)
    except PlanError as error:
        return error
    return None


def resign(session: Session, player: Player, *, now: datetime) -> None:
    """End the match: the other side wins. Allowed out of turn; raises MatchError when it is over."""
    match = locked(session, player.match_id)
    _must_go_on(match)
    finish(session, match, "0-1" if player.seat == 0 else "1-0", RESIGNATION, now)


def ask_to_resign(session: Session, player: Player, *, now: datetime) -> None:
    """Write to the player to ask whether he really resigns; nothing else changes."""
    match = locked(session, player.match_id)
    _must_go_on(match)
    game_letters.resign_question(session, match, player, now=now)


def confirm_resignation(session: Session, number: int | None, *, now: datetime) -> Match:
    """Resign as the token of such a question says, which works once; raises PeopleError or MatchError."""
    token = live_token(session, number, Purpose.RESIGN, now=now)
    match = session.get_one(Match, token.match_id)
    asked = [player for player in players_of(session, match.id) if player.person_id == token.person_id]
    resign(session, asked[0], now=now)
    token.used_at = now
    session.add(token)
    return match


def offer_draw(session: Session, player: Player, *, now: datetime) -> bool:
    """Offer a draw, or accept the one that was offered; True when the match is now drawn. Raises MatchError."""
    match = locked(session, player.match_id)
    _must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise MatchError(_("Nobody is there to agree to a draw."))
    offer = open_offer(session, match)
    if offer is not None and offer.seat != player.seat:
        offer.state = OfferState.TAKEN
        session.add(offer)
        finish(session, match, "1/2-1/2", AGREEMENT, now)
        return True
    if offer is not None:
        raise MatchError(_("You have offered a draw already; it stands until your opponent moves."))
    session.add(Offer(match_id=match.id, seat=player.seat, ply=match.ply, at=now))
    session.flush()
    game_letters.draw_offered(session, match, player, now=now)
    return False


def decline_draw(session: Session, player: Player, *, now: datetime) -> None:
    """Decline the opponent's offer of a draw; raises MatchError when there is none."""
    match = locked(session, player.match_id)
    offer = open_offer(session, match)
    if offer is None or offer.seat == player.seat:
        raise MatchError(_("Nobody has offered you a draw in this game."))
    offer.state = OfferState.LAPSED
    session.add(offer)


def open_offer(session: Session, match: Match, kind: OfferKind = OfferKind.DRAW) -> Offer | None:
    """What is on offer in a match, a draw if nothing else is asked for."""
    return next((offer for offer in record_moves.open_offers(session, match.id) if offer.kind == kind), None)


def say(
    session: Session,
    player: Player,
    text: str,
    *,
    now: datetime,
    audience: Audience = Audience.PLAYERS,
    is_meant: bool = False,
) -> Remark:
    """Say something to the players or to everyone; the other players are written to.

    Where something is hidden in the game, nobody else reads it anywhere for as long as its letter waits, so that it
    can be recalled. Raises MatchError when nothing is left to say, or when it is for nobody else: `talk.keep_note`
    takes that; Doubtful where it may not be meant as talk and `is_meant` does not say so; Secret where it tells what
    is hidden.
    """
    said = clean_talk(text)
    if not said or audience == Audience.ME:
        raise MatchError(_("There is nothing in this message to pass on."))
    match = locked(session, player.match_id)
    if relations.relations_of(session, match.id, player.person_id).is_blocked:
        raise MatchError(_("You have blocked your opponent: nothing but moves passes between you."))
    if _remarks(session, player, now - timedelta(days=1)) >= REMARKS_A_DAY:
        raise MatchError(_("You have said much in this game today. Please wait until tomorrow with the rest."))
    talk_guard.must_not_tell(match, player.seat, said, is_meant=is_meant)
    remark = Remark(
        match_id=match.id,
        person_id=player.person_id,
        ply=match.ply,
        text=said,
        at=now,
        audience=audience,
        opens_at=now + MERGE_WINDOW if talk_guard.keeps_secrets(match) else None,
    )
    session.add(remark)
    session.flush()
    game_letters.talk(session, match, player, remark, now=now)
    return remark


def _remarks(session: Session, player: Player, since: datetime) -> int:
    """How many remarks a player has made in his match since then."""
    counted = select(func.count()).select_from(Remark).where(col(Remark.match_id) == player.match_id)
    return session.exec(counted.where(col(Remark.person_id) == player.person_id, col(Remark.at) > since)).one()


def clean_talk(text: str) -> str:
    """Words fit to be passed on: no addresses, no tokens, no control characters, not too long."""
    kept = "".join(c for c in text.replace("\r\n", "\n") if c == "\n" or (c.isprintable() and ord(c) < 0xE0000))
    hidden = _SECRET.sub("…", _ADDRESS.sub(_without_address, kept))
    return hidden.strip()[:TALK_LIMIT]


def _without_address(found: re.Match[str]) -> str:
    """Of a word with an @ what is no address: a move such as 5@b3 stays, and so does the comma behind."""
    word = found[0].strip(_AROUND)
    return found[0] if looks_like_move(word) else found[0].replace(word, "…@…")


def remind(session: Session, match_id: int, *, now: datetime) -> None:
    """Remind every player whose reminder is due; once a turn. Nothing, if a move came first."""
    match = locked(session, match_id)
    if match.remind_at is None or match.remind_at > now:
        return
    for player in acting(session, match):
        if player.remind_at is not None and player.remind_at <= now and player.flagged_at is None:
            game_letters.reminder(session, match, player, now=now)
    turns.set_sweeps(session, match, now)


def answers_now(match: Match, player: Player, ply: int) -> bool:
    """Whether what was shown to the player after `ply` entries is still what he is to answer.

    While several seal their choices, another's sealed choice makes nobody's letter old.
    """
    return match.ended_at is None and (player.turn_ply if player.since else match.ply) <= ply <= match.ply


acting = turns.running
"""The players whose clocks run."""


def _must_go_on(match: Match) -> None:
    if match.ended_at is not None:
        raise MatchError(_("Game {number} is over.").format(number=match.id))


def _stale(session: Session, match: Match, player: Player, ply: int, text: str) -> str:
    found = (
        select(Move)
        .where(col(Move.match_id) == match.id, col(Move.ply) > ply, col(Move.seat) == player.seat)
        .order_by(col(Move.ply))
    )
    played = session.exec(found).first()
    if played is None:
        return _("That was for the position after move {then}; the game has gone on to move {now}.").format(
            then=ply, now=match.ply
        )
    if "".join(text.split()) == played.text:
        return _("Your move {text} was played already.").format(text=played.text)
    return _("Too late for that position: you played {text} there, and the game has gone on.").format(text=played.text)
