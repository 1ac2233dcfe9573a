"""Commands about conditional moves (a plan); answers go only to the plan's owner."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands.handlers.context import Handlers, Sender, command_in, player_of
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import recall
from correspondence.play.conditional import disclosure, plan_commands, plans
from correspondence.play.conditional.plan_commands import PlanView
from engines.wording import _


def plan_text(commands: Sequence[cmd.Command], mail_text: str) -> str:
    """Join all plan lines of a mail, including those beyond the command limit, into one text."""
    plan_texts = [command.text for command in commands if isinstance(command, cmd.PlanLine)]
    lines = [line.strip() for line in cmd.rejoin_plan_lines(mail_text.splitlines())]
    return "\n".join(
        plan_texts and ([line for line in lines if isinstance(command_in(line), cmd.PlanLine)] or plan_texts)
    )


def enter(session: Session, sender: Sender, text: str) -> list[TranscriptEntry]:
    """Store the valid plan lines; raise MatchError and change nothing if there are none."""
    plan = plan_commands.enter_possible(session, player_of(sender), text, now=sender.now, ply=sender.ply)
    return [plan_entry(plan), *given_back(plan.unread)]


def given_back(unread: Sequence[str]) -> list[TranscriptEntry]:
    """Quote the lines beyond one mail's plan limit to the writer; empty if there are none."""
    if not unread:
        return []
    notice = _("Please send these lines of your plan in another mail:")
    return [TranscriptEntry("", notice, block="\n".join(wrapped_behind(line, "· ", "| ") for line in unread))]


def plan_entry(plan: PlanView) -> TranscriptEntry:
    """Describe a plan to its owner; numbered lines are not parsed as commands in a quotation."""
    lines = [f"{number}. {line}" for number, line in enumerate(plan.lines, start=1)]
    sentences = [plan.refused, *plan.changes, plan.status]
    return TranscriptEntry("", " ".join(filter(None, sentences)), block="\n".join(lines))


def show(session: Session, sender: Sender) -> TranscriptEntry:
    """Describe the current plan."""
    return plan_entry(plan_commands.plan_view(session, player_of(sender)))


def _show(session: Session, sender: Sender, _command: cmd.ShowPlan) -> TranscriptEntry:
    if sender.match is not None and sender.match.ended_at is not None:
        return disclosure_entry(disclosure.unplayed(session, player_of(sender)))
    return show(session, sender)


def _open(session: Session, sender: Sender, _command: cmd.OpenPlans) -> TranscriptEntry:
    return disclosure_entry(disclosure.agree(session, player_of(sender), now=sender.now))


def disclosure_entry(unplayed: disclosure.Unplayed) -> TranscriptEntry:
    """List a finished game's readable unplayed conditional moves, and how to disclose the rest."""
    hint = [_("Write “open plans” if you want that too.")] if unplayed.may_agree else []
    return TranscriptEntry("", " ".join([unplayed.status, *hint]), block="\n".join(disclosure.in_words(unplayed)))


def _resume(session: Session, sender: Sender, _command: cmd.ResumePlan) -> TranscriptEntry:
    return plan_entry(plan_commands.resume(session, player_of(sender), now=sender.now))


def _cancel(session: Session, sender: Sender, command: cmd.Cancel) -> TranscriptEntry:
    """Drop the plan or recall unsent remarks; if neither is named, remarks come first."""
    player = player_of(sender)
    has_plan = plans.plan_of(session, player.match_id, player.person_id) is not None
    recalls_talk = command.what == "talk" or (
        command.what != "plan" and (not has_plan or bool(recall.recallable(session, player, now=sender.now)))
    )
    if not recalls_talk:
        plan_commands.cancel(session, player, now=sender.now)
        return TranscriptEntry("", _("Your plan has been dropped."))
    recalled_text = recall.recall(session, player, now=sender.now)
    sentences = [_("Your message was unsent; nobody has read it.")]
    if has_plan:
        sentences.append(_("Your plan stays; “cancel plan” drops it."))
    return TranscriptEntry("", " ".join(sentences), block="\n".join(f"> {line}" for line in recalled_text.splitlines()))


HANDLERS: Handlers = {
    cmd.ShowPlan: _show,
    cmd.OpenPlans: _open,
    cmd.ResumePlan: _resume,
    cmd.Cancel: _cancel,
}
