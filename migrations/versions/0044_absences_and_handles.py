"""Absences keep the hours they were charged for; of handles that look alike, i is no longer taken for l.

Revision ID: 0044
Revises: 0043
"""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
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


def skeleton(handle: str) -> str:
    """What a handle looks like, as on the day of this migration."""
    text = handle.replace("I", "l").casefold().replace("0", "o").replace("1", "l")
    return re.sub(r"[-_]+", "-", text.replace("rn", "m").replace("vv", "w")).strip("-")


def skeleton_before(handle: str) -> str:
    """What it looked like before: see migration 0037."""
    return skeleton(handle.casefold().replace("i", "l"))


def upgrade() -> None:
    """Add the column; absences announced before have no value. Give members new skeletons, in the order they joined."""
    op.add_column("vacation", sa.Column("hours", sa.Integer(), nullable=True))
    _give(skeleton)


def downgrade() -> None:
    """Remove the column, and give the skeletons of before."""
    op.drop_column("vacation", "hours")
    _give(skeleton_before)


def _give(rule) -> None:
    members = (PERSON.c.departed_at.is_(None), PERSON.c.robot_level == 0)
    op.execute(sa.update(PERSON).where(*members).values(handle_skeleton=None))
    first: dict[str, int] = {}
    for number, handle in op.get_bind().execute(
        sa.select(PERSON.c.id, PERSON.c.handle).where(*members).order_by(PERSON.c.id)
    ):
        first.setdefault(rule(handle), number)
    for look, number in first.items():
        op.execute(sa.update(PERSON).where(PERSON.c.id == number).values(handle_skeleton=look))
