"""Search budgets count positions, so that a robot's strength is the same on any machine.

It depends on its seed.
"""

from __future__ import annotations


class BudgetSpent(Exception):
    """Raised when a search has used its budget; it answers with the best result so far."""
