"""Parts of pages that are remembered: each is what it would be if it were drawn now, for this reader."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from flask import g
from jinja2 import ChoiceLoader, DictLoader, Environment, meta
from markupsafe import Markup

from correspondence import create_app
from correspondence.core import db, resources
from correspondence.core.caching import clear_caches
from correspondence.core.config import Settings
from correspondence.core.i18n import in_language
from correspondence.play import matches, offers
from correspondence.web.current import runtime_of
from correspondence.web.parts import part

GAME = "/games/1"

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)

SAID_ALIKE = {"_", "for_member", "games", "ngettext", "said", "url_for"}
"""What a part may ask beside its values: nothing that depends on who asks, or when."""

TEMPLATES = resources.folder("templates") / "web"

CALL = re.compile(r'part\("([^"]+)"((?:, \w+=(?:[^(){}]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*?)*)\) }}')


OPEN, HIDDEN = ("duel", "5@b3", "5@c3"), ("plateau", "+b1 xx,rb", "+a4 xx,rb")
"""Games with their first moves; where something is hidden no move is taken back."""


@pytest.fixture
def readers(world):
    """Who looks at a game: two players, a member, one who reads Italian elsewhere, and strangers."""
    world.join("ann", "bob", "cleo")
    world.join("dino", language="it", zone="Europe/Rome")
    strangers = {language: world.client() for language in ("en", "it")}
    return {name: world.client(name) for name in ("ann", "bob", "cleo", "dino")} | strangers


def pages_of(readers, path=GAME, root=""):
    """The page of each reader, without what is new in each response."""
    pages = {}
    for who, client in readers.items():
        answer = client.get(path, headers={"Accept-Language": who}, environ_overrides={"SCRIPT_NAME": root})
        pages[who] = answer.text
    return pages


@pytest.mark.parametrize("moves", [OPEN, HIDDEN])
def test_the_page_of_every_reader_is_the_same_whether_or_not_the_process_remembers_those_before(world, readers, moves):
    def act(name, use_case):
        with db.transaction(world.engine) as session:
            use_case(session, world.player(session, 1, name), now=world.time)

    world.match(moves[0])
    happens = [
        lambda: world.play(1, "ann", moves[1], comment="secret words"),
        lambda: world.play(1, "bob", moves[2]),
        *((lambda: act("bob", offers.offer_takeback), lambda: act("ann", offers.accept)) if moves == OPEN else ()),
        lambda: act("ann", matches.resign),
    ]
    for happen in happens:
        happen()
        for path, root in ((GAME, ""), (f"{GAME}/1", ""), (GAME, "/club")):
            remembered = pages_of(readers, path, root)
            assert 'class="moves' in remembered["cleo"]
            for who, client in readers.items():
                clear_caches()
                assert pages_of({who: client}, path, root)[who] == remembered[who], (who, path)


def test_a_part_is_drawn_anew_for_each_value_language_zone_and_folder(tmp_path):
    app = create_app(Settings(instance_dir=str(tmp_path), secret_key="a key", mail_listen=""))
    source = "{{ said('Resign') }} {{ url_for('home.front') }} {{ value }}{{ noon | when }}"
    drawn = DictLoader({"one.html": source, "two.html": f"Two: {source}"})
    app.jinja_env.loader = ChoiceLoader([drawn, app.jinja_env.loader])

    def read(value, language="en", root="", zone="UTC", name="one.html"):
        with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": root}):
            g.member = SimpleNamespace(handle="ann", language=language, zone=zone)
            with in_language(language):
                return re.sub(r"<time.*, |</time>", ", ", part(name, value=value, noon=NOON))

    for _again in range(2):
        assert read("one") == "Resign / one, 12:00 UTC, " and read("other") == "Resign / other, 12:00 UTC, "
        assert read("one", "it") == "Abbandona / one, 12:00 UTC, "
        assert read("one", root="/club") == "Resign /club/ one, 12:00 UTC, "
        assert read("one", zone="Europe/Rome") == "Resign / one, 13:00 CET, "
        assert "&lt;b&gt;" in read("<b>") and "<b>" in read(Markup("<b>"))
        assert "True" in read(True) and "1," in read(1)
        assert read("one", name="two.html").startswith("Two: ")
    runtime_of(app).close()


def calls():
    """Every use of a part: the template that uses it, the part, and the names of its values."""
    for file in sorted(TEMPLATES.rglob("*.html")):
        source = file.read_text("utf-8")
        found = [(one[1], frozenset(re.findall(r", (\w+)=", one[2]))) for one in CALL.finditer(source)]
        assert len(found) == source.count("part("), f"{file.name} uses a part in a way that is not read here"
        yield from ((file.name, *one) for one in found)


def test_a_part_sees_its_values_alone_and_neither_the_request_nor_the_clock():
    reading = Environment(extensions=["jinja2.ext.i18n"])
    assert len({name for _user, name, _values in calls()}) > 8
    for user, name, values in calls():
        source = (TEMPLATES / name).read_text("utf-8")
        names = meta.find_undeclared_variables(_known(reading, source))
        assert names - SAID_ALIKE == values, f"{user} gives {name} other values than it asks for"
        assert not re.search(r"\| *(left|recent_day)\b", source), f"{name} tells the time"
        assert not re.search(r"import .* with context", source), f"{name} lets a macro see what it does not see"


def _known(reading, source):
    reading.filters.update(dict.fromkeys(re.findall(r"\| *(\w+)", source), str))
    reading.tests.update(dict.fromkeys(re.findall(r" is (?:not )?(\w+)", source), bool))
    return reading.parse(source)
