"""Records: a match as text in PGN's manner, read back, replayed and checked. Pure functions.

Tag pairs first, then a line for each entry: `N. SEAT: TEXT`, and after ` ; ` when it was played, the
time it took, and what was said with it, in which `\\n` stands for the end of a line and `\\\\` for `\\`.
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
    time_control_of,
)
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE, Game, Position, Seat, Viewer
from engines.options import OptionError, read_options
from engines.record import Entry, ReplayError, replay
from engines.refusal import Refusal
from engines.wording import _, listing

RESULTS = ("1-0", "0-1", "1/2-1/2", PLAYING)
"""What a record's Result can be."""

MOST_CHARACTERS = 4_000_000
"""The longest record that is read; the longest game with words at every move is far shorter."""

MOST_ENTRIES = 20_000
"""The most entries of a record that is replayed."""

MOST_TAGS = 60

_EARLIEST, _LATEST = 1900, 2999
"""The years in which games are played; others cannot be told in every time zone."""

_LONGEST_TURN = timedelta(days=10_000)

_TAG = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\.)*)"\]')
_ENTRY = re.compile(r"([0-9]{1,9})\. (\*|[A-Z][A-Za-z]*): (.{1,1000})")
_REMARK = re.compile(r"(?:\[%ts ([^\]]+)\] ?)?(?:\[%emt ([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])\] ?)?(.*)")
_NEEDED = ("Game", "Version", "Options", "Result", "Reason", "Terms")


class RecordError(Refusal):
    """A record that cannot be read, or does not hold; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a record tells of an entry besides its text: when, after what time, with what words."""

    at: datetime | None = None
    spent: timedelta = timedelta(0)
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. `handles` go with seats, `notes` with entries; `tags` keeps every tag as written."""

    game: Game
    options: Any
    handles: tuple[str, ...]
    terms: TimeControl
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
    silent: frozenset[Seat] = frozenset(),
) -> str:
    """The record of a match as this viewer may read it; `handles` go by seat, `site` is the game's address.

    The viewer does not want to hear what was said at the `silent` seats. While the match runs, moves are told as to
    this viewer, and the hash is kept back where any is hidden.
    """
    course = ViewerGame(match.game, match.options, tuple(entries_of(list(moves))))
    over = match.ended_at is not None
    texts = course.told(viewer, opened=over)
    is_whole = all(text == move.text for text, move in zip(texts, moves, strict=True))
    said = [_said(move, move.seat not in silent and course.lets_hear(move.ply, viewer, opened=over)) for move in moves]
    tags = _tags(match, handles, site) | ({"Hash": _head(match, moves)} if is_whole else {})
    seats = {CHANCE: "*", **dict(enumerate(GAMES[match.game].seats))}
    lines = [
        f"{move.ply}. {seats[move.seat]}: {text} ; {remark}"
        for move, text, remark in zip(moves, texts, said, strict=True)
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
        "Terms": write_terms(time_control_of(match)),
        "Commitments": "",
    }


def _head(match: Match, moves: Sequence[Move]) -> str:
    return moves[-1].hash if moves else root_hash(match.game, match.version, match.options)


def _said(move: Move, is_heard: bool) -> str:
    stamp = f"[%ts {move.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}]"
    if move.seat == CHANCE:
        return stamp
    minutes, seconds = divmod(move.spent, 60)
    spent = f"[%emt {minutes // 60}:{minutes % 60:02}:{seconds:02}]"
    return f"{stamp} {spent} {_on_one_line(move.comment) if is_heard else ''}".rstrip()


def write_terms(terms: TimeControl) -> str:
    """Terms of time as `name=value` words, in seconds; the policy only where it is not the usual one."""
    spans = {"bank": terms.bank, "increment": terms.increment, "cap": terms.cap}
    told = [f"{name}={int(length.total_seconds())}" for name, length in spans.items()]
    return " ".join(told if terms.policy == Policy.AUTOMATIC else [*told, f"policy={terms.policy}"])


def read_record(text: str) -> Record:
    """The record that `text` holds, not yet replayed; raises RecordError that names the line."""
    _check_size(text)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    tags = _read_tags([(n, line) for n, line in lines if line.startswith("[")])
    game = _read_game(tags)
    options = _read_options(game, tags["Options"])
    written = [(n, line) for n, line in lines if line and not line.startswith("[")]
    if len(written) > MOST_ENTRIES:
        raise RecordError(_("No game has more than {most} entries.").format(most=MOST_ENTRIES))
    told = [_read_entry(game, n, line) for n, line in written]
    for at, (ply, _entry, _note) in enumerate(told, start=1):
        if ply != at:
            raise RecordError(_("Entry {ply} stands where entry {at} should.").format(ply=ply, at=at))
    return Record(
        game, options, tuple(tags[seat] for seat in game.seats), _read_terms(tags["Terms"]),
        tuple(entry for _ply, entry, _note in told), tuple(note for _ply, _entry, note in told),
        tags["Result"], tags["Reason"], tags.get("Hash", ""), tags,
    )  # fmt: skip


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise RecordError(_("No record is longer than {most} characters.").format(most=MOST_CHARACTERS))
    if "\x00" in text:
        raise RecordError(_("This is no record: it holds bytes that no text has."))


def verify(text: str) -> Record:
    """The record, after it was replayed and its hash and result were found to hold; raises RecordError."""
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
    """The last hash of the chain that these entries make."""
    options = options_text(record.options)
    chained = root_hash(record.game.key, record.game.version, options)
    for ply, entry in enumerate(record.entries, start=1):
        chained = next_hash(chained, ply, entry.seat, entry.text)
    return chained


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
    """The reasons by which a game may have this result though its moves do not end it."""
    by_service = {"1-0": (RESIGNATION, TIME), "0-1": (RESIGNATION, TIME), "1/2-1/2": (AGREEMENT, TIME)}
    return by_service.get(record.result, (record.reason,))


def _read_tags(lines: Sequence[tuple[int, str]]) -> dict[str, str]:
    tags: dict[str, str] = {}
    if len(lines) > MOST_TAGS:
        raise RecordError(_("No record has more than {most} tags.").format(most=MOST_TAGS))
    for number, line in lines:
        found = _TAG.fullmatch(line)
        if found is None or found[1] in tags:
            raise RecordError(_("Line {number} is no tag that can be read.").format(number=number))
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
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


def _read_terms(words: str) -> TimeControl:
    found = re.fullmatch(r"bank=(\d{1,9}) increment=(\d{1,9}) cap=(\d{1,9})(?: policy=(claim|coax))?", words)
    if found is None:
        raise RecordError(_("The terms “{words}” cannot be read.").format(words=words[:60]))
    bank, increment, cap = (timedelta(seconds=int(seconds)) for seconds in found.groups()[:3])
    return TimeControl(bank, increment, cap, Policy(found[4] or Policy.AUTOMATIC))


def _read_entry(game: Game, number: int, line: str) -> tuple[int, Entry, Note]:
    body, _sep, remark = line.partition(" ; ")
    found = _ENTRY.fullmatch(body)
    seats: dict[str, Seat] = {"*": CHANCE, **{seat: at for at, seat in enumerate(game.seats)}}
    if found is None or found[2] not in seats:
        raise RecordError(_("Line {number} is no entry that can be read.").format(number=number))
    return int(found[1]), Entry(seats[found[2]], found[3].strip()), _read_note(number, remark)


def _read_note(number: int, remark: str) -> Note:
    found = _REMARK.fullmatch(remark)
    assert found is not None  # every part of the pattern may be missing
    stamp, hours, minutes, seconds, comment = found.groups()
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
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], comment)
