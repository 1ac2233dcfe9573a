"""Every page on the narrowest screens and on the widest."""

from __future__ import annotations

import pytest

HANDLES = pytest.mark.parametrize("handle", ["ann", ""], ids=["signed in", "signed out"])
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


def pages_at(places, whole_site, chromium, handle, width, height):
    page = whole_site.visit(chromium, handle, viewport={"width": width, "height": height})
    for path in places.paths():
        whole_site.world.clock.go(minutes=1)
        page.goto(path)
        if not path.endswith("/sheet"):  # a letter in a frame of the page before it, in which no script runs
            yield path, page


@HANDLES
def test_no_page_overflows_sideways_at_320_pixels(places, whole_site, chromium, handle):
    wider = []
    for path, page in pages_at(places, whole_site, chromium, handle, 320, 640):
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        if page.evaluate("document.documentElement.scrollWidth") > 320:
            wider.append(path)
    assert wider == []


@HANDLES
def test_no_page_breaks_at_3840_pixels(places, whole_site, chromium, handle):
    wider, askew, long = [], [], []
    for path, page in pages_at(places, whole_site, chromium, handle, 3840, 2160):
        if page.evaluate("document.documentElement.scrollWidth") > 3840:
            wider.append(path)
        if set(page.evaluate(PARTS)) != {1920}:
            askew.append(path)
        if max(page.evaluate(LINES), default=0) > 60:  # in em: longer lines are hard to read
            long.append(path)
    assert (wider, askew, long) == ([], [], [])
