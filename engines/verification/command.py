"""The checker as a program: `python verify.pyz FILE` and `flask verify FILE` print the same lines.

Exit status: 0 when all that a record claims holds, 1 when something is wrong, 2 when there is no such file, 3 when
something is open, as in a running game.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engines.verification.checks import ClaimState, RecordReport, SignatureCheck, check_record, unguarded
from engines.verification.record_text import MOST_CHARACTERS, RecordError
from engines.wording import _

EXIT_STATUS = {ClaimState.HOLDS: 0, ClaimState.WRONG: 1, ClaimState.OPEN: 3}
"""The exit status for the worst of the findings."""

NO_FILE = 2
"""The exit status where a file cannot be read."""


def read_file(file: Path) -> str:
    """The text of a record file; reads no more bytes than a record can have. Raises RecordError."""
    try:
        with file.open("rb") as opened:
            return opened.read(4 * MOST_CHARACTERS + 1).decode("utf-8")
    except OSError as error:
        raise RecordError(_("{file} cannot be read: {why}.").format(file=file, why=error.strerror)) from error
    except UnicodeDecodeError as error:
        sentence = _("{file} is no record: a record is text in UTF-8, and byte {number} is not.")
        raise RecordError(sentence.format(file=file, number=error.start)) from error


def lines_of(report: RecordReport) -> Iterator[str]:
    """A report as lines: what became of each claim."""
    for finding in report.findings:
        where = _("line {number}: ").format(number=finding.line) if finding.line and _is_trouble(finding.state) else ""
        yield printable(f"{finding.state.value:7} {where}{finding.sentence}")


def printable(line: str) -> str:
    """A line for a terminal: what a record brings along must not move its cursor, clear it or turn its direction."""
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


def _is_trouble(state: ClaimState) -> bool:
    return state in (ClaimState.WRONG, ClaimState.OPEN)


def summary(report: RecordReport) -> str:
    """A report in one sentence, with the first thing that is wrong; where all holds, also what no hash covers."""
    if report.first_wrong is not None:
        return printable(_("Not verified: {why}").format(why=report.first_wrong.sentence))
    if report.state == ClaimState.OPEN:
        return _("Not verified yet: something is open.")
    assert report.record is not None
    tags = report.record.tags
    entries, result = len(report.record.entries), tags["Result"]
    verified = _("Verified: {game}, {count} entries, result {result}.").format(
        game=tags["Game"], count=entries, result=result
    )
    return f"{verified}\n{unguarded(report.record)}"


def main(arguments: Sequence[str], check_signature: SignatureCheck) -> int:
    """Check the records in these files and print what was found; returns the exit status, the worst of all."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print("python verify.pyz FILE...")
        return NO_FILE
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack the signs of a sentence
    statuses = [_check(Path(name), check_signature) for name in arguments]
    return next((status for status in (1, NO_FILE, 3) if status in statuses), 0)


def _check(file: Path, check_signature: SignatureCheck) -> int:
    try:
        text = read_file(file)
    except RecordError as error:
        print(printable(str(error)), file=sys.stderr)
        return NO_FILE
    return print_report(text, check_signature)


def print_report(text: str, check_signature: SignatureCheck) -> int:
    """Check a record and print what was found, the summary on standard error unless all holds; the exit status."""
    report = check_record(text, check_signature)
    print(*lines_of(report), sep="\n")
    print(summary(report), file=sys.stdout if report.state == ClaimState.HOLDS else sys.stderr)
    return EXIT_STATUS[report.state]
