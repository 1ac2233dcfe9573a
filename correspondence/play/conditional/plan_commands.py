"""What a player does with his plan: enter lines, look at it, let it go on, drop it. Told to nobody else, ever.

Every function holds the match first, so that a plan which is dropped while it fires was dropped, or has fired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.models import By, Match, Move, Plan, PlanStop, Player
from correspondence.models.loading import game_of, locked, position_of
from correspondence.play import analysis, matches
from correspondence.play.conditional import plans, syntax
from correspondence.play.conditional.syntax import Line, PlanError, Tree
from engines.base import MoveError
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Shown:
    """A plan as its owner reads it: how it stands, its lines, and what was changed or lost just now.

    `lines` is empty where there is no plan; `can_resume` where “plan on” would do something.
    """

    standing: str
    lines: tuple[str, ...] = ()
    is_armed: bool = False
    can_resume: bool = False
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The lines as they are written, to be changed and entered again."""
        return "\n".join(self.lines)


def shown(session: Session, player: Player) -> Shown:
    """The plan of a player, as it stands."""
    plan = plans.plan_of(session, player.match_id, player.person_id)
    if plan is None:
        return Shown(_("You have no plan in this game."))
    return _shown(session.get_one(Match, player.match_id), player, plan)


def _shown(match: Match, player: Player, plan: Plan, changes: Sequence[str] = ()) -> Shown:
    lines = syntax.spelled_lines(syntax.load(plan.tree))
    is_armed, is_mine = plan.stop == PlanStop.NONE, player.seat in position_of(match).to_act
    can_resume = not is_armed and (bool(plan.met) == is_mine) and plan.stop != PlanStop.ILLEGAL
    return Shown(plans.standing(plan), lines, is_armed, can_resume, tuple(changes))


def enter(
    session: Session, player: Player, text: str, *, now: datetime, ply: int | None = None, replace: bool = False
) -> Shown:
    """Play the lines of `text` through and arm them, beside what is armed already, or in its place.

    `ply` is the number of entries that the writer saw, if it is known. Raises PlanError or MatchError before
    changing anything; the first move that cannot be planned is named.
    """
    match = _waiting(session, player)
    if ply is not None and _was_answered(session, match, player, ply):
        raise PlanError(_("Your opponent has moved since then; please look at the game as it stands, and plan anew."))
    return _entered(session, match, player, syntax.read_lines(text), now, replace=replace)


def arm_tried(session: Session, player: Player, ply: int, at: int | None, *, now: datetime) -> Shown:
    """Arm the line of one's own board that leads to the tried move `at`, beside what is armed already.

    Raises PlanError where it does not begin where the game stands, or does not alternate from the opponent's move
    to one's own; MatchError where there is no such board.
    """
    match = _waiting(session, player)
    seen = analysis.trial(session, match.id, player.person_id, ply, at)
    if seen is None or seen.broken or not seen.line:
        raise PlanError(seen.broken if seen and seen.broken else _("There is no such line among those you tried."))
    if ply != match.ply:
        raise PlanError(_("A plan begins where the game stands now, and this line begins elsewhere."))
    turns = [player.seat, 1 - player.seat]
    if any(branch.seat != turns[count % 2] for count, branch in enumerate(seen.line, start=1)):
        raise PlanError(_("A plan alternates: a move of your opponent, your reply, and so on. This line does not."))
    if len(seen.line) % 2:
        raise PlanError(_("A plan ends with a move of yours: please try your reply first."))
    texts = [branch.text for branch in seen.line]
    return _entered(session, match, player, [tuple(zip(texts[::2], texts[1::2], strict=True))], now)


def _entered(
    session: Session,
    match: Match,
    player: Player,
    written: Sequence[Line],
    now: datetime,
    *,
    replace: bool = False,
) -> Shown:
    lines = plans.played_through(position_of(match), player.seat, written)
    old = plans.plan_of(session, match.id, player.person_id)
    dropped = old is not None and old.stop != PlanStop.NONE
    if replace and old is not None:
        syntax.check_size(_tree_of(lines))
        plans.drop(session, old)
    replaced = plans.add(session, match, player, lines, now=now)
    plan = plans.plan_of(session, match.id, player.person_id)
    assert plan is not None
    changes = [
        _("After {move} you now answer {reply} instead of {old}.").format(move=move, reply=reply, old=before)
        for move, before, reply in replaced
    ]
    if dropped and not replace:
        changes.append(_("Your earlier lines, which were off, are gone."))
    return _shown(match, player, plan, changes)


def resume(session: Session, player: Player, *, now: datetime) -> Shown:
    """Let a plan go on: play the answer that waits, or arm the lines that are still possible. Raises MatchError."""
    match = locked(session, player.match_id)
    _must_go_on(match)
    plan = _plan(session, match, player)
    if plan.stop == PlanStop.NONE:
        return _shown(match, player, plan)
    if plan.met:
        return _play_on(session, match, player, plan, now)
    if player.seat in position_of(match).to_act:
        raise PlanError(_("It is your turn: please move first, then write “plan on”."))
    tree, lost = _still_possible(match, player, syntax.load(plan.tree))
    changes = [_("No longer possible: {line}.").format(line=syntax.spelled(line)) for line in lost]
    if not tree:
        plans.drop(session, plan)
        return Shown(_("Nothing of your plan is possible any more, so it is gone."), changes=tuple(changes))
    return _shown(match, player, plans.keep(session, match, player, tree, now=now), changes)


def cancel(session: Session, player: Player, *, now: datetime) -> None:
    """Forget a player's plan; raises MatchError where there is none."""
    match = locked(session, player.match_id)
    plans.drop(session, _plan(session, match, player))


def _play_on(session: Session, match: Match, player: Player, plan: Plan, now: datetime) -> Shown:
    reply = syntax.load(plan.tree)[plan.met].reply
    try:
        matches.make_move(session, player, reply, now=now, by=By.PLAN)
    except MoveError as error:
        raise PlanError(_("Your plan cannot go on with {move}: {why}").format(move=reply, why=error)) from error
    after = plans.plan_of(session, match.id, player.person_id)
    played = _("Played, as you planned: {moves}.").format(moves=reply)
    if after is None:
        return Shown(_("Your plan has no further moves."), changes=(played,))
    return _shown(match, player, after, (played,))


def _waiting(session: Session, player: Player) -> Match:
    """The match, held, in which the player waits for his opponent; raises PlanError where he does not."""
    match = locked(session, player.match_id)
    _must_go_on(match)
    if len(game_of(match).seats) < 2:
        raise PlanError(_("You play alone here: there is nobody whose moves you could answer."))
    if player.seat in position_of(match).to_act:
        raise PlanError(
            _("It is your turn: please move first, then plan. A mail may do both: your move, and below it the lines.")
        )
    return match


def _was_answered(session: Session, match: Match, player: Player, ply: int) -> bool:
    """Whether the opponent has moved after so many entries."""
    since = select(Move.id).where(col(Move.match_id) == match.id, col(Move.ply) > ply)
    return session.exec(since.where(col(Move.seat) == 1 - player.seat).limit(1)).first() is not None


def _still_possible(match: Match, player: Player, tree: Tree) -> tuple[Tree, list[Line]]:
    """What of a tree can be planned now, and the lines that cannot."""
    kept: Tree = {}
    lost: list[Line] = []
    for line in syntax.lines_of(tree):
        try:
            kept, _replaced = syntax.merged(kept, plans.played_through(position_of(match), player.seat, [line])[0])
        except PlanError:
            lost.append(line)
    return kept, lost


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


def _must_go_on(match: Match) -> None:
    if match.ended_at is not None:
        raise PlanError(_("Game {number} is over.").format(number=match.id))
