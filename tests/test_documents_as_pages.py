"""The documents for authors of programs are pages of the help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.parametrize("name", ["api", "events"])
def test_page_has_every_part_table_and_sample_of_its_document(world, name):
    written, page = (DOCS / f"{name}.md").read_text(), world.client().get(f"/help/{name}").text
    samples = len(re.findall(r"^```", written, re.M)) // 2
    prose = re.sub(r"^```.*?^```", "", written, flags=re.M | re.S)
    assert page.count("<h2 id=") == len(re.findall("^## ", prose, re.M))
    assert page.count("<table") == len(re.findall(r"^\|[-|]+\|$", prose, re.M))
    assert page.count('<pre tabindex="0">') == samples
    anchors = re.findall(r'<li><a href="#([a-z0-9-]+)">', page)
    assert anchors and all(f'id="{anchor}"' in page for anchor in anchors)


@pytest.mark.parametrize("name", ["api", "events"])
def test_links_between_documents_lead_to_pages(world, name):
    client = world.client()
    page = client.get(f"/help/{name}").text
    for href in re.findall(r'<a href="([a-z.]+)">', page):
        assert client.get(f"/help/{href}").status_code == 200, href


def test_help_and_tokens_lead_to_the_api(world):
    world.join("ann")
    assert 'href="/help/api"' in world.client().get("/help").text
    assert 'href="/help/api"' in world.client().get("/help?q=program").text
    assert 'href="/help/api"' in world.client("ann").get("/settings/tokens").text
