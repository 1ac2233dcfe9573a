"""Failure 4: whatever stands in the quotation of our own letters, a reply does exactly what was typed in it.

True letters of every game are quoted as eight mail programs do it in twenty languages, above, below and between, as
plain text, as HTML, and in every encoding. A sample runs here; MAIL_QUOTATIONS=all runs all of them.
"""

from __future__ import annotations

import itertools
import os
import random
from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from correspondence.core import db
from correspondence.inbound import mailbox
from correspondence.models import By, Inbound, InboundState, Letter, Move, Offer, Remark, loading
from tests.post import html_of, reply_address, text_of
from tests.replies import clients
from tests.world import mail_world

GAMES = [
    ("proteus-dice", {}),
    ("proteus-dice", {"roulette": "before", "polarity": "yes"}),
    ("proteus-tiles", {}),
    ("duel", {}),
    ("plateau", {}),
]
FORMS = ("8bit", "quoted-printable", "base64", "flowed", "html 8bit", "html quoted-printable", "html base64", "both")
TALK = "that was close, well played"
SAMPLE = 40
"""Replies that are tried for each game, out of all there could be."""


class Table:
    """A game at whose last letter replies are tried, each undone afterwards."""

    def __init__(self, folder, key, options, language):
        self.town = mail_world(folder)
        self.town.join("ann", "bob", language=language)
        self.number = self.town.match(key, **options)
        self.begin(random.Random(3))
        self.town.time += timedelta(minutes=6)
        self.text, self.html = text_of(self.letter).replace("\r\n", "\n"), html_of(self.letter)

    def begin(self, rng):
        """Play until there is a letter to answer, and choose what is to be answered."""
        for _ply in range(2):
            name, seat, position = self._to_act()
            self.town.play(
                self.number,
                name,
                position.write(seat, position.view(seat).random_move(seat, rng)),
                comment="e4",
                is_meant=True,
            )
        self.name, self.seat, self.position = self._to_act()
        self.letter = self.town.letter(self.name)
        self.move = self.position.write(self.seat, self.position.view(self.seat).random_move(self.seat, rng))

    def _to_act(self):
        with db.reading(self.town.engine) as session:
            position = loading.position_of(self.town.stand(self.number))
            player = loading.players_of(session, self.number)[position.to_act[0]]
            return loading.persons_of(session, [player])[0].handle, position.to_act[0], position

    def reply(self, client, language, posture, form, typed):
        plain = clients.plain_reply(client, language, posture, self.text, typed)
        html = clients.html_reply(client, language, posture, self.html, typed)
        wire = "8bit" if form == "both" else form.removeprefix("html ")
        raw = clients.mail(
            "" if form.startswith("html") else plain, html if form.startswith("html") or form == "both" else "", wire
        )
        return raw.replace(b"ann@post.example", f"{self.name}@example.org".encode())

    def came_of(self, raw):
        """What acting on a reply adds: the outcome, moves by hand, remarks, offers; undone at once."""
        town = self.town
        with Session(town.engine, expire_on_commit=False) as session:
            inbound = Inbound(
                message_key="x@example.org", recipient=reply_address(self.letter), sender="x@example.org", raw=raw,
                received_at=town.time, due_at=town.time, state=InboundState.TAKEN,
            )  # fmt: skip
            session.add(inbound)
            mailbox.process_message(session, inbound, town.settings, now=town.time, rng=random.Random(1))
            moves = session.exec(select(Move).where(col(Move.by) == By.MAIL)).all()
            remarks = [move.comment for move in moves] + [remark.text for remark in session.exec(select(Remark))]
            offers = session.exec(select(Offer)).all()
            result = session.get(type(town.stand(self.number)), self.number).result
            entered = [move.text for move in moves if move.seat >= 0]
            letters = session.exec(select(Letter).where(col(Letter.created_at) >= town.time)).all()
            others = [one.text for one in letters if not one.recipient.startswith(f"{self.name}@")]
            self.passed_on = [row[2:] for text in others for row in text.split("\n") if row.startswith("| ")]
            self.answered = [one.text for one in letters if one.kind == "answer"]
            session.rollback()
        return inbound.reason, entered, remarks, len(offers), result


MATRIX = [
    one
    for one in itertools.product(clients.CLIENTS, clients.LANGUAGES, clients.POSTURES, FORMS)
    # what is typed between the lines of these two cannot be told from the quotation in HTML
    if not (one[0] in ("yahoo", "proton") and one[2] == "inline" and one[3].startswith("html"))
]


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(("key", "options"), GAMES, ids=lambda value: str(value))
def test_failure_4_a_reply_to_our_own_letter_does_exactly_what_was_typed(
    tmp_path, key, options, language, capsys, is_thorough
):
    table = Table(tmp_path, key, options, language)
    is_all = os.environ.get("MAIL_QUOTATIONS") == "all"
    chosen = (
        MATRIX
        if is_all
        else random.Random(f"{key}{options}{language}").sample(MATRIX, SAMPLE // (2 if is_thorough else 4))
    )
    wrong, silences = [], 0
    for client, tongue, posture, form in chosen:
        typed = [TALK, table.move] if posture == "inline" else [table.move, TALK]
        came = table.came_of(table.reply(client, tongue, posture, form, typed))
        if came != ("played", [table.move], [TALK], 0, "*"):
            wrong.append(((client, tongue, posture, form), came))
        silent = table.came_of(table.reply(client, tongue, "top", form, [" ", " "]))
        silences += 1
        if silent[1:] != ([], [], 0, "*"):
            wrong.append((("nothing typed", client, tongue, form), silent))
    if is_all:
        with capsys.disabled():
            print(f"\n{key} {options} {language}: {len(chosen)} replies, {silences} without a word, {len(wrong)} wrong")
    table.town.close()
    assert not wrong, (len(wrong), wrong[:5])
