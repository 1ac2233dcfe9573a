"""Every page keeps the Web Content Accessibility Guidelines 2.2, level AA, as far as axe-core can tell."""

from __future__ import annotations

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser.places import NO_PAGES

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURED = ["color-contrast", "link-in-text-block"]
BOTH = [("light", 1280), ("dark", 390)]
ENHANCED = [("light", 1280, "more"), ("dark", 390, "more")]
ALL = [*BOTH, ("dark", 1280), ("light", 390)]
"""All is asked once at each width; a second look there differs in nothing but colours, and is asked about these."""


OPENED = "document.querySelectorAll('main details').forEach((one) => { one.open = true })"
SENT = """([action, fields]) => {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { name, value }));
  }
  document.body.append(form);
  form.submit();
}"""


def asked(look):
    """What axe-core is to look for: success criteria alone; a framed letter is visited as a page of its own."""
    if look in ENHANCED:
        return {"runOnly": {"type": "rule", "values": ["color-contrast-enhanced"]}, "resultTypes": ["violations"]}
    rules = {"type": "tag", "values": WCAG} if look in BOTH else {"type": "rule", "values": COLOURED}
    return {"runOnly": rules, "resultTypes": ["violations"], "iframes": False}


class Reader:
    """A browser in which pages are looked at in both lights and at both widths, each address once."""

    def __init__(self, site, chromium, handle="", looks=BOTH, **options):
        self.page = site.visit(chromium, handle, reduced_motion="reduce", **options)
        self.clock, self.looks, self.seen, self.found = site.world.clock, looks, set(), []

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
        self.page.evaluate(OPENED)
        self.page.evaluate(AXE_SCRIPT)
        for look in self.looks:
            scheme, width = look[:2]
            self.page.emulate_media(color_scheme=scheme)
            self.page.set_viewport_size({"width": width, "height": 800})
            answer = self.page.evaluate("(asked) => axe.run(asked)", asked(look))
            self.found += [f"{name} ({scheme}, {width}): {told(one)}" for one in answer["violations"]]


def told(violation):
    """A violation in a line: the rule, and where it is broken."""
    nodes = [f"{node['target']} {node['html'][:160]}" for node in violation["nodes"]]
    return f"{violation['id']} at {len(nodes)}: {'; '.join(nodes[:3])}"


@pytest.mark.parametrize(("handle", "looks"), [("ann", ALL), ("", BOTH)], ids=["signed in", "signed out"])
def test_every_page_in_both_lights_and_at_both_widths(places, whole_site, chromium, handle, looks):
    reader = Reader(whole_site, chromium, handle, looks)
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


def test_forms_that_are_refused(places, whole_site, chromium):
    for handle, forms in (("ann", places.refused()), ("", places.refused_to_strangers())):
        reader = Reader(whole_site, chromium, handle)
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
