"""Answers to read-only commands: games, board, history, record, rules, seeks, settings, letters.

Each answer is an entry of the transcript letter, already redacted for its reader.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from correspondence.archive import record_file
from correspondence.clocks import calendars
from correspondence.core.i18n import LANGUAGES, moment, weekday
from correspondence.core.time_control import in_words
from correspondence.matchmaking.challenges import challenges_to, game_by_key
from correspondence.matchmaking.seek_list import SeekView, own_seeks, visible_seeks
from correspondence.models import Match, Person, Player
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
from correspondence.play.matches import MatchError
from correspondence.play.puzzles import may_see
from engines import GAMES, text
from engines.base import CHANCE, Viewer
from engines.options import choices_of
from engines.record import transcript
from engines.wording import _, listing

MOST_LISTED = 200
"""Most rows of a list in a letter."""


def games(session: Session, person: Person, *, now: datetime) -> TranscriptEntry:
    """List a person's running games (those where it is their turn first, by deadline) and the challenges to them."""
    running = (
        select(Player, Match)
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id) == person.id, col(Match.ended_at).is_(None))
        .order_by(col(Player.since).is_(None), col(Match.deadline), col(Match.id))
        .limit(MOST_LISTED)
    )
    lines = [_game_line(session, person, player, match) for player, match in session.exec(running)]
    lines += [
        _("challenge {number}: {who} asks you to play {game}").format(
            number=seek.id, who=session.get_one(Person, seek.person_id).handle, game=_(GAMES[seek.game].name)
        )
        for seek in challenges_to(session, person)
    ]
    if not lines:
        return TranscriptEntry("", _("You have no games. Challenge somebody: challenge HANDLE proteus-dice"))
    return TranscriptEntry("", _("Your games:"), block="\n".join(lines))


def _game_line(session: Session, person: Person, player: Player, match: Match) -> str:
    others = ", ".join(p.handle for p in persons_of(session, players_of(session, match.id)) if p.id != person.id)
    title = _("game {number}, {game}").format(number=match.id, game=_(game_of(match).name))
    title += _(" against {opponent}").format(opponent=others) if others else ""
    deadline = player.deadline
    if deadline is None:
        return _("{game}: your opponent is to move").format(game=title)
    return _("{game}: YOUR TURN, until {when}").format(game=title, when=moment(deadline, person.zone, person.language))


def show(session: Session, person: Person, match_id: int | None) -> TranscriptEntry:
    """Show the board of a match as this person may see it; raises MatchError."""
    match, seat = _match(session, person, match_id)
    scene = position_of(match).scene(seat)
    head = ending(match) or scene.title
    return TranscriptEntry(
        "", _("Game {number}: {head}").format(number=match.id, head=head), block=text.render(scene, bottom=seat or 0)
    )


def history(session: Session, person: Person, match_id: int | None) -> TranscriptEntry:
    """List the moves of a match, redacted for this person; raises MatchError."""
    match, seat = _match(session, person, match_id)
    entries = entries_of(moves_of(session, match.id))
    visible_entries = transcript(game_of(match), options_of(match), entries, seat)
    names = {CHANCE: "*", **{seat: _(name) for seat, name in enumerate(game_of(match).seats)}}
    lines = [f"{ply}. {names[entry.seat]}: {entry.text}" for ply, entry in enumerate(visible_entries, start=1)]
    return TranscriptEntry(
        "",
        _("The moves of game {number}:").format(number=match.id),
        block="\n".join(lines) or _("nothing has been played yet"),
    )


def record(session: Session, person: Person, match_id: int | None) -> TranscriptEntry:
    """Return the record of a match, redacted for this person; raises MatchError."""
    match, seat = _match(session, person, match_id)
    return TranscriptEntry(
        "", _("The record of game {number}:").format(number=match.id), block=_record(session, match, seat)
    )


def _record(session: Session, match: Match, viewer: Viewer) -> str:
    handles = [person.handle for person in persons_of(session, players_of(session, match.id))]
    return record_file.write_record(
        match, moves_of(session, match.id), handles, viewer, site=f"%%base%%/games/{match.id}"
    )


def rules(key: str | None) -> TranscriptEntry:
    """Explain a game's notation and options and link to its rules; without a key, list all games.

    Raises ChallengeError for an unknown key.
    """
    if key is None:
        return TranscriptEntry(
            "",
            _("These games are played here; write rules and a key for one:"),
            block="\n".join(f"{game.key}: {_(game.name)}" for game in GAMES.values()),
        )
    game = game_by_key(key)
    options = [
        _("option {name}: {values}").format(name=choice.name, values=listing(choice.values))
        for choice in choices_of(game.Options)
    ]
    block = "\n".join([_(game.notation), "", *options, "", f"%%base%%/rules/{game.key}"])
    return TranscriptEntry("", _(game.name), block=block)


def seeks(session: Session, person: Person, *, now: datetime) -> TranscriptEntry:
    """List the open seeks, each with the conditions that the person meets or not, and the person's own seeks."""
    lines = [
        _seek_line(seek, person) + "".join(f"\n    {_sign(reason.is_met)} {reason.sentence}" for reason in seek.reasons)
        for seek in visible_seeks(session, person.id, now=now)
    ]
    lines += [_seek_line(seek, person) for seek in own_seeks(session, person.id, now=now)]
    if not lines:
        return TranscriptEntry("", _("Nobody is looking for a partner. Be the first, for example: seek duel 3 days"))
    return TranscriptEntry("", _("Open seeks; write accept and the number to take one:"), block="\n".join(lines))


def _sign(is_met: bool) -> str:
    return "+" if is_met else "-"


def _seek_line(seek: SeekView, person: Person) -> str:
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
    """List a person's settings, with links to the pages that change them."""
    yes_no = {True: _("yes"), False: _("no")}
    quiet = _("none") if person.quiet_from is None else f"{person.quiet_from}:00–{person.quiet_until}:00"
    rows = [
        (_("language"), LANGUAGES.get(person.language, person.language)),
        (_("time zone"), person.zone),
        (_("what does not count on my clock"), calendars.in_words(person.off_hours, person.language) or _("nothing")),
        (_("letters as plain text only"), yes_no[person.text_only]),
        (_("a letter when it is my turn"), yes_no[person.turn_letters]),
        (_("a letter when my opponent says something"), yes_no[person.talk_letters]),
        (_("a reminder when my time runs out"), yes_no[person.reminders]),
        (_("a letter when a game is over"), yes_no[person.game_over_letters]),
        (_("a letter when somebody challenges me"), yes_no[person.challenge_letters]),
        (_("a receipt for moves I mail"), yes_no[person.receipts]),
        (_("minutes before a letter that it is my turn"), person.turn_delay),
        (_("all in one letter"), _digest_text(person)),
        (_("quiet hours"), quiet),
    ]
    return TranscriptEntry(
        "",
        _("Your settings; the pages to change them are %%base%%/settings and %%base%%/settings/letters"),
        block="\n".join(f"{name}: {value}" for name, value in rows),
    )


def _digest_text(person: Person) -> str:
    if person.digest == "daily":
        return _("once a day, at {hour}:00").format(hour=person.digest_hour)
    return _("at most one an hour") if person.digest == "hourly" else _("no")


def letters(session: Session, person: Person) -> TranscriptEntry:
    """List the last letters to a person with their delivery status."""
    lines = [
        f"{moment(letter.at, person.zone, person.language)}: {letter.kind}"
        + (" " + _("(game {number})").format(number=letter.match) if letter.match else "")
        + f"\n    {letter.outcome}"
        for letter in delivery_log.last_letters(session, person.id)
    ]
    return TranscriptEntry("", _("The last letters to you:"), block="\n".join(lines) or _("none yet"))


def _match(session: Session, person: Person, match_id: int | None) -> tuple[Match, Viewer]:
    if match_id is None:
        raise MatchError(_("Please say which game: its number stands in its letters."))
    match = session.get(Match, match_id)
    if match is None or not may_see(session, match, person.id):
        raise MatchError(_("There is no game {number}.").format(number=match_id))
    seats = {player.person_id: player.seat for player in players_of(session, match.id)}
    return match, seats.get(person.id)
