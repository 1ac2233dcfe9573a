"""Answers to read-only commands: board, history, record, seeks, settings, letters.

Each answer is an entry of the transcript letter, already redacted for its reader.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.archive import record_file
from correspondence.commands.setting_list import SETTINGS, Setting
from correspondence.commands.settings_line import settings_line
from correspondence.core.i18n import moment, weekday
from correspondence.core.signing import Signer
from correspondence.core.time_control import in_words
from correspondence.fairness.evidence import evidence_of, foreign_origins
from correspondence.matchmaking.seek_list import SeekView, own_seeks, visible_seeks
from correspondence.models import Match, Person
from correspondence.models.loading import (
    ending,
    entries_of,
    game_of,
    moves_of,
    options_of,
    persons_of,
    players_of,
    position_of,
)
from correspondence.outbound import delivery_log
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.letter_context import board_for
from correspondence.play.matches import MatchError
from correspondence.play.puzzles import may_see
from engines.base import CHANCE, Viewer
from engines.record import transcript
from engines.wording import _

MOST_LISTED = 200
"""Maximum number of rows in a list in a letter."""


def show(session: Session, person: Person, match_id: int | None) -> TranscriptEntry:
    """Show the board of a match, redacted for this person. Raises MatchError."""
    match, seat = match_and_seat(session, person, match_id)
    scene = position_of(match).scene(seat)
    head = ending(match) or scene.title
    return TranscriptEntry(
        "",
        _("The board of game {number}: {head}").format(number=match.id, head=head) + _elsewhere(session, match),
        block=board_for(person, scene, seat or 0),
    )


def history(session: Session, person: Person, match_id: int | None) -> TranscriptEntry:
    """List the moves of a match, its result and the current board. Raises MatchError."""
    match, seat = match_and_seat(session, person, match_id)
    entries = entries_of(moves_of(session, match.id))
    visible_entries = transcript(game_of(match), options_of(match), entries, seat)
    names = {CHANCE: "*", **{seat: _(name) for seat, name in enumerate(game_of(match).seats)}}
    lines = [f"{ply}. {names[entry.seat]}: {entry.text}" for ply, entry in enumerate(visible_entries, start=1)]
    scene = position_of(match).scene(seat)
    board = board_for(person, scene, seat or 0)
    moves = "\n".join(lines) or _("nothing has been played yet")
    return TranscriptEntry(
        "",
        _("The moves of game {number}:").format(number=match.id) + _elsewhere(session, match),
        block="\n\n".join([moves, ending(match) or scene.title, board]),
    )


def _elsewhere(session: Session, match: Match) -> str:
    """Record that a record was imported and not signed by us; empty for other records."""
    if not foreign_origins(session, [match.id]):
        return ""
    return " " + _("This game was imported; its record was signed elsewhere, or not at all.")


def record(session: Session, person: Person, match_id: int | None, *, signer: Signer, now: datetime) -> TranscriptEntry:
    """Return the record of a match, redacted for this person; raises MatchError."""
    match, seat = match_and_seat(session, person, match_id)
    return TranscriptEntry(
        "", _("The record of game {number}:").format(number=match.id), block=_record(session, match, seat, signer, now)
    )


def _record(session: Session, match: Match, viewer: Viewer, signer: Signer, now: datetime) -> str:
    players, moves = players_of(session, match.id), moves_of(session, match.id)
    handles = [person.handle for person in persons_of(session, players)]
    evidence = evidence_of(session, match, moves, players, signer=signer, now=now)
    return record_file.write_record(match, moves, handles, viewer, evidence=evidence)


def seeks(session: Session, person: Person, *, now: datetime) -> TranscriptEntry:
    """List the person's own seeks and the open ones, each with the conditions they meet or miss."""
    lines = [
        seek_line(seek, person)
        + (f"\n    {seek.program_mark}" if seek.program_mark else "")
        + "".join(f"\n    {_sign(reason.is_met)} {reason.sentence}" for reason in seek.reasons)
        + (f"\n    # {seek.commitment}" if seek.commitment else "")
        for seek in visible_seeks(session, person.id, now=now)
    ]
    is_any_committed = any("\n    # " in line for line in lines)
    lines += [seek_line(seek, person) for seek in own_seeks(session, person.id, now=now)]
    if not lines:
        return TranscriptEntry(
            "", _("Nobody is looking for a partner. Be the first: write, for example, seek duel 3 days")
        )
    head = _("Open seeks; write accept and the number to take one:")
    if is_any_committed:
        head += " " + _("After # comes the fingerprint of the secret that decides all chance in that game.")
    return TranscriptEntry("", head, block="\n".join(lines))


def _sign(is_met: bool) -> str:
    return "+" if is_met else "-"


def seek_line(seek: SeekView, person: Person) -> str:
    """Format a seek: its terms and, for another person's seek, whether the reader qualifies."""
    terms = seek.terms
    facts = [
        seek.game,
        terms.option_words,
        in_words(terms.time_control),
        "" if terms.rated else _("unrated"),
        seek.count,
    ]
    if seek.seat_name:
        facts.append(_("{handle} plays {seat}").format(handle=seek.handle, seat=seek.seat_name))
    offered = ", ".join(fact for fact in facts if fact)
    if not seek.is_mine:
        suits = _("you qualify") if seek.is_eligible else _("you do not qualify")
        return f"{seek.number}. {seek.handle}: {offered} ({suits})"
    if seek.expires_at is None:
        return _("{number}. yours: {what} (over; renew {number} opens it again)").format(
            number=seek.number, what=offered
        )
    expires = moment(seek.expires_at, person.zone, person.language)
    line = _("{number}. yours: {what} (until {when})").format(number=seek.number, what=offered, when=expires)
    if seek.paused_until is None:
        return line
    rest_ends = weekday(seek.paused_until, person.zone, person.language)
    return f"{line} " + _("– it is paused until {when}, while you are away").format(when=rest_ends)


def settings(person: Person) -> TranscriptEntry:
    """List a person's settings, each with the line that changes it."""
    rows = [
        f"{_(setting.title)}: {setting.value(person)}\n    · {_line(name, setting, person)}"
        for name, setting in SETTINGS.items()
    ]
    head = _("Your settings, and a line that changes each. The pages for it: %%base%%/settings")
    return TranscriptEntry("", head, block="\n".join(rows))


def setting(person: Person, name: str) -> TranscriptEntry:
    """Describe one setting: its current value and the possible values."""
    one = SETTINGS[name]
    sentence = _("{title}: {value}. To change it, write for example: {line}")
    return TranscriptEntry(
        "", sentence.format(title=_(one.title), value=one.value(person), line=_line(name, one, person))
    )


def _line(name: str, setting: Setting, person: Person) -> str:
    return settings_line(name, setting.example(person), person.language)


def letters(session: Session, person: Person) -> TranscriptEntry:
    """List the last letters to a person with their delivery status."""
    lines = [
        f"{moment(letter.at, person.zone, person.language)}: {letter.kind}"
        + (" " + _("(game {number})").format(number=letter.match) if letter.match else "")
        + f"\n    {letter.outcome}"
        for letter in delivery_log.last_letters(session, person.id)
    ]
    return TranscriptEntry("", _("Your latest letters:"), block="\n".join(lines) or _("none yet"))


def match_and_seat(session: Session, person: Person, match_id: int | None) -> tuple[Match, Viewer]:
    """Return a visible match and the person's seat (None for an onlooker). Raises MatchError."""
    if match_id is None:
        raise MatchError(_("Please say which game: its number is in its letters."))
    match = session.get(Match, match_id)
    if match is None or not may_see(session, match, person.id):
        raise MatchError(_("There is no game {number}.").format(number=match_id))
    seats = {player.person_id: player.seat for player in players_of(session, match.id)}
    return match, seats.get(person.id)
