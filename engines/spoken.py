"""Scenes as sentences for screen readers: all pieces, by side and kind.

It works for every game, from its scenes alone. So the sentences tell only what the scene's viewer may see.
"""

from __future__ import annotations

from functools import lru_cache

from engines.scene import Bridge, Cell, Piece, Scene, Tray, TrayItem
from engines.wording import N_, _

_BRIDGES = {
    "red": N_("Red bridges: {places}."),
    "black": N_("Black bridges: {places}."),
    "white": N_("White bridges: {places}."),
}


def sentences(scene: Scene) -> tuple[str, ...]:
    """Describe the position: summary, board, trays and notes."""
    return (_ended(scene.title), *board_sentences(scene), *beside_sentences(scene))


def board_sentences(scene: Scene) -> tuple[str, ...]:
    """Describe the board: single pieces by side and kind, stacks, tiles, and the empty rest."""
    cells = [cell for row in scene.rows for cell in row]
    empty = [cell for cell in cells if not cell.pieces and cell.ground is None]
    lying = [cell for cell in cells if cell.pieces]
    return (
        *(() if lying else (_("There is no piece on the board."),)),
        *_by_kind(lying),
        *stack_sentences(scene),
        *(_("{place}: {tile}.").format(place=cell.name, tile=cell.ground.name) for cell in cells if cell.ground),
        *((_("All other places are empty."),) if empty and len(empty) < len(cells) else ()),
    )


def stack_sentences(scene: Scene) -> tuple[str, ...]:
    """Describe places with several pieces, from the bottom up."""
    sentence = _("{place}, {count} pieces from the bottom up: {pieces}.")
    return tuple(
        sentence.format(place=cell.name, count=len(cell.pieces), pieces="; ".join(piece.name for piece in cell.pieces))
        for row in scene.rows
        for cell in row
        if len(cell.pieces) > 1
    )


def beside_sentences(scene: Scene) -> tuple[str, ...]:
    """Describe the bridges, the trays beside the board, and the notes."""
    rules = (f"{rule.name}: {rule.meaning}" for rule in scene.in_force)
    return (*_bridges(scene.bridges), *map(_tray, scene.trays), *map(_ended, (*rules, *scene.brief_notes)))


def by_side(piece: Piece) -> tuple[int, int, str]:
    """Sort key for pieces: by owner, most valuable first, pieces without owner last."""
    return (99 if piece.side is None else piece.side, -piece.value, piece.name)


def _by_kind(cells: list[Cell]) -> list[str]:
    """Return one sentence for each kind of single piece: number and squares."""
    places: dict[Piece, list[str]] = {}
    for cell in cells:
        if len(cell.pieces) == 1:
            places.setdefault(cell.pieces[0], []).append(cell.name)
    return [_kind(piece, sorted(places[piece], key=_in_order)) for piece in sorted(places, key=by_side)]


def _kind(piece: Piece, places: list[str]) -> str:
    sentence = _("{piece}: {places}.") if len(places) == 1 else _("{piece}, {count}: {places}.")
    return _ended(sentence.format(piece=piece.name, count=len(places), places=", ".join(places)))


@lru_cache(maxsize=1_024)
def _in_order(name: str) -> tuple[str, int]:
    """Sort key for squares: by file, then numeric rank, so a2 comes before a10."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :] or 0)


def _bridges(bridges: tuple[Bridge, ...]) -> list[str]:
    """Return the bridges by colour, each by the two squares that it joins."""
    by_colour: dict[str, list[str]] = {}
    for bridge in bridges:
        by_colour.setdefault(bridge.colour, []).append(_pair(bridge))
    return [_(_BRIDGES[colour]).format(places=", ".join(sorted(pairs))) for colour, pairs in sorted(by_colour.items())]


def _pair(bridge: Bridge) -> str:
    one, other = sorted((bridge.one, bridge.other))
    return _("{one} with {other}").format(one=one, other=other)


def _tray(tray: Tray) -> str:
    things = "; ".join(_item(item) for item in tray.items)
    words = "; ".join(part for part in (things, tray.note) if part)
    return _ended(_("{tray}: {things}").format(tray=tray.label, things=words or _("empty")))


def _item(item: TrayItem) -> str:
    return item.piece.name if item.count == 1 else _("{count} {piece}").format(count=item.count, piece=item.piece.name)


def _ended(text: str) -> str:
    """Capitalise and end with a full stop, so that screen readers pause."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."
