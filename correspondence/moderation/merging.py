"""Merge two accounts of one member: games, ratings, addresses and history.

Everything moves to one handle. Games between the two are annulled and stay with the other account, which becomes a
departed player whose handle redirects. A merger is irreversible.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, UniqueConstraint, delete, update
from sqlmodel import Session, SQLModel, col, or_, select

from correspondence.accounts import access, accounts, address_changes, addresses, postal_members
from correspondence.accounts.access import Ending
from correspondence.archive import monthly
from correspondence.community.person_keys import PERSON_KEYS, Merging, names_person
from correspondence.core.i18n import moment
from correspondence.fairness import ends
from correspondence.matchmaking import challenges
from correspondence.models import Block, Match, Mute, OperatorAct, Person, Player
from correspondence.models.loading import ended_match_ids, locked
from correspondence.models.versions import of_match, raise_versions
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct
from correspondence.moderation.letters_of_acts import tell
from correspondence.moderation.members import person_for_act
from correspondence.moderation.results import annul_finished
from correspondence.ratings import corrections
from engines.wording import N_, _, ngettext

_MERGER = N_("Your accounts {other} and {handle} have been merged")
_TOLD = N_("The operator has merged your accounts {other} and {handle}.")
_TOLD_MORE = N_(
    "Games, talk and addresses of {other} belong to {handle} now, and ratings are worked out again. Games that the two played "
    "against each other are annulled. {other} is signed out everywhere, and its handle leads to {handle}. Letters of its games "
    "can be answered as before."
)


def _plan(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    kept, other = (person_for_act(session, operator, handle) for handle in (given.handle, given.other))
    _refuse_impossible(session, operator, kept, other, now)
    if given.again.strip().lstrip("@").casefold() != other.handle.casefold():
        raise ActError(
            _("Type the handle {handle} a second time: this cannot be reversed.").format(handle=other.handle)
        )
    mutual = _mutual(session, kept, other)

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        for person in (kept, other):
            names: dict[str, Any] = {"other": other.handle, "handle": kept.handle}
            tell(session, row, person, _MERGER, _TOLD, _TOLD_MORE, now=now, **names)
        for match_id in mutual:
            annul_finished(session, locked(session, match_id), row.reason, now=now)
        _merge(session, kept, other, mutual, now)
        return {}

    games = ngettext(
        "{count} game that the two played against each other is annulled.",
        "{count} games that the two played against each other are annulled.",
        len(mutual),
    ).format(count=len(mutual))
    sentence = _(
        "Games, talk, addresses and history of {other} go to {handle}, for good, and ratings of everybody affected are worked "
        "out again. {games} {other} is signed out, and its handle leads to {handle}. Both are told."
    )
    sentence = sentence.format(other=other.handle, handle=kept.handle, games=games)
    return PlannedAct(sentence, carry_out, person_id=kept.id, detail=other.handle)


def _refuse_impossible(session: Session, operator: Operator, kept: Person, other: Person, now: datetime) -> None:
    """Raise ActError if these two cannot be merged."""
    if kept.id == other.id:
        raise ActError(_("These are one account."))
    if operator.person_id in (kept.id, other.id):
        raise ActError(_("That is you. Ask another operator."))
    for person in (kept, other):
        if person.is_operator:
            raise ActError(_("{handle} is an operator, so they can't be merged.").format(handle=person.handle))
        if person.suspended_at is not None:
            raise ActError(_("{handle} is suspended. Restore them first.").format(handle=person.handle))
        if postal_members.by_post(session, [person.id]) or postal_members.helped_by(session, person.id):
            sentence = _("{handle} plays by post or helps somebody who does, which cannot be merged.")
            raise ActError(sentence.format(handle=person.handle))
        until = address_changes.undo_until(session, person, now=now)
        if until is not None:
            sentence = _(
                "The addresses of {handle} were changed recently, and the change can be undone "
                "until {when}. Wait until then."
            )
            raise ActError(sentence.format(handle=person.handle, when=moment(until, "UTC", "en")))
    if sum(len(address_changes.addresses_of(session, person)) for person in (kept, other)) > addresses.MOST:
        sentence = _("Together they have more than {most} addresses. Please remove one first.")
        raise ActError(sentence.format(most=addresses.MOST))
    running = [number for number in _mutual(session, kept, other) if session.get_one(Match, number).ended_at is None]
    if running:
        sentence = _("They play game {number} against each other. Annul it first.")
        raise ActError(sentence.format(number=running[0]))


def _mutual(session: Session, kept: Person, other: Person) -> list[int]:
    """Return the matches that the two played against each other."""
    mine = select(Player.match_id).where(col(Player.person_id) == kept.id)
    query = select(Player.match_id).where(col(Player.person_id) == other.id, col(Player.match_id).in_(mine))
    return list(session.exec(query.order_by(col(Player.match_id))))


def _merge(session: Session, kept: Person, other: Person, mutual: list[int], now: datetime) -> None:
    access.end(session, other, Ending.MERGE, now=now)
    challenges.end_offers(session, other, now=now)
    finished = ended_match_ids(session, other.id)
    monthly.forget_months_of(session, other)
    session.flush()
    corrections.merge(session, kept.id, other.id, now=now)
    _join_relations(session, kept.id, other.id)
    played = select(Player.match_id).where(col(Player.person_id) == other.id)
    raise_versions(session, map(of_match, session.exec(played)))
    for table in SQLModel.metadata.sorted_tables:
        for column in filter(names_person, table.columns):
            _move(session, column, kept.id, other.id, mutual)
    session.execute(update(Person).where(col(Person.merged_into_id) == other.id).values(merged_into_id=kept.id))
    _leave(session, kept, other, now)
    ends.sign_anew(session, finished, "merged", now=now)


def _move(session: Session, column: Column[Any], kept_id: int, other_id: int, mutual: list[int]) -> None:
    """Move the rows of one key, or delete them; those of matches between the two, and of what both are in, stay."""
    table, name = column.table, f"{column.table.name}.{column.name}"
    merging = PERSON_KEYS[name].merging
    if merging == Merging.DROPPED:
        session.execute(delete(table).where(column == other_id))
    if merging != Merging.MOVED:
        return
    values: dict[str, Any] = {column.name: kept_id}
    if name == "address.person_id":
        values["is_main"] = False
    moved = update(table).where(column == other_id).values(values)
    if name in ("player.person_id", "plan.person_id", "remark.person_id", "variation.person_id"):
        moved = moved.where(table.c.match_id.not_in(mutual))
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint) and column.name in constraint.columns:
            moved = moved.where(~_has_both(column, constraint, kept_id))
    session.execute(moved, execution_options={"synchronize_session": False})


def _has_both(column: Column[Any], constraint: UniqueConstraint, kept_id: int) -> ColumnElement[bool]:
    """Whether the remaining account has such a row already, as for a tournament that both have entered."""
    own = column.table.alias()
    others = [own.c[one.name] == one for one in constraint.columns if one.name != column.name]
    return select(own.c[column.name]).where(own.c[column.name] == kept_id, *others).exists()


def _join_relations(session: Session, kept_id: int, other_id: int) -> None:
    """Merge blocks and mutes, each pair once, and none of oneself."""
    kinds: tuple[Any, ...] = (Block, Mute)
    for table in kinds:
        either = or_(
            col(table.person_id).in_([kept_id, other_id]), col(table.other_id).in_([kept_id, other_id])
        )  # fmt: skip
        seen: set[tuple[int, int]] = set()
        for row in session.exec(select(table).where(either).order_by(col(table.id))).all():
            one, two = (kept_id if number == other_id else number for number in (row.person_id, row.other_id))
            session.delete(row)
            session.flush()
            if one != two and (one, two) not in seen:
                seen.add((one, two))
                session.add(table(person_id=one, other_id=two, since=row.since))
        session.flush()


def _leave(session: Session, kept: Person, other: Person, now: datetime) -> None:
    """Make the other account a departed player whose handle redirects to the remaining one."""
    other.departed_at, other.merged_into_id = now, kept.id
    other.handle = accounts.DEPARTED
    session.add(other)
    session.flush()
    session.expire_all()


MERGE = Act(
    name="merge",
    title=N_("Merge two accounts of one member"),
    button=N_("Merge them for good"),
    needs=("handle", "other", "again"),
    plan=_plan,
    is_final=True,
)
