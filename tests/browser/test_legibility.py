"""What is read on a phone is large enough to read, and every page says what it is to those who search and preview."""

from __future__ import annotations

import pytest

from engines import GAMES

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LEAST = 12
"""The smallest text in CSS pixels; below it, programs that judge pages for phones call it illegible."""

SMALL = """(least) => { const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); const found = [];
    while (walker.nextNode()) { const one = walker.currentNode; const box = one.parentElement;
        if (one.data.trim() && !box.closest("svg, script, style") && parseFloat(getComputedStyle(box).fontSize) < least)
            found.push(one.data.trim().slice(0, 40)); }
    return found; }"""


@pytest.mark.parametrize("language", ["en", "it"])
def test_all_text_of_the_main_pages_can_be_read_on_a_phone(whole_site, chromium, language):
    page = whole_site.visit(chromium, locale=language, **PHONE)
    for path in ["/", "/games/1", "/games/1/2", *(f"/rules/{key}" for key in GAMES)]:
        page.goto(path)
        assert page.evaluate(SMALL, LEAST) == [], path
        assert len(page.title()) > 10 and page.locator("html").get_attribute("lang") == language
        assert page.locator("meta[name=description]").count() == 1, path
    assert page.troubles == []
