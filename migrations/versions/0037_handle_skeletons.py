"""Handles that look alike are kept apart: each has a skeleton, and the first member with it keeps others from it.

Revision ID: 0037
Revises: 0036
"""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

PERSON = sa.table(
    "person",
    sa.column("id", sa.Integer),
    sa.column("handle", sa.String),
    sa.column("departed_at", sa.DateTime),
    sa.column("robot_level", sa.Integer),
    sa.column("handle_skeleton", sa.String),
)

LIKE_OTHERS = str.maketrans({"0": "o", "1": "l", "i": "l"})


def skeleton(handle: str) -> str:
    """What a handle looks like, as on the day of this migration: later rules must not change what it does."""
    text = handle.casefold().translate(LIKE_OTHERS).replace("rn", "m").replace("vv", "w")
    return re.sub(r"[-_]+", "-", text).strip("-")


def upgrade() -> None:
    """Give members their skeletons, of those that look alike to the one who joined first."""
    op.add_column("person", sa.Column("handle_skeleton", sa.String(), nullable=True))
    members = sa.select(PERSON.c.id, PERSON.c.handle).where(PERSON.c.departed_at.is_(None), PERSON.c.robot_level == 0)
    first: dict[str, int] = {}
    for number, handle in op.get_bind().execute(members.order_by(PERSON.c.id)):
        first.setdefault(skeleton(handle), number)
    for look, number in first.items():
        op.execute(sa.update(PERSON).where(PERSON.c.id == number).values(handle_skeleton=look))
    op.create_index("ix_person_handle_skeleton", "person", ["handle_skeleton"], unique=True)


def downgrade() -> None:
    """Take the column away."""
    op.drop_index("ix_person_handle_skeleton", table_name="person")
    op.drop_column("person", "handle_skeleton")
