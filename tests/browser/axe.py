"""Accessibility checks by axe-core in one colour scheme and width; each set of colours is checked once."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURED = ["color-contrast", "link-in-text-block"]
LAID_OUT = ["target-size", "scrollable-region-focusable", *COLOURED]
BOTH = [("light", 1280), ("dark", 390)]
ENHANCED = [("light", 1280, "more"), ("dark", 390, "more")]
ALL = [*BOTH, ("dark", 1280), ("light", 390)]
"""The looks in which a page is checked. The first width gets all checks, the second one all if it shows new content,
otherwise those of width and colours. A second look at the same width differs only in colours, so only these are checked.
"""

PREPARED = """() => {
  window.shownBefore = new Set();
  const contrast = ["color-contrast", "color-contrast-enhanced"];
  axe.configure({ rules: contrast.map((id) => ({ id, selector: "[data-colours-asked]" })) });
  axe.addReporter("in a line each", (results, _options, done) => done({
    broken: results.flatMap(({ id, violations }) =>
      violations.map(({ node }) => `${id} at ${node.selector}: ${node.source.slice(0, 160)}`)),
    clear: results.filter(({ id }) => contrast.includes(id)).flatMap(({ passes }) => passes.map(({ node }) => node.element)),
  }));
}"""
"""Script that limits contrast checks to marked elements, and shortens axe-core's results to lines."""

FOUND = """async ([options, optionsAgain, clear]) => {
  const content = document.querySelector("main") ?? document.body;
  const shown = [...content.querySelectorAll("*")].filter((one) => one.checkVisibility());
  if (shown.every((one) => shownBefore.has(one))) options = optionsAgain;
  shown.forEach((one) => shownBefore.add(one));
  const known = new Set(clear), grounds = new Map([[null, ""]]), colours = new Map();
  const ground = (one) => {
    if (!grounds.has(one)) {
      const style = getComputedStyle(one), { backgroundColor: colour, backgroundImage: image, opacity, filter } = style;
      const isPlain = colour === "rgba(0, 0, 0, 0)" && image === "none" && opacity === "1" && filter === "none";
      const isLoose = ["absolute", "fixed"].includes(style.position) && !colour.startsWith("rgb(");
      const own = isPlain ? "" : [colour, image, opacity, filter, style.mixBlendMode].join() + " on ";
      grounds.set(one, own + (isLoose ? "anything, and " : "") + ground(one.parentElement));
    }
    return grounds.get(one);
  };
  for (const one of document.querySelectorAll("body, body :not(svg, svg *)")) {
    const hasWords = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if ((hasWords || one.matches("input, select, textarea")) && one.checkVisibility() && one.offsetWidth > 1) {
      const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(one);
      const around = one.matches("a") ? getComputedStyle(one.parentElement).color : "";
      colours.set(one, [color, fontSize, fontWeight, textShadow, textDecorationLine, around, ground(one)].join(" "));
    }
    const isAsked = colours.has(one) && (!known.has(colours.get(one)) || colours.get(one).includes("anything"));
    one.toggleAttribute("data-colours-asked", isAsked);
  }
  if (options.runOnly.type === "rule" && !document.querySelector("[data-colours-asked]")) return { broken: [], clear: [] };
  const found = await axe.run({ ...options, reporter: "in a line each" });
  return { ...found, clear: [...new Set(found.clear.map((one) => colours.get(one)))] };
}"""
"""Script that runs axe-core. Contrast depends on the colour and size of text and on the backgrounds of all elements
around it. axe-core ignores text in drawings, which has a fill instead of a colour.
"""


def options_for(look):
    """Return the options for axe-core: only success criteria, and fewer if a look shows nothing new.

    Letters in iframes are excluded, because they are visited as separate pages.
    """
    if look in ENHANCED:
        return [rules(["color-contrast-enhanced"])] * 2
    if look in BOTH:
        return [{"runOnly": {"type": "tag", "values": WCAG}, "iframes": False}, rules(LAID_OUT)]
    return [rules(COLOURED)] * 2


def rules(names):
    return {"runOnly": {"type": "rule", "values": names}, "iframes": False}


def load_axe(page):
    """Load axe-core into the open page."""
    page.evaluate(AXE_SCRIPT)
    page.evaluate(PREPARED)


def axe_finds(page, look, clear):
    """Return the violations in this look, one line each: the rule, the place, and the HTML.

    `clear` holds the colours that have passed; they are skipped, and newly passed ones are added.
    """
    scheme, width = look[:2]
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    found = page.evaluate(FOUND, [*options_for(look), sorted(clear)])
    clear.update(found["clear"])
    return found["broken"]
