"""Acts on a member's account: replace a lost address, or delete a spam account."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from correspondence.accounts import address_changes, addresses
from correspondence.community import erasure
from correspondence.core.i18n import moment
from correspondence.models import PLAYING, OperatorAct, Person, Player, Token
from correspondence.models.loading import ANNULLED, locked
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct
from correspondence.moderation.letters_of_acts import tell
from correspondence.moderation.members import person_for_act, refuse_oneself_and_the_last
from correspondence.play import game_end
from engines.wording import N_, _, ngettext

_ASKING = N_("A new address for your account")
_ASKED = N_("The operator is moving your account to a new address, which has been asked to confirm.")
_ASKED_MORE = N_(
    "Once confirmed, it becomes your main address, every browser is signed out, and this address can "
    "undo that for a week. If you didn't ask for it, write to the operator at once."
)
_NOT_ASKING = N_("No new address for your account")
_NOT_ASKED = N_("The operator has cancelled the move of your account to a new address.")


# -- change an address -----------------------------------------------------------------


def _plan_address(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    person = person_for_act(session, operator, given.handle)
    if person.is_operator and operator.person_id is not None:
        raise ActError(_("{handle} is an operator: use the command line for that.").format(handle=person.handle))
    mail = addresses.checked_for_takeover(session, person, given.mail)

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        token = addresses.offer_takeover(session, person, mail, now=now)
        tell(session, row, person, _ASKING, _ASKED, _ASKED_MORE, now=now)
        return {"token": token.id}

    sentence = _(
        "We send a letter to {mail} to ask whether it belongs to {handle}. A yes within three days makes it "
        "their main address, signs out every browser, and disables links and reply addresses in earlier "
        "letters. Their present addresses are told now and once it is done, and can undo it for a week."
    )
    return PlannedAct(sentence.format(mail=mail, handle=person.handle), carry_out, person_id=person.id)


def _undo_address(session: Session, row: OperatorAct, facts: dict[str, Any], now: datetime) -> None:
    token = session.get(Token, facts.get("token"), with_for_update=True)
    if token is None or token.used_at is not None:
        raise ActError(
            _("The new address has confirmed it. For a week, only the letter to the old addresses can undo it.")
        )
    token.used_at = now
    session.add(token)
    person = session.get_one(Person, row.person_id)
    tell(session, row, person, _NOT_ASKING, _NOT_ASKED, now=now, is_undone=True)


CHANGE_ADDRESS = Act(
    name="change-address",
    title=N_("Help a member to a new address"),
    button=N_("Ask the new address to confirm"),
    needs=("handle", "mail"),
    plan=_plan_address,
    undo=_undo_address,
)


# -- delete a spam account -------------------------------------------------------------


def _plan_deletion(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    person = person_for_act(session, operator, given.handle)
    refuse_oneself_and_the_last(session, operator, person)
    require_no_operator(person)
    require_typed_again(person, given)
    until = address_changes.undo_until(session, person, now=now)
    if until is not None:
        sentence = _(
            "The addresses of {handle} were changed recently, and the change can be undone until {when}. "
            "Suspend the member until then."
        )
        raise ActError(sentence.format(handle=person.handle, when=moment(until, "UTC", "en")))
    running = session.exec(select(Player.match_id).where(*_plays(person)).order_by(col(Player.match_id))).all()

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        for match_id in running:
            match = locked(session, match_id)
            match.corrected_for = row.reason
            game_end.end_by_service(session, match, PLAYING, ANNULLED, now=now)
        erasure.forget(session, person, now=now)
        return {}

    games = ngettext("{count} running game ends", "{count} running games end", len(running)).format(count=len(running))
    sentence = _(
        "{handle} is erased at once and for good: addresses, letters, talk and settings. {games} without "
        "result or rating, and their opponents are told. Finished games stay, as those of a departed player. "
        "{handle} is not told: their address goes too, and spammers get no answer."
    )
    return PlannedAct(sentence.format(handle=person.handle, games=games), carry_out, person_id=person.id)


def _plays(person: Person) -> tuple[Any, ...]:
    """SQL conditions: a seat of this person in a running game."""
    return col(Player.person_id) == person.id, col(Player.ended_at).is_(None)


def require_no_operator(person: Person) -> None:
    """Raise ActError if the member is an operator."""
    if person.is_operator:
        sentence = _("{handle} is an operator. Take that away first: flask operator remove {handle}.")
        raise ActError(sentence.format(handle=person.handle))


def require_typed_again(person: Person, given: Given) -> None:
    """Raise ActError unless the member's handle was typed a second time."""
    if given.again.strip().lstrip("@").casefold() != person.handle.casefold():
        raise ActError(
            _("Type the handle {handle} a second time: this cannot be reversed.").format(handle=person.handle)
        )


DELETE_SPAM = Act(
    name="delete-spam",
    title=N_("Delete a spam account"),
    button=N_("Delete it for good"),
    needs=("handle", "again"),
    plan=_plan_deletion,
    reason_hint=N_("It is kept, and everyone can read it on the games it ends."),
    is_final=True,
)
