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
from correspondence.matchmaking.challenges import challenges_to, game_called
from correspondence.matchmaking.seek_list import SeekView, my_offers, offers
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


def help_text() -> str:
    """Return the list of all mail commands, each with a short explanation."""
    rows = [
        (_("join NAME"), _("join, with the address you write from")),
        ("games", _("your games, most urgent first")),
        ("show 12, history 12, record 12", _("the board, the moves, the whole record of game 12")),
        ("rules proteus-dice", _("how a game is written; {games}").format(games=", ".join(GAMES))),
        ("challenge ann proteus-dice 3 days", _("ask ann to play; options as name=value, time at the end")),
        ("accept 7, decline 7", _("answer challenge 7 (no number needed in reply to its letter)")),
        ("counter 7 board=sun 3 days", _("answer challenge 7 with another offer; what you do not name stays")),
        (
            "seek duel 3 days games=2 rating=1400-1800 reliability=80 again=never language=it days=30",
            _("look for anybody; all but the game may be left out, standing=2 keeps two games going"),
        ),
        ("seek duel 3 days pair=yes", _("the service pairs you within minutes with the best partner there is")),
        ("seeks", _("who looks for a partner, and what suits you; accept 7 takes seek 7")),
        ("withdraw 7, renew 7", _("end or reopen a challenge or seek of yours")),
        ("rematch 12", _("play game 12 once more, seats exchanged")),
        ("invite bob@example.org duel 3 days", _("a letter, one only, to a friend who is no member yet")),
        ("write ann: hello", _("a letter to ann, who answers you through us")),
        ("puzzle goal=2", _("a puzzle for you alone; goals are 1 to 4")),
        ("puzzle today", _("the deal of the day, the same for everybody")),
        ("partners", _("who plays here, and what they like")),
        ("ratings, ratings duel", _("your ratings and reliability; the best in a game")),
        ("mute ann, block ann", _("hear no more of ann; have nothing more to do with ann (unmute, unblock)")),
        ("report ann WORDS", _("tell whoever runs this place what happened, and nobody else")),
        ("settings", _("your language, time zone and letters")),
        ("away 5 days, back", _("your clocks stand still while you are away; you may move all the same")),
        ("settings digest daily 7:00", _("all letters in one a day; also: digest hourly, digest off")),
        ("settings quiet 22-7", _("no letters in these hours, unless your clock would suffer; quiet off ends them")),
        ("letters", _("what came of the last letters to you")),
        ("test letter", _("a letter that shows whether letters reach you")),
        ("export", _("where to fetch everything that is kept about you")),
        ("forget me", _("asks once, then erases you; your games stay with a departed player")),
        ("stop", _("no more letters but those that say it is your turn")),
    ]
    in_game = [
        (_("your move"), _("on a line by itself, in reply to the letter of the game")),
        ("preview c3/f2=B c6/a7=B", _("the board after these moves; nothing is played")),
        (
            "if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y; if c6/a7=B then d4/f2=B",
            _("your answers to what your opponent may do, also below a move: played at once, seen by nobody else"),
        ),
        ("plan, plan on, cancel plan", _("your answers as they stand; go on with them after a stop; drop them")),
        ("cancel", _("recalls what you said within five minutes, while nobody has read it; else drops your plan")),
        ("open plans", _("after the game: if both of you want it, each sees what the other had planned")),
        ("draw", _("offer a draw, or accept one")),
        ("takeback", _("ask for your last move back, or give it back")),
        ("pause 5 days", _("offer to let all clocks stand still for so long; pause alone accepts")),
        ("claim", _("claim the win when your opponent's time has run out and the game does not end by itself")),
        ("nudge", _("ask an opponent politely to move whose time has run out")),
        ("resign", _("asks once, then ends the game")),
        ("mute, unmute", _("whether you hear what is said in this game")),
        ("hint", _("the next step of a solution of your puzzle")),
        (_("any other sentence"), _("goes to your opponent; one that is nearer to a move is asked about first")),
        (_("say: c3/f2=B was strong"), _("goes to your opponent too, though it names a move, where nothing is hidden")),
    ]
    lines = [_help_entry(word, explanation) for word, explanation in rows]
    lines.append("\n" + _("In reply to the letter of a game:"))
    lines += [_help_entry(word, explanation) for word, explanation in in_game]
    return "\n".join(lines)


def _help_entry(command: str, explanation: str) -> str:
    """Format one command with its explanation; the dot keeps the line from being read as a command in a quotation."""
    return f"· {command}\n    {explanation}"


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
        block="\n".join(lines) or _("nothing was played yet"),
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
    game = game_called(key)
    options = [
        _("option {name}: {values}").format(name=choice.name, values=listing(choice.values))
        for choice in choices_of(game.Options)
    ]
    block = "\n".join([_(game.notation), "", *options, "", f"%%base%%/rules/{game.key}"])
    return TranscriptEntry("", _(game.name), block=block)


def seeks(session: Session, person: Person, *, now: datetime) -> TranscriptEntry:
    """List the open seeks, each with the conditions that the person meets or not, and the person's own seeks."""
    lines = [
        _seek_line(seek, person) + "".join(f"\n    {_sign(reason.suits)} {reason.sentence}" for reason in seek.reasons)
        for seek in offers(session, person.id, now=now)
    ]
    lines += [_seek_line(seek, person) for seek in my_offers(session, person.id, now=now)]
    if not lines:
        return TranscriptEntry("", _("Nobody is looking for a partner. Be the first, for example: seek duel 3 days"))
    return TranscriptEntry("", _("Open seeks; accept and the number takes one:"), block="\n".join(lines))


def _sign(suits: bool) -> str:
    return "+" if suits else "-"


def _seek_line(seek: SeekView, person: Person) -> str:
    facts = [seek.game, seek.options, in_words(seek.terms), "" if seek.rated else _("unrated"), seek.count]
    if seek.seat_name:
        facts.append(_("{handle} plays {seat}").format(handle=seek.handle, seat=seek.seat_name))
    terms = ", ".join(fact for fact in facts if fact)
    if not seek.is_mine:
        suits = _("suits you") if seek.suits else _("does not suit you")
        return f"{seek.number}. {seek.handle}: {terms} ({suits})"
    if seek.expires_at is None:
        return _("{number}. yours: {what} (over; renew {number} opens it again)").format(number=seek.number, what=terms)
    expires = moment(seek.expires_at, person.zone, person.language)
    line = _("{number}. yours: {what} (until {when})").format(number=seek.number, what=terms, when=expires)
    if seek.rests_until is None:
        return line
    rest_ends = weekday(seek.rests_until, person.zone, person.language)
    return f"{line} " + _("– it rests until {when}, while you are away").format(when=rest_ends)


def settings(person: Person) -> TranscriptEntry:
    """List a person's settings, with links to the pages that change them."""
    yes_no = {True: _("yes"), False: _("no")}
    quiet = _("none") if person.quiet_from is None else f"{person.quiet_from}:00–{person.quiet_until}:00"
    rows = [
        (_("language"), LANGUAGES.get(person.language, person.language)),
        (_("time zone"), person.zone),
        (_("what does not count on my clock"), calendars.in_words(person.hours, person.language) or _("nothing")),
        (_("letters as plain text only"), yes_no[person.text_only]),
        (_("a letter when it is my turn"), yes_no[person.turn_letters]),
        (_("a letter when my opponent says something"), yes_no[person.talk_letters]),
        (_("a reminder when my time runs out"), yes_no[person.reminders]),
        (_("a letter when a game is over"), yes_no[person.over_letters]),
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
        + f"\n    {letter.fate}"
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
