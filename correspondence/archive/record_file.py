"""Records: a game as text in the style of PGN, read back, replayed and checked. Pure functions.

Tag pairs come first, then a line for each entry: `N. SEAT: TEXT`, and after ` ; ` when it was played, the time it took,
and the comment made with it, in which `\\n` stands for a line break and `\\\\` for `\\`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from correspondence.core.game_options import options_from, options_text
from correspondence.core.hashchain import next_hash, root_hash
from correspondence.core.time_control import Policy, TimeControl
from correspondence.models import PLAYING, Match, Move
from correspondence.models.loading import (
    AGREEMENT,
    RESIGNATION,
    TIME,
    entries_of,
    options_of,
    result_of,
)
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE, Game, Position, Seat, Viewer
from engines.options import OptionError, read_options
from engines.record import Entry, ReplayError, replay
from engines.refusal import Refusal
from engines.wording import _, listing

RESULTS = ("1-0", "0-1", "1/2-1/2", PLAYING)
"""The possible values of a record's Result."""

MOST_CHARACTERS = 4_000_000
"""The longest record that is read; the longest game with a comment on every move is far shorter."""

MOST_ENTRIES = 20_000
"""The most entries of a record that is replayed."""

MOST_TAGS = 60

_EARLIEST, _LATEST = 1900, 2999
"""The years in which games are played; other years cannot be shown in every time zone."""

_LONGEST_TURN = timedelta(days=10_000)

_TAG = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\.)*)"\]')
_ENTRY = re.compile(r"([0-9]{1,9})\. (\*|[A-Z][A-Za-z]*): (.{1,1000})")
_REMARK = re.compile(r"(?:\[%ts ([^\]]+)\] ?)?(?:\[%emt ([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])\] ?)?(.*)")
_NEEDED = ("Game", "Version", "Options", "Result", "Reason", "Terms")


class RecordError(Refusal):
    """A record that cannot be read or is not valid; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a record says of an entry besides its text: when it was played, the time it took, and the comment."""

    at: datetime | None = None
    spent: timedelta = timedelta(0)
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. `handles` go with seats, `notes` with entries; `tags` keeps every tag as written."""

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
    moves: Sequence[Move],
    handles: Sequence[str],
    viewer: Viewer,
    *,
    site: str = "",
    muted_seats: frozenset[Seat] = frozenset(),
) -> str:
    """The record of a game as this viewer may read it; `handles` go by seat, `site` is the game's address.

    Comments from `muted_seats` are left out. While the game runs, moves are redacted for this viewer, and the hash is
    left out where any move is hidden.
    """
    game = ViewerGame(match.game, match.options, tuple(entries_of(list(moves))))
    is_over = match.ended_at is not None
    texts = game.texts(viewer, opened=is_over)
    is_whole = all(text == move.text for text, move in zip(texts, moves, strict=True))
    notes = [
        _note_text(move, move.seat not in muted_seats and game.shows_comment(move.ply, viewer, opened=is_over))
        for move in moves
    ]
    tags = _tags(match, handles, site) | ({"Hash": _head(match, moves)} if is_whole else {})
    seats = {CHANCE: "*", **dict(enumerate(GAMES[match.game].seats))}
    lines = [
        f"{move.ply}. {seats[move.seat]}: {text} ; {remark}"
        for move, text, remark in zip(moves, texts, notes, strict=True)
    ]
    head = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags.items())
    return "\n".join([head, "", *lines, ""]) if lines else head + "\n"


def _tags(match: Match, handles: Sequence[str], site: str) -> dict[str, str]:
    return {
        "Game": match.game,
        "Version": str(match.version),
        "Options": options_text(options_of(match)),
        **dict(zip(GAMES[match.game].seats, handles, strict=True)),
        "Event": "Correspondence game",
        "Site": site,
        "Date": f"{match.started_at:%Y.%m.%d}",
        "Result": match.result,
        "Reason": match.reason,
        "Terms": write_time_control(match.time_control),
        "Commitments": "",
    }


def _head(match: Match, moves: Sequence[Move]) -> str:
    return moves[-1].hash if moves else root_hash(match.game, match.version, match.options)


def _note_text(move: Move, is_visible: bool) -> str:
    stamp = f"[%ts {move.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}]"
    if move.seat == CHANCE:
        return stamp
    minutes, seconds = divmod(move.spent, 60)
    spent = f"[%emt {minutes // 60}:{minutes % 60:02}:{seconds:02}]"
    return f"{stamp} {spent} {_on_one_line(move.comment) if is_visible else ''}".rstrip()


def write_time_control(time_control: TimeControl) -> str:
    """A time control as `name=value` words, in seconds; the policy only where it is not the usual one."""
    spans = {"bank": time_control.bank, "increment": time_control.increment, "cap": time_control.cap}
    words = [f"{name}={int(length.total_seconds())}" for name, length in spans.items()]
    return " ".join(words if time_control.policy == Policy.AUTOMATIC else [*words, f"policy={time_control.policy}"])


def read_record(text: str) -> Record:
    """The record that `text` holds, not yet replayed; raises RecordError, which names the line."""
    _check_size(text)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    tags = _read_tags([(n, line) for n, line in lines if line.startswith("[")])
    game = _read_game(tags)
    options = _read_options(game, tags["Options"])
    entry_lines = [(n, line) for n, line in lines if line and not line.startswith("[")]
    if len(entry_lines) > MOST_ENTRIES:
        raise RecordError(_("No game has more than {most} entries.").format(most=MOST_ENTRIES))
    rows = [_read_entry(game, n, line) for n, line in entry_lines]
    for at, (ply, _entry, _note) in enumerate(rows, start=1):
        if ply != at:
            raise RecordError(_("Entry {ply} stands where entry {at} should.").format(ply=ply, at=at))
    return Record(
        game, options, tuple(tags[seat] for seat in game.seats), _read_time_control(tags["Terms"]),
        tuple(entry for _ply, entry, _note in rows), tuple(note for _ply, _entry, note in rows),
        tags["Result"], tags["Reason"], tags.get("Hash", ""), tags,
    )  # fmt: skip


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise RecordError(_("No record is longer than {most} characters.").format(most=MOST_CHARACTERS))
    if "\x00" in text:
        raise RecordError(_("This is not a record: it contains bytes that are not text."))


def verify(text: str) -> Record:
    """The record, after it was replayed and its hash and result were checked; raises RecordError."""
    record = read_record(text)
    try:
        position = replay(record.game, record.options, record.entries)
    except ReplayError as error:
        raise RecordError(str(error)) from error
    _check_hash(record)
    _check_result(record, position)
    return record


def _check_hash(record: Record) -> None:
    if not record.hash:
        raise RecordError(
            _("This record has no hash to prove it; while a game with secrets runs, its record has none.")
        )
    if hash_of(record) != record.hash or options_text(record.options) != record.tags["Options"]:
        raise RecordError(_("The hash does not fit the moves: this record was changed."))


def hash_of(record: Record) -> str:
    """The last hash of the chain over these entries."""
    options = options_text(record.options)
    chain_hash = root_hash(record.game.key, record.game.version, options)
    for ply, entry in enumerate(record.entries, start=1):
        chain_hash = next_hash(chain_hash, ply, entry.seat, entry.text)
    return chain_hash


def _check_result(record: Record, position: Position[Any]) -> None:
    outcome = position.outcome
    if outcome is not None:
        if (record.result, record.reason) != (result_of(outcome), outcome.reason):
            raise RecordError(
                _("By its moves the game ended {result} by {reason}; the record says {other}.").format(
                    result=result_of(outcome),
                    reason=_(outcome.reason),
                    other=f"{record.result} {record.reason}",
                )
            )
    elif record.reason not in _reasons(record):
        raise RecordError(
            _("The moves do not end the game, and “{reason}” does not explain the result {result}.").format(
                reason=record.reason[:40], result=record.result
            )
        )


def _reasons(record: Record) -> tuple[str, ...]:
    """The reasons by which a game may have this result although its moves do not end it."""
    by_service = {"1-0": (RESIGNATION, TIME), "0-1": (RESIGNATION, TIME), "1/2-1/2": (AGREEMENT, TIME)}
    return by_service.get(record.result, (record.reason,))


def _read_tags(lines: Sequence[tuple[int, str]]) -> dict[str, str]:
    tags: dict[str, str] = {}
    if len(lines) > MOST_TAGS:
        raise RecordError(_("No record has more than {most} tags.").format(most=MOST_TAGS))
    for number, line in lines:
        match = _TAG.fullmatch(line)
        if match is None or match[1] in tags:
            raise RecordError(_("Line {number} cannot be read as a tag.").format(number=number))
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
    missing = [name for name in _NEEDED if name not in tags]
    if missing:
        raise RecordError(_("Tags are missing: {names}.").format(names=listing(missing, _("and"))))
    if tags["Result"] not in RESULTS:
        raise RecordError(_("A result is {results}.").format(results=listing(RESULTS)))
    return tags


def _read_game(tags: dict[str, str]) -> Game:
    game = GAMES.get(tags["Game"])
    if game is None:
        raise RecordError(_("There is no game “{key}” here.").format(key=tags["Game"][:40]))
    if tags["Version"] != str(game.version):
        raise RecordError(
            _("This record follows version {theirs} of the rules, and we play version {ours}.").format(
                theirs=tags["Version"][:10], ours=game.version
            )
        )
    missing = [seat for seat in game.seats if seat not in tags]
    if missing:
        raise RecordError(_("Tags are missing: {names}.").format(names=listing(missing, _("and"))))
    return game


def _read_options(game: Game, words: str) -> Any:
    try:
        return read_options(game.Options, options_from(words))
    except OptionError as error:
        raise RecordError(str(error)) from error


def _read_time_control(words: str) -> TimeControl:
    match = re.fullmatch(r"bank=(\d{1,9}) increment=(\d{1,9}) cap=(\d{1,9})(?: policy=(claim|coax))?", words)
    if match is None:
        raise RecordError(_("The terms “{words}” cannot be read.").format(words=words[:60]))
    bank, increment, cap = (timedelta(seconds=int(seconds)) for seconds in match.groups()[:3])
    return TimeControl(bank, increment, cap, Policy(match[4] or Policy.AUTOMATIC))


def _read_entry(game: Game, number: int, line: str) -> tuple[int, Entry, Note]:
    body, _sep, remark = line.partition(" ; ")
    match = _ENTRY.fullmatch(body)
    seats: dict[str, Seat] = {"*": CHANCE, **{seat: at for at, seat in enumerate(game.seats)}}
    if match is None or match[2] not in seats:
        raise RecordError(_("Line {number} cannot be read as an entry.").format(number=number))
    return int(match[1]), Entry(seats[match[2]], match[3].strip()), _read_note(number, remark)


def _read_note(number: int, remark: str) -> Note:
    match = _REMARK.fullmatch(remark)
    assert match is not None  # every part of the pattern may be missing
    stamp, hours, minutes, seconds, comment = match.groups()
    spent = timedelta(hours=int(hours or 0), minutes=int(minutes or 0), seconds=int(seconds or 0))
    if spent > _LONGEST_TURN:
        raise RecordError(_("Line {number} has a time that cannot be read.").format(number=number))
    try:
        at = datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) if stamp else None
    except ValueError as error:
        raise RecordError(_("Line {number} has a time that cannot be read.").format(number=number)) from error
    if at is not None and not _EARLIEST <= at.year <= _LATEST:
        raise RecordError(_("Line {number} has a time that cannot be read.").format(number=number))
    return Note(at, spent, _in_lines(comment))


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.split()))


def _on_one_line(comment: str) -> str:
    return comment.replace("\\", "\\\\").replace("\n", "\\n")


def _in_lines(comment: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], comment)
