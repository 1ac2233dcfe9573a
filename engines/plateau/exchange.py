"""Exchange of prisoners: selections, payments, refusals (rule sheet: “Prisoner Exchange”)."""

from __future__ import annotations

from functools import lru_cache

from engines.plateau.pieces import value


@lru_cache(maxsize=4096)
def selections(prisoners: str) -> tuple[str, ...]:
    """Return each distinct non-empty selection of prisoners as sorted digits, lowest first."""
    subsets = {""}
    for digit in prisoners:
        subsets |= {chosen + digit for chosen in subsets}
    return tuple(sorted(subsets - {""}, key=lambda chosen: (len(chosen), chosen)))


def least_payment(tender: str, prisoners: str) -> int:
    """Return the minimum payment: the greatest possible value up to the tender's, or 0."""
    worth = value(tender)
    return max((v for v in map(value, selections(prisoners)) if v <= worth), default=0)


def payments(tender: str, prisoners: str) -> tuple[str, ...]:
    """Return every selection of these prisoners that pays for the tender."""
    least = least_payment(tender, prisoners)
    return tuple(chosen for chosen in selections(prisoners) if value(chosen) >= least)


def tenders(mine: str, theirs: str, refused: tuple[str, ...]) -> tuple[str, ...]:
    """Return every selection that may be tendered.

    Empty if the opponent holds no prisoners (A19). Selections refused in this turn are left out (A16).
    """
    return tuple(chosen for chosen in selections(mine) if chosen not in refused) if theirs else ()
