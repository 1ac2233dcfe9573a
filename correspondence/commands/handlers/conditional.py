"""Commands about one's plan for a game; what they tell, they tell its owner alone."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from correspondence import commands as words
from correspondence.commands.handlers.context import Handlers, Sender, at_table, command_in
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import recall
from correspondence.play.conditional import disclosure, plan_commands, plans
from correspondence.play.conditional.plan_commands import PlanView
from engines.wording import _


def text_of(commands: Sequence[words.Command], said: str) -> str:
    """The lines of a plan as one text: where a mail has any, all of them count, however long it is."""
    among = [command.text for command in commands if isinstance(command, words.PlanLine)]
    whole = [line.strip() for line in words.unbroken(said.splitlines())]
    return "\n".join(among and ([line for line in whole if isinstance(command_in(line), words.PlanLine)] or among))


def enter(session: Session, writer: Sender, text: str) -> TranscriptEntry:
    """Arm these lines; raises MatchError before changing anything."""
    return told(plan_commands.enter(session, at_table(writer), text, now=writer.now, ply=writer.ply))


def told(plan: PlanView) -> TranscriptEntry:
    """A plan as its owner is told it. The lines are numbered, so that they are no commands when they are quoted."""
    lines = [f"{number}. {line}" for number, line in enumerate(plan.lines, start=1)]
    return TranscriptEntry("", " ".join([*plan.changes, plan.standing]), block="\n".join(lines))


def show(session: Session, writer: Sender) -> TranscriptEntry:
    """The plan as it stands."""
    return told(plan_commands.plan_view(session, at_table(writer)))


def _show(session: Session, writer: Sender, _command: words.ShowPlan) -> TranscriptEntry:
    if writer.match is not None and writer.match.ended_at is not None:
        return opened(disclosure.unplayed(session, at_table(writer)))
    return show(session, writer)


def _open(session: Session, writer: Sender, _command: words.OpenPlans) -> TranscriptEntry:
    return opened(disclosure.agree(session, at_table(writer), now=writer.now))


def opened(seen: disclosure.Unplayed) -> TranscriptEntry:
    """The unplayed lines of a game that is over, as the writer may read them, and what he can do about them."""
    how = [_("Write “open plans” if you want that.")] if seen.may_agree else []
    return TranscriptEntry("", " ".join([seen.standing, *how]), block="\n".join(disclosure.in_words(seen)))


def _resume(session: Session, writer: Sender, _command: words.ResumePlan) -> TranscriptEntry:
    return told(plan_commands.resume(session, at_table(writer), now=writer.now))


def _cancel(session: Session, writer: Sender, command: words.Cancel) -> TranscriptEntry:
    """Words that wait go first, unless the plan is named: they leave soon, and a plan can be dropped later."""
    player = at_table(writer)
    has_plan = plans.plan_of(session, player.match_id, player.person_id) is not None
    is_talk = command.what == "talk" or (
        command.what != "plan" and (not has_plan or bool(recall.recallable(session, player, now=writer.now)))
    )
    if not is_talk:
        plan_commands.cancel(session, player, now=writer.now)
        return TranscriptEntry("", _("Your plan is dropped."))
    said = recall.recall(session, player, now=writer.now)
    told = [_("What you said is recalled; nobody has read it.")]
    if has_plan:
        told.append(_("Your plan stands; “cancel plan” drops it."))
    return TranscriptEntry("", " ".join(told), block="\n".join(f"> {line}" for line in said.splitlines()))


HANDLERS: Handlers = {
    words.ShowPlan: _show,
    words.OpenPlans: _open,
    words.ResumePlan: _resume,
    words.Cancel: _cancel,
}
