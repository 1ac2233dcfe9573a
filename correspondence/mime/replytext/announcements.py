"""Recognise the lines above a quotation that name our service or address as its author."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .line_forms import begins_dated, ends_attribution, has_address, has_date, has_verb, is_separator, label_of
from .phrases import LABELS, fold

MOST_LINES = 14
"""Maximum lines of an announcement; Lotus Notes puts each label and value on its own line."""

_MAILBOX = re.compile(r'"?([^<>"|\s][^<>"|]{0,79}?)"? <([^<>\s@]{1,80}@[^<>\s@]{1,255})>')
_CELLS = re.compile(r"\s{3,}")
_BLANKS_INSIDE = 3
_WORDS_OF_A_DATE = 7
_LINES_ABOVE_NAME = 4
_LINES_OF_A_NAME = 3
_OPENING = re.compile(
    r"(?<=\S)(?= ?(?:On|Il giorno|Il|Am|Le|El|Em|Op|Den|W dniu|Dne|Dňa|Pe|Vào)\b[ ,].{0,80}?\d)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class OurNames:
    """The names and addresses of From lines in letters to a person."""

    names: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()

    def are_in(self, text: str) -> bool:
        """Whether a line contains our address, or our name together with words of an announcement."""
        if "@" in text and any(address in text.casefold() for address in self.addresses):
            return True
        return any(name in text for name in self.names) and (
            has_date(text) or has_verb(text) or text.strip(' *_":<(') in self.names
        )


def our_names(sent: Iterable[str]) -> OurNames:
    """Return our names and addresses from our letters' headers: lines of `NAME <ADDRESS>`."""
    lines = (line for text in sent for line in text.split("\n") if line.endswith(">"))
    mailboxes = [match for match in map(_MAILBOX.fullmatch, lines) if match]
    return OurNames(frozenset(match[1] for match in mailboxes), frozenset(match[2].casefold() for match in mailboxes))


def announcement_start(
    texts: Sequence[str], start: int, names: OurNames, is_candidate: Callable[[int], bool]
) -> int | None:
    """Return the first line of an announcement directly above `start`; None if there is none.

    The announcement must contain our name. Between that line and the quotation there are only labels, dates, addresses
    and blank lines.
    """
    naming, blanks = None, 0
    for index in range(start - 1, max(-1, start - 1 - MOST_LINES), -1):
        if not texts[index].strip():
            blanks += 1
            if blanks > _BLANKS_INSIDE:
                break
        elif not is_candidate(index):
            break
        elif names.are_in(texts[index]):
            naming = index
        elif not is_part_of_announcement(texts[index]):
            break
    if naming is None:
        return None
    return with_date_above(texts, _with_broken_line(texts, naming, names, is_candidate), is_candidate)


def _with_broken_line(texts: Sequence[str], naming: int, names: OurNames, is_candidate: Callable[[int], bool]) -> int:
    """Return the first line of an announcement that contains our name on line `naming`."""
    for start in range(naming - 1, max(-1, naming - 1 - _LINES_OF_A_NAME), -1):
        if not is_candidate(start) or not texts[start].strip():
            break
        chunk = " ".join(text.strip() for text in texts[start : naming + 1])
        if any(name in chunk for name in names.names) and not any(name in texts[naming] for name in names.names):
            return start
        is_first = start == 0 or not texts[start - 1].strip()
        if is_first and _lacks_beginning(texts[naming].strip(), names):
            return start
    return naming


def with_name_above(texts: Sequence[str], start: int, names: OurNames, is_candidate: Callable[[int], bool]) -> int:
    """Return `start`, or the line above if our name is broken between the two."""
    above = start - 1
    if above < 0 or not is_candidate(above) or any(name in texts[start] for name in names.names):
        return start
    chunk = f"{texts[above].strip()} {texts[start].strip()}"
    is_broken = any(name in chunk and name not in texts[above] for name in names.names)
    return above if is_broken else start


def _lacks_beginning(text: str, names: OurNames) -> bool:
    """Whether a line with our name lacks its beginning: starts with digits, or has no “wrote”."""
    begins_with_name = any(text.startswith((name, f'"{name}', f"<{name}")) for name in names.names)
    return (begins_with_name and not has_verb(text)) or text[:1].isdigit()


def announcement_end(texts: Sequence[str], start: int, names: OurNames) -> int:
    """Return the line after the announcement that begins at `start`.

    That is below the line with our name and its labels. Returns `start` if no line near it contains our name.
    """
    rows = range(start, min(start + MOST_LINES, len(texts)))
    naming = next((index for index in rows if names.are_in(texts[index])), None)
    if naming is None or naming - start > _LINES_ABOVE_NAME:
        return start
    end = naming + 1
    for index in range(end, min(naming + MOST_LINES, len(texts))):
        if names.are_in(texts[index]) or is_part_of_announcement(texts[index]):
            end = index + 1
        elif texts[index].strip():
            break
    return end


def with_date_above(texts: Sequence[str], first: int, is_candidate: Callable[[int], bool]) -> int:
    """Return `first`, or the topmost of the few lines above it that contain the date."""
    top = first
    for index in range(first - 1, max(-1, first - 1 - _LINES_ABOVE_NAME), -1):
        text = texts[index].strip()
        if not text or not is_candidate(index):
            break
        chunk = " ".join(texts[index : first + 1])
        is_date = has_date(text) and len(text.split()) <= _WORDS_OF_A_DATE
        if is_date or begins_dated(text) or (text.endswith(",") and begins_dated(chunk)):
            top = index
    return top


def split_glued(text: str, names: OurNames) -> tuple[str, ...]:
    """Split a line where our announcement directly follows typed text: “5@a2On 21 November …”."""
    if names.addresses and names.are_in(text):
        for opening in _OPENING.finditer(text[:_LONGEST_TYPED]):
            rest = text[opening.start() :]
            if begins_dated(rest.strip()) and names.are_in(rest):
                return text[: opening.start()].rstrip(), rest.strip()
    return (text,)


_LONGEST_TYPED = 200
"""Maximum characters of a line that are searched for our announcement."""


def is_part_of_announcement(text: str) -> bool:
    """Whether a line between our name and the quotation belongs to the announcement."""
    if is_separator(text) or has_address(text) or ends_attribution(text) or label_of(text) is not None:
        return True
    if has_date(text) and len(text.split()) <= _WORDS_OF_A_DATE:
        return True
    return any(fold(cell.strip("*_: ")) in LABELS for cell in _CELLS.split(text.strip()))
