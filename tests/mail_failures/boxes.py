"""Every kind of address at which the service receives mail, in a world with a running game."""

from __future__ import annotations

import re

from sqlmodel import SQLModel, col, select

from correspondence.accounts import accounts, joining
from correspondence.core import db, tokens
from correspondence.models import Inbound, Letter, Token
from correspondence.outbound import compose
from tests.post import reply_address

DOOR = "play@games.example"

KINDS = ("play", "postmaster", "abuse", "reply", "desk", "resign", "stop", "join", "challenge", "bounce")


def every_box(town):
    """Begin a game of ann and bob; return every address at which ann could act, by kind."""
    return town.begin("every box", (), lambda: _every_box(town))


def _every_box(town):
    town.join("ann", "bob")
    number = town.match()
    turn = town.letter("ann")
    town.answer(turn, "resign")
    town.answer(turn, "help")
    question = next(one for one in town.letters("ann") if "really resign" in one.as_string())
    with db.transaction(town.engine) as session:
        joining.request_join(session, "cleo", "cleo@example.org", now=town.time)
    town.agree("bob", "challenge ann duel")
    town.deliver()
    boxes = {
        **{name: f"{name}@games.example" for name in ("play", "postmaster", "abuse")},
        "reply": reply_address(turn),
        "resign": reply_address(question),
        "stop": re.search(r"mailto:(\S+?)\?", str(turn["List-Unsubscribe"]))[1],
        "join": reply_address(town.letter("cleo")),
        "challenge": next(reply_address(one) for one in town.letters("ann") if "challenges you" in one.as_string()),
    }
    with db.transaction(town.engine) as session:
        token = accounts.command_token(session, town.person(session, "ann"), now=town.time)
        boxes["desk"] = f"r.{tokens.spell(town.settings.secret_key, token.id)}@games.example"
        letter = session.exec(select(Letter).where(col(Letter.kind) == "turn")).first()
        boxes["bounce"] = compose.envelope_sender(letter, town.settings)
    town.received.clear()
    return number, boxes


def rows(engine, *, without=(Inbound,)):
    """Return all rows of the database except those of these tables, to detect effects."""
    with db.reading(engine) as session:
        tables = list(SQLModel.metadata.sorted_tables)
        left_out = {one.__tablename__ for one in without}
        return {
            table.name: sorted(map(tuple, session.connection().execute(table.select())), key=repr)
            for table in tables
            if table.name not in left_out
        }


def token_row(session, town, address):
    """Return the token row of a reply address."""
    return session.get(Token, tokens.read(town.settings.secret_key, address[2:28]))
