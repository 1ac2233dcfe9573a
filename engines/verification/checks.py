"""Check a record against itself: moves, seed, seals, hashes and signature.

Each check is one finding. Contract: docs/fairness.md, “Checking”. No network or service is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from engines.base import CHANCE, MoveError, Position
from engines.chance import SEED_BYTES, ChanceStream
from engines.options import options_text
from engines.record import Entry, step
from engines.verification import chain, seals
from engines.verification.claims import OWED, CheckedClaim, ClaimState, NotHeld, has_seals, must_be_sealed
from engines.verification.record_text import (
    AGREEMENT,
    RESIGNATION,
    TIME,
    RecordError,
    RecordText,
    read_text,
    result_of,
)
from engines.verification.signatures import OF_THE_END, SignatureCheck, check_end, check_head, check_keys
from engines.wording import _, listing, ngettext

_COVERED = (
    *OWED, *OF_THE_END, "Game", "Version", "Options", "Event", "Round", "Section", "Site", "Date", "Result", "Reason", "Terms",
    "Seed", "Chain", "Signature", "Key",
)  # fmt: skip
"""The tags, besides those of the seats, that hashes and signatures cover."""


@dataclass(frozen=True, slots=True)
class RecordReport:
    """All findings about one record, in order. `record` is None if it cannot be read."""

    record: RecordText | None
    findings: tuple[CheckedClaim, ...]

    @property
    def state(self) -> ClaimState:
        """The worst state of the findings: WRONG, else OPEN, else HOLDS."""
        states = {finding.state for finding in self.findings}
        return next((state for state in (ClaimState.WRONG, ClaimState.OPEN) if state in states), ClaimState.HOLDS)

    @property
    def claims_all(self) -> bool:
        """Whether no claim is absent that records have contained since commitments were introduced."""
        return all(finding.state != ClaimState.ABSENT for finding in self.findings)

    @property
    def is_proven_whole(self) -> bool:
        """Whether the record is complete and the signature of its end is valid."""
        return any(finding.claim == "end" and finding.state == ClaimState.HOLDS for finding in self.findings)

    @property
    def first_wrong(self) -> CheckedClaim | None:
        """The first claim that is wrong, or None."""
        return next((finding for finding in self.findings if finding.state == ClaimState.WRONG), None)


class PlayedEntry(NamedTuple):
    """A replayed entry: positions before and after, move, and whether it must be sealed."""

    before: Position[Any]
    move: Any
    after: Position[Any]
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """The replayed part of a record, and its last position."""

    steps: tuple[PlayedEntry, ...]
    last: Position[Any]


def check_record(text: str, check_signature: SignatureCheck, known_keys: Collection[str] | None = None) -> RecordReport:
    """Run all checks on the text of a record. Never raises.

    `known_keys` are the site's known public keys in base64; None skips this check.
    """
    try:
        record = read_text(text)
    except RecordError as error:
        return RecordReport(None, (CheckedClaim("reads", ClaimState.WRONG, str(error), error.line),))
    reads = ngettext(
        "The record can be read: {count} entry.", "The record can be read: {count} entries.", len(record.entries)
    )
    findings = [CheckedClaim("reads", ClaimState.HOLDS, reads.format(count=len(record.entries)))]
    replayed, finding = _replay(record)
    findings.append(finding)
    for claim, check in _CHECKS.items():
        findings.append(_judged(claim, partial(check, record, replayed)))
    findings.append(_judged("signature", partial(check_head, record, check_signature)))
    findings.append(_judged("end", partial(check_end, record, check_signature)))
    if known_keys is not None:
        findings.append(_judged("key", partial(check_keys, record, known_keys)))
    return RecordReport(record, tuple(findings))


def _judged(claim: str, check: Callable[[], str]) -> CheckedClaim:
    try:
        return CheckedClaim(claim, ClaimState.HOLDS, check())
    except NotHeld as error:
        return CheckedClaim(claim, error.state, str(error), error.line)


def seals_of(record: RecordText) -> dict[int, str]:
    """Return the seals of a record by entry number. Raises NotHeld if the tag cannot be read."""
    named = seals.read_seals(record.tags.get("Seals", ""))
    if named is None:
        raise NotHeld(_("The tag Seals cannot be read."), record.tag_lines["Seals"])
    return named


# -- the moves ---------------------------------------------------------------------


def _replay(record: RecordText) -> tuple[Replayed, CheckedClaim]:
    """Replay a record up to its first hidden entry.

    A hidden entry in a running game is not a fault.
    """
    position: Position[Any] = record.game.start(record.options)
    steps: list[PlayedEntry] = []
    rows = zip(record.entries, canonical_texts(record), record.entry_lines, strict=True)
    for ply, (entry, text, line) in enumerate(rows, start=1):
        try:
            steps.append(_played(position, Entry(entry.seat, text)))
            position = steps[-1].after
        except MoveError as error:
            replayed = Replayed(tuple(steps[: ply - 1]), position)
            return replayed, _not_replayed(record, ply, line, error)
    return Replayed(tuple(steps), position), CheckedClaim("replay", ClaimState.HOLDS, _("Every entry is a legal move."))


def _played(position: Position[Any], entry: Entry) -> PlayedEntry:
    """Play the entry from this position. Raises MoveError."""
    move, after = step(position, entry)
    return PlayedEntry(position, move, after, seals.is_sealed(position, entry.seat, move, after))


def _not_replayed(record: RecordText, ply: int, line: int, error: MoveError) -> CheckedClaim:
    if not record.is_over and _is_told_in_part(record, ply):
        sentence = _("Entry {ply} is hidden while the game goes on; from there on no move was replayed.")
        return CheckedClaim("replay", ClaimState.OPEN, sentence.format(ply=ply), line)
    sentence = _("Entry {ply}, {text}, cannot be played: {why}")
    return CheckedClaim(
        "replay", ClaimState.WRONG, sentence.format(ply=ply, text=record.entries[ply - 1].text, why=error), line
    )


def _is_told_in_part(record: RecordText, ply: int) -> bool:
    try:
        return has_seals(record) and any(at <= ply for at in seals_of(record))
    except NotHeld:
        return False


def canonical(record: RecordText, ply: int) -> str:
    """Return the text of entry number `ply`, without the braces that redaction adds."""
    text = record.entries[ply - 1].text
    return text if record.is_over else seals.without_news(text)


def canonical_texts(record: RecordText) -> Sequence[str]:
    """Return the texts of all entries, without braces."""
    texts = [entry.text for entry in record.entries]
    return texts if record.is_over else [seals.without_news(text) for text in texts]


def _check_result(record: RecordText, replayed: Replayed) -> str:
    if len(replayed.steps) < len(record.entries):
        sentence = _("Because not all moves were replayed, nobody can say whether the result follows from them.")
        raise NotHeld(sentence, state=ClaimState.OPEN)
    result, reason, line = record.tags["Result"], record.tags["Reason"], record.tag_lines["Result"]
    outcome = replayed.last.outcome
    if outcome is not None:
        if (result, reason) != (result_of(outcome), outcome.reason):
            sentence = _("According to its moves the game ended {result} by {reason}; the record says {other}.")
            other = f"{result} {reason}"
            raise NotHeld(sentence.format(result=result_of(outcome), reason=_(outcome.reason), other=other), line)
        return _("The result follows from the moves.")
    if reason not in _reasons(result, reason):
        sentence = _("The moves do not end the game, and “{reason}” does not explain the result {result}.")
        raise NotHeld(sentence.format(reason=reason[:40], result=result), line)
    return _("The moves allow this result.") if record.is_over else _("The game goes on.")


def unguarded(record: RecordText) -> str:
    """Name in a sentence the parts of a record without hash or signature; empty if none."""
    if not record.is_over:
        return _("Until the game is over, no hash covers the names, the comments, and how long each move took.")
    if not has_seals(record):
        return _("No hash covers when each move of this older game was made.")
    covered = {*_COVERED, *record.game.seats}
    others = [name for name in record.tags if name not in covered]
    if not others:
        return ""
    return _("Neither a hash nor a signature covers these tags: {names}.").format(names=listing(others, _("and")))


def _reasons(result: str, reason: str) -> tuple[str, ...]:
    """Return the possible reasons for this result if the moves do not end the game."""
    by_service = {"1-0": (RESIGNATION, TIME), "0-1": (RESIGNATION, TIME), "1/2-1/2": (AGREEMENT, TIME)}
    return by_service.get(result, (reason,))


# -- seed, draws and seals ---------------------------------------------------------


def _seed(record: RecordText) -> bytes:
    """Return the seed of a record. Raises NotHeld."""
    must_be_sealed(record)
    text, line = record.tags.get("Seed", ""), record.tag_lines.get("Seed", 0)
    if not text:
        raise NotHeld(_("The seed is not open yet."), state=ClaimState.OPEN)
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", text):
        raise NotHeld(_("The seed has {count} hex digits.").format(count=2 * SEED_BYTES), line)
    return bytes.fromhex(text)


def _check_commitment(record: RecordText, _replayed: Replayed) -> str:
    must_be_sealed(record)
    line = record.tag_lines.get("Commitment", 0)
    if not re.fullmatch(r"[0-9a-f]{64}", record.tags.get("Commitment", "")):
        raise NotHeld(_("There is no commitment with 64 hex digits."), line)
    if seals.commitment(_seed(record)) != record.tags["Commitment"]:
        raise NotHeld(_("The seed does not match the commitment."), line)
    return _("The commitment matches the seed.")


def _check_lots(record: RecordText, replayed: Replayed) -> str:
    seed, words = _seed(record), (record.tags.get("Words0", ""), record.tags.get("Words1", ""))
    count = 0
    for ply, (played, entry) in enumerate(zip(replayed.steps, record.entries, strict=False), start=1):
        if entry.seat == CHANCE:
            count += 1
            before = played.before
            drawn = before.write(CHANCE, before.random_move(CHANCE, ChanceStream(seed, ply, words)))
            if drawn != canonical(record, ply):
                sentence = _("According to the seed, entry {ply} is {drawn}, not {text}.")
                line = record.entry_lines[ply - 1]
                raise NotHeld(sentence.format(ply=ply, drawn=drawn, text=entry.text), line)
    if not count:
        return _("Nothing was drawn.")
    sentence = ngettext("{count} draw follows from the seed.", "All {count} draws follow from the seed.", count)
    return sentence.format(count=count)


def _check_seals(record: RecordText, replayed: Replayed) -> str:
    must_be_sealed(record)
    line = record.tag_lines.get("Seals", 0)
    named = seals_of(record)
    _check_which_are_sealed(record, replayed, named, line)
    if not named:
        return _("No entry was sealed.")
    seed = _seed(record)
    for ply, seal in named.items():
        if seals.seal(seed, ply, canonical(record, ply)) != seal:
            raise NotHeld(_("The seal of entry {ply} does not match its text.").format(ply=ply), line)
    sentence = ngettext("{count} seal opens.", "All {count} seals open.", len(named))
    return sentence.format(count=len(named))


def _check_which_are_sealed(record: RecordText, replayed: Replayed, named: dict[int, str], line: int) -> None:
    if any(ply > len(record.entries) for ply in named):
        raise NotHeld(_("A seal names an entry that does not exist."), line)
    for ply, played in enumerate(replayed.steps, start=1):
        if played.is_hidden and ply not in named:
            raise NotHeld(_("Entry {ply} was hidden and has no seal.").format(ply=ply), record.entry_lines[ply - 1])
        if not played.is_hidden and ply in named:
            raise NotHeld(_("Entry {ply} was never hidden, but has a seal.").format(ply=ply), line)


# -- chain ---------------------------------------------------------------------------


def _check_chain(record: RecordText, _replayed: Replayed) -> str:
    line = record.tag_lines.get("Hash", 0)
    if not record.tags.get("Hash"):
        raise NotHeld(
            _("This record has no hash to prove it; while a game with secrets runs, its record has none."), line
        )
    if options_text(record.options) != record.tags["Options"]:
        raise NotHeld(_("The options are not in the form that is hashed."), record.tag_lines["Options"])
    if head_of(record) != record.tags["Hash"]:
        raise NotHeld(_("The hash does not match the moves: this record has been changed."), line)
    return _("The chain of hashes ends in the hash of the record.")


def head_of(record: RecordText) -> str:
    """Return the last hash of a record's chain. Raises NotHeld if an entry time is missing."""
    head = chain.first_hash(record.game.key, record.game.version, record.tags["Options"])
    if "Chain" not in record.tags:
        for ply, entry in enumerate(record.entries, start=1):
            head = chain.undated_hash(head, ply, entry.seat, entry.text)
        return head
    named = seals_of(record)
    rows = zip(record.entries, canonical_texts(record), record.notes, strict=True)
    for ply, (entry, text, note) in enumerate(rows, start=1):
        if note.at is None:
            raise NotHeld(_("Entry {ply} has no time.").format(ply=ply), record.entry_lines[ply - 1])
        what = chain.sealed(named[ply]) if ply in named else text
        head = chain.next_hash(head, ply, entry.seat, note.at, what)
    return head


_CHECKS: dict[str, Callable[[RecordText, Replayed], str]] = {
    "result": _check_result,
    "commitment": _check_commitment,
    "lots": _check_lots,
    "seals": _check_seals,
    "chain": _check_chain,
}
