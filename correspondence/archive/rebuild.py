"""Games rebuilt from the letters that players hold, each entry proved by the signed heads of the letters.

A letter tells moves, and its header the head of the record after so many entries, signed by the service. The moments of
entries are those of letters. So an entry is known when its text and its moment give the next head: what no letter tells
can often be found, and what does not lead to a signed head is never taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from correspondence.archive.rebuild_facts import LetterFacts, facts_of_letters
from correspondence.archive.rebuild_search import NotFound, RestoredGame, Search
from correspondence.archive.record_file import write_record
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.core.signing import check_signature
from correspondence.core.terms import Terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.fairness import heads
from correspondence.fairness.evidence import Evidence
from correspondence.mime.mailboxes import GameLetter
from correspondence.models import PLAYING, By, Match
from correspondence.models.loading import MadeMove, ending
from correspondence.models.terms import terms_columns
from engines import GAMES
from engines.verification.chain import signed_message
from engines.verification.checks import ClaimState, RecordReport, check_record
from engines.verification.record_text import AGREEMENT, RESIGNATION, TIME, result_of
from engines.verification.seals import write_seals
from engines.wording import _

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """One game as far as its letters tell it.

    `record` is its text, empty where nothing could be rebuilt; `report` is what was checked of it. `gaps` say what is
    missing, `wrong` which letters were left out and why.
    """

    name: str
    number: int
    record: str = ""
    report: RecordReport | None = None
    gaps: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether everything that the record claims holds, and the game is over."""
        return self.report is not None and self.report.state == ClaimState.HOLDS and not self.gaps


@dataclass(frozen=True, slots=True)
class _Signed:
    """A letter whose head one of the keys signed for this page."""

    letter: GameLetter
    site: str
    key: str


def rebuild(letters: Iterable[GameLetter], keys: Sequence[str]) -> list[Rebuilt]:
    """Every game that these letters tell of, in the order of their numbers. `keys` are public keys in base64.

    Letters whose head none of the keys signed are named, and nothing of them is taken.
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
    named = (*wrong[:_MOST_NAMED], *([_("Left out besides: {count} letters.").format(count=more)] if more > 0 else []))
    number, name = letters[0].number, f"{letters[0].number} ({letters[0].domain})"
    if not signed:
        return Rebuilt(
            name, number, gaps=(_("No letter of this game has a head that a known key signed."),), wrong=named
        )
    facts = facts_of_letters([one.letter for one in signed])
    record, gaps = _carried(signed, facts) or _searched(signed, facts)
    report = check_record(record, check_signature) if record else None
    return Rebuilt(signed[-1].site, number, record, report, tuple(gaps), named)


def _signed(letter: GameLetter, sites: Sequence[str], keys: Sequence[str]) -> _Signed | None:
    if not letter.head:
        return None
    for site in dict.fromkeys([*letter.sites, *sites[:20]]):
        for key in keys:
            if check_signature(key, letter.signature, signed_message(site, letter.ply, letter.head)):
                return _Signed(letter, site, key)
    return None


def _course(signed: Sequence[_Signed]) -> dict[int, _Signed]:
    """The signed heads of the game as it stands last, by number of entries; what was taken back is gone."""
    course: dict[int, _Signed] = {}
    for one in signed:
        known = course.get(one.letter.ply)
        is_other = known is not None and known.letter.head != one.letter.head
        for ply in [ply for ply in course if ply > one.letter.ply or (is_other and ply == one.letter.ply)]:
            del course[ply]
        course[one.letter.ply] = one
    return course


def _carried(signed: Sequence[_Signed], facts: LetterFacts) -> tuple[str, list[str]] | None:
    """The newest record of a finished game that a letter carries whole, if it holds and ends in a signed head."""
    known = {one.letter.head for one in signed}
    for text in reversed(facts.records):
        report = check_record(text, check_signature)
        record = report.record
        if record is not None and record.is_over and report.state == ClaimState.HOLDS and record.tags["Hash"] in known:
            return text, []
    return None


def _searched(signed: Sequence[_Signed], facts: LetterFacts) -> tuple[str, list[str]]:
    course = _course(signed)
    search = Search(facts, {ply: one.letter.head for ply, one in course.items()})
    try:
        found = search.start()
    except NotFound as failed:
        return "", [str(failed)]
    gaps: list[str] = []
    last = max(course)
    while len(found.entries) < last:
        try:
            found = search.go_on(found)
        except NotFound as failed:
            gaps.append(str(failed))
            break
    return _written(found, course, facts, gaps, is_all=not gaps), gaps


def _written(
    found: RestoredGame, course: Mapping[int, _Signed], facts: LetterFacts, gaps: list[str], *, is_all: bool
) -> str:
    """The record of what was found; what letters do not tell is added to `gaps`."""
    result, reason = _result(found, facts) if is_all else (PLAYING, "")
    if facts.seed and not reason and is_all:
        gaps.append(_("No letter tells how the game ended."))
    match = _match(found, result, reason)
    moves = [
        MadeMove(ply, entry.seat, entry.text, entry.at, 0, None, By.MAIL, "", "", entry.seal)
        for ply, entry in enumerate(found.entries, start=1)
    ]
    end = course.get(len(moves))
    evidence = Evidence(
        heads.CHAIN,
        len(moves),
        found.head,
        words=facts.words,
        commitment=facts.commitment or (sha256(bytes.fromhex(facts.seed)).hexdigest() if facts.seed else ""),
        seed=facts.seed if result != PLAYING or reason else "",
        seals=write_seals({move.ply: move.seal for move in moves if move.seal}),
        site=end.site if end else next(iter(course.values())).site,
        key=end.key if end else "",
        signature=end.letter.signature if end else "",
    )
    text = write_record(match, moves, _handles(match, facts, gaps), None, evidence=evidence)
    return text.replace(" [%emt 0:00:00]", "")  # how long a move took is told nowhere


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
            gaps.append(_("No letter tells who played {seat}.").format(seat=_(name)))
        handles.append(facts.handles.get(seat, "unknown"))
    return handles


def _result(found: RestoredGame, facts: LetterFacts) -> tuple[str, str]:
    """Result and reason: by the rules, else by the sentence in the last letters; nothing while the game goes on."""
    outcome = found.position.outcome
    if outcome is not None:
        return result_of(outcome), outcome.reason
    ends = [("1-0", RESIGNATION), ("0-1", RESIGNATION), ("1-0", TIME), ("0-1", TIME), ("1/2-1/2", AGREEMENT),
            ("1/2-1/2", TIME)]  # fmt: skip
    for language in LANGUAGES:
        with in_language(language):
            for result, reason in ends:
                if ending(_match(found, result, reason)) in facts.endings:
                    return result, reason
    return PLAYING, ""
