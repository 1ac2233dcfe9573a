"""The help page: contents, search, a table of all commands, questions people ask."""

from __future__ import annotations

import re

from correspondence.commands.help import TOPICS, lines_of


def test_contents_lead_to_parts_that_exist(world):
    page = world.client().get("/help").text
    links = re.findall(r'<li><a href="#([a-z]+)">', page)
    assert len(links) > 10 and all(f'id="{name}"' in page for name in links)


def test_table_has_every_command(world):
    page = world.client().get("/help").text
    assert page.count("<td><code>") == sum(len(lines_of(name)) for name in TOPICS)


def test_search_finds_parts_commands_and_pages(world):
    client = world.client()
    found = client.get("/help?q=leave").text
    assert 'id="time"' in found
    assert 'id="mute"' not in found
    assert "/settings/time" in found
    none = client.get("/help?q=zzzzzz").text
    assert "Nothing here has all these words." in none and "Show all" in none
    assert "<b>" not in client.get("/help?q=<b>").text
