"""The lines of a body, with the properties that their form alone shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from correspondence.mime.limits import LINE_LIMIT


@dataclass(frozen=True, slots=True)
class Line:
    """A physical line.

    `quoted` is true by a mark or by HTML structure. `starts_quotation` means that by HTML structure everything below is
    quoted. `continues` means that the sentence continues on the next line (format=flowed).
    """

    text: str
    quoted: bool = False
    starts_quotation: bool = False
    continues: bool = False


def plain_lines(text: str, *, flowed: bool = False, delsp: bool = False) -> list[Line]:
    """Split a plain text body from `clean` into lines; `flowed` and `delsp` as in RFC 3676."""
    rows = text.split("\n")[:LINE_LIMIT]
    lines = list(_unstuffed(rows, delsp)) if flowed else [Line(row, is_marked(row)) for row in rows]
    return _without_armour(lines)


def is_marked(row: str) -> bool:
    """Whether `row` begins with a quotation mark (“>” or “|”)."""
    return row.lstrip(" \t")[:1] in (">", "|")


def _unstuffed(rows: list[str], delsp: bool) -> Iterator[Line]:
    for row in rows:
        quoted = row.startswith(">") or row.lstrip().startswith("|")  # a space-stuffed “>” was typed by the person
        bare = row[1:] if row.startswith(" ") else row
        continues = bare.endswith(" ") and bare != "-- " and not quoted
        yield Line(bare[:-1] if continues and delsp else bare, quoted, continues=continues)


def _without_armour(lines: list[Line]) -> list[Line]:
    """Return the lines inside an OpenPGP cleartext signature; all lines if there is none."""
    texts = [line.text.strip() for line in lines]
    if "-----BEGIN PGP SIGNED MESSAGE-----" not in texts:
        return lines
    start = texts.index("-----BEGIN PGP SIGNED MESSAGE-----")
    while start < len(texts) and texts[start]:
        start += 1
    end = texts.index(_PGP_SIGNATURE) if _PGP_SIGNATURE in texts else len(texts)
    return [_undashed(line) for line in lines[start:end]]


_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"


def _undashed(line: Line) -> Line:
    return replace(line, text=line.text[2:]) if line.text.startswith("- ") else line
