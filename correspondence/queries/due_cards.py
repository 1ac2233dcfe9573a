"""Cards due to players by post, each redacted for its reader and in their language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, col, exists, or_, select

from correspondence.accounts import postal_members
from correspondence.accounts.accounts import PeopleError, person_by_handle
from correspondence.accounts.postal_members import PostalDetails
from correspondence.core.i18n import in_language, moment
from correspondence.models import Address, Match, OfferKind, Person, Player, PostalMember
from correspondence.models.loading import MatchError, game_of, person_of, players_of, position_of
from correspondence.play import card_entries, record_moves, talk_guard
from correspondence.queries.queries import game_view
from correspondence.queries.view_models import GameView, MoveLine
from correspondence.render.postal_card import Card
from engines import svg
from engines.wording import _, ngettext

ENDED_WITHIN = timedelta(days=14)
"""Time after the end of a game for its last card, to a player without mail."""

NOTATION_LINES = 3
LONGEST_COMMENT = 110
"""Maximum length of a comment on a card, in characters."""


def due_cards(session: Session, *, key: str, base_url: str, now: datetime, handle: str = "") -> list[Card]:
    """Return the cards of all postal players to move, and last cards of finished games.

    They are ordered by player and deadline. `handle` selects one player; raises PeopleError if nobody by post has it.
    """
    query = (
        select(Player)
        .join(Match, col(Match.id) == col(Player.match_id))
        .join(PostalMember, col(PostalMember.person_id) == col(Player.person_id))
        .where(col(PostalMember.plays_by_post), or_(col(Player.since).is_not(None), _is_untold_end(now)))
        .order_by(col(Player.person_id), col(Player.deadline), col(Player.id))
    )
    if handle:
        query = query.where(col(Player.person_id) == _postal_person(session, handle).id)
    return [card_of(session, player, key=key, base_url=base_url) for player in session.exec(query).all()]


def pdf_of(cards: Sequence[Card], *, title: str, four_to_a_sheet: bool = False) -> bytes:
    """Return the cards as PDF: A6, front and back, or four to an A4 sheet, short-edge duplex."""
    from correspondence.render import card_sheet  # the drawing libraries take 0.1 s to load

    draw = card_sheet.card_sheets if four_to_a_sheet else card_sheet.card_pages
    return draw(cards, title=title)


def cards_for(session: Session, person_id: int, *, key: str, base_url: str, match_id: int | None = None) -> list[Card]:
    """Return the due cards of a member and of those they help; `match_id` selects one game."""
    helped = [one.person_id for one in postal_members.helped_by(session, person_id) if one.is_agreed]
    query = select(Player).where(col(Player.person_id).in_([person_id, *helped]), col(Player.since).is_not(None))
    if match_id is not None:
        query = query.where(col(Player.match_id) == match_id)
    players = session.exec(query.order_by(col(Player.person_id), col(Player.deadline), col(Player.id))).all()
    return [card_of(session, one, key=key, base_url=base_url) for one in players if _may_see(session, one, person_id)]


def _may_see(session: Session, player: Player, person_id: int) -> bool:
    """Whether a member may see a player's card, by the rules for entering it."""
    match = session.get_one(Match, player.match_id)
    try:
        right = card_entries.card_right(session, match, person_id)
    except MatchError:
        return False
    return right.sees_card and right.player.id == player.id


def _is_untold_end(now: datetime) -> ColumnElement[bool]:
    has_mail = exists().where(col(Address.person_id) == col(Player.person_id))
    return and_(col(Player.ended_at) > now - ENDED_WITHIN, ~has_mail)


def _postal_person(session: Session, handle: str) -> Person:
    person = person_by_handle(session, handle)
    if person is None or person.id not in postal_members.by_post(session, [person.id]):
        raise PeopleError(_("Nobody called “{handle}” plays by post here.").format(handle=handle.strip()[:40]))
    return person


def card_of(session: Session, player: Player, *, key: str, base_url: str) -> Card:
    """Return the current card of a player by post."""
    person, match = person_of(session, player), session.get_one(Match, player.match_id)
    is_secret = talk_guard.has_hidden_information(match)
    with in_language(person.language):
        view = game_view(session, match.id, person.id)
        assert view is not None
        is_due = player.since is not None
        return Card(
            language=person.language,
            title=_("Game {number} · {game}").format(number=match.id, game=view.card.game),
            players=" – ".join(seat.handle for seat in view.card.players),
            moment=_moment(view, is_due=is_due),
            news=tuple(_news(session, match, player, view, person)),
            until=_until(player, person),
            word=card_entries.word_of(session, match, player, key) if is_due else "",
            is_secret=is_secret,
            board=svg.render(view.scene, bottom=player.seat),
            link=f"{base_url}/games/{match.id}/card",
            to=(postal_members.details_of(session, person.id) or PostalDetails()).lines,
            reply_to=_reply_to(session, player, is_secret=is_secret),
            notation=tuple(line for line in _(game_of(match).notation).splitlines() if line.strip())[:NOTATION_LINES],
            example=_example(match, player) if is_due else "",
        )


def _moment(view: GameView, *, is_due: bool) -> str:
    mine = view.card.mine
    if not is_due or mine is None:
        return view.card.ending
    if not view.ply:
        return _("The game begins, and you move first: you play {seat}.").format(seat=mine.seat_name)
    return _("After move {ply}. You play {seat}, and it is your turn.").format(ply=view.ply, seat=mine.seat_name)


def _until(player: Player, person: Person) -> str:
    if player.deadline is None:
        return ""
    return _("To be entered by {when}").format(when=moment(player.deadline, person.zone, person.language))


def _news(session: Session, match: Match, player: Player, view: GameView, person: Person) -> list[str]:
    """Return the player's last entry, wrong check words since, and the others' moves and talk."""
    own = [line for line in view.lines if line.seat == player.seat]
    news = [_entered(own[-1], person)] if own and own[-1].entered_by else []
    wrong = card_entries.refused_since(session, match, player)
    if wrong:
        news.append(
            ngettext(
                "In this turn {count} card with a wrong check word was entered.",
                "In this turn {count} cards with a wrong check word were entered.",
                wrong,
            ).format(count=wrong)
        )
    for line in view.lines[own[-1].ply if own else 0 :]:
        news.append(f"{line.who}: {line.text}")
        if line.comment:
            news.append(_quoted(line.comment))
    if view.draw_offered_by is not None and view.draw_offered_by.seat != player.seat:
        news.append(_("{handle} offers a draw. To accept, write: draw").format(handle=view.draw_offered_by.handle))
    if any(
        one.kind == OfferKind.TAKEBACK and one.seat != player.seat
        for one in record_moves.open_offers(session, match.id)
    ):
        news.append(_("Your opponent would like the last move back. To allow it, write: takeback"))
    return news


def _quoted(comment: str) -> str:
    words = " ".join(comment.split())
    return f"“{words if len(words) <= LONGEST_COMMENT else words[:LONGEST_COMMENT] + '…'}”"


def _entered(line: MoveLine, person: Person) -> str:
    sentence = _("Entered from your card as move {ply}: {move}, by {handle}, {when}.")
    when = moment(line.at, person.zone, person.language)
    entry = sentence.format(ply=line.ply, move=line.text, handle=line.entered_by, when=when)
    contested = _("You contest it.")
    return f"{entry} {contested}" if line.is_contested else entry


def _reply_to(session: Session, player: Player, *, is_secret: bool) -> tuple[str, ...]:
    """Return the address for sending the card back: the helper's, else an opponent's if known.

    A helper who plays against this player counts as an opponent, and no opponent gets a card with secrets.
    """
    helper = postal_members.helper_of(session, player.person_id)
    others = [one.person_id for one in players_of(session, player.match_id) if one.id != player.id]
    if helper is not None and helper.person_id in others:
        helper = None
    others = [] if is_secret else others
    for person_id in ([helper.person_id] if helper and helper.is_agreed else []) + others:
        details = postal_members.details_of(session, person_id)
        if details is not None:
            return details.lines
    return ()


def _example(match: Match, player: Player) -> str:
    position = position_of(match).view(player.seat)
    move = next(iter(position.legal_moves(player.seat)), None)
    return "" if move is None else position.write(player.seat, move)
