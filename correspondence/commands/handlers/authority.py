"""Authority needed per command: none, a reply to a game letter, or a confirmation.

A From line proves nothing. A read-only command is answered to the registered address in any case. A command that
changes anything waits for a yes from that address (proposals.py). Every new command must be listed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from correspondence import commands as cmd
from correspondence.commands.handlers import addresses
from correspondence.commands.handlers.context import MailOutcome, Sender, reply_to_game_letter
from correspondence.commands.handlers.matchmaking import say_what_to_withdraw, say_which_game, say_which_seek
from correspondence.commands.handlers.moderation import say_whom
from correspondence.models import Purpose
from correspondence.outbound.transcript import TranscriptEntry


class Need(StrEnum):
    """The authority that a command needs."""

    NOTHING = "nothing"
    """Read-only: the answer goes to the registered address."""
    GAME = "game"
    """Acts on a game, which only the reply address of a game letter identifies."""
    YES = "yes"
    """Changes something: with only a From line it is proposed and must be confirmed."""


NEEDS: Mapping[type[cmd.Command], Need] = {
    **dict.fromkeys(
        (
            cmd.InvalidCommand, cmd.Help, cmd.Join, cmd.Games, cmd.Legal, cmd.Show, cmd.History, cmd.Record,
            cmd.Rules, cmd.Seeks, cmd.Partners, cmd.Robots, cmd.ShowSettings, cmd.Letters, cmd.Ratings,
            cmd.Export, cmd.Exercise,
            cmd.TestLetter, cmd.SignIn, cmd.Addresses, cmd.Recover, cmd.Yes, cmd.No, cmd.Wait,
        ),
        Need.NOTHING,
    ),
    **dict.fromkeys(
        (
            cmd.Other, cmd.InGame, cmd.PlanLine, cmd.ShowPlan, cmd.ResumePlan, cmd.Cancel, cmd.OpenPlans,
            cmd.Preview, cmd.Hint, cmd.Draw, cmd.Takeback, cmd.Pause, cmd.Claim, cmd.Nudge,
            cmd.Resign,
        ),
        Need.GAME,
    ),
    **dict.fromkeys(
        (
            cmd.SeekPartner, cmd.Challenge, cmd.Invite, cmd.Counter, cmd.DiceWords, cmd.Rematch, cmd.Withdraw,
            cmd.Renew, cmd.Reopen, cmd.Write, cmd.Accept, cmd.Decline, cmd.Away, cmd.Back, cmd.Puzzle, cmd.Learn,
            cmd.ChangeSetting, cmd.Stop, cmd.ForgetMe, cmd.Block, cmd.Unblock, cmd.Mute, cmd.Unmute,
            cmd.Report, cmd.AddressAdd, cmd.AddressRemove, cmd.AddressMain,
            cmd.NewRecoveryCode, cmd.Review,
        ),
        Need.YES,
    ),
}  # fmt: skip
"""Authority needed by each command; `yes` and `no` do nothing without a token."""


_MISSING_ARGUMENT: Mapping[type[cmd.Command], Callable[[], str]] = {
    cmd.Report: say_whom,
    cmd.Rematch: say_which_game,
    cmd.Renew: say_which_seek,
    cmd.Withdraw: say_what_to_withdraw,
}
"""Refusals of commands that lack an argument and do not reply to a game letter."""


def need_of(command: cmd.Command) -> Need:
    """Return the needed authority; without a game or target it is a reply to a game letter."""
    if isinstance(command, cmd.Mute | cmd.Unmute | cmd.Report) and command.handle is None:
        return Need.GAME
    if isinstance(command, cmd.Rematch) and command.match is None:
        return Need.GAME
    if isinstance(command, cmd.Renew | cmd.Withdraw) and command.number is None:
        return Need.GAME
    if isinstance(command, cmd.ChangeSetting) and not command.value:
        return Need.NOTHING  # read-only
    if isinstance(command, cmd.Review) and command.match is None:
        return Need.NOTHING
    return NEEDS[type(command)]


def must_be_asked(sender: Sender, command: cmd.Command) -> bool:
    """Whether a change of addresses needs a yes despite the token: people forward game letters.

    A reply to an account letter suffices, unless our mail server found its From line forged.
    """
    if not isinstance(command, addresses.CHANGES) or sender.is_confirmed:
        return False
    return sender.is_doubtful or (sender.token is not None and sender.token.purpose != Purpose.COMMANDS)


def propose_or_refuse(command: cmd.Command, result: MailOutcome) -> None:
    """Propose a command vouched for only by a From line, or refuse it if it needs a game letter."""
    result.must_answer = True
    if need_of(command) == Need.YES:
        result.proposed.append(command)
        return
    result.entries.append(
        TranscriptEntry(command.written, _MISSING_ARGUMENT.get(type(command), reply_to_game_letter)())
    )
    result.outcome = "refused"
