"""Plans (conditional moves): automatic replies to expected moves of the opponent.

A plan is based on what its owner sees. Every line is played through on entry, as far as the owner can know what
follows. A reply is played only if its owner then sees exactly the planned position. Nobody else sees a plan while the
game runs (see disclosure.py). Nothing here commits, and the caller has locked the match.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.core import db
from correspondence.models import Audience, Match, Offer, OfferState, Plan, PlanStop, Player, Remark
from correspondence.models.loading import MatchError, Step, person_of, players_of
from correspondence.play.conditional import syntax
from correspondence.play.conditional.line_reading import visible_text
from correspondence.play.conditional.syntax import Line, Tree
from correspondence.play.lookahead import try_step
from engines.base import MoveError, Position, Seat
from engines.wording import _

_PLAN = select(Plan).where(col(Plan.match_id) == bindparam("match"), col(Plan.person_id) == bindparam("person"))

_PLANNERS = select(Plan.match_id, Plan.person_id).where(col(Plan.match_id).in_(bindparam("matches", expanding=True)))


class PlannedReply(NamedTuple):
    """The reply of a plan: its owner and the move."""

    player: Player
    move: Any


@dataclass(slots=True)
class PlanNews:
    """What a player's plan did during some moves: the replies it played, and whether it stopped."""

    played: list[str] = field(default_factory=list)
    stopped: bool = False


def plan_of(session: Session, match_id: int, person_id: int) -> Plan | None:
    """Return a person's plan in a game, or None."""
    planners: frozenset[int] | None = db.asked(session).get((Plan, match_id))
    if db.is_absent(session, Plan, match_id, person_id) or (planners is not None and person_id not in planners):
        return None
    params, options = {"match": match_id, "person": person_id}, {"populate_existing": True}
    return session.exec(_PLAN, params=params, execution_options=options).first()


def ask_ahead(session: Session, match_ids: Collection[int]) -> None:
    """Prefetch, for a block of `db.asking_once`, which persons have plans in these games."""
    planners = [(match_id, number) for match_id, number in db.rows(session, _PLANNERS, matches=list(match_ids))]
    for number in match_ids:
        db.asked(session)[Plan, number] = frozenset(owner for match_id, owner in planners if match_id == number)


def arm(session: Session, match: Match, player: Player, tree: Tree, *, now: datetime) -> Plan:
    """Arm a tree as a player's plan, replacing the previous one."""
    plan = plan_of(session, match.id, player.person_id)
    db.asked(session).pop((Plan, match.id), None)
    if plan is None:
        plan = Plan(match_id=match.id, person_id=player.person_id, tree="", at=now)
    is_public = col(Remark.audience) != Audience.ME
    last_remark = select(func.max(Remark.id)).where(col(Remark.match_id) == match.id, is_public)
    plan.tree, plan.pending_move, plan.stop, plan.at = syntax.dump(tree), "", PlanStop.NONE, now
    plan.last_remark_id = session.exec(last_remark).one() or 0
    session.add(plan)
    session.flush()
    return plan


def add(
    session: Session, match: Match, player: Player, lines: Sequence[Line], *, now: datetime
) -> tuple[tuple[str, str, str], ...]:
    """Add checked lines to a plan and arm it; return replaced replies as (move, old, new).

    The lines of an unarmed plan are dropped, because they were meant for another position. Raises PlanError if the plan
    is too large.
    """
    old = plan_of(session, match.id, player.person_id)
    tree: Tree = syntax.load(old.tree) if old is not None and old.stop == PlanStop.NONE else {}
    replaced: list[tuple[str, str, str]] = []
    for line in lines:
        tree, changed = syntax.merged(tree, line)
        replaced += changed
    syntax.check_size(tree)
    arm(session, match, player, tree, now=now)
    return tuple(replaced)


def drop(session: Session, plan: Plan) -> None:
    """Delete a plan."""
    session.delete(plan)
    session.flush()


def stop_all(session: Session, match: Match) -> frozenset[int]:
    """Stop all plans of a game after a take-back, until their owners resume them.

    Returns the ids of the persons whose plans were armed or had a reply waiting.
    """
    stopped_ids = set()
    for plan in session.exec(select(Plan).where(col(Plan.match_id) == match.id)):
        if plan.stop == PlanStop.NONE or plan.pending_move:
            stopped_ids.add(plan.person_id)
        plan.stop, plan.pending_move = PlanStop.TAKEN_BACK, ""
        session.add(plan)
    session.flush()
    return frozenset(stopped_ids)


# -- answering -----------------------------------------------------------------------


def note_own_move(session: Session, match: Match, player: Player, text: str, *, now: datetime) -> None:
    """Update a player's plan after a move of their own.

    The plan continues if the move is its waiting reply; otherwise it is dropped.
    """
    plan = plan_of(session, match.id, player.person_id)
    if plan is None or not plan.pending_move:
        return
    answer = syntax.load(plan.tree)[plan.pending_move]
    if answer.reply == text and answer.tree:
        arm(session, match, player, answer.tree, now=now)
    else:
        drop(session, plan)


def reply_to(
    session: Session, match: Match, step: Step, position: Position[Any], *, has_words: bool
) -> tuple[dict[int, bool], PlannedReply | None]:
    """Find the reply of the waiting player's plan to a move that led to `position`.

    A plan without a reply is stopped. The first value says for each armed plan, by seat, whether it stopped.
    """
    for player in players_of(session, match.id):
        plan = None if player.seat == step.seat else plan_of(session, match.id, player.person_id)
        if plan is None or plan.stop != PlanStop.NONE:
            continue
        reply = _reply(session, match, player, plan, step, position, has_words=has_words)
        session.add(plan)
        session.flush()
        return {player.seat: reply is None}, None if reply is None else PlannedReply(player, reply)
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
    """Return the reply to play, or None; a plan without a reply is stopped."""
    text = visible_text(step, player.seat, position)
    answer = syntax.load(plan.tree).get(text)
    if answer is None or position.to_act != (player.seat,):
        plan.stop = PlanStop.DEVIATED
        return None
    plan.tree, plan.pending_move = syntax.dump({text: answer}), text
    plan.stop = _stop_reason(session, match, player, plan, step, position, has_words=has_words)
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
    """Advance a player's plan after its reply was played; drop it if nothing is left."""
    plan = plan_of(session, match.id, player.person_id)
    assert plan is not None
    below = syntax.load(plan.tree)[plan.pending_move].tree
    if not below:
        drop(session, plan)
        return
    plan.tree, plan.pending_move = syntax.dump(below), ""
    session.add(plan)
    session.flush()


def _stop_reason(
    session: Session, match: Match, player: Player, plan: Plan, step: Step, position: Position[Any], *, has_words: bool
) -> PlanStop:
    """Return why an expected move gets no immediate reply; NONE if it can get one."""
    if not _is_as_planned(step, player.seat, plan.pending_move, position):
        return PlanStop.SHOWN
    if _has_new_remark(session, match, player, plan, step.seat, has_words=has_words):
        return PlanStop.WORDS
    query = select(Offer.id).where(col(Offer.match_id) == match.id, col(Offer.state) == OfferState.OPEN)
    if session.exec(query.where(col(Offer.seat) != player.seat)).first() is not None:
        return PlanStop.OFFER
    return PlanStop.NONE


def _is_as_planned(step: Step, seat: Seat, text: str, position: Position[Any]) -> bool:
    """Whether the planner sees exactly the planned position."""
    view = step.before.view(seat)
    try:
        if view == step.before and view.write(step.seat, step.move) == text:  # the move was shown in full
            return bool(view.after(step.seat, step.move) == position.view(seat))
        return bool(try_step(view, text)[2] == position.view(seat))
    except (MoveError, MatchError):
        return False


def _has_new_remark(session: Session, match: Match, player: Player, plan: Plan, seat: Seat, *, has_words: bool) -> bool:
    """Whether the opponent has made a remark since the plan was armed, unless muted or a robot.

    A robot's remarks never affect a plan, and it cannot stay silent without revealing that there is a plan.
    """
    players = players_of(session, match.id)
    muted = relations.muted_ids(session, players, player.person_id)
    speaker = next(other for other in players if other.seat == seat)
    if speaker.person_id in muted or person_of(session, speaker).robot_level:
        return False
    query = select(Remark.id).where(
        col(Remark.match_id) == match.id,
        col(Remark.person_id) == speaker.person_id,
        col(Remark.audience) != Audience.ME,
        col(Remark.id) > plan.last_remark_id,
    )
    return has_words or session.exec(query.limit(1)).first() is not None


# -- in words ------------------------------------------------------------------------


def status_sentence(plan: Plan) -> str:
    """Return the state of a plan as a sentence for its owner."""
    if plan.stop == PlanStop.NONE:
        return _("Your plan is on: moves that it foresees are answered at once. Nobody else sees it.")
    if plan.stop == PlanStop.DEVIATED:
        return _("Your plan did not foresee your opponent's last move. It is off, but its lines have been kept.")
    if plan.stop == PlanStop.TAKEN_BACK:
        return _("A move was taken back, so your plan is off, but its lines have been kept.")
    move, reply = plan.pending_move, syntax.load(plan.tree)[plan.pending_move].reply
    reasons = {
        PlanStop.WORDS: _("Your plan foresaw {move}, but your opponent also said something, so it has not answered."),
        PlanStop.OFFER: _("Your plan foresaw {move}, but your opponent also made an offer, so it has not answered."),
        PlanStop.SHOWN: _("Your plan foresaw {move}, but not what the move revealed, so it has not answered."),
        PlanStop.ILLEGAL: _("Your plan foresaw {move}, but its answer {reply} is not possible."),
    }
    if plan.stop == PlanStop.ILLEGAL:
        return reasons[plan.stop].format(move=move, reply=reply)
    hint = _("Its answer is {reply}: write “plan on” to play that, or any move you like.")
    return f"{reasons[plan.stop].format(move=move)} {hint.format(reply=reply)}"


def sentences(session: Session, match: Match, player: Player, news: PlanNews) -> list[str]:
    """Return sentences for a player about their plan after some moves, in the current language."""
    lines = [_("Played for you, as you planned: {moves}").format(moves=", ".join(news.played))] if news.played else []
    is_over = match.ended_at is not None
    plan = plan_of(session, match.id, player.person_id) if is_over or news.stopped or news.played else None
    if plan is not None and is_over:
        lines.append(
            _(
                "The lines that you had planned and did not get to play are sealed: your opponent sees them "
                "only if both of you want the plans opened. Write “open plans” if you do."
            )
        )
    elif plan is not None:
        lines.append(status_sentence(plan))
    return lines
