"""The command `review 12`: a second opinion asked for by mail."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from correspondence.commands import answers
from correspondence.commands.arguments import number_reader
from correspondence.commands.command_types import Command
from correspondence.commands.handlers.context import Sender
from correspondence.commands.handlers.info import match_of
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import of_match
from correspondence.features.reviews import reviews
from correspondence.features.reviews.letters import entry_of
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import N_


@dataclass(frozen=True, slots=True)
class ReviewCommand(Command):
    """Send a robot's review of a finished match, by default the one that the mail replies to."""

    match: int | None = None


def _ask(session: Session, sender: Sender, command: ReviewCommand) -> TranscriptEntry:
    match, _seat = answers.match_and_seat(session, sender.person, match_of(sender, command.match))
    review = reviews.ask(session, sender.person, match.id, now=sender.now, by_letter=True)
    return entry_of(match, review)


REVIEW = Declaration(
    kind=ReviewCommand,
    readers={"review | parere": number_reader(ReviewCommand)},
    need=Need.YES,
    argument="match",
    need_without=Need.NOTHING,
    names_game=True,
    handler=_ask,
    title=of_match(N_("A second opinion"), N_("A second opinion on game {number}")),
    topic="begin",
    help=(HelpLine("begin", 4, N_("review 12"), N_("what a robot thinks of each move of game 12, when it is over")),),
)
