"""The picture of a position of Duel: buttons, bridges, supplies and explanations."""

from __future__ import annotations

from engines.buttons import (
    BLACK,
    COLOURS,
    LAYOUT_NOTES,
    SETS,
    VALUES,
    WHITE,
    button_name,
    button_places,
    drawn_bridges,
    full_lines,
    grid,
    supply,
)
from engines.duel.state import State
from engines.scene import Scene
from engines.wording import _, listing, ngettext

_TOLD_FROM = 20


def draw(position: State) -> Scene:
    """Draw a position; nothing is hidden in Duel."""
    touchable = position.to_act
    return Scene(
        title=_title(position),
        summary=" ".join([*_button_places(position), *_notes(position), _moment(position)]),
        files=tuple("abcd"),
        ranks=tuple("4321"),
        rows=grid(position.cells),
        bridges=drawn_bridges(position.board),
        lines=full_lines(position.cells),
        trays=tuple(supply(position.cells, seat, touchable=seat in touchable) for seat in (BLACK, WHITE)),
        notes=tuple(_notes(position)),
        spoken_notes=tuple(_notes(position)[1:]),
    )


def _title(position: State) -> str:
    outcome = position.outcome
    if outcome is None:
        return _("Duel: {who} to move").format(who=_(COLOURS[position.side]))
    if not outcome.winners:
        return _("Duel: a draw")
    return _("Duel: {who} wins").format(who=_(COLOURS[outcome.winners[0]]))


def _moment(position: State) -> str:
    outcome = position.outcome
    if outcome is None:
        return _("{who} to move.").format(who=_(COLOURS[position.side]))
    if not outcome.winners:
        return _("A draw by {reason}.").format(reason=_(outcome.reason))
    return _("{who} wins by {reason}.").format(who=_(COLOURS[outcome.winners[0]]), reason=_(outcome.reason))


def _button_places(position: State) -> list[str]:
    return [
        sentence
        for seat in (BLACK, WHITE)
        for sentence in (button_places(position.cells, seat), _in_supply(position.cells, seat))
    ]


def _in_supply(cells: str, seat: int) -> str:
    rest = [str(VALUES[button]) for button in SETS[seat] if button not in cells]
    if not rest:
        return _("The supply is empty.")
    return _("In the supply: {buttons}.").format(buttons=listing(rest, _("and")))


def _notes(position: State) -> list[str]:
    notes = [_(LAYOUT_NOTES[position.layout])]
    if position.outcome is None and position.barred[0] in VALUES:
        notes.append(
            _("{one} and {other} have just changed places; they may not change back at once.").format(
                one=button_name(position.barred[0]), other=button_name(position.barred[1])
            )
        )
    quiet = position.turns_without_placement()
    if position.outcome is None and quiet >= _TOLD_FROM:
        notes.append(
            ngettext(
                "{count} turn without a placement; 100 are a draw.",
                "{count} turns without a placement; 100 are a draw.",
                quiet,
            ).format(count=quiet)
        )
    return notes
