"""Letters of every kind that ask a question, and the effects of answering them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import select

from correspondence.core import db
from correspondence.models import Remark, Seek
from tests.post import text_of

DOOR = "play@games.example"
MARK = "Zanzibar"
"""Text of the writer that must not reach the opponent."""


@dataclass
class Asked:
    """A letter with a question: who answers it, and from which address."""

    town: object
    letter: object
    is_done: object
    is_declined: object = lambda: None
    sender: str = ""
    other: str = ""

    def answer(self, words, **more):
        return self.town.answer(self.letter, words, sender=self.sender or None, **more)


def talk_in(town):
    with db.reading(town.engine) as session:
        return [remark.text for remark in session.exec(select(Remark))]


def seek_states(town):
    with db.reading(town.engine) as session:
        seeks = session.exec(select(Seek).order_by(Seek.created_at)).all()
        later = sorted(seeks, key=lambda seek: bool(seek.answers_id or seek.after_match_id))
        return [seek.state.value for seek in later]


def challenge(town):
    town.join("ann", "bob")
    town.agree("bob", "challenge ann duel seat=black 3 days")
    return Asked(
        town, town.letter("ann"), lambda: town.stand(1) is not None,
        lambda: seek_states(town)[-1] == "declined", other="bob",
    )  # fmt: skip


def counter_offer(town):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel seat=black 3 days")
    town.answer(town.letter("bob"), "counter 5 days")
    return Asked(
        town, town.letter("ann"), lambda: town.stand(1) is not None,
        lambda: seek_states(town)[-1] == "declined", other="bob",
    )  # fmt: skip


def rematch(town):
    town.join("ann", "bob")
    number = town.match("duel")
    town.resign(number, "ann")
    town.answer(town.letter("bob"), "rematch")
    return Asked(
        town, town.letter("ann"), lambda: town.stand(2) is not None,
        lambda: seek_states(town)[-1] == "declined", other="bob",
    )  # fmt: skip


def invitation(town):
    town.join("ann", "bob")
    town.agree("bob", "invite ann@example.org duel")
    return Asked(
        town, town.letter("ann"), lambda: town.stand(1) is not None,
        lambda: seek_states(town)[-1] == "declined", other="bob",
    )  # fmt: skip


def resign(town):
    town.join("ann", "bob")
    number = town.match("duel")
    town.answer(town.letter("ann"), "resign")
    return Asked(town, town.letter("ann"), lambda: town.stand(number).result == "0-1", other="bob")


def _offered(town, line, is_done, is_declined):
    town.join("ann", "bob")
    number = town.match()
    town.open(number)
    town.play(number, "ann", "e3/f2=N")
    town.answer(town.letter("ann"), line)
    return Asked(town, town.letter("bob"), lambda: is_done(number), lambda: is_declined(number), other="ann")


def _is_declined(town):
    from correspondence.models import Offer, OfferState

    with db.reading(town.engine) as session:
        return [offer.state for offer in session.exec(select(Offer))] == [OfferState.DECLINED]


def draw(town):
    return _offered(town, "draw", lambda n: town.stand(n).result == "1/2-1/2", lambda _n: _is_declined(town))


def takeback(town):
    return _offered(town, "takeback", lambda n: len(town.moves(n)) == 2, lambda _n: _is_declined(town))


def pause(town):
    def is_paused(_number):
        from correspondence.models import Offer, OfferState

        with db.reading(town.engine) as session:
            return [offer.state for offer in session.exec(select(Offer))] == [OfferState.TAKEN]

    return _offered(town, "pause 5 days", is_paused, lambda _n: _is_declined(town))


def choice(town):
    town.join("ann", "bob")
    number = town.match("duel")
    town.answer(town.letter("ann"), "Perhaps 5@a2, perhaps 6@b2")
    return Asked(town, town.letter("ann"), lambda: town.moves(number) == ["5@a2"], other="bob")


def join(town):
    town.mail("zoe@example.org", DOOR, "join zoe")
    return Asked(town, town.letter("zoe"), lambda: "zoe" in town.people())


def address(town):
    town.join("ann", "bob")
    town.agree("ann", "address add ann@work.example")
    letter = next(one for one in town.received if str(one["To"]) == "ann@work.example")
    return Asked(town, letter, lambda: "ann" in _owner_of(town, "ann@work.example"))


def _owner_of(town, mail):
    from correspondence.accounts import accounts

    with db.reading(town.engine) as session:
        person = accounts.person_by_address(session, mail)
        return person.handle if person else ""


def recovery(town):
    town.mail("ann@example.org", DOOR, "join ann")
    town.answer(town.letter("ann"), "yes")
    import re

    code = re.search(r"\b(?:[a-z2-7]{5}-){5}[a-z0-9]\b", text_of(town.letter("ann")))[0]
    town.mail("ann@new.example", DOOR, f"recover {code}")
    letter = next(one for one in reversed(town.received) if str(one["To"]) == "ann@new.example")
    return Asked(town, letter, lambda: _owner_of(town, "ann@new.example") == "ann")


def proposal(town):
    town.join("ann", "bob")
    town.mail("ann@example.org", DOOR, "settings language it")
    return Asked(town, town.letter("ann"), lambda: _language(town) == "it")


def _language(town):
    with db.reading(town.engine) as session:
        return town.person(session, "ann").language


def forget(town):
    town.join("ann", "bob")
    town.match("duel")
    town.agree("ann", "forget me")
    return Asked(town, town.letter("ann"), lambda: "ann" not in town.people(), other="bob")


OF_OFFERS = {"challenge": challenge, "counter-offer": counter_offer, "rematch": rematch, "invitation": invitation}
IN_GAMES = {"draw": draw, "takeback": takeback, "pause": pause}
PRIVATE = {
    "resign": resign, "join": join, "address": address, "recovery": recovery, "proposal": proposal, "forget": forget,
}  # fmt: skip
ASKED = {**OF_OFFERS, **IN_GAMES, **PRIVATE}
