"""Scenes in sentences, for those who listen: who stands where, by side and kind of piece; nothing is left out.

Every game has these sentences, whatever it brings besides its scenes. Like the scene they are made from, they tell what
its viewer may know and nothing else.
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
    """The position: what is the matter, the pieces, stacks and tiles on the board, what is beside it, and the notes."""
    return (_ended(scene.title), *board_sentences(scene), *beside_sentences(scene))


def board_sentences(scene: Scene) -> tuple[str, ...]:
    """Everything on the board: single pieces by side and kind, stacks, tiles, and that the rest is empty."""
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
    """What lies on the places with several pieces, from the bottom up."""
    sentence = _("{place}, {count} pieces from the bottom up: {pieces}.")
    return tuple(
        sentence.format(place=cell.name, count=len(cell.pieces), pieces="; ".join(piece.name for piece in cell.pieces))
        for row in scene.rows
        for cell in row
        if len(cell.pieces) > 1
    )


def beside_sentences(scene: Scene) -> tuple[str, ...]:
    """The bridges between the places, what lies beside the board, and the notes."""
    rules = (f"{rule.name}: {rule.meaning}" for rule in scene.in_force)
    return (*_bridges(scene.bridges), *map(_tray, scene.trays), *map(_ended, (*rules, *scene.brief_notes)))


def by_side(piece: Piece) -> tuple[int, int, str]:
    """Order of pieces in a list: by owner, the dearest first, common things last."""
    return (99 if piece.side is None else piece.side, -piece.value, piece.name)


def _by_kind(cells: list[Cell]) -> list[str]:
    """One sentence for each kind of piece that lies by itself: how many there are, and where."""
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
    """File by file, the ranks as numbers: a2 before a10."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :] or 0)


def _bridges(bridges: tuple[Bridge, ...]) -> list[str]:
    """The bridges by colour, each by the two places that it joins."""
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
    """The text as a sentence: with a capital in front and a full stop behind, so that a voice pauses there."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."
