"""Evidence of a match: its commitment, words, seals, head and, once it is over, its seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlalchemy import select as columns_of
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.core.signing import Signer
from correspondence.fairness import heads, seeds
from correspondence.fairness.ends import Signature
from correspondence.models import ImportedRecord, Match, Move, Player, SignedEnd
from correspondence.models.loading import MadeMove, persons_of, players_of
from engines.verification.seals import write_seals
from engines.wording import N_


@dataclass(frozen=True, slots=True)
class Evidence:
    """The public evidence about a match; hashes, seals and seeds are in hex, keys in base64.

    `seed` is empty while the match runs. `commitment` and `seals` are empty in matches older than commitments. `site`
    is the URL that the signature contains. `ends` are all signatures of the match's end, oldest first.
    """

    chain: int
    ply: int
    head: str
    words: tuple[str, ...] = ()
    commitment: str = ""
    seed: str = ""
    seals: str = ""
    site: str = ""
    key: str = ""
    signature: str = ""
    is_foreign: bool = False
    is_imported: bool = False
    ends: tuple[Signature, ...] = ()

    @property
    def end(self) -> Signature | None:
        """The valid signature of the end, or None."""
        return self.ends[-1] if self.ends else None

    @property
    def tags(self) -> dict[str, str]:
        """The record tags that contain this evidence."""
        if self.chain < heads.CHAIN:
            return {"Hash": self.head}
        words = {f"Words{seat}": text for seat, text in enumerate(seeds.both_words(self.words))}
        seed = {"Seed": self.seed} if self.seed else {}
        signature = {"Signature": self.signature, "Key": self.key} if self.signature else {}
        proofs = {"Chain": str(self.chain), "Hash": self.head, "Seals": self.seals}
        return {"Commitment": self.commitment, **words, **seed, **proofs, **signature}


HEAD_SHOWN = 8
"""Number of a head's leading digits that people compare."""


@dataclass(frozen=True, slots=True)
class LetterEvidence:
    """The evidence in one letter of a game, in hex; empty if the letter does not show it.

    `head` is that of the record with `ply` entries. `seals` are those of the entries in the letter, by number. `words`
    are pairs of a player's handle and contribution to random draws.
    """

    ply: int = 0
    head: str = ""
    seals: tuple[tuple[int, str], ...] = ()
    commitment: str = ""
    seed: str = ""
    words: tuple[tuple[str, str], ...] = ()
    is_proof_told: bool = True
    """Whether the letter's text shows commitment and seed too, not only its header."""

    @property
    def seed_field(self) -> str:
        """The header value with commitment and seed; empty if there is neither."""
        values = (("commitment", self.commitment), ("seed", self.seed))
        return "; ".join(f"{name}={value}" for name, value in values if value)

    @property
    def short_head(self) -> str:
        """The leading digits of the head, for people to compare."""
        return self.head[:HEAD_SHOWN]


def letter_evidence(session: Session, match: Match, *, entries: int, is_first: bool, now: datetime) -> LetterEvidence:
    """Return the evidence for a letter about the last `entries` of a match.

    The first letter to a player shows the commitment and the words, the last one the seed. In a game without chance and
    sealed choices, only the header does.
    """
    head = heads.head_after(session, match)
    if match.chain < heads.CHAIN:
        return LetterEvidence(match.ply, head)
    return LetterEvidence(
        match.ply,
        head,
        seals=_last_seals(session, match, entries) if entries else (),
        commitment=seeds.commitment_of_match(session, match) if is_first else "",
        seed=seeds.opened_seed(session, match, now=now),
        words=_words_of(session, match.id) if is_first else (),
        is_proof_told=seeds.has_chance(match.game, match.options) or _has_seals(session, match),
    )


def _has_seals(session: Session, match: Match) -> bool:
    """Whether a finished match has sealed entries."""
    return match.ended_at is not None and bool(_last_seals(session, match, match.ply))


_SEALS = (
    select(Move.ply, Move.seal)
    .where(col(Move.match_id) == bindparam("match"), col(Move.ply) > bindparam("ply"), col(Move.seal) != "")
    .order_by(col(Move.ply))
)


def _words_of(session: Session, match_id: int) -> tuple[tuple[str, str], ...]:
    players = players_of(session, match_id)
    persons = persons_of(session, players)
    return tuple((who.handle, one.words) for who, one in zip(persons, players, strict=True) if one.words)


def note_seal(session: Session, match: Match, seal: str) -> None:
    """Cache the seal of a match's last entry for letters in this transaction; "" for none."""
    db.session_cache(session)["seal", match.id, match.ply] = seal


def _last_seals(session: Session, match: Match, entries: int) -> tuple[tuple[int, str], ...]:
    """Return the seals of the last entries, by number, for those that have one."""
    known, first = db.session_cache(session), match.ply - entries
    noted = {number: known.get(("seal", match.id, number)) for number in range(first + 1, match.ply + 1)}
    if None in noted.values():
        return tuple((number, seal) for number, seal in db.rows(session, _SEALS, match=match.id, ply=first))
    return tuple((number, seal) for number, seal in noted.items() if seal)


def evidence_of(
    session: Session,
    match: Match,
    moves: Sequence[MadeMove],
    players: Sequence[Player],
    *,
    signer: Signer,
    now: datetime,
) -> Evidence:
    """Return the evidence about a match; an imported one keeps its record's site and signature."""
    head = moves[-1].hash if moves else heads.first_head(match)
    imported, signed = _origin_and_ends(session, match.id) if match.ended_at is not None else (None, ())
    site = imported.site if imported is not None else signed[-1].end.site if signed else signer.site(match.id)
    is_foreign = imported is not None and imported.is_foreign
    found = Evidence(
        match.chain, match.ply, head, site=site, is_foreign=is_foreign, is_imported=imported is not None, ends=signed
    )
    if match.chain < heads.CHAIN:
        return found
    key, signature = (
        (imported.key, imported.signature) if imported is not None else signer.key_and_signature(site, match.ply, head)
    )
    return replace(
        found,
        words=tuple(player.words for player in players),
        commitment=seeds.commitment_of_match(session, match),
        seed=seeds.opened_seed(session, match, now=now),
        seals=write_seals({move.ply: move.seal for move in moves if move.seal}),
        key=key,
        signature=signature,
    )


_ORIGIN_AND_ENDS = (
    columns_of(
        *(getattr(ImportedRecord, name) for name in ("site", "key", "signature", "is_foreign")),
        *(getattr(SignedEnd, name) for name in Signature._fields),
    )
    .select_from(Match)
    .outerjoin(ImportedRecord, col(ImportedRecord.match_id) == col(Match.id))
    .outerjoin(SignedEnd, col(SignedEnd.match_id) == col(Match.id))
    .where(col(Match.id) == bindparam("match"))
    .order_by(col(SignedEnd.number))
)


class _Origin(NamedTuple):
    """The origin of an imported match's record, and the signer of its head."""

    site: str
    key: str
    signature: str
    is_foreign: bool


def _origin_and_ends(session: Session, match_id: int) -> tuple[_Origin | None, tuple[Signature, ...]]:
    """Return the origin of a match's record, if imported, and the signatures of its end."""
    rows = db.rows(session, _ORIGIN_AND_ENDS, match=match_id)
    width = len(_Origin._fields)
    origin = _Origin(*rows[0][:width]) if rows and rows[0][0] is not None else None
    return origin, tuple(Signature(*row[width:]) for row in rows if row[width] is not None)


_FOREIGN = select(ImportedRecord.match_id, ImportedRecord.site).where(
    col(ImportedRecord.match_id).in_(bindparam("matches", expanding=True)), col(ImportedRecord.is_foreign).is_(True)
)


ORIGINS: dict[str, str] = {}
"""What lists say about imported games, by their tag Site, marked for translation; features add theirs."""


def foreign_origins(session: Session, match_ids: Iterable[int]) -> dict[int, str]:
    """Return the imported matches among these that no key of this service signed, with what lists say about them."""
    numbers = sorted(match_ids)
    found = db.rows(session, _FOREIGN, matches=numbers) if numbers else ()
    return {number: ORIGINS.get(site, N_("imported, not signed here")) for number, site in found}
