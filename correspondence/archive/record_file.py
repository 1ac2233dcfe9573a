"""Record files: write, parse and check a match with its evidence in a PGN-like form. Pure.

`engines.verification.record_text` parses the text and documents its lines.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from correspondence.core.signing import check_signature
from correspondence.core.time_control import Policy, TimeControl
from correspondence.fairness.evidence import Evidence
from correspondence.fairness.record_tags import (
    date_tag,
    occasion_of,
    played_result,
    tag_value,
    time_tag,
    write_time_control,
)
from correspondence.models import PLAYING, Match
from correspondence.models.loading import MadeMove, entries_of, options_of
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE, Game, Seat, Viewer
from engines.options import options_text
from engines.record import Entry
from engines.verification.chain import moment
from engines.verification.checks import RecordReport, check_record
from engines.verification.claims import ClaimState
from engines.verification.ending import GameEnd, left_out
from engines.verification.record_text import TERMS, Note, RecordError, RecordText, read_text

__all__ = ["Note", "Record", "RecordError", "read_record", "verify", "write_record"]


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record; `handles` are by seat, `notes` by entry, `tags` exactly as written."""

    game: Game
    options: Any
    handles: tuple[str, ...]
    time_control: TimeControl
    entries: tuple[Entry, ...]
    notes: tuple[Note, ...]
    result: str
    reason: str
    hash: str
    tags: dict[str, str]


def write_record(
    match: Match,
    moves: Sequence[MadeMove],
    handles: Sequence[str],
    viewer: Viewer,
    *,
    evidence: Evidence,
    muted_seats: frozenset[Seat] = frozenset(),
    is_whole: bool = False,
) -> str:
    """Write a game's record for this viewer; `handles` are by seat.

    Comments from `muted_seats` are omitted; after the game their hashes remain. While the game runs, moves are redacted
    for this viewer, unless the record `is_whole`, as for the operator. The hash of an older game would reveal hidden
    moves, so it is omitted if there are any.
    """
    game = ViewerGame(match.game, match.options, tuple(entries_of(moves)))
    is_open = is_whole or match.ended_at is not None
    texts = game.texts(viewer, opened=is_open)
    tells_all = texts == game.texts(viewer, opened=True)

    def is_told(move: MadeMove) -> bool:
        return move.seat not in muted_seats and game.shows_comment(move.ply, viewer, opened=is_open)

    def remark(move: MadeMove) -> str:
        if is_told(move):
            return f" {on_one_line(move.recorded_comment)}"
        return f" {left_out(move.recorded_comment)}" if match.ended_at is not None else ""

    remarks = {move.ply: remark(move) for move in moves if move.recorded_comment}
    proofs = evidence.tags if tells_all or evidence.commitment else {}
    tags = [*(_tags(match, handles, evidence) | proofs).items(), *(evidence.end.tags if evidence.end else ())]
    seats = {CHANCE: "*", **dict(enumerate(GAMES[match.game].seats))}
    lines = [
        f"{move.ply}. {seats.get(move.seat, move.seat)}: {text} ; "
        f"{_times(move.at, move.seat, move.spent)}{remarks.get(move.ply, '')}"
        for move, text in zip(moves, texts, strict=True)
    ]
    head = "\n".join(f'[{name} "{escaped(value)}"]' for name, value in tags)
    return "\n".join([head, "", *lines, ""]) if lines else head + "\n"


def _tags(match: Match, handles: Sequence[str], evidence: Evidence) -> dict[str, str]:
    result, reason = played_result(match)
    return {
        "Game": match.game,
        "Version": str(match.version),
        "Options": options_text(options_of(match)),
        **dict(zip(GAMES[match.game].seats, handles, strict=True)),
        **_occasion(match),
        "Site": evidence.site,
        "Date": date_tag(match),
        "Result": result,
        "Reason": reason,
        "Terms": write_time_control(match.time_control),
        **(_verbatim(match, evidence.end.end) if evidence.is_imported and evidence.end else {}),
        **({"Correction": _correction(match)} if match.corrected_for else {}),
    }


def _occasion(match: Match) -> dict[str, str]:
    """Return the tags of the event; Round and Section only if not empty."""
    names = zip(("Event", "Round", "Section"), occasion_of(match), strict=True)
    return {name: value for name, value in names if value}


def _verbatim(match: Match, end: GameEnd) -> dict[str, str]:
    """Return the tags of an imported record as signed; optional ones only if not empty."""
    names = dict(zip(GAMES[match.game].seats, end.names, strict=True))
    optional = {"Event": end.event, "Date": end.date, "Round": end.round, "Section": end.section}
    given = {name: value for name, value in optional.items() if value or name in ("Event", "Date")}
    return {**names, **given, "Result": end.result, "Reason": end.reason, "Terms": end.terms}


def _correction(match: Match) -> str:
    """Return the tag of an operator's decision, in addition to the result as played."""
    decided = "annulled" if match.result == PLAYING else f"result corrected to {match.result}"
    return f"{decided} by the operator: {match.corrected_for}"


def _times(at: datetime, seat: Seat, spent: int) -> str:
    """Write the time of an entry and the time it took."""
    stamp = f"[%ts {moment(at)}]"
    return stamp if seat == CHANCE else f"{stamp} [%emt {time_tag(seat, spent)}]"


def read_record(text: str) -> Record:
    """Parse a record without replaying it; raise RecordError, which names the line."""
    return _typed(read_text(text))


def _typed(record: RecordText) -> Record:
    tags = record.tags
    return Record(
        record.game, record.options, tuple(tags[seat] for seat in record.game.seats),
        _read_time_control(tags["Terms"]), record.entries, record.notes, tags["Result"], tags["Reason"],
        tags.get("Hash", ""), tags,
    )  # fmt: skip


def verify(text: str) -> Record:
    """Check every claim of a record and return it; raise RecordError if one fails.

    Older records without commitments claim less. The owner of the keys is not checked.
    """
    return _held(check_record(text, check_signature), ())


def accepted(report: RecordReport) -> Record:
    """Like `verify`, but accept an end signed by anyone; raise RecordError."""
    return _held(report, ("end", "key"))


def _held(report: RecordReport, but: Collection[str]) -> Record:
    findings = [finding for finding in report.findings if finding.claim not in but]
    troubles = (one for state in (ClaimState.WRONG, ClaimState.OPEN) for one in findings if one.state == state)
    failed = next(troubles, None)
    if failed is not None:
        raise RecordError(failed.sentence, failed.line)
    assert report.record is not None  # an unreadable record is wrong
    return _typed(report.record)


def _read_time_control(words: str) -> TimeControl:
    match = TERMS.fullmatch(words)
    assert match is not None  # the record was read
    bank, increment, cap = (timedelta(seconds=int(seconds)) for seconds in match.groups()[:3])
    return TimeControl(bank, increment, cap, Policy(match[4] or Policy.AUTOMATIC))


def escaped(value: str) -> str:
    """Remove characters that would end a tag's value or hide its end."""
    return tag_value(value).replace("\\", "\\\\").replace('"', '\\"')


def on_one_line(comment: str) -> str:
    """Escape a comment that would end its line or be parsed as an annotation."""
    return comment.replace("\\", "\\\\").replace("\n", "\\n").replace("[%", "[\\%")
