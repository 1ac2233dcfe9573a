"""Searches count what they look at against a budget, so that their strength follows from a seed and not from the machine."""

from __future__ import annotations


class BudgetSpent(Exception):
    """A search has looked at as many positions as it may; what it knows by then is what it answers."""
