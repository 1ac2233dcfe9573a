"""Every foreign key to a person: who owns the row's data, and whether it is erased.

Both data_export.py and erasure.py use this table. A key missing here would be in neither, so a test compares the
table with the models.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy
from sqlalchemy import Column
from sqlmodel import SQLModel

from correspondence.accounts import access
from correspondence.models import Address, ApiToken, PostalHelper, PushSubscription, Token, WebSession
from correspondence.models.columns import Table


class Ownership(StrEnum):
    """Owner of the data in a row with a key to a person: that person, or somebody else."""

    OWN = "own"
    OF_OTHERS = "of others"


class Merging(StrEnum):
    """What happens to a row when the person's account is merged into another."""

    MOVED = "moved"
    DROPPED = "dropped"
    """Deleted: settings, sessions and private training."""
    RATED_AGAIN = "rated again"
    """Recomputed (`ratings/corrections.py`)."""
    RELATION = "relation"
    """A block or mute, of which each pair keeps one."""


@dataclass(frozen=True, slots=True)
class PersonKey:
    """Meaning of a foreign key to a person; `is_erased`: the row is deleted with the person."""

    ownership: Ownership
    is_erased: bool = True
    merging: Merging = Merging.MOVED


OWN_MOVED = PersonKey(Ownership.OWN)
OWN_DROPPED = PersonKey(Ownership.OWN, merging=Merging.DROPPED)
OWN_OF_A_GAME_MOVED = PersonKey(Ownership.OWN, is_erased=False)
OF_OTHERS_MOVED = PersonKey(Ownership.OF_OTHERS)
OF_OTHERS_OF_A_GAME_MOVED = PersonKey(Ownership.OF_OTHERS, is_erased=False)

_OWN_RELATION = PersonKey(Ownership.OWN, merging=Merging.RELATION)
_RELATION_OF_OTHERS = PersonKey(Ownership.OF_OTHERS, merging=Merging.RELATION)


def key_of_access(table: type[Table], merging: Merging = Merging.DROPPED) -> PersonKey:
    """Return the key of rows that give access; the table of access decides about erasure."""
    return PersonKey(Ownership.OWN, access.is_erased(table), merging)


PERSON_KEYS: dict[str, PersonKey] = {
    "vacation.person_id": OWN_MOVED,
    "address.person_id": key_of_access(Address, Merging.MOVED),
    "api_token.person_id": key_of_access(ApiToken),
    "block.other_id": _RELATION_OF_OTHERS,
    "block.person_id": _OWN_RELATION,
    "member_report.about_id": OF_OTHERS_MOVED,
    "member_report.person_id": OWN_MOVED,
    "member_mail.recipient_id": OF_OTHERS_MOVED,
    "member_mail.sender_id": OWN_MOVED,
    "exercise_attempt.person_id": OWN_DROPPED,
    "exercise_rating.person_id": OWN_DROPPED,
    "hidden_words.person_id": OWN_MOVED,
    "inbound.person_id": OWN_MOVED,
    "letter.person_id": OWN_MOVED,
    "directory_listing.person_id": OWN_DROPPED,
    "event.person_id": OWN_DROPPED,
    "mute.other_id": _RELATION_OF_OTHERS,
    "mute.person_id": _OWN_RELATION,
    "operator_act.operator_id": OF_OTHERS_OF_A_GAME_MOVED,
    "operator_act.person_id": OWN_OF_A_GAME_MOVED,
    "operator_act.reversed_by_id": OF_OTHERS_OF_A_GAME_MOVED,
    "plan.person_id": OWN_MOVED,
    "player.person_id": OWN_OF_A_GAME_MOVED,
    "postal_entry.entered_by_id": OF_OTHERS_OF_A_GAME_MOVED,
    "postal_entry.person_id": OWN_DROPPED,
    "postal_helper.helper_id": PersonKey(Ownership.OF_OTHERS, merging=Merging.DROPPED),
    "postal_helper.person_id": key_of_access(PostalHelper),
    "postal_member.person_id": OWN_DROPPED,
    "push_subscription.person_id": key_of_access(PushSubscription),
    "rating.person_id": PersonKey(Ownership.OWN, is_erased=False, merging=Merging.RATED_AGAIN),
    "rating_change.opponent_id": PersonKey(Ownership.OF_OTHERS, is_erased=False, merging=Merging.RATED_AGAIN),
    "rating_change.person_id": PersonKey(Ownership.OWN, is_erased=False, merging=Merging.RATED_AGAIN),
    "remark.person_id": OWN_MOVED,
    "seek.opponent_id": OF_OTHERS_OF_A_GAME_MOVED,
    "seek.person_id": OWN_OF_A_GAME_MOVED,
    "token.person_id": key_of_access(Token, Merging.MOVED),
    "variation.person_id": OWN_MOVED,
    "web_session.person_id": key_of_access(WebSession),
}
"""The meaning of each foreign key to a person, by `table.column`; features add theirs.

Rows that are not erased belong to games with others, or record what operators did; they name the person only by id.
"""


def names_person(column: Column[object]) -> bool:
    """Whether a column is a foreign key to a person."""
    return any(key.column.table.name == "person" for key in column.foreign_keys)


def keys_of(table: sqlalchemy.Table) -> list[tuple[Column[object], PersonKey]]:
    """Return the foreign keys of a table to persons; raise KeyError for an unknown one."""
    return [(column, PERSON_KEYS[f"{table.name}.{column.name}"]) for column in table.columns if names_person(column)]


def own_keys() -> list[tuple[sqlalchemy.Table, Column[object]]]:
    """Return the tables with a person's own rows, each with the key to that person."""
    tables = SQLModel.metadata.sorted_tables
    return [(table, column) for table in tables for column, key in keys_of(table) if key.ownership == Ownership.OWN]
