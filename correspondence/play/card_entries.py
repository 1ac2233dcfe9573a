"""Moves by post: who may enter the move on a postal player's card, and the result.

An opponent or an agreed helper enters the move with the card's check word (check_words.py). If anything is hidden, only
a helper may, unless they play against that player or help an opponent. Refusals come before any write. A wrong word is
recorded instead of raised as an error, so that nobody can guess words by trying.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from sqlmodel import Session, col, func, select

from correspondence.accounts import postal_members
from correspondence.fairness.heads import first_head
from correspondence.models import By, Match, OfferKind, Person, Player, PostalEntry
from correspondence.models.epochs import EPOCH
from correspondence.models.loading import MatchError, locked, moves_of, must_go_on, person_of, players_of
from correspondence.play import game_letters, matches, offers, talk_guard
from correspondence.play.check_words import CardKey, check_word, earlier_board, is_right, normalised
from engines.wording import _

MOST_TRIES = 8
"""Maximum number of wrong check words one person can enter in one turn."""

RESIGN_WORDS = frozenset({"resign", "i resign", "abbandono", "abbandona"})
DRAW_WORDS = frozenset({"draw", "a draw", "patta"})
TAKEBACK_WORDS = frozenset({"takeback", "take back", "ritiro"})
"""Words on a card that allow a take-back; like the sets above, only helpers enter them."""

LONGEST_CONTEST = 400
"""Maximum length, in characters, of a postal player's account of their card."""


class Role(Enum):
    """A person's role towards a postal player's card."""

    PLAYER = "player"
    HELPER = "helper"
    OPPONENT = "opponent"


@dataclass(frozen=True, slots=True)
class CardRight:
    """A postal player who is to move, and a person's role towards their card."""

    player: Player
    role: Role

    @property
    def sees_card(self) -> bool:
        """Whether the person may see the card: the player's own view and the check word."""
        return self.role is not Role.OPPONENT


@dataclass(frozen=True, slots=True)
class CardReading:
    """The result of entering a card: the recorded move, another action, or a refusal."""

    move: str = ""
    done: str = ""
    refusal: str = ""


def rights(session: Session, match: Match, person_id: int) -> list[CardRight]:
    """Return the cards of a running match that a person may handle, with their role."""
    players = players_of(session, match.id)
    postal = postal_members.by_post(session, [player.person_id for player in players])
    is_player = any(player.person_id == person_id for player in players)
    found = []
    for player in (one for one in players if one.person_id in postal and one.since is not None):
        if player.person_id == person_id:
            found.append(CardRight(player, Role.PLAYER))
        elif is_player:
            found.append(CardRight(player, Role.OPPONENT))
        elif postal_members.helps(session, person_id, player.person_id):
            found.append(CardRight(player, Role.HELPER))
    return sorted(found, key=lambda right: right.role.value != Role.PLAYER.value)


def card_right(session: Session, match: Match, person_id: int) -> CardRight:
    """Return a person's rights on the card of a match; raise MatchError if they have none."""
    must_go_on(match)
    found = rights(session, match, person_id)
    if not found:
        raise MatchError(_("There's no card for you to enter here: nobody you know who plays by post is to move."))
    right = found[0]
    if right.role is not Role.PLAYER and talk_guard.has_hidden_information(match):
        _must_keep_secret(session, match, right, person_id)
    return right


def _must_keep_secret(session: Session, match: Match, right: CardRight, person_id: int) -> None:
    """Raise MatchError for an opponent, or an opponent's helper, if something is hidden."""
    handle = person_of(session, right.player).handle
    if right.role is Role.OPPONENT:
        sentence = _(
            "Something is hidden in this game, so an opponent can never enter {handle}’s cards. Only a "
            "helper can, whom {handle} or the operator names."
        )
        raise MatchError(sentence.format(handle=handle))
    others = [one for one in players_of(session, match.id) if one.id != right.player.id]
    if any(postal_members.helps(session, person_id, one.person_id) for one in others):
        sentence = _(
            "Something is hidden in this game, and you help both sides, so you cannot enter the cards of either."
        )
        raise MatchError(sentence)


def board_of(session: Session, match: Match, player: Player) -> CardKey:
    """Return the card key of a player who is to move: the position when their turn began."""
    hashes, takebacks = _hashes(session, match), match.takebacks % EPOCH  # cards stay valid after a server is lost
    return CardKey(match.id, player.seat, player.turn_ply, takebacks, hashes[player.turn_ply])


def word_of(session: Session, match: Match, player: Player, key: str) -> str:
    """Return the check word on the card of a player who is to move."""
    return check_word(key, board_of(session, match, player))


def _hashes(session: Session, match: Match) -> list[str]:
    first = first_head(match)
    return [first, *(move.hash for move in moves_of(session, match.id))]


def enter_card(
    session: Session,
    person: Person,
    match_id: int,
    text: str,
    word: str,
    *,
    ply: int | None,
    takebacks: int | None,
    key: str,
    now: datetime,
) -> CardReading:
    """Play the move on a postal player's card, and notify the postal player.

    An opponent or helper enters the card. `ply` and `takebacks` identify the position they saw. A wrong word plays
    nothing but is counted, and the caller must commit that. Raises MoveError or MatchError before changing anything.
    """
    match = locked(session, match_id)
    right = card_right(session, match, person.id)
    if right.role is Role.PLAYER:
        raise MatchError(_("This is your own card: play your move on the page of the game, which needs no check word."))
    _must_have_tries(session, match, right.player, person)
    refusal = _refusal(session, match, right.player, word, key)
    if refusal:
        _record(session, match, right, person, now, ply=match.ply + 1, is_refused=True)
        return CardReading(refusal=refusal)
    act = " ".join(text.casefold().strip(" .!").split())
    if act in RESIGN_WORDS | DRAW_WORDS | TAKEBACK_WORDS:
        return _end(session, match, right, person, act, now)
    if right.role is Role.OPPONENT and talk_guard.hides_move(match, right.player.seat, text):
        raise MatchError(_("This choice is made in secret, so only a helper may enter it."))
    entry_ply = match.ply + 1
    played = matches.make_move(session, right.player, text, now=now, by=By.POST, ply=ply, takebacks=takebacks)
    _record(session, match, right, person, now, ply=entry_ply, is_refused=False)
    move = played.entries[0].text
    game_letters.card_entered(session, match, right.player, person.handle, move, entry_ply, now=now)
    return CardReading(move)


def _end(session: Session, match: Match, right: CardRight, person: Person, act: str, now: datetime) -> CardReading:
    """Resign, answer or offer a draw, or allow a take-back, as a card says. Raises MatchError."""
    if right.role is not Role.HELPER:
        raise MatchError(_("Only a helper can enter a resignation, a draw or a takeback from a card."))
    done, ply = _done(session, right.player, act, now), match.ply + 1
    _record(session, match, right, person, now, ply=ply, is_refused=False)
    return CardReading(done=done)


def _done(session: Session, player: Player, act: str, now: datetime) -> str:
    """Carry out a card's action and describe it in a sentence. Raises MatchError."""
    handle = person_of(session, player).handle
    if act in TAKEBACK_WORDS:
        offers.accept(session, player, OfferKind.TAKEBACK, now=now)
        return _("{handle} has allowed the takeback.").format(handle=handle)
    if act in RESIGN_WORDS:
        matches.resign(session, player, now=now)
        return _("{handle} has resigned.").format(handle=handle)
    matches.offer_draw(session, player, now=now)
    return _("The draw {handle} wrote on the card has been entered.").format(handle=handle)


def _record(
    session: Session, match: Match, right: CardRight, person: Person, now: datetime, *, ply: int, is_refused: bool
) -> None:
    row = PostalEntry(
        match_id=match.id, ply=ply, person_id=right.player.person_id, entered_by_id=person.id,
        is_helper=right.role is Role.HELPER, is_refused=is_refused, at=now,
    )  # fmt: skip
    session.add(row)
    session.flush()


def tries_left(session: Session, match: Match, player: Player, person_id: int) -> int:
    """Return how many more wrong check words a person can enter in this turn."""
    query = select(func.count()).select_from(PostalEntry)
    query = query.where(col(PostalEntry.match_id) == match.id, col(PostalEntry.entered_by_id) == person_id)
    query = query.where(col(PostalEntry.is_refused), col(PostalEntry.person_id) == player.person_id)
    return MOST_TRIES - session.exec(query.where(col(PostalEntry.ply) > player.turn_ply)).one()


def refused_since(session: Session, match: Match, player: Player) -> int:
    """Return how many wrong check words were entered for a player in this turn, by anyone."""
    query = select(func.count()).select_from(PostalEntry)
    query = query.where(col(PostalEntry.match_id) == match.id, col(PostalEntry.person_id) == player.person_id)
    return session.exec(query.where(col(PostalEntry.is_refused), col(PostalEntry.ply) > player.turn_ply)).one()


def _must_have_tries(session: Session, match: Match, player: Player, person: Person) -> None:
    if tries_left(session, match, player, person.id) <= 0:
        sentence = _(
            "You entered {count} wrong check words in this turn, so somebody else must enter this card: "
            "{handle}’s helper, or the operator can name one."
        )
        raise MatchError(sentence.format(count=MOST_TRIES, handle=person_of(session, player).handle))


def _refusal(session: Session, match: Match, player: Player, word: str, key: str) -> str:
    """Explain why a check word is refused and which position is needed; empty if it is right."""
    board = board_of(session, match, player)
    if is_right(key, board, word):
        return ""
    written, handle = normalised(word), person_of(session, player).handle
    now = _("The card must show the position after move {now}, as this page does.").format(now=board.ply)
    earlier = earlier_board(key, board, _hashes(session, match), word)
    if earlier is None:
        sentence = _("“{word}” is on no card of this game. Please compare the four letters.")
        return f"{sentence.format(word=written)} {now}"
    if earlier.takebacks != board.takebacks:
        sentence = _("“{word}” is on a card from before a move was taken back; {handle} needs the new card.")
        return f"{sentence.format(word=written, handle=handle)} {now}"
    sentence = _("“{word}” is on an older card of {handle}’s, for the position after move {then}.")
    return f"{sentence.format(word=written, handle=handle, then=earlier.ply)} {now}"


# -- what was entered ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EnteredMove:
    """Who entered a move from a card, and when the entry was contested, if it was."""

    entered_by: str
    is_helper: bool
    at: datetime
    contested_at: datetime | None


def entered_moves(session: Session, match_id: int) -> Mapping[int, EnteredMove]:
    """Return the moves of a match that were entered from cards, by entry number."""
    by_post = {move.ply for move in moves_of(session, match_id) if move.by == By.POST}
    if not by_post:
        return {}
    query = select(PostalEntry, Person).join(Person, col(Person.id) == col(PostalEntry.entered_by_id))
    query = query.where(col(PostalEntry.match_id) == match_id, ~col(PostalEntry.is_refused))
    return {
        row.ply: EnteredMove(person.handle, row.is_helper, row.at, row.contested_at)
        for row, person in session.exec(query.order_by(col(PostalEntry.id)))
        if row.ply in by_post
    }


def contest(session: Session, person: Person, match_id: int, ply: int, words: str, *, now: datetime) -> PostalEntry:
    """Contest an entry that differs from the card, as the postal player or their helper.

    The record stays; the history shows who entered the move and that it is contested. Raises MatchError.
    """
    query = select(PostalEntry).where(col(PostalEntry.match_id) == match_id, col(PostalEntry.ply) == ply)
    query = query.where(~col(PostalEntry.is_refused)).order_by(col(PostalEntry.id).desc()).with_for_update()
    row = session.exec(query).first()
    if row is None or not _speaks_for(session, person.id, row):
        raise MatchError(_("No move {ply} was entered from a card of yours in this game.").format(ply=ply))
    if row.contested_at is not None:
        raise MatchError(_("Move {ply} is already contested; the operator knows.").format(ply=ply))
    text = matches.clean_talk(words)[:LONGEST_CONTEST]
    if not text:
        raise MatchError(_("Please say in a few words what the card said."))
    row.contested_at, row.contest = now, text
    session.add(row)
    return row


def contestable(session: Session, match_id: int, person_id: int) -> frozenset[int]:
    """Return the entry numbers that a person may contest for themselves or as a helper."""
    query = select(PostalEntry).where(col(PostalEntry.match_id) == match_id, ~col(PostalEntry.is_refused))
    rows = session.exec(query.where(col(PostalEntry.contested_at).is_(None)))
    return frozenset(row.ply for row in rows if _speaks_for(session, person_id, row))


def _speaks_for(session: Session, person_id: int, row: PostalEntry) -> bool:
    return row.person_id == person_id or postal_members.helps(session, person_id, row.person_id)
