"""Events say how often moves had been taken back, members are reminded several times, and a thread keeps its language.

Revision ID: 0038
Revises: 0037
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

REMINDED = """
UPDATE player SET remind_at = NULL WHERE remind_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM "match" WHERE "match".id = player.match_id
    AND ("match".remind_at IS NULL OR "match".remind_at > player.remind_at))
"""


def upgrade() -> None:
    """Add the columns; leads of reminders become a list, and threads keep the languages that their readers have now.

    A player's next reminder is none that has been sent, as the sweep of the match knows it.
    """
    op.add_column("event", sa.Column("takebacks", sa.Integer(), server_default="0", nullable=False))
    op.add_column("person", sa.Column("reminder_leads", sa.String(), server_default="", nullable=False))
    op.execute("UPDATE person SET reminder_leads = CAST(reminder_lead AS VARCHAR) WHERE reminder_lead > 0")
    op.drop_column("person", "reminder_lead")
    op.add_column("player", sa.Column("language", sa.String(), server_default="", nullable=False))
    op.execute(REMINDED)
    op.execute("UPDATE player SET language = (SELECT language FROM person WHERE person.id = player.person_id)")


def downgrade() -> None:
    """Take them away; of several leads the longest stays."""
    op.drop_column("player", "language")
    op.add_column("person", sa.Column("reminder_lead", sa.Integer(), server_default="0", nullable=False))
    people = op.get_bind().execute(sa.text("SELECT id, reminder_leads FROM person WHERE reminder_leads != ''")).all()
    for number, leads in people:
        longest = {"lead": int(leads.split()[0]), "number": number}
        op.get_bind().execute(sa.text("UPDATE person SET reminder_lead = :lead WHERE id = :number"), longest)
    op.drop_column("person", "reminder_leads")
    op.drop_column("event", "takebacks")
