"""The exception for a spent search budget.

Budgets count positions, not time, so a robot is equally strong on every machine.
"""

from __future__ import annotations


class BudgetSpent(Exception):
    """Raised if a search has used up its budget; the search then returns its best result so far."""
