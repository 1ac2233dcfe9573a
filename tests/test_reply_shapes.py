"""Replies as mail programs of today write them, most of them without any mark: what was typed, and nothing below it."""

from __future__ import annotations

import pytest

from correspondence.mime.replytext import read_reply
from tests.replies.clients import mail, read_body

TYPED = "Bxh4/a7=N\n\nThat was close, well played."
BOB = "Bob Miller <bob.miller@example.com>"
OLD = "Hello Ann,\n\nresign\n\nBob"
MARKED = "> Hello Ann,\n>\n> resign"
OLD_HTML = "<div>Hello Ann,</div><div><br></div><div>resign</div><div>Bob</div>"
TYPED_HTML = "<div>Bxh4/a7=N</div><div><br></div><div>That was close, well played.</div>"


@pytest.mark.parametrize("announced", [
    f"{BOB} writes:",
    f"-----{BOB} wrote: -----",
    "---- Bob Miller schrieb ----",
    f"On Sat, Nov 21, 2026 at 10:05 AM, {BOB.replace('<', '< ').replace('>', ' >')} wrote:",
    f"On 21 Nov 2026 at 10:05 +0100, {BOB}, wrote:",
    f"Суббота, 21 ноября 2026, 10:05 +03:00 от {BOB}:",
    f"W dniu 2026-11-21 10:05:12 użytkownik {BOB} napisał:",
    f"în sâm., 21 nov. 2026 la 10:05, {BOB} a scris:",
    f"{BOB} şunları yazdı (21 Kas 2026 10:05):",
    f"{BOB} ezt írta (időpont: 2026. nov. 21., Szo, 10:05):",
    f"Vào Th 7, 21 thg 11, 2026 vào lúc 10:05 {BOB} đã viết:",
])  # fmt: skip
def test_an_attribution_ends_what_was_typed_with_marks_below_it_and_without(announced):
    for old in (OLD, MARKED):
        assert read_body(f"{TYPED}\n\n{announced}\n\n{old}\n").text == TYPED
    assert read_body(f"{announced}\n{MARKED}\n\n{TYPED}\n").text == TYPED


@pytest.mark.parametrize("block", [
    '------ Original Message ------\nFrom "Bob" <bob@example.com>\nTo "Ann" <ann@example.org>\nDate 11/21/2026',
    f"---- 回复的原邮件 ----\n| 发件人 | {BOB} |\n| 日期 | 2026年11月21日 10:05 |",
    f"---------- Původní e-mail ----------\nOd: {BOB}\nKomu: ann@example.org\nDatum: 21. 11. 2026 10:05:12",
    f"envoyé : 21 novembre 2026 à 10:05\nde : {BOB}\nà : ann@example.org\nobjet : Re: club",
    f"Sent: Saturday, November 21, 2026 at 10:05 AM\nFrom: {BOB}\nTo: ann@example.org\nSubject: Re: club",
    "----Messaggio originale----\nDa: bob@example.com\nData: 21-nov-2026 10.05\nA: <ann@example.org>\nOgg: Re: club",
])  # fmt: skip
def test_a_block_of_headers_ends_what_was_typed(block):
    assert read_body(f"{TYPED}\n\n{block}\n\n{OLD}\n").text == TYPED


@pytest.mark.parametrize("line", [
    "Holen Sie sich Outlook für iOS", "Obtenez Outlook pour Android", "Získat Outlook pro iOS", "iOS용 Outlook 받기",
    "Отримайте Outlook для iOS", "下载适用于 iOS 的 Outlook", "Αποκτήστε το Outlook για iOS",
    "Εστάλη από το iPhone μου",
    "נשלח מה-iPhone שלי", "أُرسلت من الـ iPhone", "ส่งจาก iPhone ของฉัน", "Được gửi từ iPhone của tôi",
    "Dikirim dari iPhone saya", "Küldve az iPhone-omról", "Yahoo Mail: Search, Organize, Conquer",
    "Sent from my phone, please excuse typos", "Please excuse my brevity.",
])  # fmt: skip
def test_the_line_that_a_telephone_adds_is_not_told(line):
    announced = f"On Sat, Nov 21, 2026 at 10:05 AM {BOB} wrote:\n{MARKED}"
    for below in ("", f"\n\n{announced}"):
        assert read_body(f"{TYPED}\n\n{line}{below}").text == TYPED


@pytest.mark.parametrize("line", [
    "My iPhone is broken", "Sent with love", "Outlook is grim.", "Android or iOS?", "Küldve lett", "来自北京",
    "---- he wrote ----", "e-mail me at <ann@example.org>, she wrote", "Yahoo Mail: what is that?",
    "On 3 March at 10:05 I will be home.", "I wrote: hello to him on 3 March 2026.", "From 10:00 to 12:00 I am away",
])  # fmt: skip
def test_a_sentence_that_only_resembles_one_of_these_is_told(line):
    for body in (f"c3/f2=B\n\n{line}\n\nand so on", f"c3/f2=B\nwell\n{line}"):
        assert read_body(body).text == body


ON = "On Sat, Nov 21, 2026 at 10:05 AM Bob &lt;bob@example.com&gt; wrote:"


@pytest.mark.parametrize("below", [
    f'<div id="ydp9f8e7d6cyahoo_quoted_1" class="ydp9f8e7d6cyahoo_quoted"><div>{ON}</div>{OLD_HTML}</div>',
    f'<p class="yahoo-quoted-begin">{ON}</p><blockquote class="iosymail">{OLD_HTML}</blockquote>',
    f'<div name="quote"><div>Am 21.11.26 um 10:05 schrieb Bob</div><div name="quoted-content">{OLD_HTML}</div></div>',
    f'<div name="messageSignatureSection"><br>Ann</div><div name="messageReplySection">{ON}{OLD_HTML}</div>',
    f'<div id="Zm-_Id_-Sgn"><div>Ann</div></div><div class="zmail_extra">---- Bob wrote ---{OLD_HTML}</div>',
    f'<div id="ntes-pcmail-signature">Ann</div><div class="ntes-mailmaster-quote">{OLD_HTML}</div>',
    f'<div class="mail_signature">发自我的小米手机</div><div>{ON}</div><blockquote>{OLD_HTML}</blockquote>',
    f'<div class="gmail_quote_attribution">{ON}</div><blockquote>{OLD_HTML}</blockquote>',
    f'<div class="nh_extra"><p>Dnia 21 listopada 2026 Bob napisał:</p>{OLD_HTML}</div>',
    f'<div id="x_appendonsend"></div><hr><div id="x_divRplyFwdMsg"><b>From:</b> Bob</div>{OLD_HTML}',
])  # fmt: skip
def test_what_stands_in_the_quotation_of_a_mail_in_html_is_not_read(below):
    reply = read_reply(mail(html=f"<html><body>{TYPED_HTML}<div><br></div>{below}</body></html>"))
    assert reply.text == TYPED and reply.command_lines == tuple(TYPED.split("\n\n"))
