"""The settings stand in five groups, with a search; each page leads to its part of the help."""

from __future__ import annotations

import re

import pytest

from correspondence.web.help_parts import PART_OF_PAGES, PARTS
from correspondence.web.settings_topics import groups
from tests.robots import thinking_robots


@pytest.fixture
def ann(world):
    world.join("ann")
    return world.client("ann")


def links_in(page):
    return re.findall(r'<li><a href="([^"]+)">', page.partition('class="setting-groups"')[2].partition("</nav>")[0])


def test_settings_stand_in_five_groups_whose_links_lead_somewhere(world, ann):
    page = ann.get("/settings").text
    links = links_in(page)
    assert len(links) > 12 and page.count("<section>\n  <h2>") == 5
    for link in links:
        path, _hash, anchor = link.partition("#")
        with thinking_robots(world):
            answer = ann.get(path)
        assert answer.status_code == 200, link
        assert not anchor or f'id="{anchor}"' in answer.text, link
    assert "/settings/webhooks" in links


def test_search_of_settings_finds_topics_by_all_words(ann):
    found = links_in(ann.get("/settings?q=Quiet digest").text)
    assert found == ["/settings/letters"]
    none = ann.get("/settings?q=zzzz").text
    assert "Nothing here has all these words." in none
    assert "Show all" in none
    assert links_in(none) == []
    assert "<b>" not in ann.get("/settings?q=<b>").text


def test_refused_settings_show_all_groups_and_the_form(ann):
    refused = ann.post("/settings", data={"language": "xx", "zone": "Mars/Olympus"})
    assert refused.status_code == 422
    assert 'class="refusal"' in refused.text
    assert len(links_in(refused.text)) > 12


def test_help_finds_settings_too(world):
    assert 'href="/settings/letters"' in world.client().get("/help?q=digest").text


def test_pages_lead_to_their_part_of_the_help(world, ann):
    parts = world.client().get("/help").text
    assert all(f'<section id="{part}">' in parts for part in PARTS)
    assert 'href="/help#time"' in ann.get("/settings/time").text
    assert 'href="/help#partner"' in world.client().get("/seeks").text
    assert 'href="/help"' in world.client().get("/").text


def test_table_of_help_names_real_pages_and_parts(world):
    assert set(PART_OF_PAGES.values()) <= set(PARTS)
    assert set(PART_OF_PAGES) <= set(world.app.blueprints)


def test_every_topic_is_in_one_group(world):
    with world.app.app_context():
        titles = [topic.title for topics in groups().values() for topic in topics]
    assert len(titles) == len(set(titles))
