"""The findings of checks on a record's claims."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from engines.verification import chain
from engines.verification.record_text import RecordText
from engines.wording import _, listing

OWED = ("Commitment", "Words0", "Words1", "Seals", "Hash")
"""The tags that every record with commitments has."""


class ClaimState(StrEnum):
    """State of a claim: it holds, cannot be checked yet, is absent, or is wrong."""

    HOLDS = "holds"
    OPEN = "open"
    ABSENT = "absent"
    WRONG = "wrong"


class CheckedClaim(NamedTuple):
    """One claim of a record and its state; `line` is its line in the text, 0 if it has none."""

    claim: str
    state: ClaimState
    sentence: str
    line: int = 0


class NotHeld(Exception):
    """Raised if a claim does not hold.

    str() is a sentence; `line` is the place; `state` says whether the claim is wrong, open or absent.
    """

    def __init__(self, sentence: str, line: int = 0, state: ClaimState = ClaimState.WRONG) -> None:
        super().__init__(sentence)
        self.line, self.state = line, state


def has_seals(record: RecordText) -> bool:
    """Whether a record's chain has entry times and seals; older games have no seed or seals."""
    return record.tags.get("Chain") == chain.CHAIN_VERSION


def must_be_sealed(record: RecordText) -> None:
    """Raise NotHeld unless a record has all tags introduced with commitments."""
    version = record.tags.get("Chain", "")
    if not version and not record.tags.keys() & {"Seed", "Commitment", "Seals", "Signature"}:
        sentence = _("This game began before there were commitments, so it can't be verified.")
        raise NotHeld(sentence, state=ClaimState.ABSENT)
    if version != chain.CHAIN_VERSION:
        raise NotHeld(_("The tag Chain must be 2."), record.tag_lines.get("Chain", 0))
    missing = [name for name in OWED if name not in record.tags]
    if missing:
        raise NotHeld(_("Tags are missing: {names}.").format(names=listing(missing, _("and"))))
