"""Text that would be markup, a header, a tag, a formula or a template elsewhere stays text wherever it turns up.

It is put into every field that any page shows, into mails of every kind and into a record; then every page, letter,
feed, calendar, picture and record is read as its readers would read it. A new field is found by itself.
"""

from __future__ import annotations

import json
import re
from email import message_from_bytes
from email.policy import default
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from icalendar import Calendar
from sqlmodel import select

from correspondence.core import db
from correspondence.core.tokens import read, spell
from correspondence.inbound import mailbox
from correspondence.models import Letter, Token
from correspondence.models.loading import players_of
from correspondence.outbound import compose
from tests.attacks.pages import Page
from tests.attacks.reach import addresses, unthrottled
from tests.sizes import in_turn
from tests.world import KEY, World

CANARIES = [
    "<zq-x onzq=1>zqa</zq-x><script>zqscript()</script>",
    "\"><img src=x onerror=zqscript() onzq=2>", "' onzq='3' x='zqb",
    "javascript:zqscript()", "{{7*191}} {% print 7*191 %} ${7*191} %(zqc)s {zqd}",
    "%%reply%% %%link%% %%base%% %%picture%% zqe", "]]><zq-x/>",
    "zqf\r\nBcc: zq@example.org\r\nX-Zq: 1\r\n\r\n<zq-x>",
    "\u202ezqg\u2066\u200b", "zqh\x00<zq-x>\x1b[31m",
    '=HYPERLINK("http://zq.example";"zqi")', '[Zq "1"]\n2. White: zq', "-->zqj<!--", "</textarea></title><zq-x>zqk",
    "END:VCALENDAR\nX-ZQ:1 zql", "=?UTF-8?Q?=0AX-Zq:_1?= zqm", "&lt;zq-x&gt;zqn",
]  # fmt: skip
TALK = re.compile(r"zq[a-n]")
WHO = ("ann", "bob", "")
LEFT_ALONE = ("/sign-out", "/settings/sign-out", "/settings/mydata/forget", "/resign", "/games/1/draw")
SCHEMES = {"about", "", "http", "https", "mailto", "data", "cid", "webcal"}


def world_of_canaries(folder):
    world = unthrottled(World(folder))
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("duel")
    world.match("plateau")
    world.resign(world.match("duel"), "bob")
    return world


def forms_of(world, who):
    """Every form of every page that this visitor can open, once each."""
    known, client = {}, world.client(who)
    for path in addresses(world, "GET", handle="bob" if who == "ann" else "ann", key="duel"):
        answer = client.get(path)
        if answer.mimetype == "text/html":
            for form in Page(answer.text).forms:
                known.setdefault((form.method, form.action or path, tuple(sorted(form.fields))), form)
    return [(action, form) for (_method, action, _names), form in known.items() if not action.endswith(LEFT_ALONE)]


def fill_in(world, who, is_thorough):
    """Send each form for each of its fields with some canaries there, in turn; the names of fields that took one."""
    filled = set()
    for action, form in forms_of(world, who):
        for place, name in enumerate(sorted(form.texts)):
            every = (3 if form.method == "post" else 1) if is_thorough else 6
            for canary in CANARIES[place % every :: every]:
                world.clock.go(hours=2)
                sent = {**form.fields, name: canary, **({"ply": "0"} if "ply" in form.fields else {})}
                given = {"data": sent} if form.method == "post" else {"query_string": sent}
                answer = world.client(who).open(action, method=form.method.upper(), **given)
                assert answer.status_code < 500, (action, name, canary)
                read_page(answer, f"{form.method} {action} {name}")
                filled.add((urlsplit(action).path, name))
    return filled


def mail(world, number, canary):
    """A mail of bob's with the canary everywhere a mail has room."""
    with db.reading(world.runtime.engine) as session:
        token = spell(KEY, players_of(session, 1)[1].token_id)
    shown = " ".join(re.sub(r"[^\x20-\x7e]", " ", canary).split()).replace('"', "")
    raw = (
        f'From: "{shown}" <bob@example.org>\nTo: r.{token}@localhost\nMessage-ID: <{number}@example.org>\n'
        f"Subject: {shown}\nContent-Type: text/plain; charset=utf-8\n\nHello zqo, {canary}\n"
    )
    for to in (f"r.{token}@localhost", "play@localhost"):
        mailbox.store_message(world.runtime.engine, raw.encode(), to, "bob@example.org", now=world.clock())
    mailbox.drain(world.runtime.engine, world.runtime.settings, now=world.clock(), rng=world.runtime.rng)


@pytest.fixture(scope="module")
def filled(tmp_path_factory, is_thorough):
    world = world_of_canaries(tmp_path_factory.mktemp("canaries"))
    taken = {who: fill_in(world, who, is_thorough) for who in ("", "bob", "ann")}
    for number, canary in enumerate(CANARIES):
        world.clock.go(days=1, hours=1)
        mail(world, number, canary)
    for place, canary in enumerate(CANARIES[:6]):
        world.clock.go(days=1)
        number = world.match("duel")
        world.play(number, "ann", "5@b3", comment=canary + CANARIES[-1 - place])
        world.resign(number, "bob")
    yield world, taken
    world.close()


def read_page(answer, where):
    """Whatever kind of answer this is, read it as a program would, and find nothing that a canary has made."""
    if answer.mimetype == "text/html":
        read_html(answer.text, where)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, where
        assert re.search(r"script-src ('self'|'sha256-[\w+/=]+');", policy), where
    elif answer.mimetype.endswith("xml"):
        tags = {element.tag.lower() for element in ElementTree.fromstring(answer.data).iter()}
        assert not [tag for tag in tags if "zq" in tag or "script" in tag], where
    elif answer.mimetype.endswith("json"):
        assert isinstance(json.loads(answer.data), dict | list)
    elif answer.mimetype == "text/calendar":
        read_calendar(answer.data)
    assert not any("zq" in name.lower() for name, _text in answer.headers), where
    disposition = answer.headers.get("Content-Disposition", "")
    assert re.fullmatch(r'|attachment; filename="[\w.-]+"|attachment; filename=[\w.-]+', disposition), where


def read_html(text, where):
    page = Page(text)
    for tag, attributes in page.elements:
        assert "zq" not in tag and not any("zq" in name or name.startswith("on") for name in attributes), (where, tag)
        for name in ("href", "src", "action", "formaction", "xlink:href"):
            scheme = urlsplit(attributes.get(name, "").strip()).scheme
            assert scheme in SCHEMES, (where, name, attributes[name])
    scripts = re.findall(r"<script\b[^>]*>([^<]*)", text)
    assert not any("zq" in script for script in scripts), where
    assert "1337" not in " ".join(page.words), where


def read_calendar(raw):
    calendar = Calendar.from_ical(raw)
    assert not any("ZQ" in name for part in calendar.walk() for name in part)
    assert all(line[:1] in b" \t" or b":" in line for line in raw.split(b"\r\n") if line)


def letters(world):
    with db.reading(world.runtime.engine) as session:
        for row in session.exec(select(Letter).order_by(Letter.id)).all():
            yield row, message_from_bytes(compose.compose(row, world.runtime.settings), policy=default)


def test_there_are_fields_and_the_canaries_got_into_them(filled):
    world, taken = filled
    known = {pair for pairs in taken.values() for pair in pairs}
    names = {name for _action, name in known}
    assert {"handle", "mail", "who", "text", "comment", "words", "address", "post", "lines", "player", "moves"} <= names
    page = world.client("ann").get("/games/1").text
    assert len(set(TALK.findall(page))) > 3


def test_no_page_feed_picture_or_file_holds_what_a_canary_made(filled, is_thorough):
    """Each address is read by one visitor for some values, and by the next visitors for others."""
    world, _taken = filled
    values = ({"handle": "bob", "number": "3", "match": "3"}, {"handle": "ann", "number": "4", "ply": "0"}, {})
    for turn, given in enumerate(values):
        for place, path in enumerate(addresses(world, "GET", key="duel", **given)):
            for who in in_turn(WHO, turn + place, at_once=1, is_thorough=is_thorough):
                read_page(world.client(who).get(path), f"{who} {path}")


def test_no_letter_has_a_header_an_element_or_an_address_that_a_canary_made(filled):
    world, _taken = filled
    usual = None
    for row, letter in letters(world):
        assert not [name for name in letter if name.lower() in ("bcc", "cc", "x-zq")], row.kind
        assert letter.get_all("To") == [row.recipient] and len(str(letter["Subject"]).splitlines()) == 1
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", str(letter["Subject"]))
        html = letter.get_body(("html",))
        if html is not None:
            read_html(html.get_content(), row.kind)
        usual = usual or row
    assert usual is not None


def test_a_mark_in_the_words_of_another_conjures_the_reader_s_own_tokens_alone(filled):
    world, _taken = filled
    with db.reading(world.runtime.engine) as session:
        owners = {token.id: token.person_id for token in session.exec(select(Token))}
    for row, letter in letters(world):
        for part in letter.walk() if row.person_id else ():
            text = part.get_content() if part.get_content_maintype() == "text" else ""
            for found in re.findall(r"(?<=r\.)[a-z2-7]{26}|(?<=/t/)[a-z2-7]{26}", text):
                assert owners.get(read(KEY, found), row.person_id) == row.person_id, row.kind


def test_no_record_holds_a_line_or_a_tag_that_a_canary_made(filled):
    world, _taken = filled
    text = world.client().get("/archive.records").text
    lines = [line for line in text.split("\n") if line]
    assert all(re.match(r'\[[A-Z][A-Za-z]*[01]? "|\d+\. (Black|White|\*): ', line) for line in lines)
    assert "[Zq" not in [line[:3] for line in lines] and "zq" in text
