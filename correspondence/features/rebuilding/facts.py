"""Extract unproved facts from the letters of one game: moves, times, seals, seed, names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import takewhile

from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.features.rebuilding.mailboxes import GameLetter
from engines import GAMES
from engines.verification.record_text import RecordError, read_text
from engines.wording import _

_MOST_LINES = 2_000
_HEX = re.compile(r"[0-9a-f]{64}")
_SEAL = re.compile(r"([1-9][0-9]{0,8})=([0-9a-f]{64})")
_TOLD = re.compile(r"[^:|>]{1,40}: (\S.{0,300})")
_RECORD_LINE = re.compile(r"\[|[0-9]+\. ")
_ANYBODY = "\0"
_EARLIER_WORDS = ("Words of %(name)s for the dice:", "Parole di %(name)s per i dadi:")
"""Headings of a player's own randomness in earlier letters."""
_GREETING = re.compile(r"([^\s,|>]{1,40}), ")


@dataclass
class LetterFacts:
    """The facts in the letters of one game.

    `texts` are move texts by the number of entries played before the letter. `entries` are entries of attached records,
    by their number. `words` are by seat, from a record or else from first letters.
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


def facts_of_letters(letters: Sequence[GameLetter], sites: Collection[str]) -> LetterFacts:
    """Collect the facts in these letters of a game, in order of date.

    No head covers what is attached to a letter, so a record that names none of the game's `sites` is ignored.
    """
    facts = LetterFacts()
    hexes: dict[str, None] = {}
    played = _played_patterns()
    for letter in letters:
        hexes.update(dict.fromkeys(letter.seed))
        _take_lines(letter, facts, hexes, sites)
        joined = " ".join(letter.lines)
        for pattern in played:
            facts.texts[letter.ply].update({found[1]: None for found in pattern.finditer(joined)})
        _take_names(letter, joined, facts)
    facts.seed = next((one for one in hexes if sha256(bytes.fromhex(one)).hexdigest() in hexes), "")
    facts.commitment = sha256(bytes.fromhex(facts.seed)).hexdigest() if facts.seed else next(iter(hexes), "")
    moments = {letter.at for letter in letters} | set(facts.moments)
    facts.moments = sorted(moments, reverse=True)
    if not facts.records:
        by_name = _words_by_name(letters)
        facts.words = (by_name.get(facts.handles.get(0, ""), ""), by_name.get(facts.handles.get(1, ""), ""))
    return facts


def _words_by_name(letters: Sequence[GameLetter]) -> dict[str, str]:
    """Return the words for the dice in first letters, by player's name."""
    heads = _words_patterns()
    words_of: dict[str, str] = {}
    for letter in letters:
        lines = [line.strip() for line in letter.lines[:_MOST_LINES]]
        for at, line in enumerate(lines):
            found = next((match for head in heads if (match := head.fullmatch(line))), None)
            rows = takewhile(lambda row: row.startswith("| "), lines[at + 1 :]) if found else ()
            if found and (words := " ".join(row.removeprefix("| ") for row in rows)):
                words_of.setdefault(found[1], words)
    return words_of


def _words_patterns() -> list[re.Pattern[str]]:
    """Return patterns of the line before the players' words in a first letter, by language."""
    sentences = list(_EARLIER_WORDS)
    for language in LANGUAGES:
        with in_language(language):
            sentences.append(_("Randomness from %(name)s:"))
    parts = (sentence.split("%(name)s") for sentence in sentences)
    return [re.compile(re.escape(before) + r"([^\s,|>]{1,40})" + re.escape(after)) for before, after in parts]


def _take_lines(letter: GameLetter, facts: LetterFacts, hexes: dict[str, None], sites: Collection[str]) -> None:
    record: list[str] = []
    for line in (line.strip() for line in letter.lines[:_MOST_LINES]):
        if line.startswith('[Game "') or (record and (not line or _RECORD_LINE.match(line))):
            record.append(line)
        elif _HEX.fullmatch(line):
            hexes[line] = None
        elif seal := _SEAL.fullmatch(line):
            facts.seals[int(seal[1])].add(seal[2])
        elif text := _TOLD.fullmatch(line):
            facts.texts[letter.ply][text[1]] = None
    if record:
        _take_record("\n".join(record) + "\n", facts, sites)


def _take_record(text: str, facts: LetterFacts, sites: Collection[str]) -> None:
    try:
        record = read_text(text)
    except RecordError:
        return
    if record.tags.get("Site", "") not in sites:
        return
    facts.records.append(text)
    facts.words = (record.tags.get("Words0", ""), record.tags.get("Words1", ""))
    facts.handles.update({seat: record.tags[name] for seat, name in enumerate(record.game.seats)})
    facts.moments += [note.at for note in record.notes if note.at is not None]
    for ply, entry in enumerate(record.entries, start=1):
        facts.entries[ply][entry.text] = None


def _played_patterns() -> list[re.Pattern[str]]:
    """Return patterns of a letter's first sentence about a move, in every language.

    The move may be the reader's or the opponent's.
    """
    patterns = []
    for language in LANGUAGES:
        with in_language(language):
            sentences = _("You played {move}."), _("{opponent} played {move}.")
        for sentence in sentences:
            words = (
                re.escape(sentence).replace(r"\{opponent\}", r"[^\s,|>]{1,40}").replace(r"\{move\}", r"(\S.{0,300}?)")
            )
            patterns.append(re.compile(words + "(?= |$)"))
    return patterns


def _take_names(letter: GameLetter, joined: str, facts: LetterFacts) -> None:
    """Determine the seats, from the reader's seat in the letter and the opponent in the subject."""
    seat, handle = _reader(joined)
    if seat is None:
        return
    if letter.opponent and seat in (0, 1):
        facts.handles.setdefault(1 - seat, letter.opponent)
    if not handle and letter.lines and (greeting := _GREETING.match(letter.lines[0])):
        handle = greeting[1]
    if handle:
        facts.handles.setdefault(seat, handle)


def _reader(joined: str) -> tuple[int | None, str]:
    """Return the seat and handle of the letter's reader.

    Earlier letters have the handle only in the greeting.
    """
    for language in LANGUAGES:
        with in_language(language):
            for game in GAMES.values():
                for seat, name in enumerate(game.seats):
                    found = next(filter(None, (one.search(joined) for one in _seat_patterns(game.name, name))), None)
                    if found:
                        return seat, found["name"] if "name" in found.re.groupindex else ""
    return None, ""


def _seat_patterns(game: str, seat: str) -> Iterator[re.Pattern[str]]:
    """Return patterns of the line with the reader's seat, in the current language.

    They include the wording of earlier letters.
    """
    for line in (
        _("Game %(number)s, %(game)s. %(name)s, you play %(seat)s."),
        _("Game %(number)s, %(game)s. You play %(seat)s."),
    ):
        ending = line.partition("%(game)s")[2] % {"seat": _(seat), "name": _ANYBODY}
        yield re.compile(re.escape(_(game) + ending).replace(re.escape(_ANYBODY), r"(?P<name>[^\s,|>]{1,40})"))
