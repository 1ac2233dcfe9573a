"""The answer to `legal`: all legal moves, grouped, and numbered if they are few."""

from __future__ import annotations

from collections.abc import Sequence

from correspondence.models import Match
from correspondence.outbound.letters import wrapped_behind
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.legal_list import LegalGroup, legal_groups
from engines.base import Seat
from engines.wording import _, ngettext

FEW = 40
"""Maximum number of moves that are numbered, so that a number in reply plays one."""


_UNBROKEN = "\N{SYMBOL FOR SPACE}"


def legal(match: Match, seat: Seat, begins: str, *, is_numbered: bool) -> TranscriptEntry:
    """List a seat's legal moves, numbered if `is_numbered` and few. Raises MatchError."""
    groups = legal_groups(match, seat, begins)
    count = sum(group.count for group in groups)
    sentence = ngettext(
        "You have {count} legal move in game {number}.", "You have {count} legal moves in game {number}.", count
    ).format(count=count, number=match.id)
    if not all(group.moves for group in groups):
        hint = _("That is too many to list. To see those of one piece, write for example: legal {begin}")
        return TranscriptEntry("", f"{sentence} {hint.format(begin=_example(groups))}", block=_overview(groups))
    if is_numbered and count <= FEW:
        hint = _("Reply with a number, or write the move:")
        choices = tuple(move for group in groups for move in group.moves)
        return TranscriptEntry("", f"{sentence} {hint}", block=_numbered(groups), choices=choices)
    return TranscriptEntry("", sentence, block=_by_piece(groups))


def _example(groups: Sequence[LegalGroup]) -> str:
    return groups[0].token


def _numbered(groups: Sequence[LegalGroup]) -> str:
    lines, number = list[str](), 0
    for group in groups:
        lines.append(f"{group.label}:")
        for move in group.moves:
            number += 1
            lines.append(f"  ({number}) {move}")
    return "\n".join(lines)


def _by_piece(groups: Sequence[LegalGroup]) -> str:
    """Format each piece's moves in rows that break between moves and are not moves themselves."""
    blocks = []
    for group in groups:
        text = "; ".join(move.replace(" ", _UNBROKEN) for move in group.moves)
        blocks.append(f"{group.label}:\n{wrapped_behind(text, '· ').replace(_UNBROKEN, ' ')}")
    return "\n".join(blocks)


def _overview(groups: Sequence[LegalGroup]) -> str:
    return "\n".join(f"{group.label}: {group.count}" for group in groups)
