"""Signatures of the ends of games, made when a game ends and again when its record changes.

The first signature is made in the transaction that ends the game. Source: docs/fairness.md, “The end is signed”.
Exporting a record never signs its end.
"""

from __future__ import annotations

import base64
import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Engine, bindparam, delete, exists
from sqlalchemy import select as columns_of
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.config import SettingError
from correspondence.core.signing import check_signature, signer_for
from correspondence.fairness import heads
from correspondence.fairness.record_tags import (
    date_tag,
    occasion_of,
    played_result,
    tag_value,
    time_tag,
    write_time_control,
)
from correspondence.models import ImportedRecord, Match, Move, SignedEnd
from correspondence.models.loading import persons_of, players_of, recorded_comment
from correspondence.models.versions import of_match, raise_versions
from engines.verification.chain import moment
from engines.verification.ending import GameEnd, comment_hash, comments_hash, read_end, times_hash, words_line

log = logging.getLogger(__name__)

SIGNED_LATER = "signed later"
"""The amendment of a game that ended before this version signed ends."""

BATCH = 200
"""Number of games signed per transaction after an upgrade."""

LONGEST_LINE = 998
"""Maximum line length of a header field (RFC 5322); longer values are folded."""

LONGEST_NOTES = 6_000
"""Maximum length of the times and comment hashes in a letter's header, in characters."""

_ENTRIES = (
    columns_of(*(getattr(Move, name) for name in ("match_id", "seat", "spent", "comment", "comment_hash", "hash")))
    .where(col(Move.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(Move.match_id), col(Move.ply))
)

_ENDS = (
    columns_of(*(getattr(SignedEnd, name) for name in ("match_id", "number", "text", "key", "signature")))
    .where(col(SignedEnd.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(SignedEnd.match_id), col(SignedEnd.number))
)

_FOREIGN_OR_IMPORTED = select(ImportedRecord.match_id, ImportedRecord.is_foreign).where(
    col(ImportedRecord.match_id).in_(bindparam("matches", expanding=True))
)

_UNSIGNED = select(Match).where(
    col(Match.ended_at).is_not(None),
    ~exists().where(col(SignedEnd.match_id) == col(Match.id)),
    ~exists().where(col(ImportedRecord.match_id) == col(Match.id)),
)


class Signature(NamedTuple):
    """A signed end: its number in the match, text, public key and signature in base64."""

    number: int
    text: str
    key: str
    signature: str

    @property
    def end(self) -> GameEnd:
        """The end, parsed from the signed text."""
        end = read_end(self.text)
        assert end is not None  # only texts that can be parsed are stored
        return end

    @property
    def holds(self) -> bool:
        """Whether the signature of the text by the key is valid."""
        return bool(check_signature(self.key, self.signature, self.text.encode()))

    @property
    def tags(self) -> list[tuple[str, str]]:
        """The record tags that contain the end; `Amended` may occur several times."""
        end = self.end
        amended = [("Amended", value) for value in end.amendments]
        return [("Ended", end.ended), ("EndKey", self.key), ("End", self.signature), *amended]

    @property
    def header(self) -> str:
        """The value of the header `Correspondence-End`, folded if longer than a line."""
        text = base64.b64encode(self.text.encode()).decode()
        room = LONGEST_LINE - len("Correspondence-End: text=; sig=") - len(self.signature)
        parts = [text] if len(text) <= room else [text[at : at + 700] for at in range(0, len(text), 700)]
        return f"text={' '.join(parts)}; sig={self.signature}"


@dataclass(frozen=True, slots=True)
class _Entries:
    """Data of a match's entries that the end covers: times, comments, and the last hash."""

    times: tuple[str, ...]
    comments: tuple[str, ...]
    head: str

    @property
    def notes(self) -> str:
        """The times and comment hashes for a letter; empty if too long for a header."""
        rows = zip(self.times, self.comments, strict=True)
        words = [f"{time or '-'}={comment_hash(comment)}" if comment else time or "-" for time, comment in rows]
        return notes if len(notes := " ".join(words)) <= LONGEST_NOTES else ""


# -- stored signatures -------------------------------------------------------------------


def letter_fields(session: Session, match: Match) -> str:
    """Return the two header values of a result letter, if this transaction signed the end."""
    fields: str = db.session_cache(session).get((SignedEnd, match.id), "")
    return fields


def _read(session: Session, match_ids: Collection[int]) -> dict[int, tuple[Signature, ...]]:
    found: dict[int, list[Signature]] = {number: [] for number in match_ids}
    for match_id, *values in db.rows(session, _ENDS, matches=list(match_ids)):
        found[match_id].append(Signature(*values))
    return {number: tuple(ends) for number, ends in found.items()}


# -- signing ---------------------------------------------------------------------------


def sign(session: Session, matches: Sequence[Match], *, amendment: str = "") -> None:
    """Sign the ends of these locked matches in the transaction that ends them."""
    entries_by_match = _entries_of(session, matches)
    site_of = signer.site if (signer := signer_for(session)) is not None else str
    ends = {match.id: _end_of(session, match, entries_by_match[match.id], site_of(match.id)) for match in matches}
    amended = {number: end.amended_by(amendment) if amendment else end for number, end in ends.items()}
    for number, signed in _write(session, amended, {}).items():
        db.session_cache(session)[SignedEnd, number] = f"{signed.header}\n{entries_by_match[number].notes}"


def sign_anew(session: Session, match_ids: Sequence[int], what: str, *, now: datetime, keeps: bool = True) -> None:
    """Sign finished matches again after changed names or comments, or an operator's decision.

    `what` is an amendment word of docs/fairness.md. Earlier signatures are deleted, unless it is one that `keeps` them.
    An imported record that others signed is not signed here, so it then has no signature.
    """
    for at in range(0, len(match_ids), BATCH):
        _sign_anew(session, match_ids[at : at + BATCH], f"{moment(now)} {what}", keeps)


def _sign_anew(session: Session, match_ids: Sequence[int], amendment: str, keeps: bool) -> None:
    before = _read(session, match_ids)
    origins = dict(db.rows(session, _FOREIGN_OR_IMPORTED, matches=list(match_ids)))
    query = select(Match).where(col(Match.id).in_(match_ids), col(Match.ended_at).is_not(None))
    matches = [match for match in session.exec(query) if not origins.get(match.id)]
    signed = [match for match in matches if before[match.id]]
    if not keeps:
        session.execute(delete(SignedEnd).where(col(SignedEnd.match_id).in_(match_ids)))
    entries_by_match = _entries_of(session, signed)
    ends = {}
    for match in signed:
        comments = comments_hash(entries_by_match[match.id].comments)
        end = replace(before[match.id][-1].end, names=_names(session, match), comments=comments)
        ends[match.id] = end.amended_by(amendment)
    _write(session, ends, before if keeps else {})
    unsigned = [match for match in matches if not before[match.id] and match.id not in origins]
    if unsigned:
        sign(session, unsigned, amendment=amendment)


def sign_earlier(engine: Engine, *, now: datetime) -> None:
    """Sign the games that ended before this version signed ends, except imported ones."""
    amendment = f"{moment(now)} {SIGNED_LATER}"
    while db.write_unless(
        engine,
        lambda session: session.exec(_UNSIGNED.limit(1)).first() is None or signer_for(session) is None,
        lambda session: _sign_some(session, amendment),
    ):
        pass


def _sign_some(session: Session, amendment: str) -> None:
    query = _UNSIGNED.order_by(col(Match.id)).limit(BATCH).with_for_update(of=Match)
    sign(session, session.exec(query).all(), amendment=amendment)


def _write(
    session: Session, ends: Mapping[int, GameEnd], before: Mapping[int, Sequence[Signature]]
) -> dict[int, Signature]:
    """Sign these ends and store them after the earlier ones in `before`.

    Without a signer or its key they stay unsigned.
    """
    signer = signer_for(session)
    if signer is None:
        return {}
    signed = {}
    insert = db.insert_into(session, SignedEnd).on_conflict_do_nothing()
    for match_id, end in ends.items():
        try:
            key, signature = signer.sign_text(end.text.encode())
        except SettingError:
            log.exception("the ends of %s games are not signed, because the key cannot be read", len(ends))
            break
        raise_versions(session, [of_match(match_id)])
        signed[match_id] = Signature(len(before.get(match_id, ())) + 1, end.text, key, signature)
        db.insert_row(session, insert, _row(match_id, signed[match_id]))
    return signed


def store(session: Session, match_id: int, text: str, key: str, signature: str) -> None:
    """Store the signed end of an imported record unchanged."""
    db.insert_row(session, db.insert_into(session, SignedEnd), _row(match_id, Signature(1, text, key, signature)))


def _row(match_id: int, signed: Signature) -> dict[str, Any]:
    return {"match_id": match_id, **signed._asdict()}


# -- values from the rows of a match -----------------------------------------------------


def _entries_of(session: Session, matches: Sequence[Match]) -> dict[int, _Entries]:
    rows: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    for match_id, seat, spent, *comment, head in db.rows(session, _ENTRIES, matches=[match.id for match in matches]):
        rows[match_id].append((time_tag(seat, spent), recorded_comment(*comment), head))
    return {match.id: _entries(rows[match.id], heads.first_head(match)) for match in matches}


def _entries(rows: Sequence[tuple[str, str, str]], first_head: str) -> _Entries:
    times, comments, hashes = (tuple(column) for column in zip(*rows, strict=True)) if rows else ((), (), (first_head,))
    return _Entries(times, comments, hashes[-1])


def _end_of(session: Session, match: Match, entries: _Entries, site: str) -> GameEnd:
    result, reason = played_result(match)
    assert match.ended_at is not None
    return GameEnd(
        site, match.ply, entries.head, result, tag_value(reason), moment(match.ended_at), _names(session, match),
        date_tag(match), *occasion_of(match), write_time_control(match.time_control),
        words_line(tag_value(player.words) for player in players_of(session, match.id)),
        times_hash(entries.times), comments_hash(entries.comments),
    )  # fmt: skip


def _names(session: Session, match: Match) -> tuple[str, ...]:
    return tuple(tag_value(person.handle) for person in persons_of(session, players_of(session, match.id)))
