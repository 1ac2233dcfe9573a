"""Export and import of game records."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import departed_handle_key, person_by_handle
from correspondence.archive import record_file
from correspondence.core.signing import Signer, check_signature
from correspondence.core.terms import Terms
from correspondence.fairness import ends, heads, keys
from correspondence.fairness.evidence import evidence_of
from correspondence.fairness.record_tags import time_tag
from correspondence.fairness.seeds import WordsError, checked_words
from correspondence.models import PLAYING, By, ImportedRecord, Match, Move, Person, Player, Seed
from correspondence.models.loading import moves_of, persons_of, players_of, recorded_comment, stored
from correspondence.models.terms import terms_columns
from correspondence.play.matches import clean_talk
from engines.base import CHANCE
from engines.options import options_text
from engines.record import replay
from engines.verification.checks import RecordReport, check_record
from engines.verification.claims import ClaimState
from engines.verification.ending import GameEnd, comment_hash, comments_hash, is_left_out, times_hash
from engines.verification.seals import read_seals
from engines.verification.signatures import end_of
from engines.wording import _

LONGEST_NAME, LONGEST_REASON = 40, 200
"""Maximum length of a name and of a reason from a record, in characters; the rest is cut."""


def export(session: Session, match_id: int, signer: Signer, *, now: datetime, reader: str | None = None) -> str | None:
    """Return the record of a match; None if there is no such match.

    Without a `reader` it is complete, for the operator: it includes hidden information of a running game, but never the
    seed of future draws. With a reader's handle it is redacted for that reader.
    """
    match = session.get(Match, match_id)
    if match is None:
        return None
    players = players_of(session, match_id)
    handles = [person.handle for person in persons_of(session, players)]
    moves = moves_of(session, match_id)
    evidence = evidence_of(session, match, moves, players, signer=signer, now=now)
    viewer = next((player.seat for player, name in zip(players, handles, strict=True) if name == reader), None)
    return record_file.write_record(match, moves, handles, viewer, evidence=evidence, is_whole=reader is None)


def import_record(session: Session, text: str, signer: Signer, *, now: datetime) -> int:
    """Import the finished game of a record, only once, and return its match id.

    Players are found by their handles; an unknown handle becomes a departed player. A record that no key of this
    service proves complete is marked as foreign. Raises RecordError.
    """
    report = check_record(text, check_signature, keys.own(session, signer))
    record = record_file.accepted(report)
    handles = [_plain(handle) for handle in record.handles]
    words = [_kept_words(record.tags.get(f"Words{seat}", "")) for seat in range(len(handles))]
    if record.result == PLAYING and not record.reason:
        raise record_file.RecordError(_("Only finished games can be imported; this one has no result."))
    existing_id = session.exec(select(Move.match_id).where(col(Move.hash) == record.hash)).first()
    if existing_id is not None:
        raise record_file.RecordError(_("This game is already here, as game {number}.").format(number=existing_id))
    stamps = [note.at for note in record.notes if note.at] or [now]
    match = Match(
        **terms_columns(Terms(record.game.key, options_text(record.options), record.time_control, rated=False)),
        version=record.game.version,
        chain=int(record.tags.get("Chain", 1)),
        result=record.result,
        reason=_plain(record.reason, LONGEST_REASON) if record.reason else "",
        ply=len(record.entries),
        position=stored(replay(record.game, record.options, record.entries)),
        started_at=stamps[0],
        ended_at=stamps[-1],
    )
    session.add(match)
    session.flush()
    for seat, (handle, seat_words) in enumerate(zip(handles, words, strict=True)):
        person = person_by_handle(session, handle) or _departed_person(session, handle, now)
        session.add(
            Player(match_id=match.id, person_id=person.id, seat=seat, bank=0, ended_at=match.ended_at, words=seat_words)
        )
    moves = _add_moves(session, match, record, stamps[0], is_signed=report.is_proven_whole)
    _add_origin(session, match, record, moves, report)
    return match.id


def _add_origin(
    session: Session, match: Match, record: record_file.Record, moves: list[Move], report: RecordReport
) -> None:
    """Store the origin of an imported record: seed, site, signer, and signed end."""
    tags = record.tags
    if "Seed" in tags:
        session.add(Seed(match_id=match.id, secret=bytes.fromhex(tags["Seed"])))
    is_kept = report.is_proven_whole and report.record is not None and _tells(moves, end := end_of(report.record))
    session.add(
        ImportedRecord(
            match_id=match.id,
            site=tags.get("Site", ""),
            key=tags.get("Key", ""),
            signature=tags.get("Signature", ""),
            is_foreign=not (is_kept and report.state == ClaimState.HOLDS),
        )
    )
    session.flush()
    if is_kept:
        ends.store(session, match.id, end.text, tags["EndKey"], tags["End"])


def _tells(moves: list[Move], end: GameEnd) -> bool:
    """Whether the stored times and comments are equal to the signed ones."""
    times = times_hash(time_tag(move.seat, move.spent) for move in moves)
    comments = comments_hash(recorded_comment(move.comment, move.comment_hash) for move in moves)
    return (times, comments) == (end.times, end.comments)


def _kept_words(text: str) -> str:
    """Return a player's words in a record; raise RecordError if they are not allowed here."""
    try:
        if checked_words(text) == text:
            return text
    except WordsError as error:
        raise record_file.RecordError(str(error)) from error
    raise record_file.RecordError(_("A player's own randomness in this record is not in the form that is hashed."))


def _plain(text: str, longest: int = LONGEST_NAME) -> str:
    """Clean a name or reason of a record for storing; raise RecordError if nothing is left."""
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:longest]
    if not cleaned:
        raise record_file.RecordError(_("A name in this record has no visible character."))
    return cleaned


def _departed_person(session: Session, handle: str, now: datetime) -> Person:
    keys = (handle.casefold(), departed_handle_key(handle))
    existing = session.exec(select(Person).where(col(Person.handle_key).in_(keys))).first()
    if existing is not None:
        return existing
    person = Person(handle=handle, handle_key=handle.casefold(), joined_at=now, departed_at=now)
    session.add(person)
    session.flush()
    return person


def _add_moves(
    session: Session, match: Match, record: record_file.Record, start: datetime, *, is_signed: bool
) -> list[Move]:
    """Add the entries of a record.

    A signed comment that cannot be displayed unchanged is stored as its hash.
    """
    head, named = heads.first_head(match), read_seals(record.tags.get("Seals", "")) or {}
    moves = []
    for ply, (entry, note) in enumerate(zip(record.entries, record.notes, strict=True), start=1):
        comment = clean_talk(note.comment)
        is_shown = not is_left_out(note.comment) and (comment == note.comment or not is_signed)
        move = Move(
            match_id=match.id,
            ply=ply,
            seat=entry.seat,
            text=entry.text,
            at=note.at or start,
            spent=int(note.spent.total_seconds()),
            by=By.CHANCE if entry.seat == CHANCE else By.MAIL,
            comment=comment if is_shown else "",
            comment_hash="" if is_shown else comment_hash(note.comment),
            seal=named.get(ply, ""),
            hash="",
        )
        move.hash = head = heads.next_head(match, head, move)
        session.add(move)
        moves.append(move)
    return moves
