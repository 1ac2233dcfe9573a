"""Every page keeps the Web Content Accessibility Guidelines 2.2, level AA, as far as axe-core can tell, and fits all screens.

Each page is loaded once for all that is asked of every page.
"""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest

from tests.browser.axe import ALL, BOTH, ENHANCED, axe_finds, load_axe
from tests.browser.places import NO_PAGES
from tests.browser.shapes import Shape
from tests.browser.widths import Misfits

OPENED = "document.querySelectorAll('main details').forEach((one) => { one.open = true })"
SENT = """([action, fields]) => {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { name, value }));
  }
  document.body.append(form);
  form.submit();
}"""


class Reader:
    """A browser in which pages are looked at in both lights and at both widths, each address once.

    `clear` is what was found to be well: colours of words on their ground, and by look the shapes of pages, which are
    often the same for members and for strangers. What has the same shape differs in nothing that axe-core judges: how
    many there are of a kind, and in which order, does not count, such as pieces on squares or rows of a table.

    `in_turn`: each shape is looked at in both lights, but at one width, the next at the other.
    """

    def __init__(self, site, chromium, handle="", looks=BOTH, clear=None, in_turn=False, **options):
        self.page = site.visit(chromium, handle, reduced_motion="reduce", **options)
        self.address, self.clock, self.looks, self.seen, self.found = site.address, site.world.clock, looks, set(), []
        self.clear = defaultdict(set) if clear is None else clear
        self.misfits, self.others = Misfits(), set()
        self.widths = itertools.cycle(width for _scheme, width, *_more in looks[:2]) if in_turn else None

    def visit(self, path):
        self.clock.go(minutes=1)  # nobody knocks too often
        self.page.on("request", self._watch)
        answer = self.page.goto(path)
        self.page.remove_listener("request", self._watch)
        assert "text/html" in answer.headers["content-type"], f"{path} is no page: give it a reason in NO_PAGES"
        if self.page.url in self.seen:
            return
        self.seen.add(self.page.url)
        if "sandbox" in answer.headers["content-security-policy"]:  # no script runs there, not even axe-core
            html = answer.text()
            self.page.goto("about:blank")
            self.page.set_content(html)
        else:
            self.misfits.look(self.page, path)
        self.look(path)

    def _watch(self, request):
        if not request.url.startswith((self.address, "data:")):
            self.others.add(request.url)

    def send(self, path, fields):
        self.clock.go(minutes=1)
        with self.page.expect_navigation() as arrived:
            self.page.evaluate(SENT, [path, fields])
        assert arrived.value.status in (403, 409, 422) or path.endswith("/read"), f"{path}: {arrived.value.status}"
        self.look(f"{path} with {fields}")

    def look(self, name):
        looks = self._looks(Shape(self.page.content()).text)
        if not looks:
            return
        self.page.evaluate(OPENED)
        load_axe(self.page)
        for look, shape in looks:
            broken = axe_finds(self.page, look, self.clear["enhanced" if look in ENHANCED else "colours"])
            self.found += [f"{name} {look}: {one}" for one in broken]
            if not broken:
                self.clear[look].add(shape)

    def _looks(self, shape):
        """How a page of this shape is to be looked at yet."""
        if self.widths is None:
            return [(look, shape) for look in self.looks if shape not in self.clear[look]]
        if any(shape in self.clear[look] for look in self.looks):
            return []
        width = next(self.widths)
        return [(look, shape) for look in self.looks if look[1] == width]


@pytest.fixture(scope="module")
def clear():
    """What the tests of this file found to be well; what was not is looked at again."""
    return defaultdict(set)


@pytest.fixture(scope="module")
def shapes():
    """The shapes of the pages that were visited."""
    return set()


def of_new_shape(places, handle, shapes):
    """The paths to pages of a shape that nobody has visited, which are visited now."""
    client = places.world.client(handle)
    for path in places.paths_of(handle):
        places.world.clock.go(minutes=1)
        shape = Shape(client.get(path, follow_redirects=True).text).text
        if shape not in shapes:
            shapes.add(shape)
            yield path


@pytest.fixture(scope="module", params=[("ann", ALL), ("", BOTH)], ids=["signed in", "signed out"])
def walk(request, places, whole_site, running_chromium, clear, shapes, is_thorough):
    """A walk through all pages, each of which was looked at once; where another had the same shape, only in thorough runs."""
    handle, looks = request.param
    options = {"in_turn": not is_thorough, "device_scale_factor": 0.25}  # no picture is looked at
    reader = Reader(whole_site, running_chromium, handle, looks, clear, **options)
    for path in places.paths_of(handle) if is_thorough else of_new_shape(places, handle, shapes):
        reader.visit(path)
    reader.page.context.close()
    return reader


def test_every_page_is_accessible_in_both_lights(walk):
    assert not walk.found, "\n".join(walk.found)


def test_no_page_overflows_sideways_at_320_pixels_or_breaks_at_3840(walk):
    assert walk.misfits == Misfits()


def test_no_page_asks_anybody_else_for_anything(walk):
    assert walk.others == set()


@pytest.mark.parametrize("handle", ["ann", ""], ids=["signed in", "signed out"])
def test_the_menu_of_every_page_when_it_is_open_on_a_phone(whole_site, chromium, handle):
    reader = Reader(whole_site, chromium, handle, [("light", 390), ("dark", 390)])
    reader.page.set_viewport_size({"width": 390, "height": 800})
    reader.page.goto("/help")
    reader.page.locator("header summary").click()
    reader.look("the menu")
    assert not reader.found, "\n".join(reader.found)


def test_forms_that_are_refused(places, whole_site, chromium, clear, is_thorough):
    for handle, forms in (("ann", places.refused()), ("", places.refused_to_strangers())):
        reader = Reader(whole_site, chromium, handle, clear=clear, in_turn=not is_thorough)
        reader.page.goto("/help")
        for path, fields in forms:
            reader.send(path, fields)
        assert not reader.found, "\n".join(reader.found)


def test_who_asks_for_more_contrast_gets_seven_to_one(places, whole_site, chromium, is_thorough):
    reader = Reader(whole_site, chromium, "ann", ENHANCED, in_turn=not is_thorough, contrast="more")
    games = places.table["games.show"]
    for path in ("/games", *games[:4], games[-1], "/archive?game=duel", "/rules/duel", "/settings/time", "/seeks"):
        reader.visit(path)
    assert not reader.found, "\n".join(reader.found)


def test_what_is_listed_as_no_page_is_none(places):
    known = {rule.endpoint for rule in places.world.app.url_map.iter_rules()}
    assert set(NO_PAGES) <= known and not set(NO_PAGES) & set(places.table)
