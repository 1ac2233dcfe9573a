"""A member's running games as they want to see them: some of them, in some order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from correspondence.queries.game_lists import by_urgency
from correspondence.queries.view_models import GameCard
from engines.wording import N_

SORTS = {"time": N_("time left"), "move": N_("last move"), "opponent": N_("opponent")}
"""The orders of the list, by key."""

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class GamesChoice:
    """Which games a member wants to see: of one game, against one opponent, only those with them to move."""

    game: str = ""
    opponent: str = ""
    is_my_turn: bool = False
    sort: str = "time"

    @property
    def is_any(self) -> bool:
        """Whether this is the whole list in the usual order."""
        return self == GamesChoice()

    @property
    def query(self) -> dict[str, str]:
        """The choice as the fields of an address, without those that are as usual."""
        fields = {"game": self.game, "opponent": self.opponent, "turn": "mine" if self.is_my_turn else ""}
        return {name: text for name, text in fields.items() if text} | (
            {"sort": self.sort} if self.sort != "time" else {}
        )


def chosen(cards: Sequence[GameCard], choice: GamesChoice) -> tuple[GameCard, ...]:
    """Return the games that a member wants to see, in their order."""
    wanted = [card for card in cards if _is_wanted(card, choice)]
    if choice.sort == "move":
        return tuple(sorted(wanted, key=lambda card: (card.moved_at or _LONG_AGO, card.number), reverse=True))
    if choice.sort == "opponent":
        return tuple(sorted(wanted, key=lambda card: ([name.casefold() for name in card.opponents], card.number)))
    return by_urgency(wanted)


def _is_wanted(card: GameCard, choice: GamesChoice) -> bool:
    return (
        choice.game in ("", card.key)
        and choice.opponent in ("", *card.opponents)
        and (card.my_turn or not choice.is_my_turn)
    )


def opponents(cards: Sequence[GameCard]) -> tuple[str, ...]:
    """Return the handles of all opponents in these games, in order."""
    return tuple(sorted({name for card in cards for name in card.opponents}, key=str.casefold))
