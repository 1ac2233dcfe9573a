"""What each command needs before it is obeyed: nothing, the letter of a game, or the word of whoever it is done for.

A From line proves nothing. What only asks is answered to the registered address all the same; whatever changes
anything waits for a yes that comes back from there (proposals.py). A new command must be named here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from correspondence import commands as words
from correspondence.commands.handlers.context import Outcome, no_game
from correspondence.commands.handlers.matchmaking import say_which_game, say_which_seek
from correspondence.commands.handlers.moderation import say_whom
from correspondence.outbound.transcript import TranscriptEntry


class Need(StrEnum):
    """What must come with a command."""

    NOTHING = "nothing"
    """It asks, and the answer goes to the registered address; nothing is changed by it."""
    GAME = "game"
    """It belongs to a game, which only the address of the game's own letter names."""
    YES = "yes"
    """It changes something, so a From line alone only proposes it."""


NEEDS: Mapping[type[words.Command], Need] = {
    **dict.fromkeys(
        (
            words.Mistaken, words.Help, words.Join, words.Games, words.Show, words.History, words.Record,
            words.Rules, words.Seeks, words.Partners, words.Settings, words.Letters, words.Ratings, words.Export,
            words.TestLetter, words.Yes, words.No, words.Wait,
        ),
        Need.NOTHING,
    ),
    **dict.fromkeys(
        (
            words.Other, words.PlanLine, words.ShowPlan, words.ResumePlan, words.Cancel, words.OpenPlans,
            words.Preview, words.Hint, words.Draw, words.Takeback, words.Pause, words.Claim, words.Nudge,
            words.Resign,
        ),
        Need.GAME,
    ),
    **dict.fromkeys(
        (
            words.SeekPartner, words.Challenge, words.Invite, words.Counter, words.Rematch, words.Withdraw,
            words.Renew, words.Write, words.Accept, words.Decline, words.Away, words.Back, words.Puzzle,
            words.SetMailPreferences, words.Stop, words.ForgetMe, words.Block, words.Unblock, words.Mute, words.Unmute,
            words.Report,
        ),
        Need.YES,
    ),
}  # fmt: skip
"""Every command with what it needs. `yes` and `no` answer a question, which a From line alone does not name."""


_LACKING: Mapping[type[words.Command], Callable[[], str]] = {
    words.Report: say_whom,
    words.Rematch: say_which_game,
    words.Renew: say_which_seek,
}
"""What is said of a command that names too little to be meant outside of a game."""


def need_of(command: words.Command) -> Need:
    """What this command needs; one of a game that it does not name by itself needs the letter of that game."""
    if isinstance(command, words.Mute | words.Unmute | words.Report) and command.handle is None:
        return Need.GAME
    if isinstance(command, words.Rematch) and command.match is None:
        return Need.GAME
    if isinstance(command, words.Renew) and command.number is None:
        return Need.GAME
    return NEEDS[type(command)]


def put_off(command: words.Command, done: Outcome) -> None:
    """Propose what a From line alone asks for; what belongs to a game that it cannot name is refused at once."""
    done.must_answer = True
    if need_of(command) == Need.YES:
        done.proposed.append(command)
        return
    done.sections.append(TranscriptEntry(command.written, _LACKING.get(type(command), no_game)()))
    done.outcome = "refused"
