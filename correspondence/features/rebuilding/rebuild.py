"""Rebuild records from players' letters, proved by the letters' signed heads.

A letter contains moves, and in its header a signed head of the record with its number of entries. The times of entries
are those of letters. An entry is proved if its text and time give the next head. So missing entries can often be found
by search, and nothing is accepted that does not lead to a signed head.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from correspondence.archive.record_file import write_record
from correspondence.core.signing import check_signature
from correspondence.core.terms import Terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.fairness import heads
from correspondence.fairness.ends import Signature
from correspondence.fairness.evidence import Evidence
from correspondence.features.rebuilding.facts import LetterFacts, facts_of_letters
from correspondence.features.rebuilding.mailboxes import GameLetter
from correspondence.features.rebuilding.search import NotFound, RestoredGame, Search
from correspondence.models import PLAYING, By, Match
from correspondence.models.loading import MadeMove
from correspondence.models.terms import terms_columns
from engines import GAMES
from engines.verification.chain import signed_message
from engines.verification.checks import RecordReport, check_record
from engines.verification.claims import ClaimState
from engines.verification.ending import GameEnd, by_hash, comments_hash, read_end, times_hash
from engines.verification.record_text import result_of
from engines.verification.seals import write_seals
from engines.verification.signatures import end_of
from engines.wording import _

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """One game, as far as its letters allow to rebuild it.

    `record` is its text, empty if nothing could be rebuilt; `report` holds the checks. `gaps` describe what is missing,
    `wrong` which letters were ignored and why.
    """

    name: str
    number: int
    record: str = ""
    report: RecordReport | None = None
    gaps: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all claims of the record hold and the game is over."""
        return self.report is not None and self.report.state == ClaimState.HOLDS and not self.gaps


@dataclass(frozen=True, slots=True)
class _Signed:
    """A letter whose head for this page is signed by one of the keys."""

    letter: GameLetter
    site: str
    key: str


@dataclass(frozen=True, slots=True)
class _ProvenEnd:
    """A signed end. `notes` are the time and comment hash of each entry, as far as known."""

    end: GameEnd
    key: str
    signature: str
    notes: tuple[tuple[int, str], ...] = ()


def rebuild(letters: Iterable[GameLetter], keys: Sequence[str]) -> list[Rebuilt]:
    """Rebuild every game in these letters, ordered by number.

    `keys` are public keys in base64. Letters whose head none of the keys signed are reported and ignored.
    """
    games: dict[tuple[str, int], list[GameLetter]] = defaultdict(list)
    for letter in letters:
        games[letter.domain, letter.number].append(letter)
    return [_rebuilt(games[key], keys) for key in sorted(games)]


def _rebuilt(letters: Sequence[GameLetter], keys: Sequence[str]) -> Rebuilt:
    sites = [site for letter in letters for site in letter.sites]
    judged = [(letter, _signed(letter, sites, keys)) for letter in letters]
    signed = sorted(
        (one for _letter, one in judged if one is not None), key=lambda one: (one.letter.at, one.letter.ply)
    )
    wrong = [
        _("Left out, because no known key signed its head: {name}").format(name=letter.name)
        for letter, one in judged
        if one is None
    ]
    more = len(wrong) - _MOST_NAMED
    named = (*wrong[:_MOST_NAMED], *([_("Also left out: {count} letters.").format(count=more)] if more > 0 else []))
    number, name = letters[0].number, f"{letters[0].number} ({letters[0].domain})"
    if not signed:
        return Rebuilt(
            name, number, gaps=(_("No letter of this game has a head that a known key signed."),), wrong=named
        )
    proven_sites = {one.site for one in signed}
    facts = facts_of_letters([one.letter for one in signed], proven_sites)
    ends = _proven_ends(letters, facts, proven_sites, keys)
    if len(ends) > 1:
        gap = _("Its letters prove {count} different ends. Nothing is written until you leave out all but one.")
        return Rebuilt(name, number, gaps=(gap.format(count=len(ends)),), wrong=named)
    end = next(iter(ends.values()), None)
    record, gaps = _carried(facts, keys) or _searched(signed, facts, end)
    report = check_record(record, check_signature, keys) if record else None
    return Rebuilt(signed[-1].site, number, record, report, tuple(gaps), named)


def _proven_ends(
    letters: Sequence[GameLetter], facts: LetterFacts, sites: Collection[str], keys: Sequence[str]
) -> dict[str, _ProvenEnd]:
    """Return this game's ends signed by one of the keys, by text, from headers and attachments."""
    ends: dict[str, _ProvenEnd] = {}
    for letter in letters:
        if letter.end is None or (end := read_end(letter.end[0])) is None or end.site not in sites:
            continue
        for key in keys:
            if check_signature(key, letter.end[1], letter.end[0].encode()):
                known = ends.get(end.text)
                notes = known.notes if known is not None and known.notes else _notes(letter.notes, end)
                ends[end.text] = _ProvenEnd(end, key, letter.end[1], notes)
    for text in facts.records:
        report = check_record(text, check_signature, keys)
        if report.record is not None and report.is_proven_whole and report.record.tags["EndKey"] in keys:
            end, tags = end_of(report.record), report.record.tags
            ends.setdefault(end.text, _ProvenEnd(end, tags["EndKey"], tags["End"]))
    return ends


def _notes(words: Sequence[str], end: GameEnd) -> tuple[tuple[int, str], ...]:
    """Return each entry's time in seconds and comment hash, if they match the signature."""
    pairs = [word.partition("=") for word in words]
    times = ["" if time == "-" else time for time, _sign, _hash in pairs]
    comments = [by_hash(comment) if comment else "" for _time, _sign, comment in pairs]
    if (times_hash(times), comments_hash(comments)) != (end.times, end.comments):
        return ()
    return tuple((_seconds(time), comment) for time, (_time, _sign, comment) in zip(times, pairs, strict=True))


def _seconds(time: str) -> int:
    hours, minutes, seconds = (int(part) for part in (time or "0:0:0").split(":"))
    return 3600 * hours + 60 * minutes + seconds


def _signed(letter: GameLetter, sites: Sequence[str], keys: Sequence[str]) -> _Signed | None:
    if not letter.head:
        return None
    for site in dict.fromkeys([*letter.sites, *sites[:20]]):
        for key in keys:
            if check_signature(key, letter.signature, signed_message(site, letter.ply, letter.head)):
                return _Signed(letter, site, key)
    return None


def _course(signed: Sequence[_Signed]) -> dict[int, _Signed]:
    """Return the signed heads by number of entries, without those of moves taken back."""
    course: dict[int, _Signed] = {}
    for one in signed:
        known = course.get(one.letter.ply)
        is_other = known is not None and known.letter.head != one.letter.head
        for ply in [ply for ply in course if ply > one.letter.ply or (is_other and ply == one.letter.ply)]:
            del course[ply]
        course[one.letter.ply] = one
    return course


def _carried(facts: LetterFacts, keys: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the newest complete record attached to a letter, if all its claims hold."""
    for text in reversed(facts.records):
        report = check_record(text, check_signature, keys)
        if report.is_proven_whole and report.state == ClaimState.HOLDS:
            return text, []
    return None


def _searched(signed: Sequence[_Signed], facts: LetterFacts, end: _ProvenEnd | None) -> tuple[str, list[str]]:
    """Return the record found by search, up to the last head or the proved end.

    A proved end overrides every head.
    """
    if end is None:
        known = {ply: {one.letter.head} for ply, one in _course(signed).items()}
        last = max(known)
        (head,) = known[last]
    else:
        last, head = end.end.entries, end.end.head
        known = {ply: {one.letter.head for one in signed if one.letter.ply == ply} for ply in range(last)}
        known = {ply: found for ply, found in known.items() if found} | {last: {head}}
    try:
        found, missing = Search(facts, known).game(last, head)
    except NotFound as failed:
        return "", [str(failed)]
    gaps = [missing] if missing else []
    if missing or end is None:
        return _unended(found, signed, facts, gaps), gaps
    return _ended(found, signed, facts, end, gaps), gaps


def _ended(found: RestoredGame, signed: Sequence[_Signed], facts: LetterFacts, end: _ProvenEnd, gaps: list[str]) -> str:
    """Return the record of a game with a proved end; add missing facts to `gaps`."""
    signature = Signature(1, end.end.text, end.key, end.signature)
    evidence = replace(_evidence(found, signed, facts), site=end.end.site, is_imported=True, ends=(signature,))
    match = _match(found, end.end.result, end.end.reason)
    notes = end.notes or ((0, ""),) * len(found.entries)
    text = write_record(match, _moves(found, notes), end.end.names, None, evidence=evidence)
    if end.notes or not found.entries:
        return text
    gaps.append(_("No letter shows how long each move took, or what was said with it."))
    return _without_times(text)


def _unended(found: RestoredGame, signed: Sequence[_Signed], facts: LetterFacts, gaps: list[str]) -> str:
    """Return the record of a game without a proved end: unfinished, unless its moves end it."""
    outcome = found.position.outcome
    result, reason = (result_of(outcome), outcome.reason) if outcome is not None else (PLAYING, "")
    if (facts.seed or outcome is not None) and not gaps:
        gaps.append(_("No letter proves how the game ended."))
    match, evidence = _match(found, result, reason), _evidence(found, signed, facts)
    if result == PLAYING:
        evidence = replace(evidence, seed="")
    notes = ((0, ""),) * len(found.entries)
    return _without_times(
        write_record(match, _moves(found, notes), _handles(match, facts, gaps), None, evidence=evidence)
    )


def _evidence(found: RestoredGame, signed: Sequence[_Signed], facts: LetterFacts) -> Evidence:
    last = next((one for one in signed if one.letter.head == found.head), None)
    return Evidence(
        heads.CHAIN,
        len(found.entries),
        found.head,
        words=facts.words,
        commitment=facts.commitment or (sha256(bytes.fromhex(facts.seed)).hexdigest() if facts.seed else ""),
        seed=facts.seed,
        seals=write_seals({ply: entry.seal for ply, entry in enumerate(found.entries, start=1) if entry.seal}),
        site=last.site if last else signed[0].site,
        key=last.key if last else "",
        signature=last.letter.signature if last else "",
    )


def _moves(found: RestoredGame, notes: Sequence[tuple[int, str]]) -> list[MadeMove]:
    return [
        MadeMove(ply, entry.seat, entry.text, entry.at, spent, None, By.MAIL, "", "", entry.seal, comment)
        for ply, (entry, (spent, comment)) in enumerate(zip(found.entries, notes, strict=True), start=1)
    ]


def _without_times(record: str) -> str:
    """Remove the times that moves took from a record."""
    return record.replace(" [%emt 0:00:00]", "")


def _match(found: RestoredGame, result: str, reason: str) -> Match:
    first = found.entries[0].at if found.entries else datetime(1970, 1, 1, tzinfo=UTC)
    return Match(
        **terms_columns(Terms(found.game.key, found.options, DEFAULT_TIME_CONTROL, rated=False)),
        id=0, version=found.game.version, chain=heads.CHAIN, result=result, reason=reason, ply=len(found.entries),
        position="", started_at=first, ended_at=first,
    )  # fmt: skip


def _handles(match: Match, facts: LetterFacts, gaps: list[str]) -> list[str]:
    handles = []
    for seat, name in enumerate(GAMES[match.game].seats):
        if seat not in facts.handles:
            gaps.append(_("No letter shows who played {seat}.").format(seat=_(name)))
        handles.append(facts.handles.get(seat, "unknown"))
    return handles
