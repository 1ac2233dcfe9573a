"""Every foreign key to a person: who owns the row's data, and whether it is erased.

Both data_export.py and erasure.py use this table. A key missing here would be in neither, so a test compares the
table with the models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import sqlalchemy
from sqlalchemy import Column
from sqlmodel import SQLModel

from correspondence.accounts import access
from correspondence.models import Address, ApiToken, PostalHelper, PushSubscription, Token, Webhook, WebSession
from correspondence.models.columns import Table


class Ownership(StrEnum):
    """Owner of the data in a row with a key to a person: that person, or somebody else."""

    OWN = "own"
    OF_OTHERS = "of others"


@dataclass(frozen=True, slots=True)
class PersonKey:
    """Meaning of a foreign key to a person; `is_erased`: the row is deleted with the person."""

    ownership: Ownership
    is_erased: bool = True


_OWN = PersonKey(Ownership.OWN)
_OWN_OF_A_GAME = PersonKey(Ownership.OWN, is_erased=False)
_OF_OTHERS = PersonKey(Ownership.OF_OTHERS)
_OF_OTHERS_OF_A_GAME = PersonKey(Ownership.OF_OTHERS, is_erased=False)


def _access(table: type[Table]) -> PersonKey:
    """Return the PersonKey of rows that give access; the table of access decides about erasure."""
    return PersonKey(Ownership.OWN, is_erased=access.is_erased(table))


PERSON_KEYS: Mapping[str, PersonKey] = MappingProxyType(
    {
        "vacation.person_id": _OWN,
        "address.person_id": _access(Address),
        "api_token.person_id": _access(ApiToken),
        "block.other_id": _OF_OTHERS,
        "block.person_id": _OWN,
        "member_report.about_id": _OF_OTHERS,
        "member_report.person_id": _OWN,
        "member_mail.recipient_id": _OF_OTHERS,
        "member_mail.sender_id": _OWN,
        "exercise_attempt.person_id": _OWN,
        "exercise_rating.person_id": _OWN,
        "hidden_words.person_id": _OWN,
        "inbound.person_id": _OWN,
        "letter.person_id": _OWN,
        "directory_listing.person_id": _OWN,
        "event.person_id": _OWN,
        "mute.other_id": _OF_OTHERS,
        "mute.person_id": _OWN,
        "operator_act.operator_id": _OF_OTHERS_OF_A_GAME,
        "operator_act.person_id": _OWN_OF_A_GAME,
        "operator_act.reversed_by_id": _OF_OTHERS_OF_A_GAME,
        "plan.person_id": _OWN,
        "player.person_id": _OWN_OF_A_GAME,
        "postal_entry.entered_by_id": _OF_OTHERS_OF_A_GAME,
        "postal_entry.person_id": _OWN,
        "postal_helper.helper_id": _OF_OTHERS,
        "postal_helper.person_id": _access(PostalHelper),
        "postal_member.person_id": _OWN,
        "push_subscription.person_id": _access(PushSubscription),
        "rating.person_id": _OWN_OF_A_GAME,
        "rating_change.opponent_id": _OF_OTHERS_OF_A_GAME,
        "rating_change.person_id": _OWN_OF_A_GAME,
        "remark.person_id": _OWN,
        "review.asked_by_id": _OWN_OF_A_GAME,
        "review_reader.person_id": _OWN,
        "seek.opponent_id": _OF_OTHERS_OF_A_GAME,
        "seek.person_id": _OWN_OF_A_GAME,
        "token.person_id": _access(Token),
        "variation.person_id": _OWN,
        "web_session.person_id": _access(WebSession),
        "webhook.person_id": _access(Webhook),
    }
)
"""The meaning of each foreign key to a person, by `table.column`.

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
