"""Check a record's signatures of its chain head and its end, and the owner of the keys."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection

from engines.verification import chain
from engines.verification.claims import ClaimState, NotHeld, must_be_sealed
from engines.verification.ending import GameEnd, comments_hash, times_hash, words_line
from engines.verification.record_text import AMENDED, RecordText
from engines.wording import _

OF_THE_END = ("Ended", "EndKey", "End", AMENDED)
"""Tags that only records of finished games have."""

_KEY_BYTES, _SIGNATURE_BYTES = 32, 64
"""Lengths of Ed25519 keys and signatures, in bytes."""

SignatureCheck = Callable[[str, str, bytes], bool | None]
"""Callable: whether a base64 key made this signature; None if no library is installed."""


def check_head(record: RecordText, check_signature: SignatureCheck) -> str:
    """Check the signature of a record's head and say so in a sentence. Raises NotHeld."""
    must_be_sealed(record)
    key, signature = record.tags.get("Key", ""), record.tags.get("Signature", "")
    line = record.tag_lines.get("Signature", 0)
    if not key or not signature:
        raise NotHeld(_("The record is not signed."), line, ClaimState.OPEN)
    if not _is_base64(key, _KEY_BYTES) or not _is_base64(signature, _SIGNATURE_BYTES):
        raise NotHeld(_("The signature does not match."), line)
    message = chain.signed_message(record.tags.get("Site", ""), len(record.entries), record.tags.get("Hash", ""))
    holds = check_signature(key, signature, message)
    if holds is None:
        sentence = _("The signature was not checked: the Python package “cryptography” is not installed.")
        raise NotHeld(sentence, line, ClaimState.OPEN)
    if not holds:
        raise NotHeld(_("The signature does not match."), line)
    return _("The signature matches the key {key}.").format(key=key)


def end_of(record: RecordText) -> GameEnd:
    """Return the end of a record, whose text is signed."""
    tags = record.tags
    date, event, round_, section = (tags.get(name, "") for name in ("Date", "Event", "Round", "Section"))
    return GameEnd(
        tags.get("Site", ""), len(record.entries), tags.get("Hash", ""), tags["Result"], tags["Reason"],
        tags.get("Ended", ""), tuple(tags[seat] for seat in record.game.seats), date, event, round_, section, tags["Terms"],
        words_line([tags.get("Words0", ""), tags.get("Words1", "")]), times_hash(note.time for note in record.notes),
        comments_hash(note.comment for note in record.notes), tags.get(AMENDED, ""),
    )  # fmt: skip


def check_end(record: RecordText, check_signature: SignatureCheck) -> str:
    """Check the signature of the game's end and say so in a sentence. Raises NotHeld."""
    tags, line = record.tags, record.tag_lines.get("End", 0)
    if not record.is_over:
        early = next((name for name in OF_THE_END if name in tags), None)
        if early is not None:
            sentence = _("This game is still running, but its record has the tag {name}.")
            raise NotHeld(sentence.format(name=early), record.tag_lines[early])
        raise NotHeld(_("The game is not over, so its end is not signed yet."), state=ClaimState.OPEN)
    key, signature = tags.get("EndKey", ""), tags.get("End", "")
    if not key or not signature:
        raise NotHeld(_("This record is not proven complete: the end is not signed."), line)
    is_spelled = _is_base64(key, _KEY_BYTES) and _is_base64(signature, _SIGNATURE_BYTES)
    holds = is_spelled and check_signature(key, signature, end_of(record).text.encode())
    if holds is None:
        sentence = _("The signature was not checked: the Python package “cryptography” is not installed.")
        raise NotHeld(sentence, line, ClaimState.OPEN)
    if not holds:
        sentence = _(
            "This record is not proven complete: the end is not signed in this form, so something was changed."
        )
        raise NotHeld(sentence, line)
    if AMENDED not in tags:
        return _("The end is signed by the key {key}.").format(key=key)
    return _("The end is signed by the key {key}, amended: {what}.").format(key=key, what=tags[AMENDED])


def check_keys(record: RecordText, known_keys: Collection[str]) -> str:
    """Check that the keys belong to the record's site and say so in a sentence. Raises NotHeld."""
    named = [name for name in ("Key", "EndKey") if record.tags.get(name)]
    unknown = next((name for name in named if record.tags[name] not in known_keys), None)
    if unknown is not None:
        sentence = _("It is signed by an unknown key: {key}.")
        raise NotHeld(sentence.format(key=record.tags[unknown]), record.tag_lines[unknown], ClaimState.OPEN)
    if not named:
        raise NotHeld(_("No key is named."), state=ClaimState.ABSENT)
    return _("The keys are known.")


def _is_base64(text: str, length: int) -> bool:
    """Whether a text is canonical base64 of this many bytes, with the unused bits zero."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return False
    return len(raw) == length and base64.b64encode(raw).decode() == text
