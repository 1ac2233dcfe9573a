"""Letters as bytes: the headers that were meant and no others, two bodies, a picture, no secret left out."""

from __future__ import annotations

import re
import sys
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.core import tokens
from correspondence.mime.classify import classify
from correspondence.outbound import compose, letter_pictures, letters
from correspondence.render import raster
from engines import GAMES
from engines.sketch import sketched
from engines.svg import render
from tests.outgoing import SETTINGS, letter

KEY = SETTINGS.secret_key
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><circle cx='20' cy='20' r='9'/></svg>"
PAGE = '<p>Zoë, your turn.</p><img src="%%picture%%" alt="e4 &gt; e5"><a href="%%link%%">Play</a>'

ALWAYS = {
    "mime-version",
    "content-type",
    "from",
    "reply-to",
    "to",
    "subject",
    "date",
    "message-id",
    "auto-submitted",
    "x-auto-response-suppress",
    "x-loop",
    "feedback-id",
}
OF_A_MATCH = {"references", "list-id"}


def sent(**fields):
    """A letter as its reader's program sees it."""
    return message_from_bytes(compose.compose(letter(**{"id": 9, **fields}), SETTINGS), policy=default)


def names(message):
    return sorted(name.lower() for name in message if name.lower() != "content-transfer-encoding")


def test_a_letter_carries_the_headers_that_were_meant():
    message = sent(match_id=12, reply_token_id=5, in_reply_to="last@foreign.example", auto_submitted="auto-replied")
    assert names(message) == sorted(ALWAYS | OF_A_MATCH | {"in-reply-to"})
    assert message["From"] == "Correspondence <play@games.example>"
    assert message["Reply-To"] == f"Correspondence <r.{tokens.spell(KEY, 5)}@games.example>"
    assert message["To"] == "ann@example.org"
    assert message["References"] == "<g12@games.example> <last@foreign.example>"
    assert message["In-Reply-To"] == "<last@foreign.example>"
    assert message["List-Id"] == "Game 12 <g12.games.games.example>"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Loop"] == "games.example"
    assert message["Date"] == "Sat, 21 Nov 2026 09:00:00 +0000"
    assert re.fullmatch(r"turn:game:prod:\w{5,15}", message["Feedback-ID"])


def test_a_letter_of_no_match_has_no_thread_and_answers_come_to_the_open_box():
    message = sent(kind="welcome")
    assert names(message) == sorted(ALWAYS)
    assert message["Reply-To"] == "Correspondence <play@games.example>"


def test_a_letter_sent_again_is_the_same_to_the_byte():
    fields = {"id": 9, "html": PAGE, "picture": PICTURE, "message_id": "x.1", "key": "k"}
    assert compose.compose(letter(**fields), SETTINGS) == compose.compose(letter(**fields), SETTINGS)
    assert sent(**fields)["Message-ID"] == "<x.1@games.example>"


def test_text_comes_first_and_the_picture_lies_beside_the_page():
    message = sent(html=PAGE, picture=PICTURE, link_token_id=6)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    png = message.get_payload(1).get_payload(1)
    page = message.get_body(("html",)).get_content()
    assert f'src="cid:{png["Content-ID"].strip("<>")}"' in page and "%%" not in page
    assert png.get_content().startswith(b"\x89PNG") and png["Content-Disposition"].startswith("inline")
    assert int.from_bytes(png.get_content()[16:20], "big") == 60  # half again the width of the drawing
    assert message.get_payload(1).get_param("type") == "text/html"


@pytest.mark.parametrize("picture", ["", "<svg", "not a drawing", "{}", '{"form":2}'])
def test_a_letter_whose_picture_cannot_be_drawn_goes_without(picture, caplog):
    message = sent(html=PAGE, picture=picture)
    assert ("could not be drawn" in caplog.text) == bool(picture)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    assert "img" not in message.get_body(("html",)).get_content()


def test_where_pictures_cannot_be_made_letters_go_without(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyvips", None)
    raster._pyvips.cache_clear()
    raster.png.cache.clear()
    assert letter_pictures.board_png(PICTURE, 1.0) is None
    assert "img" not in sent(html=PAGE, picture=PICTURE).get_body(("html",)).get_content()


def test_a_letter_for_readers_of_text_is_text_alone():
    message = sent(picture=PICTURE)
    assert message.get_content_type() == "text/plain"
    assert message.get_content().splitlines() == ["It is your turn."]


@pytest.mark.parametrize("game", GAMES)
def test_a_letter_with_the_real_board_stays_light_and_has_its_picture(game):
    board = sketched(GAMES[game].start(GAMES[game].Options()).draw(), 0)
    raw = compose.compose(letter(id=9, html=PAGE, picture=board, text="Grüße\n" * 300), SETTINGS)
    assert len(raw) <= 100_000 and b"image/png" in raw


def test_a_letter_that_waits_with_its_board_drawn_is_sent_as_one_that_waits_with_a_sketch():
    board, diagram = (
        GAMES["plateau"].start(GAMES["plateau"].Options()).draw(),
        render(GAMES["duel"].start(GAMES["duel"].Options()).draw()),
    )
    fields = {"id": 9, "html": PAGE, "message_id": "x.1", "key": "k"}
    old, new = (letters.NEXT_PICTURE.join([one, diagram]) for one in (render(board, bottom=1), sketched(board, 1)))
    raw = compose.compose(letter(**fields, picture=old), SETTINGS)
    assert raw == compose.compose(letter(**fields, picture=new), SETTINGS) and b"image/png" in raw


def test_a_picture_that_is_too_heavy_is_left_out():
    dot = "<path fill='#{:03x}' d='M{},{}h9v7'/>"
    dots = "".join(dot.format(i * 7919 % 4096, i * 37 % 999, i * 91 % 997) for i in range(9000))
    crowd = PICTURE.replace("'40'", "'1000'").replace("<circle", f"{dots}<circle")
    raw = compose.compose(letter(id=9, html=PAGE, picture=crowd), SETTINGS)
    assert len(raw) < 100_000
    assert b"image/png" not in raw
    assert b"<img" not in raw


@pytest.mark.parametrize(
    "text",
    [
        "plain\n",
        "Grüße, ♔ ♚\n" * 50,
        "x" * 5000 + "\n",
        "ü" * 5000,
        ".\n..\n.x\n",
        "",
        "\r\n",
        "a\rb",
    ],
)
def test_whatever_the_text_the_wire_carries_seven_bits_in_short_lines(text):
    raw = compose.compose(letter(id=9, text=text, html=f"<pre>{text}</pre>"), SETTINGS)
    assert raw.isascii() and max(map(len, raw.split(b"\r\n"))) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"") and b"\r" not in raw.replace(b"\r\n", b"")
    body = message_from_bytes(raw, policy=default).get_body(("plain",)).get_content()
    assert body.splitlines() == text.splitlines() or not text.strip()


def test_signs_that_cannot_travel_are_left_out_of_the_bodies():
    message = sent(text="a\0b\x1bc\ud800d", html="<p>a\0b\udfff</p>")
    assert message.get_body(("plain",)).get_content().strip() == "abcd"
    assert message.get_body(("html",)).get_content().strip() == "<p>ab</p>"


def test_marks_are_filled_with_the_readers_own_and_only_once():
    own = letter(id=9, reply_token_id=5, link_token_id=6)
    text = compose.fill("%%reply%% %%link%% %%base%% %%picture%% %%other%%", own, SETTINGS)
    link = f"https://games.example/t/{tokens.spell(KEY, 6)}"
    assert text == f"r.{tokens.spell(KEY, 5)}@games.example {link} https://games.example %%picture%% %%other%%"
    assert compose.fill("%%link%%", letter(id=9), SETTINGS) == "https://games.example"
    assert sent(subject="To %%base%%")["Subject"] == "To https://games.example"


def test_long_ids_stay_whole_and_odd_ones_are_left_out():
    long = "x" * 180 + "@foreign.example"
    assert f"\r\nIn-Reply-To: <{long}>\r\n".encode() in compose.compose(letter(in_reply_to=long, id=9), SETTINGS)
    for odd in ("a b@x", "a@x>\r\nBcc: y@z", "x" * 300 + "@y", "ü@x", "none"):
        assert names(sent(in_reply_to=odd)) == sorted(ALWAYS)


def test_the_domain_goes_over_the_wire_in_ascii():
    assert sent(recipient="Ann@Exämple.org")["To"] == "Ann@xn--exmple-cua.org"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "@x.org",
        "ann@",
        "ann@x.org, bob@y.org",
        "ann@x.org\r\nBcc: b@y",
        '"a b"@x.org',
        "zoë@x.org",
        "ann@[127.0.0.1]",
        "Ann <ann@x.org>",
        "a@b@c",
        "a" * 65 + "@x.org",
        "=?utf-8?q?a?=@x.org\n",
    ],
)
def test_an_address_that_is_not_exactly_one_is_refused_in_a_sentence(address):
    with pytest.raises(compose.LetterError, match="is not an address that we can write to"):
        compose.compose(letter(address, id=9), SETTINGS)


INJECTIONS = [
    "x =?UTF-8?Q?=0A?=Bcc: evil@example.com",
    "x =?UTF-8?Q?=0D=0A?= Bcc: evil@example.com",
    "x\r\nBcc: evil@example.com",
    "x\nBcc: evil@example.com\n\nbody",
    "x\rBcc: evil@example.com",
    "x\0\x0b\x0cBcc: evil@example.com",
    "x\u2028Bcc: evil@example.com\u2029\x85",
    "x =\r\n?UTF-8?Q?=0A?=Bcc: evil@example.com",
    "x ==??UTF-8?Q?=0A?=Bcc: evil@example.com",
    "x =\0?UTF-8?Q?=0A?=Bcc: evil@example.com",
    "x =\u200f?UTF-8?Q?=0A?=Bcc: evil@example.com",
    "x\ud800\udfff",
    "ends in a line end\n",
]
NASTY = st.lists(
    st.sampled_from(
        [
            "\r",
            "\n",
            "\0",
            "=?",
            "?=",
            "=",
            "?",
            "UTF-8?Q?",
            "utf-8?b?",
            "=0A",
            "=0D=0A",
            "Cg==",
            "Bcc: e@x",
            "\n\n",
            " ",
            "ü",
            "\u2028",
            "\u202e",
            "\x85",
            "\ud800",
            "<",
            ">",
            '"',
            "%%",
            "%%reply%%",
            "%%base%%",
            "a" * 90,
        ]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize("subject", INJECTIONS)
def test_failure_16_no_subject_becomes_a_header(subject):
    message = sent(subject=f"[Game 12 vs {subject}] your turn")
    assert names(message) == sorted(ALWAYS)
    assert len(str(message["Subject"]).splitlines()) == 1


@settings(deadline=None)
@given(NASTY, NASTY, NASTY)
def test_failure_16_no_name_title_or_subject_becomes_a_header(subject, reply, kind):
    message = sent(subject=subject, in_reply_to=reply, kind=kind, auto_submitted=reply, match_id=12)
    assert set(names(message)) - {"in-reply-to"} == ALWAYS | OF_A_MATCH
    assert "\n" not in str(message["Subject"]) and "\r" not in str(message["Subject"])


@settings(deadline=None)
@given(st.text(max_size=300).filter(lambda text: "%%" not in text))  # placeholders are filled in
def test_a_subject_reads_back_as_its_plain_form(subject):
    shown = compose.plain(subject)[: compose.SUBJECT_LIMIT]
    assert " ".join(str(sent(subject=subject)["Subject"]).split()) == " ".join(shown.split())


def test_our_own_letters_are_known_as_a_loop():
    raw = compose.compose(letter(id=9, match_id=12), SETTINGS)
    for gone in (b"X-Loop", b"Feedback-ID", b"List-Id", b"From"):
        verdict = classify(
            raw,
            sender="a@b",
            recipient="play@games.example",
            instance="games.example",
            domain="games.example",
        )
        assert verdict.kind == "loop"
        raw = re.sub(rb"(?m)^%s:.*\r\n" % gone, b"", raw)


def test_a_bounce_address_names_its_letter_and_is_never_a_reply_address():
    address = compose.envelope_sender(letter(id=9), SETTINGS)
    token = re.fullmatch(r"b\.([a-z2-7]{26})@games\.example", address)[1]
    assert compose.bounced_letter_id(address, SETTINGS) == compose.bounced_letter_id(address.upper(), SETTINGS) == 9
    assert tokens.read(KEY, token) is None
    assert tokens.read(KEY, tokens.spell(KEY, 9), compose.BOUNCE) is None
    for other in ("b.@games.example", f"b.{token}@other.example", f"r.{token}@games.example", "", "b.x"):
        assert compose.bounced_letter_id(other, SETTINGS) is None


def test_tokens_are_masked_where_a_log_would_show_them():
    own = letter(id=9, reply_token_id=5, link_token_id=6)
    text = f"550 <{compose.envelope_sender(own, SETTINGS)}> %%link%% %%reply%%"
    shown = tokens.masked(compose.fill(text, own, SETTINGS))
    for number, kind in ((9, compose.BOUNCE), (5, "token"), (6, "token")):
        assert tokens.spell(KEY, number, kind) not in shown
        assert f"…{tokens.spell(KEY, number, kind)[-4:]}" in shown
