"""The picture of a Puzzle: the board, the goal and the progress."""

from __future__ import annotations

from engines.buttons import BLACK, LAYOUT_NOTES, WHITE, button_places, drawn_bridges, full_lines, grid
from engines.duel_puzzle.goals import PAR, SENTENCES
from engines.duel_puzzle.state import State
from engines.scene import Scene
from engines.wording import _, ngettext


def draw(position: State) -> Scene:
    """Draw a position; nothing is hidden in the Puzzle."""
    notes = _notes(position)
    return Scene(
        title=_title(position),
        summary=" ".join([*_button_places(position), *notes]),
        files=tuple("abcd"),
        ranks=tuple("4321"),
        rows=grid(position.cells),
        bridges=drawn_bridges(position.board),
        lines=full_lines(position.cells) if position.is_dealt else (),
        notes=tuple(notes),
        spoken_notes=tuple(notes[:-1]),
    )


def _title(position: State) -> str:
    if not position.is_dealt:
        return _("Duel Puzzle, goal {goal}: the buttons are in the bag").format(goal=position.goal)
    if position.solved:
        return _("Duel Puzzle, goal {goal}: solved").format(goal=position.goal)
    return _("Duel Puzzle, goal {goal}: not solved yet").format(goal=position.goal)


def _button_places(position: State) -> list[str]:
    if not position.is_dealt:
        return [_("The buttons are in the bag.")]
    return [button_places(position.cells, seat) for seat in (WHITE, BLACK)]


def _notes(position: State) -> list[str]:
    goal, count = position.goal, position.moves
    progress = (
        ngettext("Solved in {count} move.", "Solved in {count} moves.", count)
        if position.solved
        else ngettext("{count} move made.", "{count} moves made.", count)
    )
    par = _("Par is {par}.").format(par=PAR[goal])
    return [
        _("Goal {goal}: {sentence}.").format(goal=goal, sentence=_(SENTENCES[goal])),
        f"{progress.format(count=count)} {par}",
        _(LAYOUT_NOTES[position.layout]),
    ]
