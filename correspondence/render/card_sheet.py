"""Postcards as PDF: A6, with the board in front and the address on the back. Pure.

Four cards can also share an A4 sheet. A card shows only content redacted for its reader. Text is set in DejaVu Sans if
installed, otherwise in Vera, which comes with the library and has only Latin letters.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import cache

import segno
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen.canvas import Canvas

from correspondence.core.i18n import in_language
from correspondence.render import raster
from correspondence.render.postal_card import Card
from engines.svg.paint import PAINT
from engines.wording import _

WIDTH, HEIGHT = 148 * mm, 105 * mm
"""The size of a card: A6, landscape."""

SHEET = (297 * mm, 210 * mm)
"""The size of a sheet: A4, landscape, for four cards."""

PICTURE_WIDTH = 1_200
"""The width of a board in pixels, for about 430 pixels to an inch."""

MARGIN = 7 * mm
_INK, _SOFT, _LINE, _TINT = HexColor("#2a2420"), HexColor("#6b5d50"), HexColor("#b9a68c"), HexColor("#f6efe2")
_FONTS = (("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"), ("Vera.ttf", "VeraBd.ttf"))
_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF")


def card_pages(cards: Sequence[Card], *, title: str) -> bytes:
    """Return a PDF with two A6 pages per card: front, then back."""
    buffer = io.BytesIO()
    canvas = _canvas(buffer, (WIDTH, HEIGHT), title)
    for card in cards:
        for draw in (_front, _back):
            _placed(canvas, card, draw, 0, 0)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def card_sheets(cards: Sequence[Card], *, title: str) -> bytes:
    """Return an A4 PDF with four cards per sheet: a page of fronts, then one of backs.

    When printed on both sides and flipped on the short edge, each back lies behind its front.
    """
    buffer = io.BytesIO()
    canvas = _canvas(buffer, SHEET, title)
    for first in range(0, len(cards), 4):
        for draw, mirrored in ((_front, False), (_back, True)):
            for place, card in enumerate(cards[first : first + 4]):
                column, row = place % 2, place // 2
                left = (1 - column if mirrored else column) * SHEET[0] / 2
                _placed(canvas, card, draw, left, (1 - row) * SHEET[1] / 2)
            _cutting_lines(canvas)
            canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _canvas(buffer: io.BytesIO, size: tuple[float, float], title: str) -> Canvas:
    canvas = Canvas(buffer, pagesize=size, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("Correspondence")
    return canvas


def _placed(canvas: Canvas, card: Card, draw: Callable[[Canvas, Card], None], left: float, bottom: float) -> None:
    canvas.saveState()
    canvas.translate(left, bottom)
    with in_language(card.language):
        draw(canvas, card)
    canvas.restoreState()


def _cutting_lines(canvas: Canvas) -> None:
    canvas.setStrokeColor(_LINE)
    canvas.setLineWidth(0.3)
    canvas.setDash(2, 3)
    canvas.line(SHEET[0] / 2, 0, SHEET[0] / 2, SHEET[1])
    canvas.line(0, SHEET[1] / 2, SHEET[0], SHEET[1] / 2)
    canvas.setDash()


# -- the front -----------------------------------------------------------------------

_COLUMN = 84 * mm
"""The left edge of the text beside the board."""

_QR = 23 * mm


def _front(canvas: Canvas, card: Card) -> None:
    right, top = WIDTH - MARGIN, HEIGHT - 10.5 * mm
    _text(canvas, MARGIN, top, card.title, 10, bold=True)
    _text(canvas, right, top, card.players, 9, colour=_SOFT, to_right=True)
    _rule(canvas, MARGIN, right, top - 2.6 * mm)
    _picture(canvas, card.board, MARGIN, MARGIN, _COLUMN - MARGIN - 5 * mm, top - 6 * mm - MARGIN)
    low = _paragraph(canvas, _COLUMN, top - 7.5 * mm, card.moment, 9, bold=True)
    floor = MARGIN + _QR + (29 * mm if card.word else 4 * mm)
    _news(canvas, card.news, low - 0.5 * mm, floor)
    if card.word:
        _text(canvas, _COLUMN, floor - 3.6 * mm, card.until, 8, bold=True, most=right - _COLUMN)
        _fields(canvas, card.word)
    _code(canvas, card.link)


def _news(canvas: Canvas, news: Sequence[str], low: float, floor: float) -> None:
    """Draw the news, as far as it fits; an ellipsis marks the cut."""
    size, width = 7.5, WIDTH - MARGIN - _COLUMN
    lines = [line for one in news for line in _lines(one, _font(bold=False), size, width)]
    room = int((low - floor) / (size * 1.28)) + 1
    for line in lines[:room] if len(lines) <= room else [*lines[: room - 1], "…"]:
        _text(canvas, _COLUMN, low, line, size)
        low -= size * 1.28


def _fields(canvas: Canvas, word: str) -> None:
    """Draw the line for the move, and the frame with the check word."""
    right, low = WIDTH - MARGIN, MARGIN + _QR + 4 * mm
    canvas.setFillColor(_TINT)
    canvas.setStrokeColor(_LINE)
    canvas.setLineWidth(0.8)
    canvas.roundRect(_COLUMN, low, right - _COLUMN, 11 * mm, 1.5 * mm, fill=1)
    label = _lines(_("Check word"), _font(bold=False), 8, 18 * mm)
    for row, line in enumerate(label):
        _text(canvas, _COLUMN + 2.5 * mm, low + (2.7 + 1.8 * len(label) - 3.6 * row) * mm, line, 8, colour=_SOFT)
    for place, letter in enumerate(word):
        _text(
            canvas, right - 6 * mm - (len(word) - 1 - place) * 9 * mm, low + 3 * mm, letter, 19, bold=True, centred=True
        )
    _text(canvas, _COLUMN, low + 14.5 * mm, _("My move:"), 8, colour=_SOFT)
    begins = _COLUMN + pdfmetrics.stringWidth(_("My move:"), _font(bold=False), 8) + 2 * mm
    _rule(canvas, begins, right, low + 14 * mm)


def _code(canvas: Canvas, link: str) -> None:
    """Draw the QR code of the page where the card is entered, with its address."""
    size, left = _QR, WIDTH - MARGIN - _QR
    rows = [tuple(row) for row in segno.make(link, error="m", micro=False).matrix]
    module = size / len(rows)
    canvas.setFillColor(_INK)
    for row, cells in enumerate(rows):
        for column, is_dark in enumerate(cells):
            if is_dark:
                bottom = MARGIN + size - (row + 1) * module
                canvas.rect(left + column * module, bottom, module * 1.02, module * 1.02, stroke=0, fill=1)
    words = left - _COLUMN - 3.5 * mm  # the code needs a white margin of four modules
    low = _paragraph(canvas, _COLUMN, MARGIN + size - 2.6 * mm, _("Enter this card at:"), 7, colour=_SOFT, width=words)
    site, path = link[: link.find("/", 8)], link[link.find("/", 8) :]
    for number, part in enumerate((site, path)):
        _text(canvas, _COLUMN, low - number * 3.2 * mm, part, 7, most=words)


def _picture(canvas: Canvas, board: str, left: float, bottom: float, width: float, height: float) -> None:
    """Draw a board as large as possible at the top of its area, on white."""
    drawing = board.replace(PAINT["paper"].fill, "#ffffff")
    image = ImageReader(raster.image(drawing, "#ffffff", width=PICTURE_WIDTH))
    across, up = image.getSize()
    scale = min(width / across, height / up)
    drawn = (across * scale, up * scale)
    canvas.drawImage(image, left + (width - drawn[0]) / 2, bottom + height - drawn[1], *drawn)


# -- the back ------------------------------------------------------------------------


def _back(canvas: Canvas, card: Card) -> None:
    middle, top = 78 * mm, HEIGHT - MARGIN
    canvas.setStrokeColor(_LINE)
    canvas.setLineWidth(0.5)
    canvas.line(middle, MARGIN, middle, top)
    _how_to_answer(canvas, card, middle - MARGIN - 4 * mm)
    _stamp(canvas)
    left, low = middle + 9 * mm, 47 * mm
    for number, line in enumerate(card.to):
        _text(canvas, left, low - number * 6.2 * mm, line, 10.5, bold=not number, most=WIDTH - MARGIN - left)


def _how_to_answer(canvas: Canvas, card: Card, width: float) -> None:
    if not card.word:
        _paragraph(canvas, MARGIN, HEIGHT - 12 * mm, card.title, 9, bold=True, width=width)
        return
    low = _paragraph(canvas, MARGIN, HEIGHT - 12 * mm, _("How to answer"), 10, bold=True, width=width) - 0.8 * mm
    where = _("Send it to:") if card.reply_to else _("Send or give it to your opponent or helper, who enters it.")
    how = _("Write your move on the front, or on any postcard together with the check word.")
    if card.is_secret:
        how = _(
            "Write your move on the front. Your opponent must not see this card: send it to your helper in an envelope."
        )
    for sentence in (how, where):
        low = _paragraph(canvas, MARGIN, low, sentence, 8, width=width) - 0.8 * mm
    for line in card.reply_to:
        low = _paragraph(canvas, MARGIN + 4 * mm, low, line, 8.5, bold=True, width=width - 4 * mm)
    low -= 1.6 * mm
    sentence = _("For example: {move}").format(move=card.example)
    for line in (*card.notation, *((sentence,) if card.example else ())):
        low = _paragraph(canvas, MARGIN, low, line, 7, colour=_SOFT, width=width, floor=MARGIN + 12 * mm)
    contest = _(
        "Did somebody enter something other than what you wrote? Tell your helper or the operator, who will "
        "look into it."
    )
    _paragraph(canvas, MARGIN, MARGIN + 6.6 * mm, contest, 7, width=width)


def _stamp(canvas: Canvas) -> None:
    canvas.setDash(1.5, 2)
    canvas.rect(WIDTH - MARGIN - 21 * mm, HEIGHT - MARGIN - 25 * mm, 21 * mm, 25 * mm)
    canvas.setDash()


# -- text ----------------------------------------------------------------------------


@cache
def _font(*, bold: bool) -> str:
    """Register the font and return its name."""
    rl_config.TTFSearchPath = [*rl_config.TTFSearchPath, *_FOLDERS]
    for regular, heavy in _FONTS:
        file = heavy if bold else regular
        try:
            font = TTFont(file.removesuffix(".ttf"), file)
        except TTFError:
            continue
        pdfmetrics.registerFont(font)
        return str(font.fontName)
    return "Helvetica-Bold" if bold else "Helvetica"


def _known(text: str, font: str) -> str:
    """Replace each character that the font lacks by a question mark."""
    glyphs = getattr(pdfmetrics.getFont(font).face, "charToGlyph", None)
    if glyphs is None:
        return text.encode("latin-1", "replace").decode("latin-1")
    return "".join(letter if ord(letter) in glyphs else "?" for letter in text)


def _text(
    canvas: Canvas,
    left: float,
    low: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    colour: HexColor = _INK,
    to_right: bool = False,
    centred: bool = False,
    most: float = 0,
) -> None:
    """Draw one line, shrunk if wider than `most`."""
    font = _font(bold=bold)
    text = _known(text, font)
    wide = pdfmetrics.stringWidth(text, font, size)
    canvas.setFont(font, size * min(1, most / wide) if most and wide else size)
    canvas.setFillColor(colour)
    draw = canvas.drawRightString if to_right else canvas.drawCentredString if centred else canvas.drawString
    draw(left, low, text)


def _paragraph(
    canvas: Canvas,
    left: float,
    low: float,
    text: str,
    size: float,
    *,
    bold: bool = False,
    colour: HexColor = _INK,
    width: float = WIDTH - MARGIN - _COLUMN,
    floor: float = 0,
) -> float:
    """Draw wrapped lines from `low` down to `floor`; return the position of the next line."""
    leading = size * 1.28
    for line in _lines(text, _font(bold=bold), size, width):
        if low < floor:
            return low
        _text(canvas, left, low, line, size, bold=bold, colour=colour)
        low -= leading
    return low


def _lines(text: str, font: str, size: float, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        for part in _pieces(word, font, size, width):
            longer = f"{lines[-1]} {part}".strip()
            if lines[-1] and pdfmetrics.stringWidth(longer, font, size) > width:
                lines.append(part)
            else:
                lines[-1] = longer
    return lines


def _pieces(word: str, font: str, size: float, width: float) -> list[str]:
    """Cut a word that is wider than a line into pieces that fit."""
    pieces = [""]
    for letter in word:
        if pdfmetrics.stringWidth(pieces[-1] + letter, font, size) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _rule(canvas: Canvas, left: float, right: float, low: float) -> None:
    canvas.setStrokeColor(_LINE)
    canvas.setLineWidth(0.6)
    canvas.line(left, low, right, low)
