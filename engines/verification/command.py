"""Command line of the checker: `python verify.pyz FILE`, or `flask verify FILE`.

Both print the same lines. Exit status: 0 if all claims of the record hold and its keys are known; 1 if something is
wrong or the record is not proved complete; 2 if the file cannot be read; 3 if something cannot be checked yet, as in a
running game, or a key is unknown.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from engines.verification.checks import RecordReport, check_record, unguarded
from engines.verification.claims import ClaimState
from engines.verification.record_text import MOST_CHARACTERS, RecordError
from engines.verification.signatures import SignatureCheck
from engines.wording import _

EXIT_STATUS = {ClaimState.HOLDS: 0, ClaimState.WRONG: 1, ClaimState.OPEN: 3}
"""The exit status by the worst finding."""

NO_FILE = 2
"""The exit status if a file cannot be read."""


def read_file(file: Path) -> str:
    """Read a record file, limited to the maximum size of a record. Raises RecordError."""
    try:
        with file.open("rb") as opened:
            return opened.read(4 * MOST_CHARACTERS + 1).decode("utf-8")
    except OSError as error:
        raise RecordError(_("{file} cannot be read: {why}.").format(file=file, why=error.strerror)) from error
    except UnicodeDecodeError as error:
        sentence = _("{file} is not a record: a record is text in UTF-8, and byte {number} is not.")
        raise RecordError(sentence.format(file=file, number=error.start)) from error


MOST_KEYS = 1_000
"""Maximum number of keys read from a list."""

_LONGEST_KEYS = 1_000_000
_KEYS = "--keys"


def read_keys(file: Path) -> list[str]:
    """Read the public keys from a saved `correspondence-keys.json`. Raises RecordError."""
    try:
        with file.open("rb") as opened:
            listed = json.loads(opened.read(_LONGEST_KEYS))["keys"]
        return [str(row["key"]) for row in listed[:MOST_KEYS]]
    except OSError as error:
        raise RecordError(_("{file} cannot be read: {why}.").format(file=file, why=error.strerror)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        sentence = _("{file} is not a list of keys such as correspondence-keys.json.")
        raise RecordError(sentence.format(file=file)) from error


def lines_of(report: RecordReport) -> Iterator[str]:
    """Format a report as lines, one per claim."""
    for finding in report.findings:
        where = _("line {number}: ").format(number=finding.line) if finding.line and _is_trouble(finding.state) else ""
        yield printable(f"{finding.state.value:7} {where}{finding.sentence}")


def printable(line: str) -> str:
    """Make a line safe for a terminal: no control or direction characters from a record."""
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


def _is_trouble(state: ClaimState) -> bool:
    return state in (ClaimState.WRONG, ClaimState.OPEN)


def summary(report: RecordReport) -> str:
    """Summarise a report in one sentence: the first fault, or what no hash covers."""
    if report.first_wrong is not None:
        return printable(_("Not verified: {why}").format(why=report.first_wrong.sentence))
    if report.state == ClaimState.OPEN:
        return _("Not verified yet: some points are open.")
    assert report.record is not None
    tags = report.record.tags
    entries, result = len(report.record.entries), tags["Result"]
    verified = _("Verified: {game}, {count} entries, result {result}.").format(
        game=tags["Game"], count=entries, result=result
    )
    return "\n".join(filter(None, [verified, printable(unguarded(report.record))]))


def main(arguments: Sequence[str], check_signature: SignatureCheck) -> int:
    """Check the records in these files, print findings, and return the worst exit status.

    Known keys are read from a file, as in `--keys correspondence-keys.json`.
    """
    lists, files = _sorted_out(arguments)
    if not files or "-h" in arguments or "--help" in arguments:
        print(f"python verify.pyz [{_KEYS} correspondence-keys.json] FILE...")
        return NO_FILE
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal may lack some characters
    try:
        known_keys = [key for name in lists for key in read_keys(Path(name))]
    except RecordError as error:
        print(printable(str(error)), file=sys.stderr)
        return NO_FILE
    statuses = [_check(Path(name), check_signature, known_keys) for name in files]
    return next((status for status in (1, NO_FILE, 3) if status in statuses), 0)


def _sorted_out(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split the arguments into key files and records."""
    lists, files, rest = [], [], list(arguments)
    while rest:
        word = rest.pop(0)
        if word == _KEYS and rest:
            lists.append(rest.pop(0))
        elif word.startswith(f"{_KEYS}="):
            lists.append(word.removeprefix(f"{_KEYS}="))
        else:
            files.append(word)
    return lists, files


def _check(file: Path, check_signature: SignatureCheck, known_keys: Collection[str]) -> int:
    try:
        text = read_file(file)
    except RecordError as error:
        print(printable(str(error)), file=sys.stderr)
        return NO_FILE
    return print_report(text, check_signature, known_keys)


def print_report(text: str, check_signature: SignatureCheck, known_keys: Collection[str]) -> int:
    """Check a record, print the findings, and return the exit status.

    A summary with faults goes to stderr.
    """
    report = check_record(text, check_signature, known_keys)
    print(*lines_of(report), sep="\n")
    print(summary(report), file=sys.stdout if report.state == ClaimState.HOLDS else sys.stderr)
    return EXIT_STATUS[report.state]
