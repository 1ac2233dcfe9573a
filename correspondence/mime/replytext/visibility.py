"""Detect HTML elements whose text is hidden or struck through, and so must be ignored."""

from __future__ import annotations

import re
from collections.abc import Mapping

STRUCK_TAGS = frozenset({"s", "del", "strike"})
"""Elements whose text is struck through."""

STRIKES = re.compile(r"<(?:s|del|strike)[\s>/]|line-through", re.IGNORECASE)
"""Matches in every HTML document with struck-through text."""

_STYLE_LIMIT = 2_000
"""Maximum characters of a style that are parsed."""

_NOTHING = re.compile(r"[+-]?0*\.?0*(?:[a-z]+|%)?")
_SMALL = re.compile(r"0*[01](?:\.0*)?(?:px|pt)")
_FAR_AWAY = re.compile(r"-\d{3,}(?:\.\d+)?[a-z%]*")
_RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,(\d*\.?\d+)%?)?\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_COLOURS = {"white": "#ffffff", "black": "#000000", "snow": "#fffafa", "red": "#ff0000"}
_CLEAR = frozenset({"transparent", "rgba(0,0,0,0)"})


def is_struck(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element strikes its text through; `attributes` have lower-case values."""
    style = _style(attributes)
    decoration = style.get("text-decoration", "") + style.get("text-decoration-line", "")
    return tag in STRUCK_TAGS or "line-through" in decoration


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether an element hides its text by its own attributes; `attributes` as in `is_struck`."""
    if "hidden" in attributes:
        return True
    style = _style(attributes)
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    return style.get("mso-hide") == "all" or _has_no_size(style) or _has_no_contrast(style, attributes)


def _style(attributes: Mapping[str, str]) -> dict[str, str]:
    declarations = attributes.get("style", "")[:_STYLE_LIMIT].replace("!important", "").split(";")
    pairs = (declaration.partition(":") for declaration in declarations)
    return {name.strip(): "".join(value.split()) if name.strip() != "font" else value for name, _, value in pairs}


def _has_no_size(style: Mapping[str, str]) -> bool:
    size = style.get("font-size", "")
    if _is_nothing(size) or _SMALL.fullmatch(size) or _is_nothing(style.get("opacity", "")):
        return True
    if style.get("overflow") == "hidden" and any(_is_nothing(style.get(name, "")) for name in _EXTENTS):
        return True
    return any(_FAR_AWAY.fullmatch(style.get(name, "")) for name in ("text-indent", "left", "top"))


_EXTENTS = ("height", "max-height", "width", "max-width")


def _is_nothing(length: str) -> bool:
    return bool(length) and _NOTHING.fullmatch(length) is not None and any(map(str.isdigit, length))


def _has_no_contrast(style: Mapping[str, str], attributes: Mapping[str, str]) -> bool:
    colour = _colour(style.get("color") or attributes.get("color", ""))
    background = _colour(style.get("background-color") or style.get("background") or attributes.get("bgcolor", ""))
    return colour in _CLEAR or bool(colour and colour == background)


def _colour(text: str) -> str:
    """Normalise a colour; return the text itself if it is unknown."""
    text = "".join(text.split())
    if rgb := _RGB.fullmatch(text):
        if rgb[4] and not float(rgb[4]):
            return "transparent"
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in rgb.groups()[:3])
    if _HEX.fullmatch(text):
        return text if len(text) == 7 else "#" + "".join(2 * digit for digit in text[1:])
    return _COLOURS.get(text, text)
