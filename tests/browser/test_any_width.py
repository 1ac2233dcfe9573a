"""Every page on the narrowest screens and on the widest."""

from __future__ import annotations

import pytest

from tests.operators import act, appoint

HANDLES = pytest.mark.parametrize("handle", ["ann", ""], ids=["signed in", "signed out"])
OPENED = """() => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((one) => { one.open = true });
  const width = document.documentElement.scrollWidth;
  closed.forEach((one) => { one.open = false });
  return width;
}"""
"""How wide a page is when all that can be opened is open; it is left as it was."""
LINES = """() => [...document.querySelectorAll("main p, main li > p")]
  .filter((one) => one.checkVisibility() && !one.children.length)
  .map((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    return words.getBoundingClientRect().width / parseFloat(getComputedStyle(one).fontSize);
  })"""
PARTS = """() => ["header.site > .wide", "main", "footer.site > .wide"].map((part) => {
  const { left, right } = document.querySelector(part).getBoundingClientRect();
  return Math.round((left + right) / 2);
})"""


LONG = "https://club.example.org/news/2026/" + "we-move-to-another-machine-" * 6


def test_no_long_word_of_an_operator_widens_a_page(site, chromium):
    site.world.join("olga")
    appoint(site.world, "olga")
    act(site.world, "announce", english=f"Read this: {LONG}", reason=LONG)
    act(site.world, "suspend", handle="ann", reason=LONG)
    page = site.visit(chromium, "olga", viewport={"width": 320, "height": 640})
    for path in ("/", "/desk", "/desk/acts", "/desk/do/warn", "/nowhere"):
        page.goto(path)
        assert page.evaluate(OPENED) <= 320, path


@HANDLES
def test_no_page_overflows_sideways_at_320_pixels_or_breaks_at_3840(places, whole_site, chromium, handle):
    narrow, broad, askew, long = [], [], [], []
    page = whole_site.visit(chromium, handle, device_scale_factor=0.25)  # no picture is looked at
    sizes = [(320, 640), (3840, 2160)]
    for path in places.paths():
        whole_site.world.clock.go(minutes=1)
        page.goto(path)
        if path.endswith("/sheet"):  # a letter in a frame of the page before it, in which no script runs
            continue
        for width, height in reversed(sizes):  # it was loaded at the size of the last look at the page before it
            page.set_viewport_size({"width": width, "height": height})
            if width == 320:
                narrow += [path] if page.evaluate(OPENED) > 320 else []
                continue
            broad += [path] if page.evaluate("document.documentElement.scrollWidth") > 3840 else []
            askew += [path] if set(page.evaluate(PARTS)) != {1920} else []
            long += [path] if max(page.evaluate(LINES), default=0) > 60 else []  # in em: longer lines are hard to read
        sizes.reverse()
    assert (narrow, broad, askew, long) == ([], [], [], [])
