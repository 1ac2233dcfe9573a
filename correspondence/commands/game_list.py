"""The answer to `games`: a person's running games, challenges and seeks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.accounts.accounts import program_mark
from correspondence.clocks import turns
from correspondence.commands.answers import seek_line
from correspondence.core.i18n import moment, span
from correspondence.matchmaking.challenges import challenges_to
from correspondence.matchmaking.seek_list import own_seeks
from correspondence.models import Match, Offer, OfferKind, Person, Player, Seek, SeekState
from correspondence.models.loading import entries_of, game_of, moves_of, options_of, persons_of, players_of
from correspondence.models.matchmaking import OLDEST_FIRST
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.record_moves import open_offers
from engines import GAMES
from engines.base import CHANCE
from engines.record import transcript
from engines.wording import N_, _, ngettext

MOST_LISTED = 100
"""Maximum number of running games in one letter."""

_OFFERED = {
    OfferKind.DRAW: (N_("a draw is offered to you: accept or decline"), N_("you offered a draw")),
    OfferKind.TAKEBACK: (N_("a takeback is asked for: accept or decline"), N_("you asked for a takeback")),
    OfferKind.PAUSE: (N_("a pause is proposed to you: accept or decline"), N_("you proposed a pause")),
}
"""Descriptions of an open offer, for its recipient and for its sender."""


def games(session: Session, person: Person, *, now: datetime) -> TranscriptEntry:
    """List a person's running games (own turn first, by deadline), challenges and seeks."""
    running = _running(session, person)
    parts = [
        (_("Your games:"), [_described(session, match, player, person, now) for player, match in running]),
        (_("Challenges:"), list(_challenges(session, person, now))),
        (_("Your seeks:"), [seek_line(seek, person) for seek in own_seeks(session, person.id, now=now)]),
    ]
    if not any(lines for _title, lines in parts):
        return TranscriptEntry("", _("You have no games. Challenge somebody: challenge HANDLE proteus-dice"))
    blocks = ["\n".join([title, *lines]) for title, lines in parts if lines]
    return TranscriptEntry("", _summary([player for player, _match in running]), block="\n\n".join(blocks))


def _summary(seats: Sequence[Player]) -> str:
    """Return the sentence with the numbers of running games and of own turns."""
    if not seats:
        return _("You have no running game.")
    count = len(seats)
    sentence = ngettext("You have {count} running game.", "You have {count} running games.", count).format(count=count)
    own_turns = sum(player.deadline is not None for player in seats)
    if not own_turns:
        return f"{sentence} " + _("It is not your turn in any of them.")
    return f"{sentence} " + _("It is your turn in {turns}.").format(turns=own_turns)


def _running(session: Session, person: Person) -> list[tuple[Player, Match]]:
    """Return a person's running games with their seats, those with their turn first."""
    running = (
        select(Player, Match)
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id) == person.id, col(Match.ended_at).is_(None))
        .order_by(col(Player.since).is_(None), col(Match.deadline), col(Match.id))
        .limit(MOST_LISTED)
    )
    return [(player, match) for player, match in session.exec(running).all()]


def _described(session: Session, match: Match, player: Player, person: Person, now: datetime) -> str:
    details = [_clocks(session, match, person, now), _last_move(session, match, player, person, now)]
    details += [_offer(offer, player) for offer in open_offers(session, match.id)]
    return "\n    ".join([_headline(session, match, player, person), *filter(None, details)])


def _headline(session: Session, match: Match, player: Player, person: Person) -> str:
    others = ", ".join(p.handle for p in persons_of(session, players_of(session, match.id)) if p.id != person.id)
    title = _("game {number}, {game}").format(number=match.id, game=_(game_of(match).name))
    title += _(" against {opponent}").format(opponent=others) if others else ""
    if player.deadline is None:
        return _("{game}: your opponent is to move").format(game=title)
    when = moment(player.deadline, person.zone, person.language)
    return _("{game}: YOUR TURN, until {when}").format(game=title, when=when)


def _clocks(session: Session, match: Match, person: Person, now: datetime) -> str:
    """Format each player's remaining time; empty in a single-player game."""
    players = players_of(session, match.id)
    if len(players) < 2:
        return ""
    own = next(player for player in players if player.person_id == person.id)
    other = next(player for player in players if player.person_id != person.id)
    return _("you have {own}, your opponent {other}").format(
        own=_time(session, own, person, now), other=_time(session, other, person, now)
    )


def _time(session: Session, player: Player, person: Person, now: datetime) -> str:
    left = timedelta(seconds=player.bank) if player.since is None else turns.left(session, player, now)
    return span(left, person.language)


def _last_move(session: Session, match: Match, player: Player, person: Person, now: datetime) -> str:
    moves = moves_of(session, match.id)
    played = [number for number, move in enumerate(moves) if move.seat != CHANCE]
    if not played:
        return _("nothing has been played yet")
    last = played[-1]
    entry = transcript(game_of(match), options_of(match), entries_of(moves), player.seat)[last]
    sentence = _("last move: {seat} {move}, {ago} ago")
    ago = span(now - moves[last].at, person.language)
    return sentence.format(seat=_(game_of(match).seats[entry.seat]), move=entry.text, ago=ago)


def _offer(offer: Offer, player: Player) -> str:
    to_me, by_me = _OFFERED[offer.kind]
    return _(by_me) if offer.seat == player.seat else _(to_me)


def _challenges(session: Session, person: Person, now: datetime) -> Iterator[str]:
    for seek in challenges_to(session, person, now=now):
        challenger = session.get_one(Person, seek.person_id)
        asks = _("challenge {number}: {who} asks you to play {game}").format(
            number=seek.id, who=challenger.handle, game=_(GAMES[seek.game].name)
        )
        yield f"{asks}. {program_mark(challenger)}" if challenger.is_program else asks
    own = select(Seek).where(
        col(Seek.person_id) == person.id, col(Seek.opponent_id).is_not(None), col(Seek.state) == SeekState.OPEN
    )
    for seek in session.exec(own.order_by(*OLDEST_FIRST)):
        yield _("challenge {number}: you asked {who} to play {game}").format(
            number=seek.id, who=session.get_one(Person, seek.opponent_id).handle, game=_(GAMES[seek.game].name)
        )
