"""Explain the rules in force at a position, for new players."""

from __future__ import annotations

from engines.proteus_tiles.state import State
from engines.proteus_tiles.tiles import COLOUR_WORDS, COLOURS, NO_TILE, RULES, TILE
from engines.proteus_tiles.words import rule_name
from engines.scene import Rule
from engines.wording import N_, _

MEANINGS: dict[str, str] = {
    "Mo": N_("a piece moves one space in any direction."),
    "Ms": N_("a piece moves along its row or its column, and leaps over what lies between."),
    "Mt": N_("a piece moves to another row and another column."),
    "To": N_("the tiles under one Black and one White piece may change places."),
    "Ts": N_("two tiles of one color may change places."),
    "Tt": N_("two tiles of one shape may change places."),
    "Go": N_("a player with three pieces in one line wins."),
    "Gs": N_("a player with three pieces on tiles of one color wins."),
    "Gt": N_("a player with three pieces on tiles of one shape wins."),
}
"""The meaning of each tile in force, by its code."""

_ASLEEP: dict[str, str] = {
    "M": N_("no tile is awake yet."),
    "T": N_("no tile is awake yet."),
    "G": N_("no tile is awake yet, so nobody can win."),
}

assert set(MEANINGS) == set(RULES)


def rules_in_force(position: State) -> tuple[Rule, ...]:
    """Return the rule in force for each colour of tiles that has one."""
    return tuple(_rule(colour, tile) for colour, tile in zip(COLOURS, position.lit, strict=True))


def _rule(colour: str, tile: str) -> Rule:
    if tile == NO_TILE:
        return Rule(_(COLOUR_WORDS[colour]), _(_ASLEEP[colour]))
    name = _("{colour}: {rule}").format(colour=_(COLOUR_WORDS[colour]), rule=rule_name(tile))
    return Rule(name, _(MEANINGS[TILE[tile]]))
