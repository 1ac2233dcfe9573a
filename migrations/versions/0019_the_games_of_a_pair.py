"""What two players had rated between them is found by an index, for such games count less and less"""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_rating_change_pair", "ratingchange", ["person_id", "opponent_id", "game", "at"])


def downgrade() -> None:
    op.drop_index("ix_rating_change_pair", table_name="ratingchange")
