"""Whether pages fit the narrowest screens and the widest."""

from __future__ import annotations

from dataclasses import dataclass, field

OPENED = """() => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((one) => { one.open = true });
  const width = document.documentElement.scrollWidth;
  closed.forEach((one) => { one.open = false });
  return width;
}"""
"""Script that measures the width of a page with everything opened, then closes it again."""
LINES = """() => [...document.querySelectorAll("main p, main li > p")]
  .filter((one) => one.checkVisibility() && !one.children.length)
  .map((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    return words.getBoundingClientRect().width / parseFloat(getComputedStyle(one).fontSize);
  })"""
PARTS = """() => [...document.querySelectorAll("header.site > .wide, main, footer.site > .wide")].map((part) => {
  const { left, right } = part.getBoundingClientRect();
  return Math.round((left + right) / 2);
})"""
NARROWEST, WIDEST = (320, 640), (3840, 2160)
LONGEST_LINE = 60
"""Maximum length of a line of text, in em; longer lines are hard to read."""


@dataclass
class Misfits:
    """Pages that overflow the narrowest or widest screen, are misaligned, or have too long lines."""

    narrow: list[str] = field(default_factory=list)
    broad: list[str] = field(default_factory=list)
    askew: list[str] = field(default_factory=list)
    long: list[str] = field(default_factory=list)

    def look(self, page, path):
        """Check the open page on both screens."""
        page.set_viewport_size({"width": WIDEST[0], "height": WIDEST[1]})
        self.broad += [path] if page.evaluate("document.documentElement.scrollWidth") > WIDEST[0] else []
        self.askew += [path] if set(page.evaluate(PARTS)) != {WIDEST[0] // 2} else []
        self.long += [path] if max(page.evaluate(LINES), default=0) > LONGEST_LINE else []
        page.set_viewport_size({"width": NARROWEST[0], "height": NARROWEST[1]})
        self.narrow += [path] if page.evaluate(OPENED) > NARROWEST[0] else []
