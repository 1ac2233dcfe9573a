"""A player's commands for their plan: enter, view, resume and drop. Nobody else sees them.

Every function locks the match first, so that dropping a plan cannot race with its reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.models import By, Match, Move, Plan, PlanStop, Player
from correspondence.models.loading import game_of, locked, must_go_on, position_of
from correspondence.play import analysis, matches
from correspondence.play.conditional import branches, line_reading, plans, syntax
from correspondence.play.conditional.syntax import Line, PlanError, Tree
from correspondence.play.stale_moves import gone_sentence, is_gone
from engines.base import MoveError
from engines.wording import _


@dataclass(frozen=True, slots=True)
class PlanView:
    """A plan as its owner reads it: status, lines, and recent changes or losses.

    `lines` is empty if there is no plan. `can_resume` says whether “plan on” would do something. `refused` explains
    which lines were not entered, and `unread` are the lines beyond the limit for one mail.
    """

    status: str
    lines: tuple[str, ...] = ()
    is_armed: bool = False
    can_resume: bool = False
    changes: tuple[str, ...] = ()
    refused: str = ""
    unread: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines as text, to be edited and entered again."""
        return "\n".join(self.lines)


def plan_view(session: Session, player: Player) -> PlanView:
    """Return a player's current plan."""
    plan = plans.plan_of(session, player.match_id, player.person_id)
    if plan is None:
        return PlanView(_("You have no plan in this game."))
    return _view(session.get_one(Match, player.match_id), player, plan)


def _view(match: Match, player: Player, plan: Plan, changes: Sequence[str] = ()) -> PlanView:
    lines = syntax.line_texts(syntax.load(plan.tree))
    is_armed, is_mine = plan.stop == PlanStop.NONE, player.seat in position_of(match).to_act
    can_resume = not is_armed and (bool(plan.pending_move) == is_mine) and plan.stop != PlanStop.ILLEGAL
    return PlanView(plans.status_sentence(plan), lines, is_armed, can_resume, tuple(changes))


def enter(
    session: Session,
    player: Player,
    text: str,
    *,
    now: datetime,
    ply: int | None = None,
    takebacks: int | None = None,
    is_whole: bool = False,
) -> PlanView:
    """Check the lines of `text` and arm them with, or (`is_whole`) instead of, the armed ones.

    `ply` is the number of entries that the writer saw, if known, and `takebacks` the number of take-backs then. Raises
    PlanError, which names the first move that cannot be planned, or MatchError before changing anything.
    """
    match = _match_to_plan(session, player)
    _must_be_current(session, match, player, ply, takebacks)
    lines = line_reading.checked_lines(position_of(match), player.seat, syntax.read_lines(text))
    return _arm_lines(session, match, player, lines, now, is_whole=is_whole)


def enter_possible(session: Session, player: Player, text: str, *, now: datetime, ply: int | None = None) -> PlanView:
    """Arm the lines of `text` that can be planned, and return the refusals of the others.

    Lines already armed stay. Raises PlanError if no line can be planned, or MatchError, before changing anything.
    """
    match = _match_to_plan(session, player)
    _must_be_current(session, match, player, ply)
    lines, wrong = branches.sorted_branches(position_of(match), player.seat, text, most_read=line_reading.MOST_READ)
    view = _arm_lines(session, match, player, lines, now)
    return view if wrong is None else replace(view, refused=str(wrong), unread=wrong.unread)


def _must_be_current(
    session: Session, match: Match, player: Player, ply: int | None, takebacks: int | None = None
) -> None:
    """Raise PlanError if the position that the writer planned from is no longer current."""
    if is_gone(match, ply, takebacks):
        raise PlanError(gone_sentence(match, ply, takebacks))
    if ply is not None and _was_answered(session, match, player, ply):
        raise PlanError(_("Your opponent has moved since then; please look at the current position and plan again."))


def arm_tried(session: Session, player: Player, ply: int, at: int | None, *, now: datetime) -> PlanView:
    """Arm the analysis line that leads to the tried move `at`, along with the armed lines.

    Raises PlanError if the line does not begin at the current position, or does not alternate from the opponent's move
    to the player's own; MatchError if there is no such board.
    """
    match = _match_to_plan(session, player)
    board = analysis.analysis_board(session, match.id, player.person_id, ply, at)
    if board is None or board.broken or not board.line:
        raise PlanError(board.broken if board and board.broken else _("There is no such line among those you tried."))
    if ply != match.ply:
        raise PlanError(_("A plan begins at the current position, and this line begins elsewhere."))
    seats = [player.seat, 1 - player.seat]
    if any(branch.seat != seats[count % 2] for count, branch in enumerate(board.line, start=1)):
        raise PlanError(_("A plan alternates: your opponent's move, your reply, and so on. This line does not."))
    if len(board.line) % 2:
        raise PlanError(_("A plan ends with your own move: please try your reply first."))
    texts = [branch.text for branch in board.line]
    line = tuple(zip(texts[::2], texts[1::2], strict=True))
    lines = line_reading.checked_lines(position_of(match), player.seat, [line])
    return _arm_lines(session, match, player, lines, now)


def _arm_lines(
    session: Session,
    match: Match,
    player: Player,
    lines: Sequence[Line],
    now: datetime,
    *,
    is_whole: bool = False,
) -> PlanView:
    earlier = plans.plan_of(session, match.id, player.person_id)
    was_off = earlier is not None and earlier.stop != PlanStop.NONE
    if is_whole and earlier is not None:
        syntax.check_size(_tree_of(lines))
        plans.drop(session, earlier)
    replaced = plans.add(session, match, player, lines, now=now)
    plan = plans.plan_of(session, match.id, player.person_id)
    assert plan is not None
    changes = [
        _("After {move} you now answer {reply} instead of {old}.").format(move=move, reply=reply, old=before)
        for move, before, reply in replaced
    ]
    if was_off and not is_whole:
        changes.append(_("Your earlier lines, which were off, have been removed."))
    return _view(match, player, plan, changes)


def resume(session: Session, player: Player, *, now: datetime) -> PlanView:
    """Resume a plan: play its waiting reply or arm possible lines. Raises MatchError."""
    match = locked(session, player.match_id)
    must_go_on(match)
    plan = _plan(session, match, player)
    if plan.stop == PlanStop.NONE:
        return _view(match, player, plan)
    if plan.pending_move:
        return _play_on(session, match, player, plan, now)
    if player.seat in position_of(match).to_act:
        raise PlanError(_("It is your turn: please move first, then write “plan on”."))
    tree, lost = _still_possible(match, player, syntax.load(plan.tree))
    changes = [_("No longer possible: {line}.").format(line=syntax.line_text(line)) for line in lost]
    if not tree:
        plans.drop(session, plan)
        return PlanView(_("No part of your plan is possible any more, so it has been removed."), changes=tuple(changes))
    return _view(match, player, plans.arm(session, match, player, tree, now=now), changes)


def cancel(session: Session, player: Player, *, now: datetime) -> None:
    """Drop a player's plan; raise MatchError if there is none."""
    match = locked(session, player.match_id)
    plans.drop(session, _plan(session, match, player))


def _play_on(session: Session, match: Match, player: Player, plan: Plan, now: datetime) -> PlanView:
    reply = syntax.load(plan.tree)[plan.pending_move].reply
    try:
        matches.make_move(session, player, reply, now=now, by=By.PLAN)
    except MoveError as error:
        raise PlanError(_("Your plan cannot go on with {move}: {why}").format(move=reply, why=error)) from error
    after = plans.plan_of(session, match.id, player.person_id)
    played = _("Played, as you planned: {moves}.").format(moves=reply)
    if after is None:
        return PlanView(_("Your plan has no further moves."), changes=(played,))
    return _view(match, player, after, (played,))


def _match_to_plan(session: Session, player: Player) -> Match:
    """Return the locked match; raise MatchError unless the player waits for the opponent."""
    match = locked(session, player.match_id)
    must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise PlanError(_("You play alone here, so there is no opponent to plan against."))
    if player.seat in position_of(match).to_act:
        raise PlanError(
            _("It is your turn: please move first, then plan. A mail may do both: your move, and below it the lines.")
        )
    return match


def _was_answered(session: Session, match: Match, player: Player, ply: int) -> bool:
    """Whether the opponent has moved after `ply` entries."""
    later_moves = select(Move.id).where(col(Move.match_id) == match.id, col(Move.ply) > ply)
    return session.exec(later_moves.where(col(Move.seat) == 1 - player.seat).limit(1)).first() is not None


def _still_possible(match: Match, player: Player, tree: Tree) -> tuple[Tree, list[Line]]:
    """Return the part of a tree that can be planned now, and the lines that cannot."""
    possible: Tree = {}
    lost: list[Line] = []
    for line in syntax.lines_of(tree):
        try:
            possible, _replaced = syntax.merged(
                possible, line_reading.checked_lines(position_of(match), player.seat, [line])[0]
            )
        except PlanError:
            lost.append(line)
    return possible, lost


def _tree_of(lines: Sequence[Line]) -> Tree:
    tree: Tree = {}
    for line in lines:
        tree, _replaced = syntax.merged(tree, line)
    return tree


def _plan(session: Session, match: Match, player: Player) -> Plan:
    plan = plans.plan_of(session, match.id, player.person_id)
    if plan is None:
        raise PlanError(_("You have no plan in this game. Write, for example: if MOVE then MOVE"))
    return plan
