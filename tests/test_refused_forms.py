"""A refused form gives back everything that was typed into it, also after signing out; moves are read as in mails."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from correspondence.core import db
from correspondence.core.move_text import written_move
from correspondence.matchmaking import seeks
from correspondence.web.typed import TYPED_FIELDS
from tests.club import challenge
from tests.world import World

TEMPLATES = Path(__file__).resolve().parent.parent / "templates" / "web"
TEXT_INPUTS = {"", "text", "email", "url", "number", "date"}
NOT_SENT = {"embed", "embed-film", "embed-frame"}
"""Fields that are only for copying."""

PLACES = (
    "/games/1", "/games/1/plan/board", "/games/1/try", "/games/2", "/players/bob/report", "/players/bob/write",
    "/challenge?game=duel", "/challenge?game=plateau&handle=bob",
    "/seeks", "/seeks/new?game=duel", "/games", "/challenges/1/counter", "/invite?game=duel",
    "/settings", "/settings/addresses", "/settings/time", "/settings/people", "/settings/partners", "/settings/post",
    "/settings/tokens", "/settings/webhooks", "/settings/letters", "/robots", "/puzzles", "/sign-in", "/join", "/recover",
    "/exercises",
)  # fmt: skip


class Forms(HTMLParser):
    """The forms of a page: address, fields with their values, and the names of those in which people type."""

    def __init__(self, page):
        super().__init__()
        self.forms, self._area = [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.forms.append((given.get("action"), given.get("method", "get"), {}, set()))
            return
        if not self.forms or "name" not in given:
            return
        _action, _method, fields, typed = self.forms[-1]
        kind = given.get("type", "")
        if tag == "textarea" or (tag == "input" and kind in TEXT_INPUTS):
            typed.add(given["name"])
        elif tag == "input" and (kind not in ("radio", "checkbox") or "checked" in given):
            fields.setdefault(given["name"], given.get("value", "on"))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """ann is to move in game 1, has finished game 2, is challenged by cleo, and cleo seeks somebody."""
    made = World(tmp_path_factory.mktemp("forms"))
    made.join("ann", "bob", "cleo")
    made.match("duel")
    made.resign(made.match("duel"), "bob")
    challenge(made, "cleo", "ann")
    with db.transaction(made.engine) as session:
        seeks.seek(session, made.person(session, "cleo"), "plateau", {}, {}, now=made.time, rng=made.rng)
    yield made
    made.close()


def forms_at(world, place):
    page = world.client("ann").get(place)
    if page.status_code != 200:
        return []
    return [form for form in Forms(page.text).forms if form[1] == "post" and form[3]]


def given_back(page, text):
    """Whether a page has a text in a field or says it back."""
    shown = [*re.findall(r'value="([^"]*)"', page), *re.findall(r"<(?:textarea|pre)[^>]*>([^<]*)<", page)]
    return {text, written_move(text)} & set(map(unescape, shown)) != set()


TYPED = "Zz „odd“ <b> & 'text' of {name}"
"""Nothing that any field takes."""


def filled(form):
    """The form with a text in each field that is too odd for it, and too long for the dice."""
    _action, _method, fields, typed = form
    return {**fields, **{name: TYPED.format(name=name) * (9 if name == "words" else 1) for name in typed}}


@pytest.mark.parametrize("place", PLACES)
def test_every_refused_form_gives_back_what_was_typed(world, place):
    for form in forms_at(world, place):
        data = filled(form)
        answer = world.client("ann").post(form[0] or place, data=data)
        if answer.status_code < 400:
            continue  # it takes any text
        assert [name for name in form[3] if not given_back(answer.text, data[name])] == []


@pytest.mark.parametrize("place", PLACES)
def test_a_form_sent_after_signing_out_gives_back_what_was_typed(world, place):
    for form in forms_at(world, place):
        data = filled(form)
        answer = world.client().post(form[0] or place, data=data)
        if answer.status_code < 400:
            continue  # visitors may send it too
        assert [name for name in form[3] if not given_back(answer.text, data[name])] == []
        assert "/sign-in" in answer.text


def test_the_pages_together_have_most_fields_in_which_people_type(world):
    found = {name for place in PLACES for form in forms_at(world, place) for name in form[3]}
    assert len(found) >= 24


def test_every_field_in_which_people_type_is_given_back():
    names = set()
    for template in TEMPLATES.rglob("*.html"):
        for tag in re.findall(r"<(?:input|textarea)[^>]*>", template.read_text()):
            kind, name = re.search(r'type="([^"{]*)"', tag), re.search(r'\bname="([^"{]+)"', tag)
            if name and "readonly" not in tag and (kind is None or kind[1] in TEXT_INPUTS):
                names.add(name[1])
    assert names - set(TYPED_FIELDS) - {"ply"} == set()


# -- moves are read as in mails ---------------------------------------------------------------

WRITTEN = [
    "3@a1", "3@a1.", "“3@a1”", "'3@a1'", "3@a1!", "３＠ａ１", "1. 3@a1", "(3@a1)", "*3@a1*", "move 1: 3@a1",
    "  3@a1  ", "\ufeff3@a1",
]  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_pages_read_moves_as_mails_do(world, text):
    ann, as_json = world.client("ann"), {"Accept": "application/json"}
    preview = ann.post("/games/1/read", data={"move": text, "ply": "0"}, headers=as_json).json
    assert (preview["state"], preview["text"]) == ("good", "3@a1")
    tried = ann.post("/games/1/0/try", data={"move": text})
    assert tried.status_code == 303


@pytest.mark.parametrize("text", WRITTEN)
def test_a_move_is_played_from_the_page_as_it_would_be_from_a_mail(tmp_path, text):
    world = World(tmp_path)
    world.join("ann", "bob")
    number = world.match("duel")
    answer = world.client("ann").post(f"/games/{number}/move", data={"move": text, "ply": "0", "confirmed": "yes"})
    assert answer.status_code == 303 and world.moves(number) == ["3@a1"]
    world.close()
