"""A reply, read: what the person wrote, and which of its lines may be commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .cleaning import clean
from .cut import Mark, marks_of, never
from .lines import Line, plain_lines
from .parts import Body, body_of
from .sent import Sent
from .signs import is_forward


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person wrote.

    `text` is all of it, for reading as talk, quotations and signature cut. `command_lines`
    are the lines above the first quotation as they stood, blank ones left out, for reading
    as commands. `below` are the person's lines below and between quotations: candidates
    as much as those above, and a reason to ask where they contradict each other. `withheld`
    are lines of which cannot be said whether they are the person's or quoted: they are in
    none of the others, and the person is told of them.
    `trouble` says why there is no text: “” if there is, else `empty`, `encrypted`,
    `winmail`, `forward-only`, `unreadable` or a key of `within_limits`.
    """

    text: str
    command_lines: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    trouble: str = ""
    withheld: tuple[str, ...] = ()


def read_reply(raw: bytes, sent: Sequence[str] = (), acts: Callable[[str], bool] = never) -> Reply:
    """The reply in a raw message; never raises.

    `sent` are the texts, plain and HTML rendered by `letter_text`, of the letters that it may quote. `acts` tells of a
    line whether it does something to a game: such a line is never taken for words of ours that somebody repeats.
    """
    body = body_of(raw)
    return Reply("", trouble=body.trouble) if body.trouble else _read(body, sent, acts)


def repeats(line: str, sent: Sequence[str]) -> bool:
    """Whether a line, of a subject for instance, holds a whole line of the letters that were `sent`."""
    return Sent(sent).repeats(clean(line))


def reply_text(raw: bytes, sent: Sequence[str] = ()) -> str:
    """What a person wrote in a raw message, quotations and signature cut; never raises."""
    return read_reply(raw, sent).text


def body_reply(body: str, sent: Sequence[str] = ()) -> str:
    """What a person wrote in a decoded plain body, quotations and signature cut; never raises."""
    return read_body(body, sent).text


def read_body(body: str, sent: Sequence[str] = (), acts: Callable[[str], bool] = never) -> Reply:
    """The reply in a decoded plain body; never raises."""
    return _read(Body(plain_lines(body)), sent, acts)


def _read(body: Body, sent: Sequence[str], acts: Callable[[str], bool]) -> Reply:
    lines = body.lines
    marks = marks_of(lines, sent, acts)
    own = [i for i, mark in enumerate(marks) if mark is Mark.OWN]
    first = next((i for i, mark in enumerate(marks) if mark is Mark.QUOTE), len(lines))
    text = _told([lines[i] for i in own])
    return Reply(
        text,
        tuple(_written(lines, (i for i in own if i < first))),
        tuple(_written(lines, (i for i in own if i > first))),
        "" if text else _lack(lines),
        tuple(_written(lines, (i for i, mark in enumerate(marks) if mark is Mark.DOUBT))),
    )


def _written(lines: Sequence[Line], indices: Iterable[int]) -> Iterator[str]:
    for index in indices:
        text = lines[index].text.strip()
        if text:
            yield text


def _told(own: Sequence[Line]) -> str:
    """The lines as talk: flowed ones joined, and never more than one blank line in a row."""
    rows: list[str] = []
    flows = False
    for line in own:
        text = line.text if line.flows else line.text.rstrip()
        if flows:
            rows[-1] += text
        elif text or (rows and rows[-1]):
            rows.append(text)
        flows = line.flows
    return "\n".join(row.rstrip() for row in rows).strip("\n")


def _lack(lines: Sequence[Line]) -> str:
    return "forward-only" if any(is_forward(line.text) for line in lines) else "empty"
