"""Answers to questions asked by mail: my games, a board, a history, a record, rules, partners, settings.

Each is a section of the transcript letter, already redacted for its reader. Nothing here changes anything.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence import clock, mail_log, records
from correspondence.course import (
    ending,
    entries_of,
    game_of,
    moves_of,
    options_of,
    persons_of,
    players_of,
    position_of,
)
from correspondence.languages import LANGUAGES, moment
from correspondence.matches import MatchError
from correspondence.models import Match, Person, Player
from correspondence.partners import challenges_to, game_called
from correspondence.sections import Section
from engines import GAMES, text
from engines.base import CHANCE, Viewer
from engines.options import choices_of
from engines.record import transcript
from engines.wording import _, listing

MOST_LISTED = 200
"""The longest list in a letter."""


def help_text() -> str:
    """All commands that can be mailed, with a word on each."""
    rows = [
        (_("join NAME"), _("join, with the address you write from")),
        ("games", _("your games, most urgent first")),
        ("show 12, history 12, record 12", _("the board, the moves, the whole record of game 12")),
        ("rules proteus-dice", _("how a game is written; {games}").format(games=", ".join(GAMES))),
        ("challenge ann proteus-dice 3 days", _("ask ann to play; options as name=value, time at the end")),
        ("accept 7, decline 7", _("answer challenge 7 (no number needed in reply to its letter)")),
        ("puzzle goal=2", _("a puzzle for you alone; goals are 1 to 4")),
        ("partners", _("who plays here")),
        ("settings", _("your language, time zone and letters")),
        ("letters", _("what came of the last letters to you")),
        ("export", _("where to fetch everything that is kept about you")),
        ("forget me", _("asks once, then erases you; your games stay with a departed player")),
        ("stop", _("no more letters but those that say it is your turn")),
    ]
    in_game = [
        (_("your move"), _("on a line by itself, in reply to the letter of the game")),
        ("preview c3/f2=B c6/a7=B", _("the board after these moves; nothing is played")),
        ("draw", _("offer a draw, or accept one")),
        ("resign", _("asks once, then ends the game")),
        ("hint", _("the next step of a solution of your puzzle")),
        (_("any other sentence"), _("goes to your opponent")),
    ]
    lines = [f"{word}\n    {what}" for word, what in rows]
    lines.append("\n" + _("In reply to the letter of a game:"))
    lines += [f"{word}\n    {what}" for word, what in in_game]
    return "\n".join(lines)


def games(session: Session, person: Person, *, now: datetime) -> Section:
    """A person's running games, those where he is to move first and most urgent first; and open challenges."""
    found = (
        select(Player, Match)
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id) == person.id, col(Match.ended_at).is_(None))
        .order_by(col(Player.since).is_(None), col(Match.deadline), col(Match.id))
        .limit(MOST_LISTED)
    )
    lines = [_line(session, person, player, match) for player, match in session.exec(found)]
    lines += [
        _("challenge {number}: {who} asks you to play {game}").format(
            number=seek.id, who=session.get_one(Person, seek.person_id).handle, game=_(GAMES[seek.game].name)
        )
        for seek in challenges_to(session, person)
    ]
    if not lines:
        return Section("", _("You have no games. Challenge somebody: challenge HANDLE proteus-dice"))
    return Section("", _("Your games:"), block="\n".join(lines))


def _line(session: Session, person: Person, player: Player, match: Match) -> str:
    others = ", ".join(p.handle for p in persons_of(session, players_of(session, match.id)) if p.id != person.id)
    named = _("game {number}, {game}").format(number=match.id, game=_(game_of(match).name))
    named += _(" against {opponent}").format(opponent=others) if others else ""
    if player.since is None:
        return _("{game}: your opponent is to move").format(game=named)
    until = clock.deadline_of(player.since, timedelta(seconds=player.bank))
    return _("{game}: YOUR TURN, until {when}").format(game=named, when=moment(until, person.zone, person.language))


def show(session: Session, person: Person, number: int | None) -> Section:
    """The board of a match as this person may see it; raises MatchError."""
    match, seat = _match(session, person, number)
    scene = position_of(match).scene(seat)
    head = ending(match) or scene.title
    return Section(
        "", _("Game {number}: {head}").format(number=match.id, head=head), block=text.render(scene, bottom=seat or 0)
    )


def history(session: Session, person: Person, number: int | None) -> Section:
    """The moves of a match as this person may be told them; raises MatchError."""
    match, seat = _match(session, person, number)
    entries = entries_of(moves_of(session, match.id))
    told = transcript(game_of(match), options_of(match), entries, seat)
    names = {CHANCE: "*", **{seat: _(name) for seat, name in enumerate(game_of(match).seats)}}
    lines = [f"{ply}. {names[entry.seat]}: {entry.text}" for ply, entry in enumerate(told, start=1)]
    return Section(
        "",
        _("The moves of game {number}:").format(number=match.id),
        block="\n".join(lines) or _("nothing was played yet"),
    )


def record(session: Session, person: Person, number: int | None) -> Section:
    """The record of a match as this person may have it; raises MatchError."""
    match, seat = _match(session, person, number)
    return Section("", _("The record of game {number}:").format(number=match.id), block=_record(session, match, seat))


def _record(session: Session, match: Match, viewer: Viewer) -> str:
    handles = [person.handle for person in persons_of(session, players_of(session, match.id))]
    return records.write_record(match, moves_of(session, match.id), handles, viewer, site=f"%%base%%/games/{match.id}")


def rules(key: str | None) -> Section:
    """How a game is written, its options, and where its rules stand; all games without a key. Raises PartnerError."""
    if key is None:
        return Section(
            "",
            _("These games are played here; write rules and a key for one:"),
            block="\n".join(f"{game.key}: {_(game.name)}" for game in GAMES.values()),
        )
    game = game_called(key)
    options = [
        _("option {name}: {values}").format(name=choice.name, values=listing(choice.values))
        for choice in choices_of(game.Options)
    ]
    block = "\n".join([_(game.notation), "", *options, "", f"%%base%%/rules/{game.key}"])
    return Section("", _(game.name), block=block)


def partners(session: Session, person: Person) -> Section:
    """Who has joined, newest first."""
    found = select(Person.handle).where(col(Person.id) != person.id, col(Person.departed_at).is_(None)).order_by(col(Person.id).desc())
    handles = list(session.exec(found.limit(MOST_LISTED)))
    if not handles:
        return Section("", _("Nobody else has joined yet. Tell a friend to write join NAME to this address."))
    return Section("", _("These people play here:"), block=", ".join(handles))


def settings(person: Person) -> Section:
    """What a person has set, and where to change it."""
    yes_no = {True: _("yes"), False: _("no")}
    rows = [
        (_("language"), LANGUAGES.get(person.language, person.language)),
        (_("time zone"), person.zone),
        (_("letters as plain text only"), yes_no[person.text_only]),
        (_("a letter when it is my turn"), yes_no[person.turn_letters]),
        (_("a letter when my opponent says something"), yes_no[person.talk_letters]),
        (_("a reminder when my time runs out"), yes_no[person.reminders]),
        (_("a receipt for moves I mail"), yes_no[person.receipts]),
    ]
    return Section(
        "",
        _("Your settings; the page to change them is %%base%%/settings"),
        block="\n".join(f"{name}: {value}" for name, value in rows),
    )


def letters(session: Session, person: Person) -> Section:
    """The last letters to a person, and what came of each."""
    lines = [
        f"{moment(one.at, person.zone, person.language)}: {one.kind}"
        + (" " + _("(game {number})").format(number=one.match) if one.match else "")
        + f"\n    {one.fate}"
        for one in mail_log.last_letters(session, person.id)
    ]
    return Section("", _("The last letters to you:"), block="\n".join(lines) or _("none yet"))


def _match(session: Session, person: Person, number: int | None) -> tuple[Match, Viewer]:
    if number is None:
        raise MatchError(_("Please say which game: its number stands in its letters."))
    match = session.get(Match, number)
    if match is None:
        raise MatchError(_("There is no game {number}.").format(number=number))
    seats = {player.person_id: player.seat for player in players_of(session, match.id)}
    return match, seats.get(person.id)
