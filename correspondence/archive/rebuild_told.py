"""What the letters of one game tell: texts that may be moves, moments, seals, seed, names. Nothing of it is proved yet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import takewhile

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.mime.mailboxes import GameLetter
from engines import GAMES
from engines.verification.record_text import RecordError, read_text
from engines.wording import _

_MOST_LINES = 2_000
_HEX = re.compile(r"[0-9a-f]{64}")
_SEAL = re.compile(r"([1-9][0-9]{0,8})=([0-9a-f]{64})")
_TOLD = re.compile(r"[^:|>]{1,40}: (\S.{0,300})")
_RECORD_LINE = re.compile(r"\[|[0-9]+\. ")
_GREETING = re.compile(r"([^\s,|>]{1,40}), ")


@dataclass
class Told:
    """What letters of one game tell.

    `texts` are by the number of entries that a letter stands at, `entries` by the number of an entry in a record that a
    letter carries. `endings` holds the words of the last letters, on one line.
    """

    moments: list[datetime] = field(default_factory=list)
    texts: dict[int, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    entries: dict[int, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    seals: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    records: list[str] = field(default_factory=list)
    handles: dict[int, str] = field(default_factory=dict)
    words: tuple[str, str] = ("", "")
    commitment: str = ""
    seed: str = ""
    endings: str = ""


def what_is_told(letters: Sequence[GameLetter]) -> Told:
    """What these letters tell, in the order of their dates."""
    told = Told()
    hexes: dict[str, None] = {}
    words: dict[str, str] = {}
    played, headings = _played_patterns(), _words_headings()
    for letter in letters:
        _take_lines(letter, told, hexes)
        _take_words(letter, headings, words)
        joined = " ".join(letter.lines)
        for pattern in played:
            told.texts[letter.ply].update({found[1]: None for found in pattern.finditer(joined)})
        _take_names(letter, joined, told)
    last = max((letter.ply for letter in letters), default=0)
    told.endings = " ".join(" ".join(line.split()) for letter in letters if letter.ply == last for line in letter.lines)
    told.seed = next((one for one in hexes if sha256(bytes.fromhex(one)).hexdigest() in hexes), "")
    told.commitment = sha256(bytes.fromhex(told.seed)).hexdigest() if told.seed else next(iter(hexes), "")
    if words:
        told.words = (words.get(told.handles.get(0, ""), ""), words.get(told.handles.get(1, ""), ""))
    moments = {letter.at for letter in letters} | set(told.moments)
    told.moments = sorted(moments, reverse=True)
    return told


def _take_lines(letter: GameLetter, told: Told, hexes: dict[str, None]) -> None:
    record: list[str] = []
    for line in (line.strip() for line in letter.lines[:_MOST_LINES]):
        if line.startswith('[Game "') or (record and (not line or _RECORD_LINE.match(line))):
            record.append(line)
        elif _HEX.fullmatch(line):
            hexes[line] = None
        elif seal := _SEAL.fullmatch(line):
            told.seals[int(seal[1])].add(seal[2])
        elif text := _TOLD.fullmatch(line):
            told.texts[letter.ply][text[1]] = None
    if record:
        _take_record("\n".join(record) + "\n", told)


def _take_record(text: str, told: Told) -> None:
    try:
        record = read_text(text)
    except RecordError:
        return
    told.records.append(text)
    told.words = (record.tags.get("Words0", ""), record.tags.get("Words1", ""))
    told.handles.update({seat: record.tags[name] for seat, name in enumerate(record.game.seats)})
    told.moments += [note.at for note in record.notes if note.at is not None]
    for ply, entry in enumerate(record.entries, start=1):
        told.entries[ply][entry.text] = None


def _take_words(letter: GameLetter, headings: Sequence[re.Pattern[str]], words: dict[str, str]) -> None:
    """The words for the dice, which stand behind a mark below a heading that names who contributed them."""
    lines = letter.lines[:_MOST_LINES]
    for at, line in enumerate(lines):
        name = next((found[1] for heading in headings if (found := heading.fullmatch(line.strip()))), None)
        if name is not None:
            behind = takewhile(lambda row: row.startswith("| "), (row.strip() for row in lines[at + 1 :]))
            words.setdefault(name, " ".join(row[2:] for row in behind))


def _words_headings() -> list[re.Pattern[str]]:
    headings = []
    for language in LANGUAGES:
        with in_language(language):
            before, after = re.split(r"%\(name\)s", _("Words of %(name)s for the dice:"))
        headings.append(re.compile(re.escape(before) + r"(\S{1,40})" + re.escape(after)))
    return headings


def _played_patterns() -> list[re.Pattern[str]]:
    """How a receipt says what its reader played, in every language."""
    patterns = []
    for language in LANGUAGES:
        with in_language(language):
            before, after = re.split(r"%\(move\)s", _("You played %(move)s."))
        patterns.append(re.compile(re.escape(before) + r"(\S.{0,300}?)" + re.escape(after) + r"(?= |$)"))
    return patterns


def _take_names(letter: GameLetter, joined: str, told: Told) -> None:
    """Who sits where: the reader's seat is told, and the subject names the opponent."""
    seat = _seat_of_reader(joined)
    if seat is None:
        return
    if letter.opponent and seat in (0, 1):
        told.handles.setdefault(1 - seat, letter.opponent)
    greeting = _GREETING.match(letter.lines[0]) if letter.lines else None
    if greeting:
        told.handles.setdefault(seat, greeting[1])


def _seat_of_reader(joined: str) -> int | None:
    for language in LANGUAGES:
        with in_language(language):
            for game in GAMES.values():
                line = _("Game %(number)s, %(game)s. You play %(seat)s.")
                for seat, name in enumerate(game.seats):
                    told = line.partition("%(game)s")[2] % {"seat": _(name)}
                    if _(game.name) + told in joined:
                        return seat
    return None
