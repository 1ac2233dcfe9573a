"""Commands about conditional moves (a plan); answers go only to the plan's owner."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import arguments
from correspondence.commands import conditional as reading_of_plans
from correspondence.commands.handlers import game_actions
from correspondence.commands.handlers.context import Sender, command_in, player_of
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import recall
from correspondence.play.conditional import disclosure, plan_commands, plans
from correspondence.play.conditional.plan_commands import PlanView
from engines.wording import N_, _


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
    """Drop the plan or recall unsent remarks; if neither is named, remarks come first.

    In answer to a question, `cancel` is a no.
    """
    if game_actions.is_asked(sender):
        return game_actions.no(session, sender, command)
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


COMMANDS = (
    Declaration(
        kind=cmd.PlanLine,
        readers={"if": reading_of_plans.read_if, "then": reading_of_plans.read_then},
        need=Need.GAME,
        is_of_one_game=True,
        topic="plans",
        help=(
            HelpLine(
                "plans",
                1,
                N_("if e6/d8=B then h4/d2=B; if c6/a7=B then d4/f2=B"),
                N_(
                    "your replies to what your opponent may do, also below a move: played at once, and nobody else sees "
                    "them"
                ),
            ),
            HelpLine(
                "plans",
                2,
                N_("if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y"),
                N_("a comma continues the same line of play"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.ShowPlan,
        phrases="plan | plans | my plan | show plan | piano | il mio piano",
        need=Need.GAME,
        is_of_one_game=True,
        handler=_show,
        topic="plans",
        help=(HelpLine("plans", 3, N_("plan"), N_("shows your plan")),),
    ),
    Declaration(
        kind=cmd.ResumePlan,
        phrases="plan on | resume plan | resume my plan | my plan on | go on with my plan | riprendi il piano",
        need=Need.GAME,
        is_of_one_game=True,
        handler=_resume,
        topic="plans",
        help=(HelpLine("plans", 4, N_("plan on"), N_("resumes it after a stop")),),
    ),
    Declaration(
        kind=cmd.Cancel,
        phrases="annulla | annuler | cancelar",
        readers={"cancel | annulla": arguments.read_cancel},
        need=Need.GAME,
        is_of_one_game=True,
        handler=_cancel,
        topic="talk",
        help=(
            HelpLine("plans", 5, N_("cancel plan"), N_("drops it")),
            HelpLine(
                "talk",
                3,
                N_("cancel"),
                N_("unsends what you said in the last five minutes, if nobody has read it; otherwise drops your plan"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.OpenPlans,
        phrases="open plans | open the plans | open plan | open my plan | open the plan | apri i piani",
        need=Need.GAME,
        is_of_one_game=True,
        handler=_open,
        topic="plans",
        help=(
            HelpLine(
                "plans",
                6,
                N_("open plans"),
                N_("after the game: if you both want it, you see what each other had planned"),
            ),
        ),
    ),
)
