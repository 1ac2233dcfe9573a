"""Authority needed per command: none, a reply to a game letter, or a confirmation.

A From line proves nothing. A read-only command is answered to the registered address in any case. A command that
changes anything waits for a yes from that address (proposals.py). Each declaration says what its command needs.
"""

from __future__ import annotations

from correspondence import commands as cmd
from correspondence.commands import registry
from correspondence.commands.handlers.context import MailOutcome, Sender, reply_to_game_letter
from correspondence.commands.registry import Need
from correspondence.models import Purpose
from correspondence.outbound.transcript import TranscriptEntry


def need_of(command: cmd.Command) -> Need:
    """Return the authority that a command needs."""
    return registry.of(command).need_of(command)


def may_propose(sender: Sender, command: cmd.Command) -> bool:
    """Whether a yes from the sender's address could execute the command."""
    return need_of(command) == Need.YES and registry.of(command).feature not in sender.features_off


def changes_addresses(command: cmd.Command) -> bool:
    """Whether the command changes where letters go or who may sign in."""
    return registry.of(command).changes_access


def must_be_asked(sender: Sender, command: cmd.Command) -> bool:
    """Whether a change of addresses needs a yes despite the token: people forward game letters.

    A reply to an account letter suffices, unless our mail server found its From line forged.
    """
    if not changes_addresses(command) or sender.is_confirmed:
        return False
    return sender.is_doubtful or (sender.token is not None and sender.token.purpose != Purpose.COMMANDS)


def propose_or_refuse(command: cmd.Command, result: MailOutcome) -> None:
    """Propose a command vouched for only by a From line, or refuse it if it needs a game letter."""
    result.must_answer = True
    if need_of(command) == Need.YES:
        result.proposed.append(command)
        return
    refuse = registry.of(command).missing or reply_to_game_letter
    result.entries.append(TranscriptEntry(command.written, refuse()))
    result.outcome = "refused"
