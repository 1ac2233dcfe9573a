"""Plans after the end of a game: what was foreseen and not played stays sealed until both players want it opened.

A player reads his own lines at any time, those of the other only when both have agreed, and nobody else ever does.
Whether the other had planned anything is told no sooner either.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import relations
from correspondence.core.i18n import in_language
from correspondence.models import Match, Person, Player
from correspondence.models.loading import MatchError, locked, players_of
from correspondence.play import game_letters
from correspondence.play.conditional import plans, syntax
from engines.wording import _


@dataclass(frozen=True, slots=True)
class Unplayed:
    """The unplayed lines of a match that is over, as one of its players may read them.

    `theirs` is empty while they are sealed; `standing` says how things are, `may_agree` whether one's own consent is
    still wanting and would be of use, and `is_asked` whether either of the two has asked for it.
    """

    standing: str
    mine: tuple[str, ...]
    theirs: tuple[str, ...] = ()
    opponent: str = ""
    may_agree: bool = False
    is_asked: bool = True


def unplayed(session: Session, player: Player) -> Unplayed:
    """The plans of a match that is over, as this player may read them now. Raises MatchError where there are none."""
    match = session.get_one(Match, player.match_id)
    other = _opponent(session, match, player)
    person = session.get_one(Person, other.person_id)
    handle, mine = person.handle, _lines(session, player)
    if player.plans_opened_at is not None and other.plans_opened_at is not None:
        theirs = _lines(session, other)
        told = _("Both of you have opened your plans. Nobody else sees them.")
        told += "" if theirs else " " + _("{opponent} has no lines left that were not played.").format(opponent=handle)
        return Unplayed(told, mine, theirs, handle)
    if player.plans_opened_at is not None:
        told = _("You want the plans of this game opened; they stay sealed until {opponent} wants that too.")
        return Unplayed(told.format(opponent=handle), mine, opponent=handle)
    if person.departed_at is not None:
        told = _("Your opponent has left, so the plans of this game stay sealed.")
        return Unplayed(told, mine, opponent=handle, is_asked=False)
    told = _("{opponent} would like to open the plans of this game: what was foreseen and not played.")
    if other.plans_opened_at is None:
        told = _(
            "What was foreseen in this game and not played is sealed. {opponent} and you see each other's lines "
            "only when both of you want that."
        )
    is_asked = other.plans_opened_at is not None
    return Unplayed(told.format(opponent=handle), mine, opponent=handle, may_agree=True, is_asked=is_asked)


def agree(session: Session, player: Player, *, now: datetime) -> Unplayed:
    """Want the plans of a match that is over opened; where both do, they are, and the other is written to.

    Raises MatchError where the match runs, was played alone, or the other has left. To agree twice changes nothing.
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


def in_words(seen: Unplayed) -> list[str]:
    """The lines as a letter lists them, with numbers, so that they are no commands when they are quoted."""
    told = [_("Your lines:"), *_numbered(seen.mine)] if seen.mine else []
    if seen.theirs:
        told += [_("The lines of {opponent}:").format(opponent=seen.opponent), *_numbered(seen.theirs)]
    return told


def _tell(session: Session, match: Match, player: Player, other: Player, now: datetime) -> None:
    """Ask the other whether he wants it too, unless he does not want to hear the player; or show him what is open."""
    reader = session.get_one(Person, other.person_id)
    if other.plans_opened_at is not None:
        with in_language(reader.language):
            lines = in_words(unplayed(session, other)) or [_("Neither of you had lines left that were not played.")]
        game_letters.about_plans(session, match, other, "plans_opened", lines, now=now)
    elif reader.talk_letters and player.person_id not in relations.muted_ids(
        session, players_of(session, match.id), reader.id
    ):
        game_letters.about_plans(session, match, other, "plans_wanted", (), now=now)


def _opponent(session: Session, match: Match, player: Player) -> Player:
    other = next((one for one in players_of(session, match.id) if one.id != player.id), None)
    if other is None:
        raise MatchError(_("You played alone here: there was nobody whose moves you could foresee."))
    return other


def _lines(session: Session, player: Player) -> tuple[str, ...]:
    plan = plans.plan_of(session, player.match_id, player.person_id)
    return () if plan is None else syntax.spelled_lines(syntax.load(plan.tree))


def _numbered(lines: tuple[str, ...]) -> list[str]:
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
