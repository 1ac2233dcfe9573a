"""Matchmaking commands: challenges, counter-offers, rematches, seeks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlmodel import Session, col, select

from correspondence import commands as cmd
from correspondence.accounts import accounts
from correspondence.commands import answers, arguments
from correspondence.commands.arguments import number_reader
from correspondence.commands.handlers.clocks import accepted, declined, withdrawn
from correspondence.commands.handlers.context import Sender, player_of, seen_by
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always
from correspondence.core import time_control
from correspondence.core.i18n import moment
from correspondence.fairness.seeds import WordsError
from correspondence.matchmaking import (
    challenges,
    conditions,
    counteroffers,
    declining,
    invitations,
    offer_words,
    seek_ends,
    seeks,
    teaching_games,
)
from correspondence.models import Match, OfferKind, Person, Player, Purpose, Seek, SeekState
from correspondence.models.loading import persons_of, players_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import offers, standing_offers
from engines import GAMES
from engines.course import MOVES
from engines.wording import N_, _, listing


def _challenge(session: Session, sender: Sender, command: cmd.Challenge) -> TranscriptEntry | None:
    game = challenges.game_by_key(command.key)
    options, seek_conditions = conditions.split_conditions(dict(command.options))
    seat = seeks.checked_conditions({"seat": seek_conditions.pop("seat", "")}, game).seat
    seek = challenges.challenge(
        session,
        sender.person,
        command.handle,
        command.key,
        {**options, **seek_conditions},
        time_control=command.pace or time_control.DEFAULT_TIME_CONTROL,
        rated=command.rated,
        seat=seat,
        words=command.words,
        now=sender.now,
        rng=sender.rng,
    )
    if seek.match_id is not None:
        return _game_started(session, sender, session.get_one(Match, seek.match_id))
    sentence = _("{handle} has been asked to play {game} with you (challenge {number}).").format(
        handle=command.handle, game=_(GAMES[seek.game].name), number=seek.id
    )
    return _challenge_sent(session, sender, seek, sentence)


def _challenge_sent(session: Session, sender: Sender, seek: Seek, sentence: str) -> TranscriptEntry:
    """Confirm a challenge, with the recipient's leave, if any, and the rows about the dice."""
    notice = challenges.away_notice(session, seek, sender.person, now=sender.now)
    return _with_rows(f"{sentence} {notice}", offer_words.told_of_offer(session, seek))


def _with_rows(sentence: str, dice: tuple[str, str]) -> TranscriptEntry:
    """Make an answer that ends with a sentence and rows about the dice, if there are any."""
    return TranscriptEntry("", " ".join(filter(None, (sentence.strip(), dice[0]))), block=dice[1])


def _seek(session: Session, sender: Sender, command: cmd.SeekPartner) -> TranscriptEntry | None:
    options, seek_conditions = conditions.split_conditions(dict(command.options))
    seek = seeks.seek(
        session,
        sender.person,
        command.key,
        options,
        seek_conditions,
        time_control=command.pace or time_control.DEFAULT_TIME_CONTROL,
        rated=command.rated,
        words=command.words,
        now=sender.now,
        rng=sender.rng,
    )
    if seek.state == SeekState.TAKEN:
        begun = _("Somebody was looking for exactly that: the game has begun.")
        return _with_rows(begun, offer_words.told_words(seek.words))
    return _seek_summary(session, sender, seek)


def _seek_summary(session: Session, sender: Sender, seek: Seek) -> TranscriptEntry:
    sentence = _("Your seek number {number} for {game} ({pace}) is open until {when}; withdraw {number} ends it.")
    when = moment(seek.expires_at or sender.now, sender.person.zone, sender.person.language)
    pace = time_control.in_words(seek.time_control)
    summary = sentence.format(number=seek.id, game=_(GAMES[seek.game].name), pace=pace, when=when)
    notice = challenges.own_away_notice(session, sender.person, now=sender.now)
    return _with_rows(f"{summary} {notice}", offer_words.told_of_offer(session, seek))


def _renew(session: Session, sender: Sender, command: cmd.Renew) -> TranscriptEntry | None:
    token = sender.token
    if command.number is None and token is not None and token.purpose == Purpose.RENEW:
        seek = seek_ends.renew_by_token(session, token.id, now=sender.now, rng=sender.rng)
    elif command.number is None:
        raise challenges.ChallengeError(_say_which_seek())
    else:
        seek = seek_ends.renew(session, sender.person, command.number, now=sender.now, rng=sender.rng)
    if seek.state == SeekState.TAKEN:
        return TranscriptEntry("", _("Somebody was looking for exactly that: the game has begun."))
    return _seek_summary(session, sender, seek)


def _accept(session: Session, sender: Sender, command: cmd.Accept) -> TranscriptEntry | None:
    kind = OfferKind(command.what) if command.what else None
    has_offer = sender.player is not None and command.number is None and _has_offer(session, sender, sender.player)
    if kind is not None or has_offer:
        if command.words:
            raise WordsError(words_are_fixed())
        return accepted(offers.accept(session, player_of(sender), kind, seen=seen_by(sender), now=sender.now))
    other = _accepts_other(session, sender, command)
    if other is not None:
        return other.accept(session, sender)
    return _game_started(session, sender, _begin(session, sender, command))


def _accepts_other(session: Session, sender: Sender, command: cmd.Accept) -> Acceptance | None:
    """Return what `accept` without a number means in a feature. Raises ChallengeError if it may mean several things."""
    is_answer = sender.token is not None and sender.token.purpose in (Purpose.INVITE, Purpose.SEEK)
    if command.number is not None or command.words or sender.player is not None or is_answer:
        return None
    waiting = [one for one in ACCEPTANCES if one.lines(session, sender)]
    answered = [one for one in waiting if sender.replied is not None and sender.replied.kind == one.letter]
    own = challenges.challenges_to(session, sender.person, now=sender.now) if waiting and not answered else []
    if own:
        lines = [
            *(f"accept {seek.id}" for seek in own),
            *(line for one in waiting for line in one.lines(session, sender)),
        ]
        sentence = _("Several challenges are waiting for you. Write: {lines}")
        raise challenges.ChallengeError(sentence.format(lines=listing(lines, _("or"))))
    return next(iter([*answered, *waiting]), None)


def _has_offer(session: Session, sender: Sender, player: Player) -> bool:
    """Whether the opponent has an open offer, or the answered letter announced one that ended."""
    told_at = seen_by(sender).told_at
    return offers.has_offer(session, player) or bool(told_at and standing_offers.told(session, player, told_at))


def _begin(session: Session, sender: Sender, command: cmd.Accept) -> Match:
    """Accept the invitation, seek or challenge named by the line or the answered letter."""
    more: dict[str, Any] = {"words": command.words, "now": sender.now, "rng": sender.rng}
    if command.number is None and sender.token is not None and sender.token.purpose == Purpose.INVITE:
        return invitations.accept(session, sender.person, sender.token.id, **more)
    seek_id = _seek_id(sender, command.number)
    seek = session.get(Seek, seek_id) if seek_id is not None else None
    if seek is not None and seek.opponent_id is None and seek_id is not None:
        return seeks.take(session, sender.person, seek_id, **more)
    return challenges.accept(session, sender.person, seek_id, **more)


def _game_started(session: Session, sender: Sender, match: Match) -> TranscriptEntry | None:
    """Confirm that the game has begun; None if it is the sender's turn (a letter says so)."""
    players = players_of(session, match.id)
    mine = next((player for player in players if player.person_id == sender.person.id), None)
    if mine is None or mine.since is not None:
        return None
    others = ", ".join(person.handle for person in persons_of(session, players) if person.id != sender.person.id)
    begun = _("Game {number} has begun; {handle} is to move.").format(number=match.id, handle=others)
    return _with_rows(begun, offer_words.told_words(mine.words))


def _decline(session: Session, sender: Sender, command: cmd.Decline) -> TranscriptEntry:
    kind = OfferKind(command.what) if command.what else None
    if kind is not None or (sender.player is not None and command.number is None):
        return declined(offers.decline(session, player_of(sender), kind, seen=seen_by(sender), now=sender.now))
    if command.number is None and sender.token is not None and sender.token.purpose == Purpose.INVITE:
        declining.decline_invitation(session, sender.token.id, now=sender.now)
        return TranscriptEntry("", f"{declining.declined()} {declining.mistake()}")
    seek = challenges.decline(session, sender.person, _seek_id(sender, command.number), now=sender.now)
    sentence = _("You have declined challenge {number}.").format(number=seek.id)
    return TranscriptEntry("", f"{sentence} {declining.mistake()}")


def _reopen(session: Session, sender: Sender, command: cmd.Reopen) -> TranscriptEntry:
    token = sender.token
    if token is not None and token.purpose == Purpose.INVITE:
        declining.reopen_invitation(session, token.id, now=sender.now)
        return TranscriptEntry("", _("The invitation is open again. To play, reply to its letter: accept"))
    seek = declining.reopen(session, sender.person, _seek_id(sender, command.number), now=sender.now)
    sentence = _("Challenge {number} is open again. To play, write: accept {number}")
    return TranscriptEntry("", sentence.format(number=seek.id))


def _counter(session: Session, sender: Sender, command: cmd.Counter) -> TranscriptEntry:
    seek = counteroffers.counter(
        session,
        sender.person,
        _seek_id(sender, command.number),
        dict(command.options),
        time_control=command.pace,
        rated=command.rated,
        words=command.words,
        now=sender.now,
        rng=sender.rng,
    )
    handle = session.get_one(Person, seek.opponent_id).handle
    sentence = _("{handle} was sent your counter-offer (challenge {number}).").format(handle=handle, number=seek.id)
    return _challenge_sent(session, sender, seek, sentence)


def _rematch(session: Session, sender: Sender, command: cmd.Rematch) -> TranscriptEntry | None:
    match_id = command.match or (sender.match.id if sender.match else None)
    if match_id is None:
        raise challenges.ChallengeError(_say_which_game())
    match = counteroffers.rematch(session, sender.person, match_id, words=command.words, now=sender.now, rng=sender.rng)
    if match is None:
        rematch_seek = select(Seek).where(col(Seek.after_match_id) == match_id, col(Seek.state) == SeekState.OPEN)
        return _challenge_sent(
            session, sender, session.exec(rematch_seek).one(), _("Your opponent has been asked for a rematch.")
        )
    return _game_started(session, sender, match)


def _change_words(session: Session, sender: Sender, command: cmd.DiceWords) -> TranscriptEntry:
    """Change the dice words of the sender's own open offer."""
    if command.number is None and sender.match is not None:
        raise WordsError(words_are_fixed())
    if command.number is None and sender.token is not None and sender.token.purpose in (Purpose.SEEK, Purpose.INVITE):
        raise WordsError(_("Your own randomness comes with your answer: write accept in the same mail."))
    seek = offer_words.change(session, sender.person, command.number, command.text, now=sender.now)
    changed = (
        _("Offer {number} now includes your own randomness.")
        if seek.words
        else _("Offer {number} includes no randomness of yours.")
    )
    return _with_rows(changed.format(number=seek.id), offer_words.told_of_offer(session, seek))


def words_are_fixed() -> str:
    """Refuse words for the dice of a game that has begun."""
    return _(
        "Your own randomness is fixed when a game begins, so these words change nothing. To say them to your "
        "opponent, begin the line with “say:”."
    )


def _learn(session: Session, sender: Sender, command: cmd.Learn) -> TranscriptEntry:
    match = teaching_games.learn(
        session, sender.person, command.key, words=command.words, now=sender.now, rng=sender.rng
    )
    mine, handle = _mine_and_other(session, sender, match)
    begun = _(
        "Your lesson in {game} has begun: game {number}. {handle} moves first, and explains its first {count} moves."
    )
    sentence = begun.format(game=_(GAMES[match.game].name), number=match.id, handle=handle, count=MOVES)
    return _with_rows(sentence, offer_words.told_words(mine.words))


def _mine_and_other(session: Session, sender: Sender, match: Match) -> tuple[Player, str]:
    """Return the sender's seat in a match, and the opponent."""
    players = players_of(session, match.id)
    mine = next(player for player in players if player.person_id == sender.person.id)
    return mine, next(person.handle for person in persons_of(session, players) if person.id != sender.person.id)


def _say_which_seek() -> str:
    """Refuse `renew` without a seek."""
    return _("Say which of your seeks you mean, for example: renew 7")


def _say_what_to_withdraw() -> str:
    """Refuse `withdraw` without a number and without a game."""
    return _("Say what to withdraw by its number, for example: withdraw 7")


def _say_which_game() -> str:
    """Refuse `rematch` without a game."""
    return _("Say which game you want to play again, for example: rematch 12")


def _withdraw(session: Session, sender: Sender, command: cmd.Withdraw) -> TranscriptEntry:
    if command.number is None and sender.player is None:
        raise challenges.ChallengeError(_say_what_to_withdraw())
    if command.number is None:
        kind = OfferKind(command.what) if command.what else None
        return withdrawn(offers.withdraw(session, player_of(sender), kind, now=sender.now))
    number, what = command.number, command.what
    others = [one for one in WITHDRAWALS if what == one.word or (not what and one.has(session, sender, number))]
    seek = session.get(Seek, number) if what in ("", "seek") else None
    is_open = seek is not None and seek.person_id == sender.person.id and seek.state == SeekState.OPEN
    if others and is_open:
        sentence = _("Number {number} is both an offer of yours and something else. Write: {lines}")
        lines = [f"withdraw {word} {command.number}" for word in ("seek", *(one.word for one in others))]
        raise challenges.ChallengeError(sentence.format(number=command.number, lines=listing(lines, _("or"))))
    if others:
        return others[0].withdraw(session, sender, command.number)
    seek = challenges.withdraw(session, sender.person, command.number)
    return TranscriptEntry("", _("Number {number} has been withdrawn.").format(number=seek.id))


class Withdrawal(NamedTuple):
    """What `withdraw 5` may mean besides an offer, from a feature: its word, whether the sender has it, and the act."""

    word: str
    has: Callable[[Session, Sender, int], bool]
    withdraw: Callable[[Session, Sender, int], TranscriptEntry]


class Acceptance(NamedTuple):
    """What `accept` without a number may mean besides an offer, from a feature."""

    letter: str
    """The kind of letter that it answers."""
    lines: Callable[[Session, Sender], Sequence[str]]
    """Returns the full line for each challenge that waits for the sender."""
    accept: Callable[[Session, Sender], TranscriptEntry]


ACCEPTANCES: list[Acceptance] = []

WITHDRAWALS: list[Withdrawal] = []
"""What features let a number mean; `withdraw WORD 5` says which."""


def _seek_id(sender: Sender, seek_id: int | None) -> int | None:
    if seek_id is None and sender.token is not None and sender.token.purpose == Purpose.SEEK:
        return int(accounts.payload_of(sender.token)["seek"])
    return seek_id


COMMANDS = (
    Declaration(
        kind=cmd.Challenge,
        readers={"challenge | sfida": arguments.read_challenge},
        need=Need.YES,
        handler=_challenge,
        topic="challenges",
        help=(
            HelpLine(
                "challenges",
                1,
                N_("challenge ann duel as white 3 days"),
                N_("ask ann to play; options as name=value, time at the end"),
            ),
            HelpLine(
                "challenges",
                2,
                N_("challenge ann duel post 21 days"),
                N_("the same by post, for players without mail"),
            ),
            HelpLine(
                "challenges",
                4,
                N_("challenge robot 2 to duel"),
                N_("play a robot at once, at one of five levels; rated only if you say so"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.SeekPartner,
        readers={"seek | cerco": arguments.read_seek},
        need=Need.YES,
        handler=_seek,
        topic="seeks",
        help=(
            HelpLine("seeks", 1, N_("seek duel 3 days"), N_("look for an opponent; only the game is required")),
            HelpLine(
                "seeks",
                2,
                N_("seek duel pair=yes"),
                N_("the service pairs you within minutes with the best partner available"),
            ),
            HelpLine(
                "seeks",
                3,
                N_("seek duel rating=1400-1800 reliability=80 language=it"),
                N_("conditions that your opponent must meet"),
            ),
            HelpLine(
                "seeks",
                4,
                N_("seek duel games=2 standing=2 again=never days=30"),
                N_("how many games, how soon with the same opponent, for how long"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Seeks,
        phrases="seeks | open seeks | ricerche",
        need=Need.NOTHING,
        handler=lambda s, w, c: answers.seeks(s, w.person, now=w.now),
        title=always(N_("Seeks")),
        topic="seeks",
        help=(HelpLine("seeks", 5, N_("seeks"), N_("who is looking for a partner, and where you qualify")),),
    ),
    Declaration(
        kind=cmd.Renew,
        readers={"renew | rinnovo": number_reader(cmd.Renew, also="it|seek|my seek")},
        need=Need.YES,
        argument="number",
        need_without=Need.GAME,
        missing=_say_which_seek,
        handler=_renew,
        topic="seeks",
    ),
    Declaration(
        kind=cmd.Accept,
        readers={"accept | accetto": arguments.answer_reader(cmd.Accept)},
        need=Need.YES,
        handler=_accept,
        topic="seeks",
        help=(
            HelpLine("seeks", 6, N_("accept 7"), N_("takes seek 7")),
            HelpLine(
                "challenges",
                5,
                N_("accept 7, decline 7"),
                N_("answer challenge 7 (no number needed in reply to its letter)"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Decline,
        readers={"decline | reject | rifiuto": arguments.answer_reader(cmd.Decline)},
        need=Need.YES,
        handler=_decline,
        topic="offers",
        help=(HelpLine("offers", 4, N_("decline"), N_("refuse an offer")),),
    ),
    Declaration(
        kind=cmd.Reopen,
        readers={
            "reopen": number_reader(cmd.Reopen, also="it|challenge|the challenge|invitation|the invitation"),
            "riapri": number_reader(cmd.Reopen, also="la sfida|sfida|l'invito"),
        },
        need=Need.YES,
        handler=_reopen,
        topic="challenges",
    ),
    Declaration(
        kind=cmd.Counter,
        readers={"counter | controproposta": arguments.read_counter},
        need=Need.YES,
        handler=_counter,
        topic="challenges",
        help=(
            HelpLine(
                "challenges",
                6,
                N_("counter 7 board=sun 3 days"),
                N_("make a counter-offer to challenge 7; what you don't name stays"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.DiceWords,
        need=Need.YES,
        handler=_change_words,
        help=(
            HelpLine(
                "dice",
                1,
                N_("words: a walk in the rain"),
                N_("below a challenge, a seek or accept: your words also decide what chance brings"),
            ),
            HelpLine(
                "dice",
                2,
                N_("words 7: a walk in the rain"),
                N_("changes your words for offer 7, until somebody accepts it"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Learn,
        readers={"learn | impara | imparo": arguments.read_learn},
        need=Need.YES,
        handler=_learn,
        topic="begin",
        help=(
            HelpLine(
                "begin",
                7,
                N_("learn duel"),
                N_("a robot plays with you and explains the rules with its first ten moves"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.Rematch,
        phrases="rematch | rivincita | revanche | revancha",
        readers={"rematch | rivincita": number_reader(cmd.Rematch)},
        need=Need.YES,
        argument="match",
        need_without=Need.GAME,
        missing=_say_which_game,
        names_game=True,
        handler=_rematch,
        topic="challenges",
        help=(HelpLine("challenges", 8, N_("rematch 12"), N_("rematch of game 12, colours swapped")),),
    ),
    Declaration(
        kind=cmd.Withdraw,
        readers={"withdraw | ritiro": arguments.read_withdraw},
        need=Need.YES,
        argument="number",
        need_without=Need.GAME,
        missing=_say_what_to_withdraw,
        handler=_withdraw,
        topic="seeks",
        help=(
            HelpLine("offers", 5, N_("withdraw draw"), N_("take back your own offer of a draw, a pause or a takeback")),
            HelpLine("seeks", 7, N_("withdraw 7, renew 7"), N_("end or reopen a seek of yours")),
            HelpLine("challenges", 7, N_("withdraw 7, reopen 7"), N_("take challenge 7 back, or reopen it")),
        ),
    ),
)
