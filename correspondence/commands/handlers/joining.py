"""Puts what came of the lines of one mail, which may be about several games, into one outcome with one transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from correspondence.commands.handlers.context import Outcome, Sender
from correspondence.commands.handlers.which_game import against
from correspondence.outbound.transcript import TranscriptEntry


@dataclass(frozen=True, slots=True)
class Section:
    """What came of the lines about one game, or about none: `sender` is the writer there."""

    sender: Sender
    outcome: Outcome


def joined(session: Session, sender: Sender, sections: Sequence[Section]) -> Outcome:
    """Join the sections in their order.

    If all that belongs to a game belongs to the same one, the outcome is about it. Else each answer names its game, and
    so do the lines that its numbers stand for.
    """
    there = {section.sender.match.id: section.sender for section in sections if section.sender.match is not None}
    proposed = [command for section in sections for command in section.outcome.proposed]
    about = next(iter(there.values())) if len(there) == 1 and not proposed else None
    result = Outcome(proposed=proposed, about=about)
    for section in sections:
        is_named = section.sender.match is not None and about is None and section.sender.match is not sender.match
        named = [_named(session, section.sender, entry) if is_named else entry for entry in section.outcome.entries]
        result.entries += named
        result.must_answer = result.must_answer or section.outcome.must_answer
        result.show_board = result.show_board or (section.outcome.show_board and not is_named)
        if section.outcome.outcome == "played" or result.outcome == "nothing to do":
            result.outcome = section.outcome.outcome
    return result


def _named(session: Session, there: Sender, entry: TranscriptEntry) -> TranscriptEntry:
    assert there.match is not None
    name = against(session, there)
    text = entry.text if entry.text.startswith(name) else f"{name}. {entry.text}"
    if entry.choices or not entry.suggestions:
        return replace(entry, text=text)
    return replace(entry, text=text, suggestions=tuple(f"game {there.match.id}: {one}" for one in entry.suggestions))
