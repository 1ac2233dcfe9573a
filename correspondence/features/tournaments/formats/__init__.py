"""The formats: what begins next and how it stands, as pure functions of a tournament.

Input: a `Field`. Output: pairings and byes to begin now, standings, whether it is over. Another format is one module
with the functions of `FormatRules`, and one line in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from correspondence.features.tournaments.formats import knockout, ladder, league, round_robin, swiss, team_match
from correspondence.features.tournaments.formats.field import Field, Pairing, Row, Upcoming

__all__ = ["FORMATS", "FormatRules"]


class FormatRules(Protocol):
    """The functions of a format. All are pure: the same field gives the same answer.

    The service records what `next_pairings` returns and asks again, with the new field, until it returns nothing.
    """

    def next_pairings(self, field: Field, /) -> Upcoming:
        """Return the pairings and byes to begin now; empty if nothing is due."""
        ...

    def standings(self, field: Field, /) -> tuple[Row, ...]:
        """Return the rows, best first within each section."""
        ...

    def is_over(self, field: Field, /) -> bool:
        """Whether nothing can change the standings any more and nothing begins. Leagues and ladders are never over."""
        ...

    def settled(self, field: Field, /) -> tuple[Pairing, ...]:
        """Return all pairings as they count, for everything that shows results.

        Games of a struck entrant are void. Games that a leaver owes are lost without a game, even if none was recorded.
        """
        ...


FORMATS: Mapping[str, FormatRules] = MappingProxyType(
    {
        "round-robin": round_robin,
        "swiss": swiss,
        "knockout": knockout,
        "league": league,
        "ladder": ladder,
        "team-match": team_match,
    }
)
"""Every format by its key in the contract."""
