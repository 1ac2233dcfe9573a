"""The archive by player, filter and opening; persons who departed"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
MOMENT = sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.add_column("person", sa.Column("departed_at", MOMENT(), nullable=True))
    op.add_column("match", sa.Column("indexed_at", MOMENT(), nullable=True))
    op.add_column("player", sa.Column("ended_at", MOMENT(), nullable=True))
    op.execute("UPDATE player SET ended_at = (SELECT ended_at FROM match WHERE match.id = player.match_id)")
    op.execute(
        # whoever has neither an address nor a seat to play came with an imported record
        "UPDATE person SET departed_at = joined_at WHERE id NOT IN (SELECT person_id FROM address) "
        "AND id NOT IN (SELECT person_id FROM player WHERE ended_at IS NULL)"
    )
    op.drop_index("ix_match_ended", table_name="match")
    facts = ["id", "result", "reason", "ply", "options", "daily"]
    _index("ix_match_finished", "match", ["ended_at", "id", "game", *facts[1:]], "ended_at IS NOT NULL")
    _index("ix_match_finished_game", "match", ["game", "ended_at", *facts], "ended_at IS NOT NULL")
    _index("ix_match_unindexed", "match", ["ended_at"], "ended_at IS NOT NULL AND indexed_at IS NULL")
    _index("ix_player_finished", "player", ["person_id", "ended_at", "match_id"], "ended_at IS NOT NULL")
    _index("ix_player_running", "player", ["person_id"], "ended_at IS NULL")
    op.create_table(
        "opening",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ended_at", MOMENT(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("key", "ended_at", "match_id"),
    )
    op.create_table(
        "continuation",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", TEXT(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", "text"),
    )


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)


def downgrade() -> None:
    op.drop_table("continuation")
    op.drop_table("opening")
    for name in ("ix_player_running", "ix_player_finished"):
        op.drop_index(name, table_name="player")
    for name in ("ix_match_unindexed", "ix_match_finished_game", "ix_match_finished"):
        op.drop_index(name, table_name="match")
    op.create_index("ix_match_ended", "match", ["ended_at", "id"])
    for table, column in (("player", "ended_at"), ("match", "indexed_at"), ("person", "departed_at")):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column(column)
