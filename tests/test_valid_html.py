"""Every page is written as the HTML standard demands: no browser has to guess what stands inside what.

A form inside a paragraph, for example, ends the paragraph in every browser, and loses its style.
"""

from __future__ import annotations

import html5lib
import pytest
from html5lib.constants import E

from tests.browser.places import Places
from tests.world import World


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("places"))
    yield Places(world)
    world.runtime.close()


def faults_of(page):
    parser = html5lib.HTMLParser()
    parser.parse(page)
    lines = page.splitlines()
    return [f"{E[kind] % known}: {lines[at[0] - 1].strip()[:200]}" for at, kind, known in parser.errors]


@pytest.mark.parametrize("handle", ["ann", ""])
def test_every_page_is_valid_html(places, handle):
    client = places.world.client(handle) if handle else places.world.app.test_client()
    seen, found = set(), {}
    for path in places.paths():
        places.world.clock.go(minutes=1)
        answer = client.get(path, follow_redirects=True)
        if answer.mimetype != "text/html" or answer.request.url in seen:  # many paths lead strangers to one page
            continue
        seen.add(answer.request.url)
        if faults := faults_of(answer.text):
            found[path] = faults
    assert not found, "\n".join(f"{path}: {fault}" for path, faults in found.items() for fault in faults)


def test_a_form_inside_a_paragraph_is_a_fault():
    page = "<!doctype html><html><head><title>x</title></head><body><p><form></form></p></body></html>"
    assert faults_of(page)
