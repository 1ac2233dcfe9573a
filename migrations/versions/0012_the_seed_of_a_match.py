"""The seed of a match, from which every lot is drawn"""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    seed = op.create_table(
        "seed",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id"),
    )
    match = sa.table("match", sa.column("id"), sa.column("ended_at"))
    going_on = op.get_bind().execute(sa.select(match.c.id).where(match.c.ended_at.is_(None))).scalars().all()
    op.bulk_insert(seed, [{"match_id": number, "secret": secrets.token_bytes(32)} for number in going_on])


def downgrade() -> None:
    op.drop_table("seed")
