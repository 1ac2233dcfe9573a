"""Search budgets count positions, so a robot's strength depends on its seed and not on the machine."""

from __future__ import annotations


class BudgetSpent(Exception):
    """Raised when a search has used its budget; it answers with the best result so far."""
