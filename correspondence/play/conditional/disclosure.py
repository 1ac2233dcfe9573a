"""Plans after the end of a game: unplayed lines stay sealed until both players agree.

A player can always read their own lines, and the opponent's once both have agreed. Nobody else ever can. Until then a
player does not learn whether the opponent had planned anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import relations
from correspondence.core.i18n import in_language
from correspondence.models import Match, Person, Player
from correspondence.models.loading import MatchError, locked, players_of
from correspondence.outbound import kinds
from correspondence.play import game_letters
from correspondence.play.conditional import plans, syntax
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Unplayed:
    """The unplayed lines of a finished game, as one of its players may read them.

    `theirs` is empty while sealed. `status` is a sentence. `may_agree` says whether the player's own consent is missing
    and would help, `is_asked` whether either player has asked to open them.
    """

    status: str
    mine: tuple[str, ...]
    theirs: tuple[str, ...] = ()
    opponent: str = ""
    may_agree: bool = False
    is_asked: bool = True


def unplayed(session: Session, player: Player) -> Unplayed:
    """Return the plans of a finished game that this player may read now. Raises MatchError."""
    match = session.get_one(Match, player.match_id)
    other = _opponent(session, match, player)
    person = session.get_one(Person, other.person_id)
    handle, own_lines = person.handle, _lines(session, player)
    if player.plans_opened_at is not None and other.plans_opened_at is not None:
        their_lines = _lines(session, other)
        status = _("Both of you have opened your plans. Nobody else sees them.")
        status += (
            "" if their_lines else " " + _("{opponent} has no lines left that were not played.").format(opponent=handle)
        )
        return Unplayed(status, own_lines, their_lines, handle)
    if player.plans_opened_at is not None:
        status = _("You have asked to open the plans of this game; they stay sealed until {opponent} asks too.")
        return Unplayed(status.format(opponent=handle), own_lines, opponent=handle)
    if person.departed_at is not None:
        status = _("Your opponent has left, so the plans of this game stay sealed.")
        return Unplayed(status, own_lines, opponent=handle, is_asked=False)
    status = _("{opponent} would like to open the plans of this game: the lines that were planned but not played.")
    if other.plans_opened_at is None:
        status = _(
            "The lines that were planned in this game but not played are sealed. {opponent} and you see each "
            "other's lines only if both of you want that."
        )
    is_asked = other.plans_opened_at is not None
    return Unplayed(status.format(opponent=handle), own_lines, opponent=handle, may_agree=True, is_asked=is_asked)


def agree(session: Session, player: Player, *, now: datetime) -> Unplayed:
    """Agree to open the plans of a finished game; they open once both players agree.

    The opponent gets a letter. Raises MatchError if the game is still running, has one player only, or the opponent has
    left the service. Idempotent.
    """
    match = locked(session, player.match_id)
    session.refresh(player)
    other = _opponent(session, match, player)
    if match.ended_at is None:
        raise MatchError(_("Plans can be opened when the game is over, and only if both of you want that."))
    if player.plans_opened_at is None:
        if session.get_one(Person, other.person_id).departed_at is not None:
            raise MatchError(_("Your opponent has left, so the plans of this game stay sealed."))
        player.plans_opened_at = now
        session.add(player)
        session.flush()
        _tell(session, match, player, other, now)
    return unplayed(session, player)


def in_words(plans_seen: Unplayed) -> list[str]:
    """Number the lines for a letter, so that quoting them in a reply does not give commands."""
    lines = [_("Your lines:"), *_numbered(plans_seen.mine)] if plans_seen.mine else []
    if plans_seen.theirs:
        lines += [_("The lines of {opponent}:").format(opponent=plans_seen.opponent), *_numbered(plans_seen.theirs)]
    return lines


def _tell(session: Session, match: Match, player: Player, other: Player, now: datetime) -> None:
    """Ask the opponent for consent, unless they have muted the player, or send the opened lines."""
    reader = session.get_one(Person, other.person_id)
    if other.plans_opened_at is not None:
        with in_language(reader.language):
            lines = in_words(unplayed(session, other)) or [_("Neither of you had lines left that were not played.")]
        game_letters.about_plans(session, match, other, kinds.PLANS_OPENED, lines, now=now)
    elif kinds.PLANS_WANTED.is_wanted_by(reader) and player.person_id not in relations.muted_ids(
        session, players_of(session, match.id), reader.id
    ):
        game_letters.about_plans(session, match, other, kinds.PLANS_WANTED, (), now=now)


def _opponent(session: Session, match: Match, player: Player) -> Player:
    other = next((other for other in players_of(session, match.id) if other.id != player.id), None)
    if other is None:
        raise MatchError(_("You played alone here, so there was no opponent to plan against."))
    return other


def _lines(session: Session, player: Player) -> tuple[str, ...]:
    plan = plans.plan_of(session, player.match_id, player.person_id)
    return () if plan is None else syntax.line_texts(syntax.load(plan.tree))


def _numbered(lines: tuple[str, ...]) -> list[str]:
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
