"""Plans: what a player answers by himself, if his opponent plays what he foresaw.

A plan stands on what its owner sees. Every line is played through when it is entered, as far as he can know what
follows; and a reply is played only where the position that its owner then sees is the very one he planned for. Plans
are shown to nobody else while the game runs (unsealing.py says what comes after it). Nothing here commits, and
whoever calls holds the match.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.models import Audience, Match, Offer, OfferState, Plan, PlanStop, Player, Remark
from correspondence.models.loading import MatchError, Step, players_of
from correspondence.play.conditional import syntax
from correspondence.play.conditional.syntax import Line, Pair, PlanError, Tree
from correspondence.play.lookahead import try_step
from engines.base import CHANCE, Hidden, MoveError, Position, Seat
from engines.wording import _

SAMPLES = 6
"""How many guesses at what is hidden must agree on what a move shows, for an answer to it to be planned."""


_PLAN = select(Plan).where(col(Plan.match_id) == bindparam("match"), col(Plan.person_id) == bindparam("person"))


class Reply(NamedTuple):
    """What a plan answers: whose it is, and the move."""

    player: Player
    move: Any


@dataclass(slots=True)
class PlanNews:
    """What came of a player's plan while moves were made: the replies played for him, and whether it stopped."""

    played: list[str] = field(default_factory=list)
    stopped: bool = False


def plan_of(session: Session, match_id: int, person_id: int) -> Plan | None:
    """The plan of a person in a match."""
    asked, fresh = {"match": match_id, "person": person_id}, {"populate_existing": True}
    return session.exec(_PLAN, params=asked, execution_options=fresh).first()


def keep(session: Session, match: Match, player: Player, tree: Tree, *, now: datetime) -> Plan:
    """Arm a player's plan as it is given, in the place of what he had planned."""
    plan = plan_of(session, match.id, player.person_id)
    if plan is None:
        plan = Plan(match_id=match.id, person_id=player.person_id, tree="", at=now)
    heard = col(Remark.audience) != Audience.ME
    last = select(func.max(Remark.id)).where(col(Remark.match_id) == match.id, heard)
    plan.tree, plan.met, plan.stop, plan.at = syntax.dump(tree), "", PlanStop.NONE, now
    plan.heard = session.exec(last).one() or 0
    session.add(plan)
    session.flush()
    return plan


def add(
    session: Session, match: Match, player: Player, lines: Sequence[Line], *, now: datetime
) -> tuple[tuple[str, str, str], ...]:
    """Grow a player's plan by lines that were played through, and arm it; returns the replies that were replaced.

    What an unarmed plan still holds was meant for another position, and is dropped. Raises PlanError, too large.
    """
    old = plan_of(session, match.id, player.person_id)
    tree: Tree = syntax.load(old.tree) if old is not None and old.stop == PlanStop.NONE else {}
    replaced: list[tuple[str, str, str]] = []
    for line in lines:
        tree, instead = syntax.merged(tree, line)
        replaced += instead
    syntax.check_size(tree)
    keep(session, match, player, tree, now=now)
    return tuple(replaced)


def drop(session: Session, plan: Plan) -> None:
    """Forget a plan."""
    session.delete(plan)
    session.flush()


def stop_all(session: Session, match: Match) -> frozenset[int]:
    """Let no plan of a match answer until its owner says so: a move was taken back, and the game is another.

    Returns the persons whose plans were on, or waited with an answer, and do so no more.
    """
    stopped = set()
    for plan in session.exec(select(Plan).where(col(Plan.match_id) == match.id)):
        if plan.stop == PlanStop.NONE or plan.met:
            stopped.add(plan.person_id)
        plan.stop, plan.met = PlanStop.TAKEN_BACK, ""
        session.add(plan)
    session.flush()
    return frozenset(stopped)


# -- entering ------------------------------------------------------------------------


def played_through(position: Position[Any], seat: Seat, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines in canonical notation, each played through from a position as the planner at `seat` sees it.

    Raises PlanError, which names the first move that cannot be planned and says why.
    """
    return tuple(_through(position.view(seat), seat, line) for line in lines)


def _through(seen: Position[Any], seat: Seat, line: Line) -> Line:
    done: list[Pair] = []
    for move, reply in line:
        _must_wait(seen, seat, move)
        text, seen = _foreseen(seen, seat, move)
        _must_answer(seen, seat, text)
        answer, after = _replied(seen, seat, reply)
        done.append((text, answer))
        if len(done) < len(line) and after is None:
            raise _unplannable(line[len(done)][0], _hidden())
        seen = after if after is not None else seen
    return tuple(done)


def _must_wait(seen: Position[Any], seat: Seat, move: str) -> None:
    """Raises PlanError unless the opponent alone is to act."""
    if seen.outcome is not None:
        raise _unplannable(move, _("the game would be over before it."))
    if seen.to_act == (CHANCE,):
        raise _unplannable(move, _("lots would be drawn before it, and nobody knows what they will show."))
    if len(seen.to_act) > 1:
        raise _unplannable(move, _("both sides choose in secret there."))
    if seat in seen.to_act:
        raise _unplannable(move, _("it would be your own turn there."))


def _must_answer(seen: Position[Any], seat: Seat, move: str) -> None:
    """Raises PlanError unless it is the planner alone who is to answer the move just made."""
    if seen.to_act == (seat,):
        return
    if seen.outcome is not None:
        raise _unplannable(move, _("it would end the game, so there is nothing to answer."))
    if seen.to_act == (CHANCE,):
        raise _unplannable(move, _("lots would be drawn after it, and nobody knows what they will show."))
    if len(seen.to_act) > 1:
        raise _unplannable(move, _("both sides choose in secret after it."))
    raise _unplannable(move, _("it would still be your opponent's turn after it."))


def _foreseen(seen: Position[Any], seat: Seat, move: str) -> tuple[str, Position[Any]]:
    """A move of the opponent in canonical notation, and the position after it as the planner will then see it."""
    try:
        opponent, text, after = try_step(seen, move)
    except (MoveError, MatchError) as error:
        raise _unplannable(move, str(error)) from error
    if not _is_certain(seen, seat, opponent, text, after):
        raise _unplannable(move, _hidden())
    return text, after


def _is_certain(seen: Position[Any], seat: Seat, opponent: Seat, text: str, after: Position[Any]) -> bool:
    """Whether the planner knows what he will see after a move, whatever it is that he does not see now."""
    rng = random.Random(0)
    for _guess in range(SAMPLES):
        try:
            full = seen.imagine(seat, rng)
            if full == seen:
                return True
            move = full.read(opponent, text)
            now = full.after(opponent, move)
            if now.view(seat) != after or _told(Step(full, opponent, move), seat, now) != text:
                return False
        except Hidden:
            return False
        except MoveError:  # what is hidden forbids the move: the opponent will know, and not make it
            continue
    return True


def _replied(seen: Position[Any], seat: Seat, reply: str) -> tuple[str, Position[Any] | None]:
    """The planner's reply in canonical notation, and the position after it; None where he cannot know that."""
    try:
        move = seen.read(seat, reply)
        text = seen.write(seat, move)
    except MoveError as error:
        raise _unplannable(reply, str(error)) from error
    try:
        return text, try_step(seen, reply)[2]
    except (MoveError, MatchError):
        return text, None


def _hidden() -> str:
    return _("what would come of it turns on something that is hidden from you.")


def _unplannable(move: str, why: str) -> PlanError:
    return PlanError(_("{move} cannot be planned: {why}").format(move=move[:60], why=why))


# -- answering -----------------------------------------------------------------------


def note_own_move(session: Session, match: Match, player: Player, text: str, *, now: datetime) -> None:
    """A player moved by himself: if his plan waited with that very reply it goes on, with another it is over."""
    plan = plan_of(session, match.id, player.person_id)
    if plan is None or not plan.met:
        return
    answer = syntax.load(plan.tree)[plan.met]
    if answer.reply == text and answer.tree:
        keep(session, match, player, answer.tree, now=now)
    else:
        drop(session, plan)


def reply_to(
    session: Session, match: Match, step: Step, position: Position[Any], *, has_words: bool
) -> tuple[dict[int, bool], Reply | None]:
    """What the plan of whoever waited answers to a move, after which the game stands at `position`.

    Plans that stop are stopped; the first value says of each armed plan, by seat, whether it stopped.
    """
    for player in players_of(session, match.id):
        plan = None if player.seat == step.seat else plan_of(session, match.id, player.person_id)
        if plan is None or plan.stop != PlanStop.NONE:
            continue
        reply = _reply(session, match, player, plan, step, position, has_words=has_words)
        session.add(plan)
        session.flush()
        return {player.seat: reply is None}, None if reply is None else Reply(player, reply)
    return {}, None


def _reply(
    session: Session,
    match: Match,
    player: Player,
    plan: Plan,
    step: Step,
    position: Position[Any],
    *,
    has_words: bool,
) -> Any:
    """The move to answer with; None, and the plan stopped, where there is none."""
    text = _told(step, player.seat, position)
    answer = syntax.load(plan.tree).get(text)
    if answer is None or position.to_act != (player.seat,):
        plan.stop = PlanStop.DEVIATED
        return None
    plan.tree, plan.met = syntax.dump({text: answer}), text
    plan.stop = _hindrance(session, match, player, plan, step, position, has_words=has_words)
    if plan.stop != PlanStop.NONE:
        return None
    try:
        move = position.read(player.seat, answer.reply)
        position.play(player.seat, move)
    except MoveError:
        plan.stop = PlanStop.ILLEGAL
        return None
    return move


def advance(session: Session, match: Match, player: Player, *, now: datetime) -> None:
    """The reply of a player's plan was played: what is planned after it is left, or nothing."""
    plan = plan_of(session, match.id, player.person_id)
    assert plan is not None
    below = syntax.load(plan.tree)[plan.met].tree
    if not below:
        drop(session, plan)
        return
    plan.tree, plan.met = syntax.dump(below), ""
    session.add(plan)
    session.flush()


def _hindrance(
    session: Session, match: Match, player: Player, plan: Plan, step: Step, position: Position[Any], *, has_words: bool
) -> PlanStop:
    """Why a move that was foreseen is not answered at once; NONE where it can be."""
    if not _is_as_planned(step, player.seat, plan.met, position):
        return PlanStop.SHOWN
    if _has_spoken(session, match, player, plan, step.seat, has_words=has_words):
        return PlanStop.WORDS
    offered = select(Offer.id).where(col(Offer.match_id) == match.id, col(Offer.state) == OfferState.OPEN)
    if session.exec(offered.where(col(Offer.seat) != player.seat)).first() is not None:
        return PlanStop.OFFER
    return PlanStop.NONE


def _is_as_planned(step: Step, seat: Seat, text: str, position: Position[Any]) -> bool:
    """Whether the planner sees the very position that he foresaw."""
    try:
        return bool(try_step(step.before.view(seat), text)[2] == position.view(seat))
    except (MoveError, MatchError):
        return False


def _has_spoken(session: Session, match: Match, player: Player, plan: Plan, seat: Seat, *, has_words: bool) -> bool:
    """Whether the opponent said something since the plan was armed that its owner wants to hear."""
    players = players_of(session, match.id)
    silent = relations.muted_ids(session, players, player.person_id)
    speaker = next(one.person_id for one in players if one.seat == seat)
    if speaker in silent:
        return False
    said = select(Remark.id).where(
        col(Remark.match_id) == match.id,
        col(Remark.person_id) == speaker,
        col(Remark.audience) != Audience.ME,
        col(Remark.id) > plan.heard,
    )
    return has_words or session.exec(said.limit(1)).first() is not None


def _told(step: Step, seat: Seat, now: Position[Any]) -> str:
    """A move as the planner is told it, without what it showed."""
    return step.before.tell(step.seat, step.move, seat, now).partition(" {")[0]


# -- in words ------------------------------------------------------------------------


def standing(plan: Plan) -> str:
    """How a plan stands, as a sentence for its owner."""
    if plan.stop == PlanStop.NONE:
        return _("Your plan is on: what it foresees is answered at once. Nobody else sees it.")
    if plan.stop == PlanStop.DEVIATED:
        return _("Your plan did not foresee the last move of your opponent. It is off; its lines are kept.")
    if plan.stop == PlanStop.TAKEN_BACK:
        return _("A move was taken back, so your plan is off; its lines are kept.")
    move, reply = plan.met, syntax.load(plan.tree)[plan.met].reply
    told = {
        PlanStop.WORDS: _("Your plan foresaw {move}, but your opponent said something, so it has not answered."),
        PlanStop.OFFER: _("Your plan foresaw {move}, but your opponent offers something, so it has not answered."),
        PlanStop.SHOWN: _("Your plan foresaw {move}, but not what that has shown, so it has not answered."),
        PlanStop.ILLEGAL: _("Your plan foresaw {move}, but its answer {reply} is not possible."),
    }
    if plan.stop == PlanStop.ILLEGAL:
        return told[plan.stop].format(move=move, reply=reply)
    waits = _("Its answer is {reply}: write “plan on” to play that, or any move you like.")
    return f"{told[plan.stop].format(move=move)} {waits.format(reply=reply)}"


def sentences(session: Session, match: Match, player: Player, news: PlanNews) -> list[str]:
    """What a player is told about his plan after moves were made, in the language spoken now."""
    told = [_("Played for you, as you planned: {moves}").format(moves=", ".join(news.played))] if news.played else []
    is_over = match.ended_at is not None
    plan = plan_of(session, match.id, player.person_id) if is_over or news.stopped or news.played else None
    if plan is not None and is_over:
        told.append(
            _(
                "What you had planned and did not get to play is sealed: your opponent sees it only if both of you "
                "want the plans opened. Write “open plans” if you do."
            )
        )
    elif plan is not None:
        told.append(standing(plan))
    return told
