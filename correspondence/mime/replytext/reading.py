"""Parse replies: the person's text, and the lines that may be commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from correspondence.mime.cleaning import clean

from .announcements import OurNames, our_names, split_glued
from .line_forms import is_forward
from .line_marks import marks_of, never
from .lines import Line
from .page import LineMark
from .parts import Body, body_of
from .program_mail import names_reaction, only_links_to_portal, only_reacts, with_words
from .sent_index import SentIndex


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply.

    `text` is the person's text without quotations and signature, to be read as talk. `command_lines` are the non-blank
    lines above the first quotation, to be parsed as commands. `below` are the person's lines below and between
    quotations. They may be commands too, and the person is asked if they contradict those above. `withheld` are lines
    that may be the person's or quoted; they are in no other field, and are shown to the person. `trouble` is the reason
    if there is no text, else “”: `empty`, `encrypted`, `winmail`, `forward-only`, `reaction`, `calendar`, `unreadable`
    or a key of `within_limits`.
    """

    text: str
    command_lines: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    trouble: str = ""
    withheld: tuple[str, ...] = ()


def read_reply(raw: bytes, sent: Sequence[str] = (), acts: Callable[[str], bool] = never) -> Reply:
    """Parse the reply in a raw message; never raises.

    `sent` are the texts (plain, and HTML rendered by `letter_text`) of the letters that it may quote. `acts` returns
    whether a line is a command or move; such a line is never treated as a repetition of our text.
    """
    body = body_of(raw)
    return Reply("", trouble=body.trouble) if body.trouble else reply_in(body, sent, acts)


def repeats(line: str, sent: Sequence[str]) -> bool:
    """Whether a line, such as a subject, contains a whole line of the letters in `sent`."""
    return SentIndex(sent).repeats(clean(line))


def reply_in(body: Body, sent: Sequence[str], acts: Callable[[str], bool]) -> Reply:
    """Parse the reply in a decoded body; never raises."""
    names = our_names(sent)
    lines = [part for line in body.lines for part in _unglued(line, names)]
    marks = marks_of(lines, names, sent, acts, body.author)
    own = [i for i, mark in enumerate(marks) if mark is LineMark.OWN]
    first = next((i for i, mark in enumerate(marks) if mark is LineMark.QUOTE), len(lines))
    text = _joined([lines[i] for i in own])
    written = {i: lines[i].text for i in own if lines[i].text.strip()}
    if trouble := _program_in(body, [*written.values()], [line for i, line in written.items() if i < first]):
        return Reply("", trouble=trouble)
    return Reply(
        text,
        tuple(_non_blank(lines, (i for i in own if i < first))),
        tuple(_non_blank(lines, (i for i in own if i > first))),
        "" if text else _missing_text_reason(lines),
        tuple(_non_blank(lines, (i for i, mark in enumerate(marks) if mark is LineMark.DOUBT))),
    )


def _program_in(body: Body, own: Sequence[str], above: Sequence[str]) -> str:
    """Return the reason key if a program wrote the person's lines, or those above the quotation; else “”."""
    worded = with_words(above)
    if only_reacts(own, body.author) or (len(worded) == 1 and names_reaction(worded[0])):
        return "reaction"
    return "encrypted" if only_links_to_portal(own) else ""


def _unglued(line: Line, names: OurNames) -> list[Line]:
    texts = split_glued(line.text, names)
    return [line] if len(texts) == 1 else [replace(line, text=text) for text in texts]


def _non_blank(lines: Sequence[Line], indices: Iterable[int]) -> Iterator[str]:
    for index in indices:
        text = lines[index].text.strip()
        if text:
            yield text


def _joined(lines: Sequence[Line]) -> str:
    """Join the lines into one text: join flowed lines, collapse blank lines."""
    rows: list[str] = []
    continues = False
    for line in lines:
        text = line.text if line.continues else line.text.rstrip()
        if continues:
            rows[-1] += text
        elif text or (rows and rows[-1]):
            rows.append(text)
        continues = line.continues
    return "\n".join(row.rstrip() for row in rows).strip("\n")


def _missing_text_reason(lines: Sequence[Line]) -> str:
    return "forward-only" if any(is_forward(line.text) for line in lines) else "empty"
