"""Parse records: tags, entries and comments, with line numbers. Nothing is replayed.

The format resembles PGN. Tag pairs come first, then a line for each entry: `N. SEAT: TEXT`. After ` ; ` follow the time
of the entry, the time taken, and its comment. In comments `\\n` stands for a line break, and `\\` escapes any other
character. An omitted comment is written as its hash (see `ending`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from engines import GAMES
from engines.base import CHANCE, Game, Outcome, Seat
from engines.options import OptionError, options_from, read_options
from engines.record import Entry
from engines.refusal import Refusal
from engines.verification.ending import BETWEEN
from engines.wording import N_, _, listing

PLAYING = "*"
"""The result of a match that is in progress or was cancelled."""

RESIGNATION, TIME, AGREEMENT = N_("resignation"), N_("time"), N_("agreement")
"""Reasons for an end that come from the service, not from a game's rules."""

RESULTS = ("1-0", "0-1", "1/2-1/2", PLAYING)
"""The possible values of a record's Result."""

BYTE_ORDER_MARK = "\ufeff"
"""The byte-order mark that some editors write before a text."""

MOST_CHARACTERS = 4_000_000
"""Maximum length of a record, in characters; real games are far shorter."""

MOST_ENTRIES = 20_000
"""Maximum number of entries replayed."""

MOST_TAGS = 60

MOST_AMENDED = 1_000
"""Maximum number of `Amended` tags; each change of a finished record adds one."""

_EARLIEST, _LATEST = 1900, 2999
"""The range of accepted years; other years cannot be shown in every time zone."""

_LONGEST_TURN = timedelta(days=10_000)

_TAG = re.compile(r'\[([A-Z][A-Za-z]*[0-9]?) "([^"\\]*(?:\\.[^"\\]*)*)"\]')
_ESCAPE = re.compile(r"\\(.)")
_ENTRY = re.compile(r"([0-9]{1,9})\. (\*|[A-Z][A-Za-z]*): (.{1,1000})")
_ANNOTATION = re.compile(r"\[%[^\]]*\]")
_REMARK = re.compile(r"(?:\[%ts ([^\]]+)\] ?)?(?:\[%emt ([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])\] ?)?(.*)")
TERMS = re.compile(r"bank=(\d{1,9}) increment=(\d{1,9}) cap=(\d{1,9})(?: policy=(claim|coax))?")
"""Pattern of the time control: seconds, and the timeout policy unless it is the default."""

AMENDED = "Amended"
"""The name of the only repeatable tag; its values are joined."""

_NEEDED = ("Game", "Version", "Options", "Result", "Reason", "Terms")


class RecordError(Refusal):
    """Raised for an invalid record; str() is a sentence, `line` its line number, 0 if unknown."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(sentence)
        self.line = line


@dataclass(frozen=True, slots=True)
class Note:
    """Further data of an entry: when it was played, the time it took, and its comment.

    `time` is the time taken as written, empty if absent.
    """

    at: datetime | None = None
    spent: timedelta = timedelta(0)
    comment: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class RecordText:
    """A parsed record.

    `notes` are parallel to `entries`. `tags` holds every tag as written, with `Amended` values joined. `tag_lines` and
    `entry_lines` are line numbers, counted from 1.
    """

    game: Game
    options: Any
    entries: tuple[Entry, ...]
    notes: tuple[Note, ...]
    tags: dict[str, str]
    tag_lines: dict[str, int]
    entry_lines: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        """Whether the record has a result."""
        return self.tags["Result"] != PLAYING or self.tags["Reason"] != ""


def result_of(outcome: Outcome) -> str:
    """Write an outcome as a record's result: `1-0` if seat 0 wins, `0-1`, `1/2-1/2`."""
    return {(): "1/2-1/2", (0,): "1-0"}.get(outcome.winners, "0-1")


def read_text(text: str) -> RecordText:
    """Parse a record without replaying it; raise RecordError, which names the line."""
    _check_size(text)
    text = text.removeprefix(BYTE_ORDER_MARK)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    tags, tag_lines = _read_tags([(n, line) for n, line in lines if line[:1] == "["])
    game = _read_game(tags)
    options = _read_options(game, tags["Options"])
    entry_lines = [(n, line) for n, line in lines if line and line[0] != "["]
    if len(entry_lines) > MOST_ENTRIES:
        raise RecordError(_("No game has more than {most} entries.").format(most=MOST_ENTRIES))
    seats = game.seats
    rows = [_read_entry(seats, number, line) for number, line in entry_lines]
    for at, (ply, _entry, _note) in enumerate(rows, start=1):
        if ply != at:
            sentence = _("Found entry {ply} where entry {at} should be.").format(ply=ply, at=at)
            raise RecordError(sentence, entry_lines[at - 1][0])
    return RecordText(
        game, options, tuple([entry for _ply, entry, _note in rows]), tuple([note for _ply, _entry, note in rows]),
        tags, tag_lines, tuple([number for number, _line in entry_lines]),
    )  # fmt: skip


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise RecordError(_("No record is longer than {most} characters.").format(most=MOST_CHARACTERS))
    if "\x00" in text:
        raise RecordError(_("This is not a record: it contains bytes that are not text."))


def _read_tags(lines: Sequence[tuple[int, str]]) -> tuple[dict[str, str], dict[str, int]]:
    tags: dict[str, str] = {}
    tag_lines: dict[str, int] = {}
    amended = sum(line.startswith(f"[{AMENDED} ") for _number, line in lines)
    if len(lines) - amended > MOST_TAGS or amended > MOST_AMENDED:
        raise RecordError(_("No record has more than {most} tags.").format(most=MOST_TAGS))
    for number, line in lines:
        match = _TAG.fullmatch(line)
        if match is None or (match[1] in tags and match[1] != AMENDED):
            raise RecordError(_("Line {number} cannot be read as a tag.").format(number=number), number)
        value = _ESCAPE.sub(r"\1", match[2]) if "\\" in match[2] else match[2]
        tag_lines.setdefault(match[1], number)
        tags[match[1]] = f"{tags[AMENDED]}{BETWEEN}{value}" if match[1] in tags else value
    missing = [name for name in _NEEDED if name not in tags]
    if missing:
        raise RecordError(_("Tags are missing: {names}.").format(names=listing(missing, _("and"))))
    if not TERMS.fullmatch(tags["Terms"]):
        sentence = _("The terms “{words}” cannot be read.").format(words=tags["Terms"][:60])
        raise RecordError(sentence, tag_lines["Terms"])
    if tags["Result"] not in RESULTS:
        raise RecordError(_("A result can be {results}.").format(results=listing(RESULTS)))
    return tags, tag_lines


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


def _read_entry(seat_names: tuple[str, ...], number: int, line: str) -> tuple[int, Entry, Note]:
    body, _sep, remark = line.partition(" ; ")
    match = _ENTRY.fullmatch(body)
    seats: dict[str, Seat] = {"*": CHANCE, **{seat: at for at, seat in enumerate(seat_names)}}
    if match is None or match[2] not in seats:
        raise RecordError(_("Line {number} cannot be read as an entry.").format(number=number), number)
    return int(match[1]), Entry(seats[match[2]], match[3].strip()), _read_note(number, remark)


def _read_note(number: int, remark: str) -> Note:
    match = _REMARK.fullmatch(remark)
    assert match is not None  # every part of the pattern is optional
    stamp, hours, minutes, seconds, rest = match.groups()
    spent = timedelta(hours=int(hours or 0), minutes=int(minutes or 0), seconds=int(seconds or 0))
    if spent > _LONGEST_TURN:
        raise RecordError(_("Line {number} has a time that cannot be read.").format(number=number), number)
    try:
        at = datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) if stamp else None
    except ValueError as error:
        raise RecordError(_("Line {number} has a time that cannot be read.").format(number=number), number) from error
    if at is not None and not _EARLIEST <= at.year <= _LATEST:
        raise RecordError(_("Line {number} has a time that cannot be read.").format(number=number), number)
    time = "" if hours is None else f"{hours}:{minutes}:{seconds}"
    return Note(at, spent, _in_lines(_ANNOTATION.sub("", rest)).strip(), time)


def _in_lines(comment: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], comment)
