"""Ratings with their history, who was late and why, blocks, mutes and complaints"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
TIME = sqlmodel.sql.sqltypes.UTCDateTime
LATENESS = sa.Enum("", "own", "mail", "outage", "away", name="lateness", native_enum=False, length=16)


def upgrade() -> None:
    _ratings()
    for name in ("block", "mute"):
        _between(name)
    op.create_index("ix_block_other_id", "block", ["other_id"])
    op.create_table(
        "complaint",
        *_row(),
        *_person("person_id", "about_id"),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True),
        sa.Column("text", TEXT(), nullable=False),
        sa.Column("at", TIME(), nullable=False),
    )
    op.create_index("ix_complaint_by", "complaint", ["person_id", "at"])
    op.add_column("player", sa.Column("muted_at", TIME(), nullable=True))
    op.add_column("player", sa.Column("lateness", LATENESS, nullable=False, server_default=""))
    op.execute(
        "UPDATE player SET lateness = 'own' WHERE match_id IN (SELECT id FROM match WHERE reason = 'time' AND "
        "(result = '1/2-1/2' OR result = CASE player.seat WHEN 0 THEN '0-1' ELSE '1-0' END))"
    )


def downgrade() -> None:
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_column("lateness")
        batch_op.drop_column("muted_at")
    for name in ("complaint", "mute", "block", "ratingchange", "rating"):
        op.drop_table(name)


def _ratings() -> None:
    op.create_table(
        "rating",
        *_row(),
        *_person("person_id"),
        sa.Column("game", TEXT(), nullable=False),
        *_numbers("rating", "deviation", "volatility"),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated_at", TIME(), nullable=False),
        sa.Column("sure_until", TIME(), nullable=False),
        sa.UniqueConstraint("person_id", "game"),
    )
    op.create_index("ix_rating_order", "rating", ["game", "rating", "id"])
    op.create_table(
        "ratingchange",
        *_row(),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        *_person("person_id", "opponent_id"),
        sa.Column("game", TEXT(), nullable=False),
        *_numbers("score"),
        sa.Column("games_before", sa.Integer(), nullable=False),
        sa.Column("before_at", TIME(), nullable=True),
        *_numbers("rating_before", "deviation_before", "volatility_before", "rating", "deviation", "volatility"),
        sa.Column("at", TIME(), nullable=False),
        sa.UniqueConstraint("match_id", "person_id"),
    )
    op.create_index("ix_rating_change_course", "ratingchange", ["person_id", "game", "id"])


def _between(name: str) -> None:
    op.create_table(
        name,
        *_row(),
        *_person("person_id", "other_id"),
        sa.Column("since", TIME(), nullable=False),
        sa.UniqueConstraint("person_id", "other_id"),
    )


def _row() -> tuple[sa.Column[int], sa.PrimaryKeyConstraint]:
    return sa.Column("id", sa.Integer(), nullable=False), sa.PrimaryKeyConstraint("id")


def _person(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), sa.ForeignKey("person.id"), nullable=False) for name in names]


def _numbers(*names: str) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Float(), nullable=False) for name in names]
