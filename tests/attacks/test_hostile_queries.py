"""Searches, filters, forms and addresses with what databases read as more than text, on SQLite and on PostgreSQL."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import pytest
from sqlalchemy import event
from sqlmodel import func, select

from correspondence.core.db import reading
from correspondence.models import Match, Person
from correspondence.web.history import FIELDS
from tests.attacks.reach import addresses, names, unthrottled
from tests.postgres import binaries
from tests.programs import bearer
from tests.sizes import in_turn
from tests.tables import fresh_database
from tests.world import World

HOSTILE = [
    "%", "_", "a%", "ann_", "%a%b%c%d%e%f%g%h%i%j%k%", "'", "''; DROP TABLE person; --", '"', "\\", "\\'",
    "ann' OR '1'='1",
    "\x00", "ann\x00", "0" * 14 + "9" * 25, "9" * 19, str(2**63), str(2**31), "-1", "-" + "9" * 20, "1e309", "²", "٣",
    "NaN",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "ａｎｎ", "ann\u202e", "%s%n", ":person_id", "$1",
    "NULL",
    "[]", "{}", "a=b=c", "=" * 50, "1900-01-01", "9999-12-31", "0001-01-01", "x" * 5_000,
]  # fmt: skip
HARD = [
    "%_\\'", "''; DROP TABLE person; --", "ann\x00", str(2**63), "-" + "9" * 20, "²",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "9999-12-31", "x" * 5_000,
]  # fmt: skip
"""One of each kind, for requests that are many."""

SQLITES = ["%_\\'", "ann\x00", str(2**63), HARD[6]]
"""What SQLite or its driver might stumble over. PostgreSQL, which takes less, gets all texts; pages read both alike."""

SEARCHES = {
    "/archive": (*FIELDS, "before"), "/archive.atom": FIELDS, "/archive.records": FIELDS,
    "/partners": ("game", "language", "pace", "page", "part", "kind", "before", "after"),
    "/seeks": ("game", "part", "page"), "/ratings/duel": ("page", "more"), "/challenge": ("game", "handle"),
    "/games/1/moves.json": ("ply", "pick", "at"), "/games/1/ply.json": ("ply", "at"), "/games/1/next": ("ply", "at"),
    "/games/1/embed": ("bottom",), "/games/1/embed.json": ("bottom",),
    "/oembed": ("url", "format", "maxwidth", "maxheight"),
}  # fmt: skip
FREE_SEARCHES = ("/archive", "/partners", "/challenge")
"""Searches that get every text; the others read their fields in the same ways, and get one text of each kind."""

PART = re.compile(r"HERE|(?<=/)1(?=[/.]|$)")
"""Where an address has a part that varies."""

FORM = "application/x-www-form-urlencoded"
ANSWERS = {204, 200, 302, 303, 304, 308, 400, 403, 404, 405, 409, 413, 415, 422}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def club(request, tmp_path_factory):
    url = {}
    if request.param == "postgresql":
        url = {"database_url": fresh_database(request.getfixturevalue("postgres_url"))}
    world = unthrottled(World(tmp_path_factory.mktemp("club"), **url))
    for handle in ("ann", "bob", "anne", "cleo"):
        world.join(handle)
    for one, other in (("ann", "bob"), ("anne", "cleo")):
        world.resign(world.match("duel", one, other), one)
    world.match("duel")
    yield world
    world.close()


@pytest.fixture
def texts_for(club, is_thorough):
    """Those of some texts that the `turn`th place gets: a sixth of them, the next place the next; all if thorough.

    SQLite gets few where PostgreSQL gets all.
    """
    is_second = club.engine.dialect.name == "sqlite" and binaries() is not None

    def chosen(turn, texts):
        given = SQLITES if is_second else texts
        return in_turn(given, turn, at_once=max(1, len(given) // 6), is_thorough=is_thorough)

    return chosen


def test_no_parameter_of_a_search_ends_in_a_500(club, texts_for):
    ann, wrong = club.client("ann"), []
    fields = [(path, field) for path, fields in SEARCHES.items() for field in fields]
    for turn, (path, field) in enumerate(fields):
        for text in texts_for(turn, HOSTILE if path in FREE_SEARCHES else HARD):
            answer = ann.get(path, query_string={"game": "duel", "player": "ann", field: text})
            if answer.status_code not in ANSWERS:
                wrong.append((path, field, text, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_address_with_every_field_hostile_ends_in_a_500(club, method, texts_for):
    wrong = []
    fields = {text: urlencode([(name, text) for name in names() for _twice in range(2)]) for text in (*HARD, *SQLITES)}
    for turn, path in enumerate(addresses(club, method, handle="bob", key="duel", number="3", match="3")):
        for text in texts_for(turn, HARD):
            many = fields[text]
            sent = {"query_string": many} if method == "GET" else {"data": many, "content_type": FORM}
            answer = club.client("ann").open(path, method=method, headers=bearer(club, "ann", path), **sent)
            if answer.status_code not in ANSWERS:
                wrong.append((path, text, answer.status_code))
    assert wrong == []


def test_no_part_of_an_address_ends_in_a_500(club, texts_for):
    ann, wrong = club.client("ann"), []
    every = addresses(club, "GET", **dict.fromkeys(("handle", "key", "token", "name", "kind", "game"), "HERE"))
    for turn, path in enumerate(filter(PART.search, every)):
        for text in texts_for(turn, HOSTILE):
            address = PART.sub(quote(text, safe=""), path)
            if (answer := ann.get(address, headers=bearer(club, "ann", address))).status_code not in ANSWERS:
                wrong.append((address, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("text", ["%", "_nn", "an_", "a%", "ann%", "%nn%", "[a]nn", "a*", ".*", "ann' OR '1'='1"])
def test_no_sign_stands_for_others(club, text):
    ann = club.client("ann")
    assert "/games/1" not in ann.get("/archive", query_string={"player": text}).text
    assert ann.get(f"/players/{quote(text, safe='')}").status_code == 404
    assert ann.post("/challenge", data={"game": "duel", "handle": text, "pace": "3"}).status_code == 422
    assert ann.post("/settings/people", data={"handle": text, "how": "block"}).status_code in (409, 422)


def test_no_statement_holds_what_was_typed_and_every_pattern_escapes_it(club):
    statements = []
    event.listen(
        club.runtime.engine, "before_cursor_execute", lambda _c, _u, statement, *_more: statements.append(statement)
    )
    ann = club.client("ann")
    for path, fields in SEARCHES.items():
        ann.get(path, query_string=dict.fromkeys(fields, "zx81zx"))
        for field in fields:
            ann.get(path, query_string={"game": "duel", field: "zx81zx"})
    patterns = [one for one in statements if " LIKE " in one]
    assert statements and not [one for one in statements if "zx81zx" in one]
    assert all("ESCAPE" in one for one in patterns)


LINES = [
    "accept {}", "decline {}", "show {}", "history {}", "record {}", "move {} a1", "game {}: a1", "rules {}",
    "challenge {} duel",
    "seek duel again={}", "seek duel reliability={}", "seek duel rating={}", "seek duel {} days",
    "seek duel 3 days games={}",
    "away {} days", "pause {} days", "settings digest {}", "settings language {}", "block {}",
    "ratings {}", "partners {}",
    "review {}", "withdraw {}", "show {} {}",
]  # fmt: skip


def test_no_line_of_a_mail_ends_in_silence_or_trouble(town):
    town.join("ann", "bob")
    for text in [*HOSTILE[:-1:3], "0" * 12 + "9" * 25, "0" * 5000 + "7"]:
        lines = [line.format(text, text).encode("ascii", "replace").decode().replace("\x00", "?") for line in LINES]
        for part in (lines[:8], lines[8:16], lines[16:]):
            outcome = town.mail("ann@example.org", "play@games.example", "\n".join(part))
            assert outcome.startswith("done"), (text, part, outcome)


def test_nothing_was_changed_by_any_of_it(club):
    with reading(club.runtime.engine) as session:
        assert session.exec(select(func.count()).select_from(Person)).one() == 4
        assert session.get_one(Match, 1).result == "0-1"
