"""What mail servers write for people, without a machine-readable part: it counts at the return address of its letter."""

from __future__ import annotations

import pytest

from correspondence.mime.bounces import Weight
from correspondence.mime.plain_bounces import read_plain
from correspondence.outbound import suppressions
from tests.post import reply_address
from tests.reports import dsn
from tests.test_bounces import address, game, letters_to, returned, suppressed

__all__ = ["game"]

DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"

RETURNED = {
    "qmail": (DAEMON, "failure notice", Weight.HARD,
              "Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message "
              "to the following addresses.\nThis is a permanent error; I've given up.\n\n<ann@example.org>:\nSorry, no "
              "mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nresign\n"),
    "exim": (DAEMON, "Mail delivery failed: returning message to sender", Weight.HARD,
             "A message that you sent could not be delivered to all of its recipients. The following address(es) "
             "failed:\n\n  ann@example.org\n    SMTP error from remote mailer after RCPT TO: host mx.example.org "
             "[192.0.2.5]: 550 5.1.1 unknown user\n"),
    "exchange": ("System Administrator <postmaster@example.org>", "Undeliverable: your turn", Weight.HARD,
                 "Your message did not reach the following recipient(s):\n\nann@example.org\n    The recipient name is "
                 "not recognized\n"),
    "no reason": (DAEMON, "Mail not delivered", Weight.SOFT,
                  "Mail delivery failed. The following recipients did not receive this message:\n<ann@example.org>\n"),
    "full": (DAEMON, "Undelivered mail", Weight.SOFT,
             "Unable to deliver message to <ann@example.org>: this account is over quota. This is a permanent error.\n"),
    "later": (DAEMON, "Warning: message delayed 2 days", Weight.SOFT,
              "Your message has not yet been delivered to <ann@example.org>. User unknown? We will keep trying.\n"),
    "policy": (DAEMON, "Undelivered mail", Weight.BLOCK,
               "<ann@example.org>: host mx.example.org said: 550 5.7.1 this address of yours is on a black list; the "
               "message could not be delivered\n"),
    "italian": (DAEMON, "Mancato recapito", Weight.HARD,
                "Il messaggio non è stato recapitato a <ann@example.org>: 550 5.1.1 user unknown\n"),
    "from elsewhere": ("Gateway <gate@example.org>", "Returned mail: see transcript", Weight.HARD,
                       "<ann@example.org>: Unknown user: ann\n"),
    "null sender only": ("Gateway <gate@example.org>", "About your mail", Weight.HARD,
                         "It could not be delivered: there is no such user.\n"),
}  # fmt: skip


def written(author, subject, body):
    return f"From: {author}\nSubject: {subject}\nMessage-ID: <1@mx.example.org>\n\n{body}".encode()


@pytest.mark.parametrize("name", RETURNED)
def test_what_a_server_writes_for_people_is_weighed_by_what_it_says(name):
    author, subject, weight, body = RETURNED[name]
    report = read_plain(written(author, subject, body), "")
    assert report is not None
    assert report.weight == weight
    assert report.words


AWAY = [
    "I am out of the office until Monday and will not receive your message before then.",
    "I am unable to read mail until 3 May. Please contact bob@example.org.",
    "Ich bin nicht im Büro. Ihre Nachricht wird nicht weitergeleitet.",
    "Your message has been received. We will answer as soon as possible.",
    "I have left the company. This account will be closed.",
    "Non posso leggere la posta fino al 3 maggio.",
    "The ticket 1234 was created. Please do not reply.",
    "We are temporarily closed.",
    "c3/f2=B",
]


@pytest.mark.parametrize("sender", ["", "ann@example.org"])
@pytest.mark.parametrize("body", AWAY)
def test_a_vacation_notice_is_none(body, sender):
    for subject in ("away", "Re: [Game 1 vs bob] your turn", "Automatic reply: your turn"):
        assert read_plain(written("Ann <ann@example.org>", subject, body), sender) is None


def test_words_of_a_bounce_that_a_person_quotes_are_none():
    body = "Look what I got: Sorry, no mailbox here by that name. (#5.1.1)"
    assert read_plain(written("Ann <ann@example.org>", "Re: failure notice", body), "ann@example.org") is None


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_a_report_that_a_letter_arrived_is_none_whatever_its_text(action):
    raw = dsn((action, "2.0.0", "250 fine")).replace(b"\nresign\n", b"\nIt could not be delivered at first.\n")
    assert read_plain(raw, "") is None


def test_what_stands_in_the_copy_of_our_letter_says_nothing_about_it():
    body = "This is what we got.\n----- Original message -----\nNo such user. It could not be delivered.\n"
    assert read_plain(written(DAEMON, "Hello", body), "") is None


def test_two_of_them_a_day_apart_silence_an_address_and_none_is_answered(game):
    town, _number = game
    town.received.clear()
    first, second, _third = letters_to(town, "ann")
    town.received.clear()
    author, subject, _weight, body = RETURNED["qmail"]
    for number, letter in enumerate((first, second)):
        raw = written(author, subject, body).replace(b"<1@", b"<%d@" % number)
        assert returned(town, None, letter=letter, raw=raw)[1] == "done: bounce: hard"
        town.time += suppressions.APART
    assert suppressed(town) == {("ann@example.org", "all")} and town.received == []


def test_it_counts_nowhere_but_at_the_return_address_of_a_letter(game):
    town, _number = game
    author, subject, _weight, body = RETURNED["qmail"]
    for box in ("play@games.example", reply_address(town.letter("ann"))):
        town.put(written(author, subject, body), box, "")
        assert town.sweep().startswith("ignored")
    assert address(town).bounce_score == 0
