"""Every page keeps the Web Content Accessibility Guidelines 2.2, level AA, as far as axe-core can tell."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.browser.axe import ALL, BOTH, ENHANCED, axe_finds, load_axe
from tests.browser.places import NO_PAGES

OPENED = "document.querySelectorAll('main details').forEach((one) => { one.open = true })"
SHAPE = """() => {
  const told = new Set(["class", "id", "for", "role", "type", "lang", "tabindex", "hidden", "open", "disabled", "style",
    "scope", "autocomplete"]);
  const shape = (one) => {
    const marks = [...one.attributes].filter(({ name }) => told.has(name) || name.startsWith("aria-"))
      .map(({ name, value }) => name === "aria-label" ? `${name}:${value.trim() !== ""}` : `${name}:${value}`);
    const inside = new Set([...one.childNodes].map((node) =>
      node.nodeType === Node.ELEMENT_NODE ? shape(node) : node.nodeType === Node.TEXT_NODE && node.data.trim() ? "…" : ""));
    const itself = [one.tagName, one.hasAttribute("href"), one.hasAttribute("alt"), ...marks].join(" ");
    return `<${itself}>${[...inside].sort().join("")}</>`;
  };
  return document.documentElement.lang + shape(document.querySelector("main") ?? document.body);
}"""
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
    """

    def __init__(self, site, chromium, handle="", looks=BOTH, clear=None, **options):
        self.page = site.visit(chromium, handle, reduced_motion="reduce", **options)
        self.clock, self.looks, self.seen, self.found = site.world.clock, looks, set(), []
        self.clear = defaultdict(set) if clear is None else clear

    def visit(self, path):
        self.clock.go(minutes=1)  # nobody knocks too often
        answer = self.page.goto(path)
        assert "text/html" in answer.headers["content-type"], f"{path} is no page: give it a reason in NO_PAGES"
        if self.page.url in self.seen:
            return
        self.seen.add(self.page.url)
        if "sandbox" in answer.headers["content-security-policy"]:  # no script runs there, not even axe-core
            html = answer.text()
            self.page.goto("about:blank")
            self.page.set_content(html)
        self.look(path)

    def send(self, path, fields):
        self.clock.go(minutes=1)
        with self.page.expect_navigation() as arrived:
            self.page.evaluate(SENT, [path, fields])
        assert arrived.value.status in (403, 409, 422) or path.endswith("/read"), f"{path}: {arrived.value.status}"
        self.look(f"{path} with {fields}")

    def look(self, name):
        shape = self.page.evaluate(SHAPE)
        looks = [look for look in self.looks if shape not in self.clear[look]]
        if not looks:
            return
        self.page.evaluate(OPENED)
        load_axe(self.page)
        for look in looks:
            broken = axe_finds(self.page, look, self.clear["enhanced" if look in ENHANCED else "colours"])
            self.found += [f"{name} {look}: {one}" for one in broken]
            if not broken:
                self.clear[look].add(shape)


@pytest.fixture(scope="module")
def clear():
    """What the tests of this file found to be well; what was not is looked at again."""
    return defaultdict(set)


@pytest.mark.parametrize(("handle", "looks"), [("ann", ALL), ("", BOTH)], ids=["signed in", "signed out"])
def test_every_page_in_both_lights_and_at_both_widths(places, whole_site, chromium, clear, handle, looks):
    reader = Reader(whole_site, chromium, handle, looks, clear)
    for path in places.paths():
        reader.visit(path)
    assert not reader.found, "\n".join(reader.found)


@pytest.mark.parametrize("handle", ["ann", ""], ids=["signed in", "signed out"])
def test_the_menu_of_every_page_when_it_is_open_on_a_phone(whole_site, chromium, handle):
    reader = Reader(whole_site, chromium, handle, [("light", 390), ("dark", 390)])
    reader.page.set_viewport_size({"width": 390, "height": 800})
    reader.page.goto("/help")
    reader.page.locator("header summary").click()
    reader.look("the menu")
    assert not reader.found, "\n".join(reader.found)


def test_forms_that_are_refused(places, whole_site, chromium, clear):
    for handle, forms in (("ann", places.refused()), ("", places.refused_to_strangers())):
        reader = Reader(whole_site, chromium, handle, clear=clear)
        reader.page.goto("/help")
        for path, fields in forms:
            reader.send(path, fields)
        assert not reader.found, "\n".join(reader.found)


def test_who_asks_for_more_contrast_gets_seven_to_one(places, whole_site, chromium):
    reader = Reader(whole_site, chromium, "ann", ENHANCED, contrast="more")
    games = places.table["games.show"]
    for path in ("/games", *games[:4], games[-1], "/archive?game=duel", "/rules/duel", "/settings/time", "/seeks"):
        reader.visit(path)
    assert not reader.found, "\n".join(reader.found)


def test_what_is_listed_as_no_page_is_none(places):
    known = {rule.endpoint for rule in places.world.app.url_map.iter_rules()}
    assert set(NO_PAGES) <= known and not set(NO_PAGES) & set(places.table)
