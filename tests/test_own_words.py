"""What our letters hold is known as ours in whatever form it comes back, and is neither obeyed nor passed on."""

from __future__ import annotations

import random
import textwrap
from html import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from correspondence.commands import looks_like_move
from correspondence.mime.replytext import OUR_MARKERS, Reply, letter_text, read_reply
from correspondence.mime.replytext.markup import html_lines
from tests.mail_failures.test_quotations import TALK, Table
from tests.replies import clients
from tests.replies.clients import read_body
from tests.sizes import examples

PICTURE = (
    "Plateau: Black to act. On a4, from the bottom up: Black Twister, orange up; Black Red Mask, blank up. "
    "Black has in hand 4 Mute, 2 Blue, 2 Red, 1 Blue Mask, 1 Ace; prisoners: none."
)
PAGE = f"""<html><head><title>[Game 1 vs bob] your turn</title></head><body>
<div style="display:none">bob has moved, and it is your turn in game 1</div>
<p>ann, it is your turn.</p><p>Game 1, Plateau. You play Black.</p>
<p><img src="cid:board.1@games.example" title="The board from the side of Black" alt="{PICTURE}"></p>
<p>You have time until Tue 1 Dec, 09:00 UTC.</p>
<p>Reply with: <code>+a1 xx</code></p>
<p><a href="https://games.example/games/1" title="Opens in your browser">Play on the page</a></p></body></html>"""
SENT = (letter_text(PAGE),)
FORMS = ["[{}]", "[image: {}]", "[Immagine: {}]", "![{}](cid:board.1@games.example)", "{}", "<{}>", "Image 1: {}"]


def test_a_letter_is_known_with_all_that_nobody_sees_in_it():
    for hidden in (PICTURE, "The board from the side of Black", "Opens in your browser", "https://games.example/games/1",
                   "bob has moved, and it is your turn in game 1", "[Game 1 vs bob] your turn"):  # fmt: skip
        assert hidden in SENT[0].split("\n")
        assert not any(hidden in line.text for line in html_lines(PAGE))


@pytest.mark.parametrize("form", FORMS)
def test_the_description_of_a_picture_is_not_passed_on_though_nothing_else_is_quoted(form):
    line = form.format(PICTURE)
    broken = f"> {line[:60]}\n{line[60:]}"
    for text in (line, line.upper(), line.replace(" ", "\xa0"), escape(line, quote=True), broken):
        for talk in ("hello", "hello\n", "hello\n\nAnn wrote:"):
            reply = read_body(f"{talk}\n{text}", SENT)
            assert not any(secret in reply.text.casefold() for secret in ("mute", "mask", "twister", "ace;"))
            assert reply.text.startswith("hello")


MANGLE = {
    "as it is": str,
    "in capitals": str.upper,
    "hard blanks": lambda text: text.replace(" ", "\xa0"),
    "entities": lambda text: escape(text, quote=True),
    "lost signs": lambda text: text.encode("ascii", "replace").decode(),
    "two blanks": lambda text: text.replace(" ", "  "),
    "soft hyphens": lambda text: text.replace("o", "o\u00ad"),
    "long dashes": lambda text: text.replace("-", "\u2014"),
}


@pytest.fixture(scope="module", params=["en", "it"])
def table(request, tmp_path_factory):
    table = Table(tmp_path_factory.mktemp("quoted"), "plateau", {}, request.param)
    table.sent = (table.text, letter_text(table.html), "Correspondence <play@games.example>\nboard.png")
    yield table
    table.town.close()


def is_rest_of_marker(line):
    """Whether a line is a word or two of our marker, broken off: it tells nothing, and nobody can know it as ours."""
    rest = " ".join("".join(c if c.isalnum() else " " for c in line).split()).casefold()
    return any(rest in marker.casefold() for marker in OUR_MARKERS)


def is_ours_alone(row):
    """Whether nobody else can have written a row that is the first one left of our letter: “e4” the opponent said."""
    return len("".join(filter(str.isalnum, row))) > 2


@settings(
    max_examples=examples(60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.sampled_from(sorted(clients.MANNERS)),
    st.sampled_from(sorted(MANGLE)),
    st.integers(50, 120),
    st.sampled_from(["", "> ", "| ", "    ", ">> ", "\t"]),
    st.sampled_from(["above", "below", "around", "nowhere"]),
    st.integers(0, 30),
)
def test_whatever_a_program_does_to_our_letter_nothing_of_it_is_told(table, manner, mangle, width, mark, place, cut):
    quoted = MANGLE[mangle](clients.retold(table.html, manner))
    rows = [row for line in quoted.split("\n") for row in (textwrap.wrap(line, width) or [""])][cut:]
    while rows and not is_ours_alone(rows[0]):
        rows = rows[1:]
    quoted = "\n".join(mark + row for row in rows)
    page = {
        "above": f"{TALK}\n\n{quoted}", "below": f"{quoted}\n\n{TALK}",
        "around": f"{TALK}\n\n{quoted}\n\n{table.move}", "nowhere": quoted,
    }[place]  # fmt: skip
    reply = read_body(page, table.sent, looks_like_move)
    lines = [line for line in reply.text.split("\n") if any(map(str.isalnum, line.replace("=20", "")))]
    lines = [line for line in lines if not is_rest_of_marker(line)]
    assert {line.strip(" >|\t") for line in lines} <= {TALK, table.move}, lines
    if place == "around":
        assert table.move in (*lines, *reply.withheld)
    if place != "nowhere":
        assert TALK in (*lines, *reply.withheld)


@pytest.mark.parametrize("mark", ["", "> "])
def test_a_move_below_our_letter_is_found_beside_words_above_it(mark):
    quoted = "\n".join(mark + row for row in SENT[0].split("\n"))
    reply = read_body(f"{TALK}\n\n{quoted}\n\n+b2 xr", SENT, looks_like_move)
    assert (reply.command_lines, reply.below, reply.withheld) == ((TALK,), ("+b2 xr",), ())


def test_words_below_a_quotation_without_marks_are_told_only_if_something_there_acts_or_is_between_our_lines():
    quoted = SENT[0].split("\n")
    disclaimer = "This message is confidential."
    below = "\n".join([TALK, "", *quoted, "", disclaimer])
    assert read_body(below, SENT, looks_like_move) == Reply(TALK, (TALK,))
    between = "\n".join([TALK, "", *quoted[:5], "that is soon", *quoted[5:]])
    assert read_body(between, SENT, looks_like_move) == Reply(TALK, (TALK,), withheld=("that is soon",))


def test_an_old_mail_of_the_writer_that_is_quoted_above_our_letter_is_not_obeyed_again():
    old = ["From: Ann <ann@example.org>", "Sent: 3 March 2026 10:00", "To: Games", "", "I thought for long", "+b2 xr"]
    block = ["From: Games <play@games.example>", "Sent: 2 March 2026 10:00", "To: Ann", ""]
    body = "\n".join(["what became of this?", "", *old, *block, *SENT[0].split("\n"), "", "+c3 xr"])
    reply = read_body(body, SENT, looks_like_move)
    assert (reply.command_lines, reply.below) == (("what became of this?",), ())
    assert "+c3 xr" in reply.withheld


def test_a_move_that_our_letter_names_too_is_the_writers_where_our_letter_has_ended():
    for above in ("", "hello\n\n"):
        assert read_body(f"{above}{SENT[0]}\n\n+a1 xx", SENT, looks_like_move).below == ("+a1 xx",)


@pytest.mark.parametrize("name", ["protonmail_quote", "yahoo_quoted", "gmail_extra", "x_tutanota_quote"])
def test_what_is_typed_into_a_quotation_that_is_marked_by_structure_alone_is_told(table, name):
    first, second = clients.halves(table.html)
    for inside in ([TALK], [table.move], [TALK, table.move]):
        typed = "".join(f"<div>{escape(line)}</div>" for line in inside)
        raw = clients.mail(html=f'<div>hello</div><div class="{name}"><div>{first}{typed}{second}</div></div>')
        reply = read_reply(raw, table.sent, looks_like_move)
        assert (reply.text, reply.withheld) == ("hello", tuple(inside))


def test_random_bytes_between_our_lines_never_raise():
    rng = random.Random(5)
    rows = SENT[0].split("\n")
    for _try in range(50):
        noise = ["".join(chr(rng.randrange(1, 0x2FFF)) for _sign in range(20)) for _row in range(4)]
        body = "\n".join(rng.sample([*rows, *noise], len(rows)))
        assert isinstance(read_body(body, SENT, looks_like_move), Reply)
