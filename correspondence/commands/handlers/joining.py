"""Merges the results of one mail's lines, about one or more games, into one transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from correspondence.commands.handlers.context import MailOutcome, Sender
from correspondence.commands.handlers.which_game import against
from correspondence.core.i18n import span
from correspondence.models.loading import position_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import game_letters
from correspondence.play.letter_context import board_for
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Section:
    """Results of the lines about one game, or about none; `sender` is the writer in that game."""

    sender: Sender
    outcome: MailOutcome


def joined(session: Session, sender: Sender, sections: Sequence[Section]) -> MailOutcome:
    """Merge the sections in order.

    If every result belongs to the same game, the outcome is about it. Otherwise each answer names its game, and so do
    the lines that its numbers stand for.
    """
    there = {section.sender.match.id: section.sender for section in sections if section.sender.match is not None}
    proposed = [command for section in sections for command in section.outcome.proposed]
    about = next(iter(there.values())) if len(there) == 1 and not proposed else None
    result = MailOutcome(proposed=proposed, about=about)
    for section in sections:
        is_named = section.sender.match is not None and about is None and section.sender.match is not sender.match
        named = [_named(session, section.sender, entry) if is_named else entry for entry in section.outcome.entries]
        result.entries += [*named, *(_receipt(session, section) if is_named else ())]
        result.must_answer = result.must_answer or section.outcome.must_answer
        result.show_board = result.show_board or (section.outcome.show_board and not is_named)
        if section.outcome.played is not None:
            result.played = result.played if is_named else section.outcome.played
            result.must_answer = result.must_answer or (is_named and sender.person.receipts)
        if section.outcome.outcome == "played" or result.outcome == "nothing to do":
            result.outcome = section.outcome.outcome
    return result


def _receipt(session: Session, section: Section) -> list[TranscriptEntry]:
    """Show the board after a move and the opponents' time; empty if no receipt is due."""
    there = section.sender
    if section.outcome.played is None or not there.person.receipts or there.match is None or there.player is None:
        return []
    if there.player.since is not None or there.match.ended_at is not None:
        return []  # another letter reports it
    sentences = [
        _("{who} has {time} to answer.").format(who=who, time=span(left, there.person.language))
        for who, left in game_letters.time_left(session, there.match, there.player, there.now)
    ]
    scene = position_of(there.match).scene(there.player.seat)
    return [TranscriptEntry("", " ".join(sentences), block=board_for(there.person, scene, there.player.seat))]


def _named(session: Session, there: Sender, entry: TranscriptEntry) -> TranscriptEntry:
    assert there.match is not None
    name = against(session, there)
    sentence = entry.text if entry.text.startswith(name) else f"{name}. {entry.text}"
    if entry.choices or not entry.suggestions:
        return replace(entry, text=sentence)
    return replace(
        entry, text=sentence, suggestions=tuple(f"game {there.match.id}: {one}" for one in entry.suggestions)
    )
